/*
 * test_memory.c - each allocation of a run fails in turn: what is left is a record that is whole,
 * or IL_ENOMEM; never a crash, and never less than was asked for with status 0. Exact arithmetic,
 * multipliers, the event-driven reference and penalty are left out: GMP and GLPK end the program
 * when memory runs out, and GSL's gsl_odeiv2_control_standard_new writes to what it did not get.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/run/conduct.h"
#include "harness/run/options.h"
#include "tests/support/allocation.h"
#include "tests/support/suite.h"

/* Runs are small; many more allocations than this, and something grows that should not. */
enum { CALLS_MAX = 20000 };

typedef struct {
    const char *problem, *scheme;
    const char *options[8][2]; /* key, text */
    const char *settings[4][2];
} asked;

/* The case in words; true if it could be read. */
static il_status prepare(const asked *a, il_case *c, il_choice *problem, il_scheme_choice *scheme,
                         il_setting *settings, il_error *err) {
    *problem = (il_choice){.settings = settings};
    *c = (il_case){.problem = NULL};
    il_status status = il_case_init(c, NULL, err);
    c->problem = problem;
    c->scheme = scheme;
    if (status == IL_OK) {
        status = il_problem_type_find(a->problem, &problem->type, err);
    }
    if (status == IL_OK) {
        status = il_scheme_choose(a->scheme, scheme, err);
    }
    for (size_t k = 0; k < 4 && a->settings[k][0] != NULL; k++) {
        settings[k] = (il_setting){.key = a->settings[k][0], .text = a->settings[k][1]};
        problem->nsettings = k + 1;
    }
    for (size_t k = 0; status == IL_OK && k < 8 && a->options[k][0] != NULL; k++) {
        size_t i = 0;
        while (strcmp(il_option_at(i)->key, a->options[k][0]) != 0) {
            i++;
        }
        status = il_option_set(il_option_at(i), c, a->options[k][1], err);
    }
    return status;
}

/* The record without what differs from run to run, as text; NULL when there is none. */
static char *run(const asked *a, il_status *status, bool *happened) {
    il_case c;
    il_choice problem;
    il_scheme_choice scheme;
    il_setting settings[4];
    il_error err = {IL_OK, ""};
    json_t *json = NULL;
    char *text = NULL;
    *status = prepare(a, &c, &problem, &scheme, settings, &err);
    if (*status == IL_OK) {
        *status = il_case_run(&c, NULL, &json, &err);
    }
    *happened = allocation_failed();
    allocation_fail(0); /* from here on it is the test's own memory */
    free((void *)c.samples);
    if (*status == IL_OK) {
        (void)json_object_del(json_object_get(json, "work"), "seconds");
        (void)json_object_del(json, "provenance");
        text = json_dumps(json, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    }
    if (*status == IL_OK &&
        strcmp(json_string_value(json_object_get(json, "status")), "out_of_memory") == 0) {
        *status = IL_ENOMEM;
    }
    json_decref(json);
    return text;
}

/* Every allocation fails once. */
static void starve(const asked *a) {
    il_status status = IL_OK;
    bool happened = false;
    char *whole = run(a, &status, &happened);
    CU_ASSERT_EQUAL_FATAL(status, IL_OK);
    happened = true;
    size_t refused = 0;
    for (size_t k = 1; happened && k < CALLS_MAX; k++) {
        allocation_fail(k);
        char *text = run(a, &status, &happened);
        bool same = text != NULL && whole != NULL && strcmp(text, whole) == 0;
        bool right = status == IL_OK ? same : happened && status == IL_ENOMEM;
        if (!right) {
            (void)printf("\n%s by %s, allocation %zu: %s\n%s\n", a->problem, a->scheme, k,
                         il_status_name(status), text != NULL ? text : "");
        }
        CU_ASSERT(right);
        refused += status != IL_OK;
        free(text);
    }
    CU_ASSERT_FALSE(happened); /* all were tried */
    CU_ASSERT(refused > 10);   /* and they were needed */
    free(whole);
}

static void a_record_is_whole_or_memory_ran_out(void) {
    static const asked list[] = {
        {"sticky", "maury", {{"steps", "6"}, {"samples", "0.5,1"}, {"series", NULL}}, {{"N", "3"}}},
        {"crystal",
         "moreau_jean:theta=0.5",
         {{"steps", "5"}, {"samples", "1"}, {"loads", NULL}},
         {{"rows", "2"}}},
        {"two_spheres", "paoli", {{"steps", "6"}}, {{NULL}}},
        {"pile", "venel", {{"steps", "3"}, {"h", "0.01"}, {"series", NULL}}, {{"N", "4"}}},
        {"gluey", "gluey_maury", {{"steps", "6"}}, {{NULL}}},
        {"crowd", "catching_up", {{"steps", "2"}, {"projector", "uzawa"}}, {{"N", "3"}}},
    };
    if (!allocation_counted()) {
        return;
    }
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        starve(&list[k]);
    }
}

static const il_test tests[] = {
    {"a record is whole, or memory ran out", a_record_is_whole_or_memory_ran_out}, {.name = NULL}};

extern const il_suite il_suite_memory;
const il_suite il_suite_memory = {"memory", tests};

/*
 * test_threads.c - a run by several threads has the record of a run by one, to the bit, and none is
 * left behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/run/record.h"
#include "tests/support/contract.h"
#include "tests/support/suite.h"

enum { SETS = 6 };

/* Large enough for walks, loops, branches and large fronts to be shared, which other suites see. */
typedef struct {
    const char *problem, *scheme;
    const char *sets[SETS]; /* key, value, ... */
    double h;
    size_t steps;
} family;

#ifdef __SANITIZE_THREAD__ /* twenty times as slow: smaller, and share all that the others do */
enum { TEAM = 2 };
static const family families[] = {
    {"impact", "maury", {"N", "2100"}, 0.1, 3},
    {"impact", "maury", {"N", "600", "space", "3"}, 0.1, 1},
    {"crystal", "maury", {"support", "wedge", "rows", "40"}, 0.01, 1},
    {"crystal", "venel", {"support", "free", "rows", "22"}, 0.02, 1},
    {"pile", "maury", {"N", "1000", "radius", "0.5"}, 0.2, 2},
    {"crowd", "venel", {"N", "1100", "room", "open"}, 0.1, 2},
};
#else
enum { TEAM = 3 };
static const family families[] = {
    {"impact", "maury", {"N", "6000"}, 0.1, 3},
    {"impact", "maury", {"N", "2500", "space", "3"}, 0.1, 2},
    {"crystal", "maury", {"support", "wedge", "rows", "90"}, 0.01, 2},
    {"crystal", "venel", {"support", "free", "rows", "30"}, 0.02, 2},
    {"pile", "maury", {"N", "3000", "radius", "0.5"}, 0.2, 3},
    {"crowd", "venel", {"N", "2500", "room", "open"}, 0.1, 3},
};
#endif

static char *record_of(const family *f, size_t threads, size_t *factorisations) {
    il_error err = {IL_OK, ""};
    il_run_spec spec = {.threads = threads,
                        .projector = il_projector_type_default(),
                        .scheme = il_contract_scheme(f->scheme),
                        .h = f->h,
                        .steps = f->steps};
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(f->problem, &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, NULL), IL_OK);
    for (size_t k = 0; k < SETS && f->sets[k] != NULL; k += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, f->sets[k], f->sets[k + 1], NULL),
                              IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, &err), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    *factorisations = record.factorisations;
    record.seconds = 0.0;
    json_t *json = il_record_json(&record);
    char *text = il_json_text(json);
    CU_ASSERT_FATAL(text != NULL);
    json_decref(json);
    il_record_free(&record);
    il_params_destroy(spec.params);
    return text;
}

static void runs_have_the_record_of_one_thread(void) {
    size_t factorisations = 0;
    size_t most = 0;
    for (size_t k = 0; k < sizeof families / sizeof families[0]; k++) {
        char *one = record_of(&families[k], 1, &factorisations);
        most = factorisations > most ? factorisations : most;
        char *several = record_of(&families[k], TEAM, &factorisations);
        CU_ASSERT_EQUAL(strcmp(one, several), 0);
        free(several);
        free(one);
    }
    CU_ASSERT(most > 10); /* factors are among what is compared */
}

static size_t threads_now(void) {
    size_t n = 0;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    CU_ASSERT_FATAL(status != NULL);
    while (fgets(line, sizeof line, status) != NULL) {
        n = strncmp(line, "Threads:", 8) == 0 ? strtoul(line + 8, NULL, 10) : n;
    }
    (void)fclose(status);
    return n;
}

static void no_thread_is_left_behind(void) {
    size_t before = threads_now();
    size_t factorisations = 0;
    const family small = {"impact", "maury", {"N", "40"}, 0.1, 2};
    free(record_of(&small, 3, &factorisations));
    CU_ASSERT(before >= 1);
    CU_ASSERT_EQUAL(threads_now(), before);
}

static const il_test tests[] = {
    {"runs have the record of one thread", runs_have_the_record_of_one_thread},
    {"no thread is left behind", no_thread_is_left_behind},
    {NULL, NULL}};

const il_suite il_suite_threads = {"threads of a run", tests};

/*
 * test_references.c - what is kept of references comes back with its bits, or not at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/io/store/store.h"
#include "harness/run/options.h"
#include "harness/run/references.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { TIMES = 997, PATH = 3 * IL_SCRATCH_ROOM };

typedef struct {
    char dir[IL_SCRATCH_ROOM], folder[2 * IL_SCRATCH_ROOM];
    il_choice problem;
    il_case c;
    char *key;
} bench;

static void bench_open(bench *b) {
    memset(b, 0, sizeof *b);
    il_scratch_open(b->dir);
    il_scratch_path(b->dir, "references", b->folder);
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("pendulum", &b->problem.type, NULL), IL_OK);
    b->problem.label = "pendulum";
    CU_ASSERT_EQUAL_FATAL(il_case_init(&b->c, NULL, NULL), IL_OK);
    b->c.problem = &b->problem;
    b->c.event_driven = true;
    b->c.references = b->folder;
    CU_ASSERT_EQUAL_FATAL(il_reference_key(&b->c, &b->key, NULL), IL_OK);
}

static void bench_close(bench *b) {
    char command[PATH];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", b->dir);
    CU_ASSERT_EQUAL(system(command), 0); // NOLINT(cert-env33-c): the path is this test's own
    free(b->key);
}

static void path_of(const bench *b, char path[PATH]) {
    char name[IL_STORE_NAME];
    il_store_key_name(b->key, name);
    (void)snprintf(path, PATH, "%s/%s", b->folder, name);
}

static il_event_driven *make(const bench *b) {
    il_event_driven *made = NULL;
    CU_ASSERT_EQUAL_FATAL(il_reference_events(&made, &b->c, false, NULL), IL_OK);
    return made;
}

/* The same bits at all times, from both sides, and the same events? */
static void expect_same(const il_event_driven *one, const il_event_driven *other) {
    const il_exact *a = il_event_driven_exact(one);
    const il_exact *b = il_event_driven_exact(other);
    double T = a->breaks[a->nbreaks - 1];
    double x[2][4];
    CU_ASSERT_STRING_EQUAL(a->name, b->name);
    CU_ASSERT_STRING_EQUAL(a->origin, b->origin);
    CU_ASSERT_EQUAL(il_event_driven_events(one), il_event_driven_events(other));
    CU_ASSERT_EQUAL_FATAL(a->nbreaks, b->nbreaks);
    CU_ASSERT_EQUAL(memcmp(a->breaks, b->breaks, a->nbreaks * sizeof *a->breaks), 0);
    for (size_t k = 0; k <= TIMES + a->nbreaks; k++) {
        double t = k <= TIMES ? T * (double)k / TIMES : a->breaks[k - TIMES - 1];
        for (int side = -1; side <= 1; side++) {
            a->eval(a, t, side, x[0], x[0] + 2);
            b->eval(b, t, side, x[1], x[1] + 2);
            CU_ASSERT_EQUAL(memcmp(x[0], x[1], sizeof x[0]), 0);
        }
    }
}

static void a_kept_reference_has_its_bits(void) {
    bench b;
    struct stat info;
    char path[PATH];
    bench_open(&b);
    path_of(&b, path);
    il_event_driven *made = make(&b);
    CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
    ino_t before = info.st_ino;
    il_event_driven *found = make(&b);
    CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
    CU_ASSERT_EQUAL(info.st_ino, before); /* it was not made again */
    expect_same(made, found);
    il_event_driven_destroy(found);
    CU_ASSERT_EQUAL(il_reference_events(&found, &b.c, true, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
    CU_ASSERT_NOT_EQUAL(info.st_ino, before);
    expect_same(made, found);
    il_event_driven_destroy(made);
    il_event_driven_destroy(found);
    bench_close(&b);
}

static void other_specifications_have_other_keys(void) {
    bench b;
    bench_open(&b);
    char *key = NULL;
    il_setting setting = {.key = "gravity", .text = "9"};
    il_case c = b.c;
    c.horizon = 0.5;
    CU_ASSERT_EQUAL(il_reference_key(&c, &key, NULL), IL_OK);
    CU_ASSERT_STRING_NOT_EQUAL(key, b.key);
    free(key);
    c = b.c;
    il_choice changed = b.problem;
    changed.settings = &setting;
    changed.nsettings = 1;
    c.problem = &changed;
    CU_ASSERT_EQUAL(il_reference_key(&c, &key, NULL), IL_OK);
    CU_ASSERT_STRING_NOT_EQUAL(key, b.key);
    free(key);
    c = b.c;
    c.steps = 77; /* of the scheme, not of the solution */
    CU_ASSERT_EQUAL(il_reference_key(&c, &key, NULL), IL_OK);
    CU_ASSERT_STRING_EQUAL(key, b.key);
    free(key);
    bench_close(&b);
}

static void runs_come_back_and_are_listed(void) {
    static const char key[] = "{\"build\":\"b\",\"problem\":\"corner\",\"scheme\":\"maury\","
                              "\"steps\":2}";
    bench b;
    bool found = false;
    il_trajectory run = {.d = 0};
    il_trajectory back = {.d = 0};
    bench_open(&b);
    CU_ASSERT_EQUAL(il_trajectory_init(&run, 2, 3, NULL), IL_OK);
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(il_trajectory_add(&run, 0.1 * k, (double[]){k, -k}, (double[]){1.0 / 3, k}),
                        IL_OK);
    }
    CU_ASSERT_EQUAL(il_trajectory_add_contact(&run, (il_contact){1, 2, 0.3}), IL_OK);
    json_t *provenance = json_pack("{s:s, s:f}", "date", "2026-11-23T00:00:00Z", "seconds", 2.5);
    CU_ASSERT_EQUAL(il_reference_put_run(b.folder, key, &run, provenance, NULL), IL_OK);
    json_decref(provenance);
    CU_ASSERT_EQUAL(il_reference_get_run(b.folder, key, &back, &found, NULL), IL_OK);
    CU_ASSERT_FATAL(found && back.nodes == 3 && back.d == 2 && back.ncontacts == 1);
    CU_ASSERT_EQUAL(memcmp(back.q, run.q, 6 * sizeof *run.q), 0);
    CU_ASSERT_EQUAL(memcmp(back.u, run.u, 6 * sizeof *run.u), 0);
    CU_ASSERT_EQUAL(back.contacts[0].id, 2);
    il_event_driven_destroy(make(&b));
    json_t *all = il_references_list(b.folder, true);
    CU_ASSERT_EQUAL_FATAL(json_array_size(all), 2);
    size_t runs = 0;
    for (size_t k = 0; k < 2; k++) {
        const json_t *one = json_array_get(all, k);
        const char *kind = json_string_value(json_object_get(one, "kind"));
        bool is_run = kind != NULL && strcmp(kind, "run") == 0;
        runs += is_run;
        CU_ASSERT(is_run || (kind != NULL && strcmp(kind, "event_driven") == 0));
        CU_ASSERT_PTR_NULL(json_object_get(one, "damaged"));
        CU_ASSERT(json_is_string(json_object_get(one, "date")));
        CU_ASSERT(!is_run || json_number_value(json_object_get(one, "seconds")) == 2.5);
        CU_ASSERT(!is_run || json_integer_value(json_object_get(one, "steps")) == 2);
    }
    CU_ASSERT_EQUAL(runs, 1);
    json_decref(all);
    all = il_references_list("/nonexistent", true);
    CU_ASSERT(all != NULL && json_array_size(all) == 0);
    json_decref(all);
    il_trajectory_free(&run);
    il_trajectory_free(&back);
    bench_close(&b);
}

static const il_test tests[] = {
    {"an event-driven reference that was kept has the bits of the one that was made",
     a_kept_reference_has_its_bits},
    {"other specifications have other keys", other_specifications_have_other_keys},
    {"runs come back with their bits, and all are listed", runs_come_back_and_are_listed},
    {NULL, NULL}};

extern const il_suite il_suite_references;
const il_suite il_suite_references = {"references", tests};

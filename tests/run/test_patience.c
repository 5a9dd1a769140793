/*
 * test_patience.c - a run that would take too long is refused before it has left anything, and is
 * asked again where it goes on from a state.
 */
#include "harness/run/work.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/store/state_file.h"
#include "harness/run/checkpoint.h"
#include "harness/run/run.h"
#include "tests/support/contract.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A second shows how fast steps are, and a coarse clock is good to 10 ms. */
static const double SHOWN = 1.02;

static void nap(double seconds) {
    const struct timespec while_ = {.tv_sec = (time_t)seconds,
                                    .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    (void)nanosleep(&while_, NULL);
}

/* 8 steps in a second and a little: 1000 of them take more than 125 s, and 16 less than 100 on any
 * machine. Before the eighth, or without a second, nothing is said; what was made before counts
 * neither as made nor as left. */
static void steps_are_judged_by_those_that_were_made(void) {
    il_patience p;
    il_error err = {IL_OK, ""};
    for (size_t from = 0; from <= 5000; from += 5000) {
        il_patience_begin(&p, 100.0, from);
        CU_ASSERT_EQUAL(il_patience_step(&p, from + 100, from + 100000, NULL), IL_OK);
        CU_ASSERT_FALSE(il_patience_settled(&p)); /* no second went by */
        nap(SHOWN);
        CU_ASSERT_EQUAL(il_patience_step(&p, from + 7, from + 100000, NULL), IL_OK);
        CU_ASSERT_FALSE(il_patience_settled(&p));
        CU_ASSERT_EQUAL(il_patience_step(&p, from + 8, from + 1000, &err), IL_ETOOLONG);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, from > 0 ? "1000 steps that are left would take"
                                                            : "1000 steps would take"));
        CU_ASSERT(il_patience_settled(&p));
    }
    il_patience_begin(&p, 100.0, 5000);
    nap(SHOWN);
    CU_ASSERT_EQUAL(il_patience_step(&p, 5008, 5016, NULL), IL_OK);
    CU_ASSERT(il_patience_settled(&p));
    il_patience_begin(&p, 0.0, 0); /* it may take as long as it likes */
    CU_ASSERT(il_patience_settled(&p));
    CU_ASSERT_EQUAL(il_patience_step(&p, 1, SIZE_MAX, NULL), IL_OK);
}

/* ---- a run whose every step is slow --------------------------------------------------------- */

enum { STEPS = 10000, END = 3, MANY = 50 };

typedef struct {
    size_t seen, end; /* ended after this step; 0: never */
} sleeper;

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    (void)self;
    (void)problem;
    (void)steps;
    (void)start;
    (void)err;
    return IL_OK;
}

static il_status sleep_a_little(void *self, const il_watched *now, il_error *err) {
    sleeper *w = self;
    w->seen++;
    nap(0.15);
    return now->n == w->end || w->seen == MANY ? il_fail(err, IL_EINTERRUPTED, "ended") : IL_OK;
}

static void archive(void *self, il_archive *a) {
    (void)self;
    il_archive_expect(a, 1);
}

/* Of 10 000 steps, which take 1500 s; *seen of them were made. Who is not refused is ended after
 * MANY, 7.5 s. */
static il_status run(const char *path, double patience, size_t end, size_t *seen, il_error *err) {
    il_variant v = {.type = NULL};
    il_record record = {0};
    sleeper w = {0, end};
    il_observer observer = {.self = &w, .begin = begin, .step = sleep_a_little, .archive = archive};
    il_checkpoint checkpoint = {.path = path, .key = "key", .every = 1e-9};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &v.type, NULL), IL_OK);
    il_run_spec spec = {.problem = v.type,
                        .params = il_contract_params(&v),
                        .scheme = il_contract_scheme("maury"),
                        .projector = il_projector_type_default(),
                        .steps = STEPS,
                        .observers = &observer,
                        .nobservers = 1,
                        .norms = IL_NORM_NONE,
                        .patience = patience,
                        .checkpoint = &checkpoint};
    il_status status = il_run(&spec, &record, NULL, err);
    *seen = w.seen;
    il_record_free(&record);
    il_params_destroy(spec.params);
    return status;
}

static size_t size_of_state(const char *path) {
    unsigned char *bytes = NULL;
    size_t n = 0;
    CU_ASSERT_EQUAL(il_state_file_find(path, "key", &bytes, &n, NULL), IL_OK);
    free(bytes);
    return n;
}

/* Refused, it has left no state, from which the same command would go on unasked. One that was
 * consented to, and ended, left one: who goes on from there is asked, and if refused leaves it. */
static void who_goes_on_is_asked(void) {
    char dir[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    size_t seen = 0;
    il_error err = {IL_OK, ""};
    il_scratch_open(dir);
    il_scratch_path(dir, "state", path);
    for (size_t k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(run(path, 100.0, 0, &seen, &err), IL_ETOOLONG);
        CU_ASSERT(seen >= 8 && seen < MANY);
        CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    }
    CU_ASSERT_EQUAL(run(path, 0.0, END, &seen, NULL), IL_OK);
    size_t size = size_of_state(path);
    CU_ASSERT(size > 0);
    for (size_t k = 0; k < 2; k++) {
        err = (il_error){IL_OK, ""};
        CU_ASSERT_EQUAL(run(path, 100.0, 0, &seen, &err), IL_ETOOLONG);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, " steps that are left would take"));
        CU_ASSERT_EQUAL(size_of_state(path), size);
    }
    il_scratch_close(dir, 0);
}

static const il_test tests[] = {
    {"steps are judged by those that were made", steps_are_judged_by_those_that_were_made},
    {"who goes on is asked", who_goes_on_is_asked},
    {.name = NULL}};

extern const il_suite il_suite_patience;
const il_suite il_suite_patience = {"patience", tests};

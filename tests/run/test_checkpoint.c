/*
 * test_checkpoint.c - a run that was ended and goes on from the state that it left has the bits of
 * one that was left alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/data/history.h"
#include "harness/data/snapshots.h"
#include "harness/io/store/state_file.h"
#include "harness/run/checkpoint.h"
#include "harness/run/record.h"
#include "tests/support/contract.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { STEPS = 24, STATE = 9, END = 12, PROJECTORS_MAX = 64 };

/* Ends a run after a step, as a signal would. */
typedef struct {
    size_t end; /* 0: never */
    size_t seen;
} ender;

static il_status ender_begin(void *self, const il_problem *problem, size_t steps,
                             const il_state *start, il_error *err) {
    (void)self;
    (void)problem;
    (void)steps;
    (void)start;
    (void)err;
    return IL_OK;
}

static il_status ender_step(void *self, const il_watched *now, il_error *err) {
    ender *w = self;
    w->seen++;
    return now->n == w->end ? il_fail(err, IL_EINTERRUPTED, "ended after step %zu", now->n) : IL_OK;
}

static void ender_archive(void *self, il_archive *a) {
    ender *w = self;
    il_archive_count(a, &w->seen);
}

typedef struct {
    const il_variant *variant;
    const il_scheme_type *scheme;
    const char *projector; /* NULL: the default */
    size_t end;
    bool pictures, full;
    il_checkpoint *checkpoint; /* or NULL */
} order;

typedef struct {
    bool ran;
    char *text; /* the record, and the series */
    il_trajectory trajectory;
    ender ender;
    il_snapshots snapshots;
} result;

static void look(const order *o, result *r, il_record *record, il_params *params,
                 const il_history *history) {
    record->seconds = 0.0;
    record->analyses = 0; /* one that was kept for many steps may be made anew (checkpoint.h) */
    json_t *json = il_record_json(record, params);
    json_t *series = il_history_json(history);
    CU_ASSERT_PTR_NOT_NULL_FATAL(json);
    CU_ASSERT_EQUAL(json_object_del(series, "analyses"), 0);
    CU_ASSERT_EQUAL(json_object_set_new(json, "series", series), 0);
    r->text = il_json_text(json);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->text);
    json_decref(json);
    CU_ASSERT(o->end == 0 || record->status == IL_EINTERRUPTED);
    CU_ASSERT(o->end > 0 || record->status == IL_OK || o->projector != NULL ||
              o->scheme->other_limit); /* springs that steps this long cannot follow */
}

static void run(const order *o, result *r) {
    static const double samples[] = {0.0, 0.01, 0.02};
    il_params *params = il_contract_params(o->variant);
    il_record record = {0};
    il_history history = {0};
    memset(r, 0, sizeof *r);
    r->ender.end = o->end;
    r->snapshots.every = 5;
    il_observer observers[] = {
        {.self = &r->ender, .begin = ender_begin, .step = ender_step, .archive = ender_archive},
        il_history_observer(&history),
        il_snapshots_observer(&r->snapshots)};
    il_run_spec spec = {.problem = o->variant->type,
                        .params = params,
                        .scheme = o->scheme,
                        .scheme_settings = il_contract_settings(o->scheme),
                        .projector = o->projector != NULL ? il_contract_projector(o->projector)
                                                          : il_projector_type_default(),
                        .steps = STEPS,
                        .samples = samples,
                        .nsamples = sizeof samples / sizeof samples[0],
                        .observers = observers,
                        .nobservers = o->pictures ? 3 : 2,
                        .norms = o->full ? il_norm_all() : IL_NORM_NONE,
                        .checkpoint = o->checkpoint};
    r->ran = il_run(&spec, &record, &r->trajectory, NULL) == IL_OK;
    if (r->ran) {
        look(o, r, &record, params, &history);
    }
    il_history_free(&history);
    il_record_free(&record);
    il_params_destroy(params);
}

static void forget(result *r) {
    free(r->text);
    il_trajectory_free(&r->trajectory);
    il_snapshots_free(&r->snapshots);
}

static void expect_same(const result *a, const result *b) {
    const il_trajectory *x = &a->trajectory;
    const il_trajectory *y = &b->trajectory;
    CU_ASSERT_STRING_EQUAL(a->text, b->text);
    CU_ASSERT_EQUAL_FATAL(x->nodes, y->nodes);
    CU_ASSERT_EQUAL_FATAL(x->ncontacts, y->ncontacts);
    CU_ASSERT_EQUAL(memcmp(x->t, y->t, x->nodes * sizeof *x->t), 0);
    CU_ASSERT_EQUAL(memcmp(x->q, y->q, x->nodes * x->d * sizeof *x->q), 0);
    CU_ASSERT_EQUAL(memcmp(x->u, y->u, x->nodes * x->d * sizeof *x->u), 0);
    for (size_t k = 0; k < x->ncontacts; k++) {
        CU_ASSERT_EQUAL(x->contacts[k].id, y->contacts[k].id);
        CU_ASSERT_EQUAL(x->contacts[k].impulse, y->contacts[k].impulse);
    }
    CU_ASSERT_EQUAL_FATAL(a->snapshots.n, b->snapshots.n);
    for (size_t k = 0; k < a->snapshots.n; k++) {
        const il_snapshot *f = &a->snapshots.frames[k];
        const il_snapshot *g = &b->snapshots.frames[k];
        size_t d = a->snapshots.bodies * a->snapshots.space;
        CU_ASSERT_EQUAL(f->step, g->step);
        CU_ASSERT_EQUAL(f->ntouches, g->ntouches);
        CU_ASSERT_EQUAL(memcmp(f->q, g->q, (2 * d + 2 * a->snapshots.bodies) * sizeof *f->q), 0);
    }
}

/* The step after which a run goes on. */
static void note_step(void *self, size_t step) {
    size_t *after = self;
    *after = step;
}

/* Alone; ended; and gone on with. True if the pair means something. */
static bool interrupt(const order *what, const char *path) {
    size_t after = 0;
    il_checkpoint checkpoint = {
        .path = path, .key = "a key", .every = 1e9, .at = STATE, .went = note_step, .self = &after};
    order with = *what;
    result alone;
    result ended;
    result gone;
    run(&with, &alone);
    if (!alone.ran || alone.ender.seen < STEPS) { /* refused, or it does not come so far */
        forget(&alone);
        return false;
    }
    with.end = END;
    with.checkpoint = &checkpoint;
    run(&with, &ended);
    CU_ASSERT_EQUAL(ended.ender.seen, END);
    CU_ASSERT_EQUAL(after, 0);
    CU_ASSERT_EQUAL(access(path, R_OK), 0);
    with.end = 0;
    run(&with, &gone);
    CU_ASSERT_TRUE_FATAL(gone.ran);
    CU_ASSERT_EQUAL(gone.ender.seen, STEPS);
    CU_ASSERT_EQUAL(after, STATE); /* it did not begin anew */
    expect_same(&alone, &gone);
    il_checkpoint_remove(&checkpoint);
    CU_ASSERT_NOT_EQUAL(access(path, R_OK), 0);
    forget(&alone);
    forget(&ended);
    forget(&gone);
    return true;
}

static void every_scheme_goes_on_with_the_same_bits(void) {
    char dir[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t met = 0;
    il_scratch_open(dir);
    il_scratch_path(dir, "state", path);
    for (size_t v = 0; v < n; v++) {
        for (size_t s = 0; il_scheme_type_at(s) != NULL; s++) {
            order o = {.variant = &list[v], .scheme = il_scheme_type_at(s), .full = true};
            met += interrupt(&o, path);
        }
    }
    CU_ASSERT_TRUE(met > n);
    il_scratch_close(dir, 0);
}

static void every_projector_goes_on_with_the_same_bits(void) {
    char dir[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    bool met[PROJECTORS_MAX] = {false};
    il_scratch_open(dir);
    il_scratch_path(dir, "state", path);
    for (size_t v = 0; v < n; v++) {
        const char *name = list[v].type->name;
        bool wanted = strcmp(name, "cradle") == 0 || strcmp(name, "crystal") == 0 ||
                      strcmp(name, "bouncing_ball") == 0; /* many rows, and one */
        for (size_t p = 0; wanted && il_projector_type_at(p) != NULL; p++) {
            order o = {.variant = &list[v],
                       .scheme = il_contract_scheme("maury"),
                       .projector = il_projector_type_at(p)->name};
            CU_ASSERT_FATAL(p < PROJECTORS_MAX);
            met[p] = interrupt(&o, path) || met[p];
        }
    }
    for (size_t p = 0; il_projector_type_at(p) != NULL; p++) {
        CU_ASSERT_TRUE(met[p]);
        if (!met[p]) {
            (void)printf("\n%s was not tried", il_projector_type_at(p)->name);
        }
    }
    il_scratch_close(dir, 0);
}

static void pictures_go_on(void) {
    char dir[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    il_variant v = {.type = NULL};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("crowd", &v.type, NULL), IL_OK);
    il_scratch_open(dir);
    il_scratch_path(dir, "state", path);
    order o = {.variant = &v, .scheme = il_contract_scheme("catching_up"), .pictures = true};
    CU_ASSERT_TRUE(interrupt(&o, path));
    il_scratch_close(dir, 0);
}

/* A file that is damaged, or of another key, is none. */
static void a_state_is_whole_or_none(void) {
    static const unsigned char bytes[] = "some bytes, \0 among them";
    char dir[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    unsigned char *read = NULL;
    size_t n = 0;
    il_scratch_open(dir);
    il_scratch_path(dir, "state", path);
    CU_ASSERT_EQUAL_FATAL(il_state_file_put(path, NULL, "key", bytes, sizeof bytes, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_state_file_get(path, "key", &read, &n, NULL), IL_OK);
    CU_ASSERT_FATAL(read != NULL && n == sizeof bytes);
    CU_ASSERT_EQUAL(memcmp(read, bytes, sizeof bytes), 0);
    free(read);
    CU_ASSERT_EQUAL(truncate(path, 40), 0);
    CU_ASSERT_EQUAL(il_state_file_get(path, "key", &read, &n, NULL), IL_OK);
    CU_ASSERT_PTR_NULL(read);
    CU_ASSERT_NOT_EQUAL(access(path, R_OK), 0);
    CU_ASSERT_EQUAL_FATAL(il_state_file_put(path, NULL, "key", bytes, sizeof bytes, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_state_file_get(path, "yek", &read, &n, NULL), IL_OK);
    CU_ASSERT_PTR_NULL(read);
    CU_ASSERT_EQUAL(il_state_file_get(path, "key", &read, &n, NULL), IL_OK);
    CU_ASSERT_PTR_NULL(read); /* what is of another key goes */
    il_scratch_close(dir, 0);
}

static const il_test tests[] = {{"every scheme goes on from a state with the same bits",
                                 every_scheme_goes_on_with_the_same_bits},
                                {"every projector goes on from a state with the same bits",
                                 every_projector_goes_on_with_the_same_bits},
                                {"pictures go on from a state", pictures_go_on},
                                {"a state is whole, of its key, or none", a_state_is_whole_or_none},
                                {.name = NULL}};

extern const il_suite il_suite_checkpoint;
const il_suite il_suite_checkpoint = {"checkpoint", tests};

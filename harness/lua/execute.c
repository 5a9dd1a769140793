/*
 * execute.c - sweep:run: every case through the store and the workers.
 *
 * Cases that are stored are not run again (unless --fresh), cases of other shards are left to them,
 * the others go to forked workers, the longest first. What functions of the script made is stored
 * under what they depend on (identity.h), or not at all. The trajectory that a self reference needs
 * is computed before the workers are forked, so that all share it.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/jobs.h"
#include "harness/io/pool.h"
#include "harness/lua/kept.h"
#include "harness/lua/norm.h"
#include "harness/lua/notice.h"
#include "harness/lua/result.h"
#include "harness/lua/waiting.h"
#include "harness/run/stored.h"

static const char CALL[] = "sweep:run";

typedef struct {
    il_lua_context *context;
    const il_sweep *sweep;
    il_result *result;
    size_t *pending; /* [npending] cases to run, the longest first */
    size_t npending;
    il_exact *references; /* [nproblems] of a self reference, else NULL */
    const il_trajectory **reference_runs;
    json_t **reference_errors; /* [nproblems] how far these are from runs of half as many steps */
    const il_lua_norm *norm;   /* that records are to have besides, or NULL */
    const char *title;         /* of what is told */
    double began;
    size_t failed;                 /* of those run now */
    il_jobs **jobs;                /* shows how far they are (waiting.h); or NULL */
    bool scripted;                 /* cases depend on functions of the script */
    char unkept[IL_FUNCTIONS_WHY]; /* the last reason for which a record was not stored, or "" */
} execution;

/* As its key has it. A norm of the script's own is alone: the record of the sweep has the others.
 */
static il_case named_case(const execution *e, size_t k) {
    il_case c = il_sweep_case(e->sweep, k);
    if (e->norm != NULL) {
        c.norms = IL_NORM_NONE;
        c.norms_functions = &e->norm->identity.now;
    }
    return c;
}

static il_case case_of(const execution *e, size_t k) {
    il_case c = named_case(e, k);
    if (e->references != NULL) {
        size_t i = (size_t)(c.problem - e->sweep->problems);
        c.reference = &e->references[i];
        c.reference_run = e->reference_runs[i];
        c.reference_error = e->reference_errors[i];
    }
    return c;
}

/* ---- progress ------------------------------------------------------------------------------- */

static void name_of(const void *data, size_t job, char *room, size_t capacity) {
    const execution *e = data;
    il_case c = case_of(e, e->pending[job]);
    (void)snprintf(room, capacity, "%s by %s, ", c.problem->label, c.scheme->name);
    if (c.steps > 0) {
        il_text_append(room, capacity, "%zu step%s", c.steps, il_lua_plural(c.steps));
    } else {
        il_text_append(room, capacity, "h = %.6g", c.h);
    }
}

static void progress(void *data) {
    const execution *e = data;
    char failed[48] = "";
    if (e->failed > 0) {
        (void)snprintf(failed, sizeof failed, ", %zu failed", e->failed);
    }
    il_jobs_show(*e->jobs, failed, name_of, e);
}

static void conclude(const execution *e) {
    const il_result *r = e->result;
    size_t n = il_sweep_count(e->sweep);
    il_lua_tell(e->context, "sweep %s: %zu case%s: %zu found stored, %zu run in %.1f s, %zu failed",
                e->title, n, il_lua_plural(n), r->found, r->ran, il_progress_now() - e->began,
                r->failed);
    if (r->missing > 0) {
        il_lua_say(e->context, "sweep %s: %zu of %zu case%s %s missing", e->sweep->name, r->missing,
                   n, il_lua_plural(n), r->missing == 1 ? "is" : "are");
    }
}

/* ---- one case ------------------------------------------------------------------------------- */

/* In a worker. */
static char *work(void *data, size_t job) {
    const execution *e = data;
    il_case c = case_of(e, e->pending[job]);
    il_error err = {IL_OK, ""};
    json_t *record = NULL;
    il_lua_norm_job measured = {.norm = e->norm, .c = &c};
    if (e->norm != NULL) {
        c.addition = (il_addition){.self = &measured, .add = il_lua_norm_add};
    }
    c.share = il_jobs_begin(*e->jobs, job);
    il_status status = il_case_run(&c, e->norm != NULL ? &measured.run : NULL, &record, &err);
    il_trajectory_free(&measured.run);
    if (status == IL_OK && e->scripted) {
        status = il_lua_mark_unkept(e->context->L, &c, record, &err);
    }
    if (status != IL_OK) {
        json_decref(record);
        record = il_case_lost(&c, status, err.message);
    }
    char *text = record != NULL ? il_json_text(record) : NULL;
    json_decref(record);
    return text;
}

static bool has_status(const json_t *record, il_status status) {
    const char *text = json_string_value(json_object_get(record, "status"));
    return text != NULL && strcmp(text, il_status_name(status)) == 0;
}

/* What would, or for an error of the script may, come out otherwise next time is not kept. */
static bool repeatable(const json_t *record) {
    return !has_status(record, IL_EINTERNAL) && !has_status(record, IL_ENOMEM) &&
           !has_status(record, IL_EINTERRUPTED) && !has_status(record, IL_ESCRIPT);
}

/* In the parent. */
static il_status receive(void *data, size_t job, const char *text, const char *why, il_error *err) {
    execution *e = data;
    size_t k = e->pending[job];
    il_case c = case_of(e, k);
    json_t *record = NULL;
    if (text != NULL && il_json_parse(text, &record, err) == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    if (record == NULL) {
        record = il_case_lost(&c, IL_EINTERNAL, why);
    }
    if (record == NULL || has_status(record, IL_ENOMEM)) {
        const char *message = json_string_value(json_object_get(record, "message"));
        (void)il_fail(err, IL_ENOMEM, "%s by %s: %s", c.problem->label, c.scheme->name,
                      message != NULL ? message : "no memory for a record");
        json_decref(record);
        return IL_ENOMEM;
    }
    bool kept = repeatable(record) && !il_lua_take_unkept(record, e->unkept);
    e->result->records[k] = record;
    e->result->ran++;
    il_jobs_end(*e->jobs, job);
    e->failed += !il_record_went_well(record);
    char *key = NULL;
    il_status status = kept ? il_case_key(&c, &key, err) : IL_OK;
    if (key != NULL) {
        status = il_store_put(e->context->store, key, record, err);
    }
    free(key);
    return status;
}

/* ---- all cases ------------------------------------------------------------------------------ */

static void look_up(lua_State *L, execution *e) {
    il_lua_arena *arena = e->result->arena;
    il_error err = {IL_OK, ""};
    char **key = il_lua_take(L, arena, 1, sizeof *key, il_lua_close_text);
    for (size_t k = 0; k < il_sweep_count(e->sweep); k++) {
        il_case c = named_case(e, k);
        free(*key);
        il_lua_expect(L, CALL, il_case_key(&c, key, &err), &err);
        if (*key == NULL) {
            continue; /* functions that are not trusted */
        }
        err.code = IL_OK;
        il_lua_expect(
            L, CALL,
            il_store_find(e->context->store, *key, il_stored_judge, &e->result->records[k], &err),
            &err);
        if (err.code != IL_OK) {
            il_lua_say(e->context, "sweep %s: %s", e->sweep->name, err.message);
        }
        e->result->found += e->result->records[k] != NULL;
    }
}

typedef struct {
    size_t k;
    double cost;
    bool probe;
} heavy;

static int by_cost(const void *a, const void *b) {
    const heavy *x = a;
    const heavy *y = b;
    if (x->probe != y->probe) {
        return x->probe ? -1 : 1;
    }
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost)
                              : (x->k > y->k) - (x->k < y->k);
}

/* The shortest of each problem and scheme comes before all others: it says early what to expect. */
static void mark_probes(lua_State *L, const execution *e, heavy *list) {
    const il_sweep *s = e->sweep;
    size_t *shortest = il_lua_take(L, e->result->arena, s->nproblems * s->nschemes,
                                   sizeof *shortest, NULL); /* 1 + its place; 0: none so far */
    for (size_t i = 0; i < e->npending; i++) {
        size_t *at = &shortest[list[i].k / s->nsizes];
        if (*at == 0 || list[i].cost < list[*at - 1].cost) {
            *at = i + 1;
        }
    }
    for (size_t k = 0; k < s->nproblems * s->nschemes; k++) {
        if (shortest[k] > 0) {
            list[shortest[k] - 1].probe = true;
        }
    }
}

/* What is absent and ours, but for those the longest first: a long case at the end would keep one
 * worker busy while the others wait. */
static void choose_pending(lua_State *L, execution *e) {
    const il_lua_options *options = e->context->options;
    size_t n = il_sweep_count(e->sweep);
    heavy *list = il_lua_take(L, e->result->arena, n, sizeof *list, NULL);
    e->pending = il_lua_take(L, e->result->arena, n, sizeof *e->pending, NULL);
    for (size_t k = 0; k < n; k++) {
        bool ours = options->shards == 0 || k % options->shards == options->shard - 1;
        if (e->result->records[k] == NULL && ours) {
            list[e->npending++] = (heavy){k, il_sweep_cost(e->sweep, k), false};
        }
    }
    mark_probes(L, e, list);
    qsort(list, e->npending, sizeof *list, by_cost);
    for (size_t k = 0; k < e->npending; k++) {
        e->pending[k] = list[k].k;
    }
}

static void close_trajectory(void *room) {
    il_trajectory_free(room);
}

static bool needs(const execution *e, size_t problem) {
    for (size_t k = 0; k < e->npending; k++) {
        if (il_sweep_case(e->sweep, e->pending[k]).problem == &e->sweep->problems[problem]) {
            return true;
        }
    }
    return false;
}

/* The case of the reference of problem i, by so many steps. */
static il_case reference_case(const il_sweep *s, size_t i, size_t steps) {
    il_case c = s->common;
    c.problem = &s->problems[i];
    c.scheme = s->reference_scheme;
    c.steps = steps;
    c.nsamples = 0;
    return c;
}

/* A run that all cases wait for. */
static il_status run_reference(const execution *e, const il_case *what, il_trajectory *trajectory,
                               json_t **record, il_error *err) {
    il_progress progress;
    il_case c = *what;
    char title[120];
    (void)snprintf(title, sizeof title, "sweep %.60s: reference", e->sweep->name);
    il_progress_begin(&progress, il_lua_waiting(e->context), title);
    c.progress = &progress;
    il_status status = il_case_run(&c, trajectory, record, err);
    il_progress_clear(&progress);
    return status;
}

/* How far reference i is from the run of half its steps: of first order, that is its own error
 * (Richardson). The record of that run is stored like any other. */
static json_t *reference_error(lua_State *L, const execution *e, size_t i) {
    const il_sweep *s = e->sweep;
    il_error err = {IL_OK, ""};
    json_t **record = il_lua_take(L, e->result->arena, 1, sizeof *record, il_lua_close_json);
    char **key = il_lua_take(L, e->result->arena, 1, sizeof *key, il_lua_close_text);
    il_case c = reference_case(s, i, s->reference_steps / 2);
    c.reference = &e->references[i];
    c.reference_run = e->reference_runs[i];
    c.reference_key = s->reference_name;
    c.final_only = false;
    if (c.steps == 0) {
        return NULL;
    }
    il_lua_expect(L, CALL, il_case_key(&c, key, &err), &err);
    if (*key != NULL && !e->context->options->fresh) {
        il_lua_expect(L, CALL,
                      il_store_find(e->context->store, *key, il_stored_judge, record, &err), &err);
    }
    if (*record == NULL) {
        il_lua_expect(L, CALL, run_reference(e, &c, NULL, record, &err), &err);
        if (e->scripted) {
            il_lua_expect(L, CALL, il_lua_mark_unkept(L, &c, *record, &err), &err);
        }
        char why[IL_FUNCTIONS_WHY];
        if (*key != NULL && repeatable(*record) && !il_lua_take_unkept(*record, why)) {
            il_lua_expect(L, CALL, il_store_put(e->context->store, *key, *record, &err), &err);
        }
    }
    json_t *error = json_object_get(*record, "error");
    il_json w = {false};
    il_json_put_count(&w, error, "steps", c.steps);
    il_lua_expect(L, CALL, w.failed ? il_fail(&err, IL_ENOMEM, "no memory for an error") : IL_OK,
                  &err);
    const char *const dull[] = {"reference", "origin", "distances", "impacts"};
    for (size_t k = 0; k < sizeof dull / sizeof dull[0]; k++) {
        (void)json_object_del(error, dull[k]);
    }
    il_lua_tell(e->context,
                "sweep %s: the run of half its steps is %.3g from it in u_L1, %.3g in q", s->name,
                json_number_value(json_object_get(error, "u_L1")),
                json_number_value(json_object_get(error, "q_Linf")));
    return error; /* lives as long as its record, which the arena keeps */
}

/* Run the references of the problems that still have cases to run. */
static void make_references(lua_State *L, execution *e) {
    const il_sweep *s = e->sweep;
    il_lua_arena *arena = e->result->arena;
    e->references = il_lua_take(L, arena, s->nproblems, sizeof *e->references, NULL);
    e->reference_runs = il_lua_take(L, arena, s->nproblems, sizeof *e->reference_runs, NULL);
    e->reference_errors = il_lua_take(L, arena, s->nproblems, sizeof *e->reference_errors, NULL);
    for (size_t i = 0; i < s->nproblems; i++) {
        if (!needs(e, i)) {
            continue;
        }
        il_error err = {IL_OK, ""};
        il_trajectory *trajectory = il_lua_take(L, arena, 1, sizeof *trajectory, close_trajectory);
        json_t **record = il_lua_take(L, arena, 1, sizeof *record, il_lua_close_json);
        il_case c = reference_case(s, i, s->reference_steps);
        c.final_only = true;
        il_lua_tell(e->context, "sweep %s: reference for %s by %s, %zu step%s", s->name,
                    c.problem->label, c.scheme->name, c.steps, il_lua_plural(c.steps));
        il_lua_expect(L, CALL, run_reference(e, &c, trajectory, record, &err), &err);
        if (!il_record_went_well(*record)) {
            il_status code = has_status(*record, IL_EINTERRUPTED) ? IL_EINTERRUPTED : IL_EINVAL;
            (void)il_fail(&err, code, "the reference for %s ended with %s: %s", c.problem->label,
                          json_string_value(json_object_get(*record, "status")),
                          json_string_value(json_object_get(*record, "message")));
            il_lua_raise(L, CALL, &err);
        }
        e->references[i] = il_trajectory_as_exact(trajectory, s->reference_name);
        e->reference_runs[i] = trajectory;
        e->reference_errors[i] = e->norm == NULL ? reference_error(L, e, i) : NULL;
    }
}

/* Count into result and context. */
static void count(execution *e) {
    il_result *r = e->result;
    size_t n = il_sweep_count(e->sweep);
    r->failed = 0;
    r->missing = 0;
    for (size_t k = 0; k < n; k++) {
        r->missing += r->records[k] == NULL;
        r->failed += r->records[k] != NULL && !il_record_went_well(r->records[k]);
    }
    if (e->norm != NULL) {
        return; /* the same cases once more */
    }
    il_lua_outcome *total = &e->context->outcome;
    total->cases += n;
    total->found += r->found;
    total->ran += r->ran;
    total->failed += r->failed;
    total->missing += r->missing;
}

static bool has_functions(const il_sweep *sweep) {
    bool has = false;
    for (size_t k = 0; k < il_sweep_count(sweep); k += sweep->nsizes) {
        il_case c = il_sweep_case(sweep, k);
        has = has || c.problem->callbacks != NULL || c.scheme->functions != NULL ||
              c.reference_callbacks != NULL || c.norms_functions != NULL;
    }
    return has;
}

/* Find, run and store the cases into e->result. */
static void execute(lua_State *L, execution *e) {
    const il_sweep *sweep = e->sweep;
    const il_lua_options *options = e->context->options;
    il_error err = {IL_OK, ""};
    e->context->L = L;
    e->began = il_progress_now();
    e->scripted = e->norm != NULL || has_functions(sweep);
    il_lua_identify_sweep(L, sweep);
    if (!options->fresh) {
        look_up(L, e);
    }
    if (options->resume) {
        il_lua_tell(e->context, "sweep %s: %zu of %zu case%s found in %s/cases", e->title,
                    e->result->found, il_sweep_count(sweep), il_lua_plural(il_sweep_count(sweep)),
                    options->results);
    }
    choose_pending(L, e);
    il_status status =
        il_interrupted() ? il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason()) : IL_OK;
    if (status == IL_OK && e->npending > 0) {
        if (sweep->reference == IL_REFERENCE_SELF) {
            make_references(L, e);
        }
        size_t workers = options->workers > 0 ? options->workers : 1;
        e->jobs =
            il_sweep_watch(L, e->result->arena, sweep, e->title, e->pending, e->npending, workers);
        il_pool pool = {.workers = workers < e->npending ? workers : e->npending,
                        .jobs = e->npending,
                        .work = work,
                        .receive = receive,
                        .tick = progress,
                        .data = e};
        status = il_pool_run(&pool, &err);
        il_jobs_destroy(*e->jobs); /* the bar goes before anything else is printed */
        *e->jobs = NULL;
    }
    il_lua_tell_unkept(L, sweep, e->unkept);
    count(e);
    conclude(e);
    if (e->norm == NULL) {
        il_lua_notice_sweep(L, e->result);
    }
    il_lua_expect(L, CALL, status, &err);
}

void il_sweep_execute(lua_State *L, const il_sweep *sweep) {
    execution e = {.context = il_lua_context_of(L), .sweep = sweep, .title = sweep->name};
    e.result = il_lua_push_result(L, 1, sweep);
    execute(L, &e);
}

/* ---- norms of the script's own --------------------------------------------------------------- */

/* The norm's value out of each record of `from`; one that its function failed in is an error. */
static void take_values(lua_State *L, const il_result *to, const il_result *from,
                        const il_lua_norm *norm) {
    il_error err = {IL_OK, ""};
    il_json w = {false};
    for (size_t k = 0; k < il_sweep_count(to->sweep); k++) {
        const json_t *record = from->records[k];
        json_t *error = json_object_get(to->records[k], "error");
        json_t *value = json_object_get(json_object_get(record, "error"), norm->name);
        if (value == NULL && has_status(record, IL_ESCRIPT) &&
            !has_status(to->records[k], IL_ESCRIPT)) {
            (void)il_fail(&err, IL_ESCRIPT, "%s",
                          json_string_value(json_object_get(record, "message")));
            il_lua_raise(L, NULL, &err);
        }
        if (json_is_object(error)) {
            il_json_set(&w, error, norm->name, value != NULL ? json_incref(value) : json_null());
        }
    }
    il_lua_expect(L, NULL, w.failed ? il_fail(&err, IL_ENOMEM, "no memory for a norm") : IL_OK,
                  &err);
}

void il_sweep_measure(lua_State *L, const il_result *result, const il_lua_norm *norm) {
    const il_sweep *sweep = result->sweep;
    il_lua_identity *identity = (il_lua_identity *)(uintptr_t)&norm->identity;
    bool all = true;
    for (size_t k = 0; k < il_sweep_count(sweep); k++) {
        const json_t *error = json_object_get(result->records[k], "error");
        all = all && (!json_is_object(error) || json_object_get(error, norm->name) != NULL);
    }
    if (all) {
        return;
    }
    execution e = {.context = il_lua_context_of(L), .sweep = sweep, .norm = norm};
    (void)lua_getiuservalue(L, 1, 2); /* the sweep; the result is what the method was called on */
    e.result = il_lua_push_result(L, -1, sweep);
    e.title = il_lua_print(L, e.result->arena, "%s, norm %s", sweep->name, norm->name);
    il_lua_identify(L, identity);
    il_lua_tell_unkept(L, sweep, identity->now.why);
    execute(L, &e);
    take_values(L, result, e.result, norm);
    lua_pop(L, 2);
}

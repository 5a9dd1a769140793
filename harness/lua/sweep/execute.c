/*
 * execute.c - the cases of a sweep, each through the store and the workers.
 *
 * Cases that are stored are not run again (unless --fresh), cases of other shards are left to them,
 * the others go to forked workers, the longest first. A case that another sweep in the same folder
 * has claimed (lease.h) is left to it, and its record read when it is there. What functions of the
 * script made is stored under what they depend on (identity.h), or not at all. References that
 * cases wait for are jobs before them (execute_referred.c), or made here before the workers are
 * forked.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/schedule.h"
#include "harness/base/text.h"
#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/norm.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/result.h"
#include "harness/lua/sweep/waiting.h"
#include "harness/run/stored.h"

static const char CALL[] = "sweep:run";

/* As its key has it. */
static il_case named_case(const il_execution *e, size_t k) {
    il_case c = il_sweep_case(e->sweep, k);
    il_lua_norm_key(e->norm, &c);
    return c;
}

/* The problem whose reference case k has. */
static size_t reference_of(const il_execution *e, size_t k) {
    return il_sweep_reference_of(e->sweep, k / e->sweep->nsizes / e->sweep->nschemes);
}

static il_case case_of(const il_execution *e, size_t k) {
    il_case c = named_case(e, k);
    if (e->references != NULL) {
        size_t i = reference_of(e, k);
        c.reference = &e->references[i];
        c.reference_run = e->reference_runs[i];
        c.reference_error = e->reference_errors[i];
    }
    return c;
}

/* The problem whose reference a job has. */
static size_t problem_of(const il_execution *e, size_t job) {
    return reference_of(e, e->pending[job]);
}

/* The key of case k, which is c; NULL for functions that are not trusted. What functions of the
 * script depend on may change from case to case. */
static il_status key_of(const il_execution *e, size_t k, const il_case *c, const char **key,
                        il_error *err) {
    il_status status = IL_OK;
    if (e->scripted || e->keys[k] == NULL) {
        free(e->keys[k]);
        status = il_case_key(c, &e->keys[k], err);
    }
    *key = e->keys[k];
    return status;
}

/* ---- progress ------------------------------------------------------------------------------- */

/* Job `one` of the pool: references come first. */
static void name_of(const void *data, size_t one, char *room, size_t capacity) {
    const il_execution *e = data;
    if (one < e->nreferred) {
        il_execution_reference_name(e, one, room, capacity);
        return;
    }
    il_case c = case_of(e, e->pending[one - e->nreferred]);
    (void)snprintf(room, capacity, "%s by %s, ", c.problem->label, c.scheme->name);
    if (c.steps > 0) {
        il_text_append(room, capacity, "%zu step%s", c.steps, il_lua_plural(c.steps));
    } else {
        il_text_append(room, capacity, "h = %.6g", c.h);
    }
}

static void progress(void *data) {
    const il_execution *e = data;
    char failed[48] = "";
    if (e->failed > 0) {
        (void)snprintf(failed, sizeof failed, ", %zu failed", e->failed);
    }
    il_jobs_show(*e->jobs, failed, name_of, e);
    il_leases_refresh(e->context->leases);
}

static void conclude(const il_execution *e) {
    const il_result *r = e->result;
    size_t n = il_sweep_count(e->sweep);
    il_lua_tell(e->context, "sweep %s: %zu case%s: %zu found stored, %zu run in %.1f s, %zu failed",
                e->title, n, il_lua_plural(n), r->found, r->ran, il_clock_seconds() - e->began,
                r->failed);
    if (r->missing > 0) {
        il_lua_say(e->context, "sweep %s: %zu of %zu case%s %s missing", e->sweep->name, r->missing,
                   n, il_lua_plural(n), r->missing == 1 ? "is" : "are");
    }
}

/* ---- one case ------------------------------------------------------------------------------- */

/* Run c in a worker, within the memory that a case may have. */
static il_status run_confined(const il_execution *e, const il_case *c, il_trajectory *run,
                              json_t **record, il_error *err) {
    size_t before = 0;
    size_t bytes = e->context->options->limits.bytes;
    bool confined = bytes > 0 && il_memory_confine(bytes, &before);
    il_status status = il_case_run(c, run, record, err);
    if (confined) {
        il_memory_release(before);
    }
    if (confined && (status == IL_ENOMEM || il_execution_has_status(*record, IL_ENOMEM))) {
        json_decref(*record);
        *record = NULL;
        status = il_fail(err, IL_EMEMORY, "it needs more than %.4g MB of memory",
                         (double)bytes / 1048576.0);
    }
    return status;
}

/* What a worker says of a record, in its first letter: the case went well, and there is nothing
 * about it that the parent has to look at; and the worker has stored it. */
static const char PLAIN = '+';
static const char STORED = '=';
static const char OTHER = '?';

/* That letter and the text of case k's record, which is stored if it can be. */
static char *spell(const il_execution *e, size_t k, const json_t *record) {
    char *text = il_json_text(record);
    char *spelt = NULL;
    char letter = OTHER;
    if (text != NULL && il_record_went_well(record) && !il_lua_is_unkept(record)) {
        letter = PLAIN;
        if (il_execution_store(e, k, text)) {
            letter = STORED;
        }
    }
    if (text == NULL || asprintf(&spelt, "%c%s", letter, text) < 0) {
        spelt = NULL;
    }
    free(text);
    return spelt;
}

/* In a worker. */
static char *work(void *data, size_t one) {
    il_execution *e = data;
    if (one < e->nreferred) {
        return il_execution_reference_work(e, one);
    }
    size_t job = one - e->nreferred;
    il_error err = {IL_OK, ""};
    il_status status =
        e->ready != NULL ? il_execution_reference_read(e, problem_of(e, job), &err) : IL_OK;
    il_case c = case_of(e, e->pending[job]);
    json_t *record = NULL;
    char what[160];
    il_execution_state state;
    il_lua_norm_job measured = {.norm = e->norm, .c = &c};
    if (e->norm != NULL) {
        c.addition = (il_addition){.self = &measured, .add = il_lua_norm_add};
    }
    c.share = il_jobs_begin(*e->jobs, one);
    name_of(e, one, what, sizeof what);
    il_execution_remember(e, &c, what, &state);
    if (status == IL_OK) {
        status = run_confined(e, &c, e->norm != NULL ? &measured.run : NULL, &record, &err);
    }
    il_trajectory_free(&measured.run);
    il_execution_forget(&state);
    if (status == IL_OK && e->scripted) {
        status = il_lua_mark_unkept(e->context->L, &c, record, &err);
    }
    if (status != IL_OK) {
        json_decref(record);
        record = il_case_lost(&c, status, err.message);
    }
    if (status == IL_EMEMORY && !il_lost_note(record, 0, 0, &e->context->options->limits)) {
        json_decref(record);
        record = NULL;
    }
    char *text = record != NULL ? spell(e, e->pending[job], record) : NULL;
    json_decref(record);
    return text;
}

/* The record of a case whose worker died, or took too long. */
static json_t *lost(const il_execution *e, const il_case *c, const il_pool_loss *loss) {
    json_t *record = il_case_lost(c, loss->late ? IL_ETIME : IL_ECRASHED, loss->why);
    bool whole = il_lost_note(record, loss->late ? 0 : loss->signal, loss->exit,
                              &e->context->options->limits);
    if (!whole) {
        json_decref(record);
    }
    return whole ? record : NULL;
}

/* The record of case k goes to where it belongs, and others may have the case. */
static il_status put_away(il_execution *e, size_t k, const il_execution_come *r, il_error *err) {
    il_case c = case_of(e, k);
    const char *key = NULL;
    il_status status = key_of(e, k, &c, &key, err);
    e->result->ran++;
    if (status == IL_OK) {
        status = il_execution_keep(e, key, r, err);
    }
    if (key != NULL && e->context->leases != NULL) {
        char name[IL_STORE_NAME];
        il_store_key_name(key, name);
        il_leases_give(e->context->leases, name);
    }
    free(e->keys[k]);
    e->keys[k] = NULL;
    return status;
}

/* A record with nothing to look at. */
static il_status receive_plain(il_execution *e, size_t k, const char *text, bool stored,
                               il_error *err) {
    const il_execution_come r = {.text = text, .kept = true, .stored = stored};
    json_t *record = NULL;
    il_status status = il_json_parse(text, &record, err);
    if (status == IL_OK) {
        status = il_result_put(e->result, k, record, err);
    }
    return status == IL_OK ? put_away(e, k, &r, err) : status;
}

/* Any other: text, or NULL where it was lost. */
static il_status receive_other(il_execution *e, size_t k, const char *text,
                               const il_pool_loss *loss, il_error *err) {
    il_case c = case_of(e, k);
    json_t *record = NULL;
    if (text != NULL && il_json_parse(text, &record, err) == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    bool spelt = record != NULL;
    if (record == NULL) {
        record = lost(e, &c, loss);
    }
    bool unasked = il_execution_has_status(record, IL_ETOOLONG); /* says nothing of the case */
    if (record == NULL || unasked || il_execution_has_status(record, IL_ENOMEM)) {
        const char *message = json_string_value(json_object_get(record, "message"));
        il_status status =
            il_fail(err, unasked ? IL_ETOOLONG : IL_ENOMEM, "%s by %s: %s", c.problem->label,
                    c.scheme->name, message != NULL ? message : "no memory for a record");
        json_decref(record);
        return status;
    }
    bool kept = il_execution_repeatable(record) && !il_lua_take_unkept(record, e->unkept);
    e->failed += !il_record_went_well(record);
    const il_execution_come r = {.record = record, .text = spelt ? text : NULL, .kept = kept};
    il_status status = put_away(e, k, &r, err);
    if (status != IL_OK) {
        json_decref(record);
        return status;
    }
    return il_result_put(e->result, k, record, err);
}

/* In the parent. */
static il_status receive(void *data, size_t one, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    il_execution *e = data;
    if (one < e->nreferred) {
        return il_execution_reference_receive(e, one, text, loss, err);
    }
    size_t k = e->pending[one - e->nreferred];
    const char *rest = text != NULL && text[0] != '\0' ? text + 1 : NULL;
    il_jobs_end(*e->jobs, one);
    bool stored = text != NULL && text[0] == STORED;
    return stored || (text != NULL && text[0] == PLAIN) ? receive_plain(e, k, rest, stored, err)
                                                        : receive_other(e, k, rest, loss, err);
}

/* ---- one case of several sweeps at once ----------------------------------------------------- */

/* The stored record of case k into the result; *found: it is there, and was not lost in a way that
 * may come to an end now. */
static il_status find(const il_execution *e, size_t k, const char *key, bool *found,
                      il_error *note) {
    json_t *record = NULL;
    il_status status = il_store_find(e->context->store, key, il_stored_judge, &record, note);
    *found =
        status == IL_OK && record != NULL && !il_lost_again(record, &e->context->options->limits);
    if (*found) {
        return il_result_put(e->result, k, record, note);
    }
    json_decref(record);
    return status;
}

/* Case k, which is ours to run now, may have been run by whoever had it before. */
static il_status find_late(il_execution *e, size_t job, const char *key, const char *name,
                           il_pool_turn *turn, il_error *err) {
    size_t k = e->pending[job];
    bool found = false;
    il_status status = e->context->options->fresh ? IL_OK : find(e, k, key, &found, err);
    if (status == IL_OK && found) {
        *turn = IL_POOL_DONE;
        e->result->found++;
        e->failed += !il_result_went_well(e->result, k);
        il_jobs_end(*e->jobs, e->nreferred + job);
    }
    if (status != IL_OK || found) {
        il_leases_give(e->context->leases, name);
    }
    return status;
}

/* In the parent: is the case ours to run? */
static il_status take(void *data, size_t one, il_pool_turn *turn, il_error *err) {
    il_execution *e = data;
    if (one < e->nreferred) {
        return il_execution_reference_take(e, one, turn, err);
    }
    size_t job = one - e->nreferred;
    if (e->ready != NULL && !e->ready[problem_of(e, job)]) {
        *turn = IL_POOL_ELSEWHERE;
        return IL_OK;
    }
    il_case c = named_case(e, e->pending[job]);
    char holder[IL_LEASE_HOLDER] = "";
    char what[160] = "";
    const char *key = NULL;
    bool ours = true;
    *turn = IL_POOL_RUN;
    il_status status =
        e->context->leases != NULL ? key_of(e, e->pending[job], &c, &key, err) : IL_OK;
    if (status != IL_OK || key == NULL) {
        return status;
    }
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    name_of(e, e->nreferred + job, what, sizeof what);
    status = il_leases_take(e->context->leases, name, what, &ours, holder, err);
    if (status == IL_OK && ours) {
        status = find_late(e, job, key, name, turn, err);
    } else if (status == IL_OK) {
        *turn = IL_POOL_ELSEWHERE;
        if (!e->waited) {
            il_lua_tell(e->context, "sweep %s: %s has %s; it is waited for when all else is done",
                        e->title, holder, what);
        }
        e->waited = true;
    }
    return status;
}

/* ---- all cases ------------------------------------------------------------------------------ */

static void look_up(lua_State *L, il_execution *e) {
    il_lua_arena *arena = e->result->arena;
    il_error err = {IL_OK, ""};
    e->keys = il_lua_take_texts(L, arena, il_sweep_count(e->sweep));
    e->sizes = il_sweep_sizes(L, arena, e->sweep);
    for (size_t k = 0; k < il_sweep_count(e->sweep); k++) {
        il_case c = named_case(e, k);
        const char *key = NULL;
        il_lua_expect(L, CALL, key_of(e, k, &c, &key, &err), &err);
        if (key == NULL) {
            continue; /* functions that are not trusted */
        }
        il_lua_expect(
            L, CALL,
            il_store_expect(e->context->store, key, il_sweep_cost(e->sweep, e->sizes, k), &err),
            &err);
        if (e->context->options->fresh) {
            continue;
        }
        err.code = IL_OK;
        bool found = false;
        il_lua_expect(L, CALL, find(e, k, key, &found, &err), &err);
        if (err.code != IL_OK) {
            il_lua_say(e->context, "sweep %s: %s", e->sweep->name, err.message);
        }
        if (found) {
            e->result->found++;
            il_execution_finish(e, key); /* what a kill between record and state has left */
            free(e->keys[k]);
            e->keys[k] = NULL;
        }
    }
    il_execution_note_references(L, e);
    il_lua_expect(L, CALL, il_roster_save(e->context->roster, &err), &err);
}

/* What is absent and ours, in the order of schedule.h. */
static void choose_pending(lua_State *L, il_execution *e) {
    const il_lua_options *options = e->context->options;
    const il_sweep *s = e->sweep;
    size_t n = il_sweep_count(s);
    size_t classes = s->nproblems * s->nschemes;
    il_lua_arena *arena = e->result->arena;
    il_planned *list = il_lua_take(L, arena, n, sizeof *list, NULL);
    e->pending = il_lua_take(L, arena, n, sizeof *e->pending, NULL);
    for (size_t k = 0; k < n; k++) {
        bool ours = options->shards == 0 || k % options->shards == options->shard - 1;
        if (!il_result_has(e->result, k) && ours) {
            list[e->npending++] = (il_planned){.k = k, .which = k / s->nsizes};
        }
    }
    if (e->npending == 0) {
        return;
    }
    for (size_t i = 0; i < e->npending; i++) {
        list[i].units = il_sweep_cost(s, e->sizes, list[i].k);
    }
    il_schedule_order(list, e->npending, classes,
                      il_lua_take(L, arena, classes, sizeof(il_schedule_class), NULL));
    e->work = il_lua_take(L, arena, e->npending, sizeof *e->work, NULL);
    for (size_t i = 0; i < e->npending; i++) {
        e->pending[i] = list[i].k;
        e->work[i] = list[i].units;
    }
}

/* Count into result and context. */
static void count(il_execution *e) {
    il_result *r = e->result;
    size_t n = il_sweep_count(e->sweep);
    r->failed = 0;
    r->missing = 0;
    for (size_t k = 0; k < n; k++) {
        bool has = il_result_has(r, k);
        r->missing += !has;
        r->failed += has && !il_result_went_well(r, k);
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

void il_execution_run(lua_State *L, il_execution *e) {
    const il_sweep *sweep = e->sweep;
    const il_lua_options *options = e->context->options;
    il_error err = {IL_OK, ""};
    e->began = il_clock_seconds();
    e->scripted = e->norm != NULL || il_lua_has_functions(sweep);
    look_up(L, e);
    if (options->resume) {
        il_lua_tell(e->context, "sweep %s: %zu of %zu case%s found in %s/cases", e->title,
                    e->result->found, il_sweep_count(sweep), il_lua_plural(il_sweep_count(sweep)),
                    options->results);
    }
    choose_pending(L, e);
    il_status status =
        il_interrupted() ? il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason()) : IL_OK;
    if (status == IL_OK && e->npending > 0) {
        il_execution_refer(L, e);
        size_t workers = options->workers > 0 ? options->workers : 1;
        size_t jobs = e->nreferred + e->npending;
        e->jobs = il_execution_watch(L, e, workers);
        il_pool pool = {.workers = workers < jobs ? workers : jobs,
                        .jobs = jobs,
                        .seconds = options->limits.seconds,
                        .alone = options->limits.bytes > 0,
                        .take = take,
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

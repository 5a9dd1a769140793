/*
 * execute_reference.c - the runs that a sweep's own references are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/kept_run.h"
#include "harness/lua/sweep/norm.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/result.h"
#include "harness/run/stored.h"

static const char CALL[] = "sweep:run";

bool il_execution_has_status(const json_t *record, il_status status) {
    const char *text = json_string_value(json_object_get(record, "status"));
    return text != NULL && strcmp(text, il_status_name(status)) == 0;
}

bool il_execution_repeatable(const json_t *record) {
    return !il_execution_has_status(record, IL_EINTERNAL) &&
           !il_execution_has_status(record, IL_ENOMEM) &&
           !il_execution_has_status(record, IL_EINTERRUPTED) &&
           !il_execution_has_status(record, IL_ETOOLONG) &&
           !il_execution_has_status(record, IL_ESCRIPT);
}

static void close_trajectory(void *room) {
    il_trajectory_free(room);
}

static bool needs(const il_execution *e, size_t problem) {
    for (size_t k = 0; k < e->npending; k++) {
        size_t other = e->pending[k] / e->sweep->nsizes / e->sweep->nschemes;
        if (il_sweep_reference_of(e->sweep, other) == problem) {
            return true;
        }
    }
    return false;
}

/* A run that all cases wait for. */
static il_status run_reference(const il_execution *e, const il_case *what,
                               il_trajectory *trajectory, json_t **record, il_error *err) {
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

json_t *il_execution_reference_error(json_t *half, size_t steps) {
    static const char *const dull[] = {"reference", "origin", "distances", "impacts"};
    json_t *error = json_object_get(half, "error");
    il_json w = {false};
    il_json_put_count(&w, error, "steps", steps);
    for (size_t k = 0; k < sizeof dull / sizeof dull[0]; k++) {
        (void)json_object_del(error, dull[k]);
    }
    return w.failed ? NULL : error;
}

static void tell(const il_execution *e, const json_t *error) {
    const char *name = e->sweep->name;
    if (e->norm != NULL) {
        il_lua_tell(e->context, "sweep %s: the run of half its steps has %s %.3g against it", name,
                    e->norm->name, json_number_value(json_object_get(error, e->norm->name)));
    } else {
        il_lua_tell(e->context,
                    "sweep %s: the run of half its steps is %.3g from it in u_L1, %.3g in q", name,
                    json_number_value(json_object_get(error, "u_L1")),
                    json_number_value(json_object_get(error, "q_Linf")));
    }
}

/* The run c of a reference did not come to what it would another time: the sweep ends. */
static void refuse(lua_State *L, const il_case *c, const json_t *record) {
    il_error err = {IL_OK, ""};
    il_status code = il_execution_has_status(record, IL_EINTERRUPTED) ? IL_EINTERRUPTED : IL_EINVAL;
    (void)il_fail(&err, code, "the reference for %s ended with %s: %s", c->problem->label,
                  json_string_value(json_object_get(record, "status")),
                  json_string_value(json_object_get(record, "message")));
    il_lua_raise(L, CALL, &err);
}

/* How far reference i is from the run of half its steps: of first order, that is its own error
 * (Richardson). The record of that run is stored like any other. */
static json_t *reference_error(lua_State *L, const il_execution *e, size_t i) {
    const il_sweep *s = e->sweep;
    il_error err = {IL_OK, ""};
    json_t **record = il_lua_take(L, e->result->arena, 1, sizeof *record, il_lua_close_json);
    char **key = il_lua_take(L, e->result->arena, 1, sizeof *key, il_lua_close_text);
    il_case c = il_sweep_reference_case(e->sweep, i, s->reference_steps / 2);
    c.reference = &e->references[i];
    c.reference_run = e->reference_runs[i];
    c.reference_key = s->reference_name;
    c.final_only = false;
    if (c.steps == 0) {
        return NULL;
    }
    il_lua_norm_job measured = {.norm = e->norm, .c = &c};
    il_lua_norm_key(e->norm, &c);
    if (e->norm != NULL) {
        c.addition = (il_addition){.self = &measured, .add = il_lua_norm_add};
    }
    il_lua_expect(L, CALL, il_case_key(&c, key, &err), &err);
    if (*key != NULL && !e->context->options->fresh) {
        il_lua_expect(L, CALL,
                      il_store_find(e->context->store, *key, il_stored_judge, record, &err), &err);
    }
    if (*record == NULL) {
        il_trajectory *run = e->norm != NULL ? &measured.run : NULL;
        il_status status = run_reference(e, &c, run, record, &err);
        il_trajectory_free(&measured.run);
        il_lua_expect(L, CALL, status, &err);
        if (il_execution_has_status(*record, IL_EINTERRUPTED)) {
            refuse(L, &c, *record);
        }
        if (e->scripted) {
            il_lua_expect(L, CALL, il_lua_mark_unkept(L, &c, *record, &err), &err);
        }
        char why[IL_FUNCTIONS_WHY];
        if (*key != NULL && il_execution_repeatable(*record) && !il_lua_take_unkept(*record, why)) {
            il_lua_expect(L, CALL, il_store_put(e->context->store, *key, *record, &err), &err);
        }
    }
    if (!json_is_object(json_object_get(*record, "error"))) {
        return NULL; /* the norm's function failed: its cases tell of it */
    }
    json_t *error = il_execution_reference_error(*record, c.steps);
    il_lua_expect(L, CALL,
                  error == NULL ? il_fail(&err, IL_ENOMEM, "no memory for an error") : IL_OK, &err);
    tell(e, error);
    return error; /* lives as long as its record, which the arena keeps */
}

/* Can workers make references of the sweep, and keep them? They have no way to say that one which
 * functions of the script made is not to be kept: such are made and kept by the parent. */
static bool keeps(const il_execution *e) {
    return e->context->store != NULL && !e->scripted;
}

static void refer_events(lua_State *L, il_execution *e) {
    const il_sweep *s = e->sweep;
    if (!keeps(e)) {
        return;
    }
    e->referred = il_lua_take(L, e->result->arena, s->nproblems, sizeof *e->referred, NULL);
    e->ready = il_lua_take(L, e->result->arena, s->nproblems, sizeof *e->ready, NULL);
    for (size_t i = 0; i < s->nproblems; i++) {
        if (needs(e, i)) {
            e->referred[e->nreferred++] = i;
        }
    }
}

static void note(lua_State *L, const il_execution *e, const char *key) {
    char name[IL_STORE_NAME];
    il_error err = {IL_OK, ""};
    if (key != NULL) {
        il_store_key_name(key, name);
        il_lua_expect(L, CALL, il_roster_note_reference(e->context->roster, name, &err), &err);
    }
}

void il_execution_note_references(lua_State *L, const il_execution *e) {
    const il_sweep *s = e->sweep;
    bool events = s->reference == IL_REFERENCE_EVENTS;
    if (events ? !keeps(e) : s->reference != IL_REFERENCE_SELF || e->context->store == NULL) {
        return;
    }
    char **key = il_lua_take(L, e->result->arena, 1, sizeof *key, il_lua_close_text);
    for (size_t i = 0; i < s->nproblems; i++) {
        il_error err = {IL_OK, ""};
        if (il_sweep_reference_of(s, i) != i) {
            continue;
        }
        free(*key);
        il_lua_expect(L, CALL, il_sweep_reference_key(e->sweep, i, key, &err), &err);
        note(L, e, *key);
        il_case half = il_sweep_half_case(e->sweep, i);
        if (!events && half.steps > 0) {
            free(*key);
            il_lua_expect(L, CALL, il_case_key(&half, key, &err), &err);
            note(L, e, *key);
        }
    }
}

/* Kept, unless its functions have changed what they depend on meanwhile. */
static void keep(lua_State *L, const il_execution *e, const il_case *c, const char *key,
                 il_trajectory *run, json_t *record) {
    il_error err = {IL_OK, ""};
    char why[IL_FUNCTIONS_WHY];
    il_lua_expect(L, CALL, il_lua_mark_unkept(L, c, record, &err), &err);
    if (!il_lua_take_unkept(record, why) && key != NULL) {
        il_lua_expect(L, CALL, il_kept_run_put(e->context, key, run, record, &err), &err);
    }
}

static void make(lua_State *L, const il_execution *e, const il_case *c, il_trajectory *run,
                 json_t **record) {
    il_error err = {IL_OK, ""};
    il_lua_tell(e->context, "sweep %s: reference for %s by %s, %zu step%s", e->sweep->name,
                c->problem->label, c->scheme->name, c->steps, il_lua_plural(c->steps));
    il_lua_expect(L, CALL, run_reference(e, c, run, record, &err), &err);
    if (!il_record_went_well(*record)) {
        refuse(L, c, *record);
    }
}

/* Reference i in this process, before the workers are forked: as it is kept, or made. */
static void refer_here(lua_State *L, il_execution *e, size_t i) {
    il_lua_arena *arena = e->result->arena;
    il_error err = {IL_OK, ""};
    bool found = false;
    il_trajectory *run = il_lua_take(L, arena, 1, sizeof *run, close_trajectory);
    json_t **record = il_lua_take(L, arena, 1, sizeof *record, il_lua_close_json);
    char **key = il_lua_take(L, arena, 1, sizeof *key, il_lua_close_text);
    il_case c = il_sweep_main_case(e->sweep, i);
    if (e->context->store != NULL) {
        il_lua_expect(L, CALL, il_case_key(&c, key, &err), &err);
    }
    if (*key != NULL && !e->context->options->fresh) {
        il_lua_expect(L, CALL, il_kept_run_get(e->context, *key, run, &found, &err), &err);
    }
    if (!found) {
        make(L, e, &c, run, record);
        keep(L, e, &c, *key, run, *record);
    }
    e->references[i] = il_trajectory_as_exact(run, e->sweep->reference_name);
    e->reference_runs[i] = run;
    e->reference_errors[i] = reference_error(L, e, i);
}

void il_execution_refer(lua_State *L, il_execution *e) {
    const il_sweep *s = e->sweep;
    il_lua_arena *arena = e->result->arena;
    if (s->reference == IL_REFERENCE_EVENTS) {
        refer_events(L, e);
    }
    if (s->reference != IL_REFERENCE_SELF) {
        return;
    }
    e->references = il_lua_take(L, arena, s->nproblems, sizeof *e->references, NULL);
    e->reference_runs = il_lua_take(L, arena, s->nproblems, sizeof *e->reference_runs, NULL);
    e->reference_errors = il_lua_take(L, arena, s->nproblems, sizeof *e->reference_errors, NULL);
    if (keeps(e)) {
        e->referred = il_lua_take(L, arena, s->nproblems, sizeof *e->referred, NULL);
        e->ready = il_lua_take(L, arena, s->nproblems, sizeof *e->ready, NULL);
    }
    for (size_t i = 0; i < s->nproblems; i++) {
        if (!needs(e, i)) {
            continue;
        }
        if (e->ready != NULL) {
            e->referred[e->nreferred++] = i;
            continue;
        }
        refer_here(L, e, i);
    }
}

/*
 * execute_referred.c - a sweep's own references as jobs of its pool, before its cases.
 *
 * A reference is the run itself, all nodes of it, in RESULTS/references/NAME with NAME that of its
 * key's stored file, and the record of the run of half its steps, stored like any other. A worker
 * makes both; workers that have cases of its problem read them. Another sweep that has claimed it
 * is waited for, a kill costs at most a checkpoint, and the next sweep finds both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/kept_run.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/stored.h"

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_events(const il_execution *e) {
    return e->sweep->reference == IL_REFERENCE_EVENTS;
}

static bool has_half(const il_execution *e) {
    return e->norm == NULL && e->sweep->reference_steps / 2 > 0;
}

/* The record of the run of half the steps into *record; NULL where it is not stored. */
static il_status find_half(const il_execution *e, size_t i, json_t **record, il_error *err) {
    il_case c = il_sweep_half_case(e->sweep, i);
    char *key = NULL;
    *record = NULL;
    il_status status = il_case_key(&c, &key, err);
    if (status == IL_OK && key != NULL) {
        status = il_store_find(e->context->store, key, il_stored_judge, record, err);
    }
    free(key);
    return status;
}

il_status il_execution_reference_read(il_execution *e, size_t i, il_error *err) {
    if (e->kept_problem == i + 1 || is_events(e)) {
        return IL_OK; /* event-driven ones are read by those who compare with them */
    }
    il_case c = il_sweep_main_case(e->sweep, i);
    json_t *half = NULL;
    char *key = NULL;
    bool found = false;
    il_trajectory_free(&e->kept);
    e->kept_problem = 0;
    il_status status = il_case_key(&c, &key, err);
    if (status == IL_OK) {
        status = il_kept_run_get(e->context, key, &e->kept, &found, err);
    }
    if (status == IL_OK && has_half(e)) {
        status = find_half(e, i, &half, err);
    }
    if (status == IL_OK && (!found || (has_half(e) && half == NULL))) {
        status = il_fail(err, IL_EIO, "the reference for %s is no longer where it was stored",
                         c.problem->label);
    }
    if (status == IL_OK) {
        e->references[i] = il_trajectory_as_exact(&e->kept, e->sweep->reference_name);
        e->reference_runs[i] = &e->kept;
        e->reference_errors[i] = half != NULL ? json_incref(il_execution_reference_error(
                                                    half, il_sweep_half_case(e->sweep, i).steps))
                                              : NULL;
        e->kept_problem = i + 1;
    }
    json_decref(half);
    free(key);
    return status;
}

/* ---- the parent ----------------------------------------------------------------------------- */

/* Both are stored. */
static il_status look(const il_execution *e, size_t i, const char *key, bool *there,
                      il_error *err) {
    il_trajectory run = {.d = 0};
    json_t *half = NULL;
    il_status status = il_kept_run_get(e->context, key, &run, there, err);
    if (status == IL_OK && *there && has_half(e)) {
        status = find_half(e, i, &half, err);
        *there = half != NULL;
    }
    json_decref(half);
    il_trajectory_free(&run);
    return status;
}

void il_execution_reference_name(const il_execution *e, size_t job, char *room, size_t capacity) {
    if (is_events(e)) {
        il_execution_events_name(e, job, room, capacity);
        return;
    }
    il_case c = il_sweep_main_case(e->sweep, e->referred[job]);
    (void)snprintf(room, capacity, "reference for %s by %s, %zu steps", c.problem->label,
                   c.scheme->name, c.steps);
}

/* What a kill between both and their states has left. */
static void forget_states(const il_execution *e, size_t i, const char *key) {
    il_case half = il_sweep_half_case(e->sweep, i);
    char *other = NULL;
    il_execution_finish(e, key);
    if (has_half(e) && il_case_key(&half, &other, NULL) == IL_OK && other != NULL) {
        il_execution_finish(e, other);
    }
    free(other);
}

il_status il_execution_reference_take(il_execution *e, size_t job, il_pool_turn *turn,
                                      il_error *err) {
    if (is_events(e)) {
        return il_execution_events_take(e, job, turn, err);
    }
    size_t i = e->referred[job];
    il_case c = il_sweep_main_case(e->sweep, i);
    char holder[IL_LEASE_HOLDER] = "";
    char what[160];
    char *key = NULL;
    char name[IL_STORE_NAME];
    bool ours = true;
    bool there = false;
    *turn = IL_POOL_RUN;
    il_status status = il_case_key(&c, &key, err);
    (void)snprintf(what, sizeof what, "the reference for %.60s by %.60s", c.problem->label,
                   c.scheme->name);
    if (status == IL_OK) {
        il_store_key_name(key, name);
        status = il_leases_take(e->context->leases, name, what, &ours, holder, err);
    }
    if (status == IL_OK && ours && !e->context->options->fresh) {
        status = look(e, i, key, &there, err);
    }
    if (status == IL_OK && there) {
        *turn = IL_POOL_DONE;
        e->ready[i] = true;
        forget_states(e, i, key);
        il_jobs_end(*e->jobs, job);
        il_leases_give(e->context->leases, name);
    } else if (status == IL_OK && ours) {
        il_lua_tell(e->context, "sweep %s: reference for %s by %s, %zu step%s", e->sweep->name,
                    c.problem->label, c.scheme->name, c.steps, il_lua_plural(c.steps));
    } else {
        *turn = IL_POOL_ELSEWHERE;
    }
    free(key);
    return status;
}

/* What a reference that failed so is for its sweep: bad input, unless the machine or the program is
 * to blame. */
static il_status blame(const json_t *record) {
    static const il_status others[] = {IL_ENOMEM, IL_EIO, IL_EINTERNAL, IL_EINTERRUPTED,
                                       IL_ETOOLONG};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        if (il_execution_has_status(record, others[k])) {
            return others[k];
        }
    }
    return IL_EINVAL;
}

/* The record of a reference, or of the run of half its steps, as an error. */
static il_status refuse(const il_case *c, const json_t *record, const il_pool_loss *loss,
                        il_error *err) {
    const char *how = json_string_value(json_object_get(record, "status"));
    const char *why = json_string_value(json_object_get(record, "message"));
    il_status lost = loss->late ? IL_ETIME : IL_ECRASHED;
    return il_fail(err, blame(record), "the reference for %s ended with %s: %s", c->problem->label,
                   how != NULL ? how : il_status_name(lost), why != NULL ? why : loss->why);
}

il_status il_execution_reference_receive(il_execution *e, size_t job, const char *text,
                                         const il_pool_loss *loss, il_error *err) {
    if (is_events(e)) {
        return il_execution_events_receive(e, job, text, err);
    }
    size_t i = e->referred[job];
    il_case c = il_sweep_main_case(e->sweep, i);
    json_t *both = NULL;
    char *key = NULL;
    il_status status = text != NULL ? il_json_parse(text, &both, err) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    const json_t *record = json_object_get(both, "reference");
    const json_t *half = json_object_get(both, "half");
    if (!il_record_went_well(record)) {
        status = refuse(&c, record, loss, err);
    } else if (half != NULL && !il_execution_repeatable(half)) {
        status = refuse(&c, half, loss, err); /* another time it comes out otherwise */
    }
    if (status == IL_OK && half != NULL) {
        il_case h = il_sweep_half_case(e->sweep, i);
        const json_t *error = json_object_get(half, "error");
        status = il_case_key(&h, &key, err);
        status = status == IL_OK ? il_store_put(e->context->store, key, half, err) : status;
        if (status == IL_OK) {
            il_execution_finish(e, key);
        }
        il_lua_tell(e->context,
                    "sweep %s: the run of half its steps is %.3g from it in u_L1, %.3g in q",
                    e->sweep->name, json_number_value(json_object_get(error, "u_L1")),
                    json_number_value(json_object_get(error, "q_Linf")));
        free(key);
        key = NULL;
    }
    json_decref(both);
    if (status == IL_OK) {
        status = il_case_key(&c, &key, err);
    }
    if (status == IL_OK) {
        char name[IL_STORE_NAME];
        e->ready[i] = true;
        il_execution_finish(e, key);
        il_store_key_name(key, name);
        il_leases_give(e->context->leases, name);
        il_jobs_end(*e->jobs, job);
    }
    free(key);
    return status;
}

/* ---- a worker ------------------------------------------------------------------------------- */

/* Run c, leaving states on the way. */
static il_status run(const il_execution *e, il_case *c, il_trajectory *trajectory, json_t **record,
                     il_error *err) {
    il_execution_state state;
    char what[160];
    (void)snprintf(what, sizeof what, "the reference for %.60s by %.60s, %zu steps",
                   c->problem->label, c->scheme->name, c->steps);
    il_execution_remember(e, c, what, &state);
    il_status status = il_case_run(c, trajectory, record, err);
    il_execution_forget(&state);
    return status;
}

/* The run itself into *trajectory: as it is stored, or anew, and then stored. */
static il_status make_main(const il_execution *e, size_t job, il_trajectory *trajectory,
                           json_t **record, il_error *err) {
    il_case c = il_sweep_main_case(e->sweep, e->referred[job]);
    c.share = il_jobs_begin(*e->jobs, job);
    char *key = NULL;
    bool found = false;
    il_status status = il_case_key(&c, &key, err);
    if (status == IL_OK && !e->context->options->fresh) {
        status = il_kept_run_get(e->context, key, trajectory, &found, err);
    }
    if (status == IL_OK && found) {
        *record = json_pack("{s:s}", "status", il_status_name(IL_OK));
        status = *record != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a record");
    } else if (status == IL_OK) {
        status = run(e, &c, trajectory, record, err);
        if (status == IL_OK && il_record_went_well(*record)) {
            status = il_kept_run_put(e->context, key, trajectory, *record, err);
        }
    }
    free(key);
    return status;
}

char *il_execution_reference_work(il_execution *e, size_t job) {
    if (is_events(e)) {
        return il_execution_events_work(e, job);
    }
    size_t i = e->referred[job];
    il_error err = {IL_OK, ""};
    il_trajectory trajectory = {.d = 0};
    json_t *record = NULL;
    json_t *half = NULL;
    il_case c = il_sweep_main_case(e->sweep, i);
    il_status status = make_main(e, job, &trajectory, &record, &err);
    if (status == IL_OK && il_record_went_well(record) && has_half(e)) {
        il_exact exact = il_trajectory_as_exact(&trajectory, e->sweep->reference_name);
        il_case h = il_sweep_half_case(e->sweep, i);
        h.reference = &exact;
        h.reference_run = &trajectory;
        status = run(e, &h, NULL, &half, &err);
    }
    if (status != IL_OK) {
        json_decref(record);
        record = il_case_lost(&c, status, err.message);
    }
    json_t *both = half != NULL ? json_pack("{s:o, s:o}", "reference", record, "half", half)
                                : json_pack("{s:o}", "reference", record);
    char *text = il_json_text(both);
    json_decref(both);
    il_trajectory_free(&trajectory);
    return text;
}

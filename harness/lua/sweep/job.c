/*
 * job.c - a job's way: taken, if it is neither stored nor another sweep's; worked on; received.
 */
#include "harness/lua/sweep/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/references.h"
#include "harness/run/stored.h"

/* ---- what it is ----------------------------------------------------------------------------- */

static bool is_case(const il_job *j) {
    return j->kind == IL_JOB_CASE || j->kind == IL_JOB_WHOLE;
}

il_case il_job_case(const il_execution *e, const il_job *j) {
    il_case c = is_case(j) ? il_sweep_case(e->sweep, j->k)
                           : il_sweep_reference_case(e->sweep, j->k, j->kind == IL_JOB_HALF);
    if (j->kind == IL_JOB_CASE || j->kind == IL_JOB_HALF) {
        il_lua_norm_key(e->norm, &c);
    }
    if (j->kind == IL_JOB_WHOLE) {
        c.final_only = false;
        if (e->sweep->reference == IL_REFERENCE_SELF) { /* which limits do not ask for */
            c.reference_key = NULL;
        }
    }
    return c;
}

il_status il_job_key(const il_execution *e, const il_job *j, char **key, il_error *err) {
    il_case c = il_job_case(e, j);
    return j->kind == IL_JOB_EVENTS ? il_reference_key(&c, key, err) : il_case_key(&c, key, err);
}

size_t il_job_problem(const il_execution *e, const il_job *j) {
    const il_sweep *s = e->sweep;
    return is_case(j) ? il_sweep_reference_of(s, j->k / s->nsizes / s->nschemes) : j->k;
}

void il_job_name(const il_execution *e, const il_job *j, char *room, size_t capacity) {
    static const char *const kinds[] = {[IL_JOB_CASE] = "",
                                        [IL_JOB_WHOLE] = "",
                                        [IL_JOB_RUN] = "reference for ",
                                        [IL_JOB_HALF] = "half the steps of the reference, ",
                                        [IL_JOB_EVENTS] = "event-driven reference for "};
    il_case c = il_job_case(e, j);
    (void)snprintf(room, capacity, "%s%.100s", kinds[j->kind], c.problem->label);
    if (j->kind == IL_JOB_EVENTS) {
        return;
    }
    il_text_append(room, capacity, " by %.60s, ", c.scheme->name);
    if (c.steps > 0) {
        il_text_append(room, capacity, "%zu step%s", c.steps, il_lua_plural(c.steps));
    } else {
        il_text_append(room, capacity, "h = %.6g", c.h);
    }
}

/* ---- the state of a long run --------------------------------------------------------------- */

char *il_job_state_path(const il_execution *e, const char *key) {
    char name[IL_STORE_NAME];
    char *path = NULL;
    il_store_key_name(key, name);
    int n = asprintf(&path, "%s/checkpoints/%s", e->context->options->results, name);
    return n < 0 ? NULL : path;
}

/* What the run of key came to is stored: its state goes. */
static void forget(const il_execution *e, const char *key) {
    char *path = il_job_state_path(e, key);
    if (path != NULL) {
        (void)unlink(path);
    }
    free(path);
}

/* ---- references in memory ------------------------------------------------------------------- */

void il_job_hold(il_execution *e, size_t i, const il_trajectory *run) {
    for (size_t k = 0; e->passes && k < e->sweep->nproblems; k++) {
        il_trajectory_free(&e->held[k].run);
        e->held[k].held = false;
    }
    il_held *r = &e->held[i];
    r->run = *run;
    r->exact = il_trajectory_as_exact(&r->run, e->sweep->reference_name);
    r->held = true;
}

/* Hold what record, of the run of half the steps, says of the error of the reference j. A norm's
 * function that failed says nothing: its cases tell of it. */
static il_status hold_error(il_execution *e, const il_job *j, const json_t *record, il_error *err) {
    static const char *const dull[] = {"reference", "origin", "distances", "impacts"};
    json_t *error = json_object_get(record, "error");
    il_held *r = &e->held[j->k];
    il_json w = {false};
    json_decref(r->error);
    r->error = NULL;
    if (json_is_object(error)) {
        r->error = il_json_copy(error);
        w.failed = r->error == NULL;
        il_json_put_count(&w, r->error, "steps", il_job_case(e, j).steps);
    }
    for (size_t k = 0; r->error != NULL && k < sizeof dull / sizeof dull[0]; k++) {
        (void)json_object_del(r->error, dull[k]);
    }
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for the error of a reference") : IL_OK;
}

/* ---- what is stored ------------------------------------------------------------------------- */

/* What would, or for an error of the script may, come out otherwise next time is not kept. */
static bool is_repeatable(const json_t *record) {
    static const il_status others[] = {IL_EINTERNAL, IL_ENOMEM, IL_EINTERRUPTED, IL_ETOOLONG,
                                       IL_ESCRIPT};
    bool repeatable = true;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        repeatable = repeatable && !il_execution_has_status(record, others[k]);
    }
    return repeatable;
}

static il_status find_run(il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_trajectory run = {.d = 0};
    il_status status = il_kept_run_get(e->context, j->key, &run, there, note);
    if (status == IL_OK && *there) {
        il_job_hold(e, j->k, &run);
    }
    return status;
}

/* A record that was lost in a way that may come to an end now is none. */
static il_status find_record(il_execution *e, const il_job *j, bool *there, il_error *note) {
    json_t *record = NULL;
    il_status status = il_store_find(e->context->store, j->key, &record, note);
    *there =
        status == IL_OK && record != NULL && !il_lost_again(record, &e->context->options->limits);
    if (*there && is_case(j)) {
        return il_result_put(e->result, j->k, record, note);
    }
    if (*there) {
        status = hold_error(e, j, record, note);
    }
    json_decref(record);
    return status;
}

/* Both its nodes and its record. */
static il_status find_whole(il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_trajectory run = {.d = 0};
    il_status status = il_kept_run_get(e->context, j->key, &run, there, note);
    il_trajectory_free(&run);
    return status == IL_OK && *there ? find_record(e, j, there, note) : status;
}

static il_status find_events(const il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_event_driven *events = NULL;
    il_status status = il_reference_find_events(e->context->references, j->key, &events, note);
    *there = events != NULL;
    il_event_driven_destroy(events);
    return status;
}

/* Is what j makes in the memory of this process? */
static bool is_held(const il_execution *e, const il_job *j) {
    return (j->kind == IL_JOB_RUN && e->held[j->k].held) ||
           (j->kind == IL_JOB_HALF && e->held[j->k].error != NULL);
}

il_status il_job_find(il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_status status = IL_OK;
    *there = is_held(e, j);
    if (*there || j->key == NULL) {
        return IL_OK;
    }
    switch (j->kind) {
    case IL_JOB_RUN:
        status = find_run(e, j, there, note);
        break;
    case IL_JOB_WHOLE:
        status = find_whole(e, j, there, note);
        break;
    case IL_JOB_EVENTS:
        status = find_events(e, j, there, note);
        break;
    default:
        status = find_record(e, j, there, note);
    }
    if (status == IL_OK && *there) {
        forget(e, j->key);
    }
    return status;
}

/* The record of job j, which a worker has stored already, into the store. */
static il_status keep(const il_execution *e, const il_job *j, const json_t *record, bool stored,
                      il_error *err) {
    il_store *store = e->context->store;
    il_status status =
        stored ? il_store_wrote(store, j->key, err) : il_store_put(store, j->key, record, err);
    if (status == IL_OK && json_object_get(record, "lost") == NULL) {
        forget(e, j->key);
    }
    return status;
}

/* ---- in the parent, before ------------------------------------------------------------------ */

/* Job `one` has come to its end: those that wait for it may begin, others may have it. */
static void end(il_execution *e, size_t one) {
    il_job *j = &e->jobs[one];
    char name[IL_STORE_NAME];
    j->done = true;
    il_jobs_end(e->progress, one);
    if (j->key != NULL) {
        il_store_key_name(j->key, name);
        il_leases_give(e->context->leases, name);
    }
    if (j->kind == IL_JOB_RUN && e->passes) { /* the workers have it */
        il_trajectory_free(&e->held[j->k].run);
        e->held[j->k].held = false;
    }
}

/* The job is ours; whoever had it before may have done it. */
static il_status find_late(il_execution *e, size_t one, il_pool_turn *turn, il_error *err) {
    const il_job *j = &e->jobs[one];
    bool there = false;
    il_error note = {IL_OK, ""};
    il_status status = e->context->options->fresh ? IL_OK : il_job_find(e, j, &there, &note);
    if (status != IL_OK) {
        return il_fail(err, status, "%s", note.message);
    }
    if (there && is_case(j)) {
        e->result->found++;
        e->failed += !il_result_went_well(e->result, j->k);
    }
    if (there) {
        *turn = IL_POOL_DONE;
        end(e, one);
    } else if (!is_case(j) && note.code != IL_OK) {
        il_lua_say(e->context, "sweep %s: %s", e->sweep->name, note.message);
    }
    return IL_OK;
}

il_status il_job_take(void *data, size_t one, il_pool_turn *turn, il_error *err) {
    il_execution *e = data;
    const il_job *j = &e->jobs[one];
    char holder[IL_LEASE_HOLDER] = "";
    char name[IL_STORE_NAME];
    char what[160];
    bool ours = true;
    il_status status = IL_OK;
    *turn = IL_POOL_ELSEWHERE;
    if (j->after > 0 && !e->jobs[j->after - 1].done) {
        return IL_OK;
    }
    il_job_name(e, j, what, sizeof what);
    *turn = IL_POOL_RUN;
    if (j->key != NULL) {
        il_store_key_name(j->key, name);
        status = il_leases_take(e->context->leases, name, what, &ours, holder, err);
        if (status == IL_OK && ours) {
            status = find_late(e, one, turn, err);
        }
    }
    if (!ours) {
        *turn = IL_POOL_ELSEWHERE;
        if (!e->waited && is_case(j)) {
            il_lua_tell(e->context, "sweep %s: %s has %s; it is waited for when all else is done",
                        e->title, holder, what);
            e->waited = true;
        }
    } else if (*turn == IL_POOL_RUN && (j->kind == IL_JOB_RUN || j->kind == IL_JOB_EVENTS)) {
        il_lua_tell(e->context, "sweep %s: %s", e->sweep->name, what);
    }
    return status;
}

/* ---- in the parent, after ------------------------------------------------------------------- */

/* What came of a job is an error of the sweep, or says nothing of the case. */
static il_status refuse(const il_job *j, const il_case *c, const json_t *record, il_status code,
                        il_error *err) {
    const char *why = il_json_get_text(record, "message");
    if (is_case(j)) {
        return il_fail(err, code, "%s by %s: %s", c->problem->label, c->scheme->name, why);
    }
    return il_fail(err, code, "the reference for %s ended with %s: %s", c->problem->label,
                   il_json_get_text(record, "status"), why);
}

/* Has the worker marked the record as one that is not kept? The mark goes, and why says why. */
static bool take_unkept(json_t *record, char why[IL_FUNCTIONS_WHY]) {
    const char *text = json_string_value(json_object_get(record, IL_JOB_UNKEPT));
    if (text != NULL) {
        (void)snprintf(why, IL_FUNCTIONS_WHY, "%s", text);
        (void)json_object_del(record, IL_JOB_UNKEPT);
    }
    return text != NULL;
}

/* The record of job j, which a worker may have stored, to where it belongs. */
static il_status put_away(il_execution *e, const il_job *j, json_t *record, bool stored,
                          il_error *err) {
    char unkept[IL_FUNCTIONS_WHY] = "";
    bool kept = !take_unkept(record, unkept) && j->key != NULL && is_repeatable(record);
    il_status status = kept ? keep(e, j, record, stored, err) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    if (is_case(j)) {
        e->failed += !il_record_went_well(record);
        e->result->ran++;
        if (unkept[0] != '\0') {
            memcpy(e->unkept, unkept, sizeof unkept);
        }
        return il_result_put(e->result, j->k, json_incref(record), err);
    }
    status = hold_error(e, j, record, err);
    const char *norm = e->norm != NULL ? e->norm->name : "u_L1";
    const json_t *error = json_object_get(e->held[j->k].error, norm);
    if (error != NULL) {
        il_lua_tell(e->context, "sweep %s: the run of half its steps is %.3g from it in %s",
                    e->sweep->name, json_number_value(error), norm);
    }
    return status;
}

/* What ends the sweep with record: of a case what says nothing of it, of a run that others wait for
 * what is no reference. IL_OK where it goes on: an event-driven reference that cannot be made
 * (impacts accumulate, say) lets its cases begin, and each tells why. */
static il_status verdict_of(const il_job *j, const json_t *record) {
    static const il_status ends[] = {IL_ENOMEM, IL_ETOOLONG, IL_EINTERRUPTED, IL_EIO, IL_EINTERNAL};
    static const size_t n[] = {[IL_JOB_CASE] = 2,
                               [IL_JOB_EVENTS] = 3,
                               [IL_JOB_WHOLE] = 4,
                               [IL_JOB_RUN] = 5,
                               [IL_JOB_HALF] = 5};
    for (size_t k = 0; k < n[j->kind]; k++) {
        if (il_execution_has_status(record, ends[k])) {
            return ends[k];
        }
    }
    bool failed = (j->kind == IL_JOB_RUN && !il_record_went_well(record)) ||
                  (j->kind == IL_JOB_HALF && json_object_get(record, "lost") != NULL);
    return failed ? IL_EINVAL : IL_OK;
}

il_status il_job_receive(void *data, size_t one, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    il_execution *e = data;
    const il_job *j = &e->jobs[one];
    il_case c = il_job_case(e, j);
    json_t *record = NULL;
    bool stored = text != NULL && text[0] == IL_JOB_STORED;
    il_status status = text != NULL ? il_json_parse(text + 1, &record, err) : IL_OK;
    if (text == NULL) { /* its worker died, or took too long */
        record = il_case_lost(&c, loss->late ? IL_ETIME : IL_ECRASHED, loss->why);
        bool whole = il_lost_note(record, loss->late ? 0 : loss->signal, loss->exit,
                                  &e->context->options->limits);
        status = whole ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a record");
    }
    il_status verdict = status == IL_OK ? verdict_of(j, record) : IL_OK;
    if (verdict != IL_OK) {
        status = refuse(j, &c, record, verdict, err);
    } else if (status == IL_OK && (is_case(j) || j->kind == IL_JOB_HALF)) {
        status = put_away(e, j, record, stored, err);
    } else if (status == IL_OK && j->kind == IL_JOB_EVENTS && !il_record_went_well(record)) {
        char what[160];
        il_job_name(e, j, what, sizeof what);
        il_lua_say(e->context, "sweep %s: %s: %s", e->sweep->name, what,
                   il_json_get_text(record, "message"));
    } else if (status == IL_OK && j->key != NULL) {
        forget(e, j->key);
    }
    end(e, one);
    json_decref(record);
    return status;
}

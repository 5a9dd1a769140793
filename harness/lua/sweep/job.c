/*
 * job.c - what a job is; whether its results are stored; before and after it is worked on.
 */
#include "harness/lua/sweep/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/run/references.h"
#include "harness/run/stored.h"

/* ---- what it is ----------------------------------------------------------------------------- */

/* Not a reference. */
static bool is_case(const il_job *j) {
    return j->kind == IL_JOB_CASE || j->kind == IL_JOB_WHOLE;
}

il_case il_job_case(const il_execution *e, const il_job *j) {
    il_case c = is_case(j) ? il_sweep_case(e->sweep, j->k)
                           : il_sweep_reference_case(e->sweep, j->k, j->kind == IL_JOB_HALF);
    if (j->kind == IL_JOB_CASE || j->kind == IL_JOB_HALF) {
        il_lua_norm_key(e->norm, &c);
    }
    if (j->kind != IL_JOB_WHOLE) {
        return c;
    }
    c.final_only = false;
    if (e->sweep->reference == IL_REFERENCE_SELF) { /* which limits do not ask for */
        c.reference_key = NULL;
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
    const char *kind = j->kind == IL_JOB_EVENTS ? "event-driven reference for "
                       : j->kind == IL_JOB_SELF ? "reference for "
                       : j->kind == IL_JOB_HALF ? "half the steps of the reference for "
                                                : "";
    il_case c = il_job_case(e, j);
    (void)snprintf(room, capacity, "%s%.100s", kind, c.problem->label);
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

/* ---- references in memory ------------------------------------------------------------------- */

void il_job_hold(il_execution *e, size_t i, const il_trajectory *run) {
    for (size_t k = 0; e->by_workers && k < e->sweep->nproblems; k++) {
        il_trajectory_free(&e->held[k].run);
        e->held[k].held = false;
    }
    il_held *r = &e->held[i];
    r->run = *run;
    r->exact = il_trajectory_as_exact(&r->run, e->sweep->reference_name);
    r->held = true;
}

/* Hold what record, of the run of half the steps, says of the error of the reference i. A norm's
 * function that failed says nothing: its cases tell of it. */
static void hold_error(il_execution *e, size_t i, const json_t *record) {
    static const char *const dropped[] = {"reference", "origin", "distances", "impacts"};
    json_t *error = json_object_get(record, "error");
    il_held *r = &e->held[i];
    json_decref(r->error);
    r->error = NULL;
    r->measured = true;
    if (json_is_object(error)) {
        r->error = il_json_copy(error);
        il_json_put_count(r->error, "steps", e->sweep->reference_steps / 2);
    }
    for (size_t k = 0; r->error != NULL && k < sizeof dropped / sizeof dropped[0]; k++) {
        (void)json_object_del(r->error, dropped[k]);
    }
}

/* ---- what is stored ------------------------------------------------------------------------- */

/* A record that would, or for an error of the script may, come out otherwise next time is not
 * kept. */
static bool is_repeatable(const json_t *record) {
    static const il_status others[] = {IL_EINTERNAL, IL_ENOMEM, IL_EINTERRUPTED, IL_ETOOLONG,
                                       IL_ESCRIPT};
    bool repeatable = true;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        repeatable = repeatable && !il_record_has_status(record, others[k]);
    }
    return repeatable;
}

il_status il_job_read_run(const il_lua_context *context, const char *key, il_trajectory *run,
                          bool *found, il_error *err) {
    il_error note = {IL_OK, ""};
    il_status status = il_reference_get_run(context->references, key, run, found, &note);
    if (status != IL_OK) {
        return il_fail(err, status, "%s", note.message);
    }
    if (note.code != IL_OK) {
        il_lua_say(context, "%s", note.message);
    }
    return IL_OK;
}

/* The record of key; NULL for one that was lost in a way that may come to an end now. */
static il_status find_record(const il_execution *e, const char *key, json_t **record,
                             il_error *note) {
    *record = NULL;
    il_status status = il_store_find(e->context->store, key, record, note);
    if (status == IL_OK && *record != NULL &&
        il_lost_again(*record, &e->context->options->limits)) {
        json_decref(*record);
        *record = NULL;
    }
    return status;
}

/* The record of a case into the result; of a whole one, if its nodes are there too. */
static il_status find_case(il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_trajectory run = {.d = 0};
    json_t *record = NULL;
    il_status status = IL_OK;
    *there = true;
    if (j->kind == IL_JOB_WHOLE) {
        status = il_job_read_run(e->context, j->key, &run, there, note);
        il_trajectory_free(&run);
    }
    if (status == IL_OK && *there) {
        status = find_record(e, j->key, &record, note);
        *there = status == IL_OK && record != NULL;
    }
    if (*there) {
        il_result_put(e->result, j->k, record);
    }
    return status;
}

/* The nodes of a reference of the sweep's own. */
static il_status find_self(il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_held *r = &e->held[j->k];
    il_trajectory run = {.d = 0};
    il_status status = IL_OK;
    if (!r->held && j->key != NULL) {
        status = il_job_read_run(e->context, j->key, &run, there, note);
        if (status == IL_OK && *there) {
            il_job_hold(e, j->k, &run);
        }
    }
    *there = r->held;
    return status;
}

/* The error of such a reference. */
static il_status find_half(il_execution *e, const il_job *j, bool *there, il_error *note) {
    json_t *record = NULL;
    il_status status = IL_OK;
    if (!e->held[j->k].measured && j->key != NULL) {
        status = find_record(e, j->key, &record, note);
        if (record != NULL) {
            hold_error(e, j->k, record);
        }
        json_decref(record);
    }
    *there = e->held[j->k].measured;
    return status;
}

static il_status find_events(const il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_event_driven *events = NULL;
    il_status status = il_reference_find_events(e->context->references, j->key, &events, note);
    *there = events != NULL;
    il_event_driven_destroy(events);
    return status;
}

il_status il_job_find(il_execution *e, const il_job *j, bool *there, il_error *note) {
    il_status status = IL_OK;
    *there = false;
    if (j->kind == IL_JOB_SELF) {
        status = find_self(e, j, there, note);
    } else if (j->kind == IL_JOB_HALF) {
        status = find_half(e, j, there, note);
    } else if (j->key != NULL) {
        status = j->kind == IL_JOB_EVENTS ? find_events(e, j, there, note)
                                          : find_case(e, j, there, note);
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
    if (j->kind == IL_JOB_SELF && e->by_workers) { /* the workers have it */
        il_trajectory_free(&e->held[j->k].run);
        e->held[j->k].held = false;
    }
}

/* The job is ours; another process that had it before may have done it. */
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
        e->failed += !il_result_is_ok(e->result, j->k);
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
    } else if (*turn == IL_POOL_RUN && (j->kind == IL_JOB_SELF || j->kind == IL_JOB_EVENTS)) {
        il_lua_tell(e->context, "sweep %s: %s", e->sweep->name, what);
    }
    return status;
}

/* ---- in the parent, after ------------------------------------------------------------------- */

/* Store record under key (NULL: nowhere), unless it may come out otherwise next time. */
static il_status keep(const il_execution *e, const char *key, const json_t *record, il_error *err) {
    if (key == NULL || !is_repeatable(record)) {
        return IL_OK;
    }
    return il_store_put(e->context->store, key, record, err);
}

/* Does the record end the sweep, because it says nothing of its case or of a reference? */
static bool ends(il_job_kind kind, const json_t *record, il_status *code) {
    static const il_status those[] = {IL_ENOMEM, IL_ETOOLONG, IL_EINTERRUPTED, IL_EIO,
                                      IL_EINTERNAL};
    size_t n = kind == IL_JOB_CASE ? 2 : sizeof those / sizeof those[0];
    *code = IL_EINVAL;
    for (size_t k = 0; k < n; k++) {
        *code = il_record_has_status(record, those[k]) ? those[k] : *code;
    }
    return *code != IL_EINVAL;
}

static il_status receive_case(il_execution *e, const il_job *j, json_t *record, il_error *err) {
    il_status code = IL_OK;
    if (ends(j->kind, record, &code)) {
        il_case c = il_job_case(e, j);
        return il_fail(err, code, "%s by %s: %s", c.problem->label, c.scheme->name,
                       il_json_get_text(record, "message"));
    }
    il_status status = keep(e, j->key, record, err);
    e->failed += !il_record_is_ok(record);
    e->result->ran++;
    if (status == IL_OK) {
        il_result_put(e->result, j->k, json_incref(record));
    }
    return status;
}

/* The run of half the steps of a reference, which says how far it is off. */
static il_status receive_half(il_execution *e, const il_job *j, json_t *record, il_error *err) {
    const char *norm = e->norm != NULL ? e->norm->name : "u_L1";
    il_status status = keep(e, j->key, record, err);
    if (status == IL_OK) {
        hold_error(e, j->k, record);
    }
    const json_t *error = json_object_get(e->held[j->k].error, norm);
    if (error != NULL) {
        il_lua_tell(e->context, "sweep %s: the run of half its steps is %.3g from it in %s",
                    e->sweep->name, json_number_value(error), norm);
    }
    return status;
}

/* An event-driven reference that cannot be made (impacts accumulate, say) lets its cases begin, and
 * each tells why. */
static il_status receive_reference(il_execution *e, const il_job *j, json_t *record,
                                   il_error *err) {
    const char *why = il_json_get_text(record, "message");
    bool failed = !il_record_is_ok(record);
    bool lost = json_object_get(record, "lost") != NULL;
    il_status code = IL_OK;
    if (ends(j->kind, record, &code) || (failed && j->kind == IL_JOB_SELF) ||
        (lost && j->kind == IL_JOB_HALF)) {
        il_case c = il_job_case(e, j);
        return il_fail(err, code, "the reference for %s ended with %s: %s", c.problem->label,
                       il_json_get_text(record, "status"), why);
    }
    if (j->kind == IL_JOB_HALF) {
        return receive_half(e, j, record, err);
    }
    if (failed) {
        char what[160];
        il_job_name(e, j, what, sizeof what);
        il_lua_say(e->context, "sweep %s: %s: %s", e->sweep->name, what, why);
    }
    return IL_OK;
}

il_status il_job_too_large(const il_execution *e, il_error *err) {
    return il_fail(err, IL_EMEMORY, "it needs more than %.4g MB of memory",
                   (double)e->context->options->limits.bytes / 1048576.0);
}

/* The record of a job whose worker died, took too long or found no memory. */
static json_t *lost_record(const il_execution *e, const il_job *j, const il_pool_loss *loss) {
    il_error why = {IL_OK, ""};
    bool limited = loss->late || loss->memory; /* by us: it did not end by itself */
    (void)(loss->memory ? il_job_too_large(e, &why)
                        : il_fail(&why, limited ? IL_ETIME : IL_ECRASHED, "%s", loss->why));
    il_case c = il_job_case(e, j);
    json_t *record = il_case_lost(&c, why.code, why.message);
    il_lost_note(record, limited ? 0 : loss->signal, limited ? 0 : loss->exit,
                 &e->context->options->limits);
    return record;
}

il_status il_job_receive(void *data, size_t one, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    il_execution *e = data;
    const il_job *j = &e->jobs[one];
    json_t *record = NULL;
    il_status status = IL_OK;
    if (text != NULL) {
        status = il_json_parse(text, &record, err);
    } else {
        record = lost_record(e, j, loss);
    }
    if (status == IL_OK) {
        status =
            is_case(j) ? receive_case(e, j, record, err) : receive_reference(e, j, record, err);
    }
    end(e, one);
    json_decref(record);
    return status;
}

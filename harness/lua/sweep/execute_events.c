/*
 * execute_events.c - a sweep's event-driven references as jobs of its pool, before the cases that
 * wait for them.
 *
 * A worker makes one and keeps it in RESULTS/references (harness/run/references.h), where the
 * workers that have cases of its problem find it; so do later sweeps and lab.run. One that cannot
 * be made (impacts accumulate, say) lets its cases begin: each tells why.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/references.h"

void il_execution_events_name(const il_execution *e, size_t job, char *room, size_t capacity) {
    il_case c = il_sweep_events_case(e->sweep, e->referred[job]);
    (void)snprintf(room, capacity, "event-driven reference for %.100s", c.problem->label);
}

/* Is it there? What is damaged is told. */
static il_status look(const il_execution *e, const char *key, bool *there, il_error *err) {
    il_event_driven *events = NULL;
    il_error note = {IL_OK, ""};
    il_status status = il_reference_find_events(e->context->references, key, &events, &note);
    if (status != IL_OK) {
        return il_fail(err, status, "%s", note.message);
    }
    if (note.code != IL_OK) {
        il_lua_say(e->context, "sweep %s: %s", e->sweep->name, note.message);
    }
    *there = events != NULL;
    il_event_driven_destroy(events);
    return IL_OK;
}

/* Its cases may begin. */
static void be_ready(il_execution *e, size_t job, const char *key) {
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    e->ready[e->referred[job]] = true;
    il_jobs_end(*e->jobs, job);
    il_leases_give(e->context->leases, name);
}

il_status il_execution_events_take(il_execution *e, size_t job, il_pool_turn *turn, il_error *err) {
    char holder[IL_LEASE_HOLDER] = "";
    char name[IL_STORE_NAME];
    char what[160];
    char *key = NULL;
    bool ours = true;
    bool there = false;
    il_execution_events_name(e, job, what, sizeof what);
    il_status status = il_sweep_reference_key(e->sweep, e->referred[job], &key, err);
    if (status == IL_OK) {
        il_store_key_name(key, name);
        status = il_leases_take(e->context->leases, name, what, &ours, holder, err);
    }
    if (status == IL_OK && ours && !e->context->options->fresh) {
        status = look(e, key, &there, err);
    }
    if (status == IL_OK && there) {
        be_ready(e, job, key);
    } else if (status == IL_OK && ours) {
        il_lua_tell(e->context, "sweep %s: %s", e->sweep->name, what);
    }
    *turn = there ? IL_POOL_DONE : ours ? IL_POOL_RUN : IL_POOL_ELSEWHERE;
    free(key);
    return status;
}

char *il_execution_events_work(il_execution *e, size_t job) {
    il_event_driven *events = NULL;
    il_error err = {IL_OK, ""};
    il_json w = {false};
    il_case c = il_sweep_events_case(e->sweep, e->referred[job]);
    (void)il_jobs_begin(*e->jobs, job);
    il_status status = il_reference_events(&events, &c, e->context->options->fresh, &err);
    json_t *object = json_object();
    il_json_put_text(&w, object, "status", il_status_name(status));
    il_json_put_text(&w, object, "message", err.message);
    il_event_driven_destroy(events);
    object = il_json_done(&w, object);
    char *text = object != NULL && status != IL_ENOMEM ? il_json_text(object) : NULL;
    json_decref(object);
    return text;
}

il_status il_execution_events_receive(il_execution *e, size_t job, const char *text,
                                      il_error *err) {
    char *key = NULL;
    char what[160];
    json_t *object = NULL;
    il_status status = il_sweep_reference_key(e->sweep, e->referred[job], &key, err);
    if (status == IL_OK && text != NULL) {
        status = il_json_parse(text, &object, err);
    }
    if (status == IL_OK) {
        const char *how = json_string_value(json_object_get(object, "status"));
        if (how != NULL && il_execution_has_status(object, IL_EINTERRUPTED)) {
            status = il_fail(err, IL_EINTERRUPTED, "%s",
                             json_string_value(json_object_get(object, "message")));
        } else if (how == NULL || !il_execution_has_status(object, IL_OK)) {
            il_execution_events_name(e, job, what, sizeof what);
            il_lua_say(e->context, "sweep %s: %s: %s", e->sweep->name, what,
                       how != NULL ? json_string_value(json_object_get(object, "message"))
                                   : "its process ended");
        }
        be_ready(e, job, key);
    }
    json_decref(object);
    free(key);
    return status;
}

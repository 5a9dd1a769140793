/*
 * job_work.c - a job in a worker: run from where it was left, and what it came to stored or told.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/lua/sweep/job.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/checkpoint.h"
#include "harness/run/references.h"

/* ---- the state of a long run ---------------------------------------------------------------- */

typedef struct {
    il_checkpoint checkpoint;
    const il_execution *e;
    const il_case *c;
    char *path;
    char what[160];
} state;

/* Functions of the script that did what their key does not say make a run that cannot be gone on
 * with. */
static bool holds(void *self) {
    const state *s = self;
    const il_callbacks *callbacks = s->c->problem->callbacks;
    return (!s->e->scripted || il_lua_unkept(s->e->context->L, s->c) == NULL) &&
           (callbacks == NULL || callbacks->failure(callbacks->self) == NULL);
}

static void went(void *self, size_t step) {
    const state *s = self;
    il_lua_tell(s->e->context, "sweep %s: %s goes on after step %zu", s->e->title, s->what, step);
}

/* Let c, the case of j, leave states, and go on from one. */
static void remember(const il_execution *e, const il_job *j, il_case *c, state *s) {
    const il_lua_options *options = e->context->options;
    bool leaves = j->key != NULL && j->kind != IL_JOB_WHOLE && options->checkpoint_every > 0.0 &&
                  il_case_unnamed(c) == NULL;
    *s = (state){.e = e, .c = c, .path = leaves ? il_job_state_path(e, j->key) : NULL};
    if (s->path != NULL) {
        il_job_name(e, j, s->what, sizeof s->what);
        s->checkpoint = (il_checkpoint){.path = s->path,
                                        .results = options->results,
                                        .key = j->key,
                                        .every = options->checkpoint_every,
                                        .holds = holds,
                                        .went = went,
                                        .self = s};
        c->checkpoint = &s->checkpoint;
    }
}

/* ---- in a worker ---------------------------------------------------------------------------- */

/* Let c, the case of j, have the reference that the jobs before j left. */
static il_status refer(il_execution *e, const il_job *j, il_case *c, il_error *err) {
    if (e->sweep->reference != IL_REFERENCE_SELF ||
        (j->kind != IL_JOB_CASE && j->kind != IL_JOB_HALF)) {
        return IL_OK; /* event-driven ones are read by those who compare with them */
    }
    size_t i = il_job_problem(e, j);
    il_held *r = &e->held[i];
    for (size_t at = j->after; e->passes && at > 0; at = e->jobs[at - 1].after) {
        bool there = false;
        il_status status = il_job_find(e, &e->jobs[at - 1], &there, err);
        if (status != IL_OK || !there) {
            return status != IL_OK
                       ? status
                       : il_fail(err, IL_EIO,
                                 "the reference for %s is no longer where it was stored",
                                 c->problem->label);
        }
    }
    c->reference = &r->exact;
    c->reference_run = &r->run;
    c->reference_error = j->kind == IL_JOB_CASE ? r->error : NULL;
    return IL_OK;
}

/* Run c within the memory that a case may have. */
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

/* Run the case c of job j into *record. */
static il_status run_case(il_execution *e, const il_job *j, il_case c, json_t **record,
                          il_error *err) {
    state s;
    il_progress alone = {.out = NULL};
    il_lua_norm_job measured = {.norm = e->norm, .c = &c};
    il_trajectory *run = &measured.run;
    bool keeps = j->kind == IL_JOB_RUN || j->kind == IL_JOB_WHOLE;
    FILE *out = il_lua_waiting(e->context);
    if (!keeps && e->norm != NULL) {
        c.addition = (il_addition){.self = &measured, .add = il_lua_norm_add};
    }
    if (out != NULL) { /* no worker: all wait for this one */
        char title[120];
        (void)snprintf(title, sizeof title, "sweep %.60s: reference", e->sweep->name);
        il_progress_begin(&alone, out, title);
        c.progress = &alone;
    }
    remember(e, j, &c, &s);
    il_status status = run_confined(e, &c, keeps || e->norm != NULL ? run : NULL, record, err);
    il_progress_clear(&alone);
    free(s.path);
    const char *unkept = status == IL_OK && e->scripted ? il_lua_unkept(e->context->L, &c) : NULL;
    if (unkept != NULL) {
        il_json w = {false};
        il_json_put_text(&w, *record, IL_JOB_UNKEPT, unkept);
        status = w.failed ? il_fail(err, IL_ENOMEM, "no memory for a record") : IL_OK;
    }
    if (status == IL_OK && keeps && il_record_went_well(*record)) {
        if (j->key != NULL && unkept == NULL) {
            status = il_kept_run_put(e->context, j->key, run, *record, err);
        }
        if (j->kind == IL_JOB_RUN) {
            il_job_hold(e, j->k, run);
            return status;
        }
        if (!e->passes) {
            e->runs[j - e->jobs] = *run;
            return status;
        }
    }
    il_trajectory_free(run);
    return status;
}

static il_status make_events(const il_execution *e, const il_case *c, json_t **record,
                             il_error *err) {
    il_event_driven *events = NULL;
    il_status status = il_reference_events(&events, c, e->context->options->fresh, err);
    il_event_driven_destroy(events);
    if (status == IL_OK) {
        *record = json_pack("{s:s}", "status", il_status_name(IL_OK));
    }
    return status;
}

/* The letter and the text of a record. Those that went well and need nothing of the parent are
 * stored here: else dealing out cases is what many workers wait for. What fails here the parent
 * tries again, and tells. */
static char *spell(const il_execution *e, const il_job *j, const json_t *record) {
    char *text = il_json_text(record);
    char *spelt = NULL;
    bool stores = text != NULL && j->key != NULL && !e->scripted && il_record_went_well(record) &&
                  j->kind != IL_JOB_RUN && j->kind != IL_JOB_EVENTS;
    bool stored = stores && il_store_write(e->context->store, j->key, text, NULL) == IL_OK;
    if (text == NULL ||
        asprintf(&spelt, "%c%s", stored ? IL_JOB_STORED : IL_JOB_UNSTORED, text) < 0) {
        spelt = NULL;
    }
    free(text);
    return spelt;
}

char *il_job_work(void *data, size_t one) {
    il_execution *e = data;
    const il_job *j = &e->jobs[one];
    il_error err = {IL_OK, ""};
    json_t *record = NULL;
    il_case c = il_job_case(e, j);
    c.share = il_jobs_begin(e->progress, one);
    il_status status = refer(e, j, &c, &err);
    if (status == IL_OK) {
        status = j->kind == IL_JOB_EVENTS ? make_events(e, &c, &record, &err)
                                          : run_case(e, j, c, &record, &err);
    }
    if (status != IL_OK) {
        json_decref(record);
        record = il_case_lost(&c, status, err.message);
    }
    bool whole = status != IL_EMEMORY || il_lost_note(record, 0, 0, &e->context->options->limits);
    char *text = whole ? spell(e, j, record) : NULL;
    json_decref(record);
    return text;
}

/*
 * job_work.c - a job in a worker: run from where it was left. The parent stores the records; the
 * nodes of references and of whole runs, which it need not see, are stored here.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/memory_limit.h"
#include "harness/lua/sweep/job.h"
#include "harness/run/references.h"

/* ---- one run --------------------------------------------------------------------------------- */

/* Run c within the memory that a case may have: where blocks are asked for in vain, the worker
 * ends, and its parent makes the record. There is no limit where no worker runs it. */
static il_status run_confined(const il_execution *e, const il_case *c, il_trajectory *run,
                              json_t **record, il_error *err) {
    size_t before = 0;
    size_t bytes = e->context->options->limits.bytes;
    bool confined = bytes > 0 && !e->here && il_memory_confine(bytes, &before);
    il_status status = il_case_run(c, run, record, err);
    if (confined) {
        il_memory_release(before);
    }
    if (confined && (status == IL_ENOMEM || il_record_has_status(*record, IL_ENOMEM))) {
        json_decref(*record);
        *record = NULL;
        status = il_job_too_large(e, err);
    }
    return status;
}

/* Run c, into *record, and its nodes into *run unless that is NULL. */
static il_status run_case(const il_execution *e, il_case c, il_trajectory *run, json_t **record,
                          il_error *err) {
    il_progress alone = {.out = NULL};
    il_lua_norm_job measured = {.norm = e->norm, .c = &c};
    bool measures = run == NULL && e->norm != NULL;
    if (measures) {
        c.addition = (il_addition){.self = &measured, .add = il_lua_norm_add};
    }
    if (il_lua_waiting(e->context) != NULL) { /* no worker: all wait for this one */
        char title[120];
        (void)snprintf(title, sizeof title, "sweep %.60s: reference", e->sweep->name);
        il_progress_begin(&alone, il_lua_waiting(e->context), title);
        c.progress = &alone;
    }
    il_status status = run_confined(e, &c, measures ? &measured.run : run, record, err);
    il_progress_clear(&alone);
    il_trajectory_free(&measured.run);
    return status;
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* A case, or the run of half the steps of a reference, which it is compared with: the jobs before
 * it have made that. */
static il_status work_case(il_execution *e, const il_job *j, il_case c, json_t **record,
                           il_error *err) {
    const il_held *r = &e->held[il_job_problem(e, j)];
    bool own = e->sweep->reference == IL_REFERENCE_SELF; /* cases themselves read others */
    bool there = true;
    il_status status = IL_OK;
    for (size_t k = j->after; own && status == IL_OK && there && k > 0; k = e->jobs[k - 1].after) {
        status = il_job_find(e, &e->jobs[k - 1], &there, err);
    }
    if (status == IL_OK && !there) {
        status = il_fail(err, IL_EIO, "the reference for %s is no longer where it was stored",
                         c.problem->label);
    }
    if (j->kind == IL_JOB_CASE) {
        size_t problem = 1 + j->k / e->sweep->nsizes / e->sweep->nschemes;
        if (e->known_of != problem) {
            il_norm_kept_free(&e->known);
            e->known_of = problem;
        }
        c.known = &e->known;
    }
    if (own) {
        c.reference = &r->exact;
        c.reference_run = &r->run;
        c.reference_error = r->error;
    }
    return status == IL_OK ? run_case(e, c, NULL, record, err) : status;
}

/* A run whose nodes are stored, if it went well. */
static il_status work_whole(il_execution *e, const il_job *j, const il_case *c, json_t **record,
                            il_error *err) {
    il_trajectory run = {.d = 0};
    il_status status = run_case(e, *c, &run, record, err);
    bool well = status == IL_OK && il_record_is_ok(*record);
    if (well && j->key != NULL) {
        status = il_reference_put_run(e->context->references, j->key, &run,
                                      json_object_get(*record, "provenance"), err);
        well = status == IL_OK;
    }
    if (well && j->kind == IL_JOB_SELF) {
        il_job_hold(e, j->k, &run);
    } else if (well && !e->by_workers) {
        e->runs[j - e->jobs] = run;
    } else {
        il_trajectory_free(&run);
    }
    return status;
}

static il_status work_events(const il_execution *e, const il_case *c, json_t **record,
                             il_error *err) {
    il_event_driven *events = NULL;
    il_status status = il_reference_events(&events, c, e->context->options->fresh, err);
    il_event_driven_destroy(events);
    if (status == IL_OK) {
        *record = json_pack("{s:s}", "status", il_status_name(IL_OK));
    }
    return status;
}

char *il_job_work(void *data, size_t one) {
    il_execution *e = data;
    const il_job *j = &e->jobs[one];
    il_error err = {IL_OK, ""};
    json_t *record = NULL;
    il_case c = il_job_case(e, j);
    c.share = il_jobs_begin(e->progress, one);
    bool nodes = j->kind == IL_JOB_SELF || j->kind == IL_JOB_WHOLE;
    il_status status = j->kind == IL_JOB_EVENTS ? work_events(e, &c, &record, &err)
                       : nodes                  ? work_whole(e, j, &c, &record, &err)
                                                : work_case(e, j, c, &record, &err);
    if (status != IL_OK) {
        json_decref(record);
        record = il_case_lost(&c, status, err.message);
    }
    if (status == IL_EMEMORY) {
        il_lost_note(record, 0, 0, &e->context->options->limits);
    }
    char *text = il_json_text(record);
    json_decref(record);
    return text;
}

/*
 * job.h - one job of a sweep: a case, or a reference that its cases wait for. Not for use outside
 * harness/lua.
 *
 * The results of a job are stored under its key, so that workers pass references on by files,
 * sweeps that share the folder wait for each other (harness/io/store/lease.h), and the next finds
 * all of it:
 *
 *     case          its record, in RESULTS/cases
 *     whole         its record and all its nodes, in RESULTS/references, for limits
 *     self          the sweep's own reference, all nodes of it, in RESULTS/references
 *     half          the record of the run of half its steps, in RESULTS/cases: its distance from
 *                   the reference is the reference's own error, if that is of first order
 *                   (Richardson)
 *     events        an event-driven reference, in RESULTS/references
 */
#ifndef IL_LUA_JOB_H
#define IL_LUA_JOB_H

#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/norm.h"
#include "harness/lua/sweep/result.h"

typedef enum { IL_JOB_CASE, IL_JOB_WHOLE, IL_JOB_SELF, IL_JOB_HALF, IL_JOB_EVENTS } il_job_kind;

typedef struct {
    il_job_kind kind;
    size_t k;        /* the case, or the problem whose reference it is */
    const char *key; /* NULL: it is not stored */
    size_t after;    /* 1 + the job that it waits for; 0: none */
    double units;    /* of expected work */
    bool done;
} il_job;

/* A reference of the sweep's own in the memory of this process. */
typedef struct {
    bool held;
    il_trajectory run;
    il_exact exact; /* the run as a solution */
    bool measured;  /* the run of half its steps is there */
    json_t *error;  /* its error; NULL where it has none */
} il_held;

/* A sweep at work. */
typedef struct {
    il_lua_context *context;
    const il_sweep *sweep;
    const il_lua_norm *norm; /* that records are to have besides, or NULL */
    il_result *result;
    const char *title; /* for messages */
    bool stores;       /* there is a store of cases */
    bool by_workers;   /* workers make the references and pass them on by files; else they are made
                          before the workers are forked */
    il_job *jobs;      /* [njobs] */
    size_t njobs;
    il_held *held;       /* of each problem */
    il_norm_kept known;  /* graphs and impulses of the references of... */
    size_t known_of;     /* problem known_of - 1; 0: of none yet */
    il_trajectory *runs; /* [njobs] nodes of whole cases that no worker passes on */
    il_jobs *progress;   /* how far the jobs are; NULL: not shown */
    size_t failed;       /* cases, of those run now */
    bool here;           /* jobs run in this process, not in workers */
    bool waited;         /* it was told that another sweep has a case */
} il_execution;

/* The case that job j runs; its key, the caller's, NULL for functions that are not trusted; and its
 * name in words. */
il_case il_job_case(const il_execution *e, const il_job *j);
il_status il_job_key(const il_execution *e, const il_job *j, char **key, il_error *err);
void il_job_name(const il_execution *e, const il_job *j, char *room, size_t capacity);

/* The problem whose reference it has or is. */
size_t il_job_problem(const il_execution *e, const il_job *j);

/* Is all that the job makes stored and of use? Then it is taken into memory. note
 * says what was there and of no use, also with IL_OK. */
il_status il_job_find(il_execution *e, const il_job *j, bool *there, il_error *note);

/* Hold run as the reference of problem i, the execution's from now on. Where workers pass
 * references on, a process holds one at a time. */
void il_job_hold(il_execution *e, size_t i, const il_trajectory *run);

/* The nodes that are stored under key into *run, zeroed and the caller's; *found is false where
 * there are none that are whole: a damaged file is told and set aside. */
il_status il_job_read_run(const il_lua_context *context, const char *key, il_trajectory *run,
                          bool *found, il_error *err);

/* IL_EMEMORY: a case needs more than the memory that it may have. */
il_status il_job_too_large(const il_execution *e, il_error *err);

/* The functions of il_pool for job `one`, data being the execution. Without a pool they are called
 * in this process. il_job_work returns a record. */
il_status il_job_take(void *data, size_t one, il_pool_turn *turn, il_error *err);
char *il_job_work(void *data, size_t one);
il_status il_job_receive(void *data, size_t one, const char *text, const il_pool_loss *loss,
                         il_error *err);

#endif

/*
 * pool.h - many jobs on several processes.
 *
 * Workers are forked, so they share what was prepared before, and a crash loses one job only. Jobs
 * are handed out one by one as workers become free; results come back as text. A worker that dies
 * is replaced and its job tried once more; if that fails too, the job is lost. A job that exceeds
 * its time limit is lost at once: its worker is killed. So is one that finds no memory where jobs
 * are alone in their processes. The signals of interrupt.h end the pool: no new job is handed out,
 * the workers are stopped, and results received so far are kept. Workers do not outlive the parent.
 */
#ifndef IL_POOL_H
#define IL_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* The turn of a job: what to do with it. */
typedef enum {
    IL_POOL_RUN,      /* a worker gets it */
    IL_POOL_DONE,     /* it is done already; nothing is received */
    IL_POOL_ELSEWHERE /* another process works on it, or it waits for another job: ask again when no
                         other job is left, after each result and occasionally */
} il_pool_turn;

/* How a job was lost. */
typedef struct {
    char why[128];
    bool late;   /* it took longer than it may */
    bool memory; /* there was none for it: its worker ended with IL_MEMORY_STATUS */
    int signal;  /* that ended its worker; 0 */
    int exit;    /* status that its worker ended with, where no signal did */
} il_pool_loss;

typedef struct {
    size_t workers; /* at most; 0 stands for 1 */
    size_t jobs;    /* handed out as 0, 1, ..., jobs - 1 */
    double seconds; /* that a job may take; 0: as long as it likes */
    bool alone;     /* each job in a process of its own, whatever those before it left in memory */

    /* In the parent, before job is handed out. NULL: all are run. Another status than IL_OK ends
     * the pool with it. */
    il_status (*take)(void *data, size_t job, il_pool_turn *turn, il_error *err);

    /* In a worker: do the job and return its result, to be freed; NULL: there is no memory for the
     * job, and the worker ends with IL_MEMORY_STATUS. */
    char *(*work)(void *data, size_t job);

    /* In the parent: text is the job's result, or NULL when it was lost, and then loss says how.
     * Another status than IL_OK ends the pool with it. */
    il_status (*receive)(void *data, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err);

    /* In the parent, after every result and at least four times a second: progress. May be NULL. */
    void (*tick)(void *data);
    void *data;
} il_pool;

/* Run all jobs. IL_OK; IL_EINTERRUPTED after a signal; IL_EINTERNAL when no worker can be started;
 * IL_ENOMEM when a worker whose jobs are not alone has no memory; what receive returned. In all
 * cases no worker is left. */
il_status il_pool_run(const il_pool *pool, il_error *err);

#endif

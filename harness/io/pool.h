/*
 * pool.h - many jobs on several processes.
 *
 * Workers are forked, so that they share what was prepared before and a crash takes one job and
 * nothing else. Jobs are handed out one by one as workers become free; results come back as text.
 * A worker that dies is replaced, and its job tried once more; if that one dies too, it is lost.
 * The signals of interrupt.h end the pool: no new job is handed out, the workers are stopped, and
 * what has come back stays. Workers do not outlive the parent.
 */
#ifndef IL_POOL_H
#define IL_POOL_H

#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    size_t workers; /* at least 1 */
    size_t jobs;    /* handed out as 0, 1, ..., jobs - 1 */

    /* In a worker: do the job and return its result, to be freed; NULL when memory ran out. */
    char *(*work)(void *data, size_t job);

    /* In the parent: text[n] is the job's result, or NULL when its worker died, and then why says
     * how. Another status than IL_OK ends the pool with it. */
    il_status (*receive)(void *data, size_t job, const char *text, const char *why, il_error *err);

    /* In the parent, after every result and at least four times a second: progress. May be NULL. */
    void (*tick)(void *data);
    void *data;
} il_pool;

/* Run all jobs. IL_OK; IL_EINTERRUPTED after a signal; IL_EINTERNAL when no worker can be started;
 * IL_ENOMEM, also when a worker runs out of memory;
 * what receive returned. In all cases no worker is left. */
il_status il_pool_run(const il_pool *pool, il_error *err);

#endif

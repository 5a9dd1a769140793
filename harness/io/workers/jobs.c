/*
 * jobs.c - progress of jobs in shared memory: the share that is done is sum u_k s_k / sum u_k, with
 * the share s_k of each job and its units u_k of expected work.
 */
#include "harness/io/workers/jobs.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"

/* Written by one worker at a time; a parent that reads half of a double shows one wrong bar. */
typedef struct {
    volatile double began, share;
} slot;

typedef struct {
    double units;
    bool done;
} job;

struct il_jobs {
    il_progress progress;
    job *jobs;   /* [n] */
    slot *slots; /* [n] shared */
    size_t n, done;
};

il_jobs *il_jobs_create(FILE *out, const char *title, size_t jobs) {
    il_jobs *w = out != NULL && jobs > 0 ? il_alloc_zero(1, sizeof *w) : NULL;
    if (w == NULL) {
        return NULL;
    }
    il_progress_begin(&w->progress, out, title);
    w->n = jobs;
    w->jobs = il_alloc_zero(jobs, sizeof *w->jobs);
    void *shared = mmap(NULL, jobs * sizeof *w->slots, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    w->slots = shared != MAP_FAILED ? shared : NULL;
    if (w->slots == NULL) {
        il_jobs_destroy(w);
        return NULL;
    }
    for (size_t k = 0; k < jobs; k++) {
        w->jobs[k].units = 1.0;
    }
    return w;
}

void il_jobs_destroy(il_jobs *w) {
    if (w == NULL) {
        return;
    }
    il_progress_clear(&w->progress);
    if (w->slots != NULL) {
        (void)munmap((void *)w->slots, w->n * sizeof *w->slots);
    }
    free(w->jobs);
    free(w);
}

void il_jobs_expect(il_jobs *w, size_t k, double units) {
    if (w != NULL) {
        w->jobs[k].units = units;
    }
}

volatile double *il_jobs_begin(il_jobs *w, size_t k) {
    if (w == NULL) {
        return NULL;
    }
    slot *s = &w->slots[k];
    s->share = 0.0;
    s->began = il_clock_seconds();
    return &s->share;
}

void il_jobs_end(il_jobs *w, size_t k) {
    if (w != NULL && !w->jobs[k].done) {
        w->jobs[k].done = true;
        w->done++;
    }
}

static double share_of_all(const il_jobs *w) {
    double made = 0.0;
    double all = 0.0;
    for (size_t k = 0; k < w->n; k++) {
        all += w->jobs[k].units;
        made += w->jobs[k].units * (w->jobs[k].done ? 1.0 : w->slots[k].share);
    }
    return made / all;
}

/* The job that has been running for longest; n if none runs. */
static size_t oldest(const il_jobs *w) {
    size_t found = w->n;
    for (size_t k = 0; k < w->n; k++) {
        bool busy = !w->jobs[k].done && w->slots[k].began > 0.0;
        if (busy && (found == w->n || w->slots[k].began < w->slots[found].began)) {
            found = k;
        }
    }
    return found;
}

void il_jobs_show(il_jobs *w, const char *what,
                  void (*name)(const void *data, size_t k, char *room, size_t capacity),
                  const void *data) {
    char text[256];
    char now[256] = "";
    if (w == NULL || !il_progress_due(&w->progress)) {
        return;
    }
    double passed = il_progress_passed(&w->progress);
    size_t k = oldest(w);
    (void)snprintf(text, sizeof text, "%zu of %zu, %.1f/s%s", w->done, w->n,
                   (double)w->done / passed, what);
    if (name != NULL && k < w->n) {
        name(data, k, now, sizeof now);
    }
    il_progress_show(&w->progress, share_of_all(w), text, now[0] != '\0' ? now : NULL);
}

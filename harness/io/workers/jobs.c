/*
 * jobs.c - progress of jobs in shared memory, and a forecast from it.
 *
 * Job costs are measured in processor time, which does not depend on other users of the machine;
 * the ratio of elapsed time to it is estimated over the last quarter of the time.
 */
#include "harness/io/workers/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/forecast.h"
#include "harness/base/progress.h"

/* Written by one worker at a time; a parent that reads half of a double shows one wrong bar. */
typedef struct {
    volatile double began, share;
    volatile double spent; /* by its process when it began */
    volatile int pid;
} slot;

typedef struct {
    size_t which;
    double units;
    double seconds; /* of a processor, of one that is done */
    bool done;
} job;

/* At a time: how long workers had had jobs, all together, and what that cost, in seconds. */
typedef struct {
    double at, busy, spent;
} mark;

struct il_jobs {
    il_progress progress;
    il_forecast forecast;
    job *jobs;   /* [n] */
    slot *slots; /* [n] shared */
    size_t n, done, workers;
    mark last;     /* of the last forecast */
    mark marks[2]; /* some time before, the older first */
};

/* Seconds of a processor; NaN if unknown. */
static double spent_by(int pid) {
    clockid_t clock = 0;
    struct timespec t;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &t) == 0
               ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
               : (double)NAN;
}

il_jobs *il_jobs_create(FILE *out, const char *title, size_t jobs, size_t classes, size_t workers) {
    il_jobs *w = out != NULL && jobs > 0 ? calloc(1, sizeof *w) : NULL;
    if (w == NULL) {
        return NULL;
    }
    il_progress_begin(&w->progress, out, title);
    w->n = jobs;
    w->workers = workers > 0 ? workers : 1;
    w->forecast = (il_forecast){.classes = classes, .of = calloc(classes, sizeof *w->forecast.of)};
    w->jobs = calloc(jobs, sizeof *w->jobs);
    void *shared = mmap(NULL, jobs * sizeof *w->slots, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    w->slots = shared != MAP_FAILED ? shared : NULL;
    if (w->forecast.of == NULL || w->jobs == NULL || w->slots == NULL) {
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
    free(w->forecast.of);
    free(w);
}

void il_jobs_expect(il_jobs *w, size_t k, size_t which, double units) {
    if (w != NULL) {
        w->jobs[k].which = which;
        w->jobs[k].units = units;
    }
}

void il_jobs_scale(il_jobs *w) {
    if (w != NULL) {
        w->forecast.proportional = true;
    }
}

volatile double *il_jobs_begin(il_jobs *w, size_t k) {
    if (w == NULL) {
        return NULL;
    }
    slot *s = &w->slots[k];
    s->share = 0.0;
    s->pid = (int)getpid();
    s->spent = spent_by(s->pid);
    s->began = il_clock_seconds();
    return &s->share;
}

/* What job k, which has begun, has cost by now; by the clock on the wall where its process is gone.
 */
static double cost_of(const il_jobs *w, size_t k, double now) {
    const slot *s = &w->slots[k];
    double spent = spent_by(s->pid) - s->spent;
    return spent >= 0.0 ? spent : now - s->began;
}

void il_jobs_end(il_jobs *w, size_t k) {
    if (w != NULL && !w->jobs[k].done) {
        w->jobs[k].done = true;
        w->jobs[k].seconds = w->slots[k].began > 0.0 ? cost_of(w, k, il_clock_seconds()) : 0.0;
        w->done++;
    }
}

/* What has been seen by now: jobs that are done, and what is done of others. Returns what all that
 * has cost, and in *began when the first of them began; NaN where none has. */
static double measure(il_jobs *w, double now, double *began) {
    double all = 0.0;
    *began = (double)NAN;
    il_forecast_clear(&w->forecast);
    for (size_t k = 0; k < w->n; k++) {
        const job *j = &w->jobs[k];
        double share = w->slots[k].share;
        if (j->done) {
            il_forecast_see(&w->forecast, j->which, j->units, j->seconds, 1.0);
            all += j->seconds;
        } else if (w->slots[k].began > 0.0) {
            double cost = cost_of(w, k, now);
            all += cost;
            if (share > 0.0) {
                il_forecast_see(&w->forecast, j->which, j->units, cost / share, share);
            }
        }
        if (w->slots[k].began > 0.0) {
            *began = fmin(*began, w->slots[k].began); /* NaN counts for nothing */
        }
    }
    return all;
}

/* Seconds of workers for one of a processor: since the older mark, a quarter of the time that has
 * passed, or somewhat more. Others use the machine too, and come and go. */
static double load(il_jobs *w, double now, double spent, double began) {
    size_t open = w->n - w->done;
    if (!(w->last.at > 0.0)) {
        w->last = w->marks[0] = w->marks[1] = (mark){began, 0.0, 0.0};
    }
    double busy = (double)(open < w->workers ? open : w->workers) * (now - w->last.at);
    w->last = (mark){now, w->last.busy + busy, spent};
    const mark from = w->marks[0];
    if (now - began > 4.0 / 3.0 * (w->marks[1].at - began)) {
        w->marks[0] = w->marks[1];
        w->marks[1] = w->last;
    }
    double seen = spent - from.spent;
    return seen > 0.0 ? (w->last.busy - from.busy) / seen : 1.0;
}

/* What is left of job k, which is not done, in seconds of a processor. */
static double left_of(const il_jobs *w, size_t k, double now) {
    const job *j = &w->jobs[k];
    double share = w->slots[k].share;
    double all = il_forecast_seconds(&w->forecast, j->which, j->units);
    if (!(w->slots[k].began > 0.0)) {
        return all;
    }
    double cost = cost_of(w, k, now);
    return share > 0.0 ? cost * (1.0 - share) / share : fmax(0.0, all - cost);
}

/* Seconds until all are done, NaN while unknown. */
static double left_of_all(il_jobs *w) {
    double sum = 0.0;
    double most = 0.0;
    double began = 0.0;
    double now = il_clock_seconds();
    double spent = measure(w, now, &began);
    double slower = load(w, now, spent, began);
    for (size_t k = 0; k < w->n; k++) {
        if (!w->jobs[k].done) {
            double left = left_of(w, k, now);
            sum += left; /* NaN stays */
            most = fmax(most, left);
        }
    }
    return isnan(sum) ? sum : slower * fmax(sum / (double)w->workers, most);
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
    double left = left_of_all(w);
    size_t k = oldest(w);
    (void)snprintf(text, sizeof text, "%zu of %zu, %.1f/s%s", w->done, w->n,
                   (double)w->done / passed, what);
    if (name != NULL && k < w->n) {
        name(data, k, now, sizeof now);
    }
    il_progress_show(&w->progress, passed / (passed + left), left, text,
                     now[0] != '\0' ? now : NULL);
}

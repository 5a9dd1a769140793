/*
 * jobs.c - progress of jobs in shared memory, and a forecast from it.
 */
#include "harness/io/workers/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "harness/base/clock.h"
#include "harness/base/forecast.h"
#include "harness/base/progress.h"

/* Written by one worker at a time; a parent that reads half of a double shows one wrong bar. */
typedef struct {
    volatile double began, share;
} slot;

typedef struct {
    size_t which;
    double units;
    double seconds; /* of one that is done */
    bool done;
} job;

struct il_jobs {
    il_progress progress;
    il_forecast forecast;
    job *jobs;   /* [n] */
    slot *slots; /* [n] shared */
    size_t n, done, workers;
};

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
    s->began = il_clock_seconds();
    return &s->share;
}

void il_jobs_end(il_jobs *w, size_t k) {
    if (w != NULL && !w->jobs[k].done) {
        w->jobs[k].done = true;
        w->jobs[k].seconds = il_clock_seconds() - w->slots[k].began;
        w->done++;
    }
}

/* What has been seen by now: jobs that are done, and what is done of others. */
static void measure(il_jobs *w, double now) {
    il_forecast_clear(&w->forecast);
    for (size_t k = 0; k < w->n; k++) {
        const job *j = &w->jobs[k];
        double share = w->slots[k].share;
        double began = w->slots[k].began;
        if (j->done && began > 0.0) { /* here, and not found in the store */
            il_forecast_see(&w->forecast, j->which, j->units, j->seconds, 1.0);
        } else if (began > 0.0 && share > 0.0) {
            il_forecast_see(&w->forecast, j->which, j->units, (now - began) / share, share);
        }
    }
}

/* What is left of job k, which is not done, in seconds. */
static double left_of(const il_jobs *w, size_t k, double now) {
    const job *j = &w->jobs[k];
    double share = w->slots[k].share;
    double passed = w->slots[k].began > 0.0 ? now - w->slots[k].began : 0.0;
    double left = share > 0.0 ? passed * (1.0 - share) / share
                              : il_forecast_seconds(&w->forecast, j->which, j->units) - passed;
    return left < 0.0 ? 0.0 : left; /* NaN stays */
}

/* Seconds until all are done, NaN while unknown. */
static double left_of_all(il_jobs *w) {
    double sum = 0.0;
    double most = 0.0;
    double now = il_clock_seconds();
    measure(w, now);
    for (size_t k = 0; k < w->n; k++) {
        if (!w->jobs[k].done) {
            double left = left_of(w, k, now);
            sum += left;
            most = fmax(most, left);
        }
    }
    return isnan(sum) ? sum : fmax(sum / (double)w->workers, most);
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

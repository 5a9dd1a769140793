/*
 * test_jobs.c - the estimate of the time left, on schedules whose times are fed: a list scheduler
 * hands out jobs in the order of forecast.h to workers on a clock of its own, and knows when all
 * will have ended.
 */
#include <math.h>
#include <stdio.h>

#include "harness/base/forecast.h"
#include "harness/io/workers/jobs.h"
#include "tests/support/suite.h"

enum { JOBS_MAX = 960, CLASSES_MAX = 8, WORKERS_MAX = 4, LOOKS = 90 };

static const double WITHIN = 1.5; /* from a tenth of the work on */

/* How long jobs of a class take: fixed + units rate (units/largest)^bend, and a scatter. */
typedef struct {
    double fixed, rate, bend, scatter;
} pace;

typedef struct {
    const char *name;
    size_t classes, levels, each; /* each: jobs of a level, of sizes that differ */
    double first, ratio;          /* units of the first level, and of the next over one */
    pace paces[CLASSES_MAX];
} plan;

typedef struct {
    size_t n;
    il_planned jobs[JOBS_MAX];
    double seconds[JOBS_MAX]; /* by place, in the order handed out */
    double begins[JOBS_MAX], ends[JOBS_MAX];
    double all; /* of work, in seconds of one worker */
    double end; /* of the last */
} schedule;

/* A clock that the test moves. */
static double clock_time;

static double read_clock(void) {
    return clock_time;
}

/* Each worker has a processor alone. */
static double spent_by(int pid) {
    (void)pid;
    return clock_time;
}

/* Evenly between -1 and 1, from a number. */
static double scatter_of(size_t k) {
    return 2.0 * fmod((double)(k + 1) * 0.6180339887498949, 1.0) - 1.0;
}

static void lay_out(schedule *s, const plan *p) {
    double largest = p->first * pow(p->ratio, (double)p->levels - 1.0);
    s->n = 0;
    for (size_t c = 0; c < p->classes; c++) {
        for (size_t l = 0; l < p->levels; l++) {
            for (size_t i = 0; i < p->each; i++) {
                double units =
                    p->first * pow(p->ratio, (double)l) * (1.0 + 0.4 * (double)i / (double)p->each);
                s->jobs[s->n] = (il_planned){.k = s->n, .which = c, .units = units};
                s->n++;
            }
        }
    }

    il_schedule_order(s->jobs, s->n);
    s->all = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const il_planned *j = &s->jobs[i];
        const pace *w = &p->paces[j->which];
        double smooth = w->fixed + j->units * w->rate * pow(j->units / largest, w->bend);
        s->seconds[i] = smooth * (1.0 + w->scatter * scatter_of(j->k));
        s->all += s->seconds[i];
    }
}

/* In order, each to the worker that is free first. */
static void hand_out(schedule *s, size_t workers) {
    double free_at[WORKERS_MAX] = {0.0};
    s->end = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        size_t first = 0;
        for (size_t k = 1; k < workers; k++) {
            first = free_at[k] < free_at[first] ? k : first;
        }
        s->begins[i] = free_at[first];
        s->ends[i] = free_at[first] = free_at[first] + s->seconds[i];
        s->end = fmax(s->end, s->ends[i]);
    }
}

/* Moves the clock to `to`, job by job in the order of events, shares included. Returns the work
 * done, as a share of all. */
static double move(const schedule *s, il_jobs *jobs, volatile double **share, double from,
                   double to) {
    double done = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->begins[i] >= from && s->begins[i] < to) {
            clock_time = s->begins[i] + 1e-9; /* 0 stands for "not begun" */
            share[i] = il_jobs_begin(jobs, i);
        }
        if (s->begins[i] < to && s->ends[i] > to) {
            *share[i] = (to - s->begins[i]) / s->seconds[i];
        }
        if (s->ends[i] > from && s->ends[i] <= to) {
            clock_time = s->ends[i];
            *share[i] = 1.0;
            il_jobs_end(jobs, i);
        }
        done += fmin(s->seconds[i], fmax(0.0, to - s->begins[i]));
    }
    clock_time = to;
    return done / s->all;
}

/* The farthest that the estimate is off, as a factor, at LOOKS times from a tenth of the work on
 * until a fiftieth of the time is left; and of an estimate by the count of jobs. */
static double worst_factor(schedule *s, size_t classes, size_t workers, double *by_count) {
    volatile double *share[JOBS_MAX] = {NULL};
    double worst = 1.0;
    double before = 0.0;
    FILE *out = fopen("/dev/null", "w");
    hand_out(s, workers);
    clock_time = 0.0;
    il_jobs *jobs = il_jobs_create(out, "jobs", s->n, classes, workers);
    CU_ASSERT_PTR_NOT_NULL_FATAL(jobs);
    il_jobs_set_clocks(jobs, read_clock, spent_by);
    for (size_t i = 0; i < s->n; i++) {
        il_jobs_expect(jobs, i, s->jobs[i].which, s->jobs[i].units);
    }
    *by_count = 1.0;
    for (int look = 1; look < LOOKS; look++) {
        double now = 0.98 * s->end * look / LOOKS;
        double done = move(s, jobs, share, before, now);
        size_t ended = 0;
        for (size_t i = 0; i < s->n; i++) {
            ended += s->ends[i] <= now;
        }
        before = now;
        double told = il_jobs_left(jobs);
        if (done >= 0.1) {
            double left = s->end - now;
            double counted = now * (double)(s->n - ended) / fmax(1.0, (double)ended);
            CU_ASSERT(told >= 0.0);
            worst = fmax(worst, fmax(told / left, left / told));
            *by_count = fmax(*by_count, fmax(counted / left, left / counted));
        }
    }
    il_jobs_destroy(jobs);
    (void)fclose(out);
    return worst;
}

static const plan plans[] = {
    {"levels",
     3,
     10,
     32,
     128.0,
     2.0,
     {{0.001, 5e-7, 0.0, 0.2}, {0.001, 7e-7, 0.0, 0.2}, {0.001, 6e-7, 0.0, 0.2}}},
    {"overhead", 2, 4, 20, 10.0, 2.0, {{1.0, 0.001, 0.0, 0.1}, {0.2, 0.01, 0.0, 0.1}}},
    {"finer steps are cheaper",
     2,
     8,
     5,
     50.0,
     2.0,
     {{0.0, 0.01, -0.3, 0.2}, {0.0, 0.002, -0.2, 0.2}}},
    {"more rows are dearer",
     4,
     6,
     3,
     100.0,
     3.0,
     {{0.01, 1e-3, 0.2, 0.3},
      {0.01, 2e-3, 0.2, 0.3},
      {0.01, 4e-3, 0.2, 0.3},
      {0.01, 16e-3, 0.2, 0.3}}},
    {"one long case among many", 1, 2, 20, 1.0, 30.0, {{0.05, 0.05, 0.0, 0.2}}}};

static void the_estimate_holds_from_a_tenth_on(void) {
    static schedule s;
    double worst_by_count = 1.0;
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        for (size_t workers = 1; workers <= WORKERS_MAX; workers *= 2) {
            double by_count = 1.0;
            lay_out(&s, &plans[k]);
            double worst = worst_factor(&s, plans[k].classes, workers, &by_count);
            CU_ASSERT(worst <= WITHIN);
            if (!(worst <= WITHIN)) {
                printf("\n%s, %zu workers: off by a factor of %.3g\n", plans[k].name, workers,
                       worst);
            }
            worst_by_count = fmax(worst_by_count, by_count);
        }
    }
    CU_ASSERT(worst_by_count > 4.0); /* what it would be by the number of jobs alone */
}

static void probes_come_first_then_the_longest(void) {
    il_planned jobs[] = {{.k = 0, .which = 0, .units = 5.0}, {.k = 1, .which = 1, .units = 7.0},
                         {.k = 2, .which = 0, .units = 9.0}, {.k = 3, .which = 1, .units = 9.0},
                         {.k = 4, .which = 0, .units = 5.0}, {.k = 5, .which = 1, .units = 8.0}};
    const size_t order[] = {1, 0, 2, 3, 5, 4};
    il_schedule_order(jobs, 6);
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(jobs[i].k, order[i]);
        CU_ASSERT_EQUAL(jobs[i].probe, i < 2);
    }
}

static const il_test tests[] = {
    {"the time left is told within a factor of 1.5 from a tenth of the work on",
     the_estimate_holds_from_a_tenth_on},
    {"the shortest of each class come first, then the longest", probes_come_first_then_the_longest},
    {NULL, NULL}};

const il_suite il_suite_jobs = {"jobs", tests};

/*
 * order_data.c - which runs, in which octaves.
 */
#include "harness/study/order/order_data.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/order/order_lines.h"
#include "harness/study/order/order_math.h"

static const double LN2 = 0.69314718055994531;

/* A run is far below the line where it is so many times the median distance from it, and at most a
 * thirtieth of it in E: no tail of a distribution of phases reaches so far in a study. */
static const double FAR = 12.0;
static const double FAR_LOG = 3.4;

/* ---- points --------------------------------------------------------------------------------- */

void il_order_points_close(il_order_points *s) {
    free(s->x);
    free(s->work);
    free(s->level);
    free(s->branch);
    *s = (il_order_points){.n = 0};
}

static bool acquire(il_order_points *s, size_t n) {
    size_t few = n <= IL_ORDER_SEN_MAX ? n : IL_ORDER_SEN_MAX; /* of more, parts are that small */
    size_t pairs = few * (few - 1) / 2 + 2 * few;
    size_t room = 8 * n;
    s->x = malloc(2 * n * sizeof *s->x);
    s->work = malloc((pairs > room ? pairs : room) * sizeof *s->work);
    s->level = malloc(2 * n * sizeof *s->level);
    s->branch = malloc(n * sizeof *s->branch);
    s->y = s->x != NULL ? s->x + n : NULL;
    return s->x != NULL && s->work != NULL && s->level != NULL && s->branch != NULL;
}

typedef struct {
    double h, error;
} run;

/* Steps this near, relatively, are one: T/N of two numbers of steps below 2^28 differ by more, and
 * the roundings of one T/N by less. */
static const double ONE_STEP = 0x1p-30;

/* Errors this near, relatively, are those of one run at one step: scatter that is smaller than that
 * tells next to nothing of a floor, and what rounds otherwise by the order of its sums differs by
 * less. */
static const double ONE_ERROR = 1e-6;

static int by_step(const void *a, const void *b) {
    double x = ((const run *)a)->h;
    double y = ((const run *)b)->h;
    double ex = ((const run *)a)->error;
    double ey = ((const run *)b)->error;
    return x != y ? (x < y) - (x > y) : (ex > ey) - (ex < ey);
}

/* Sort, and keep one of the runs that are the same: run twice, a run tells nothing new. Their
 * steps are made one, lest another run's error stands between two of the same. Returns how many are
 * kept. */
static size_t keep_different(run *runs, size_t n) {
    qsort(runs, n, sizeof *runs, by_step);
    for (size_t i = 1; i < n; i++) {
        bool one = runs[i].h >= runs[i - 1].h * (1.0 - ONE_STEP);
        runs[i].h = one ? runs[i - 1].h : runs[i].h;
    }
    qsort(runs, n, sizeof *runs, by_step);
    size_t kept = n > 0;
    for (size_t i = 1; i < n; i++) {
        const run *last = &runs[kept - 1];
        bool same =
            runs[i].h == last->h && runs[i].error - last->error <= ONE_ERROR * runs[i].error;
        if (!same) {
            runs[kept++] = runs[i];
        }
    }
    return kept;
}

il_status il_order_points_open(il_order_points *s, const il_order_data *data, il_order *o,
                               il_error *err) {
    *s = (il_order_points){.n = 0, .reference = data->causes.reference};
    run *runs = malloc(data->n * sizeof *runs);
    if (runs == NULL || !acquire(s, data->n)) {
        free(runs);
        return il_fail(err, IL_ENOMEM, "no memory for an order of %zu runs", data->n);
    }
    for (size_t i = 0; i < data->n; i++) {
        runs[i] = (run){data->h[i], data->error[i]};
    }
    size_t different = keep_different(runs, data->n);
    o->repeated = data->n - different;
    for (size_t i = 0; i < different; i++) {
        if (runs[i].error <= data->causes.rounding || runs[i].error == 0.0) {
            o->at_rounding++;
        } else {
            s->x[s->n] = il_order_log(runs[i].h);
            s->y[s->n++] = il_order_log(runs[i].error);
        }
    }
    free(runs);
    s->to = s->n;
    o->at_floor = (double)o->at_rounding / (double)different;
    return IL_OK;
}

/* ---- what is set aside ---------------------------------------------------------------------- */

static double median_of(double *work, size_t n) {
    gsl_sort(work, 1, n);
    return gsl_stats_median_from_sorted_data(work, 1, n);
}

/* Theil and Sen's slope; of more points than it is made for, that of as many, evenly spaced. */
static double sen_slope(il_order_points *s) {
    if (s->n <= IL_ORDER_SEN_MAX) {
        return il_line_sen_slope(s->x, s->y, s->n, s->work);
    }
    double *x = s->work;
    double *y = s->work + IL_ORDER_SEN_MAX;
    for (size_t k = 0; k < IL_ORDER_SEN_MAX; k++) {
        size_t i = k * (s->n - 1) / (IL_ORDER_SEN_MAX - 1);
        x[k] = s->x[i];
        y[k] = s->y[i];
    }
    return il_line_sen_slope(x, y, IL_ORDER_SEN_MAX, y + IL_ORDER_SEN_MAX);
}

/* y - slope x at the points, slope being Theil and Sen's, less their median: into work; and the
 * median of its size. */
static double distances(il_order_points *s, double *slope, double *middle) {
    *slope = sen_slope(s);
    for (size_t i = 0; i < s->n; i++) {
        s->work[i] = s->y[i] - *slope * s->x[i];
    }
    *middle = median_of(s->work, s->n);
    for (size_t i = 0; i < s->n; i++) {
        s->work[i] = fabs(s->y[i] - *slope * s->x[i] - *middle);
    }
    return median_of(s->work, s->n);
}

void il_order_set_aside_low(il_order_points *s, il_order *o) {
    if (s->n < 8) {
        return;
    }
    double slope = 0.0;
    double middle = 0.0;
    double far = fmax(FAR * distances(s, &slope, &middle), FAR_LOG);
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool low = s->y[i] - slope * s->x[i] - middle < -far;
        s->x[kept] = s->x[i];
        s->y[kept] = s->y[i];
        kept += !low;
        o->far_below += low;
    }
    s->n = s->to = kept;
}

void il_order_keep_worst(il_order_points *s) {
    double slope = 0.0;
    double middle = 0.0;
    if (s->n < 2) {
        return;
    }
    (void)distances(s, &slope, &middle);
    size_t kept = 0;
    for (size_t i = 0; i < s->n;) {
        size_t best = i;
        size_t end = i;
        for (; end < s->n && s->level[end] == s->level[i]; end++) {
            bool higher = s->y[end] - slope * s->x[end] > s->y[best] - slope * s->x[best];
            best = higher ? end : best;
        }
        s->x[kept] = s->x[best];
        s->y[kept] = s->y[best];
        s->level[kept++] = s->level[best];
        i = end;
    }
    s->n = s->to = kept;
}

/* ---- levels --------------------------------------------------------------------------------- */

void il_order_make_levels(il_order_points *s, il_order *o) {
    double octave = -1.0;
    o->levels = 0;
    for (size_t i = 0; i < s->n; i++) {
        /* a step that is half of the coarsest but for rounding begins the second octave */
        double mine = floor((s->x[0] - s->x[i]) / LN2 + 1e-9);
        if (mine > octave && o->levels < IL_ORDER_LEVELS_MAX) {
            octave = mine;
            o->level[o->levels++] =
                (il_order_level){.h = 0.0, .fate = IL_LEVEL_USED, .misfit = NAN};
        }
        s->level[i] = o->levels - 1;
        o->level[s->level[i]].n++;
        o->level[s->level[i]].h += s->x[i];
    }
    for (size_t k = 0; k < o->levels; k++) {
        o->level[k].h = il_order_exp(o->level[k].h / (double)o->level[k].n);
    }
}

size_t il_order_levels_used(const il_order_points *s) {
    return s->to > s->from ? s->level[s->to - 1] - s->level[s->from] + 1 : 0;
}

size_t il_order_steps_used(const il_order_points *s) {
    size_t count = s->to > s->from;
    for (size_t i = s->from + 1; i < s->to; i++) {
        count += s->x[i - 1] - s->x[i] > 1e-12;
    }
    return count;
}

/* The runs of the first or the last level that is used: [*a, *b). */
static void edge(const il_order_points *s, bool fine, size_t *a, size_t *b) {
    size_t level = s->level[fine ? s->to - 1 : s->from];
    *a = fine ? s->to : s->from;
    *b = *a;
    while (fine && *a > s->from && s->level[*a - 1] == level) {
        (*a)--;
    }
    while (!fine && *b < s->to && s->level[*b] == level) {
        (*b)++;
    }
}

double il_order_finest_height(const il_order_points *s) {
    size_t a = 0;
    size_t b = 0;
    edge(s, true, &a, &b);
    memcpy(s->work, s->y + a, (s->to - a) * sizeof *s->work);
    return median_of(s->work, s->to - a);
}

void il_order_drop(il_order_points *s, il_order *o, bool fine, double misfit) {
    size_t a = 0;
    size_t b = 0;
    edge(s, fine, &a, &b);
    o->level[s->level[a]].fate = fine ? IL_LEVEL_PLATEAU : IL_LEVEL_COARSE;
    o->level[s->level[a]].misfit = misfit;
    s->from = fine ? s->from : b;
    s->to = fine ? a : s->to;
}

/*
 * order_swing.c - h^p (1 + A sin(2 pi log_2(h)/P + phi)).
 *
 * Period, amplitude and phase come from a grid, by least squares of log e - log(1 + A sin ...) over
 * log h with a slope of 1/2 at least; b, p and the scatter from the robust fit of order_floor.c,
 * without a floor, of what the factor leaves.
 */
#include "harness/study/order/order_swing.h"

#include "harness/study/order/order_floor.h"
#include "harness/study/order/order_lines.h"
#include "harness/study/order/order_math.h"
#include "harness/study/order/order_part.h"

/* The slowest that is proved of a scheme here: h^(1/2). */
static const double SLOWEST = 0.5;

/* The grid. Phases are a sixteenth of a turn apart, so that the best is off by 0.2 at most. */
static const double periods[] = {4.0, 5.0, 6.0, 8.0};
static const double amplitudes[] = {0.3, 0.45, 0.6};
enum {
    PERIODS = sizeof periods / sizeof periods[0],
    AMPLITUDES = sizeof amplitudes / sizeof amplitudes[0],
    PHASES = 16
};

typedef struct {
    double rate, amplitude, phase; /* 1 + amplitude sin(rate x + phase) */
} swing;

/* y less the logarithm of the factor. */
static void take_away(const il_trend_data *d, const swing *w, double *y) {
    for (size_t i = 0; i < d->n; i++) {
        y[i] = d->y[i] - il_order_log(1.0 + w->amplitude * il_sin(w->rate * d->x[i] + w->phase));
    }
}

/* The sum of squares about a line through them whose slope is SLOWEST at least. */
static double about_line(const il_trend_data *d, const double *y) {
    il_line l = il_line_fit(d->x, y, d->n);
    double short_of = fmax(SLOWEST - l.slope, 0.0);
    return l.rss + short_of * short_of * l.sxx;
}

/* The best of the grid. */
static swing nearest(const il_trend_data *d, double *y) {
    swing best = {0.0, 0.0, 0.0};
    double least = INFINITY;
    for (size_t k = 0; k < (size_t)PERIODS * AMPLITUDES * PHASES; k++) {
        swing w = {2.0 * M_PI / (periods[k / (AMPLITUDES * PHASES)] * IL_ORDER_LN2),
                   amplitudes[k / PHASES % AMPLITUDES],
                   2.0 * M_PI * (double)(k % PHASES) / PHASES};
        take_away(d, &w, y);
        double sum = about_line(d, y);
        best = sum < least ? w : best;
        least = fmin(sum, least);
    }
    return best;
}

double il_order_swing_likelihood(const il_order_points *s) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    double *y = s->work + IL_FLOOR_ROOM * data.n;
    swing best = nearest(&data, y);
    take_away(&data, &best, y);
    data.y = y;
    data.flattest = SLOWEST;
    il_floor f;
    return il_floor_fit(&data, IL_ORDER_FLOOR_CONFIDENCE, &f) ? f.without : -INFINITY;
}

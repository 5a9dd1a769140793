/*
 * order_swing.c - h^p (1 + A sin(2 pi log_2(h)/P + phi)).
 *
 * Period, amplitude and phase come from a grid and a search about its best, by least squares of
 * log e - log(1 + A sin ...) over log h with a slope of 1/2 at least; b, p and the scatter from the
 * robust fit of order_floor.c, without a floor, of what the factor leaves.
 */
#include "harness/study/order/order_swing.h"

#include "harness/study/order/order_floor.h"
#include "harness/study/order/order_judge.h"
#include "harness/study/order/order_lines.h"
#include "harness/study/order/order_math.h"
#include "harness/study/order/order_part.h"

/* Where the search begins; then each number moves by steps that shrink, from half the grid's on. */
static const double periods[] = {4.0, 5.0, 6.0, 8.0}; /* octaves */
static const double amplitudes[] = {0.3, 0.45, 0.6};
enum {
    PERIODS = sizeof periods / sizeof periods[0],
    AMPLITUDES = sizeof amplitudes / sizeof amplitudes[0],
    PHASES = 16,
    ROUNDS = 8
};

static const double SHRINK = 0.6;

typedef struct {
    double period, amplitude, phase; /* 1 + amplitude sin(2 pi (log_2(h)/period + phase)) */
} swing;

/* y less the logarithm of the factor. */
static void take_away(const il_trend_data *d, const swing *w, double *y) {
    double rate = 2.0 * M_PI / (w->period * IL_ORDER_LN2);
    for (size_t i = 0; i < d->n; i++) {
        double turned = il_sin(rate * d->x[i] + 2.0 * M_PI * w->phase);
        y[i] = d->y[i] - il_order_log(1.0 + w->amplitude * turned);
    }
}

/* What a factor leaves: the sum of squares about a line whose slope is 1/2 at least. */
static double left_by(const il_trend_data *d, const swing *w, double *y) {
    take_away(d, w, y);
    il_line l = il_line_fit(d->x, y, d->n);
    double short_of = fmax(IL_ORDER_SLOWEST - l.slope, 0.0);
    return l.rss + short_of * short_of * l.sxx;
}

static swing moved(swing w, int coordinate, double by) {
    double *part = coordinate == 0 ? &w.period : coordinate == 1 ? &w.amplitude : &w.phase;
    *part += by;
    w.period = fmin(fmax(w.period, periods[0]), periods[PERIODS - 1]);
    w.amplitude = fmin(fmax(w.amplitude, 0.0), amplitudes[AMPLITUDES - 1]);
    return w;
}

/* From the best of the grid, one number after the other, by steps that shrink. */
static swing nearest(const il_trend_data *d, double *y) {
    swing best = {periods[0], amplitudes[0], 0.0};
    double least = INFINITY;
    for (size_t k = 0; k < (size_t)PERIODS * AMPLITUDES * PHASES; k++) {
        swing w = {periods[k / (AMPLITUDES * PHASES)], amplitudes[k / PHASES % AMPLITUDES],
                   (double)(k % PHASES) / PHASES};
        double sum = left_by(d, &w, y);
        best = sum < least ? w : best;
        least = fmin(sum, least);
    }
    double by[] = {0.5, 0.08, 0.5 / PHASES};
    for (int k = 0; k < 3 * ROUNDS; k++) {
        double *step = &by[k % 3];
        for (int side = -1; side <= 1; side += 2) {
            swing w = moved(best, k % 3, side * *step);
            double sum = left_by(d, &w, y);
            best = sum < least ? w : best;
            least = fmin(sum, least);
        }
        *step *= SHRINK;
    }
    return best;
}

double il_order_swing_likelihood(const il_order_points *s) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    double *y = s->work + IL_FLOOR_ROOM * data.n;
    swing best = nearest(&data, y);
    take_away(&data, &best, y);
    data.y = y;
    data.flattest = IL_ORDER_SLOWEST;
    il_floor f;
    return il_floor_fit(&data, IL_ORDER_FLOOR_CONFIDENCE, &f) ? f.without : -INFINITY;
}

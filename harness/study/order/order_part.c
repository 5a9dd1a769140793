/*
 * order_part.c - lines, curves with allowances and floors through part of a study's runs.
 */
#include "harness/study/order/order_part.h"

#include <math.h>

#include "harness/study/order/order_lines.h"
#include "harness/study/order/order_math.h"

/* Standard deviations of the allowances in log E: the next power of h at the coarsest step, as
 * large as the error itself or several times; a floor of some hundredths of the finest error. */
static const double ALLOW_COARSE = 2.0;
static const double ALLOW_FLOOR = 0.07;

/* A floor near all errors leaves open at which power they fall, and the best of all is compared
 * (Davies 1977, Biometrika 64, 247): its bound is taken surer. */
static const double SURER = 1.0 - 0.25 * (1.0 - IL_ORDER_FLOOR_CONFIDENCE);

/* Squares fall twice as fast: up to h^16. */
static const double SQUARED = 16.0;

/* The worst of so many runs; and how many of these a curve with a floor is fitted to at least. */
enum { OF = 4, FOURS = 6 };

/* Floors of squares show later than floors in size, so that the test of the latter hardly helps:
 * tuned: of (h^4 + a^2)^(1/2) with a scatter of 30 %, a as large as what falls, 0.95 lets 4.0
 * studies of 100 PASS, 0.98 1.7; of h^(3/2) with a triangular scatter of 0.3 PASS 69 and 64 of 100
 * (scripts/orders.lua -- 600 12 and 600 6). */
static const double SQUARE_CONFIDENCE = 0.98;

static double guess(const il_order_points *s, size_t from, size_t to) {
    size_t n = to - from;
    return n <= IL_ORDER_SEN_MAX ? il_line_sen_slope(s->x + from, s->y + from, n, s->work)
                                 : il_line_fit(s->x + from, s->y + from, n).slope;
}

il_trend_data il_order_part(const il_order_points *s, size_t from, size_t to) {
    return (il_trend_data){.n = to - from,
                           .x = s->x + from,
                           .y = s->y + from,
                           .level = s->level + from,
                           .guess = guess(s, from, to),
                           .repeats = s->repeats,
                           .room = s->work};
}

bool il_order_fit_with(const il_order_points *s, double floor, il_trend *trend) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    data.coarse = ALLOW_COARSE;
    data.floor = floor;
    data.repeats = 0.0;
    return il_trend_fit(&data, trend);
}

bool il_order_fit_all(const il_order_points *s, il_trend *trend) {
    return il_order_fit_with(s, ALLOW_FLOOR, trend);
}

double il_order_fit_floor(il_order_points *s, il_order *o) {
    if (s->floor_from == s->from && s->floor_to == s->to) {
        return s->floor_order;
    }
    il_trend_data data = il_order_part(s, s->from, s->to);
    il_floor f;
    s->floor_from = s->from;
    s->floor_to = s->to;
    s->floor_order = 0.0;
    if (!il_floor_fit(&data, IL_ORDER_FLOOR_CONFIDENCE, &f)) {
        return 0.0;
    }
    s->floor_order = f.order;
    s->floor_misfit = f.misfit;
    s->floor_likelihood = f.likelihood;
    o->floor = f.floor;
    o->floor_low = f.low;
    o->floor_high = f.high;
    o->floor_below = f.below;
    o->finest = f.finest;
    return f.order;
}

bool il_order_tail_of_logarithms(const il_order_points *s, double slope, il_floor *f) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    double *tail = s->work + IL_FLOOR_ROOM * data.n;
    double finest = data.x[data.n - 1];
    if (1.0 / slope < il_order_log(IL_ORDER_COARSE_STEPS) + s->x[0] - finest) {
        return false;
    }
    for (size_t i = 0; i < data.n; i++) {
        tail[i] = -il_order_log(1.0 - slope * (data.x[i] - finest));
    }
    data.tail = tail;
    return il_floor_fit(&data, IL_ORDER_FLOOR_CONFIDENCE, f);
}

/* x' = -L log(1 + (x_0 - x)/L), L = log(H/h_0): a line over x' is a power of log(H/h), and has at
 * the coarsest step h_0 the slope that it has over x. */
bool il_order_floor_of_logarithms(const il_order_points *s, il_floor *f) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    double *x = s->work + IL_FLOOR_ROOM * data.n;
    double coarse = il_order_log(IL_ORDER_COARSE_STEPS);
    for (size_t i = 0; i < data.n; i++) {
        x[i] = -coarse * il_order_log(1.0 + (s->x[0] - data.x[i]) / coarse);
    }
    data.x = x;
    return il_floor_fit(&data, SURER, f);
}

bool il_order_floor_beside(const il_order_points *s, double next, double confidence, il_floor *f) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    data.coarse = ALLOW_COARSE;
    data.next = next;
    return il_floor_fit(&data, confidence, f);
}

/* Without a next power, or with one that adds: where none takes away, either bounds the floor, for
 * what bends the errors is then taken for it; the former has a number less to find. */
double il_order_floor_of_squares(const il_order_points *s) {
    il_trend_data data = il_order_part(s, s->from, s->to);
    double high = NAN;
    il_floor f;
    data.fold = 2.0;
    data.adds = true;
    double *y = s->work + IL_FLOOR_ROOM * data.n;
    for (size_t i = 0; i < data.n; i++) {
        y[i] = 2.0 * data.y[i];
    }
    data.y = y;
    data.guess *= 2.0;
    data.steepest = SQUARED;
    if (il_floor_fit(&data, SQUARE_CONFIDENCE, &f)) {
        high = f.part_high;
    }
    data.coarse = ALLOW_COARSE;
    if (il_floor_fit(&data, SQUARE_CONFIDENCE, &f)) {
        high = fmin(high, f.part_high); /* fmin passes over NaN */
    }
    return high;
}

bool il_order_floor_of_worst(const il_order_points *s, double slope, il_floor *f) {
    size_t n = s->to - s->from;
    size_t fours = n / OF;
    double *x = s->work + IL_FLOOR_ROOM * n;
    double *y = x + n;
    size_t *level = s->level + s->n;
    if (fours < FOURS) {
        return false;
    }
    double from = guess(s, s->from, s->to);
    for (size_t k = 0; k < fours; k++) {
        size_t first = s->to - (fours - k) * OF;
        size_t worst = first;
        for (size_t i = first; i < first + OF; i++) {
            bool higher = s->y[i] - slope * s->x[i] > s->y[worst] - slope * s->x[worst];
            worst = higher ? i : worst;
        }
        x[k] = s->x[worst];
        y[k] = s->y[worst];
        level[k] = s->level[worst];
    }
    il_trend_data data = {
        .n = fours, .x = x, .y = y, .level = level, .guess = from, .room = s->work};
    return il_floor_fit(&data, IL_ORDER_BESIDE_CONFIDENCE, f);
}

il_order_slope il_order_fit_part(const il_order_points *s, size_t from, size_t to,
                                 const il_trend *whole, double confidence) {
    enum { OWN_SCATTER = 8 };
    double p = 0.5 + 0.5 * confidence;
    il_trend_data data = il_order_part(s, from, to);
    /* not the part's own: what misfits repeats itself, too */
    double repeats = fmax(s->repeats, 1.0);
    il_trend t;
    data.repeats = repeats;
    if (data.n >= OWN_SCATTER && il_trend_fit(&data, &t)) {
        double half = il_order_t_quantile(p, t.freedom) * t.error;
        return (il_order_slope){t.slope, t.slope - half, t.slope + half};
    }
    if (data.n < 2 || whole == NULL) {
        return (il_order_slope){NAN, NAN, NAN};
    }
    il_line l = il_line_fit(data.x, data.y, data.n);
    double own = data.n > 2 ? sqrt(l.rss / (double)(data.n - 2)) : 0.0;
    double scale = fmax(whole->scale, own) * sqrt(repeats);
    double half = il_order_t_quantile(p, whole->freedom) * scale / sqrt(l.sxx);
    return (il_order_slope){l.slope, l.slope - half, l.slope + half};
}

size_t il_order_fine_from(const il_order_points *s, double octaves) {
    size_t a = s->to;
    while (a > s->from && (s->x[a - 1] <= s->x[s->to - 1] + octaves * IL_ORDER_LN2 + 1e-9 ||
                           s->to - a < IL_ORDER_POINTS_LEAST)) {
        a--;
    }
    return a;
}

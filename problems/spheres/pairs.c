/*
 * pairs.c - signed distance of two spheres, its gradient, and the numbering of pairs.
 */
#include "problems/spheres/pairs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

size_t il_pair_count(size_t n) {
    return n > 0 ? n * (n - 1) / 2 : 0;
}

size_t il_pair_id(size_t i, size_t j) {
    assert(i < j);
    return j * (j - 1) / 2 + i;
}

void il_pair_of(size_t id, size_t *i, size_t *j) {
    /* j is the largest integer with j (j - 1)/2 <= id; the square root may miss it by one. */
    size_t k = (size_t)((1.0 + sqrt(1.0 + 8.0 * (double)id)) / 2.0);
    while (k * (k - 1) / 2 > id) {
        k--;
    }
    while ((k + 1) * k / 2 <= id) {
        k++;
    }
    *j = k;
    *i = id - k * (k - 1) / 2;
}

void il_pair_describe(const char *body, size_t id, char *out, size_t capacity) {
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    (void)snprintf(out, capacity, "%ss %zu and %zu", body, i + 1, j + 1);
}

il_status il_pair_direction(size_t space, const double *q, size_t i, size_t j, double *distance,
                            double *e) {
    assert(space <= IL_PAIR_SPACE_MAX);
    double largest = 0.0;
    for (size_t c = 0; c < space; c++) {
        e[c] = q[space * j + c] - q[space * i + c];
        largest = fabs(e[c]) > largest ? fabs(e[c]) : largest;
        if (!isfinite(e[c])) {
            return IL_ENUMERIC;
        }
    }
    if (!(largest > 0.0)) {
        return IL_ENUMERIC;
    }
    double sum = 0.0; /* of squares relative to the largest, which neither overflow nor vanish */
    for (size_t c = 0; c < space; c++) {
        e[c] /= largest;
        sum += e[c] * e[c];
    }
    double length = sqrt(sum);
    for (size_t c = 0; c < space; c++) {
        e[c] /= length;
    }
    *distance = largest * length;
    return isfinite(*distance) ? IL_OK : IL_ENUMERIC;
}

/* -e at body i, e at body j. */
static void append(size_t space, const double *e, size_t i, size_t j, double value, double growth,
                   size_t id, il_rows *rows) {
    size_t col[2 * IL_PAIR_SPACE_MAX];
    double coef[2 * IL_PAIR_SPACE_MAX];
    for (size_t c = 0; c < space; c++) {
        col[c] = space * i + c;
        coef[c] = -e[c];
        col[space + c] = space * j + c;
        coef[space + c] = e[c];
    }
    il_rows_append(rows, id, value, -growth, 2 * space, col, coef);
}

il_status il_pair_row(size_t space, const double *q, size_t i, size_t j, double radii,
                      double growth, size_t id, il_rows *rows) {
    double e[IL_PAIR_SPACE_MAX];
    double distance = 0.0;
    il_status status = il_pair_direction(space, q, i, j, &distance, e);
    if (status != IL_OK || !isfinite(distance - radii)) {
        return IL_ENUMERIC;
    }
    append(space, e, i, j, distance - radii, growth, id, rows);
    return IL_OK;
}

il_status il_pair_offer(const il_pair_scan *scan, const il_pair *pair, double radii,
                        double growth) {
    size_t space = scan->space;
    size_t i = pair->i;
    size_t j = pair->j;
    const double *q = scan->q;
    const double *x = scan->x;
    double e[IL_PAIR_SPACE_MAX];
    double distance = 0.0;
    il_status status = il_pair_direction(space, q, i, j, &distance, e);
    if (status != IL_OK || !isfinite(distance - radii)) {
        return IL_ENUMERIC;
    }
    double g = distance - radii;
    for (size_t c = 0; c < space; c++) {
        g += -e[c] * (x[space * i + c] - q[space * i + c]);
    }
    for (size_t c = 0; c < space; c++) {
        g += e[c] * (x[space * j + c] - q[space * j + c]);
    }
    if (scan->slack < INFINITY && g > scan->slack) {
        return IL_OK;
    }
    append(space, e, i, j, distance - radii, growth, il_pair_id(i, j), scan->rows);
    return IL_OK;
}

double il_pair_curvature(size_t space, const double *q, const double *u, size_t i, size_t j) {
    double e[IL_PAIR_SPACE_MAX];
    double v[IL_PAIR_SPACE_MAX];
    double distance = 0.0;
    double along = 0.0;
    double across = 0.0;
    if (il_pair_direction(space, q, i, j, &distance, e) != IL_OK) {
        return NAN;
    }
    for (size_t c = 0; c < space; c++) {
        v[c] = u[space * j + c] - u[space * i + c];
        along += e[c] * v[c];
    }
    for (size_t c = 0; c < space; c++) {
        double part = v[c] - along * e[c];
        across += part * part;
    }
    return across / distance;
}

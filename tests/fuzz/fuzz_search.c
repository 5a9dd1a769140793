/*
 * fuzz_search.c - the neighbour search against asking every pair, for centres, radii, displacements
 * and slacks of any size: the rows within the slack are the same, and so is the least gap.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/spheres.h"
#include "tests/fuzz/fuzz.h"

enum { BODIES = 24, SPACE = IL_PAIR_SPACE_MAX };

typedef struct {
    size_t space, N;
    double q[SPACE * BODIES], x[SPACE * BODIES], slack;
    il_spheres spheres;
    il_problem problem; /* whose data they are */
    il_rows all, found;
} crowd;

/* Centres in a common box, so that they meet; now and then anything at all. */
static double place(il_bytes *bytes) {
    uint8_t kind = il_bytes_take(bytes);
    return kind < 200 ? (double)kind / 16.0 : il_bytes_finite(bytes);
}

static void fill(crowd *w, il_bytes *bytes) {
    uint8_t motion = il_bytes_take(bytes);
    double reach = motion % 4 == 3 ? il_bytes_finite(bytes) : 1.0;
    for (size_t i = 0; i < w->N; i++) {
        uint8_t size = il_bytes_take(bytes);
        w->spheres.r[i] = size < 240 ? size / 64.0 : fabs(il_bytes_finite(bytes));
        for (size_t c = 0; c < w->space; c++) {
            size_t k = w->space * i + c;
            w->q[k] = place(bytes);
            w->x[k] = w->q[k] + (motion % 4 == 0 ? 0.0 : reach * (place(bytes) - 6.0));
        }
    }
    w->slack = il_bytes_finite(bytes);
}

/* Every row in turn; IL_ENUMERIC where one has no number. */
static il_status ask_all(crowd *w) {
    il_status status = IL_OK;
    for (size_t id = 0; status == IL_OK && id < il_spheres_count(&w->spheres); id++) {
        status = il_spheres_row(&w->problem, 0.0, w->q, id, &w->all);
        if (status == IL_OK && !(il_rows_at(&w->all, w->all.p - 1, w->q, w->x) <= w->slack)) {
            il_rows_pop(&w->all);
        }
    }
    return status;
}

/* Displacements that a search must take. */
static bool may_move(const crowd *w) {
    bool all = true;
    for (size_t k = 0; k < w->space * w->N; k++) {
        all = all && fabs(w->x[k] - w->q[k]) <= DBL_MAX / 4.0;
    }
    return all;
}

static bool has_row(const il_rows *rows, size_t id) {
    bool found = false;
    for (size_t i = 0; i < rows->p && !found; i++) {
        found = rows->id[i] == id;
    }
    return found;
}

static il_status compare(crowd *w, il_error *err) {
    il_status slow = ask_all(w);
    il_status fast = il_spheres_scan(&w->problem, 0.0, w->q, w->x, w->slack, &w->found);
    if (slow != IL_OK) {
        /* a row without a number may lie beyond the slack for the search, which then need not look
         */
        return IL_OK;
    }
    if (fast != IL_OK) {
        return may_move(w) ? il_fail(err, IL_EINTERNAL, "the search says %s; all rows have numbers",
                                     il_status_name(fast))
                           : IL_OK;
    }
    for (size_t i = 0; i < w->all.p; i++) {
        if (!has_row(&w->found, w->all.id[i])) {
            return il_fail(err, IL_EINTERNAL, "row %zu (at %g, slack %g) was not found",
                           w->all.id[i], il_rows_at(&w->all, i, w->q, w->x), w->slack);
        }
    }
    if (w->found.p != w->all.p) {
        return il_fail(err, IL_EINTERNAL, "%zu rows found, %zu are within %g", w->found.p, w->all.p,
                       w->slack);
    }
    return IL_OK;
}

/* The least value of all rows; *coincident is that of pairs without a row, whose centres coincide.
 */
static double least_of_all(crowd *w, double *coincident) {
    double least = INFINITY;
    *coincident = INFINITY;
    il_rows_clear(&w->all);
    for (size_t id = 0; id < il_spheres_count(&w->spheres); id++) {
        if (il_spheres_row(&w->problem, 0.0, w->q, id, &w->all) == IL_OK) {
            least = fmin(least, w->all.value[w->all.p - 1]);
            continue;
        }
        size_t i = 0;
        size_t j = 0;
        if (id >= il_pair_count(w->N)) {
            *coincident = -INFINITY;
            continue;
        }
        il_pair_of(id, &i, &j);
        for (size_t c = 0; c < w->space; c++) {
            bool same = w->q[w->space * i + c] == w->q[w->space * j + c];
            *coincident = same ? *coincident : -INFINITY; /* too far apart for a number */
        }
        *coincident = fmin(*coincident, -(w->spheres.r[i] + w->spheres.r[j]));
    }
    return least;
}

static il_status compare_gap(crowd *w, il_error *err) {
    double coincident = INFINITY;
    size_t id = 0;
    double least = least_of_all(w, &coincident);
    double gap = il_spheres_gap(&w->problem, 0.0, w->q, &id);
    bool well = isnan(gap) ? coincident < INFINITY
                           : gap == least && (gap <= coincident || !(coincident > -INFINITY));
    return well ? IL_OK
                : il_fail(err, IL_EINTERNAL, "the least gap is %.17g; the search says %.17g", least,
                          gap);
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    crowd w = {.space = il_bytes_size(&bytes, 1, SPACE), .N = il_bytes_size(&bytes, 1, BODIES)};
    il_rows_init(&w.all);
    il_rows_init(&w.found);
    w.problem.data = &w.spheres;
    il_status status = il_spheres_init(&w.spheres, w.space, w.N, err);
    if (status == IL_OK) {
        const double floor[3] = {1.0, 0.0, 0.0};
        il_spheres_add_wall(&w.spheres, "floor", floor, 0.0);
        fill(&w, &bytes);
        status = compare(&w, err);
    }
    if (status == IL_OK) {
        status = compare_gap(&w, err);
    }
    il_rows_free(&w.all);
    il_rows_free(&w.found);
    il_spheres_free(&w.spheres);
    return status;
}

const il_fuzz il_fuzz_search = {
    .name = "search",
    .text = "the neighbour search against all pairs",
    .one = one,
};

/*
 * derivatives_work.c - the constraints at a point and beside it.
 */
#include "harness/study/hypotheses/derivatives_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

il_derivatives_work *il_derivatives_create(const il_derivatives_query *query) {
    il_derivatives_work *w = il_alloc_zero(1, sizeof *w);
    size_t d = query->problem->d;
    size_t p = query->problem->p;
    w->query = *query;
    w->d = d;
    w->p = p;
    w->room = (d < IL_DERIVATIVES_COORDINATES ? d : IL_DERIVATIVES_COORDINATES) + 1;
    w->x = il_alloc_zero(2 * d + 9 * p + 2 * IL_DERIVATIVES_DEEP * p, sizeof *w->x);
    w->at = il_alloc_zero(p * w->room, sizeof *w->at);
    w->variable = il_alloc_zero(w->room + p, sizeof *w->variable);
    w->scale = w->x + d;
    w->here = w->scale + d;
    for (size_t k = 0; k < 4; k++) {
        w->level[k] = w->here + (k + 1) * p;
    }
    w->row_size = w->here + 5 * p;
    w->terms = w->here + 6 * p;
    w->least = w->here + 7 * p;
    w->noise = w->here + 8 * p;
    w->tableau = w->here + 9 * p;
    w->place = w->variable + w->room;
    return w;
}

void il_derivatives_destroy(il_derivatives_work *w) {
    if (w == NULL) {
        return;
    }
    il_rows_free(&w->rows);
    free(w->x);
    free(w->at);
    free(w->variable);
    free(w);
}

static bool ask_rows(il_derivatives_work *w, double t, const double *q) {
    const il_problem *problem = w->query.problem;
    il_rows_clear(&w->rows);
    bool done = w->query.rows != NULL
                    ? w->query.rows(problem, t, q, &w->rows)
                    : il_problem_scan(problem, t, q, q, INFINITY, &w->rows) == IL_OK;
    return done && w->rows.p == w->p;
}

bool il_derivatives_values(il_derivatives_work *w, double t, const double *q, double *g) {
    if (w->query.values != NULL) {
        return w->query.values(w->query.problem, t, q, g);
    }
    bool done = ask_rows(w, t, q);
    for (size_t i = 0; done && i < w->p; i++) {
        g[w->rows.id[i]] = w->rows.value[i];
    }
    return done;
}

/* A coordinate that is small by chance is as large as its neighbours. */
void il_derivatives_scales(il_derivatives_work *w, const double *q) {
    const il_problem *problem = w->query.problem;
    double all = 0.0;
    double way = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        all = fmax(all, fabs(q[k]));
        way = fmax(way, fabs(problem->u0[k]) * problem->horizon);
    }
    all = all > 0.0 ? all : way > 0.0 ? way : 1.0;
    for (size_t k = 0; k < w->d; k++) {
        w->scale[k] = fmax(fabs(q[k]), 0x1p-10 * all);
    }
}

double il_derivatives_scale(const il_derivatives_work *w, size_t k) {
    return k == IL_COMPONENT_RATE ? w->query.problem->horizon : w->scale[k];
}

double il_derivatives_moved(il_derivatives_work *w, double t, const double *q, size_t k, double s,
                            double *g) {
    volatile double to = k == IL_COMPONENT_RATE ? t + s : q[k] + s; /* as doubles have it */
    double step = to - (k == IL_COMPONENT_RATE ? t : q[k]);
    memcpy(w->x, q, w->d * sizeof *q);
    if (k != IL_COMPONENT_RATE) {
        w->x[k] = to;
    }
    bool done = step != 0.0 && il_derivatives_values(w, k == IL_COMPONENT_RATE ? to : t, w->x, g);
    return done ? step : 0.0;
}

/* The values and sizes of the rows at (t,q). */
static void take_rows(il_derivatives_work *w, const double *q) {
    for (size_t i = 0; i < w->p; i++) {
        size_t id = w->rows.id[i];
        w->place[id] = i;
        w->here[id] = w->rows.value[i];
        w->row_size[id] = w->terms[id] = 0.0;
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            size_t k = w->rows.col[e];
            w->row_size[id] = fmax(w->row_size[id], fabs(w->rows.coef[e]) * w->scale[k]);
            w->terms[id] += fabs(w->rows.coef[e] * q[k]);
        }
    }
}

bool il_derivatives_look(il_derivatives_work *w, double t, const double *q) {
    if (w->p == 0 || !ask_rows(w, t, q)) {
        return false;
    }
    take_rows(w, q);
    return true;
}

/*
 * balance.c - energy beyond the force's work, and impacts that stand alone (balance.h).
 */
#include "harness/measure/balance.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/base/worse.h"

enum { IMPACT_STEPS = 4 };
static const size_t MANY = SIZE_MAX;

/* An impulse that changes the velocity by less than that part of it is rounding: what explains
 * samples is found to 1e-12. */
static const double NOISE = 1e-9;

void il_balance_init(il_balance *w, const il_problem *problem, const double *u0) {
    *w = (il_balance){.problem = problem,
                      .result = {.final = NAN,
                                 .largest = -INFINITY,
                                 .largest_step = -INFINITY,
                                 .gained_most = -INFINITY,
                                 .lost_least = INFINITY}};
    if (problem->order != 2) {
        return;
    }
    w->f = il_alloc(4 * problem->d, sizeof *w->f);
    w->q = w->f + 2 * problem->d;
    w->u = w->q + problem->d;
    w->start = 0.5 * il_metric_inner(problem->mass, u0, u0);
    w->result.final = 0.0;
}

void il_balance_free(il_balance *w) {
    free(w->f);
    il_rows_free(&w->row);
    w->f = NULL;
}

/* ---- work ----------------------------------------------------------------------------------- */

static void force_at(const il_problem *problem, double t0, double t1, const double *q, double *f) {
    if (problem->type->force_mean != NULL) {
        problem->type->force_mean(problem, t0, t1, q, f);
    } else {
        problem->type->force(problem, 0.5 * (t0 + t1), q, f);
    }
}

/* The force of the step: the mean that the scheme had, unless it depends on q. */
static const double *force_of(il_balance *w, double t0, double t1, const il_state *in,
                              const il_state *out, const double *mean) {
    const il_problem *problem = w->problem;
    size_t d = problem->d;
    if ((problem->traits & (IL_FORCE_OF_TIME | IL_FORCE_FREE)) != 0 ||
        (problem->type->force == NULL && problem->type->force_mean == NULL)) {
        return mean;
    }
    force_at(problem, t0, t1, in->q, w->f);
    force_at(problem, t0, t1, out->q, w->f + d);
    if (memcmp(w->f, w->f + d, d * sizeof *w->f) == 0) {
        return mean;
    }
    for (size_t k = 0; k < d; k++) {
        w->f[k] = 0.5 * (w->f[k] + w->f[d + k]);
    }
    return w->f;
}

/* int <f, u> dt along a motion, by Gauss's rule of eight points on each piece: exact for a force
 * that is constant. */
static double work_along(il_balance *w, double t0, const il_motion *motion) {
    static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    size_t d = w->problem->d;
    double sum = 0.0;
    double a = t0;
    for (size_t j = 0; j < motion->n; j++) {
        double half = 0.5 * (motion->end[j] - a);
        for (int k = 0; k < 8; k++) {
            double t = a + half * (1.0 + (k % 2 == 0 ? at[k / 2] : -at[k / 2]));
            il_motion_eval(motion, t0, j, t, w->q, w->u);
            w->problem->type->force(w->problem, t, w->q, w->f);
            sum += half * weight[k / 2] * il_dot(w->f, w->u, d);
        }
        a = motion->end[j];
    }
    return sum;
}

/* ---- impacts -------------------------------------------------------------------------------- */

/* The law's answer for an impact of contact id, from the node (t, in); false where that has no
 * gradient. */
static bool ask_law(il_balance *w, double t, const il_state *in, size_t id) {
    const il_problem *problem = w->problem;
    size_t d = problem->d;
    il_rows_clear(&w->row);
    if (problem->type->row(problem, t, in->q, id, &w->row) != IL_OK) {
        return false;
    }
    double a = fmin(0.0, w->row.rate[0] + il_rows_dot(&w->row, 0, in->u));
    memset(w->f, 0, d * sizeof *w->f);
    for (size_t k = 0; k < w->row.start[1]; k++) {
        w->f[w->row.col[k]] += w->row.coef[k];
    }
    il_metric_solve(problem->mass, w->f, w->f + d);
    w->W = 0.0;
    for (size_t k = 0; k < d; k++) {
        w->W += w->f[k] * w->f[d + k];
    }
    w->speed = sqrt(il_metric_inner(problem->mass, in->u, in->u));
    w->impulse = 0.0;
    double e = problem->restitution;
    w->due = ((1.0 + e) * a * w->row.rate[0] - 0.5 * (1.0 - e * e) * a * a) / w->W;
    return true;
}

/* A step without contact after an impact that stood alone: B was `before` at its beginning. */
static void close_impact(il_balance *w, double before) {
    il_balance_result *r = &w->result;
    if (w->impulse * sqrt(w->W) <= NOISE * w->speed) {
        return;
    }
    r->events++;
    r->gained_most = il_worse_high(r->gained_most, before - w->from - w->due);
    r->lost_least = il_worse_low(r->lost_least, w->from - before);
}

static void look_for_impacts(il_balance *w, double t0, double h, const il_state *in,
                             const il_step_report *report, double before) {
    size_t active = 0;
    double impulse = 0.0;
    size_t id = 0;
    for (size_t i = 0; i < report->rows->p; i++) {
        if (report->lambda[i] != 0.0) {
            id = report->rows->id[i];
            impulse = h * fabs(report->lambda[i]);
            active++;
        }
    }
    if (active == 0) {
        if (w->steps > 0 && w->steps <= IMPACT_STEPS) {
            close_impact(w, before);
        }
        w->steps = 0;
    } else if (active > 1 || (w->steps > 0 && id != w->id)) {
        w->steps = MANY;
    } else if (w->steps > 0) {
        w->steps += w->steps != MANY;
    } else {
        w->id = id;
        w->from = before;
        w->steps = ask_law(w, t0, in, id) ? 1 : MANY;
    }
    w->impulse += impulse;
}

/* ---- steps ---------------------------------------------------------------------------------- */

void il_balance_step(il_balance *w, double t0, double t1, const il_state *in, const il_state *out,
                     const il_step_report *report, double energy) {
    il_balance_result *r = &w->result;
    if (w->f == NULL) {
        return;
    }
    double work = 0.0;
    double before = r->final;
    if (report->motion != NULL && w->problem->type->force != NULL) {
        work = work_along(w, t0, report->motion);
    } else {
        const double *f = force_of(w, t0, t1, in, out, report->force);
        for (size_t k = 0; k < w->problem->d; k++) {
            work += f[k] * (out->q[k] - in->q[k]);
        }
    }
    il_sum_add(&w->work, work);
    r->final = energy - w->start - il_sum_value(&w->work);
    r->largest = il_worse_high(r->largest, r->final);
    r->largest_step = il_worse_high(r->largest_step, r->final - before);
    if (w->problem->gamma0 == NULL) { /* glue gives energy back */
        look_for_impacts(w, t0, t1 - t0, in, report, before);
    }
}

il_balance_result il_balance_finish(const il_balance *w) {
    il_balance_result r = w->result;
    if (isinf(r.largest)) {
        r.largest = r.largest_step = NAN;
    }
    if (r.events == 0) {
        r.gained_most = r.lost_least = NAN;
    }
    return r;
}

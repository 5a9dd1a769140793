/*
 * step_plan.c - draws studies under one plan after the other, the cheapest first.
 */
#include "harness/study/order/step_plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"
#include "harness/study/order/step_design.h"

static const size_t EACH[] = {2, 3, 4, 6, 8, 12, 16, 24}; /* runs an octave */

/* A few runs may lie on a line by chance, and steps whose impacts fall alike do. What is known
 * before them counts as two runs more: of the orders that scripts/paper.lua judges a quarter has a
 * scatter (il_order.scatter) above 0.3. */
static const double PRIOR_FREEDOM = 2.0;
static const double PRIOR_SCATTER = 0.3;

/* The slowest order of convergence that is expected: 1/2, the slowest that is proved for any scheme
 * here, less the margin of order.h. Drawn orders between it and none are the nearer of the two. */
static const double SLOWEST = 0.4;

enum {
    NEACH = sizeof EACH / sizeof EACH[0],
    PLANS = NEACH * IL_PLAN_OCTAVES_MAX,
    ROOM = 2 * IL_PLAN_RUNS_MAX
};

/* ln e = mean + p (ln h - centre), n runs. */
typedef struct {
    double centre, mean, p, spread, rss; /* spread: sum of (ln h - centre)^2 */
    size_t n;
} line;

typedef struct {
    size_t from, octaves, each;
    double cost; /* steps in all */
} plan;

/* ---- what the runs say ---------------------------------------------------------------------- */

static il_status fit_line(const il_order_data *data, line *out, il_error *err) {
    double sum = 0.0;
    *out = (line){.n = data->n};
    if (data->n < IL_PLAN_RUNS_MIN) {
        return il_fail(err, IL_EINVAL, "%zu runs are too few to plan by; allowed: %d at least",
                       data->n, IL_PLAN_RUNS_MIN);
    }
    for (size_t k = 0; k < data->n; k++) {
        if (!(data->error[k] > 0.0) || !isfinite(data->error[k])) {
            return il_fail(err, IL_EINVAL,
                           "the error of the run with h = %g is %g; a plan needs errors > 0",
                           data->h[k], data->error[k]);
        }
        out->centre += il_log(data->h[k]) / (double)data->n;
        out->mean += il_log(data->error[k]) / (double)data->n;
    }
    for (size_t k = 0; k < data->n; k++) {
        double x = il_log(data->h[k]) - out->centre;
        out->spread += x * x;
        sum += x * (il_log(data->error[k]) - out->mean);
    }
    if (!(out->spread > 0.0)) {
        return il_fail(err, IL_EINVAL, "all runs have one step, h = %g; a plan needs several",
                       data->h[0]);
    }
    out->p = sum / out->spread;
    for (size_t k = 0; k < data->n; k++) {
        double x = il_log(data->h[k]) - out->centre;
        double rest = il_log(data->error[k]) - out->mean - out->p * x;
        out->rss += rest * rest;
    }
    return IL_OK;
}

/* ---- studies that are drawn ----------------------------------------------------------------- */

static bool is_decided(il_verdict verdict) {
    return verdict != IL_ORDER_INCONCLUSIVE;
}

/* One study: the runs of data, and n more with h[data->n ...]. h and error have room for all. */
static il_status draw_study(const il_order_data *data, const il_claim *claim, const line *l,
                            gsl_rng *rng, double *h, double *error, size_t n, bool *decided,
                            il_error *err) {
    il_order order;
    double dof = (double)l->n - 2.0 + PRIOR_FREEDOM;
    double known = l->rss + PRIOR_FREEDOM * PRIOR_SCATTER * PRIOR_SCATTER;
    double sigma = sqrt(known / gsl_ran_chisq(rng, dof));
    double p = l->p + sigma / sqrt(l->spread) * gsl_ran_gaussian(rng, 1.0);
    p = p > 0.0 && p < SLOWEST ? (p < 0.5 * SLOWEST ? 0.0 : SLOWEST) : p;
    double mean = l->mean + sigma / sqrt((double)l->n) * gsl_ran_gaussian(rng, 1.0);
    memcpy(error, data->error, data->n * sizeof *error);
    for (size_t k = data->n; k < data->n + n; k++) {
        double z = gsl_ran_gaussian(rng, 1.0);
        error[k] = il_exp(mean + p * (il_log(h[k]) - l->centre) + sigma * z);
    }
    il_order_data all = *data;
    all.n = data->n + n;
    all.h = h;
    all.error = error;
    all.limit = NULL;
    all.below = NULL;
    il_status status = il_order_fit(&all, 0.95, claim, &order, err);
    *decided = status == IL_OK && is_decided(order.verdict);
    return status;
}

/* How many of IL_PLAN_STUDIES are decided, as far as enough still can be; *share: of those that
 * were drawn. */
static il_status try_norm(const il_order_data *data, const il_claim *claim, const line *l,
                          double *h, double *error, size_t n, size_t *decided, double *share,
                          il_error *err) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_status status = IL_OK;
    *decided = 0;
    for (size_t k = 0; status == IL_OK && k < IL_PLAN_STUDIES; k++) {
        bool good = false;
        if (*decided + IL_PLAN_STUDIES - k < IL_PLAN_DECIDED) {
            break;
        }
        gsl_rng_set(rng, k + 1);
        status = draw_study(data, claim, l, rng, h, error, n, &good, err);
        *decided += good;
        *share = (double)*decided / (double)(k + 1);
    }
    gsl_rng_free(rng);
    return status;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static int by_cost(const void *a, const void *b) {
    const plan *x = a;
    const plan *y = b;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

/* From the coarsest run on, or where an octave has integers enough: 0.7 from, twice the runs. */
static size_t list_plans(size_t coarsest, plan out[PLANS]) {
    size_t n = 0;
    for (size_t octaves = 1; octaves <= IL_PLAN_OCTAVES_MAX; octaves++) {
        for (size_t k = 0; k < NEACH; k++) {
            size_t from = coarsest > 3 * EACH[k] ? coarsest : 3 * EACH[k];
            double cost = (double)(from * EACH[k]) * (il_pow(2.0, (double)octaves) - 1.0);
            if (octaves * EACH[k] <= IL_PLAN_RUNS_MAX) {
                out[n++] = (plan){from, octaves, EACH[k], cost};
            }
        }
    }
    qsort(out, n, sizeof *out, by_cost);
    return n;
}

/* The steps of a plan that no run has yet, into steps; how many. */
static size_t draw_steps(const plan *p, const il_order_data *data, double horizon,
                         double steps[IL_PLAN_RUNS_MAX]) {
    const il_step_design design = {
        .from = p->from, .ratio = 2.0, .count = p->octaves, .jitter = p->each, .seed = 1};
    il_error none = {IL_OK, ""};
    size_t n = 0;
    if (il_step_design_draw(&design, steps, &none) != IL_OK) {
        return 0;
    }
    for (size_t k = 0; k < p->octaves * p->each; k++) {
        bool known = false;
        for (size_t i = 0; i < data->n; i++) {
            known = known || rint(horizon / data->h[i]) == steps[k];
        }
        if (!known) {
            steps[n++] = steps[k];
        }
    }
    return n;
}

/* Does this plan decide every norm? *share: how often the last that was tried. room has ROOM
 * numbers and those of the runs, twice. */
static il_status try_plan(const il_order_data *data, const il_claim *claims, size_t nnorms,
                          const line *lines, const double *steps, size_t n, double horizon,
                          double *room, il_step_plan *out, bool *decides, double *share,
                          il_error *err) {
    size_t given = data->n;
    double *error = room + given + IL_PLAN_RUNS_MAX;
    il_status status = IL_OK;
    *decides = true;
    memcpy(room, data->h, given * sizeof *room);
    for (size_t k = 0; k < n; k++) {
        room[given + k] = horizon / steps[k];
    }
    for (size_t i = 0; status == IL_OK && *decides && i < nnorms; i++) {
        status = try_norm(&data[i], &claims[i], &lines[i], room, error, n, &out->norms[i].decided,
                          share, err);
        *decides = out->norms[i].decided >= IL_PLAN_DECIDED;
    }
    return status;
}

/* The lines and verdicts of the runs that there are; *open: one is not decided. */
static il_status look(const il_order_data *data, const il_claim *claims, size_t nnorms, line *lines,
                      il_step_plan *out, il_error *err) {
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < nnorms; i++) {
        il_order order;
        status = fit_line(&data[i], &lines[i], err);
        status = status == IL_OK ? il_order_fit(&data[i], 0.95, &claims[i], &order, err) : status;
        if (status == IL_OK) {
            double dof = (double)data[i].n - 2.0;
            out->norms[i] = (il_plan_norm){lines[i].p, sqrt(lines[i].rss / dof), order.verdict, 0};
            out->open = out->open || !is_decided(order.verdict);
        }
    }
    return status;
}

static il_status search(const il_order_data *data, const il_claim *claims, size_t nnorms,
                        const line *lines, double horizon, il_step_plan *out, double *room,
                        il_error *err) {
    plan plans[PLANS];
    double coarsest = 0.0;
    il_status status = IL_OK;
    for (size_t k = 0; k < data->n; k++) {
        coarsest = fmax(coarsest, data->h[k]);
    }
    size_t from = (size_t)fmax(1.0, rint(horizon / coarsest));
    size_t n = list_plans(from, plans);
    double least =
        0.0; /* where less than half is decided, plans of nearly the same cost are left out */
    for (size_t k = 0; status == IL_OK && out->open && k < n; k++) {
        bool decides = false;
        double share = 0.0;
        size_t runs = plans[k].cost < least ? 0 : draw_steps(&plans[k], data, horizon, out->steps);
        if (runs > 0) {
            status = try_plan(data, claims, nnorms, lines, out->steps, runs, horizon, room, out,
                              &decides, &share, err);
            least = share < 0.5 ? 1.4 * plans[k].cost : 0.0;
        }
        if (status == IL_OK && decides) {
            out->n = runs;
            out->octaves = plans[k].octaves;
            out->each = plans[k].each;
            out->open = false;
        }
    }
    return status;
}

il_status il_step_plan_make(const il_order_data *data, const il_claim *claims, size_t nnorms,
                            double horizon, il_step_plan *out, il_error *err) {
    line lines[4];
    *out = (il_step_plan){.n = 0};
    il_status status = look(data, claims, nnorms, lines, out, err);
    if (status != IL_OK || !out->open) {
        return status;
    }
    double *room = il_alloc(2 * data->n + ROOM, sizeof *room);
    out->steps = il_alloc(IL_PLAN_RUNS_MAX, sizeof *out->steps);
    status = search(data, claims, nnorms, lines, horizon, out, room, err);
    free(room);
    if (status != IL_OK) {
        free(out->steps);
        out->steps = NULL;
    }
    return status;
}

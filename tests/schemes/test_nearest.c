/*
 * test_nearest.c - is an answer the nearest point? By what is known otherwise: balls rolled along
 * constraints at random; two spheres, whose projection is along the line of centres; four discs,
 * among which points at random are looked at for a nearer one.
 */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/pairs.h"
#include "schemes/scheme.h"
#include "schemes/stepping/true_set.h"
#include "tests/support/contract.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* ---- balls ---------------------------------------------------------------------------------- */

enum { BALLS = 3000, NEWTON = 60 };

/* To which gaps are known: coordinates of order 10, and a few operations. */
static const double ROUNDING = 1e-13;

typedef struct {
    const il_problem *p;
    const double *mass;
    double *q, *x; /* [d] */
    il_rows at_q, at_x;
} ball;

static bool row_at(const ball *b, const double *q, size_t id, il_rows *row) {
    il_rows_clear(row);
    return b->p->type->row(b->p, 0.0, q, id, row) == IL_OK;
}

/* Newton along the gradient, to g = 0. */
static bool to_contact(const ball *b, double *q, size_t id, il_rows *row) {
    for (int n = 0; n < NEWTON; n++) {
        if (!row_at(b, q, id, row)) {
            return false;
        }
        if (fabs(row->value[0]) <= 0.1 * ROUNDING) {
            return true;
        }
        double w = il_rows_norm2(row, 0, b->mass);
        for (size_t e = 0; e < row->nnz; e++) {
            q[row->col[e]] -= row->value[0] * row->coef[e] / (w * b->mass[row->col[e]]);
        }
    }
    return false;
}

/* -2 rho <b, x - q>/(w |x - q|_i^2), less rounding, of a contact and of another point that is
 * allowed, at random; at most 1 where rho is what `rolling` says. -1: there was none. */
static double roll(ball *b, gsl_rng *rng, size_t id) {
    double rho = il_problem_rolling(b->p, 0.0, id);
    double scale = isfinite(rho) ? rho * pow(10.0, -2.0 + 2.5 * gsl_rng_uniform(rng)) : 1.0;
    if (!row_at(b, b->p->q0, id, &b->at_q)) {
        return -1.0;
    }
    memcpy(b->q, b->p->q0, b->p->d * sizeof *b->q);
    for (size_t e = 0; e < b->at_q.nnz; e++) {
        b->q[b->at_q.col[e]] += gsl_ran_gaussian(rng, isfinite(rho) ? 2.0 * rho : 1.0);
    }
    if (!to_contact(b, b->q, id, &b->at_q)) {
        return -1.0;
    }
    memcpy(b->x, b->q, b->p->d * sizeof *b->x);
    for (size_t e = 0; e < b->at_q.nnz; e++) {
        b->x[b->at_q.col[e]] += gsl_ran_gaussian(rng, scale);
    }
    bool touching = gsl_rng_uniform(rng) < 0.5;
    if (touching ? !to_contact(b, b->x, id, &b->at_x)
                 : !row_at(b, b->x, id, &b->at_x) || b->at_x.value[0] < 0.0) {
        return -1.0;
    }
    double along = 0.0;
    double square = 0.0;
    for (size_t e = 0; e < b->at_q.nnz; e++) {
        size_t k = b->at_q.col[e];
        double way = b->x[k] - b->q[k];
        along += b->at_q.coef[e] * way;
        square += b->mass[k] * way * way;
    }
    if (isinf(rho)) {
        return along >= -ROUNDING ? 0.0 : INFINITY;
    }
    return -2.0 * rho * (along + ROUNDING) / (il_rows_norm2(&b->at_q, 0, b->mass) * square);
}

/* The radius of no problem is too large; nor is it one that no ball could have told from a larger
 * one: some come to half of it. */
static void balls_roll_along_constraints(void) {
    static il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t problems = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t v = 0; v < n; v++) {
        il_problem *p = NULL;
        il_params *params = il_contract_params(&list[v]);
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&p, list[v].type, params, 0.0, NULL), IL_OK);
        bool affine = (p->traits & IL_ROWS_AFFINE) != 0;
        CU_ASSERT(affine || p->type->rolling != NULL);
        if (!affine && p->type->rolling != NULL) {
            double *room = malloc(2 * p->d * sizeof *room);
            ball b = {.p = p, .mass = il_metric_masses(p->mass), .q = room, .x = room + p->d};
            il_rows_init(&b.at_q);
            il_rows_init(&b.at_x);
            double most = -1.0;
            for (int k = 0; k < BALLS; k++) {
                most = fmax(most, roll(&b, rng, gsl_rng_uniform_int(rng, p->p)));
            }
            CU_ASSERT(most <= 1.0 + 1e-12); /* a quotient of sums of up to d roundings */
            CU_ASSERT(most >= 0.5);
            problems++;
            il_rows_free(&b.at_q);
            il_rows_free(&b.at_x);
            free(room);
        }
        il_problem_destroy(p);
        il_params_destroy(params);
    }
    CU_ASSERT(problems >= 8); /* so many variants have curved constraints, and more may come */
    gsl_rng_free(rng);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* One step of catching_up from (p->q0, v), into q; q and v [d]. */
// NOLINTNEXTLINE(readability-non-const-parameter): q is written through a state
static double share_of(const il_problem *p, const double *v, double h, double *q) {
    il_scheme_options options = {.projector = il_contract_projector("auto")};
    const il_scheme_type *type = il_contract_scheme("catching_up");
    void *self = NULL;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, p, &options, NULL), IL_OK);
    double *store = malloc(3 * p->d * sizeof *store);
    CU_ASSERT_PTR_NOT_NULL_FATAL(store);
    memcpy(store, p->q0, p->d * sizeof *store);
    memcpy(store + p->d, v, p->d * sizeof *store);
    il_state in = {.q = store, .u = store + p->d};
    il_state out = {.q = q, .u = store + 2 * p->d};
    il_step_report report;
    CU_ASSERT_EQUAL_FATAL(type->step(self, 0.0, h, &in, &out, &report, NULL), IL_OK);
    type->destroy(self);
    free(store);
    return report.share;
}

/* w = q_2 - q_1 is projected along itself: an answer on the side of the prediction w_V is the
 * nearest point, s = 1 - |w_V|/R < 1, one on the other side is not, s = 1 + |w_V|/R. */
static void two_spheres_are_told_apart(void) {
    enum { TRIES = 300, SPACE = 3 };
    static const char *const sets[] = {"q0=0,0,0,1.5,0,0", "masses=1,3", NULL};
    static const double R = 0.9;
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, sets);
    const il_problem *p = made.problem;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int seen[2] = {0, 0};
    for (int k = 0; k < TRIES; k++) {
        double v[2 * SPACE] = {0.0};
        double q[2 * SPACE];
        v[0] = 3.0 * gsl_rng_uniform(rng);
        v[SPACE] = -v[0];
        v[SPACE + 1] = k % 3 == 0 ? 0.0 : gsl_ran_gaussian(rng, 0.3);
        double s = share_of(p, v, 1.0, q);
        double predicted = 0.0;
        double same = 0.0;
        double moved = 0.0;
        for (int c = 0; c < SPACE; c++) {
            double V = p->q0[SPACE + c] + v[SPACE + c] - p->q0[c] - v[c];
            predicted += V * V;
            same += V * (q[SPACE + c] - q[c]);
            moved = fmax(moved, fabs(q[c] - p->q0[c] - v[c]));
        }
        bool pushed = moved > 1e-14; /* else it is the prediction but for its rounding */
        double expected = pushed ? 1.0 - copysign(sqrt(predicted), same) / R : 0.0;
        CU_ASSERT(fabs(s - expected) <= 1e-10 * (1.0 + s)); /* iterated to 1e-12, near s = 1 */
        seen[s > 1.0 ? 1 : 0] += pushed ? 1 : 0;
    }
    CU_ASSERT(seen[0] >= 20); /* of TRIES: both sides were tried */
    CU_ASSERT(seen[1] >= 20);
    gsl_rng_free(rng);
    il_test_problem_free(&made);
}

/* ---- four discs ----------------------------------------------------------------------------- */

enum { DISCS = 4, DIM = 2 * DISCS };

static double far2(const il_problem *p, const double *a, const double *b) {
    double way[DIM];
    for (int k = 0; k < DIM; k++) {
        way[k] = a[k] - b[k];
    }
    return il_metric_inner(p->mass, way, way);
}

/* The least |y - V|_M^2 over allowed points that a walk at random comes to, from V with much noise.
 */
static double nearest_found(const il_problem *p, const double *V, gsl_rng *rng) {
    double y[DIM];
    double best[DIM];
    double least = INFINITY;
    il_rows rows;
    il_rows_init(&rows);
    for (int k = 0; k < 6000; k++) {
        double scale = pow(10.0, -4.0 * gsl_rng_uniform(rng));
        bool anew = isinf(least);
        for (int c = 0; c < DIM; c++) {
            y[c] = (anew ? V[c] : best[c]) + gsl_ran_gaussian(rng, anew ? 1.0 : scale);
        }
        if (far2(p, y, V) < least && il_problem_gap(p, 0.0, y, NULL, &rows) >= 0.0) {
            least = far2(p, y, V);
            memcpy(best, y, sizeof best);
        }
    }
    il_rows_free(&rows);
    return least;
}

/* Discs that fly at each other, by long steps: nobody finds a nearer point where s is at most 1,
 * and where it is not somebody sometimes does. */
static void nobody_is_nearer_below_one(void) {
    enum { TRIES = 120 };
    static const char *const sets[] = {"N=4", "r0=0.5", NULL};
    il_test_problem made = il_test_problem_new("impact", 0.0, sets);
    const il_problem *p = made.problem;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int within = 0;
    int nearer = 0;
    for (int k = 0; k < TRIES; k++) {
        double q[DIM];
        double V[DIM];
        double v[DIM];
        double h = k % 2 == 0 ? 0.2 : 2.0;
        for (int c = 0; c < DIM; c++) {
            v[c] = gsl_ran_gaussian(rng, 1.0);
            V[c] = p->q0[c] + h * v[c];
        }
        double s = share_of(p, v, h, q);
        /* nearer by more than the answer's own tolerance can make it */
        bool found = nearest_found(p, V, rng) < far2(p, q, V) * (1.0 - 1e-9);
        CU_ASSERT(!(s <= 1.0 && found));
        within += s > 0.0 && s <= 1.0 ? 1 : 0;
        nearer += s > 1.0 && found ? 1 : 0;
    }
    CU_ASSERT(within >= 20); /* of TRIES: neither half of the sentence is empty */
    CU_ASSERT(nearer >= 3);
    gsl_rng_free(rng);
    il_test_problem_free(&made);
}

static const il_test tests[] = {{"balls roll along constraints", balls_roll_along_constraints},
                                {"two spheres are told apart", two_spheres_are_told_apart},
                                {"nobody is nearer below one", nobody_is_nearer_below_one},
                                {NULL, NULL}};

const il_suite il_suite_nearest = {"nearest", tests};

/*
 * test_newton.c - the projector newton: down to rounding whatever the configuration, and by how
 * much work.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse/sparse.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* The accuracy that a projection is certified to, in the units of the gaps. Lengths are near 1 and
 * s B x adds six numbers below 10: a thousand roundings. */
static const double PRIMAL = 1e-12;

/* The stationarity residual over the terms that it is made of: sums of at most a dozen and a half
 * of them, each rounded twice. */
static const double STATIONARY = 1e-14;

/* |x - x*|_M^2 <= lambda*' |g error| by convexity: with sum lambda* below 1e4 and gaps to 1e-14 a
 * distance of 1e-5 in the worst case is all that can be promised; what is seen is four orders
 * better, since gaps err at random. A row too many or too few shows at 1e-3. */
static const double NEAR = 1e-8;

/* Two exact methods on problems with d = 60, as in test_projection.c. */
static const double AGREE = 1e-10;

/* Newton has no excuse: primal, dual, stationarity and complementarity, the last as the natural
 * residual, a gap for every row, and the planted point. */
static void solved_to_rounding(const il_planted *w) {
    il_answer s;
    il_answer_solve(&w->qp, "newton", 0.0, &s);
    CU_ASSERT_EQUAL(s.status, IL_OK);
    CU_ASSERT(s.certificate.primal >= -PRIMAL);
    CU_ASSERT(s.certificate.dual >= 0.0);
    CU_ASSERT(s.certificate.relative <= STATIONARY);
    CU_ASSERT(il_answer_residual(&w->qp, s.x, s.lambda) <= PRIMAL);
    CU_ASSERT(il_answer_distance(s.x, w->x, w->d) <= NEAR);
    il_answer_free(&s);
}

static void random_configurations_are_solved_to_rounding(void) {
    enum { TRIALS = 200 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        il_planted w;
        il_recipe r = il_recipe_random(rng, 2 + gsl_rng_uniform_int(rng, 14));
        il_plant(&w, rng, &r);
        solved_to_rounding(&w);
        il_planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* The cases that are hardest to bring to the last digits: all bodies touch, half of the contacts
 * push, and light bodies are squeezed between others a million times as heavy. The light ones'
 * multipliers are then determined by motions of 1e-6 of their own. */
static void contacts_that_do_not_push_between_unequal_masses_are_solved(void) {
    enum { TRIALS = 100 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        il_planted w;
        il_recipe r = il_recipe_random(rng, 8 + gsl_rng_uniform_int(rng, 8));
        r.closed = trial % 2 == 0 ? 1.0 : 0.9;
        r.push = 0.5;
        r.ratio = 1e6;
        il_plant(&w, rng, &r);
        solved_to_rounding(&w);
        il_planted_free(&w);
    }
    gsl_rng_free(rng);
}

static void large_crystals_are_solved_to_rounding(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < 4; trial++) {
        il_planted w;
        il_recipe r = {.side = 44, /* d = 3872 */
                       .jitter = trial < 2 ? 0.0 : 0.3,
                       .closed = trial < 2 ? 1.0 : 0.8,
                       .push = trial % 2 == 0 ? 1.0 : 0.9,
                       .ratio = trial % 2 == 0 ? 2.0 : 1e6,
                       .far = 1.0,
                       .walls = trial != 1};
        il_plant(&w, rng, &r);
        CU_ASSERT(trial >= 2 || w.p > w.d); /* more contacts than unknowns */
        solved_to_rounding(&w);
        il_planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* Targets drawn at random, so that nobody knows the answer but the other method. */
static void newton_agrees_with_the_active_set(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < 40; trial++) {
        il_planted w;
        il_answer s;
        il_answer t;
        il_recipe r = il_recipe_random(rng, 2 + gsl_rng_uniform_int(rng, 5));
        r.ratio = trial % 2 == 0 ? 2.0 : 100.0;
        il_plant(&w, rng, &r);
        for (size_t k = 0; k < w.d; k++) {
            w.target[k] = il_uniform(rng, -2.0, 2.0);
        }
        il_answer_solve(&w.qp, "newton", 0.0, &s);
        il_answer_solve(&w.qp, "active_set", 0.0, &t);
        CU_ASSERT_EQUAL(s.status, IL_OK);
        CU_ASSERT_EQUAL(t.status, IL_OK);
        CU_ASSERT(il_answer_distance(s.x, t.x, w.d) <= AGREE);
        il_answer_free(&s);
        il_answer_free(&t);
        il_planted_free(&w);
    }
    gsl_rng_free(rng);
}

/* ---- how Newton steps are made from a guess -------------------------------------------------- */

/* Problems of independent parts, M = 1, s = 1, with the gaps at x = 0 as the rows' values. Row 0
 * pushes with a multiplier of 1, and that is the guess: a solution but for the few rows of the
 * other parts. An iteration is a factorisation. */
enum { PARTS_D = 1024 };

typedef struct {
    il_rows rows;
    size_t d;
    double target[PARTS_D], mass[PARTS_D];
    il_metric *metric;
    il_qp qp;
    il_answer answer;
} parts;

static size_t add_coordinate(parts *w, double target) {
    CU_ASSERT_FATAL(w->d < PARTS_D);
    w->target[w->d] = target;
    w->mass[w->d] = 1.0;
    return w->d++;
}

static void add_gap(parts *w, double a, size_t n, const size_t *col, const double *coef) {
    il_rows_append(&w->rows, w->rows.p, a, 0.0, n, col, coef);
}

/* n coordinates that one row ties together: sum x_k >= 0, pressed by a target of -1 each. Their
 * front is full: n^2 numbers, n^3/6 multiplications. */
static void add_block(parts *w, size_t n) {
    size_t col[PARTS_D];
    double coef[PARTS_D];
    for (size_t k = 0; k < n; k++) {
        coef[k] = 1.0;
        col[k] = add_coordinate(w, -1.0);
    }
    add_gap(w, 0.0, n, col, coef);
}

/* Rows that nothing comes near: what is few is counted as a part of all. */
static void add_far(parts *w, size_t n) {
    size_t col = add_coordinate(w, 0.0);
    double coef = 1.0;
    for (size_t k = 0; k < n; k++) {
        add_gap(w, 1.0, 1, &col, &coef);
    }
}

static parts *parts_new(void) {
    parts *w = calloc(1, sizeof *w);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    il_rows_init(&w->rows);
    return w;
}

static void parts_free(parts *w) {
    il_answer_free(&w->answer);
    il_metric_destroy(w->metric);
    il_rows_free(&w->rows);
    free(w);
}

/* Solve from a guess for row 0, to a residual; the answer must be right whatever it took. Returns
 * the factorisations. */
static size_t factorisations_from(parts *w, double guess, double tolerance) {
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w->metric, w->d, w->mass, NULL), IL_OK);
    w->qp = (il_qp){.d = w->d,
                    .mass = w->metric,
                    .target = w->target,
                    .rows = &w->rows,
                    .a = w->rows.value,
                    .scale = 1.0};
    il_answer *s = &w->answer;
    void *self =
        il_answer_begin("newton", (il_projector_options){.tolerance = tolerance}, &w->qp, s);
    s->lambda[0] = guess;
    CU_ASSERT_EQUAL(il_answer_type("newton")->solve(self, &w->qp, s->x, s->lambda, &s->info),
                    IL_OK);
    il_answer_end("newton", self, &w->qp, s);
    CU_ASSERT(s->certificate.relative <= STATIONARY);
    CU_ASSERT(il_answer_residual(&w->qp, s->x, s->lambda) <= fmax(PRIMAL, tolerance));
    return s->info.iterations;
}

static size_t factorisations(parts *w) {
    return factorisations_from(w, 1.0, 0.0);
}

/* Three rows over three coordinates for which full Newton steps run in a circle. With gaps
 * q = (-1, 5, -3) at the target and W = B B' = (14 -7 13; -7 14 -11; 13 -11 14), the multipliers
 * that close the gaps of an active set and the gaps that this leaves tell the next set:
 *
 *     {} -> {0, 2} -> {1, 2} -> {},   two or three rows each time, which is few.
 *
 * The answer is x = (3/14) b_2: the gaps of the others are then 25/14 and 37/14. Sets that do not
 * cycle take one factorisation for so few rows; more tell that another method took over. */
static void full_steps_that_cycle_are_given_up(void) {
    enum { ONE = 1, ENOUGH = 20 }; /* ENOUGH: with the other method */
    static const double B[3][3] = {{3.0, 2.0, 1.0}, {-2.0, 1.0, -3.0}, {3.0, 1.0, 2.0}};
    static const double q[3] = {-1.0, 5.0, -3.0};
    parts *w = parts_new();
    add_block(w, 1);
    size_t col[3] = {add_coordinate(w, 0.0), add_coordinate(w, 0.0), add_coordinate(w, 0.0)};
    for (size_t i = 0; i < 3; i++) {
        add_gap(w, q[i], 3, col, B[i]);
    }
    add_far(w, 400);
    size_t made = factorisations(w);
    CU_ASSERT(made > ONE);
    CU_ASSERT(made <= ENOUGH);
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT(fabs(w->answer.x[col[k]] - 3.0 / 14.0 * B[2][k]) <= PRIMAL);
    }
    parts_free(w);
}

/* The same without the second of the three rows: {} -> {0, 2} -> {2}, one factorisation. */
static void few_rows_come_and_go_with_one_factor(void) {
    static const double B[2][3] = {{3.0, 2.0, 1.0}, {3.0, 1.0, 2.0}};
    static const double q[2] = {-1.0, -3.0};
    parts *w = parts_new();
    add_block(w, 1);
    size_t col[3] = {add_coordinate(w, 0.0), add_coordinate(w, 0.0), add_coordinate(w, 0.0)};
    for (size_t i = 0; i < 2; i++) {
        add_gap(w, q[i], 3, col, B[i]);
    }
    add_far(w, 400);
    CU_ASSERT_EQUAL(factorisations(w), 1);
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT(fabs(w->answer.x[col[k]] - 3.0 / 14.0 * B[1][k]) <= PRIMAL);
    }
    parts_free(w);
}

/* Two rows that contradict each other, x >= 1 and x <= 0, however the guess satisfies the rest. */
static void no_guess_hides_a_contradiction(void) {
    static const double sign[2] = {1.0, -1.0};
    static const double gap[2] = {-1.0, 0.0};
    for (size_t known = 0; known <= 2; known++) { /* of the two, so many are in the guess */
        parts *w = parts_new();
        add_block(w, 80);
        size_t col = add_coordinate(w, 0.0);
        for (size_t i = 0; i < 2; i++) {
            add_gap(w, gap[i], 1, &col, &sign[i]);
        }
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w->metric, w->d, w->mass, NULL), IL_OK);
        w->qp = (il_qp){w->d, w->metric, w->target, &w->rows, w->rows.value, 1.0};
        il_answer *s = &w->answer;
        void *self = il_answer_begin("newton", (il_projector_options){0}, &w->qp, s);
        for (size_t i = 0; i <= known; i++) {
            s->lambda[i] = 1.0;
        }
        CU_ASSERT_EQUAL(il_answer_type("newton")->solve(self, &w->qp, s->x, s->lambda, &s->info),
                        IL_EINFEASIBLE);
        il_answer_end("newton", self, &w->qp, s);
        parts_free(w);
    }
}

/* A step after the other: the target of a planted problem moves by `way`, and the multipliers of
 * the answer before are the guess, for an answer or, where `rough`, for one that may be inexact.
 * The active set, which takes no guess, is the judge. Adds up factorisations from the guess and
 * from none. */
static void step_on(il_planted *w, gsl_rng *rng, double way, bool rough, size_t *warm,
                    size_t *cold) {
    il_answer before;
    il_answer s;
    il_answer none;
    il_answer judge;
    const il_projector_type *newton = il_answer_type("newton");
    il_answer_solve(&w->qp, "newton", 0.0, &before);
    for (size_t k = 0; k < w->d; k++) {
        w->target[k] += il_uniform(rng, -way, way);
    }
    void *self = il_answer_begin("newton", (il_projector_options){0}, &w->qp, &s);
    memcpy(s.lambda, before.lambda, w->p * sizeof *s.lambda);
    s.status = rough ? newton->approximate(self, &w->qp, 0.1 * way, s.x, s.lambda, &s.info)
                     : newton->solve(self, &w->qp, s.x, s.lambda, &s.info);
    il_answer_end("newton", self, &w->qp, &s);
    il_answer_solve(&w->qp, "newton", 0.0, &none);
    il_answer_solve(&w->qp, "active_set", 0.0, &judge);
    CU_ASSERT_EQUAL(s.status, IL_OK);
    CU_ASSERT_EQUAL(judge.status, IL_OK);
    CU_ASSERT(rough || !s.info.inexact);
    if (!s.info.inexact) {
        CU_ASSERT(il_answer_residual(&w->qp, s.x, s.lambda) <= PRIMAL);
        CU_ASSERT(s.certificate.relative <= STATIONARY);
        CU_ASSERT(il_answer_distance(s.x, judge.x, w->d) <= AGREE);
    }
    *warm += s.info.factorisations;
    *cold += none.info.factorisations;
    il_answer_free(&before);
    il_answer_free(&s);
    il_answer_free(&none);
    il_answer_free(&judge);
}

/* Every other problem has rows twice, which no multipliers tell apart. From a guess a projection is
 * to take at most half of the factorisations that it takes from none, where the step is short, and
 * no more where it is long. */
static void the_rows_of_the_step_before_lead_on(void) {
    enum { TRIALS = 40, SHORT = 2, HALF = 2 };
    static const double ways[] = {1e-8, 1e-4, 0.1};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        size_t warm = 0;
        size_t cold = 0;
        for (size_t trial = 0; trial < TRIALS; trial++) {
            il_planted w;
            il_recipe r = il_recipe_random(rng, 4 + gsl_rng_uniform_int(rng, 3));
            r.ratio = 2.0;
            r.duplicates = trial % 2 == 0;
            il_plant(&w, rng, &r);
            step_on(&w, rng, ways[k], trial % 4 == 3, &warm, &cold);
            il_planted_free(&w);
        }
        CU_ASSERT((k < SHORT ? HALF : 1) * warm <= cold);
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"random configurations are solved to rounding", random_configurations_are_solved_to_rounding},
    {"contacts that do not push between unequal masses are solved",
     contacts_that_do_not_push_between_unequal_masses_are_solved},
    {"large crystals are solved to rounding", large_crystals_are_solved_to_rounding},
    {"newton agrees with the active set", newton_agrees_with_the_active_set},
    {"full steps that cycle are given up", full_steps_that_cycle_are_given_up},
    {"few rows come and go with one factor", few_rows_come_and_go_with_one_factor},
    {"no guess hides a contradiction", no_guess_hides_a_contradiction},
    {"the rows of the step before lead on", the_rows_of_the_step_before_lead_on},
    {NULL, NULL}};

const il_suite il_suite_newton = {"newton", tests};

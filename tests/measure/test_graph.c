/*
 * test_graph.c - Hausdorff distances of filled-in graphs against linear programming, brute force
 * and closed forms.
 */
#include <glpk.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/graph.h"
#include "tests/support/jump.h"
#include "tests/support/suite.h"

enum { CASES = 200, STEPS = 3, PIECES = 2, LINES_MAX = 16, SEGMENTS_MAX = 8, SAMPLES = 400 };

static const double AGREE = 1e-10;     /* what the programme is asked to agree to */
static const double PRECISION = 1e-12; /* what graph.h promises */

/* A velocity that is affine on PIECES pieces of [0,1] and jumps between. */
typedef struct {
    size_t d;
    double breaks[PIECES + 1];
    double u[PIECES][2][3];
} affine;

static void affine_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const affine *w = exact->data;
    size_t k = t > w->breaks[1] || (t == w->breaks[1] && side > 0) ? 1 : 0;
    double s = (t - w->breaks[k]) / (w->breaks[k + 1] - w->breaks[k]);
    for (size_t i = 0; i < w->d; i++) {
        q[i] = 0.0;
        u[i] = w->u[k][0][i] + s * (w->u[k][1][i] - w->u[k][0][i]);
    }
}

static il_exact affine_exact(const affine *w) {
    return (il_exact){.name = "affine",
                      .origin = "closed form",
                      .quadratic = true,
                      .nbreaks = PIECES + 1,
                      .breaks = w->breaks,
                      .eval = affine_eval,
                      .data = w};
}

/* A random pair: u_h on STEPS steps of [0,1] and an affine velocity, both of size one. */
static void random_pair(gsl_rng *rng, size_t d, il_graph *run, il_graph *exact) {
    affine w = {.d = d, .breaks = {0.0, 0.2 + 0.6 * gsl_rng_uniform(rng), 1.0}};
    il_trajectory t = {0};
    double q[3] = {0.0};
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&t, d, STEPS + 1, NULL), IL_OK);
    for (size_t n = 0; n <= STEPS; n++) {
        double u[3];
        for (size_t i = 0; i < d; i++) {
            u[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        CU_ASSERT_EQUAL(il_trajectory_add(&t, (double)n / STEPS, q, u), IL_OK);
    }
    for (size_t k = 0; k < (size_t)PIECES * 2 * 3; k++) {
        w.u[k / 6][k / 3 % 2][k % 3] = 2.0 * gsl_rng_uniform(rng) - 1.0;
    }
    il_exact reference = affine_exact(&w);
    CU_ASSERT_EQUAL_FATAL(il_graph_of_run(run, &t, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_graph_of_exact(exact, &reference, d, 1.0, NULL), IL_OK);
    il_trajectory_free(&t);
}

static double distance(const il_graph *a, const il_graph *b, double tau, double V) {
    double value = NAN;
    CU_ASSERT_EQUAL(il_graph_distance(a, b, tau, V, &value, NULL, NULL), IL_OK);
    return value;
}

/* ---- linear programming --------------------------------------------------------------------- */

/* c + slope theta */
typedef struct {
    double c, slope;
} line;

/* The distance of x(theta) = p + theta (q - p) from the segment a b, min over s in [0,1] of
 *
 *     max ( +-(x_t - a_t - s (b_t - a_t))/tau, +-(x_u - a_u - s (b_u - a_u))/V ),
 *
 * is the value of a linear programme in (z,s). With s eliminated (Fourier, Motzkin) it is the
 * largest of a few lines in theta; these. */
static int eliminate(const double *p, const double *q, const double *a, const double *b,
                     const double *scale, line *out) {
    line row[4]; /* z >= row - rate s */
    double rate[4];
    for (int k = 0; k < 4; k++) {
        int c = k / 2;
        double sign = (k % 2 == 0 ? 1.0 : -1.0) / scale[c];
        row[k] = (line){sign * (p[c] - a[c]), sign * (q[c] - p[c])};
        rate[k] = sign * (b[c] - a[c]);
    }
    int n = 0;
    for (int k = 0; k < 4; k++) { /* against s >= 0 and s <= 1 */
        double at = fmax(0.0, rate[k]);
        out[n++] = (line){row[k].c - at, row[k].slope};
        for (int j = 0; j < 4; j++) {
            if (rate[k] > 0.0 && rate[j] < 0.0) {
                double sum = rate[k] - rate[j];
                out[n++] = (line){(rate[k] * row[j].c - rate[j] * row[k].c) / sum,
                                  (rate[k] * row[j].slope - rate[j] * row[k].slope) / sum};
            }
        }
    }
    return n;
}

typedef struct {
    line l[SEGMENTS_MAX][LINES_MAX];
    int n[SEGMENTS_MAX];
    int segments;
} maximin;

/* max z subject to z <= l_{b,choice(b)}(theta), 0 <= theta <= 1. */
static double chosen(const maximin *w, const int *choice) {
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_cols(lp, 2);
    glp_set_col_bnds(lp, 1, GLP_FR, 0.0, 0.0);
    glp_set_col_bnds(lp, 2, GLP_DB, 0.0, 1.0);
    glp_set_obj_coef(lp, 1, 1.0);
    for (int b = 0; b < w->segments; b++) {
        const line *l = &w->l[b][choice[b]];
        int row = glp_add_rows(lp, 1);
        glp_set_row_bnds(lp, row, GLP_UP, 0.0, l->c);
        glp_set_mat_row(lp, row, 2, (const int[]){0, 1, 2}, (const double[]){0.0, 1.0, -l->slope});
    }
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.tol_bnd = options.tol_dj = 1e-12;
    CU_ASSERT_EQUAL(glp_simplex(lp, &options), 0);
    double value = glp_get_obj_val(lp);
    glp_delete_prob(lp);
    return value;
}

/* max over theta of min over b of max over lines: z <= l + BIG (1 - y), one y of each b is 1. All
 * numbers are below BIG/2. The choice is the solver's, the value then a programme without integers.
 */
static double solve_maximin(const maximin *w) {
    static const double BIG = 32.0;
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_cols(lp, 2);
    glp_set_col_bnds(lp, 1, GLP_DB, 0.0, BIG);
    glp_set_col_bnds(lp, 2, GLP_DB, 0.0, 1.0);
    glp_set_obj_coef(lp, 1, 1.0);
    for (int b = 0; b < w->segments; b++) {
        int one = glp_add_rows(lp, 1);
        glp_set_row_bnds(lp, one, GLP_FX, 1.0, 1.0);
        int first = glp_add_cols(lp, w->n[b]);
        int index[LINES_MAX + 1];
        double unit[LINES_MAX + 1];
        for (int k = 0; k < w->n[b]; k++) {
            const line *l = &w->l[b][k];
            glp_set_col_kind(lp, first + k, GLP_BV);
            int row = glp_add_rows(lp, 1);
            glp_set_row_bnds(lp, row, GLP_UP, 0.0, l->c + BIG);
            glp_set_mat_row(lp, row, 3, (const int[]){0, 1, 2, first + k},
                            (const double[]){0.0, 1.0, -l->slope, BIG});
            index[k + 1] = first + k;
            unit[k + 1] = 1.0;
        }
        glp_set_mat_row(lp, one, w->n[b], index, unit);
    }
    glp_iocp options;
    glp_init_iocp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.presolve = GLP_ON;
    options.tol_int = 1e-9;
    options.tol_obj = 1e-12;
    CU_ASSERT_EQUAL(glp_intopt(lp, &options), 0);
    CU_ASSERT_EQUAL(glp_mip_status(lp), GLP_OPT);
    int choice[SEGMENTS_MAX] = {0};
    for (int b = 0, column = 3; b < w->segments; b++) {
        for (int k = 0; k < w->n[b]; k++, column++) {
            choice[b] = glp_mip_col_val(lp, column) > 0.5 ? k : choice[b];
        }
    }
    glp_delete_prob(lp);
    return chosen(w, choice);
}

static double directed_by_programme(const il_graph *a, const il_graph *b, const double *scale) {
    double most = 0.0;
    for (size_t i = 0; i + 1 < a->n; i++) {
        maximin w = {.segments = (int)b->n - 1};
        for (size_t j = 0; j + 1 < b->n; j++) {
            w.n[j] = eliminate(a->p + 2 * i, a->p + 2 * (i + 1), b->p + 2 * j, b->p + 2 * (j + 1),
                               scale, w.l[j]);
        }
        most = fmax(most, solve_maximin(&w));
    }
    return most;
}

static void distances_agree_with_linear_programming(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    glp_term_out(GLP_OFF);
    int seen = 0;
    for (int trial = 0; trial < CASES; trial++) {
        const double scale[2] = {0.25 + gsl_rng_uniform(rng), 0.25 + gsl_rng_uniform(rng)};
        il_graph a = {0};
        il_graph b = {0};
        random_pair(rng, 1, &a, &b);
        CU_ASSERT_FATAL(a.n - 1 <= SEGMENTS_MAX && b.n - 1 <= SEGMENTS_MAX);
        double expected =
            fmax(directed_by_programme(&a, &b, scale), directed_by_programme(&b, &a, scale));
        CU_ASSERT(fabs(distance(&a, &b, scale[0], scale[1]) - expected) <= AGREE);
        seen += fabs(distance(&a, &b, scale[0], 1.1 * scale[1]) - expected) > 1e-4;
        il_graph_free(&a);
        il_graph_free(&b);
    }
    CU_ASSERT(seen > CASES / 2); /* the planted mistake, another V, is caught */
    glp_term_out(GLP_ON);
    gsl_rng_free(rng);
}

/* ---- brute force in three coordinates ------------------------------------------------------- */

/* max(|t|/tau, |u|/V) between x and the point s of a b. */
static double apart(const double *x, const double *a, const double *b, double s, double tau,
                    double V) {
    double sum = 0.0;
    for (int k = 1; k < 4; k++) {
        double off = x[k] - a[k] - s * (b[k] - a[k]);
        sum += off * off;
    }
    return fmax(fabs(x[0] - a[0] - s * (b[0] - a[0])) / tau, sqrt(sum) / V);
}

/* Convex in s: ternary search. Its floor, where the maximum's kink is flat to rounding, is 1e-8
 * squared at most. */
static double to_segment(const double *x, const double *a, const double *b, double tau, double V) {
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 80; i++) {
        double third = (high - low) / 3.0;
        if (apart(x, a, b, low + third, tau, V) < apart(x, a, b, high - third, tau, V)) {
            high -= third;
        } else {
            low += third;
        }
    }
    return apart(x, a, b, 0.5 * (low + high), tau, V);
}

/* sup over sampled points of a, and in *cell the most that lies between neighbours. */
static double sampled(const il_graph *a, const il_graph *b, double tau, double V, double *cell) {
    double most = 0.0;
    for (size_t i = 0; i + 1 < a->n; i++) {
        const double *p = a->p + 4 * i;
        *cell = fmax(*cell, apart(p, p + 4, p + 4, 0.0, tau, V) / SAMPLES);
        for (int k = 0; k <= SAMPLES; k++) {
            double x[4];
            for (int c = 0; c < 4; c++) {
                x[c] = p[c] + (double)k / SAMPLES * (p[4 + c] - p[c]);
            }
            double least = INFINITY;
            for (size_t j = 0; j + 1 < b->n; j++) {
                least = fmin(least, to_segment(x, b->p + 4 * j, b->p + 4 * (j + 1), tau, V));
            }
            most = fmax(most, least);
        }
    }
    return most;
}

/* The distance is Lipschitz with constant one: the sup is within half a cell of the samples'. */
static void distances_in_space_agree_with_brute_force(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 12; trial++) {
        double tau = 0.25 + gsl_rng_uniform(rng);
        double V = 0.25 + gsl_rng_uniform(rng);
        il_graph a = {0};
        il_graph b = {0};
        random_pair(rng, 3, &a, &b);
        double cell = 0.0;
        double brute = fmax(sampled(&a, &b, tau, V, &cell), sampled(&b, &a, tau, V, &cell));
        double ours = distance(&a, &b, tau, V);
        CU_ASSERT(ours >= brute - 1e-10 && ours <= brute + 0.5 * cell + 1e-10);
        il_graph_free(&a);
        il_graph_free(&b);
    }
    gsl_rng_free(rng);
}

/* ---- closed forms --------------------------------------------------------------------------- */

/* A jump that comes dt late: dt/tau, while that is less than the jump itself. */
static void a_late_jump_costs_its_delay(void) {
    il_graph early = il_jump_graph(100, 0.5);
    il_graph late = il_jump_graph(100, 0.6);
    CU_ASSERT(fabs(distance(&early, &late, 1.0, 1.0) - 0.1) <= PRECISION);
    CU_ASSERT(fabs(distance(&early, &late, 2.0, 1.0) - 0.05) <= PRECISION);
    CU_ASSERT(fabs(distance(&early, &late, 0.01, 1.0) - 1.0) <= PRECISION);
    CU_ASSERT(distance(&early, &early, 1.0, 1.0) <= PRECISION);
    CU_ASSERT(il_graph_variation(&early) == 1.0 && il_graph_sup(&early) == 1.0);
    il_graph_free(&early);
    il_graph_free(&late);
}

/* At t = 2 the velocity jumps on from the end of the segment (1; 3,4) (2; 1,2) to (2; 1,4). Of the
 * segment (1.5; 2,3) is nearest: in t by 1/2, in u by the root of 2, which is least there. Nowhere
 * are both the same. */
static void the_nearer_in_u_decides_where_the_delay_is_less(void) {
    double longer[] = {1.0, 3.0, 4.0, 2.0, 1.0, 2.0, 2.0, 1.0, 4.0};
    const il_graph a = {.d = 2, .n = 3, .p = longer};
    const il_graph b = {.d = 2, .n = 2, .p = longer};
    CU_ASSERT(fabs(distance(&a, &b, 1.0, 1.0) - sqrt(2.0)) <= PRECISION);
}

static void sine_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    (void)exact;
    (void)side;
    q[0] = 1.0 - cos(t);
    u[0] = sin(t);
}

/* A smooth reference on [0, pi/2]: u = 0 there is 1 away from its top. Total variation 1, sup 1;
 * chords are right to 1e-9. */
static void smooth_references_are_traced(void) {
    const double end = asin(1.0);
    const double breaks[2] = {0.0, end};
    const il_exact sine = {
        .name = "sine", .origin = "closed form", .nbreaks = 2, .breaks = breaks, .eval = sine_eval};
    il_graph g = {0};
    CU_ASSERT_EQUAL_FATAL(il_graph_of_exact(&g, &sine, 1, end, NULL), IL_OK);
    CU_ASSERT(fabs(il_graph_variation(&g) - 1.0) <= 1e-9);
    CU_ASSERT(fabs(il_graph_sup(&g) - 1.0) <= 1e-9);
    CU_ASSERT(g.n < 40000);
    double level[4] = {0.0, 0.0, end, 0.0};
    il_graph rest = {.d = 1, .n = 2, .room = 2, .p = level};
    CU_ASSERT(fabs(distance(&g, &rest, 100.0, 1.0) - 1.0) <= 2e-9);
    for (size_t k = 0; k + 1 < g.n; k++) { /* the middles of chords */
        double t = 0.5 * (g.p[2 * k] + g.p[2 * k + 2]);
        CU_ASSERT(fabs(0.5 * (g.p[2 * k + 1] + g.p[2 * k + 3]) - sin(t)) <= 1e-9);
    }
    il_graph_free(&g);
}

/* Long runs, one that stays near and one that has nothing to do with the other: some n log n box
 * distances, far from n^2 = 10^10. */
static void long_runs_take_no_square(void) {
    enum { LONG = 100000 };
    il_graph near = il_jump_graph(LONG, 0.5);
    il_graph far = {.d = 1, .room = 2 * LONG};
    far.p = malloc(2 * far.room * sizeof *far.p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(far.p);
    for (size_t k = 0; k < 2 * (size_t)LONG; k++) {
        size_t node = (k + 1) / 2;
        size_t step = k / 2;
        far.p[2 * k] = (double)node / LONG;
        far.p[2 * k + 1] = 3.0 + sin((double)step * 1e3);
        far.n = k + 1;
    }
    double value = NAN;
    size_t looks = 0;
    CU_ASSERT_EQUAL(il_graph_distance(&near, &far, 1.0, 1.0, &value, &looks, NULL), IL_OK);
    CU_ASSERT(looks <= 10 * LONG);
    /* the other's top is at 4, and at no time farther than tau from u = 1; 10^5 phases of the sine
     * miss its top by some (pi/10^5)^2 */
    CU_ASSERT(fabs(value - 3.0) <= 1e-6);
    il_graph_free(&near);
    il_graph_free(&far);
}

static void bad_input_is_refused(void) {
    il_error err = {IL_OK, ""};
    il_graph a = il_jump_graph(4, 0.5);
    double p[4] = {0.0, NAN, 1.0, 0.0};
    il_graph lost = {.d = 1, .n = 2, .room = 2, .p = p};
    double value = 0.0;
    CU_ASSERT_EQUAL(il_graph_distance(&a, &a, 0.0, 1.0, &value, NULL, &err), IL_EINVAL);
    CU_ASSERT(strstr(err.message, "tau = 0") != NULL && isnan(value));
    CU_ASSERT(isnan(distance(&a, &lost, 1.0, 1.0)) && isnan(il_graph_sup(&lost)));
    double wide[6] = {0.0};
    il_graph other = {.d = 2, .n = 2, .room = 2, .p = wide};
    il_graph point = {.d = a.d, .n = 1, .room = 1, .p = p};
    CU_ASSERT_EQUAL(il_graph_distance(&a, &other, 1.0, 1.0, &value, NULL, &err), IL_EINVAL);
    CU_ASSERT_EQUAL(il_graph_distance(&a, &point, 1.0, 1.0, &value, NULL, &err), IL_EINVAL);
    CU_ASSERT_EQUAL(il_graph_distance(&point, &a, 1.0, 1.0, &value, NULL, &err), IL_EINVAL);
    il_trajectory none = {0};
    il_graph g;
    CU_ASSERT_EQUAL(il_graph_of_run(&g, &none, &err), IL_EINVAL);
    il_graph_free(&a);
}

static void wild_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    (void)exact;
    (void)side;
    q[0] = t;
    u[0] = t == 0.0 ? 0.0 : sin(1e12 * t);
}

/* 10^12 radians: no number of points that a machine holds traces them. */
static void endless_oscillations_are_refused(void) {
    const double breaks[2] = {0.0, 1.0};
    const il_exact wild = {
        .name = "wild", .origin = "closed form", .nbreaks = 2, .breaks = breaks, .eval = wild_eval};
    il_graph g = {0};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_graph_of_exact(&g, &wild, 1, 1.0, &err), IL_ESTALLED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "'wild' is not resolved by"));
    CU_ASSERT_PTR_NULL(g.p);
}

static const il_test tests[] = {
    {"distances agree with linear programming on 200 random cases",
     distances_agree_with_linear_programming},
    {"distances in space agree with brute force", distances_in_space_agree_with_brute_force},
    {"a late jump costs its delay", a_late_jump_costs_its_delay},
    {"the nearer in u decides where the delay is less",
     the_nearer_in_u_decides_where_the_delay_is_less},
    {"smooth references are traced", smooth_references_are_traced},
    {"endless oscillations are refused", endless_oscillations_are_refused},
    {"long runs take no square of their length", long_runs_take_no_square},
    {"bad input is refused, a NaN stays one", bad_input_is_refused},
    {NULL, NULL}};

const il_suite il_suite_graph = {"graph", tests};

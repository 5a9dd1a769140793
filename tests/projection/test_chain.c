/*
 * test_chain.c - bodies in a row on a line, which pool-adjacent-violators solves.
 */
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "tests/support/kkt.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

/* Bodies in a row: the rows that pool-adjacent-violators knows. Gaps a of any sign. */
static void chains_are_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 200; trial++) {
        il_kkt w;
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = 2 + gsl_rng_uniform_int(rng, 12);
        w.metric = il_kkt_metric(rng, w.d, false, 100.0);
        double slack[IL_KKT_P_MAX];
        double at = 0.0;
        for (size_t k = 0; k < w.d; k++) {
            w.x[k] = at;
            at += il_uniform(rng, -0.5, 1.0);
        }
        for (size_t k = 0; k + 1 < w.d; k++) {
            if (gsl_rng_uniform(rng) < 0.2) {
                continue; /* a chain in several parts */
            }
            double c = il_uniform(rng, 0.5, 2.0);
            size_t col[2] = {k, k + 1};
            double coef[2] = {-c, c};
            il_rows_append(&w.rows, k, 0.0, 0.0, 2, col, coef);
            bool pushes = gsl_rng_uniform(rng) < 0.6;
            w.lambda[w.p] = pushes ? il_uniform(rng, 0.1, 2.0) : 0.0;
            slack[w.p++] = pushes ? 0.0 : il_uniform(rng, 0.01, 1.0);
        }
        il_kkt_plant(&w, il_uniform(rng, 0.1, 2.0), slack);
        void *chain = NULL;
        il_projector_options options = {.tolerance = 0.0};
        CU_ASSERT_EQUAL_FATAL(il_answer_type("chain")->create(&chain, &options, NULL), IL_OK);
        CU_ASSERT_PTR_NULL(il_answer_type("chain")->refuses(chain, &w.qp));
        il_answer_type("chain")->destroy(chain);
        for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
            (void)il_kkt_check(&w, il_projector_type_at(k));
        }
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* A row that closes up: each body is left of one and right of one, which `chain` admits until it
 * finds no end to begin with. Then `auto` asks another, who depends on the number of bodies. */
static void rings_are_solved(void) {
    static const size_t bodies[] = {2, 3, 7, IL_KKT_D_MAX};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t n = 0; n < sizeof bodies / sizeof bodies[0]; n++) {
        il_kkt w;
        double slack[IL_KKT_P_MAX];
        memset(&w, 0, sizeof w);
        il_rows_init(&w.rows);
        w.d = bodies[n];
        w.metric = il_kkt_metric(rng, w.d, false, 10.0);
        for (size_t k = 0; k < w.d; k++) {
            bool last = k + 1 == w.d;
            size_t col[2] = {last ? 0 : k, last ? k : k + 1};
            double coef[2] = {last ? 1.0 : -1.0, last ? -1.0 : 1.0};
            il_rows_append(&w.rows, k, 0.0, 0.0, 2, col, coef);
            bool pushes = k % 2 == 0 && !last;
            w.x[k] = il_uniform(rng, -1.0, 1.0);
            w.lambda[w.p] = pushes ? il_uniform(rng, 0.1, 2.0) : 0.0;
            slack[w.p++] = pushes ? 0.0 : il_uniform(rng, 0.01, 1.0);
        }
        il_kkt_plant(&w, 1.0, slack);
        (void)il_kkt_check(&w, il_answer_type("auto"));
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* x_1 + x_2, and what has three ends, is no link of a chain, wherever zeros stand. */
static void what_is_no_link_is_refused_by_chains(void) {
    static const double coef[][3] = {{1.0, 1.0, 0.0},   {0.0, 1.0, 1.0},  {1.0, 0.0, 1.0},
                                     {-1.0, -1.0, 0.0}, {1.0, -1.0, 1.0}, {-1.0, 2.0, -1.0},
                                     {-1.0, 0.0, 1.0},  {1.0, -1.0, 0.0}, {0.0, -1.0, 1.0}};
    const double m[] = {1.0, 1.0, 1.0};
    const double zero[] = {0.0, 0.0, 0.0};
    il_metric *mass = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&mass, 3, m, NULL), IL_OK);
    for (size_t k = 0; k < sizeof coef / sizeof coef[0]; k++) {
        il_projector_options options = {.tolerance = 0.0};
        void *chain = NULL;
        il_rows rows;
        il_rows_init(&rows);
        il_rows_append(&rows, 0, 0.0, 0.0, 3, (const size_t[]){0, 1, 2}, coef[k]);
        il_qp qp = {.d = 3, .mass = mass, .target = zero, .rows = &rows, .a = zero, .scale = 1.0};
        CU_ASSERT_EQUAL_FATAL(il_answer_type("chain")->create(&chain, &options, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_answer_type("chain")->refuses(chain, &qp) != NULL, k < 6);
        il_answer_type("chain")->destroy(chain);
        il_rows_free(&rows);
    }
    il_metric_destroy(mass);
}

/* Newton's cradle in steps of 1e-7: four bodies at rest touch to a rounding of their positions,
 * which is a velocity of 5e-10; the one that comes is far away, a velocity of 3e6. Which bodies
 * press on each other is a matter of the former. */
static void contacts_behind_a_far_body_are_told_apart(void) {
    const double target[] = {1.0, 0.0, 0.0, 0.0, 0.0};
    const double q[] = {-0.3, 0.2, 0.4, 0.6000000000000001, 0.8};
    const double m[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    double a[4];
    double most = 0.0;
    il_qp qp = {.d = 5, .target = target, .a = a, .scale = 1e-7};
    il_rows rows;
    il_kkt_line(&rows, qp.d);
    qp.rows = &rows;
    for (size_t i = 0; i < rows.p; i++) {
        a[i] = q[i + 1] - q[i] - 0.2;
    }
    il_metric *mass = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&mass, qp.d, m, NULL), IL_OK);
    qp.mass = mass;
    il_answer answer;
    il_answer_solve(&qp, "chain", 0.0, &answer);
    CU_ASSERT_EQUAL(answer.status, IL_OK);
    CU_ASSERT(il_certificate_holds(&answer.certificate, true, 0.0));
    for (size_t i = 0; i < rows.p; i++) {
        most = fmax(most, answer.lambda[i]);
    }
    CU_ASSERT(most > 0.0); /* else nothing was told apart */
    il_answer_free(&answer);
    il_metric_destroy(mass);
    il_rows_free(&rows);
}

/* Bodies that touch and share their velocity, but for one group that presses on them gently, of
 * masses 1 and up to 10^9 in turn: a rounding of a heavy body's velocity is a force of as many
 * roundings, which light ones must not feel. What M^-1 (M (x - t) - s B' lambda) is made of, |x|,
 * |t| and the displacements by each lambda, is rounded four times on its way here, half a
 * DBL_EPSILON each, and once in the answer; the residual is a sum of three such. */
static void light_bodies_feel_no_rounding_of_heavy_ones(void) {
    static const size_t bodies[] = {50, 200, 1000};
    static const double ratios[] = {1e3, 1e6, 1e9};
    enum { MOST = 1000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t pushing = 0;
    for (size_t trial = 0; trial < 36; trial++) {
        size_t d = bodies[trial % 3];
        double m[MOST];
        double target[MOST];
        double a[MOST];
        double v = il_uniform(rng, -1.0, 1.0);
        double bump = ratios[trial / 6 % 2] * DBL_EPSILON;
        il_rows rows;
        il_kkt_line(&rows, d);
        for (size_t k = 0; k < d; k++) {
            m[k] = k % 2 == 0 ? 1.0 : ratios[trial / 3 % 3];
            target[k] = k < d / 4 ? v + bump : v;
            a[k] = trial % 2 == 0 ? il_uniform(rng, 0.0, 1e-16) : 0.0;
        }
        il_qp qp = {.d = d, .target = target, .a = a, .scale = 0.01, .rows = &rows};
        il_metric *mass = NULL;
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&mass, d, m, NULL), IL_OK);
        qp.mass = mass;
        il_answer answer;
        il_answer_solve(&qp, "chain", 0.0, &answer);
        CU_ASSERT_EQUAL(answer.status, IL_OK);
        CU_ASSERT(il_certificate_holds(&answer.certificate, true, 0.0));
        CU_ASSERT(answer.certificate.relative <= 3.0 * 5.0 * 0.5 * DBL_EPSILON);
        for (size_t i = 0; i < rows.p; i++) {
            pushing += answer.lambda[i] > 0.0;
        }
        il_answer_free(&answer);
        il_metric_destroy(mass);
        il_rows_free(&rows);
    }
    CU_ASSERT(2 * pushing > 12 * (49 + 199 + 999)); /* most rows push */
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"what is no link is refused by chains", what_is_no_link_is_refused_by_chains},
    {"chains are solved", chains_are_solved},
    {"rings are solved", rings_are_solved},
    {"contacts behind a far body are told apart", contacts_behind_a_far_body_are_told_apart},
    {"light bodies feel no rounding of heavy ones", light_bodies_feel_no_rounding_of_heavy_ones},
    {NULL, NULL}};

const il_suite il_suite_chain = {"chain", tests};

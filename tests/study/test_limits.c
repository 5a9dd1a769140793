/*
 * test_limits.c - distances of runs against a fine sum, the tree against minimax paths, and
 * verdicts on sequences of known limits.
 */
#include "harness/study/limits/limits.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "tests/support/suite.h"

enum { PHASES = 8, LEVELS = 9, RUNS = PHASES * LEVELS, TRIALS = 200 };

/* Sums of some ten numbers of order one. */
static const double ROUNDING = 1e-14;

/* ---- distances ------------------------------------------------------------------------------ */

/* A run with steps h to n h and velocities u[n]; d = 1. */
static il_trajectory run_of(double h, size_t n, const double *u) {
    il_trajectory run;
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 1, n + 1, NULL), IL_OK);
    double q = 0.0;
    (void)il_trajectory_add(&run, 0.0, &q, &u[0]);
    for (size_t k = 0; k < n; k++) {
        q += h * u[k];
        (void)il_trajectory_add(&run, (double)(k + 1) * h, &q, &u[k]);
    }
    return run;
}

/* A position that is no number makes the distance none, whether the runs part before or after. */
static void distances_to_what_is_no_number_are_none(void) {
    for (size_t bad = 1; bad <= 4; bad++) {
        for (size_t apart = 1; apart <= 4; apart++) {
            double u[4] = {0.0};
            il_trajectory a = run_of(0.25, 4, u);
            u[apart - 1] = 1.0;
            il_trajectory b = run_of(0.25, 4, u);
            b.q[bad] = NAN;
            CU_ASSERT(isnan(il_limits_distance(&a, &b, 1.0, IL_LIMITS_Q_LINF)));
            il_trajectory_free(&a);
            il_trajectory_free(&b);
        }
    }
}

/* Against sums over midpoints of a grid that holds all nodes: steps 1/8 and 1/6 on [0,2], cells of
 * 1/24, where u is constant and q affine; up to a time inside a step of both. */
static void distances_match_a_fine_sum(void) {
    enum { CELLS = 46 };
    const double T = CELLS / 24.0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double u[16];
    double v[12];
    for (int trial = 0; trial < 20; trial++) {
        for (int k = 0; k < 16; k++) {
            u[k] = gsl_rng_uniform(rng) - 0.5;
            v[k % 12] = gsl_rng_uniform(rng) - 0.5;
        }
        il_trajectory a = run_of(0.125, 16, u);
        il_trajectory b = run_of(1.0 / 6.0, 12, v);
        double sum = 0.0;
        double sup = 0.0;
        double q = 0.0;
        for (int cell = 0; cell < CELLS; cell++) {
            double difference = u[cell / 3] - v[cell / 4];
            sum += fabs(difference) / 24.0;
            q += difference / 24.0;
            sup = fmax(sup, fabs(q));
        }
        CU_ASSERT(fabs(il_limits_distance(&a, &b, T, IL_LIMITS_U_L1) - sum) <= ROUNDING);
        CU_ASSERT(fabs(il_limits_distance(&b, &a, T, IL_LIMITS_Q_LINF) - sup) <= ROUNDING);
        il_trajectory_free(&a);
        il_trajectory_free(&b);
    }
    gsl_rng_free(rng);
}

static void steps_have_their_phase(void) {
    il_limits_step one = il_limits_step_of(0x1p-9);
    il_limits_step other = il_limits_step_of(1.3 * 0x1p-4);
    CU_ASSERT(one.c == 1.0 && one.m == 9);
    CU_ASSERT(other.c == 1.3 && other.m == 4);
}

/* ---- the tree ------------------------------------------------------------------------------- */

/* Runs are linked at height r if a path with no edge above r joins them: all minimax paths by Floyd
 * and Warshall, against the tree. */
static void the_tree_is_that_of_minimax_paths(void) {
    enum { N = 24 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static double D[N * N];
    static double path[N * N];
    il_limits_step steps[N];
    for (size_t i = 0; i < N; i++) {
        steps[i] = il_limits_step_of(ldexp(1.0, -(int)i));
        for (size_t j = 0; j < i; j++) {
            D[i * N + j] = D[j * N + i] = gsl_rng_uniform(rng);
        }
    }
    memcpy(path, D, sizeof D);
    for (size_t k = 0; k < N; k++) {
        for (size_t i = 0; i < N * N; i++) {
            path[i] = fmin(path[i], fmax(path[i / N * N + k], path[k * N + i % N]));
        }
    }
    il_limits l = {0};
    CU_ASSERT_EQUAL_FATAL(il_limits_analyse(&l, steps, D, N, NULL), IL_OK);
    size_t stands_for[2 * N - 1]; /* a bit a run */
    for (size_t i = 0; i < N; i++) {
        stands_for[i] = (size_t)1 << i;
    }
    for (size_t k = 0; k + 1 < N; k++) {
        size_t a = stands_for[l.joins[k].a];
        size_t b = stands_for[l.joins[k].b];
        stands_for[N + k] = a | b;
        CU_ASSERT(k == 0 || l.joins[k].height >= l.joins[k - 1].height);
        for (size_t i = 0; i < N * N; i++) {
            if ((a >> i / N & 1) != 0 && (b >> i % N & 1) != 0) {
                CU_ASSERT(path[i] == l.joins[k].height);
            }
        }
    }
    CU_ASSERT_EQUAL(stands_for[2 * N - 2], ((size_t)1 << N) - 1);
    size_t seen = 0;
    for (size_t i = 0; i < N; i++) {
        seen |= (size_t)1 << l.leaves[i];
    }
    CU_ASSERT_EQUAL(seen, ((size_t)1 << N) - 1);
    il_limits_free(&l);
    gsl_rng_free(rng);
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* A run is a point of the plane, x[2i], x[2i+1]: its distance to another is Euclidean. */
typedef void (*place)(gsl_rng *rng, const il_limits_step *step, double *x);

static il_limits analyse(gsl_rng *rng, place put, il_limits_step *steps) {
    static double x[2 * RUNS];
    static double D[RUNS * RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        double c = 1.0 + (double)(i % PHASES) / PHASES;
        int m = 4 + (int)(i / PHASES);
        steps[i] = (il_limits_step){.h = ldexp(c, -m), .c = c, .m = m};
        put(rng, &steps[i], x + 2 * i);
        for (size_t j = 0; j <= i; j++) {
            D[i * RUNS + j] = D[j * RUNS + i] =
                hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]);
        }
    }
    il_limits l = {0};
    CU_ASSERT_EQUAL_FATAL(il_limits_analyse(&l, steps, D, RUNS, NULL), IL_OK);
    CU_ASSERT(strlen(l.evidence) > 0);
    return l;
}

/* An error of first order in a direction of its own. */
static void off(gsl_rng *rng, const il_limits_step *step, double *x) {
    x[0] += step->h * (2.0 * gsl_rng_uniform(rng) - 1.0);
    x[1] += step->h * (2.0 * gsl_rng_uniform(rng) - 1.0);
}

static void to_one(gsl_rng *rng, const il_limits_step *step, double *x) {
    x[0] = x[1] = 1.0;
    off(rng, step, x);
}

/* The error depends on the parity of m and on c, but it is an error. */
static void to_one_by_phases(gsl_rng *rng, const il_limits_step *step, double *x) {
    (void)rng;
    x[0] = 3.0 * step->h * (step->m % 2 == 0 ? 1.0 : -1.0);
    x[1] = step->h * step->c;
}

/* With errors of order 1/2 from two sides, phase by phase: linkage tells the sides apart, for each
 * is a denser row than the way across, and only their distance against their width says that they
 * meet. */
static void to_one_from_two_sides(gsl_rng *rng, const il_limits_step *step, double *x) {
    (void)rng;
    x[0] = sqrt(step->h) * ((int)(step->c * PHASES) % 2 == 0 ? 1.0 : -1.0);
    x[1] = 0.0;
}

static void to_two(gsl_rng *rng, const il_limits_step *step, double *x) {
    x[0] = (double)(step->m % 2);
    x[1] = 0.0;
    off(rng, step, x);
}

static void to_three(gsl_rng *rng, const il_limits_step *step, double *x) {
    x[0] = (double)(step->m % 3);
    x[1] = 0.0;
    off(rng, step, x);
}

/* Two limits, and runs that are still between them: half of the coarsest, fewer by sqrt 2 a level.
 */
static void to_two_with_stragglers(gsl_rng *rng, const il_limits_step *step, double *x) {
    to_two(rng, step, x);
    if (gsl_rng_uniform(rng) < 2.0 * sqrt(step->h / 2.0)) {
        x[0] = gsl_rng_uniform(rng);
    }
}

/* Limits at 0, 0.1 and 1 by m mod 3, and two runs on the coarsest level beyond the last: at
 * distances 0.736 from it and 1.636 from the next, a ratio of 0.45, and at 1.1 and 2.0, a ratio of
 * 0.55. They are farther from it than the first two are from each other, so linkage has them
 * out. Errors of a thousandth of h leave the ratios as they are. */
static void with_two_beyond(gsl_rng *rng, const il_limits_step *step, double *x) {
    static const double limits[3] = {0.0, 1.0, 0.1};
    x[0] = limits[step->m % 3];
    x[1] = 0.0;
    if (step->m == 4 && step->c < 1.2) {
        x[0] = step->c == 1.0 ? 1.736 : 2.1;
    }
    off(rng, &(il_limits_step){.h = 1e-3 * step->h}, x);
}

static void to_none(gsl_rng *rng, const il_limits_step *step, double *x) {
    (void)step;
    x[0] = gsl_rng_uniform(rng);
    x[1] = gsl_rng_uniform(rng);
}

static void drifting(gsl_rng *rng, const il_limits_step *step, double *x) {
    (void)rng;
    x[0] = log(step->h);
    x[1] = 0.0;
}

static void growing(gsl_rng *rng, const il_limits_step *step, double *x) {
    (void)rng;
    x[0] = 1.0 / step->h;
    x[1] = 0.0;
}

/* How many of the trials end with the verdict and that many clusters. */
static int count(place put, il_limits_verdict verdict, size_t clusters) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_limits_step steps[RUNS];
    int hits = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        il_limits l = analyse(rng, put, steps);
        hits += l.verdict == verdict && l.nclusters == clusters;
        il_limits_free(&l);
    }
    gsl_rng_free(rng);
    return hits;
}

static void one_limit_is_one(void) {
    CU_ASSERT_EQUAL(count(to_one, IL_LIMITS_ONE, 1), TRIALS);
    CU_ASSERT_EQUAL(count(to_one_by_phases, IL_LIMITS_ONE, 1), TRIALS);
    CU_ASSERT_EQUAL(count(to_one_from_two_sides, IL_LIMITS_ONE, 1), TRIALS);
}

static void several_limits_are_counted(void) {
    CU_ASSERT_EQUAL(count(to_two, IL_LIMITS_SEVERAL, 2), TRIALS);
    CU_ASSERT_EQUAL(count(to_three, IL_LIMITS_SEVERAL, 3), TRIALS);
}

static void members_are_those_of_the_limit(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_limits_step steps[RUNS];
    il_limits l = analyse(rng, to_two, steps);
    CU_ASSERT_EQUAL_FATAL(l.nclusters, 2);
    for (size_t i = 0; i < RUNS; i++) {
        size_t medoid = l.clusters[l.cluster[i]].medoid;
        CU_ASSERT_EQUAL(steps[i].m % 2, steps[medoid].m % 2);
    }
    CU_ASSERT_EQUAL(l.clusters[0].size + l.clusters[1].size, RUNS);
    /* The limits are 1 apart, the finest half of errors at most sqrt(2) 2^-7 2. */
    CU_ASSERT(fabs(l.clusters[0].separation - 1.0) <= 4.0 * sqrt(2.0) * 0x1p-7);
    il_limits_free(&l);
    gsl_rng_free(rng);
}

/* Runs 0 and 1 are the two beyond; every eighth run has c = 1. */
static void a_run_goes_to_a_limit_that_is_twice_nearer(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_limits_step steps[RUNS];
    il_limits l = analyse(rng, with_two_beyond, steps);
    CU_ASSERT_EQUAL_FATAL(l.nclusters, 3);
    CU_ASSERT(!l.linked[0] && !l.linked[1]);
    CU_ASSERT_FATAL(l.cluster[0] != IL_LIMITS_NONE);
    CU_ASSERT_EQUAL(steps[l.clusters[l.cluster[0]].medoid].m % 3, 1);
    CU_ASSERT_EQUAL(l.cluster[1], IL_LIMITS_NONE);
    il_limits_free(&l);
    gsl_rng_free(rng);
}

/* Stragglers chain the two limits: most often they are found all the same (four in five at least),
 * and what is never said is that there is one limit. */
static void stragglers_do_not_hide_limits(void) {
    CU_ASSERT(count(to_two_with_stragglers, IL_LIMITS_SEVERAL, 2) >= TRIALS * 4 / 5);
    CU_ASSERT_EQUAL(count(to_two_with_stragglers, IL_LIMITS_ONE, 1), 0);
}

/* Chance must not pass for limits: 19 in 20 at least. */
static void no_limit_is_inconclusive(void) {
    CU_ASSERT(count(to_none, IL_LIMITS_INCONCLUSIVE, 0) >= TRIALS * 19 / 20);
    CU_ASSERT_EQUAL(count(drifting, IL_LIMITS_INCONCLUSIVE, 0), TRIALS);
    CU_ASSERT_EQUAL(count(growing, IL_LIMITS_INCONCLUSIVE, 0), TRIALS);
}

static void two_levels_say_nothing(void) {
    const il_limits_step steps[4] = {{0.25, 1, 2}, {0.25, 1, 2}, {0.125, 1, 3}, {0.125, 1, 3}};
    const double D[16] = {0.0};
    il_limits l = {0};
    CU_ASSERT_EQUAL(il_limits_analyse(&l, steps, D, 4, NULL), IL_OK);
    CU_ASSERT_EQUAL(l.verdict, IL_LIMITS_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(l.evidence, "2 levels"));
    il_limits_free(&l);
}

static void a_distance_that_is_not_finite_is_refused(void) {
    const il_limits_step steps[3] = {{0.25, 1, 2}, {0.125, 1, 3}, {0.0625, 1, 4}};
    double D[9] = {0.0};
    D[5] = D[7] = NAN;
    il_limits l = {0};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_limits_analyse(&l, steps, D, 3, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "0.0625"));
    il_limits_free(&l);
}

static const il_test tests[] = {
    {"distances to what is no number are none", distances_to_what_is_no_number_are_none},
    {"distances match sums over the common grid", distances_match_a_fine_sum},
    {"h = c 2^-m with c in [1,2)", steps_have_their_phase},
    {"the tree is that of minimax paths", the_tree_is_that_of_minimax_paths},
    {"one limit is one, whatever the errors depend on", one_limit_is_one},
    {"several limits are counted", several_limits_are_counted},
    {"members are the runs that tend to the limit", members_are_those_of_the_limit},
    {"a run goes to a limit that is twice nearer", a_run_goes_to_a_limit_that_is_twice_nearer},
    {"stragglers between two limits do not hide them", stragglers_do_not_hide_limits},
    {"runs without a limit are inconclusive", no_limit_is_inconclusive},
    {"two levels say nothing", two_levels_say_nothing},
    {"a distance that is not finite is refused", a_distance_that_is_not_finite_is_refused},
    {NULL, NULL}};

const il_suite il_suite_limits = {"limits", tests};

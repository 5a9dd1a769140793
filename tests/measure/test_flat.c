/*
 * test_flat.c - the flat distance against linear programming and closed forms.
 */
#include <glpk.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/measure/flat.h"
#include "tests/support/suite.h"

enum { CASES = 200, ATOMS_MAX = 12, FINE = 20000, MANY = 200000 };

/* The accuracy to which the programme is asked to agree. Both sides are sums of a dozen numbers of
 * order one, and the simplex method ends in a vertex, which is computed to rounding. */
static const double AGREE = 1e-10;
/* Closed forms of numbers of order one: a few roundings. */
static const double ROUNDING = 1e-14;

static double flat(const il_pulse *mu, size_t n, const il_pulse *nu, size_t m, double tau) {
    double distance = NAN;
    CU_ASSERT_EQUAL(il_flat_distance(mu, n, nu, m, tau, &distance, NULL), IL_OK);
    return distance;
}

static int by_time(const void *a, const void *b) {
    double x = ((const il_pulse *)a)->t0;
    double y = ((const il_pulse *)b)->t0;
    return (x > y) - (x < y);
}

/* max sum m_i phi_i subject to |phi_i| <= 1, |phi_{i+1} - phi_i| <= (t_{i+1} - t_i)/tau, atoms
 * sorted: on a line neighbours are enough. */
static double by_programme(il_pulse *atoms, int n, double tau) {
    qsort(atoms, (size_t)n, sizeof *atoms, by_time);
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_cols(lp, n);
    for (int i = 1; i <= n; i++) {
        glp_set_col_bnds(lp, i, GLP_DB, -1.0, 1.0);
        glp_set_obj_coef(lp, i, atoms[i - 1].mass);
    }
    for (int i = 1; i < n; i++) {
        int row = glp_add_rows(lp, 1);
        double reach = (atoms[i].t0 - atoms[i - 1].t0) / tau;
        glp_set_row_bnds(lp, row, reach > 0.0 ? GLP_DB : GLP_FX, -reach, reach);
        glp_set_mat_row(lp, row, 2, (const int[]){0, i, i + 1}, (const double[]){0.0, -1.0, 1.0});
    }
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.tol_bnd = options.tol_dj = 1e-12;
    CU_ASSERT_EQUAL(glp_simplex(lp, &options), 0);
    CU_ASSERT_EQUAL(glp_get_status(lp), GLP_OPT);
    double value = glp_get_obj_val(lp);
    glp_delete_prob(lp);
    return value;
}

/* Atoms on [0,4] for tau between 1/4 and 2, so that some are farther apart than phi can turn; some
 * stand at one time, and in every third case the masses cancel. */
static void atoms_agree_with_linear_programming(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int seen = 0;
    for (int trial = 0; trial < CASES; trial++) {
        il_pulse mu[ATOMS_MAX] = {{0}};
        il_pulse nu[ATOMS_MAX] = {{0}};
        il_pulse both[2 * ATOMS_MAX] = {{0}};
        size_t n = 1 + gsl_rng_uniform_int(rng, ATOMS_MAX - 1);
        size_t m = 1 + gsl_rng_uniform_int(rng, ATOMS_MAX - 1);
        double tau = 0.25 * (double)(1u << gsl_rng_uniform_int(rng, 4));
        double total = 0.0;
        for (size_t k = 0; k < n + m; k++) {
            double t = gsl_rng_uniform(rng) < 0.2 ? 2.0 : 4.0 * gsl_rng_uniform(rng);
            double mass = gsl_rng_uniform(rng);
            mass = trial % 3 == 0 && k == n + m - 1 ? total : mass;
            total += k < n ? mass : -mass;
            *(k < n ? &mu[k] : &nu[k - n]) = (il_pulse){t, t, mass};
            both[k] = (il_pulse){t, t, k < n ? mass : -mass};
        }
        double ours = flat(mu, n, nu, m, tau);
        double theirs = by_programme(both, (int)(n + m), tau);
        seen += fabs(by_programme(both, (int)(n + m), 2.0 * tau) - ours) > 1e-3;
        CU_ASSERT(fabs(ours - theirs) <= AGREE);
    }
    gsl_rng_free(rng);
    CU_ASSERT(seen > CASES / 2); /* the planted mistake, another tau, is caught */
}

/* One atom against another: |m| min(2, distance/tau). Against nothing: m. Against the same mass
 * spread over [0,l], tau = 1: phi falls from the atom on at slope 1 until -1, l/2 for l <= 2 and
 * 2 - 2/l beyond. */
static void closed_forms(void) {
    const il_pulse at0 = {0.0, 0.0, 3.0};
    const il_pulse at1 = {1.0, 1.0, 3.0};
    CU_ASSERT(fabs(flat(&at0, 1, NULL, 0, 1.0) - 3.0) <= ROUNDING);
    CU_ASSERT(fabs(flat(&at0, 1, &at1, 1, 4.0) - 0.75) <= ROUNDING);
    CU_ASSERT(fabs(flat(&at0, 1, &at1, 1, 0.1) - 6.0) <= ROUNDING);
    CU_ASSERT(flat(&at0, 1, &at0, 1, 1.0) == 0.0);
    CU_ASSERT(flat(NULL, 0, NULL, 0, 1.0) == 0.0);
    const double lengths[] = {0.5, 2.0, 5.0};
    for (size_t k = 0; k < 3; k++) {
        double l = lengths[k];
        double expected = l <= 2.0 ? 0.5 * l : 2.0 - 2.0 / l;
        const il_pulse atom = {0.0, 0.0, 1.0};
        const il_pulse spread = {0.0, l, 1.0};
        const il_pulse end = {l, l, 1.0};
        CU_ASSERT(fabs(flat(&atom, 1, &spread, 1, 1.0) - expected) <= ROUNDING);
        CU_ASSERT(fabs(flat(&spread, 1, &end, 1, 1.0) - expected) <= ROUNDING);
    }
    /* The atom in the middle of the spread mass: half of each side travels l/4 on average. */
    const il_pulse middle = {1.0, 1.0, 1.0};
    const il_pulse around = {0.0, 2.0, 1.0};
    CU_ASSERT(fabs(flat(&around, 1, &middle, 1, 1.0) - 0.5) <= ROUNDING);
}

/* Loads on [0,4], some atoms, some spread. */
static void random_pulses(gsl_rng *rng, il_pulse *pulses, size_t n) {
    for (size_t k = 0; k < n; k++) {
        double a = 4.0 * gsl_rng_uniform(rng);
        double b = gsl_rng_uniform(rng) < 0.3 ? a : 4.0 * gsl_rng_uniform(rng);
        pulses[k] = (il_pulse){fmin(a, b), fmax(a, b), gsl_rng_uniform(rng)};
    }
}

/* The pulses cut into atoms at the middles of FINE cells each: no mass moves farther than half a
 * cell, so that the distance changes by at most mass x cell / (2 tau) for each pulse. */
static size_t crumble(const il_pulse *pulses, size_t n, il_pulse *out, double *moved) {
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        double cell = (pulses[k].t1 - pulses[k].t0) / FINE;
        for (size_t i = 0; i < FINE; i++) {
            double t = pulses[k].t0 + ((double)i + 0.5) * cell;
            out[count++] = (il_pulse){t, t, pulses[k].mass / FINE};
        }
        *moved += 0.5 * cell * pulses[k].mass;
    }
    return count;
}

static void densities_are_the_limit_of_atoms(void) {
    enum { PULSES = 4 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_pulse *fine = malloc(2 * (size_t)PULSES * FINE * sizeof *fine);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fine);
    for (int trial = 0; trial < 20; trial++) {
        il_pulse mu[PULSES] = {{0}};
        il_pulse nu[PULSES] = {{0}};
        double tau = 0.25 * (double)(1u << gsl_rng_uniform_int(rng, 4));
        double moved = 0.0;
        random_pulses(rng, mu, PULSES);
        random_pulses(rng, nu, PULSES);
        size_t n = crumble(mu, PULSES, fine, &moved);
        size_t m = crumble(nu, PULSES, fine + n, &moved);
        double ours = flat(mu, PULSES, nu, PULSES, tau);
        double limit = flat(fine, n, fine + n, m, tau);
        /* beside FINE x PULSES roundings of masses of order one */
        CU_ASSERT(fabs(ours - limit) <= moved / tau + 2.0 * PULSES * FINE * 1e-16);
    }
    free(fine);
    gsl_rng_free(rng);
}

/* A distance: symmetric, and the triangle holds; and a pulse cut in two is the same pulse. */
static void it_is_a_distance(void) {
    enum { PULSES = 5 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 100; trial++) {
        il_pulse x[3][PULSES] = {{{0}}};
        for (int k = 0; k < 3; k++) {
            random_pulses(rng, x[k], PULSES);
        }
        double ab = flat(x[0], PULSES, x[1], PULSES, 1.0);
        CU_ASSERT(fabs(ab - flat(x[1], PULSES, x[0], PULSES, 1.0)) <= ROUNDING * PULSES);
        CU_ASSERT(ab <= flat(x[0], PULSES, x[2], PULSES, 1.0) +
                            flat(x[2], PULSES, x[1], PULSES, 1.0) + ROUNDING * PULSES);
        il_pulse cut[PULSES + 1];
        memcpy(cut, x[0], sizeof x[0]);
        double c = cut[0].t0 + 0.3 * (cut[0].t1 - cut[0].t0);
        cut[PULSES] = (il_pulse){c, cut[0].t1, 0.7 * cut[0].mass};
        cut[0] = (il_pulse){cut[0].t0, c, 0.3 * cut[0].mass};
        CU_ASSERT(fabs(ab - flat(cut, PULSES + 1, x[1], PULSES, 1.0)) <= ROUNDING * PULSES);
    }
    gsl_rng_free(rng);
}

/* Seconds of the processor for what runs make: n pulses of a density that wavers about another, and
 * percussions between. */
static double seconds(size_t n, gsl_rng *rng) {
    il_pulse *mu = malloc(n * sizeof *mu);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mu);
    double h = 1.0 / (double)n;
    double total = 0.0;
    for (size_t k = 0; k < n; k++) {
        double mass = k % 100 == 0 ? 100.0 * h : h * (1.0 + gsl_rng_uniform(rng));
        mu[k] = (il_pulse){(double)k * h, (double)(k + 1) * h, mass};
        total += mass;
    }
    const il_pulse even = {0.0, 1.0, total};
    clock_t began = clock();
    double distance = flat(mu, n, &even, 1, 1.0);
    double passed = (double)(clock() - began) / CLOCKS_PER_SEC;
    /* percussions have 2/5 of the mass and go to the 100 h about them; the rest wavers by sqrt(h)
     */
    CU_ASSERT(distance > 0.0 && distance <= 100.0 * h + 10.0 * sqrt(h));
    free(mu);
    return passed;
}

/* Eight times as many take eight times log(8 n)/log(n) as long, ten times; a square would take 64
 * times. */
static void many_loads_take_no_square(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double few = seconds(MANY / 8, rng);
    double many = seconds(MANY, rng);
    CU_ASSERT(many <= 28.0 * few);
    gsl_rng_free(rng);
}

static void bad_input_is_refused(void) {
    il_error err = {IL_OK, ""};
    double distance = 0.0;
    const il_pulse back = {1.0, 0.0, 1.0};
    const il_pulse lost = {0.0, 1.0, NAN};
    CU_ASSERT_EQUAL(il_flat_distance(&back, 1, NULL, 0, 1.0, &distance, &err), IL_EINVAL);
    CU_ASSERT(strstr(err.message, "[1, 0]") != NULL && isnan(distance));
    CU_ASSERT_EQUAL(il_flat_distance(&back, 0, NULL, 0, 0.0, &distance, &err), IL_EINVAL);
    CU_ASSERT(strstr(err.message, "tau is 0") != NULL);
    CU_ASSERT(isnan(flat(&lost, 1, NULL, 0, 1.0)));
}

static const il_test tests[] = {
    {"atoms agree with linear programming on 200 random cases",
     atoms_agree_with_linear_programming},
    {"closed forms of atoms and spread masses", closed_forms},
    {"densities are the limit of atoms", densities_are_the_limit_of_atoms},
    {"it is a distance, and cutting a pulse changes nothing", it_is_a_distance},
    {"many pulses take no square of their number", many_loads_take_no_square},
    {"bad input is refused, a NaN stays one", bad_input_is_refused},
    {NULL, NULL}};

const il_suite il_suite_flat = {"flat", tests};

/*
 * test_contract.c - what every scheme owes on every problem, in whole runs; test_contract_steps.c
 * has single steps. All members of the registries are run; a newcomer is picked up without a line
 * here. Problems with a parameter that is a choice are run once for every choice.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/contract.h"
#include "tests/support/suite.h"

enum { DYADIC_STEPS = 256 };

/* The prescribed accuracy of nodes with an exact projector; coordinates here are below 10, so this
 * is about a thousand roundings. */
static const double FEASIBLE = 1e-12;

/* Two ways to write the same step: IL_CONTRACT_STEPS steps, each adding a few roundings of numbers
 * below 10 and divided by h ~ 1e-2. */
static const double SAME = 1e-10;

/* Uzawa leaves gaps of 1e-12, which over h >= 1/IL_CONTRACT_STEPS is a velocity of 2e-10 a step;
 * IL_CONTRACT_STEPS of them add up to 5e-8, and a chain of bodies hands them on. */
static const double ITERATED = 1e-7;

/* Where the exact solution is rest, errors need not fall. They are roundings of gaps, 1e-16 each,
 * over h >= 1e-4 and a few thousand times; of the springs, what their loose integrator leaves. */
static const double AT_REST = 1e-11;
static const double SPRINGS_AT_REST = 1e-6;

/* Free flight, which `graze` is, some schemes follow exactly, up to a rounding of 1e-16 a step;
 * those that locate impacts all motions without forces of position, up to some of each in a
 * thousand steps. */
static const double EXACT = 1e-13;
static const double LOCATED = 2e-12;

/* Energies here are below 20; each step may round their difference a few times. */
static const double ENERGY_ROUNDING = 20.0 * 16.0 * 2.3e-16;

/* Calls check for every pair that means something, with one run of it. */
static void for_all(void (*check)(const il_variant *, const il_scheme_type *, const il_problem *,
                                  const il_record *)) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t ran = 0;
    for (size_t i = 0; i < n; i++) {
        il_params *params = il_contract_params(&list[i]);
        il_problem *problem = NULL;
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[i].type, params, 0.0, &err), IL_OK);
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            il_record record = {0};
            if (il_contract_run(&list[i], il_scheme_type_at(k), "auto", IL_CONTRACT_STEPS, &record,
                                NULL)) {
                ran++;
                check(&list[i], il_scheme_type_at(k), problem, &record);
                il_record_free(&record);
            }
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
    CU_ASSERT(ran >= n); /* no problem is without a scheme */
}

static void check_certificate(const il_variant *v, const il_scheme_type *scheme,
                              const il_problem *problem, const il_record *record) {
    (void)v;
    (void)scheme;
    if (problem->p == 0) {
        return;
    }
    CU_ASSERT(record->measure.certificate.primal >= -FEASIBLE);
    CU_ASSERT(record->measure.certificate.dual >= 0.0);
    CU_ASSERT(record->measure.certificate.complementarity <= FEASIBLE);
    CU_ASSERT(record->measure.certificate.relative <= FEASIBLE);
}

/* Linearised sets lie in Q(t) when every g_i is convex. */
static void check_feasible(const il_variant *v, const il_scheme_type *scheme,
                           const il_problem *problem, const il_record *record) {
    (void)v;
    bool convex = (problem->traits & IL_ROWS_CONVEX) != 0;
    bool feasible = scheme->feasible_nodes || (scheme->holds_positions && convex);
    if (problem->p > 0 && feasible && problem->restitution == 0.0) {
        CU_ASSERT(record->measure.nodes_min >= -FEASIBLE);
    }
}

/* Maury (25): with fixed constraints that hold at q_n, the energy grows at most by the work of the
 * force at q_n; with f = 0 never. Paoli's projection is onto a set that is not convex, where only
 * the linearised schemes have the proof. */
static void check_energy(const il_variant *v, const il_scheme_type *scheme,
                         const il_problem *problem, const il_record *record) {
    (void)v;
    bool fixed = (problem->traits & IL_ROWS_FIXED) && (problem->traits & IL_ROWS_CONVEX);
    if (problem->order == 2 && scheme->dissipates && fixed) {
        CU_ASSERT(record->measure.balance.largest_step <= ENERGY_ROUNDING ||
                  (problem->traits & IL_FORCE_OF_TIME) == 0);
        if (problem->traits & IL_FORCE_FREE) {
            CU_ASSERT(record->measure.energy_largest_increase <= ENERGY_ROUNDING);
        }
    }
}

static void check_momentum(const il_variant *v, const il_scheme_type *scheme,
                           const il_problem *problem, const il_record *record) {
    (void)v;
    (void)scheme;
    double room =
        (double)problem->d * IL_CONTRACT_STEPS * 2.3e-16; /* one rounding a coordinate and step */
    if (problem->order == 2 && (problem->traits & IL_ROWS_INVARIANT) && problem->space > 0) {
        CU_ASSERT(record->measure.momentum_drift <= 10.0 * room);
        if (problem->traits & IL_FORCE_FREE) {
            CU_ASSERT(record->measure.centre_drift <= 10.0 * room);
        }
    } else if (problem->order == 2 && problem->conserved_axes != 0) {
        CU_ASSERT(record->measure.momentum_drift <= 10.0 * room);
    } else {
        CU_ASSERT(isnan(record->measure.momentum_drift));
    }
}

/* One run of every pair for all four, for time. */
static void check_run(const il_variant *v, const il_scheme_type *scheme, const il_problem *problem,
                      const il_record *record) {
    check_certificate(v, scheme, problem, record);
    check_feasible(v, scheme, problem, record);
    check_energy(v, scheme, problem, record);
    check_momentum(v, scheme, problem, record);
}

static void runs_keep_what_the_theory_says(void) {
    for_all(check_run);
}

static double apart(const il_trajectory *a, const il_trajectory *b) {
    double most = a->nodes == b->nodes ? 0.0 : INFINITY;
    for (size_t k = 0; k < a->nodes * a->d && most < INFINITY; k++) {
        double q = fabs(a->q[k] - b->q[k]);
        double u = fabs(a->u[k] - b->u[k]);
        most = q <= most ? most : q;
        most = u <= most ? most : u;
    }
    return most;
}

/* The largest difference between two schemes over all nodes, NaN if one is refused. */
static double between(const il_variant *v, const char *one, const char *other) {
    il_record ra = {0};
    il_record rb = {0};
    il_trajectory a = {0};
    il_trajectory b = {0};
    double most = NAN;
    bool ok = il_contract_run(v, il_contract_scheme(one), "auto", IL_CONTRACT_STEPS, &ra, &a);
    if (ok && il_contract_run(v, il_contract_scheme(other), "auto", IL_CONTRACT_STEPS, &rb, &b)) {
        most = apart(&a, &b);
    }
    il_trajectory_free(&a);
    il_trajectory_free(&b);
    il_record_free(&ra);
    il_record_free(&rb);
    return most;
}

/* Contacts that hold are for schemes that know glue: neither of the two compared here does. */
static bool is_gluey(const il_variant *v) {
    il_params *params = il_contract_params(v);
    il_problem *problem = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, v->type, params, 0.0, NULL), IL_OK);
    bool gluey = problem->gamma0 != NULL;
    il_problem_destroy(problem);
    il_params_destroy(params);
    return gluey;
}

static void venel_equals_maury_on_order_2(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT(is_gluey(&list[i]) || between(&list[i], "maury", "venel") <= SAME);
    }
}

static void paoli_equals_maury_where_rows_are_affine(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t affine = 0;
    for (size_t i = 0; i < n; i++) {
        il_params *params = il_contract_params(&list[i]);
        il_problem *problem = NULL;
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[i].type, params, 0.0, NULL), IL_OK);
        if ((problem->traits & IL_ROWS_AFFINE) && problem->gamma0 == NULL) {
            affine++;
            CU_ASSERT(between(&list[i], "maury", "paoli") <= SAME);
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
    CU_ASSERT(affine >= 2);
    /* Distances on a line are affine along it, though not in space. */
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].type->name, "growing_radii") == 0) {
            CU_ASSERT(between(&list[i], "maury", "paoli") <= SAME);
        }
        /* Curved constraints tell the two apart by far more than rounding. */
        if (strcmp(list[i].type->name, "vibroimpact") == 0 &&
            strcmp(list[i].choice, "slide") == 0) {
            CU_ASSERT(between(&list[i], "maury", "paoli") >= 1e-6);
        }
    }
}

/* Half of the pairs, for time: every problem and every scheme is among them. */
static void runs_repeat_to_the_bit(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i % 2; il_scheme_type_at(k) != NULL; k += 2) {
            il_record record = {0};
            il_trajectory a = {0};
            il_trajectory b = {0};
            if (il_contract_run(&list[i], il_scheme_type_at(k), "auto", IL_CONTRACT_STEPS, &record,
                                &a)) {
                il_record_free(&record);
                CU_ASSERT(il_contract_run(&list[i], il_scheme_type_at(k), "auto", IL_CONTRACT_STEPS,
                                          &record, &b));
                size_t bytes = a.nodes * a.d * sizeof(double);
                CU_ASSERT_EQUAL(memcmp(a.q, b.q, bytes), 0);
                CU_ASSERT_EQUAL(memcmp(a.u, b.u, bytes), 0);
                il_record_free(&record);
            }
            il_trajectory_free(&a);
            il_trajectory_free(&b);
        }
    }
}

/* Is the exact solution rest? */
static bool rests(const il_variant *v) {
    il_params *params = il_contract_params(v);
    il_problem *problem = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, v->type, params, 0.0, NULL), IL_OK);
    bool still = problem->nexact > 0;
    double *q = calloc(2 * problem->d, sizeof *q);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q);
    for (size_t n = 0; still && n <= 100; n++) {
        double t = problem->horizon * (double)n / 100.0;
        problem->exact->eval(problem->exact, t, 1, q, q + problem->d);
        for (size_t k = 0; k < problem->d; k++) {
            still &= q[k] == problem->q0[k] && q[problem->d + k] == 0.0;
        }
    }
    free(q);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return still;
}

/* A factor of sixteen in the step must halve the errors at the very least. */
static void expect_fall(const il_variant *v, const il_scheme_type *scheme, bool still,
                        const il_deviation_result *was, const il_deviation_result *is) {
    bool springs = scheme->compliant;
    if (scheme->other_limit) { /* what it tends to instead is for its own suite */
        CU_ASSERT(isfinite(is->q_Linf) && isfinite(was->q_Linf));
        return;
    }
    if (springs &&
        (strcmp(v->type->name, "cradle") == 0 || strcmp(v->type->name, "pressureless") == 0)) {
        /* Springs pass an impact through touching balls in their own way: the limit is not
         * Moreau's, and refinement does not bring it nearer. So it is where particles meet those
         * that have met before. */
        CU_ASSERT(is->u_L1 >= 0.5 * was->u_L1);
        return;
    }
    double floor = still ? (springs ? SPRINGS_AT_REST : AT_REST) : scheme->dense ? LOCATED : EXACT;
    bool falls =
        is->u_L1 <= fmax(floor, 0.5 * was->u_L1) && is->q_Linf <= fmax(floor, 0.5 * was->q_Linf);
    CU_ASSERT(falls);
    if (!falls) {
        (void)fprintf(stderr, "%s %s by %s: u_L1 %g, then %g; q_Linf %g, then %g\n", v->type->name,
                      v->choice, scheme->name, was->u_L1, is->u_L1, was->q_Linf, is->q_Linf);
    }
}

/* The theorem's norm falls; the orders themselves are measured elsewhere. Where there are several
 * solutions the theorem speaks of subsequences: steps by powers of two, which Maury's paper
 * follows. */
static void errors_fall_under_refinement(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t checked = 0;
    for (size_t i = 0; i < n; i++) {
        bool still = rests(&list[i]);
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            const il_scheme_type *scheme = il_scheme_type_at(k);
            il_record coarse = {0};
            il_record fine = {0};
            size_t steps = IL_CONTRACT_STEPS;
            bool ran = il_contract_run(&list[i], scheme, "auto", steps, &coarse, NULL);
            if (ran && coarse.ndistances > 1) {
                steps = DYADIC_STEPS;
                il_record_free(&coarse);
                ran = il_contract_run(&list[i], scheme, "auto", steps, &coarse, NULL);
            }
            if (ran && coarse.ndistances > 0) {
                CU_ASSERT(il_contract_run(&list[i], scheme, "auto", 16 * steps, &fine, NULL));
                checked++;
                expect_fall(&list[i], scheme, still, &coarse.distances[0].error,
                            &fine.distances[0].error);
            }
            il_record_free(&coarse);
            il_record_free(&fine);
        }
    }
    CU_ASSERT(checked >= 18);
}

/* Different solvers of the same convex problem. Uzawa stops at a residual of 1e-12 in the gaps. */
static void projectors_agree_on_whole_runs(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    const char *const others[] = {"active_set", "uzawa"};
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < 2; j++) {
            il_record ra = {0};
            il_record rb = {0};
            il_trajectory a = {0};
            il_trajectory b = {0};
            const il_scheme_type *scheme = il_contract_scheme("maury");
            if (il_contract_run(&list[i], scheme, "auto", IL_CONTRACT_STEPS, &ra, &a)) {
                CU_ASSERT(il_contract_run(&list[i], scheme, others[j], IL_CONTRACT_STEPS, &rb, &b));
                CU_ASSERT(apart(&a, &b) <=
                          (il_contract_projector(others[j])->finite ? SAME : ITERATED));
            }
            il_trajectory_free(&a);
            il_trajectory_free(&b);
            il_record_free(&ra);
            il_record_free(&rb);
        }
    }
}

static const il_test tests[] = {
    {"runs are certified, feasible, and keep energy and momentum as the theory says",
     runs_keep_what_the_theory_says},
    {"venel equals maury on every order-2 problem", venel_equals_maury_on_order_2},
    {"paoli equals maury where rows are affine, and nowhere else",
     paoli_equals_maury_where_rows_are_affine},
    {"runs repeat to the bit", runs_repeat_to_the_bit},
    {"errors fall under refinement", errors_fall_under_refinement},
    {"projectors agree on whole runs", projectors_agree_on_whole_runs},
    {NULL, NULL}};

const il_suite il_suite_contract = {"contract", tests};

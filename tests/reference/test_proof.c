/*
 * test_proof.c - rational numbers against doubles and by hand; exact runs against integers and
 * against closed forms; doubles that are wrong are caught.
 */
#include "harness/reference/proof.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/run/run.h"
#include "tests/support/suite.h"

/* Velocities of doubles after n steps of h are differences of positions: n roundings of q eps over
 * h, with q, n h <= 4 and h >= 1e-3: 4 2e-16 4/1e-6. */
static const double ROUNDING_U = 4e-9;
/* The same in q, times h: they are never divided by it. */
static const double ROUNDING_Q = 4e-12;

/* ---- numbers -------------------------------------------------------------------------------- */

static void expect_text(const il_rational *x, const char *text) {
    char *own = il_rational_text(x);
    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    CU_ASSERT_STRING_EQUAL(own, text);
    free(own);
}

static void texts_mean_what_they_say(void) {
    static const char *const table[][2] = {
        {"1.8", "9/5"},
        {"-0.5", "-1/2"},
        {"1e-3", "1/1000"},
        {"+2.50E2", "250"},
        {"1/3", "1/3"},
        {" 0.2/0.5 ", "2/5"},
        {".5", "1/2"},
        {"7.", "7"},
        {"0.1234567890123456789", "1234567890123456789/10000000000000000000"}};
    static const char *const wrong[] = {"",     "x",    "1.2.3", "1/0", "1e",  "1e99999",
                                        "0x10", "1//2", "1/x",   "--1", "1e+", "inf"};
    il_rational **x = il_rational_array(1);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        CU_ASSERT(il_rational_set_text(x[0], table[k][0]));
        expect_text(x[0], table[k][1]);
    }
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        CU_ASSERT_FALSE(il_rational_set_text(x[0], wrong[k]));
    }
    il_rational_set_shortest(x[0], 1.8);
    expect_text(x[0], "9/5");
    il_rational_set_shortest(x[0], -1e-7);
    expect_text(x[0], "-1/10000000");
    il_rational_set_double(x[0], 0.1);
    expect_text(x[0], "3602879701896397/36028797018963968");
    il_rational_free(x);
}

/* Doubles of 20 bits: sums, products and comparisons are exact, logarithms are exponents. */
static void arithmetic_is_that_of_small_doubles(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_rational **x = il_rational_array(3);
    for (int trial = 0; trial < 2000; trial++) {
        double a = ldexp((double)gsl_rng_uniform_int(rng, 1u << 20) + 1.0,
                         (int)gsl_rng_uniform_int(rng, 12) - 20);
        double b = ldexp((double)gsl_rng_uniform_int(rng, 1u << 20) - 0x1p19, -10);
        il_rational_set_double(x[0], a);
        il_rational_set_double(x[1], b);
        int e = 0;
        (void)frexp(a, &e);
        CU_ASSERT_EQUAL(il_rational_log2(x[0]), e - 1);
        CU_ASSERT_EQUAL(il_rational_compare(x[0], x[1]), (a > b) - (a < b));
        CU_ASSERT_EQUAL(il_rational_sign(x[1]), (b > 0.0) - (b < 0.0));
        il_rational_add(x[2], x[0], x[1]);
        CU_ASSERT(il_rational_double(x[2]) == a + b);
        CU_ASSERT(il_rational_error(a + b + 1.0, x[2]) == 1.0);
        il_rational_sub(x[2], x[2], x[1]);
        CU_ASSERT_EQUAL(il_rational_compare(x[2], x[0]), 0);
        il_rational_mul(x[2], x[0], x[1]);
        CU_ASSERT(il_rational_double(x[2]) == a * b);
        il_rational_div(x[2], x[2], x[0]);
        CU_ASSERT_EQUAL(il_rational_compare(x[2], x[1]), 0);
        il_rational_scale(x[2], x[2], -7);
        CU_ASSERT(il_rational_double(x[2]) == ldexp(b, -7));
    }
    il_rational_free(x);
    gsl_rng_free(rng);
}

/* ---- runs ----------------------------------------------------------------------------------- */

typedef struct {
    il_run_spec spec;
    il_record record;
    il_trajectory trajectory;
    il_proof proof;
    il_status status;
    il_error err;
} both;

/* The run in doubles, with `bent` added to its last position, and in exact arithmetic. */
static void run_both(both *b, const char *problem, const char *scheme, const char *const *sets,
                     size_t steps, const char *h, double bent) {
    *b = (both){.spec = {.steps = steps}};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &b->spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &b->spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &b->spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&b->spec.params, b->spec.problem->params, NULL), IL_OK);
    for (; *sets != NULL; sets += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(b->spec.params, sets[0], sets[1], NULL), IL_OK);
    }
    if (h != NULL) {
        CU_ASSERT_FATAL(il_text_number(h, &b->spec.h));
    }
    CU_ASSERT_EQUAL_FATAL(il_run(&b->spec, &b->record, &b->trajectory, NULL), IL_OK);
    b->trajectory.q[b->trajectory.nodes * b->trajectory.d - 1] += bent;
    il_proof_query query = {.problem = b->spec.problem,
                            .params = b->spec.params,
                            .scheme = b->spec.scheme,
                            .h = b->spec.h,
                            .horizon = b->spec.horizon,
                            .h_text = h,
                            .steps = b->record.steps_done,
                            .trajectory = &b->trajectory};
    b->status = il_proof_run(&b->proof, &query, &b->err);
}

static void free_both(both *b) {
    il_proof_free(&b->proof);
    il_record_free(&b->record);
    il_trajectory_free(&b->trajectory);
    il_params_destroy(b->spec.params);
}

static const char *const none[] = {NULL};

/* With h = 2^-m and alpha = 9/5 the scheme runs in integers: F(n h) = h f_n/5 with
 * f_{n+1} - f_n = 5 or -9 within an octave and f_1 = -2, u = h U/5, q = h^2 Q/5. */
static void dyadic_runs_are_runs_of_integers(void) {
    for (int m = 1; m <= 10; m++) {
        long Q = 0;
        long U = 0;
        long N = 4L << m;
        size_t pushes = 0;
        for (long n = 0; n < N; n++) {
            long octave = 1;
            while (2 * octave <= n) {
                octave *= 2;
            }
            long force = n == 0 ? -2 : n == 1 ? -2 : 2 * n < 3 * octave ? 5 : -9;
            pushes += Q + U + force < 0;
            U = Q + U + force < 0 ? -Q : U + force;
            Q += U;
        }
        both b;
        run_both(&b, "nonuniqueness", "maury", none, (size_t)N, NULL, 0.0);
        CU_ASSERT_EQUAL_FATAL(b.status, IL_OK);
        CU_ASSERT_EQUAL(b.proof.contacts, pushes);
        il_rational **x = il_rational_array(1);
        il_rational_set_fraction(x[0], Q, 5);
        il_rational_scale(x[0], x[0], -2 * m);
        CU_ASSERT_EQUAL(il_rational_compare(x[0], b.proof.q[0]), 0);
        il_rational_set_fraction(x[0], U, 5);
        il_rational_scale(x[0], x[0], -m);
        CU_ASSERT_EQUAL(il_rational_compare(x[0], b.proof.u[0]), 0);
        expect_text(b.proof.t[0], "4");
        CU_ASSERT(b.proof.largest_q <= ROUNDING_Q && b.proof.largest_u <= ROUNDING_U);
        /* Maury's claim, for these m a fact: at rest on the wall for even m, in flight for odd. */
        CU_ASSERT(m < 3 || (il_rational_sign(b.proof.q[0]) == 0) == (m % 2 == 0));
        il_rational_free(x);
        free_both(&b);
    }
}

/* Any rational h: the doubles follow, and schemes that are one in exact arithmetic do. */
static void doubles_follow_exact_runs(void) {
    static const char *const steps[] = {"1/3", "13/5120", "0.0123", "0.007"};
    static const char *const schemes[] = {"maury", "paoli", "venel"};
    for (size_t k = 0; k < 12; k++) {
        both b;
        run_both(&b, "nonuniqueness", schemes[k % 3], none, 0, steps[k / 3], 0.0);
        CU_ASSERT_EQUAL(b.status, IL_OK);
        CU_ASSERT(b.proof.largest_q <= ROUNDING_Q);
        CU_ASSERT(b.proof.largest_u <= ROUNDING_U);
        free_both(&b);
    }
}

static void expect_member(const json_t *array, size_t k, const char *text) {
    CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(array, k)), text);
}

/* Four bodies, by hand: sum m = 13/2, sum m q0 = 19/6, sum m u0 = -17/30, and with shifts 0, 0.02,
 * 0.04, 0.06 sum m shift = 0.19. Once all have met they move with (-17/30)/(13/2) = -17/195; at t =
 * 3 the left one is at (19/6 - 17/10 - 0.19)/(13/2) = 383/1950 and the right one 0.06 from it,
 * 10/39, whatever the step. */
static void sticky_bodies_by_hand(void) {
    static const char *const sets[] = {
        "N", "4", "u0", "1/3,0.1,-0.2,-1", "masses", "1,2,3,0.5", "radii", "0.01", NULL};
    static const char *const steps[] = {"3/7", "0.5", "0.01", "3"};
    for (size_t k = 0; k < 4; k++) {
        both b;
        run_both(&b, "sticky", "maury", sets, 0, steps[k], 0.0);
        CU_ASSERT_EQUAL_FATAL(b.status, IL_OK);
        expect_text(b.proof.t[0], "3");
        expect_text(b.proof.q[0], "383/1950");
        expect_text(b.proof.q[3], "10/39");
        if (k < 3) {
            expect_text(b.proof.u[0], "-17/195");
        }
        double near[4] = {383.0 / 1950.0, 0.0, 0.0, 10.0 / 39.0};
        json_t *told = il_proof_json(&b.proof, near, near);
        const json_t *final = json_object_get(told, "final");
        CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(final, "t")), "3");
        expect_member(json_object_get(final, "q"), 0, "383/1950");
        expect_member(json_object_get(final, "q"), 3, "10/39");
        CU_ASSERT_EQUAL(json_array_size(json_object_get(final, "u")), 4);
        const json_t *miss = json_object_get(json_object_get(told, "difference"), "final_q");
        CU_ASSERT(fabs(json_number_value(json_array_get(miss, 0))) <= 0x1p-54);
        json_decref(told);
        free_both(&b);
    }
}

/* P_K(q0 + t u0) by the minimax formula in rationals, x_i = max_{a<=i} min_{b>=i} mean(z_a..z_b),
 * for one step over the whole horizon. */
static void one_step_is_the_minimax_formula(void) {
    enum { N = 9 };
    static const char *const sets[] = {"N",    "9", "masses", "1,3,0.2,1,5,1,1,0.01,2",
                                       "seed", "7", NULL};
    both b;
    run_both(&b, "sticky", "maury", sets, 1, NULL, 0.0);
    CU_ASSERT_EQUAL_FATAL(b.status, IL_OK);
    il_rational **z = il_rational_array(N);
    il_rational **m = il_rational_array(N);
    il_rational **x = il_rational_array(6);
    for (size_t i = 0; i < N; i++) {
        il_rational_set_param(x[0], b.spec.params, "u0", i);
        il_rational_set_fraction(x[1], 3, 1);
        il_rational_mul(x[0], x[0], x[1]);
        il_rational_set_fraction(x[1], (long)i, N - 1);
        il_rational_add(z[i], x[0], x[1]);
        il_rational_set_param(m[i], b.spec.params, "masses", i);
        il_rational_mul(z[i], z[i], m[i]);
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t from = 0; from <= i; from++) {
            il_rational_set_fraction(x[0], 0, 1);
            il_rational_set_fraction(x[1], 0, 1);
            for (size_t to = from; to < N; to++) {
                il_rational_add(x[0], x[0], z[to]);
                il_rational_add(x[1], x[1], m[to]);
                il_rational_div(x[2], x[0], x[1]);
                if (to >= i && (to == i || il_rational_compare(x[2], x[3]) < 0)) {
                    il_rational_set(x[3], x[2]); /* the least so far */
                }
            }
            if (from == 0 || il_rational_compare(x[3], x[4]) > 0) {
                il_rational_set(x[4], x[3]); /* the largest of the least */
            }
        }
        CU_ASSERT_EQUAL(il_rational_compare(x[4], b.proof.q[i]), 0);
    }
    il_rational_free(z);
    il_rational_free(m);
    il_rational_free(x);
    free_both(&b);
}

/* Planted: a double that is off by 1e-9; a text that reads as the double 1.8 and is not 1.8, of
 * which doubles see nothing: q(4) moves by some 1e-20. */
static void wrong_doubles_are_caught(void) {
    static const char *const near[] = {"alpha", "1.80000000000000000001", NULL};
    both b;
    run_both(&b, "nonuniqueness", "maury", none, 100, NULL, 1e-9);
    CU_ASSERT_EQUAL(b.status, IL_OK);
    CU_ASSERT(fabs(b.proof.largest_q - 1e-9) <= ROUNDING_Q);
    free_both(&b);
    run_both(&b, "nonuniqueness", "maury", near, 2048, NULL, 0.0);
    CU_ASSERT_EQUAL_FATAL(b.status, IL_OK);
    il_rational **x = il_rational_array(1);
    CU_ASSERT(il_rational_set_text(x[0], "767/1280")); /* with 1.8, see the runs of integers */
    CU_ASSERT_NOT_EQUAL(il_rational_compare(x[0], b.proof.q[0]), 0);
    CU_ASSERT(fabs(il_rational_error(0.59921875, b.proof.q[0])) <= 0x1p-53); /* of the double */
    il_rational_free(x);
    free_both(&b);
}

/* Four bodies that meet push alike in both; a push taken from the doubles is missed in its step. */
static void pushes_are_compared(void) {
    static const char *const sets[] = {"N", "4", "q0", "0,1,2,3", "u0", "1,0.3,0,-1", NULL};
    both b;
    run_both(&b, "sticky", "maury", sets, 50, NULL, 0.0);
    CU_ASSERT_EQUAL_FATAL(b.status, IL_OK);
    CU_ASSERT(b.proof.differ == 0 && b.proof.first == 0);
    CU_ASSERT(b.proof.largest_q <= ROUNDING_Q && b.proof.largest_u <= ROUNDING_U); /* of each */
    CU_ASSERT_FATAL(b.trajectory.ncontacts > 1);
    CU_ASSERT_EQUAL(b.proof.contacts, b.trajectory.ncontacts);
    size_t step = b.trajectory.contacts[--b.trajectory.ncontacts].step;
    il_proof_query query = {.problem = b.spec.problem,
                            .params = b.spec.params,
                            .scheme = b.spec.scheme,
                            .steps = b.record.steps_done,
                            .trajectory = &b.trajectory};
    il_proof missing = {.d = 0};
    CU_ASSERT_EQUAL(il_proof_run(&missing, &query, NULL), IL_OK);
    CU_ASSERT(missing.differ == 1 && missing.first == step);
    il_proof_free(&missing);
    free_both(&b);
}

static void what_has_no_exact_counterpart_is_refused(void) {
    both b;
    run_both(&b, "bouncing_ball", "maury", none, 10, NULL, 0.0);
    CU_ASSERT_EQUAL(b.status, IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "has no model in exact arithmetic"));
    free_both(&b);
    run_both(&b, "nonuniqueness", "moreau_jean", none, 10, NULL, 0.0);
    CU_ASSERT_EQUAL(b.status, IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "has no counterpart in exact arithmetic"));
    free_both(&b);
}

static const il_test tests[] = {
    {"texts mean what they say", texts_mean_what_they_say},
    {"arithmetic is that of small doubles", arithmetic_is_that_of_small_doubles},
    {"dyadic runs are runs of integers", dyadic_runs_are_runs_of_integers},
    {"doubles follow exact runs, whatever the step and the scheme", doubles_follow_exact_runs},
    {"sticky bodies end where a calculation by hand puts them", sticky_bodies_by_hand},
    {"one step is the minimax formula", one_step_is_the_minimax_formula},
    {"wrong doubles are caught", wrong_doubles_are_caught},
    {"pushes are compared", pushes_are_compared},
    {"what has no exact counterpart is refused", what_has_no_exact_counterpart_is_refused},
    {NULL, NULL}};

const il_suite il_suite_proof = {"proof", tests};

/*
 * test_order.c - verdicts on orders of synthetic errors whose order is known, and the parts of the
 * fit.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "harness/study/order/order_cause.h"
#include "harness/study/order/order_data.h"
#include "harness/study/order/order_lines.h"
#include "harness/study/order/order_math.h"
#include "harness/study/order/order_part.h"
#include "harness/study/order/order_trend.h"
#include "harness/study/order/step_design.h"
#include "tests/support/order_sample.h"
#include "tests/support/suite.h"

enum { TRIALS = 100 };

static void claims_are_judged(void) {
    static const struct {
        il_claim_kind kind;
        double order;
        il_verdict verdict;
    } list[] = {
        {IL_CLAIM_SHARP, 1.0, IL_ORDER_PASS},
        {IL_CLAIM_BOUND, 1.0, IL_ORDER_PASS},
        {IL_CLAIM_BOUND, 0.5, IL_ORDER_PASS},
        {IL_CLAIM_CONVERGES, 0.0, IL_ORDER_PASS},
        {IL_CLAIM_SHARP, 0.5, IL_ORDER_FAIL},
        {IL_CLAIM_SHARP, 1.5, IL_ORDER_FAIL},
        {IL_CLAIM_BOUND, 1.5, IL_ORDER_FAIL},
        /* h^1.25 log(1/h) falls like h over these steps: what a bound asks is not refuted */
        {IL_CLAIM_BOUND, 1.25, IL_ORDER_INCONCLUSIVE}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    /* six octaves: what may bend the errors of four unseen leaves a tenth of an order open */
    il_sample s = il_sample_draw(rng, (il_design){2.0, 6, IL_SAMPLE_JITTER});
    il_sample_lognormal(rng, &s, 1.0, 0.02);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_claim claim = {.norm = "u_L1", .kind = list[k].kind, .order = list[k].order};
        CU_ASSERT_EQUAL(il_sample_fit(&s, &claim).verdict, list[k].verdict);
    }
    CU_ASSERT_EQUAL(il_sample_fit(&s, NULL).verdict, IL_ORDER_REPORTED);
    il_sample_lognormal(rng, &s, 1.0, 2.0);
    CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_bound_1).verdict, IL_ORDER_INCONCLUSIVE);
    il_order unclaimed = il_sample_fit(&s, NULL);
    CU_ASSERT_EQUAL(unclaimed.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT_PTR_NOT_NULL(strstr(unclaimed.reason, "; no order is claimed"));
    gsl_rng_free(rng);
}

/* E = C/h with noise: FAIL whatever is claimed, REPORTED where nothing is, and never a slope; nor
 * of a few that grow, of which nothing is sure. */
static void rising_errors_fail(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_claim *claims[] = {&il_claim_bound_1, &il_claim_converges, NULL};
    for (int trial = 0; trial < 60; trial++) {
        il_sample s = il_sample_draw(rng, il_design_usual);
        il_sample_lognormal(rng, &s, -1.0, IL_SAMPLE_NOISE);
        const il_claim *claim = claims[trial % 3];
        il_order o = il_sample_fit(&s, claim);
        CU_ASSERT_EQUAL(o.verdict, claim != NULL ? IL_ORDER_FAIL : IL_ORDER_REPORTED);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "do not fall"));
        CU_ASSERT_PTR_NOT_NULL(strstr(o.reason, "the errors grow as the step falls"));
        CU_ASSERT(isnan(o.slope) && isnan(o.low) && isnan(o.high) && isnan(o.sen.slope));
    }
    static const double h[] = {0.1, 0.05, 0.025, 0.0125};
    static const double error[] = {0.1, 0.2, 0.3, 0.4};
    const il_order_data few = {.n = 4, .h = h, .error = error};
    il_order o;
    CU_ASSERT_EQUAL(il_order_fit(&few, 0.95, &il_claim_converges, &o, NULL), IL_OK);
    CU_ASSERT_EQUAL(o.verdict, IL_ORDER_INCONCLUSIVE);
    CU_ASSERT(isnan(o.slope) && isnan(o.low) && isnan(o.high) && isnan(o.power.slope));
    gsl_rng_free(rng);
}

/* Constant errors pass by chance alone: the claim of mere convergence asks for 0.1 below the whole
 * interval, which is 3.5 standard deviations of the slope here (0.3/(0.8 sqrt 32) = 0.066): 0.02 %.
 */
static void constant_errors_never_pass(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int passed = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        il_sample s = il_sample_draw(rng, il_design_usual);
        il_sample_lognormal(rng, &s, 0.0, IL_SAMPLE_NOISE);
        passed += il_sample_fit(&s, &il_claim_converges).verdict == IL_ORDER_PASS;
        il_verdict verdict = il_sample_fit(&s, &il_claim_bound_1).verdict;
        CU_ASSERT(verdict == IL_ORDER_FAIL || verdict == IL_ORDER_INCONCLUSIVE);
    }
    CU_ASSERT(passed <= 1);
    il_sample s = il_sample_draw(rng, il_design_usual);
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 0.25;
    }
    CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_converges).verdict, IL_ORDER_FAIL);
    gsl_rng_free(rng);
}

static void failed_studies_have_no_order(void) {
    static const struct {
        double value;
        il_verdict verdict;
    } list[] = {{NAN, IL_ORDER_FAIL}, {INFINITY, IL_ORDER_FAIL}, {-1e-3, IL_ORDER_FAIL}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sample s = il_sample_draw(rng, il_design_usual);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_sample_lognormal(rng, &s, 1.0, 0.0);
        s.e[3] = list[k].value;
        il_order o = il_sample_fit(&s, &il_claim_bound_1);
        CU_ASSERT(o.verdict == list[k].verdict && isnan(o.slope) && isnan(o.low));
    }
    /* a run that is exact, like one at rounding, is no failure: it is set aside, and told */
    il_sample_lognormal(rng, &s, 1.0, 0.0);
    s.e[3] = 0.0;
    s.e[17] = 1e-15;
    il_order some = il_sample_fit(&s, &il_claim_bound_1);
    CU_ASSERT(some.verdict == IL_ORDER_PASS && some.at_rounding == 2 && some.n == s.n - 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(some.reason, "2 runs at rounding set aside"));
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 1e-15 * s.h[i]; /* rounding of a solution of size one */
    }
    il_order o = il_sample_fit(&s, &il_claim_bound_1);
    CU_ASSERT(o.verdict == IL_ORDER_INCONCLUSIVE && o.cause == IL_PLATEAU_ROUNDING);
    il_sample_lognormal(rng, &s, 1.0, 0.0);
    s.n = 3;
    CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_bound_1).verdict, IL_ORDER_INCONCLUSIVE);
    s.n = 0;
    CU_ASSERT_EQUAL(il_sample_fit(&s, &il_claim_bound_1).verdict, IL_ORDER_INCONCLUSIVE);
    gsl_rng_free(rng);
}

static void bad_input_is_refused(void) {
    il_order o;
    il_error err = {IL_OK, ""};
    double h[4] = {0.1, 0.2, 0.0, 0.4};
    double e[4] = {0.1, 0.2, 0.3, 0.4};
    il_order_data data = {.n = 4, .h = h, .error = e};
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "h[2] is 0; allowed"));
    h[2] = 0.3;
    CU_ASSERT_EQUAL(il_order_fit(&data, 1.0, NULL, &o, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "confidence is 1; allowed"));
    data.n = 100001; /* none of them is looked at */
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "100001 runs; allowed: at most 100000"));
    data.n = 4;
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, NULL, &o, &err), IL_OK);
}

/* Values of Student's and the normal quantiles from tables (Abramowitz & Stegun 26.1, 26.10). */
static void quantiles_are_those_of_tables(void) {
    static const struct {
        double p, freedom, value;
    } list[] = {{0.975, 3.0, 3.182},  {0.975, 5.0, 2.571}, {0.975, 10.0, 2.228},
                {0.975, 30.0, 2.042}, {0.99, 4.0, 3.747},  {0.99, 10.0, 2.764},
                {0.995, 10.0, 3.169}, {0.95, 20.0, 1.725}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        double t = il_order_t_quantile(list[k].p, list[k].freedom);
        CU_ASSERT(fabs(t / list[k].value - 1.0) <= 3e-3);
        double other = il_order_t_quantile(1.0 - list[k].p, list[k].freedom);
        CU_ASSERT(fabs(t + other) <= 1e-6);
    }
    CU_ASSERT(fabs(il_order_normal_quantile(0.975) - 1.959963985) <= 1e-6);
    CU_ASSERT(fabs(il_order_normal_quantile(0.6) - 0.253347103) <= 1e-6);
    CU_ASSERT(il_order_t_quantile(0.975, 1.0) >= 3.182 && il_order_t_quantile(0.975, 2.0) >= 4.3);
}

/* The sizes of causes, and which one explains a height: the nearest that reaches it; nothing below
 * a reference's own error is explained by it. */
static void causes_have_sizes(void) {
    il_order_causes c = il_order_causes_of(1000.0, 2.0, 1e-8, 3e-8, 1e-6);
    CU_ASSERT(c.rounding == 8.0 * 1000.0 * 0x1p-52 * 2.0 && c.tolerance == 1000.0 * 3e-8);
    CU_ASSERT_EQUAL(il_order_cause(&c, 1e-12), IL_PLATEAU_ROUNDING);
    CU_ASSERT_EQUAL(il_order_cause(&c, 5e-7), IL_PLATEAU_BELOW_REFERENCE);
    CU_ASSERT_EQUAL(il_order_cause(&c, 5e-6), IL_PLATEAU_REFERENCE);
    CU_ASSERT_EQUAL(il_order_cause(&c, 2e-5), IL_PLATEAU_TOLERANCE);
    CU_ASSERT_EQUAL(il_order_cause(&c, 1e-4), IL_PLATEAU_UNEXPLAINED);
    c = il_order_causes_of(NAN, NAN, NAN, -1.0, NAN);
    CU_ASSERT(c.rounding == 8.0 * 0x1p-52 && c.tolerance == 0.0 && c.reference == 0.0);
}

/* ---- the parts ------------------------------------------------------------------------------ */

/* Sen's own kind of example: an outlier moves the mean slope, not the median. Slopes of the pairs
 * of (0,0), (1,1), (2,2), (3,30): 1, 1, 10, 1, 14.5, 28; their median is 5.5. */
static void theil_sen_is_the_median_of_slopes(void) {
    const double x[] = {0.0, 1.0, 2.0, 3.0};
    const double y[] = {0.0, 1.0, 2.0, 30.0};
    double room[6];
    il_sen sen = il_line_sen(x, y, 4, 0.95, 1.0, room);
    CU_ASSERT_EQUAL(sen.slope, 5.5);
    /* four points cannot exclude anything: C = 1.96 sqrt(4 3 13/18) = 5.8 of 6 pairs */
    CU_ASSERT(sen.low == -INFINITY && sen.high == INFINITY);
    const double same[] = {1.0, 1.0};
    sen = il_line_sen(same, y, 2, 0.95, 1.0, room);
    CU_ASSERT(isnan(sen.slope));
}

/* S = 6 - 0, 0 - 6 and 5 - 1 of six pairs; its variance is 4 3 13/18, of which two equal x take
 * 2 1 9/18 (Sen 1968, (2.6)): the pair of them counts for nothing. */
static void kendall_counts_pairs(void) {
    const double x[] = {3.0, 2.0, 1.0, 0.0};
    const double up[] = {9.0, 8.0, 1.0, 0.5};
    const double down[] = {0.1, 0.2, 7.0, 8.0};
    const double mixed[] = {9.0, 1.0, 8.0, 0.5};
    const double tied[] = {1.0, 1.0, 0.0, -1.0};
    double deviation = sqrt(156.0 / 18.0);
    CU_ASSERT_DOUBLE_EQUAL(il_line_kendall(x, up, 4), 6.0 / deviation, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(il_line_kendall(x, down, 4), -6.0 / deviation, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(il_line_kendall(x, mixed, 4), 4.0 / deviation, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(il_line_kendall(tied, up, 4), 5.0 / sqrt(138.0 / 18.0), 1e-15);
    CU_ASSERT(il_line_kendall(tied, up, 1) == 0.0);
}

/* Every other of 48 points tends elsewhere, y = 0 beside y = x, with a scatter of +-s that changes
 * every second point and so belongs to both. Two lines leave 48 s^2 and one leaves a quarter of
 * sum x^2 = 48 * 47 * 95/6 / 10^2 more: two are told at s = 0.1, and at s = 1, where they leave a
 * third of what one does, they are not. */
static void two_lines_must_explain_what_one_leaves(void) {
    enum { N = 48 };
    double x[N];
    double y[N];
    bool branch[N];
    const double scatter[2] = {0.1, 1.0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++) {
            x[i] = -0.1 * i;
            y[i] = (i % 2 == 0 ? 0.0 : x[i]) + (i % 4 < 2 ? scatter[k] : -scatter[k]);
        }
        CU_ASSERT_EQUAL(il_line_split(x, y, N, branch).two, k == 0);
    }
}

/* Three points at two places at least. */
static void a_trend_needs_three_points(void) {
    const double x[3] = {0.0, -1.0, -2.0};
    const double same[3] = {0.0, 0.0, 0.0};
    const double y[3] = {0.0, -1.1, -1.9};
    const size_t level[3] = {0, 1, 2};
    double room[3 * IL_TREND_ROOM];
    il_trend out;
    il_trend_data data = {.n = 3, .x = x, .y = y, .level = level, .guess = 1.0, .room = room};
    CU_ASSERT_TRUE(il_trend_fit(&data, &out));
    data.n = 2;
    CU_ASSERT_FALSE(il_trend_fit(&data, &out));
    data.n = 3;
    data.x = same;
    CU_ASSERT_FALSE(il_trend_fit(&data, &out));
}

/* Nine points on a line but for one: near it is kept, however exact the others are; 1000 times
 * below, it is set aside. */
static void only_what_is_far_below_is_set_aside(void) {
    double x[9];
    double y[9];
    double work[72];
    const double below[2] = {0.05, 6.9};
    for (size_t k = 0; k < 2; k++) {
        il_order_points s = {.n = 9, .to = 9, .x = x, .y = y, .work = work};
        il_order o = {.far_below = 0};
        for (int i = 0; i < 9; i++) {
            x[i] = -0.7 * i;
            y[i] = x[i] - (i == 4 ? below[k] : 0.0);
        }
        il_order_set_aside_low(&s, &o);
        CU_ASSERT(o.far_below == k && s.n == 9 - k && s.to == s.n);
    }
}

/* The worst of each octave, y = x + `by` where the rest has y = x, wherever it stands and however
 * little it is worse, also of more runs than Theil and Sen can pair; one run alone is left. */
static void expect_worst(size_t where, double by) {
    enum { N = IL_ORDER_SEN_MAX + 1 };
    double *x = calloc((size_t)N * N, sizeof *x);
    size_t *level = calloc(N, sizeof *level);
    CU_ASSERT_FATAL(x != NULL && level != NULL);
    double *y = x + N;
    const size_t sizes[3] = {1, 24, N};
    const size_t kept[3] = {1, 3, (N + 7) / 8};
    for (int k = 0; k < 3; k++) {
        il_order_points s = {.n = sizes[k], .to = sizes[k], .x = x, .y = y};
        s.work = y + N;
        s.level = level;
        for (size_t i = 0; i < s.n; i++) {
            x[i] = -0.1 * (double)i;
            y[i] = x[i] + (i % 8 == where ? by : 0.0);
            level[i] = i / 8;
        }
        il_order_keep_worst(&s);
        CU_ASSERT_EQUAL_FATAL(s.n, kept[k]);
        for (size_t i = 0; k > 0 && i < sizes[k] / 8; i++) {
            CU_ASSERT(s.x[i] == -0.1 * (double)(8 * i + where) && s.y[i] == s.x[i] + by);
        }
    }
    free(x);
    free(level);
}

static void the_worst_of_each_octave_is_kept(void) {
    expect_worst(5, 1.0);
    expect_worst(0, 0.05); /* less than the line falls from one run to the next */
    expect_worst(7, 0.05);
}

/* Steps that differ by roundings are one. */
static void steps_are_counted_once(void) {
    double x[6] = {0.0, 0.0, -1.0, -1.0 - 1e-14, -2.0, -3.0};
    const il_order_points s = {.n = 6, .from = 0, .to = 6, .x = x};
    il_order_points part = s;
    CU_ASSERT_EQUAL(il_order_steps_used(&s), 4);
    part.from = 1;
    part.to = 4;
    CU_ASSERT_EQUAL(il_order_steps_used(&part), 2);
    part.to = 2;
    CU_ASSERT_EQUAL(il_order_steps_used(&part), 1);
    part.to = 1;
    CU_ASSERT_EQUAL(il_order_steps_used(&part), 0);
}

/* Three runs on y = 3/2 x do not know their scatter: without that of a whole they have no slope;
 * with it, 0.1 at ten degrees of freedom, the half width is 2.228 0.1/sqrt(2), where the sum of
 * (x - mean)^2 is 2. One run has no slope, nor has none. */
static void a_part_needs_a_scatter_and_two_runs(void) {
    double x[3] = {0.0, -1.0, -2.0};
    double y[3] = {0.0, -1.5, -3.0};
    double work[3 * IL_TREND_ROOM];
    size_t level[3] = {0, 1, 2};
    const il_order_points s = {.n = 3, .to = 3, .x = x, .y = y, .work = work, .level = level};
    const il_trend whole = {.scale = 0.1, .freedom = 10.0};
    il_order_slope slope = il_order_fit_part(&s, 0, 3, NULL, 0.95);
    CU_ASSERT(isnan(slope.slope) && isnan(slope.low) && isnan(slope.high));
    for (size_t to = 0; to < 2; to++) {
        slope = il_order_fit_part(&s, 0, to, &whole, 0.95);
        CU_ASSERT(isnan(slope.slope) && isnan(slope.low) && isnan(slope.high));
    }
    slope = il_order_fit_part(&s, 0, 3, &whole, 0.95);
    double half = 2.228 * 0.1 / sqrt(2.0);
    CU_ASSERT(fabs(slope.slope - 1.5) <= 1e-15);
    CU_ASSERT(fabs((slope.high - 1.5) / half - 1.0) <= 3e-3); /* the quantile's own accuracy */
    CU_ASSERT(fabs((1.5 - slope.low) / half - 1.0) <= 3e-3);
}

/* The level around 100 of ratio 2 has 71 integers, 71 to 141: 35 can be drawn, different ones, and
 * 36 are more than half of them. */
static void a_level_has_twice_as_many_integers(void) {
    il_step_design design = {.from = 100, .ratio = 2.0, .count = 1, .jitter = 35, .seed = 1};
    double steps[36];
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_step_design_draw(&design, steps, &err), IL_OK);
    for (size_t k = 0; k < design.jitter; k++) {
        CU_ASSERT(steps[k] >= 71.0 && steps[k] <= 141.0 && steps[k] == floor(steps[k]));
        CU_ASSERT(k == 0 || steps[k] > steps[k - 1]);
    }
    design.jitter = 36;
    CU_ASSERT_EQUAL(il_step_design_draw(&design, steps, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "around 100 steps has too few integers"));
}

static const il_test tests[] = {
    {"claims are judged", claims_are_judged},
    {"rising errors fail", rising_errors_fail},
    {"constant errors never pass", constant_errors_never_pass},
    {"failed studies have no order", failed_studies_have_no_order},
    {"bad input is refused", bad_input_is_refused},
    {"quantiles are those of tables", quantiles_are_those_of_tables},
    {"causes have sizes", causes_have_sizes},
    {"Theil and Sen: the median of slopes", theil_sen_is_the_median_of_slopes},
    {"Kendall counts pairs", kendall_counts_pairs},
    {"two lines must explain what one leaves", two_lines_must_explain_what_one_leaves},
    {"a trend needs three points", a_trend_needs_three_points},
    {"steps are counted once", steps_are_counted_once},
    {"a part needs a scatter, and two runs", a_part_needs_a_scatter_and_two_runs},
    {"a level has twice as many integers as are drawn", a_level_has_twice_as_many_integers},
    {"only what is far below is set aside", only_what_is_far_below_is_set_aside},
    {"the worst of each octave is kept", the_worst_of_each_octave_is_kept},
    {NULL, NULL}};

const il_suite il_suite_order = {"order", tests};

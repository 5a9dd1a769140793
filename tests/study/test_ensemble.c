/*
 * test_ensemble.c - growth against known exponents, spreads against known conditions, and whole
 * ensembles of problems whose sensitivity is known. Each way to be fooled is tried: a perturbation
 * that rounds away, numbers that are zero or rounding, a border, a start on its constraints.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "harness/run/record.h"
#include "harness/run/registry.h"
#include "harness/run/run.h"
#include "harness/study/ensemble/disturb.h"
#include "harness/study/ensemble/ensemble.h"
#include "harness/study/ensemble/ensemble_numbers.h"
#include "harness/study/ensemble/spread.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

/* ---- growth --------------------------------------------------------------------------------- */

enum { TIMES = 200 };

static void what_grows_with_a_power_or_jumps_has_no_exponent(void) {
    double t[TIMES];
    double linear[TIMES];
    double jump[TIMES];
    for (int k = 0; k < TIMES; k++) {
        t[k] = 0.1 * (k + 1);
        linear[k] = 1e-15 * t[k];
        jump[k] = k < 77 ? 1e-15 : 0.3;
    }
    il_growth g = il_growth_of(t, linear, TIMES);
    CU_ASSERT(isnan(g.rate) && isnan(g.jump) && isnan(g.time[0]));
    g = il_growth_of(t, jump, TIMES);
    CU_ASSERT(isnan(g.rate) && g.jump == t[77] && g.time[3] == t[77]);
    const double zeros[TIMES] = {0.0};
    g = il_growth_of(t, zeros, TIMES);
    CU_ASSERT(isnan(g.rate) && g.left == 16.0);
}

/* delta = 3e-20, 3e-19, ..., 3e-1 at t = 0, 1, ..., 19: k digits are gone once it is above 10^-k.
 */
static void digits_go_one_by_one(void) {
    double t[20];
    double delta[20];
    for (int k = 0; k < 20; k++) {
        t[k] = k;
        delta[k] = 3.0 * pow(10.0, k - 20);
    }
    il_growth g = il_growth_of(t, delta, 20);
    CU_ASSERT(g.time[0] == 8.0 && g.time[1] == 12.0 && g.time[2] == 16.0 && g.time[3] == 18.0);
    CU_ASSERT(fabs(g.left + log10(0.3)) <= 1e-14);
}

/* ---- spreads -------------------------------------------------------------------------------- */

enum { RUNS = 12, ALL = 18 };

/* Members x = value + f(E) r, r in [-1,1]: E = 1e-15 for the first twelve, then 1e-12 and 1e-9. */
static il_spread spread(double value, double scale, bool parting, double (*f)(double), int values) {
    double x[ALL];
    double size[ALL];
    for (int k = 0; k < ALL; k++) {
        size[k] = k < RUNS ? 1e-15 : k < RUNS + 3 ? 1e-12 : 1e-9;
        double r = values > 0 ? (double)(k % values) / values : il_disturb_draw(3, (uint64_t)k);
        x[k] = value + f(size[k]) * r;
    }
    il_spread_query q = {.value = value,
                         .n = ALL,
                         .x = x,
                         .size = size,
                         .scale = scale,
                         .noise = 1e-14 * scale,
                         .parting = parting};
    il_spread s = {0};
    double scratch[ALL + 1];
    CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
    return s;
}

static double twice(double e) {
    return 2.0 * e;
}

static double million(double e) {
    return 1e6 * e;
}

static double always(double e) {
    (void)e;
    return 0.3;
}

static double rounding(double e) {
    (void)e;
    return 1e-15;
}

static void proportional_spreads_have_their_condition(void) {
    il_spread s = spread(1.0, 1.0, true, twice, 0);
    CU_ASSERT_EQUAL(s.class, IL_ROBUST);
    CU_ASSERT(s.condition <= 2.0 && s.condition >= 1.0);
    s = spread(1.0, 1.0, true, million, 0); /* 1e-9 of the number: digits are left */
    CU_ASSERT_EQUAL(s.class, IL_ILL_CONDITIONED);
    CU_ASSERT(s.condition <= 1e6 && s.condition >= 5e5); /* draws lie in [1/2, 1] */
    CU_ASSERT(fabs(s.slope - 1.0) <= 0.1);               /* log 2 over six decades */
}

static void spreads_that_do_not_shrink_are_chaos_or_a_border(void) {
    il_spread s = spread(1.0, 1.0, true, always, 0);
    CU_ASSERT_EQUAL(s.class, IL_CHAOTIC);
    CU_ASSERT(fabs(s.slope) <= 0.1);
    s = spread(1.0, 1.0, true, always, 2); /* two values: a border, whatever else grows */
    CU_ASSERT_EQUAL(s.class, IL_ILL_CONDITIONED);
    CU_ASSERT_EQUAL(s.values, 2);
    s = spread(1.0, 1.0, false, always, 0); /* no growth: a discontinuity */
    CU_ASSERT_EQUAL(s.class, IL_ILL_CONDITIONED);
}

static void numbers_at_rounding_level_are_compared_with_what_they_are_made_of(void) {
    CU_ASSERT_EQUAL(spread(0.0, 1.0, true, rounding, 0).class, IL_ROBUST);
    CU_ASSERT_EQUAL(spread(1e-16, 1.0, true, rounding, 0).class, IL_ROBUST);
    CU_ASSERT_EQUAL(spread(1e-16, 1.0, true, twice, 0).class, IL_ROBUST);
    /* a zero that moves by a millionth of what it is made of is not robust, and not chaos */
    CU_ASSERT_EQUAL(spread(0.0, 1.0, true, million, 0).class, IL_ILL_CONDITIONED);
    /* the same rounding where nothing else is made of anything */
    CU_ASSERT_EQUAL(spread(0.0, 1e-15, true, always, 0).class, IL_CHAOTIC);
}

/* ---- from their definitions ------------------------------------------------------------------ */

/* Three times nothing, then delta = 2^(k-40) at t = 3 k^2 / 2: what is fitted begins where it has
 * not yet grown to four times its first, k = 1, and ends at the first that is a tenth of the most,
 * 2^27 of 2^30. The slope is that of the least squares of k over t there, by sums of integers. */
static void a_fit_begins_at_four_times_the_first_and_ends_at_a_tenth_of_the_most(void) {
    double t[34];
    double delta[34] = {0.0};
    double st = 0.0;
    double sk = 0.0;
    double stt = 0.0;
    double stk = 0.0;
    for (int k = -3; k <= 30; k++) {
        t[k + 3] = k < 0 ? k : 1.5 * k * k;
        delta[k + 3] = k < 0 ? 0.0 : ldexp(1.0, k - 40);
        if (1 <= k && k <= 27) {
            st += t[k + 3];
            sk += k;
            stt += t[k + 3] * t[k + 3];
            stk += t[k + 3] * k;
        }
    }
    il_growth g = il_growth_of(t, delta, 34);
    double slope = log(2.0) * (27.0 * stk - st * sk) / (27.0 * stt - st * st);
    CU_ASSERT(fabs(g.rate - slope) <= 1e-13 * slope); /* 27 roundings of logarithms below 28 */
    CU_ASSERT(g.from == t[4] && g.to == t[30] && g.rise == 0x1p26);
    CU_ASSERT(isnan(g.jump));
    CU_ASSERT(fabs(g.left - 10.0 * log10(2.0)) <= 1e-14);
}

/* Nothing that a rounding of 2e-3 explains is chaos, though larger moves do far more. */
static void what_noise_explains_is_no_chaos(void) {
    double x[ALL];
    double size[ALL];
    for (int k = 0; k < ALL; k++) {
        size[k] = k < RUNS ? 1e-15 : 1e-9;
        x[k] = 1e-3 + (k < RUNS ? 1e-3 : 8e-3) * il_disturb_draw(3, (uint64_t)k);
    }
    il_spread_query q = {.value = 1e-3,
                         .n = ALL,
                         .x = x,
                         .size = size,
                         .scale = 1.0,
                         .noise = 2e-3,
                         .parting = true};
    il_spread s = {0};
    double scratch[ALL + 1];
    CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
    CU_ASSERT_EQUAL(s.class, IL_ILL_CONDITIONED);
    q.noise = 1e-5; /* and with less it is */
    CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
    CU_ASSERT_EQUAL(s.class, IL_CHAOTIC);
}

/* The mean of the two in the middle of runs[n], sorted by counting. */
static double middle_of(const double *x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        int less = 0;
        int upto = 0;
        for (int j = 0; j < n; j++) {
            less += x[j] < x[i];
            upto += x[j] <= x[i];
        }
        int half = (n - 1) / 2; /* ranks from 0 */
        bool low = less <= half && half < upto;
        bool high = less <= n / 2 && n / 2 < upto;
        sum += (double)(low + high) * x[i] / (double)(upto - less);
    }
    return 0.5 * sum;
}

/* Numbers of a spread from their definitions; every fifth member has no such number. */
static void spreads_are_those_of_their_definitions(void) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        double x[ALL];
        double size[ALL];
        double least[RUNS + 1] = {0.25};
        double worst = 0.0;
        double d[2] = {0.0, 0.0};
        int n = 1;
        for (int k = 0; k < ALL; k++) {
            bool small = (k + (int)seed) % 3 != 0;
            size[k] = small ? 0x1p-40 : 0x1p-20;
            bool none = (k * 7 + (int)seed) % 5 == 0;
            x[k] = none ? NAN : 0.25 + 64.0 * size[k] * il_disturb_draw(seed, (uint64_t)k);
            if (!none) {
                d[!small] = fmax(d[!small], fabs(x[k] - 0.25));
                worst = fmax(worst, (fabs(x[k] - 0.25) - 0x1p-42) / (2.0 * size[k]));
            }
            if (!none && small) {
                least[n++] = x[k];
            }
        }
        il_spread_query q = {
            .value = 0.25, .n = ALL, .x = x, .size = size, .scale = 2.0, .noise = 0x1p-42};
        il_spread s = {0};
        double scratch[ALL + 1];
        CU_ASSERT_TRUE(il_spread_of(&q, scratch, &s));
        double low = 0.25;
        double high = 0.25;
        for (int i = 0; i < n; i++) {
            low = fmin(low, least[i]);
            high = fmax(high, least[i]);
        }
        CU_ASSERT(s.value == 0.25 && s.low == low && s.high == high && s.spread == high - low);
        CU_ASSERT_EQUAL(s.median, middle_of(least, n));
        CU_ASSERT_EQUAL(s.condition, worst);
        double slope = log(d[1] / d[0]) / log(0x1p20);
        CU_ASSERT(fabs(s.slope - slope) <= 8.0 * DBL_EPSILON); /* three logarithms, of order 1 */
    }
}

static const double E = 0x1p-10;

/* Records of this number alone, 0 and in two members moved under E. */
static il_status number_alone(const char *name, double moved, const il_ensemble_scales *scales,
                              il_ensemble_result *r) {
    const double size[2] = {E, E};
    json_t *base = json_pack("{s:f}", name, 0.0);
    json_t *member = json_pack("{s:f}", name, moved);
    const json_t *both[2] = {member, member};
    il_ensemble_members members = {
        .base = base, .n = 2, .record = both, .size = size, .scales = *scales};
    il_status status = il_ensemble_numbers(&members, r, NULL);
    json_decref(base);
    json_decref(member);
    return status;
}

/* A number that moves by 1e-3 under E = 2^-10 has the condition 1e-3/(E s). By units: with
 * positions up to Q and velocities up to U, a length moves by E (Q + T U), a speed by E (U + Q/h)
 * =: E V; impulses are masses times speeds, forces impulses by h, works products of mass and two
 * speeds, and the complementarity and stationarity of a step impulses by lengths or by h, whichever
 * is more. */
static void numbers_are_measured_by_their_units(void) {
    static const double Q = 2.0, U = 3.0, h = 0.125, T = 4.0, m = 5.0;
    static const double moved = 1e-3;
    const double V = U + Q / h;
    const double L = Q + T * U;
    const struct {
        const char *name;
        double size;
        bool result; /* what came of the run, not how well it was computed */
    } numbers[] = {{"final.q", L, true},
                   {"final.u", V, true},
                   {"samples[1].load", m * V, true},
                   {"error.graph_H", V / U, true},
                   {"error.impacts.time_error", T * V / U, true},
                   {"energy.initial", m * U * V, true},
                   {"certificate.primal", L, false},
                   {"certificate.dual", m * V / h, false},
                   {"certificate.complementarity", m * V * L / h, false},
                   {"certificate.stationarity_relative", 1.0, false}};
    const il_ensemble_scales scales = {.q = Q, .u = U, .h = h, .T = T, .mass = m};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        il_ensemble_result r = {.typical = {.rate = NAN}};
        il_status status = number_alone(numbers[k].name, moved, &scales, &r);
        CU_ASSERT_EQUAL(status, numbers[k].result ? IL_OK : IL_EINVAL);
        const json_t *number = json_object_get(r.numbers, numbers[k].name);
        double condition = json_number_value(json_object_get(number, "condition"));
        CU_ASSERT(fabs(condition * E * numbers[k].size / moved - 1.0) <= 8.0 * DBL_EPSILON);
        CU_ASSERT(status != IL_OK || strcmp(r.name, numbers[k].name) == 0);
        json_decref(r.numbers);
    }
}

/* ---- whole ensembles ------------------------------------------------------------------------ */

/* The ensemble of eight runs, one after the other. */
static json_t *ensemble(const char *problem, const char *scheme, const char *settings,
                        size_t steps) {
    il_run_spec spec = {.steps = steps};
    il_ensemble *e = NULL;
    json_t *out = NULL;
    json_t *base = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    const il_problem_type *type = spec.problem;
    CU_ASSERT_EQUAL_FATAL(il_ensemble_create(&e, type, 8, 0.0, NULL), IL_OK);
    for (size_t k = 0; k < il_ensemble_count(e); k++) {
        il_observer observer = il_ensemble_observer(e, k);
        il_record record = {0};
        spec.problem = il_ensemble_problem(e, k);
        spec.observers = &observer;
        spec.nobservers = 1;
        CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, type->params, NULL), IL_OK);
        char text[128];
        (void)snprintf(text, sizeof text, "%s", settings);
        char *equals = strchr(text, '=');
        if (equals != NULL) {
            *equals = '\0';
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, text, equals + 1, NULL), IL_OK);
        }
        il_error why = {IL_OK, ""};
        json_t *answer = il_run(&spec, &record, NULL, &why) == IL_OK
                             ? json_pack("{s:o}", "record", il_record_json(&record))
                             : json_pack("{s:s}", "refused", why.message);
        if (k == 0) {
            base = json_incref(json_object_get(answer, "record")); /* the ensemble borrows it */
            CU_ASSERT_EQUAL(il_ensemble_base(e, base, 0.0, NULL), IL_OK);
        } else {
            il_ensemble_add(e, answer);
            il_ensemble_take(e, k, answer);
        }
        json_decref(answer);
        il_record_free(&record);
        il_params_destroy(spec.params);
    }
    CU_ASSERT_EQUAL(il_ensemble_json(e, &out, NULL), IL_OK);
    il_ensemble_destroy(e);
    json_decref(base);
    return out;
}

static void expect_class(const char *problem, const char *scheme, const char *settings,
                         size_t steps, const char *class) {
    json_t *e = ensemble(problem, scheme, settings, steps);
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    const char *found = json_string_value(json_object_get(e, "class"));
    if (strcmp(found, class) != 0) {
        (void)printf("%s %s by %s, %zu steps: %s: %s\n", problem, settings, scheme, steps, found,
                     json_string_value(json_object_get(e, "reason")));
    }
    CU_ASSERT_STRING_EQUAL(found, class);
    json_decref(e);
}

static void problems_with_one_solution_are_robust(void) {
    const char *const problems[] = {"bouncing_ball", "sticky",    "two_spheres", "cradle",
                                    "growing_radii", "labyrinth", "pendulum"};
    for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
        expect_class(problems[k], "venel", "", 61, "robust");
        expect_class(problems[k], "venel", "", 256, "robust");
    }
    expect_class("sticky", "paoli", "seed=11", 100, "robust");
    expect_class("two_spheres", "maury", "scenario=pressed", 100, "robust"); /* they touch */
    expect_class("crystal", "maury", "rows=3", 40, "robust");                /* and rest */
    expect_class("gluey", "gluey_maury", "", 100, "robust");                 /* and hold */
}

/* A chain of equal balls that touch after equal times: which pair is struck first is decided by the
 * last place, and with e = 1 they part otherwise. */
static void simultaneous_elastic_impacts_lie_on_a_border(void) {
    expect_class("cradle", "moreau_jean", "e=1", 200, "ill-conditioned");
}

/* Does the file in results hold text? */
static bool holds_text(const char *results, const char *file, const char *text) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", results, file);
    json_t *root = json_load_file(path, 0, NULL);
    const char *caption = json_string_value(json_object_get(root, "caption"));
    bool found = caption != NULL && strstr(caption, text) != NULL;
    json_decref(root);
    return found;
}

/* Figures and tables whose numbers are not robust say so, others do not. */
static void what_is_not_robust_is_marked(void) {
    il_stage s;
    il_stage_new(&s);
    il_stage_write(
        s.script,
        "local lab = require 'impactlab'\n"
        "local map = lab.problem{name = 'map', order = 1, horizon = 200, q0 = {0.3},\n"
        "  force = function(_, q) return {3.999 * q[1] * (1 - q[1]) - q[1]} end}\n"
        "local e = lab.ensemble{problem = map, scheme = 'venel', steps = 120, h = 1, runs = 4}\n"
        "lab.table{name = 'own', caption = 'A map.', heads = {'a'}, rows = {{1}}, ensemble = e}\n"
        "for name, p in pairs{chaos = map, calm = 'two_spheres'} do\n"
        "  lab.sweep{name = name, problem = p, scheme = 'maury', hs = {1, 0.5}, horizon = 120,\n"
        "            norms = {'none'}, reference = 'none', ensemble = 2}:run():table{'errors'}\n"
        "end\n");
    CU_ASSERT_EQUAL(il_stage_run(&s), IL_OK);
    CU_ASSERT_TRUE(holds_text(s.results, "tables/own.table.json", "Not robust but chaotic"));
    CU_ASSERT_TRUE(
        holds_text(s.results, "tables/chaos-errors.table.json", "chaotic: map by maury at h = 1"));
    CU_ASSERT_TRUE(holds_text(s.results, "tables/calm-errors.table.json", ""));
    CU_ASSERT_FALSE(holds_text(s.results, "tables/calm-errors.table.json", "Not robust"));
    il_stage_free(&s);
}

static void scripts_make_ensembles(void) {
    il_stage_try_file("tests/lua/ensemble.lua", 31);
}

static const il_test tests[] = {
    {"scripts make ensembles", scripts_make_ensembles},
    {"what is not robust is marked", what_is_not_robust_is_marked},
    {"digits go one by one", digits_go_one_by_one},
    {"what grows with a power or jumps has no exponent",
     what_grows_with_a_power_or_jumps_has_no_exponent},
    {"proportional spreads have their condition", proportional_spreads_have_their_condition},
    {"spreads that do not shrink are chaos or a border",
     spreads_that_do_not_shrink_are_chaos_or_a_border},
    {"numbers at rounding level are compared with what they are made of",
     numbers_at_rounding_level_are_compared_with_what_they_are_made_of},
    {"numbers are measured by their units", numbers_are_measured_by_their_units},
    {"problems with one solution are robust", problems_with_one_solution_are_robust},
    {"simultaneous elastic impacts lie on a border", simultaneous_elastic_impacts_lie_on_a_border},
    {"a fit begins at four times the first and ends at a tenth of the most",
     a_fit_begins_at_four_times_the_first_and_ends_at_a_tenth_of_the_most},
    {"what noise explains is no chaos", what_noise_explains_is_no_chaos},
    {"spreads are those of their definitions", spreads_are_those_of_their_definitions},
    {NULL, NULL}};

const il_suite il_suite_ensemble = {"ensemble", tests};

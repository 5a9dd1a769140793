/*
 * test_judge.c - trajectories read back are the runs that wrote them; every fault that is planted
 * is named, and none where there is none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/trajectory_file.h"
#include "harness/judge/judge.h"
#include "harness/run/run.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { SETS = 3, PATH = IL_SCRATCH_ROOM };

static char folder[IL_SCRATCH_ROOM];

static const char *path_of(const char *name, char path[2 * PATH]) {
    il_scratch_path(folder, name, path);
    return path;
}

/* A problem with settings "key=value". */
typedef struct {
    char keys[SETS][32];
    il_setting settings[SETS];
    il_choice choice;
} chosen;

static void choose(chosen *c, const char *problem, const char *const sets[SETS]) {
    *c = (chosen){.choice = {.label = problem}};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &c->choice.type, NULL), IL_OK);
    for (size_t k = 0; k < SETS && sets[k] != NULL; k++) {
        size_t n = strcspn(sets[k], "=");
        (void)snprintf(c->keys[k], sizeof c->keys[k], "%.*s", (int)n, sets[k]);
        c->settings[k] = (il_setting){.key = c->keys[k], .text = sets[k] + n + 1};
        c->choice.nsettings = k + 1;
    }
    c->choice.settings = c->settings;
}

/* Steps of scheme, kept. False where the scheme has no meaning on the problem. */
static bool run(const chosen *c, const char *scheme, size_t steps, il_record *record,
                il_trajectory *trajectory) {
    il_params *params = NULL;
    il_scheme_choice choice;
    const il_case one = {.problem = &c->choice};
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(scheme, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_case_params(&one, &params, NULL), IL_OK);
    const il_run_spec spec = {.problem = c->choice.type,
                              .params = params,
                              .scheme = choice.type,
                              .scheme_settings = choice.settings,
                              .projector = il_projector_type_default(),
                              .steps = steps,
                              .norms = il_norm_all()};
    memset(record, 0, sizeof *record);
    memset(trajectory, 0, sizeof *trajectory);
    il_status status = il_run(&spec, record, trajectory, NULL);
    il_params_destroy(params);
    /* springs of a given stiffness fail where steps this long cannot follow them */
    bool fails = choice.type->other_limit && record->status == IL_ENUMERIC;
    CU_ASSERT(status == IL_EUNSUPPORTED || (status == IL_OK && (fails || record->status == IL_OK)));
    return status == IL_OK && !fails;
}

static il_status judge(const chosen *c, const char *name, il_between between, il_judgement *out,
                       il_error *err) {
    char path[2 * PATH];
    const il_judge_query query = {.problem = &c->choice,
                                  .path = path_of(name, path),
                                  .name = "other",
                                  .between = between,
                                  .norms = il_norm_all()};
    return il_judge(&query, out, err);
}

/* ---- read back ------------------------------------------------------------------------------ */

/* Sums over some hundred steps, from differences that are rounded like the numbers themselves. */
static const double ROUNDING = 1e-11;

static void expect_near(const char *what, const char *name, double a, double b) {
    bool near = isnan(a) ? isnan(b) : fabs(a - b) <= ROUNDING * (1.0 + fabs(a)) || a == b;
    CU_ASSERT(near);
    if (!near) {
        (void)fprintf(stderr, "%s, %s: %.17g, read back %.17g\n", what, name, a, b);
    }
}

static void compare(const char *what, const il_record *a, const il_record *b) {
    const il_measure_result *x = &a->measure;
    const il_measure_result *y = &b->measure;
    CU_ASSERT_EQUAL_FATAL(a->ndistances, b->ndistances);
    CU_ASSERT_EQUAL(a->steps_done, b->steps_done);
    for (size_t k = 0; k < a->ndistances; k++) {
        expect_near(what, "q_Linf", a->distances[k].error.q_Linf, b->distances[k].error.q_Linf);
        expect_near(what, "u_L1", a->distances[k].error.u_L1, b->distances[k].error.u_L1);
        for (size_t i = 0; il_norm_type_at(i) != NULL; i++) {
            expect_near(what, il_norm_type_at(i)->name, il_norms_of(&a->distances[k].norms, i)[0],
                        il_norms_of(&b->distances[k].norms, i)[0]);
        }
    }
    expect_near(what, "nodes", x->nodes_min, y->nodes_min);
    expect_near(what, "between", x->between_min, y->between_min);
    expect_near(what, "energy", x->energy_final, y->energy_final);
    expect_near(what, "rise", x->energy_largest_increase, y->energy_largest_increase);
    expect_near(what, "balance", x->balance.largest_step, y->balance.largest_step);
    expect_near(what, "momentum", x->momentum_drift, y->momentum_drift);
    expect_near(what, "centre", x->centre_drift, y->centre_drift);
    expect_near(what, "variation", x->total_variation, y->total_variation);
    expect_near(what, "impulse", x->impulse_total, y->impulse_total);
    CU_ASSERT_EQUAL(x->active_max, y->active_max);
}

static const char *const *small(const char *problem) {
    static const struct {
        const char *problem;
        const char *sets[SETS];
    } list[] = {{"crowd", {"N=12"}},  {"pile", {"N=12", "radius=0.3"}},
                {"impact", {"N=12"}}, {"crystal", {"rows=3"}},
                {"sticky", {"N=10"}}, {"", {NULL}}};
    size_t k = 0;
    while (list[k].problem[0] != '\0' && strcmp(list[k].problem, problem) != 0) {
        k++;
    }
    return list[k].sets;
}

static void what_is_read_back_is_the_run(void) {
    il_scratch_open(folder);
    size_t pairs = 0; /* a third of all, with every problem and every scheme */
    for (size_t p = 0; il_problem_type_at(p) != NULL; p++) {
        for (size_t s = p % 3; il_scheme_type_at(s) != NULL; s += 3) {
            char what[128];
            char path[2 * PATH];
            const char *problem = il_problem_type_at(p)->name;
            const char *scheme = il_scheme_type_at(s)->name;
            chosen c;
            il_record record;
            il_trajectory trajectory;
            il_judgement judged;
            il_error err = {IL_OK, ""};
            (void)snprintf(what, sizeof what, "%s by %s", problem, scheme);
            choose(&c, problem, small(problem));
            if (run(&c, scheme, 37, &record, &trajectory)) {
                CU_ASSERT_EQUAL(il_trajectory_write(&trajectory, path_of("t.h5", path), "{}", &err),
                                IL_OK);
                /* mabrouk's positions move by the velocity before */
                il_between means = il_scheme_type_at(s)->dense      ? IL_BETWEEN_DENSE
                                   : strcmp(scheme, "mabrouk") == 0 ? IL_BETWEEN_CONSTANT
                                                                    : IL_BETWEEN_AFFINE;
                il_status status = judge(&c, "t.h5", means, &judged, &err);
                CU_ASSERT_EQUAL(status, IL_OK);
                if (status == IL_OK) {
                    if (means !=
                        IL_BETWEEN_CONSTANT) { /* norms take velocities as they are meant */
                        compare(what, &record, &judged.record);
                    }
                    bool clean = judged.faults.n == 0 || il_scheme_type_at(s)->compliant ||
                                 il_scheme_type_at(s)->other_limit;
                    CU_ASSERT(clean);
                    if (!clean) {
                        (void)fprintf(stderr, "%s: %s: %s\n", what, judged.faults.list[0].name,
                                      judged.faults.list[0].text);
                    }
                } else {
                    (void)fprintf(stderr, "%s: %s\n", what, err.message);
                }
                il_judgement_free(&judged);
                pairs++;
            }
            il_record_free(&record);
            il_trajectory_free(&trajectory);
        }
    }
    CU_ASSERT(pairs > 25);
    il_scratch_close(folder, 0);
}

/* ---- faults --------------------------------------------------------------------------------- */

typedef enum { SHIFTED, DELAYED, SIDE, SWAPPED, DRIFTS, PLANTED } plant;

static const char *const NAMES[PLANTED] = {"shifted samples", "shifted samples",
                                           "velocity of the wrong side", "swapped coordinates",
                                           "a momentum that drifts"};

/* The samples with a fault in them. */
static void write_planted(const il_trajectory *run, plant what) {
    char path[2 * PATH];
    size_t d = run->d;
    double drift = 0.0;
    FILE *out = fopen(path_of("planted.csv", path), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fprintf(out, "t");
    for (size_t k = 0; k < 2 * d; k++) {
        (void)fprintf(out, ",%c%zu", k < d ? 'q' : 'u', k < d ? k : k - d);
    }
    for (size_t n = 0; n + 1 < run->nodes; n++) {
        size_t of_q = what == SHIFTED ? n + 1 : what == DELAYED && n > 0 ? n - 1 : n;
        size_t of_u = what == SIDE ? n + 1 : of_q;
        double extra = what == DRIFTS ? 1e-9 * (double)n : 0.0;
        drift += n > 0 ? extra * (run->t[n] - run->t[n - 1]) : 0.0;
        (void)fprintf(out, "\n%.17g", run->t[n]);
        for (size_t k = 0; k < d; k++) {
            size_t from = what == SWAPPED && k < 2 ? 1 - k : k;
            (void)fprintf(out, ",%.17g", run->q[of_q * d + from] + (k == 0 ? drift : 0.0));
        }
        for (size_t k = 0; k < d; k++) {
            size_t from = what == SWAPPED && k < 2 ? 1 - k : k;
            (void)fprintf(out, ",%.17g", run->u[of_u * d + from] + (k == 0 ? extra : 0.0));
        }
    }
    (void)fprintf(out, "\n");
    (void)fclose(out);
}

/* The one fault found in a file is called so; NULL: there is none. */
static void expect_fault(const chosen *c, const char *file, il_between between, const char *name,
                         const char *what) {
    il_judgement judged;
    il_error err = {IL_OK, ""};
    il_status status = judge(c, file, between, &judged, &err);
    bool right = status == IL_OK && judged.faults.n == (name != NULL) &&
                 (name == NULL || strcmp(judged.faults.list[0].name, name) == 0);
    CU_ASSERT(right);
    if (!right) {
        (void)fprintf(stderr, "%s, %s: %s, %zu faults: %s %s\n", what, name != NULL ? name : "none",
                      err.message, judged.faults.n,
                      judged.faults.n > 0 ? judged.faults.list[0].name : "",
                      judged.faults.n > 0 ? judged.faults.list[0].text : "");
    }
    il_judgement_free(&judged);
}

static void planted_faults_of_samples_are_named(void) {
    il_scratch_open(folder);
    static const struct {
        const char *problem, *scheme;
        size_t steps;
        const char *sets[SETS];
    } bases[] = {{"bouncing_ball", "moreau_jean", 400, {"e=0.8"}},
                 {"two_spheres", "maury", 200, {NULL}},
                 {"two_spheres", "paoli", 150, {NULL}},
                 {"cradle", "moreau_jean", 200, {"e=0.9"}},
                 {"sticky", "venel", 200, {"N=6"}},
                 {"impact", "maury", 150, {"N=10"}},
                 {"nonuniqueness", "paoli", 256, {NULL}}};
    for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++) {
        chosen c;
        il_record record;
        il_trajectory run_of;
        char what[96];
        choose(&c, bases[k].problem, bases[k].sets);
        CU_ASSERT_FATAL(run(&c, bases[k].scheme, bases[k].steps, &record, &run_of));
        for (plant p = SHIFTED; p < PLANTED; p++) {
            if (record.d == 1 && (p == SWAPPED || p == DRIFTS)) {
                continue;
            }
            (void)snprintf(what, sizeof what, "%s by %s", bases[k].problem, bases[k].scheme);
            write_planted(&run_of, p);
            expect_fault(&c, "planted.csv", IL_BETWEEN_AFFINE, NAMES[p], what);
        }
        if (k == 0) { /* constant velocities are said to be those of flight */
            char path[2 * PATH];
            CU_ASSERT_EQUAL(il_trajectory_write(&run_of, path_of("run.csv", path), "{}", NULL),
                            IL_OK);
            expect_fault(&c, "run.csv", IL_BETWEEN_BALLISTIC, NAMES[SIDE], what);
        }
        il_record_free(&record);
        il_trajectory_free(&run_of);
    }
    il_scratch_close(folder, 0);
}

/* Samples of a run with one setting, judged by another. */
static void expect_other(const char *problem, const char *scheme, size_t steps,
                         const char *const own[SETS], const char *const claimed[SETS],
                         const char *name) {
    chosen c;
    chosen other;
    il_record record;
    il_trajectory run_of;
    char path[2 * PATH];
    choose(&c, problem, own);
    choose(&other, problem, claimed);
    CU_ASSERT_FATAL(run(&c, scheme, steps, &record, &run_of));
    CU_ASSERT_EQUAL(il_trajectory_write(&run_of, path_of("other.csv", path), "{}", NULL), IL_OK);
    expect_fault(&other, "other.csv", IL_BETWEEN_AFFINE, name, scheme);
    il_record_free(&record);
    il_trajectory_free(&run_of);
}

/* Rows of a ball that falls from 1/2 by 1, meets the floor at 1, rises with 1/2: parabolas, which
 * cubics through q and u are; and what is wrong with such files. */
static void rows_with_breaks_are_judged_by_their_cubics(void) {
    static const char rows[] = "t,q0,u0\n0,0.5,0\n0.25,0.46875,-0.25\n0.5,0.375,-0.5\n"
                               "0.75,0.21875,-0.75\n1,0,-1\n1,0,0.5\n1.25,0.09375,0.25\n"
                               "1.5,0.125,0\n1.75,0.09375,-0.25\n";
    static const struct {
        const char *text, *says;
    } bad[] = {{"t,q0,u0\n0,0.5,0\n1,0,-1\n1,0.5,0.5\n1.5,0.125,0\n", "line 4: q0 is 0.5 where t"},
               {"t,q0,u0\n0,0.5,0\n1,0,-1\n0.5,0,0.5\n", "line 4: t is 0.5; allowed"},
               {"t,q0\n0,0.5\n1,0\n", "has no column 'u0'"},
               {"t,q0,u0,step,c00,c10\n0,0.5,0,0,nan,nan\n1,0,-1,1,0.5,nan\n", "not finite"},
               {"t,q0,u0,c00,c10\n0,0.5,0,0,0\n1,0,-1,0.5,-0.5\n", "has no column 'step'"},
               {"t,q0,u0,step,c00,c10\n0,0.5,0,0,0,0\n1,0,-1,1,0.4,-0.4\n", "jumps by -0.1"}};
    static const char *const half[SETS] = {"e=0.5", "q0=0.5", "gravity=1"};
    static const char *const more[SETS] = {"e=0.8", "q0=0.5", "gravity=1"};
    chosen c;
    chosen other;
    il_judgement judged;
    il_error err = {IL_OK, ""};
    char path[2 * PATH];
    il_scratch_open(folder);
    choose(&c, "bouncing_ball", half);
    choose(&other, "bouncing_ball", more);
    il_test_write(path_of("rows.csv", path), rows, strlen(rows));
    CU_ASSERT_EQUAL_FATAL(judge(&c, "rows.csv", IL_BETWEEN_DENSE, &judged, &err), IL_OK);
    CU_ASSERT(judged.record.distances[0].error.q_Linf <= 1e-15);
    CU_ASSERT(judged.record.distances[0].error.u_L1 <= 4e-15);
    CU_ASSERT_EQUAL(judged.record.steps, 6); /* the impact is inside of one */
    CU_ASSERT_EQUAL(il_norms_value(&judged.record.distances[0].norms, "impacts", "matched"), 1.0);
    CU_ASSERT(il_norms_value(&judged.record.distances[0].norms, "impacts", "time_error") <= 1e-15);
    CU_ASSERT_EQUAL(judged.faults.n, 0);
    il_judgement_free(&judged);
    expect_fault(&other, "rows.csv", IL_BETWEEN_DENSE, "another restitution", "rows");
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_test_write(path_of("bad.csv", path), bad[k].text, strlen(bad[k].text));
        CU_ASSERT_EQUAL(judge(&c, "bad.csv", IL_BETWEEN_DENSE, &judged, &err), IL_EINVAL);
        bool said = strstr(err.message, bad[k].says) != NULL;
        CU_ASSERT(said);
        if (!said) {
            (void)fprintf(stderr, "%s: %s\n", bad[k].says, err.message);
        }
        il_judgement_free(&judged);
    }
    il_scratch_close(folder, 2);
}

static void another_model_is_named(void) {
    il_scratch_open(folder);
    static const char *const none[SETS] = {NULL};
    static const char *const own[][SETS] = {
        {"e=0.801"}, {"e=0.8"}, {"masses=1,2.000002"}, {"gravity=9.8"}, {"masses=1.000001,2"},
        {"e=0.501"}, {"e=0.5"}};
    expect_other("bouncing_ball", "moreau_jean", 20000, own[0], own[1], "another restitution");
    expect_other("bouncing_ball", "moreau_jean", 20000, own[1], own[1], NULL);
    expect_other("cradle", "paoli", 200, own[5], own[6], "another restitution");
    expect_other("cradle", "paoli", 200, own[6], own[6], NULL);
    expect_other("two_spheres", "maury", 200, own[2], none, "another mass");
    expect_other("two_spheres", "venel", 200, own[4], none, "another mass");
    expect_other("bouncing_ball", "maury", 200, own[3], none, "another force");
    expect_other("bouncing_ball", "penalty:stiffness=3000", 4000, none, none,
                 "a spring in place of an impact");
    expect_other("cradle", "penalty:stiffness=3000", 4000, none, none,
                 "a spring in place of an impact");
    il_scratch_close(folder, 0);
}

static void write_text(const char *name, const char *text) {
    char path[2 * PATH];
    FILE *out = fopen(path_of(name, path), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fputs(text, out);
    (void)fclose(out);
}

static void signs_are_named(void) {
    il_scratch_open(folder);
    static const char *const sets[SETS] = {"gravity=2"};
    char text[8192] = "t,q0,u0\n";
    chosen c;
    choose(&c, "bouncing_ball", sets);
    for (int n = 0; n <= 50; n++) { /* it falls upward */
        size_t at = strlen(text);
        double t = 0.02 * n;
        (void)snprintf(text + at, sizeof text - at, "%.17g,%.17g,%.17g\n", t, 1.0 + t * t, 2.0 * t);
    }
    write_text("up.csv", text);
    expect_fault(&c, "up.csv", IL_BETWEEN_BALLISTIC, "sign of the force", "upward");
    (void)snprintf(text, sizeof text, "t,q0,u0,impulse0\n");
    for (int n = 0; n <= 20; n++) { /* an impulse of the floor that pulls at step 7 */
        size_t at = strlen(text);
        double t = 0.02 * n;
        double late = n >= 7 ? t - 0.13 : 0.0;
        (void)snprintf(text + at, sizeof text - at, "%.17g,%.17g,%.17g,%s\n", t,
                       1.0 - t * t - 0.1 * late, -2.0 * t - (n >= 7 ? 0.1 : 0.0),
                       n == 7 ? "-0.1" : "0");
    }
    write_text("pull.csv", text);
    expect_fault(&c, "pull.csv", IL_BETWEEN_BALLISTIC, "an impulse that pulls", "pulled");
    il_scratch_close(folder, 0);
}

static const il_test tests[] = {
    {"rows with breaks are judged by their cubics", rows_with_breaks_are_judged_by_their_cubics},
    {"every problem and every scheme, read back, is the run", what_is_read_back_is_the_run},
    {"planted faults of samples are named", planted_faults_of_samples_are_named},
    {"another model is named", another_model_is_named},
    {"signs are named", signs_are_named},
    {NULL, NULL}};

extern const il_suite il_suite_judge;
const il_suite il_suite_judge = {"judge", tests};

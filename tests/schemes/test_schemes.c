/*
 * test_schemes.c - moreau_jean against the recursion of a ball done by hand and against the closed
 * form with restitution; catching_up against paoli; penalty against the damped oscillator.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* A problem by scheme "NAME:settings"; traj may be NULL. */
static il_record run_of(const char *problem, const char *scheme, const char *const *sets, double T,
                        size_t steps, il_trajectory *traj) {
    il_run_spec spec = {.steps = steps, .horizon = T};
    il_record record = {0};
    il_scheme_choice choice;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(scheme, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, NULL), IL_OK);
    for (; *sets != NULL; sets++) {
        char key[32];
        size_t n = strcspn(*sets, "=");
        (void)snprintf(key, sizeof key, "%.*s", (int)n, *sets);
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, key, *sets + n + 1, NULL), IL_OK);
    }
    spec.scheme = choice.type;
    spec.scheme_name = choice.name;
    spec.scheme_settings = choice.settings;
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, traj, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    il_params_destroy(spec.params);
    return record;
}

/* A ball dropped from 1 under 9.81. */
static il_record drop(const char *scheme, const char *const *sets, double T, size_t steps,
                      il_trajectory *traj) {
    return run_of("bouncing_ball", scheme, sets, T, steps, traj);
}

/* ---- moreau_jean ---- */

/* u' = u - g h, and -e u where q + gamma h u <= 0 and u' would go on below it. */
static double by_hand(double theta, double gamma, double e, double h, size_t steps,
                      const il_trajectory *traj) {
    double q = 1.0;
    double u = 0.0;
    double worst = 0.0;
    for (size_t n = 0; n < steps; n++) {
        double v = u - 9.81 * h;
        if (q + gamma * h * u <= 0.0 && v < -e * u) {
            v = -e * u;
        }
        q += h * (theta * v + (1.0 - theta) * u);
        u = v;
        worst = fmax(worst, fabs(traj->q[n + 1] - q));
        worst = fmax(worst, fabs(traj->u[n + 1] - u));
    }
    return worst;
}

static void follows_its_recursion(void) {
    static const double values[][3] = {
        {1.0, 0.5, 0.0}, {0.5, 0.5, 0.0}, {1.0, 0.5, 0.5}, {0.5, 0.25, 0.9}, {0.75, 1.0, 0.3}};
    /* a rounding a step of numbers below 5, over 400 steps, carried on in q */
    const double rounding = 400.0 * 400.0 * 1e-15;
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        char scheme[64];
        char e[16];
        il_trajectory traj = {0};
        (void)snprintf(scheme, sizeof scheme, "moreau_jean:theta=%g,gamma=%g", values[k][0],
                       values[k][1]);
        (void)snprintf(e, sizeof e, "e=%g", values[k][2]);
        il_record record = drop(scheme, (const char *const[]){e, NULL}, 2.0, 400, &traj);
        double apart = by_hand(values[k][0], values[k][1], values[k][2], record.h, 400, &traj);
        CU_ASSERT(apart <= rounding);
        CU_ASSERT(record.measure.certificate.primal >= -1e-14);
        CU_ASSERT(record.measure.certificate.relative <= 1e-14);
        il_trajectory_free(&traj);
        il_record_free(&record);
    }
}

/* Dropped without restitution the ball arrives with v = sqrt(2 g). theta = 1 falls g t h/2 behind
 * its parabola, theta = 1/2 is on it at the nodes, and either goes on into the floor by v h at
 * most. */
static void misses_the_dropped_ball_as_it_must(void) {
    const double v = sqrt(2.0 * 9.81);
    for (size_t steps = 300; steps < 340; steps += 7) {
        il_record one = drop("moreau_jean", (const char *const[]){"e=0", NULL}, 1.0, steps, NULL);
        double h = one.h;
        CU_ASSERT(one.distances[0].error.q_Linf >= 0.5 * v * h * (1.0 - 10.0 * h));
        CU_ASSERT(one.measure.nodes_min >= -v * h && one.measure.nodes_min < 0.0);
        il_record half =
            drop("moreau_jean:theta=0.5", (const char *const[]){"e=0", NULL}, 1.0, steps, NULL);
        CU_ASSERT(half.distances[0].error.q_Linf <= v * h);
        CU_ASSERT(half.measure.nodes_min >= -v * h && half.measure.nodes_min < 0.0);
        il_record_free(&one);
        il_record_free(&half);
    }
    il_trajectory traj = {0};
    il_record record = drop("moreau_jean", (const char *const[]){"e=0", NULL}, 0.4, 100, &traj);
    for (size_t n = 1; n <= 100; n++) { /* not at the floor yet */
        double t = traj.t[n];
        CU_ASSERT(fabs(traj.q[n] - (1.0 - 0.5 * 9.81 * t * (t + record.h))) <= 1e-13);
    }
    il_trajectory_free(&traj);
    il_record_free(&record);
}

/* A crystal at rest has gaps of rounding. Those of +1e-16 are not predicted active, and a disc
 * falls for one step, by h^2 times its acceleration, of order one; a threshold sees them. */
static void a_threshold_keeps_a_crystal_at_rest(void) {
    static const struct {
        const char *scheme;
        double least, most; /* of u_L1 */
    } cases[] = {{"moreau_jean", 1e-5, 1e-3}, {"moreau_jean:threshold=1e-12", 0.0, 1e-14}};
    for (size_t k = 0; k < 2; k++) {
        il_test_problem made =
            il_test_problem_new("crystal", 0.0, (const char *const[]){"rows=2", NULL});
        il_scheme_choice choice;
        CU_ASSERT_EQUAL_FATAL(il_scheme_choose(cases[k].scheme, &choice, NULL), IL_OK);
        il_run_spec spec = {.problem = made.problem->type,
                            .params = made.params,
                            .scheme = choice.type,
                            .scheme_settings = choice.settings,
                            .steps = 211};
        il_record record = {0};
        CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
        CU_ASSERT(record.distances[0].error.u_L1 >= cases[k].least);
        CU_ASSERT(record.distances[0].error.u_L1 <= cases[k].most);
        il_record_free(&record);
        il_test_problem_free(&made);
    }
}

/* ---- restitution, past the accumulation of the impacts ---- */

/* t* = t_1 (1 + e)/(1 - e): 1.355 for e = 0.5 and 8.58 for e = 0.9. */
static void converges_past_the_accumulation(void) {
    static const char *const schemes[] = {"paoli", "moreau_jean", "moreau_jean:theta=0.5"};
    static const struct {
        const char *set;
        double T;
    } balls[] = {{"e=0.5", 2.0}, {"e=0.9", 10.0}};
    for (size_t k = 0; k < 6; k++) {
        const char *const sets[] = {balls[k % 2].set, NULL};
        il_record coarse = drop(schemes[k / 2], sets, balls[k % 2].T, 4000, NULL);
        il_record fine = drop(schemes[k / 2], sets, balls[k % 2].T, 64000, NULL);
        /* a sixteenth of the step: orders are about one, and the phases of the impacts scatter */
        CU_ASSERT(fine.distances[0].error.q_Linf <= 0.25 * coarse.distances[0].error.q_Linf);
        CU_ASSERT(fine.distances[0].error.u_L1 <= 0.25 * coarse.distances[0].error.u_L1);
        /* at rest: within the last bounces that h resolves, of speed some g h */
        CU_ASSERT(fine.distances[0].error.final_q <= 9.81 * fine.h);
        CU_ASSERT(fine.distances[0].error.final_u <= 20.0 * 9.81 * fine.h);
        il_record_free(&coarse);
        il_record_free(&fine);
    }
}

/* Kinetic energy where the velocity turns upward, over that of the step before. */
static void an_impact_keeps_e_squared_of_the_energy(void) {
    static const char *const schemes[] = {"paoli", "moreau_jean"};
    for (size_t k = 0; k < 2; k++) {
        il_trajectory traj = {0};
        il_record record =
            drop(schemes[k], (const char *const[]){"e=0.5", NULL}, 1.2, 64000, &traj);
        size_t impacts = 0;
        for (size_t n = 1; n + 1 < traj.nodes && impacts < 3; n++) {
            if (traj.u[n] < 0.0 && traj.u[n + 1] > 0.0) {
                /* paoli takes two steps to turn: the velocity of the step after next is settled */
                double after = traj.u[n + 2];
                double before = traj.u[n - 1];
                double room = 20.0 * 9.81 * record.h / fabs(before);
                impacts++;
                CU_ASSERT(fabs(after * after / (before * before) - 0.25) <= room);
            }
        }
        CU_ASSERT_EQUAL(impacts, 3);
        il_trajectory_free(&traj);
        il_record_free(&record);
    }
}

/* ---- catching_up, penalty ---- */

static void catching_up_is_paoli_without_restitution(void) {
    il_trajectory a = {0};
    il_trajectory b = {0};
    const char *const none[] = {NULL};
    il_record ra = drop("paoli", none, 1.0, 333, &a);
    il_record rb = drop("catching_up", none, 1.0, 333, &b);
    CU_ASSERT_EQUAL(memcmp(a.q, b.q, a.nodes * sizeof *a.q), 0);
    il_trajectory_free(&a);
    il_trajectory_free(&b);
    il_record_free(&ra);
    il_record_free(&rb);
}

/* Against a wall and (almost) without gravity the contact is half a period of a damped oscillator:
 * it leaves with e v, whatever the stiffness. */
static void penalty_restores_e(void) {
    static const char *const sets[] = {"e=0.3", "e=0.5", "e=0.9", "e=1"};
    static const double e[] = {0.3, 0.5, 0.9, 1.0};
    for (size_t k = 0; k < 4; k++) {
        const char *const all[] = {sets[k], "gravity=1e-9", "q0=1", "u0=-1", NULL};
        il_record record = drop("penalty:stiffness=1e6,tolerance=1e-11", all, 2.0, 100, NULL);
        /* gravity over the contact, 3e-3 long, and the integrator's tolerance at the contact's
         * start and end, found by its steps alone */
        CU_ASSERT(fabs(record.u[0] - e[k]) <= 1e-6);
        CU_ASSERT(record.measure.nodes_min >= -1e-3); /* v/sqrt(k) */
        il_record_free(&record);
    }
}

/* Before they meet, bodies of masses 1 and 3 that F = (2,0,0) presses together move by F t/m. */
static void penalty_moves_masses_by_their_forces(void) {
    const char *const sets[] = {"scenario=pressed", "masses=1,3", "q0=0,0,0,4,0,0",
                                "u0=0,0,0,0,0,0", NULL};
    il_record record = run_of("two_spheres", "penalty:tolerance=1e-11", sets, 0.5, 10, NULL);
    /* the integrator's tolerance a step, over ten and more */
    CU_ASSERT(fabs(record.u[0] - 1.0) <= 1e-9 && fabs(record.u[3] + 1.0 / 3.0) <= 1e-9);
    CU_ASSERT(fabs(record.q[0] - 0.25) <= 1e-9 && fabs(record.q[3] - (4.0 - 0.25 / 3.0)) <= 1e-9);
    il_record_free(&record);
}

static void refusals_say_what_is_allowed(void) {
    static const struct {
        const char *text, *word;
    } wrong[] = {{"moreau_jean:theta=2", "'theta' is 2"},
                 {"moreau_jean:theta=0", "'theta' is 0"},
                 {"moreau_jean:gamma=1.5", "'gamma' is 1.5"},
                 {"moreau_jean:phi=1", "'phi'"},
                 {"moreau_jean:theta", "'theta' is not of the form key=value"},
                 {"moreau_jean:=1", "'=1' is not of the form key=value"},
                 {"penalty:stiffness=-1", "'stiffness' is -1"},
                 {"maury:theta=1", "'maury' has no parameters"},
                 {"moreau:theta=1", "unknown scheme 'moreau'"}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        il_scheme_choice choice;
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL(il_scheme_choose(wrong[k].text, &choice, &err), IL_EINVAL);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, wrong[k].word));
        if (strstr(err.message, wrong[k].word) == NULL) {
            (void)fprintf(stderr, "%s\n", err.message);
        }
    }
}

static void velocity_schemes_need_order_2(void) {
    il_problem first = {.type = &(il_problem_type){.name = "drift"}, .order = 1, .d = 1};
    il_scheme_choice choice;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose("moreau_jean", &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_scheme_admits(choice.type, &first, &err), IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "order 1"));
}

static const il_test tests[] = {
    {"moreau_jean follows its recursion", follows_its_recursion},
    {"a threshold keeps a crystal at rest", a_threshold_keeps_a_crystal_at_rest},
    {"moreau_jean misses the dropped ball by what it must", misses_the_dropped_ball_as_it_must},
    {"schemes with restitution converge past the accumulation of impacts",
     converges_past_the_accumulation},
    {"an impact keeps e squared of the energy, in the limit",
     an_impact_keeps_e_squared_of_the_energy},
    {"catching_up is paoli without restitution", catching_up_is_paoli_without_restitution},
    {"penalty restores e of the velocity", penalty_restores_e},
    {"penalty moves masses by their forces", penalty_moves_masses_by_their_forces},
    {"settings of a scheme are refused by name", refusals_say_what_is_allowed},
    {"moreau_jean is refused on order 1", velocity_schemes_need_order_2},
    {NULL, NULL}};

const il_suite il_suite_schemes = {"schemes", tests};

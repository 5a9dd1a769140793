/*
 * test_event_driven.c - the event-driven reference against the closed forms of the problems that
 * have one, and what it refuses.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/reference/event_driven.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* The integrator keeps 1e-13 a step over 2048 steps of smooth motion, an event is located to 1e-13
 * of the horizon and to 1e-14 in the gap; velocities divide an error of position by the time since
 * the event at worst. */
static const double POSITION = 2e-10;
static const double VELOCITY = 2e-9;

typedef struct {
    const char *name;
    double horizon;
    const char *sets[4];
    size_t events; /* at least */
} motion;

static const il_projector_type *projector(void) {
    const il_projector_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &type, NULL), IL_OK);
    return type;
}

/* Worst difference over 997 times that avoid the breaks of either. */
static void compare(const il_problem *problem, const il_exact *made) {
    double q[2][96];
    double u[2][96];
    double worst_q = 0.0;
    double worst_u = 0.0;
    CU_ASSERT_FATAL(problem->d <= 96);
    for (int k = 1; k <= 997; k++) {
        double t = problem->horizon * k / 997.3;
        made->eval(made, t, 1, q[0], u[0]);
        problem->exact->eval(problem->exact, t, 1, q[1], u[1]);
        bool near = false; /* to an event: the velocity may be either */
        for (size_t b = 0; b < problem->exact->nbreaks; b++) {
            near |= fabs(t - problem->exact->breaks[b]) <= 1e-9 * problem->horizon;
        }
        for (size_t i = 0; i < problem->d; i++) {
            worst_q = fmax(worst_q, fabs(q[0][i] - q[1][i]));
            worst_u = near ? worst_u : fmax(worst_u, fabs(u[0][i] - u[1][i]));
            worst_q = isnan(q[0][i]) ? INFINITY : worst_q;
        }
    }
    CU_ASSERT(worst_q <= POSITION);
    CU_ASSERT(worst_u <= VELOCITY);
    if (!(worst_q <= POSITION && worst_u <= VELOCITY)) {
        (void)fprintf(stderr, "%s: %g %g\n", problem->type->name, worst_q, worst_u);
    }
}

static void agrees_with_closed_forms(void) {
    static const motion motions[] = {
        {"bouncing_ball", 2.0, {"e=0"}, 1},
        {"bouncing_ball", 1.3, {"e=0.5"}, 3},
        {"bouncing_ball", 5.0, {"e=0.9"}, 5},
        {"two_spheres", 0.0, {"scenario=free"}, 1},
        {"two_spheres", 0.0, {"scenario=pressed"}, 2},
        {"growing_radii", 0.0, {NULL}, 2},
        {"vibroimpact", 0.0, {"scenario=slide"}, 1},
        {"vibroimpact", 0.0, {"scenario=corner"}, 1},
        {"vibroimpact", 0.0, {"scenario=graze"}, 1},
        {"sticky", 0.0, {"N=5"}, 1},
        {"cradle", 0.0, {NULL}, 1},
    };
    for (size_t k = 0; k < sizeof motions / sizeof motions[0]; k++) {
        const motion *m = &motions[k];
        il_test_problem made = il_test_problem_new(m->name, m->horizon, m->sets);
        il_event_driven *reference = NULL;
        il_error err = {IL_OK, ""};
        il_status status = il_event_driven_create(&reference, made.problem, projector(), &err);
        CU_ASSERT_EQUAL(status, IL_OK);
        if (status == IL_OK) {
            CU_ASSERT(il_event_driven_events(reference) >= m->events);
            CU_ASSERT_FATAL(made.problem->nexact >= 1);
            compare(made.problem, il_event_driven_exact(reference));
        } else {
            (void)fprintf(stderr, "%s: %s\n", m->name, err.message);
        }
        il_event_driven_destroy(reference);
        il_test_problem_free(&made);
    }
}

static void check_refusal(const char *name, double horizon, const char *const *sets,
                          il_status expected, const char *word) {
    il_test_problem made = il_test_problem_new(name, horizon, sets);
    il_event_driven *reference = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_event_driven_create(&reference, made.problem, projector(), &err), expected);
    CU_ASSERT_PTR_NULL(reference);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, word));
    il_test_problem_free(&made);
}

static void says_what_it_cannot_serve(void) {
    const char *const half[] = {"e=0.5", NULL};
    const char *const none[] = {NULL};
    check_refusal("bouncing_ball", 2.0, half, IL_ENUMERIC, "accumulate");
    check_refusal("impact", 0.0, none, IL_EUNSUPPORTED, "256 constraints");
}

static const il_test tests[] = {{"agrees with closed forms", agrees_with_closed_forms},
                                {"says what it cannot serve", says_what_it_cannot_serve},
                                {NULL, NULL}};

const il_suite il_suite_event_driven = {"event driven", tests};

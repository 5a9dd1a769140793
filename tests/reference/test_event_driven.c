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
/* A contact ends where its force is below 1e-10 of what acts (held_contacts.c: SLACK), and how the
 * disc bends is differenced to 1e-11: both are divided by the rate at which the force falls, 1. */
static const double LEAVES = 1e-9;

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
        {"bouncing_ball", 1.0, {"gravity=2"}, 1}, /* at the horizon itself */
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

/* An elastic ball bounces at 1, 3, 5, ... An impact is found late by at most tau = 1e-13 T/4, which
 * lowers the floor by 2 tau for those that follow and makes each flight longer by 2 tau: k^2 tau.
 */
static void many_impacts_are_no_crowd(void) {
    enum { IMPACTS = 70 };
    static const char *const sets[] = {"e=1", "gravity=2", NULL};
    il_test_problem made = il_test_problem_new("bouncing_ball", 2.0 * IMPACTS, sets);
    il_event_driven *reference = NULL;
    CU_ASSERT_EQUAL_FATAL(il_event_driven_create(&reference, made.problem, projector(), NULL),
                          IL_OK);
    const il_exact *exact = il_event_driven_exact(reference);
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, IMPACTS + 2);
    for (size_t k = 1; k <= IMPACTS; k++) {
        double tau = 0.25e-13 * 2.0 * IMPACTS;
        CU_ASSERT(fabs(exact->breaks[k] - (2.0 * (double)k - 1.0)) <= (double)(k * k) * tau);
    }
    il_event_driven_destroy(reference);
    il_test_problem_free(&made);
}

/* ---- a point that slides down a disc --------------------------------------------------------- */

static il_status disc_row(const il_problem *self, double t, const double *q, size_t id,
                          il_rows *rows) {
    static const size_t col[2] = {0, 1};
    (void)self;
    (void)t;
    double r = sqrt(q[0] * q[0] + q[1] * q[1]);
    double n[2] = {q[0] / r, q[1] / r};
    il_rows_append(rows, id, r - 1.0, 0.0, 2, col, n);
    return IL_OK;
}

static void weight(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)t;
    (void)q;
    f[0] = 0.0;
    f[1] = -1.0;
}

/* problem's reference with unit masses in the plane; its exact solution lives as long as it does.
 */
static il_event_driven *reference_new(il_problem *problem) {
    static const double masses[2] = {1.0, 1.0};
    il_event_driven *reference = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem->mass, 2, masses, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_event_driven_create(&reference, problem, projector(), NULL), IL_OK);
    return reference;
}

static void reference_free(il_event_driven *reference, il_problem *problem) {
    il_event_driven_destroy(reference);
    il_metric_destroy(problem->mass);
}

/* A unit mass starts on top of the unit disc with speed 1/2: v^2 = 1/4 + 2 (1 - y), the disc
 * presses it by y - v^2, nothing at y = 3/4, and it flies off. An angle is found as well as the
 * time of the event, the place where it leaves too. */
static void a_point_leaves_a_disc_where_it_weighs_nothing(void) {
    static const il_problem_type type = {.name = "disc", .row = disc_row, .force = weight};
    static const double q0[2] = {0.0, 1.0};
    static const double u0[2] = {0.5, 0.0};
    il_problem problem = {.type = &type,
                          .order = 2,
                          .d = 2,
                          .p = 1,
                          .horizon = 1.5,
                          .traits = IL_ROWS_FIXED,
                          .q0 = q0,
                          .u0 = u0};
    double q[2];
    double u[2];
    il_event_driven *reference = reference_new(&problem);
    const il_exact *made = il_event_driven_exact(reference);
    CU_ASSERT_EQUAL(il_event_driven_events(reference), 1);
    CU_ASSERT_EQUAL_FATAL(made->nbreaks, 3);
    made->eval(made, made->breaks[1], -1, q, u);
    double v = sqrt(0.75);
    CU_ASSERT(fabs(q[0] - sqrt(7.0) / 4.0) <= LEAVES && fabs(q[1] - 0.75) <= LEAVES);
    CU_ASSERT(fabs(u[0] - 0.75 * v) <= LEAVES && fabs(u[1] + 0.25 * sqrt(7.0) * v) <= LEAVES);
    double s = problem.horizon - made->breaks[1];
    made->eval(made, problem.horizon, -1, q, u); /* from there on a parabola */
    CU_ASSERT(fabs(q[0] - (sqrt(7.0) / 4.0 + 0.75 * v * s)) <= LEAVES);
    CU_ASSERT(fabs(q[1] - (0.75 - 0.25 * sqrt(7.0) * v * s - 0.5 * s * s)) <= LEAVES);
    reference_free(reference, &problem);
}

/* ---- a corner of two planes that are nearly one ---------------------------------------------- */

static const double OPENING = 2.45e-6; /* its square over 4 is 1.5e-12: far above a rounding */

static il_status plane_row(const il_problem *self, double t, const double *q, size_t id,
                           il_rows *rows) {
    static const size_t col[2] = {0, 1};
    (void)self;
    (void)t;
    double n[2] = {id == 0 ? 0.0 : sin(OPENING), id == 0 ? 1.0 : cos(OPENING)};
    il_rows_append(rows, id, n[0] * q[0] + n[1] * q[1], 0.0, 2, col, n);
    return IL_OK;
}

/* -(3 n_0 + n_1)/4: both planes press, by 3/4 and 1/4. */
static void into_the_corner(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)t;
    (void)q;
    f[0] = -0.25 * sin(OPENING);
    f[1] = -0.75 - 0.25 * cos(OPENING);
}

/* Pressed into the corner a point rests; one plane would let it slide by 3e-7 in a unit of time. */
static void a_point_rests_in_a_flat_corner(void) {
    static const il_problem_type type = {
        .name = "corner", .row = plane_row, .force = into_the_corner};
    static const double zero[2] = {0.0, 0.0};
    il_problem problem = {.type = &type,
                          .order = 2,
                          .d = 2,
                          .p = 2,
                          .horizon = 1.0,
                          .traits = IL_ROWS_FIXED | IL_ROWS_AFFINE,
                          .q0 = zero,
                          .u0 = zero};
    double q[2];
    double u[2];
    il_event_driven *reference = reference_new(&problem);
    const il_exact *made = il_event_driven_exact(reference);
    made->eval(made, 1.0, -1, q, u);
    CU_ASSERT(fabs(q[0]) <= LEAVES && fabs(q[1]) <= LEAVES);
    CU_ASSERT(fabs(u[0]) <= LEAVES && fabs(u[1]) <= LEAVES);
    reference_free(reference, &problem);
}

/* ---- a floor between two walls --------------------------------------------------------------- */

/* x >= -1, y >= 0, x <= 3. */
static il_status room_row(const il_problem *self, double t, const double *q, size_t id,
                          il_rows *rows) {
    const size_t col = id == 1 ? 1 : 0;
    const double n = id == 2 ? -1.0 : 1.0;
    (void)self;
    (void)t;
    il_rows_append(rows, id, n * q[col] + (id == 0 ? 1.0 : id == 2 ? 3.0 : 0.0), 0.0, 1, &col, &n);
    return IL_OK;
}

/* Contacts have the numbers that the problem gave them, whatever others there are: a point slides
 * along the floor, the second of three, with speed 2, and from 3/2 on rests at the third. */
static void a_point_slides_along_the_second_of_three(void) {
    static const il_problem_type type = {.name = "room", .row = room_row, .force = weight};
    static const double q0[2] = {0.0, 0.0};
    static const double u0[2] = {2.0, 0.0};
    il_problem problem = {.type = &type,
                          .order = 2,
                          .d = 2,
                          .p = 3,
                          .horizon = 2.0,
                          .traits = IL_ROWS_FIXED | IL_ROWS_AFFINE,
                          .q0 = q0,
                          .u0 = u0};
    il_event_driven *reference = reference_new(&problem);
    const il_exact *made = il_event_driven_exact(reference);
    for (int k = 1; k <= 16; k++) {
        double t = 2.0 * k / 16.3;
        double q[2];
        double u[2];
        made->eval(made, t, 1, q, u);
        CU_ASSERT(fabs(q[0] - fmin(2.0 * t, 3.0)) <= POSITION && fabs(q[1]) <= POSITION);
        CU_ASSERT(fabs(u[0] - (t < 1.5 ? 2.0 : 0.0)) <= VELOCITY && fabs(u[1]) <= VELOCITY);
    }
    reference_free(reference, &problem);
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

/* ---- walls that are not smooth in time ------------------------------------------------------- */

/* A point on the wall q_1 >= b(t), without force: it moves with the wall where that is pushed, and
 * flies on at the wall's speed where the wall slows down. */
typedef struct {
    double (*wall)(double t), (*rate)(double t), (*truth)(double t);
    double u0;
} moving_wall;

static double stops(double t) {
    return fmin(t, 1.0);
}
static double stops_rate(double t) {
    return t < 1.0 ? 1.0 : 0.0;
}
static double turns(double t) {
    return fmin(t, 2.0 - t);
}
static double turns_rate(double t) {
    return t < 1.0 ? 1.0 : -1.0;
}
static double flies(double t) {
    return t;
}
static double starts(double t) {
    return fmax(0.0, t - 1.0);
}
static double starts_rate(double t) {
    return t < 1.0 ? 0.0 : 1.0;
}
static double bends(double t) {
    return starts(t) * starts(t);
}
static double bends_rate(double t) {
    return 2.0 * starts(t);
}

static const moving_wall *moves; /* of the test that runs */

static il_status wall_row(const il_problem *self, double t, const double *q, size_t id,
                          il_rows *rows) {
    static const size_t col[1] = {0};
    static const double normal[1] = {1.0};
    (void)self;
    il_rows_append(rows, id, q[0] - moves->wall(t), -moves->rate(t), 1, col, normal);
    return IL_OK;
}

/* Kinks are located to rounding, and the motions are lines and parabolas. */
static const double KINK = 1e-11;

static void kinks_of_walls_are_found(void) {
    static const il_problem_type type = {.name = "wall", .row = wall_row};
    static const moving_wall walls[] = {{stops, stops_rate, flies, 1.0},
                                        {turns, turns_rate, flies, 1.0},
                                        {starts, starts_rate, starts, 0.0},
                                        {bends, bends_rate, bends, 0.0}};
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; k++) {
        double q0[2] = {0.0, 0.0};
        double u0[2] = {walls[k].u0, 0.0};
        il_problem problem = {
            .type = &type, .order = 2, .d = 2, .p = 1, .horizon = 2.3, .q0 = q0, .u0 = u0};
        double q[2];
        double u[2];
        moves = &walls[k];
        il_event_driven *reference = reference_new(&problem);
        const il_exact *made = il_event_driven_exact(reference);
        for (int n = 0; n <= 50; n++) {
            double t = problem.horizon * n / 50.0;
            made->eval(made, t, -1, q, u);
            CU_ASSERT(fabs(q[0] - walls[k].truth(t)) <= KINK);
        }
        reference_free(reference, &problem);
    }
}

/* ---- small gaps far from the origin --------------------------------------------------------- */

static il_status line_row(const il_problem *self, double t, const double *q, size_t id,
                          il_rows *rows) {
    const size_t col[2] = {id, id + 1};
    static const double normal[2] = {-1.0, 1.0};
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[id + 1] - q[id], 0.0, 2, col, normal);
    return IL_OK;
}

/* Three equal points in a row, e = 1, the last two 1e-7 apart: each passes its speed on, wherever
 * they are. Were the gap taken for closed, the first would come back. */
static void a_gap_is_one_far_away_too(void) {
    static const il_problem_type type = {.name = "line", .row = line_row};
    static const double far[] = {0.0, 1e3, -1e5};
    static const double masses[3] = {1.0, 1.0, 1.0};
    static const double u0[3] = {1.0, 0.0, 0.0};
    for (size_t k = 0; k < sizeof far / sizeof far[0]; k++) {
        double q0[3] = {far[k] - 0.5, far[k], far[k] + 1e-7};
        double q[3];
        double u[3];
        il_problem problem = {.type = &type,
                              .order = 2,
                              .d = 3,
                              .p = 2,
                              .horizon = 1.0,
                              .restitution = 1.0,
                              .traits = IL_ROWS_FIXED,
                              .q0 = q0,
                              .u0 = u0};
        il_event_driven *reference = NULL;
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, 3, masses, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_event_driven_create(&reference, &problem, projector(), NULL),
                              IL_OK);
        const il_exact *made = il_event_driven_exact(reference);
        made->eval(made, 1.0, -1, q, u);
        CU_ASSERT(fabs(u[0]) <= 1e-10 && fabs(u[1]) <= 1e-10 && fabs(u[2] - 1.0) <= 1e-10);
        CU_ASSERT(fabs(q[2] - far[k] - 0.5) <= 1e-6); /* the two gaps and roundings of far */
        reference_free(reference, &problem);
    }
}

static const il_test tests[] = {
    {"agrees with closed forms", agrees_with_closed_forms},
    {"many impacts are no crowd", many_impacts_are_no_crowd},
    {"a point leaves a disc where it weighs nothing",
     a_point_leaves_a_disc_where_it_weighs_nothing},
    {"a point rests in a flat corner", a_point_rests_in_a_flat_corner},
    {"a point slides along the second of three", a_point_slides_along_the_second_of_three},
    {"kinks of walls are found", kinks_of_walls_are_found},
    {"a gap is one far away, too", a_gap_is_one_far_away_too},
    {"says what it cannot serve", says_what_it_cannot_serve},
    {NULL, NULL}};

const il_suite il_suite_event_driven = {"event driven", tests};

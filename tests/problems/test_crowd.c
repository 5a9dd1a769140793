/*
 * test_crowd.c - crowds: shortest ways against closed forms, a fast sweeping solver and walks along
 * them; people who leave without overlap.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/run.h"
#include "problems/planar/geodesic.h"
#include "problems/planar/room.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Lengths of about ten, a few roundings each; ways may graze by 1e-10 of that. */
static const double ROUNDING = 1e-8;

/* The overlap that projections promise at most. */
static const double FEASIBLE = 1e-12;

/* ---- shortest ways ------------------------------------------------------------------------ */

typedef struct {
    il_room room;
    il_plan plan;
    il_geodesic *way;
} place;

static void open_room(place *p, const char *name, double L, double door, double rho) {
    memset(p, 0, sizeof *p);
    p->plan.round_name = "post";
    il_room_draw(&p->room, name, L, door, false);
    CU_ASSERT_EQUAL_FATAL(il_plan_read(&p->plan, &p->room.walls, 1, &p->room.posts, 1, NULL),
                          IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_geodesic_create(&p->way, &p->plan, rho, p->room.exit, NULL), IL_OK);
}

static void close_room(place *p) {
    il_geodesic_destroy(p->way);
    il_plan_free(&p->plan);
}

/* The least distance from x to an obstacle's surface. */
static double clearance(const il_plan *plan, const double *x) {
    double least = INFINITY;
    for (size_t k = 0; k < plan->n; k++) {
        least = fmin(least, il_capsule_between(&plan->shape[k], x, x) - plan->shape[k].R);
    }
    return least;
}

/* Around the jamb A = (10, 4) of a door: a tangent to the circle of radius rho about A, an arc to
 * (10, 4 + rho). From (9, 1), with w = (1, 3) to A: the tangent is sqrt(10 - rho^2) long. */
static void a_way_around_a_jamb_is_the_closed_form(void) {
    place p;
    const double rho = 0.5;
    const double x[2] = {9.0, 1.0};
    double e[2];
    open_room(&p, "square", 10.0, 2.0, rho);
    double tangent = sqrt(10.0 - rho * rho);
    double at = atan2(-3.0, -1.0) - acos(rho / sqrt(10.0)); /* the angle of its end about A */
    double arc = remainder(at - 0.5 * M_PI, 2.0 * M_PI);
    double D = il_geodesic_way(p.way, x, e);
    CU_ASSERT(fabs(D - tangent - rho * arc) <= ROUNDING);
    CU_ASSERT(fabs(e[0] - sin(at)) <= ROUNDING && fabs(e[1] + cos(at)) <= ROUNDING);
    D = il_geodesic_way(p.way, (const double[]){9.0, 9.0}, e); /* the same by the other jamb */
    CU_ASSERT(fabs(D - tangent - rho * arc) <= ROUNDING);
    CU_ASSERT(fabs(e[0] - sin(at)) <= ROUNDING && fabs(e[1] - cos(at)) <= ROUNDING);
    CU_ASSERT(fabs(il_geodesic_way(p.way, (const double[]){3.0, 5.2}, e) - 7.0) <= ROUNDING);
    CU_ASSERT(fabs(il_geodesic_way(p.way, (const double[]){12.0, 1.0}, e) + 2.0) <= ROUNDING);
    CU_ASSERT(e[0] == 1.0 && e[1] == 0.0);
    close_room(&p);
}

/* A wall along x = 8 hides the exit from (10,4) to (10,6), and ends where it is passed: c = (8, 7),
 * or upside down. From the image of the exit's nearer end behind the wall the way is a tangent, an
 * arc of radius rho about c, and a tangent to that end, which is rho from the exit's. */
static void a_way_around_a_wall_ends_at_the_nearer_end_of_the_exit(void) {
    const double rho = 0.5;
    for (int down = 0; down < 2; down++) {
        place p = {.plan = {.round_name = "post"}};
        const double end = down ? 4.5 : 5.5;
        const double c = down ? 3.0 : 7.0;
        const double wall[4] = {8.0, c, 8.0, down ? 20.0 : -10.0};
        const double exit[4] = {10.0, 4.0, 10.0, 6.0};
        const double x[2] = {6.0, end};
        const il_plan_part walls = {4, wall};
        const il_plan_part posts = {0, NULL};
        double e[2];
        CU_ASSERT_EQUAL_FATAL(il_plan_read(&p.plan, &walls, 1, &posts, 1, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_geodesic_create(&p.way, &p.plan, rho, exit, NULL), IL_OK);
        double away = hypot(2.0, 1.5); /* of either end from c */
        double half = M_PI - atan2(2.0, 1.5) - acos(rho / away);
        double D = il_geodesic_way(p.way, x, e);
        CU_ASSERT(fabs(D - 2.0 * (sqrt(away * away - rho * rho) + rho * half)) <= ROUNDING);
        close_room(&p);
    }
}

/* Pairs of coordinates, n numbers, turned about 0. */
static void turn(const double *from, size_t n, double angle, double *to) {
    for (size_t k = 0; k < n; k += 2) {
        to[k] = from[k] * cos(angle) - from[k + 1] * sin(angle);
        to[k + 1] = from[k] * sin(angle) + from[k + 1] * cos(angle);
    }
}

/* A wall along x = 8 up to c = (8, 7) stands on a floor y = 0, so that no way leads along all of
 * it. From x = (7, 2), just beside it, a way goes up, around c and down to (10, 5.5), the end of
 * the exit: from the one side of the wall nearly to the other. So in whatever direction all of this
 * looks, and however the walls' ends are told; the other end is so far below the floor that where
 * the sides end at c is told by the wall's direction alone. */
static void a_way_begins_beside_the_wall_that_it_goes_around(void) {
    enum { TURNS = 24 };
    const double rho = 0.5;
    const double exit[4] = {10.0, 4.0, 10.0, 6.0};
    const double x[2] = {7.0, 2.0};
    const double foot = 1e6;
    const double walls[2][8] = {{8.0, 7.0, 8.0, -foot, -20.0, 0.0, 20.0, 0.0},
                                {8.0, -foot, 8.0, 7.0, 20.0, 0.0, -20.0, 0.0}};
    double up = atan2(-5.0, -1.0) - acos(rho / sqrt(26.0)) + 2.0 * M_PI;
    double down = atan2(-1.5, 2.0) + acos(rho / 2.5);
    double right = sqrt(26.0 - rho * rho) + rho * (up - down) + sqrt(2.5 * 2.5 - rho * rho);
    for (int k = 0; k < 2 * TURNS; k++) {
        place p = {.plan = {.round_name = "post"}};
        int step = k / 2; /* either order of the walls */
        double angle = 2.0 * M_PI * step / TURNS;
        double turned[8];
        double way_out[4];
        double from[2];
        double e[2];
        turn(walls[k % 2], 8, angle, turned);
        turn(exit, 4, angle, way_out);
        turn(x, 2, angle, from);
        const il_plan_part parts = {8, turned};
        const il_plan_part posts = {0, NULL};
        CU_ASSERT_EQUAL_FATAL(il_plan_read(&p.plan, &parts, 1, &posts, 1, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_geodesic_create(&p.way, &p.plan, rho, way_out, NULL), IL_OK);
        CU_ASSERT(fabs(il_geodesic_way(p.way, from, e) - right) <= ROUNDING);
        CU_ASSERT(fabs(e[0] - sin(up + angle)) <= ROUNDING);
        CU_ASSERT(fabs(e[1] + cos(up + angle)) <= ROUNDING);
        close_room(&p);
    }
}

/* From points at random a walk along e, in steps of ds, is D long and stays clear of obstacles. A
 * step cuts a corner of radius rho by ds^2/rho, which e makes good. */
static void walks_along_ways_are_as_long_as_they_say(void) {
    static const char *const names[] = {"square", "corridor", "posts", "rooms"};
    const double rho = 0.25;
    const double L = 10.0;
    const double ds = 1e-3;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (size_t r = 0; r < 4; r++) {
        place p;
        open_room(&p, names[r], L, 1.5, rho);
        for (int k = 0; k < 12; k++) {
            double x[2] = {L * gsl_rng_uniform(rng), L * gsl_rng_uniform(rng)};
            double e[2];
            double walked = 0.0;
            double least = INFINITY;
            if (clearance(&p.plan, x) < rho) {
                continue;
            }
            double D = il_geodesic_way(p.way, x, e);
            CU_ASSERT_FATAL(isfinite(D)); /* no room is closed, and no walk endless */
            while (il_geodesic_way(p.way, x, e) > 0.0 && walked < 2.0 * D) {
                x[0] += ds * e[0];
                x[1] += ds * e[1];
                walked += ds;
                least = fmin(least, clearance(&p.plan, x));
            }
            CU_ASSERT(fabs(walked - D) <= 2.0 * ds + D * ds / rho);
            CU_ASSERT(least >= rho - D * ds * ds / rho - ds * ds / rho);
        }
        close_room(&p);
    }
    gsl_rng_free(rng);
}

/* ---- the eikonal equation on a grid, by fast sweeping ------------------------------------- */

enum { GRID = 301 };

/* Point k of the grid: column by column. */
static int column(int k) {
    return k / GRID;
}

/* |grad D| = 1, upwind: the larger solution of (D - a)_+^2 + (D - b)_+^2 = h^2. */
static double upwind(double a, double b, double h) {
    double low = fmin(a, b);
    double high = fmax(a, b);
    return high - low >= h ? low + h : 0.5 * (a + b + sqrt(2.0 * h * h - (a - b) * (a - b)));
}

static double at(const double *D, int i, int j) {
    return i < 0 || j < 0 || i >= GRID || j >= GRID ? INFINITY : D[i * GRID + j];
}

static double sweep(double *D, const bool *wall, double h, int direction) {
    double change = 0.0;
    for (int a = 0; a < GRID; a++) {
        for (int b = 0; b < GRID; b++) {
            int i = direction & 1 ? GRID - 1 - a : a;
            int j = direction & 2 ? GRID - 1 - b : b;
            double x = fmin(at(D, i - 1, j), at(D, i + 1, j));
            double y = fmin(at(D, i, j - 1), at(D, i, j + 1));
            if (wall[i * GRID + j] || fmin(x, y) == INFINITY) {
                continue;
            }
            double fresh = upwind(x, y, h);
            if (fresh < D[i * GRID + j]) {
                change = fmax(change, D[i * GRID + j] == INFINITY ? 1.0 : D[i * GRID + j] - fresh);
                D[i * GRID + j] = fresh;
            }
        }
    }
    return change;
}

/* First-order upwind differences are right to a few h |log h|, and obstacles on the grid to h per
 * corner that is turned: 15 h in all, h = 1/30 and |log h| = 3.4. A way that misses a passage, or
 * goes through a wall, is off by lengths of the room. */
static void ways_agree_with_a_grid_solver(void) {
    static const char *const names[] = {"square", "posts", "rooms"};
    const double L = 10.0;
    const double rho = 0.25;
    const double h = L / (GRID - 1);
    double *D = malloc(sizeof *D * GRID * GRID);
    bool *wall = malloc(sizeof *wall * GRID * GRID);
    CU_ASSERT_FATAL(D != NULL && wall != NULL);
    for (size_t r = 0; r < 3; r++) {
        place p;
        double worst = 0.0;
        size_t compared = 0;
        open_room(&p, names[r], L, 1.5, rho);
        for (int k = 0; k < GRID * GRID; k++) {
            double x[2] = {h * (double)column(k), h * (double)(k % GRID)};
            bool door = column(k) == GRID - 1 && fabs(x[1] - 0.5 * L) <= 0.75 - rho;
            wall[k] = clearance(&p.plan, x) < rho - 0.5 * h && !door;
            D[k] = door ? 0.0 : INFINITY;
        }
        double change = 1.0;
        while (change > 0.0) {
            change = 0.0;
            for (int direction = 0; direction < 4; direction++) {
                change = fmax(change, sweep(D, wall, h, direction));
            }
        }
        for (int k = 0; k < GRID * GRID; k += 37) {
            double x[2] = {h * (double)column(k), h * (double)(k % GRID)};
            double e[2];
            if (clearance(&p.plan, x) >= rho && x[0] < L - h) {
                worst = fmax(worst, fabs(il_geodesic_way(p.way, x, e) - D[k]));
                compared++;
            }
        }
        CU_ASSERT(worst <= 15.0 * h);
        CU_ASSERT(compared >= 1000);
        close_room(&p);
    }
    free(D);
    free(wall);
}

/* ---- runs --------------------------------------------------------------------------------- */

static void run(const char *scheme, size_t steps, double horizon, const char *const *sets,
                il_record *record, il_trajectory *traj) {
    il_run_spec spec = {.steps = steps, .horizon = horizon};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("crowd", &spec.problem, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, &err), IL_OK);
    for (size_t k = 0; sets[k] != NULL; k += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, sets[k], sets[k + 1], &err), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, record, traj, &err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(record->status, IL_OK);
    il_params_destroy(spec.params);
}

/* All leave every room but the narrow corridor, over one another's toes at no step. */
static void everybody_leaves_without_overlap(void) {
    static const char *const names[] = {"square", "posts", "rooms", "open"};
    for (size_t k = 0; k < 4; k++) {
        const char *const sets[] = {"N", "60", "room", names[k], NULL};
        il_record record = {0};
        run("venel", 300, 22.0, sets, &record, NULL);
        CU_ASSERT(record.measure.nodes_min >= -FEASIBLE);
        CU_ASSERT(record.measure.between_min >= -FEASIBLE);
        CU_ASSERT(record.measure.active_max >= 20); /* they did press */
        for (size_t i = 0; i < 60; i++) {
            CU_ASSERT(record.q[2 * i] >= 6.25); /* the side: 10 cells of 2.5 radii */
        }
        il_record_free(&record);
    }
}

/* Radii that grow: feasible at the nodes (Venel, Proposition 3.1), with rows taken at their ends.
 */
static void growing_people_do_not_overlap(void) {
    const char *const sets[] = {"N", "40", "growth", "0.008", "door", "2.5", NULL};
    il_record record = {0};
    run("venel", 200, 10.0, sets, &record, NULL);
    CU_ASSERT(record.measure.nodes_min >= -FEASIBLE);
    CU_ASSERT(record.measure.nodes_min <= 1e-6); /* some do touch */
    il_record_free(&record);
}

/* On a straight way a faster one comes from behind: gap 2 - 0.8, closing at 1, until t = 1.2; then
 * both walk at the mean of their speeds. In the metric of equal weights sums are kept. */
static void the_faster_one_pushes_the_slower(void) {
    const char *const sets[] = {"N",         "2",      "room",    "open",  "side", "20", "q0",
                                "2,10,4,10", "radius", "0.3,0.5", "speed", "2,1",  NULL};
    il_record record = {0};
    run("venel", 37, 3.0, sets, &record, NULL);
    static const double expected[4] = {7.1, 10.0, 7.9, 10.0};
    for (size_t k = 0; k < 4; k++) {
        CU_ASSERT(fabs(record.q[k] - expected[k]) <= FEASIBLE);
    }
    il_record_free(&record);
}

/* People of many sizes and speeds, held against distances of their own radii. */
static void unequal_people_do_not_overlap(void) {
    enum { PEOPLE = 30 };
    char radius[16 * PEOPLE] = "";
    char speed[16 * PEOPLE] = "";
    double r[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
        size_t at = strlen(radius);
        r[i] = 0.15 + 0.005 * ((7 * i) % PEOPLE);
        (void)snprintf(radius + at, sizeof radius - at, i > 0 ? ",%.3f" : "%.3f", r[i]);
        at = strlen(speed);
        (void)snprintf(speed + at, sizeof speed - at, i > 0 ? ",%.2f" : "%.2f",
                       0.5 + 0.05 * ((11 * i) % PEOPLE));
    }
    const char *const sets[] = {"N", "30", "radius", radius, "speed", speed, "seed", "4", NULL};
    il_record record = {0};
    il_trajectory traj = {0};
    run("venel", 200, 6.0, sets, &record, &traj);
    double least = INFINITY;
    for (size_t n = 0; n < traj.nodes; n++) {
        const double *q = traj.q + n * traj.d;
        for (size_t i = 0; i < PEOPLE; i++) {
            for (size_t j = 0; j < i; j++) {
                double distance = hypot(q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]);
                least = fmin(least, distance - r[i] - r[j]);
            }
        }
    }
    CU_ASSERT(least >= -FEASIBLE && least <= 1e-6);
    CU_ASSERT(record.measure.nodes_min >= -FEASIBLE);
    CU_ASSERT(record.measure.nodes_min <= least + FEASIBLE); /* walls count, too */
    il_trajectory_free(&traj);
    il_record_free(&record);
}

static double apart(const char *one, const char *other, size_t steps) {
    const char *const sets[] = {"N", "8", "seed", "3", NULL};
    il_record record = {0};
    il_trajectory a = {0};
    il_trajectory b = {0};
    double most = 0.0;
    run(one, steps, 4.0, sets, &record, &a);
    il_record_free(&record);
    run(other, steps, 4.0, sets, &record, &b);
    il_record_free(&record);
    CU_ASSERT_EQUAL_FATAL(a.nodes, b.nodes);
    for (size_t k = 0; k < a.nodes * a.d; k++) {
        double now = fabs(a.q[k] - b.q[k]);
        most = now <= most ? most : now;
    }
    il_trajectory_free(&a);
    il_trajectory_free(&b);
    return most;
}

static void venel_and_catching_up_have_one_limit(void) {
    CU_ASSERT(apart("maury", "venel", 200) <= ROUNDING);
    CU_ASSERT(apart("paoli", "catching_up", 200) <= ROUNDING);
    double coarse = apart("venel", "catching_up", 100);
    double fine = apart("venel", "catching_up", 1600);
    CU_ASSERT(coarse >= 1e-4);
    CU_ASSERT(fine <= 0.2 * coarse);
}

static const il_test tests[] = {
    {"a way around a jamb is the closed form", a_way_around_a_jamb_is_the_closed_form},
    {"a way around a wall ends at the nearer end of the exit",
     a_way_around_a_wall_ends_at_the_nearer_end_of_the_exit},
    {"a way begins beside the wall that it goes around",
     a_way_begins_beside_the_wall_that_it_goes_around},
    {"walks along ways are as long as they say", walks_along_ways_are_as_long_as_they_say},
    {"ways agree with a grid solver", ways_agree_with_a_grid_solver},
    {"everybody leaves without overlap", everybody_leaves_without_overlap},
    {"the faster one pushes the slower", the_faster_one_pushes_the_slower},
    {"unequal people do not overlap", unequal_people_do_not_overlap},
    {"growing people do not overlap", growing_people_do_not_overlap},
    {"venel and catching_up have one limit", venel_and_catching_up_have_one_limit},
    {NULL, NULL}};

const il_suite il_suite_crowd = {"crowd", tests};

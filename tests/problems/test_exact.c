/*
 * test_exact.c - what problem.h says of exact solutions, of every solution of every problem: their
 * breaks, their ends, and, where they are quadratic, parabolas of which Simpson's rule is exact.
 */
#include <math.h>
#include <stdlib.h>

#include "tests/support/contract.h"
#include "tests/support/suite.h"

/* A share of the largest coordinate: as consistency_exact.c allows of solutions that are not exact
 * to the last digits, such as those of zeros of polynomials. */
static const double SAME = 1e-9;

enum { PLACES = 4 };

/* A solution at one time, from one side; impulses may be unknown. */
typedef struct {
    double *q, *u, *impulse;
} look;

typedef struct {
    const il_problem *problem;
    const il_exact *exact;
    double *room;
    look at[3];
    double qsize, usize, isize;
} stage;

static double largest(const double *x, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

static double apart(const double *a, const double *b, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = isnan(a[k] - b[k]) ? NAN : fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

static void look_at(stage *s, int k, double t, int side) {
    look *w = &s->at[k];
    s->exact->eval(s->exact, t, side, w->q, w->u);
    s->qsize = fmax(s->qsize, largest(w->q, s->problem->d));
    s->usize = fmax(s->usize, largest(w->u, s->problem->d));
    if (s->exact->impulse != NULL) {
        s->exact->impulse(s->exact, t, side, w->impulse);
        s->isize = fmax(s->isize, largest(w->impulse, s->problem->p));
    }
}

static bool same_place(const stage *s) {
    return apart(s->at[0].q, s->at[1].q, s->problem->d) <= SAME * s->qsize;
}

static bool same(const stage *s) {
    return same_place(s) && apart(s->at[0].u, s->at[1].u, s->problem->d) <= SAME * s->usize &&
           (s->exact->impulse == NULL ||
            apart(s->at[0].impulse, s->at[1].impulse, s->problem->p) <= SAME * s->isize);
}

/* From 0, where the solution starts from q0, to the horizon. */
static void check_breaks(stage *s) {
    const il_exact *e = s->exact;
    CU_ASSERT_FATAL(e->nbreaks >= 2);
    CU_ASSERT(e->breaks[0] == 0.0 && e->breaks[e->nbreaks - 1] == s->problem->horizon);
    for (size_t n = 1; n < e->nbreaks; n++) {
        CU_ASSERT(e->breaks[n] > e->breaks[n - 1]);
        look_at(s, 0, e->breaks[n], -1);
        look_at(s, 1, e->breaks[n], 1);
        CU_ASSERT(same_place(s));
    }
    CU_ASSERT(same(s)); /* at the horizon */
    look_at(s, 0, 0.0, -1);
    look_at(s, 1, 0.0, 1);
    CU_ASSERT(same(s));
    CU_ASSERT(apart(s->at[0].q, s->problem->q0, s->problem->d) <= SAME * s->qsize);
}

/* Inside a piece sides do not matter, and impulses never fall, but of contacts that hold. */
static void check_inside(stage *s, double a, double b) {
    look_at(s, 2, a, 1);
    for (int k = 1; k < PLACES; k++) {
        double t = a + (b - a) * k / PLACES;
        look_at(s, 0, t, -1);
        look_at(s, 1, t, 1);
        CU_ASSERT(same(s));
        bool pushes = s->exact->impulse != NULL && s->problem->gamma0 == NULL;
        for (size_t i = 0; pushes && i < s->problem->p; i++) {
            CU_ASSERT(s->at[1].impulse[i] >= s->at[2].impulse[i] - SAME * s->isize);
            s->at[2].impulse[i] = s->at[1].impulse[i];
        }
    }
}

/* q a parabola and its derivative u, impulses on a line: in the middle u is the mean of its ends
 * and the slope of q's, q lies (b - a)/8 (u_b - u_a) below its chord. */
static void check_quadratic(stage *s, double a, double b) {
    const look *at = s->at;
    double h = b - a;
    look_at(s, 0, a, 1);
    look_at(s, 1, 0.5 * (a + b), 0);
    look_at(s, 2, b, -1);
    double size = s->qsize + h * s->usize;
    for (size_t k = 0; k < s->problem->d; k++) {
        double chord = at[2].q[k] - at[0].q[k] - h * at[1].u[k];
        double bend = 0.5 * (at[0].q[k] + at[2].q[k]) - at[1].q[k];
        CU_ASSERT(fabs(at[1].u[k] - 0.5 * (at[0].u[k] + at[2].u[k])) <= SAME * s->usize);
        CU_ASSERT(fabs(chord) <= SAME * size);
        CU_ASSERT(fabs(bend - h / 8.0 * (at[2].u[k] - at[0].u[k])) <= SAME * size);
    }
    for (size_t i = 0; s->exact->impulse != NULL && i < s->problem->p; i++) {
        double middle = 0.5 * (at[0].impulse[i] + at[2].impulse[i]);
        CU_ASSERT(fabs(at[1].impulse[i] - middle) <= SAME * s->isize);
    }
}

static void check(const il_problem *problem, const il_exact *exact) {
    size_t width = 2 * problem->d + problem->p;
    stage s = {.problem = problem, .exact = exact, .room = calloc(3 * width, sizeof(double))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(s.room);
    for (size_t k = 0; k < 3; k++) {
        s.at[k].q = s.room + k * width;
        s.at[k].u = s.at[k].q + problem->d;
        s.at[k].impulse = s.at[k].u + problem->d;
    }
    for (size_t n = 0; n < exact->nbreaks; n++) { /* sizes are those of the whole motion */
        look_at(&s, 0, exact->breaks[n], -1);
    }
    check_breaks(&s);
    for (size_t n = 0; n + 1 < exact->nbreaks; n++) {
        check_inside(&s, exact->breaks[n], exact->breaks[n + 1]);
        if (exact->quadratic) {
            check_quadratic(&s, exact->breaks[n], exact->breaks[n + 1]);
        }
    }
    free(s.room);
}

static void exact_solutions_are_what_they_promise(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t checked = 0;
    for (size_t k = 0; k < n; k++) {
        il_params *params = il_contract_params(&list[k]);
        il_problem *problem = NULL;
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[k].type, params, 0.0, NULL), IL_OK);
        for (size_t e = 0; e < problem->nexact; e++) {
            check(problem, &problem->exact[e]);
            checked++;
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
    CU_ASSERT(checked >= 10);
}

static const il_test tests[] = {
    {"exact solutions are what they promise", exact_solutions_are_what_they_promise}, {NULL, NULL}};

extern const il_suite il_suite_exact;
const il_suite il_suite_exact = {"exact", tests};

/*
 * test_gluey_row.c - rows that glue: the exact motion against the model's own laws, against sticky
 * without a force, and against gluey for two spheres.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/residual.h"
#include "tests/support/suite.h"

enum { MOST = 9, SAMPLES = 5, TEXT = 400 };

/* Positions and velocities are below 20, made by some hundred operations. */
static const double ROUNDING = 1e-11;

static void list(char *out, const char *key, const double *x, size_t n) {
    (void)snprintf(out, TEXT, "%s=", key);
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(out);
        (void)snprintf(out + at, TEXT - at, i > 0 ? ",%.17g" : "%.17g", x[i]);
    }
}

/* A row of n at random, and its parameters typed out. */
typedef struct {
    size_t n;
    double m[MOST], q[MOST], u[MOST], f[MOST];
    char text[5][TEXT];
    const char *sets[6];
} scene;

static void draw(scene *s, gsl_rng *rng, size_t n) {
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        s->m[i] = 0.5 + gsl_rng_uniform(rng);
        s->q[i] = i > 0 ? s->q[i - 1] + 0.2 + 0.3 * gsl_rng_uniform(rng) : 0.0;
        s->u[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        s->f[i] = 4.0 * gsl_rng_uniform(rng) - 2.0;
    }
    (void)snprintf(s->text[0], TEXT, "N=%zu", n);
    list(s->text[1], "masses", s->m, n);
    list(s->text[2], "q0", s->q, n);
    list(s->text[3], "u0", s->u, n);
    list(s->text[4], "force", s->f, n);
    for (size_t k = 0; k < 5; k++) {
        s->sets[k] = s->text[k];
    }
    s->sets[5] = NULL;
}

/* The laws at one time, pull = 2 and turn = 0.8. */
static void check_laws(const scene *s, const il_exact *exact, double t, int side) {
    double q[MOST];
    double u[MOST];
    double Lambda[MOST];
    exact->eval(exact, t, side, q, u);
    exact->impulse(exact, t, side, Lambda);
    double push = fmin(t, 0.8) - 2.0 * fmax(0.0, t - 0.8);
    for (size_t i = 0; i < s->n; i++) {
        double before = i > 0 ? Lambda[i - 1] : 0.0; /* G_{i-1} is 1 here, G_i is -1 */
        double after = i + 1 < s->n ? Lambda[i] : 0.0;
        double gained = s->m[i] * (u[i] - s->u[i]) - push * s->f[i];
        CU_ASSERT(fabs(gained - (before - after)) <= ROUNDING);
    }
    for (size_t i = 0; i + 1 < s->n; i++) {
        double gap = q[i + 1] - q[i] - 0.2;
        CU_ASSERT(gap >= -ROUNDING && Lambda[i] >= -ROUNDING);
        CU_ASSERT(gap <= ROUNDING || Lambda[i] <= ROUNDING);
        CU_ASSERT(Lambda[i] <= ROUNDING || fabs(u[i + 1] - u[i]) <= ROUNDING);
        CU_ASSERT(gap > ROUNDING || side < 0 || u[i + 1] - u[i] >= -ROUNDING);
    }
}

/* u is affine on pieces: Simpson's rule is exact. */
static void check_piece(const scene *s, const il_exact *exact, double a, double b) {
    double q[2][MOST];
    double u[3][MOST];
    double middle[MOST];
    exact->eval(exact, a, 1, q[0], u[0]);
    exact->eval(exact, 0.5 * (a + b), 0, middle, u[1]);
    exact->eval(exact, b, -1, q[1], u[2]);
    for (size_t i = 0; i < s->n; i++) {
        double way = (b - a) * (u[0][i] + 4.0 * u[1][i] + u[2][i]) / 6.0;
        CU_ASSERT(fabs(q[1][i] - q[0][i] - way) <= ROUNDING);
    }
    exact->eval(exact, b, 1, q[0], u[0]);
    for (size_t i = 0; i < s->n; i++) {
        CU_ASSERT(fabs(q[1][i] - q[0][i]) <= ROUNDING);
    }
    for (int k = 0; k < SAMPLES; k++) {
        check_laws(s, exact, a + (b - a) * (k + 0.5) / SAMPLES, 0);
    }
    check_laws(s, exact, a, 1);
    check_laws(s, exact, b, -1);
}

static void rows_obey_the_model(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    size_t events = 0;
    for (size_t k = 0; k < 200; k++) {
        scene s;
        draw(&s, rng, 2 + k % (MOST - 1));
        il_test_problem made = il_test_problem_new("gluey_row", 4.0, s.sets);
        const il_exact *exact = made.problem->exact;
        CU_ASSERT_FATAL(made.problem->nexact == 1);
        events += exact->nbreaks - 2;
        for (size_t i = 0; i + 1 < exact->nbreaks; i++) {
            CU_ASSERT(exact->breaks[i] < exact->breaks[i + 1]);
            check_piece(&s, exact, exact->breaks[i], exact->breaks[i + 1]);
        }
        il_test_problem_free(&made);
    }
    gsl_rng_free(rng);
    CU_ASSERT(events >= 1000); /* they meet and part */
}

static void compare(const il_exact *a, const il_exact *b, size_t n, double shift) {
    for (int k = 0; k <= 300; k++) {
        double q[2][MOST];
        double u[MOST];
        a->eval(a, 0.01 * k, 1, q[0], u);
        b->eval(b, 0.01 * k, 1, q[1], u);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(fabs(q[0][i] - q[1][i] - shift) <= ROUNDING);
        }
    }
}

/* Without a force w stays, and what met stays together. */
static void without_a_force_it_is_sticky(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (size_t k = 0; k < 50; k++) {
        scene s;
        draw(&s, rng, MOST);
        memset(s.f, 0, sizeof s.f);
        list(s.text[4], "force", s.f, s.n);
        il_test_problem made = il_test_problem_new("gluey_row", 3.0, s.sets);
        s.sets[4] = "radii=0.1";
        il_test_problem other = il_test_problem_new("sticky", 3.0, s.sets);
        compare(made.problem->exact, other.problem->exact, s.n, 0.0);
        il_test_problem_free(&other);
        il_test_problem_free(&made);
    }
    gsl_rng_free(rng);
}

/* gluey's spheres: centres at 0 and 0.6, pressed by 1 until 1.3 and pulled by 2. */
static void two_are_gluey(void) {
    static const char *const two[] = {"N=2",        "masses=1,3", "q0=0,0.6", "u0=0,0",
                                      "force=1,-1", "turn=1.3",   NULL};
    static const char *const gluey[] = {"scenario=spheres", "masses=1,3", NULL};
    il_test_problem made = il_test_problem_new("gluey_row", 3.0, two);
    il_test_problem other = il_test_problem_new("gluey", 3.0, gluey);
    compare(made.problem->exact, other.problem->exact, 2, 0.0);
    il_test_problem_free(&other);
    il_test_problem_free(&made);
}

/* Three in a row that touch, pressed from both sides: one block; pulled, both contacts let go when
 * their gamma -t is back at 0: 2 (t - 0.8) = 0.8 at 1.2, and then q_3 = 0.4 + (t - 1.2)^2. */
static void three_by_hand(void) {
    static const char *const sets[] = {"N=3", "q0=0,0.2,0.4", "force=1,0,-1", NULL};
    il_test_problem made = il_test_problem_new("gluey_row", 2.2, sets);
    const il_exact *exact = made.problem->exact;
    double q[3];
    double u[3];
    double Lambda[2];
    exact->eval(exact, 1.1, 0, q, u);
    exact->impulse(exact, 1.1, 0, Lambda);
    CU_ASSERT(q[0] == 0.0 && fabs(q[1] - 0.2) <= ROUNDING && u[2] == 0.0);
    CU_ASSERT(fabs(Lambda[0] - 0.2) <= ROUNDING && fabs(Lambda[1] - 0.2) <= ROUNDING);
    exact->eval(exact, 2.2, 0, q, u);
    CU_ASSERT(fabs(q[0] + 1.0) <= ROUNDING && fabs(q[1] - 0.2) <= ROUNDING);
    CU_ASSERT(fabs(q[2] - 1.4) <= ROUNDING && fabs(u[2] - 2.0) <= ROUNDING);
    il_test_problem_free(&made);
}

static const il_test tests[] = {{"rows obey the model", rows_obey_the_model},
                                {"without a force it is sticky", without_a_force_it_is_sticky},
                                {"two are gluey", two_are_gluey},
                                {"three by hand", three_by_hand},
                                {NULL, NULL}};

const il_suite il_suite_gluey_row = {"gluey_row", tests};

/*
 * test_d1minus.c - d1minus against dense loops from its formulas, with projections by trying every
 * set of active rows, and steps worked out by hand.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/schemes/second.h"
#include "tests/support/suite.h"

/* Roundings of positions near 1, over steps of 1e-3, four hundred times; a decision that rounding
 * makes differently costs g h = 1e-2. */
static const double SAME = 1e-9;
static const double SHUT = 1e-8; /* gaps and speeds up to this are closed and at rest */

static unsigned shut(const second *s, const double *u) {
    unsigned set = 0;
    for (size_t i = 0; i < s->p; i++) {
        bool rests = u == NULL || second_speed(s, i, u) <= SHUT;
        set |= s->g[i] <= SHUT && rests ? 1u << i : 0u;
    }
    return set;
}

/* The acceleration that the rows closed and at rest at (t, q, u), which s looks at, admit. */
static void accelerate(const second *s, double t, const double *q, const double *u, double *a) {
    double c[P_MAX];
    const double none[D_MAX] = {0.0};
    unsigned set = shut(s, u);
    for (size_t i = 0; i < s->p; i++) {
        bool bent = s->problem->type->curvature != NULL;
        c[i] = bent ? -s->problem->type->curvature(s->problem, t, q, u, i) : 0.0;
    }
    second_fly(s, t, q, none, a);
    for (size_t k = 0; k < s->d; k++) {
        a[k] /= s->h;
    }
    second_project(s, set, c, a);
}

static void d1minus(second *s, double t, double *q, double *u) {
    double a[2][D_MAX];
    double v[D_MAX];
    double w[D_MAX];
    double c[P_MAX];
    double free[2][D_MAX];
    const double none[D_MAX] = {0.0};
    second_look(s, t, q);
    unsigned were = shut(s, NULL);
    accelerate(s, t, q, u, a[0]);
    second_fly(s, t, q, none, free[0]);
    for (size_t k = 0; k < s->d; k++) {
        v[k] = u[k] + s->h * a[0][k];
        q[k] += 0.5 * s->h * (u[k] + v[k]);
    }
    second_look(s, t + s->h, q);
    unsigned are = shut(s, NULL);
    accelerate(s, t + s->h, q, v, a[1]);
    second_fly(s, t + s->h, q, none, free[1]);
    for (size_t k = 0; k < s->d; k++) {
        bool struck = (are & ~were) != 0;
        w[k] = u[k] + 0.5 * (struck ? free[0][k] + free[1][k] : s->h * (a[0][k] + a[1][k]));
    }
    for (size_t i = 0; i < s->p; i++) {
        c[i] = -s->rate[i] - s->e * second_speed(s, i, w);
    }
    memcpy(u, w, s->d * sizeof *u);
    second_project(s, are, c, u);
}

static void it_is_its_formulas(void) {
    static const twin w = {"d1minus", d1minus, false};
    static const struct {
        const char *words[WORDS];
        double T;
    } cases[] = {{{"bouncing_ball", "e", "0"}, 2.0},
                 {{"bouncing_ball", "e", "0.5", "u0", "0.1234"}, 0.9},
                 {{"bouncing_ball", "e", "1"}, 2.0},
                 {{"cradle", "N", "3", "e", "0"}, 1.0},
                 {{"cradle", "N", "3", "e", "0.5"}, 1.0},
                 {{"vibroimpact", "scenario", "slide"}, 4.0},
                 {{"vibroimpact", "scenario", "graze"}, 4.0},
                 {{"two_spheres", "scenario", "free"}, 2.0},
                 {{"two_spheres", "scenario", "pressed"}, 0.6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double most = second_apart(&w, cases[i].words, cases[i].T, NULL);
        CU_ASSERT(most <= SAME);
        if (!(most <= SAME)) {
            (void)fprintf(stderr, "d1minus on %s %s=%s: %g\n", cases[i].words[0], cases[i].words[1],
                          cases[i].words[2], most);
        }
    }
}

static const il_test tests[] = {
    {"it is its formulas: dense loops make the same steps", it_is_its_formulas}, {NULL, NULL}};

const il_suite il_suite_d1minus = {"d1minus", tests};

/*
 * test_second.c - schemes against a second implementation: dense loops from the formulas of their
 * papers, with projections by trying every set of active rows. On a ball, a row of balls, two
 * spheres in space; e = 0, 1/2, 1.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/schemes/second.h"
#include "tests/support/suite.h"

/* Positions near 1 round by 1e-16, over h/2 >= 7e-4 a velocity of 2e-13 a step, four hundred times;
 * where all energy is kept the next bounces carry it on. A decision that rounding makes differently
 * costs g h = 1e-2. */
static const double SAME = 1e-9;

/* v onto velocities with a_i(w) >= -e a_i(before) for the rows of set. */
static void admit(const second *s, unsigned set, double e, const double *before, double *v) {
    double c[P_MAX];
    for (size_t i = 0; i < s->p; i++) {
        c[i] = -s->rate[i] - e * second_speed(s, i, before);
    }
    second_project(s, set, c, v);
}

/* Below 1e-13 a gap is rounding. */
static unsigned touching(const second *s) {
    unsigned set = 0;
    for (size_t i = 0; i < s->p; i++) {
        set |= s->g[i] <= 1e-13 ? 1u << i : 0u;
    }
    return set;
}

static unsigned closing(const second *s, const double *v) {
    unsigned set = 0;
    for (size_t i = 0; i < s->p; i++) {
        set |= s->g[i] + s->h * second_dot(s, i, v) <= 1e-13 ? 1u << i : 0u;
    }
    return set;
}

/* ---- the schemes: (q, u) at t to (q, u) at t + h, in place ----------------------------------- */

static void midpoint(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    for (size_t k = 0; k < s->d; k++) {
        q[k] += 0.5 * s->h * u[k];
    }
    second_fly(s, t, q, u, v);
    second_look(s, t + 0.5 * s->h, q);
    admit(s, touching(s), s->e, u, v);
    for (size_t k = 0; k < s->d; k++) {
        u[k] = v[k];
        q[k] += 0.5 * s->h * u[k];
    }
}

static void mabrouk(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    for (size_t k = 0; k < s->d; k++) {
        q[k] += s->h * u[k];
    }
    second_fly(s, t, q, u, v);
    second_look(s, t + s->h, q);
    for (size_t k = 0; k < s->d; k++) {
        v[k] = u[k] + (v[k] - u[k]) / (1.0 + s->e);
    }
    admit(s, touching(s), 0.0, u, v);
    for (size_t k = 0; k < s->d; k++) {
        u[k] = (1.0 + s->e) * v[k] - s->e * u[k];
    }
}

/* The smallest speed of the rows of set, and those that approach. */
static unsigned approaching(const second *s, unsigned set, const double *v) {
    unsigned found = 0;
    for (size_t i = 0; i < s->p; i++) {
        found |= (set & 1u << i) && second_speed(s, i, v) < -1e-12 ? 1u << i : 0u;
    }
    return found;
}

static void reflect(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double still[D_MAX];
    second_fly(s, t, q, u, v);
    second_look(s, t + s->h, q);
    unsigned set = closing(s, v);
    memcpy(still, v, sizeof still);
    admit(s, set, 0.0, v, still);
    for (unsigned now = approaching(s, set, v); now != 0; now = approaching(s, set, v)) {
        double before[D_MAX];
        memcpy(before, v, sizeof before);
        admit(s, now, 1.0, before, v);
    }
    for (size_t k = 0; k < s->d; k++) {
        u[k] = (1.0 - s->e) * still[k] + s->e * v[k];
        q[k] += s->h * u[k];
    }
}

static void poisson(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double pressed[D_MAX];
    second_fly(s, t, q, u, v);
    second_look(s, t + s->h, q);
    unsigned set = closing(s, v);
    memcpy(pressed, v, sizeof pressed);
    admit(s, set, 0.0, v, pressed);
    for (size_t k = 0; k < s->d; k++) {
        u[k] = pressed[k] + s->e * (pressed[k] - v[k]);
    }
    admit(s, set, 0.0, v, u);
    for (size_t k = 0; k < s->d; k++) {
        q[k] += s->h * u[k];
    }
}

static void dem(second *s, double t, double *q, double *u) {
    static const double K = 1e4;
    double l = log(s->e);
    double zeta = s->e > 0.0 ? -l / sqrt(M_PI * M_PI + l * l) : 1.0;
    for (int half = 0; half < 2; half++) {
        double v[D_MAX];
        double force[D_MAX] = {0.0};
        second_look(s, half == 0 ? t : t + s->h, q);
        second_fly(s, t, q, u, v);
        for (size_t i = 0; i < s->p; i++) {
            double W = 0.0;
            for (size_t k = 0; k < s->d; k++) {
                W += s->b[i][k] * s->b[i][k] / s->mass[k];
            }
            /* The first half has the forces that ended the step before; mark: it had one. */
            double push = -K * s->g[i] - 2.0 * zeta * sqrt(K / W) * second_speed(s, i, u);
            push = half == 0 && s->mark[i] != 0 ? s->kept[i] : fmax(push, 0.0);
            s->mark[i] = s->g[i] < 0.0;
            s->kept[i] = push;
            for (size_t k = 0; s->g[i] < 0.0 && k < s->d; k++) {
                force[k] += push * s->b[i][k];
            }
        }
        for (size_t k = 0; k < s->d; k++) {
            u[k] += 0.5 * (v[k] - u[k]) + 0.5 * s->h * force[k] / s->mass[k];
            q[k] += half == 0 ? s->h * u[k] : 0.0;
        }
    }
}

/* Two substeps, three sweeps. */
static void xpbd(second *s, double t, double *q, double *u) {
    double whole = s->h;
    s->h = 0.5 * whole;
    for (int part = 0; part < 2; part++, t += s->h) {
        double v[D_MAX];
        double from[D_MAX];
        double before[D_MAX];
        unsigned acted = 0;
        second_fly(s, t, q, u, v);
        memcpy(from, q, sizeof from);
        memcpy(before, u, sizeof before);
        for (size_t k = 0; k < s->d; k++) {
            q[k] += s->h * v[k];
        }
        for (size_t n = 0; n < 3 * s->p; n++) {
            size_t i = n % s->p;
            double W = 0.0;
            second_look(s, t + s->h, q);
            for (size_t k = 0; k < s->d; k++) {
                W += s->b[i][k] * s->b[i][k] / s->mass[k];
            }
            for (size_t k = 0; s->g[i] < 0.0 && k < s->d; k++) {
                q[k] -= s->b[i][k] / s->mass[k] * s->g[i] / W;
            }
            acted |= s->g[i] < 0.0 ? 1u << i : 0u;
        }
        second_look(s, t + s->h, q);
        double fall[D_MAX];
        for (size_t k = 0; k < s->d; k++) {
            u[k] = (q[k] - from[k]) / s->h;
            fall[k] = v[k] - before[k];
        }
        for (size_t i = 0; i < s->p; i++) {
            double W = 0.0;
            for (size_t k = 0; k < s->d; k++) {
                W += s->b[i][k] * s->b[i][k] / s->mass[k];
            }
            double was = second_speed(s, i, before);
            bool slow = fabs(was) <= 2.0 * fabs(second_dot(s, i, fall));
            double change = (slow ? 0.0 : fmax(0.0, -s->e * was)) - second_speed(s, i, u);
            for (size_t k = 0; (acted & 1u << i) && k < s->d; k++) {
                u[k] += s->b[i][k] / s->mass[k] * change / W;
            }
        }
    }
    s->h = whole;
}

/* Positions are projected in closed form on the line: onto q_{i+1} - q_i >= 2 r by trying sets. */
static void projected(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double c[P_MAX];
    second_fly(s, t, q, u, v);
    second_look(s, t + s->h, q);
    unsigned set = closing(s, v);
    unsigned every = (1u << s->p) - 1u;
    while (true) {
        double w[D_MAX];
        double x[D_MAX] = {0};
        unsigned joins = 0;
        memcpy(w, v, sizeof w);
        admit(s, set, s->e, u, w);
        for (size_t k = 0; k < s->d; k++) {
            x[k] = s->h * w[k];
        }
        for (size_t i = 0; i < s->p; i++) {
            c[i] = -s->g[i];
        }
        double from[D_MAX];
        memcpy(from, x, sizeof from);
        second_project(s, every, c, x);
        for (size_t i = 0; i < s->p; i++) {
            /* a row that the projection made tight: it was violated before */
            bool held =
                fabs(second_dot(s, i, x) - c[i]) < 1e-13 && second_dot(s, i, from) < c[i] - 1e-13;
            joins |= held && second_speed(s, i, w) < 0.0 ? 1u << i : 0u;
        }
        if ((joins & ~set) == 0) {
            for (size_t k = 0; k < s->d; k++) {
                q[k] += x[k];
                u[k] = w[k];
            }
            return;
        }
        set |= joins;
    }
}

/* The impulses P with M (w - v) = sum P_i b_i, b_i independent, by Gauss-Seidel on W P = B (w - v).
 */
static void impulses(const second *s, const double *v, const double *w, double *P) {
    double change[D_MAX];
    for (size_t k = 0; k < s->d; k++) {
        change[k] = w[k] - v[k];
    }
    memset(P, 0, P_MAX * sizeof *P);
    for (size_t n = 0; s->p > 0 && n < 4000; n++) {
        size_t i = n % s->p;
        double left = second_dot(s, i, change);
        double W = 0.0;
        for (size_t k = 0; k < s->d; k++) {
            double sum = 0.0;
            for (size_t j = 0; j < s->p; j++) {
                sum += P[j] * s->b[j][k] / s->mass[k];
            }
            left -= s->b[i][k] * sum;
            W += s->b[i][k] * s->b[i][k] / s->mass[k];
        }
        P[i] += left / W;
    }
}

static void rattle(second *s, double t, double *q, double *u) {
    second at; /* rows at the positions at hand */
    double v[D_MAX];
    double w[D_MAX];
    double x[D_MAX];
    double P[P_MAX];
    second_look(s, t, q);
    second_fly(s, t, q, u, v);
    for (size_t k = 0; k < s->d; k++) {
        v[k] = 0.5 * (u[k] + v[k]);
        x[k] = q[k] + s->h * v[k];
    }
    at = *s;
    for (int n = 0; n < 40; n++) {
        double c[P_MAX];
        second_look(&at, t + s->h, x);
        for (size_t i = 0; i < s->p; i++) {
            c[i] = -(at.g[i] + second_dot(s, i, q) - second_dot(s, i, x)) / s->h;
        }
        memcpy(w, v, sizeof w);
        second_project(s, (1u << s->p) - 1u, c, w);
        for (size_t k = 0; k < s->d; k++) {
            x[k] = q[k] + s->h * w[k];
        }
    }
    impulses(s, v, w, P);
    second_look(&at, t + s->h, x);
    second_fly(s, t, x, w, v);
    unsigned set = 0;
    for (size_t k = 0; k < s->d; k++) {
        v[k] = 0.5 * (w[k] + v[k]);
    }
    for (size_t i = 0; i < s->p; i++) {
        set |= P[i] > 1e-13 || at.g[i] <= 1e-13 ? 1u << i : 0u;
        for (size_t k = 0; P[i] > 1e-13 && k < s->d; k++) {
            v[k] -= P[i] * at.b[i][k] / s->mass[k];
        }
    }
    admit(&at, set, s->e, u, v);
    memcpy(q, x, s->d * sizeof *q);
    memcpy(u, v, s->d * sizeof *u);
}

/* Generalised alpha with rho = 0.9 where constraints are affine and fixed and the force constant:
 * multipliers of each level from those of all of it. */
typedef struct {
    double a[D_MAX], A[D_MAX], l[P_MAX], L[P_MAX];
} levels;

static const double RHO = 0.9;

static double filtered(double now, double before, double filter) {
    double m = (2.0 * RHO - 1.0) / (RHO + 1.0);
    double f = RHO / (RHO + 1.0);
    return ((1.0 - f) * now + f * before - m * filter) / (1.0 - m);
}

/* M^{-1} f at hand, and the accelerations that the start admits. */
static void first_levels(const second *s, const double *u, const double *f, levels *c) {
    const double none[P_MAX] = {0.0};
    unsigned set = touching(s);
    for (size_t i = 0; i < s->p; i++) {
        set &= fabs(second_speed(s, i, u)) > 1e-13 ? ~(1u << i) : ~0u;
    }
    memcpy(c->a, f, sizeof c->a);
    second_project(s, set, none, c->a);
    impulses(s, f, c->a, c->l);
    memcpy(c->A, c->a, sizeof c->A);
    memcpy(c->L, c->l, sizeof c->L);
}

/* x, the displacement, and y, the velocity, from what was carried and is now, contacts left out. */
static void free_levels(const second *s, const double *u, const levels *was, const levels *now,
                        double *x, double *y) {
    double gamma = 0.5 + RHO / (RHO + 1.0) - (2.0 * RHO - 1.0) / (RHO + 1.0);
    double beta = 0.25 * (0.5 + gamma) * (0.5 + gamma);
    double h = s->h;
    for (size_t k = 0; k < s->d; k++) {
        x[k] = h * u[k] + h * h * ((0.5 - beta) * was->A[k] + beta * now->A[k]);
        y[k] = u[k] + h * ((1.0 - gamma) * was->A[k] + gamma * now->A[k]);
        for (size_t i = 0; i < s->p; i++) {
            double push = s->b[i][k] / s->mass[k];
            x[k] -= push * h * h * ((0.5 - beta) * was->L[i] + beta * now->L[i]);
            y[k] -= push * h * ((1.0 - gamma) * was->L[i] + gamma * now->L[i]);
        }
    }
}

/* One round of the three levels: now->a and l, x, y. */
static void round_of_levels(const second *s, const double *u, const double *f, const levels *was,
                            levels *now, double *x, double *y) {
    double c[P_MAX];
    double push[P_MAX];
    double free[D_MAX];
    unsigned set = 0;
    free_levels(s, u, was, now, x, y);
    memcpy(free, x, sizeof free);
    for (size_t i = 0; i < s->p; i++) {
        c[i] = -s->g[i];
    }
    second_project(s, (1u << s->p) - 1u, c, x);
    impulses(s, free, x, push);
    for (size_t i = 0; i < s->p; i++) {
        set |= push[i] > 1e-15 || second_dot(s, i, x) - c[i] <= 1e-13 ? 1u << i : 0u;
        c[i] = 0.0;
    }
    memcpy(free, y, sizeof free);
    admit(s, set, s->e, u, y);
    impulses(s, free, y, push);
    for (size_t i = 0; i < s->p; i++) {
        double after = second_speed(s, i, y) + s->e * second_speed(s, i, u);
        set &= push[i] > 1e-13 || after <= 1e-13 ? ~0u : ~(1u << i);
    }
    memcpy(now->a, f, sizeof now->a);
    second_project(s, set, c, now->a);
    impulses(s, f, now->a, now->l);
}

/* The state that it carries starts anew at t = 0. */
static void generalized_alpha(second *s, double t, double *q, double *u) {
    static levels was;
    levels now;
    double f[D_MAX];
    double x[D_MAX];
    double y[D_MAX];
    second_look(s, t, q);
    second_fly(s, t, q, u, f);
    for (size_t k = 0; k < s->d; k++) {
        f[k] = (f[k] - u[k]) / s->h;
    }
    if (t == 0.0) {
        first_levels(s, u, f, &was);
    }
    now = was;
    for (int n = 0; n < 20; n++) {
        for (size_t k = 0; k < s->d; k++) {
            now.A[k] = filtered(now.a[k], was.a[k], was.A[k]);
        }
        for (size_t i = 0; i < s->p; i++) {
            now.L[i] = filtered(now.l[i], was.l[i], was.L[i]);
        }
        round_of_levels(s, u, f, &was, &now, x, y);
    }
    was = now;
    for (size_t k = 0; k < s->d; k++) {
        q[k] += x[k];
        u[k] = y[k];
    }
}

static const twin twins[] = {{"midpoint", midpoint, false},
                             {"mabrouk", mabrouk, false},
                             {"reflect", reflect, false},
                             {"poisson", poisson, false},
                             {"dem:k=1e4", dem, false},
                             {"xpbd:substeps=2,iterations=3", xpbd, false},
                             {"projected", projected, true},
                             {"rattle", rattle, false},
                             {"generalized_alpha", generalized_alpha, true}};

static void schemes_are_their_formulas(void) {
    static const struct {
        const char *words[WORDS];
        double T;
        bool affine;
    } cases[] = {{{"bouncing_ball", "e", "0"}, 2.0, true},
                 {{"bouncing_ball", "e", "0.5", "u0", "0.1234"}, 0.9, true},
                 {{"bouncing_ball", "e", "1"}, 2.0, true},
                 {{"cradle", "N", "3", "e", "0"}, 1.0, true},
                 {{"cradle", "N", "3", "e", "0.5"}, 1.0, true},
                 {{"cradle", "N", "2", "e", "1"}, 1.0, true},
                 {{"two_spheres", "scenario", "free"}, 2.0, false},
                 {{"two_spheres", "scenario", "pressed"}, 0.6, false}};
    for (size_t k = 0; k < sizeof twins / sizeof *twins; k++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (twins[k].affine && !cases[i].affine) {
                continue;
            }
            double most = second_apart(&twins[k], cases[i].words, cases[i].T, NULL);
            CU_ASSERT(most <= SAME);
            if (!(most <= SAME)) {
                (void)fprintf(stderr, "%s on %s %s=%s: %g\n", twins[k].name, cases[i].words[0],
                              cases[i].words[1], cases[i].words[2], most);
            }
        }
    }
}

/* The first of N + 1 equal balls strikes the others at speed 1, e = 1. Moreau's law
 * u+ = 2 P_C u- - u- with P_C u- = 1/(N+1): the first ends with 2/(N+1) - 1, the others with
 * 2/(N+1). Reflections, one contact after the other, stop all but the last. */
static void laws_of_several_contacts(void) {
    enum { N = 4 };
    static const char *const names[] = {"mabrouk", "reflect"};
    for (size_t k = 0; k < 2; k++) {
        twin w = {names[k], k == 0 ? mabrouk : reflect, false};
        static const char *const words[WORDS] = {"cradle", "N", "4", "e", "1"};
        double u[N + 1];
        CU_ASSERT(second_apart(&w, words, 1.0, u) <= SAME);
        for (size_t i = 0; i <= N; i++) {
            double moreau = 2.0 / (N + 1) - (i == 0 ? 1.0 : 0.0);
            double travels = i == N ? 1.0 : 0.0;
            CU_ASSERT(fabs(u[i] - (k == 0 ? moreau : travels)) <= SAME);
        }
    }
}

static const il_test tests[] = {
    {"mabrouk obeys Moreau's law, reflections travel", laws_of_several_contacts},
    {"schemes are their formulas: dense loops make the same steps", schemes_are_their_formulas},
    {NULL, NULL}};

const il_suite il_suite_second = {"second", tests};

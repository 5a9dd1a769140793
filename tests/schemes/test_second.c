/*
 * test_second.c - schemes against a second implementation: dense loops from the formulas of their
 * papers, with projections by trying every set of active rows. On a ball, a row of balls, two
 * spheres in space; e = 0, 1/2, 1.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/suite.h"

enum { D_MAX = 8, P_MAX = 4, STEPS = 400, WORDS = 5 };

/* Positions near 1 round by 1e-16, over h/2 >= 7e-4 a velocity of 2e-13 a step, four hundred times;
 * where all energy is kept the next bounces carry it on. A decision that rounding makes differently
 * costs g h = 1e-2. */
static const double SAME = 1e-9;

typedef struct {
    const il_problem *problem;
    size_t p, d;
    double g[P_MAX], rate[P_MAX], b[P_MAX][D_MAX]; /* at one (t,q) */
    double mass[D_MAX];
    double e, h;
} second;

static double dot(const second *s, size_t i, const double *v) {
    double sum = 0.0;
    for (size_t k = 0; k < s->d; k++) {
        sum += s->b[i][k] * v[k];
    }
    return sum;
}

static void look(second *s, double t, const double *q) {
    il_rows rows = {0};
    for (size_t i = 0; i < s->p; i++) {
        CU_ASSERT_EQUAL_FATAL(s->problem->type->row(s->problem, t, q, i, &rows), IL_OK);
        s->g[i] = rows.value[i];
        s->rate[i] = rows.rate[i];
        memset(s->b[i], 0, sizeof s->b[i]);
        il_rows_axpy(&rows, i, 1.0, s->b[i]);
    }
    il_rows_free(&rows);
}

static double speed(const second *s, size_t i, const double *v) {
    return s->rate[i] + dot(s, i, v);
}

static void free_velocity(const second *s, double t, const double *q, const double *u, double *v) {
    double f[D_MAX] = {0.0};
    if (s->problem->type->force_mean != NULL) {
        s->problem->type->force_mean(s->problem, t, t + s->h, q, f);
    }
    for (size_t k = 0; k < s->d; k++) {
        v[k] = u[k] + s->h * f[k] / s->mass[k];
    }
}

/* W x = r by Gauss elimination, n <= P_MAX; false where W is singular. */
static bool solve(size_t n, double W[P_MAX][P_MAX + 1]) {
    for (size_t c = 0; c < n; c++) {
        size_t pivot = c;
        for (size_t r = c; r < n; r++) {
            pivot = fabs(W[r][c]) > fabs(W[pivot][c]) ? r : pivot;
        }
        if (fabs(W[pivot][c]) < 1e-12) {
            return false;
        }
        for (size_t k = 0; k <= n; k++) {
            double swap = W[c][k];
            W[c][k] = W[pivot][k];
            W[pivot][k] = swap;
        }
        for (size_t r = 0; r < n; r++) {
            double factor = r != c ? W[r][c] / W[c][c] : 0.0;
            for (size_t k = 0; k <= n; k++) {
                W[r][k] -= factor * W[c][k];
            }
        }
    }
    for (size_t r = 0; r < n; r++) {
        W[r][n] /= W[r][r];
    }
    return true;
}

/* v onto { w : <b_i, w> >= c_i, i in set }: of all choices of rows that hold with equality the one
 * whose multipliers are >= 0 and that violates none. */
static void project(const second *s, unsigned set, const double *c, double *v) {
    for (unsigned active = 0; active < 1u << s->p; active++) {
        size_t n = 0;
        size_t at[P_MAX];
        double W[P_MAX][P_MAX + 1];
        double w[D_MAX];
        if ((active & ~set) != 0) {
            continue;
        }
        for (size_t i = 0; i < s->p; i++) {
            if (active & 1u << i) {
                at[n++] = i;
            }
        }
        for (size_t r = 0; r < n; r++) {
            for (size_t k = 0; k < n; k++) {
                W[r][k] = 0.0;
                for (size_t j = 0; j < s->d; j++) {
                    W[r][k] += s->b[at[r]][j] * s->b[at[k]][j] / s->mass[j];
                }
            }
            W[r][n] = c[at[r]] - dot(s, at[r], v);
        }
        bool good = solve(n, W);
        memcpy(w, v, s->d * sizeof *w);
        for (size_t r = 0; good && r < n; r++) {
            good = W[r][n] >= -1e-13;
            for (size_t j = 0; j < s->d; j++) {
                w[j] += s->b[at[r]][j] / s->mass[j] * W[r][n];
            }
        }
        for (size_t i = 0; good && i < s->p; i++) {
            good = !(set & 1u << i) || dot(s, i, w) >= c[i] - 1e-12;
        }
        if (good) {
            memcpy(v, w, s->d * sizeof *w);
            return;
        }
    }
    CU_FAIL("no active set solves a projection");
}

/* v onto velocities with a_i(w) >= -e a_i(before) for the rows of set. */
static void admit(const second *s, unsigned set, double e, const double *before, double *v) {
    double c[P_MAX];
    for (size_t i = 0; i < s->p; i++) {
        c[i] = -s->rate[i] - e * speed(s, i, before);
    }
    project(s, set, c, v);
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
        set |= s->g[i] + s->h * dot(s, i, v) <= 1e-13 ? 1u << i : 0u;
    }
    return set;
}

/* ---- the schemes: (q, u) at t to (q, u) at t + h, in place ----------------------------------- */

static void midpoint(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    for (size_t k = 0; k < s->d; k++) {
        q[k] += 0.5 * s->h * u[k];
    }
    free_velocity(s, t, q, u, v);
    look(s, t + 0.5 * s->h, q);
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
    free_velocity(s, t, q, u, v);
    look(s, t + s->h, q);
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
        found |= (set & 1u << i) && speed(s, i, v) < -1e-12 ? 1u << i : 0u;
    }
    return found;
}

static void reflect(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double still[D_MAX];
    free_velocity(s, t, q, u, v);
    look(s, t + s->h, q);
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
    free_velocity(s, t, q, u, v);
    look(s, t + s->h, q);
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
        look(s, half == 0 ? t : t + s->h, q);
        free_velocity(s, t, q, u, v);
        for (size_t i = 0; i < s->p; i++) {
            double W = 0.0;
            for (size_t k = 0; k < s->d; k++) {
                W += s->b[i][k] * s->b[i][k] / s->mass[k];
            }
            double push = -K * s->g[i] - 2.0 * zeta * sqrt(K / W) * speed(s, i, u);
            for (size_t k = 0; s->g[i] < 0.0 && push > 0.0 && k < s->d; k++) {
                force[k] += push * s->b[i][k];
            }
        }
        for (size_t k = 0; k < s->d; k++) {
            u[k] += 0.5 * (v[k] - u[k]) + 0.5 * s->h * force[k] / s->mass[k];
            q[k] += half == 0 ? s->h * u[k] : 0.0;
        }
    }
}

/* The velocity step of engines: contacts with g <= margin; pushes by a fifth of the overlap, and
 * approach without reaching; bounces above a threshold; the larger of both, or their sum. */
static void pushed(second *s, double t, double *q, double *u, double margin, double threshold,
                   bool add) {
    double v[D_MAX];
    double c[P_MAX];
    unsigned set = 0;
    free_velocity(s, t, q, u, v);
    look(s, t, q);
    for (size_t i = 0; i < s->p; i++) {
        double push = s->g[i] > 0.0 ? -s->g[i] / s->h : -0.2 * s->g[i] / s->h;
        double bounce = -speed(s, i, u) > threshold ? -s->e * speed(s, i, u) : 0.0;
        c[i] = (add ? push + bounce : bounce > 0.0 ? fmax(push, bounce) : push) - s->rate[i];
        set |= s->g[i] <= fmax(margin, 1e-13) ? 1u << i : 0u;
    }
    project(s, set, c, v);
    for (size_t k = 0; k < s->d; k++) {
        u[k] = v[k];
        q[k] += s->h * u[k];
    }
}

static void ode(second *s, double t, double *q, double *u) {
    pushed(s, t, q, u, 0.0, 0.0, false);
}

static void bullet(second *s, double t, double *q, double *u) {
    pushed(s, t, q, u, 0.02, 0.2, true);
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
        free_velocity(s, t, q, u, v);
        memcpy(from, q, sizeof from);
        memcpy(before, u, sizeof before);
        for (size_t k = 0; k < s->d; k++) {
            q[k] += s->h * v[k];
        }
        for (size_t n = 0; n < 3 * s->p; n++) {
            size_t i = n % s->p;
            double W = 0.0;
            look(s, t + s->h, q);
            for (size_t k = 0; k < s->d; k++) {
                W += s->b[i][k] * s->b[i][k] / s->mass[k];
            }
            for (size_t k = 0; s->g[i] < 0.0 && k < s->d; k++) {
                q[k] -= s->b[i][k] / s->mass[k] * s->g[i] / W;
            }
            acted |= s->g[i] < 0.0 ? 1u << i : 0u;
        }
        look(s, t + s->h, q);
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
            double was = speed(s, i, before);
            bool slow = fabs(was) <= 2.0 * fabs(dot(s, i, fall));
            double change = (slow ? 0.0 : fmax(0.0, -s->e * was)) - speed(s, i, u);
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
    free_velocity(s, t, q, u, v);
    look(s, t + s->h, q);
    unsigned set = closing(s, v);
    unsigned every = (1u << s->p) - 1u;
    while (true) {
        double w[D_MAX];
        double x[D_MAX];
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
        project(s, every, c, x);
        for (size_t i = 0; i < s->p; i++) {
            /* a row that the projection made tight: it was violated before */
            bool held = fabs(dot(s, i, x) - c[i]) < 1e-13 && dot(s, i, from) < c[i] - 1e-13;
            joins |= held && speed(s, i, w) < 0.0 ? 1u << i : 0u;
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

/* ---- comparison ------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    void (*step)(second *s, double t, double *q, double *u);
    bool affine; /* only where constraints are */
} twin;

static const twin twins[] = {
    {"midpoint", midpoint, false},  {"mabrouk", mabrouk, false},
    {"reflect", reflect, false},    {"poisson", poisson, false},
    {"impulse:as=ode", ode, false}, {"impulse:as=bullet", bullet, false},
    {"dem:k=1e4", dem, false},      {"xpbd:substeps=2,iterations=3", xpbd, false},
    {"projected", projected, true}};

/* The largest difference over the nodes of a run; the velocities at its end into last[d], or NULL.
 * */
static double apart(const twin *w, const char *const *words, double T, double *last) {
    il_run_spec spec = {.steps = STEPS, .horizon = T};
    il_record record = {0};
    il_trajectory traj = {0};
    il_problem *problem = NULL;
    il_scheme_choice choice;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(words[0], &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(w->name, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, NULL), IL_OK);
    for (size_t k = 1; k + 1 < WORDS && words[k] != NULL; k += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, words[k], words[k + 1], NULL), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, spec.problem, spec.params, T, NULL), IL_OK);
    spec.scheme = choice.type;
    spec.scheme_name = choice.name;
    spec.scheme_settings = choice.settings;
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, &traj, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    second s = {.problem = problem, .p = problem->p, .d = problem->d};
    s.e = problem->restitution;
    s.h = T / STEPS;
    memcpy(s.mass, il_metric_masses(problem->mass), s.d * sizeof *s.mass);
    double q[D_MAX];
    double u[D_MAX];
    double most = 0.0;
    memcpy(q, problem->q0, s.d * sizeof *q);
    memcpy(u, problem->u0, s.d * sizeof *u);
    for (size_t n = 0; n < STEPS; n++) {
        w->step(&s, (double)n * s.h, q, u);
        for (size_t k = 0; k < s.d; k++) {
            most = fmax(most, fabs(q[k] - traj.q[(n + 1) * s.d + k]));
            most = fmax(most, fabs(u[k] - traj.u[(n + 1) * s.d + k]));
        }
    }
    for (size_t k = 0; last != NULL && k < s.d; k++) {
        last[k] = traj.u[STEPS * s.d + k];
    }
    il_trajectory_free(&traj);
    il_record_free(&record);
    il_problem_destroy(problem);
    il_params_destroy(spec.params);
    return most;
}

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
            double most = apart(&twins[k], cases[i].words, cases[i].T, NULL);
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
        CU_ASSERT(apart(&w, words, 1.0, u) <= SAME);
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

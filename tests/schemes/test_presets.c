/*
 * test_presets.c - presets of `impulse` against a second implementation, each written from the
 * source of its engine in the engine's own terms: what a contact of gap g is asked for, whether it
 * counts, and what moves positions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/schemes/second.h"
#include "tests/support/suite.h"

/* As in test_second.c: positions near 1 round by 1e-16, over h a velocity of 2e-13 a step, four
 * hundred times; a decision that rounding makes differently costs g h = 1e-2. */
static const double SAME = 1e-9;

/* Bodies that touch have gaps of some roundings. */
static const double TOUCH = 1e-13;

typedef struct {
    bool (*counts)(const second *s, double g, double before, double after);
    double (*wanted)(const second *s, double g, double before, double after);
} rule;

/* The velocities at the rows of s, which were looked at: u from u, flown to v. Returns the
 * contacts. */
static unsigned answer(second *s, const rule *r, double *u, double *v) {
    double c[P_MAX];
    unsigned set = 0;
    for (size_t i = 0; i < s->p; i++) {
        double before = second_speed(s, i, u);
        double after = second_speed(s, i, v);
        c[i] = r->wanted(s, s->g[i], before, after) - s->rate[i];
        set |= r->counts(s, s->g[i], before, after) ? 1u << i : 0u;
    }
    second_project(s, set, c, v);
    memcpy(u, v, s->d * sizeof *u);
    return set;
}

static unsigned step(second *s, const rule *r, double t, double *q, double *u) {
    double v[D_MAX];
    second_fly(s, t, q, u, v);
    second_look(s, t, q);
    unsigned set = answer(s, r, u, v);
    for (size_t k = 0; k < s->d; k++) {
        q[k] += s->h * u[k];
    }
    return set;
}

static bool touches(const second *s, double g, double before, double after) {
    (void)s, (void)before, (void)after;
    return g <= TOUCH;
}

/* dxJointContact::getInfo2: c = erp depth/h, raised to bounce * (-speed); cfm over h. */
static double ode_wants(const second *s, double g, double before, double after) {
    (void)after;
    double c = 0.2 * fmax(-g, 0.0) / s->h;
    return before < 0.0 ? fmax(c, -s->e * before) : c;
}

static void ode(second *s, double t, double *q, double *u) {
    for (size_t i = 0; i < s->p; i++) {
        s->R[i] = 1e-10 / s->h;
    }
    (void)step(s, &(rule){touches, ode_wants}, t, q, u);
}

/* setupContactConstraint: velocityError - penetration/h where penetration > 0, else erp. */
static bool bullet_counts(const second *s, double g, double before, double after) {
    (void)s, (void)before, (void)after;
    return g <= 0.02 * sqrt(3.0);
}

static double bullet_wants(const second *s, double g, double before, double after) {
    (void)after;
    double restitution = fabs(before) < 0.2 ? 0.0 : fmax(-s->e * before, 0.0);
    return restitution + (g > 0.0 ? -g / s->h : g > -0.04 ? -0.2 * g / s->h : 0.0);
}

/* From a depth of 0.04 on m_rhsPenetration instead: positions move, velocities do not. */
static void bullet(second *s, double t, double *q, double *u) {
    double c[P_MAX];
    double push[D_MAX] = {0.0};
    unsigned set = step(s, &(rule){bullet_counts, bullet_wants}, t, q, u);
    for (size_t i = 0; i < s->p; i++) {
        c[i] = s->g[i] <= -0.04 ? -0.2 * s->g[i] / s->h : 0.0;
    }
    second_project(s, set, c, push);
    for (size_t k = 0; k < s->d; k++) {
        q[k] += s->h * push[k];
    }
}

/* ContactConstraint::getInformation: the bounce of the speed after the force where it is above
 * 0.1. */
static double dart_wants(const second *s, double g, double before, double after) {
    (void)before;
    double c = fmin(fmax(-g, 0.0) * 0.01 / s->h, 1e-3);
    return -after * s->e > 0.1 ? fmax(c, -after * s->e) : c;
}

static void dart(second *s, double t, double *q, double *u) {
    second_look(s, t, q);
    for (size_t i = 0; i < s->p; i++) {
        s->R[i] = 0.0;
        for (size_t k = 0; k < s->d; k++) {
            s->R[i] += 1e-5 * s->b[i][k] * s->b[i][k] / s->mass[k];
        }
    }
    (void)step(s, &(rule){touches, dart_wants}, t, q, u);
}

/* stepTo: an impact of what approaches and is proximal, then the force of the step, at which no
 * proximal contact closes. Alone, compression and expansion leave -e times a contact's speed. */
static bool proximal(const second *s, double g, double before, double after) {
    (void)s, (void)before, (void)after;
    return g <= 1e-3;
}

static double simbody_wants(const second *s, double g, double before, double after) {
    (void)g;
    double impact = before < -2e-3 ? -s->e * before : fmax(before, 0.0);
    double forced = impact + (after - before);
    return before < 0.0 ? fmax(forced, 0.0) : 0.0;
}

static void simbody(second *s, double t, double *q, double *u) {
    (void)step(s, &(rule){proximal, simbody_wants}, t, q, u);
}

/* ChContactNSC: bounce above 0.15 where norm_dist + e V h < 0, else max(norm_dist/h, -0.6). */
static bool always(const second *s, double g, double before, double after) {
    (void)s, (void)g, (void)before, (void)after;
    return true;
}

static double chrono_wants(const second *s, double g, double before, double after) {
    (void)after;
    double rebound = s->e * before;
    return rebound < -0.15 && g + rebound * s->h < 0.0 ? -rebound : -fmax(g / s->h, -0.6);
}

static void chrono(second *s, double t, double *q, double *u) {
    (void)step(s, &(rule){always, chrono_wants}, t, q, u);
}

/* K times over the contacts of the step: a share of what overlaps by more than the slop, at most
 * `most`; after a pass in which nothing overlapped by more than `enough`, no further one. */
static void settle(second *s, unsigned set, double t, double *q, int K, double slop, double most,
                   double enough) {
    bool done = false;
    for (int pass = 0; pass < K && !done; pass++) {
        double c[P_MAX];
        double x[D_MAX] = {0.0};
        unsigned deep = 0;
        second_look(s, t, q);
        done = true;
        for (size_t i = 0; i < s->p; i++) {
            c[i] = fmin(0.2 * fmax(-s->g[i] - slop, 0.0), most);
            done = done && !(set & 1u << i && s->g[i] < -enough);
            deep |= set & (s->g[i] < -slop ? 1u << i : 0u);
        }
        second_project(s, deep, c, x);
        for (size_t k = 0; k < s->d; k++) {
            q[k] += x[k];
        }
    }
}

/* InitializeVelocityConstraints: velocities have the force already; SolvePositionConstraints. */
static double box2d_wants(const second *s, double g, double before, double after) {
    (void)g, (void)before;
    return after < -1.0 ? -s->e * after : 0.0;
}

static void box2d(second *s, double t, double *q, double *u) {
    unsigned set = step(s, &(rule){touches, box2d_wants}, t, q, u);
    settle(s, set, t + s->h, q, 3, 0.005, 0.2, 0.015);
}

/* CalculateFrictionAndNonPenetrationConstraintProperties: what the force added is taken off
 * again. */
static bool jolt_counts(const second *s, double g, double before, double after) {
    (void)s, (void)before, (void)after;
    return g <= 0.02;
}

static double jolt_wants(const second *s, double g, double before, double after) {
    double speculative = fmax(g / s->h, 0.0);
    double forced = fmin(after - before, 0.0);
    return s->e > 0.0 && after < -1.0 && after < -speculative ? -s->e * (after - forced)
                                                              : -speculative;
}

static void jolt(second *s, double t, double *q, double *u) {
    unsigned set = step(s, &(rule){jolt_counts, jolt_wants}, t, q, u);
    settle(s, set, t + s->h, q, 2, 0.02, 0.2 * 0.2, 0.0);
}

/* cpSpaceStep: positions by v + v_bias, whose bias is of the overlap there; then cpArbiterPreStep,
 * gravity, cpArbiterApplyImpulse: a speed of -e times that before, of whatever sign. */
static bool overlaps(const second *s, double g, double before, double after) {
    (void)s, (void)before, (void)after;
    return g < 0.0;
}

static double chipmunk_wants(const second *s, double g, double before, double after) {
    (void)g, (void)after;
    return -s->e * before;
}

static void chipmunk(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double c[P_MAX];
    double bias[D_MAX] = {0.0};
    unsigned set = 0;
    second_fly(s, t, q, u, v);
    second_look(s, t, q);
    for (size_t i = 0; i < s->p; i++) {
        double share = 1.0 - pow(pow(0.9, 60.0), s->h);
        c[i] = -share * fmin(0.0, s->g[i] + 0.1) / s->h;
        set |= s->g[i] < 0.0 ? 1u << i : 0u;
    }
    second_project(s, set, c, bias);
    for (size_t k = 0; k < s->d; k++) {
        q[k] += s->h * (u[k] + bias[k]);
    }
    second_look(s, t + s->h, q);
    (void)answer(s, &(rule){overlaps, chipmunk_wants}, u, v);
}

/* DyContactPrep.cpp: velocities have the force already; isGreater2 is a bounce, and then scaledBias
 * is 0. The bias of what overlaps moves positions, and is taken off velocities again. */
static bool physx_counts(const second *s, double g, double before, double after) {
    (void)s, (void)before, (void)after;
    return g <= 0.04;
}

static bool physx_bounces(const second *s, double g, double after) {
    return s->e > 0.0 && -2.0 > after && -after > g / s->h;
}

static double physx_wants(const second *s, double g, double before, double after) {
    (void)before;
    return physx_bounces(s, g, after) ? -s->e * after : fmin(-g / s->h, 0.0);
}

static void physx(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double c[P_MAX];
    double push[D_MAX] = {0.0};
    second_fly(s, t, q, u, v);
    unsigned set = step(s, &(rule){physx_counts, physx_wants}, t, q, u);
    for (size_t i = 0; i < s->p; i++) {
        bool bounces = physx_bounces(s, s->g[i], second_speed(s, i, v));
        c[i] = bounces ? 0.0 : fmax(-0.8 * s->g[i] / s->h, 0.0);
    }
    second_project(s, set, c, push);
    for (size_t k = 0; k < s->d; k++) {
        q[k] += s->h * push[k];
    }
}

/* assign_pair_solver_color: the first colour that no contact of its bodies has, kept while it is
 * one. Bodies are coordinates here; walls are swept last. mark: 0 none, else the colour plus 1. */
static void colour(second *s, size_t i) {
    bool taken[P_MAX + 1] = {false};
    int k = 0;
    for (size_t j = 0; j < s->p; j++) {
        for (size_t c = 0; c < s->d; c++) {
            bool shared = s->mark[j] != 0 && s->b[i][c] != 0.0 && s->b[j][c] != 0.0;
            taken[shared ? s->mark[j] - 1 : P_MAX] = true;
        }
    }
    while (taken[k]) {
        k++;
    }
    s->mark[i] = k + 1;
}

/* ContactConstraintNormalPart::solve, sigma = cfm_factor. */
static void normal(second *s, size_t i, double rhs, double sigma, double *p, double *u) {
    double A = 0.0;
    for (size_t k = 0; k < s->d; k++) {
        A += s->b[i][k] * s->b[i][k] / s->mass[k];
    }
    double next = sigma * fmax(p[i] - (second_speed(s, i, u) + rhs) / A, 0.0);
    for (size_t k = 0; k < s->d; k++) {
        u[k] += s->b[i][k] / s->mass[k] * (next - p[i]);
    }
    p[i] = next;
}

/* solve_pass, n substeps after the rows were taken: the contacts by colour; `biased` as
 * SpringCoefficients has it, 30 Hz, 60 of one body alone. */
static void pass(second *s, double dt, int n, bool biased, const double *x, double *p, double *u) {
    for (int k = 1; k <= P_MAX; k++) {
        for (size_t i = 0; i < s->p; i++) {
            double dist = s->g[i] + n * dt * s->rate[i] + second_dot(s, i, x);
            double omega = 2.0 * M_PI * (s->problem->space == 0 ? 60.0 : 30.0);
            double erp_inv_dt = omega / (dt * omega + 20.0);
            double ratio = 1.0 / (erp_inv_dt * dt) - 1.0;
            double cfm = 1.0 / (1.0 + ratio * ratio / ((1.0 + ratio) * 400.0));
            double bias = fmax(fmin(dist * erp_inv_dt, 0.0), -3.0);
            if (s->mark[i] == k) {
                normal(s, i, fmax(dist, 0.0) / dt + (biased ? bias : 0.0),
                       biased && dist <= 0.0 ? cfm : 1.0, p, u);
            }
        }
    }
}

/* Four substeps: force, warm start, a soft pass, positions, a rigid pass; then apply_restitution of
 * contacts that are new, or e >= 1, and have acted. kept < 0: it has not. */
static void rapier(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double x[D_MAX] = {0.0};
    double p[P_MAX];
    double total[P_MAX] = {0.0};
    double start[D_MAX];
    double dt = s->h / 4.0;
    memcpy(start, u, sizeof start);
    second_fly(s, t, q, u, v);
    second_look(s, t, q);
    for (size_t i = 0; i < s->p; i++) {
        bool began = s->mark[i] == 0;
        s->mark[i] = s->g[i] <= 0.02 ? s->mark[i] : 0;
        s->kept[i] = began || s->mark[i] == 0 ? -1.0 : s->kept[i];
    }
    for (size_t i = 0; i < s->p; i++) {
        if (s->g[i] <= 0.02 && s->mark[i] == 0) {
            colour(s, i);
        }
        p[i] = fmax(s->kept[i], 0.0);
    }
    for (int n = 0; n < 4; n++) {
        for (size_t k = 0; k < s->d; k++) {
            u[k] += (v[k] - start[k]) / 4.0;
            for (size_t i = 0; i < s->p; i++) {
                u[k] += s->b[i][k] / s->mass[k] * p[i];
            }
        }
        pass(s, dt, n, true, x, p, u);
        for (size_t k = 0; k < s->d; k++) {
            x[k] += dt * u[k];
        }
        pass(s, dt, n + 1, false, x, p, u);
        for (size_t i = 0; i < s->p; i++) {
            total[i] += p[i];
        }
    }
    for (int k = 1; k <= P_MAX; k++) {
        for (size_t i = 0; i < s->p; i++) {
            double seed = s->e * second_speed(s, i, start);
            if (s->mark[i] == k && seed < -TOUCH && total[i] > 0.0 &&
                (s->kept[i] < 0.0 || s->e >= 1.0)) {
                normal(s, i, seed, 1.0, p, u);
            }
        }
    }
    for (size_t i = 0; i < s->p; i++) {
        s->kept[i] = total[i] > 0.0 ? p[i] : -1.0;
    }
    for (size_t k = 0; k < s->d; k++) {
        q[k] += x[k];
    }
}

/* Box2D 3, contact_solver.c, whose sweeps are solved: soft contacts move the bodies, in each of
 * four substeps, and rigid ones leave the velocity. */
static void box2d_3(second *s, double t, double *q, double *u) {
    double v[D_MAX];
    double start[D_MAX];
    double x[D_MAX] = {0.0};
    double dt = s->h / 4.0;
    double omega = 2.0 * M_PI * fmin(30.0, 0.25 / dt) * (s->problem->space == 0 ? 2.0 : 1.0);
    double a1 = 20.0 + dt * omega;
    double a2 = dt * omega * a1;
    memcpy(start, u, sizeof start);
    second_fly(s, t, q, u, v);
    second_look(s, t, q);
    for (int n = 0; n < 4; n++) {
        double c[P_MAX];
        double w[D_MAX];
        unsigned set = 0;
        for (int rigid = 0; rigid < 2; rigid++) {
            for (size_t i = 0; i < s->p; i++) {
                double A = 0.0;
                for (size_t k = 0; k < s->d; k++) {
                    A += s->b[i][k] * s->b[i][k] / s->mass[k];
                }
                double g = s->g[i] + (n + rigid) * dt * s->rate[i] + second_dot(s, i, x);
                set |= s->g[i] <= 0.02 ? 1u << i : 0u;
                s->R[i] = g > 0.0 || rigid ? 0.0 : A / a2;
                c[i] = g > 0.0 ? -g / dt
                       : rigid ? 0.0
                               : fmin(-g * omega / a1, 3.0 * (1.0 + a2) / a2);
                c[i] -= s->rate[i];
            }
            for (size_t k = 0; k < s->d; k++) {
                w[k] = u[k] + (v[k] - start[k]) / 4.0;
            }
            second_project(s, set, c, w);
            for (size_t k = 0; k < s->d && !rigid; k++) {
                x[k] += dt * w[k];
            }
        }
        memcpy(u, w, s->d * sizeof *u);
    }
    for (size_t k = 0; k < s->d; k++) {
        q[k] += x[k];
    }
}

static const twin twins[] = {
    {"impulse:as=ode", ode, false},         {"impulse:as=bullet", bullet, false},
    {"impulse:as=box2d", box2d, false},     {"impulse:as=chipmunk", chipmunk, false},
    {"impulse:as=jolt", jolt, false},       {"impulse:as=dart", dart, false},
    {"impulse:as=simbody", simbody, false}, {"impulse:as=chrono", chrono, false},
    {"impulse:as=rapier", rapier, false},   {"impulse:as=physx", physx, false},
    {"soft:as=box2d", box2d_3, false},      {"impulse:as=none", NULL, false}};

/* Radii are binary fractions: balls of the row touch by gaps of 0. The fast ball overlaps by more
 * than every slop and split. */
static void presets_are_their_formulas(void) {
    static const struct {
        const char *words[WORDS];
        double T;
    } cases[] = {{{"bouncing_ball", "e", "0"}, 2.0},
                 {{"bouncing_ball", "e", "0.5", "u0", "0.1234"}, 0.9},
                 {{"bouncing_ball", "e", "1"}, 2.0},
                 {{"bouncing_ball", "e", "0.5", "u0", "-60"}, 0.8},
                 {{"cradle", "e", "0", "radius", "0.125"}, 0.97},
                 {{"cradle", "e", "0.5", "radius", "0.125"}, 0.97},
                 {{"cradle", "e", "1", "radius", "0.125"}, 0.97},
                 {{"vibroimpact"}, 4.0},
                 {{"two_spheres", "scenario", "free"}, 2.0},
                 {{"two_spheres", "scenario", "pressed"}, 0.6}};
    for (size_t k = 0; twins[k].step != NULL; k++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            bool bounces = cases[i].words[1] != NULL && strcmp(cases[i].words[1], "e") == 0 &&
                           strcmp(cases[i].words[2], "0") != 0;
            if (bounces && strncmp(twins[k].name, "soft", 4) == 0) {
                continue; /* it has no restitution */
            }
            double most = second_apart(&twins[k], cases[i].words, cases[i].T, NULL);
            CU_ASSERT(most <= SAME);
            if (!(most <= SAME)) {
                (void)fprintf(stderr, "%s on %s, case %zu: %g\n", twins[k].name, cases[i].words[0],
                              i, most);
            }
        }
    }
}

static const il_test tests[] = {
    {"presets are their formulas: dense loops make the same steps", presets_are_their_formulas},
    {NULL, NULL}};

const il_suite il_suite_presets = {"presets", tests};

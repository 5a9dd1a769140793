/*
 * faults_try.c - tries explanations on the samples: which leaves least?
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/vector.h"
#include "harness/judge/faults.h"

/* ---- shifted samples ------------------------------------------------------------------------ */

static void add_shift(il_faults *faults, bool early, const char *why) {
    il_faults_add(faults, "shifted samples", "sample n is the state one step %s: %s",
                  early ? "later" : "earlier", why);
}

/* Does the step from the problem's start to the first sample explain it? */
static void try_early(il_fault_work *w, il_faults *faults) {
    double h = w->t[1] - w->t[0];
    il_explained e;
    const il_interval before = {.t0 = 0.0,
                                .t1 = h,
                                .q0 = w->problem->q0,
                                .u0 = w->problem->u0,
                                .q1 = w->q,
                                .u1 = w->u,
                                .force = 1.0,
                                .resolution = w->track->resolution,
                                .quantum = w->track->quantum};
    if (!w->has_u || w->problem->order != 2 ||
        il_dynamics_explain(w->dynamics, &before, &e, NULL) != IL_OK) {
        return;
    }
    double move = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double mean = 0.5 * (w->problem->u0[k] + w->u[k]);
        move = fmax(move, fabs(w->q[k] - w->problem->q0[k] - h * mean) -
                              2.0 * il_faults_wrong(w, w->q[k]));
    }
    if (move <= h * h * w->acceleration + IL_FAULTS_TOLERANCE && e.size <= e.allowed) {
        char why[160];
        (void)snprintf(why, sizeof why,
                       "the first is %.3g from the start of the problem, one step of h = %.4g from "
                       "it",
                       w->now.start, h);
        add_shift(faults, true, why);
    }
}

/* By a force that depends on time, by the start, by a first sample that stands twice. */
void il_faults_try_shift(il_fault_work *w, il_faults *faults) {
    double h = w->t[1] - w->t[0];
    for (int way = 1; way >= -1 && w->now.residual > 0.0; way -= 2) {
        il_assessment other;
        w->delay = way * h;
        il_faults_assess(w, INFINITY, &other);
        w->delay = 0.0;
        if (other.residual <= IL_FAULTS_EXPLAINS * w->now.residual) {
            char why[120];
            (void)snprintf(why, sizeof why, "so read, the residual falls from %.3g to %.3g",
                           w->now.residual, other.residual);
            add_shift(faults, way > 0, why);
            return;
        }
    }
    bool twice = memcmp(w->q, w->q + w->d, w->d * sizeof *w->q) == 0 &&
                 memcmp(w->q + w->d, w->q + 2 * w->d, w->d * sizeof *w->q) != 0;
    if (twice) {
        add_shift(faults, false, "the first two are the same");
    }
    if (w->now.start > 0.0 && !twice) {
        try_early(w, faults);
    }
}

/* ---- coordinates ---------------------------------------------------------------------------- */

/* Exchange coordinates i and j, or where these are the same change the sign, of positions (what
 * != 2) and velocities (what != 1). */
static void exchange(il_fault_work *w, size_t i, size_t j, size_t what) {
    for (size_t n = 0; n < w->nodes; n++) {
        double *const both[] = {w->q + n * w->d, w->u + n * w->d};
        for (size_t k = 0; k < 2; k++) {
            double kept = both[k][i];
            if (what != 2 - k) {
                both[k][i] = i == j ? -kept : both[k][j];
                both[k][j] = i == j ? -kept : kept;
            }
        }
    }
}

typedef enum { PAIR, BODIES, MIRROR } rearrangement;

/* i and j: coordinates; bodies; the same axis. */
static void apply(il_fault_work *w, rearrangement kind, size_t i, size_t j, size_t what) {
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    if (kind == PAIR) {
        exchange(w, i, j, what);
    }
    for (size_t k = 0; kind == BODIES && k < space; k++) {
        exchange(w, space * i + k, space * j + k, what);
    }
    for (size_t k = i; kind == MIRROR && k < w->d; k += space) {
        exchange(w, k, k, what);
    }
}

static void try_change(il_fault_work *w, rearrangement kind, const size_t at[3], double *best,
                       size_t found[4]) {
    il_assessment other;
    apply(w, kind, at[0], at[1], at[2]);
    il_faults_assess(w, *best, &other);
    apply(w, kind, at[0], at[1], at[2]);
    if (il_faults_total(&other) < *best) {
        *best = il_faults_total(&other);
        found[0] = 1 + (size_t)kind;
        memcpy(found + 1, at, 3 * sizeof *at);
    }
}

void il_faults_try_swaps(il_fault_work *w, il_faults *faults) {
    static const char *const where[] = {"", " of positions", " of velocities"};
    enum { PAIRS_MAX = 24 };
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    double before = il_faults_total(&w->now);
    double best = nextafter(IL_FAULTS_EXPLAINS * before, INFINITY);
    size_t found[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < space && w->d > 1; i++) {
        try_change(w, MIRROR, (const size_t[]){i, i, 0}, &best, found);
    }
    for (size_t i = 0; i < w->d / space && w->d <= PAIRS_MAX && space > 1; i++) {
        for (size_t j = i + 1; j < w->d / space; j++) {
            try_change(w, BODIES, (const size_t[]){i, j, 0}, &best, found);
        }
    }
    for (size_t i = 0; i < w->d && w->d <= PAIRS_MAX; i++) {
        for (size_t k = 3 * (i + 1); k < 3 * w->d; k++) {
            try_change(w, PAIR, (const size_t[]){i, k / 3, k % 3}, &best, found);
        }
    }
    if (found[0] == 1 + MIRROR) {
        il_faults_add(faults, "mirrored coordinates",
                      "axis %zu has the other sign: what is left of start, motion and dynamics "
                      "falls from %.3g to %.3g",
                      found[1] + 1, before, best);
    } else if (found[0] > 0) {
        il_faults_add(faults, "swapped coordinates",
                      "%s %zu and %zu%s stand in each other's place: what is left of start, motion "
                      "and dynamics falls from %.3g to %.3g",
                      found[0] == 1 + BODIES ? "bodies" : "coordinates", found[1] + 1, found[2] + 1,
                      where[found[3]], before, best);
    }
}

/* ---- forces --------------------------------------------------------------------------------- */

/* The factor of the force that explains flight: least squares over steps without a contact. */
void il_faults_try_force(il_fault_work *w, il_faults *faults) {
    double motion = NAN;
    double factor = NAN;
    if (!(w->now.residual > 0.0) || w->problem->order != 2) {
        return;
    }
    il_faults_ratios(w, &motion, &factor);
    if (!(fabs(factor - 1.0) > IL_FAULTS_TOLERANCE)) {
        return;
    }
    il_assessment other;
    w->force = factor;
    il_faults_assess(w, INFINITY, &other);
    w->force = 1.0;
    if (other.residual <= IL_FAULTS_EXPLAINS * w->now.residual) {
        il_faults_add(faults, fabs(factor + 1.0) < 1e-3 ? "sign of the force" : "another force",
                      "the force counts %.8g times: the residual falls from %.3g to %.3g", factor,
                      w->now.residual, other.residual);
    }
}

/* ---- masses and impulses -------------------------------------------------------------------- */

/* With a body that weighs by `change` more; false where that is no mass. */
static bool assess_mass(il_fault_work *w, size_t body, double change, il_assessment *out) {
    const double *mass = il_metric_masses(w->problem->mass);
    il_problem *own = (il_problem *)w->problem; /* lent, and given back */
    il_metric *kept = own->mass;
    il_metric *changed = NULL;
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    memcpy(w->scratch, mass, w->d * sizeof *w->scratch);
    for (size_t c = 0; c < space; c++) {
        w->scratch[body * space + c] *= 1.0 + change;
    }
    if (il_metric_diagonal(&changed, w->d, w->scratch, NULL) != IL_OK) {
        return false;
    }
    own->mass = changed;
    il_faults_assess(w, INFINITY, out);
    own->mass = kept;
    il_metric_destroy(changed);
    return true;
}

/* The residual is nearly linear in the mass of a body: two secants find what leaves least. */
void il_faults_try_masses(il_fault_work *w, il_faults *faults) {
    enum { BODIES_MAX = 40 };
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    size_t bodies = w->d / space;
    double best = IL_FAULTS_EXPLAINS * IL_FAULTS_EXPLAINS * w->now.sum;
    double change = 0.0;
    size_t which = 0;
    if (!(w->now.residual > 0.0) || bodies < 2 || bodies > BODIES_MAX ||
        il_metric_masses(w->problem->mass) == NULL || w->problem->order != 2) {
        return;
    }
    for (size_t body = 0; body < bodies; body++) {
        il_assessment up;
        il_assessment down;
        double at = 0.0;
        double step = 1e-4;
        for (int k = 0; k < 12; k++) { /* the parabola of the sum of squares */
            il_assessment here = w->now;
            if ((at != 0.0 && !assess_mass(w, body, at, &here)) ||
                !assess_mass(w, body, at + step, &up) || !assess_mass(w, body, at - step, &down)) {
                break;
            }
            if (here.sum < best) {
                best = here.sum;
                change = at;
                which = body;
            }
            double bend = up.sum - 2.0 * here.sum + down.sum;
            double slope = up.sum - down.sum;
            if (!(bend > 0.0) ||
                (k == 0 && here.sum - slope * slope / (8.0 * bend) > 0.8 * w->now.sum)) {
                break; /* not this body's */
            }
            double move = -0.5 * step * slope / bend;
            at = fmax(at + fmax(-0.3, fmin(0.3, move)), -0.5); /* a mass stays one */
            step = fmax(1e-9, 0.1 * fmin(step, fabs(move)));
        }
    }
    if (change != 0.0) {
        il_faults_add(
            faults, "another mass",
            "body %zu weighs %.8g times what the problem says (%+.3g): the residual falls "
            "from %.3g to %.3g, root of the sum of squares",
            which + 1, 1.0 + change, change, sqrt(w->now.sum), sqrt(best));
    }
}

/* Contacts that act at any gap: of impacts, not in every step. Of order 1 a far wall would explain
 * any drift. */
void il_faults_try_distance(il_fault_work *w, il_faults *faults) {
    il_assessment other;
    il_explained e;
    char words[IL_DESCRIPTION_MAX];
    size_t n = w->now.step;
    if (!(w->now.residual > 0.0) || w->now.start > 0.0 || w->problem->order != 2 ||
        20 * w->now.steps > w->nodes) {
        return;
    }
    bool given = w->given;
    w->given = false;
    w->reach = 1e3;
    il_faults_assess(w, INFINITY, &other);
    if (other.residual <= IL_FAULTS_EXPLAINS * w->now.residual && il_faults_explain(w, n - 1, &e) &&
        e.open > 0.0) {
        size_t at = 0;
        for (size_t i = 0; i < e.rows->p; i++) {
            at = e.push[i] > e.allowed && e.gap[i] >= e.gap[at] ? i : at;
        }
        il_faults_add(faults, "a contact at a distance",
                      "%s act on each other at a gap of %.4g in step %zu, which motion in a step "
                      "does not close",
                      il_problem_describe(w->problem, e.rows->id[at], words, sizeof words), e.open,
                      n);
    }
    w->given = given;
    w->reach = 0.0;
}

/* Without given impulses: some that pull. */
void il_faults_try_pull(il_fault_work *w, il_faults *faults) {
    il_assessment other;
    if (!(w->now.residual > 0.0) || w->problem->gamma0 != NULL) {
        return;
    }
    w->both_signs = true;
    il_faults_assess(w, INFINITY, &other);
    double pull = 0.0;
    size_t at = 0;
    size_t id = 0;
    for (size_t n = 0; n + 1 < w->nodes; n++) {
        il_explained e;
        if (il_faults_explain(w, n, &e)) {
            for (size_t i = 0; i < e.rows->p; i++) {
                if (e.lambda[i] < pull) {
                    pull = e.lambda[i];
                    at = n + 1;
                    id = e.rows->id[i];
                }
            }
        }
    }
    w->both_signs = false;
    if (other.residual <= IL_FAULTS_EXPLAINS * w->now.residual && pull < 0.0) {
        char words[IL_DESCRIPTION_MAX];
        il_faults_add(faults, "an impulse that pulls",
                      "%s in step %zu: %.6g; with it the residual falls from %.3g to %.3g",
                      il_problem_describe(w->problem, id, words, sizeof words), at, pull,
                      w->now.residual, other.residual);
    }
}

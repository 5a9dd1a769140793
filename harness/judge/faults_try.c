/*
 * faults_try.c - tries another force, impulses that pull, another mass: which gives the least
 * residual?
 */
#include <math.h>
#include <string.h>

#include "harness/judge/faults.h"

/* The factor of the force that explains flight: least squares over steps without a contact. */
il_status il_faults_try_force(il_fault_work *w, il_faults *faults, il_error *err) {
    double product = 0.0;
    double square = 0.0;
    if (w->explained || w->problem->order != 2) {
        return IL_OK;
    }
    for (size_t n = 0; n + 1 < w->nodes; n++) {
        il_explained e;
        double h = w->t[n + 1] - w->t[n];
        if (il_faults_explain(w, n, &e, err) != IL_OK || e.rows->p > 0) {
            continue;
        }
        il_metric_solve(w->problem->mass, e.mean, w->scratch);
        for (size_t k = 0; k < w->d; k++) {
            double gained = w->u[(n + 1) * w->d + k] - il_faults_velocity(w, n)[k];
            product += gained * h * w->scratch[k];
            square += h * h * w->scratch[k] * w->scratch[k];
        }
    }
    double factor = square > 0.0 ? product / square : 1.0;
    if (!(fabs(factor - 1.0) > IL_FAULTS_RELATIVE)) {
        return IL_OK;
    }
    il_assessment other;
    w->force = factor;
    il_status status = il_faults_assess(w, INFINITY, &other, err);
    w->force = 1.0;
    if (status == IL_OK && other.residual <= IL_FAULTS_EXPLAINS * w->now.residual) {
        il_faults_add(faults, fabs(factor + 1.0) < 1e-3 ? "sign of the force" : "another force",
                      "the force counts %.8g times: the residual falls from %.3g to %.3g", factor,
                      w->now.residual, other.residual);
    }
    return status;
}

static il_status assess_mass(il_fault_work *w, size_t body, double change, il_assessment *out,
                             il_error *err) {
    const double *mass = il_metric_masses(w->problem->mass);
    il_problem *own = (il_problem *)w->problem; /* lent, and given back */
    il_metric *kept = own->mass;
    il_metric *changed = NULL;
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    memcpy(w->scratch, mass, w->d * sizeof *w->scratch);
    for (size_t c = 0; c < space; c++) {
        w->scratch[body * space + c] *= 1.0 + change;
    }
    il_status status = il_metric_diagonal(&changed, w->d, w->scratch, err);
    if (status == IL_OK) {
        own->mass = changed;
        status = il_faults_assess(w, INFINITY, out, err);
        own->mass = kept;
    }
    il_metric_destroy(changed);
    return status;
}

/* The residual is nearly linear in the mass of a body: two secants find what leaves least. */
il_status il_faults_try_masses(il_fault_work *w, il_faults *faults, il_error *err) {
    enum { BODIES_MAX = 40 };
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    size_t bodies = w->d / space;
    double best = IL_FAULTS_EXPLAINS * IL_FAULTS_EXPLAINS * w->now.sum;
    double change = 0.0;
    size_t which = 0;
    if (w->explained || bodies < 2 || bodies > BODIES_MAX ||
        il_metric_masses(w->problem->mass) == NULL || w->problem->order != 2) {
        return IL_OK;
    }
    for (size_t body = 0; body < bodies; body++) {
        il_assessment up;
        il_assessment down;
        double at = 0.0;
        double step = 1e-4;
        for (int k = 0; k < 4; k++) { /* the parabola of the sum of squares */
            il_assessment here = w->now;
            il_status status = at != 0.0 ? assess_mass(w, body, at, &here, err) : IL_OK;
            status = status == IL_OK ? assess_mass(w, body, at + step, &up, err) : status;
            status = status == IL_OK ? assess_mass(w, body, at - step, &down, err) : status;
            if (status != IL_OK) {
                return status;
            }
            if (here.sum < best) {
                best = here.sum;
                change = at;
                which = body;
            }
            double bend = up.sum - 2.0 * here.sum + down.sum;
            double slope = up.sum - down.sum;
            if (!(bend > 0.0) ||
                (k == 0 && here.sum - slope * slope / (8.0 * bend) > 0.3 * w->now.sum)) {
                break; /* not this body's */
            }
            double move = -0.5 * step * slope / bend;
            at += fmax(-0.3, fmin(0.3, move));
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
    return IL_OK;
}

/* Without given impulses: some that pull. */
il_status il_faults_try_pull(il_fault_work *w, il_faults *faults, il_error *err) {
    il_assessment other;
    if (w->explained || w->problem->gamma0 != NULL) {
        return IL_OK;
    }
    w->both_signs = true;
    il_status status = il_faults_assess(w, INFINITY, &other, err);
    double pull = 0.0;
    size_t at = 0;
    size_t id = 0;
    for (size_t n = 0; status == IL_OK && n + 1 < w->nodes; n++) {
        il_explained e;
        if (il_faults_explain(w, n, &e, err) == IL_OK) {
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
    if (status == IL_OK && other.residual <= IL_FAULTS_EXPLAINS * w->now.residual && pull < 0.0) {
        char words[IL_DESCRIPTION_MAX];
        il_faults_add(faults, "an impulse that pulls",
                      "%s in step %zu: %.6g; with it the residual falls from %.3g to %.3g",
                      il_problem_describe(w->problem, id, words, sizeof words), at, pull,
                      w->now.residual, other.residual);
    }
    return status;
}

/*
 * rattle.c - RATTLE for contacts that open and close (Breuling, Capobianco, Eugster & Leine 2024,
 * doi 10.1016/j.nahs.2024.101469): the integrator of Andersen 1983 for constraints that hold, with
 * inequalities at both of its levels,
 *
 *     M (u' - u_n) = h/2 f(t_n, q_n) + sum P_i grad g_i(t_n, q_n),        q_{n+1} = q_n + h u',
 *     0 <= g_i(t_{n+1}, q_{n+1}),   P_i >= 0,   P_i g_i = 0,
 *     M (u_{n+1} - u') = h/2 f(t_{n+1}, q_{n+1}) + sum R_i grad g_i(t_{n+1}, q_{n+1}),
 *     0 <= a_i(u_{n+1}) + e a_i(u_n),   P_i + R_i >= 0,   complementary, for i with P_i > 0 or
 *     g_i(t_{n+1}, q_{n+1}) <= 0;   R_i = 0 for the others,
 *
 * a_i(u) = d_t g_i + <grad g_i, u> at (t_{n+1}, q_{n+1}). The first level is solved by Newton's
 * method with the gradients of (t_n, q_n), a projection each time; with target u' + ... - M^-1 sum
 * P_i grad g_i the second one is a projection with multipliers P_i + R_i. Without contact it is the
 * Verlet method, whose motion between nodes is the cubic through positions and velocities; so it is
 * where contacts last. A step in which a contact closes has none: q is affine there, and u that at
 * its end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "schemes/stepping/cubic.h"
#include "schemes/stepping/velocity.h"

enum { NEWTON = 60 };

/* Newton's method ends where positions move by this, relative to one plus the largest. */
static const double DONE = 1e-15;

typedef struct {
    il_velocity base; /* rows: near contacts at (t_n, q_n); lambda: P; v: u' */
    il_rows now;      /* those of the second level, at (t_{n+1}, q_{n+1}) */
    il_cubic cubic;
    double *g; /* [d] f(t_{n+1}, q_{n+1}), scratch */
} rattle;

static void destroy(void *self) {
    rattle *s = self;
    if (s != NULL) {
        il_rows_free(&s->now);
        il_cubic_free(&s->cubic);
        free(s->g);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    *self = NULL;
    il_status status = il_force_known(problem, "rattle", err);
    if (status == IL_OK) {
        status = il_velocity_create(self, sizeof(rattle), problem, options, err);
    }
    if (status != IL_OK) {
        return status;
    }
    rattle *s = *self;
    s->g = il_alloc_zero(problem->d, sizeof *s->g);
    il_cubic_create(&s->cubic, problem->d);
    return IL_OK;
}

/* ---- the first level ------------------------------------------------------------------------ */

/* Keep all of rows for the projection that follows. */
static void keep_all(il_velocity *w, const il_rows *rows) {
    for (size_t i = 0; i < rows->p; i++) {
        w->speed[i] = 0.0;
    }
    il_tangent_take(w->tangent, rows, w->speed, 1.0);
}

/* Contacts that the step may close: open, at (t_n, q_n) and linearised along the free motion
 * h v, by no more than its length. */
static il_status near_contacts(il_velocity *w, double t0, double h, const il_state *in,
                               il_step_report *report, il_error *err) {
    size_t d = w->problem->d;
    for (size_t k = 0; k < d; k++) {
        w->y[k] = in->q[k] + h * w->v[k];
    }
    double reach = w->problem->p <= IL_OFFER_ALL ? INFINITY : h * il_length(w->v, d);
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(w->problem, t0, in->q, w->y, reach, &w->rows);
    report->scans++;
    report->rows_offered += w->rows.p;
    if (status != IL_OK) {
        return il_fail(err, status, "the constraints could not be computed at t = %.10g", t0);
    }
    il_velocity_reserve(w);
    return IL_OK;
}

/* a_i = (g_i(t1, y) + <grad g_i(t_n, q_n), q_n - y>)/h, so that a_i + <grad g_i, u'> >= 0 asks for
 * closed gaps at most, to first order at y. */
static il_status place_offsets(rattle *s, double t1, double h, const double *q, il_error *err) {
    il_velocity *w = &s->base;
    double *a = il_tangent_offsets(w->tangent);
    for (size_t i = 0; i < w->rows.p; i++) {
        il_rows_clear(&s->now);
        il_status status = w->problem->type->row(w->problem, t1, w->y, w->rows.id[i], &s->now);
        if (status != IL_OK) {
            return il_fail(err, status, "a contact could not be computed at t = %.10g", t1);
        }
        a[i] = (s->now.value[0] + il_rows_dot(&w->rows, i, q) - il_rows_dot(&w->rows, i, w->y)) / h;
    }
    return IL_OK;
}

/* u' into w->x and q_{n+1} into w->y, with P in w->lambda. */
static il_status close_gaps(rattle *s, double t1, double h, const il_state *in,
                            il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    size_t d = w->problem->d;
    il_status status = IL_OK;
    double moved = INFINITY;
    for (int n = 0; status == IL_OK && n < NEWTON; n++) {
        keep_all(w, &w->rows);
        status = place_offsets(s, t1, h, in->q, err);
        if (status == IL_OK) {
            status = il_tangent_project(w->tangent, t1, w->v, w->x, report, err);
        }
        if (status != IL_OK) {
            return status;
        }
        double before = moved;
        moved = 0.0;
        for (size_t k = 0; k < d; k++) {
            double q = in->q[k] + h * w->x[k];
            moved = fmax(moved, fabs(q - w->y[k]));
            w->y[k] = q;
        }
        double size = 1.0 + il_largest(w->y, d);
        if (moved <= DONE * size || (moved <= 1e-12 * size && moved >= 0.5 * before)) {
            for (size_t i = 0; i < w->rows.p; i++) {
                w->lambda[i] = 0.0;
            }
            il_velocity_add(w, report, 1.0);
            return IL_OK;
        }
    }
    return il_fail(
        err, IL_ENUMERIC,
        "the gaps at t = %.10g could not be closed: Newton's method still moves by %.2g; "
        "a smaller step may do",
        t1, moved);
}

/* ---- the second level ----------------------------------------------------------------------- */

/* Rows at (t1, q_{n+1}) of the contacts that pushed or are closed; target[d] loses their P. */
static il_status take_closed(rattle *s, double t1, const double *q, double *target, il_error *err) {
    il_velocity *w = &s->base;
    double closed = il_tangent_closed(q, w->problem->d);
    il_rows_clear(&s->now);
    memset(w->y, 0, w->problem->d * sizeof *w->y);
    for (size_t i = 0; i < w->rows.p; i++) {
        il_status status = w->problem->type->row(w->problem, t1, q, w->rows.id[i], &s->now);
        if (status != IL_OK) {
            return il_fail(err, status, "a contact could not be computed at t = %.10g", t1);
        }
        size_t last = s->now.p - 1;
        if (w->lambda[i] > 0.0) {
            il_rows_axpy(&s->now, last, w->lambda[i], w->y);
        } else if (s->now.value[last] > closed) {
            il_rows_pop(&s->now);
        }
    }
    il_metric_solve(w->problem->mass, w->y, w->y);
    for (size_t k = 0; k < w->problem->d; k++) {
        target[k] -= w->y[k];
    }
    return IL_OK;
}

/* u_{n+1} from the target in w->v. */
static il_status velocities(rattle *s, double t1, const il_state *in, double *u,
                            il_step_report *report, il_error *err) {
    il_velocity *w = &s->base;
    keep_all(w, &s->now);
    double *a = il_tangent_offsets(w->tangent);
    for (size_t i = 0; i < s->now.p; i++) {
        double approach = s->now.rate[i] + il_rows_dot(&s->now, i, in->u);
        a[i] = s->now.rate[i] + w->problem->restitution * approach;
    }
    return il_tangent_project(w->tangent, t1, w->v, u, report, err);
}

/* ---- the step ------------------------------------------------------------------------------- */

/* v += h/2 M^{-1} f. */
static void kick(il_velocity *w, double h, const double *f, double *v) {
    il_metric_solve(w->problem->mass, f, w->y);
    for (size_t k = 0; k < w->problem->d; k++) {
        v[k] += 0.5 * h * w->y[k];
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    rattle *s = self;
    il_velocity *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    *report = (il_step_report){.force = w->f};
    il_force_at(w->problem, t0, in->q, w->f);
    memcpy(w->v, in->u, d * sizeof *w->v);
    kick(w, h, w->f, w->v);
    il_status status = near_contacts(w, t0, h, in, report, err);
    status = status == IL_OK ? close_gaps(s, t1, h, in, report, err) : status;
    if (status != IL_OK) {
        return status;
    }
    il_certificate first = report->certificate;
    memcpy(out->q, w->y, d * sizeof *w->y);
    memcpy(w->v, w->x, d * sizeof *w->v);
    il_force_at(w->problem, t1, out->q, s->g);
    kick(w, h, s->g, w->v);
    status = take_closed(s, t1, out->q, w->v, err);
    status = status == IL_OK ? velocities(s, t1, in, out->u, report, err) : status;
    if (status != IL_OK) {
        return status;
    }
    il_tangent_scale_lambda(w->tangent, 1.0 / h);
    if (w->options.certify) {
        il_certificate_worsen(&report->certificate, &first);
    }
    for (size_t k = 0; k < d; k++) {
        w->f[k] = 0.5 * (w->f[k] + s->g[k]);
    }
    if (!il_cubic_strikes(&w->rows, &s->now, in->u, d)) {
        il_cubic_describe(&s->cubic, t0, t1, in, out, report);
    }
    return IL_OK;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_rattle = {
    .name = "rattle",
    .title = "RATTLE with inequalities at both levels: closed gaps, then velocities",
    .statement =
        "M (u' - u_n) = h/2 f(t_n,q_n) + sum P_i grad g_i(q_n), q_{n+1} = q_n + h u',\n"
        "0 <= g_i(q_{n+1}), P_i >= 0, complementary;\n"
        "M (u_{n+1} - u') = h/2 f(t_{n+1},q_{n+1}) + sum R_i grad g_i(q_{n+1}), a_i = d_t g_i +\n"
        "<grad g_i, u>: 0 <= a_i(u_{n+1}) + e a_i(u_n), P_i + R_i >= 0, complementary, for the i\n"
        "that pushed or are closed at q_{n+1}.\n"
        "Nodes do not overlap. Of order 2 where contacts last or nothing hits; an impact inside a\n"
        "step is met at its end. Between nodes the motion is the cubic through positions and\n"
        "velocities; in a step with an impact q is affine, and u that at its end. Left out:\n"
        "friction, mass matrices that depend on q.",
    .source = "Breuling, Capobianco, Eugster & Leine 2024; Andersen 1983",
    .orders = 2u,
    .restitution = true,
    .dense = true,
    .feasible_nodes = true,
    .claims = claims,
    .create = create,
    .step = step,
    .destroy = destroy};

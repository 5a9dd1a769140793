/* substeps.c - soft contacts in substeps. */
#include "schemes/stepping/substeps.h"

#include <math.h>
#include <string.h>

#include "schemes/stepping/colours.h"

/* The gap of row i at q, `after` the rows were taken, with w->x = q - q_n. */
static double gap(const il_velocity *w, size_t i, double after) {
    return w->rows.value[i] + after * w->rows.rate[i] + il_rows_dot(&w->rows, i, w->x);
}

static void moved(il_velocity *w, const double *from, const double *q) {
    for (size_t k = 0; k < w->problem->d; k++) {
        w->x[k] = q[k] - from[k];
    }
}

il_soft_contact il_substeps_soft(const il_velocity *w, size_t i, const il_substeps *how, double s) {
    double omega =
        2.0 * M_PI * how->hertz * (il_colours_alone(w->problem, &w->rows, i) ? 2.0 : 1.0);
    double b = 2.0 * how->damping + s * omega;
    return (il_soft_contact){.rate = omega / b, .c = s * omega * b};
}

/* The soft velocity into w->y. */
static il_status soften(il_velocity *w, il_slack *slack, const il_substeps *how, double t, double s,
                        double after, il_step_report *report, il_error *err) {
    double *a = NULL;
    double *R = NULL;
    il_status status = il_slack_begin(slack, w->rows.p, &a, &R, err);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double g = gap(w, i, after);
        il_soft_contact soft = il_substeps_soft(w, i, how, s);
        bool open = g > 0.0;
        R[i] = open ? 0.0 : il_velocity_mobility(w, &w->rows, i) / soft.c;
        a[i] = w->rows.rate[i] +
               (open ? g / s : -fmin(-g * soft.rate, how->push * (1.0 + soft.c) / soft.c));
    }
    return status == IL_OK ? il_slack_project(slack, t, &w->rows, w->v, w->y, w->speed, report, err)
                           : status;
}

/* The rigid velocity into u. */
static il_status relax(il_velocity *w, double t, double s, double after, double *u,
                       il_step_report *report, il_error *err) {
    double *a = il_tangent_offsets(w->tangent);
    for (size_t i = 0; i < w->rows.p; i++) {
        a[i] = w->rows.rate[i] + fmax(gap(w, i, after), 0.0) / s;
    }
    il_status status = il_tangent_project(w->tangent, t, w->v, u, report, err);
    if (status == IL_OK) {
        il_velocity_add(w, report, 1.0);
    }
    return status;
}

il_status il_substeps_make(il_velocity *w, il_slack *slack, const il_substeps *how, double t0,
                           double h, const il_state *in, il_state *out, il_step_report *report,
                           il_certificate *worst, il_error *err) {
    size_t d = w->problem->d;
    double s = h / (double)how->count;
    il_status status = IL_OK;
    memcpy(out->q, in->q, d * sizeof *out->q);
    memcpy(out->u, in->u, d * sizeof *out->u);
    for (size_t n = 0; status == IL_OK && n < how->count; n++) {
        double t = t0 + s * (double)n;
        il_metric_solve(w->problem->mass, w->f, w->y);
        for (size_t k = 0; k < d; k++) {
            w->v[k] = out->u[k] + s * w->y[k];
        }
        moved(w, in->q, out->q);
        status = soften(w, slack, how, t, s, s * (double)n, report, err);
        il_certificate_worsen(worst, &report->certificate);
        for (size_t k = 0; status == IL_OK && k < d; k++) {
            out->q[k] += s * w->y[k];
        }
        moved(w, in->q, out->q);
        status =
            status == IL_OK ? relax(w, t, s, s * (double)(n + 1), out->u, report, err) : status;
        il_certificate_worsen(worst, &report->certificate);
    }
    return status;
}

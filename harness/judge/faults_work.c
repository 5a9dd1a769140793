/*
 * faults_work.c - what all tests of samples ask: how wrong a number may be, and what explains a
 * step.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/judge/faults.h"

void il_faults_add(il_faults *faults, const char *name, const char *format, ...) {
    if (faults->n < IL_FAULTS_MAX) {
        va_list list;
        va_start(list, format);
        faults->list[faults->n].name = name;
        (void)vsnprintf(faults->list[faults->n].text, sizeof faults->list[0].text, format, list);
        va_end(list);
        faults->n++;
    }
}

double il_faults_wrong(const il_fault_work *w, double x) {
    return w->track->resolution * fabs(x) + w->track->quantum;
}

const double *il_faults_velocity(const il_fault_work *w, size_t n) {
    return n == 0 && !w->has_u ? w->problem->u0 : w->u + n * w->d;
}

void il_faults_interval(const il_fault_work *w, size_t n, il_interval *s) {
    size_t at = w->first[n + 1];
    *s = (il_interval){.t0 = w->t[n] + w->delay,
                       .t1 = w->t[n + 1] + w->delay,
                       .q0 = w->q + n * w->d,
                       .u0 = il_faults_velocity(w, n),
                       .q1 = w->q + (n + 1) * w->d,
                       .u1 = w->u + (n + 1) * w->d,
                       .given = w->given,
                       .n = w->given ? w->first[n + 2] - at : 0,
                       .contacts = w->given ? w->track->run.contacts + at : NULL,
                       .both_signs = w->both_signs,
                       .force = w->force,
                       .reach = w->reach,
                       .resolution = w->track->resolution,
                       .quantum = w->track->quantum};
    if (!w->has_u || w->track->half) {
        s->q_before = n > 0 ? s->q0 - w->d : s->q0;
        s->before = n > 0 ? w->t[n - 1] + w->delay : s->t0;
    }
}

bool il_faults_explain(il_fault_work *w, size_t n, il_explained *e) {
    il_interval step;
    il_faults_interval(w, n, &step);
    return il_dynamics_explain(w->dynamics, &step, e, NULL) == IL_OK;
}

void il_faults_varying(il_fault_work *w, size_t n, const double *mean, double *out) {
    memset(out, 0, w->d * sizeof *out);
    for (size_t end = n; end < n + 2 && w->problem->type->force != NULL; end++) {
        w->problem->type->force(w->problem, w->t[end] + w->delay, w->q + end * w->d, w->scratch);
        for (size_t k = 0; k < w->d; k++) {
            w->scratch[k] = w->force * w->scratch[k] - mean[k];
        }
        il_metric_solve(w->problem->mass, w->scratch, w->scratch);
        for (size_t k = 0; k < w->d; k++) {
            out[k] += fabs(w->scratch[k]);
        }
    }
}

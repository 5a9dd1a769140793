/* positions.c - overlaps undone by moving positions alone. */
#include "schemes/stepping/positions.h"

#include <math.h>
#include <string.h>

il_status il_positions_undo(il_velocity *w, double t, il_step_report *report, il_error *err) {
    memset(w->y, 0, w->problem->d * sizeof *w->y);
    return il_tangent_project(w->tangent, t, w->y, w->x, report, err);
}

/* Is `id` among the contacts of the step? Looked for from *at on, where the last one was. */
static bool held(const il_rows *rows, size_t id, size_t *at) {
    for (size_t k = 0; k < rows->p; k++) {
        size_t i = (*at + k) % rows->p;
        if (rows->id[i] == id) {
            *at = i + 1;
            return true;
        }
    }
    return false;
}

/* Write the offsets that the sweep asks of the rows found; returns the deepest overlap. */
static double ask(il_velocity *w, const il_sweeps *sweeps) {
    const il_rows *rows = il_tangent_rows(w->tangent);
    double *a = il_tangent_offsets(w->tangent);
    double deepest = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < rows->p; i++) {
        double over = held(&w->rows, rows->id[i], &at) ? -rows->value[i] : 0.0;
        a[i] = -fmin(sweeps->erp * fmax(over - sweeps->slop, 0.0), sweeps->farthest);
        deepest = fmax(deepest, over);
    }
    return deepest;
}

il_status il_positions_sweep(il_velocity *w, const il_sweeps *sweeps, double t, double *q,
                             il_step_report *report, il_certificate *worst, il_error *err) {
    il_prediction deep = {.t = t, .q = q, .u = w->v, .threshold = -sweeps->slop};
    il_status status = IL_OK;
    bool more = true;
    for (int k = 0; status == IL_OK && k < sweeps->count && more; k++) {
        status = il_tangent_predict(w->tangent, &deep, report, err);
        double deepest = status == IL_OK ? ask(w, sweeps) : 0.0;
        more = deepest > sweeps->slop && deepest > sweeps->enough;
        if (deepest > sweeps->slop) {
            status = il_positions_undo(w, t, report, err);
            il_certificate_worsen(worst, &report->certificate);
            for (size_t c = 0; status == IL_OK && c < w->problem->d; c++) {
                q[c] += w->x[c];
            }
        }
    }
    return status;
}

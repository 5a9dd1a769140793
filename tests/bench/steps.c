/*
 * steps.c - the benchmarks' step problems, from runs of Maury's scheme.
 */
#include "tests/bench/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/run/registry.h"
#include "schemes/stepping/force.h"

/* A row is in the problem if the prediction closes it to this part of its longest move. */
static const double REACH = 0.1;

static const il_bench_member members[] = {
    {"impact-300", "impact", {"N", "300"}, 2, 0.1, 0.1, false},
    {"impact-2000", "impact", {"N", "2000"}, 2, 0.1, 0.1, false},
    {"pile-2d-100", "pile", {"N", "100", "space", "2", "radius", "0.5"}, 100, 0.02, 0.005, false},
    {"pile-2d-400", "pile", {"N", "400", "space", "2", "radius", "0.5"}, 150, 0.02, 0.005, false},
    {"pile-3d-500", "pile", {"N", "500", "space", "3", "radius", "0.5"}, 100, 0.02, 0.005, false},
    {"sticky-1000", "sticky", {"N", "1000"}, 0, 0.5, 0.5, false},
    {"impact-3d-2000", "impact", {"N", "2000", "space", "3"}, 2, 0.1, 0.1, true},
    {"pile-2d-2000", "pile", {"N", "2000", "space", "2", "radius", "0.05"}, 150, 0.01, 0.005, true},
    {"impact-20000", "impact", {"N", "20000"}, 2, 0.1, 0.1, true},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

const il_bench_member *il_bench_member_at(size_t k) {
    return k < MEMBERS ? &members[k] : NULL;
}

static il_status set_params(il_bench_step *w, const il_bench_member *m, const il_problem_type *type,
                            il_error *err) {
    il_params_destroy(w->params);
    w->params = NULL;
    il_status status = il_params_create(&w->params, type->params, err);
    for (size_t k = 0; status == IL_OK && k < IL_BENCH_SETS_MAX && m->sets[k] != NULL; k += 2) {
        status = il_params_set_text(w->params, m->sets[k], m->sets[k + 1], err);
    }
    return status;
}

/* The state before the step, into w->record. */
static il_status advance(il_bench_step *w, const il_bench_member *m, il_error *err) {
    il_run_spec spec = {.steps = m->steps, .h = m->before, .final_only = true};
    il_status status = il_problem_type_find(m->problem, &spec.problem, err);
    status = status == IL_OK ? il_scheme_type_find("maury", &spec.scheme, err) : status;
    status = status == IL_OK ? il_projector_type_find("auto", &spec.projector, err) : status;
    status = status == IL_OK ? set_params(w, m, spec.problem, err) : status;
    if (status == IL_OK && m->steps > 0) {
        spec.params = w->params;
        status = il_run(&spec, &w->record, NULL, err);
        status = status == IL_OK && w->record.status != IL_OK
                     ? il_fail(err, w->record.status, "%.900s", w->record.message)
                     : status;
        status = status == IL_OK ? set_params(w, m, spec.problem, err) : status;
    }
    double horizon = m->h;
    return status == IL_OK ? il_problem_create(&w->problem, spec.problem, w->params, horizon, err)
                           : status;
}

/* The projection of the step of h from (q,u). */
static il_status take(il_bench_step *w, const il_bench_member *m, il_error *err) {
    const il_problem *problem = w->problem;
    size_t d = problem->d;
    double *q = il_alloc(5 * d, sizeof *q);
    double *u = q + d;
    memcpy(q, m->steps > 0 ? w->record.q : problem->q0, d * sizeof *q);
    memcpy(u, m->steps > 0 ? w->record.u : problem->u0, d * sizeof *u);
    w->block = q;
    double *target = q + 2 * d;
    double *f = q + 3 * d;
    double *reached = q + 4 * d;
    il_state state = {.q = q, .u = u};
    il_force *mean = il_force_create(problem);
    il_status status = il_force_predict(mean, 0.0, m->h, &state, target, f, err);
    double move = 0.0;
    for (size_t k = 0; k < d; k++) {
        reached[k] = q[k] + m->h * target[k];
        move = fmax(move, fabs(m->h * target[k]));
    }
    if (status == IL_OK) {
        status = il_problem_scan(problem, m->h, q, reached, REACH * move, &w->rows);
    }
    il_force_destroy(mean);
    w->qp = (il_qp){.d = d,
                    .mass = problem->mass,
                    .target = target,
                    .rows = &w->rows,
                    .a = w->rows.value,
                    .scale = m->h};
    return status;
}

il_status il_bench_step_make(il_bench_step *w, const il_bench_member *m, il_error *err) {
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    il_status status = advance(w, m, err);
    return status == IL_OK ? take(w, m, err) : status;
}

void il_bench_step_release(il_bench_step *w) {
    free(w->block);
    il_rows_free(&w->rows);
    il_record_free(&w->record);
    il_problem_destroy(w->problem);
    il_params_destroy(w->params);
}

double il_bench_step_sum(const il_qp *qp) {
    double sum = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        sum += fabs(qp->a[i]);
    }
    for (size_t k = 0; k < qp->d; k++) {
        sum += fabs(qp->target[k]);
    }
    return sum;
}

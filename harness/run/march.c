/*
 * march.c - the steps of a run, for n = 0 .. N - 1, with t_n = n h, t_N = T where h divides T:
 *
 *     where no single steps are observed: the scheme's own loop, up to the next observed step
 *     out <- step of the scheme from in over [t_n, t_{n+1}];  count its work
 *     end with a status if the step failed, out is not finite, or the user interrupts
 *     measures, samples, observers and the trajectory process (in, out); the certificate is checked
 *     swap in and out;  steps_done <- n + 1
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/data/bodies.h"
#include "harness/run/work.h"

/* ---- how long it takes ---------------------------------------------------------------------- */

/* The time over which the pace of the steps is measured; longer where fewer than FEW steps fit into
 * it, because the first steps are slower. */
static const double ENOUGH = 1.0;
static const double SLOW = 30.0;
enum { FEW = 8 };

void il_patience_begin(il_patience *p, double limit) {
    *p = (il_patience){
        .limit = limit, .began = il_clock_seconds(), .began_coarse = il_clock_seconds_coarse()};
}

/* The clock is read after every step, so a sudden slow-down after a thousand fast steps is noticed
 * at once. */
il_status il_patience_step(il_patience *p, size_t done, size_t steps, il_error *err) {
    if (p->limit == 0.0) {
        return IL_OK;
    }
    double passed = il_clock_seconds_coarse() - p->began_coarse;
    bool shown = passed >= SLOW || (passed >= ENOUGH && done >= FEW);
    if (!shown) {
        return IL_OK;
    }
    double limit = p->limit;
    double all = passed / (double)done * (double)steps;
    p->limit = 0.0;
    return all <= limit
               ? IL_OK
               : il_fail(err, IL_ETOOLONG,
                         "%zu steps would take about %.2g hours (%zu took %.2g s); allowed: %.2g "
                         "h, longer with --long, or --max-time",
                         steps, all / 3600.0, done, passed, limit / 3600.0);
}

/* ---- samples: q_h affine between nodes, u_h the value on the step --------------------------- */

/* A sample this close to a node, relative, is taken at the node. */
static const double NODE = 4.0 * DBL_EPSILON;

void il_samples_take(il_record *record, size_t k, double t, const double *q, const double *u) {
    il_sample *s = &record->samples[k];
    s->t = t;
    memcpy(s->q, q, record->d * sizeof *q);
    memcpy(s->u, u, record->d * sizeof *u);
}

/* Those of times[record->nsamples] that lie in the step (t0, t1]. */
static void take_samples(il_record *record, const double *times, const il_problem *problem,
                         const il_watched *now) {
    double t0 = now->t0;
    double t1 = now->t1;
    bool last = now->n == record->steps;
    for (size_t k = 0; k < record->nsamples; k++) {
        double t = times[k];
        /* a time typed as 1 may be a rounding above the node n h that it names */
        bool here = t > t0 * (1.0 + NODE) && (t <= t1 * (1.0 + NODE) || last);
        if (!here) {
            continue;
        }
        double theta = fmin(1.0, (t - t0) / (t1 - t0));
        il_samples_take(record, k, t, now->out->q, now->out->u);
        const il_motion *motion = now->report->motion;
        if (motion != NULL && theta < 1.0) {
            il_motion_eval(motion, t0, il_motion_piece(motion, t, -1), t, record->samples[k].q,
                           record->samples[k].u);
        }
        for (size_t i = 0; motion == NULL && theta < 1.0 && i < record->d; i++) {
            record->samples[k].q[i] = now->in->q[i] + theta * (now->out->q[i] - now->in->q[i]);
        }
        if (record->samples[k].load != NULL) {
            memset(record->samples[k].load, 0, record->bodies * sizeof(double));
            il_bodies_add_loads(problem, now->report, t1 - t0, record->samples[k].load);
        }
    }
}

static void spoil(double *x, size_t n) {
    for (size_t k = 0; x != NULL && k < n; k++) {
        x[k] = NAN;
    }
}

void il_samples_end(il_record *record) {
    for (size_t k = 0; k < record->nsamples; k++) {
        if (record->samples[k].t > record->t) { /* the run never came there */
            spoil(record->samples[k].q, 2 * record->d);
            spoil(record->samples[k].load, record->bodies);
        }
    }
}

/* ---- certificates --------------------------------------------------------------------------- */

/* The size of what gaps are computed from, max_i sum_k |b_ik| |q_k|. */
static double reach_of(const il_rows *rows, const double *q) {
    double reach = 0.0;
    for (size_t i = 0; i < rows->p; i++) {
        double sum = 0.0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            sum += fabs(rows->coef[e]) * fabs(q[rows->col[e]]);
        }
        reach = fmax(reach, sum);
    }
    return reach;
}

/* A certificate is judged by the numbers that the projector was given. Those of a step are gaps,
 * computed from positions and thus rounded: a pile of small spheres far from the origin has small
 * gaps whose relative error is larger than 1e-12. */
il_status il_run_certify(const il_run_spec *spec, size_t n, double t, const double *q,
                         const il_step_report *report, il_error *err) {
    il_certificate c = report->certificate;
    double tolerance = spec->projection.tolerance;
    if (report->stalled || il_certificate_holds(&c, spec->projector->finite, tolerance)) {
        return IL_OK;
    }
    c.size += reach_of(report->rows, q);
    if (il_certificate_holds(&c, spec->projector->finite, tolerance)) {
        return IL_OK;
    }
    return il_fail(
        err, IL_ENOTCERTIFIED,
        "step %zu, t = %.10g: projector '%s' left a residual of %.3g in gaps of size %.3g, "
        "stationarity %.3g relative, least gap %.3g; allowed is what it promises: %.3g, or "
        "%.3g of the size",
        n, t, spec->projector->name, c.residual, c.size, c.relative, c.primal, tolerance,
        IL_PROJECTOR_EXACT);
}

/* ---- steps that are not observed ------------------------------------------------------------ */

/* Every OFTEN-th is observed: for signals, the clock, and observers that need only some. */
enum { OFTEN = 1024 };

/* May some of the steps be unobserved? Not where anything is measured, kept or sampled. */
static bool strides(const il_march *r) {
    const il_run_spec *spec = r->spec;
    for (size_t k = 0; k < spec->nobservers; k++) {
        if (!spec->observers[k].content) {
            return false;
        }
    }
    bool one_step = spec->multipliers != 0 && spec->multipliers != IL_STEP_LAST;
    return r->trajectory == NULL && spec->scheme->stride != NULL && spec->final_only &&
           spec->nsamples == 0 && spec->keep == NULL && !one_step;
}

/* Advance from record->steps_done on, in place, by at least one step, up to the next observed step,
 * as far as the scheme's own loop goes. */
static void stride(il_march *r) {
    il_record *record = r->record;
    const il_run_spec *spec = r->spec;
    size_t from = record->steps_done;
    size_t to = il_gap_watch_next(from, record->steps) - 1;
    to = to < from + OFTEN ? to : from + OFTEN;
    il_stride made = {0, 0, 0};
    size_t reached =
        from < to ? spec->scheme->stride(r->scheme, from, to, record->h, &r->in, &made) : from;
    if (reached == from) {
        return;
    }
    record->projector_iterations += made.iterations;
    record->solves += made.solves;
    record->scans += made.rows; /* one constraint, a row a step */
    record->rows_offered += made.rows;
    record->rows_solved += made.rows;
    record->steps_done = reached;
    record->t = (double)reached * record->h;
}

/* ---- one step ------------------------------------------------------------------------------- */

/* Pass the step to all observers. */
static il_status observe(il_march *r, const il_watched *now, il_error *err) {
    const il_run_spec *spec = r->spec;
    il_record *record = r->record;
    if (!spec->final_only) {
        il_measure_step(r->measure, now->t0, now->t1, &r->in, &r->out, now->report);
        il_wall_forces_step(r->walls, now->t0, now->t1, now->report);
        for (size_t k = 0; k < record->ndistances; k++) {
            il_deviation_step(r->deviation[k], now->t0, now->t1, r->in.q, r->out.q,
                              now->report->between != NULL ? now->report->between : r->out.u,
                              now->report->motion);
        }
    }
    il_watched seen = *now;
    seen.drift = r->measure != NULL ? il_measure_drift(r->measure) : NULL;
    take_samples(record, spec->samples, r->problem, &seen);
    for (size_t k = 0; k < spec->nobservers; k++) {
        il_status status = spec->observers[k].step(spec->observers[k].self, &seen, err);
        if (status != IL_OK) {
            return status;
        }
    }
    if (r->trajectory != NULL) {
        il_trajectory_watch(r->trajectory, &seen);
    }
    return spec->scheme->outside ? IL_OK
                                 : il_gap_watch_step(&r->gap_watch, r->problem, r->measure,
                                                     record->steps, &seen, err);
}

static bool finite_state(const il_state *state, size_t d) {
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) {
        sum += (state->q[k] - state->q[k]) + (state->u[k] - state->u[k]);
    }
    return sum == 0.0; /* x - x is NaN for NaN and for infinities */
}

/* Step n, to t1, in `in` and `out`, and what the measures see of it. */
static il_status make_step(il_march *r, size_t n, double t1, il_error *err) {
    const il_run_spec *spec = r->spec;
    il_record *record = r->record;
    bool last = n == record->steps;
    double t0 = record->t;
    il_step_report report = {.rows = NULL};
    if (spec->keep != NULL) {
        spec->keep->awake = n == spec->keep->step;
        spec->keep->t = spec->keep->awake ? t1 : spec->keep->t;
    }
    il_status status = spec->scheme->step(r->scheme, t0, t1, &r->in, &r->out, &report, err);
    il_record_count(record, &report);
    if (status == IL_OK && !finite_state(&r->out, record->d)) {
        status = il_fail(err, IL_ENUMERIC, "the state is not finite after step %zu, t = %g", n, t1);
    }
    if (status == IL_OK && report.motion != NULL) {
        il_error why;
        status = il_motion_check(report.motion, t0, t1, r->in.q, r->out.q, &why);
        status = status == IL_OK ? IL_OK : il_fail(err, status, "step %zu: %s", n, why.message);
    }
    if (il_interrupted()) { /* whatever else the step came to */
        status = il_fail(err, IL_EINTERRUPTED, "%s after step %zu, t = %g", il_interrupt_reason(),
                         n - 1, t0);
    }
    if (status != IL_OK) {
        return status;
    }
    record->rows_solved += report.rows->p;
    status = observe(r, &(il_watched){n, t0, t1, &r->in, &r->out, &report, NULL}, err);
    if (status == IL_OK && !spec->scheme->outside) {
        status = il_run_certify(spec, n, t1, r->in.q, &report, err);
    }
    if (status == IL_OK &&
        (spec->multipliers == n || (last && spec->multipliers == IL_STEP_LAST))) {
        status = il_multipliers_of_step(&record->multipliers, r->problem, n, t1, &r->in, &r->out,
                                        &report, err);
    }
    return status;
}

double il_march_node(const il_march *r, size_t n) {
    const il_record *record = r->record;
    return n == record->steps && r->divided ? record->horizon : (double)n * record->h;
}

il_status il_march_go(il_march *r, il_error *err) {
    const il_run_spec *spec = r->spec;
    il_record *record = r->record;
    bool unseen = strides(r);
    il_patience_begin(&r->patience, spec->patience);
    r->began = r->patience.began;
    while (record->steps_done < record->steps) {
        if (unseen) {
            stride(r);
        }
        size_t n = record->steps_done + 1;
        double t1 = il_march_node(r, n);
        il_status status =
            spec->scheme->node != NULL ? spec->scheme->node(r->scheme, n, &t1, err) : IL_OK;
        status = status == IL_OK ? make_step(r, n, t1, err) : status;
        if (status != IL_OK) {
            return status;
        }
        il_state swap = r->in;
        r->in = r->out;
        r->out = swap;
        record->steps_done = n;
        record->t = t1;
        status = il_patience_step(&r->patience, n, record->steps, err);
        if (status != IL_OK) {
            r->refused = true;
            return status;
        }
    }
    return IL_OK;
}

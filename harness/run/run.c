/*
 * run.c - validated specification -> steps -> measures -> record.
 *
 *     prepare: problem, projector and scheme; plan of the steps; measures and observers
 *     march, for n = 0 .. N - 1, with t_n = n h, t_N = T where h divides T:
 *         where nobody sees single steps, up to the next that is seen: the scheme's strides
 *         out <- step of the scheme from in over [t_n, t_{n+1}];  count its work
 *         end with a status if the step failed, out is not finite, or the user interrupts
 *         measures, samples, observers and the trajectory see (in, out)
 *         swap in and out;  steps_done <- n + 1
 *     after a stall: the failed step once more, for the projector's best iterate
 *     compare with references as a whole, and conclude
 *
 * After an end `in` is the last state that is whole, at t_steps_done: a failed step harms nothing.
 */
#include "harness/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/team.h"
#include "harness/reference/event_driven.h"
#include "harness/run/certify.h"
#include "harness/run/checkpoint.h"
#include "harness/run/compare.h"
#include "harness/run/gap_watch.h"
#include "harness/run/patience.h"
#include "harness/run/plan.h"
#include "harness/run/registry.h"
#include "harness/run/samples.h"
#include "harness/run/stride.h"

typedef struct {
    const il_run_spec *spec;
    il_team *team; /* of problem and scheme */
    il_problem *problem;
    void *scheme;
    il_measure *measure;
    il_wall_forces *wall_forces;
    il_deviation **deviation; /* [ndistances] */
    il_event_driven *events;  /* the reference, if it is asked for */
    double *buffer;           /* [4d + 2p] two states, with gamma of gluey problems */
    il_state in, out;
    il_contacts contacts[2]; /* theirs */
    size_t next_sample;
    bool divided;          /* the steps divide the horizon */
    const il_exact *known; /* the solutions to compare with */
    unsigned norms;        /* of the whole run */
    il_trajectory kept;    /* the whole run, where norms need it and nobody else keeps it */
    il_patience patience;
    il_gap_watch gap_watch;
    bool refused;  /* it would take too long */
    double before; /* seconds of the steps that it did not make again */
} run;

static void release(run *r, const il_record *record) {
    if (r->scheme != NULL) {
        r->spec->scheme->destroy(r->scheme);
    }
    il_measure_destroy(r->measure);
    il_event_driven_destroy(r->events);
    il_wall_forces_destroy(r->wall_forces);
    for (size_t k = 0; r->deviation != NULL && k < record->ndistances; k++) {
        il_deviation_destroy(r->deviation[k]);
    }
    free(r->deviation);
    il_trajectory_free(&r->kept);
    il_gap_watch_free(&r->gap_watch);
    free(r->buffer);
    il_contacts_free(&r->contacts[0]);
    il_contacts_free(&r->contacts[1]);
    il_problem_destroy(r->problem);
    il_team_destroy(r->team);
}

static il_status prepare_walls(run *r, il_record *record, il_error *err) {
    il_status status = il_wall_forces_create(&r->wall_forces, r->problem, err);
    if (r->wall_forces == NULL) {
        return status;
    }
    record->walls = calloc(r->problem->nwalls, sizeof *record->walls);
    if (record->walls == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu walls", r->problem->nwalls);
    }
    record->nwalls = r->problem->nwalls;
    return IL_OK;
}

/* The solutions to compare with: the one given, the event-driven one, or all that are known. */
static il_status find_references(run *r, const il_exact **known, size_t *n, il_error *err) {
    const il_run_spec *spec = r->spec;
    *known = spec->reference != NULL ? spec->reference : r->problem->exact;
    *n = spec->reference == NULL ? r->problem->nexact
         : spec->nreferences > 0 ? spec->nreferences
                                 : 1;
    if (!spec->event_driven) {
        return IL_OK;
    }
    /* not the run's own, which may be an iterative one at a loose tolerance */
    il_status status =
        il_event_driven_create(&r->events, r->problem, il_projector_type_default(), err);
    if (status == IL_OK) {
        *known = il_event_driven_exact(r->events);
        *n = 1;
    }
    return status;
}

static il_status prepare_measures(run *r, il_record *record, il_error *err) {
    const il_problem *problem = r->problem;
    const il_exact *known = NULL;
    size_t n = 0;
    il_status status = find_references(r, &known, &n, err);
    if (status != IL_OK) {
        return status;
    }
    record->measured = true;
    r->known = known;
    record->no_reference = n > 0 ? NULL
                           : problem->no_exact != NULL
                               ? problem->no_exact
                               : "no exact solution of this problem is known here";
    record->distances = calloc(n > 0 ? n : 1, sizeof *record->distances);
    r->deviation = calloc(n > 0 ? n : 1, sizeof(il_deviation *));
    if (record->distances == NULL || r->deviation == NULL) {
        (void)il_fail(err, IL_ENOMEM, "no memory for errors");
        return IL_ENOMEM;
    }
    for (size_t k = 0; status == IL_OK && known != NULL && k < n; k++) {
        record->distances[k].name = known[k].name;
        record->distances[k].origin = known[k].origin;
        record->distances[k].norms = il_norms_none();
        record->ndistances = k + 1;
        status = il_deviation_create(&r->deviation[k], &known[k], problem->d, err);
    }
    /* release() frees both arrays, also after a failure; the analyzer loses them in its loop */
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
    status = status == IL_OK ? il_measure_create(&r->measure, problem, r->in.u, err) : status;
    return status == IL_OK ? prepare_walls(r, record, err) : status;
}

/* Two states; the first is the start. For order 1 its velocity is the drift. */
static il_status start(run *r, size_t d, il_error *err) {
    const il_problem *problem = r->problem;
    size_t glued = problem->gamma0 != NULL ? problem->p : 0;
    r->buffer = malloc((4 * d + 2 * glued) * sizeof *r->buffer);
    if (r->buffer == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a state of size %zu", d);
    }
    r->in = (il_state){.q = r->buffer, .u = r->buffer + d, .contacts = &r->contacts[0]};
    r->out =
        (il_state){.q = r->buffer + 2 * d, .u = r->buffer + 3 * d, .contacts = &r->contacts[1]};
    if (glued > 0) {
        r->in.gamma = r->buffer + 4 * d;
        r->out.gamma = r->in.gamma + glued;
        memcpy(r->in.gamma, problem->gamma0, glued * sizeof *r->in.gamma);
    }
    memcpy(r->in.q, problem->q0, d * sizeof *r->in.q);
    memcpy(r->in.u, problem->u0, d * sizeof *r->in.u);
    if (problem->order == 1 && problem->type->force != NULL) {
        problem->type->force(problem, 0.0, problem->q0, r->in.u);
    }
    if (r->spec->q0 != NULL) {
        memcpy(r->in.q, r->spec->q0, d * sizeof *r->in.q);
        memcpy(r->in.u, r->spec->u0, d * sizeof *r->in.u);
    }
    return IL_OK;
}

static il_status begin_observers(run *r, size_t steps, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < r->spec->nobservers; k++) {
        const il_observer *o = &r->spec->observers[k];
        status = o->begin(o->self, r->problem, steps, &r->in, err);
    }
    return status;
}

static il_scheme_options scheme_options(const run *r, const il_record *record) {
    const il_run_spec *spec = r->spec;
    il_scheme_options options = {.type = spec->scheme,
                                 .params = record->scheme_params,
                                 .asked = {.params = spec->params,
                                           .settings = spec->scheme_settings,
                                           .steps = record->steps,
                                           .h = record->h,
                                           .horizon = record->horizon},
                                 .projector = spec->projector,
                                 .projection = spec->projection,
                                 .certify = true,
                                 .accept_stalled = spec->accept_stalled,
                                 .watch = il_step_problem_watch(spec->keep)};
    options.projection.team = r->team;
    return options;
}

/* What a run needs once all that was asked for has been found to make sense. */
static il_status assemble(run *r, il_record *record, il_error *err) {
    const il_run_spec *spec = r->spec;
    record->order = r->problem->order;
    record->d = r->problem->d;
    record->problem_horizon = r->problem->horizon;
    size_t bodies = 0;
    il_status status = il_samples_bodies(spec, r->problem, &bodies, err);
    if (status == IL_OK) {
        status = il_record_allocate(record, spec->nsamples, bodies, err);
    }
    if (status == IL_OK) {
        status = start(r, record->d, err);
    }
    if (status == IL_OK) {
        status = il_gap_watch_init(&r->gap_watch, r->problem, err);
    }
    if (status == IL_OK && !spec->final_only) {
        status = prepare_measures(r, record, err);
    }
    if (status == IL_OK) {
        status = il_team_create(&r->team, spec->threads > 0 ? spec->threads : 1, err);
    }
    r->problem->team = r->team;
    il_scheme_options options = scheme_options(r, record);
    if (status == IL_OK) {
        status = spec->scheme->create(&r->scheme, r->problem, &options, err);
    }
    return status == IL_OK ? begin_observers(r, record->steps, err) : status;
}

static il_status prepare(run *r, il_record *record, il_error *err) {
    const il_run_spec *spec = r->spec;
    *record =
        (il_record){.problem = spec->problem->name,
                    .scheme = spec->scheme_name != NULL ? spec->scheme_name : spec->scheme->name,
                    .projector = spec->projector->name,
                    .outside = spec->scheme->outside};
    double horizon = 0.0;
    il_status status = il_run_horizon(spec, &horizon, err);
    if (status == IL_OK) {
        status = il_scheme_params(spec->scheme, spec->scheme_settings, &record->scheme_params, err);
    }
    if (status == IL_OK) {
        status = il_problem_create(&r->problem, spec->problem, spec->params, horizon, err);
    }
    if (status == IL_OK) {
        status = il_scheme_suits(spec->scheme, r->problem, err);
    }
    if (status == IL_OK) {
        status = il_run_check_projector(spec, r->problem, err);
    }
    if (status == IL_OK) {
        status = il_run_plan(spec, r->problem, record, &r->divided, err);
    }
    return status == IL_OK ? assemble(r, record, err) : status;
}

/* All who watch see the step. */
static il_status observe(run *r, il_record *record, il_trajectory *trajectory, size_t n, double t0,
                         double t1, const il_step_report *report, il_error *err) {
    if (!r->spec->final_only) {
        if (il_measure_step(r->measure, t0, t1, &r->in, &r->out, report) != IL_OK) {
            return il_fail(err, IL_ENOMEM, "no memory to measure step %zu", n + 1);
        }
        il_wall_forces_step(r->wall_forces, t0, t1, report);
        for (size_t k = 0; k < record->ndistances; k++) {
            il_deviation_step(r->deviation[k], t0, t1, r->in.q, r->out.q,
                              report->between != NULL ? report->between : r->out.u);
        }
    }
    const il_drift *drift = r->measure != NULL ? il_measure_drift(r->measure) : NULL;
    il_watched now = {n + 1, t0, t1, &r->in, &r->out, report, drift};
    il_samples_step(record, r->spec->samples, r->problem, &now);
    for (size_t k = 0; k < r->spec->nobservers; k++) {
        il_status status = r->spec->observers[k].step(r->spec->observers[k].self, &now, err);
        if (status != IL_OK) {
            return status;
        }
    }
    if (trajectory != NULL && il_trajectory_watch(trajectory, &now) != IL_OK) {
        return il_fail(err, IL_ENOMEM, "no memory for the trajectory after step %zu", n + 1);
    }
    return r->spec->scheme->outside
               ? IL_OK
               : il_gap_watch_step(&r->gap_watch, r->problem, r->measure, record->steps, &now, err);
}

static bool finite_state(const il_state *state, size_t d) {
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) {
        sum += (state->q[k] - state->q[k]) + (state->u[k] - state->u[k]);
    }
    return sum == 0.0; /* x - x is NaN for NaN and for infinities */
}

/* The step after record->t again, up to the projection that did not come to an end. */
static void find_best_iterate(run *r, il_record *record) {
    il_best_iterate *best = &record->best;
    il_scheme_options options = scheme_options(r, record);
    options.certify = true;
    options.accept_stalled = true;
    options.first_stall = true; /* as dear as the step that failed, and not the rounds after it */
    options.watch.see = NULL;
    void *scheme = NULL;
    double t1 = il_run_node(record, r->divided, record->steps_done + 1);
    il_step_report report = {.rows = NULL};
    if (r->spec->scheme->create(&scheme, r->problem, &options, NULL) == IL_OK &&
        r->spec->scheme->step(scheme, record->t, t1, &r->in, &r->out, &report, NULL) == IL_OK) {
        best->step = record->steps_done + 1;
        best->t = t1;
        best->certificate = report.certificate;
        best->iterations = report.iterations;
        memcpy(best->q, r->out.q, record->d * sizeof *best->q);
        memcpy(best->u, r->out.u, record->d * sizeof *best->u);
    }
    r->spec->scheme->destroy(scheme);
}

/* What a run that goes on has to have. */
static il_run_state state_of(run *r, il_record *record, il_trajectory *trajectory) {
    return (il_run_state){.scheme = r->spec->scheme,
                          .self = r->scheme,
                          .before = &r->out,
                          .state = &r->in,
                          .d = record->d,
                          .glued = r->in.gamma != NULL ? r->problem->p : 0,
                          .record = record,
                          .measure = r->measure,
                          .walls = r->wall_forces,
                          .deviation = r->deviation,
                          .gap_watch = &r->gap_watch,
                          .trajectory = trajectory,
                          .observers = r->spec->observers,
                          .nobservers = r->spec->nobservers,
                          .keep = r->spec->keep,
                          .patience = &r->patience,
                          .seconds = r->before};
}

/* Step n from t0 to t1, in `in` and `out`, and what the measures see of it. */
static il_status make_step(run *r, il_record *record, il_trajectory *trajectory, size_t n,
                           double t1, il_error *err) {
    bool last = n + 1 == record->steps;
    double t0 = record->t;
    il_step_report report = {.rows = NULL};
    if (r->spec->keep != NULL) {
        r->spec->keep->awake = n + 1 == r->spec->keep->step;
        r->spec->keep->t = r->spec->keep->awake ? t1 : r->spec->keep->t;
    }
    il_status status = r->spec->scheme->step(r->scheme, t0, t1, &r->in, &r->out, &report, err);
    il_record_count(record, &report);
    if (status == IL_OK && r->spec->keep != NULL && r->spec->keep->status != IL_OK) {
        status = il_fail(err, r->spec->keep->status, "no memory to keep the projection");
    }
    if (status == IL_OK && !finite_state(&r->out, record->d)) {
        status =
            il_fail(err, IL_ENUMERIC, "the state is not finite after step %zu, t = %g", n + 1, t1);
    }
    if (il_interrupted()) { /* whatever else the step came to */
        status = il_fail(err, IL_EINTERRUPTED, "%s after step %zu, t = %g", il_interrupt_reason(),
                         n, t0);
    }
    if (status != IL_OK) {
        return status;
    }
    record->rows_solved += report.rows->p;
    status = observe(r, record, trajectory, n, t0, t1, &report, err);
    if (status != IL_OK) {
        return status;
    }
    status = r->spec->scheme->outside ? IL_OK
                                      : il_run_certify(r->spec, n + 1, t1, r->in.q, &report, err);
    if (status == IL_OK &&
        (r->spec->multipliers == n + 1 || (last && r->spec->multipliers == IL_STEP_LAST))) {
        status = il_multipliers_of_step(&record->multipliers, r->problem, n + 1, t1, &r->in,
                                        &r->out, &report, err);
    }
    return status;
}

/* The steps that are left. Returns the status of the run, with its message in err. */
static il_status march(run *r, il_record *record, il_trajectory *trajectory, il_error *err) {
    il_run_state state = state_of(r, record, trajectory);
    bool strides = trajectory == NULL && il_run_strides(r->spec);
    while (record->steps_done < record->steps) {
        if (strides) {
            il_run_stride(r->spec, r->scheme, record, &r->in);
        }
        size_t n = record->steps_done;
        double t0 = record->t;
        double t1 = il_run_node(record, r->divided, n + 1);
        il_status status = r->spec->scheme->node != NULL
                               ? r->spec->scheme->node(r->scheme, n + 1, &t1, err)
                               : IL_OK;
        status = status == IL_OK ? make_step(r, record, trajectory, n, t1, err) : status;
        if (status != IL_OK) {
            return status;
        }
        il_state swap = r->in;
        r->in = r->out;
        r->out = swap;
        record->steps_done = n + 1;
        record->t = t1;
        status = il_patience_step(&r->patience, n + 1, record->steps, err);
        if (status != IL_OK) {
            r->refused = true;
            return status;
        }
        if (il_patience_settled(&r->patience)) { /* what may be refused leaves nothing */
            il_checkpoint_step(r->spec->checkpoint, &state, t0);
        }
    }
    return IL_OK;
}

static void conclude(run *r, il_record *record) {
    const il_deviation_result nothing = {NAN, NAN, NAN, NAN};
    memcpy(record->q, r->in.q, record->d * sizeof *record->q);
    memcpy(record->u, r->in.u, record->d * sizeof *record->u);
    if (record->status != IL_OK) {
        il_samples_end(record);
    }
    if (!record->measured) {
        return;
    }
    record->measure = il_measure_finish(r->measure);
    il_wall_forces_finish(r->wall_forces, record->walls);
    for (size_t k = 0; k < record->ndistances; k++) {
        record->distances[k].error =
            record->status == IL_OK ? il_deviation_finish(r->deviation[k]) : nothing;
    }
    il_record_sort(record);
    il_measure_result *m = &record->measure;
    if (record->steps_done == 0) { /* nothing was projected, and no step rose */
        m->certificate = (il_certificate){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        m->energy_largest_increase = m->energy_beyond_work = NAN;
    }
    double sum = m->energy_final + m->energy_largest_increase + m->total_variation;
    for (size_t k = 0; k < record->ndistances; k++) {
        sum += record->distances[k].error.q_Linf + record->distances[k].error.u_L1;
    }
    if (record->status == IL_OK && !isfinite(sum)) {
        record->status = IL_ENUMERIC;
        (void)snprintf(record->message, sizeof record->message,
                       "an energy, a variation or an error of the run is not finite: the numbers "
                       "are too large for doubles");
    }
}

il_status il_run(const il_run_spec *spec, il_record *record, il_trajectory *trajectory,
                 il_error *err) {
    run r = {.spec = spec};
    il_error failure = {IL_OK, ""};
    bool went = false; /* on from a state that it left */
    il_status status = prepare(&r, record, err);
    if (status == IL_OK) {
        r.norms = il_run_norms(spec, record);
        trajectory = trajectory == NULL && r.norms != 0 ? &r.kept : trajectory;
    }
    if (status == IL_OK && trajectory != NULL) {
        status = il_trajectory_init(trajectory, record->d, record->steps + 1, err);
    }
    if (status == IL_OK && trajectory != NULL) {
        (void)il_trajectory_add(trajectory, 0.0, r.in.q, r.in.u);
    }
    if (status != IL_OK) {
        goto done;
    }
    il_run_plan_seed(spec, record);
    for (size_t k = 0; k < spec->nsamples; k++) {
        il_samples_take(record, k, spec->samples[k], r.in.q, r.in.u); /* right if it is 0 */
    }
    il_run_state state = state_of(&r, record, trajectory);
    status = il_checkpoint_load(spec->checkpoint, &state, &went, err);
    if (status != IL_OK) {
        goto done;
    }
    r.before = record->seconds;
    il_patience_begin(&r.patience, spec->patience, record->steps_done);
    record->status = il_told(&failure, march(&r, record, trajectory, &failure));
    record->seconds = r.before + il_patience_passed(&r.patience);
    if (r.refused) {
        status = il_fail(err, record->status, "%s", failure.message);
        goto done;
    }
    if (record->status == IL_ESTALLED && record->stalled > 0 && !spec->accept_stalled) {
        find_best_iterate(&r, record);
    }
    memcpy(record->message, record->status == IL_OK ? r.gap_watch.kink : failure.message,
           sizeof record->message);
    if (record->status == IL_OK && r.norms != 0) {
        status = il_run_compare(spec, r.problem, r.known, r.norms, trajectory, record, err);
    }
    conclude(&r, record);
done:
    release(&r, record);
    return il_told(err, status);
}

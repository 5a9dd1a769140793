/*
 * run.c - makes a run: validated specification -> steps -> measures -> record.
 *
 *     prepare: problem, projector and scheme; plan of the steps; measures and observers
 *     march (march.c)
 *     after a stall: repeat the failed step, for the projector's best iterate
 *     compare with the references as a whole, and finish the record
 *
 * After the last step `in` is the last complete state, at t_steps_done: a failed step leaves it
 * unchanged.
 */
#include "harness/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/data/bodies.h"
#include "harness/run/registry.h"
#include "harness/run/work.h"

static void release(il_march *r) {
    if (r->scheme != NULL) {
        r->spec->scheme->destroy(r->scheme);
    }
    il_measure_destroy(r->measure);
    if (r->events != NULL) {
        il_event_driven_destroy(r->events);
    }
    il_wall_forces_destroy(r->walls);
    for (size_t k = 0; r->deviation != NULL && k < r->record->ndistances; k++) {
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

/* ---- what a run needs ----------------------------------------------------------------------- */

static void prepare_walls(il_march *r) {
    r->walls = il_wall_forces_create(r->problem);
    if (r->walls != NULL) {
        r->record->walls = il_alloc_zero(r->problem->nwalls, sizeof *r->record->walls);
        r->record->nwalls = r->problem->nwalls;
    }
}

/* The solutions to compare with, r->known[*n]: the one given, the event-driven one, or all that are
 * known. */
static il_status find_references(il_march *r, size_t *n, il_error *err) {
    const il_run_spec *spec = r->spec;
    r->known = spec->reference != NULL ? spec->reference : r->problem->exact;
    *n = spec->reference == NULL ? r->problem->nexact
         : spec->nreferences > 0 ? spec->nreferences
                                 : 1;
    if (!spec->event_driven) {
        return IL_OK;
    }
    /* not the run's own projector, which may be iterative with a loose tolerance */
    il_status status =
        il_event_driven_create(&r->events, r->problem, il_projector_type_default(), err);
    if (status == IL_OK) {
        r->known = il_event_driven_exact(r->events);
        *n = 1;
    }
    return status;
}

static il_status prepare_measures(il_march *r, il_error *err) {
    const il_problem *problem = r->problem;
    il_record *record = r->record;
    size_t n = 0;
    il_status status = find_references(r, &n, err);
    if (status != IL_OK) {
        return status;
    }
    record->measured = true;
    record->no_reference = n > 0 ? NULL
                           : problem->no_exact != NULL
                               ? problem->no_exact
                               : "no exact solution of this problem is known here";
    record->distances = il_alloc_zero(n, sizeof *record->distances);
    r->deviation = il_alloc_zero(n, sizeof(il_deviation *));
    for (size_t k = 0; r->known != NULL && k < n; k++) {
        record->distances[k] = (il_distance){
            .name = r->known[k].name, .origin = r->known[k].origin, .norms = il_norms_none()};
        record->ndistances = k + 1;
        r->deviation[k] = il_deviation_create(&r->known[k], problem->d);
    }
    r->measure = il_measure_create(problem, r->in.u);
    if (r->spec->nodes_only) {
        il_measure_nodes_only(r->measure);
    }
    prepare_walls(r);
    return IL_OK;
}

/* Two states; the first is the start. For order 1 its velocity is the drift. */
static void start(il_march *r) {
    const il_problem *problem = r->problem;
    const il_run_spec *spec = r->spec;
    size_t d = problem->d;
    r->glued = problem->gamma0 != NULL ? problem->p : 0;
    size_t carried = spec->scheme->carries != NULL ? spec->scheme->carries(problem) : 0;
    r->buffer = il_alloc(4 * d + 2 * r->glued + 2 * carried, sizeof *r->buffer);
    r->in = (il_state){.q = r->buffer, .u = r->buffer + d, .contacts = &r->contacts[0]};
    r->out =
        (il_state){.q = r->buffer + 2 * d, .u = r->buffer + 3 * d, .contacts = &r->contacts[1]};
    if (r->glued > 0) {
        r->in.gamma = r->buffer + 4 * d;
        r->out.gamma = r->in.gamma + r->glued;
        memcpy(r->in.gamma, problem->gamma0, r->glued * sizeof *r->in.gamma);
    }
    if (carried > 0) {
        r->in.carried = r->buffer + 4 * d + 2 * r->glued;
        r->out.carried = r->in.carried + carried;
        for (size_t k = 0; k < carried; k++) {
            r->in.carried[k] = NAN;
        }
    }
    memcpy(r->in.q, spec->q0 != NULL ? spec->q0 : problem->q0, d * sizeof *r->in.q);
    memcpy(r->in.u, spec->q0 != NULL ? spec->u0 : problem->u0, d * sizeof *r->in.u);
    if (problem->order == 1 && problem->type->force != NULL && spec->q0 == NULL) {
        problem->type->force(problem, 0.0, problem->q0, r->in.u);
    }
}

static il_status begin_observers(il_march *r, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < r->spec->nobservers; k++) {
        const il_observer *o = &r->spec->observers[k];
        status = o->begin(o->self, r->problem, r->record->steps, &r->in, err);
    }
    return status;
}

static il_scheme_options scheme_options(const il_march *r) {
    const il_run_spec *spec = r->spec;
    const il_record *record = r->record;
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
                                 .accept_stalled = spec->accept_stalled};
    if (spec->keep != NULL) {
        options.watch = il_step_problem_watch(spec->keep);
    }
    options.projection.team = r->team;
    return options;
}

static il_status allocate_record(il_march *r, il_error *err) {
    const il_run_spec *spec = r->spec;
    size_t bodies = spec->loads ? il_bodies_count(r->problem) : 0;
    if (spec->loads && bodies == 0) {
        return il_fail(err, IL_EUNSUPPORTED, "loads are asked for, but '%s' has no bodies in space",
                       spec->problem->name);
    }
    il_record_allocate(r->record, spec->nsamples, bodies);
    return IL_OK;
}

/* Create what a run needs, after all its options have been checked. */
static il_status assemble(il_march *r, il_error *err) {
    const il_run_spec *spec = r->spec;
    r->record->order = (size_t)r->problem->order;
    r->record->d = r->problem->d;
    r->record->problem_horizon = r->problem->horizon;
    il_status status = allocate_record(r, err);
    if (status != IL_OK) {
        return status;
    }
    start(r);
    il_gap_watch_init(&r->gap_watch, r->problem);
    if (!spec->final_only) {
        status = prepare_measures(r, err);
    }
    if (status == IL_OK) {
        status = il_team_create(&r->team, spec->threads > 0 ? spec->threads : 1, err);
    }
    r->problem->team = r->team;
    il_scheme_options options = scheme_options(r);
    if (status == IL_OK) {
        status = spec->scheme->create(&r->scheme, r->problem, &options, err);
    }
    return status == IL_OK ? begin_observers(r, err) : status;
}

/* IL_NORM_AUTO: runs of this many numbers, with references no larger, are compared as a whole
 * unasked. */
enum { SMALL = 65536 };

/* The norms that need the whole run, as bits: those asked for, or, for IL_NORM_AUTO, all if the run
 * is small. */
static unsigned choose_norms(const il_run_spec *spec, const il_record *record) {
    if (record->ndistances == 0) {
        return 0;
    }
    if ((spec->norms & IL_NORM_AUTO) != 0) {
        size_t other = spec->reference_run != NULL ? spec->reference_run->nodes : 0;
        size_t steps = record->steps > other ? record->steps : other;
        return steps <= SMALL / record->d ? il_norm_all() : IL_NORM_NONE;
    }
    return spec->norms;
}

static il_status keep_nodes(il_march *r, il_error *err) {
    r->norms = choose_norms(r->spec, r->record);
    r->trajectory = r->trajectory == NULL && r->norms != 0 ? &r->kept : r->trajectory;
    if (r->trajectory == NULL) {
        return IL_OK;
    }
    il_status status = il_trajectory_init(r->trajectory, r->record->d, r->record->steps + 1, err);
    if (status == IL_OK) {
        (void)il_trajectory_add(r->trajectory, 0.0, r->in.q, r->in.u);
    }
    return status;
}

static il_status prepare(il_march *r, il_error *err) {
    const il_run_spec *spec = r->spec;
    il_record *record = r->record;
    *record =
        (il_record){.problem = spec->problem->name,
                    .scheme = spec->scheme_name != NULL ? spec->scheme_name : spec->scheme->name,
                    .projector = spec->projector->name,
                    .params = spec->params,
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
    if (status == IL_OK) {
        status = assemble(r, err);
    }
    return status == IL_OK ? keep_nodes(r, err) : status;
}

/* ---- after the steps ------------------------------------------------------------------------ */

/* The step after record->t once more, up to the projection that did not converge. */
static void find_best_iterate(il_march *r) {
    il_record *record = r->record;
    il_best_iterate *best = &record->best;
    il_scheme_options options = scheme_options(r);
    options.accept_stalled = true;
    options.first_stall = true; /* costs no more than the failed step: no further rounds */
    options.watch.see = NULL;
    void *scheme = NULL;
    double t1 = il_march_node(r, record->steps_done + 1);
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

/* The norms of the whole run against every reference. What they need of the run alone is made
 * once; what they need of a reference, once for all runs that are given the same il_norm_kept. */
static il_status compare(il_march *r, il_error *err) {
    il_norm_run kept = {.graphed = false};
    il_norm_kept *known = r->spec->known;
    size_t nodes = r->trajectory != NULL ? r->trajectory->nodes : 0;
    il_status status = IL_OK;
    if (known != NULL && nodes > 0) {
        il_norm_kept_open(known, r->trajectory->t[nodes - 1], r->record->ndistances);
    }
    for (size_t k = 0; status == IL_OK && k < r->record->ndistances; k++) {
        il_norms_query query = {.problem = r->problem,
                                .projector = r->spec->projector,
                                .run = r->trajectory,
                                .reference = &r->known[k],
                                .reference_run = r->spec->reference_run,
                                .kept = &kept,
                                .known = known != NULL && known->n > k ? &known->of[k] : NULL};
        status = il_norms_compute(&r->record->distances[k].norms, &query, r->norms, err);
    }
    il_norm_run_free(&kept);
    return status;
}

static void conclude(il_march *r) {
    const il_deviation_result nothing = {NAN, NAN, NAN, NAN};
    il_record *record = r->record;
    memcpy(record->q, r->in.q, record->d * sizeof *record->q);
    memcpy(record->u, r->in.u, record->d * sizeof *record->u);
    if (record->status != IL_OK) {
        il_samples_end(record);
    }
    if (!record->measured) {
        return;
    }
    record->measure = il_measure_finish(r->measure);
    il_wall_forces_finish(r->walls, record->walls);
    for (size_t k = 0; k < record->ndistances; k++) {
        record->distances[k].error =
            record->status == IL_OK ? il_deviation_finish(r->deviation[k]) : nothing;
    }
    il_record_sort(record);
    il_measure_result *m = &record->measure;
    if (record->steps_done == 0) { /* nothing was projected, and no step rose */
        m->certificate = (il_certificate){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        m->energy_largest_increase = NAN;
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
    if (record->order != 2) { /* a drift carries none */
        m->energy_initial = m->energy_final = m->energy_largest_increase = NAN;
    }
}

/* Make the steps and finish the record. */
static il_status go(il_march *r, il_error *err) {
    il_record *record = r->record;
    il_error failure = {IL_OK, ""};
    record->status = il_fail_with(&failure, il_march_go(r, &failure));
    record->seconds = il_clock_seconds() - r->began;
    if (r->refused) {
        return il_fail(err, record->status, "%s", failure.message);
    }
    const il_scheme_type *scheme = r->spec->scheme;
    if (record->status == IL_OK && scheme->finish != NULL) {
        record->status = il_fail_with(&failure, scheme->finish(r->scheme, &failure));
    }
    if (scheme->account != NULL) {
        record->program = scheme->account(r->scheme);
    }
    if (record->status == IL_ESTALLED && record->stalled > 0 && !r->spec->accept_stalled) {
        find_best_iterate(r);
    }
    memcpy(record->message, record->status == IL_OK ? r->gap_watch.kink : failure.message,
           sizeof record->message);
    il_status status = IL_OK;
    if (record->status == IL_OK && r->norms != 0) {
        status = compare(r, err);
    }
    conclude(r);
    return status;
}

il_status il_run(const il_run_spec *spec, il_record *record, il_trajectory *trajectory,
                 il_error *err) {
    il_march r = {.spec = spec, .record = record, .trajectory = trajectory};
    il_status status = prepare(&r, err);
    if (status == IL_OK) {
        il_run_plan_seed(spec, record);
        for (size_t k = 0; k < spec->nsamples; k++) {
            il_samples_take(record, k, spec->samples[k], r.in.q, r.in.u); /* right if it is 0 */
        }
    }
    if (status == IL_OK) {
        status = go(&r, err);
    }
    release(&r);
    return il_fail_with(err, status);
}

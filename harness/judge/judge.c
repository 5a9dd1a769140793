/*
 * judge.c - measures samples and makes their record.
 */
#include "harness/judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/judge/ballistic.h"
#include "harness/run/case.h"
#include "harness/run/record.h"
#include "harness/run/run.h"

json_t *il_faults_json(const il_faults *faults) {
    json_t *list = faults->whole ? json_array() : json_null();
    for (size_t k = 0; faults->whole && k < faults->n; k++) {
        json_t *one = json_object();
        il_json_put_text(one, "name", faults->list[k].name);
        il_json_put_text(one, "text", faults->list[k].text);
        il_json_append(list, one);
    }
    return list;
}

static json_t *judged_json(const il_judge_query *query, const il_judgement *j) {
    const il_residuals *f = &j->residuals;
    json_t *object = json_object();
    il_json_put_text(object, "file", query->path);
    il_json_put_text(object, "between", il_between_name(query->between));
    il_json_set(object, "impulses", json_string(j->impulses ? "given" : "least residual"));
    il_json_set(object, "velocities", json_string(query->half ? "half" : "whole"));
    il_json_put(object, "resolution", j->resolution);
    il_json_set(object, "residual",
                json_pack("{s:o, s:I, s:o, s:o}", "largest", il_json_number(f->largest), "step",
                          (json_int_t)f->step, "sum", il_json_number(f->sum), "largest_speed",
                          il_json_number(f->speed)));
    il_json_set(object, "complementarity",
                json_pack("{s:o, s:o, s:I}", "least_impulse", il_json_number(f->pull),
                          "largest_gap", il_json_number(f->open), "step",
                          (json_int_t)f->open_step));
    il_json_set(object, "restitution",
                json_pack("{s:I, s:o, s:o}", "impacts", (json_int_t)j->faults.impacts, "low",
                          il_json_number(j->faults.impacts > 0 ? j->faults.e_low : NAN), "high",
                          il_json_number(j->faults.impacts > 0 ? j->faults.e_high : NAN)));
    if (f->residuals != NULL) {
        json_t *series = json_object();
        il_json_set(series, "residual", il_json_numbers(f->residuals, j->record.steps));
        il_json_set(series, "largest_gap", il_json_numbers(f->opens, j->record.steps));
        il_json_set(object, "series", series);
    }
    il_json_set(object, "findings", il_faults_json(&j->faults));
    return object;
}

static void make_json(const il_judge_query *query, const il_scheme_choice *scheme,
                      il_judgement *out) {
    const il_case c = {.problem = query->problem, .scheme = scheme, .steps = out->record.steps};
    out->json = il_record_json(&out->record);
    il_json_set(out->json, "judged", judged_json(query, out));
    il_json_set(out->json, "provenance", il_provenance_json(&c, out->record.seconds));
}

/* Run the samples through all measures. */
static il_status replay_all(const il_judge_query *query, il_replay *replay, il_problem *problem,
                            const il_ballistic *flight, il_judgement *out, il_error *err) {
    const il_track *track = replay->track;
    const il_trajectory *run = &track->run;
    bool own = fabs(track->end - problem->horizon) <= 1e-9 * problem->horizon;
    il_run_spec spec = {.problem = query->problem->type,
                        .params = out->params,
                        .scheme = &replay->type,
                        .projector = il_projector_type_default(),
                        .steps = run->nodes - 1,
                        .horizon = own ? query->horizon : track->end,
                        .event_driven = query->event_driven,
                        .reference = flight->n > 0 ? flight->seen : NULL,
                        .nreferences = flight->n,
                        .q0 = run->q,
                        .u0 = track->has_u ? run->u : problem->u0,
                        .norms = query->norms};
    il_status status = il_run(&spec, &out->record, NULL, err);
    out->residuals = replay->found;
    return status;
}

static void make_series(il_replay *replay, size_t n) {
    replay->found.residuals = il_alloc_zero(n, sizeof *replay->found.residuals);
    replay->found.opens = il_alloc_zero(n, sizeof *replay->found.opens);
}

/* A dense track is looked at in its pieces, between whose ends bodies fly, if all of them are
 * parabolas: a contact that lasts on a curved wall, or a force that varies, is no flight. */
static il_status find_faults(const il_judge_query *query, const il_problem *problem,
                             const il_track *track, il_progress *progress, il_faults *out,
                             il_error *err) {
    if (!track->dense) {
        return il_faults_find(out, problem, track, query->between, progress, err);
    }
    if (!il_track_flies(track)) {
        return IL_OK; /* out->whole is false */
    }
    il_track pieces = {.has_u = true};
    il_status status = il_track_of_pieces(&pieces, track, err);
    if (status == IL_OK) {
        status = il_faults_find(out, problem, &pieces, IL_BETWEEN_BALLISTIC, progress, err);
    }
    il_track_close(&pieces);
    return status;
}

il_status il_judge(const il_judge_query *query, il_judgement *out, il_error *err) {
    il_track track = {.has_u = false};
    il_problem *problem = NULL;
    il_ballistic flight = {.n = 0};
    il_replay replay = {.track = NULL};
    il_progress progress;
    const il_case c = {.problem = query->problem, .horizon = query->horizon};
    const char *name = query->name != NULL ? query->name : query->path;
    memset(out, 0, sizeof *out);
    il_progress_begin(&progress, query->progress, name);
    track.dense = query->between == IL_BETWEEN_DENSE;
    il_status status = il_case_problem(&c, &out->params, &problem, err);
    if (status == IL_OK) {
        status =
            query->given != NULL
                ? il_track_of(&track, query->given, problem->d, problem->p, err)
                : il_track_open(&track, query->path, query->mapping, problem->d, problem->p, err);
    }
    if (status == IL_OK && query->between == IL_BETWEEN_BALLISTIC) {
        il_ballistic_init(&flight, problem, &track.run);
    }
    if (status == IL_OK) {
        out->impulses = track.has_impulses;
        out->resolution = track.resolution;
        out->digits = track.digits;
        track.half = query->half;
        il_replay_init(&replay, name, &track, query->between);
        replay.progress = &progress;
        if (query->series) {
            make_series(&replay, track.run.nodes);
        }
    }
    if (status == IL_OK) {
        status = replay_all(query, &replay, problem, &flight, out, err);
    }
    if (status == IL_OK && out->record.status != IL_OK) {
        status = il_fail(err, out->record.status, "%s", out->record.message);
    }
    if (status == IL_OK) {
        status = find_faults(query, problem, &track, &progress, &out->faults, err);
    }
    il_progress_clear(&progress);
    if (status == IL_OK) {
        const il_scheme_choice scheme = {.name = name, .type = &replay.type};
        make_json(query, &scheme, out);
    }
    il_ballistic_free(&flight);
    free(replay.found.residuals);
    free(replay.found.opens);
    out->residuals.residuals = out->residuals.opens = NULL;
    il_track_close(&track);
    il_problem_destroy(problem);
    return status;
}

void il_judgement_free(il_judgement *judgement) {
    json_decref(judgement->json);
    il_record_free(&judgement->record);
    il_params_destroy(judgement->params);
}

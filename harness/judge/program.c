/*
 * program.c - the nodes of a run as samples, looked at for faults.
 */
#include "harness/judge/program.h"

#include <string.h>

#include "harness/base/json.h"
#include "harness/judge/judge.h"

/* Numbers of a run that are looked at unasked. */
enum { NUMBERS_MAX = 65536 };

/* As samples, with the impulses that the program gave. */
static il_status take(il_track *track, const il_trajectory *run, const json_t *program, size_t p,
                      il_error *err) {
    const il_samples_given given = {
        .nodes = run->nodes, .d = run->d, .t = run->t, .q = run->q, .u = run->u};
    il_status status = il_track_of(track, &given, run->d, p, err);
    track->has_impulses = strcmp(il_json_get_text(program, "impulses"), "given") == 0;
    for (size_t k = 0; status == IL_OK && track->has_impulses && k < run->ncontacts; k++) {
        il_trajectory_add_contact(&track->run, run->contacts[k]);
    }
    return status;
}

static il_between meaning(const char *word) {
    il_between means = IL_BETWEEN_AFFINE;
    while (means + 1 < IL_BETWEEN_MEANINGS && strcmp(word, il_between_name(means)) != 0) {
        means++;
    }
    return means;
}

il_status il_judge_program(const il_case *c, const il_trajectory *run, json_t *record,
                           il_error *err) {
    il_faults faults = {.whole = false};
    il_track track = {.has_u = false};
    il_params *params = NULL;
    il_problem *problem = NULL;
    json_t *program = json_object_get(record, "program");
    size_t numbers = (run->nodes - 1) * run->d;
    const il_track whole = {.run = *run};
    if (numbers > NUMBERS_MAX || !il_track_flies(&whole)) {
        il_json_set(program, "findings", json_null());
        return IL_OK;
    }
    bool dense = run->pieces.n > 0; /* between the ends of pieces bodies fly */
    il_track pieces = {.has_u = false};
    il_status status = il_case_problem(c, &params, &problem, err);
    if (status == IL_OK && dense) {
        status = il_track_of_pieces(&pieces, &whole, err);
        run = &pieces.run;
    }
    if (status == IL_OK) {
        status = take(&track, run, program, problem->p, err);
    }
    if (status == IL_OK) {
        track.has_impulses = track.has_impulses && !dense;
        status = il_faults_find(&faults, problem, &track,
                                dense ? IL_BETWEEN_BALLISTIC
                                      : meaning(il_json_get_text(program, "between")),
                                NULL, err);
    }
    if (status == IL_OK) {
        il_json_set(program, "findings", il_faults_json(&faults));
    }
    il_track_close(&track);
    il_track_close(&pieces);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

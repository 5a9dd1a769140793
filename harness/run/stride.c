/*
 * stride.c - the scheme's own loop over steps, between those that somebody looks at: every
 * OFTEN-th, for signals, the clock and whoever is content with some, and those that the watch of
 * gaps looks at.
 */
#include "harness/run/stride.h"

#include "harness/run/checkpoint.h"
#include "harness/run/gap_watch.h"

enum { OFTEN = 1024 };

bool il_run_strides(const il_run_spec *spec) {
    for (size_t k = 0; k < spec->nobservers; k++) {
        if (!spec->observers[k].content) {
            return false;
        }
    }
    bool one_step = spec->multipliers != 0 && spec->multipliers != IL_STEP_LAST;
    return spec->scheme->stride != NULL && spec->final_only && spec->nsamples == 0 &&
           spec->keep == NULL && !one_step;
}

void il_run_stride(const il_run_spec *spec, void *scheme, il_record *record, il_state *state) {
    size_t from = record->steps_done;
    size_t to = il_gap_watch_next(from, record->steps) - 1;
    size_t left = spec->checkpoint != NULL ? spec->checkpoint->at : 0; /* a state after this step */
    to = to < from + OFTEN ? to : from + OFTEN;
    to = left > from && left <= to ? left - 1 : to;
    il_stride made = {0, 0, 0};
    size_t reached =
        from < to ? spec->scheme->stride(scheme, from, to, record->h, state, &made) : from;
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

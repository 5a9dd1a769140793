/*
 * sweep_reference.c - references by their cases.
 */
#include "harness/lua/sweep/sweep_reference.h"

#include "harness/run/references.h"

il_case il_sweep_reference_case(const il_sweep *s, size_t i, size_t steps) {
    il_case c = s->common;
    c.problem = &s->problems[i];
    if (s->variants != NULL) {
        c.problem = &s->variants[i].plain;
        c.has_seed = s->variants[i].has_seed;
        c.seed = s->variants[i].seed;
    }
    c.scheme = s->reference_scheme;
    c.steps = steps;
    c.nsamples = 0;
    return c;
}

il_case il_sweep_main_case(const il_sweep *s, size_t i) {
    il_case c = il_sweep_reference_case(s, i, s->reference_steps);
    c.final_only = true;
    return c;
}

il_case il_sweep_half_case(const il_sweep *s, size_t i) {
    il_case c = il_sweep_reference_case(s, i, s->reference_steps / 2);
    c.reference_key = s->reference_name;
    c.final_only = false;
    return c;
}

il_case il_sweep_events_case(const il_sweep *s, size_t i) {
    return il_sweep_case(s, i * s->nschemes * s->nsizes);
}

il_status il_sweep_reference_key(const il_sweep *s, size_t i, char **key, il_error *err) {
    bool events = s->reference == IL_REFERENCE_EVENTS;
    il_case c = events ? il_sweep_events_case(s, i) : il_sweep_main_case(s, i);
    return events ? il_reference_key(&c, key, err) : il_case_key(&c, key, err);
}

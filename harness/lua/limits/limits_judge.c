/*
 * limits_judge.c - the clusters of sweep:limits before the problem's exact motion
 * (harness/study/limits/limits_motion.h): what the stored records say of each run's end.
 */
#include "harness/base/text.h"
#include "harness/lua/limits/limits.h"
#include "harness/lua/limits/orbits.h"
#include "harness/study/limits/limits_motion.h"

void il_lua_limits_judge(lua_State *L, il_lua_limits *w, il_limits *limits) {
    il_case c = il_sweep_case(w->sweep, w->cases[0]);
    w->orbits = il_lua_orbits_of(L, w->arena, "sweep:limits", &c);
    if (w->orbits == NULL) {
        il_text_append(limits->evidence, sizeof limits->evidence,
                       "; by clusters of runs alone, which may be on their way still");
        return;
    }
    double *z = il_lua_take(L, w->arena, w->orbits->dim, sizeof *z, NULL);
    il_limits_end *ends = il_lua_take(L, w->arena, w->n, sizeof *ends, NULL);
    il_error err = {IL_OK, ""};
    double T = w->orbits->problem->horizon;
    size_t d = w->orbits->dim / 2;
    for (size_t i = 0; i < w->n; i++) {
        const json_t *final = json_object_get(w->records[i], "final");
        for (size_t k = 0; k < d; k++) {
            z[k] = json_number_value(json_array_get(json_object_get(final, "q"), k));
            z[d + k] = json_number_value(json_array_get(json_object_get(final, "u"), k));
        }
        double t = json_number_value(json_object_get(final, "t"));
        ends[i] = il_limits_end_of(w->orbits, T, w->steps[i].h, t, z, z + d);
    }
    il_lua_expect(L, "sweep:limits", il_limits_judge(limits, w->steps, w->orbits, ends, &err),
                  &err);
}

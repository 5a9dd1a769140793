/*
 * sweep_axes.c - axes of a sweep beside problems, schemes and sizes.
 *
 *     lab.sweep{projectors = {"newton", "uzawa"}, tols = {1e-6, 1e-9}, seeds = {1, 2, 3}, ...}
 *
 * Each problem with each projector, tolerance and seed, the last fastest, counts as a problem of
 * its own from there on: it has a label ("pile(N=20), newton, tol=1e-06, seed=3"), its own curves,
 * orders and rows of tables. A reference of the sweep's own is made by the projector and the
 * tolerance of the sweep, once for each problem and seed.
 */
#include <lauxlib.h>
#include <stdio.h>

#include "harness/base/text.h"
#include "harness/lua/sweep/sweep.h"

typedef struct {
    const char **projectors; /* [nprojectors] or NULL */
    const double *tols;      /* [ntols] or NULL */
    const double *seeds;     /* [nseeds] or NULL */
    size_t nprojectors, ntols, nseeds;
} axes;

static axes read(const il_fields *f) {
    static const char *const alone[] = {"projector", "tol", "seed"};
    static const char *const many[] = {"projectors", "tols", "seeds"};
    axes a = {.nprojectors = 0};
    a.projectors = il_fields_texts(f, "projectors", &a.nprojectors);
    a.tols = il_sweep_numbers(f, "tols", false, 0.0, &a.ntols);
    a.seeds = il_sweep_numbers(f, "seeds", true, 0.0, &a.nseeds);
    const size_t n[] = {a.nprojectors, a.ntols, a.nseeds};
    for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
        if (il_fields_push(f, alone[k]) && n[k] > 0) {
            il_fields_refuse(f, alone[k], -1,
                             il_lua_print(f->L, f->arena, "nothing beside %s", many[k]));
        }
        lua_pop(f->L, 1);
    }
    return a;
}

/* One of each axis, into the variant and its label. */
static void vary(const il_fields *f, const il_sweep *s, const axes *a, size_t k, il_variant *v,
                 char *label, size_t capacity) {
    il_error err = {IL_OK, ""};
    size_t nseeds = a->nseeds > 0 ? a->nseeds : 1;
    size_t ntols = a->ntols > 0 ? a->ntols : 1;
    *v = (il_variant){.projector = s->common.projector,
                      .tolerance = s->common.projection.tolerance,
                      .has_seed = s->common.has_seed,
                      .seed = s->common.seed};
    if (a->nprojectors > 0) {
        const char *name = a->projectors[k / nseeds / ntols];
        il_lua_expect(f->L, f->call,
                      il_substitute_projector(s->common.substitutes, name, &v->projector, &err),
                      &err);
        il_text_append(label, capacity, ", %s", name);
    }
    if (a->ntols > 0) {
        v->tolerance = a->tols[k / nseeds % ntols];
        il_text_append(label, capacity, ", tol=%.6g", v->tolerance);
    }
    if (a->nseeds > 0) {
        v->has_seed = true;
        v->seed = (size_t)a->seeds[k % nseeds];
        il_text_append(label, capacity, ", seed=%zu", v->seed);
    }
}

void il_sweep_read_axes(const il_fields *f, il_sweep *s) {
    axes a = read(f);
    size_t nseeds = a.nseeds > 0 ? a.nseeds : 1;
    size_t each = (a.nprojectors > 0 ? a.nprojectors : 1) * (a.ntols > 0 ? a.ntols : 1) * nseeds;
    if (a.nprojectors + a.ntols + a.nseeds == 0) {
        return;
    }
    size_t n = s->nproblems * each;
    il_choice *problems = il_lua_take(f->L, f->arena, n, sizeof *problems, NULL);
    il_variant *variants = il_lua_take(f->L, f->arena, n, sizeof *variants, NULL);
    for (size_t i = 0; i < n; i++) {
        const il_choice *base = &s->problems[i / each];
        char label[400];
        if (a.nseeds > 0 && !il_problem_draws(base->type)) {
            lua_pushnumber(f->L, a.seeds[0]);
            il_fields_refuse(
                f, "seeds[1]", -1,
                il_lua_print(f->L, f->arena, "nothing: %s draws no numbers", base->label));
        }
        (void)snprintf(label, sizeof label, "%.200s", base->label);
        vary(f, s, &a, i % each, &variants[i], label, sizeof label);
        variants[i].plain = *base;
        if (a.nseeds > 0) {
            variants[i].plain.label =
                il_lua_print(f->L, f->arena, "%s, seed=%zu", base->label, variants[i].seed);
        }
        variants[i].reference = i / each * each + i % nseeds;
        problems[i] = *base;
        problems[i].label = il_lua_copy(f->L, f->arena, label);
    }
    s->nproblems = n;
    s->problems = problems;
    s->variants = variants;
}

size_t il_sweep_reference_of(const il_sweep *s, size_t problem) {
    return s->variants != NULL ? s->variants[problem].reference : problem;
}

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

static void refuse_both(const il_fields *f, const char *one, const char *many) {
    if (il_fields_push(f, one)) {
        il_fields_refuse(f, one, -1, il_lua_print(f->L, f->arena, "nothing beside %s", many));
    }
    lua_pop(f->L, 1);
}

static void check_number(const il_fields *f, const char *key, const double *x, size_t k, bool right,
                         const char *allowed) {
    for (size_t i = 0; right && i < k; i++) {
        if (x[i] == x[k]) {
            right = false;
            allowed = "each once";
        }
    }
    if (!right) {
        lua_pushnumber(f->L, x[k]);
        il_fields_refuse(f, il_lua_print(f->L, f->arena, "%s[%zu]", key, k + 1), -1, allowed);
    }
}

static axes read(const il_fields *f) {
    axes a = {.nprojectors = 0};
    a.projectors =
        il_fields_push(f, "projectors") ? il_fields_texts(f, "projectors", &a.nprojectors) : NULL;
    lua_pop(f->L, 1);
    a.tols = il_fields_numbers(f, "tols", true, &a.ntols);
    a.seeds = il_fields_numbers(f, "seeds", true, &a.nseeds);
    if (a.nprojectors > 0) {
        refuse_both(f, "projector", "projectors");
    }
    if (a.ntols > 0) {
        refuse_both(f, "tol", "tols");
    }
    if (a.nseeds > 0) {
        refuse_both(f, "seed", "seeds");
    }
    for (size_t k = 0; k < a.ntols; k++) {
        check_number(f, "tols", a.tols, k, a.tols[k] > 0.0, "a number > 0");
    }
    for (size_t k = 0; k < a.nseeds; k++) {
        bool whole =
            a.seeds[k] >= 0.0 && a.seeds[k] < 0x1p53 && a.seeds[k] == (double)(size_t)a.seeds[k];
        check_number(f, "seeds", a.seeds, k, whole, "an integer >= 0");
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

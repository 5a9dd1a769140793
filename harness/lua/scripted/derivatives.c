/*
 * derivatives.c - derivatives of the constraints of a problem written in Lua: given ones are
 * compared with differences, at declaration and where a constraint first becomes active; those left
 * out are made by differences.
 *
 * A script that leaves out dt has constraints that stand still, as a rule: whether they do is found
 * at declaration, and only those that move cost differences in time later.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/lua/scripted/parts.h"

/* Forget an error of the script while differences are made; lack of memory in Lua stays noted. */
static bool ignore_failure(il_scripted *w, bool done) {
    if (!done && w->failure.code == IL_ESCRIPT) {
        w->failure = (il_error){IL_OK, ""};
    }
    return done;
}

/* g(t,q) into g[p]: an error of the function is ignored, since points of differences may lie
 * outside its domain. */
// NOLINTNEXTLINE(readability-non-const-parameter): as il_derivatives_query has it
static bool values_at(const il_problem *problem, double t, const double *q, double *g) {
    const il_lua_instance *s = problem->data;
    il_scripted *w = s->w;
    il_lua_request r = {.w = w, .what = IL_LUA_CONSTRAINTS, .t0 = t, .q = q, .values = g};
    if (w->affine != NULL) {
        il_scripted_affine_values(w, t, q, g);
        return true;
    }
    return w->failure.code == IL_OK && ignore_failure(w, il_scripted_ask(&r));
}

/* All rows, in the same way. */
static bool rows_at(const il_problem *problem, double t, const double *q, il_rows *rows) {
    const il_lua_instance *s = problem->data;
    il_scripted *w = s->w;
    bool fine = w->failure.code == IL_OK;
    return fine && ignore_failure(w, w->type.scan(problem, t, q, q, INFINITY, rows) == IL_OK);
}

static il_derivatives_work *work_of(il_lua_instance *s) {
    if (s->work == NULL) {
        il_derivatives_query query = {
            .problem = s->self, .values = values_at, .rows = rows_at, .made = s->w->made};
        s->work = il_derivatives_create(&query);
    }
    return s->work;
}

/* ---- making --------------------------------------------------------------------------------- */

/* Is derivative `what` of constraint i to be filled in? */
static bool lacks(const il_lua_instance *s, size_t i, unsigned what) {
    return i < s->missing_room && (s->missing[i] & s->w->made[i] & what) != 0;
}

static il_status refuse(il_scripted *w, size_t i, const char *what, double t) {
    return il_fail(&w->failure, IL_ESCRIPT,
                   "problem '%.60s': %s of constraint %zu is left out and cannot be made by "
                   "differences at t = %g: give it",
                   w->type.name, what, i + 1, t);
}

/* Derivatives by coordinate k, or by t, into the current rows. */
static il_status fill(il_lua_instance *s, il_derivatives_work *work, double t, const double *q,
                      size_t k, double *D) {
    il_scripted *w = s->w;
    bool rate = k == IL_COMPONENT_RATE;
    double *error = D + w->p;
    il_derivatives_make(work, t, q, k, D, error);
    for (size_t i = 0; i < w->p; i++) {
        if (!lacks(s, i, rate ? IL_MADE_RATE : IL_MADE_GRADIENT)) {
            continue;
        }
        if (!isfinite(D[i])) {
            return refuse(w, i, rate ? "dt" : "grad", t);
        }
        *(rate ? &s->rows.rate[i] : &s->rows.coef[s->rows.start[i] + k]) = D[i];
    }
    return IL_OK;
}

/* Does any row lack it? */
static bool any_lacks(const il_lua_instance *s, unsigned what) {
    bool any = false;
    for (size_t i = 0; i < s->w->p; i++) {
        any |= lacks(s, i, what);
    }
    return any;
}

static il_status expect_gradients(il_lua_instance *s, double t) {
    for (size_t i = 0; i < s->w->p; i++) {
        double size = 0.0;
        for (size_t e = s->rows.start[i]; e < s->rows.start[i + 1]; e++) {
            size = fmax(size, fabs(s->rows.coef[e]));
        }
        if (!(size > 0.0)) {
            return refuse(s->w, i, "grad", t);
        }
    }
    return IL_OK;
}

/* A script gives a derivative of a constraint everywhere or nowhere: what is made was found at
 * the start. */
static il_status expect_given(il_lua_instance *s, double t) {
    il_scripted *w = s->w;
    for (size_t i = 0; i < w->p && i < s->missing_room; i++) {
        unsigned lost = s->missing[i] & ~(unsigned)w->absent[i];
        if (lost != 0) {
            return il_fail(&w->failure, IL_ESCRIPT,
                           "problem '%.60s': %s of constraint %zu is given at the start and left "
                           "out at t = %.10g: give it everywhere, or nowhere",
                           w->type.name, (lost & IL_MADE_GRADIENT) != 0 ? "grad" : "dt", i + 1, t);
        }
    }
    return IL_OK;
}

il_status il_scripted_complete(il_lua_instance *s, double t, const double *q) {
    il_status given = expect_given(s, t);
    if (given != IL_OK) {
        return given;
    }
    bool gradients = any_lacks(s, IL_MADE_GRADIENT);
    bool rates = any_lacks(s, IL_MADE_RATE);
    if (!gradients && !rates) {
        return IL_OK;
    }
    il_derivatives_work *work = work_of(s);
    double *D = il_alloc_zero(2 * s->w->p, sizeof *D);
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && gradients && k < s->w->d; k++) {
        status = fill(s, work, t, q, k, D);
    }
    if (status == IL_OK && rates) {
        status = fill(s, work, t, q, IL_COMPONENT_RATE, D);
    }
    free(D);
    return status == IL_OK && gradients ? expect_gradients(s, t) : status;
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* Largest error of what is made at the start, relative to the largest derivative. */
static void error_at_start(il_scripted *w, il_derivatives_work *work, const il_problem *problem) {
    double worst = 0.0;
    double size = 0.0;
    double *D = il_alloc_zero(2 * problem->p, sizeof *D);
    for (size_t k = 0; k <= problem->d; k++) {
        bool rate = k == problem->d;
        il_derivatives_make(work, 0.0, problem->q0, rate ? IL_COMPONENT_RATE : k, D,
                            D + problem->p);
        for (size_t i = 0; i < problem->p; i++) {
            if ((w->made[i] & (rate ? IL_MADE_RATE : IL_MADE_GRADIENT)) != 0) {
                worst = fmax(worst, D[problem->p + i]);
                size = fmax(size, fabs(D[i]));
            }
        }
    }
    free(D);
    w->made_error = size > 0.0 ? worst / size : worst;
}

/* w->absent: what is missing at the start; w->made: the same, but rates only of constraints that
 * move. */
static void find_made(il_scripted *w, il_lua_instance *s) {
    bool *moves = il_alloc_zero(w->p, sizeof *moves);
    unsigned char *made = il_alloc_zero(w->p, sizeof *made);
    unsigned char *absent = il_alloc_zero(w->p, sizeof *absent);
    bool some = false;
    for (size_t i = 0; i < w->p; i++) {
        absent[i] = made[i] = i < s->missing_room ? s->missing[i] : 0;
        some |= made[i] != 0;
    }
    if (some) {
        il_derivatives_find_moving(work_of(s), moves);
    }
    for (size_t i = 0; i < w->p; i++) {
        made[i] = (unsigned char)(made[i] & (moves[i] ? ~0u : (unsigned)IL_MADE_GRADIENT));
    }
    free(moves);
    free(w->made);
    free(w->absent);
    w->made = made;
    w->absent = absent;
}

il_status il_scripted_survey(il_scripted *w, const il_problem *problem, il_error *err) {
    il_lua_instance *s = problem->data;
    char text[512];
    find_made(w, s);
    s->valid = false;
    il_derivatives_destroy(s->work); /* knows nothing of made yet */
    s->work = NULL;
    w->found = (il_derivatives){.points = 0};
    il_derivatives_survey(work_of(s), &w->found);
    if (strcmp(il_scripted_derivatives(w), "given") != 0) {
        error_at_start(w, s->work, problem);
    }
    il_status status = il_scripted_verdict(w, IL_OK, err);
    if (status == IL_OK && w->found.mismatch && !il_interrupted()) {
        status = il_fail(err, IL_EINVAL, "problem '%.60s': %s", w->type.name,
                         il_derivatives_tell(&w->found, text, sizeof text));
    }
    return status;
}

const char *il_scripted_derivatives(const void *scripted) {
    const il_scripted *w = scripted;
    bool made = false;
    for (size_t i = 0; w->made != NULL && i < w->p; i++) {
        made |= w->made[i] != 0;
    }
    return made ? "differences" : "given";
}

il_status il_scripted_contact(const void *scripted, const il_problem *self, double t,
                              const double *q, const bool *first, il_error *err) {
    const il_scripted *w = scripted;
    il_lua_instance *s = self->data;
    il_derivatives found = {.points = 0};
    char text[512];
    il_derivatives_compare(work_of(s), t, q, first, &found);
    return !found.mismatch
               ? IL_OK
               : il_fail(err, IL_ESCRIPT, "problem '%.60s': %s, where it first becomes active",
                         w->type.name, il_derivatives_tell(&found, text, sizeof text));
}

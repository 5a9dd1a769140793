/*
 * fuzz_runs.c - a few steps of any scheme on any problem by any projector, with parameters over all
 * magnitudes that they may have.
 *
 * A run that is refused, or that fails, says why. One that is ok has finite states at times that
 * increase. One in four is made again, and has the same bits.
 *
 * Two things cost a second where nothing is fuzzed: springs, integrated in up to a million steps
 * of their own a step, and normal modes, followed through up to 2^24 sines. Builds that are fuzzed
 * give up sooner (harness/base/bound.h); for the suite's sake compliant schemes are drawn twice,
 * and three times in four both take parameters and horizons as they are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/registry.h"
#include "harness/run/run.h"
#include "tests/fuzz/fuzz.h"

enum { STEPS = 4, BODIES = 7, ROWS = 3, MOST = 20 };

/* A value within the range of spec: its ends, a power of ten, anything. */
static double value_of(const il_param_spec *spec, il_bytes *bytes) {
    uint8_t kind = il_bytes_take(bytes);
    double x = kind % 3 == 0
                   ? il_bytes_finite(bytes)
                   : pow(10.0, (int8_t)il_bytes_take(bytes) / (kind % 3 == 1 ? 16.0 : 64.0));
    if (spec->kind == IL_PARAM_INTEGER) {
        size_t most = strcmp(spec->key, "rows") == 0 ? ROWS : BODIES; /* three are 19 bodies */
        return fmin(fmax(spec->min, (double)il_bytes_few(&(il_bytes){&kind, 1}, 0, most)),
                    spec->max);
    }
    x = kind & 64u ? -x : x;
    return x >= spec->min && x <= spec->max ? x : fabs(x);
}

static void set_choice(il_params *params, const il_param_spec *spec, il_bytes *bytes) {
    char name[64] = "";
    size_t which = il_bytes_take(bytes);
    size_t n = 1;
    for (const char *c = spec->allowed; *c != '\0'; c++) {
        n += *c == ',';
    }
    const char *at = spec->allowed;
    for (which %= n; which > 0; which--) {
        at = strchr(at, ',') + 1;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    (void)il_params_set_text(params, spec->key, name, NULL);
}

/* Are impacts of this problem found in normal modes (problems/modal)? */
static bool is_modal(const il_problem_type *problem) {
    return strcmp(problem->name, "pendulum") == 0;
}

/* Bodies are few whatever the bytes say; of the other parameters every fourth is set, or none. */
static void set_params(il_params *params, bool none, il_bytes *bytes) {
    for (size_t k = 0; il_params_spec(params, k) != NULL; k++) {
        const il_param_spec *spec = il_params_spec(params, k);
        double x[8];
        size_t n = 0;
        bool count = spec->kind == IL_PARAM_INTEGER && strcmp(spec->key, "seed") != 0;
        if (!count && (none || il_bytes_take(bytes) % 4 != 0)) {
            continue;
        }
        if (spec->kind == IL_PARAM_CHOICE) {
            set_choice(params, spec, bytes);
            continue;
        }
        size_t want = spec->kind == IL_PARAM_VECTOR ? il_bytes_size(bytes, 1, 8) : 1;
        for (n = 0; n < want; n++) {
            x[n] = value_of(spec, bytes);
        }
        (void)il_params_set_numbers(params, spec->key, x, n, NULL);
    }
}

/* The final states to the bit, NaN or not. */
static il_status same(const il_run_spec *spec, const il_record *a, const il_record *b,
                      il_error *err) {
    return a->status == b->status && a->steps_done == b->steps_done &&
                   memcmp(a->q, b->q, a->d * sizeof *a->q) == 0
               ? IL_OK
               : il_fail(err, IL_EINTERNAL, "%s by %s: twice is not the same", spec->problem->name,
                         spec->scheme->name);
}

static il_status judge(const il_run_spec *spec, const il_record *a, const il_trajectory *w,
                       il_error *err) {
    if (a->status != IL_OK) {
        return a->message[0] != '\0'
                   ? IL_OK
                   : il_fail(err, IL_EINTERNAL, "%s by %s: %s without a word", spec->problem->name,
                             spec->scheme->name, il_status_name(a->status));
    }
    for (size_t n = 0; n < w->nodes; n++) {
        bool well = isfinite(w->t[n]) && (n == 0 || w->t[n] >= w->t[n - 1]);
        for (size_t k = 0; k < w->d; k++) {
            well = well && isfinite(w->q[n * w->d + k]) && isfinite(w->u[n * w->d + k]);
        }
        if (!well) {
            return il_fail(err, IL_EINTERNAL, "%s by %s: ok, and node %zu at %g is not",
                           spec->problem->name, spec->scheme->name, n, w->t[n]);
        }
    }
    return IL_OK;
}

/* params are completed by a run: each has its own, made from the same bytes. */
static il_status run_once(il_run_spec *spec, bool plain, il_bytes bytes, il_record *record,
                          il_trajectory *trajectory, il_error *said) {
    il_params *params = NULL;
    il_status status = il_params_create(&params, spec->problem->params, said);
    if (status == IL_OK) {
        set_params(params, plain, &bytes);
        spec->params = params;
        status = il_run(spec, record, trajectory, said);
    }
    il_params_destroy(params);
    return status;
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    il_run_spec spec = {.projection = {.max_iterations = MOST}};
    spec.problem = il_bytes_problem(&bytes);
    spec.scheme = il_bytes_scheme(&bytes);
    if (spec.scheme->compliant && il_bytes_take(&bytes) % 4 != 0) {
        spec.scheme = il_bytes_scheme(&bytes);
    }
    spec.projector = il_bytes_projector(&bytes);
    spec.steps = il_bytes_size(&bytes, 1, STEPS);
    uint8_t how = il_bytes_take(&bytes);
    bool plain =
        (spec.scheme->compliant || is_modal(spec.problem)) && il_bytes_take(&bytes) % 4 != 3;
    if (plain) {
        how &= 0xfcu;
    }
    if (how % 4 == 1) {
        spec.h = fabs(il_bytes_finite(&bytes));
    } else if (how % 4 == 2) {
        spec.horizon = fabs(il_bytes_finite(&bytes));
    }
    spec.final_only = (how & 8u) != 0;
    spec.accept_stalled = (how & 16u) != 0;
    bool twice = how >= 192;
    il_record a = {.problem = NULL};
    il_record b = {.problem = NULL};
    il_trajectory first = {.d = 0};
    il_error said = {IL_OK, ""};
    il_status status = run_once(&spec, plain, bytes, &a, &first, &said);
    if (status == IL_OK) {
        status = judge(&spec, &a, &first, err);
        if (status == IL_OK && twice) {
            status = run_once(&spec, plain, bytes, &b, NULL, &said);
            status = status == IL_OK ? same(&spec, &a, &b, err)
                                     : il_fail(err, IL_EINTERNAL, "again: %s", said.message);
        }
    } else if (said.message[0] == '\0') {
        status = il_fail(err, IL_EINTERNAL, "%s by %s: %s without a word", spec.problem->name,
                         spec.scheme->name, il_status_name(status));
    } else {
        status = IL_OK;
    }
    il_trajectory_free(&first);
    il_record_free(&a);
    il_record_free(&b);
    return status;
}

const il_fuzz il_fuzz_runs = {
    .name = "runs",
    .text = "a few steps of any scheme, problem, projector and parameters, twice",
    .one = one,
};

/*
 * case.c - validates a case, names it for the store, and describes where its record comes from.
 */
#include "harness/run/case.h"

#include <features.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#if defined __x86_64__ && defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#endif

#include "build_id.h"
#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/params.h"
#include "harness/base/text.h"
#include "harness/outside/exec.h"
#include "harness/outside/file_scheme.h"
#include "harness/reference/event_driven.h"
#include "harness/run/work.h"
#include "provenance_built.h"

/* Records of another layout must not be found. */
static const int RECORD_FORMAT = 2;

/* ---- making --------------------------------------------------------------------------------- */

static il_status set(il_params *params, const il_setting *s, il_error *err) {
    return s->text != NULL ? il_params_set_text(params, s->key, s->text, err)
                           : il_params_set_numbers(params, s->key, s->x, s->n, err);
}

bool il_problem_draws(const il_problem_type *type) {
    const il_param_spec *spec = type->params;
    while (spec->key != NULL && strcmp(spec->key, "seed") != 0) {
        spec++;
    }
    return spec->key != NULL;
}

il_status il_choice_verdict(const il_choice *problem, il_status status, il_error *err) {
    const il_callbacks *callbacks = problem->callbacks;
    const il_error *note = callbacks != NULL ? callbacks->failure(callbacks->self) : NULL;
    return note != NULL ? il_fail(err, note->code, "%s", note->message) : status;
}

il_status il_case_params(const il_case *c, il_params **params, il_error *err) {
    il_error why = {IL_OK, ""};
    const il_choice *problem = c->problem;
    il_status status = il_params_create(params, problem->type->params, &why);
    for (size_t k = 0; status == IL_OK && k < problem->nsettings; k++) {
        status = set(*params, &problem->settings[k], &why);
    }
    if (status == IL_OK && c->has_seed && il_problem_draws(problem->type)) {
        double seed = (double)c->seed;
        status = il_params_given(*params, "seed")
                     ? il_fail(&why, IL_EINVAL,
                               "the seed is given twice: %zu for the run and %zu among the "
                               "parameters",
                               c->seed, il_params_integer(*params, "seed"))
                     : il_params_set_numbers(*params, "seed", &seed, 1, &why);
    }
    if (status != IL_OK) {
        il_params_destroy(*params);
        *params = NULL;
        return il_fail(err, status, "problem '%s': %.900s", problem->type->name, why.message);
    }
    return IL_OK;
}

il_status il_case_problem(const il_case *c, il_params **params, il_problem **problem,
                          il_error *err) {
    il_status status = il_case_params(c, params, err);
    double T = c->h > 0.0 && c->steps > 0 ? (double)c->steps * c->h : c->horizon;
    if (status == IL_OK) {
        status = il_problem_create(problem, c->problem->type, *params, T, err);
    }
    return status == IL_OK ? IL_OK : il_choice_verdict(c->problem, status, err);
}

/* One plan after the other. */
static il_status check_sizes(const il_case *c, const il_problem *problem, size_t n,
                             const double *steps, const double *h, il_error *err) {
    il_run_spec spec = {.problem = c->problem->type, .asked = c->asked};
    il_status status = il_run_check_projector(&spec, problem, err);
    for (size_t k = 0; k < n && status == IL_OK; k++) {
        il_record plan = {.steps = 0};
        bool divided = false;
        spec.steps = steps != NULL ? (size_t)steps[k] : 0;
        spec.h = steps != NULL ? 0.0 : h[k];
        status = il_run_plan(&spec, problem, &plan, &divided, err);
    }
    return status;
}

il_status il_case_check(const il_case *c, bool needs_exact, il_error *err) {
    return il_case_check_sizes(c, 0, NULL, NULL, needs_exact, err);
}

il_status il_case_check_sizes(const il_case *c, size_t n, const double *steps, const double *h,
                              bool needs_exact, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_status status = il_case_problem(c, &params, &problem, err);
    if (status == IL_OK) {
        status = il_scheme_suits(c->scheme->type, problem, err);
    }
    if (problem != NULL && status == IL_OK && needs_exact && problem->nexact == 0) {
        status = il_fail(err, IL_EINVAL,
                         "reference is 'exact', but no exact solution of %s is known: %s; "
                         "allowed: {\"self\", steps = N}, \"none\"",
                         c->problem->label,
                         problem->no_exact != NULL ? problem->no_exact : "there is none here");
    }
    if (status == IL_OK && n > 0) {
        status = check_sizes(c, problem, n, steps, h, err);
    }
    if (status == IL_OK && n > 0 && c->event_driven) {
        status = il_event_driven_check(problem, err);
    }
    if (problem != NULL && status != IL_OK) {
        status = il_choice_verdict(c->problem, status, err);
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

/* ---- naming --------------------------------------------------------------------------------- */

static json_t *projection_json(const il_case *c) {
    json_t *warm = c->projection.warm ? json_true() : NULL; /* said where they are asked for: */
    json_t *order = c->projection.shuffled ? json_true() : NULL; /* keys of others stay */
    return json_pack("{s:s, s:o, s:I, s:i, s:o, s:b, s:o*, s:o*}", "name", c->projector->name,
                     "tolerance", il_json_number(c->projection.tolerance), "max_iterations",
                     (json_int_t)c->projection.max_iterations, "rho_rule",
                     (int)c->projection.rho_rule, "rho", il_json_number(c->projection.rho),
                     "accept_stalled", (int)c->accept_stalled, "warm", warm, "shuffled", order);
}

/* The functions of scripts that a case depends on: of its problem, its scheme, its reference, and
 * those that measure; NULL for each that is compiled. */
enum { SOURCES = 4 };

static void list_functions(const il_case *c, const il_functions *list[SOURCES]) {
    const il_callbacks *problem = c->problem->callbacks;
    const il_callbacks *reference = c->reference_callbacks;
    list[0] = problem != NULL ? problem->functions : NULL;
    list[1] = c->scheme->functions;
    list[2] = reference != NULL ? reference->functions : NULL;
    list[3] = c->norms_functions;
}

/* The sum that stands for steps that are made elsewhere. */
static bool sum_outside(const il_case *c, char sum[IL_FUNCTIONS_SUM]) {
    return c->scheme->type->starts ? il_exec_sum(c->scheme->settings, sum)
                                   : il_file_scheme_sum(c->scheme->settings, c->steps, sum);
}

const char *il_case_unnamed(const il_case *c) {
    const il_functions *list[SOURCES];
    list_functions(c, list);
    if (c->problem->callbacks != NULL && list[0] == NULL) {
        return "functions of the problem are not known";
    }
    for (size_t k = 0; k < SOURCES; k++) {
        if (list[k] != NULL && list[k]->sum[0] == '\0') {
            return list[k]->why;
        }
    }
    char sum[IL_FUNCTIONS_SUM];
    if (c->scheme->type != NULL && c->scheme->type->verbatim && !sum_outside(c, sum)) {
        return c->scheme->type->starts
                   ? "the command of its scheme names no file, by which it could be told from "
                     "another, and files= and version= name none that is there"
                   : "its file cannot be read";
    }
    return NULL;
}

bool il_case_imports_unseen(const il_case *c) {
    return c->scheme->type->starts && !il_exec_is_versioned(c->scheme->settings);
}

/* Their sums into key, where there are any: keys of what is compiled stay as they are. */
static void add_functions(json_t *key, const il_case *c) {
    static const char *const names[SOURCES] = {"problem", "scheme", "reference", "norms"};
    const il_functions *list[SOURCES];
    list_functions(c, list);
    json_t *sums = json_object();
    for (size_t k = 0; k < SOURCES; k++) {
        if (list[k] != NULL) {
            il_json_put_text(sums, names[k], list[k]->sum);
        }
    }
    char sum[IL_FUNCTIONS_SUM];
    if (c->scheme->type->verbatim && sum_outside(c, sum)) {
        il_json_put_text(sums, names[1], sum);
    }
    if (json_object_size(sums) > 0) {
        il_json_set(key, "functions", sums);
    } else {
        json_decref(sums);
    }
}

il_status il_case_key(const il_case *c, char **text, il_error *err) {
    il_params *params = NULL;
    *text = NULL;
    bool named = il_case_unnamed(c) == NULL;
    il_status status = named ? il_case_params(c, &params, err) : IL_OK;
    if (!named || status != IL_OK) {
        return status;
    }
    json_t *seed = c->has_seed ? json_integer((json_int_t)c->seed) : json_null();
    json_t *key = json_pack(
        "{s:s, s:i, s:i, s:s, s:o, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:s, s:s}", "build",
        IL_BUILD_ID, "format", RECORD_FORMAT, "norms", (int)c->norms, "problem",
        c->problem->type->name, "parameters", il_params_json(params), "seed", seed, "scheme",
        c->scheme->name, "projector", projection_json(c), "steps", (json_int_t)c->steps, "h",
        il_json_number(c->h), "horizon", il_json_number(c->horizon), "samples",
        il_json_numbers(c->samples, c->nsamples), "record", c->final_only ? "final" : "full",
        "reference", c->reference_key != NULL ? c->reference_key : "own");
    add_functions(key, c);
    *text = il_json_text_as(key, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(key);
    il_params_destroy(params);
    return IL_OK;
}

/* ---- provenance: the program as the build describes it, the machine as it does itself ------- */

enum { NAME = 128 };

/* Leaves 0x80000002 to 0x80000004 of cpuid: 48 letters (Intel SDM vol. 2A, AMD APM vol. 3). Asked
 * once a thread: a virtual machine traps these questions, 50 microseconds each. */
static const char *processor_name(void) {
    static _Thread_local char known[49]; /* of a library's callers each */
#ifdef __x86_64__
    unsigned word[12] = {0};
    for (unsigned k = 0; known[0] == '\0' && k < 3; k++) {
        (void)__get_cpuid(0x80000002U + k, &word[4 * k], &word[4 * k + 1], &word[4 * k + 2],
                          &word[4 * k + 3]);
    }
    if (known[0] == '\0') {
        memcpy(known, word, sizeof word);
    }
#endif
    return known[0] != '\0' ? known + strspn(known, " ") : "unknown";
}

/* glibc chooses so for sin, exp, log and others (sysdeps/x86_64/fpu/multiarch/ifunc-avx-fma4.h);
 * what GLIBC_TUNABLES switches off is not active. */
static const char *variant(void) {
#if defined __x86_64__ && defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    if (CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(AVX2)) {
        return "fma";
    }
    if (CPU_FEATURE_ACTIVE(FMA4)) {
        return "fma4";
    }
    return CPU_FEATURE_ACTIVE(AVX) ? "avx" : "sse2";
#else
    return "unknown";
#endif
}

/* A text of this machine, which may be in any encoding. */
static void put_own(json_t *object, const char *key, char *text) {
    il_text_make_printable(text, false);
    il_json_put_text(object, key, il_text_is_utf8(text) ? text : "?");
}

static void put_machine(json_t *object) {
    char name[NAME] = "";
    (void)snprintf(name, sizeof name, "%s", processor_name());
    for (size_t n = strlen(name); n > 0 && name[n - 1] == ' '; n--) {
        name[n - 1] = '\0';
    }
    put_own(object, "processor", name);
#ifdef __GLIBC__
    (void)snprintf(name, sizeof name, "glibc %s, %s", gnu_get_libc_version(), variant());
#else
    (void)snprintf(name, sizeof name, "%s", variant());
#endif
    put_own(object, "mathematics", name);
    if (gethostname(name, sizeof name) != 0) {
        name[0] = '\0';
    }
    name[sizeof name - 1] = '\0';
    put_own(object, "host", name);
}

static void put_date(json_t *object) {
    char text[IL_DATE];
    il_date_utc(il_date_now(), text);
    il_json_put_text(object, "date", text);
}

json_t *il_provenance_json(const il_case *c, double seconds) {
    json_t *object = json_object();
    il_json_put_text(object, "version", IL_BUILT_VERSION);
    il_json_put_text(object, "revision", IL_BUILT_REVISION[0] != '\0' ? IL_BUILT_REVISION : NULL);
    il_json_set(object, "dirty", json_boolean(IL_BUILT_DIRTY));
    il_json_put_text(object, "compiler", IL_BUILT_COMPILER);
    il_json_put_text(object, "flags", IL_BUILT_FLAGS);
    il_json_put_text(object, "libraries", IL_BUILT_LIBRARIES);
    put_machine(object);
    put_date(object);
    il_json_put(object, "seconds", seconds);
    il_json_set(object, "seed", c->has_seed ? json_integer((json_int_t)c->seed) : json_null());
    il_json_put_text(object, "script", c->script);
    il_json_put_text(object, "script_sha256", c->script_sum);
    return object;
}

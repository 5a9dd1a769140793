/*
 * library.c - the functions of impactlab.h, on top of the harness.
 */
#define IMPACTLAB_API __attribute__((visibility("default")))
#include "harness/library/impactlab.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "harness/judge/judge.h"
#include "harness/judge/program.h"
#include "harness/library/handles.h"
#include "harness/library/host.h"
#include "harness/measure/norm.h"
#include "harness/run/conduct.h"

impactlab_status il_library_answer(il_status status, const il_error *err, impactlab_error *error) {
    if (error != NULL) {
        (void)snprintf(error->message, sizeof error->message, "%s",
                       status == IL_OK           ? ""
                       : err->message[0] != '\0' ? err->message
                                                 : il_status_text(status));
    }
    switch (status) {
    case IL_OK:
        return IMPACTLAB_OK;
    case IL_EINVAL:
        return IMPACTLAB_BAD_INPUT;
    case IL_EUNSUPPORTED:
        return IMPACTLAB_UNSUPPORTED;
    case IL_ENOMEM:
        return IMPACTLAB_OUT_OF_MEMORY;
    default:
        return IMPACTLAB_FAILED;
    }
}

il_status il_library_given(const il_given *all, il_error *err) {
    for (; all->name != NULL; all++) {
        if (all->pointer == NULL) {
            return il_fail(err, IL_EINVAL, "%s is NULL; allowed: a pointer", all->name);
        }
    }
    return IL_OK;
}

/* 0, which stands for the library's own choice, or a finite number above it. */
static il_status positive(const char *name, double x, il_error *err) {
    return x >= 0.0 && isfinite(x)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "%s is %g; allowed: a number > 0, or 0", name, x);
}

const char *impactlab_version(void) {
    return IL_VERSION;
}

const char *impactlab_name(const char *family, size_t k) {
    family = family != NULL ? family : "";
    if (strcmp(family, "problem") == 0) {
        return il_problem_type_at(k) != NULL ? il_problem_type_at(k)->name : NULL;
    }
    if (strcmp(family, "scheme") == 0) {
        return il_scheme_type_at(k) != NULL ? il_scheme_type_at(k)->name : NULL;
    }
    if (strcmp(family, "projector") == 0) {
        return il_projector_type_at(k) != NULL ? il_projector_type_at(k)->name : NULL;
    }
    if (strcmp(family, "norm") == 0) {
        return il_norm_type_at(k) != NULL ? il_norm_type_at(k)->name : NULL;
    }
    return NULL;
}

/* ---- problems ------------------------------------------------------------------------------- */

void impactlab_problem_destroy(impactlab_problem *w) {
    if (w == NULL) {
        return;
    }
    il_problem_destroy(w->problem);
    il_params_destroy(w->params);
    for (size_t k = 0; k < w->choice.nsettings; k++) {
        free((char *)(uintptr_t)w->settings[k].key); /* a copy of the whole setting */
    }
    free(w->settings);
    free(w->name);
    il_defined_destroy(w->defined);
    free(w);
}

static il_status take_settings(impactlab_problem *w, size_t n, const char *const *settings,
                               il_error *err) {
    il_status status = il_memory_ask(&w->settings, n, sizeof *w->settings, "settings", err);
    w->choice.settings = w->settings;
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        if (settings == NULL || settings[k] == NULL) {
            return il_fail(err, IL_EINVAL, "setting %zu is NULL; allowed: key=value", k + 1);
        }
        size_t length = strcspn(settings[k], "=");
        if (settings[k][length] == '\0' || length == 0) {
            return il_fail(err, IL_EINVAL, "the setting is '%s'; allowed: key=value", settings[k]);
        }
        char *copy = il_alloc_text(settings[k]);
        copy[length] = '\0';
        w->settings[k] = (il_setting){.key = copy, .text = copy + length + 1};
        w->choice.nsettings = k + 1;
    }
    return status;
}

/* The instance that questions are asked of. */
static il_status instantiate(impactlab_problem *w, il_error *err) {
    const il_case c = {.problem = &w->choice};
    il_status status = il_case_params(&c, &w->params, err);
    if (status == IL_OK) {
        status = il_problem_create(&w->problem, w->choice.type, w->params, w->horizon, err);
    }
    return status;
}

/* Hand over a problem, or destroy what there is of it. */
static impactlab_status hand_over(impactlab_problem **out, impactlab_problem *w, il_status status,
                                  const il_error *err, impactlab_error *error) {
    if (status != IL_OK || out == NULL) {
        impactlab_problem_destroy(w);
        w = NULL;
    }
    if (out != NULL) {
        *out = w;
    }
    return il_library_answer(status, err, error);
}

/* The problem of this name, with its settings. */
static il_status choose_problem(impactlab_problem *w, const char *name, size_t n,
                                const char *const *settings, il_error *err) {
    w->name = il_alloc_text(name);
    w->choice.label = w->name;
    il_status status = il_problem_type_find(name, &w->choice.type, err);
    status = status == IL_OK ? take_settings(w, n, settings, err) : status;
    return status == IL_OK ? instantiate(w, err) : status;
}

impactlab_status impactlab_problem_create(impactlab_problem **out, const char *name, size_t n,
                                          const char *const *settings, double horizon,
                                          impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_host host = il_host_enter(NULL);
    il_status status = IL_GIVEN(&err, {"out", (void *)out}, {"the problem's name", name});
    status = status == IL_OK ? positive("horizon", horizon, &err) : status;
    impactlab_problem *w = status == IL_OK ? il_alloc_zero(1, sizeof *w) : NULL;
    if (w != NULL) {
        w->horizon = horizon;
        status = choose_problem(w, name, n, settings, &err);
    }
    il_host_leave(&host);
    return hand_over(out, w, status, &err, error);
}

impactlab_status impactlab_problem_define(impactlab_problem **out,
                                          const impactlab_definition *definition,
                                          impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_host host = il_host_enter(NULL);
    il_status status = IL_GIVEN(&err, {"out", (void *)out}, {"the definition", definition});
    impactlab_problem *w = status == IL_OK ? il_alloc_zero(1, sizeof *w) : NULL;
    status = w != NULL ? il_defined_create(&w->defined, definition, &err) : status;
    if (w != NULL && status == IL_OK) {
        w->choice.type = il_defined_type(w->defined);
        w->choice.label = w->choice.type->name;
        status = instantiate(w, &err);
    }
    il_host_leave(&host);
    return hand_over(out, w, status, &err, error);
}

void impactlab_problem_stop(impactlab_problem *problem, int (*stop)(void *context), void *context) {
    if (problem != NULL) {
        problem->stop = stop;
        problem->stop_context = context;
    }
}

size_t impactlab_problem_dimension(const impactlab_problem *problem) {
    return problem != NULL ? problem->problem->d : 0;
}

size_t impactlab_problem_constraints(const impactlab_problem *problem) {
    return problem != NULL ? problem->problem->p : 0;
}

int impactlab_problem_order(const impactlab_problem *problem) {
    return problem != NULL ? problem->problem->order : 0;
}

double impactlab_problem_horizon(const impactlab_problem *problem) {
    return problem != NULL ? problem->problem->horizon : NAN;
}

void impactlab_problem_start(const impactlab_problem *problem, double *q, double *u) {
    if (problem != NULL && q != NULL) {
        memcpy(q, problem->problem->q0, problem->problem->d * sizeof *q);
    }
    if (problem != NULL && u != NULL) {
        memcpy(u, problem->problem->u0, problem->problem->d * sizeof *u);
    }
}

const char *impactlab_exact_name(const impactlab_problem *problem, size_t k) {
    return problem != NULL && k < problem->problem->nexact ? problem->problem->exact[k].name : NULL;
}

impactlab_status impactlab_exact(const impactlab_problem *problem, size_t k, double t, int side,
                                 double *q, double *u, impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_host host = il_host_enter(problem);
    il_status status = IL_GIVEN(&err, {"the problem", problem}, {"q", q}, {"u", u});
    const il_problem *p = status == IL_OK ? problem->problem : NULL;
    if (p != NULL && k >= p->nexact) {
        status = il_fail(&err, IL_EINVAL, "problem '%s' has %zu exact solutions; %zu is none",
                         p->type->name, p->nexact, k);
    } else if (p != NULL && !(t >= 0.0 && t <= p->horizon)) {
        status = il_fail(&err, IL_EINVAL, "t is %g; allowed: 0 to %g", t, p->horizon);
    } else if (p != NULL) {
        p->exact[k].eval(&p->exact[k], t, side, q, u);
    }
    il_host_leave(&host);
    return il_library_answer(status, &err, error);
}

/* ---- records -------------------------------------------------------------------------------- */

void impactlab_record_destroy(impactlab_record *w) {
    if (w != NULL) {
        json_decref(w->json);
        free(w->text);
        il_trajectory_free(&w->trajectory);
        free(w);
    }
}

const char *impactlab_record_json(const impactlab_record *record) {
    return record != NULL ? record->text : NULL;
}

/* The value at a path of keys and of numbers of elements between dots. */
static const json_t *value_at(const json_t *value, const char *path) {
    char key[64];
    while (value != NULL && *path != '\0') {
        size_t n = strcspn(path, ".");
        (void)snprintf(key, sizeof key, "%.*s", (int)(n < sizeof key ? n : sizeof key - 1), path);
        bool index =
            json_is_array(value) && key[0] != '\0' && key[strspn(key, "0123456789")] == '\0';
        value = index ? json_array_get(value, strtoul(key, NULL, 10)) : json_object_get(value, key);
        path += n + (path[n] == '.');
    }
    return value;
}

double impactlab_record_number(const impactlab_record *record, const char *path) {
    const json_t *value = record != NULL && path != NULL ? value_at(record->json, path) : NULL;
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *impactlab_record_text(const impactlab_record *record, const char *path) {
    const json_t *value = record != NULL && path != NULL ? value_at(record->json, path) : NULL;
    return json_is_string(value) ? json_string_value(value) : "";
}

size_t impactlab_record_trajectory(const impactlab_record *record, const double **t,
                                   const double **q, const double **u) {
    const il_trajectory none = {0};
    const il_trajectory *w = record != NULL ? &record->trajectory : &none;
    if (t != NULL) {
        *t = w->t;
    }
    if (q != NULL) {
        *q = w->q;
    }
    if (u != NULL) {
        *u = w->u;
    }
    return w->nodes;
}

/* A record of json, if status is IL_OK, and of what was kept; both are taken over. */
static impactlab_status deliver(impactlab_record **out, il_status status, json_t *json,
                                il_trajectory kept, il_error *err, impactlab_error *error) {
    if (out != NULL) {
        *out = NULL;
    }
    if (status == IL_OK && out != NULL) {
        *out = il_alloc(1, sizeof **out);
        **out = (impactlab_record){.json = json, .text = il_json_text(json), .trajectory = kept};
    } else {
        json_decref(json);
        il_trajectory_free(&kept);
    }
    return il_library_answer(status, err, error);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static il_status choose(const impactlab_run_options *o, il_own_scheme *own,
                        il_scheme_choice *scheme, il_error *err) {
    if (o->step != NULL) {
        il_own_scheme_init(own, o->step, o->context);
        *scheme = (il_scheme_choice){.name = o->scheme != NULL ? o->scheme : own->type.name,
                                     .type = &own->type};
        return IL_OK;
    }
    return o->scheme != NULL ? il_scheme_choose(o->scheme, scheme, err)
                             : il_fail(err, IL_EINVAL, "a scheme or a step is needed");
}

/* A run of what is given, its record as JSON. */
static il_status run(const impactlab_problem *problem, const impactlab_run_options *o,
                     json_t **json, il_trajectory *kept, il_error *err) {
    il_own_scheme own;
    il_scheme_choice scheme = {.name = NULL};
    il_outcome outcome = {.json = NULL};
    il_case c = {.problem = &problem->choice,
                 .scheme = &scheme,
                 .projector = il_projector_type_default(),
                 .projection = {.tolerance = o->tolerance},
                 .steps = o->steps,
                 .h = o->h,
                 .horizon = o->steps > 0 && o->h > 0.0 ? 0.0 : problem->horizon,
                 .norms = o->all_norms != 0 ? il_norm_all() : IL_NORM_AUTO,
                 .look = il_judge_program};
    il_status status = positive("tolerance", o->tolerance, err);
    if (status == IL_OK && o->projector != NULL) {
        status = il_projector_type_find(o->projector, &c.projector, err);
    }
    status = status == IL_OK ? choose(o, &own, &scheme, err) : status;
    if (status == IL_OK) {
        status = il_case_conduct(&c, o->keep_trajectory != 0 ? kept : NULL, &outcome, err);
    }
    if (status == IL_OK && problem->defined != NULL && il_defined_failed(problem->defined)) {
        status = il_fail(err, IL_ESCRIPT, "a function of problem '%s' failed",
                         problem->choice.type->name);
    }
    *json = status == IL_OK ? json_incref(outcome.json) : NULL;
    il_outcome_free(&outcome);
    return status;
}

impactlab_status impactlab_run(const impactlab_problem *problem,
                               const impactlab_run_options *options, impactlab_record **out,
                               impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_host host = il_host_enter(problem);
    il_trajectory kept = {0};
    json_t *json = NULL;
    il_status status =
        IL_GIVEN(&err, {"the problem", problem}, {"options", options}, {"out", (void *)out});
    status = status == IL_OK ? run(problem, options, &json, &kept, &err) : status;
    impactlab_status answer = deliver(out, status, json, kept, &err, error);
    il_host_leave(&host);
    return answer;
}

/* ---- judging -------------------------------------------------------------------------------- */

static il_status between_of(const char *name, il_between *out, il_error *err) {
    for (int k = IL_BETWEEN_AFFINE; name != NULL && k < IL_BETWEEN_MEANINGS; k++) {
        if (strcmp(name, il_between_name((il_between)k)) == 0) {
            *out = (il_between)k;
            return IL_OK;
        }
    }
    *out = IL_BETWEEN_AFFINE;
    return name == NULL
               ? IL_OK
               : il_fail(err, IL_EINVAL,
                         "between is '%s'; allowed: affine, constant, ballistic, dense", name);
}

static impactlab_status judge(const impactlab_problem *problem, const char *between,
                              il_judge_query *query, impactlab_record **out,
                              impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_judgement judged = {.json = NULL};
    il_host host = il_host_enter(problem);
    const il_samples_given *s = query->given;
    il_status status =
        IL_GIVEN(&err, {"the problem", problem}, {"out", (void *)out},
                 {"t", s != NULL ? (const void *)s->t : query},
                 {"q", s != NULL ? (const void *)s->q : query}, {"the file's name", query->path});
    status = status == IL_OK ? between_of(between, &query->between, &err) : status;
    if (status == IL_OK && s != NULL && s->d > 0 &&
        s->nodes > PTRDIFF_MAX / sizeof(double) / s->d) {
        status = il_fail(&err, IL_EINVAL, "%zu nodes; allowed: what memory can hold", s->nodes);
    }
    if (status == IL_OK) {
        query->problem = &problem->choice;
        query->horizon = problem->horizon;
        query->norms = IL_NORM_AUTO;
        status = il_judge(query, &judged, &err);
    }
    json_t *json = json_incref(judged.json);
    il_judgement_free(&judged);
    impactlab_status answer = deliver(out, status, json, (il_trajectory){0}, &err, error);
    il_host_leave(&host);
    return answer;
}

impactlab_status impactlab_judge(const impactlab_problem *problem, const char *between,
                                 size_t nodes, const double *t, const double *q, const double *u,
                                 impactlab_record **out, impactlab_error *error) {
    const il_samples_given samples = {nodes, impactlab_problem_dimension(problem), t, q, u};
    il_judge_query query = {.path = "samples", .given = &samples};
    return judge(problem, between, &query, out, error);
}

impactlab_status impactlab_judge_file(const impactlab_problem *problem, const char *between,
                                      const char *path, const char *mapping, impactlab_record **out,
                                      impactlab_error *error) {
    il_judge_query query = {.path = path, .mapping = mapping};
    return judge(problem, between, &query, out, error);
}

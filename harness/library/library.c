/*
 * library.c - the functions of impactlab.h, on top of the harness.
 */
#define IMPACTLAB_API __attribute__((visibility("default")))
#include "harness/library/impactlab.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/judge/judge.h"
#include "harness/library/handles.h"
#include "harness/measure/norm.h"
#include "harness/run/record.h"
#include "harness/run/run.h"
#include "harness/study/order/order.h"

static impactlab_status told(il_status status, const il_error *err, impactlab_error *error) {
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

const char *impactlab_version(void) {
    return IL_VERSION;
}

const char *impactlab_name(const char *family, size_t k) {
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
    w->settings = calloc(n + 1, sizeof *w->settings);
    w->choice.settings = w->settings;
    for (size_t k = 0; w->settings != NULL && k < n; k++) {
        size_t length = strcspn(settings[k], "=");
        if (settings[k][length] == '\0' || length == 0) {
            return il_fail(err, IL_EINVAL, "the setting is '%s'; allowed: key=value", settings[k]);
        }
        char *copy = strdup(settings[k]);
        if (copy == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for settings");
        }
        copy[length] = '\0';
        w->settings[k] = (il_setting){.key = copy, .text = copy + length + 1};
        w->choice.nsettings = k + 1;
    }
    return w->settings != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for settings");
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
    if (status != IL_OK) {
        impactlab_problem_destroy(w);
        w = NULL;
    }
    *out = w;
    return told(status, err, error);
}

impactlab_status impactlab_problem_create(impactlab_problem **out, const char *name, size_t n,
                                          const char *const *settings, double horizon,
                                          impactlab_error *error) {
    il_error err = {IL_OK, ""};
    impactlab_problem *w = calloc(1, sizeof *w);
    (void)gsl_set_error_handler_off();
    if (w == NULL || (w->name = strdup(name)) == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for a problem");
        return hand_over(out, w, IL_ENOMEM, &err, error);
    }
    w->horizon = horizon;
    w->choice.label = w->name;
    il_status status = il_problem_type_find(name, &w->choice.type, &err);
    status = status == IL_OK ? take_settings(w, n, settings, &err) : status;
    status = status == IL_OK ? instantiate(w, &err) : status;
    return hand_over(out, w, status, &err, error);
}

impactlab_status impactlab_problem_define(impactlab_problem **out,
                                          const impactlab_definition *definition,
                                          impactlab_error *error) {
    il_error err = {IL_OK, ""};
    impactlab_problem *w = calloc(1, sizeof *w);
    (void)gsl_set_error_handler_off();
    if (w == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for a problem");
        return hand_over(out, w, IL_ENOMEM, &err, error);
    }
    il_status status = il_defined_create(&w->defined, definition, &err);
    if (status == IL_OK) {
        w->choice.type = il_defined_type(w->defined);
        w->choice.label = w->choice.type->name;
        status = instantiate(w, &err);
    }
    return hand_over(out, w, status, &err, error);
}

size_t impactlab_problem_dimension(const impactlab_problem *problem) {
    return problem->problem->d;
}

size_t impactlab_problem_constraints(const impactlab_problem *problem) {
    return problem->problem->p;
}

int impactlab_problem_order(const impactlab_problem *problem) {
    return problem->problem->order;
}

double impactlab_problem_horizon(const impactlab_problem *problem) {
    return problem->problem->horizon;
}

void impactlab_problem_start(const impactlab_problem *problem, double *q, double *u) {
    memcpy(q, problem->problem->q0, problem->problem->d * sizeof *q);
    memcpy(u, problem->problem->u0, problem->problem->d * sizeof *u);
}

const char *impactlab_exact_name(const impactlab_problem *problem, size_t k) {
    return k < problem->problem->nexact ? problem->problem->exact[k].name : NULL;
}

impactlab_status impactlab_exact(const impactlab_problem *problem, size_t k, double t, int side,
                                 double *q, double *u, impactlab_error *error) {
    const il_problem *p = problem->problem;
    il_error err = {IL_OK, ""};
    il_status status = IL_OK;
    if (k >= p->nexact) {
        status = il_fail(&err, IL_EINVAL, "problem '%s' has %zu exact solutions; %zu is none",
                         p->type->name, p->nexact, k);
    } else if (!(t >= 0.0 && t <= p->horizon)) {
        status = il_fail(&err, IL_EINVAL, "t is %g; allowed: 0 to %g", t, p->horizon);
    } else {
        p->exact[k].eval(&p->exact[k], t, side, q, u);
    }
    return told(status, &err, error);
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
    return record->text;
}

/* The value at a path of keys between dots. */
static const json_t *value_at(const json_t *value, const char *path) {
    char key[64];
    while (value != NULL && *path != '\0') {
        size_t n = strcspn(path, ".");
        (void)snprintf(key, sizeof key, "%.*s", (int)(n < sizeof key ? n : sizeof key - 1), path);
        value = json_object_get(value, key);
        path += n + (path[n] == '.');
    }
    return value;
}

double impactlab_record_number(const impactlab_record *record, const char *path) {
    const json_t *value = value_at(record->json, path);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *impactlab_record_text(const impactlab_record *record, const char *path) {
    const json_t *value = value_at(record->json, path);
    return json_is_string(value) ? json_string_value(value) : "";
}

size_t impactlab_record_trajectory(const impactlab_record *record, const double **t,
                                   const double **q, const double **u) {
    *t = record->trajectory.t;
    *q = record->trajectory.q;
    *u = record->trajectory.u;
    return record->trajectory.nodes;
}

/* A record of json, if status is IL_OK, and of what was kept; both are taken over. */
static impactlab_status deliver(impactlab_record **out, il_status status, json_t *json,
                                il_trajectory kept, il_error *err, impactlab_error *error) {
    char *text = status == IL_OK && json != NULL ? il_json_text(json) : NULL;
    impactlab_record *w = calloc(1, sizeof *w);
    if (status == IL_OK && (w == NULL || text == NULL)) {
        status = il_fail(err, IL_ENOMEM, "no memory for a record");
    }
    impactlab_record record = {.json = json, .text = text, .trajectory = kept};
    if (status == IL_OK) {
        *w = record;
    } else {
        json_decref(json);
        free(text);
        il_trajectory_free(&kept);
        free(w);
        w = NULL;
    }
    *out = w;
    return told(status, err, error);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static il_status choose(const impactlab_run_options *o, il_own_scheme *own, il_run_spec *spec,
                        il_scheme_choice *scheme, il_error *err) {
    il_status status = IL_OK;
    spec->projector = il_projector_type_default();
    if (o->projector != NULL) {
        status = il_projector_type_find(o->projector, &spec->projector, err);
    }
    if (status == IL_OK && o->step != NULL) {
        il_own_scheme_init(own, o->step, o->context);
        *scheme = (il_scheme_choice){.name = o->scheme != NULL ? o->scheme : own->type.name,
                                     .type = &own->type};
    } else if (status == IL_OK && o->scheme == NULL) {
        status = il_fail(err, IL_EINVAL, "a scheme or a step is needed");
    } else if (status == IL_OK) {
        status = il_scheme_choose(o->scheme, scheme, err);
    }
    spec->scheme = scheme->type;
    spec->scheme_name = scheme->name;
    spec->scheme_settings = scheme->settings;
    return status;
}

impactlab_status impactlab_run(const impactlab_problem *problem,
                               const impactlab_run_options *options, impactlab_record **out,
                               impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_own_scheme own;
    il_scheme_choice scheme = {.name = NULL};
    il_record record = {0};
    il_trajectory kept = {0};
    il_params *params = NULL;
    json_t *json = NULL;
    const il_case c = {.problem = &problem->choice};
    il_run_spec spec = {.problem = problem->choice.type,
                        .steps = options->steps,
                        .h = options->h,
                        .horizon = options->steps > 0 && options->h > 0.0 ? 0.0 : problem->horizon,
                        .projection = {.tolerance = options->tolerance},
                        .norms = options->all_norms != 0 ? il_norm_all() : IL_NORM_AUTO};
    il_status status = choose(options, &own, &spec, &scheme, &err);
    status = status == IL_OK ? il_case_params(&c, &params, &err) : status;
    if (status == IL_OK) {
        spec.params = params;
        status = il_run(&spec, &record, options->keep_trajectory != 0 ? &kept : NULL, &err);
    }
    if (status == IL_OK && problem->defined != NULL && il_defined_failed(problem->defined)) {
        status = il_fail(&err, IL_ESCRIPT, "a function of problem '%s' failed",
                         problem->choice.type->name);
    }
    if (status == IL_OK) {
        json = il_record_json(&record, params);
    }
    il_record_free(&record);
    il_params_destroy(params);
    return deliver(out, status, json, kept, &err, error);
}

/* ---- judging -------------------------------------------------------------------------------- */

static il_status between_of(const char *name, il_between *out, il_error *err) {
    for (int k = IL_BETWEEN_AFFINE; name != NULL && k <= IL_BETWEEN_BALLISTIC; k++) {
        if (strcmp(name, il_between_name((il_between)k)) == 0) {
            *out = (il_between)k;
            return IL_OK;
        }
    }
    *out = IL_BETWEEN_AFFINE;
    return name == NULL ? IL_OK
                        : il_fail(err, IL_EINVAL,
                                  "between is '%s'; allowed: affine, constant, ballistic", name);
}

static impactlab_status judge(const impactlab_problem *problem, const char *between,
                              il_judge_query *query, impactlab_record **out,
                              impactlab_error *error) {
    il_error err = {IL_OK, ""};
    il_judgement judged = {.json = NULL};
    query->problem = &problem->choice;
    query->horizon = problem->horizon;
    query->norms = IL_NORM_AUTO;
    il_status status = between_of(between, &query->between, &err);
    status = status == IL_OK ? il_judge(query, &judged, &err) : status;
    json_t *json = json_incref(judged.json);
    il_judgement_free(&judged);
    return deliver(out, status, json, (il_trajectory){0}, &err, error);
}

impactlab_status impactlab_judge(const impactlab_problem *problem, const char *between,
                                 size_t nodes, const double *t, const double *q, const double *u,
                                 impactlab_record **out, impactlab_error *error) {
    const il_samples_given given = {nodes, problem->problem->d, t, q, u};
    il_judge_query query = {.path = "samples", .given = &given};
    return judge(problem, between, &query, out, error);
}

impactlab_status impactlab_judge_file(const impactlab_problem *problem, const char *between,
                                      const char *path, const char *mapping, impactlab_record **out,
                                      impactlab_error *error) {
    il_judge_query query = {.path = path, .mapping = mapping};
    return judge(problem, between, &query, out, error);
}

impactlab_status impactlab_order_fit(size_t n, const double *h, const double *error,
                                     const char *claim, double order, double factor,
                                     impactlab_order *out, impactlab_error *why) {
    static const char *const kinds[] = {"converges", "bound", "sharp"};
    il_error err = {IL_OK, ""};
    il_order fitted = {.runs = 0};
    size_t kind = 0;
    double size = 1.0;
    il_status status = IL_OK;
    while (claim != NULL && kind < 3 && strcmp(claim, kinds[kind]) != 0) {
        kind++;
    }
    for (size_t k = 0; k < n; k++) {
        size = isfinite(error[k]) ? fmax(size, error[k]) : size;
    }
    const il_claim claimed = {.norm = "",
                              .kind = (il_claim_kind)kind,
                              .order = order,
                              .factor = factor > 0.0 ? factor : IL_ORDER_FACTOR};
    const il_order_data data = {
        .n = n, .h = h, .error = error, .causes = {.rounding = 64.0 * 0x1p-52 * size}};
    memset(out, 0, sizeof *out);
    if (kind == 3 || (claim != NULL && kind > 0 && !(order > 0.0))) {
        status = il_fail(&err, IL_EINVAL,
                         "claim is '%s' with order %g; allowed: converges, or bound or sharp with "
                         "an order > 0",
                         claim, order);
    } else {
        status = il_order_fit(&data, 0.95, claim != NULL ? &claimed : NULL, &fitted, &err);
    }
    if (status == IL_OK) {
        *out = (impactlab_order){.order = fitted.order,
                                 .low = fitted.low,
                                 .high = fitted.high,
                                 .level = fitted.level,
                                 .fold = fitted.fold,
                                 .octaves = fitted.octaves,
                                 .finest = fitted.finest,
                                 .floor = fitted.floor,
                                 .floor_high = fitted.floor_high,
                                 .scatter = fitted.scatter,
                                 .runs = fitted.runs,
                                 .used = fitted.used};
        (void)snprintf(out->verdict, sizeof out->verdict, "%s", il_verdict_name(fitted.verdict));
        (void)snprintf(out->reason, sizeof out->reason, "%s", fitted.reason);
        il_order_sentence(&fitted, NULL, out->text, sizeof out->text);
    }
    return told(status, &err, why);
}

/*
 * library.c - the functions of impactlab.h, on top of the harness.
 */
#define IMPACTLAB_API __attribute__((visibility("default")))
#include "harness/library/impactlab.h"

#include <gsl/gsl_errno.h>
#include <math.h>
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
    for (size_t k = 0; k < w->n; k++) {
        free(w->keys[k]);
        free(w->texts[k]);
    }
    free(w->keys);
    free(w->texts);
    free(w->settings);
    free(w->name);
    il_defined_destroy(w->defined);
    free(w);
}

static il_status take_settings(impactlab_problem *w, size_t n, const char *const *settings,
                               il_error *err) {
    w->keys = calloc(n + 1, sizeof *w->keys);
    w->texts = calloc(n + 1, sizeof *w->texts);
    w->settings = calloc(n + 1, sizeof *w->settings);
    if (w->keys == NULL || w->texts == NULL || w->settings == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for settings");
    }
    for (size_t k = 0; k < n; k++) {
        size_t length = strcspn(settings[k], "=");
        if (settings[k][length] == '\0' || length == 0) {
            return il_fail(err, IL_EINVAL, "the setting is '%s'; allowed: key=value", settings[k]);
        }
        w->keys[k] = strndup(settings[k], length);
        w->texts[k] = strdup(settings[k] + length + 1);
        w->n = k + 1;
        if (w->keys[k] == NULL || w->texts[k] == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for settings");
        }
        w->settings[k] = (il_setting){.key = w->keys[k], .text = w->texts[k]};
    }
    w->choice.settings = w->settings;
    w->choice.nsettings = n;
    return IL_OK;
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

impactlab_status impactlab_problem_create(impactlab_problem **out, const char *name, size_t n,
                                          const char *const *settings, double horizon,
                                          impactlab_error *error) {
    il_error err = {IL_OK, ""};
    impactlab_problem *w = calloc(1, sizeof *w);
    (void)gsl_set_error_handler_off();
    *out = w;
    if (w == NULL || (w->name = strdup(name)) == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for a problem");
        goto fail;
    }
    w->horizon = horizon;
    w->choice.label = w->name;
    if (il_problem_type_find(name, &w->choice.type, &err) == IL_OK &&
        take_settings(w, n, settings, &err) == IL_OK && instantiate(w, &err) == IL_OK) {
        return told(IL_OK, &err, error);
    }
fail:
    impactlab_problem_destroy(w);
    *out = NULL;
    return told(err.code, &err, error);
}

impactlab_status impactlab_problem_define(impactlab_problem **out,
                                          const impactlab_definition *definition,
                                          impactlab_error *error) {
    il_error err = {IL_OK, ""};
    impactlab_problem *w = calloc(1, sizeof *w);
    (void)gsl_set_error_handler_off();
    *out = w;
    if (w == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for a problem");
        return told(IL_ENOMEM, &err, error);
    }
    il_status status = il_defined_create(&w->defined, definition, &err);
    if (status == IL_OK) {
        w->choice.type = il_defined_type(w->defined);
        w->choice.label = w->choice.type->name;
        status = instantiate(w, &err);
    }
    if (status != IL_OK) {
        impactlab_problem_destroy(w);
        *out = NULL;
    }
    return told(status, &err, error);
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

/* json is taken over, whatever comes. */
static il_status finish(impactlab_record *w, json_t *json, il_error *err) {
    w->json = json;
    w->text = json != NULL ? il_json_text(json) : NULL;
    return w->text != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a record");
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
    il_record record;
    il_params *params = NULL;
    memset(&record, 0, sizeof record);
    impactlab_record *w = calloc(1, sizeof *w);
    const il_case c = {.problem = &problem->choice};
    il_run_spec spec = {.problem = problem->choice.type,
                        .steps = options->steps,
                        .h = options->h,
                        .horizon = options->steps > 0 && options->h > 0.0 ? 0.0 : problem->horizon,
                        .projection = {.tolerance = options->tolerance},
                        .norms = options->all_norms != 0 ? il_norm_all() : IL_NORM_AUTO};
    *out = NULL;
    if (w == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for a record");
        return told(IL_ENOMEM, &err, error);
    }
    il_status status = choose(options, &own, &spec, &scheme, &err);
    status = status == IL_OK ? il_case_params(&c, &params, &err) : status;
    if (status == IL_OK) {
        spec.params = params;
        status =
            il_run(&spec, &record, options->keep_trajectory != 0 ? &w->trajectory : NULL, &err);
    }
    if (status == IL_OK && problem->defined != NULL && il_defined_failed(problem->defined)) {
        status = il_fail(&err, IL_ESCRIPT, "a function of problem '%s' failed",
                         problem->choice.type->name);
    }
    if (status == IL_OK) {
        status = finish(w, il_record_json(&record, params), &err);
    }
    il_record_free(&record);
    il_params_destroy(params);
    if (status != IL_OK) {
        impactlab_record_destroy(w);
        w = NULL;
    }
    *out = w;
    return told(status, &err, error);
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
    il_judgement judged;
    memset(&judged, 0, sizeof judged);
    impactlab_record *w = calloc(1, sizeof *w);
    query->problem = &problem->choice;
    query->horizon = problem->horizon;
    query->norms = IL_NORM_AUTO;
    *out = NULL;
    if (w == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for a record");
        return told(IL_ENOMEM, &err, error);
    }
    il_status status = between_of(between, &query->between, &err);
    status = status == IL_OK ? il_judge(query, &judged, &err) : status;
    if (status == IL_OK) {
        status = finish(w, il_json_copy(judged.json), &err);
    }
    il_judgement_free(&judged);
    if (status != IL_OK) {
        impactlab_record_destroy(w);
        w = NULL;
    }
    *out = w;
    return told(status, &err, error);
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

/*
 * plan.c - N, h and T of a run, h = T/N, and checks that the steps asked for exist.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/run/registry.h"
#include "harness/run/work.h"

/* T/h may fall short of an integer by its rounding. */
static const double WHOLE = 1e-9;
static const size_t STEPS_MAX = (size_t)1 << 40;

il_status il_run_horizon(const il_run_spec *spec, double *out, il_error *err) {
    double horizon =
        spec->h > 0.0 && spec->steps > 0 ? (double)spec->steps * spec->h : spec->horizon;
    if (spec->h > 0.0 && spec->steps > 0 && spec->horizon > 0.0) {
        return il_fail(err, IL_EINVAL,
                       "steps, h and a horizon are given together: steps of h end at %s already",
                       il_text_numeral(horizon).text);
    }
    if (!isfinite(horizon) || horizon < 0.0) {
        return il_fail(err, IL_EINVAL, "the horizon is %s; it must be positive and finite",
                       il_text_numeral(horizon).text);
    }
    *out = horizon;
    return IL_OK;
}

/* steps, h and the end of the run; the three ways to give them. */
static il_status divide(const il_run_spec *spec, double own, il_record *record, bool *divided,
                        il_error *err) {
    double T = spec->horizon > 0.0 ? spec->horizon : own;
    if (spec->steps == 0 && spec->h == 0.0) {
        return il_fail(err, IL_EINVAL, "give the number of steps, the step h, or both");
    }
    if (spec->h != 0.0 && !(spec->h > 0.0 && isfinite(spec->h))) {
        return il_fail(err, IL_EINVAL, "h is %s; it must be positive and finite",
                       il_text_numeral(spec->h).text);
    }
    if (spec->steps > STEPS_MAX) {
        return il_fail(err, IL_EINVAL, "%zu steps are too many; at most %zu", spec->steps,
                       STEPS_MAX);
    }
    *divided = spec->h == 0.0;
    record->steps = spec->steps;
    record->h = spec->h;
    if (spec->h == 0.0) {
        record->h = T / (double)spec->steps;
        record->horizon = T;
    } else if (spec->steps == 0) {
        double n = floor(T / spec->h + WHOLE);
        if (!(n >= 1.0)) {
            return il_fail(
                err, IL_EINVAL,
                "h is %s; allowed: at most the horizon, %s, into which no step of h fits",
                il_text_numeral(spec->h).text, il_text_numeral(T).text);
        }
        if (n > (double)STEPS_MAX) {
            return il_fail(err, IL_EINVAL, "h is %s; that makes %.6g steps, at most %zu",
                           il_text_numeral(spec->h).text, n, STEPS_MAX);
        }
        record->steps = (size_t)n;
        record->horizon = (double)record->steps * spec->h;
        if (T - record->horizon > WHOLE * spec->h) {
            (void)snprintf(record->message, sizeof record->message,
                           "%zu steps of h = %s end at t = %.10g, short of the horizon %s",
                           record->steps, il_text_numeral(spec->h).text, record->horizon,
                           il_text_numeral(T).text);
        }
    } else {
        record->horizon = (double)spec->steps * spec->h;
    }
    return IL_OK;
}

/* Is the step whose projection is to be kept one of the run's? */
static il_status check_kept(const il_run_spec *spec, const il_record *record, il_error *err) {
    if (spec->keep == NULL) {
        return IL_OK;
    }
    if (spec->keep->step > record->steps) {
        return il_fail(err, IL_EINVAL,
                       "the projection of step %zu is to be kept; allowed: 1 to %zu, the steps of "
                       "the run",
                       spec->keep->step, record->steps);
    }
    spec->keep->step = spec->keep->step > 0 ? spec->keep->step : record->steps;
    return IL_OK;
}

static il_status check_samples(const il_run_spec *spec, double end, il_error *err) {
    for (size_t k = 0; k < spec->nsamples; k++) {
        double t = spec->samples[k];
        if (!(t >= 0.0 && t <= end * (1.0 + WHOLE))) {
            return il_fail(err, IL_EINVAL, "sample time %s lies outside the run, [0, %s]",
                           il_text_numeral(t).text, il_text_numeral(end).text);
        }
    }
    return IL_OK;
}

/* Are the multipliers that are asked for those of one of the run's steps, and can they be analysed?
 */
static il_status check_multipliers(const il_run_spec *spec, const il_problem *problem,
                                   const il_record *record, il_error *err) {
    if (spec->multipliers != 0 && problem->gamma0 != NULL) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "multipliers are asked for, and contacts of problem '%s' hold: theirs have "
                       "no sign, and the set is not analysed; set glue=off",
                       problem->type->name);
    }
    if (spec->multipliers != IL_STEP_LAST && spec->multipliers > record->steps) {
        return il_fail(err, IL_EINVAL,
                       "the multipliers of step %zu are asked for; allowed: 1 to %zu, or the last",
                       spec->multipliers, record->steps);
    }
    return IL_OK;
}

il_status il_run_plan(const il_run_spec *spec, const il_problem *problem, il_record *record,
                      bool *divided, il_error *err) {
    il_status status = divide(spec, problem->horizon, record, divided, err);
    if (status == IL_OK) {
        status = check_samples(spec, record->horizon, err);
    }
    if (status == IL_OK) {
        status = check_multipliers(spec, problem, record, err);
    }
    return status == IL_OK ? check_kept(spec, record, err) : status;
}

/* The rows by which it is checked whether the projector suits the problem: all, or of a problem
 * with very many constraints those nearest to the start, within twice the distance that finds the
 * first. */
static il_status rows_ahead(const il_problem *problem, il_rows *rows) {
    double reach = 0.0;
    if (problem->p <= IL_OFFER_ALL) {
        return il_problem_scan(problem, 0.0, problem->q0, problem->q0, INFINITY, rows);
    }
    for (size_t k = 0; k < problem->d; k++) {
        reach = fmax(reach, fabs(problem->q0[k]));
    }
    il_status status = IL_OK;
    reach *= 0x1p-20;
    for (size_t k = 0; status == IL_OK && rows->p == 0 && k < 24; k++) {
        status = il_problem_scan(problem, 0.0, problem->q0, problem->q0, reach, rows);
        reach *= 2.0;
    }
    if (status == IL_OK && rows->p > 0) {
        il_rows_clear(rows);
        status = il_problem_scan(problem, 0.0, problem->q0, problem->q0, reach, rows);
    }
    return status;
}

/* option is given, of which the projectors know that `swept` says, and this one does not. */
static il_status refuse_option(const char *option, bool swept, const il_projector_type *type,
                               il_error *err) {
    char known[256] = "";
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *other = il_projector_type_at(k);
        if (swept ? other->swept : other->stepped) {
            il_text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", other->name);
        }
    }
    return il_fail(err, IL_EINVAL,
                   "%s is given, which projector '%s' does not have; allowed with: %s", option,
                   type->name, known);
}

il_status il_run_check_projector(const il_run_spec *spec, const il_problem *problem,
                                 il_error *err) {
    const il_projector_type *type = spec->projector;
    void *projector = NULL;
    il_rows rows;
    if (spec->projection.rho_rule != IL_RHO_MEASURED && !type->stepped) {
        return refuse_option("rho", false, type, err);
    }
    if ((spec->projection.warm || spec->projection.shuffled) && !type->swept) {
        return refuse_option(spec->projection.warm ? "warm" : "sweep_order", true, type, err);
    }
    il_rows_init(&rows);
    il_status status = type->create(&projector, &spec->projection, err);
    if (status != IL_OK) {
        return status;
    }
    status = rows_ahead(problem, &rows);
    if (status != IL_OK) {
        status = il_fail(err, status, "the constraints of '%s' cannot be computed at the start",
                         problem->type->name);
    }
    il_qp qp = {.d = problem->d,
                .mass = problem->mass,
                .target = problem->q0,
                .rows = &rows,
                .a = rows.value,
                .scale = 1.0};
    const char *why = status == IL_OK ? type->refuses(projector, &qp) : NULL;
    if (why != NULL) {
        status = il_fail(err, IL_EUNSUPPORTED, "projector '%s' cannot serve problem '%s': %s",
                         type->name, problem->type->name, why);
    }
    type->destroy(projector);
    il_rows_free(&rows);
    return status;
}

void il_run_plan_seed(const il_run_spec *spec, il_record *record) {
    record->has_seed = spec->has_seed;
    record->seed = spec->seed;
    for (size_t k = 0; il_params_spec(spec->params, k) != NULL; k++) {
        if (strcmp(il_params_spec(spec->params, k)->key, "seed") == 0) {
            record->has_seed = true;
            record->seed = il_params_integer(spec->params, "seed");
        }
    }
}

/*
 * ensemble.c - the members of an ensemble, and their distances from the unperturbed run.
 */
#include "harness/study/ensemble/ensemble.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/vector.h"
#include "harness/study/ensemble/disturb.h"
#include "harness/study/ensemble/ensemble_numbers.h"

/* The number of times at which runs are compared, at most; and of numbers that are stored for
 * it. */
static const size_t TIMES = 256;
static const size_t KEPT = (size_t)1 << 22;
enum { SIZES = 10 }; /* perturbations are 2^10 times as large each */
static const double RUNS_MAX = 100000.0;

struct il_ensemble {
    const il_problem_type *of;
    size_t runs, n; /* n with run 0 and probes */
    double *size;   /* [n] E of each; 0 of run 0 */
    il_disturbed disturbed;
    il_choice choice; /* the problem that stands in for a case's, */
    il_observer observer;
    size_t member; /* and the run that is watched */

    /* Run 0: */
    size_t d, steps, times, seen;
    double *t;   /* [times] */
    double *q;   /* [times][d] */
    double *now; /* [times] distance of the run that is watched, over the size of q */
    double most_q, most_u, q_size, u_size;
    il_ensemble_scales scales;
    int order;
    double lightest; /* the least eigenvalue of M */
    const json_t *record;

    json_t **records; /* [n] owned; NULL: refused */
    double *distance; /* [n][times] */
    size_t refused;
    char why[IL_MESSAGE_MAX]; /* the last was refused */
};

il_status il_ensemble_check(const char *runs_name, double runs, const char *perturb_name,
                            const double *perturb, il_error *err) {
    if (!(runs >= 2.0 && runs <= RUNS_MAX && runs == floor(runs))) {
        return il_fail(err, IL_EINVAL, "%s is %s; allowed: an integer from 2 to %s", runs_name,
                       il_text_numeral(runs).text, il_text_numeral(RUNS_MAX).text);
    }
    if (perturb != NULL && !(*perturb >= DBL_EPSILON && *perturb <= 0.5)) {
        return il_fail(
            err, IL_EINVAL, "%s is %s; allowed: a relative size from %s, a last place, to 0.5",
            perturb_name, il_text_numeral(*perturb).text, il_text_numeral(DBL_EPSILON).text);
    }
    return IL_OK;
}

il_status il_ensemble_create(il_ensemble **out, const il_problem_type *of, size_t runs,
                             double perturb, il_error *err) {
    double size = perturb > 0.0 ? perturb : IL_ENSEMBLE_SMALLEST;
    *out = NULL;
    il_status status = il_ensemble_check("runs", (double)runs, "perturb", &size, err);
    if (status != IL_OK) {
        return status;
    }
    il_ensemble *e = il_alloc_zero(1, sizeof *e);
    size_t levels = 0; /* of probes */
    while (levels < 2 && ldexp(size, SIZES * (int)(levels + 1)) <= IL_ENSEMBLE_LARGEST) {
        levels++;
    }
    e->of = of;
    e->runs = runs;
    e->n = 1 + runs + levels * IL_PROBES;
    e->size = il_alloc_zero(e->n, sizeof *e->size);
    e->records = il_alloc_zero(e->n, sizeof(json_t *));
    for (size_t k = 1; k < e->n; k++) {
        e->size[k] = ldexp(size, k <= runs ? 0 : SIZES * (int)(1 + (k - runs - 1) / IL_PROBES));
    }
    *out = e;
    return IL_OK;
}

void il_ensemble_destroy(il_ensemble *e) {
    if (e == NULL) {
        return;
    }
    for (size_t k = 0; k < e->n; k++) {
        json_decref(e->records[k]);
    }
    free(e->records);
    free(e->size);
    free(e->t);
    free(e->q);
    free(e->now);
    free(e->distance);
    free(e);
}

size_t il_ensemble_count(const il_ensemble *e) {
    return e->n;
}

const il_problem_type *il_ensemble_problem(il_ensemble *e, size_t k) {
    if (k == 0) {
        return e->of;
    }
    e->disturbed = (il_disturbed){.size = e->size[k],
                                  .seed = k,
                                  .q_size = e->q_size,
                                  .u_size = e->u_size,
                                  .reorder = k % 2 == 0};
    il_disturb(&e->disturbed, e->of);
    return &e->disturbed.type;
}

/* ---- observing ------------------------------------------------------------------------------ */

/* The step at whose end time k is: 1 .. steps, spread evenly. */
static size_t step_of(const il_ensemble *e, size_t k) {
    return (k + 1) * e->steps / e->times;
}

static double total_mass(const il_problem *problem) {
    const double *masses = il_metric_masses(problem->mass);
    double sum = 0.0;
    for (size_t k = 0; masses != NULL && k < problem->d; k++) {
        sum += masses[k];
    }
    return masses != NULL ? sum : (double)problem->d * il_metric_smallest(problem->mass);
}

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    il_ensemble *e = self;
    (void)err;
    e->seen = 0;
    if (e->member > 0) {
        memset(e->now, 0, e->times * sizeof *e->now);
        return IL_OK;
    }
    e->d = problem->d;
    e->steps = steps;
    size_t most = e->d < KEPT ? KEPT / e->d : 1;
    e->times = steps < TIMES ? steps : TIMES;
    e->times = e->times < most ? e->times : most;
    e->t = il_alloc_zero(e->times, sizeof *e->t);
    e->now = il_alloc_zero(e->times, sizeof *e->now);
    e->q = il_alloc_zero(e->times * e->d, sizeof *e->q);
    e->distance = il_alloc_zero(e->times * e->n, sizeof *e->distance);
    e->most_q = il_largest(start->q, e->d);
    e->most_u = il_largest(start->u, e->d);
    e->q_size = il_largest(problem->q0, e->d);
    e->u_size = il_largest(problem->u0, e->d);
    e->scales.mass = total_mass(problem);
    e->lightest = il_metric_smallest(problem->mass);
    e->order = problem->order;
    return IL_OK;
}

/* The change of velocity by the force in a step, or for order 1 the velocity: the scale of what
 * rests on a floor. */
static double velocity_of_contacts(const il_ensemble *e, const il_watched *now) {
    double most = now->report->force != NULL ? il_largest(now->report->force, e->d) : 0.0;
    return e->order == 2 ? (now->t1 - now->t0) * most / e->lightest : most;
}

static il_status step(void *self, const il_watched *now, il_error *err) {
    il_ensemble *e = self;
    (void)err;
    if (e->member == 0) {
        e->most_q = fmax(e->most_q, il_largest(now->out->q, e->d));
        e->most_u = fmax(e->most_u, il_largest(now->out->u, e->d));
        e->most_u = fmax(e->most_u, velocity_of_contacts(e, now));
    }
    if (e->seen == e->times || now->n < step_of(e, e->seen)) {
        return IL_OK;
    }
    double *q = e->q + e->seen * e->d;
    if (e->member == 0) {
        e->t[e->seen] = now->t1;
        memcpy(q, now->out->q, e->d * sizeof *q);
    } else {
        double most = 0.0;
        for (size_t k = 0; k < e->d; k++) {
            most = fmax(most, fabs(now->out->q[k] - q[k]));
        }
        e->now[e->seen] = e->most_q > 0.0 ? most / e->most_q : most;
    }
    e->seen++;
    return IL_OK;
}

il_observer il_ensemble_observer(il_ensemble *e, size_t k) {
    e->member = k;
    return (il_observer){.self = e, .begin = begin, .step = step};
}

void il_ensemble_member(il_ensemble *e, size_t k, il_case *c) {
    e->choice = *c->problem;
    e->choice.type = il_ensemble_problem(e, k);
    e->observer = il_ensemble_observer(e, k);
    c->problem = &e->choice;
    c->observers = &e->observer;
    c->nobservers = 1;
}

/* ---- results -------------------------------------------------------------------------------- */

static double number_at(const json_t *record, const char *key) {
    return json_number_value(json_object_get(record, key));
}

static bool went_well(const json_t *record) {
    return strcmp(il_json_get_text(record, "status"), il_status_name(IL_OK)) == 0;
}

il_status il_ensemble_base(il_ensemble *e, const json_t *record, double tolerance, il_error *err) {
    if (!went_well(record)) {
        return il_fail(err, IL_ENUMERIC, "no ensemble: the run itself ends with %s: %.800s",
                       il_json_get_text(record, "status"), il_json_get_text(record, "message"));
    }
    e->record = record;
    e->q_size = il_disturb_size(e->q_size, e->most_q);
    e->u_size = il_disturb_size(e->u_size, e->most_u);
    e->scales.q = e->most_q;
    e->scales.u = e->most_u;
    e->scales.h = number_at(record, "h");
    e->scales.T = number_at(record, "horizon");
    e->scales.steps = (double)e->steps;
    double primal = number_at(json_object_get(record, "certificate"), "primal");
    e->scales.tolerance = fmax(tolerance, fabs(primal));
    return IL_OK;
}

void il_ensemble_add(const il_ensemble *e, json_t *answer) {
    json_t *distance = json_array();
    for (size_t i = 0; i < e->seen; i++) {
        il_json_append(distance, il_json_number(e->now[i]));
    }
    il_json_set(answer, "distance", distance);
}

void il_ensemble_take(il_ensemble *e, size_t k, const json_t *answer) {
    const json_t *distance = json_object_get(answer, "distance");
    e->records[k] = json_incref(json_object_get(answer, "record"));
    if (e->records[k] == NULL) {
        e->refused++;
        (void)snprintf(e->why, sizeof e->why, "%s", il_json_get_text(answer, "refused"));
    }
    for (size_t i = 0; i < e->times; i++) {
        const json_t *x = json_array_get(distance, i);
        e->distance[k * e->times + i] = json_is_number(x) ? json_number_value(x) : NAN;
    }
}

static void next_member(void *self, size_t k, il_case *c) {
    il_ensemble_member(self, k + 1, c);
}

static il_status add(void *self, size_t k, const json_t *record, il_trajectory *run,
                     json_t *answer) {
    (void)k;
    (void)record;
    (void)run;
    il_ensemble_add(self, answer);
    return IL_OK;
}

static il_status take(void *self, size_t k, json_t *answer, il_error *err) {
    (void)err;
    il_ensemble_take(self, k + 1, answer);
    return IL_OK;
}

il_members il_ensemble_runs(il_ensemble *e) {
    return (il_members){.n = e->n - 1, .self = e, .member = next_member, .add = add, .take = take};
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* The growth of the median (or of the largest) distance of the members of that size. x has room for
 * n + times numbers. */
static il_growth growth_at(const il_ensemble *e, double size, bool largest_one, double *x) {
    double *delta = x + e->n;
    for (size_t i = 0; i < e->times; i++) {
        size_t n = 0;
        for (size_t k = 1; k < e->n; k++) {
            double d = e->distance[k * e->times + i];
            if (e->size[k] == size && e->records[k] != NULL && !isnan(d)) {
                x[n++] = d;
            }
        }
        qsort(x, n, sizeof *x, il_ascending);
        delta[i] = n == 0 ? 0.0 : largest_one ? x[n - 1] : x[n / 2];
    }
    return il_growth_of(e->t, delta, e->times);
}

/* The digits are those for the least perturbation. The rate is that for the least perturbation that
 * shows one: at the level of rounding the growth may be lost. */
static void measure_growth(const il_ensemble *e, il_growth *typical, il_growth *worst) {
    double *x = il_alloc_zero(e->n + e->times, sizeof *x);
    *worst = growth_at(e, e->size[1], true, x);
    *typical = growth_at(e, e->size[1], false, x);
    for (size_t k = e->runs + 1; k < e->n && isnan(typical->rate) && isnan(typical->jump);
         k += IL_PROBES) {
        *typical = growth_at(e, e->size[k], false, x);
    }
    free(x);
}

il_status il_ensemble_json(il_ensemble *e, json_t **out, il_error *err) {
    size_t refused = 0;
    size_t failed = 0;
    *out = NULL;
    for (size_t k = 1; k <= e->runs; k++) {
        refused += e->records[k] == NULL;
        failed += e->records[k] != NULL && !went_well(e->records[k]);
    }
    if (refused == e->runs) {
        return il_fail(err, IL_EINVAL, "all %zu starts that were moved by %.3g are refused: %.700s",
                       e->runs, e->size[1], e->why);
    }
    il_ensemble_result r = {.runs = e->runs,
                            .refused = refused,
                            .refused_probes = e->refused - refused,
                            .failed = failed,
                            .perturbation = e->size[1],
                            .q_size = e->q_size,
                            .u_size = e->u_size};
    measure_growth(e, &r.typical, &r.worst);
    il_ensemble_members members = {.base = e->record,
                                   .n = e->n - 1,
                                   .record = (const json_t *const *)(e->records + 1),
                                   .size = e->size + 1,
                                   .scales = e->scales};
    il_status status = il_ensemble_numbers(&members, &r, err);
    if (status == IL_OK) {
        *out = il_ensemble_result_json(&r);
    }
    json_decref(r.numbers);
    return status;
}

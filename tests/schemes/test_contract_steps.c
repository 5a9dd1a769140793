/*
 * test_contract_steps.c - what every scheme owes on every problem, in single steps: a failure or a
 * projector that stops early harms nothing and is told, and nothing is allocated on the way.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/allocation.h"
#include "tests/support/contract.h"
#include "tests/support/suite.h"

/* One scheme on one problem with buffers for two states. */
typedef struct {
    il_params *params, *own; /* the problem's, the scheme's */
    il_problem *problem;
    void *scheme;
    double *buffer; /* [6d]: in, out, copy of in; then [2p] gamma of gluey problems */
    il_state in, out;
    il_contacts contacts[2]; /* theirs */
} bench;

static bool bench_open(bench *b, const il_variant *v, const il_scheme_type *scheme,
                       const il_scheme_options *options) {
    memset(b, 0, sizeof *b);
    b->params = il_contract_params(v);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&b->problem, v->type, b->params, 0.0, NULL), IL_OK);
    size_t d = b->problem->d;
    size_t glued = b->problem->gamma0 != NULL ? b->problem->p : 0;
    size_t carried = scheme->carries != NULL ? scheme->carries(b->problem) : 0;
    b->buffer = calloc(6 * d + 2 * glued + 2 * carried, sizeof *b->buffer);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->buffer);
    b->in = (il_state){.q = b->buffer, .u = b->buffer + d, .contacts = &b->contacts[0]};
    b->out =
        (il_state){.q = b->buffer + 2 * d, .u = b->buffer + 3 * d, .contacts = &b->contacts[1]};
    if (carried > 0) {
        b->in.carried = b->buffer + 6 * d + 2 * glued;
        b->out.carried = b->in.carried + carried;
        b->in.carried[0] = NAN;
    }
    memcpy(b->in.q, b->problem->q0, d * sizeof(double));
    memcpy(b->in.u, b->problem->u0, d * sizeof(double));
    if (glued > 0) {
        b->in.gamma = b->buffer + 6 * d;
        b->out.gamma = b->in.gamma + glued;
        memcpy(b->in.gamma, b->problem->gamma0, glued * sizeof(double));
    }
    if (il_scheme_admits(scheme, b->problem, NULL) != IL_OK) {
        return false;
    }
    il_scheme_options with = *options;
    CU_ASSERT_EQUAL_FATAL(il_scheme_params(scheme, il_contract_settings(scheme), &b->own, NULL),
                          IL_OK);
    with.params = b->own;
    CU_ASSERT_EQUAL_FATAL(scheme->create(&b->scheme, b->problem, &with, NULL), IL_OK);
    return true;
}

static void bench_close(bench *b, const il_scheme_type *scheme) {
    if (b->scheme != NULL) {
        scheme->destroy(b->scheme);
    }
    free(b->buffer);
    il_contacts_free(&b->contacts[0]);
    il_contacts_free(&b->contacts[1]);
    il_problem_destroy(b->problem);
    il_params_destroy(b->params);
    il_params_destroy(b->own);
}

static void bench_swap(bench *b) {
    il_state swap = b->in;
    b->in = b->out;
    b->out = swap;
}

/* One failing step from in: status is not IL_OK, in keeps every bit, and the step that follows is
 * the one that would have been made without the failure. False where impacts accumulate. */
static bool fail_once(bench *b, const il_scheme_type *scheme, double t0, double t1) {
    size_t d = b->problem->d;
    il_step_report report;
    il_error err = {IL_OK, ""};
    double *expected = b->buffer + 4 * d;
    il_status first = scheme->step(b->scheme, t0, t1, &b->in, &b->out, &report, &err);
    if (scheme->dense && first == IL_EUNSUPPORTED) {
        return false;
    }
    CU_ASSERT_EQUAL(first, IL_OK);
    memcpy(expected, b->out.q, d * sizeof(double));
    memcpy(expected + d, b->out.u, d * sizeof(double));
    double kept = b->in.u[d - 1];
    b->in.u[d - 1] = NAN;
    size_t n = b->in.contacts->n;
    double *copy = malloc((2 * d + n) * sizeof *copy);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, b->in.q, d * sizeof(double));
    memcpy(copy + d, b->in.u, d * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        copy[2 * d + k] = b->in.contacts->lambda[k];
    }
    il_status status = scheme->step(b->scheme, t0, t1, &b->in, &b->out, &report, &err);
    bool harmless = status != IL_OK || b->problem->order == 1; /* order 1 does not read u */
    for (size_t k = 0; k < d && status == IL_OK; k++) {
        harmless |= isnan(b->out.u[k]); /* without rows nothing looks at the number */
    }
    CU_ASSERT(harmless);
    CU_ASSERT_EQUAL(memcmp(copy, b->in.q, d * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(copy + d, b->in.u, d * sizeof(double)), 0);
    CU_ASSERT_EQUAL(b->in.contacts->n, n);
    for (size_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(copy[2 * d + k], b->in.contacts->lambda[k]);
    }
    free(copy);
    b->in.u[d - 1] = kept;
    CU_ASSERT_EQUAL(scheme->step(b->scheme, t0, t1, &b->in, &b->out, &report, &err), IL_OK);
    CU_ASSERT_EQUAL(memcmp(expected, b->out.q, d * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(expected + d, b->out.u, d * sizeof(double)), 0);
    return true;
}

static void a_failed_step_harms_nothing(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    il_scheme_options options = {.projector = il_contract_projector("auto"), .certify = true};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            const il_scheme_type *scheme = il_scheme_type_at(k);
            bench b;
            if (bench_open(&b, &list[i], scheme, &options)) {
                double h = b.problem->horizon / IL_CONTRACT_STEPS;
                bool on = true;
                for (int s = 0; on && s < IL_CONTRACT_STEPS; s += 10) {
                    on = fail_once(&b, scheme, s * h, (s + 1) * h);
                    bench_swap(&b);
                }
            }
            bench_close(&b, scheme);
        }
    }
}

/* The record of a run that ended in a stall has the state and the residuals that the run which
 * accepts best iterates has at the end of the step that failed, bit for bit: up to there both made
 * the same steps. */
static void best_iterate_is_the_accepted_step(const il_run_spec *stalled, const il_record *record) {
    const il_best_iterate *best = &record->best;
    CU_ASSERT_EQUAL_FATAL(best->step, record->steps_done + 1);
    CU_ASSERT(record->stalled == 1 && record->projector_iterations > 0);
    double at[] = {best->t};
    il_run_spec spec = *stalled;
    spec.accept_stalled = true;
    spec.samples = at;
    spec.nsamples = 1;
    il_record other = {0};
    CU_ASSERT_EQUAL(il_run(&spec, &other, NULL, NULL), IL_OK);
    size_t bytes = record->d * sizeof(double);
    CU_ASSERT_EQUAL(memcmp(best->q, other.samples[0].q, bytes), 0);
    CU_ASSERT_EQUAL(memcmp(best->u, other.samples[0].u, bytes), 0);
    CU_ASSERT(best->certificate.primal < -1e-6); /* it did not come to its end, and says so */
    CU_ASSERT(other.measure.certificate.primal <= best->certificate.primal);
    il_record_free(&other);
}

/* A projector that must stop at once, while a contact pushes: the step fails, or goes on with the
 * best iterate and says so. */
static void a_projector_that_stalls_is_reported(void) {
    il_variant v = {.type = NULL};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("sticky", &v.type, NULL), IL_OK);
    il_params *params = il_contract_params(&v);
    il_run_spec spec = {.problem = v.type,
                        .params = params,
                        .scheme = il_contract_scheme("maury"),
                        .projector = il_contract_projector("uzawa"),
                        .projection = {.tolerance = 1e-14, .max_iterations = 3},
                        .steps = 30};
    il_record record = {0};
    CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_ESTALLED);
    CU_ASSERT(record.steps_done < 30 && strlen(record.message) > 0);
    CU_ASSERT(isnan(record.distances[0].error.u_L1));
    best_iterate_is_the_accepted_step(&spec, &record);
    il_record_free(&record);
    spec.accept_stalled = true;
    CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    CU_ASSERT(record.stalled > 0);
    /* Maury, Remark 10: the balance of momentum holds even so. 30 bodies, 30 steps. */
    CU_ASSERT(record.measure.momentum_drift <= 900.0 * 2.3e-16);
    CU_ASSERT(record.measure.nodes_min < -1e-6); /* and the overlap is reported */
    il_record_free(&record);
    il_params_destroy(params);
}

/* The first steps from the start of the problem. */
static void march(bench *b, const il_scheme_type *scheme, int steps) {
    size_t d = b->problem->d;
    double h = b->problem->horizon / IL_CONTRACT_STEPS;
    il_step_report report;
    memcpy(b->in.q, b->problem->q0, d * sizeof(double));
    memcpy(b->in.u, b->problem->u0, d * sizeof(double));
    if (b->in.carried != NULL) {
        b->in.carried[0] = NAN;
    }
    for (int s = 0; s < steps; s++) {
        il_status status =
            scheme->step(b->scheme, s * h, (s + 1) * h, &b->in, &b->out, &report, NULL);
        if (scheme->dense && status == IL_EUNSUPPORTED) {
            return; /* impacts that accumulate */
        }
        CU_ASSERT_EQUAL(status, IL_OK);
        bench_swap(b);
    }
}

static void a_step_allocates_nothing(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    const char *const names[] = {"auto", "active_set", "uzawa"};
    for (size_t j = 0; j < 3 && allocation_counted(); j++) {
        int steps = j == 0 ? IL_CONTRACT_STEPS : IL_CONTRACT_STEPS / 4; /* for time */
        il_scheme_options options = {.projector = il_contract_projector(names[j]),
                                     .projection = {.tolerance = 1e-8},
                                     .certify = true,
                                     .accept_stalled = true};
        size_t stride = j == 0 ? 1 : 3; /* of the other projectors a third of all pairs */
        for (size_t i = 0; i < n; i++) {
            for (size_t k = i % stride; il_scheme_type_at(k) != NULL; k += stride) {
                const il_scheme_type *scheme = il_scheme_type_at(k);
                bench b;
                if (bench_open(&b, &list[i], scheme, &options)) {
                    march(&b, scheme, steps); /* buffers grow to what the whole run needs */
                    size_t warm = allocation_count();
                    march(&b, scheme, steps);
                    CU_ASSERT(allocation_count() == warm);
                }
                bench_close(&b, scheme);
            }
        }
    }
}

/* Springs that ring 1e7 times in a step are more than the integrator may follow, 1e9 times more
 * than it can. */
static void springs_too_stiff_to_follow_are_told(void) {
    static const char *const settings[] = {"stiffness=1e14", "stiffness=1e18"};
    const il_problem_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &type, NULL), IL_OK);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        il_params *params = NULL;
        il_record record = {0};
        CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
        il_run_spec spec = {.problem = type,
                            .params = params,
                            .scheme = il_contract_scheme("penalty"),
                            .scheme_settings = settings[k],
                            .projector = il_contract_projector("auto"),
                            .steps = 1};
        CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
        CU_ASSERT_EQUAL(record.status, IL_ENUMERIC);
        CU_ASSERT_PTR_NOT_NULL(strstr(record.message, "a smaller stiffness is easier"));
        il_record_free(&record);
        il_params_destroy(params);
    }
}

static const il_test tests[] = {
    {"a failed step harms nothing", a_failed_step_harms_nothing},
    {"a projector that stalls is reported", a_projector_that_stalls_is_reported},
    {"a step allocates nothing", a_step_allocates_nothing},
    {"springs too stiff to follow are told", springs_too_stiff_to_follow_are_told},
    {NULL, NULL}};

const il_suite il_suite_contract_steps = {"contract_steps", tests};

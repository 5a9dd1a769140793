/*
 * test_contacts.c - what pushed in a step is told by name, and is where the next step starts from:
 * the same answer, sooner.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/contacts.h"
#include "schemes/scheme.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

static void contacts_are_the_rows_that_push(void) {
    static const size_t names[4] = {70, 3, 9, 12};
    static const double lambda[4] = {0.5, 0.0, 2.0, 0.0};
    il_contacts contacts = {.n = 0};
    il_rows rows;
    il_rows_init(&rows);
    for (size_t i = 0; i < 4; i++) {
        size_t col = i;
        double one = 1.0;
        il_rows_append(&rows, names[i], 0.0, 0.0, 1, &col, &one);
    }
    il_contacts_set(&contacts, &rows, lambda);
    CU_ASSERT_EQUAL_FATAL(contacts.n, 2);
    CU_ASSERT(contacts.id[0] == 70 && contacts.lambda[0] == 0.5);
    CU_ASSERT(contacts.id[1] == 9 && contacts.lambda[1] == 2.0);
    il_rows_clear(&rows);
    il_contacts_set(&contacts, &rows, lambda);
    CU_ASSERT_EQUAL(contacts.n, 0);
    il_contacts_free(&contacts);
    CU_ASSERT(contacts.id == NULL && contacts.lambda == NULL && contacts.room == 0);
    il_rows_free(&rows);
}

enum { STEPS = 40, ROWS = 12 };
static const double STEP = 0.005;

/* The contacts that a step is offered of the one before. */
typedef enum { NOTHING, CONTACTS, TENFOLD, SPOILT, OTHERS } offer;

/* A crystal at rest under its weight for STEPS steps. q[d] receives the end. */
typedef struct {
    il_test_problem made;
    size_t iterations;
    size_t pushing; /* contacts that the last step leaves */
    double *q;
    il_certificate worst;
} rest;

/* Contacts as no step leaves them: too much of them, numbers that are none, or of active rows
 * nothing, that stand there twice or that the problem does not have. */
static void spoil(il_contacts *contacts, offer what) {
    static const double bad[] = {1e300, NAN, -1.0, INFINITY, 1e10};
    for (size_t k = 0; contacts != NULL && k < contacts->n; k++) {
        double lambda = contacts->lambda[k];
        size_t id = contacts->id[k];
        contacts->lambda[k] = what == TENFOLD  ? 10.0 * lambda
                              : what == SPOILT ? bad[k % 5]
                                               : lambda;
        contacts->id[k] = what != OTHERS ? id
                          : k % 3 == 0   ? contacts->id[0]
                          : k % 3 == 1   ? SIZE_MAX - k
                                         : k;
    }
}

static rest stay_by(double h, const char *scheme, const char *projector, double tolerance,
                    offer what) {
    bool offered = what != NOTHING;
    static const char *const settings[] = {"rows=12", NULL};
    rest r = {.made = il_test_problem_new("crystal", 0.0, settings),
              .worst = il_certificate_best()};
    const il_problem *p = r.made.problem;
    const il_scheme_type *type = NULL;
    il_scheme_options options = {.projection = {.tolerance = tolerance}, .certify = true};
    void *self = NULL;
    il_contacts contacts[2] = {{.n = 0}};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(projector, &options.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(type->create(&self, p, &options, NULL), IL_OK);
    double *memory = calloc(4 * p->d, sizeof *memory);
    r.q = calloc(p->d, sizeof *r.q);
    CU_ASSERT_FATAL(memory != NULL && r.q != NULL);
    il_state in = {.q = memory, .u = memory + p->d};
    il_state out = {.q = memory + 2 * p->d, .u = memory + 3 * p->d};
    in.contacts = offered ? &contacts[0] : NULL;
    out.contacts = offered ? &contacts[1] : NULL;
    memcpy(in.q, p->q0, p->d * sizeof *in.q);
    memcpy(in.u, p->u0, p->d * sizeof *in.u);
    for (int n = 0; n < STEPS; n++) {
        il_step_report report;
        il_status status = type->step(self, n * h, (n + 1) * h, &in, &out, &report, NULL);
        CU_ASSERT_EQUAL_FATAL(status, IL_OK);
        il_certificate_worsen(&r.worst, &report.certificate);
        r.iterations += report.iterations;
        r.pushing = offered ? out.contacts->n : 0;
        il_state before = in;
        in = out;
        out = before;
        spoil(in.contacts, what);
    }
    memcpy(r.q, in.q, p->d * sizeof *r.q);
    type->destroy(self);
    free(memory);
    il_contacts_free(&contacts[0]);
    il_contacts_free(&contacts[1]);
    return r;
}

static rest stay(const char *scheme, const char *projector, double tolerance, offer what) {
    return stay_by(STEP, scheme, projector, tolerance, what);
}

static void release(rest *r) {
    free(r->q);
    il_test_problem_free(&r->made);
}

static double apart(const rest *a, const rest *b) {
    double most = 0.0;
    for (size_t k = 0; k < a->made.problem->d; k++) {
        double off = fabs(a->q[k] - b->q[k]);
        most = off <= most ? most : off; /* NaN stays */
    }
    return most;
}

static const struct {
    const char *name;
    double same; /* how far the ends of two runs are apart at most */
    size_t gain; /* times as many iterations without contacts, at least */
} projectors[] = {{"newton", 1e-13, 2}, {"apgd", STEPS *ROWS *IL_PROJECTOR_TOLERANCE, 4}};

/* The answer of a step is one point, whatever the start: to rounding for newton; for apgd to the
 * tolerance of a gap, which adds up over ROWS discs on top of each other and STEPS steps. */
static void a_step_starts_from_the_one_before(void) {
    static const char *const schemes[] = {"maury", "venel"};
    for (size_t s = 0; s < 2; s++) {
        for (size_t k = 0; k < 2; k++) {
            rest with = stay(schemes[s], projectors[k].name, 0.0, CONTACTS);
            rest without = stay(schemes[s], projectors[k].name, 0.0, NOTHING);
            CU_ASSERT(with.pushing >= with.made.problem->d / 2); /* or nothing was offered */
            CU_ASSERT(projectors[k].gain * with.iterations <= without.iterations);
            CU_ASSERT(apart(&with, &without) <= projectors[k].same);
            CU_ASSERT(with.worst.primal >= -1.1 * IL_PROJECTOR_TOLERANCE);
            CU_ASSERT(with.worst.relative <= 1e-10);
            release(&with);
            release(&without);
        }
    }
}

static const il_test tests[] = {
    {"contacts are the active rows", contacts_are_the_rows_that_push},
    {"a step starts from the one before", a_step_starts_from_the_one_before},
    {NULL, NULL}};

const il_suite il_suite_contacts = {"contacts", tests};

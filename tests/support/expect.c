/*
 * expect.c - see expect.h.
 */
#include "tests/support/expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/worse.h"
#include "harness/reference/event_driven.h"
#include "harness/run/registry.h"
#include "tests/support/suite.h"

/* Interior points of a piece at which the inclusion is looked at. */
static const size_t SAMPLES = 5;

il_residual il_residual_within(double most) {
    return (il_residual){.start = most,
                         .infeasible = most,
                         .kinematics = most,
                         .dynamics = most,
                         .continuity = most,
                         .impact = most,
                         .momentum = most};
}

void il_expect_residual(const il_residual *r, const il_residual *most) {
    CU_ASSERT(r->start <= most->start);
    CU_ASSERT(r->infeasible <= most->infeasible);
    CU_ASSERT(r->kinematics <= most->kinematics);
    CU_ASSERT(r->dynamics <= most->dynamics);
    CU_ASSERT(r->continuity <= most->continuity);
    CU_ASSERT(r->impact <= most->impact);
    CU_ASSERT(r->momentum <= most->momentum);
}

void il_expect_solution(const char *name, const char *const *sets, double active,
                        const il_residual *most) {
    il_test_problem made = il_test_problem_new(name, 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    il_residual r = il_residual_of(made.problem, 0, SAMPLES, active);
    il_expect_residual(&r, most);
    il_test_problem_free(&made);
}

/* Set "key=value" strings until one is refused. */
static il_status set_all(il_params *params, const char *const *sets, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && sets[k] != NULL; k++) {
        char key[64];
        int length = (int)strcspn(sets[k], "=");
        CU_ASSERT_FATAL(sets[k][length] == '=');
        (void)snprintf(key, sizeof key, "%.*s", length, sets[k]);
        status = il_params_set_text(params, key, sets[k] + length + 1, err);
    }
    return status;
}

void il_expect_refusal(const char *name, const char *const *sets, const char *words) {
    const il_problem_type *type = NULL;
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(name, &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
    il_status status = set_all(params, sets, &err);
    if (status == IL_OK) {
        status = il_problem_create(&problem, type, params, 0.0, &err);
    }
    CU_ASSERT_EQUAL(status, IL_EINVAL);
    CU_ASSERT_PTR_NULL(problem);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, words));
    CU_ASSERT_PTR_NULL(strchr(err.message, '\n'));
    il_problem_destroy(problem);
    il_params_destroy(params);
}

char *il_test_slurp(const char *folder, const char *file, size_t *size) {
    char path[8192];
    char *text = NULL;
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *in = fopen(path, "rb");
    if (in != NULL && fstat(fileno(in), &info) == 0) {
        text = calloc(1, (size_t)info.st_size + 1);
        size_t bytes = text != NULL ? fread(text, 1, (size_t)info.st_size, in) : 0;
        if (size != NULL) {
            *size = bytes;
        }
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return text;
}

void il_expect_event_driven(const char *name, const char *const *sets, double within) {
    enum { MOST = 8, TIMES = 1000 };
    il_test_problem made = il_test_problem_new(name, 0.0, sets);
    const il_problem *problem = made.problem;
    const il_projector_type *projector = NULL;
    il_event_driven *reference = NULL;
    CU_ASSERT_FATAL(problem->d <= MOST);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_event_driven_create(&reference, problem, projector, NULL), IL_OK);
    CU_ASSERT(il_event_driven_events(reference) >= 2);
    const il_exact *other = il_event_driven_exact(reference);
    double most = 0.0;
    for (int n = 1; n < TIMES; n++) { /* none of these times is near an event */
        double q[2][MOST];
        double u[2][MOST];
        double t = problem->horizon * n / (TIMES + 0.3);
        problem->exact->eval(problem->exact, t, 1, q[0], u[0]);
        other->eval(other, t, 1, q[1], u[1]);
        for (size_t i = 0; i < problem->d; i++) {
            most = il_worse_high(most, fabs(q[0][i] - q[1][i]) + fabs(u[0][i] - u[1][i]));
        }
    }
    CU_ASSERT(most <= within);
    il_event_driven_destroy(reference);
    il_test_problem_free(&made);
}

/*
 * test_gap_watch.c - runs whose constraints lie about their derivatives do not end well; runs that
 * overlap because they are coarse do.
 */
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/suite.h"
#include "tests/support/wrong_rows.h"

/* The status of a run of so many steps. */
static il_status run(const il_problem_type *type, const char *scheme, size_t steps, bool final_only,
                     il_record *record) {
    il_run_spec spec = {.problem = type, .steps = steps, .final_only = final_only};
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, type->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, NULL), IL_OK);
    spec.projector = il_projector_type_default();
    spec.norms = IL_NORM_NONE;
    CU_ASSERT_EQUAL(il_run(&spec, record, NULL, NULL), IL_OK);
    il_status status = record->status;
    il_params_destroy(spec.params);
    return status;
}

static const il_problem_type *find(const char *name) {
    const il_problem_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(name, &type, NULL), IL_OK);
    return type;
}

/* A ball that a floor with its gradient turned round pulls down: every step ends below it. */
static void a_wrong_sign_is_no_run_that_ends_well(void) {
    il_wrong_rows wrong;
    il_wrong_rows_make(&wrong, find("bouncing_ball"), 1.0, -1.0, 1.0);
    for (int final_only = 0; final_only < 2; final_only++) {
        il_record record;
        CU_ASSERT_EQUAL(run(&wrong.type, "maury", 100, final_only == 1, &record), IL_EUNEXPLAINED);
        CU_ASSERT_PTR_NOT_NULL(strstr(record.message, "the floor"));
        CU_ASSERT(record.steps_done < 100);
        il_record_free(&record);
    }
}

/* Overlaps that the step explains: a velocity scheme in steps as long as the problem. */
static void coarse_steps_end_well(void) {
    static const char *const names[] = {
        "two_spheres", "vibroimpact", "growing_radii", "sticky", "corner", "pendulum", NULL};
    static const char *const schemes[] = {"moreau_jean", "penalty", "paoli", "catching_up", NULL};
    size_t overlaps = 0;
    for (size_t k = 0; names[k] != NULL; k++) {
        for (size_t s = 0; schemes[s] != NULL; s++) {
            for (size_t steps = 3; steps <= 300; steps = 2 * steps + 1) {
                il_record record;
                CU_ASSERT_EQUAL(run(find(names[k]), schemes[s], steps, false, &record), IL_OK);
                overlaps += record.measure.nodes_min < -1e-6;
                il_record_free(&record);
            }
        }
    }
    CU_ASSERT(overlaps >= 50); /* else nothing was asked of the watch */
}

static const il_test tests[] = {
    {"a wrong sign is no run that ends well", a_wrong_sign_is_no_run_that_ends_well},
    {"coarse steps end well", coarse_steps_end_well},
    {NULL, NULL}};
const il_suite il_suite_gap_watch = {"gap_watch", tests};

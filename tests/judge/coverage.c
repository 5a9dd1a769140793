/*
 * coverage.c - makes motions for the rates of the judge.
 */
#include "tests/judge/coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/uniform.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/run/run.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

void il_motion_choose(il_motion_problem *c, const char *problem,
                      const char *const sets[IL_MOTION_SETS]) {
    *c = (il_motion_problem){.choice = {.label = problem}};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &c->choice.type, NULL), IL_OK);
    for (size_t k = 0; k < IL_MOTION_SETS && sets[k] != NULL; k++) {
        size_t n = strcspn(sets[k], "=");
        (void)snprintf(c->keys[k], sizeof c->keys[k], "%.*s", (int)n, sets[k]);
        c->settings[k] = (il_setting){.key = c->keys[k], .text = sets[k] + n + 1};
        c->choice.nsettings = k + 1;
    }
    c->choice.settings = c->settings;
}

void il_motion_start(const char *problem, uint64_t *random, char set[IL_MOTION_SETTING]) {
    const size_t capacity = IL_MOTION_SETTING;
    double x = il_uniform_next(random);
    bool is_seeded = strcmp(problem, "sticky") == 0 || strcmp(problem, "impact") == 0;
    *set = '\0';
    if (strcmp(problem, "bouncing_ball") == 0) {
        (void)snprintf(set, capacity, "q0=%.4f", 0.5 + 2.5 * x);
    } else if (strcmp(problem, "two_spheres") == 0) {
        (void)snprintf(set, capacity, "q0=0,0,0,%.4f,0.3,0.2", 1.2 + 0.4 * x);
    } else if (strcmp(problem, "cradle") == 0) {
        (void)snprintf(set, capacity, "gap=%.4f", 0.2 + 0.3 * x);
    } else if (strcmp(problem, "pendulum") == 0) {
        (void)snprintf(set, capacity, "q0=%.4f", 0.25 + 0.1 * x);
    } else if (is_seeded) {
        (void)snprintf(set, capacity, "seed=%d", 1 + (int)(1e4 * x));
    }
}

bool il_motion_run(const il_motion_problem *c, const char *scheme, size_t steps,
                   il_trajectory *run) {
    il_params *params = NULL;
    il_scheme_choice choice;
    il_record record;
    const il_case one = {.problem = &c->choice};
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(scheme, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_case_params(&one, &params, NULL), IL_OK);
    const il_run_spec spec = {.problem = c->choice.type,
                              .params = params,
                              .scheme = choice.type,
                              .scheme_settings = choice.settings,
                              .projector = il_projector_type_default(),
                              .steps = steps};
    memset(&record, 0, sizeof record);
    memset(run, 0, sizeof *run);
    il_status status = il_run(&spec, &record, run, NULL);
    bool good = status == IL_OK && record.status == IL_OK;
    il_params_destroy(params);
    il_record_free(&record);
    if (!good) {
        il_trajectory_free(run);
    }
    return good;
}

static il_problem *make(const il_motion_problem *c, il_params **params) {
    il_problem *problem = NULL;
    const il_case one = {.problem = &c->choice};
    CU_ASSERT_EQUAL_FATAL(il_case_problem(&one, params, &problem, NULL), IL_OK);
    return problem;
}

bool il_motion_exact(const il_motion_problem *c, const double *t, size_t nodes, int side,
                     uint64_t *random, il_trajectory *run) {
    il_params *params = NULL;
    il_problem *problem = make(c, &params);
    bool any = problem->nexact > 0;
    memset(run, 0, sizeof *run);
    if (any) {
        size_t which = (size_t)((double)problem->nexact * il_uniform_next(random));
        const il_exact *exact = &problem->exact[which];
        double *q = malloc(2 * problem->d * sizeof *q);
        CU_ASSERT_FATAL(q != NULL && il_trajectory_init(run, problem->d, nodes, NULL) == IL_OK);
        for (size_t n = 0; n < nodes; n++) {
            exact->eval(exact, t[n], n == 0 ? 1 : side, q, q + problem->d);
            CU_ASSERT_EQUAL_FATAL(il_trajectory_add(run, t[n], q, q + problem->d), IL_OK);
        }
        free(q);
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return any;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double *il_motion_times(const il_motion_problem *c, il_times kind, size_t steps, uint64_t *random,
                        size_t *nodes) {
    il_params *params = NULL;
    il_problem *problem = make(c, &params);
    double T = problem->horizon;
    const il_exact *exact = problem->nexact > 0 ? problem->exact : NULL;
    size_t more =
        kind == IL_TIMES_BREAKS && exact != NULL && exact->nbreaks < 100 ? exact->nbreaks : 0;
    double *t = malloc((steps + 1 + more) * sizeof *t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    for (size_t n = 0; n <= steps; n++) {
        bool inner = kind == IL_TIMES_UNEVEN && n > 0 && n < steps;
        double shift = inner ? 0.9 * (il_uniform_next(random) - 0.5) : 0.0;
        t[n] = T * ((double)n + shift) / (double)steps;
    }
    for (size_t k = 0; k < more; k++) {
        t[steps + 1 + k] = exact->breaks[k];
    }
    qsort(t, steps + 1 + more, sizeof *t, by_size);
    *nodes = 1;
    for (size_t n = 1; n < steps + 1 + more; n++) {
        if (t[n] > t[*nodes - 1] + 1e-6 * T) {
            t[(*nodes)++] = t[n];
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return t;
}

void il_motion_thin(il_trajectory *run, const bool *keep) {
    size_t nodes = 0;
    size_t k = 0;
    size_t d = run->d;
    for (size_t n = 0; n < run->nodes; n++) {
        for (; k < run->ncontacts && run->contacts[k].step <= n; k++) {
            run->contacts[k].step = nodes; /* the next that is kept */
        }
        if (keep[n]) {
            run->t[nodes] = run->t[n];
            memmove(run->q + nodes * d, run->q + n * d, d * sizeof *run->q);
            memmove(run->u + nodes * d, run->u + n * d, d * sizeof *run->u);
            nodes++;
        }
    }
    while (run->ncontacts > 0 && run->contacts[run->ncontacts - 1].step >= nodes) {
        run->ncontacts--;
    }
    run->nodes = nodes;
}

static void round_all(double *x, size_t n, int digits) {
    char text[64];
    for (size_t k = 0; k < n; k++) {
        (void)snprintf(text, sizeof text, "%.*g", digits > 0 ? digits : 17, x[k]);
        x[k] = digits > 0 ? strtod(text, NULL) : (double)(float)x[k];
    }
}

void il_motion_round(il_trajectory *run, int digits) {
    if (digits < 17) {
        round_all(run->t, run->nodes, digits);
        round_all(run->q, run->nodes * run->d, digits);
        round_all(run->u, run->nodes * run->d, digits);
        for (size_t k = 0; k < run->ncontacts; k++) {
            round_all(&run->contacts[k].impulse, 1, digits);
        }
    }
}

il_status il_motion_judge(const il_motion_problem *c, const il_trajectory *run, const char *folder,
                          bool has_u, bool impulses, il_between between, il_faults *faults,
                          il_error *err) {
    char path[2 * IL_SCRATCH_ROOM];
    il_judgement judged;
    const il_samples_given given = {run->nodes, run->d, run->t, run->q, has_u ? run->u : NULL};
    il_judge_query query = {.problem = &c->choice,
                            .path = path,
                            .name = "other",
                            .between = between,
                            .given = impulses ? NULL : &given};
    il_scratch_path(folder, "m.h5", path);
    if (impulses) {
        CU_ASSERT_EQUAL_FATAL(il_trajectory_write(run, path, "{}", err), IL_OK);
    }
    il_status status = il_judge(&query, &judged, err);
    *faults = judged.faults;
    il_judgement_free(&judged);
    return status;
}

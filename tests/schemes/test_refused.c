/*
 * test_refused.c - what every scheme refuses before a run, by name; and contacts that are too stiff
 * for a step: told, or harmless.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/contract.h"
#include "tests/support/suite.h"

/* Each number of each scheme below and above its range. */
static void parameters_out_of_range_are_named(void) {
    size_t tried = 0;
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        const il_scheme_type *scheme = il_scheme_type_at(k);
        for (const il_param_spec *p = scheme->params; p != NULL && p->key != NULL; p++) {
            double outside[] = {p->above_min ? p->min : p->min - 1.0, 10.0 * p->max + 1.0, NAN};
            for (size_t i = 0; p->kind != IL_PARAM_CHOICE && i < 3; i++) {
                char text[128];
                il_error err = {0};
                il_scheme_choice choice;
                (void)snprintf(text, sizeof text, "%s:%s=%.17g", scheme->name, p->key, outside[i]);
                CU_ASSERT_EQUAL(il_scheme_choose(text, &choice, &err), IL_EINVAL);
                CU_ASSERT_PTR_NOT_NULL(strstr(err.message, p->key));
                CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "allowed: "));
                tried++;
            }
        }
    }
    CU_ASSERT(tried > 100);
}

/* Every scheme on every problem: what its properties exclude is refused with both names. */
static void what_a_scheme_does_not_know_is_refused(void) {
    il_variant list[IL_VARIANTS_MAX];
    size_t n = il_contract_variants(list);
    size_t refused[4] = {0};
    for (size_t i = 0; i < n; i++) {
        il_problem *problem = NULL;
        il_params *params = il_contract_params(&list[i]);
        /* Where there is a restitution, and it is free. */
        if (il_params_set_text(params, "e", "0.5", NULL) == IL_OK &&
            il_problem_create(&problem, list[i].type, params, 0.0, NULL) != IL_OK) {
            CU_ASSERT_EQUAL(il_params_set_text(params, "e", "0", NULL), IL_OK);
        }
        if (problem == NULL) {
            CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[i].type, params, 0.0, NULL),
                                  IL_OK);
        }
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            const il_scheme_type *scheme = il_scheme_type_at(k);
            il_error err = {0};
            bool unknown[] = {(scheme->orders & 1u << (problem->order - 1)) == 0,
                              problem->restitution > 0.0 && !scheme->restitution,
                              scheme->open_start && (!(problem->start_gap > 0.0) ||
                                                     (problem->traits & IL_ROWS_FIXED) == 0),
                              problem->gamma0 != NULL && !scheme->glue};
            bool any = unknown[0] || unknown[1] || unknown[2] || unknown[3];
            il_status expected = any ? IL_EUNSUPPORTED : IL_OK;
            CU_ASSERT_EQUAL(il_scheme_admits(scheme, problem, &err), expected);
            CU_ASSERT(!any || strstr(err.message, scheme->name) != NULL);
            CU_ASSERT(!any || strstr(err.message, problem->type->name) != NULL);
            for (size_t c = 0; c < 4; c++) {
                refused[c] += unknown[c] ? 1u : 0u;
            }
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
    for (size_t c = 0; c < 4; c++) {
        CU_ASSERT(refused[c] > 0);
    }
}

/* The energy of a ball of mass 1 that falls from 1 under 9.81, and what two bounces may add to it:
 * of the force in a step of h = 1/100 at speeds below 4.5, g h |u| each. */
static const double STARTS_WITH = 9.81;
static const double BOUNCES = 2.0 * 9.81 * 0.01 * 4.5;

/* The largest energy at a node, without that of springs; NAN where the run ended and said why. */
static double rebound(const char *name, const char *settings, const char *e) {
    const il_problem_type *type = NULL;
    il_params *params = NULL;
    il_record record = {0};
    il_trajectory traj = {0};
    double most = 0.0;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "e", e, NULL), IL_OK);
    il_run_spec spec = {.problem = type,
                        .params = params,
                        .scheme = il_contract_scheme(name),
                        .scheme_settings = settings,
                        .projector = il_contract_projector("auto"),
                        .steps = 200};
    CU_ASSERT_EQUAL(il_run(&spec, &record, &traj, NULL), IL_OK);
    for (size_t k = 0; record.status == IL_OK && k <= 200; k++) {
        most = fmax(most, 9.81 * traj.q[k] + 0.5 * traj.u[k] * traj.u[k]);
    }
    if (record.status != IL_OK) {
        CU_ASSERT_EQUAL(record.status, IL_ENUMERIC);
        CU_ASSERT_PTR_NOT_NULL(strstr(record.message, "unstable"));
        most = NAN;
    }
    il_trajectory_free(&traj);
    il_record_free(&record);
    il_params_destroy(params);
    return most;
}

static void stiff_contacts_gain_no_energy_or_are_told(void) {
    static const struct {
        const char *scheme, *before, *behind, *e; /* settings around 10^(j/2) */
    } families[] = {{"dem", "k=", "", "0"},
                    {"dem", "k=", "", "0.5"},
                    {"dem", "k=", "", "1"},
                    {"dem", "law=hertz,k=", "", "0"},
                    {"dem", "law=hertz,k=", "", "1"},
                    {"dem", "law=hunt_crossley,k=1e3,c=", "", "0.5"},
                    {"soft", "as=sap,k=", "", "0"},
                    {"soft", "as=spook,k=", ",relaxation=0.5", "0"},
                    {"soft", "as=box2d,damping=0.1,hertz=", "", "0"},
                    {"soft", "as=mujoco,time=1e-9,zeta=", "", "0"},
                    {"soft", "as=mujoco,zeta=", "", "0"},
                    {"ipc", "kappa=", "", "0"}};
    size_t told = 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        for (int j = -6; j <= 12; j++) {
            char settings[96];
            (void)snprintf(settings, sizeof settings, "%s%.17g%s", families[i].before,
                           pow(10.0, 0.5 * j), families[i].behind);
            double most = rebound(families[i].scheme, settings, families[i].e);
            bool harmless = isnan(most) || most <= STARTS_WITH + BOUNCES;
            told += isnan(most) ? 1u : 0u;
            CU_ASSERT(harmless);
            if (!harmless) {
                (void)fprintf(stderr, "%s:%s, e = %s: %g\n", families[i].scheme, settings,
                              families[i].e, most);
            }
        }
    }
    CU_ASSERT(told > 0);
}

static const il_test tests[] = {
    {"parameters out of range are named, with what is allowed", parameters_out_of_range_are_named},
    {"what a scheme does not know is refused, by both names",
     what_a_scheme_does_not_know_is_refused},
    {"contacts too stiff for a step gain no energy, or are told",
     stiff_contacts_gain_no_energy_or_are_told},
    {NULL, NULL}};

const il_suite il_suite_refused = {"refused", tests};

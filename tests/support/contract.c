/*
 * contract.c - all members of the registries, in runs that are short.
 */
#include "tests/support/contract.h"

#include <string.h>

#include "tests/support/suite.h"

/* Every problem with every value of its first parameter that is a choice. */
size_t il_contract_variants(il_variant *list) {
    size_t n = 0;
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *type = il_problem_type_at(k);
        const il_param_spec *spec = type->params;
        while (spec->key != NULL && spec->kind != IL_PARAM_CHOICE) {
            spec++;
        }
        const char *at = spec->key != NULL ? spec->allowed : "";
        do {
            il_variant *v = &list[n++];
            *v = (il_variant){.type = type};
            size_t length = strcspn(at, ",");
            if (spec->key != NULL) {
                strncpy(v->key, spec->key, sizeof v->key - 1);
                memcpy(v->choice, at, length);
            }
            at += length + (at[length] == ',');
        } while (*at != '\0' && n < IL_VARIANTS_MAX);
    }
    return n;
}

il_params *il_contract_params(const il_variant *v) {
    il_params *params = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, v->type->params, &err), IL_OK);
    for (const il_param_spec *spec = v->type->params; spec->key != NULL; spec++) {
        /* crowds are run small here; their own suites have the large ones */
        bool large = strcmp(spec->key, "N") == 0 && spec->fallback != NULL;
        if (large && strcmp(spec->fallback, "2000") == 0) {
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "N", "10", &err), IL_OK);
        } else if (large && strcmp(spec->fallback, "100") == 0) {
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "N", "4", &err), IL_OK);
        }
        if (strcmp(spec->key, "e") == 0 && strcmp(spec->fallback, "0") != 0) {
            /* without restitution, so that every scheme has it */
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "e", "0", &err), IL_OK);
        }
        if (strcmp(spec->key, "rows") == 0) {
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "rows", "2", &err), IL_OK);
        }
    }
    if (v->choice[0] != '\0') {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, v->key, v->choice, &err), IL_OK);
    }
    return params;
}

const il_projector_type *il_contract_projector(const char *name) {
    const il_projector_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &type, NULL), IL_OK);
    return type;
}

const il_scheme_type *il_contract_scheme(const char *name) {
    const il_scheme_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(name, &type, NULL), IL_OK);
    return type;
}

/* A loose integrator, for time, and springs that the few steps here can follow: what is asserted
 * holds for these too. */
const char *il_contract_settings(const il_scheme_type *scheme) {
    for (const il_param_spec *p = scheme->params; p != NULL && p->key != NULL; p++) {
        if (strcmp(p->key, "tolerance") == 0) {
            return "tolerance=1e-6";
        }
        if (strcmp(p->key, "k") == 0) {
            return "k=1";
        }
    }
    return NULL;
}

/* A run of a variant; false if the pair is refused. traj may be NULL. */
bool il_contract_run(const il_variant *v, const il_scheme_type *scheme, const char *projector_name,
                     size_t steps, il_record *record, il_trajectory *traj) {
    il_params *params = il_contract_params(v);
    il_error err = {IL_OK, ""};
    il_run_spec spec = {.problem = v->type,
                        .params = params,
                        .scheme = scheme,
                        .scheme_settings = il_contract_settings(scheme),
                        .projector = il_contract_projector(projector_name),
                        .steps = steps};
    il_status status = il_run(&spec, record, traj, &err);
    il_params_destroy(params);
    CU_ASSERT(status == IL_OK || status == IL_EUNSUPPORTED);
    if (status != IL_OK) {
        CU_ASSERT(strlen(err.message) > 0);
        il_record_free(record);
        return false;
    }
    if (scheme->dense && record->status == IL_EUNSUPPORTED) { /* impacts that accumulate */
        CU_ASSERT_PTR_NOT_NULL(strstr(record->message, "accumulate"));
        il_record_free(record);
        return false;
    }
    CU_ASSERT_EQUAL(record->status, IL_OK);
    return true;
}

/*
 * contract.h - what the suites share that run every scheme on every problem: the problems with
 * their choices, made small, and one run. All members of the registries are met; a newcomer is
 * picked up without a line here.
 */
#ifndef IL_TESTS_CONTRACT_H
#define IL_TESTS_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/run.h"

/* A step count that shares no factor with the problems' own times. */
enum { IL_CONTRACT_STEPS = 211, IL_VARIANTS_MAX = 64 };

typedef struct {
    const il_problem_type *type;
    char key[32], choice[32]; /* the choice of this variant, empty if there is none */
} il_variant;

/* Every problem with every value of its first parameter that is a choice, into
 * list[IL_VARIANTS_MAX]. Returns how many. */
size_t il_contract_variants(il_variant *list);

/* The parameters of a variant, crowds made small; the caller destroys. */
il_params *il_contract_params(const il_variant *v);

/* The member of that name, which must be there. */
const il_projector_type *il_contract_projector(const char *name);
const il_scheme_type *il_contract_scheme(const char *name);

/* The settings of a scheme; NULL: none. */
const char *il_contract_settings(const il_scheme_type *scheme);

/* A run of a variant, which must go well; false, with nothing to free, if the pair is refused. traj
 * may be NULL. */
bool il_contract_run(const il_variant *v, const il_scheme_type *scheme, const char *projector_name,
                     size_t steps, il_record *record, il_trajectory *traj);

#endif

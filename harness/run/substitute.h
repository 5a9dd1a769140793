/*
 * substitute.h - members that tests put in the place of others, to see that a check notices.
 *
 * A mutant has the name of the member that it replaces; scripts and claims find it first and run
 * unchanged. The program itself never has any.
 */
#ifndef IL_SUBSTITUTE_H
#define IL_SUBSTITUTE_H

#include "harness/run/record.h"
#include "harness/run/registry.h"

typedef struct {
    const il_problem_type *const *problems;     /* ends with NULL; or NULL */
    const il_scheme_type *const *schemes;       /* the same */
    const il_projector_type *const *projectors; /* the same */
    void (*record)(il_record *record);          /* falsifies what a run left; or NULL */
} il_substitutes;

/* The member called name: a substitute, else as the registry finds it. substitutes may be NULL. */
il_status il_substitute_problem(const il_substitutes *substitutes, const char *name,
                                const il_problem_type **out, il_error *err);
il_status il_substitute_projector(const il_substitutes *substitutes, const char *name,
                                  const il_projector_type **out, il_error *err);

/* Put the substitute of the same name, if there is one, into choice. */
void il_substitute_scheme(const il_substitutes *substitutes, il_scheme_choice *choice);

#endif

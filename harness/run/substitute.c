/*
 * substitute.c - members by name, substitutes first.
 */
#include "harness/run/substitute.h"

#include <string.h>

il_status il_substitute_problem(const il_substitutes *substitutes, const char *name,
                                const il_problem_type **out, il_error *err) {
    const il_problem_type *const *list = substitutes != NULL ? substitutes->problems : NULL;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, name) == 0) {
            *out = *list;
            return IL_OK;
        }
    }
    return il_problem_type_find(name, out, err);
}

il_status il_substitute_projector(const il_substitutes *substitutes, const char *name,
                                  const il_projector_type **out, il_error *err) {
    const il_projector_type *const *list = substitutes != NULL ? substitutes->projectors : NULL;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, name) == 0) {
            *out = *list;
            return IL_OK;
        }
    }
    return il_projector_type_find(name, out, err);
}

void il_substitute_scheme(const il_substitutes *substitutes, il_scheme_choice *choice) {
    const il_scheme_type *const *list = substitutes != NULL ? substitutes->schemes : NULL;
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp((*list)->name, choice->type->name) == 0) {
            choice->type = *list;
        }
    }
}

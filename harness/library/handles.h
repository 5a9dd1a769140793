/*
 * handles.h - the structures behind the handles of impactlab.h. Used only in harness/library.
 */
#ifndef IL_LIBRARY_HANDLES_H
#define IL_LIBRARY_HANDLES_H

#include <jansson.h>

#include "harness/data/trajectory.h"
#include "harness/library/impactlab.h"
#include "harness/run/case.h"

typedef struct il_defined il_defined;

struct impactlab_problem {
    char *name;
    double horizon;       /* that was asked for, or 0 */
    il_setting *settings; /* [choice.nsettings] the problem's own copies */
    il_choice choice;
    il_problem *problem;
    il_params *params;          /* of it */
    il_defined *defined;        /* by functions of the caller, or NULL */
    int (*stop)(void *context); /* asked whether to stop, or NULL */
    void *stop_context;
};

struct impactlab_record {
    json_t *json;
    char *text;
    il_trajectory trajectory;
};

/* The status and the message of a call as the caller sees them; error may be NULL. */
impactlab_status il_library_answer(il_status status, const il_error *err, impactlab_error *error);

/* Arguments that may not be NULL, up to one without a name: IL_EINVAL names the first that is. */
typedef struct {
    const char *name;
    const void *pointer;
} il_given;
il_status il_library_given(const il_given *all, il_error *err);
#define IL_GIVEN(err, ...) il_library_given((const il_given[]){__VA_ARGS__, {NULL, NULL}}, err)

/* A problem type that calls the functions of a definition, which is copied but for its context. */
il_status il_defined_create(il_defined **out, const impactlab_definition *definition,
                            il_error *err);
void il_defined_destroy(il_defined *w);
const il_problem_type *il_defined_type(const il_defined *w);

/* Did a function fail since the last question? */
bool il_defined_failed(il_defined *w);

/* A scheme whose step is the caller's. */
typedef struct {
    il_scheme_type type; /* first: what a run creates */
    impactlab_step step;
    void *context;
} il_own_scheme;

void il_own_scheme_init(il_own_scheme *w, impactlab_step step, void *context);

#endif

/*
 * members.h - problems, schemes and projectors in a common form, for `list`, `show` and
 * help.
 */
#ifndef IL_CLI_MEMBERS_H
#define IL_CLI_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/run/registry.h"

enum { IL_CLI_FAMILIES = 3 };

typedef struct {
    const char *plural; /* "problems" */
    const char *kind;   /* "problem" */
    const char *name, *title, *statement, *source;
    const il_param_spec *params;    /* NULL: it has none */
    const il_problem_type *problem; /* NULL: it is none */
} il_cli_member;

/* Member k of a family: 0 problems, 1 schemes, 2 projectors; false past the end. */
bool il_cli_member_at(int family, size_t k, il_cli_member *out);

/* The one called name in any family. */
bool il_cli_member_find(const char *name, il_cli_member *out);

/* {name, title, source}, the caller's. */
json_t *il_cli_member_json(const il_cli_member *member);

/* The names of all families, after n that are there; how many there are then, at most capacity. */
size_t il_cli_member_names(const char *names[], size_t n, size_t capacity);

#endif

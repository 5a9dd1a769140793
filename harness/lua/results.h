/*
 * results.h - what `impactlab results` says of stored cases, by harness/lua/library/results.lua.
 */
#ifndef IL_LUA_RESULTS_H
#define IL_LUA_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/results/index.h"

typedef struct {
    const char *action;         /* "list", "show", "export", "compare" */
    const char *results;        /* the folder */
    const char *word, *second;  /* behind the action: a key, a file, folders; or NULL */
    const char *where, *figure; /* or NULL */
    const char *norm;           /* of compare: verdicts in this norm alone; NULL: all */
    const char *const *columns; /* [ncolumns] */
    size_t ncolumns;
    bool names, json;
} il_lua_results_request;

/* Do what is asked of the first index, or of both. What has no form is printed on out; *answer, the
 * caller's, has the rest: "report" in the form "form" (harness/lua/present.h), and "failed", 1
 * where a comparison found something worse. IL_EINVAL says what is not allowed;
 * IL_EIO, IL_EPLOT, IL_EINTERRUPTED. */
il_status il_lua_results(const il_lua_results_request *request, const il_index *const index[2],
                         FILE *out, json_t **answer, il_error *err);

#endif

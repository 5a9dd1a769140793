/*
 * kept_run.c - runs in RESULTS/references.
 */
#include "harness/lua/sweep/kept_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/run/references.h"

il_status il_kept_run_put(const il_lua_context *context, const char *key, il_trajectory *run,
                          const json_t *record, il_error *err) {
    return il_reference_put_run(context->references, key, run,
                                json_object_get(record, "provenance"), err);
}

il_status il_kept_run_get(const il_lua_context *context, const char *key, il_trajectory *run,
                          bool *found, il_error *err) {
    il_error note = {IL_OK, ""};
    il_status status = il_reference_get_run(context->references, key, run, found, &note);
    if (status != IL_OK) {
        return il_fail(err, status, "%s", note.message);
    }
    if (note.code != IL_OK) {
        il_lua_say(context, "%s", note.message);
    }
    return IL_OK;
}

il_status il_kept_run_remove(const il_lua_context *context, const char *key, il_error *err) {
    char name[IL_STORE_NAME];
    char *path = NULL;
    il_store_key_name(key, name);
    if (asprintf(&path, "%s/%s", context->references, name) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a whole run");
    }
    (void)unlink(path);
    free(path);
    return IL_OK;
}

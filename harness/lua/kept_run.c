/*
 * kept_run.c - trajectories as states (harness/io/state_file.h).
 */
#include "harness/lua/kept_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/state_file.h"

static char *path_of(const il_lua_context *context, const char *key) {
    char name[IL_STORE_NAME];
    char *path = NULL;
    il_store_key_name(key, name);
    int n = asprintf(&path, "%s/references/%s", context->options->results, name);
    return n < 0 ? NULL : path;
}

static il_status starved(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for a whole run");
}

il_status il_kept_run_put(const il_lua_context *context, const char *key, il_trajectory *run,
                          il_error *err) {
    il_archive a = {.loading = false};
    char *path = path_of(context, key);
    il_trajectory_archive(run, &a);
    il_status status = a.failed || path == NULL ? starved(err)
                                                : il_state_file_put(path, context->options->results,
                                                                    key, a.bytes, a.n, err);
    free(path);
    free(a.bytes);
    return status;
}

il_status il_kept_run_get(const il_lua_context *context, const char *key, il_trajectory *run,
                          bool *found, il_error *err) {
    il_archive a = {.loading = true};
    char *path = path_of(context, key);
    *found = false;
    il_status status =
        path == NULL ? starved(err) : il_state_file_get(path, key, &a.bytes, &a.n, err);
    if (status == IL_OK && a.n >= sizeof run->d) {
        memcpy(&run->d, a.bytes, sizeof run->d); /* what the archive begins with, and expects */
        il_trajectory_archive(run, &a);
        *found = !a.failed && a.at == a.n;
        status = a.starved ? starved(err) : IL_OK;
    }
    if (!*found) {
        il_trajectory_free(run);
    }
    free(a.bytes);
    free(path);
    return status;
}

il_status il_kept_run_remove(const il_lua_context *context, const char *key, il_error *err) {
    char *path = path_of(context, key);
    if (path == NULL) {
        return starved(err);
    }
    (void)unlink(path);
    free(path);
    return IL_OK;
}

/*
 * reading.c - a script runs with placeholders in place of what it would compute, and what it
 * declared makes one report.
 */
#include "harness/lua/reading.h"

#include "harness/base/json.h"
#include "harness/lua/script.h"

static void free_checks(il_lua_checks *checks) {
    json_decref(checks->problems);
}

/* Run the script, writing nothing, with what it declares into checks, which is emptied after a
 * failure. *ended says why it ended early: a placeholder may be the reason, and no error. */
static il_status read_script(const il_lua_options *options, il_lua_checks *checks, il_error *ended,
                             il_error *err) {
    il_lua_options own = *options;
    own.checks = checks;
    own.results = NULL;
    il_status status = il_lua_run_script(&own, NULL, ended);
    bool unread = (status == IL_ESCRIPT || status == IL_EINVAL) && checks->placeholders > 0;
    if (status == IL_OK || unread) {
        return IL_OK;
    }
    free_checks(checks);
    return il_fail(err, status, "%s", ended->message);
}

il_status il_lua_check_script(const il_lua_options *options, json_t **report, il_error *err) {
    il_lua_checks checks = {.problems = json_array()};
    il_error ended = {IL_OK, ""};
    il_status status = read_script(options, &checks, &ended, err);
    bool unread = ended.code != IL_OK;
    if (status != IL_OK) {
        return status;
    }
    if (json_array_size(checks.problems) == 0) {
        free_checks(&checks);
        return il_fail(err, IL_EINVAL, "%s declares no problem by lab.problem%s%s", options->script,
                       unread ? ", as far as it could be read without running anything: " : "",
                       unread ? ended.message : "");
    }
    json_t *object = json_object();
    il_json_put_text(object, "script", options->script);
    il_json_put_count(object, "failed", checks.failed);
    il_json_put_text(object, "unread", unread ? ended.message : NULL);
    il_json_set(object, "problems", checks.problems);
    *report = object;
    return IL_OK;
}

/*
 * check_script.c - a script is read, and what came of its problems made one report.
 */
#include "harness/lua/check_script.h"

#include "harness/base/json.h"
#include "harness/lua/script.h"
#include "harness/lua/scripted/check.h"

il_status il_lua_check_script(const il_lua_options *options, json_t **report, il_error *err) {
    il_lua_checks checks = {.problems = json_array()};
    il_lua_options own = *options;
    il_error ended = {IL_OK, ""};
    il_json b = {false};
    own.checks = &checks;
    own.results = NULL;
    il_status status = il_lua_run_script(&own, NULL, &ended);
    bool broke = status == IL_ESCRIPT || status == IL_EINVAL;
    bool unread = broke && checks.hollow > 0;
    if (status != IL_OK && !unread) {
        json_decref(checks.problems);
        return il_fail(err, status, "%s", ended.message);
    }
    if (checks.starved || checks.problems == NULL) {
        json_decref(checks.problems);
        return il_fail(err, IL_ENOMEM, "no memory for what was checked");
    }
    if (json_array_size(checks.problems) == 0) {
        json_decref(checks.problems);
        return il_fail(err, IL_EINVAL, "%s declares no problem by lab.problem%s%s", options->script,
                       unread ? ", as far as it could be read without running anything: " : "",
                       unread ? ended.message : "");
    }
    json_t *object = json_object();
    il_json_put_text(&b, object, "script", options->script);
    il_json_put_count(&b, object, "failed", checks.failed);
    il_json_set(&b, object, "unread", unread ? json_string(ended.message) : json_null());
    il_json_set(&b, object, "problems", checks.problems);
    *report = il_json_done(&b, object);
    return *report != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for what was checked");
}

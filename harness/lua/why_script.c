/*
 * why_script.c - a script is run for the cases of its sweeps alone.
 */
#include "harness/lua/why_script.h"

#include "harness/base/json.h"
#include "harness/lua/script.h"

il_status il_lua_why_script(const il_lua_options *options, il_lua_finder finder, json_t **report,
                            il_error *err) {
    il_lua_checks checks = {.cases = json_array(), .references = json_array(), .finder = finder};
    il_lua_options own = *options;
    il_error ended = {IL_OK, ""};
    il_json w = {false};
    *report = NULL;
    if (checks.cases == NULL || checks.references == NULL) {
        json_decref(checks.cases);
        json_decref(checks.references);
        return il_fail(err, IL_ENOMEM, "no memory for the cases of '%s'", options->script);
    }
    own.checks = &checks;
    own.results = NULL;
    own.gathers = true;
    il_status status = il_lua_run_script(&own, NULL, &ended);
    bool unread = (status == IL_ESCRIPT || status == IL_EINVAL) && checks.hollow;
    if (status != IL_OK && !unread) {
        json_decref(checks.cases);
        json_decref(checks.references);
        return il_fail(err, status, "%s", ended.message);
    }
    json_t *object = json_object();
    il_json_put_text(&w, object, "script", options->script);
    il_json_set(&w, object, "cases", checks.cases);
    il_json_set(&w, object, "references", checks.references);
    il_json_put_text(&w, object, "unread", unread ? ended.message : NULL);
    object = il_json_done(&w, object);
    if (object == NULL || checks.starved) {
        json_decref(object);
        return il_fail(err, IL_ENOMEM, "no memory for the cases of '%s'", options->script);
    }
    *report = object;
    return IL_OK;
}

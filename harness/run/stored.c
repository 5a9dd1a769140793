/*
 * stored.c - what key and record both say, compared; what a record says of how its case was lost.
 *
 * A record of a case that was refused or lost (il_case_lost) has no parameters and no build.
 */
#include "harness/run/stored.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/json.h"

static il_status differs(il_error *why, const char *what) {
    return il_fail(why, IL_EINVAL, "its %s is not that of its key", what);
}

static bool is_status(const json_t *value) {
    const char *name = json_string_value(value);
    for (int code = 0; name != NULL && code < (int)IL_STATUS_COUNT; code++) {
        if (strcmp(name, il_status_name((il_status)code)) == 0) {
            return true;
        }
    }
    return false;
}

/* Numbers by their values: 4 and 4.0 are the same. */
static bool same(const json_t *a, const json_t *b) {
    return json_is_number(a) && json_is_number(b) ? json_number_value(a) == json_number_value(b)
                                                  : json_equal(a, b) != 0;
}

/* Is a parameter what was given? One number that was given stands for each of a vector that a
 * problem makes of it, such as the masses of many bodies. */
static bool comes_of(const json_t *given, const json_t *used) {
    size_t k = 0;
    json_t *one = NULL;
    if (json_array_size(given) == 1) {
        given = json_array_get(given, 0);
    }
    if (!json_is_number(given) || !json_is_array(used)) {
        return same(given, used);
    }
    json_array_foreach((json_t *)(uintptr_t)used, k, one) {
        if (!same(given, one)) {
            return false;
        }
    }
    return true;
}

/* Does the case run to another horizon than the problem's own? */
static bool sets_horizon(const json_t *key) {
    return json_number_value(json_object_get(key, "horizon")) > 0.0 ||
           (json_number_value(json_object_get(key, "h")) > 0.0 &&
            json_integer_value(json_object_get(key, "steps")) > 0);
}

static il_status judge(const json_t *key, const json_t *record, il_error *why) {
    static const char *const texts[] = {"problem", "scheme"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        if (!json_equal(json_object_get(key, texts[k]), json_object_get(record, texts[k]))) {
            return differs(why, texts[k]);
        }
    }
    const json_t *projector = json_object_get(key, "projector");
    if (!json_equal(json_object_get(projector, "name"), json_object_get(record, "projector"))) {
        return differs(why, "projector");
    }
    const json_t *steps = json_object_get(key, "steps");
    const json_t *h = json_object_get(key, "h");
    json_int_t made = json_integer_value(json_object_get(record, "steps"));
    if (made < 0 || (json_integer_value(steps) > 0 && made != json_integer_value(steps))) {
        return differs(why, "number of steps");
    }
    if (json_number_value(h) > 0.0 && !same(h, json_object_get(record, "h"))) {
        return differs(why, "size of a step");
    }
    if (!is_status(json_object_get(record, "status"))) {
        return il_fail(why, IL_EINVAL, "its status is none that there is");
    }
    const json_t *parameters = json_object_get(record, "parameters");
    const json_t *build = json_object_get(record, "build");
    if (build != NULL && !json_equal(json_object_get(key, "build"), build)) {
        return differs(why, "build");
    }
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(json_object_get(key, "parameters"), name, value) {
        if (strcmp(name, "T") == 0 && sets_horizon(key)) {
            value = json_object_get(record, "problem_horizon"); /* which T becomes then */
        }
        if (parameters != NULL && !json_is_null(value) &&
            !comes_of(value, json_object_get(parameters, name))) {
            return il_fail(why, IL_EINVAL, "its parameter '%s' is not that of its key", name);
        }
    }
    return IL_OK;
}

il_status il_stored_judge(const char *key, const json_t *record, il_error *why) {
    json_t *root = NULL;
    il_status status = il_json_parse(key, &root, why);
    if (status == IL_OK) {
        status = judge(root, record, why);
    }
    json_decref(root);
    return status;
}

/* ---- cases that came to no end -------------------------------------------------------------- */

bool il_lost_note(json_t *record, int signal, int exit, const il_case_limits *limits) {
    il_json w = {false};
    json_t *lost = json_object();
    il_json_set(&w, lost, "signal", signal != 0 ? json_integer(signal) : json_null());
    il_json_set(&w, lost, "exit", exit != 0 ? json_integer(exit) : json_null());
    il_json_set(&w, lost, "case_time",
                limits->seconds > 0.0 ? il_json_number(limits->seconds) : json_null());
    il_json_set(&w, lost, "case_memory",
                limits->bytes > 0 ? json_integer((json_int_t)limits->bytes) : json_null());
    il_json_set(&w, record, "lost", lost);
    return !w.failed;
}

bool il_lost_again(const json_t *record, const il_case_limits *limits) {
    const char *status = json_string_value(json_object_get(record, "status"));
    const json_t *lost = json_object_get(record, "lost");
    if (status == NULL) {
        return false;
    }
    if (strcmp(status, il_status_name(IL_ETIME)) == 0) {
        double then = json_number_value(json_object_get(lost, "case_time"));
        return limits->seconds == 0.0 || limits->seconds > then;
    }
    if (strcmp(status, il_status_name(IL_EMEMORY)) == 0) {
        double then = json_number_value(json_object_get(lost, "case_memory"));
        return limits->bytes == 0 || (double)limits->bytes > then;
    }
    return strcmp(status, il_status_name(IL_ECRASHED)) == 0;
}

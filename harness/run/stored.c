/*
 * stored.c - what key and record both say, compared.
 *
 * A record of a case that was refused or lost (il_case_lost) has no parameters and no build.
 */
#include "harness/run/stored.h"

#include <stdlib.h>
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
            !same(value, json_object_get(parameters, name))) {
            return il_fail(why, IL_EINVAL, "its parameter '%s' is not that of its key", name);
        }
    }
    return IL_OK;
}

bool il_stored_is_study(const char *key) {
    return strncmp(key, IL_STORED_LIMITS, sizeof IL_STORED_LIMITS - 1) == 0;
}

il_status il_stored_parse_key(const char *key, json_t **object, il_error *err) {
    *object = NULL;
    const char *line = il_stored_is_study(key) ? strchr(key, '\n') : NULL;
    if (line == NULL) {
        return il_json_parse(key, object, err);
    }
    char *first = strndup(line + 1, strcspn(line + 1, "\n"));
    il_status status = first != NULL ? il_json_parse(first, object, err)
                                     : il_fail(err, IL_ENOMEM, "no memory for a key");
    free(first);
    return status;
}

static il_status judge_study(const char *key, const json_t *study, il_error *why) {
    const json_t *records = json_object_get(study, "records");
    size_t cases = 0;
    size_t k = 0;
    const json_t *record = NULL;
    for (const char *line = strchr(key, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        cases++;
    }
    if (json_array_size(records) == 0 || json_array_size(records) > cases) {
        return differs(why, "number of runs");
    }
    json_array_foreach(records, k, record) {
        if (!is_status(json_object_get(record, "status"))) {
            return il_fail(why, IL_EINVAL, "the status of its run %zu is none that there is",
                           k + 1);
        }
    }
    return IL_OK;
}

il_status il_stored_judge(const char *key, const json_t *record, il_error *why) {
    json_t *root = NULL;
    if (il_stored_is_study(key)) {
        return judge_study(key, record, why);
    }
    il_status status = il_json_parse(key, &root, why);
    if (status == IL_OK) {
        status = judge(root, record, why);
    }
    json_decref(root);
    return status;
}

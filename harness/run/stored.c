/*
 * stored.c - checks a stored record against its key; describes how a case was lost.
 */
#include "harness/run/stored.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"

static bool is_status(const json_t *value) {
    const char *name = json_string_value(value);
    for (int code = 0; name != NULL && code < (int)IL_STATUS_COUNT; code++) {
        if (strcmp(name, il_status_name((il_status)code)) == 0) {
            return true;
        }
    }
    return false;
}

il_status il_stored_judge(const char *key, const json_t *record, il_error *why) {
    static const char *const texts[] = {"problem", "scheme"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char *name = il_json_text(json_object_get(record, texts[k]));
        char *member = NULL; /* as keys spell it: without blanks */
        bool there = asprintf(&member, "\"%s\":%s", texts[k], name != NULL ? name : "") >= 0 &&
                     strstr(key, member) != NULL;
        free(name);
        free(member);
        if (!there) {
            return il_fail(why, IL_EINVAL, "its %s is not that of its key", texts[k]);
        }
    }
    return is_status(json_object_get(record, "status"))
               ? IL_OK
               : il_fail(why, IL_EINVAL, "its status is none that there is");
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

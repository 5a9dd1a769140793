/*
 * stored.c - records of lost cases.
 */
#include "harness/run/stored.h"

#include <string.h>

#include "harness/base/json.h"

void il_lost_note(json_t *record, int signal, int exit, const il_case_limits *limits) {
    json_t *lost = json_object();
    il_json_set(lost, "signal", signal != 0 ? json_integer(signal) : json_null());
    il_json_set(lost, "exit", exit != 0 ? json_integer(exit) : json_null());
    il_json_set(lost, "case_time",
                limits->seconds > 0.0 ? il_json_number(limits->seconds) : json_null());
    il_json_set(lost, "case_memory",
                limits->bytes > 0 ? json_integer((json_int_t)limits->bytes) : json_null());
    il_json_set(record, "lost", lost);
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

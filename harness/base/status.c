/*
 * status.c - names and sentences of the status codes.
 */
#include "harness/base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/base/text.h"

#define IL_STATUS_NAME(code, name, text) [code] = (name),
static const char *const names[] = {IL_STATUS_LIST(IL_STATUS_NAME)};
#undef IL_STATUS_NAME

#define IL_STATUS_TEXT(code, name, text) [code] = (text),
static const char *const texts[] = {IL_STATUS_LIST(IL_STATUS_TEXT)};
#undef IL_STATUS_TEXT

const char *il_status_name(il_status code) {
    return (unsigned)code < IL_STATUS_COUNT ? names[code] : "unknown_status";
}

const char *il_status_text(il_status code) {
    return (unsigned)code < IL_STATUS_COUNT ? texts[code] : "an unknown status";
}

il_status il_status_of_errno(int number) {
    return number == ENOMEM ? IL_ENOMEM : IL_EIO;
}

il_status il_fail(il_error *err, il_status code, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        err->code = code;
        va_start(args, format);
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        il_text_make_printable(err->message, false);
    }
    return code;
}

il_status il_fail_with(il_error *err, il_status code) {
    if (err == NULL || code == IL_OK) {
        return code;
    }
    if (err->message[0] == '\0') {
        return il_fail(err, code, "%s", il_status_text(code));
    }
    err->code = code;
    return code;
}

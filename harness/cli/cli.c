/*
 * cli.c - what the verbs share.
 */
#include "harness/cli/cli.h"

#include <stdarg.h>
#include <stdio.h>

int il_cli_fail(const il_error *err) {
    il_error told = *err;
    (void)il_told(&told, told.code != IL_OK ? told.code : IL_EINTERNAL);
    (void)fprintf(stderr, "impactlab: %s\n", told.message);
    switch (err->code) {
    case IL_EINVAL:
    case IL_EUNSUPPORTED:
    case IL_EIO:
    case IL_ESCRIPT:
        return IL_EXIT_USAGE;
    case IL_EINTERRUPTED:
        return IL_EXIT_INCOMPLETE;
    case IL_ENOMEM:
    case IL_EINTERNAL:
        return IL_EXIT_INTERNAL;
    default:
        return IL_EXIT_FAILED;
    }
}

int il_cli_usage(const char *verb, const char *format, ...) {
    va_list args;
    (void)fprintf(stderr, "impactlab %s: ", verb);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fprintf(stderr, " (see impactlab %s --help)\n", verb);
    return IL_EXIT_USAGE;
}

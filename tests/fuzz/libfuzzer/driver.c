/*
 * driver.c - libFuzzer's two functions, for the harness that the variable HARNESS names. A promise
 * that is broken is printed and aborts, so that libFuzzer keeps its input.
 */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#define X(name) extern const il_fuzz il_fuzz_##name;
#include "harnesses.def"
#undef X

#define X(name) &il_fuzz_##name,
static const il_fuzz *const harnesses[] = {
#include "harnesses.def"
};
#undef X
enum { HARNESSES = sizeof harnesses / sizeof harnesses[0] };

static const il_fuzz *chosen;

int fsync(int fd) {
    return fd >= 0 ? 0 : -1;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

// NOLINTNEXTLINE(readability-non-const-parameter): libFuzzer's own declaration
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    const char *name = getenv("HARNESS");
    (void)gsl_set_error_handler_off();
    for (size_t k = 0; name != NULL && k < HARNESSES; k++) {
        if (strcmp(harnesses[k]->name, name) == 0) {
            chosen = harnesses[k];
            return 0;
        }
    }
    (void)fprintf(stderr, "HARNESS is '%s'; allowed:", name != NULL ? name : "");
    for (size_t k = 0; k < HARNESSES; k++) {
        (void)fprintf(stderr, " %s", harnesses[k]->name);
    }
    (void)fputc('\n', stderr);
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    il_error err = {IL_OK, ""};
    if (chosen->one(data, n, &err) != IL_OK) {
        (void)fprintf(stderr, "%s: %s\n", chosen->name, err.message);
        abort();
    }
    return 0;
}

/*
 * test_fuzz.c - every harness of tests/fuzz on its kept inputs: a small corpus, and the input of
 * every bug that was found. Each is also tried with bytes changed, by a seed that is the input's
 * own.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/suite.h"

enum { ROOM = 65536, CHANGES = 20 };

#define X(name) extern const il_fuzz il_fuzz_##name;
#include "harnesses.def"
#undef X

#define X(name) &il_fuzz_##name,
static const il_fuzz *const harnesses[] = {
#include "harnesses.def"
};
#undef X
enum { HARNESSES = sizeof harnesses / sizeof harnesses[0] };

static size_t read_file(const char *path, uint8_t *data) {
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t n = fread(data, 1, ROOM, file);
    (void)fclose(file);
    CU_ASSERT_FATAL(n < ROOM);
    return n;
}

/* complaints: a descriptor. */
static void try_one(const il_fuzz *harness, const char *path, int change, const uint8_t *data,
                    size_t n, int complaints) {
    il_error err = {IL_OK, ""};
    if (harness->one(data, n, &err) != IL_OK) {
        (void)dprintf(complaints, "\n%s, change %d: %s\n", path, change, err.message);
        CU_FAIL("a harness fails on a kept input");
    }
}

/* A few bytes set anew, or the end cut off, by a linear congruential generator (Knuth's MMIX). */
static void try_changed(const il_fuzz *harness, const char *path, const uint8_t *data, size_t n,
                        int complaints) {
    static uint8_t changed[ROOM];
    uint64_t state = n;
    for (int change = 1; n > 0 && change <= CHANGES; change++) {
        size_t m = n;
        memcpy(changed, data, n);
        for (int k = 0; k < 3; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            changed[(state >> 33) % n] = (uint8_t)(state >> 56);
        }
        if (change % 4 == 0) {
            m = (state >> 40) % n;
        }
        try_one(harness, path, change, changed, m, complaints);
    }
}

static int visible(const struct dirent *item) {
    return item->d_name[0] != '.';
}

/* Inputs in tests/fuzz/KIND/NAME. */
static size_t replay(const il_fuzz *harness, const char *kind, int complaints) {
    static uint8_t data[ROOM];
    char folder[128];
    struct dirent **items = NULL;
    (void)snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, harness->name);
    int count = scandir(folder, &items, visible, alphasort);
    for (int k = 0; k < count; k++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", folder, items[k]->d_name);
        size_t n = read_file(path, data);
        try_one(harness, path, 0, data, n, complaints);
        try_changed(harness, path, data, n, complaints);
        free(items[k]);
    }
    free(items);
    return count > 0 ? (size_t)count : 0;
}

/* Scripts print, and complaints about command lines go to standard error, by the hundred. */
static void every_harness_holds_on_its_kept_inputs(void) {
    int out = dup(STDOUT_FILENO);
    int err = dup(STDERR_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    CU_ASSERT_FATAL(out >= 0 && err >= 0 && nowhere >= 0);
    (void)fflush(NULL);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    for (size_t k = 0; k < HARNESSES; k++) {
        CU_ASSERT(replay(harnesses[k], "corpus", err) > 0);
        (void)replay(harnesses[k], "found", err);
    }
    (void)fflush(NULL);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(err, STDERR_FILENO);
    (void)close(out);
    (void)close(err);
    (void)close(nowhere);
}

static const il_test tests[] = {
    {"every harness holds on its kept inputs", every_harness_holds_on_its_kept_inputs},
    {NULL, NULL},
};

const il_suite il_suite_fuzz = {"fuzz", tests};

/*
 * test_memory.c - blocks hold what they should; a size that nobody has is refused by name, or ends
 * the program.
 */
#include <gsl/gsl_errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "tests/support/allocation.h"
#include "tests/support/suite.h"

/* Items of 8 and of 16 bytes that no machine has. */
enum { WIDE = 16 };
static const size_t TOO_MANY = SIZE_MAX / WIDE;

/* ---- blocks --------------------------------------------------------------------------------- */

static void blocks_hold_what_they_should(void) {
    static const double from[3] = {1.5, -2.0, 1e300};
    const unsigned char *zeros = il_alloc_zero(100, 7);
    for (size_t k = 0; k < 700; k++) {
        CU_ASSERT_EQUAL(zeros[k], 0);
    }
    double *copy = il_alloc_copy(from, 3, sizeof *from);
    CU_ASSERT_EQUAL(memcmp(copy, from, sizeof from), 0);
    void *none[] = {il_alloc(0, 8), il_alloc_zero(0, 8), il_alloc_copy(NULL, 0, 8)};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        memset(none[k], 1, 1); /* there is a byte */
        free(none[k]);
    }
    free((void *)(uintptr_t)zeros);
    free(copy);
}

static void texts_are_copied(void) {
    char *texts[] = {il_alloc_text(""),          il_alloc_text("gap"),
                     il_alloc_letters("gap", 2), il_alloc_letters("gap", 9),
                     il_alloc_letters("gap", 0), il_alloc_format("%s-%03d", "gap", 7)};
    static const char *const expected[] = {"", "gap", "ga", "gap", "", "gap-007"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        CU_ASSERT_STRING_EQUAL(texts[k], expected[k]);
        free(texts[k]);
    }
    const char open[2] = {'a', 'b'}; /* without an end */
    char *letters = il_alloc_letters(open, 2);
    CU_ASSERT_STRING_EQUAL(letters, "ab");
    free(letters);
}

static void blocks_that_grow_keep_what_they_hold(void) {
    size_t *list = NULL;
    for (size_t n = 0; n < 1000; n++) {
        il_memory_append(&list, n, sizeof *list);
        list[n] = n * n;
    }
    il_memory_grow(&list, 5000, sizeof *list);
    CU_ASSERT_EQUAL_FATAL(il_memory_ask(&list, 6000, sizeof *list, "squares", NULL), IL_OK);
    list[5999] = 1;
    for (size_t n = 0; n < 1000; n++) {
        CU_ASSERT_EQUAL(list[n], n * n);
    }
    free(list);
}

/* ---- without memory ------------------------------------------------------------------------- */

static void a_size_that_nobody_has_is_refused_by_name(void) {
    char name[64];
    il_error err = {IL_OK, ""};
    double *block = NULL;
    (void)snprintf(name, sizeof name, "no memory for %zu steps: ", TOO_MANY);
    for (size_t size = 8; allocation_counted() && size <= 4 * WIDE; size *= 2) {
        /* the last two do not fit into a size_t */
        CU_ASSERT_EQUAL(il_memory_ask(&block, TOO_MANY, size, "steps", &err), IL_ENOMEM);
        CU_ASSERT_EQUAL(err.code, IL_ENOMEM);
        CU_ASSERT_EQUAL(strncmp(err.message, name, strlen(name)), 0);
        CU_ASSERT_PTR_NULL(block);
    }
    CU_ASSERT_EQUAL_FATAL(il_memory_ask(&block, 2, sizeof *block, "steps", &err), IL_OK);
    block[1] = 0.25;
    const double *before = block;
    if (allocation_counted()) {
        CU_ASSERT_EQUAL(il_memory_ask(&block, TOO_MANY, sizeof *block, "steps", NULL), IL_ENOMEM);
    }
    CU_ASSERT(block == before && block[1] == 0.25);
    free(block);
}

/* The exit status of a process that does this, and in text[256] the words that it says. */
static int end_of(void (*act)(void), char text[256]) {
    int ends[2] = {-1, -1};
    int status = 0;
    (void)fflush(NULL);
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        act();
        _exit(0);
    }
    (void)close(ends[1]);
    ssize_t n = read(ends[0], text, 255);
    text[n > 0 ? n : 0] = '\0';
    (void)close(ends[0]);
    CU_ASSERT_EQUAL_FATAL(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void alloc(void) {
    free(il_alloc(TOO_MANY, WIDE));
}

static void alloc_zero(void) {
    free(il_alloc_zero(TOO_MANY, 2 * (size_t)WIDE)); /* does not fit into a size_t */
}

static void grow(void) {
    char *block = il_alloc_text("gap");
    il_memory_grow(&block, TOO_MANY, WIDE);
    free(block);
}

static void gsl_without_memory(void) {
    il_memory_gsl("", "", 0, GSL_ENOMEM);
}

static void quietly(void) {
    il_memory_end_quietly();
    il_memory_end(8);
}

static void gsl_out_of_range(void) {
    il_memory_gsl("", "", 0, GSL_EDOM);
}

static void a_block_that_cannot_be_served_ends_the_program(void) {
    static const struct {
        void (*act)(void);
        int status;
        const char *says;
        bool counted; /* sanitizers end such a program in their own way */
    } cases[] = {
        {alloc, IL_MEMORY_STATUS,
         "impactlab: out of memory: there is no block of 18446744073709551600 bytes\n", true},
        {alloc_zero, IL_MEMORY_STATUS,
         "impactlab: out of memory: there is no block of 18446744073709551615 bytes\n", true},
        {grow, IL_MEMORY_STATUS,
         "impactlab: out of memory: there is no block of 18446744073709551600 bytes\n", true},
        {gsl_without_memory, IL_MEMORY_STATUS, "impactlab: out of memory\n", false},
        {quietly, IL_MEMORY_STATUS, "", false},
        {gsl_out_of_range, 0, "", false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[256] = "";
        if (!cases[k].counted || allocation_counted()) {
            CU_ASSERT_EQUAL(end_of(cases[k].act, text), cases[k].status);
            CU_ASSERT_STRING_EQUAL(text, cases[k].says);
        }
    }
}

static const il_test tests[] = {
    {"blocks hold what they should", blocks_hold_what_they_should},
    {"texts are copied", texts_are_copied},
    {"blocks that grow keep what they hold", blocks_that_grow_keep_what_they_hold},
    {"a size that nobody has is refused by name", a_size_that_nobody_has_is_refused_by_name},
    {"a block that cannot be served ends the program",
     a_block_that_cannot_be_served_ends_the_program},
    {NULL, NULL}};

const il_suite il_suite_memory = {"memory", tests};

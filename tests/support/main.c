/*
 * main.c - runs the suites that the build found, through CUnit's basic interface.
 *
 *     suite [--list] [WORD]
 *
 * WORD keeps the tests whose name, or whose suite's name, contains it. CU_basic_run_tests answers
 * for itself and not for the tests, so the exit status comes from the counts: 0 if at least one
 * test ran and none failed, 1 otherwise, 2 for bad usage.
 */
#include <CUnit/Basic.h>
#include <gsl/gsl_errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/rational.h"
#include "tests/support/suite.h"

#define X(name) extern const il_suite il_suite_##name;
#include "suites.def"
#undef X

#define X(name) &il_suite_##name,
static const il_suite *const suites[] = {
#include "suites.def"
};
#undef X
enum { SUITES = sizeof suites / sizeof suites[0] };

static bool wanted(const il_suite *suite, const il_test *test, const char *word) {
    return word == NULL || strstr(suite->name, word) != NULL || strstr(test->name, word) != NULL;
}

static int list(const char *word) {
    for (size_t k = 0; k < SUITES; k++) {
        for (const il_test *test = suites[k]->tests; test->name != NULL; test++) {
            if (wanted(suites[k], test, word)) {
                (void)printf("%s: %s\n", suites[k]->name, test->name);
            }
        }
    }
    return 0;
}

/* Register the wanted tests of one suite; a suite without any is left out. */
static bool add(const il_suite *suite, const char *word) {
    CU_pSuite made = NULL;
    for (const il_test *test = suite->tests; test->name != NULL; test++) {
        if (!wanted(suite, test, word)) {
            continue;
        }
        if (made == NULL) {
            made = CU_add_suite(suite->name, NULL, NULL);
        }
        if (made == NULL || CU_add_test(made, test->name, test->run) == NULL) {
            (void)fprintf(stderr, "suite: cannot add '%s: %s': %s\n", suite->name, test->name,
                          CU_get_error_msg());
            return false;
        }
    }
    return true;
}

static int run(const char *word) {
    bool added = CU_initialize_registry() == CUE_SUCCESS;
    for (size_t k = 0; added && k < SUITES; k++) {
        added = add(suites[k], word);
    }
    if (!added) {
        CU_cleanup_registry();
        return 1;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_ErrorCode code = CU_basic_run_tests();
    unsigned ran = CU_get_number_of_tests_run();
    unsigned failed = CU_get_number_of_failures() + CU_get_number_of_tests_failed() +
                      CU_get_number_of_suites_failed();
    CU_cleanup_registry();
    if (ran == 0) {
        (void)fprintf(stderr, "suite: no test ran%s%s\n", word != NULL ? " for the word " : "",
                      word != NULL ? word : "");
    }
    return code == CUE_SUCCESS && ran > 0 && failed == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    bool only_list = argc > 1 && strcmp(argv[1], "--list") == 0;
    int words = argc - 1 - only_list;
    const char *word = words == 1 ? argv[argc - 1] : NULL;
    if (words > 1 || (word != NULL && word[0] == '-')) {
        (void)fprintf(stderr, "usage: %s [--list] [WORD]\n", argv[0]);
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);     /* what ran before a crash is seen */
    (void)gsl_set_error_handler(il_memory_gsl); /* as the program does */
    il_json_init();
    il_rational_init();
    return only_list ? list(word) : run(word);
}

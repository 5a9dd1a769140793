/*
 * main.c - runs the suites that the build found, through CUnit's basic interface.
 *
 *     suite [--list] [WORD]
 *     suite --from FILE
 *     suite --times FILE SECONDS
 *
 * WORD keeps the tests whose name, or whose suite's name, contains it; FILE has lines as --list
 * prints them, and keeps those. With --times a line "took N ms" follows every test: of the
 * processor, its own and that of what it started, without what a process takes to begin; a test of
 * more than SECONDS ends the program. CU_basic_run_tests answers for itself and not for the tests,
 * so the exit status comes from the counts: 0 if at least one test ran and none failed, 1
 * otherwise, 2 for bad usage.
 */
#include <CUnit/Basic.h>
#include <gsl/gsl_errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
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

/* What the command line asks for: tests that contain a word, or lines of a file; NULL: all. */
typedef struct {
    const char *word;
    char *lines; /* begins and ends with the end of a line */
} choice;

static long begun;   /* of the processor's ms, when the test began */
static long longest; /* seconds that a test may take; 0: nobody asks for times */

static long used(void) {
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    long ms = 0;
    for (size_t k = 0; k < sizeof whose / sizeof whose[0]; k++) {
        struct rusage u;
        (void)getrusage(whose[k], &u);
        ms += 1000 * (u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
              (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
    }
    return ms;
}

static void begin_time(void) {
    struct rlimit limit;
    (void)getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = (rlim_t)(clock() / CLOCKS_PER_SEC + longest + 1);
    begun = used();
    (void)setrlimit(RLIMIT_CPU, &limit);
}

/* A process that was asked to stop by its limit stays asked: what followed would fail for that. */
static void end_time(void) {
    (void)printf("\ntook %ld ms\n", used() - begun);
    if (il_interrupted()) {
        (void)printf("FAILED\n");
        (void)fflush(stdout);
        _exit(1);
    }
}

static bool listed(const il_suite *suite, const il_test *test, const char *lines) {
    char line[512];
    return snprintf(line, sizeof line, "\n%s: %s\n", suite->name, test->name) < (int)sizeof line &&
           strstr(lines, line) != NULL;
}

static bool wanted(const il_suite *suite, const il_test *test, const choice *of) {
    const char *word = of->word;
    if (of->lines != NULL) {
        return listed(suite, test, of->lines);
    }
    return word == NULL || strstr(suite->name, word) != NULL || strstr(test->name, word) != NULL;
}

static int list(const choice *of) {
    for (size_t k = 0; k < SUITES; k++) {
        for (const il_test *test = suites[k]->tests; test->name != NULL; test++) {
            if (wanted(suites[k], test, of)) {
                (void)printf("%s: %s\n", suites[k]->name, test->name);
            }
        }
    }
    return 0;
}

/* Register the wanted tests of one suite; a suite without any is left out. */
static bool add(const il_suite *suite, const choice *of) {
    CU_pSuite made = NULL;
    for (const il_test *test = suite->tests; test->name != NULL; test++) {
        if (!wanted(suite, test, of)) {
            continue;
        }
        if (made == NULL) {
            made = CU_add_suite_with_setup_and_teardown(suite->name, NULL, NULL,
                                                        longest > 0 ? begin_time : NULL,
                                                        longest > 0 ? end_time : NULL);
        }
        if (made == NULL || CU_add_test(made, test->name, test->run) == NULL) {
            (void)fprintf(stderr, "suite: cannot add '%s: %s': %s\n", suite->name, test->name,
                          CU_get_error_msg());
            return false;
        }
    }
    return true;
}

static int run(const choice *of) {
    const char *word = of->word;
    bool added = CU_initialize_registry() == CUE_SUCCESS;
    for (size_t k = 0; added && k < SUITES; k++) {
        added = add(suites[k], of);
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

/* The text of a file between two ends of lines; NULL if it cannot be read. */
static char *read_lines(const char *name) {
    FILE *file = fopen(name, "rb");
    char *lines = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
        rewind(file);
    }
    if (size >= 0) {
        lines = calloc((size_t)size + 3, 1);
    }
    if (lines != NULL) {
        lines[0] = '\n';
        lines[1 + fread(lines + 1, 1, (size_t)size, file)] = '\n';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return lines;
}

int main(int argc, char **argv) {
    bool only_list = false;
    choice of = {NULL, NULL};
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--list") == 0) {
            only_list = true;
        } else if (k == 1 && ((strcmp(argv[k], "--from") == 0 && argc == 3) ||
                              (strcmp(argv[k], "--times") == 0 && argc == 4))) {
            longest = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
            of.lines = read_lines(argv[2]);
            k = argc;
            if (of.lines == NULL) {
                (void)fprintf(stderr, "%s: cannot read '%s'\n", argv[0], argv[2]);
                return 2;
            }
        } else if (argv[k][0] == '-' || of.word != NULL) {
            (void)fprintf(stderr,
                          "usage: %s [--list] [WORD] | --from FILE | --times FILE SECONDS\n",
                          argv[0]);
            free(of.lines);
            return 2;
        } else {
            of.word = argv[k];
        }
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* what ran before a crash is seen */
    (void)gsl_set_error_handler_off();
    int status = only_list ? list(&of) : run(&of);
    free(of.lines);
    return status;
}

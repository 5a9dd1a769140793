/*
 * test_progress.c - how progress and seconds are said.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/progress.h"
#include "tests/support/suite.h"

static void seconds_are_said(void) {
    static const struct {
        double seconds;
        const char *said;
    } cases[] = {{-0.3, "1 s"},    {0.0, "1 s"},       {12.4, "12 s"},  {99.0, "99 s"},
                 {120.0, "2 min"}, {5940.0, "99 min"}, {7200.0, "2 h"}, {100000.0, "27.8 h"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char said[32];
        il_progress_say_seconds(cases[k].seconds, said, sizeof said);
        CU_ASSERT_STRING_EQUAL(said, cases[k].said);
    }
}

/* A file is no terminal: a whole line, without control characters. */
static void a_file_gets_lines(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = tmpfile();
    il_progress p;
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    il_progress_begin(&p, out, "sweep\033[2J x");
    CU_ASSERT_FALSE(il_progress_due(&p)); /* it has just begun */
    il_progress_show(&p, 0.25, "1 of 4", "a\tb\x1b");
    il_progress_show(&p, NAN, "no share", NULL);
    il_progress_clear(&p);
    rewind(out);
    CU_ASSERT(getline(&text, &size, out) > 0);
    CU_ASSERT_STRING_EQUAL(text, "sweep?[2J x: 25 %, 1 of 4, 1 s so far: a b?\n");
    CU_ASSERT(getline(&text, &size, out) > 0);
    CU_ASSERT_STRING_EQUAL(text, "sweep?[2J x: no share, 1 s so far\n");
    CU_ASSERT(getline(&text, &size, out) < 0);
    free(text);
    (void)fclose(out);
}

static const il_test tests[] = {
    {"seconds are said as people do, and never as none", seconds_are_said},
    {"a file gets whole lines without control characters", a_file_gets_lines},
    {NULL, NULL}};

const il_suite il_suite_progress = {"progress", tests};

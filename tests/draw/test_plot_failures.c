/*
 * test_plot_failures.c - without gnuplot a figure is refused, and nothing is left.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/draw/plot.h"
#include "tests/support/drawing.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static const double Y[] = {1.0, -0.5, NAN, 2.0};

static void missing_gnuplot_says_what_to_install(void) {
    il_drawing b;
    il_drawing_open(&b);
    (void)setenv("IMPACTLAB_GNUPLOT", "/nonexistent", 1);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "f", Y, false), IL_EPLOT);
    CU_ASSERT_STRING_EQUAL(b.err.message,
                           "gnuplot could not be started ('/nonexistent': No such file or "
                           "directory); install the package gnuplot-nox");
    (void)setenv("IMPACTLAB_GNUPLOT", "no-such-program-of-that-name", 1);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "f", Y, false), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "No such file or directory"));
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 0);
    il_drawing_close(&b);
}

static const il_test tests[] = {
    {"a missing gnuplot says what to install", missing_gnuplot_says_what_to_install}, {NULL, NULL}};

const il_suite il_suite_plot_failures = {"plot_failures", tests};

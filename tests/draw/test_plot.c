/*
 * test_plot.c - figures (tests/lua/plots.lua), and a machine that cannot draw.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

static void figures_are_drawn(void) {
    il_stage s;
    il_stage_new(&s);
    s.options.trusted = true; /* it reads the files back */
    il_stage_run_file(&s, "tests/lua/plots.lua", 118);
    il_stage_free(&s);
}

static void missing_gnuplot_says_what_to_install(void) {
    il_drawing b;
    il_drawing_open(&b);
    (void)setenv("IMPACTLAB_GNUPLOT", "/nonexistent", 1);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "f"), IL_EPLOT);
    CU_ASSERT_STRING_EQUAL(b.err.message,
                           "--figure: gnuplot could not be started ('/nonexistent': No such file "
                           "or directory); install the package gnuplot-nox");
    (void)setenv("IMPACTLAB_GNUPLOT", "no-such-program-of-that-name", 1);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "f"), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "No such file or directory"));
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 0);
    il_drawing_close(&b);
}

static const il_test tests[] = {
    {"figures are drawn as they are described, and nothing in them is a command",
     figures_are_drawn},
    {"a missing gnuplot says what to install", missing_gnuplot_says_what_to_install},
    {NULL, NULL}};

const il_suite il_suite_plot = {"plot", tests};

/*
 * test_plot_failures.c - a figure is drawn whole or not at all, whatever gnuplot and the folder do.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/draw/plot.h"
#include "tests/support/drawing.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static const double X[] = {0.0, 1.0, 2.0, 3.0};
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

/* Each of these leaves the figure that stood there before, byte by byte, and nothing else. */
static void failure_keeps_the_old_figure(void) {
    static const struct {
        const char *script, *says;
    } bad[] = {{"exit 1", "exit status 1"},
               {"kill -TERM $$", "signal 15"},
               {"exit 0", "wrote no f.pdf"},
               {": >f.pdf; echo x >f.svg; echo x >f.png", "wrote no f.pdf"},
               {"gnuplot \"$@\"; echo '         line 0: undefined variable: x' >&2",
                "undefined variable"}};
    static const double other[] = {5.0, 6.0, 7.0, 8.0};
    static const char *const files[] = {"f.dat", "f.gp", "f.pdf", "f.svg", "f.png", "f.json"};
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL_FATAL(il_drawing_line(&b, "f", Y, false), IL_OK);
    char *before[6];
    size_t size[6];
    for (size_t i = 0; i < 6; i++) {
        before[i] = il_drawing_slurp(&b, files[i], &size[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(before[i]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char path[IL_SCRATCH_ROOM];
        il_drawing_pretend(bad[k].script, path);
        CU_ASSERT_EQUAL(il_drawing_line(&b, "f", other, false), IL_EPLOT);
        CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, bad[k].says));
        CU_ASSERT_EQUAL(il_scratch_count(b.dir), 6);
        for (size_t i = 0; i < 6; i++) {
            size_t now = 0;
            char *after = il_drawing_slurp(&b, files[i], &now);
            CU_ASSERT(after != NULL && now == size[i] && memcmp(after, before[i], now) == 0);
            free(after);
        }
        (void)unlink(path);
    }
    for (size_t i = 0; i < 6; i++) {
        free(before[i]);
    }
    il_drawing_close(&b);
}

/* Nobody, root neither, can make a folder beneath a file. */
static void unwritable_folder_is_an_io_error(void) {
    char dir[2 * IL_SCRATCH_ROOM];
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL_FATAL(il_drawing_line(&b, "f", Y, false), IL_OK);
    il_scratch_path(b.dir, "f.png/inside", dir);
    il_series s = {.style = IL_LINES, .n = 4, .x = X, .y = Y};
    il_panel p = il_drawing_panel(&s, 1);
    il_figure f = {.name = "g", .npanels = 1, .panels = &p};
    CU_ASSERT_EQUAL(il_figure_draw(&f, dir, NULL, &b.err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "f.png"));
    il_drawing_close(&b);
}

static const il_test tests[] = {
    {"a missing gnuplot says what to install", missing_gnuplot_says_what_to_install},
    {"a failure keeps the old figure", failure_keeps_the_old_figure},
    {"an unwritable folder is an io error", unwritable_folder_is_an_io_error},
    {NULL, NULL}};

const il_suite il_suite_plot_failures = {"plot_failures", tests};

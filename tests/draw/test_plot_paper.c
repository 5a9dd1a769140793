/*
 * test_plot_paper.c - figures on paper: lines that grey print leaves apart, texts that LaTeX sets.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/draw/plot.h"
#include "harness/draw/plot_parts.h"
#include "tests/support/drawing.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static const double X[] = {0.0, 1.0};
static const double UP[] = {0.3, 1.0};

/* The script of a figure of n lines of these colours, each above the one before, to be freed. */
static char *script(il_drawing *b, size_t n, const char *const *color, const double *width) {
    static const char *const label[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    double y[8][2];
    il_series s[8] = {{0}};
    for (size_t k = 0; k < n; k++) {
        y[k][0] = y[k][1] = (double)k;
        s[k] = (il_series){.label = label[k],
                           .color = color != NULL ? color[k] : NULL,
                           .width = width != NULL ? width[k] : 0.0,
                           .n = 2,
                           .x = X,
                           .y = y[k]};
    }
    il_panel p = {.xmin = NAN, .xmax = NAN, .ymin = NAN, .ymax = NAN, .nseries = n, .series = s};
    il_figure f = {.name = "grey", .npanels = 1, .panels = &p};
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b->dir, &b->report, &b->err), IL_OK);
    char *text = il_drawing_slurp(b, "grey.gp", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

/* What stands behind "dt " in the legend entry of line k. */
static void dash(const char *text, size_t k, char out[32]) {
    char want[32];
    (void)snprintf(want, sizeof want, "title label1_%zu", k + 1);
    const char *at = strstr(text, want);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    while (strncmp(at, " dt ", 4) != 0) {
        at--;
    }
    (void)snprintf(out, 32, "%.*s", (int)strcspn(at + 4, " "), at + 4);
}

/* #0072b2 has the lightness 46, #d55e00 54, #009e73 58, #56b4e9 70, black 0 (CIE 1976): the first
 * three are less than 20 apart, the fourth is so from the second and third, black is alone. */
static void lines_are_apart_in_grey(void) {
    static const char *const color[] = {"#0072b2", "#d55e00", "#009e73", "#56b4e9", "#000000"};
    static const double width[] = {2.0, 2.0, 2.0, 2.0, 2.0};
    char is[5][32];
    il_drawing b;
    il_drawing_open(&b);
    char *text = script(&b, 5, color, width);
    for (size_t k = 0; k < 5; k++) {
        dash(text, k, is[k]);
    }
    free(text);
    CU_ASSERT_STRING_EQUAL(is[0], "solid");
    CU_ASSERT_STRING_NOT_EQUAL(is[1], "solid");
    CU_ASSERT(strcmp(is[2], "solid") != 0 && strcmp(is[2], is[1]) != 0);
    CU_ASSERT(strcmp(is[3], is[1]) != 0 && strcmp(is[3], is[2]) != 0);
    CU_ASSERT_STRING_EQUAL(is[4], "solid");
    il_drawing_close(&b);
}

static void expect_tex(const il_figure *figure, const char *text, const char *want) {
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    il_plot_put_tex(stream, figure, text);
    CU_ASSERT_EQUAL_FATAL(fclose(stream), 0);
    CU_ASSERT_STRING_EQUAL(out, want);
    free(out);
}

static void tex_reads_no_commands(void) {
    static const il_figure_tex spelt[] = {{"u_L1", "$\\|u\\|_{L^1}$"}, {"f'", "$f'$"}};
    const il_figure f = {.nspelt = 2, .spelt = spelt};
    expect_tex(NULL, "plain 1.5", "'plain 1.5'");
    expect_tex(NULL, NULL, "''");
    expect_tex(NULL, "u_L1, 50 % of #2 & $x$", "'u\\_L1, 50 \\% of \\#2 \\& \\$x\\$'");
    expect_tex(NULL, "\\input{a}^~",
               "'\\textbackslash{}input\\{a\\}\\textasciicircum{}"
               "\\textasciitilde{}'");
    expect_tex(NULL, "2·10⁻¹² µs", "'2$\\cdot$10$^{-12}$ $\\mu$s'");
    expect_tex(NULL, "it's\n", "'it'.\"'\".'s '");
    expect_tex(NULL, "Größe", "'Größe'"); /* LaTeX has these letters */
    expect_tex(&f, "u_L1", "'$\\|u\\|_{L^1}$'");
    expect_tex(&f, "u_L", "'u\\_L'");
    expect_tex(&f, "f'", "'$f'.\"'\".'$'");
}

/* Beside the others, and only where it is asked for. */
static void a_pair_for_latex_is_drawn(void) {
    static const il_figure_tex spelt[] = {{"time", "$\\tau$"}};
    il_series s = {.label = "a_b", .n = 2, .x = X, .y = UP};
    il_panel p = {.xlabel = "time",
                  .ylabel = "error",
                  .logy = true,
                  .xmin = NAN,
                  .xmax = NAN,
                  .ymin = 1e-6,
                  .ymax = 10.0,
                  .nseries = 1,
                  .series = &s};
    il_figure f = {.name = "f", .npanels = 1, .panels = &p, .spelt = spelt, .nspelt = 1};
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 6);
    f.tex = true;
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 8);
    CU_ASSERT(il_drawing_begins(&b, "f-tex.pdf", "%PDF-"));
    CU_ASSERT(il_drawing_contains(&b, "f-tex.tex", "\\includegraphics"));
    CU_ASSERT(il_drawing_contains(&b, "f-tex.tex", "f-tex}"));
    CU_ASSERT(il_drawing_contains(&b, "f-tex.tex", "strut{}$\\tau$"));
    CU_ASSERT(il_drawing_contains(&b, "f-tex.tex", "a\\_b"));
    CU_ASSERT(il_drawing_contains(&b, "f-tex.tex", "$10^{-4}$"));
    CU_ASSERT(!il_drawing_contains(&b, "f-tex.tex", "⁻"));
    CU_ASSERT(il_drawing_contains(&b, "f.svg", "a_b"));
    CU_ASSERT(!il_drawing_contains(&b, "f.svg", "tau"));
    CU_ASSERT(il_drawing_contains(&b, "f.json", "\"f-tex.tex\""));
    f.tex = false; /* and goes where it is no longer asked for */
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 6);
    il_drawing_close(&b);
}

/* In a size that is not to grow a legend finds room above the frame, or the figure is refused with
 * the size that has room: the next one drawn. */
static void a_fixed_size_has_room_for_legends(void) {
    static const double corner[] = {0, 0, 0, 0.5, 0.5, 1, 1, 1};
    static const double height[] = {0, 0.5, 1, 0, 1, 0, 0.5, 1};
    il_drawing b;
    il_drawing_open(&b);
    il_series s[4];
    for (size_t k = 0; k < 4; k++) {
        s[k] = (il_series){
            .label = "of fifteen let.", .style = IL_POINTS, .n = 8, .x = corner, .y = height};
    }
    il_panel p[2] = {il_drawing_panel(s, 4), il_drawing_panel(s, 4)};
    il_figure f = {.name = "fixed", .npanels = 2, .panels = p, .width = 8.0, .height = 8.0};
    p[0].key = p[1].key = NULL;
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK); /* as ever */
    f.fixed = true;
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    const char *least = strstr(b.err.message, "at least ");
    static const char sought[] = "at least 80 x ";
    char *rest = NULL;
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "80 x 80 mm, and its panel 1 no room"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(least);
    CU_ASSERT_FATAL(strncmp(least, sought, sizeof sought - 1) == 0);
    double high = strtod(least + sizeof sought - 1, &rest);
    CU_ASSERT(strncmp(rest, " mm for 1 panel a row", 21) == 0);
    CU_ASSERT(high > 90.0 && high < 120.0);
    f.height = 0.1 * high;
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT(il_drawing_contains(&b, "fixed.gp", "tmargin center"));
    f.width = 4.0; /* 15 letters of 1.9 mm and their sample of 19 */
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "at least 48 x "));
    p[0].key = p[1].key = "off";
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    il_drawing_close(&b);
}

static const il_test tests[] = {
    {"a fixed size has room for legends, or is refused", a_fixed_size_has_room_for_legends},
    {"lines that grey print confuses are dashed", lines_are_apart_in_grey},
    {"LaTeX reads no text as a command", tex_reads_no_commands},
    {"a pair for LaTeX is drawn where it is asked for", a_pair_for_latex_is_drawn},
    {NULL, NULL}};

const il_suite il_suite_plot_paper = {"plot paper", tests};

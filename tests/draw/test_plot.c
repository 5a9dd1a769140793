/*
 * test_plot.c - a figure says what it left out, and no text from outside is ever a command.
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

/* ---- drawing -------------------------------------------------------------------------------- */

static void draws_three_formats(void) {
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL_FATAL(il_drawing_line(&b, "small", Y, false), IL_OK);
    CU_ASSERT(il_drawing_begins(&b, "small.png", "\x89PNG\r\n\x1a\n"));
    CU_ASSERT(il_drawing_begins(&b, "small.pdf", "%PDF-"));
    CU_ASSERT(il_drawing_begins(&b, "small.svg", "<?xml"));
    CU_ASSERT(il_drawing_contains(&b, "small.svg", "<svg"));
    CU_ASSERT(il_drawing_contains(&b, "small.svg", "</svg>"));
    CU_ASSERT(il_drawing_contains(&b, "small.svg", "a line"));
    CU_ASSERT(il_drawing_contains(&b, "small.json", "\"kind\": \"figure\""));
    CU_ASSERT(il_drawing_contains(&b, "small.json", "\"caption\": \"A caption\""));
    CU_ASSERT(il_drawing_contains(&b, "small.json", "\"small.svg\""));
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 6);
    CU_ASSERT_EQUAL(b.report.dropped, 0);
    il_drawing_close(&b);
}

static void data_round_trip(void) {
    static const double exact[] = {0.1, 1.0 / 3.0, NAN, 6.02214076e23};
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL_FATAL(il_drawing_line(&b, "data", exact, false), IL_OK);
    size_t size = 0;
    size_t n = 0;
    char *text = il_drawing_slurp(&b, "data.dat", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *end = NULL;
        double x = strtod(line, &end);
        double y = strtod(end, NULL);
        if (line[0] != '#' && n < 4) {
            CU_ASSERT(x == X[n]);
            CU_ASSERT(isnan(exact[n]) ? isnan(y) : y == exact[n]);
            n++;
        }
    }
    CU_ASSERT_EQUAL(n, 4);
    free(text);
    il_drawing_close(&b);
}

/* Every style, both kinds of axes, several panels, a constant, a single point, an empty series:
 * gnuplot has nothing to warn about, for a warning would be a failure. */
static void draws_every_style(void) {
    static const double one[] = {1.0, 1.0, 1.0, 1.0};
    static const double up[] = {1e-9, 1e-3, 10.0, 1e4};
    il_drawing b;
    il_drawing_open(&b);
    for (int style = IL_LINES; style <= IL_FILLED; style++) {
        il_series s[] = {{.label = "a", .style = (il_style)style, .n = 4, .x = X + 1, .y = up},
                         {.label = "b", .style = (il_style)style, .n = 4, .x = up, .y = one},
                         {.label = "c", .style = (il_style)style, .n = 1, .x = up, .y = one},
                         {.label = "d", .style = (il_style)style, .n = 0}};
        s[0].n = 3;
        il_panel p[] = {il_drawing_panel(s, 4), il_drawing_panel(s + 1, 3),
                        il_drawing_panel(s + 2, 2), il_drawing_panel(s + 3, 1)};
        for (int k = 0; k < 4; k++) {
            p[k].logx = k % 2 == 0;
            p[k].logy = k < 2;
            p[k].key = k == 0 ? "auto" : k == 1 ? "outside" : k == 2 ? "off" : "bottom left";
            p[k].equal = k == 2;
        }
        il_figure f = {.name = "all", .npanels = 4, .panels = p, .columns = 2};
        CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    }
    il_drawing_close(&b);
}

/* Arrows go from every other point to the next, to the tip and not by the tip's coordinates; texts
 * stand in variables beside their points, and the legend stands elsewhere. */
static void arrows_and_texts_are_drawn(void) {
    static const double from_to[2][4] = {{0.0, 1.0, 0.5, 0.5}, {0.0, 0.25, 1.0, 0.5}};
    static const double at[2][2] = {{0.5, 1.0}, {1.0, 0.0}};
    static const char *const words[] = {"a text that reaches far to the right", ""};
    il_drawing b;
    il_drawing_open(&b);
    il_series s[] = {{.label = "f", .style = IL_ARROWS, .n = 4, .x = from_to[0], .y = from_to[1]},
                     {.style = IL_TEXTS, .n = 2, .x = at[0], .y = at[1], .text = words}};
    il_panel p = il_drawing_panel(s, 2);
    il_figure f = {.name = "signs", .npanels = 1, .panels = &p};
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT(il_drawing_contains(&b, "signs.dat", "\n0 0 1 0.25\n"));
    CU_ASSERT(il_drawing_contains(&b, "signs.dat", "\n0.5 1 0 -0.5\n"));
    CU_ASSERT(il_drawing_contains(&b, "signs.svg", words[0]));
    CU_ASSERT(!il_drawing_contains(&b, "signs.gp", "inside top right"));
    s[1].n = 0; /* the text kept the legend from that corner */
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT(il_drawing_contains(&b, "signs.gp", "inside top right"));
    s[0].n = 3;
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "3 points; arrows take two each"));
    il_drawing_close(&b);
}

/* Points in all eight places but one: the legend stands there; in all of them: outside. */
static void legends_hide_nothing(void) {
    static const struct {
        double x, y;
        const char *place;
    } spots[] = {{1, 1, "inside top right"},      {0, 1, "inside top left"},
                 {1, 0, "inside bottom right"},   {0, 0, "inside bottom left"},
                 {0.5, 1, "inside top center"},   {0.5, 0, "inside bottom center"},
                 {1, 0.5, "inside center right"}, {0, 0.5, "inside center left"}};
    enum { SPOTS = sizeof spots / sizeof *spots };
    for (size_t left_out = 0; left_out <= SPOTS; left_out++) {
        double x[SPOTS];
        double y[SPOTS];
        size_t n = 0;
        for (size_t k = 0; k < SPOTS; k++) {
            if (k != left_out) {
                x[n] = spots[k].x;
                y[n++] = spots[k].y;
            }
        }
        il_drawing b;
        il_drawing_open(&b);
        il_series s = {.label = "a", .style = IL_POINTS, .n = n, .x = x, .y = y};
        il_panel p = il_drawing_panel(&s, 1);
        p.key = NULL;
        il_figure f = {.name = "key", .npanels = 1, .panels = &p};
        CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
        CU_ASSERT(il_drawing_contains(&b, "key.gp",
                                      left_out < SPOTS ? spots[left_out].place : "tmargin center"));
        il_drawing_close(&b);
    }
}

/* ---- series that agree ---------------------------------------------------------------------- */

static il_status draw_series(il_drawing *b, const char *name, const il_series *s, size_t n) {
    il_panel p = il_drawing_panel(s, n);
    il_figure f = {.name = name, .npanels = 1, .panels = &p};
    return il_figure_draw(&f, b->dir, &b->report, &b->err);
}

/* The numbers along a linear axis do not run into one another: at most eight of them. */
static void linear_axes_have_few_tics(void) {
    static const double span[] = {1e-12, 0.37, 0.999, 1.0, 2.0, 3.05, 4.0, 6.9, 7.1, 1e5, 1e300};
    il_drawing b;
    il_drawing_open(&b);
    for (size_t k = 0; k < sizeof span / sizeof *span; k++) {
        double x[] = {0.0, 0.0, 0.0, span[k]};
        il_series s = {.style = IL_LINES, .n = 4, .x = x, .y = X};
        CU_ASSERT_EQUAL_FATAL(draw_series(&b, "tics", &s, 1), IL_OK);
        size_t size = 0;
        char *text = il_drawing_slurp(&b, "tics.gp", &size);
        char *at = text != NULL ? strstr(text, "set xtics ") : NULL;
        double step = at != NULL ? strtod(at + strlen("set xtics "), NULL) : NAN;
        double intervals = floor(span[k] / step * (1.0 + 1e-9)); /* more than the step's rounding */
        CU_ASSERT(intervals >= 2.0 && intervals <= 7.0);
        free(text);
    }
    il_drawing_close(&b);
}

/* Nor do those of a low one: a frame is at least 3.1 cm lower than its panel, a line of 9 pt, with
 * what is between two of them, 0.42 cm high. */
static void low_axes_have_room_between_tics(void) {
    static const double heights[] = {4.25, 5.0, 5.6, 9.0};
    static const double span[] = {0.54, 0.13, 3.05, 7.1};
    il_drawing b;
    il_drawing_open(&b);
    for (size_t k = 0; k < 16; k++) {
        double y[] = {0.0, 0.0, 0.0, span[k % 4]};
        double height = heights[k / 4];
        il_series s = {.style = IL_LINES, .n = 4, .x = X, .y = y};
        il_panel p = il_drawing_panel(&s, 1);
        il_figure f = {.name = "low", .npanels = 1, .panels = &p, .height = height};
        CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
        size_t size = 0;
        char *text = il_drawing_slurp(&b, "low.gp", &size);
        char *at = text != NULL ? strstr(text, "set ytics ") : NULL;
        double step = at != NULL ? strtod(at + strlen("set ytics "), NULL) : NAN;
        CU_ASSERT(step / span[k % 4] * (height - 3.1) >= 0.42);
        CU_ASSERT(span[k % 4] / step * (1.0 + 1e-9) >= 1.0);
        free(text);
    }
    il_drawing_close(&b);
}

/* ---- what is left out ----------------------------------------------------------------------- */

static void log_axis_counts_drops(void) {
    static const double y[] = {1e-3, 0.0, -1.0, NAN};
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "log", y, true), IL_OK);
    CU_ASSERT_EQUAL(b.report.dropped, 2);
    CU_ASSERT_EQUAL(b.report.not_finite, 1); /* the NaN is no matter of the axis */
    CU_ASSERT_PTR_NOT_NULL(strstr(b.report.message, "2 points"));
    CU_ASSERT(il_drawing_contains(&b, "log.json", "\"dropped\": 2"));
    CU_ASSERT(il_drawing_contains(&b, "log.json", "\"not_finite\": 1"));
    CU_ASSERT(il_drawing_contains(&b, "log.json", "A caption. 2 points"));
    il_drawing_close(&b);
}

static void nothing_to_show_is_refused(void) {
    static const double nan4[] = {NAN, NAN, INFINITY, NAN};
    static const double negative[] = {-1.0, 0.0, -2.0, -3.0};
    il_drawing b;
    il_drawing_open(&b);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "none", nan4, false), IL_EINVAL);
    CU_ASSERT_EQUAL(il_drawing_line(&b, "none", negative, true), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "logarithmic"));
    il_figure f = {.name = "none"};
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 0);
    il_drawing_close(&b);
}

static void bad_input_is_refused(void) {
    static const char *const names[] = {"", "a/b", "a b", "../x", "-d", ".hidden", "a'b", NULL};
    il_drawing b;
    il_drawing_open(&b);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        CU_ASSERT_EQUAL(il_drawing_line(&b, names[k], Y, false), IL_EINVAL);
    }
    il_series s = {.color = "red'; system 'true", .n = 4, .x = X, .y = Y};
    il_panel p = il_drawing_panel(&s, 1);
    il_figure f = {.name = "f", .npanels = 1, .panels = &p};
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "#rrggbb"));
    s.color = NULL;
    p.key = "top\nsystem 'true'";
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    p.key = NULL;
    p.xmin = 2.0;
    p.xmax = 1.0;
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    p = il_drawing_panel(&s, 1);
    s.label = "\xff\xfe";
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_EQUAL(il_scratch_count(b.dir), 0);
    il_drawing_close(&b);
}

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

/* The text as gnuplot's SVG spells it. */
static void spell_svg(const char *text, char out[IL_SCRATCH_ROOM]) {
    out[0] = '\0';
    for (; *text != '\0'; text++) {
        const char plain[2] = {(char)(*text == '\n' ? ' ' : *text), '\0'};
        const char *spelling = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : plain;
        (void)strncat(out, spelling, IL_SCRATCH_ROOM - strlen(out) - 1);
    }
}

/* Nothing is executed, and each label arrives in the picture as it was given. */
static void labels_are_never_commands(void) {
    static const char *const labels[] = {"'; system \"touch x\"; print '",
                                         "\"; system 'touch x'; print \"",
                                         "''; system \"touch x\"; print ''",
                                         "'''; system \"touch x\"; print '''",
                                         "`touch x`",
                                         "a\nsystem 'touch x'",
                                         "} system 'touch x' {",
                                         "\\'; system 'touch x' #",
                                         "ends in a backslash \\",
                                         "'",
                                         "'''''",
                                         "@x $0 %d # <&>",
                                         "it''s"};
    il_drawing b;
    char svg[IL_SCRATCH_ROOM];
    il_drawing_open(&b);
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        il_series s[] = {{.label = labels[k], .style = IL_LINES, .n = 4, .x = X, .y = Y},
                         {.style = IL_TEXTS, .n = 1, .x = X, .y = Y, .text = &labels[k]}};
        il_panel p = il_drawing_panel(s, 2);
        p.title = p.xlabel = p.ylabel = labels[k];
        il_figure f = {.name = "quoted", .caption = labels[k], .npanels = 1, .panels = &p};
        CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
        CU_ASSERT_EQUAL(il_scratch_count(b.dir), 6); /* the figure's, no x */
        spell_svg(labels[k], svg);
        CU_ASSERT(il_drawing_contains(&b, "quoted.svg", svg));
    }
    CU_ASSERT(access("x", F_OK) != 0);
    il_drawing_close(&b);
}

static const il_test tests[] = {
    {"a figure is drawn as pdf, svg and png with its data and manifest", draws_three_formats},
    {"numbers in the data file are read back exactly", data_round_trip},
    {"every style on every axis is drawn without a warning", draws_every_style},
    {"arrows and texts are drawn", arrows_and_texts_are_drawn},
    {"the legend stands where no point is", legends_hide_nothing},
    {"linear axes have few tics", linear_axes_have_few_tics},
    {"low axes have room between tics", low_axes_have_room_between_tics},
    {"points that a logarithmic axis cannot show are counted and said", log_axis_counts_drops},
    {"a figure without a point is refused", nothing_to_show_is_refused},
    {"bad names, colours, places, ranges and texts are refused", bad_input_is_refused},
    {"a missing gnuplot says what to install", missing_gnuplot_says_what_to_install},
    {"no label is a command", labels_are_never_commands},
    {NULL, NULL}};

const il_suite il_suite_plot = {"plot", tests};

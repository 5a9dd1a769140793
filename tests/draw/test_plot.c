/*
 * test_plot.c - a figure is drawn whole or not at all, says what it left out, and no text from
 * outside is ever a command.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/draw/plot.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* A frame with a curve takes more than this in every format; a file that was only opened less. */
enum { NON_TRIVIAL = 1000, PATH_ROOM = 512 };

typedef struct {
    char dir[PATH_ROOM]; /* fresh, removed at the end */
    il_error err;
    il_figure_report report;
} bench;

static const double X[] = {0.0, 1.0, 2.0, 3.0};
static const double Y[] = {1.0, -0.5, NAN, 2.0};

static void bench_open(bench *b) {
    const char *tmp = getenv("TMPDIR");
    memset(b, 0, sizeof *b);
    (void)snprintf(b->dir, sizeof b->dir, "%s/il-plot-XXXXXX", tmp != NULL ? tmp : "/tmp");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(b->dir));
}

/* Remove the folder and what lies in it; figures make no deeper folders that last. */
static void bench_close(bench *b) {
    DIR *dir = opendir(b->dir);
    struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), item->d_name, 0);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    CU_ASSERT(rmdir(b->dir) == 0); /* a scratch folder left behind shows here */
    (void)unsetenv("IMPACTLAB_GNUPLOT");
}

static void in_bench(const bench *b, const char *file, char path[2 * PATH_ROOM]) {
    (void)snprintf(path, 2 * PATH_ROOM, "%s/%s", b->dir, file);
}

/* The bytes of a file, NUL-terminated, to be freed; NULL if there is none. */
static char *slurp(const bench *b, const char *file, size_t *size) {
    return il_test_slurp(b->dir, file, size);
}

static bool contains(const bench *b, const char *file, const char *what) {
    size_t size = 0;
    char *text = slurp(b, file, &size);
    bool found = text != NULL && memmem(text, size, what, strlen(what)) != NULL;
    free(text);
    return found;
}

static bool begins(const bench *b, const char *file, const char *head) {
    size_t size = 0;
    char *text = slurp(b, file, &size);
    bool good = text != NULL && size > NON_TRIVIAL && memcmp(text, head, strlen(head)) == 0;
    free(text);
    return good;
}

static size_t files_in(const bench *b) {
    size_t n = 0;
    DIR *dir = opendir(b->dir);
    struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        n += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return n;
}

/* A program to run in gnuplot's place. Not in the bench's own folder, which is counted. */
static void pretend(const char *script, char path[PATH_ROOM]) {
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(path, PATH_ROOM, "%s/il-gnuplot-XXXXXX", tmp != NULL ? tmp : "/tmp");
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    FILE *out = fdopen(fd, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fprintf(out, "#!/bin/sh\n%s\n", script);
    (void)fclose(out);
    (void)chmod(path, 0755);
    (void)setenv("IMPACTLAB_GNUPLOT", path, 1);
}

static il_panel panel_of(const il_series *series, size_t n) {
    return (il_panel){.xlabel = "t",
                      .ylabel = "q",
                      .xmin = NAN,
                      .xmax = NAN,
                      .ymin = NAN,
                      .ymax = NAN,
                      .nseries = n,
                      .series = series};
}

/* A small figure of one panel with one line. */
static il_status draw_line(bench *b, const char *name, const double *y, bool logy) {
    il_series s = {.label = "a line", .style = IL_LINES, .n = 4, .x = X, .y = y};
    il_panel p = panel_of(&s, 1);
    p.logy = logy;
    il_figure f = {.name = name, .caption = "A caption", .npanels = 1, .panels = &p};
    return il_figure_draw(&f, b->dir, &b->report, &b->err);
}

/* ---- drawing -------------------------------------------------------------------------------- */

static void draws_three_formats(void) {
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_line(&b, "small", Y, false), IL_OK);
    CU_ASSERT(begins(&b, "small.png", "\x89PNG\r\n\x1a\n"));
    CU_ASSERT(begins(&b, "small.pdf", "%PDF-"));
    CU_ASSERT(begins(&b, "small.svg", "<?xml"));
    CU_ASSERT(contains(&b, "small.svg", "<svg"));
    CU_ASSERT(contains(&b, "small.svg", "</svg>"));
    CU_ASSERT(contains(&b, "small.svg", "a line"));
    CU_ASSERT(contains(&b, "small.json", "\"kind\": \"figure\""));
    CU_ASSERT(contains(&b, "small.json", "\"caption\": \"A caption\""));
    CU_ASSERT(contains(&b, "small.json", "\"small.svg\""));
    CU_ASSERT_EQUAL(files_in(&b), 6);
    CU_ASSERT_EQUAL(b.report.dropped, 0);
    bench_close(&b);
}

static void data_round_trip(void) {
    static const double exact[] = {0.1, 1.0 / 3.0, NAN, 6.02214076e23};
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_line(&b, "data", exact, false), IL_OK);
    size_t size = 0;
    size_t n = 0;
    char *text = slurp(&b, "data.dat", &size);
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
    bench_close(&b);
}

static void redraws_by_hand(void) {
    bench b;
    char command[3 * PATH_ROOM];
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_line(&b, "again", Y, false), IL_OK);
    (void)snprintf(
        command, sizeof command,
        "cd '%s' && rm again.pdf again.svg again.png && gnuplot again.gp >/dev/null 2>&1", b.dir);
    CU_ASSERT_EQUAL(system(command), 0);
    CU_ASSERT(begins(&b, "again.png", "\x89PNG\r\n\x1a\n"));
    CU_ASSERT(begins(&b, "again.pdf", "%PDF-"));
    CU_ASSERT(contains(&b, "again.svg", "</svg>"));
    bench_close(&b);
}

/* Every style, both kinds of axes, several panels, a constant, a single point, an empty series:
 * gnuplot has nothing to warn about, for a warning would be a failure. */
static void draws_every_style(void) {
    static const double one[] = {1.0, 1.0, 1.0, 1.0};
    static const double up[] = {1e-9, 1e-3, 10.0, 1e4};
    bench b;
    bench_open(&b);
    for (int style = IL_LINES; style <= IL_FILLED; style++) {
        il_series s[] = {{.label = "a", .style = (il_style)style, .n = 4, .x = X + 1, .y = up},
                         {.label = "b", .style = (il_style)style, .n = 4, .x = up, .y = one},
                         {.label = "c", .style = (il_style)style, .n = 1, .x = up, .y = one},
                         {.label = "d", .style = (il_style)style, .n = 0}};
        s[0].n = 3;
        il_panel p[] = {panel_of(s, 4), panel_of(s + 1, 3), panel_of(s + 2, 2), panel_of(s + 3, 1)};
        for (int k = 0; k < 4; k++) {
            p[k].logx = k % 2 == 0;
            p[k].logy = k < 2;
            p[k].key = k == 0 ? "auto" : k == 1 ? "outside" : k == 2 ? "off" : "bottom left";
            p[k].equal = k == 2;
        }
        il_figure f = {.name = "all", .npanels = 4, .panels = p, .columns = 2};
        CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    }
    bench_close(&b);
}

/* A long series is drawn through its extremes, so that a single outlier still shows; the data file
 * keeps every point. */
static void long_series_keep_extremes(void) {
    enum { MANY = 100000, OUTLIER = 54321 };
    double *x = malloc(MANY * sizeof *x);
    double *y = malloc(MANY * sizeof *y);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    CU_ASSERT_PTR_NOT_NULL_FATAL(y);
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (double)i;
        y[i] = i == OUTLIER ? 987654.0 : (double)(i % 7);
    }
    bench b;
    bench_open(&b);
    il_series s = {.style = IL_LINES, .n = MANY, .x = x, .y = y};
    il_panel p = panel_of(&s, 1);
    il_figure f = {.name = "long", .npanels = 1, .panels = &p};
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
    CU_ASSERT(contains(&b, "long.gp", "has 100000 points"));
    size_t size = 0;
    size_t all = 0;
    size_t outliers = 0;
    char *text = slurp(&b, "long.dat", &size);
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        all += line[0] != '#';
        outliers += strcmp(line, "54321 987654") == 0;
    }
    CU_ASSERT(all > MANY && all < MANY + MANY / 2);
    CU_ASSERT_EQUAL(outliers, 2); /* in the data and among what is drawn */
    free(text);
    free(x);
    free(y);
    bench_close(&b);
}

/* ---- series that agree ---------------------------------------------------------------------- */

/* What follows `key` where block k of the data is drawn; NAN if it does not. */
static double drawn_with(const bench *b, const char *file, int k, const char *key) {
    char index[32];
    size_t size = 0;
    double value = NAN;
    char *text = slurp(b, file, &size);
    (void)snprintf(index, sizeof index, " index %d ", k);
    char *curve = text != NULL ? strstr(text, index) : NULL;
    if (curve != NULL) {
        curve[strcspn(curve, "\n")] = '\0';
        const char *at = strstr(curve, key);
        value = at != NULL ? strtod(at + strlen(key), NULL) : NAN;
    }
    free(text);
    return value;
}

static il_status draw_series(bench *b, const char *name, const il_series *s, size_t n) {
    il_panel p = panel_of(s, n);
    il_figure f = {.name = name, .npanels = 1, .panels = &p};
    return il_figure_draw(&f, b->dir, &b->report, &b->err);
}

/* Each mark lies within the one before, of which the middle is free: none hides another. */
static void marks_lie_one_inside_another(void) {
    il_series s[3];
    bench b;
    bench_open(&b);
    for (int k = 0; k < 3; k++) {
        s[k] = (il_series){.label = "s", .style = IL_POINTS, .n = 4, .x = X, .y = Y};
    }
    CU_ASSERT_EQUAL_FATAL(draw_series(&b, "marks", s, 3), IL_OK);
    for (int k = 1; k < 3; k++) {
        double ratio =
            drawn_with(&b, "marks.gp", k, " ps ") / drawn_with(&b, "marks.gp", k - 1, " ps ");
        CU_ASSERT(ratio <= 0.7); /* the side of a square in a circle is 0.71 of the width */
    }
    CU_ASSERT(drawn_with(&b, "marks.gp", 0, " pt ") == 6); /* gnuplot's hollow circle */
    CU_ASSERT(drawn_with(&b, "marks.gp", 1, " pt ") == 4); /* hollow square */
    CU_ASSERT(drawn_with(&b, "marks.gp", 2, " pt ") == 9); /* triangle, filled */
    CU_ASSERT_EQUAL_FATAL(draw_series(&b, "marks", s, 1), IL_OK);
    CU_ASSERT(drawn_with(&b, "marks.gp", 0, " pt ") == 7); /* alone: a dot */
    bench_close(&b);
}

static void unlabelled_series_go_on_with_a_look(void) {
    il_series s[] = {{.label = "a", .style = IL_POINTS, .color = "#0072b2", .n = 4, .x = X, .y = Y},
                     {.label = "b", .style = IL_POINTS, .color = "#d55e00", .n = 4, .x = X, .y = Y},
                     {.style = IL_POINTS, .color = "#0072B2", .n = 4, .x = X, .y = X},
                     {.label = "c", .style = IL_POINTS, .color = "#0072b2", .n = 4, .x = X, .y = X},
                     {.label = "d", .style = IL_DASHES, .color = "#0072b2", .n = 4, .x = X, .y = X},
                     {.label = "e", .style = IL_DASHES, .color = "#d55e00", .n = 4, .x = X, .y = X},
                     {.style = IL_DASHES, .color = "#d55e00", .n = 4, .x = X, .y = Y}};
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_series(&b, "looks", s, 7), IL_OK);
    double mark[4];
    for (int k = 0; k < 4; k++) {
        mark[k] = drawn_with(&b, "looks.gp", k, " pt ");
    }
    CU_ASSERT(mark[2] == mark[0]);
    CU_ASSERT(mark[1] >= 0 && mark[1] != mark[0]);
    CU_ASSERT(mark[3] >= 0 && mark[3] != mark[0] && mark[3] != mark[1]);
    double dash[3];
    for (int k = 0; k < 3; k++) {
        dash[k] = drawn_with(&b, "looks.gp", 4 + k, " dt (");
    }
    CU_ASSERT(dash[0] > 0 && dash[1] > 0 && dash[0] != dash[1] && dash[2] == dash[1]);
    bench_close(&b);
}

/* Only a line that others of other colours cover is broader than it would be alone; a width that
 * was asked for is kept. */
static void covered_lines_are_broader(void) {
    static const double near_x[] = {0.0, 1.0, 2.001, 3.0}; /* X to a thousandth of the panel */
    static const double far[] = {3.0, 2.0, 1.0, 0.0};
    il_series s[] = {
        {.label = "a", .style = IL_LINES, .color = "#0072b2", .n = 4, .x = X, .y = X},
        {.label = "b", .style = IL_LINES, .color = "#d55e00", .n = 4, .x = X, .y = near_x},
        {.label = "c", .style = IL_LINES, .color = "#009e73", .n = 4, .x = X, .y = X},
        {.style = IL_LINES, .color = "#009e73", .n = 4, .x = X, .y = X},
        {.label = "d", .style = IL_LINES, .color = "#009e73", .n = 4, .x = X, .y = far},
        {.label = "e", .style = IL_DASHES, .color = "#000000", .n = 4, .x = X, .y = far}};
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_series(&b, "wide", s, 6), IL_OK);
    double width[6];
    for (int k = 0; k < 6; k++) {
        width[k] = drawn_with(&b, "wide.gp", k, " lw ");
    }
    CU_ASSERT(width[0] >= width[1] + 1.0); /* a point: 0.2 mm on either side are seen in print */
    CU_ASSERT(width[1] >= width[2] + 1.0);
    for (int k = 3; k < 6; k++) {
        CU_ASSERT(width[k] == width[2]); /* also lines and dashes are alike when not covered */
    }
    s[0].width = 0.75;
    CU_ASSERT_EQUAL_FATAL(draw_series(&b, "wide", s, 6), IL_OK);
    CU_ASSERT(drawn_with(&b, "wide.gp", 0, " lw ") == 0.75);
    bench_close(&b);
}

/* The numbers along a linear axis do not run into one another: at most eight of them. */
static void linear_axes_have_few_tics(void) {
    static const double span[] = {1e-12, 0.37, 0.999, 1.0, 2.0, 3.05, 4.0, 6.9, 7.1, 1e5, 1e300};
    bench b;
    bench_open(&b);
    for (size_t k = 0; k < sizeof span / sizeof *span; k++) {
        double x[] = {0.0, 0.0, 0.0, span[k]};
        il_series s = {.style = IL_LINES, .n = 4, .x = x, .y = X};
        CU_ASSERT_EQUAL_FATAL(draw_series(&b, "tics", &s, 1), IL_OK);
        size_t size = 0;
        char *text = slurp(&b, "tics.gp", &size);
        char *at = text != NULL ? strstr(text, "set xtics ") : NULL;
        double step = at != NULL ? strtod(at + strlen("set xtics "), NULL) : NAN;
        double intervals = floor(span[k] / step * (1.0 + 1e-9)); /* more than the step's rounding */
        CU_ASSERT(intervals >= 2.0 && intervals <= 7.0);
        free(text);
    }
    bench_close(&b);
}

/* ---- what is left out ----------------------------------------------------------------------- */

static void log_axis_counts_drops(void) {
    static const double y[] = {1e-3, 0.0, -1.0, NAN};
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL(draw_line(&b, "log", y, true), IL_OK);
    CU_ASSERT_EQUAL(b.report.dropped, 2);
    CU_ASSERT_EQUAL(b.report.not_finite, 1); /* the NaN is no matter of the axis */
    CU_ASSERT_PTR_NOT_NULL(strstr(b.report.message, "2 points"));
    CU_ASSERT(contains(&b, "log.json", "\"dropped\": 2"));
    CU_ASSERT(contains(&b, "log.json", "\"not_finite\": 1"));
    CU_ASSERT(contains(&b, "log.json", "A caption. 2 points"));
    bench_close(&b);
}

static void nothing_to_show_is_refused(void) {
    static const double nan4[] = {NAN, NAN, INFINITY, NAN};
    static const double negative[] = {-1.0, 0.0, -2.0, -3.0};
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL(draw_line(&b, "none", nan4, false), IL_EINVAL);
    CU_ASSERT_EQUAL(draw_line(&b, "none", negative, true), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "logarithmic"));
    il_figure f = {.name = "none"};
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_EQUAL(files_in(&b), 0);
    bench_close(&b);
}

static void bad_input_is_refused(void) {
    static const char *const names[] = {"", "a/b", "a b", "../x", "-d", ".hidden", "a'b", NULL};
    bench b;
    bench_open(&b);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        CU_ASSERT_EQUAL(draw_line(&b, names[k], Y, false), IL_EINVAL);
    }
    il_series s = {.color = "red'; system 'true", .n = 4, .x = X, .y = Y};
    il_panel p = panel_of(&s, 1);
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
    p = panel_of(&s, 1);
    s.label = "\xff\xfe";
    CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_EINVAL);
    CU_ASSERT_EQUAL(files_in(&b), 0);
    bench_close(&b);
}

/* The text as gnuplot's SVG spells it. */
static void spell_svg(const char *text, char out[PATH_ROOM]) {
    out[0] = '\0';
    for (; *text != '\0'; text++) {
        const char plain[2] = {(char)(*text == '\n' ? ' ' : *text), '\0'};
        const char *spelling = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : plain;
        (void)strncat(out, spelling, PATH_ROOM - strlen(out) - 1);
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
    bench b;
    char svg[PATH_ROOM];
    bench_open(&b);
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        il_series s = {.label = labels[k], .style = IL_LINES, .n = 4, .x = X, .y = Y};
        il_panel p = panel_of(&s, 1);
        p.title = p.xlabel = p.ylabel = labels[k];
        il_figure f = {.name = "quoted", .caption = labels[k], .npanels = 1, .panels = &p};
        CU_ASSERT_EQUAL(il_figure_draw(&f, b.dir, NULL, &b.err), IL_OK);
        CU_ASSERT_EQUAL(files_in(&b), 6); /* the figure's, no x */
        spell_svg(labels[k], svg);
        CU_ASSERT(contains(&b, "quoted.svg", svg));
    }
    CU_ASSERT(access("x", F_OK) != 0);
    bench_close(&b);
}

/* ---- failures ------------------------------------------------------------------------------- */

static void missing_gnuplot_says_what_to_install(void) {
    bench b;
    bench_open(&b);
    (void)setenv("IMPACTLAB_GNUPLOT", "/nonexistent", 1);
    CU_ASSERT_EQUAL(draw_line(&b, "f", Y, false), IL_EPLOT);
    CU_ASSERT_STRING_EQUAL(b.err.message,
                           "gnuplot could not be started ('/nonexistent': No such file or "
                           "directory); install the package gnuplot-nox");
    (void)setenv("IMPACTLAB_GNUPLOT", "no-such-program-of-that-name", 1);
    CU_ASSERT_EQUAL(draw_line(&b, "f", Y, false), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "No such file or directory"));
    CU_ASSERT_EQUAL(files_in(&b), 0);
    bench_close(&b);
}

/* Each of these leaves the figure that stood there before, byte by byte, and nothing else. */
static void failure_keeps_the_old_figure(void) {
    static const struct {
        const char *script, *says;
    } bad[] = {
        {"cat >/dev/null; exit 1", "exit status 1"},
        {"cat >/dev/null; kill -TERM $$", "signal 15"},
        {"cat >/dev/null", "wrote no f.pdf"},
        {"exec <&-; exit 0", "f"},
        {"cat >/dev/null; : >f.pdf; : >f.svg; : >f.png", "not a whole picture"},
        {"gnuplot -d; echo '         line 0: undefined variable: x' >&2", "undefined variable"},
        {"gnuplot -d; head -c 3000 f.png >g && mv g f.png; truncate -s -20 f.svg", "f.svg"}};
    static const double other[] = {5.0, 6.0, 7.0, 8.0};
    static const char *const files[] = {"f.dat", "f.gp", "f.pdf", "f.svg", "f.png", "f.json"};
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_line(&b, "f", Y, false), IL_OK);
    char *before[6];
    size_t size[6];
    for (size_t i = 0; i < 6; i++) {
        before[i] = slurp(&b, files[i], &size[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(before[i]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char path[PATH_ROOM];
        pretend(bad[k].script, path);
        CU_ASSERT_EQUAL(draw_line(&b, "f", other, false), IL_EPLOT);
        CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, bad[k].says));
        CU_ASSERT_EQUAL(files_in(&b), 6);
        for (size_t i = 0; i < 6; i++) {
            size_t now = 0;
            char *after = slurp(&b, files[i], &now);
            CU_ASSERT(after != NULL && now == size[i] && memcmp(after, before[i], now) == 0);
            free(after);
        }
        (void)unlink(path);
    }
    for (size_t i = 0; i < 6; i++) {
        free(before[i]);
    }
    bench_close(&b);
}

/* More errors than a pipe holds, written before anything is read: neither side waits for ever. */
static void much_error_text_is_no_deadlock(void) {
    char path[PATH_ROOM];
    bench b;
    bench_open(&b);
    pretend(
        "i=0; while [ $i -lt 4000 ]; do echo 'a line of forty bytes or a bit more of them' >&2; "
        "i=$((i+1)); done; cat >/dev/null",
        path);
    CU_ASSERT_EQUAL(draw_line(&b, "f", Y, false), IL_EPLOT);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "a line of forty bytes"));
    CU_ASSERT_EQUAL(files_in(&b), 0);
    (void)unlink(path);
    bench_close(&b);
}

/* Nobody, root neither, can make a folder beneath a file. */
static void unwritable_folder_is_an_io_error(void) {
    char dir[2 * PATH_ROOM];
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL_FATAL(draw_line(&b, "f", Y, false), IL_OK);
    in_bench(&b, "f.png/inside", dir);
    il_series s = {.style = IL_LINES, .n = 4, .x = X, .y = Y};
    il_panel p = panel_of(&s, 1);
    il_figure f = {.name = "g", .npanels = 1, .panels = &p};
    CU_ASSERT_EQUAL(il_figure_draw(&f, dir, NULL, &b.err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "f.png"));
    bench_close(&b);
}

static void folder_in_the_way_changes_nothing(void) {
    char way[2 * PATH_ROOM];
    bench b;
    bench_open(&b);
    in_bench(&b, "f.png", way);
    CU_ASSERT_FATAL(mkdir(way, 0777) == 0);
    CU_ASSERT_EQUAL(draw_line(&b, "f", Y, false), IL_EIO);
    CU_ASSERT_EQUAL(files_in(&b), 1);
    (void)rmdir(way);
    bench_close(&b);
}

static const il_test tests[] = {
    {"a figure is drawn as pdf, svg and png with its data and manifest", draws_three_formats},
    {"numbers in the data file are read back exactly", data_round_trip},
    {"gnuplot NAME.gp redraws the figure by hand", redraws_by_hand},
    {"every style on every axis is drawn without a warning", draws_every_style},
    {"a long series is thinned without losing its extremes", long_series_keep_extremes},
    {"marks of series that agree lie one inside another", marks_lie_one_inside_another},
    {"a series without a label goes on with the look of its colour",
     unlabelled_series_go_on_with_a_look},
    {"a line that others cover is drawn broader beneath them", covered_lines_are_broader},
    {"linear axes have few tics", linear_axes_have_few_tics},
    {"points that a logarithmic axis cannot show are counted and said", log_axis_counts_drops},
    {"a figure without a point is refused", nothing_to_show_is_refused},
    {"bad names, colours, places, ranges and texts are refused", bad_input_is_refused},
    {"no label is a command", labels_are_never_commands},
    {"a missing gnuplot says what to install", missing_gnuplot_says_what_to_install},
    {"a failure keeps the old figure", failure_keeps_the_old_figure},
    {"much error text is no deadlock", much_error_text_is_no_deadlock},
    {"an unwritable folder is an io error", unwritable_folder_is_an_io_error},
    {"a folder in the way of a file changes nothing", folder_in_the_way_changes_nothing},
    {.name = NULL}};

extern const il_suite il_suite_plot;
const il_suite il_suite_plot = {"plot", tests};

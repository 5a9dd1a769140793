/*
 * test_svg.c - discs in SVG: circles where the data say, in their colours; lines: as they were to a
 * sixtieth of a millimetre; and nothing else touched.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/draw/plot.h"
#include "harness/draw/svg.h"
#include "tests/support/allocation.h"
#include "tests/support/expect.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

enum { DISCS = 700 }; /* more than have edges */

/* Pixels: a centre and a radius are means of corners that gnuplot rounds to 0.01, and are written
 * to 0.01 and 0.001. */
static const double PIXEL = 0.02;

/* Bytes of a disc; a polygon takes 1700. */
static const double LIGHT = 130.0;

typedef struct {
    double x[DISCS], y[DISCS], r[DISCS];
} cloud;

/* Discs of many sizes inside the frame [0,10]^2. */
static void scatter(cloud *c) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (size_t i = 0; i < DISCS; i++) {
        c->r[i] = 0.05 + 0.4 * gsl_rng_uniform(rng);
        c->x[i] = 0.5 + 9.0 * gsl_rng_uniform(rng);
        c->y[i] = 0.5 + 9.0 * gsl_rng_uniform(rng);
    }
    gsl_rng_free(rng);
}

/* The text of the SVG of n of the discs, to be freed. */
static char *draw(il_stage *s, const cloud *c, size_t n, bool valued, size_t *size) {
    il_series series = {.style = IL_DISCS,
                        .n = n,
                        .x = c->x,
                        .y = c->y,
                        .radius = c->r,
                        .value = valued ? c->r : NULL};
    il_panel panel = {.xlabel = "x",
                      .ylabel = "y",
                      .xmin = 0.0,
                      .xmax = 10.0,
                      .ymin = 0.0,
                      .ymax = 10.0,
                      .equal = true,
                      .nseries = 1,
                      .series = &series};
    il_figure figure = {.name = "discs", .caption = "Discs", .npanels = 1, .panels = &panel};
    il_figure_report report;
    CU_ASSERT_EQUAL_FATAL(il_figure_draw(&figure, s->folder, &report, &s->err), IL_OK);
    char *text = il_test_slurp(s->folder, "discs.svg", size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

/* Do these words stand at *at, and a number behind them? *at is then behind that. */
static bool read_behind(const char *words, const char **at, double *x) {
    size_t n = strlen(words);
    if (strncmp(*at, words, n) != 0) {
        return false;
    }
    char *end = NULL;
    *x = strtod(*at + n, &end);
    bool any = end != *at + n;
    *at = end;
    return any;
}

/* The next circle behind *at; false when there is none. Discs are scaled, their edges are not;
 * those of gnuplot's marks stand nowhere. */
static bool next_circle(const char **at, double v[3]) {
    while ((*at = strstr(*at, "<circle ")) != NULL) {
        const char *scaled = *at;
        const char *edge = (*at)++;
        if ((read_behind("<circle r='1' transform='translate(", &scaled, &v[0]) &&
             read_behind(",", &scaled, &v[1]) && read_behind(")scale(", &scaled, &v[2])) ||
            (read_behind("<circle transform='translate(", &edge, &v[0]) &&
             read_behind(",", &edge, &v[1]) && read_behind(")' r='", &edge, &v[2]))) {
            return true;
        }
    }
    return false;
}

/* One map of the plane onto pixels, X = a + k x, Y = b - k y, R = k r, takes every disc to its
 * circle, in the order of the data; k, a and b are those of two discs. */
static void circles_are_where_the_data_say(void) {
    il_stage s;
    cloud c;
    size_t size = 0;
    il_stage_new(&s);
    scatter(&c);
    char *text = draw(&s, &c, DISCS, true, &size);
    static double v[DISCS][3];
    const char *at = text;
    size_t n = 0;
    while (n < DISCS && next_circle(&at, v[n])) {
        n++;
    }
    double other[3];
    CU_ASSERT_EQUAL_FATAL(n, DISCS);
    CU_ASSERT(!next_circle(&at, other));
    size_t far =
        0; /* the disc that is farthest from the first to the right: k to the most digits */
    for (size_t i = 0; i < DISCS; i++) {
        far = fabs(c.x[i] - c.x[0]) > fabs(c.x[far] - c.x[0]) ? i : far;
    }
    double k = (v[far][0] - v[0][0]) / (c.x[far] - c.x[0]);
    CU_ASSERT(k >= 10.0); /* pixels: the frame is hundreds wide */
    for (size_t i = 0; i < DISCS; i++) {
        /* twice: of the disc and of the first; k adds as much over its distance */
        CU_ASSERT(fabs(v[i][0] - v[0][0] - k * (c.x[i] - c.x[0])) <= 3.0 * PIXEL);
        CU_ASSERT(fabs(v[i][1] - v[0][1] + k * (c.y[i] - c.y[0])) <= 3.0 * PIXEL);
        CU_ASSERT(fabs(v[i][2] - k * c.r[i]) <= PIXEL);
    }
    free(text);
    il_stage_free(&s);
}

static void a_disc_is_light(void) {
    il_stage s;
    cloud c;
    size_t few = 0;
    size_t many = 0;
    il_stage_new(&s);
    scatter(&c);
    free(draw(&s, &c, 600, true, &few));
    free(draw(&s, &c, DISCS, true, &many));
    CU_ASSERT(many > few);
    CU_ASSERT((double)many - (double)few <= 100.0 * LIGHT);
    il_stage_free(&s);
}

/* Few discs have edges: as many circles again, without a fill. */
static void edges_are_circles_too(void) {
    il_stage s;
    cloud c;
    size_t size = 0;
    double v[3];
    il_stage_new(&s);
    scatter(&c);
    char *text = draw(&s, &c, 20, false, &size);
    const char *at = text;
    size_t n = 0;
    size_t edges = 0;
    for (; next_circle(&at, v); n++) {
        const char *end = strchr(at, '>');
        edges += memmem(at, (size_t)(end - at), "fill='none' stroke='", 20) != NULL;
    }
    CU_ASSERT_EQUAL(n, 40);
    CU_ASSERT_EQUAL(edges, 20);
    free(text);
    il_stage_free(&s);
}

/* What is no circle is left to the letter: a regular polygon with one corner moved, an ellipse, a
 * polygon of few corners, other words, a broken list. */
static void what_is_no_circle_stays(void) {
    il_stage s;
    char path[128];
    char *text = NULL;
    size_t size = 0;
    il_stage_new(&s);
    (void)snprintf(path, sizeof path, "%s/x.svg", s.folder);
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fprintf(out, "<?xml?><svg>\n");
    for (int kind = 0; kind < 4; kind++) {
        int n = kind == 2 ? 12 : 120;
        (void)fprintf(out, "\t\t<polygon fill = 'rgb(1, 2, 3)' points = '");
        for (int k = 0; k < n; k++) {
            double a = 2.0 * M_PI * k / n;
            double r = kind == 0 && k == 7 ? 5.05 : 5.0;
            (void)fprintf(out, "%.2f%c%.2f ", 20.0 + r * cos(a), kind == 3 && k == 50 ? ';' : ',',
                          20.0 + (kind == 1 ? 0.98 : 1.0) * r * sin(a));
        }
        (void)fprintf(out, "'/>\n");
    }
    (void)fprintf(out,
                  "<polygon fill = 'x' of another kind/> <path stroke='none' d='M1,2'/></svg>");
    CU_ASSERT_EQUAL_FATAL(fclose(out), 0);
    il_stage_write(path, text);
    CU_ASSERT_EQUAL(il_svg_lighten(path, &s.err), IL_OK);
    char *after = il_test_slurp(s.folder, "x.svg", &size);
    CU_ASSERT_STRING_EQUAL_FATAL(after, text);
    free(after);
    free(text);
    CU_ASSERT_EQUAL(il_svg_lighten("/nowhere/x.svg", &s.err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.err.message, "/nowhere/x.svg"));
    il_stage_free(&s);
}

/* Each allocation fails once, until none is left to fail: the picture is then as it was, or as it
 * becomes. */
static void a_picture_is_whole_or_memory_ran_out(void) {
    enum { MOST = 200 };
    static const char before[] = "<svg><path stroke='red'  d='M0,0 L1,0 L2,0 '/></svg>\n";
    static const char lighter[] = "<svg><path stroke='red'  d='M0,0 L2,0'/></svg>\n";
    char path[128];
    size_t size = 0;
    size_t told = 0; /* streams do without their buffers */
    bool failed = allocation_counted();
    il_stage s;
    il_stage_new(&s);
    (void)snprintf(path, sizeof path, "%s/x.svg", s.folder);
    for (size_t k = 1; failed && k < MOST; k++) {
        il_stage_write(path, before);
        allocation_fail(k);
        il_status status = il_svg_lighten(path, &s.err);
        failed = allocation_failed();
        allocation_fail(0);
        told += status == IL_ENOMEM;
        CU_ASSERT(status == IL_OK || (failed && status == IL_ENOMEM));
        char *after = il_test_slurp(s.folder, "x.svg", &size);
        CU_ASSERT_STRING_EQUAL(after, status == IL_OK ? lighter : before);
        free(after);
    }
    CU_ASSERT_FALSE(failed);
    CU_ASSERT(told > 3 || !allocation_counted());
    il_stage_free(&s);
}

/* ---- lines ----------------------------------------------------------------------------------- */

enum { CORNERS = 3000 };

/* Pixels, of svg.h; and what strtod and sqrt round away. */
static const double UNSEEN = 0.06 + 1e-12;

typedef struct {
    double x, y;
    bool moved;
} corner;

/* The file with the path d, lightened; its path's corners into c, their number. */
static size_t lighten(il_stage *s, const char *d, corner *c) {
    char path[128];
    char *text = NULL;
    size_t size = 0;
    size_t n = 0;
    (void)snprintf(path, sizeof path, "%s/line.svg", s->folder);
    CU_ASSERT_FATAL(asprintf(&text, "<svg>\n\t<path stroke='red'  d='%s'/></g></svg>\n", d) > 0);
    il_stage_write(path, text);
    free(text);
    CU_ASSERT_EQUAL_FATAL(il_svg_lighten(path, &s->err), IL_OK);
    text = il_test_slurp(s->folder, "line.svg", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "'/></g></svg>\n"));
    char *at = strstr(text, "<svg>\n\t<path stroke='red'  d='");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at = strstr(at, "d='") + 3;
    for (char *end = NULL; *at != '\'' && n < CORNERS; n++) {
        at += strspn(at, " \n");
        c[n].moved = *at == 'M';
        c[n].x = strtod(at + 1, &end);
        c[n].y = strtod(end + 1, &at);
    }
    free(text);
    return n;
}

static double from_line(const corner *p, const corner *c, size_t n) {
    double nearest = INFINITY;
    for (size_t k = 0; k + 1 < n; k++) {
        double vx = c[k + 1].x - c[k].x;
        double vy = c[k + 1].y - c[k].y;
        double s = ((p->x - c[k].x) * vx + (p->y - c[k].y) * vy) / (vx * vx + vy * vy);
        s = s > 0.0 ? fmin(s, 1.0) : 0.0;
        nearest = fmin(nearest, hypot(p->x - c[k].x - s * vx, p->y - c[k].y - s * vy));
    }
    return nearest;
}

/* A sine with a kink and a peak of one point, in steps of a twentieth of a pixel: what is left runs
 * along it everywhere, and passes the peak. The largest step over a curvature of 1/9 a pixel is
 * 2 sqrt(2 * 0.06 * 9) = 2.1 pixels; where the sine is straighter it is longer. */
static void a_line_keeps_what_is_seen(void) {
    il_stage s;
    static corner was[CORNERS];
    static corner is[CORNERS];
    char *d = NULL;
    size_t size = 0;
    il_stage_new(&s);
    FILE *out = open_memstream(&d, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (size_t k = 0; k < CORNERS; k++) {
        double x = 0.05 * (double)k;
        double y = k == 1234 ? 90.0 : x > 100.0 ? 20.0 + x : 50.0 + 9.0 * sin(x / 9.0);
        was[k] = (corner){.x = round(100.0 * x) / 100.0, .y = round(100.0 * y) / 100.0};
        (void)fprintf(out, "%s%c%.2f,%.2f", k % 30 == 29 ? "\n" : " ", k == 0 ? 'M' : 'L', was[k].x,
                      was[k].y);
    }
    CU_ASSERT_EQUAL_FATAL(fclose(out), 0);
    size_t n = lighten(&s, d, is);
    CU_ASSERT(n >= 10 && n <= CORNERS / 20);
    bool peak = false;
    for (size_t k = 0; k < n; k++) {
        CU_ASSERT(from_line(&is[k], was, CORNERS) <= 1e-12);
        peak |= is[k].y == 90.0;
    }
    for (size_t k = 0; k < CORNERS; k++) {
        CU_ASSERT(from_line(&was[k], is, n) <= UNSEEN);
    }
    CU_ASSERT(peak);
    CU_ASSERT(is[0].moved && is[n - 1].x == was[CORNERS - 1].x);
    free(d);
    il_stage_free(&s);
}

/* What runs back over itself is not flat, gaps stay gaps, and a path of anything else is left. */
static void a_line_is_not_joined_over_gaps(void) {
    il_stage s;
    corner c[16] = {{.x = 0.0}};
    il_stage_new(&s);
    CU_ASSERT_EQUAL(lighten(&s, "M0,0 L1,0 L2,0 M3,0 L4,0 L5,0", c), 4);
    CU_ASSERT(c[2].moved && c[2].x == 3.0 && c[1].x == 2.0);
    CU_ASSERT_EQUAL(lighten(&s, "M0,0 L0,9 L0,0 L1,0", c), 4);
    CU_ASSERT_EQUAL(c[1].y, 9.0);
    static const char *const others[] = {"M0,0 L1,0 L2,0 Z", "M0,0 C1,0 2,0", "L0,0 L1,0 L2,0",
                                         "M0 0 L1,0",        "M0,0 L1,0 L2,", ""};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        char text[128];
        char path[128];
        size_t size = 0;
        (void)snprintf(path, sizeof path, "%s/other.svg", s.folder);
        (void)snprintf(text, sizeof text, "<path stroke='red'  d='%s'/>", others[k]);
        il_stage_write(path, text);
        CU_ASSERT_EQUAL_FATAL(il_svg_lighten(path, &s.err), IL_OK);
        char *after = il_test_slurp(s.folder, "other.svg", &size);
        CU_ASSERT_STRING_EQUAL_FATAL(after, text);
        free(after);
    }
    il_stage_free(&s);
}

static const il_test tests[] = {
    {"circles are where the data say", circles_are_where_the_data_say},
    {"a disc is light", a_disc_is_light},
    {"edges are circles too", edges_are_circles_too},
    {"what is no circle stays", what_is_no_circle_stays},
    {"a picture is whole, or memory ran out", a_picture_is_whole_or_memory_ran_out},
    {"a line keeps what is seen", a_line_keeps_what_is_seen},
    {"a line is not joined over gaps", a_line_is_not_joined_over_gaps},
    {NULL, NULL}};

const il_suite il_suite_svg = {"svg", tests};

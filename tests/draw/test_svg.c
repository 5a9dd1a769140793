/*
 * test_svg.c - discs in SVG: circles where the data say, in their colours; all else untouched.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/draw/plot.h"
#include "tests/support/expect.h"
#include "tests/support/lua_stage.h"
#include "tests/support/suite.h"

enum { DISCS = 700 }; /* more than have edges */

/* Pixels: a centre and a radius are means of corners that gnuplot rounds to 0.01, and are written
 * to 0.01 and 0.001. */
static const double PIXEL = 0.02;

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

static const il_test tests[] = {{"circles are where the data say", circles_are_where_the_data_say},
                                {NULL, NULL}};

const il_suite il_suite_svg = {"svg", tests};

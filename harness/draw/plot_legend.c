/*
 * plot_legend.c - a place for the legend where it covers no data.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/text.h"
#include "harness/draw/plot_parts.h"

/* A legend in the panel, whose sides have length 1: [x0, x1] x [y0, y1]. A letter is so wide and
 * a line so high. */
typedef struct {
    double x0, x1, y0, y1;
    double letter, line;
} patch;

static double along(const il_plot_axis *a, double value) {
    return a->log ? il_log(value / a->lo) / il_log(a->hi / a->lo)
                  : (value - a->lo) / (a->hi - a->lo);
}

/* Whether the segment from a to b, in coordinates of the panel, passes under the patch: looked up
 * at points of it that are closer than any legend is small. */
static bool passes_under(const patch *c, const double a[2], const double b[2]) {
    for (int k = 0; k <= 16; k++) {
        double x = a[0] + (b[0] - a[0]) * k / 16.0;
        double y = a[1] + (b[1] - a[1]) * k / 16.0;
        if (x >= c->x0 && x <= c->x1 && y >= c->y0 && y <= c->y1) {
            return true;
        }
    }
    return false;
}

/* Whether a text beside the point `at` reaches under the patch. */
static bool writes_under(const patch *c, const double at[2], const char *text) {
    double right =
        at[0] + (IL_TEXT_ASIDE + (double)il_text_letters(text, strlen(text))) * c->letter;
    double top = at[1] + (IL_TEXT_ABOVE + 1.0) * c->line;
    return at[0] <= c->x1 && right >= c->x0 && at[1] <= c->y1 && top >= c->y0;
}

/* Whether any of the series is drawn under the patch. */
static bool covered(const il_plot_view *v, const patch *c, const il_series *s) {
    double zero = v->y.log ? 0.0 : along(&v->y, 0.0);
    bool before = false;
    double from[2] = {0.0, 0.0};
    for (size_t i = 0; i < s->n; i++) {
        if (!il_plot_can_show(v->panel, s->x[i], s->y[i])) {
            before = false;
            continue;
        }
        const double here[2] = {along(&v->x, s->x[i]), along(&v->y, s->y[i])};
        double to[2] = {here[0], here[1]};
        if (s->text != NULL && s->text[i][0] != '\0' && writes_under(c, here, s->text[i])) {
            return true;
        }
        bool tail = s->style == IL_ARROWS && i % 2 == 0;
        if (s->style == IL_POINTS || s->style == IL_TEXTS || tail || !before) {
            memcpy(from, here, sizeof from);
        }
        if (s->style == IL_STEPS) { /* the step before ended here */
            to[1] = from[1];
        } else if (s->style == IL_IMPULSES || s->style == IL_FILLED) {
            from[0] = here[0];
            from[1] = zero;
        }
        if (passes_under(c, from, to)) {
            return true;
        }
        before = true;
        memcpy(from, here, sizeof from);
    }
    return false;
}

/* cm: a letter of 9 pt, and what the smallest frame that any format leaves is narrower than its
 * panel (numbers take most in svg). */
static const double LETTER = 0.19;
static const double BESIDE = 2.7;

double il_plot_letter(double width) {
    return LETTER / fmax(width - BESIDE, 1.0);
}

/* cm: a line of 9 pt, the sample beside an entry and the room around both, the rim of a legend. */
static const double LINE = 0.42;
static const double AROUND = 3.1; /* what the lowest frame is lower than its panel */
static const double SAMPLE = 1.9;
static const double RIM = 0.35;
/* Of a legend above the frame: the numbers and the name of the x axis below it; the lowest frame
 * on which the numbers of an axis stand apart. */
static const double BELOW = 1.4;
static const double LEAST = 1.6;

double il_plot_line(double height) {
    return LINE / fmax(height - AROUND, 1.0);
}

/* How many entries the legend has, and how many letters the longest. */
static size_t entries(const il_panel *p, size_t *longest) {
    size_t lines = 0;
    *longest = 0;
    for (size_t k = 0; k < p->nseries; k++) {
        const char *label = p->series[k].label;
        if (label != NULL) {
            size_t n = il_text_letters(label, strlen(label));
            *longest = n > *longest ? n : *longest;
            lines++;
        }
    }
    return lines;
}

/* Width and height of the legend, parts of the frame's, and half a marker around it. Returns how
 * many entries it has. */
static size_t legend_size(const il_panel *p, double width, double height, patch *size) {
    const double marker = 0.15;
    double wide = fmax(width - BESIDE, 1.0);
    double high = fmax(height - AROUND, 1.0);
    size_t longest = 0;
    size_t lines = entries(p, &longest);
    size->x1 = (SAMPLE + marker + LETTER * (double)longest) / wide;
    size->y1 = (RIM + marker + LINE * (double)lines) / high;
    size->letter = LETTER / wide;
    size->line = LINE / high;
    return lines;
}

/* Places in the order in which they are tried, by where the legend's lower left corner stands:
 * 0, 1/2 and 1 are the left (lower) edge, the centre and the right (upper) edge. */
static const struct {
    const char *name;
    double x, y;
} places[] = {
    {"top right", 1.0, 1.0},    {"top left", 0.0, 1.0},    {"bottom right", 1.0, 0.0},
    {"bottom left", 0.0, 0.0},  {"top center", 0.5, 1.0},  {"bottom center", 0.5, 0.0},
    {"center right", 1.0, 0.5}, {"center left", 0.0, 0.5},
};

const char *il_plot_legend_place(const il_plot_view *view, double width, double height) {
    const il_panel *p = view->panel;
    if (p->key != NULL && strcmp(p->key, "auto") != 0) {
        return p->key;
    }
    patch size = {.x0 = 0.0};
    if (legend_size(p, width, height, &size) == 0) {
        return "off";
    }
    double w = size.x1;
    double h = size.y1;
    for (size_t c = 0; c < sizeof places / sizeof *places && w <= 1.0 && h <= 1.0; c++) {
        double x = places[c].x * (1.0 - w);
        double y = places[c].y * (1.0 - h);
        const patch at = {x, x + w, y, y + h, size.letter, size.line};
        bool hides = false;
        for (size_t k = 0; k < p->nseries && !hides; k++) {
            hides = covered(view, &at, &p->series[k]);
        }
        if (!hides) {
            return places[c].name;
        }
    }
    return "outside";
}

size_t il_plot_legend_lines(const il_panel *p, double width) {
    size_t longest = 0;
    size_t n = entries(p, &longest);
    double beside = floor(width / (SAMPLE + LETTER * (double)longest));
    return (size_t)ceil((double)n / fmax(beside, 1.0));
}

bool il_plot_legend_fits(const il_plot_view *view, double width, double height, bool single,
                         double *least_width, double *least_height) {
    size_t longest = 0;
    size_t n = entries(view->panel, &longest);
    size_t lines = single ? n : il_plot_legend_lines(view->panel, width - BESIDE);
    *least_width = SAMPLE + LETTER * (double)longest;
    *least_height = RIM + LINE * (double)lines + BELOW + LEAST;
    return n == 0 || strcmp(il_plot_legend_place(view, width, height), "outside") != 0 ||
           (width >= *least_width && height >= *least_height);
}

/*
 * svg.c - see svg.h. With p_k the n corners, all at equal angles, the circle is
 *
 *     c = (1/n) sum p_k,   r = (1/n) sum |p_k - c|,   if ||p_k - c| - r| <= ROUNDED for every k.
 */
#include "harness/draw/svg.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"

/* Fewer may be a mark of a legend; gnuplot has 120. */
enum { CORNERS_MIN = 60, CORNERS_MAX = 256 };

/* Pixels. Corners are rounded to 0.01 in x and in y: off by 0.005 sqrt 2 each, and so is no more
 * than their mean, and the radius. */
static const double ROUNDED = 0.022;

/* How gnuplot 5.4 writes a disc and the edge of one, in pieces about its colour and its corners,
 * and what a circle says of its colour. Discs stand in groups without stroke, whose crisp edges are
 * for the bars of colours. */
typedef struct {
    const char *head, *middle, *tail; /* HEAD colour MIDDLE corners TAIL */
    const char *before, *after;       /* colour in <circle ...> */
} shape;
static const shape SHAPES[] = {
    {"<polygon fill = '", "' points = '", "'/>", "fill='", "' shape-rendering='auto'/>"},
    {"<path stroke='", "'  d='", "'/>", "fill='none' stroke='", "'/>"}};
enum { NSHAPES = sizeof SHAPES / sizeof *SHAPES };

typedef struct {
    double x, y, r;
} circle;

/* The corners "x,y x,y ..." in text[0..size), with M, L and Z of a path among them; 0 if it is
 * anything else or longer than room. */
static size_t read_corners(const char *text, size_t size, double corners[][2], size_t room) {
    const char *at = text;
    const char *end = text + size;
    size_t n = 0;
    while ((at += strspn(at, " \t\nMLZ")) < end) {
        char *next = NULL;
        if (n == room) {
            return 0;
        }
        corners[n][0] = strtod(at, &next);
        if (next == at || *next != ',') {
            return 0;
        }
        at = next + 1;
        corners[n][1] = strtod(at, &next);
        if (next == at) {
            return 0;
        }
        at = next;
        n++;
    }
    bool closed = n > 1 && corners[0][0] == corners[n - 1][0] && corners[0][1] == corners[n - 1][1];
    return closed ? n - 1 : n;
}

static bool is_circle(double corners[][2], size_t n, circle *c) {
    *c = (circle){0.0, 0.0, 0.0};
    for (size_t k = 0; k < n; k++) {
        c->x += corners[k][0] / (double)n;
        c->y += corners[k][1] / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        c->r += il_hypot(corners[k][0] - c->x, corners[k][1] - c->y) / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        double r = il_hypot(corners[k][0] - c->x, corners[k][1] - c->y);
        if (!(fabs(r - c->r) <= ROUNDED)) {
            return false;
        }
    }
    return n >= CORNERS_MIN;
}

/* Moved to its place, and where no edge would be scaled with it of radius 1: who prints the circles
 * writes the same letters for each, which makes a page of them a tenth as heavy. */
static void put_ring(FILE *out, bool filled, const circle *c) {
    (void)fprintf(out,
                  filled ? "<circle r='1' transform='translate(%.2f,%.2f)scale(%.3f)'"
                         : "<circle transform='translate(%.2f,%.2f)' r='%.3f'",
                  c->x, c->y, c->r);
}

/* If a shape that is a circle begins at text, write it and return its length, else 0. */
static size_t put_circle(FILE *out, const char *text, const shape *s) {
    size_t head = strlen(s->head);
    if (strncmp(text, s->head, head) != 0) {
        return 0;
    }
    const char *color = text + head;
    size_t length = strcspn(color, "'");
    const char *corners = color + length + strlen(s->middle);
    if (strncmp(color + length, s->middle, strlen(s->middle)) != 0) {
        return 0;
    }
    size_t size = strcspn(corners, "'");
    double found[CORNERS_MAX][2];
    circle c;
    size_t n = read_corners(corners, size, found, CORNERS_MAX);
    if (strncmp(corners + size, s->tail, strlen(s->tail)) != 0 || !is_circle(found, n, &c)) {
        return 0;
    }
    put_ring(out, s == &SHAPES[0], &c);
    (void)fprintf(out, " %s%.*s%s", s->before, (int)length, color, s->after);
    return (size_t)(corners + size - text) + strlen(s->tail);
}

/* Every shape begins at a '<'. */
void il_svg_put(FILE *out, const char *text) {
    while (*text != '\0') {
        size_t length = 0;
        for (size_t k = 0; k < NSHAPES && length == 0; k++) {
            length = put_circle(out, text, &SHAPES[k]);
        }
        if (length == 0) {
            length = 1 + strcspn(text + 1, "<");
            (void)fwrite(text, 1, length, out);
        }
        text += length;
    }
}

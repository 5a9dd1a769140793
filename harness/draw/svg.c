/*
 * svg.c - see svg.h. With p_k the n corners, all at equal angles, the circle is
 *
 *     c = (1/n) sum p_k,   r = (1/n) sum |p_k - c|,   if ||p_k - c| - r| <= ROUNDED for every k.
 *
 * Of a line the corners a = p_i, ..., p_j = b become the segment ab if |p_k - ab| <= FLAT for all
 * between, j as far on as that goes. All of ab is then as near to what it stands for: its ends are
 * the same, and what leads from one to the other passes every point of it.
 */
#include "harness/draw/svg.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/io/file.h"

/* ---- discs ----------------------------------------------------------------------------------- */

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

/* Pixels: a twentieth of a thin line. */
static const double FLAT = 0.06;
enum { LOOK_AHEAD = 100, A_LINE = 12 }; /* corners that a segment replaces, at most; in a row */

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

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct {
    bool moved; /* to, without a line */
    double x, y;
    const char *text; /* "x,y" as gnuplot wrote it */
    int length;
} corner;

/* The corners of a path "Mx,y Lx,y ..." in text[0..size) into *corners, to be freed, NULL without
 * memory; 0 if it is anything else. */
static size_t read_line(const char *text, size_t size, corner **corners) {
    const char *end = text + size;
    size_t n = 0;
    *corners = calloc(size / 4 + 1, sizeof **corners); /* "M1,2" */
    for (const char *at = text; *corners != NULL && (at += strspn(at, " \t\n")) < end; n++) {
        corner *c = &(*corners)[n];
        char *next = NULL;
        c->moved = *at == 'M';
        c->text = at + 1;
        c->x = strtod(c->text, &next);
        if ((!c->moved && (*at != 'L' || n == 0)) || next == c->text || *next != ',') {
            return 0;
        }
        at = next + 1;
        c->y = strtod(at, &next);
        if (next == at) {
            return 0;
        }
        at = next;
        c->length = (int)(at - c->text);
    }
    return n;
}

/* The square of the distance of p from the segment ab. */
static double distance2(const corner *p, const corner *a, const corner *b) {
    double vx = b->x - a->x;
    double vy = b->y - a->y;
    double along = (p->x - a->x) * vx + (p->y - a->y) * vy;
    double length2 = vx * vx + vy * vy;
    double s = length2 > 0.0 ? fmin(fmax(along / length2, 0.0), 1.0) : 0.0;
    double dx = p->x - a->x - s * vx;
    double dy = p->y - a->y - s * vy;
    return dx * dx + dy * dy;
}

/* The last corner that the segment from corner i reaches as it should. */
static size_t reach(const corner *c, size_t n, size_t i) {
    size_t last = i + 1;
    for (size_t j = i + 2; j < n && j <= i + LOOK_AHEAD && !c[j].moved; j++) {
        for (size_t k = i + 1; k < j; k++) {
            if (!(distance2(&c[k], &c[i], &c[j]) <= FLAT * FLAT)) {
                return last;
            }
        }
        last = j;
    }
    return last;
}

/* If a path of lines begins at text, write it without the corners that nobody sees and return its
 * length, else 0; *starved where memory ran out. */
static size_t put_line(FILE *out, const char *text, bool *starved) {
    static const char head[] = "<path ";
    static const char data[] = " d='";
    size_t length = strcspn(text, ">");
    const char *d = memmem(text, length, data, strlen(data));
    if (strncmp(text, head, strlen(head)) != 0 || d == NULL) {
        return 0;
    }
    d += strlen(data);
    corner *c = NULL;
    size_t size = strcspn(d, "'");
    size_t n = read_line(d, size, &c);
    if (c == NULL) {
        *starved = true;
        return 0;
    }
    if (n > 0) {
        (void)fwrite(text, 1, (size_t)(d - text), out);
    }
    for (size_t i = 0, put = 0; i < n; put++) {
        (void)fprintf(out, "%s%c%.*s",
                      put % A_LINE > 0 ? " "
                      : put > 0        ? "\n"
                                       : "",
                      c[i].moved ? 'M' : 'L', c[i].length, c[i].text);
        i = i + 1 < n && !c[i + 1].moved ? reach(c, n, i) : i + 1;
    }
    free(c);
    return n > 0 ? (size_t)(d - text) + size : 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Every shape begins at a '<'. False without memory. */
static bool put_lighter(FILE *out, const char *text) {
    bool starved = false;
    while (*text != '\0' && !starved) {
        size_t length = 0;
        for (size_t k = 0; k < NSHAPES && length == 0; k++) {
            length = put_circle(out, text, &SHAPES[k]);
        }
        if (length == 0) {
            length = put_line(out, text, &starved);
        }
        if (length == 0) {
            length = 1 + strcspn(text + 1, "<");
            (void)fwrite(text, 1, length, out);
        }
        text += length;
    }
    return !starved;
}

/* *text is the whole file, with a NUL behind, to be freed; NULL if it cannot be read. */
static il_status read_text(const char *path, char **text, il_error *err) {
    il_status status = IL_OK;
    size_t size = 0;
    FILE *in = fopen(path, "rb");
    *text = NULL;
    if (in == NULL || getdelim(text, &size, '\0', in) < 0) {
        int reason = in != NULL && feof(in) ? ENODATA : errno;
        status = il_fail(err, il_status_of_errno(reason), "cannot read '%s': %s", path,
                         strerror(reason));
        free(*text);
        *text = NULL;
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return status;
}

il_status il_svg_lighten(const char *path, il_error *err) {
    il_file file = {0};
    char *text = NULL;
    il_status status = read_text(path, &text, err);
    if (text == NULL) {
        return status;
    }
    status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        file.passing = true; /* in a scratch folder: who renames it syncs it */
        if (put_lighter(file.stream, text)) {
            status = il_file_commit(&file, err);
        } else {
            il_file_abandon(&file);
            status = il_fail(err, IL_ENOMEM, "no memory for the lines of '%s'", path);
        }
    }
    free(text);
    return status;
}

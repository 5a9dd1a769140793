/*
 * plot_tics.c - tics and numbers along an axis.
 *
 * gnuplot's own tics, except on two kinds of axes. On a linear axis it chooses distances for wide
 * pictures, so that numbers overlap on narrow and on low ones: here their number is bounded. On a
 * logarithmic axis it marks powers of ten alone, which leaves an axis of less than three of them
 * almost without numbers: there each tic is written out.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/draw/plot_parts.h"

enum {
    LINEAR = 7,       /* intervals between the tics of a linear axis, at most */
    NARROW_MAX = 50,  /* tics of a narrow axis; numbers too near to be told apart end there */
    PLAIN_LEAST = -4, /* powers of ten of numbers that are written as they are: 0.0002 */
    PLAIN_MOST = 5,
    LABEL_ROOM = 64
};

static const double SLACK = 1e-9; /* of a power of ten: a limit on one still has its tic */
static const double APART = 0.6;  /* digits between two numbers */

/* ---- linear axes ----------------------------------------------------------------------------- */

/* The least of 1, 2, 5 times a power of ten that gives at most so many intervals; 0 where the range
 * is next to the least double. */
static double step_of(double lo, double hi, double intervals) {
    double raw = (hi - lo) / intervals * (1.0 - SLACK);
    double unit = il_pow(10.0, floor(il_log10(raw)));
    double leading = raw <= unit ? 1.0 : raw <= 2.0 * unit ? 2.0 : raw <= 5.0 * unit ? 5.0 : 10.0;
    return leading * unit;
}

/* line: the height of a number as a part of the axis, or 0. */
static void put_step(FILE *out, const char *name, double lo, double hi, double line) {
    double room = fmax(floor(1.0 / fmax(line, 1e-3)), 2.0);
    double step = step_of(lo, hi, fmin(room, LINEAR));
    if (step > 0.0) {
        (void)fprintf(out, "    set %stics %.17g\n", name, step);
    } else {
        (void)fprintf(out, "    set %stics autofreq\n", name);
    }
}

void il_plot_put_bar_tics(FILE *out, double lo, double hi) {
    put_step(out, "cb", lo, hi, 0.0);
}

/* ---- logarithmic axes of less than three powers of ten --------------------------------------- */

/* The numbers of one axis are written alike: all as they are, or all as m 10^k. */
typedef struct {
    bool plain;
    double at[NARROW_MAX]; /* [n] */
    bool labelled[NARROW_MAX];
    int n;
} tics;

static int power_of(double x) {
    return (int)floor(il_log10(x) + SLACK);
}

/* x, or the m of m 10^k, as text. Returns the leading digit. */
static int spell(double x, bool plain, char m[LABEL_ROOM]) {
    double mantissa = x / il_pow(10.0, power_of(x));
    (void)snprintf(m, LABEL_ROOM, plain ? "%.6g" : "%.4g", plain ? x : mantissa);
    return (int)(mantissa + SLACK);
}

/* How many digits wide that is: a point or a dot is half as wide as a digit; 1 10^k is 10^k. */
static double digits_of(const char *m, bool plain, int k) {
    double point = strchr(m, '.') != NULL ? 0.5 : 0.0;
    double power = plain ? 0.0 : 2.5 + (k < 0) + (abs(k) > 9) + (abs(k) > 99) + 1.0;
    return (double)strlen(m) - point + power - (!plain && strcmp(m, "1") == 0 ? 1.5 : 0.0);
}

/* Label those tics whose leading digit is one of digits (0: any), as far as numbers do not run into
 * one another; are all labelled, and two at least? letter: il_plot_put_axis. */
static bool label(const il_plot_axis *a, double letter, tics *t, const int *digits, int n) {
    double centre[NARROW_MAX];
    double half[NARROW_MAX];
    int digit[NARROW_MAX];
    int wanted = 0;
    int given = 0;
    for (int i = 0; i < t->n; i++) {
        char m[LABEL_ROOM];
        centre[i] = il_log(t->at[i] / a->lo) / il_log(a->hi / a->lo);
        digit[i] = spell(t->at[i], t->plain, m);
        half[i] = 0.5 * letter * (digits_of(m, t->plain, power_of(t->at[i])) + APART);
        t->labelled[i] = false;
    }
    for (int pass = 0; pass < n; pass++) {
        for (int i = 0; i < t->n; i++) {
            bool turn = !t->labelled[i] && (digits[pass] == 0 || digit[i] == digits[pass]);
            wanted += turn;
            for (int j = 0; turn && j < t->n; j++) {
                turn = !t->labelled[j] || fabs(centre[i] - centre[j]) >= half[i] + half[j];
            }
            t->labelled[i] = t->labelled[i] || turn;
            given += turn;
        }
    }
    return given == wanted && given >= 2;
}

/* The same digits in every power of ten: all, or the first of these choices that fits as a whole
 * and leaves two numbers. Where none does, as many numbers as there is room for. */
static void choose_labels(const il_plot_axis *a, double letter, tics *t) {
    static const int digits[][3] = {{1, 5, 0}, {1, 5}, {1, 2}, {1}, {2, 5}, {2}, {5}};
    static const int sizes[] = {3, 2, 2, 1, 2, 1, 1};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (label(a, letter, t, digits[k], sizes[k])) {
            return;
        }
    }
    (void)label(a, letter, t, digits[0], 3);
}

/* 1, 2, 5 of each power of ten, and when that gives fewer than three tics, equal distances. */
static int tics_of(const il_plot_axis *a, int lo, int hi, double at[NARROW_MAX]) {
    static const int leading[] = {1, 2, 5};
    int n = 0;
    for (int k = lo - 1; k <= hi; k++) { /* at most three powers: nine tics */
        for (int m = 0; m < 3; m++) {
            at[n] = leading[m] * il_pow(10.0, k);
            n += at[n] >= a->lo && at[n] <= a->hi;
        }
    }
    if (n < 3) {
        double raw = (a->hi - a->lo) / 4.0;
        double unit = il_pow(10.0, floor(il_log10(raw)));
        double step = raw >= 5.0 * unit ? 5.0 * unit : raw >= 2.0 * unit ? 2.0 * unit : unit;
        n = 0;
        for (double m = ceil(a->lo / step); m * step <= a->hi && n < NARROW_MAX; m += 1.0) {
            at[n++] = m * step;
        }
    }
    return n;
}

/* A tic without a label is a minor one. */
static void put_narrow(FILE *out, char name, const il_plot_axis *a, double letter, int lo, int hi) {
    tics t = {.n = 0};
    t.n = tics_of(a, lo, hi, t.at);
    t.plain =
        t.n == 0 || (power_of(t.at[0]) >= PLAIN_LEAST && power_of(t.at[t.n - 1]) <= PLAIN_MOST);
    choose_labels(a, letter, &t);
    (void)fprintf(out, "    set %ctics (", name);
    for (int i = 0; i < t.n; i++) {
        char m[LABEL_ROOM];
        (void)spell(t.at[i], t.plain, m);
        (void)fputs(i > 0 ? ", " : "", out);
        if (!t.labelled[i]) {
            (void)fprintf(out, "'' %.17g 1", t.at[i]);
        } else if (t.plain) {
            (void)fprintf(out, "'%s' %.17g", m, t.at[i]);
        } else {
            (void)fprintf(out, "power('%s','%d') %.17g", m, power_of(t.at[i]), t.at[i]);
        }
    }
    (void)fputs(")\n", out);
}

/* ---- an axis --------------------------------------------------------------------------------- */

void il_plot_put_power(FILE *out) {
    (void)fputs("power(m, k) = m eq '1' ? (format eq 'tex' ? '$10^{'.k.'}$' : '10^{'.k.'}') : "
                "format eq 'tex' ? '$'.m.'{\\cdot}10^{'.k.'}$' : m.'·10^{'.k.'}'\n",
                out);
}

static void put_format(FILE *out, char name, const char *text, bool tex) {
    if (tex) {
        (void)fprintf(out, "    set format %c format eq 'tex' ? '$%s$' : '%s'\n", name, text, text);
    } else {
        (void)fprintf(out, "    set format %c '%s'\n", name, text);
    }
}

/* Powers of two where all values are such, else powers of ten; small numbers as they are. */
static void put_powers(FILE *out, char name, const il_plot_axis *a, bool tex) {
    bool plain = a->binary ? a->lo >= 1.0 && a->hi < 32768.0 : a->lo > 1e-3 && a->hi < 1e5;
    (void)fprintf(out, "    set logscale %c %d\n    set %ctics autofreq\n", name,
                  a->binary ? 2 : 10, name);
    put_format(out, name, plain ? "%h" : a->binary ? "2^{%L}" : "10^{%T}", tex);
}

void il_plot_put_axis(FILE *out, char name, const il_plot_axis *axis, double letter, double line,
                      bool tex) {
    int lo = axis->log ? (int)ceil(il_log10(axis->lo) - SLACK) : 0;
    int hi = axis->log ? (int)floor(il_log10(axis->hi) + SLACK) : 0;
    il_plot_axis a = *axis;
    a.binary = axis->binary && il_log2(axis->hi / axis->lo) >= 2.0;
    (void)fprintf(out, "    set %crange [%.17g:%.17g]\n", name, axis->lo, axis->hi);
    if (!axis->log) {
        const char text[] = {name, '\0'};
        put_format(out, name, "%h", tex);
        put_step(out, text, axis->lo, axis->hi, line);
    } else if (a.binary || hi - lo >= 2) {
        put_powers(out, name, &a, tex);
    } else {
        (void)fprintf(out, "    set logscale %c\n", name);
        put_narrow(out, name, axis, letter, lo, hi);
    }
}

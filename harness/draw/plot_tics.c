/*
 * plot_tics.c - what stands along an axis.
 *
 * On a linear axis gnuplot chooses distances that suit wide pictures: numbers run into one another
 * on narrow ones. Here there are never many. On a logarithmic axis gnuplot would mark powers of ten
 * alone, which leaves a narrow axis without a number, and would spell exponents in a markup that
 * also reads labels. Here each tic is written out, with exponents as Unicode superscripts.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/text.h"
#include "harness/draw/plot_parts.h"

enum {
    LINEAR = 7,      /* intervals between the tics of a linear axis, at most */
    LABELLED = 8,    /* intervals between labelled tics, at most about so many */
    NARROW_MAX = 50, /* tics of a narrow axis; numbers too near to be told apart end there */
    LABEL_ROOM = 64
};

static const double SLACK = 1e-9; /* of a power of ten: a limit on one still has its tic */
static const double APART = 0.6;  /* digits between two numbers */

typedef struct {
    FILE *out;
    const char *glue; /* before the next tic */
    double letter;    /* its width as a part of the axis; 0: labels stand above one another */
    bool tex;         /* labels are LaTeX */
} pen;

/* An unlabelled tic is a minor one. */
static void put_tic(pen *p, const char *label, double at) {
    (void)fputs(p->glue, p->out);
    if (p->tex) {
        il_plot_put_tex(p->out, NULL, label);
    } else {
        (void)fprintf(p->out, "'%s'", label);
    }
    (void)fprintf(p->out, " %.17g%s", at, label[0] == '\0' ? " 1" : "");
    p->glue = ", ";
}

/* Append base^k. */
static void spell_power(char label[LABEL_ROOM], int base, int k) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char exponent[16];
    (void)snprintf(exponent, sizeof exponent, "%d", abs(k));
    il_text_append(label, LABEL_ROOM, "%d%s", base, k < 0 ? "⁻" : "");
    for (const char *c = exponent; *c != '\0'; c++) {
        il_text_append(label, LABEL_ROOM, "%s", digit[*c - '0']);
    }
}

/* Powers of two: plain numbers up to 2^14 (numbers of steps), 2⁻ᵏ otherwise (steps). */
static void put_binary(pen *p, const il_plot_axis *a) {
    int lo = (int)ceil(il_log2(a->lo));
    int hi = (int)floor(il_log2(a->hi));
    int stride = (hi - lo) / LABELLED + 1;
    for (int k = lo; k <= hi; k++) {
        char label[LABEL_ROOM] = "";
        double at = ldexp(1.0, k);
        if (k % stride == 0 && lo >= 0 && hi <= 14) {
            (void)snprintf(label, sizeof label, "%.0f", at);
        } else if (k % stride == 0) {
            spell_power(label, 2, k);
        }
        put_tic(p, label, at);
    }
}

/* Powers of ten; 2..9 between them while each power is labelled. */
static void put_decimal(pen *p, const il_plot_axis *a, int lo, int hi) {
    int stride = (hi - lo) / LABELLED + 1;
    for (int k = lo - 1; k <= hi; k++) {
        char label[LABEL_ROOM] = "";
        double power = il_pow(10.0, k);
        if (k % stride == 0 && lo >= -2 && hi <= 4) {
            (void)snprintf(label, sizeof label, "%g", power);
        } else if (k % stride == 0) {
            spell_power(label, 10, k);
        }
        if (k >= lo) {
            put_tic(p, label, power);
        }
        for (int m = 2; stride == 1 && m <= 9; m++) {
            if (m * power >= a->lo && m * power <= a->hi) {
                put_tic(p, "", m * power);
            }
        }
    }
}

/* How many digits wide a number is: a point or a dot is half as wide as a digit. */
static double digits_of(const char *label) {
    bool dot = strchr(label, '.') != NULL || strstr(label, "·") != NULL;
    return (double)il_text_letters(label, strlen(label)) - (dot ? 0.5 : 0.0);
}

/* What stands at x. */
static void spell(char label[LABEL_ROOM], double x) {
    int k = (int)floor(il_log10(x) + SLACK);
    label[0] = '\0';
    if (k >= -3 && k <= 5) {
        (void)snprintf(label, LABEL_ROOM, "%.6g", x);
    } else {
        (void)snprintf(label, LABEL_ROOM, "%.4g·", x / il_pow(10.0, k));
        spell_power(label, 10, k);
    }
}

/* Which of the n tics are labelled: of two whose numbers would run into one another that with the
 * rounder leading digit, 1 before 5 before all others. */
static void choose_labels(const pen *p, const il_plot_axis *a, const double *at, int n,
                          bool *labelled) {
    static const int order[] = {1, 5, 0};
    double centre[NARROW_MAX];
    double half[NARROW_MAX];
    int digit[NARROW_MAX];
    for (int i = 0; i < n; i++) {
        char label[LABEL_ROOM];
        spell(label, at[i]);
        centre[i] = il_log(at[i] / a->lo) / il_log(a->hi / a->lo);
        half[i] = 0.5 * p->letter * (digits_of(label) + APART);
        digit[i] = label[strspn(label, "0.")] - '0';
        labelled[i] = false;
    }
    for (size_t pass = 0; pass < sizeof order / sizeof *order; pass++) {
        for (int i = 0; i < n; i++) {
            bool turn = order[pass] == 0 ? digit[i] != 1 && digit[i] != 5 : digit[i] == order[pass];
            for (int j = 0; turn && j < n; j++) {
                turn = !labelled[j] || fabs(centre[i] - centre[j]) >= half[i] + half[j];
            }
            labelled[i] = labelled[i] || turn;
        }
    }
}

/* Less than three powers of ten: 1, 2, 5 of each, and when that gives fewer than three tics too,
 * equal distances. */
static void put_narrow(pen *p, const il_plot_axis *a, int lo, int hi) {
    static const int leading[] = {1, 2, 5};
    double at[NARROW_MAX];
    bool labelled[NARROW_MAX];
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
    choose_labels(p, a, at, n, labelled);
    for (int i = 0; i < n; i++) {
        char label[LABEL_ROOM];
        spell(label, at[i]);
        put_tic(p, labelled[i] ? label : "", at[i]);
    }
}

/* The least of 1, 2, 5 times a power of ten that gives at most LINEAR intervals; 0 where the range
 * is next to the least double. */
static double step_of(double lo, double hi) {
    double raw = (hi - lo) / LINEAR * (1.0 - SLACK);
    double unit = il_pow(10.0, floor(il_log10(raw)));
    double leading = raw <= unit ? 1.0 : raw <= 2.0 * unit ? 2.0 : raw <= 5.0 * unit ? 5.0 : 10.0;
    return leading * unit;
}

static void put_step(FILE *out, double step) {
    if (step > 0.0) {
        (void)fprintf(out, "%.17g\n", step);
    } else {
        (void)fputs("autofreq\n", out);
    }
}

static void put_linear(FILE *out, char name, const il_plot_axis *a) {
    (void)fprintf(out, "    set format %c '%%h'\n    set %ctics ", name, name);
    put_step(out, step_of(a->lo, a->hi));
}

void il_plot_put_bar_tics(FILE *out, double lo, double hi) {
    (void)fputs("    set cbtics ", out);
    put_step(out, step_of(lo, hi));
}

size_t il_plot_bar_letters(double lo, double hi) {
    double step = step_of(lo, hi);
    size_t most = 0;
    for (int k = 0; step > 0.0 && k <= LINEAR; k++) {
        char label[LABEL_ROOM];
        double at = (ceil(lo / step) + k) * step;
        int n = snprintf(label, sizeof label, "%.6g", at);
        most = at <= hi && (size_t)n > most ? (size_t)n : most;
    }
    return most;
}

static void put_logarithmic(pen *p, char name, const il_plot_axis *axis) {
    int lo = (int)ceil(il_log10(axis->lo) - SLACK);
    int hi = (int)floor(il_log10(axis->hi) + SLACK);
    (void)fprintf(p->out, "set %ctics (", name);
    if (axis->binary && il_log2(axis->hi / axis->lo) >= 2.0) {
        put_binary(p, axis);
    } else if (hi - lo >= 2) {
        put_decimal(p, axis, lo, hi);
    } else {
        put_narrow(p, axis, lo, hi);
    }
    (void)fputs(")", p->out);
}

void il_plot_put_axis(FILE *out, char name, const il_plot_axis *axis, double letter, bool tex) {
    (void)fprintf(out, "    set %crange [%.17g:%.17g]\n", name, axis->lo, axis->hi);
    if (!axis->log) {
        put_linear(out, name, axis);
    } else {
        pen p = {.out = out, .glue = "", .letter = letter};
        (void)fprintf(out, "    set logscale %c\n    ", name);
        put_logarithmic(&p, name, axis);
        (void)fputs("\n", out);
    }
    if (tex) {
        pen p = {.out = out, .glue = "", .letter = letter, .tex = true};
        (void)fputs("    if (format eq 'tex') {\n        ", out);
        if (axis->log) {
            put_logarithmic(&p, name, axis);
        } else {
            (void)fprintf(out, "set format %c '$%%h$'", name);
        }
        (void)fputs("\n    }\n", out);
    }
}

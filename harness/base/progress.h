/*
 * progress.h - progress of long work: a bar on a terminal, an occasional line elsewhere, nothing in
 * the first two seconds.
 *
 *     sweep first [#######-------------]  35 %  12 of 40 cases, 3.1/s, 9 s so far: sticky by maury
 */
#ifndef IL_BASE_PROGRESS_H
#define IL_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *out; /* NULL: nothing is shown */
    bool terminal;
    char title[128];
    double began, spoke; /* seconds of a clock that only goes forward */
    bool shown;          /* a bar stands on the terminal */
} il_progress;

/* Begin. The title stands in front of every line; out may be NULL. */
void il_progress_begin(il_progress *p, FILE *out, const char *title);

/* Seconds since it began. */
double il_progress_passed(const il_progress *p);

/* Is it time to show something? Ask before text is made. */
bool il_progress_due(const il_progress *p);

/* Show, whether it is time or not: share of the work in [0, 1], or NaN if unknown; what in
 * a few words, "12 of 40 cases"; now, what is at work, or NULL. Control characters become '?'. */
void il_progress_show(il_progress *p, double share, const char *what, const char *now);

/* The bar goes; lines stay. Before anything else is printed, and at the end. */
void il_progress_clear(il_progress *p);

/* Seconds as people say them: "12 s", "3 min", "1.5 h"; at least "1 s". */
void il_progress_say_seconds(double seconds, char *out, size_t capacity);

#endif

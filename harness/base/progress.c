/*
 * progress.c - bars and lines.
 */
#include "harness/base/progress.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/text.h"

static const double FIRST = 2.0;       /* seconds before anything is shown on a terminal */
static const double AGAIN = 0.2;       /* between bars */
static const double FIRST_LINE = 10.0; /* before the first line elsewhere, and between lines */
static const double NEXT_LINE = 30.0;
enum { BAR = 20, WIDTH = 80, NARROWEST = 20, ROOM = 512 };

void il_progress_begin(il_progress *p, FILE *out, const char *title) {
    *p = (il_progress){.out = out, .terminal = out != NULL && isatty(fileno(out))};
    (void)snprintf(p->title, sizeof p->title, "%s", title);
    p->began = il_clock_seconds();
}

double il_progress_passed(const il_progress *p) {
    return il_clock_seconds() - p->began;
}

bool il_progress_due(const il_progress *p) {
    if (p->out == NULL) {
        return false;
    }
    double now = il_clock_seconds();
    if (p->spoke == 0.0) {
        return now - p->began >= (p->terminal ? FIRST : FIRST_LINE);
    }
    return now - p->spoke >= (p->terminal ? AGAIN : NEXT_LINE);
}

void il_progress_say_seconds(double seconds, char *out, size_t capacity) {
    if (seconds < 99.5) {
        (void)snprintf(out, capacity, "%.0f s", fmax(1.0, seconds));
    } else if (seconds < 100.0 * 60.0) {
        (void)snprintf(out, capacity, "%.0f min", seconds / 60.0);
    } else {
        (void)snprintf(out, capacity, "%.3g h", seconds / 3600.0);
    }
}

/* Columns of the terminal; one is left free, or the cursor would begin a new line. */
static size_t columns(const il_progress *p) {
    struct winsize size = {0};
    bool known = ioctl(fileno(p->out), TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST;
    return (known ? (size_t)size.ws_col : WIDTH) - 1;
}

/* Cut line at so many letters. */
static void cut(char *line, size_t letters) {
    size_t bytes = strlen(line);
    while (bytes > 0 && il_text_letters(line, bytes) > letters) {
        do {
            bytes--;
        } while (bytes > 0 && ((unsigned char)line[bytes] & 0xc0) == 0x80);
    }
    line[bytes] = '\0';
}

static void put_bar(char line[ROOM], double share) {
    int full = (int)(share * BAR);
    il_text_append(line, ROOM, " [");
    for (int k = 0; k < BAR; k++) {
        il_text_append(line, ROOM, "%c", k < full ? '#' : '-');
    }
    il_text_append(line, ROOM, "] %3d %%  ", (int)(100.0 * share));
}

void il_progress_show(il_progress *p, double share, const char *what, const char *now) {
    char line[ROOM] = "";
    char seconds[32];
    if (p->out == NULL) {
        return;
    }
    p->spoke = il_clock_seconds();
    share = share > 1.0 ? 1.0 : share; /* NaN stays */
    il_text_append(line, sizeof line, "%s", p->title);
    if (p->terminal && share >= 0.0) {
        put_bar(line, share);
    } else if (share >= 0.0) {
        il_text_append(line, sizeof line, ": %d %%, ", (int)(100.0 * share));
    } else {
        il_text_append(line, sizeof line, ": ");
    }
    il_progress_say_seconds(il_progress_passed(p), seconds, sizeof seconds);
    il_text_append(line, sizeof line, "%s, %s so far", what, seconds);
    if (now != NULL) {
        il_text_append(line, sizeof line, ": %s", now);
    }
    il_text_make_printable(line, false);
    if (p->terminal) {
        cut(line, columns(p));
    }
    (void)fprintf(p->out, p->terminal ? "\r%s\033[K" : "%s\n", line);
    (void)fflush(p->out);
    p->shown = p->terminal;
}

void il_progress_clear(il_progress *p) {
    if (p->shown) {
        (void)fputs("\r\033[K", p->out);
        (void)fflush(p->out);
        p->shown = false;
    }
}

/*
 * text.c - numbers and names typed by users, and checks of text from outside.
 */
#include "harness/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static bool plain_number(const char *text, size_t length, double *value) {
    char copy[64];
    if (length == 0 || length >= sizeof copy || isspace((unsigned char)text[0])) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end = NULL;
    *value = strtod(copy, &end);
    return end == copy + length;
}

/* A number, or a fraction a/b. */
static bool read_number(const char *text, size_t length, double *value) {
    const char *slash = memchr(text, '/', length);
    if (slash == NULL) {
        return plain_number(text, length, value);
    }
    size_t above = (size_t)(slash - text);
    double b = 0.0;
    if (!plain_number(text, above, value) || !plain_number(slash + 1, length - above - 1, &b) ||
        b == 0.0) {
        return false;
    }
    *value /= b;
    return true;
}

bool il_text_number(const char *text, double *value) {
    return read_number(text, strlen(text), value);
}

bool il_text_numbers(const char *text, double **x, size_t *n, char bad[IL_TEXT_BAD]) {
    size_t count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == ',';
    }
    *n = 0;
    *x = il_alloc(count, sizeof **x);
    for (; *n < count; ++*n) {
        size_t length = strcspn(text, ",");
        if (!read_number(text, length, &(*x)[*n])) {
            (void)snprintf(bad, IL_TEXT_BAD, "%.*s", (int)length, text);
            free(*x);
            *x = NULL;
            return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

il_numeral il_text_numeral(double x) {
    il_numeral out;
    int digits = 6;
    do {
        (void)snprintf(out.text, sizeof out.text, "%.*g", digits, x);
    } while (digits++ < 17 && strtod(out.text, NULL) != x && !isnan(x));
    return out;
}

bool il_text_count(const char *text, size_t *value) {
    double x = 0.0;
    if (!il_text_number(text, &x) || !(x >= 0.0 && x <= 9007199254740992.0) || x != floor(x)) {
        return false;
    }
    *value = (size_t)x;
    return true;
}

enum { WORD_MAX = 63 };

/* Levenshtein's distance, two rows of the table at a time. */
static size_t distance(const char *a, const char *b) {
    size_t n = strlen(b);
    size_t row[WORD_MAX + 1];
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t change = diagonal + (a[i] != b[j]);
            size_t gap = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < gap ? change : gap;
        }
    }
    return row[n];
}

const char *il_text_nearest(const char *word, const char *const *names, size_t n) {
    const char *best = NULL;
    size_t least = 0;
    size_t length = strlen(word);
    for (size_t k = 0; k < n; k++) {
        size_t longer = strlen(names[k]) > length ? strlen(names[k]) : length;
        if (longer > WORD_MAX) {
            continue;
        }
        size_t apart = distance(word, names[k]);
        if (apart <= (longer + 2) / 3 &&
            (best == NULL || apart < least || (apart == least && strcmp(names[k], best) < 0))) {
            best = names[k];
            least = apart;
        }
    }
    return best;
}

int il_text_place(const char *names, char between, const char *word) {
    size_t n = strlen(word);
    const char ends[] = {between, '\0'};
    for (int k = 0;; k++) {
        size_t span = strcspn(names, ends);
        if (span == n && n > 0 && strncmp(names, word, n) == 0) {
            return k;
        }
        if (names[span] == '\0') {
            return -1;
        }
        names += span + 1;
    }
}

void il_text_unknown(const char *family, const char *word, const char *const *names, size_t n,
                     char *out, size_t capacity) {
    const char *near = il_text_nearest(word, names, n);
    out[0] = '\0';
    il_text_append(out, capacity, "unknown %s '%s'; ", family, word);
    if (near != NULL) {
        il_text_append(out, capacity, "did you mean '%s'? Known: ", near);
    } else {
        il_text_append(out, capacity, "known: ");
    }
    for (size_t k = 0; k < n; k++) {
        il_text_append(out, capacity, "%s%s", k == 0 ? "" : ", ", names[k]);
    }
}

void il_text_append(char *out, size_t capacity, const char *format, ...) {
    size_t used = strlen(out);
    if (used + 1 >= capacity) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out + used, capacity - used, format, args);
    va_end(args);
}

bool il_text_ends_with(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

char *il_text_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL   ? il_alloc_text(".")
           : slash == path ? il_alloc_text("/")
                           : il_alloc_letters(path, (size_t)(slash - path));
}

bool il_text_is_file_name(const char *name) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return name != NULL && name[0] != '\0' && name[0] != '.' && name[0] != '-' &&
           name[strspn(name, allowed)] == '\0';
}

void il_text_make_file_name(char *name) {
    for (char *c = name; *c != '\0'; c++) {
        char letter[] = {'_', *c, '\0'};
        if (!il_text_is_file_name(letter)) {
            *c = '_';
        }
    }
    if (!il_text_is_file_name(name)) {
        name[0] = '_';
    }
}

/* Bytes of the code point that begins at c, 0 if it is ill-formed. After some first bytes the
 * second has a narrower range than 80..bf, which keeps out long spellings and surrogates. The
 * terminating NUL continues nothing, so that nothing behind it is read. */
static size_t code_point(const unsigned char *c) {
    unsigned char least = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char most = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;
    size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (c[0] > 0xf4 || (n > 1 && (c[1] < least || c[1] > most))) {
        return 0;
    }
    for (size_t k = 2; k < n; k++) {
        if ((c[k] & 0xc0u) != 0x80u) {
            return 0;
        }
    }
    return n;
}

bool il_text_is_utf8(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    while (c != NULL && *c != '\0') {
        size_t n = code_point(c);
        if (n == 0) {
            return false;
        }
        c += n;
    }
    return true;
}

size_t il_text_letters(const char *text, size_t bytes) {
    size_t n = 0;
    for (size_t k = 0; k < bytes; k++) {
        n += ((unsigned char)text[k] & 0xc0u) != 0x80u;
    }
    return n;
}

void il_text_make_printable(char *text, bool lines) {
    for (unsigned char *at = (unsigned char *)text; *at != '\0'; at++) {
        bool blank = *at == '\n' || *at == '\t';
        bool c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;
        if (c1) {
            at[1] = '?';
        }
        if (c1 || ((*at < 0x20 || *at == 0x7f) && !(blank && lines))) {
            *at = blank ? ' ' : '?';
        }
    }
}

/*
 * plain.c - Markdown in a terminal.
 */
#include <stdbool.h>
#include <string.h>

#include "harness/manual/markdown.h"

enum { FIRST = 24 }; /* width of the first column of a table */

/* The text of a line or a cell: links without targets, no weight. Returns letters written. */
static size_t put_inline(FILE *out, const char *text, size_t n) {
    size_t written = 0;
    size_t label = 0; /* inside a link's text */
    for (size_t k = 0; k < n; k++) {
        char c = text[k];
        if (c == '\\' && k + 1 < n && strchr("|*_[]`", text[k + 1]) != NULL) {
            c = text[++k];
        } else if (c == '[' && memchr(text + k, ']', n - k) != NULL) {
            const char *close = memchr(text + k, ']', n - k);
            if (close + 1 < text + n && close[1] == '(') {
                label = (size_t)(close - text);
                continue;
            }
        } else if (c == ']' && label == k && k > 0) {
            const char *end = memchr(text + k, ')', n - k);
            k = end != NULL ? (size_t)(end - text) : k;
            continue;
        } else if (c == '*' && k + 1 < n && text[k + 1] == '*') {
            k++;
            continue;
        }
        (void)fputc(c, out);
        written += (c & 0xc0) != 0x80;
    }
    return written;
}

/* "| a | b |" as "a   b"; nothing for the line below the heads. */
static void put_row(FILE *out, const char *line, size_t n) {
    if (strspn(line, "|-: ") >= n) {
        return;
    }
    size_t from = 1;
    size_t column = 0;
    for (size_t k = 1; k < n; k++) {
        if (line[k] != '|' || line[k - 1] == '\\') {
            continue;
        }
        while (from < k && line[from] == ' ') {
            from++;
        }
        size_t end = k;
        while (end > from && line[end - 1] == ' ') {
            end--;
        }
        (void)fputs(column > 0 ? "  " : "", out);
        size_t written = put_inline(out, line + from, end - from);
        if (column == 0 && written < FIRST) {
            (void)fprintf(out, "%*s", (int)(FIRST - written), "");
        }
        column++;
        from = k + 1;
    }
    (void)fputc('\n', out);
}

/* The lines from text on that are one piece of prose: up to an empty one, code, a table, a heading.
 */
static size_t prose_size(const char *text, const char *end) {
    const char *at = text;
    do {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline != NULL ? newline + 1 : end;
    } while (at < end && strchr("\n|#", *at) == NULL && strncmp(at, "```", 3) != 0);
    return (size_t)(at - text);
}

void il_markdown_plain(FILE *out, const char *text, size_t n) {
    const char *end = text + n;
    bool fenced = false;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t size = newline != NULL ? (size_t)(newline - text) : (size_t)(end - text);
        size_t read = size + (newline != NULL);
        if (size >= 3 && memcmp(text, "```", 3) == 0) {
            fenced = !fenced;
        } else if (fenced) {
            (void)fprintf(out, "%s%.*s\n", size > 0 ? "    " : "", (int)size, text);
        } else if (size > 0 && text[0] == '|') {
            put_row(out, text, size);
        } else if (size > 1 && text[0] == '!' && text[1] == '[') {
            (void)fputs("(a picture)\n", out);
        } else if (size == 0 || text[0] == '#') {
            (void)put_inline(out, text, read);
        } else {
            read = prose_size(text, end);
            (void)put_inline(out, text, read);
        }
        text += read;
    }
}

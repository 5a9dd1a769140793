/*
 * html_inline.c - spans of Markdown.
 */
#include "harness/manual/html_inline.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { TARGET_MAX = 512 };

void il_markdown_escape(FILE *out, const char *text, size_t n) {
    for (size_t k = 0; k < n; k++) {
        const char *entity = text[k] == '<'   ? "&lt;"
                             : text[k] == '>' ? "&gt;"
                             : text[k] == '&' ? "&amp;"
                             : text[k] == '"' ? "&quot;"
                                              : NULL;
        if (entity != NULL) {
            (void)fputs(entity, out);
        } else {
            (void)fputc(text[k], out);
        }
    }
}

/* `code`, of which `\|` is a way to have a bar in a table. Returns what was read, 0 for no code. */
static size_t put_code(FILE *out, const char *text, size_t n) {
    const char *close = memchr(text + 1, '`', n - 1);
    if (close == NULL) {
        return 0;
    }
    (void)fputs("<code>", out);
    for (const char *at = text + 1; at < close; at++) {
        at += *at == '\\' && at + 1 < close && at[1] == '|';
        il_markdown_escape(out, at, 1);
    }
    (void)fputs("</code>", out);
    return (size_t)(close - text) + 1;
}

/* The bracket that closes text[0]; NULL if none does. Brackets in code do not count. */
static const char *closing(const char *text, size_t n) {
    bool code = false;
    for (size_t k = 1; k < n; k++) {
        code ^= text[k] == '`';
        if (!code && text[k] == ']') {
            return text + k;
        }
    }
    return NULL;
}

/* [words](target), or the words alone where the target leads nowhere. */
static size_t put_link(FILE *out, const char *text, size_t n, bool image,
                       const il_markdown_links *links) {
    char target[TARGET_MAX];
    char address[TARGET_MAX];
    const char *close = closing(text, n);
    if (close == NULL || close + 1 >= text + n || close[1] != '(') {
        return 0;
    }
    const char *end = memchr(close, ')', (size_t)(text + n - close));
    if (end == NULL || (size_t)(end - close) >= sizeof target) {
        return 0;
    }
    (void)snprintf(target, sizeof target, "%.*s", (int)(end - close - 2), close + 2);
    bool leads = !image && links->resolve(links->self, target, address, sizeof address);
    if (leads) {
        (void)fputs("<a href=\"", out);
        il_markdown_escape(out, address, strlen(address));
        (void)fputs("\">", out);
    }
    (void)fputs(image ? "<em>" : "", out);
    il_html_inline(out, text + 1, (size_t)(close - text) - 1, links);
    (void)fputs(image ? "</em>" : leads ? "</a>" : "", out);
    return (size_t)(end - text) + 1;
}

/* *words* and **words**: signs that touch the words on the inside and nothing on the outside. */
static size_t put_emphasis(FILE *out, const char *text, size_t n, const il_markdown_links *links) {
    size_t signs = n > 1 && text[1] == '*' ? 2 : 1;
    if (signs >= n || isspace((unsigned char)text[signs])) {
        return 0;
    }
    for (size_t k = signs + 1; k + signs <= n; k++) {
        bool here = memcmp(text + k, "**", signs) == 0 && !isspace((unsigned char)text[k - 1]);
        if (here && (k + signs == n || !isalnum((unsigned char)text[k + signs]))) {
            const char *name = signs == 2 ? "strong" : "em";
            (void)fprintf(out, "<%s>", name);
            il_html_inline(out, text + signs, k - signs, links);
            (void)fprintf(out, "</%s>", name);
            return k + signs;
        }
    }
    return 0;
}

void il_html_inline(FILE *out, const char *text, size_t n, const il_markdown_links *links) {
    for (size_t k = 0; k < n;) {
        size_t read = 0;
        bool apart = k == 0 || !isalnum((unsigned char)text[k - 1]);
        if (text[k] == '`') {
            read = put_code(out, text + k, n - k);
        } else if (text[k] == '!' && k + 1 < n && text[k + 1] == '[') {
            read = put_link(out, text + k + 1, n - k - 1, true, links);
            read += read > 0;
        } else if (text[k] == '[') {
            read = put_link(out, text + k, n - k, false, links);
        } else if (text[k] == '*' && apart) {
            read = put_emphasis(out, text + k, n - k, links);
        } else if (text[k] == '\\' && k + 1 < n && ispunct((unsigned char)text[k + 1])) {
            il_markdown_escape(out, text + k + 1, 1);
            read = 2;
        }
        if (read == 0) {
            il_markdown_escape(out, text + k, 1);
            read = 1;
        }
        k += read;
    }
}

/*
 * report_put.c - escaped text on a page.
 */
#include <stdarg.h>
#include <stdint.h>

#include "harness/report/report_parts.h"

void il_report_put_letters(FILE *page, const char *text, size_t n) {
    for (; n > 0 && *text != '\0'; text++, n--) {
        switch (*text) {
        case '&':
            (void)fputs("&amp;", page);
            break;
        case '<':
            (void)fputs("&lt;", page);
            break;
        case '>':
            (void)fputs("&gt;", page);
            break;
        case '"':
            (void)fputs("&quot;", page);
            break;
        case '\'':
            (void)fputs("&#39;", page);
            break;
        case '\n':
        case '\t':
            (void)fputc(*text, page);
            break;
        default: /* HTML has no other control characters */
            (void)fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, page);
        }
    }
}

void il_report_put(FILE *page, const char *html, ...) {
    va_list texts;
    va_start(texts, html);
    for (; *html != '\0'; html++) {
        if (*html == '%') {
            il_report_put_letters(page, va_arg(texts, const char *), SIZE_MAX);
        } else {
            (void)fputc(*html, page);
        }
    }
    va_end(texts);
}

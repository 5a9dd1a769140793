/*
 * report_text.c - text from outside on a page.
 */
#include "harness/report/report_text.h"

#include <stdint.h>

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

void il_report_put_text(FILE *page, const char *text) {
    il_report_put_letters(page, text, SIZE_MAX);
}

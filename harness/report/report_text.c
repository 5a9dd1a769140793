/*
 * report_text.c - text from outside on a page.
 */
#include "harness/report/report_text.h"

void il_report_put_text(FILE *page, const char *text) {
    for (; *text != '\0'; text++) {
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
        default:
            (void)fputc(*text, page);
        }
    }
}

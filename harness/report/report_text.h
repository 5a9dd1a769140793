/*
 * report_text.h - text from outside on a page. Between harness/report only.
 */
#ifndef IL_REPORT_TEXT_H
#define IL_REPORT_TEXT_H

#include <stdio.h>

/* Write text with what HTML reads as its own escaped. */
void il_report_put_text(FILE *page, const char *text);

/* Its first n letters (bytes), or all if there are fewer. */
void il_report_put_letters(FILE *page, const char *text, size_t n);

#endif

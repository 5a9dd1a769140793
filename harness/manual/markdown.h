/*
 * markdown.h - the Markdown of the pages, with GitHub's tables, for a terminal, for a browser and
 * for man(1).
 */
#ifndef IL_MANUAL_MARKDOWN_H
#define IL_MANUAL_MARKDOWN_H

#include <stdio.h>

/* text[n] as a person reads it in a terminal: no fences, no targets of links, columns of tables
 * apart. */
void il_markdown_plain(FILE *out, const char *text, size_t n);

/* Where a link leads: write the address for target into room, or return false for a link that leads
 * nowhere here. */
typedef struct {
    int (*resolve)(const void *self, const char *target, char *room, size_t capacity);
    const void *self;
} il_markdown_links;

/* text[n] as the inside of a page's <main>; links that lead nowhere become words. */
void il_markdown_html(FILE *out, const char *text, size_t n, const il_markdown_links *links);

/* text[n] in the macros of man(7), all links words. */
void il_markdown_man(FILE *out, const char *text, size_t n);

/* The anchor of a heading: letters in lower case, digits, "_" and "-", blanks as "-". */
void il_markdown_anchor(const char *title, size_t n, char *out, size_t capacity);

/* text[n] with <, >, &, " as HTML writes them. */
void il_markdown_escape(FILE *out, const char *text, size_t n);

#endif

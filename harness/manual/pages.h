/*
 * pages.h - the pages of the manual, Markdown that the build takes from the checkout or that the
 * program writes from its own tables, and their sections.
 */
#ifndef IL_MANUAL_PAGES_H
#define IL_MANUAL_PAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *path; /* in the checkout: "schemes/README.md"; links are relative to it */
    const char *text; /* [size] and a NUL */
    size_t size;
} il_page;

/* The page that the build took from path, NULL if there is none. */
const il_page *il_page_embedded(const char *path);

/* The style sheet of the pages. */
const char *il_page_style(void);

/* A heading of a page, and what stands below it. */
typedef struct {
    const char *title; /* [title_size] in the page, without its signs */
    size_t title_size;
    int level;        /* 1 to 6: so many signs */
    const char *text; /* [size] from its heading on, with the sections below it */
    size_t size;
    size_t own; /* of that, what comes before the first section below it */
} il_section;

/* Section k of a page, from 0; false past the end. What stands in fences is no heading. */
bool il_section_at(const il_page *page, size_t k, il_section *out);

/* Is the section called name, or one of the names between commas of its title? The case of letters
 * and backticks do not count. */
bool il_section_is(const il_section *section, const char *name);

/* The title as people write it, cut at capacity: no backticks. */
void il_section_title(const il_section *section, char *out, size_t capacity);

#endif

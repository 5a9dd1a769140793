/*
 * section.h - the headings of a page, and what stands below them.
 */
#ifndef IL_MANUAL_SECTION_H
#define IL_MANUAL_SECTION_H

#include <stdbool.h>

#include "harness/manual/pages.h"

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

/*
 * section.h - the part of the report that a figure or a table belongs to.
 */
#ifndef IL_SECTION_H
#define IL_SECTION_H

#include <jansson.h>

typedef struct {
    const char *title; /* sections of one title are one */
    const char *text;  /* a paragraph before its figures; NULL: none */
    int order;         /* place among sections; 0: after the others, by title */
} il_section;

/* {"title":, "text":, "order":} for a manifest; null for NULL. NULL when memory ran out. */
json_t *il_section_json(const il_section *section);

/* What a figure or a table was made from as it stands in its manifest; null for NULL. NULL when
 * memory ran out. */
json_t *il_origin_json(const json_t *origin);

#endif

/*
 * section.h - the part of the report that a figure or a table belongs to.
 */
#ifndef IL_SECTION_H
#define IL_SECTION_H

typedef struct {
    const char *title; /* sections of one title are one */
    const char *text;  /* a paragraph before its figures; NULL: none */
    int order;         /* place among sections; 0: after the others, by title */
} il_section;

#endif

/*
 * colours.h - the order in which sequential impulses take contacts (Rapier, contact_pair.rs):
 * by colour, where contacts of a colour share no body. A contact that begins takes the least colour
 * that its bodies do not have, and keeps it; one of a body with what is fixed takes the greatest,
 * so that what is fixed has the last word in a sweep.
 */
#ifndef IL_STEPPING_COLOURS_H
#define IL_STEPPING_COLOURS_H

#include "schemes/stepping/velocity.h"

typedef struct il_colours il_colours;

/* For problem, which must outlive it. The creator destroys; NULL is fine there. */
il_colours *il_colours_create(const il_problem *problem);
void il_colours_destroy(il_colours *c);

/* Is row i about one body, or a point, and what is fixed? */
bool il_colours_alone(const il_problem *problem, const il_rows *rows, size_t i);

/* Put the rows of w into their order. `before`, or NULL, is what il_colours_keep left in the step
 * before: by it colours are known again. Returns its number for each, [rows.p], 0 for a contact
 * that begins, c's own until the next call. */
const double *il_colours_arrange(il_colours *c, il_velocity *w, const il_contacts *before);

/* Leave a number > 0 for each row, w->speed, and its colour in `after`; ids from SIZE_MAX down are
 * colours of the rows that follow. NULL is fine there. */
void il_colours_keep(il_colours *c, const il_velocity *w, il_contacts *after);

#endif

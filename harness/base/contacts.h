/*
 * contacts.h - the active contacts of a step, by constraint id: the warm start of the next step.
 *
 * Memory: the creator frees. Storage grows with the number of rows, active or not, and is only
 * released by il_contacts_free, so a loop that has warmed up allocates nothing.
 */
#ifndef IL_BASE_CONTACTS_H
#define IL_BASE_CONTACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/rows.h"

typedef struct {
    size_t n;       /* stored contacts */
    size_t *id;     /* [n] as in il_rows */
    double *lambda; /* [n] multipliers, all > 0, in the caller's units */
    size_t room;
} il_contacts;

/* Store the rows with lambda[p] > 0. */
void il_contacts_set(il_contacts *contacts, const il_rows *rows, const double *lambda);

/* Free what contacts owns and leave it empty. */
void il_contacts_free(il_contacts *contacts);

#endif

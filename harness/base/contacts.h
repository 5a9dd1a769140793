/*
 * contacts.h - the contacts that were active in a step, by name: what the next step may start from.
 *
 * Memory: the creator frees. Storage grows when more rows are solved with, whether they push or
 * not, and is given back only then, so that a loop that has warmed up allocates nothing.
 */
#ifndef IL_BASE_CONTACTS_H
#define IL_BASE_CONTACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/archive.h"
#include "harness/base/rows.h"

typedef struct {
    size_t n;       /* contacts at hand */
    size_t *id;     /* [n] as in il_rows */
    double *lambda; /* [n] multipliers, all > 0, in the units of whoever set them */
    size_t room;
} il_contacts;

/* The rows with lambda[p] > 0. False when memory runs out: no contacts are at hand then. */
bool il_contacts_set(il_contacts *contacts, const il_rows *rows, const double *lambda);

/* What they are, in or out. */
void il_contacts_archive(il_contacts *contacts, il_archive *a);

/* Free what contacts owns and leave it empty. */
void il_contacts_free(il_contacts *contacts);

#endif

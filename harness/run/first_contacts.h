/*
 * first_contacts.h - one who watches a run for constraints that push for the first time, and has
 * the problem's author asked whether they are right there (il_callbacks.contact). It sees
 * every step whose rows are functions of a script: strides are made over other rows alone.
 */
#ifndef IL_FIRST_CONTACTS_H
#define IL_FIRST_CONTACTS_H

#include <stdbool.h>

#include "harness/data/observer.h"
#include "harness/run/case.h"

typedef struct {
    const il_callbacks *callbacks; /* whose contact is not NULL */
    const il_problem *problem;
    bool *seen, *first; /* [p]; free them by il_first_contacts_free */
} il_first_contacts;

il_observer il_first_contacts_observer(il_first_contacts *w);
void il_first_contacts_free(il_first_contacts *w);

#endif

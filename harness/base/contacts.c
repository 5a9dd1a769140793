/*
 * contacts.c - storage of contacts.
 */
#include "harness/base/contacts.h"

#include <stdlib.h>

#include "harness/base/memory.h"

static void reserve(il_contacts *contacts, size_t n) {
    if (n <= contacts->room) {
        return;
    }
    size_t room = n > 2 * contacts->room ? n : 2 * contacts->room;
    il_memory_grow(&contacts->id, room, sizeof *contacts->id);
    il_memory_grow(&contacts->lambda, room, sizeof *contacts->lambda);
    contacts->room = room;
}

void il_contacts_set(il_contacts *contacts, const il_rows *rows, const double *lambda) {
    size_t n = 0;
    contacts->n = 0;
    reserve(contacts, rows->p);
    for (size_t i = 0; i < rows->p; i++) {
        if (lambda[i] > 0.0) {
            contacts->id[n] = rows->id[i];
            contacts->lambda[n++] = lambda[i];
        }
    }
    contacts->n = n;
}

void il_contacts_free(il_contacts *contacts) {
    free(contacts->id);
    free(contacts->lambda);
    *contacts = (il_contacts){.n = 0};
}

/*
 * contacts.c - storage of contacts.
 */
#include "harness/base/contacts.h"

#include <stdlib.h>

#include "harness/base/memory.h"

static bool reserve(il_contacts *contacts, size_t n) {
    if (n <= contacts->room) {
        return true;
    }
    size_t room = n > 2 * contacts->room ? n : 2 * contacts->room;
    if (!il_memory_grow(&contacts->id, room, sizeof *contacts->id) ||
        !il_memory_grow(&contacts->lambda, room, sizeof *contacts->lambda)) {
        return false;
    }
    contacts->room = room;
    return true;
}

bool il_contacts_set(il_contacts *contacts, const il_rows *rows, const double *lambda) {
    size_t n = 0;
    contacts->n = 0;
    if (!reserve(contacts, rows->p)) {
        return false;
    }
    for (size_t i = 0; i < rows->p; i++) {
        if (lambda[i] > 0.0) {
            contacts->id[n] = rows->id[i];
            contacts->lambda[n++] = lambda[i];
        }
    }
    contacts->n = n;
    return true;
}

void il_contacts_free(il_contacts *contacts) {
    free(contacts->id);
    free(contacts->lambda);
    *contacts = (il_contacts){.n = 0};
}

/*
 * first_contacts.c - constraints whose multiplier is not 0, once each.
 */
#include "harness/run/first_contacts.h"

#include <stdlib.h>
#include <string.h>

static il_status begin(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err) {
    il_first_contacts *w = self;
    (void)steps;
    (void)start;
    w->problem = problem;
    w->seen = calloc(2 * problem->p + 1, sizeof *w->seen);
    if (w->seen == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu constraints", problem->p);
    }
    w->first = w->seen + problem->p;
    return IL_OK;
}

static il_status step(void *self, const il_watched *now, il_error *err) {
    il_first_contacts *w = self;
    const il_rows *rows = now->report->rows;
    bool any = false;
    for (size_t i = 0; i < rows->p; i++) {
        size_t id = rows->id[i];
        bool pushes = now->report->lambda[i] != 0.0 && !w->seen[id];
        w->first[id] = pushes;
        w->seen[id] |= pushes;
        any |= pushes;
    }
    if (!any) {
        return IL_OK;
    }
    il_status status =
        w->callbacks->contact(w->callbacks->self, w->problem, now->t1, now->out->q, w->first, err);
    memset(w->first, 0, w->problem->p * sizeof *w->first);
    return status;
}

static void archive(void *self, il_archive *a) {
    il_first_contacts *w = self;
    il_archive_expect(a, w->problem->p);
    il_archive_bytes(a, w->seen, w->problem->p * sizeof *w->seen);
}

il_observer il_first_contacts_observer(il_first_contacts *w) {
    return (il_observer){
        .self = w, .begin = begin, .step = step, .archive = archive, .content = true};
}

void il_first_contacts_free(il_first_contacts *w) {
    free(w->seen);
    w->seen = w->first = NULL;
}

/* colours.c - contacts in an order of colours. */
#include "schemes/stepping/colours.h"

#include <gsl/gsl_heapsort.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* Colours of pairs from 0 up, those of contacts with what is fixed from the last down, as many of
 * each; a body that has more shares its last one. */
enum { PAIRS = 64, COLOURS = 2 * PAIRS, NONE = COLOURS };

typedef struct {
    size_t id, row;
} place;

struct il_colours {
    size_t d, body;       /* coordinates of the problem, and of a body */
    uint64_t (*taken)[2]; /* [bodies] colours of its contacts, as bits */
    place *places;        /* [room] rows by id */
    unsigned *key;        /* [room] their colours, */
    unsigned *sorted;     /* [room] and in their order */
    double *value;        /* [room] what was kept of each, */
    double *kept;         /* [room + COLOURS] and in their order */
    size_t room;
    il_rows rows;
};

il_colours *il_colours_create(const il_problem *problem) {
    il_colours *c = il_alloc_zero(1, sizeof *c);
    c->d = problem->d;
    c->body = problem->space > 0 ? problem->space : problem->d;
    c->taken = il_alloc_zero(problem->d / c->body, sizeof *c->taken);
    return c;
}

void il_colours_destroy(il_colours *c) {
    if (c != NULL) {
        free(c->taken);
        free(c->places);
        free(c->key);
        free(c->sorted);
        free(c->value);
        free(c->kept);
        il_rows_free(&c->rows);
        free(c);
    }
}

bool il_colours_alone(const il_problem *problem, const il_rows *rows, size_t i) {
    return problem->space == 0 || rows->start[i + 1] - rows->start[i] <= problem->space;
}

static int by_id(const void *a, const void *b) {
    size_t i = ((const place *)a)->id;
    size_t j = ((const place *)b)->id;
    return (i > j) - (i < j);
}

/* Row i has colour k, and so its bodies. */
static void take(il_colours *c, const il_velocity *w, size_t i, unsigned k) {
    const il_rows *rows = &w->rows;
    c->key[i] = k;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        c->taken[rows->col[e] / c->body][k / PAIRS] |= UINT64_C(1) << k % PAIRS;
    }
}

/* A colour for row i. */
static void colour(il_colours *c, const il_velocity *w, size_t i) {
    const il_rows *rows = &w->rows;
    bool fixed = il_colours_alone(w->problem, rows, i);
    uint64_t taken = 0;
    unsigned k = 0;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        uint64_t of_body = c->taken[rows->col[e] / c->body][fixed];
        for (unsigned b = 0; b < PAIRS; b++) { /* those of what is fixed count from the last */
            taken |= (of_body >> (fixed ? PAIRS - 1 - b : b) & 1) << b;
        }
    }
    while (k < PAIRS - 1 && (taken >> k & 1) != 0) {
        k++;
    }
    take(c, w, i, fixed ? COLOURS - 1 - k : k);
}

/* Colours of the contacts of the step before. */
static void recall(il_colours *c, const il_velocity *w, const il_contacts *before) {
    unsigned k = 0;
    for (size_t n = 0; n < before->n; n++) {
        if (before->id[n] > SIZE_MAX - COLOURS) {
            k = (unsigned)(SIZE_MAX - before->id[n]);
            continue;
        }
        place wanted = {.id = before->id[n]};
        place *found = bsearch(&wanted, c->places, w->rows.p, sizeof *c->places, by_id);
        if (found != NULL) {
            c->value[found->row] = before->lambda[n];
            take(c, w, found->row, k);
        }
    }
}

/* The rows by colour, and in each as they came. */
static void sort(il_colours *c, il_velocity *w) {
    size_t n = 0;
    il_rows_clear(&c->rows);
    for (unsigned k = 0; k < COLOURS; k++) {
        for (size_t i = 0; i < w->rows.p; i++) {
            if (c->key[i] == k) {
                c->sorted[n] = k;
                il_rows_append_row(&c->rows, &w->rows, i);
                c->kept[n++] = c->value[i];
            }
        }
    }
    il_rows sorted = c->rows;
    c->rows = w->rows;
    w->rows = sorted;
}

const double *il_colours_arrange(il_colours *c, il_velocity *w, const il_contacts *before) {
    size_t p = w->rows.p;
    if (p > c->room) {
        il_memory_grow(&c->places, 2 * p, sizeof *c->places);
        il_memory_grow(&c->key, 2 * p, sizeof *c->key);
        il_memory_grow(&c->sorted, 2 * p, sizeof *c->sorted);
        il_memory_grow(&c->value, 2 * p, sizeof *c->value);
        il_memory_grow(&c->kept, 2 * p + COLOURS, sizeof *c->kept);
        c->room = 2 * p;
    }
    memset(c->taken, 0, c->d / c->body * sizeof *c->taken);
    for (size_t i = 0; i < p; i++) {
        c->places[i] = (place){.id = w->rows.id[i], .row = i};
        c->key[i] = NONE;
        c->value[i] = 0.0;
    }
    gsl_heapsort(c->places, p, sizeof *c->places, by_id);
    if (before != NULL && p > 0) {
        recall(c, w, before);
    }
    for (size_t i = 0; i < p; i++) {
        if (c->key[i] == NONE) {
            colour(c, w, i);
        }
    }
    sort(c, w);
    return c->kept;
}

void il_colours_keep(il_colours *c, const il_velocity *w, il_contacts *after) {
    unsigned k = NONE;
    size_t n = 0;
    if (after == NULL) {
        return;
    }
    il_rows_clear(&c->rows);
    for (size_t i = 0; i < w->rows.p; i++) {
        if (c->sorted[i] != k) {
            k = c->sorted[i];
            c->kept[n++] = 1.0;
            il_rows_append(&c->rows, SIZE_MAX - k, 0.0, 0.0, 0, NULL, NULL);
        }
        c->kept[n++] = w->speed[i];
        il_rows_append(&c->rows, w->rows.id[i], 0.0, 0.0, 0, NULL, NULL);
    }
    il_contacts_set(after, &c->rows, c->kept);
}

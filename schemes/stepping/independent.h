/*
 * independent.h - which vectors of a sequence depend on those before: Cholesky's factor of their
 * products, which grows by a row for each that does not.
 */
#ifndef IL_STEPPING_INDEPENDENT_H
#define IL_STEPPING_INDEPENDENT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double *factor; /* rows of its triangle */
    size_t n;       /* how many are independent */
    size_t room;
} il_independent;

/* Room for the products of one more with the n that there are: n + 1 numbers, valid until the next
 * call. */
double *il_independent_room(il_independent *w);

/* With these written, and the square of the next itself: true, and it joins them, if more than
 * 1e-13 of its square, some hundred roundings, is not in their span. */
bool il_independent_add(il_independent *w, double square);

void il_independent_free(il_independent *w);

#endif

/*
 * norms.h - the norms that the build found (norm.h), by name and together. None is cheap, so they
 * are made on request.
 */
#ifndef IL_NORMS_H
#define IL_NORMS_H

#include "harness/measure/norm.h"

/* Norm k is asked for by bit k. */
#define IL_NORM_NONE 0u
#define IL_NORM_AUTO                                                                               \
    (1u << 30) /* all of runs with at most 65536 numbers in u_h and the
                                   reference's, if that is a run; else none */

/* Norm k in the order of their names, NULL past the end. */
const il_norm_type *il_norm_type_at(size_t k);

/* The bits of a name: a norm's, "all" or "none"; false for others. */
bool il_norm_bits(const char *name, unsigned *bits);

/* The bits of all norms. */
unsigned il_norm_all(void);

/* All names, between commas, for messages. Writes at most capacity bytes. */
void il_norm_names(char *out, size_t capacity);

/* At most this many values in all. */
enum { IL_NORMS_VALUES_MAX = 64 };

/* The values of every norm, one after the other; NaN for what was not asked for. */
typedef struct {
    double x[IL_NORMS_VALUES_MAX];
    const char *no_lambda; /* why norms of contact forces are NaN, or NULL */
} il_norms;

il_norms il_norms_none(void);

/* A value by its norm's name and its key; the key NULL stands for the first. NaN for unknown
 * ones. */
double il_norms_value(const il_norms *norms, const char *name, const char *key);

/* The values of norm k, [its number of values]. */
const double *il_norms_of(const il_norms *norms, size_t k);

/* The norms in bits. IL_ENOMEM; else what can not be had is NaN. */
il_status il_norms_compute(il_norms *norms, const il_norms_query *query, unsigned bits,
                           il_error *err);

#endif

/*
 * table.h - a table of numbers that another program wrote, by columns that have names.
 *
 *     CSV     a line of names, then lines of numbers, between commas, semicolons, tabs or blanks;
 *             lines that begin with # are left out, but that of numpy.savetxt(header=...) has the
 *             names where no other line has them
 *     npz     numpy.savez: arrays t(N), q(N,d), u(N,d), ...; column k of an array x is called xk
 *     h5      datasets of the same names, and contacts/{step, id, impulse}, as `run --trajectory`
 *             writes them
 *
 * An array that is there and cannot be read is a column without numbers, and why.
 */
#ifndef IL_OUTSIDE_TABLE_H
#define IL_OUTSIDE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"
#include "harness/outside/npz.h"

/* A column: x[row * stride]; x is NULL where it cannot be read. */
typedef struct {
    char *name;
    const double *x;
    size_t stride;
    const char *why; /* it cannot be read; "" otherwise */
    int bits;        /* of the numbers' fractions, by their type; 0: a double's, or a text's */
} il_column;

typedef struct {
    const char *path; /* in messages; the caller's */
    size_t rows, n;
    il_column *columns; /* [n] */
    size_t *by_name;    /* [n] columns by their names */
    size_t *lines;      /* [rows] of a text: where each row stands; else NULL */
    bool listed;        /* it has a list of contacts: */
    size_t ncontacts;
    il_contact *contacts; /* [ncontacts] by step */
    /* where the numbers are */
    double *numbers; /* [rows][n] */
    il_npz arrays;
} il_number_table;

/* Read path, by the end of its name, into *table, which is zeroed and the caller's to free, also
 * after a failure. IL_EINVAL with file, line and column; IL_EIO. */
il_status il_number_table_read(il_number_table *table, const char *path, il_error *err);
void il_number_table_free(il_number_table *table);

/* Samples in memory: t[nodes], q[nodes][d], u[nodes][d] or NULL. */
typedef struct {
    size_t nodes, d;
    const double *t, *q, *u;
} il_samples_given;

/* The table of them, which must outlive it, in the same way. */
il_status il_number_table_of(il_number_table *table, const il_samples_given *given, il_error *err);

/* The column of this name that can be read; false where there is none. */
bool il_number_table_find(const il_number_table *table, const char *name, size_t *column);

/* "'a.csv', line 7, column 3 (q1)"; column n: the line alone. */
const char *il_number_table_place(const il_number_table *table, size_t row, size_t column,
                                  char *out, size_t capacity);

#endif

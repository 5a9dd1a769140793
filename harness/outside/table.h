/*
 * table.h - a table of numbers that another program wrote, row by row: CSV as a stream, NumPy's npz
 * and our own HDF5 files in memory.
 *
 *     CSV     a line of names between commas, then lines of numbers; lines that begin with # are
 *             left out
 *     npz     numpy.savez: arrays t(N), q(N,d), u(N,d), ...; column k of an array x is called xk
 *     h5      what `run --trajectory` writes: t, q0, ..., u0, ...
 */
#ifndef IL_OUTSIDE_TABLE_H
#define IL_OUTSIDE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

typedef struct il_table il_table;

/* Open path by the end of its name. IL_EINVAL with file, line and column; IL_EIO, IL_ENOMEM. The
 * creator closes; NULL is fine there. */
il_status il_table_open(il_table **out, const char *path, il_error *err);
void il_table_close(il_table *table);

/* Samples in memory: t[nodes], q[nodes][d], u[nodes][d] or NULL. */
typedef struct {
    size_t nodes, d;
    const double *t, *q, *u;
} il_samples_given;

/* The table of them, which must outlive it. IL_ENOMEM. */
il_status il_table_of(il_table **out, const il_samples_given *given, il_error *err);

/* The number of columns, and the name of one. */
size_t il_table_columns(const il_table *table);
const char *il_table_name(const il_table *table, size_t column);

/* The run that the table is, where its file has a list of contacts; else NULL. */
const il_trajectory *il_table_contacts(const il_table *table);

/* Back to the first row. IL_EIO. */
il_status il_table_rewind(il_table *table, il_error *err);

/* The next row into x[columns]; *any is false at the end. IL_EINVAL where it holds other than
 * numbers or another count of them, with file, line and column; IL_EIO, IL_ENOMEM. */
il_status il_table_next(il_table *table, double *x, bool *any, il_error *err);

/* "'a.csv', line 7, column 3 (q1)" of the row that was read last; column NULL: the line alone. */
const char *il_table_place(const il_table *table, const size_t *column, char *out, size_t capacity);

#endif

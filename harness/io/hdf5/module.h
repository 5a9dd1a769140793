/*
 * module.h - the functions of the module that writes and reads HDF5 files, as arrays with names.
 */
#ifndef IL_HDF5_MODULE_H
#define IL_HDF5_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Its file name, in the folder of the program. */
#define IL_HDF5_MODULE "impactlab_hdf5.so"

typedef enum {
    IL_HDF5_DOUBLE,
    IL_HDF5_INT,
    IL_HDF5_COUNT, /* unsigned long long */
    IL_HDF5_TEXT,  /* one text; no rank */
    IL_HDF5_TEXTS  /* dims[0] of dims[1] letters, UTF-8 padded with NULs, one after another */
} il_hdf5_kind;

/* An array of a file: [dims[0]] for rank 1, [dims[0]][dims[1]] for rank 2. */
typedef struct {
    const char *name; /* "contacts/step": its groups are made too */
    il_hdf5_kind kind;
    int rank;
    size_t dims[2];
    const void *data;
} il_hdf5_array;

/* list[n] become a whole file in out; record, where it is not NULL, is the root's attribute
 * "record". False, with the errno of out or 0, when HDF5 or out fails. */
typedef bool il_hdf5_writer(const il_hdf5_array *list, size_t n, const char *record, FILE *out);
il_hdf5_writer il_hdf5_write;

/* The head of an array that was read. */
enum { IL_HDF5_WHY = 160 };
typedef struct {
    int rank;       /* 0 to 2, those of more being [dims[0]][the rest]; -1: it cannot be read */
    size_t dims[2]; /* 1 beyond the rank */
    char why[IL_HDF5_WHY]; /* it cannot be read though it is there: the reason; else "" */
} il_hdf5_head;

/* An array that was read, as doubles. */
typedef struct {
    il_hdf5_head head;
    size_t n;  /* of numbers; SIZE_MAX where it is not there or cannot be read */
    double *x; /* [n], the caller's */
} il_hdf5_numbers;

/* The arrays of these n names of the file at path into out[n]. False where the file itself is
 * refused: why then holds the reason. The name "*" asks for the names of all other datasets at the
 * root, which stand in place of a reason, parted by commas. */
typedef bool il_hdf5_reader(const char *path, const char *const *names, size_t n,
                            il_hdf5_numbers *out, char why[IL_HDF5_WHY]);
il_hdf5_reader il_hdf5_read;

#endif

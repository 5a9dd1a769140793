/*
 * module.h - the functions of the module that writes and reads HDF5 files, as arrays with names.
 */
#ifndef IL_HDF5_MODULE_H
#define IL_HDF5_MODULE_H

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

/* 0; IL_HDF5_FAILED when HDF5 reports a failure, which is that memory ran out, since it only writes
 * there; IL_HDF5_REFUSED when a file that is read is none; -1 when out does not take the bytes. */
enum { IL_HDF5_FAILED = 1, IL_HDF5_REFUSED };
typedef int il_hdf5_function(const void *subject, size_t n, const char *text, FILE *out);

/* subject is il_hdf5_array[n], which become a whole file in out; text, where it is not NULL, is the
 * root's attribute "record". */
il_hdf5_function il_hdf5_write;

/* What stands before the numbers of an array that was read. */
enum { IL_HDF5_WHY = 160 };
typedef struct {
    int rank;       /* 0 to 2, those of more being [dims[0]][the rest]; -1: it cannot be read */
    size_t dims[2]; /* 1 beyond the rank */
    char why[IL_HDF5_WHY]; /* it cannot be read though it is there: the reason; else "" */
} il_hdf5_head;

/* subject is the names of n arrays, text the path of the file. To out, for each array its head and
 * its numbers as doubles; where the file itself is refused, a head with the reason. The name "*"
 * asks for the names of all other datasets at the root, which stand in place of a reason, parted by
 * commas. */
il_hdf5_function il_hdf5_read;

#endif

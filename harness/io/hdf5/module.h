/*
 * module.h - the functions of the module that writes and reads HDF5 files.
 */
#ifndef IL_HDF5_MODULE_H
#define IL_HDF5_MODULE_H

#include <stdio.h>

#include "harness/data/trajectory.h"

/* Its file name, in the folder of the program. */
#define IL_HDF5_MODULE "impactlab_hdf5.so"

/* Write subject as a whole file to out. 0; IL_HDF5_FAILED when HDF5 reports a failure, which is
 * that memory ran out, since it only writes there; -1 when out does not take the bytes. One that
 * reads has a path for its subject; IL_HDF5_REFUSED: there is no such file. */
enum { IL_HDF5_FAILED = 1, IL_HDF5_REFUSED };
typedef int il_hdf5_write(const void *subject, FILE *out, const char *text);

/* subject is an il_trajectory: datasets t [n], q [n][d], u [n][d], contacts/{step,id,impulse}, and
 * text, the record, as the root's attribute "record". */
il_hdf5_write il_hdf5_write_trajectory;

/* subject is the path of a file with t, q and u: as doubles n, d, t [n], q [n][d], u [n][d], the
 * number m of contacts (-1: there is no list of them), their steps [m], constraints [m] and
 * impulses [m]. */
il_hdf5_write il_hdf5_read_trajectory;

/* subject is an il_fclib: a global problem in FCLib's layout with its solution, as
 * harness/io/formats/fclib.h describes them, and text, the record, as the root's attribute
 * "record". */
il_hdf5_write il_hdf5_write_fclib;

/* subject is an il_columns: a dataset for each column in the group text, in their order: numbers as
 * doubles, texts as UTF-8 of one length, padded with NULs. A / in a name becomes _. */
il_hdf5_write il_hdf5_write_columns;

/* subject is the path of a file of FCLib. As doubles: is it local, spacedim, has it bilateral
 * constraints; M (W of a local one) and of a global one H, each as rows, columns, number of
 * entries, and each entry's row, column and value; f (q), of a global one w, then mu, v and r of
 * the solution, each behind its length, which is -1 where it is not there. */
il_hdf5_write il_hdf5_read_fclib;

#endif

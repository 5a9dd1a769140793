/*
 * module.h - the one function of the module that writes HDF5 files.
 */
#ifndef IL_HDF5_MODULE_H
#define IL_HDF5_MODULE_H

#include "harness/trajectory.h"

/* Its file name, in the folder of the program. */
#define IL_HDF5_MODULE "impactlab_hdf5.so"

/* Write trajectory to a new file at path: datasets t [n], q [n][d], u [n][d],
 * contacts/{step,id,impulse}, and record as the root's attribute "record". 0, or -1 when HDF5
 * reports a failure; the file may then be there in part. */
typedef int il_hdf5_write(const il_trajectory *trajectory, const char *path, const char *record);
il_hdf5_write il_hdf5_write_trajectory;

#endif

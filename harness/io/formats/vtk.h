/*
 * vtk.h - snapshots as files that ParaView and VTK open: FILE.pvd, a collection with the times, and
 * beside it a folder FILE with two PolyData files a frame (VTK's XML format, version 1.0, raw
 * appended data: all bits of every number).
 *
 * Part 0, bodies-NNNNNN.vtp: one point a body; point data radius, speed, velocity (3), load, body.
 * Part 1, contacts-NNNNNN.vtp: one line an active contact of the step that ends at the frame,
 * from centre to centre, or from a centre to the wall; cell data impulse, and body (2) with -1 for
 * a wall. NNNNNN is the step. Coordinates and velocities of fewer than three dimensions are padded
 * with zeros.
 */
#ifndef IL_VTK_H
#define IL_VTK_H

#include "harness/data/snapshots.h"

/* IL_OK if il_vtk_write could write there now: the name ends in .pvd, its folder exists, and what a
 * new export would replace is an export. IL_EINVAL or IL_EIO otherwise. */
il_status il_vtk_check_path(const char *path, il_error *err);

/* Write. The folder appears whole before the collection, which names its files; after a failure
 * what stood there before is as it was, but for the case that the very last rename fails. */
il_status il_vtk_write(const il_snapshots *snapshots, const char *path, il_error *err);

#endif

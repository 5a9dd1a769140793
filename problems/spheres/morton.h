/*
 * morton.h - points of R^1, R^2 or R^3 along Morton's curve: near each other in the order, near
 * each other in space.
 *
 * The box of the points is cut into cubes, 2^b along its longest side. The key of a point
 * interleaves the bits of the coordinates of its cube, z y x z y x ... from the top; points are
 * sorted by key, those of one cube by number. Keys have 52, 31 or 21 bits a coordinate, and the
 * sort is by radix: O(n) for a given number of bits (G. M. Morton, A computer oriented geodetic
 * data base, IBM, 1966).
 */
#ifndef IL_SPHERES_MORTON_H
#define IL_SPHERES_MORTON_H

#include <stddef.h>
#include <stdint.h>

typedef struct il_morton il_morton;

/* An order of n < 2^32 points in R^space, 1 <= space <= 3. All memory that it
 * will ever use is allocated here. The creator destroys. */
il_morton *il_morton_create(size_t space, size_t n);
void il_morton_destroy(il_morton *order);

/* The memory that il_morton_create allocates for a point, in bytes. */
size_t il_morton_bytes_per_point(void);

/* The numbers of the points q[space n] in order, [n], owned by order until the next call; n >= 1
 * and q finite. Cubes have about the size cell >= 0, a length in the units of q, where there are
 * bits for that; 0: as small as can be. Depends on q and cell alone. */
const uint32_t *il_morton_order(il_morton *order, const double *q, double cell);

#endif

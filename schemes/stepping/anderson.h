/*
 * anderson.h - acceleration of a fixed-point iteration z <- G(z) (Anderson 1965; Walker & Ni 2011).
 *
 *     z_{k+1} = G(z_k) - sum_j gamma_j (G(z_{j+1}) - G(z_j)),
 *     gamma = argmin |r_k - sum_j gamma_j (r_{j+1} - r_j)|_M,   r_k = G(z_k) - z_k,
 *
 * over the last few iterates. Where G is smooth this does to a slow linear iteration what GMRES
 * does to Richardson's; it promises nothing where G is not, and the caller must judge each point.
 */
#ifndef IL_STEPPING_ANDERSON_H
#define IL_STEPPING_ANDERSON_H

#include <stddef.h>

#include "harness/base/metric.h"

typedef struct il_anderson il_anderson;

/* For z in R^d and the norm of mass, which must outlive it. All memory it will ever use is
 * allocated here, 42 numbers for each coordinate; NULL when there is none. The creator destroys;
 * NULL is fine there. */
il_anderson *il_anderson_create(size_t d, const il_metric *mass);
void il_anderson_destroy(il_anderson *a);

/* Forget what was seen. */
void il_anderson_restart(il_anderson *a);

/* z[d] with its image G(z): remembers both and replaces z by the next point to try. The first after
 * a restart is the image itself. */
void il_anderson_next(il_anderson *a, const double *image, double *z);

#endif

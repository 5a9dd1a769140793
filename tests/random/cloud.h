/*
 * cloud.h - a few free spheres in R^1, R^2 or R^3, an order-2 problem made by hand, and some steps
 * of it: for properties that hold whatever the spheres do.
 */
#ifndef IL_TESTS_CLOUD_H
#define IL_TESTS_CLOUD_H

#include "harness/run/registry.h"
#include "tests/random/random.h"

enum { IL_CLOUD_BODIES = 6, IL_CLOUD_D = 18 };

typedef struct {
    size_t space, N;
    double q[IL_CLOUD_D], u[IL_CLOUD_D]; /* body by body */
    double r[IL_CLOUD_BODIES], m[IL_CLOUD_BODIES];
    double h;
} il_cloud;

/* Spheres, each of which touches an earlier one along an axis or a diagonal, or lies apart;
 * velocities are small integers, so that impacts are at once, and graze. Radii and masses are
 * powers of two about 1, masses up to 1024. False if spheres overlap, which is no start. */
bool il_cloud_make(il_cloud *cloud, il_bytes *bytes);

/* Steps of a scheme by a projector from the cloud as it is, which they move on. The status of the
 * first that did not end well, with the problem's words in err; IL_EUNSUPPORTED where the scheme or
 * the projector means nothing here. */
il_status il_cloud_run(il_cloud *cloud, const il_scheme_type *scheme,
                       const il_projector_type *projector, size_t steps, il_error *err);

/* The least |q_j - q_i| - r_i - r_j; INFINITY for one body. */
double il_cloud_gap(const il_cloud *cloud);

#endif

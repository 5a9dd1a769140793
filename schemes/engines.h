/*
 * engines.h - what rigid-body engines ask of a contact: the values and rules of `impulse`, by name.
 */
#ifndef IL_SCHEMES_ENGINES_H
#define IL_SCHEMES_ENGINES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/params.h"
#include "schemes/stepping/positions.h"
#include "schemes/stepping/substeps.h"

typedef enum { IL_SPEED_BEFORE, IL_SPEED_AFTER, IL_SPEED_SLOWER } il_manner_speed;
typedef enum { IL_COMBINE_MAX, IL_COMBINE_INSTEAD, IL_COMBINE_ADD } il_manner_combine;
typedef enum { IL_BOUNCE_ALWAYS, IL_BOUNCE_REACHED, IL_BOUNCE_CROSSED } il_manner_when;

typedef struct {
    double erp;       /* part of an overlap undone in a step, */
    double period;    /* or in this time: 1 - (1 - erp)^(h/period) */
    double slop;      /* overlap that is left */
    double push;      /* largest speed by which overlaps are undone */
    double threshold; /* approach up to this does not bounce, */
    bool rebound;     /* or rebounds up to this do not */
    double margin;    /* gaps up to this are contacts; < 0: not even bodies that touch */
    double split;     /* overlaps from this are undone by moving positions alone */
    double cfm;       /* contacts give way by R p, p the impulse: R = cfm/h, */
    bool relative;    /* or R = cfm <grad g, M^{-1} grad g> */
    il_sweeps sweeps; /* of positions, at the end of the step; then overlaps push no velocity */
    bool forced;      /* a contact bounces, and then feels the force of the step: e = 0 too */
    bool first;       /* positions move before velocities change */
    il_manner_speed speed; /* of approach, whose share e returns */
    il_manner_combine combine;
    il_substeps substeps; /* count > 0: soft contacts by sequential impulses, and of the rest only
                             the margin; push is theirs */
    il_manner_when when;  /* a contact bounces: reached, g + h a(v) < 0; crossed, g + h e r < 0 */
} il_manner;

/* The manner of the parameter `as`, and what was given beside it: erp slop push threshold margin
 * cfm sweeps split first restitution combine. IL_EINVAL for one that an engine in substeps has not.
 */
il_status il_manner_read(il_manner *how, const il_params *params, il_error *err);

/* The margin of a step from q[d] by v[d]: where it is unbounded four times the way of the fastest
 * coordinate, as no two bodies come nearer to each other in space. */
double il_manner_reach(const il_manner *how, const double *v, const double *q, size_t d, double h);

/* The speed that overlap, slop and margin ask of a gap g at the end of a step h. */
double il_manner_push(const il_manner *how, double g, double h);

/* The speed that a gap g is asked for, with speeds before the force of the step and after it. */
double il_manner_wanted(const il_manner *how, double e, double g, double before, double after,
                        double h);

/* The speed by which positions alone undo an overlap, where the manner has that. */
double il_manner_shift(const il_manner *how, double e, double g, double before, double after,
                       double h);

#endif

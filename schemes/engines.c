/*
 * engines.c - values and rules of rigid-body engines, each read in its source:
 *
 *     ode             ODE 0.16, contact.cpp, dxJointContact::getInfo2; cfm of a world in double
 * precision
 *     bullet          Bullet 3.24, btSequentialImpulseConstraintSolver::setupContactConstraint,
 *                     btContactSolverInfo; margin: gContactBreakingThreshold times the half
 * diagonal of
 *                     a ball's box (btCollisionShape::getAngularMotionDisc), of a ball of radius 1
 *     box2d           Box2D 2.4, b2ContactSolver, b2Island::Solve, b2_common.h; three sweeps
 *     chipmunk        Chipmunk 7.0, cpArbiter.c, cpSpaceStep
 *     jolt            Jolt 5, ContactConstraintManager.cpp, PhysicsSettings.h
 *     dart            DART 6.12, ContactConstraint.cpp
 *     simbody         Simbody 3.7, SemiExplicitEulerTimeStepper.cpp: constraint tolerance 1/1000,
 *                     capture velocity twice that
 *     physx           PhysX 5.6, DyContactPrep.cpp; margin: twice the offset of a shape, 1/50
 *     rapier          Rapier 0.35, contact_with_coulomb_friction.rs, integration_parameters.rs
 *     chrono          Chrono 8, ChContactNSC.h, ChSystem.cpp; margin: any contact that may be
 * reached
 *     anitescu_hart   Anitescu & Hart 2004: erp = 1, every contact within reach, e = 0: Maury's
 * scheme
 *                     with rows at t_n where the margin is large
 */
#include "schemes/engines.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"

static const struct {
    const char *name;
    il_manner how;
} presets[] = {
    {"none", {.erp = 0.2, .push = INFINITY, .split = INFINITY}},
    {"ode", {.erp = 0.2, .push = INFINITY, .split = INFINITY, .cfm = 1e-10}},
    {"bullet",
     {.erp = 0.2,
      .push = INFINITY,
      .threshold = 0.2,
      .margin = 0.034641016151377546, /* 3^(1/2)/50 */
      .split = 0.04,
      .combine = IL_COMBINE_ADD}},
    {"box2d",
     {.erp = 0.2,
      .slop = 0.005,
      .push = INFINITY,
      .threshold = 1.0,
      .sweeps = {.count = 3, .farthest = 0.2, .enough = 0.015},
      .speed = IL_SPEED_AFTER}},
    {"chipmunk",
     {.erp = 0.1,
      .period = 1.0 / 60.0,
      .slop = 0.1,
      .push = INFINITY,
      .threshold = -INFINITY,
      .margin = -1.0,
      .first = true,
      .combine = IL_COMBINE_INSTEAD}},
    {"jolt",
     {.erp = 0.2,
      .slop = 0.02,
      .push = INFINITY,
      .threshold = 1.0,
      .margin = 0.02,
      .sweeps = {.count = 2, .farthest = 0.04},
      .speed = IL_SPEED_SLOWER,
      .combine = IL_COMBINE_INSTEAD,
      .when = IL_BOUNCE_REACHED}},
    {"dart",
     {.erp = 0.01,
      .push = 1e-3,
      .threshold = 0.1,
      .rebound = true,
      .split = INFINITY,
      .cfm = 1e-5,
      .relative = true,
      .speed = IL_SPEED_AFTER}},
    {"simbody", {.threshold = 2e-3, .margin = 1e-3, .split = INFINITY, .forced = true}},
    {"physx",
     {.erp = 0.8,
      .push = INFINITY,
      .threshold = 2.0,
      .margin = 0.04,
      .speed = IL_SPEED_AFTER,
      .combine = IL_COMBINE_INSTEAD,
      .when = IL_BOUNCE_REACHED}},
    {"rapier", {.margin = 0.02, .substeps = {4, 30.0, 10.0, 3.0}}},
    {"chrono",
     {.erp = 1.0,
      .push = 0.6,
      .threshold = 0.15,
      .rebound = true,
      .margin = INFINITY,
      .split = INFINITY,
      .combine = IL_COMBINE_INSTEAD,
      .when = IL_BOUNCE_CROSSED}},
    {"anitescu_hart", {.erp = 1.0, .push = INFINITY, .margin = INFINITY, .split = INFINITY}}};

static void number(const il_params *params, const char *key, double *value) {
    if (il_params_given(params, key)) {
        *value = il_params_number(params, key);
    }
}

/* Is the choice `word`, where one was given? */
static void choice(const il_params *params, const char *key, const char *word, bool *value) {
    if (il_params_given(params, key)) {
        *value = strcmp(il_params_choice(params, key), word) == 0;
    }
}

/* Soft contacts in substeps have no other parameters than margin and push. */
static il_status read_soft(il_manner *how, const il_params *params, il_error *err) {
    static const char *const others[] = {"erp",   "slop",  "threshold",   "cfm",    "sweeps",
                                         "split", "first", "restitution", "combine"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (il_params_given(params, others[k])) {
            return il_fail(err, IL_EINVAL,
                           "scheme 'impulse': as=%s has no parameter '%s'; allowed beside it: "
                           "margin, push",
                           il_params_choice(params, "as"), others[k]);
        }
    }
    number(params, "margin", &how->margin);
    number(params, "push", &how->substeps.push);
    return IL_OK;
}

/* The parameters that were given beside an engine's own values. */
static void read_others(il_manner *how, const il_params *params) {
    bool split = how->split == 0.0;
    bool after = how->speed == IL_SPEED_AFTER;
    number(params, "erp", &how->erp);
    number(params, "slop", &how->slop);
    number(params, "push", &how->push);
    number(params, "threshold", &how->threshold);
    number(params, "margin", &how->margin);
    number(params, "cfm", &how->cfm);
    choice(params, "first", "positions", &how->first);
    choice(params, "split", "yes", &split);
    choice(params, "restitution", "after", &after);
    if (il_params_given(params, "split")) {
        how->split = split ? 0.0 : INFINITY;
    }
    if (il_params_given(params, "restitution")) {
        how->speed = after ? IL_SPEED_AFTER : IL_SPEED_BEFORE;
    }
    if (il_params_given(params, "sweeps")) {
        how->sweeps.count = (int)il_params_integer(params, "sweeps");
        how->sweeps.farthest = how->sweeps.farthest > 0.0 ? how->sweeps.farthest : INFINITY;
    }
    how->sweeps.erp = how->erp;
    how->sweeps.slop = how->slop;
    if (il_params_given(params, "combine")) {
        const char *word = il_params_choice(params, "combine");
        how->combine = strcmp(word, "max") == 0   ? IL_COMBINE_MAX
                       : strcmp(word, "add") == 0 ? IL_COMBINE_ADD
                                                  : IL_COMBINE_INSTEAD;
    }
}

il_status il_manner_read(il_manner *how, const il_params *params, il_error *err) {
    const char *as = il_params_choice(params, "as");
    size_t k = 0;
    while (strcmp(presets[k].name, as) != 0) {
        k++;
    }
    *how = presets[k].how;
    if (how->substeps.count > 0) {
        return read_soft(how, params, err);
    }
    read_others(how, params);
    return IL_OK;
}

double il_manner_reach(const il_manner *how, const double *v, const double *q, size_t d, double h) {
    double fastest = 0.0;
    for (size_t k = 0; isinf(how->margin) && k < d; k++) {
        fastest = fmax(fastest, fabs(v[k]));
    }
    return how->margin < 0.0 ? -DBL_TRUE_MIN
                             : fmax(il_tangent_closed(q, d),
                                    isinf(how->margin) ? 4.0 * h * fastest : how->margin);
}

static double erp_of(const il_manner *how, double h) {
    return how->period > 0.0 ? 1.0 - il_pow(1.0 - how->erp, h / how->period) : how->erp;
}

double il_manner_push(const il_manner *how, double g, double h) {
    return g > 0.0 ? -g / h : fmin(erp_of(how, h) * fmax(-g - how->slop, 0.0) / h, how->push);
}

/* The bounce of a contact, NAN where it has none. */
static double bounce_of(const il_manner *how, double e, double g, double before, double after,
                        double h) {
    double approach = how->speed == IL_SPEED_BEFORE ? before : after;
    double bounce = -e * (how->speed == IL_SPEED_SLOWER ? fmax(before, after) : approach);
    bool none = !(e > 0.0 && (how->rebound ? bounce : -approach) > how->threshold) ||
                (how->when == IL_BOUNCE_REACHED && !(g + h * after < 0.0)) ||
                (how->when == IL_BOUNCE_CROSSED && !(g - h * bounce < 0.0));
    return none ? NAN : bounce;
}

double il_manner_shift(const il_manner *how, double e, double g, double before, double after,
                       double h) {
    bool alone = how->combine == IL_COMBINE_INSTEAD && !how->first &&
                 !isnan(bounce_of(how, e, g, before, after, h));
    return -g >= how->split && !alone ? il_manner_push(how, g, h) : 0.0;
}

double il_manner_wanted(const il_manner *how, double e, double g, double before, double after,
                        double h) {
    if (how->forced) {
        double bounce = -before > how->threshold ? -e * before : 0.0;
        return before < 0.0 ? fmax(bounce + (after - before), 0.0) : 0.0;
    }
    bool apart =
        g <= 0.0 && (-g >= how->split || how->sweeps.count > 0); /* positions are moved instead */
    double push = apart ? 0.0 : il_manner_push(how, g, h);
    double bounce = bounce_of(how, e, g, before, after, h);
    return isnan(bounce)                    ? push
           : how->combine == IL_COMBINE_ADD ? push + bounce
           : how->combine == IL_COMBINE_MAX ? fmax(push, bounce)
                                            : bounce;
}

/*
 * event_driven.c - Runge-Kutta steps up to an event, bisection for its time, the impact, and so on.
 */
#include "harness/reference/event_driven.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/reference/hermite.h"
#include "harness/reference/kinks.h"
#include "schemes/stepping/held_contacts.h"

/* At least this many steps to the horizon: quintic interpolation over one of them is then within
 * rounding for motions whose time scales are not much shorter than the horizon. */
enum { STEPS_MIN = 2048, EVENTS_MAX = 4096, CROWDED = 24, BISECTIONS = 80 };
static const double TOLERANCE = 1e-13;

/* CROWDED events within this part of the horizon are an accumulation. */
static const double AT_ONCE = 1e-5;

struct il_event_driven {
    const il_problem *problem;
    il_held_contacts *contacts;
    size_t d;
    il_rows rows;              /* scratch */
    double *y, *trial, *error; /* [2d] each: state, that after a step, and the error of that */
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
    il_hermite motion;
    size_t nbreaks, breaks_room, events;
    double kink, next_kink; /* the last one; the next, if it is a step ahead */
    double *breaks;
    il_exact exact;
};

static int derivative(double t, const double y[], double dy[], void *self) {
    il_event_driven *w = self;
    const double *acceleration = il_held_contacts_acceleration(w->contacts, t, y, y + w->d);
    if (acceleration == NULL) {
        return GSL_EBADFUNC;
    }
    memcpy(dy, y + w->d, w->d * sizeof *dy);
    memcpy(dy + w->d, acceleration, w->d * sizeof *dy);
    return GSL_SUCCESS;
}

/* ---- the record of the motion --------------------------------------------------------------- */

/* Keep the state y at time t with its acceleration. */
static il_status keep(il_event_driven *w, double t, il_error *err) {
    const double *u = w->y + w->d;
    const double *acceleration = il_held_contacts_acceleration(w->contacts, t, w->y, u);
    if (acceleration == NULL) {
        return il_fail(err, IL_ENUMERIC, "the contacts could not be solved at t = %.10g", t);
    }
    il_hermite_add(&w->motion, t, w->y, u, acceleration);
    return IL_OK;
}

static void add_break(il_event_driven *w, double t) {
    if (w->nbreaks > 0 && t <= w->breaks[w->nbreaks - 1]) {
        return; /* two events within one rounding of t */
    }
    if (w->nbreaks == w->breaks_room) {
        size_t room = w->breaks_room == 0 ? 64 : 2 * w->breaks_room;
        il_memory_grow(&w->breaks, room, sizeof *w->breaks);
        w->breaks_room = room;
    }
    w->breaks[w->nbreaks++] = t;
}

static void eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_event_driven *w = exact->data;
    il_hermite_eval(&w->motion, t, side, q, u);
}

/* ---- the march ------------------------------------------------------------------------------ */

/* One step of size s from w->y at t into w->trial. */
static int try_step(il_event_driven *w, double t, double s) {
    memcpy(w->trial, w->y, 2 * w->d * sizeof *w->y);
    (void)gsl_odeiv2_step_reset(w->step);
    return gsl_odeiv2_step_apply(w->step, t, s, w->trial, w->error, NULL, NULL, &w->system);
}

/* The event in (t, t + s]: w->y moves to it, *t too. */
static il_status locate(il_event_driven *w, double *t, double s, il_error *err) {
    double low = 0.0;
    double high = s;
    for (int k = 0; k < BISECTIONS && high - low > 0.25 * TOLERANCE * w->problem->horizon; k++) {
        double mid = 0.5 * (low + high);
        if (try_step(w, *t, mid) != GSL_SUCCESS) {
            return il_fail(err, IL_ENUMERIC, "the motion could not be integrated past t = %.10g",
                           *t);
        }
        *(il_held_contacts_end(w->contacts, *t + mid, w->trial, w->trial + w->d) ? &high : &low) =
            mid;
    }
    if (try_step(w, *t, high) != GSL_SUCCESS) {
        return il_fail(err, IL_ENUMERIC, "the motion could not be integrated past t = %.10g", *t);
    }
    memcpy(w->y, w->trial, 2 * w->d * sizeof *w->y);
    *t += high;
    return IL_OK;
}

/* Look a step ahead of t, and as far as differences reach past its end, for a kink in a
 * constraint's motion: its time, just past it, or stop. */
static double look_ahead(il_event_driven *w, double t, double stop) {
    if (t < w->next_kink && isfinite(w->next_kink)) {
        return fmin(w->next_kink, stop);
    }
    double ahead = fmin(stop, t + 3.0 * w->problem->horizon / STEPS_MIN);
    double smooth = il_kinks_smooth_until(w->problem, t, ahead, w->y, &w->rows);
    bool found = smooth < ahead;
    w->kink = t >= w->next_kink ? w->next_kink : w->kink;
    w->next_kink = found ? smooth : INFINITY;
    il_held_contacts_window(w->contacts, w->kink,
                            found ? smooth - TOLERANCE * w->problem->horizon : INFINITY);
    return found ? smooth : stop;
}

/* From *t to the next event, kink of a constraint's motion or to stop, whichever is first; *event
 * says whether it was an event. */
static il_status fly(il_event_driven *w, double *t, double stop, bool *event, il_error *err) {
    double most = w->problem->horizon / STEPS_MIN;
    double before = *t;
    *event = false;
    while (*t < stop) {
        stop = look_ahead(w, *t, stop);
        double s = fmin(most, stop - *t);
        double from = *t;
        double h = s;
        memcpy(w->trial, w->y, 2 * w->d * sizeof *w->y);
        (void)gsl_odeiv2_evolve_reset(w->evolve);
        int code = gsl_odeiv2_evolve_apply(w->evolve, w->control, w->step, &w->system, t, from + s,
                                           &h, w->trial);
        if (code != GSL_SUCCESS) {
            return il_fail(err, IL_ENUMERIC,
                           "the motion could not be integrated past t = %.10g: %s", from,
                           gsl_strerror(code));
        }
        double reached = *t;
        *event = il_held_contacts_end(w->contacts, reached, w->trial, w->trial + w->d);
        if (*event) {
            *t = from;
            il_status status = locate(w, t, reached - from, err);
            return status == IL_OK && *t > before ? keep(w, *t, err) : status;
        }
        memcpy(w->y, w->trial, 2 * w->d * sizeof *w->y);
        il_status status = keep(w, *t, err);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

/* Do the last events crowd together? A pile that rocks to rest, like a ball that bounces, has
 * infinitely many impacts. */
static bool crowded(const il_event_driven *w) {
    size_t n = w->nbreaks;
    return w->events > EVENTS_MAX || (n > CROWDED && w->breaks[n - 1] - w->breaks[n - CROWDED] <
                                                         AT_ONCE * w->problem->horizon);
}

/* An impact at the horizon itself: its velocity is the right limit there. */
static il_status settle_at_end(il_event_driven *w, il_error *err) {
    double T = w->problem->horizon;
    const double *u = w->y + w->d;
    memcpy(w->trial, u, w->d * sizeof *u);
    il_status status = il_held_contacts_settle(w->contacts, T, w->y, w->y + w->d, err);
    bool struck = status == IL_OK && memcmp(w->trial, u, w->d * sizeof *u) != 0;
    w->events += struck;
    status = struck ? keep(w, T, err) : status;
    if (status == IL_OK) {
        add_break(w, T);
    }
    return status;
}

static il_status march(il_event_driven *w, il_error *err) {
    const il_problem *problem = w->problem;
    double t = 0.0;
    size_t next = 0;
    add_break(w, 0.0);
    il_status status = IL_OK;
    while (status == IL_OK && t < problem->horizon) {
        (void)look_ahead(w, t, problem->horizon);
        status = il_held_contacts_settle(w->contacts, t, w->y, w->y + w->d, err);
        status = status == IL_OK ? keep(w, t, err) : status;
        while (next < problem->nbreaks && problem->breaks[next] <= t) {
            next++;
        }
        double stop = next < problem->nbreaks ? fmin(problem->breaks[next], problem->horizon)
                                              : problem->horizon;
        bool event = false;
        status = status == IL_OK ? fly(w, &t, stop, &event, err) : status;
        w->events += event;
        if (status == IL_OK && t < problem->horizon) {
            add_break(w, t);
        }
        if (status == IL_OK && crowded(w)) {
            return il_fail(err, IL_ENUMERIC,
                           "impacts accumulate near t = %.6g: an event-driven reference needs "
                           "finitely many",
                           t);
        }
    }
    return status == IL_OK ? settle_at_end(w, err) : status;
}

/* ---- making --------------------------------------------------------------------------------- */

static const char *refuses(const il_problem *problem) {
    if (problem->order != 2) {
        return "it is of order 1, and the reference integrates accelerations";
    }
    if (problem->p > IL_EVENT_CONSTRAINTS_MAX) {
        return "it has more than 256 constraints";
    }
    if (problem->type->force == NULL && problem->type->force_mean != NULL) {
        return "its force is known by its means alone";
    }
    if (problem->gamma0 != NULL) {
        return "its contacts adhere, and the reference supports contact forces >= 0 only";
    }
    return NULL;
}

static void allocate(il_event_driven *w) {
    size_t d = w->d;
    w->system = (gsl_odeiv2_system){.function = derivative, .dimension = 2 * d, .params = w};
    w->motion.d = d;
    w->y = il_alloc_zero(6 * d, sizeof *w->y);
    w->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 2 * d);
    w->control = gsl_odeiv2_control_y_new(TOLERANCE, TOLERANCE);
    w->evolve = gsl_odeiv2_evolve_alloc(2 * d);
    w->trial = w->y + 2 * d;
    w->error = w->trial + 2 * d;
}

/* The result as a solution: its motion is already computed. */
static void tell(il_event_driven *w) {
    w->exact = (il_exact){.name = "event_driven",
                          .origin = "Runge-Kutta 8(9) to 1e-13 with event location",
                          .nbreaks = w->nbreaks,
                          .breaks = w->breaks,
                          .eval = eval,
                          .data = w};
}

il_status il_event_driven_check(const il_problem *problem, il_error *err) {
    const char *why = refuses(problem);
    return why == NULL
               ? IL_OK
               : il_fail(
                     err, IL_EUNSUPPORTED,
                     "problem '%s' has no event-driven reference: %s; allowed: {\"self\", steps "
                     "= N}, \"none\"",
                     problem->type->name, why);
}

il_status il_event_driven_create(il_event_driven **out, const il_problem *problem,
                                 const il_projector_type *projector, il_error *err) {
    *out = NULL;
    il_status status = il_event_driven_check(problem, err);
    if (status != IL_OK) {
        return status;
    }
    il_event_driven *w = il_alloc_zero(1, sizeof *w);
    w->problem = problem;
    w->d = problem->d;
    w->kink = -INFINITY;
    w->next_kink = INFINITY;
    status = il_held_contacts_create(&w->contacts, problem, projector, err);
    if (status == IL_OK) {
        allocate(w);
        memcpy(w->y, problem->q0, w->d * sizeof *w->y);
        memcpy(w->y + w->d, problem->u0, w->d * sizeof *w->y);
        status = march(w, err);
    }
    if (status != IL_OK) {
        il_event_driven_destroy(w);
        return status;
    }
    tell(w);
    *out = w;
    return IL_OK;
}

void il_event_driven_archive(il_event_driven *w, il_archive *a) {
    il_archive_count(a, &w->motion.d);
    il_hermite_archive(&w->motion, a);
    il_archive_array(a, &w->breaks, &w->nbreaks, &w->breaks_room, sizeof *w->breaks);
    il_archive_count(a, &w->events);
}

il_event_driven *il_event_driven_restore(il_archive *a) {
    il_event_driven *w = il_alloc_zero(1, sizeof *w);
    il_event_driven_archive(w, a);
    w->d = w->motion.d;
    a->failed = a->failed || w->d == 0 || w->motion.nodes < 2 || w->nbreaks < 2;
    if (a->failed) {
        il_event_driven_destroy(w);
        return NULL;
    }
    tell(w);
    return w;
}

void il_event_driven_destroy(il_event_driven *w) {
    if (w == NULL) {
        return;
    }
    il_held_contacts_destroy(w->contacts);
    il_rows_free(&w->rows);
    il_hermite_free(&w->motion);
    if (w->step != NULL) {
        gsl_odeiv2_step_free(w->step);
    }
    if (w->control != NULL) {
        gsl_odeiv2_control_free(w->control);
    }
    if (w->evolve != NULL) {
        gsl_odeiv2_evolve_free(w->evolve);
    }
    free(w->y);
    free(w->breaks);
    free(w);
}

const il_exact *il_event_driven_exact(const il_event_driven *w) {
    return &w->exact;
}

size_t il_event_driven_events(const il_event_driven *w) {
    return w->events;
}

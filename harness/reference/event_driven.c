/*
 * event_driven.c - smooth motion, events, and the choice of the contacts that are held.
 */
#include "harness/reference/event_driven.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At least this many steps to the horizon: quintic interpolation over one of them is then within
 * rounding for motions whose time scales are not much shorter than the horizon. */
enum { STEPS_MIN = 2048, EVENTS_MAX = 4096, CROWDED = 24, BISECTIONS = 80 };
static const double TOLERANCE = 1e-13;

/* Relative to one plus the size of the configuration: a gap below -CROSSED is an event, one below
 * TOUCHING takes part in it. */
static const double CROSSED = 1e-14;
static const double TOUCHING = 1e-11;
/* CROWDED events within this part of the horizon are an accumulation. */
static const double AT_ONCE = 1e-5;
/* Rates below this, relative to one plus the speed, are zero after an impact. */
static const double RESTING = 1e-11;
/* Multipliers below this, relative to the force on the contact, are zero. */
static const double SLACK = 1e-10;

struct il_event_driven {
    const il_problem *problem;
    const il_projector_type *type;
    void *projector;
    size_t d;
    size_t nheld;
    size_t held[IL_EVENT_CONSTRAINTS_MAX];
    double force_on[IL_EVENT_CONSTRAINTS_MAX]; /* lambda of those held, at the last derivative */
    double force_size;                         /* |M^{-1} f| scale for SLACK */
    il_rows rows, work;
    double *y, *trial, *f, *v, *x; /* [2d] [2d] [d] [d] [d] */
    double *floor;      /* [constraints] gap at the last event where that was negative, else 0 */
    double *a, *lambda; /* [constraints] */
    gsl_matrix *W, *V;
    gsl_vector *S, *b, *scratch;
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
    size_t nodes, room; /* stored states */
    double *t, *state;  /* [nodes], [nodes][3d]: q, u, acceleration */
    size_t nbreaks, breaks_room, events;
    double *breaks;
    il_exact exact;
};

/* ---- smooth motion -------------------------------------------------------------------------- */

/* d_t g_i + <grad g_i, u> at (t, q). NaN if the row cannot be had. */
static double rate_at(il_event_driven *w, double t, const double *q, const double *u, size_t id) {
    il_rows_clear(&w->work);
    if (w->problem->type->row(w->problem, t, q, id, &w->work) != IL_OK) {
        return NAN;
    }
    return w->work.rate[0] + il_rows_dot(&w->work, 0, u);
}

/* What d^2 g_i/dt^2 is along q + s u: the problem's own word, else differences of fourth order. */
static double bend(il_event_driven *w, double t, const double *q, const double *u, size_t id) {
    const il_problem *problem = w->problem;
    if (problem->type->curvature != NULL) {
        return problem->type->curvature(problem, t, q, u, id);
    }
    if ((problem->traits & IL_ROWS_AFFINE) != 0 && (problem->traits & IL_ROWS_FIXED) != 0) {
        return 0.0;
    }
    double e = 2e-4 * problem->horizon;
    double rates[4];
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    for (int k = 0; k < 4; k++) {
        for (size_t j = 0; j < w->d; j++) {
            w->x[j] = q[j] + at[k] * e * u[j];
        }
        rates[k] = rate_at(w, t + at[k] * e, w->x, u, id);
    }
    return (8.0 * (rates[2] - rates[1]) - (rates[3] - rates[0])) / (12.0 * e);
}

/* M^{-1} f(t,q) into w->v. */
static void free_acceleration(il_event_driven *w, double t, const double *q) {
    memset(w->f, 0, w->d * sizeof *w->f);
    if (w->problem->type->force != NULL) {
        w->problem->type->force(w->problem, t, q, w->f);
    }
    il_metric_solve(w->problem->mass, w->f, w->v);
}

/* M^{-1} grad g_i of row i into w->x. */
static void mobility(il_event_driven *w, const il_rows *rows, size_t i) {
    memset(w->x, 0, w->d * sizeof *w->x);
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        w->x[rows->col[e]] = rows->coef[e];
    }
    il_metric_solve(w->problem->mass, w->x, w->x);
}

/* lambda of the held rows from W lambda = -(bend + <grad g, M^{-1} f>), W = B M^{-1} B'. */
static int hold(il_event_driven *w, double t, const double *q, const double *u) {
    size_t n = w->nheld;
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < n; i++) {
        if (w->problem->type->row(w->problem, t, q, w->held[i], &w->rows) != IL_OK) {
            return GSL_EBADFUNC;
        }
    }
    gsl_matrix_view W = gsl_matrix_submatrix(w->W, 0, 0, n, n);
    gsl_matrix_view V = gsl_matrix_submatrix(w->V, 0, 0, n, n);
    gsl_vector_view S = gsl_vector_subvector(w->S, 0, n);
    gsl_vector_view b = gsl_vector_subvector(w->b, 0, n);
    gsl_vector_view scratch = gsl_vector_subvector(w->scratch, 0, n);
    for (size_t i = 0; i < n; i++) {
        double c = bend(w, t, q, u, w->held[i]);
        gsl_vector_set(&b.vector, i, -(c + il_rows_dot(&w->rows, i, w->v)));
        mobility(w, &w->rows, i);
        for (size_t j = 0; j < n; j++) {
            gsl_matrix_set(&W.matrix, i, j, il_rows_dot(&w->rows, j, w->x));
        }
    }
    int code = gsl_linalg_SV_decomp(&W.matrix, &V.matrix, &S.vector, &scratch.vector);
    for (size_t i = 0; i < n; i++) { /* rows that depend on others share the load */
        double s = gsl_vector_get(&S.vector, i);
        if (s <= 1e-12 * gsl_vector_get(&S.vector, 0)) {
            gsl_vector_set(&S.vector, i, 0.0);
        }
    }
    gsl_vector_view lambda = gsl_vector_view_array(w->force_on, n);
    if (code == GSL_SUCCESS) {
        code = gsl_linalg_SV_solve(&W.matrix, &V.matrix, &S.vector, &b.vector, &lambda.vector);
    }
    for (size_t i = 0; i < n; i++) {
        mobility(w, &w->rows, i);
        for (size_t k = 0; k < w->d; k++) {
            w->v[k] += w->force_on[i] * w->x[k];
        }
    }
    return code;
}

static int derivative(double t, const double y[], double dy[], void *self) {
    il_event_driven *w = self;
    free_acceleration(w, t, y);
    int code = w->nheld > 0 ? hold(w, t, y, y + w->d) : GSL_SUCCESS;
    memcpy(dy, y + w->d, w->d * sizeof *dy);
    memcpy(dy + w->d, w->v, w->d * sizeof *dy);
    return code;
}

/* ---- impacts and the choice of contacts ----------------------------------------------------- */

static double size_of(const double *x, size_t d) {
    double size = 1.0;
    for (size_t k = 0; k < d; k++) {
        size = fmax(size, 1.0 + fabs(x[k]));
    }
    return size;
}

/* Solve min |x - target|_M over a_i + <b_i,x> >= 0 for w->rows into w->x. */
static il_status project(il_event_driven *w, const double *target, il_error *err) {
    il_qp qp = {.d = w->d,
                .mass = w->problem->mass,
                .target = target,
                .rows = &w->rows,
                .a = w->a,
                .scale = 1.0};
    il_projection_info info;
    memset(w->lambda, 0, w->rows.p * sizeof *w->lambda);
    il_status status = w->type->solve(w->projector, &qp, w->x, w->lambda, &info);
    return status == IL_OK ? IL_OK
                           : il_fail(err, status, "projector '%s' failed at an event: %s",
                                     w->type->name, il_status_text(status));
}

/* Rows of the constraints that are touched at (t, q) into w->rows. */
static il_status touched(il_event_driven *w, double t, const double *q, il_error *err) {
    double near = TOUCHING * size_of(q, w->d);
    il_rows_clear(&w->rows);
    for (size_t id = 0; id < w->problem->p; id++) {
        il_status status = w->problem->type->row(w->problem, t, q, id, &w->rows);
        if (status != IL_OK) {
            char words[IL_DESCRIPTION_MAX];
            return il_fail(err, status, "%s could not be computed at t = %.17g",
                           il_problem_describe(w->problem, id, words, sizeof words), t);
        }
        w->floor[id] = fmin(0.0, w->rows.value[w->rows.p - 1]);
        if (w->rows.value[w->rows.p - 1] > near) {
            il_rows_pop(&w->rows);
        }
    }
    return IL_OK;
}

/* u+ = P_C u- - e P_N u- = (1+e) P_C u- - e u-, the rates being those relative to the constraint.
 */
static il_status strike(il_event_driven *w, double *u, il_error *err) {
    double e = w->problem->restitution;
    bool strikes = false;
    for (size_t i = 0; i < w->rows.p; i++) {
        w->a[i] = w->rows.rate[i];
        strikes |= w->rows.rate[i] + il_rows_dot(&w->rows, i, u) < 0.0;
    }
    if (!strikes) {
        return IL_OK;
    }
    il_status status = project(w, u, err);
    for (size_t k = 0; status == IL_OK && k < w->d; k++) {
        u[k] = (1.0 + e) * w->x[k] - e * u[k];
    }
    return status;
}

/* Of the touched rows those that neither strike nor part, into w->rows; those that the admissible
 * acceleration keeps closed are held. */
static il_status choose_held(il_event_driven *w, double t, const double *q, const double *u,
                             il_error *err) {
    double still = RESTING * size_of(u, w->d);
    il_rows all = w->rows; /* keeps the storage of both apart */
    w->rows = w->work;
    il_rows_clear(&w->rows);
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < all.p; i++) {
        size_t first = all.start[i];
        if (all.rate[i] + il_rows_dot(&all, i, u) <= still) {
            status = il_rows_append(&w->rows, all.id[i], all.value[i], all.rate[i],
                                    all.start[i + 1] - first, all.col + first, all.coef + first);
        }
    }
    w->work = all;
    if (status != IL_OK) {
        return il_fail(err, status, "no memory for the contacts");
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        w->a[i] = bend(w, t, q, u, w->rows.id[i]);
    }
    free_acceleration(w, t, q);
    memcpy(w->trial, w->v, w->d * sizeof *w->v); /* the projection's target */
    w->force_size = size_of(w->f, w->d);
    status = project(w, w->trial, err);
    w->nheld = 0;
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        /* also those that stay closed without a push */
        if (w->a[i] + il_rows_dot(&w->rows, i, w->x) <= SLACK * w->force_size) {
            w->held[w->nheld++] = w->rows.id[i];
        }
    }
    return status;
}

/* Impact and new contacts at the state y, time t. */
static il_status settle(il_event_driven *w, double t, il_error *err) {
    il_status status = touched(w, t, w->y, err);
    status = status == IL_OK ? strike(w, w->y + w->d, err) : status;
    return status == IL_OK ? choose_held(w, t, w->y, w->y + w->d, err) : status;
}

static bool is_held(const il_event_driven *w, size_t id) {
    for (size_t i = 0; i < w->nheld; i++) {
        if (w->held[i] == id) {
            return true;
        }
    }
    return false;
}

/* Has something happened at (t, y): a gap closed, or a held contact pulls? */
static bool happened(il_event_driven *w, double t, const double *y) {
    double least = -CROSSED * size_of(y, w->d);
    il_rows_clear(&w->work);
    for (size_t id = 0; id < w->problem->p; id++) {
        if (is_held(w, id)) {
            continue;
        }
        if (w->problem->type->row(w->problem, t, y, id, &w->work) != IL_OK ||
            !(w->work.value[w->work.p - 1] >= w->floor[id] + least)) {
            return true;
        }
    }
    free_acceleration(w, t, y);
    (void)(w->nheld > 0 ? hold(w, t, y, y + w->d) : 0);
    for (size_t i = 0; i < w->nheld; i++) {
        if (!(w->force_on[i] >= -SLACK * w->force_size)) {
            return true;
        }
    }
    return false;
}

/* ---- the record of the motion --------------------------------------------------------------- */

/* Keep the state y at time t with its acceleration. */
static il_status keep(il_event_driven *w, double t, il_error *err) {
    size_t d = w->d;
    if (w->nodes == w->room) {
        size_t room = w->room == 0 ? 4096 : 2 * w->room;
        double *times = realloc(w->t, room * sizeof *times);
        if (times == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for %zu times of the reference", room);
        }
        w->t = times;
        double *state = realloc(w->state, 3 * d * room * sizeof *state);
        if (state == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for %zu states of the reference", room);
        }
        w->state = state;
        w->room = room;
    }
    double *at = w->state + 3 * d * w->nodes;
    memcpy(at, w->y, 2 * d * sizeof *at);
    free_acceleration(w, t, w->y);
    if (w->nheld > 0 && hold(w, t, w->y, w->y + d) != GSL_SUCCESS) {
        return il_fail(err, IL_ENUMERIC, "the contacts could not be solved at t = %.17g", t);
    }
    memcpy(at + 2 * d, w->v, d * sizeof *at);
    w->t[w->nodes++] = t;
    return IL_OK;
}

static il_status add_break(il_event_driven *w, double t, il_error *err) {
    if (w->nbreaks > 0 && t <= w->breaks[w->nbreaks - 1]) {
        return IL_OK; /* two events within one rounding of t */
    }
    if (w->nbreaks == w->breaks_room) {
        size_t room = w->breaks_room == 0 ? 64 : 2 * w->breaks_room;
        double *breaks = realloc(w->breaks, room * sizeof *breaks);
        if (breaks == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for %zu events", room);
        }
        w->breaks = breaks;
        w->breaks_room = room;
    }
    w->breaks[w->nbreaks++] = t;
    return IL_OK;
}

/* Quintic through q, u, a at both ends of [t_k, t_{k+1}], and its derivative. */
static void eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_event_driven *w = exact->data;
    size_t low = 0;
    size_t high = w->nodes - 1;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        *((side < 0 ? w->t[mid] < t : w->t[mid] <= t) ? &low : &high) = mid;
    }
    if (side < 0 && low > 0 && w->t[low] == w->t[high]) {
        low--; /* t is a break: the piece before it */
        high--;
    }
    double h = w->t[high] - w->t[low];
    double s = h > 0.0 ? (t - w->t[low]) / h : 0.0;
    for (size_t k = 0; k < w->d; k++) {
        const double *A = w->state + 3 * w->d * low;
        const double *B = w->state + 3 * w->d * high;
        double v0 = h * A[w->d + k];
        double a0 = 0.5 * h * h * A[2 * w->d + k];
        double p = B[k] - A[k] - v0 - a0;
        double v = h * B[w->d + k] - v0 - 2.0 * a0;
        double a = h * h * B[2 * w->d + k] - 2.0 * a0;
        double c3 = 10.0 * p - 4.0 * v + 0.5 * a;
        double c4 = -15.0 * p + 7.0 * v - a;
        double c5 = 6.0 * p - 3.0 * v + 0.5 * a;
        q[k] = A[k] + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5))));
        u[k] = h > 0.0 ? (v0 + s * (2.0 * a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h
                       : A[w->d + k];
    }
}

/* ---- the march ------------------------------------------------------------------------------ */

/* One step of size s from w->y at t into w->trial. */
static int try_step(il_event_driven *w, double t, double s) {
    double *error = w->trial + 2 * w->d;
    memcpy(w->trial, w->y, 2 * w->d * sizeof *w->y);
    (void)gsl_odeiv2_step_reset(w->step);
    return gsl_odeiv2_step_apply(w->step, t, s, w->trial, error, NULL, NULL, &w->system);
}

/* The event in (t, t + s]: w->y moves to it, *t too. */
static il_status locate(il_event_driven *w, double *t, double s, il_error *err) {
    double low = 0.0;
    double high = s;
    for (int k = 0; k < BISECTIONS && high - low > 0.25 * TOLERANCE * w->problem->horizon; k++) {
        double mid = 0.5 * (low + high);
        if (try_step(w, *t, mid) != GSL_SUCCESS) {
            return il_fail(err, IL_ENUMERIC, "the motion could not be integrated past t = %.17g",
                           *t);
        }
        *(happened(w, *t + mid, w->trial) ? &high : &low) = mid;
    }
    if (try_step(w, *t, high) != GSL_SUCCESS) {
        return il_fail(err, IL_ENUMERIC, "the motion could not be integrated past t = %.17g", *t);
    }
    memcpy(w->y, w->trial, 2 * w->d * sizeof *w->y);
    *t += high;
    return IL_OK;
}

/* From *t to the next event or to stop, whichever is first; *event says which. */
static il_status fly(il_event_driven *w, double *t, double stop, bool *event, il_error *err) {
    double most = w->problem->horizon / STEPS_MIN;
    double before = *t;
    *event = false;
    while (*t < stop) {
        double s = fmin(most, stop - *t);
        double from = *t;
        double h = s;
        memcpy(w->trial, w->y, 2 * w->d * sizeof *w->y);
        (void)gsl_odeiv2_evolve_reset(w->evolve);
        int code = gsl_odeiv2_evolve_apply(w->evolve, w->control, w->step, &w->system, t, from + s,
                                           &h, w->trial);
        if (code != GSL_SUCCESS) {
            return il_fail(err, IL_ENUMERIC,
                           "the motion could not be integrated past t = %.17g: %s", from,
                           gsl_strerror(code));
        }
        double reached = *t;
        *event = happened(w, reached, w->trial);
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

static il_status march(il_event_driven *w, il_error *err) {
    const il_problem *problem = w->problem;
    double t = 0.0;
    size_t next = 0;
    il_status status = add_break(w, 0.0, err);
    while (status == IL_OK && t < problem->horizon) {
        status = settle(w, t, err);
        status = status == IL_OK ? keep(w, t, err) : status;
        while (next < problem->nbreaks && problem->breaks[next] <= t) {
            next++;
        }
        double stop = next < problem->nbreaks ? fmin(problem->breaks[next], problem->horizon)
                                              : problem->horizon;
        bool event = false;
        status = status == IL_OK ? fly(w, &t, stop, &event, err) : status;
        w->events += event;
        status = status == IL_OK && t < problem->horizon ? add_break(w, t, err) : status;
        if (status == IL_OK && crowded(w)) {
            return il_fail(err, IL_ENUMERIC,
                           "impacts accumulate near t = %.6g: an event-driven reference needs "
                           "finitely many",
                           t);
        }
    }
    return status == IL_OK ? add_break(w, problem->horizon, err) : status;
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
        return "its contacts hold, and the reference knows only those that push";
    }
    return NULL;
}

static bool allocate(il_event_driven *w) {
    size_t d = w->d;
    size_t p = w->problem->p > 0 ? w->problem->p : 1;
    w->system = (gsl_odeiv2_system){.function = derivative, .dimension = 2 * d, .params = w};
    w->y = calloc(9 * d + 3 * p, sizeof *w->y);
    w->W = gsl_matrix_alloc(p, p);
    w->V = gsl_matrix_alloc(p, p);
    w->S = gsl_vector_alloc(p);
    w->b = gsl_vector_alloc(p);
    w->scratch = gsl_vector_alloc(p);
    w->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 2 * d);
    w->control = gsl_odeiv2_control_y_new(TOLERANCE, TOLERANCE);
    w->evolve = gsl_odeiv2_evolve_alloc(2 * d);
    if (w->y == NULL || w->W == NULL || w->V == NULL || w->S == NULL || w->b == NULL ||
        w->scratch == NULL || w->step == NULL || w->control == NULL || w->evolve == NULL) {
        return false;
    }
    w->trial = w->y + 2 * d; /* and the error of a step behind it */
    w->f = w->trial + 4 * d;
    w->v = w->f + d;
    w->x = w->v + d;
    w->a = w->x + d;
    w->lambda = w->a + p;
    w->floor = w->lambda + p;
    return true;
}

il_status il_event_driven_create(il_event_driven **out, const il_problem *problem,
                                 const il_projector_type *projector, il_error *err) {
    *out = NULL;
    if (refuses(problem) != NULL) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "problem '%s' has no event-driven reference: %s; allowed: {\"self\", steps "
                       "= N}, \"none\"",
                       problem->type->name, refuses(problem));
    }
    il_event_driven *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a reference");
    }
    w->problem = problem;
    w->type = projector;
    w->d = problem->d;
    il_status status = projector->create(&w->projector, &(il_projector_options){0}, err);
    if (status == IL_OK && !allocate(w)) {
        status = il_fail(err, IL_ENOMEM, "no memory for a reference of size %zu", problem->d);
    }
    if (status == IL_OK) {
        memcpy(w->y, problem->q0, w->d * sizeof *w->y);
        memcpy(w->y + w->d, problem->u0, w->d * sizeof *w->y);
        status = march(w, err);
    }
    if (status != IL_OK) {
        il_event_driven_destroy(w);
        return status;
    }
    w->exact = (il_exact){.name = "event_driven",
                          .origin = "Runge-Kutta 8(9) to 1e-13 with event location",
                          .nbreaks = w->nbreaks,
                          .breaks = w->breaks,
                          .eval = eval,
                          .data = w};
    *out = w;
    return IL_OK;
}

void il_event_driven_destroy(il_event_driven *w) {
    if (w == NULL) {
        return;
    }
    if (w->projector != NULL) {
        w->type->destroy(w->projector);
    }
    il_rows_free(&w->rows);
    il_rows_free(&w->work);
    gsl_matrix_free(w->W);
    gsl_matrix_free(w->V);
    gsl_vector_free(w->S);
    gsl_vector_free(w->b);
    gsl_vector_free(w->scratch);
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
    free(w->t);
    free(w->state);
    free(w->breaks);
    free(w);
}

const il_exact *il_event_driven_exact(const il_event_driven *w) {
    return &w->exact;
}

size_t il_event_driven_events(const il_event_driven *w) {
    return w->events;
}

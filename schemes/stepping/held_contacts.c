/*
 * held_contacts.c - the motion with a set of closed contacts, and the choice of that set.
 *
 * While the rows of A = {i : held} are closed, with B = (grad g_i)_i and c_i = d^2 g_i/dt^2 along q
 * + s u,
 *
 *     q'' = M^{-1}(f + B' lambda),   B M^{-1} B' lambda = -(c + B M^{-1} f).
 *
 * An impact and the choice of A are projections in the norm of M: of u- onto the velocities that do
 * not violate a closed constraint, of M^{-1} f onto the accelerations that do not violate one at
 * rest.
 */
#include "schemes/stepping/held_contacts.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/base/worse.h"
#include "schemes/stepping/curvature.h"
#include "schemes/stepping/independent.h"

/* Parts of the units below. A gap below -CROSSED is an event, one below TOUCHING takes part in it;
 * both and what rounding makes of the gap, ROUNDING for each unit of |grad g_k q_k|. */
static const double CROSSED = 1e-14;
static const double TOUCHING = 1e-11;
static const double ROUNDING = 1e-14;
/* Rates below this, relative to the unit plus the speed, are zero after an impact. */
static const double RESTING = 1e-11;
/* Multipliers below this, relative to the force on the contact, are zero. */
static const double SLACK = 1e-10;

/* Units of gaps, their speeds, forces, accelerations; slip: what the rounding of a time makes of a
 * gap. */
typedef struct {
    double gap, speed, force, push, slip;
} il_units;

static const il_units ONE = {1.0, 1.0, 1.0, 1.0, 0.0};

struct il_held_contacts {
    const il_problem *problem;
    const il_projector_type *type;
    void *projector;
    size_t d;
    size_t nheld;     /* independent of each other */
    size_t *held;     /* [constraints] the first nheld */
    size_t *place;    /* [constraints] their rows where they were chosen */
    double *force_on; /* [constraints] lambda of those held, at the last acceleration */
    double h;         /* of the step, 0 for none */
    il_units unit;
    double force_size; /* for SLACK */
    il_rows rows, work;
    double *f, *v, *x, *target; /* [d] each */
    il_curvature *curvature;
    double *floor;      /* [constraints] gap at the last event where that was negative, else 0 */
    double *a, *lambda; /* [constraints] */
    double *impulse;    /* [constraints] of the last settling, by id */
    double *b;          /* [constraints] */
    double *W;          /* [nheld][nheld] */
    size_t room;        /* of it, in rows */
    il_independent independent;
};

/* ---- smooth motion -------------------------------------------------------------------------- */

/* M^{-1} f(t,q) into w->v. */
static void free_acceleration(il_held_contacts *w, double t, const double *q) {
    memset(w->f, 0, w->d * sizeof *w->f);
    if (w->problem->type->force != NULL) {
        w->problem->type->force(w->problem, t, q, w->f);
    }
    il_metric_solve(w->problem->mass, w->f, w->v);
}

/* M^{-1} grad g_i of row i into w->x. */
static void mobility(il_held_contacts *w, const il_rows *rows, size_t i) {
    memset(w->x, 0, w->d * sizeof *w->x);
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        w->x[rows->col[e]] = rows->coef[e];
    }
    il_metric_solve(w->problem->mass, w->x, w->x);
}

/* The held rows at (t, q) into w->rows. */
static bool take_held(il_held_contacts *w, double t, const double *q) {
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < w->nheld; i++) {
        if (w->problem->type->row(w->problem, t, q, w->held[i], &w->rows) != IL_OK) {
            return false;
        }
    }
    return true;
}

/* x += M^{-1} B' lambda for the held rows, W lambda = b, W = B M^{-1} B', by Cholesky's factor; b
 * stands in w->b, lambda in w->force_on. False where the rows depend on each other. */
static bool push_held(il_held_contacts *w, double *x) {
    size_t n = w->nheld;
    for (size_t i = 0; i < n; i++) {
        mobility(w, &w->rows, i);
        for (size_t j = 0; j < n; j++) {
            w->W[i * n + j] = il_rows_dot(&w->rows, j, w->x);
        }
    }
    memcpy(w->force_on, w->b, n * sizeof *w->force_on);
    gsl_matrix_view W = gsl_matrix_view_array(w->W, n, n);
    gsl_vector_view lambda = gsl_vector_view_array(w->force_on, n);
    if (gsl_linalg_cholesky_decomp1(&W.matrix) != GSL_SUCCESS ||
        gsl_linalg_cholesky_svx(&W.matrix, &lambda.vector) != GSL_SUCCESS) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        mobility(w, &w->rows, i);
        for (size_t k = 0; k < w->d; k++) {
            x[k] += w->force_on[i] * w->x[k];
        }
    }
    return true;
}

/* lambda of the held rows from W lambda = -(g'' + <grad g, M^{-1} f>). */
static bool hold(il_held_contacts *w, double t, const double *q, const double *u) {
    if (!take_held(w, t, q)) {
        return false;
    }
    for (size_t i = 0; i < w->nheld; i++) {
        w->b[i] =
            -(il_curvature_at(w->curvature, t, q, u, w->held[i]) + il_rows_dot(&w->rows, i, w->v));
    }
    return push_held(w, w->v);
}

bool il_held_contacts_close(il_held_contacts *w, double t, double *q, double *u) {
    enum { TIMES = 3 };
    bool done = true;
    for (int k = 0; done && k <= TIMES && w->nheld > 0; k++) {
        done = take_held(w, t, q);
        for (size_t i = 0; done && i < w->nheld; i++) {
            w->b[i] =
                k < TIMES ? -w->rows.value[i] : -(w->rows.rate[i] + il_rows_dot(&w->rows, i, u));
        }
        done = done && push_held(w, k < TIMES ? q : u);
    }
    return done;
}

size_t il_held_contacts_list(const il_held_contacts *w, const size_t **ids, const double **forces) {
    *ids = w->held;
    *forces = w->force_on;
    return w->nheld;
}

const double *il_held_contacts_force(const il_held_contacts *w) {
    return w->f;
}

const double *il_held_contacts_impulses(const il_held_contacts *w) {
    return w->impulse;
}

const double *il_held_contacts_acceleration(il_held_contacts *w, double t, const double *q,
                                            const double *u) {
    free_acceleration(w, t, q);
    return w->nheld == 0 || hold(w, t, q, u) ? w->v : NULL;
}

/* ---- impacts and the choice of contacts ----------------------------------------------------- */

static double size_of(double unit, const double *x, size_t d) {
    return unit + il_largest(x, d);
}

/* The units of a step of h from (t, q, u): what gaps and their speeds may change in it, |M u| and
 * |u| over the horizon. */
static void take_units(il_held_contacts *w, double t, const double *q, const double *u) {
    double fastest = 0.0;
    double pushed = 0.0;
    w->unit = ONE;
    if (w->h == 0.0) {
        return;
    }
    free_acceleration(w, t, q);
    for (size_t id = 0; id < w->problem->p; id++) {
        il_rows_clear(&w->work);
        if (w->problem->type->row(w->problem, t, q, id, &w->work) != IL_OK) {
            return; /* the next look at it says so */
        }
        fastest = fmax(fastest, fabs(w->work.rate[0] + il_rows_dot(&w->work, 0, u)));
        pushed = fmax(pushed, fabs(il_rows_dot(&w->work, 0, w->v)));
    }
    il_metric_mul(w->problem->mass, u, w->x);
    w->unit = (il_units){.gap = w->h * (fastest + w->h * pushed),
                         .speed = fastest + w->h * pushed,
                         .force = fmax(il_largest(w->x, w->d) / w->problem->horizon, DBL_MIN),
                         .push = il_largest(u, w->d) / w->problem->horizon,
                         .slip = ROUNDING * t * fastest};
}

/* Solve min |x - target|_M over a_i + <b_i,x> >= 0 for w->rows into w->x. */
static il_status project(il_held_contacts *w, const double *target, il_error *err) {
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

/* The rounding of the gap of row i, whose value is a sum of terms of the size of grad g_k
 * q_k: translation changes that, and nothing else that counts as closed. */
static double rounding_of(const il_rows *rows, size_t i, const double *q) {
    double size = 0.0;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        size += fabs(rows->coef[e] * q[rows->col[e]]);
    }
    return ROUNDING * size;
}

/* Rows of the constraints that are touched at (t, q) into w->rows. */
static il_status touched(il_held_contacts *w, double t, const double *q, il_error *err) {
    il_rows_clear(&w->rows);
    for (size_t id = 0; id < w->problem->p; id++) {
        il_status status = w->problem->type->row(w->problem, t, q, id, &w->rows);
        if (status != IL_OK) {
            char words[IL_DESCRIPTION_MAX];
            return il_fail(err, status, "%s could not be computed at t = %.10g",
                           il_problem_describe(w->problem, id, words, sizeof words), t);
        }
        w->floor[id] = fmin(0.0, w->rows.value[w->rows.p - 1]);
        size_t i = w->rows.p - 1;
        if (w->rows.value[i] >
            TOUCHING * w->unit.gap + w->unit.slip + rounding_of(&w->rows, i, q)) {
            il_rows_pop(&w->rows);
        }
    }
    return IL_OK;
}

/* u+ = P_C u- - e P_N u- = (1+e) P_C u- - e u-, the rates being those relative to the constraint.
 */
static il_status strike(il_held_contacts *w, double *u, il_error *err) {
    double e = w->problem->restitution;
    bool strikes = false;
    memset(w->impulse, 0, w->problem->p * sizeof *w->impulse);
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
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        w->impulse[w->rows.id[i]] = (1.0 + e) * w->lambda[i];
    }
    return status;
}

/* Hold row i of w->rows unless it depends on those that are held: what does stays closed with them.
 * Which rows carry is the projector's choice. */
static void hold_if_independent(il_held_contacts *w, size_t i) {
    size_t n = w->nheld;
    double *products = il_independent_room(&w->independent);
    if (n >= w->room) {
        il_memory_grow(&w->W, 4 * (n + 1) * (n + 1), sizeof *w->W);
        w->room = 2 * (n + 1);
    }
    mobility(w, &w->rows, i);
    for (size_t j = 0; j < n; j++) {
        products[j] = il_rows_dot(&w->rows, w->place[j], w->x);
    }
    if (il_independent_add(&w->independent, il_rows_dot(&w->rows, i, w->x))) {
        w->place[n] = i;
        w->held[w->nheld++] = w->rows.id[i];
    }
}

/* The touched rows that neither strike nor part, into w->rows; those that the admissible
 * acceleration keeps closed are held. */
static il_status choose_held(il_held_contacts *w, double t, const double *q, const double *u,
                             il_error *err) {
    double still = RESTING * size_of(w->unit.speed, u, w->d);
    il_rows all = w->rows; /* keeps the storage of both apart */
    w->rows = w->work;
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < all.p; i++) {
        if (all.rate[i] + il_rows_dot(&all, i, u) <= still) {
            il_rows_append_row(&w->rows, &all, i);
        }
    }
    w->work = all;
    for (size_t i = 0; i < w->rows.p; i++) {
        w->a[i] = il_curvature_at(w->curvature, t, q, u, w->rows.id[i]);
    }
    free_acceleration(w, t, q);
    memcpy(w->target, w->v, w->d * sizeof *w->v);
    w->force_size = size_of(w->unit.force, w->f, w->d);
    double push_size = w->h > 0.0 ? size_of(w->unit.push, w->v, w->d) : w->force_size;
    il_status status = project(w, w->target, err);
    memcpy(w->target, w->x, w->d * sizeof *w->x);
    w->nheld = w->independent.n = 0;
    for (int zero = 0; zero < 2; zero++) { /* also those that stay closed with a zero multiplier */
        for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
            bool closed = w->a[i] + il_rows_dot(&w->rows, i, w->target) <= SLACK * push_size;
            if (closed && (w->lambda[i] > 0.0) == (zero == 0)) {
                hold_if_independent(w, i);
            }
        }
    }
    return status;
}

il_status il_held_contacts_settle(il_held_contacts *w, double t, const double *q, double *u,
                                  il_error *err) {
    take_units(w, t, q, u);
    il_status status = touched(w, t, q, err);
    status = status == IL_OK ? strike(w, u, err) : status;
    return status == IL_OK ? choose_held(w, t, q, u, err) : status;
}

static double crossed(const il_held_contacts *w) {
    return CROSSED * w->unit.gap + w->unit.slip;
}

double il_held_contacts_rounding(const il_held_contacts *w) {
    return 0.1 * crossed(w);
}

void il_held_contacts_step(il_held_contacts *w, double h) {
    w->h = h;
}

static bool is_held(const il_held_contacts *w, size_t id) {
    for (size_t i = 0; i < w->nheld; i++) {
        if (w->held[i] == id) {
            return true;
        }
    }
    return false;
}

double il_held_contacts_margin(il_held_contacts *w, double t, const double *q, const double *u) {
    double margin = INFINITY;
    il_rows_clear(&w->work);
    for (size_t id = 0; id < w->problem->p; id++) {
        if (is_held(w, id)) {
            continue;
        }
        if (w->problem->type->row(w->problem, t, q, id, &w->work) != IL_OK) {
            return NAN;
        }
        size_t i = w->work.p - 1;
        double least = w->floor[id] - crossed(w) - rounding_of(&w->work, i, q);
        margin = il_worse_low(margin, w->work.value[i] - least);
    }
    (void)il_held_contacts_acceleration(w, t, q, u);
    for (size_t i = 0; i < w->nheld; i++) {
        margin = il_worse_low(margin, w->unit.gap * (w->force_on[i] / w->force_size + SLACK));
    }
    return margin;
}

/* The least value inside (0, h) of the cubic with values g0, g1 and slopes v0 < 0, v1 > 0 at the
 * ends: where c(s) = v0 + 2 b s + 3 a s^2, its slope by s in (0, 1), changes sign. */
static double least_of_cubic(double g0, double v0, double g1, double v1, double h) {
    double m0 = h * v0;
    double m1 = h * v1;
    double a = 2.0 * (g0 - g1) + m0 + m1;
    double b = 3.0 * (g1 - g0) - 2.0 * m0 - m1;
    double s = -m0 / (b + sqrt(fmax(0.0, b * b - 3.0 * a * m0)));
    return g0 + s * (m0 + s * (b + s * a));
}

double il_held_contacts_dip(il_held_contacts *w, const double t[2], const double *const q[2],
                            const double *const u[2]) {
    double margin = INFINITY;
    for (size_t id = 0; id < w->problem->p; id++) {
        il_rows_clear(&w->work);
        for (int k = 0; k < 2 && !is_held(w, id); k++) {
            if (w->problem->type->row(w->problem, t[k], q[k], id, &w->work) != IL_OK) {
                return NAN;
            }
        }
        if (w->work.p < 2) {
            continue;
        }
        double v0 = w->work.rate[0] + il_rows_dot(&w->work, 0, u[0]);
        double v1 = w->work.rate[1] + il_rows_dot(&w->work, 1, u[1]);
        if (v0 < 0.0 && v1 > 0.0) {
            double least = least_of_cubic(w->work.value[0], v0, w->work.value[1], v1, t[1] - t[0]);
            margin = il_worse_low(margin, least - w->floor[id] + crossed(w) +
                                              rounding_of(&w->work, 0, q[0]));
        }
    }
    return margin;
}

bool il_held_contacts_end(il_held_contacts *w, double t, const double *q, const double *u) {
    return !(il_held_contacts_margin(w, t, q, u) >= 0.0);
}

void il_held_contacts_window(il_held_contacts *w, double from, double until) {
    il_curvature_window(w->curvature, from, until);
}

/* ---- creation ------------------------------------------------------------------------------- */

static void allocate(il_held_contacts *w) {
    size_t d = w->d;
    size_t p = w->problem->p;
    w->held = il_alloc_zero(2 * p, sizeof *w->held);
    w->f = il_alloc_zero(4 * d + 6 * p, sizeof *w->f);
    w->v = w->f + d;
    w->x = w->v + d;
    w->target = w->x + d;
    w->a = w->target + d;
    w->lambda = w->a + p;
    w->floor = w->lambda + p;
    w->force_on = w->floor + p;
    w->b = w->force_on + p;
    w->impulse = w->b + p;
    w->place = w->held + p;
}

il_status il_held_contacts_create(il_held_contacts **out, const il_problem *problem,
                                  const il_projector_type *projector, il_error *err) {
    *out = NULL;
    il_held_contacts *w = il_alloc_zero(1, sizeof *w);
    w->problem = problem;
    w->type = projector;
    w->d = problem->d;
    w->unit = ONE;
    w->curvature = il_curvature_create(problem);
    allocate(w);
    il_status status = projector->create(&w->projector, &(il_projector_options){0}, err);
    if (status != IL_OK) {
        il_held_contacts_destroy(w);
        return status;
    }
    *out = w;
    return IL_OK;
}

void il_held_contacts_destroy(il_held_contacts *w) {
    if (w == NULL) {
        return;
    }
    if (w->projector != NULL) {
        w->type->destroy(w->projector);
    }
    il_curvature_destroy(w->curvature);
    il_rows_free(&w->rows);
    il_rows_free(&w->work);
    free(w->held);
    free(w->W);
    il_independent_free(&w->independent);
    free(w->f);
    free(w);
}

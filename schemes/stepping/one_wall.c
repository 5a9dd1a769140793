/*
 * one_wall.c - for g(q) = a + b (x - q) at q and m the mass, step by step,
 *
 *     v = u + h fbar/m,   lambda = max(0, -(a + h b v))/(h^2 b^2/m),   u <- v + h lambda b/m,
 *     q <- q + h u,
 *
 * operation by operation as force.c and one_row.c do it, so that the bits are those of single
 * steps. Nobody sees a certificate here; what it would say of the step is looked at instead, more
 * strictly than it is judged, and a step that fails this look is not made.
 */
#include "schemes/stepping/one_wall.h"

#include <math.h>

/* A tenth of what a certificate is allowed (IL_PROJECTOR_EXACT), relative. */
static const double EXACT = 0.1 * IL_PROJECTOR_EXACT;

typedef struct {
    const il_problem *problem;
    il_rows *rows;
    double mass;
    double q, u;
} walker;

static bool suits(const il_linear *w) {
    const il_problem *problem = w->problem;
    return problem->order == 2 && problem->d == 1 && problem->p == 1 && problem->gamma0 == NULL &&
           (problem->traits & IL_ROWS_UNKNOWN) == 0 && il_metric_masses(problem->mass) != NULL &&
           (problem->type->force_mean != NULL || problem->type->force == NULL) &&
           w->options.projector->half_space && w->options.watch.see == NULL;
}

/* The velocity v is projected to x by the row b x >= -a/h. False if the answer is not certain. */
static bool project(double a, double b, double h, double mass, double v, double *x) {
    double g = a + h * (0.0 + b * v);
    *x = v;
    if (g >= 0.0) {
        return true;
    }
    double norm2 = 0.0 + b * b / mass;
    double shift = -g / (h * norm2);
    *x = v + shift * b / mass;
    double push = shift / h * h * b; /* s lambda b, of the certificate */
    double size = fabs(*x) + fabs(v);
    double left = a + h * b * *x;
    return fabs(left) <= EXACT * (fabs(a) + fabs(h * b) * size) &&
           fabs(mass * (*x - v) - push) <= EXACT * mass * size;
}

static bool make_step(walker *w, double t0, double t1) {
    const il_problem_type *type = w->problem->type;
    double h = t1 - t0;
    double f = 0.0;
    double x = 0.0;
    if (type->force_mean != NULL) {
        type->force_mean(w->problem, t0, t1, &w->q, &f);
    }
    il_rows_clear(w->rows);
    if (type->row(w->problem, t1, &w->q, 0, w->rows) != IL_OK || w->rows->start[1] != 1) {
        return false;
    }
    double v = w->u + h * (f / w->mass);
    if (!project(w->rows->value[0], w->rows->coef[0], h, w->mass, v, &x)) {
        return false;
    }
    double q = w->q + h * x;
    if (!((q - q) + (x - x) == 0.0)) {
        return false; /* not finite */
    }
    w->q = q;
    w->u = x;
    return true;
}

size_t il_one_wall_stride(void *self, size_t from, size_t to, double h, il_state *state,
                          il_stride *made) {
    il_linear *linear = self;
    if (!suits(linear)) {
        return from;
    }
    walker w = {.problem = linear->problem,
                .rows = &linear->wall,
                .mass = il_metric_masses(linear->problem->mass)[0],
                .q = state->q[0],
                .u = state->u[0]};
    size_t n = from;
    double t0 = (double)from * h;
    while (n < to) {
        double t1 = (double)(n + 1) * h;
        if (!make_step(&w, t0, t1)) {
            break;
        }
        t0 = t1;
        n++;
    }
    state->q[0] = w.q;
    state->u[0] = w.u;
    *made = (il_stride){.iterations = n - from, .solves = n - from, .rows = n - from};
    return n;
}

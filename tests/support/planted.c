/*
 * planted.c - problems with a known projection, and what a projector makes of them.
 */
#include "tests/support/planted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

double il_uniform(gsl_rng *rng, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(rng);
}

static void large_init(il_planted *w, size_t bodies) {
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    w->d = 2 * bodies;
    size_t room = 16 * bodies + 64;
    double **of_p[] = {&w->a, &w->lambda, &w->slack};
    double **of_d[] = {&w->x, &w->target, &w->mass};
    for (size_t k = 0; k < 3; k++) {
        *of_p[k] = calloc(room, sizeof(double));
        *of_d[k] = calloc(w->d, sizeof(double));
        CU_ASSERT_FATAL(*of_p[k] != NULL && *of_d[k] != NULL);
    }
}

void il_planted_free(il_planted *w) {
    il_rows_free(&w->rows);
    il_metric_destroy(w->metric);
    free(w->a);
    free(w->lambda);
    free(w->slack);
    free(w->x);
    free(w->target);
    free(w->mass);
}

/* One more row; closed rows push with probability `push`, open ones have a gap up to `far`. */
static void add_row(il_planted *w, gsl_rng *rng, size_t n, const size_t *col, const double *coef,
                    double closed, double push, double far) {
    il_rows_append(&w->rows, w->p, 0.0, 0.0, n, col, coef);
    bool touches = gsl_rng_uniform(rng) < closed;
    w->slack[w->p] = touches ? 0.0 : far * pow(10.0, il_uniform(rng, -6.0, 0.0));
    w->lambda[w->p] = touches && gsl_rng_uniform(rng) < push ? il_uniform(rng, 0.01, 2.0) : 0.0;
    w->p++;
}

static void add_pair(il_planted *w, gsl_rng *rng, size_t i, size_t j, const double *e,
                     double closed, double push, double far) {
    size_t col[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
    double coef[4] = {-e[0], -e[1], e[0], e[1]};
    add_row(w, rng, 4, col, coef, closed, push, far);
}

static void close_construction(il_planted *w, double scale) {
    double *force = calloc(w->d, sizeof *force);
    CU_ASSERT_PTR_NOT_NULL_FATAL(force);
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w->metric, w->d, w->mass, NULL), IL_OK);
    for (size_t i = 0; i < w->p; i++) {
        w->a[i] = w->slack[i] - scale * il_rows_dot(&w->rows, i, w->x);
        il_rows_axpy(&w->rows, i, scale * w->lambda[i], force);
    }
    for (size_t k = 0; k < w->d; k++) {
        w->target[k] = w->x[k] - force[k] / w->mass[k];
    }
    w->qp = (il_qp){.d = w->d,
                    .mass = w->metric,
                    .target = w->target,
                    .rows = &w->rows,
                    .a = w->a,
                    .scale = scale};
    free(force);
}

void il_plant(il_planted *w, gsl_rng *rng, const il_recipe *r) {
    size_t n = r->side * r->side;
    large_init(w, n);
    for (size_t i = 0; i < n; i++) {
        double mass = exp(il_uniform(rng, 0.0, log(r->ratio)));
        for (size_t c = 0; c < 2; c++) {
            w->mass[2 * i + c] = mass;
            w->x[2 * i + c] = il_uniform(rng, -1.0, 1.0);
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t column = i % r->side;
        size_t row = i / r->side;
        double e[3][2] = {{1.0, 0.0}, {0.5, sqrt(0.75)}, {-0.5, sqrt(0.75)}};
        bool even = row % 2 == 0;
        bool there[3] = {column + 1 < r->side, row + 1 < r->side && (even || column + 1 < r->side),
                         row + 1 < r->side && (!even || column > 0)};
        size_t right = i + r->side + (even ? 0 : 1);
        size_t other[3] = {i + 1, right, right - 1};
        for (size_t k = 0; k < 3; k++) {
            double turn = r->jitter * il_uniform(rng, -1.0, 1.0);
            double f[2] = {cos(turn) * e[k][0] - sin(turn) * e[k][1],
                           sin(turn) * e[k][0] + cos(turn) * e[k][1]};
            for (size_t copy = 0; there[k] && copy < (r->duplicates && i % 7 == 0 ? 2 : 1);
                 copy++) {
                add_pair(w, rng, i, other[k], f, r->closed, r->push, r->far);
            }
        }
        double up = 1.0;
        double down = -1.0;
        size_t col[2] = {2 * i, 2 * i + 1};
        if (r->walls && row == 0) {
            add_row(w, rng, 1, &col[1], &up, r->closed, r->push, r->far);
        }
        if (r->walls && (column == 0 || column + 1 == r->side)) {
            add_row(w, rng, 1, &col[0], column == 0 ? &up : &down, r->closed, r->push, r->far);
        }
    }
    close_construction(w, il_uniform(rng, 0.1, 2.0));
}

/* The same with random numbers of its own. */
void il_plant_alone(il_planted *w, il_recipe r) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    il_plant(w, rng, &r);
    gsl_rng_free(rng);
}

il_recipe il_recipe_random(gsl_rng *rng, size_t side) {
    static const double part[] = {1.0, 0.9, 0.5};
    return (il_recipe){.side = side,
                       .jitter = gsl_rng_uniform(rng) < 0.5 ? 0.0 : 0.3,
                       .closed = part[gsl_rng_uniform_int(rng, 3)],
                       .push = part[gsl_rng_uniform_int(rng, 3)],
                       .ratio = gsl_rng_uniform(rng) < 0.5 ? 1.0 + 1e-9 : 1e6,
                       .far = pow(10.0, il_uniform(rng, -3.0, 1.0)),
                       .walls = gsl_rng_uniform(rng) < 0.5,
                       .duplicates = gsl_rng_uniform(rng) < 0.3};
}

const il_projector_type *il_answer_type(const char *name) {
    const il_projector_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &type, NULL), IL_OK);
    return type;
}

void il_answer_init(il_answer *s, const il_qp *qp) {
    s->x = calloc(qp->d, sizeof *s->x);
    s->lambda = calloc(qp->rows->p + 1, sizeof *s->lambda);
    s->work = calloc(2 * qp->d, sizeof *s->work);
    CU_ASSERT_FATAL(s->x != NULL && s->lambda != NULL && s->work != NULL);
}

void il_answer_free(il_answer *s) {
    free(s->x);
    free(s->lambda);
    free(s->work);
}

/* A projector of its own and room for its answer on qp; end certifies what it left there. */
void *il_answer_begin(const char *name, il_projector_options options, const il_qp *qp,
                      il_answer *s) {
    void *self = NULL;
    il_answer_init(s, qp);
    CU_ASSERT_EQUAL_FATAL(il_answer_type(name)->create(&self, &options, NULL), IL_OK);
    return self;
}

void il_answer_end(const char *name, void *self, const il_qp *qp, il_answer *s) {
    s->certificate = il_certify(qp, s->x, s->lambda, s->work);
    il_answer_type(name)->destroy(self);
}

void il_answer_solve(const il_qp *qp, const char *name, double tolerance, il_answer *s) {
    void *self = il_answer_begin(name, (il_projector_options){.tolerance = tolerance}, qp, s);
    s->status = il_answer_type(name)->solve(self, qp, s->x, s->lambda, &s->info);
    il_answer_end(name, self, qp, s);
}

double il_answer_distance(const double *x, const double *y, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        double d = fabs(x[k] - y[k]);
        most = d <= most ? most : d;
    }
    return most;
}

/* max_i |min(lambda_i W_ii, g_i)|, from the data. */
double il_answer_residual(const il_qp *qp, const double *x, const double *lambda) {
    const double *mass = il_metric_masses(qp->mass);
    double worst = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double delassus = 0.0;
        for (size_t e = qp->rows->start[i]; e < qp->rows->start[i + 1]; e++) {
            delassus += qp->rows->coef[e] * qp->rows->coef[e] / mass[qp->rows->col[e]];
        }
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        double off = fabs(fmin(lambda[i] * delassus * qp->scale * qp->scale, g));
        worst = off <= worst ? worst : off;
    }
    return worst;
}

/*
 * factors.c - our sparse Cholesky factors against CHOLMOD's, simplicial and supernodal, on the
 * matrices that runs spend their time on:
 *
 *     H = M + s^2 B' diag(w) B,   w_i = sigma/W_ii on the active rows, 0 on the others,
 *
 * of the frozen step problems of steps.h, sigma W = 1e6 as newton begins with. One thread; both
 * order by approximate minimum degree. Three times, each the least of some repetitions in turn:
 *
 *     analyse   ordering and layout from the rows; of CHOLMOD from the pattern of H, whose making
 *               is not counted
 *     factor    numbers of H from the rows, the factor, and one solve with it
 *     solve     one more solve
 *
 * CHOLMOD receives the numbers of H through a map made with the pattern, the fastest way that it
 * has. Its supernodal method is as fast as the BLAS at hand; which one that was is the caller's to
 * say. Answers must agree to CLOSE, or the status is 1.
 *
 * usage: factors LABEL [FILE.csv | -] [MEMBER]
 *
 * LABEL names the BLAS; FILE.csv receives one line a number: bench,case,quantity,value; MEMBER is
 * the only one that is measured
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

#include "harness/base/memory.h"
#include "harness/run/registry.h"
#include "schemes/projection/sparse/sparse.h"
#include "tests/bench/clock.h"
#include "tests/bench/steps.h"

/* Penalty relative to the compliance of a row, as newton begins. H then has condition up to 1e6
 * times the ratio of masses, so that two answers agree to ten digits or worse; CLOSE leaves two. */
static const double SIGMA = 1e6;
static const double CLOSE = 1e-8;

/* Repetitions, and the seconds after which they end. */
enum { REPETITIONS = 40 };
static const double ENOUGH = 1.5;

typedef struct {
    double analyse, factor, solve; /* s, the least so far */
    double numbers;                /* in the factor */
} times;

enum { OURS, SIMPLICIAL, SUPERNODAL, METHODS };
static const char *const names[METHODS] = {"ours", "simplicial", "supernodal"};

/* One member's matrix, and what CHOLMOD needs of it. */
typedef struct {
    const il_qp *qp;
    const double *mass;
    il_rows rows;   /* [p] the active rows */
    double *weight; /* [p] s^2 sigma_i */
    double *b;      /* [d] right-hand side */
    double *x[METHODS];
    cholmod_common common[METHODS];
    cholmod_sparse *H; /* lower triangle */
    int *map;          /* entry of H for every product of two coefficients of a row, in order */
    int *diagonal;     /* [d] */
} matrix;

static void keep_least(double *least, double began) {
    *least = fmin(*least, il_bench_now() - began);
}

/* ---- H for CHOLMOD --------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    const long *x = a;
    const long *y = b;
    return (*x > *y) - (*x < *y);
}

/* All places (column, row >= column) of H, as column d + row, sorted and without repetition. */
static size_t list_places(const matrix *m, long *place) {
    const il_rows *rows = &m->rows;
    size_t d = m->qp->d;
    size_t n = 0;
    for (size_t k = 0; k < d; k++) {
        place[n++] = (long)(k * d + k);
    }
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            for (size_t f = rows->start[i]; f < rows->start[i + 1]; f++) {
                if (rows->col[f] >= rows->col[e]) {
                    place[n++] = (long)(rows->col[e] * d + rows->col[f]);
                }
            }
        }
    }
    qsort(place, n, sizeof *place, by_value);
    size_t unique = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || place[k] != place[k - 1]) {
            place[unique++] = place[k];
        }
    }
    return unique;
}

static int find(const long *place, size_t n, size_t column, size_t row, size_t d) {
    long key = (long)(column * d + row);
    const long *at = bsearch(&key, place, n, sizeof *place, by_value);
    return (int)(at - place);
}

static size_t products(const matrix *m) {
    size_t n = m->qp->d;
    for (size_t i = 0; i < m->rows.p; i++) {
        size_t k = m->rows.start[i + 1] - m->rows.start[i];
        n += k * (k + 1) / 2;
    }
    return n;
}

/* The pattern of H, and where every product goes. */
static bool make_pattern(matrix *m, cholmod_common *common) {
    const il_rows *rows = &m->rows;
    size_t d = m->qp->d;
    long *place = malloc(products(m) * sizeof *place);
    if (place == NULL) {
        return false;
    }
    size_t n = list_places(m, place);
    m->H = cholmod_allocate_sparse(d, d, n, 1, 1, -1, CHOLMOD_REAL, common);
    int *start = m->H->p;
    int *row = m->H->i;
    memset(start, 0, (d + 1) * sizeof *start);
    for (size_t k = 0; k < n; k++) {
        start[(size_t)place[k] / d + 1]++;
        row[k] = (int)((size_t)place[k] % d);
    }
    for (size_t k = 0; k < d; k++) {
        start[k + 1] += start[k];
        m->diagonal[k] = find(place, n, k, k, d);
    }
    size_t at = 0;
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            for (size_t f = rows->start[i]; f < rows->start[i + 1]; f++) {
                if (rows->col[f] >= rows->col[e]) {
                    m->map[at++] = find(place, n, rows->col[e], rows->col[f], d);
                }
            }
        }
    }
    free(place);
    return true;
}

static void fill(matrix *m) {
    const il_rows *rows = &m->rows;
    double *H = m->H->x;
    memset(H, 0, m->H->nzmax * sizeof *H);
    for (size_t k = 0; k < m->qp->d; k++) {
        H[m->diagonal[k]] = m->mass[k];
    }
    size_t at = 0;
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            double we = m->weight[i] * rows->coef[e];
            for (size_t f = rows->start[i]; f < rows->start[i + 1]; f++) {
                if (rows->col[f] >= rows->col[e]) {
                    H[m->map[at++]] += we * rows->coef[f];
                }
            }
        }
    }
}

/* ---- the two sides --------------------------------------------------------------------------- */

static bool ours(matrix *m, il_sparse *f, times *t) {
    size_t bytes = m->qp->d * sizeof *m->b;
    double *x = m->x[OURS];
    /* an analysis that is still there would not be made: one of no rows comes between */
    if (il_sparse_analyse(f, m->qp->d, &(il_rows){.p = 0}) != IL_OK) {
        return false;
    }
    size_t before = il_sparse_analyses(f);
    double began = il_bench_now();
    if (il_sparse_analyse(f, m->qp->d, &m->rows) != IL_OK) {
        return false;
    }
    keep_least(&t->analyse, began);
    if (il_sparse_analyses(f) != before + 1) {
        return false;
    }
    t->numbers = (double)il_sparse_size(f);
    memcpy(x, m->b, bytes);
    began = il_bench_now();
    if (il_sparse_factor(f, m->mass, &m->rows, m->weight, x) != IL_OK) {
        return false;
    }
    keep_least(&t->factor, began);
    memcpy(x, m->b, bytes);
    began = il_bench_now();
    il_sparse_solve(f, x);
    keep_least(&t->solve, began);
    return true;
}

static bool theirs(matrix *m, int method, times *t) {
    cholmod_common *c = &m->common[method];
    cholmod_dense b = {.nrow = m->qp->d,
                       .ncol = 1,
                       .nzmax = m->qp->d,
                       .d = m->qp->d,
                       .x = m->b,
                       .xtype = CHOLMOD_REAL};
    cholmod_dense *x = NULL;
    cholmod_dense *y = NULL;
    cholmod_dense *e = NULL;
    if (!make_pattern(m, c)) {
        return false;
    }
    double began = il_bench_now();
    cholmod_factor *L = cholmod_analyze(m->H, c);
    keep_least(&t->analyse, began);
    /* the first pass allocates, the second is timed */
    for (int pass = 0; pass < 2 && L != NULL; pass++) {
        began = il_bench_now();
        fill(m);
        if (!cholmod_factorize(m->H, L, c) ||
            !cholmod_solve2(CHOLMOD_A, L, &b, NULL, &x, NULL, &y, &e, c)) {
            break;
        }
        if (pass > 0) {
            keep_least(&t->factor, began);
            began = il_bench_now();
            (void)cholmod_solve2(CHOLMOD_A, L, &b, NULL, &x, NULL, &y, &e, c);
            keep_least(&t->solve, began);
        }
    }
    bool solved = L != NULL && x != NULL && c->status == CHOLMOD_OK;
    if (solved) {
        memcpy(m->x[method], x->x, m->qp->d * sizeof(double));
        t->numbers = L->is_super ? (double)L->xsize : c->lnz;
    }
    (void)cholmod_free_dense(&x, c);
    (void)cholmod_free_dense(&y, c);
    (void)cholmod_free_dense(&e, c);
    (void)cholmod_free_factor(&L, c);
    (void)cholmod_free_sparse(&m->H, c);
    return solved;
}

/* |x - y| / |x|, Euclidean. */
static double apart(const double *x, const double *y, size_t d) {
    double difference = 0.0;
    double size = 0.0;
    for (size_t k = 0; k < d; k++) {
        difference += (x[k] - y[k]) * (x[k] - y[k]);
        size += x[k] * x[k];
    }
    return sqrt(difference / size);
}

/* ---- one member ------------------------------------------------------------------------------ */

/* The active rows in the member's answer, their weights, and a right-hand side. */
static bool make_matrix(matrix *m, const il_qp *qp) {
    const il_projector_type *type = NULL;
    void *projector = NULL;
    il_projector_options options = {.tolerance = 0.0};
    il_projection_info info = {0};
    size_t p = qp->rows->p;
    double *lambda = il_alloc_zero(p, sizeof *lambda);
    m->qp = qp;
    m->mass = il_metric_masses(qp->mass);
    il_rows_init(&m->rows);
    m->weight = il_alloc_zero(p, sizeof *m->weight);
    m->b = il_alloc_zero((1 + METHODS) * qp->d, sizeof *m->b);
    m->diagonal = il_alloc_zero(qp->d, sizeof *m->diagonal);
    for (int k = 0; k < METHODS; k++) {
        m->x[k] = m->b + (size_t)(k + 1) * qp->d;
    }
    bool solved = il_projector_type_find("newton", &type, NULL) == IL_OK &&
                  type->create(&projector, &options, NULL) == IL_OK &&
                  type->solve(projector, qp, m->x[OURS], lambda, &info) == IL_OK;
    for (size_t i = 0; solved && i < p; i++) {
        if (lambda[i] > 0.0) {
            m->weight[m->rows.p] = SIGMA / il_rows_norm2(qp->rows, i, m->mass);
            il_rows_append_row(&m->rows, qp->rows, i);
        }
    }
    for (size_t k = 0; k < qp->d; k++) {
        m->b[k] = m->mass[k] * (qp->target[k] - m->x[OURS][k]);
    }
    type->destroy(projector);
    free(lambda);
    m->map = solved ? il_alloc_zero(products(m), sizeof *m->map) : NULL;
    return solved && products(m) > qp->d; /* something pushes */
}

static void release_matrix(matrix *m) {
    il_rows_free(&m->rows);
    free(m->weight);
    free(m->b);
    free(m->diagonal);
    free(m->map);
}

static void start_cholmod(matrix *m) {
    for (int k = SIMPLICIAL; k < METHODS; k++) {
        cholmod_common *c = &m->common[k];
        (void)cholmod_start(c);
        c->supernodal = k == SIMPLICIAL ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
        c->nmethods = 1;
        c->method[0].ordering = CHOLMOD_AMD;
        c->print = 0;
    }
}

static void print(FILE *csv, const char *label, const char *name, const times t[METHODS]) {
    for (int k = 0; k < METHODS; k++) {
        (void)printf("    %-11s %9.3f %9.3f %9.3f   %8.2f %8.2f %8.2f   %10.0f\n", names[k],
                     1e3 * t[k].analyse, 1e3 * t[k].factor, 1e3 * t[k].solve,
                     t[k].analyse / t[OURS].analyse, t[k].factor / t[OURS].factor,
                     t[k].solve / t[OURS].solve, t[k].numbers);
        if (csv != NULL && k != OURS) {
            (void)fprintf(csv, "factors,%s/%s/%s,analyse_ratio,%.6g\n", name, names[k], label,
                          t[k].analyse / t[OURS].analyse);
            (void)fprintf(csv, "factors,%s/%s/%s,factor_ratio,%.6g\n", name, names[k], label,
                          t[k].factor / t[OURS].factor);
            (void)fprintf(csv, "factors,%s/%s/%s,solve_ratio,%.6g\n", name, names[k], label,
                          t[k].solve / t[OURS].solve);
        }
    }
}

/* Measure one member; false when a side fails or the answers are apart. */
static bool measure(FILE *csv, const char *label, const il_bench_member *member) {
    il_bench_step step;
    il_error err = {IL_OK, ""};
    matrix m = {0};
    times t[METHODS];
    for (int k = 0; k < METHODS; k++) {
        t[k] = (times){INFINITY, INFINITY, INFINITY, 0.0};
    }
    bool good = il_bench_step_make(&step, member, &err) == IL_OK && make_matrix(&m, &step.qp);
    il_sparse *f = il_sparse_create();
    start_cholmod(&m);
    double began = il_bench_now();
    for (int r = 0; good && f != NULL && r < REPETITIONS && il_bench_now() - began < ENOUGH; r++) {
        good = ours(&m, f, &t[OURS]);
        for (int k = SIMPLICIAL; good && k < METHODS; k++) {
            good = theirs(&m, k, &t[k]);
        }
    }
    for (int k = SIMPLICIAL; good && k < METHODS; k++) {
        double far = apart(m.x[OURS], m.x[k], step.qp.d);
        good = far <= CLOSE;
        if (!good) {
            (void)fprintf(stderr, "factors: %s: answers are %.1e apart\n", member->name, far);
        }
    }
    (void)printf("  %s: %zu unknowns, %zu products of active rows\n", member->name, step.qp.d,
                 good ? products(&m) - step.qp.d : 0);
    print(csv, label, member->name, t);
    for (int k = SIMPLICIAL; k < METHODS; k++) {
        (void)cholmod_finish(&m.common[k]);
    }
    il_sparse_destroy(f);
    release_matrix(&m);
    il_bench_step_release(&step);
    return good;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4) {
        (void)fputs("usage: factors LABEL [FILE.csv | -] [MEMBER]\n", stderr);
        return 2;
    }
    bool stored = argc > 2 && strcmp(argv[2], "-") != 0;
    FILE *csv = stored ? fopen(argv[2], "a") : NULL;
    if (stored && csv == NULL) {
        (void)fprintf(stderr, "factors: cannot write '%s'\n", argv[2]);
        return 2;
    }
    bool good = true;
    (void)printf("  BLAS: %s; ms, and ratios to ours\n    %-11s %9s %9s %9s   %8s %8s %8s   %10s\n",
                 argv[1], "", "analyse", "factor", "solve", "analyse", "factor", "solve",
                 "numbers");
    for (size_t k = 0; il_bench_member_at(k) != NULL; k++) {
        const il_bench_member *member = il_bench_member_at(k);
        if (argc < 4 || strcmp(argv[3], member->name) == 0) {
            good = measure(csv, argv[1], member) && good;
        }
        (void)fflush(stdout);
    }
    if (csv != NULL && fclose(csv) != 0) {
        (void)fprintf(stderr, "factors: cannot write '%s'\n", argv[2]);
        good = false;
    }
    return good ? 0 : 1;
}

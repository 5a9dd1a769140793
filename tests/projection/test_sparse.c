/*
 * test_sparse.c - the multifrontal factor, against GSL's dense one and CHOLMOD's.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

#include "schemes/projection/sparse/layout.h"
#include "schemes/projection/sparse/sparse.h"
#include "tests/support/suite.h"

/* ---- patterns -------------------------------------------------------------------------------- */

/* 2 d rows between coordinates near each other, so that fronts are of all sizes: one to three
 * entries of any sign, each less than `reach` + 1 from the one before, but for a part left out.
 * Every seventh coordinate is in no row. */
static void rows_nearby(il_rows *rows, gsl_rng *rng, size_t d, size_t reach, double left_out) {
    il_rows_clear(rows);
    for (size_t i = 0; i < 2 * d; i++) {
        size_t n = 0;
        size_t col[3];
        double coef[3];
        size_t k = i / 2;
        for (size_t e = 0; e < 3 && k < d; e++, k += 1 + gsl_rng_uniform_int(rng, reach)) {
            if (k % 7 != 3) {
                col[n] = k;
                coef[n++] = 2.0 * gsl_rng_uniform(rng) - 1.0;
            }
        }
        if (gsl_rng_uniform(rng) >= left_out) {
            il_rows_append(rows, i, 0.0, 0.0, n, col, coef);
        }
    }
}

/* side x side bodies in hexagonal order, two coordinates each, a row for all neighbours but a part
 * left out. */
static void rows_of_lattice(il_rows *rows, gsl_rng *rng, size_t side, double left_out) {
    static const double one[4] = {-1.0, -1.0, 1.0, 1.0};
    il_rows_clear(rows);
    size_t x = 0; /* i = side y + x */
    size_t y = 0;
    for (size_t i = 0; i < side * side; i++) {
        size_t next[3] = {i + 1, i + side, i + side + 1};
        bool there[3] = {x + 1 < side, y + 1 < side, x + 1 < side && y + 1 < side};
        for (int n = 0; n < 3; n++) {
            size_t j = next[n];
            size_t col[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
            if (there[n] && gsl_rng_uniform(rng) >= left_out) {
                il_rows_append(rows, rows->p, 0.0, 0.0, 4, col, one);
            }
        }
        x = x + 1 < side ? x + 1 : 0;
        y += x == 0;
    }
}

static const double EPS = 2.220446049250313e-16;

/* Masses are at least 1, so that the condition is at most the norm of H. Two methods, each with n
 * roundings in a row. */
static double of_sparse(double norm, size_t n) {
    return 2.0 * norm * EPS * (double)n;
}

static double larger(double worst, double x) {
    return fabs(x) <= worst ? worst : fabs(x); /* NaN is the largest */
}

/* x = H^{-1} x by GSL; returns the largest sum of |H| over a row. */
static double dense_solve(size_t d, const double *mass, const il_rows *rows, const double *weight,
                          double *x) {
    gsl_matrix *h = gsl_matrix_calloc(d, d);
    gsl_vector_view v = gsl_vector_view_array(x, d);
    for (size_t k = 0; k < d; k++) {
        gsl_matrix_set(h, k, k, mass[k]);
    }
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            for (size_t g = rows->start[i]; g < rows->start[i + 1]; g++) {
                *gsl_matrix_ptr(h, rows->col[e], rows->col[g]) +=
                    weight[i] * rows->coef[e] * rows->coef[g];
            }
        }
    }
    double norm = 0.0;
    for (size_t k = 0; k < d; k++) {
        gsl_vector_view row = gsl_matrix_row(h, k);
        norm = fmax(norm, gsl_blas_dasum(&row.vector));
    }
    CU_ASSERT_EQUAL(gsl_linalg_cholesky_decomp1(h), GSL_SUCCESS);
    gsl_linalg_cholesky_svx(h, &v.vector);
    gsl_matrix_free(h);
    return norm;
}

enum { MOST = 400, FACTORS = 2 };

typedef struct {
    il_sparse *factor[FACTORS]; /* the fastest, the portable */
    il_rows rows;
    double mass[MOST], weight[2 * MOST], b[MOST], x[FACTORS][MOST], y[MOST];
} sparse_case;

/* Two factorisations from one analysis; the second has rows of weight zero, and other weights. */
static void solve_both(sparse_case *c, gsl_rng *rng, size_t d) {
    for (size_t k = 0; k < FACTORS; k++) {
        CU_ASSERT_EQUAL(il_sparse_analyse(c->factor[k], d, &c->rows), IL_OK);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < c->rows.p; i++) {
            bool off = pass == 1 && i % 3 == 0;
            c->weight[i] = off ? 0.0 : pow(10.0, 6.0 * gsl_rng_uniform(rng) - 3.0);
        }
        for (size_t k = 0; k < FACTORS; k++) {
            memcpy(c->y, c->b, d * sizeof(double));
            CU_ASSERT_EQUAL(il_sparse_factor(c->factor[k], c->mass, &c->rows, c->weight, c->y),
                            IL_OK);
            memcpy(c->x[k], c->b, d * sizeof(double));
            il_sparse_solve(c->factor[k], c->x[k]);
            CU_ASSERT(memcmp(c->x[k], c->y, d * sizeof(double)) == 0);
        }
        memcpy(c->y, c->b, d * sizeof(double));
        double norm = dense_solve(d, c->mass, &c->rows, c->weight, c->y);
        double worst = 0.0;
        double size = 0.0;
        for (size_t k = 0; k < d; k++) {
            worst = larger(worst, c->x[0][k] - c->y[k]);
            size = larger(size, c->y[k]);
        }
        CU_ASSERT(worst <= of_sparse(norm, d) * size);
        CU_ASSERT(memcmp(c->x[0], c->x[1], d * sizeof(double)) == 0);
    }
}

static void on_all_patterns(void (*what)(sparse_case *c, gsl_rng *rng, size_t d)) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    sparse_case *c = calloc(1, sizeof *c);
    CU_ASSERT_FATAL(c != NULL);
    il_rows_init(&c->rows);
    c->factor[0] = il_sparse_create();
    c->factor[1] = il_sparse_create_portable();
    CU_ASSERT_FATAL(c->factor[0] != NULL && c->factor[1] != NULL);
    for (size_t trial = 0; trial < 60; trial++) {
        size_t d = trial < 40 ? 1 + gsl_rng_uniform_int(rng, 80) : MOST - trial;
        rows_nearby(&c->rows, rng, d, trial % 4 == 0 ? d : 1 + gsl_rng_uniform_int(rng, 12),
                    trial % 3 > 0 ? 0.0 : 0.7);
        for (size_t k = 0; k < d; k++) {
            c->mass[k] = 1.0 + gsl_rng_uniform(rng);
            c->b[k] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        what(c, rng, d);
    }
    for (size_t k = 0; k < FACTORS; k++) {
        il_sparse_destroy(c->factor[k]);
    }
    il_rows_free(&c->rows);
    free(c);
    gsl_rng_free(rng);
}

static void the_sparse_factor_is_the_dense_one(void) {
    on_all_patterns(solve_both);
}

/* A mass so negative that no row makes up for it. */
static void spoil_a_mass(sparse_case *c, gsl_rng *rng, size_t d) {
    size_t at = gsl_rng_uniform_int(rng, d);
    bool touched = false;
    for (size_t i = 0; i < c->rows.p; i++) {
        c->weight[i] = 1.0;
        for (size_t e = c->rows.start[i]; e < c->rows.start[i + 1]; e++) {
            touched = touched || c->rows.col[e] == at;
        }
    }
    c->mass[at] = -1e6;
    for (size_t k = 0; k < FACTORS; k++) {
        CU_ASSERT_EQUAL(il_sparse_analyse(c->factor[k], d, &c->rows), IL_OK);
        memcpy(c->y, c->b, d * sizeof(double));
        CU_ASSERT_EQUAL(il_sparse_factor(c->factor[k], c->mass, &c->rows, c->weight, c->y),
                        touched ? IL_ENUMERIC : IL_OK);
    }
}

static void a_matrix_that_is_not_positive_is_told(void) {
    on_all_patterns(spoil_a_mass);
}

/* The first half of a solve for one row, by the fronts above it as by all. */
static void compare_lower_rows(il_sparse *f, const il_rows *rows, size_t d) {
    double *all = malloc(2 * d * sizeof *all);
    int *which = malloc(d * sizeof *which);
    CU_ASSERT_FATAL(all != NULL && which != NULL);
    double *own = all + d;
    for (size_t i = 0; i < rows->p; i += 1 + rows->p / 16) {
        memset(all, 0, 2 * d * sizeof *all);
        il_rows_axpy(rows, i, 0.7, all);
        il_rows_axpy(rows, i, 0.7, own);
        il_sparse_lower(f, all);
        size_t n = il_sparse_lower_row(f, rows, i, own, which);
        size_t at = 0;
        for (size_t k = 0; k < d; k++) {
            CU_ASSERT_FATAL(all[k] == own[k]);
            CU_ASSERT_FATAL(own[k] == 0.0 || (at < n && which[at] == (int)k));
            at += own[k] != 0.0;
        }
        CU_ASSERT(at == n && n >= 4);
    }
    free(all);
    free(which);
}

/* A team's factor and solves of large matrices have the bits of one thread; there are branches, and
 * a front of the trunk is large enough to be shared (160). */
static void one_pattern_by_teams(const il_rows *rows, size_t d, bool large, gsl_rng *rng) {
    enum { TEAMS = 3 };
    static const size_t sizes[TEAMS] = {1, 2, 4};
    double *number = calloc(4 * d + rows->p, sizeof *number);
    size_t touched = rows->col[rows->nnz / 2];
    CU_ASSERT_FATAL(number != NULL);
    double *mass = number;
    double *right = number + d;
    double *x = number + 2 * d;
    double *first = number + 3 * d;
    double *weight = number + 4 * d;
    for (size_t k = 0; k < d; k++) {
        mass[k] = 1.0 + gsl_rng_uniform(rng);
        right[k] = 2.0 * gsl_rng_uniform(rng) - 1.0;
    }
    for (size_t i = 0; i < rows->p; i++) {
        weight[i] = 100.0 * gsl_rng_uniform(rng);
    }
    for (size_t t = 0; t < TEAMS; t++) {
        il_team *team = NULL;
        il_sparse *f = il_sparse_create();
        CU_ASSERT_EQUAL_FATAL(il_team_create(&team, sizes[t], NULL), IL_OK);
        CU_ASSERT_FATAL(f != NULL);
        il_sparse_share(f, team);
        CU_ASSERT_EQUAL(il_sparse_analyse(f, d, rows), IL_OK);
        memcpy(x, right, d * sizeof *x);
        CU_ASSERT_EQUAL(il_sparse_factor(f, mass, rows, weight, x), IL_OK);
        memcpy(first, t == 0 ? x : first, d * sizeof *x);
        CU_ASSERT_EQUAL(memcmp(first, x, d * sizeof *x), 0);
        memcpy(x, right, d * sizeof *x);
        il_sparse_solve(f, x);
        CU_ASSERT_EQUAL(memcmp(first, x, d * sizeof *x), 0);
        compare_lower_rows(f, rows, d);
        CU_ASSERT(t == 0 ? f->branches == 0 : f->branches >= 4);
        CU_ASSERT(!large || f->largest >= 160);
        double kept = mass[touched];
        mass[touched] = -1e9;
        CU_ASSERT_EQUAL(il_sparse_factor(f, mass, rows, weight, x), IL_ENUMERIC);
        mass[touched] = kept;
        il_sparse_destroy(f);
        il_team_destroy(team);
    }
    free(number);
}

static void teams_have_the_bits_of_one_thread(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_rows rows = {.p = 0};
    for (size_t side = 40; side <= 120; side += 40) {
        rows_of_lattice(&rows, rng, side, side == 80 ? 0.5 : 0.05); /* 0.5: a forest */
        one_pattern_by_teams(&rows, 2 * side * side, side == 120, rng);
    }
    il_rows_free(&rows);
    gsl_rng_free(rng);
}

/* The rows' part of H, lower triangle, for CHOLMOD; repeated entries are summed there. */
static cholmod_sparse *triplets(const sparse_case *c, size_t d, cholmod_common *common) {
    cholmod_triplet *T =
        cholmod_allocate_triplet(d, d, d + 9 * c->rows.p, -1, CHOLMOD_REAL, common);
    int *row = T->i;
    int *column = T->j;
    double *x = T->x;
    for (size_t k = 0; k < d; k++) {
        row[T->nnz] = column[T->nnz] = (int)k;
        x[T->nnz++] = c->mass[k];
    }
    for (size_t i = 0; i < c->rows.p; i++) {
        for (size_t e = c->rows.start[i]; e < c->rows.start[i + 1]; e++) {
            for (size_t f = c->rows.start[i]; f < c->rows.start[i + 1]; f++) {
                if (c->rows.col[f] <= c->rows.col[e]) {
                    row[T->nnz] = (int)c->rows.col[e];
                    column[T->nnz] = (int)c->rows.col[f];
                    x[T->nnz++] = c->weight[i] * c->rows.coef[e] * c->rows.coef[f];
                }
            }
        }
    }
    cholmod_sparse *H = cholmod_triplet_to_sparse(T, T->nnz, common);
    (void)cholmod_free_triplet(&T, common);
    return H;
}

/* y = H^{-1} b by CHOLMOD's supernodal method. */
static bool cholmod_answer(sparse_case *c, size_t d) {
    cholmod_common common;
    (void)cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    cholmod_sparse *H = triplets(c, d, &common);
    cholmod_factor *L = cholmod_analyze(H, &common);
    cholmod_dense b = {.nrow = d, .ncol = 1, .nzmax = d, .d = d, .x = c->b, .xtype = CHOLMOD_REAL};
    bool solved = cholmod_factorize(H, L, &common) != 0;
    cholmod_dense *x = solved ? cholmod_solve(CHOLMOD_A, L, &b, &common) : NULL;
    solved = x != NULL && common.status == CHOLMOD_OK;
    if (solved) {
        memcpy(c->y, x->x, d * sizeof(double));
    }
    (void)cholmod_free_dense(&x, &common);
    (void)cholmod_free_factor(&L, &common);
    (void)cholmod_free_sparse(&H, &common);
    (void)cholmod_finish(&common);
    return solved;
}

/* The vector that solve_both left in x is the answer of its second pass, with the weights at hand.
 */
static void agrees_with_cholmod(sparse_case *c, gsl_rng *rng, size_t d) {
    solve_both(c, rng, d);
    CU_ASSERT_FATAL(cholmod_answer(c, d));
    double norm = 0.0;
    double size = 0.0;
    for (size_t k = 0; k < d; k++) {
        norm = fmax(norm, c->mass[k]);
        size = fmax(size, fabs(c->y[k]));
    }
    for (size_t i = 0; i < c->rows.p; i++) {
        norm += c->weight[i]; /* coefficients are at most 1: more than the largest row sum */
    }
    for (size_t k = 0; k < d; k++) {
        CU_ASSERT(fabs(c->x[0][k] - c->y[k]) <= of_sparse(norm, d) * size);
    }
}

static void the_sparse_factor_is_that_of_cholmod(void) {
    on_all_patterns(agrees_with_cholmod);
}

static const il_test tests[] = {
    {"teams have the bits of one thread", teams_have_the_bits_of_one_thread},
    {"the sparse factor is the dense one", the_sparse_factor_is_the_dense_one},
    {"the sparse factor is that of CHOLMOD", the_sparse_factor_is_that_of_cholmod},
    {"a matrix that is not positive is told", a_matrix_that_is_not_positive_is_told},
    {NULL, NULL}};

const il_suite il_suite_sparse = {"sparse", tests};

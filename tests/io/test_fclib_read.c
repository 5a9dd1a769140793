/*
 * test_fclib_read.c - contact problems of FCLib solved: two hundred that are built from their
 * answers, as global problems and as local ones that FCLib's own library wrote.
 */
#include <fclib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/fclib_file.h"
#include "tests/support/planted.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* Rounding of sums of a few numbers of order ten, and what factors of a matrix of thirty rows with
 * dependent ones leave of them. */
static const double ROUNDING = 1e-11;
static const double LOCAL = 1e-6;

static char folder[IL_SCRATCH_ROOM];

static const char *path_in(const char *name) {
    static char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(folder, name, path);
    return path;
}

/* The step problem of a planted projection; arrays stay the planted one's but for x and lambda. */
static il_step_problem kept_of(il_planted *w, const il_answer *s) {
    return (il_step_problem){.kept = true,
                             .d = w->d,
                             .mass = w->metric,
                             .rows = w->rows,
                             .scale = w->qp.scale,
                             .target = w->target,
                             .x = s->x,
                             .a = w->a,
                             .lambda = s->lambda};
}

static void random_global_problems_are_read_back_and_solved(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_scratch_open(folder);
    for (size_t trial = 0; trial < 50; trial++) {
        il_planted w;
        il_answer ours;
        il_answer read;
        il_fclib_problem p;
        il_error err = {IL_OK, ""};
        il_recipe r = il_recipe_random(rng, 2 + trial % 4);
        il_plant(&w, rng, &r);
        il_answer_solve(&w.qp, "auto", 0.0, &ours);
        il_step_problem kept = kept_of(&w, &ours);
        CU_ASSERT_EQUAL_FATAL(il_fclib_write(&kept, path_in("x.hdf5"), "t", "{}", &err), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_fclib_read(&p, path_in("x.hdf5"), &err), IL_OK);
        il_qp qp = il_step_problem_qp(&p.problem);
        CU_ASSERT(!p.local && p.solved && p.friction == 0.0);
        CU_ASSERT(qp.d == w.d && qp.rows->p == w.p);
        il_answer_solve(&qp, "newton", 0.0, &read);
        CU_ASSERT_EQUAL(read.status, IL_OK);
        CU_ASSERT(il_answer_distance(read.x, w.x, w.d) <= ROUNDING); /* the planted answer */
        CU_ASSERT(il_answer_distance(p.problem.x, w.x, w.d) <= ROUNDING);
        CU_ASSERT(il_answer_residual(&qp, p.problem.x, p.problem.lambda) <= ROUNDING);
        il_answer_free(&read);
        il_answer_free(&ours);
        il_fclib_problem_free(&p);
        il_planted_free(&w);
    }
    il_scratch_close(folder, 0);
    gsl_rng_free(rng);
}

/* W = s^2 B M^{-1} B' with tangents of zeros, q = a + s B target; by FCLib's own library. */
static void write_local(const il_planted *w, const char *path, double friction) {
    size_t m = 3 * w->p;
    const double *mass = il_metric_masses(w->metric);
    int count = 0;
    struct fclib_matrix W = {.m = (int)m, .n = (int)m, .nzmax = (int)(w->p * w->p)};
    struct fclib_local local = {.W = &W, .spacedim = 3};
    W.p = calloc(w->p * w->p, sizeof *W.p);
    W.i = calloc(w->p * w->p, sizeof *W.i);
    W.x = calloc(w->p * w->p, sizeof *W.x);
    local.q = calloc(m, sizeof *local.q);
    local.mu = calloc(w->p, sizeof *local.mu);
    double *dense = calloc(w->p * w->d, sizeof *dense);
    CU_ASSERT_FATAL(W.p != NULL && W.i != NULL && W.x != NULL && local.q != NULL &&
                    local.mu != NULL && dense != NULL);
    for (size_t i = 0; i < w->p; i++) {
        local.q[3 * i] = w->a[i] + w->qp.scale * il_rows_dot(&w->rows, i, w->target);
        local.mu[i] = friction;
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            dense[i * w->d + w->rows.col[e]] = w->rows.coef[e];
        }
    }
    for (size_t i = 0; i < w->p; i++) {
        for (size_t j = 0; j < w->p; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < w->d; k++) {
                sum += dense[i * w->d + k] * dense[j * w->d + k] / mass[k];
            }
            if (sum != 0.0) { /* entry by entry: row i, column p */
                W.i[count] = (int)(3 * i);
                W.p[count] = (int)(3 * j);
                W.x[count++] = w->qp.scale * w->qp.scale * sum;
            }
        }
    }
    W.nz = count;
    CU_ASSERT_EQUAL(fclib_write_local(&local, path), 1);
    free(W.p);
    free(W.i);
    free(W.x);
    free(local.q);
    free(local.mu);
    free(dense);
}

/* u_N = W r + q at the answer is the gap of each row at the planted x. */
static void local_problems_have_the_same_gaps(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_scratch_open(folder);
    for (size_t trial = 0; trial < 40; trial++) {
        il_planted w;
        il_answer s;
        il_fclib_problem p;
        il_error err = {IL_OK, ""};
        il_recipe r = il_recipe_random(rng, 2 + trial % 3);
        r.ratio = 3.0;
        il_plant(&w, rng, &r);
        (void)remove(path_in("l.hdf5"));
        write_local(&w, path_in("l.hdf5"), 0.0);
        il_status status = il_fclib_read(&p, path_in("l.hdf5"), &err);
        CU_ASSERT_EQUAL_FATAL(status, IL_OK);
        CU_ASSERT(p.local && !p.solved && p.problem.d == w.p);
        il_qp qp = il_step_problem_qp(&p.problem);
        il_answer_solve(&qp, "auto", 0.0, &s);
        CU_ASSERT_EQUAL(s.status, IL_OK);
        for (size_t i = 0; i < w.p; i++) {
            double gap = w.a[i] + w.qp.scale * il_rows_dot(&w.rows, i, w.x);
            double found = qp.a[i] + il_rows_dot(qp.rows, i, s.x);
            CU_ASSERT(fabs(found - gap) <= LOCAL);
        }
        il_answer_free(&s);
        il_fclib_problem_free(&p);
        il_planted_free(&w);
    }
    il_scratch_close(folder, 0);
    gsl_rng_free(rng);
}

static void friction_is_told(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_planted w;
    il_fclib_problem p;
    il_error err = {IL_OK, ""};
    il_scratch_open(folder);
    il_recipe r = il_recipe_random(rng, 2);
    il_plant(&w, rng, &r);
    write_local(&w, path_in("mu.hdf5"), 0.7);
    CU_ASSERT_EQUAL(il_fclib_read(&p, path_in("mu.hdf5"), &err), IL_OK);
    CU_ASSERT_EQUAL(p.friction, 0.7);
    il_fclib_problem_free(&p);
    FILE *out = fopen(path_in("none.hdf5"), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fputs("no HDF5", out);
    (void)fclose(out);
    CU_ASSERT_EQUAL(il_fclib_read(&p, path_in("none.hdf5"), &err), IL_EINVAL);
    il_fclib_problem_free(&p);
    il_planted_free(&w);
    il_scratch_close(folder, 0);
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"random global problems are read back and solved",
     random_global_problems_are_read_back_and_solved},
    {"local problems of FCLib's own library have the same gaps", local_problems_have_the_same_gaps},
    {"friction is told, and what is no problem refused", friction_is_told},
    {NULL, NULL}};

extern const il_suite il_suite_fclib_read;
const il_suite il_suite_fclib_read = {"fclib read", tests};

/*
 * test_fclib.c - step problems as FCLib files, read back by FCLib's own library, which had no part
 * in writing them. Expected data are closed forms; expected answers are judged by the optimality
 * system, recomputed from the matrices of the file.
 */
#include <fclib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/fclib_file.h"
#include "harness/run/run.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A few hundred operations on numbers of order ten. */
static const double ROUNDING = 1e-12;

/* ---- scenery --------------------------------------------------------------------------------- */

typedef struct {
    char folder[IL_SCRATCH_ROOM], path[2 * IL_SCRATCH_ROOM];
    il_run_spec spec;
    il_record record;
    il_step_problem kept;
    struct fclib_global *problem;
    struct fclib_solution *solution;
} scene;

static void open_scene(scene *s) {
    memset(s, 0, sizeof *s);
    il_scratch_open(s->folder);
    il_scratch_path(s->folder, "x.hdf5", s->path);
}

static void close_scene(scene *s) {
    if (s->problem != NULL) {
        fclib_delete_global(s->problem);
        free(s->problem);
    }
    if (s->solution != NULL) {
        fclib_delete_solutions(s->solution, 1); /* frees the structure too, unlike the other */
    }
    il_step_problem_free(&s->kept);
    il_record_free(&s->record);
    il_params_destroy(s->spec.params);
    CU_ASSERT(il_scratch_count(s->folder) <= 1); /* nothing else is left */
    il_scratch_close(s->folder, 0);
}

/* Run `steps` steps of h and keep the projection of step `step`. */
static il_status run(scene *s, const char *problem, const char *scheme, const char *const *sets,
                     size_t steps, double h, size_t step) {
    il_run_spec *spec = &s->spec;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &spec->problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec->scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec->projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec->params, spec->problem->params, NULL), IL_OK);
    for (size_t k = 0; sets[k] != NULL; k += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec->params, sets[k], sets[k + 1], NULL), IL_OK);
    }
    spec->steps = steps;
    spec->h = h;
    s->kept.step = step;
    spec->keep = &s->kept;
    return il_run(spec, &s->record, NULL, NULL);
}

static void write_and_read(scene *s, const char *record) {
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_fclib_write(&s->kept, s->path, "a title", record, &err), IL_OK);
    s->problem = fclib_read_global(s->path);
    s->solution = fclib_read_solution(s->path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->problem);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->solution);
    CU_ASSERT_EQUAL(s->problem->M->nz, -1); /* compressed columns, FCLib's documentation */
    CU_ASSERT_EQUAL(s->problem->H->nz, -1);
    CU_ASSERT_EQUAL(s->problem->spacedim, 3);
    CU_ASSERT_EQUAL(s->problem->H->n % 3, 0);
    CU_ASSERT_PTR_NULL(s->problem->G); /* no bilateral constraints */
}

/* y += sign A x. */
static void add_product(const struct fclib_matrix *A, double sign, const double *x, double *y) {
    for (int j = 0; j < A->n; j++) {
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            y[A->i[e]] += sign * A->x[e] * x[j];
        }
    }
}

/* sum_e A_ej x_e for column j. */
static double column_dot(const struct fclib_matrix *A, int j, const double *x) {
    double sum = 0.0;
    for (int e = A->p[j]; e < A->p[j + 1]; e++) {
        sum += A->x[e] * x[A->i[e]];
    }
    return sum;
}

/* The worst violation of M v = H r + f, u = H'v + w, 0 <= u_N orth r_N >= 0, r_T = 0, by what the
 * file says, in its own units. */
static double violation(const struct fclib_global *p, const struct fclib_solution *s) {
    double worst = 0.0;
    double *residual = calloc((size_t)p->M->m, sizeof *residual);
    CU_ASSERT_PTR_NOT_NULL_FATAL(residual);
    add_product(p->M, 1.0, s->v, residual);
    add_product(p->H, -1.0, s->r, residual);
    for (int k = 0; k < p->M->m; k++) {
        double off = fabs(residual[k] - p->f[k]);
        worst = off <= worst ? worst : off; /* NaN stays */
    }
    free(residual);
    for (int j = 0; j < p->H->n; j++) {
        double u = column_dot(p->H, j, s->v) + p->w[j];
        double off = fabs(u - s->u[j]);
        if (j % 3 == 0) {
            off = fmax(off, fmax(fmax(-u, -s->r[j]), fabs(u * s->r[j])));
            CU_ASSERT_EQUAL(p->mu[j / 3], 0.0);
        } else {
            off += fabs(s->r[j]);
        }
        worst = off <= worst ? worst : off;
    }
    return worst;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* A ball of mass 1 falls from 1: after k steps of Maury's scheme u_k = -g h k and q_k = 1 - g h^2
 * k (k+1)/2. The projection of step k+1 has M = 1, H = 1, f = u_k - g h, w = q_k / h. */
static void the_file_holds_the_data_of_the_projection(void) {
    static const char *const sets[] = {"gravity", "2", "q0", "1", NULL};
    const double g = 2.0;
    const double h = 0.125;
    const double k = 4.0;
    scene s;
    open_scene(&s);
    CU_ASSERT_EQUAL_FATAL(run(&s, "bouncing_ball", "maury", sets, 7, h, 5), IL_OK);
    write_and_read(&s, "{}");
    double u = -g * h * k;
    double q = 1.0 - g * h * h * k * (k + 1.0) / 2.0;
    CU_ASSERT_EQUAL_FATAL(s.problem->M->m, 1);
    CU_ASSERT_EQUAL_FATAL(s.problem->H->n, 3);
    CU_ASSERT_EQUAL(s.problem->M->x[0], 1.0);
    CU_ASSERT_EQUAL_FATAL(s.problem->H->nzmax, 1);
    CU_ASSERT_EQUAL(s.problem->H->x[0], 1.0);
    CU_ASSERT_EQUAL(s.problem->H->p[1], 1);
    CU_ASSERT_EQUAL(s.problem->H->p[3], 1); /* the tangents are empty */
    CU_ASSERT(fabs(s.problem->f[0] - (u - g * h)) <= ROUNDING);
    CU_ASSERT(fabs(s.problem->w[0] - q / h) <= ROUNDING);
    CU_ASSERT(fabs(s.solution->v[0] - (u - g * h)) <= ROUNDING); /* it does not touch yet */
    CU_ASSERT_STRING_EQUAL(s.problem->info->title, "a title");
    close_scene(&s);
}

/* Every scheme's projection satisfies the optimality system that FCLib states: the multipliers'
 * units are right for velocities (maury), displacements (venel) and the true set (paoli). */
static void the_answer_in_the_file_solves_the_problem_in_the_file(void) {
    static const char *const sets[] = {"N", "30", "space", "2", NULL};
    static const char *const schemes[] = {"maury", "venel", "paoli"};
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
        scene s;
        open_scene(&s);
        CU_ASSERT_EQUAL_FATAL(run(&s, "pile", schemes[k], sets, 40, 0.02, 0), IL_OK);
        CU_ASSERT_EQUAL(s.kept.step, 40); /* the last by default */
        write_and_read(&s, "{}");
        double largest = 0.0;
        for (int j = 0; j < s.problem->H->n; j++) {
            largest = fmax(largest, s.solution->r[j]);
        }
        CU_ASSERT(largest > 0.0); /* or nothing would be seen */
        CU_ASSERT(violation(s.problem, s.solution) <= ROUNDING);
        /* planted: a force that is one part in a million off is seen */
        s.problem->f[0] += 1e-6 * (1.0 + fabs(s.problem->f[0]));
        CU_ASSERT(!(violation(s.problem, s.solution) <= ROUNDING));
        close_scene(&s);
    }
}

/* M = (2 1; 1 2), target (1,0), one row x_1 + x_2 >= 3 scaled by s = 1/2. By hand: M^-1 b with b =
 * (1,1) is (1/3,1/3), so x = target + mu (1/3,1/3) with 1 + 2 mu/3 = 3: mu = 3, x = (2,1), and
 * s lambda = mu. f = M target = (2,1), w = a/s = -3. */
static void a_full_mass_matrix_is_written_whole(void) {
    scene s;
    open_scene(&s);
    il_rows rows;
    il_rows_init(&rows);
    il_metric *mass = NULL;
    il_rows_append(&rows, 0, -1.5, 0.0, 2, (const size_t[]){0, 1}, (const double[]){1.0, 1.0});
    il_status status = il_metric_dense(&mass, 2, (const double[]){2.0, 1.0, 1.0, 2.0}, NULL);
    CU_ASSERT_EQUAL_FATAL(status, IL_OK);
    il_qp qp = {.d = 2,
                .mass = mass,
                .target = (const double[]){1.0, 0.0},
                .rows = &rows,
                .a = rows.value,
                .scale = 0.5};
    il_projection_watch watch = il_step_problem_watch(&s.kept);
    watch.see(watch.context, &qp, (const double[]){2.0, 1.0}, (const double[]){6.0});
    CU_ASSERT(!s.kept.kept); /* asleep */
    s.kept.awake = true;
    watch.see(watch.context, &qp, (const double[]){2.0, 1.0}, (const double[]){6.0});
    CU_ASSERT_FATAL(s.kept.kept);
    write_and_read(&s, "{}");
    CU_ASSERT_EQUAL(s.problem->M->nzmax, 4);
    CU_ASSERT(fabs(s.problem->f[0] - 2.0) <= ROUNDING && fabs(s.problem->f[1] - 1.0) <= ROUNDING);
    CU_ASSERT(fabs(s.problem->w[0] + 3.0) <= ROUNDING);
    CU_ASSERT(fabs(s.solution->r[0] - 3.0) <= ROUNDING);
    CU_ASSERT(violation(s.problem, s.solution) <= ROUNDING);
    il_rows_free(&rows);
    il_metric_destroy(mass);
    close_scene(&s);
}

static const il_test tests[] = {
    {"the file holds the data of the projection", the_file_holds_the_data_of_the_projection},
    {"the answer in the file solves the problem in the file",
     the_answer_in_the_file_solves_the_problem_in_the_file},
    {"a full mass matrix is written whole", a_full_mass_matrix_is_written_whole},
    {.name = NULL}};

const il_suite il_suite_fclib = {.name = "fclib", .tests = tests};

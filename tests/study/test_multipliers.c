/*
 * test_multipliers.c - the set of multipliers: of rows by hand, and of crystals by enumerating
 * vertices and by the virial for sums; and what is refused.
 */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Forces of order one to ten, linear programs to 1e-10 of the largest. */
static const double CLOSE = 1e-8;

/* ---- rows by hand ---------------------------------------------------------------------------- */

static void add_row(il_rows *rows, size_t n, const size_t *col, const double *coef) {
    il_rows_append(rows, rows->p, 0.0, 0.0, n, col, coef);
}

static void expect_range(const il_multipliers *m, size_t i, double min, double max) {
    CU_ASSERT(fabs(m->min[i] - min) <= CLOSE);
    CU_ASSERT(fabs(m->max[i] - max) <= CLOSE);
    CU_ASSERT(m->chosen[i] >= m->min[i] - CLOSE && m->chosen[i] <= m->max[i] + CLOSE);
}

/* Two discs on a floor, each against a wall, and a third between them, in directions (3,4)/5 and
 * (-3,4)/5: it weighs 1 and presses each by 5/8, of which 3/8 goes to a wall and 1/2 to the floor.
 */
static void a_pile_of_three_is_unique(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    add_row(&rows, 4, (const size_t[]){0, 1, 4, 5}, (const double[]){-0.6, -0.8, 0.6, 0.8});
    add_row(&rows, 4, (const size_t[]){2, 3, 4, 5}, (const double[]){0.6, -0.8, -0.6, 0.8});
    add_row(&rows, 1, (const size_t[]){1}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){3}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){2}, (const double[]){-1.0});
    const double chosen[6] = {0.625, 0.625, 1.5, 1.5, 0.375, 0.375};
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 6, &rows, chosen, NULL), IL_OK);
    CU_ASSERT(m.contacts == 6 && m.unknowns == 6 && m.rank == 6 && m.dimension == 0);
    CU_ASSERT(m.extent <= CLOSE && m.residual <= CLOSE);
    for (size_t i = 0; i < 6; i++) {
        expect_range(&m, i, chosen[i], chosen[i]);
    }
    CU_ASSERT(fabs(m.total_min - 5.0) <= CLOSE && fabs(m.total_max - 5.0) <= CLOSE);
    CU_ASSERT(fabs(m.force - 3.0) <= CLOSE); /* three weights */
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* Four discs in a square: contacts that carry nothing, and one row written twice that shares 1. */
static void rows_written_twice_share(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    for (size_t copy = 0; copy < 2; copy++) {
        add_row(&rows, 2, (const size_t[]){0, 2}, (const double[]){-1.0, 1.0});
    }
    add_row(&rows, 2, (const size_t[]){5, 7}, (const double[]){-1.0, 1.0});
    add_row(&rows, 2, (const size_t[]){1, 5}, (const double[]){-1.0, 1.0});
    add_row(&rows, 2, (const size_t[]){3, 7}, (const double[]){-1.0, 1.0});
    const double chosen[5] = {0.25, 0.75, 0.0, 2.0, 0.0};
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 8, &rows, chosen, NULL), IL_OK);
    CU_ASSERT(m.contacts == 5 && m.rank == 4 && m.dimension == 1);
    expect_range(&m, 0, 0.0, 1.0);
    expect_range(&m, 1, 0.0, 1.0);
    expect_range(&m, 2, 0.0, 0.0);
    expect_range(&m, 3, 2.0, 2.0);
    CU_ASSERT(fabs(m.extent - 1.0) <= CLOSE);
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* A body between two walls that just fit: they press against each other at will. Lemma 1, which is
 * about spheres alone, does not hold of walls. */
static void opposite_walls_have_no_bound(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){-1.0});
    add_row(&rows, 1, (const size_t[]){1}, (const double[]){1.0});
    const double chosen[3] = {3.0, 1.0, 0.5};
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 2, &rows, chosen, NULL), IL_OK);
    CU_ASSERT(m.rank == 2 && m.dimension == 1);
    CU_ASSERT(m.max[0] == INFINITY && m.max[1] == INFINITY && m.extent == INFINITY);
    CU_ASSERT(m.constant == INFINITY && m.bound == INFINITY && m.total_max == INFINITY);
    CU_ASSERT(fabs(m.min[0] - 2.0) <= CLOSE && fabs(m.min[1]) <= CLOSE);
    CU_ASSERT(fabs(m.total_min - 2.5) <= CLOSE);
    expect_range(&m, 2, 0.5, 0.5);
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* Nothing to carry: {0} where the contacts cannot press on each other. C is that of a body in a
 * V, n = (+-0.8, 0.6): equal multipliers, 2 * 0.6 lambda = 1, sum 2/1.2. */
static void without_a_force_there_is_zero_alone(void) {
    il_rows rows;
    il_multipliers m;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 2, &rows, NULL, NULL), IL_OK);
    CU_ASSERT(m.contacts == 0 && m.dimension == 0 && m.extent == 0.0);
    il_multipliers_free(&m);
    add_row(&rows, 2, (const size_t[]){0, 1}, (const double[]){0.8, 0.6});
    add_row(&rows, 2, (const size_t[]){0, 1}, (const double[]){-0.8, 0.6});
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 2, &rows, (const double[]){0.0, 0.0}, NULL), IL_OK);
    CU_ASSERT(m.dimension == 0 && m.rank == 2 && m.extent <= CLOSE && m.bound == 0.0);
    CU_ASSERT(fabs(m.constant - 2.0 / 1.2) <= CLOSE);
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

static void bad_numbers_are_refused(void) {
    il_rows rows;
    il_multipliers m;
    il_error err = {IL_OK, ""};
    il_rows_init(&rows);
    add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 1, &rows, (const double[]){NAN}, &err), IL_ENUMERIC);
    il_multipliers_free(&m);
    while (rows.p <= IL_MULTIPLIERS_MAX) {
        add_row(&rows, 1, (const size_t[]){0}, (const double[]){1.0});
    }
    CU_ASSERT_EQUAL(il_multipliers_compute(&m, 1, &rows, NULL, &err), IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "3001 contacts"));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "at most 3000"));
    il_multipliers_free(&m);
    il_rows_free(&rows);
}

/* ---- crystals -------------------------------------------------------------------------------- */

typedef struct {
    il_test_problem made;
    il_record record;
    il_status status;
    il_error err;
} crystal;

static crystal run_crystal(const char *const *sets, const char *scheme, const char *projector,
                           size_t step) {
    crystal w = {.made = il_test_problem_new("crystal", 0.0, sets), .err = {IL_OK, ""}};
    il_run_spec spec = {
        .problem = w.made.problem->type, .params = w.made.params, .steps = 5, .multipliers = step};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(projector, &spec.projector, NULL), IL_OK);
    w.status = il_run(&spec, &w.record, NULL, &w.err);
    return w;
}

static void free_crystal(crystal *w) {
    il_record_free(&w->record);
    il_test_problem_free(&w->made);
}

static size_t find_contact(const il_multipliers *m, const char *name) {
    for (size_t i = 0; i < m->contacts; i++) {
        if (strcmp(m->name[i], name) == 0) {
            return i;
        }
    }
    CU_FAIL("no such contact");
    return 0;
}

/* Three discs of weight W = 2 in the V. With s the push between the upper two, the others follow:
 * W/2 + s sqrt(3)/2 at the upper walls, W sqrt(3)/2 - s/2 on the lowest disc, and W + sqrt(3) times
 * that at its walls; so s is in [0, sqrt(3) W]. All schemes and projectors have this set. */
static void three_discs_in_a_wedge_have_one_freedom(void) {
    static const char *const sets[] = {"rows=2", "masses=0.5", "gravity=4", NULL};
    static const char *const ways[][2] = {{"maury", "auto"},
                                          {"venel", "active_set"},
                                          {"paoli", "newton"},
                                          {"maury", "apgd"},
                                          {"maury", "uzawa"}};
    const double W = 2.0;
    const double root = sqrt(3.0);
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        crystal w = run_crystal(sets, ways[k][0], ways[k][1], IL_STEP_LAST);
        const il_multipliers *m = &w.record.multipliers;
        CU_ASSERT(w.status == IL_OK && w.record.status == IL_OK);
        CU_ASSERT_FATAL(m->step == 5 && m->contacts == 7);
        CU_ASSERT(m->unknowns == 6 && m->rank == 6 && m->dimension == 1);
        expect_range(m, find_contact(m, "discs 2 and 3"), 0.0, root * W);
        expect_range(m, find_contact(m, "discs 1 and 2"), 0.0, 0.5 * root * W);
        expect_range(m, find_contact(m, "discs 1 and 3"), 0.0, 0.5 * root * W);
        expect_range(m, find_contact(m, "disc 1 and the left wall"), W, 2.5 * W);
        expect_range(m, find_contact(m, "disc 2 and the left wall"), 0.5 * W, 2.0 * W);
        expect_range(m, find_contact(m, "disc 3 and the right wall"), 0.5 * W, 2.0 * W);
        CU_ASSERT(fabs(m->extent - root * W) <= CLOSE);
        CU_ASSERT(fabs(m->force - 3.0 * W) <= CLOSE);
        CU_ASSERT(m->total_max <= m->bound + CLOSE);
        free_crystal(&w);
    }
}

/* Lemma 1 with its constant: the dilation from the centre or the apex opens pairs at the rate 2 r
 * and walls at the rate r. And the virial: sum over pairs of 2 r lambda and over walls of r lambda
 * is -sum <F_i, q_i>, for every element of the set. */
static void the_bound_of_lemma_1_holds(void) {
    static const char *const cases[][4] = {{"rows=3", "radius=0.2", NULL},
                                           {"rows=5", "masses=3", NULL},
                                           {"support=free", "rows=3", NULL},
                                           {"support=free", "rows=4", "radius=2", NULL}};
    for (size_t k = 0; k < 4; k++) {
        crystal w = run_crystal(cases[k], "maury", "auto", IL_STEP_LAST);
        const il_multipliers *m = &w.record.multipliers;
        const il_problem *problem = w.made.problem;
        double r = il_params_number(w.made.params, "radius");
        bool walls = problem->traits & IL_ROWS_INVARIANT ? false : true;
        double *f = calloc(problem->d, sizeof *f);
        CU_ASSERT_FATAL(f != NULL && m->contacts > 0);
        problem->type->force(problem, 0.0, problem->q0, f);
        double farthest = 0.0;
        double virial = 0.0;
        double sum = 0.0;
        for (size_t i = 0; i < problem->d; i++) {
            farthest = fmax(farthest, fabs(problem->q0[i]));
            virial -= f[i] * problem->q0[i];
        }
        for (size_t i = 0; i < m->contacts; i++) {
            bool pair = strstr(m->name[i], "wall") == NULL;
            sum += (pair ? 2.0 : 1.0) * r * m->chosen[i];
        }
        CU_ASSERT(fabs(sum - virial) <= CLOSE * (1.0 + fabs(virial)));
        CU_ASSERT(m->constant <= farthest / (walls ? r : 2.0 * r) + CLOSE);
        CU_ASSERT(m->total_max <= m->bound * (1.0 + CLOSE));
        CU_ASSERT(m->residual <= CLOSE);
        free(f);
        free_crystal(&w);
    }
}

/* ---- vertices, one by one -------------------------------------------------------------------- */

/* Solve B' lambda = F with lambda = 0 on three of n + 3 contacts; false if that has no solution or
 * one with a negative part. */
static bool vertex(const il_rows *b, size_t n, const double *F, const size_t *zero,
                   double *lambda) {
    gsl_matrix *a = gsl_matrix_calloc(n, n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    size_t kept[64] = {0};
    size_t at = 0;
    for (size_t i = 0; i < b->p; i++) {
        lambda[i] = 0.0;
        if (i == zero[0] || i == zero[1] || i == zero[2]) {
            continue;
        }
        for (size_t e = b->start[i]; e < b->start[i + 1]; e++) {
            gsl_matrix_set(a, b->col[e], at, b->coef[e]);
        }
        kept[at++] = i;
    }
    gsl_vector_const_view f = gsl_vector_const_view_array(F, n);
    gsl_vector *x = gsl_vector_alloc(n);
    int sign = 0;
    bool feasible = gsl_linalg_LU_decomp(a, order, &sign) == 0;
    for (size_t k = 0; k < n; k++) {
        feasible = feasible && fabs(gsl_matrix_get(a, k, k)) > 1e-9; /* entries are 1/2 or more */
    }
    if (feasible) {
        (void)gsl_linalg_LU_solve(a, order, &f.vector, x);
    }
    for (size_t k = 0; feasible && k < n; k++) {
        lambda[kept[k]] = gsl_vector_get(x, k);
        feasible = gsl_vector_get(x, k) >= -1e-10;
    }
    gsl_vector_free(x);
    gsl_permutation_free(order);
    gsl_matrix_free(a);
    return feasible;
}

/* Six discs of unequal masses in the V: 15 contacts, 12 unknowns; every vertex has three zeros. */
static void linear_programs_find_the_vertices(void) {
    static const char *const sets[] = {"rows=3", "masses=1,3,2,0.5,4,1.5", NULL};
    crystal w = run_crystal(sets, "maury", "auto", IL_STEP_LAST);
    const il_multipliers *m = &w.record.multipliers;
    const il_problem *problem = w.made.problem;
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_FATAL(m->contacts == 15 && problem->d == 12);
    double F[12] = {0.0};
    double low[15];
    double high[15];
    double lambda[15];
    for (size_t i = 0; i < 15; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        CU_ASSERT_EQUAL(problem->type->row(problem, 0.0, problem->q0, m->id[i], &rows), IL_OK);
    }
    problem->type->force(problem, 0.0, problem->q0, F);
    for (size_t k = 0; k < 12; k++) {
        F[k] = -F[k];
    }
    for (size_t code = 0; code < 15 * 15 * 15; code++) {
        size_t zero[3] = {code / 225, code / 15 % 15, code % 15};
        if (zero[0] < zero[1] && zero[1] < zero[2] && vertex(&rows, 12, F, zero, lambda)) {
            for (size_t i = 0; i < 15; i++) {
                low[i] = fmin(low[i], lambda[i]);
                high[i] = fmax(high[i], lambda[i]);
            }
        }
    }
    CU_ASSERT(m->rank == 12 && m->dimension == 3);
    for (size_t i = 0; i < 15; i++) {
        expect_range(m, i, low[i], high[i]);
    }
    il_rows_free(&rows);
    free_crystal(&w);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* All contacts push somewhere in the set, so its dimension is contacts - rank: n (n - 1)/2, one for
 * every horizontal contact, and one for every disc inside the hexagon (a wheel around it). */
static void dimensions_are_those_of_lattices(void) {
    for (size_t n = 2; n <= 5; n++) {
        for (size_t free_hexagon = 0; free_hexagon < 2; free_hexagon++) {
            char rows[16];
            (void)snprintf(rows, sizeof rows, "rows=%zu", n);
            const char *const sets[] = {rows, free_hexagon ? "support=free" : "support=wedge",
                                        NULL};
            crystal w = run_crystal(sets, "maury", "auto", IL_STEP_LAST);
            const il_multipliers *m = &w.record.multipliers;
            size_t inside = 3 * (n - 1) * (n - 2) + 1;
            CU_ASSERT_EQUAL(m->dimension, m->contacts - m->rank);
            CU_ASSERT_EQUAL(m->dimension, free_hexagon ? inside : n * (n - 1) / 2);
            free_crystal(&w);
        }
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const il_test tests[] = {
    {"a pile of three is unique", a_pile_of_three_is_unique},
    {"rows written twice share", rows_written_twice_share},
    {"opposite walls have no bound", opposite_walls_have_no_bound},
    {"without a force there is zero alone", without_a_force_there_is_zero_alone},
    {"bad numbers are refused", bad_numbers_are_refused},
    {"three discs in a wedge have one freedom", three_discs_in_a_wedge_have_one_freedom},
    {"the bound of Lemma 1 holds", the_bound_of_lemma_1_holds},
    {"linear programs find the vertices", linear_programs_find_the_vertices},
    {"dimensions are those of lattices", dimensions_are_those_of_lattices},
    {NULL, NULL}};

const il_suite il_suite_multipliers = {"multipliers", tests};

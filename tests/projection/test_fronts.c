/*
 * test_fronts.c - the analysis of a factor: groups, fronts, what their order costs, and branches
 * that threads share.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse/layout.h"
#include "schemes/projection/sparse/sparse.h"
#include "tests/support/patterns.h"
#include "tests/support/suite.h"

/* The coordinates of a disc are one group where its rows are the same, be they of walls alone, and
 * two discs are two. */
static void a_disc_is_one_group(void) {
    static const size_t col[4] = {0, 1, 2, 3};
    static const double coef[4] = {0.6, 0.8, -0.6, -0.8};
    static const bool in[2] = {true, true};
    il_rows rows;
    il_sparse *f = il_sparse_create();
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    il_rows_init(&rows);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, 0, 0.0, 0.0, 2, col, coef), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_sparse_analyse(f, 2, &rows, in), IL_OK);
    CU_ASSERT_EQUAL(f->n, 1);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, 1, 0.0, 0.0, 4, col, coef), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_sparse_analyse(f, 4, &rows, in), IL_OK);
    CU_ASSERT_EQUAL(f->n, 2);
    il_rows_free(&rows);
    il_sparse_destroy(f);
}

/* A row with one entry couples nothing: coordinates that walls alone touch are fronts of their own,
 * of one number each, and take half a multiplication; those of a disc stay one group beside a wall
 * that touches one of them. */
static void walls_tie_nothing_together(void) {
    enum { D = 6 };
    static const double coef[4] = {0.6, 0.8, -0.6, -0.8};
    static const bool in[D + 1] = {true, true, true, true, true, true, true};
    static const size_t pair[4] = {0, 1, 4, 5};
    il_rows rows;
    il_sparse *f = il_sparse_create();
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    il_rows_init(&rows);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, k, 0.0, 0.0, 1, &k, coef), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_sparse_analyse(f, D, &rows, in), IL_OK);
    CU_ASSERT_EQUAL(f->n, D);
    CU_ASSERT_EQUAL(il_sparse_size(f), D);
    CU_ASSERT_EQUAL(il_sparse_work(f), 0.5 * D);
    il_rows_clear(&rows);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, 0, 0.0, 0.0, 1, &pair[1], coef), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&rows, 1, 0.0, 0.0, 4, pair, coef), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_sparse_analyse(f, D, &rows, in), IL_OK);
    CU_ASSERT_EQUAL(f->n, 2);
    il_rows_free(&rows);
    il_sparse_destroy(f);
}

/* Nested dissection of an n x n grid of nine-point stencils, which has all these neighbours and
 * more, takes 829/84 n^3 multiplications to leading order (George 1973); eight times that for two
 * coordinates a point. Discs of unequal sizes lack a tenth of the contacts and more; on the perfect
 * lattice minimum degree is known to fall behind dissection, and does at side 96, by 1e-3. Fronts
 * that are joined with too many zeros take many times more. */
static void packed_discs_cost_no_more_than_nested_dissection(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sparse *f = il_sparse_create();
    il_rows rows = {.p = 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    for (size_t side = 24; side <= 96; side += 24) {
        double bound = 8.0 * 829.0 / 84.0 * pow((double)side, 3.0);
        for (int part = 1; part < 4; part++) {
            il_pattern_lattice(&rows, rng, side, 0.1 * part);
            bool *in = malloc(rows.p * sizeof *in);
            CU_ASSERT_PTR_NOT_NULL_FATAL(in);
            memset(in, true, rows.p * sizeof *in);
            CU_ASSERT_EQUAL(il_sparse_analyse(f, 2 * side * side, &rows, in), IL_OK);
            CU_ASSERT(il_sparse_work(f) <= bound);
            free(in);
        }
    }
    il_rows_free(&rows);
    il_sparse_destroy(f);
    gsl_rng_free(rng);
}

/* What is not zero in the factor, by places in its ordering, from the rows and the elimination of
 * one place after the other: below[k n + i] for i > k. */
static void eliminate(const il_sparse *f, const il_rows *rows, const bool *in, bool *below) {
    const int *place = f->memory[POSITION].at;
    const int *group = f->memory[GROUP_OF].at;
    size_t n = (size_t)f->n;
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; in[i] && e < rows->start[i + 1]; e++) {
            for (size_t g = rows->start[i]; g < rows->start[i + 1]; g++) {
                size_t k = (size_t)place[group[rows->col[e]]];
                below[k * n + (size_t)place[group[rows->col[g]]]] = true;
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = k + 1; i < n; i++) {
            for (size_t j = k + 1; below[k * n + i] && j < n; j++) {
                below[i * n + j] = below[i * n + j] || below[k * n + j];
            }
        }
    }
}

/* Of the pairs of groups that front s stores at most a fifth are zeros of the factor; of a front of
 * two groups less than half, and no two groups alone are child and parent: they would be one. */
static void check_front(const il_sparse *f, int s, const bool *below) {
    const int *front_of = f->memory[FRONT_OF].at;
    size_t n = (size_t)f->n;
    size_t head = (size_t)((const int *)f->memory[SEQUENCE].at)[s];
    size_t pivots = 0;
    size_t filled = 0;
    size_t behind = 0;
    size_t parent = n;
    for (size_t k = 0; k < n; k++) {
        pivots += front_of[k] == s;
        for (size_t i = k + 1; front_of[k] == s && i < n; i++) {
            filled += below[k * n + i];
        }
        bool later = k > head && below[head * n + k];
        behind += later;
        parent = later && parent == n ? k : parent;
    }
    size_t pairs = pivots * (pivots - 1) / 2 + pivots * behind;
    size_t zeros = pairs - filled;
    CU_ASSERT_FATAL(filled <= pairs);
    CU_ASSERT(5 * zeros <= pairs + pivots || (pivots == 2 && 2 * zeros < pairs + pivots));
    size_t others = 0;
    for (size_t k = 0; k < n; k++) {
        others += parent < n && front_of[k] == front_of[parent];
    }
    CU_ASSERT(parent == n || pivots + others > 2);
}

static void fronts_store_few_zeros(void) {
    enum { TRIALS = 40, MOST = 80 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sparse *f = il_sparse_create();
    il_rows rows;
    bool in[2 * MOST];
    bool *below = malloc((size_t)MOST * MOST * sizeof *below);
    CU_ASSERT_FATAL(f != NULL && below != NULL);
    il_rows_init(&rows);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        size_t d = 1 + gsl_rng_uniform_int(rng, MOST);
        il_pattern_near(&rows, rng, d, trial % 4 == 0 ? d : 1 + gsl_rng_uniform_int(rng, 12));
        for (size_t i = 0; i < rows.p; i++) {
            in[i] = trial % 3 > 0 || gsl_rng_uniform(rng) < 0.3;
        }
        CU_ASSERT_EQUAL_FATAL(il_sparse_analyse(f, d, &rows, in), IL_OK);
        memset(below, false, (size_t)MOST * MOST * sizeof *below);
        eliminate(f, &rows, in, below);
        for (int s = 0; s < f->fronts; s++) {
            check_front(f, s, below);
        }
    }
    il_sparse_destroy(f);
    il_rows_free(&rows);
    free(below);
    gsl_rng_free(rng);
}

/* Subtrees of at most a 16th of all work, one after the other, until they are more than that
 * together, a front of more work comes, or the end. */
static void check_branch(const il_sparse *f, int k, double limit) {
    const front *fronts = f->memory[FRONTS].at;
    const branch *b = (const branch *)f->memory[BRANCHES].at + k;
    double work = 0.0;
    double last = 0.0;
    for (int s = b->first; s < b->end; s++) {
        int parent = fronts[s].parent;
        CU_ASSERT(fronts[s].branch == k && fronts[s].work <= limit);
        if (parent < 0 || fronts[parent].branch != k) {
            CU_ASSERT(parent < 0 || fronts[parent].branch < 0);
            last = fronts[s].work;
            work += last;
        }
    }
    CU_ASSERT(work - last <= limit);
    CU_ASSERT(work > limit || b->end == f->fronts || fronts[b->end].work > limit);
}

/* Every front is in its branch or, where its subtree is more work, in the trunk; branches of most
 * work come first. */
static void check_branches(const il_sparse *f) {
    const front *fronts = f->memory[FRONTS].at;
    const branch *branches = f->memory[BRANCHES].at;
    const turn *turns = f->memory[TURNS].at;
    double all = 0.0;
    for (int s = 0; s < f->fronts; s++) {
        all += fronts[s].parent < 0 ? fronts[s].work : 0.0;
    }
    int seen = 0;
    for (int s = 0; s < f->fronts;) {
        if (fronts[s].branch < 0) {
            CU_ASSERT(fronts[s].work > all / 16.0);
            s++;
        } else {
            CU_ASSERT_FATAL(fronts[s].branch == seen && branches[seen].first == s);
            check_branch(f, seen, all / 16.0);
            s = branches[seen++].end;
        }
    }
    CU_ASSERT_EQUAL(seen, f->branches);
    for (int k = 1; k < f->branches; k++) {
        CU_ASSERT(turns[k - 1].work >= turns[k].work);
    }
}

static void branches_are_subtrees_of_like_work(void) {
    enum { SIDE = 48, D = 2 * SIDE * SIDE };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_rows rows = {.p = 0};
    double mass[D];
    double x[D] = {0.0};
    il_team *team = NULL;
    CU_ASSERT_EQUAL_FATAL(il_team_create(&team, 2, NULL), IL_OK);
    for (size_t k = 0; k < D; k++) {
        mass[k] = 1.0;
    }
    for (int part = 1; part <= 18; part++) {
        size_t side = SIDE - 4 * ((size_t)part % 3);
        int third = (part + 2) / 3;
        il_pattern_lattice(&rows, rng, side, 0.1 * third); /* from half on: a forest */
        il_sparse *f = il_sparse_create();
        double *weight = calloc(rows.p, sizeof *weight);
        bool *in = malloc(rows.p * sizeof *in);
        CU_ASSERT_FATAL(f != NULL && weight != NULL && in != NULL);
        memset(in, true, rows.p * sizeof *in);
        il_sparse_share(f, team);
        CU_ASSERT_EQUAL(il_sparse_analyse(f, 2 * side * side, &rows, in), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_sparse_factor(f, mass, &rows, weight, x), IL_OK);
        CU_ASSERT(f->branches >= 4);
        check_branches(f);
        il_sparse_destroy(f);
        free(weight);
        free(in);
    }
    il_team_destroy(team);
    il_rows_free(&rows);
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"a disc is one group", a_disc_is_one_group},
    {"walls tie nothing together", walls_tie_nothing_together},
    {"fronts store few zeros", fronts_store_few_zeros},
    {"branches are subtrees of like work", branches_are_subtrees_of_like_work},
    {"packed discs cost no more than nested dissection",
     packed_discs_cost_no_more_than_nested_dissection},
    {NULL, NULL}};

const il_suite il_suite_fronts = {"fronts", tests};

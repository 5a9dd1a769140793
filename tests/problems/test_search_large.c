/*
 * test_search_large.c - the neighbour search where much is large: bodies enough for a team, lengths
 * whose squares overflow, and the memory that it takes.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/walled.h"
#include "tests/support/allocation.h"
#include "tests/support/suite.h"

typedef struct {
    il_walled spheres;
    gsl_rng *rng;
    double *q, *x; /* [space N] */
} crowd;

static double uniform(crowd *w, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(w->rng);
}

static void crowd_open(crowd *w, size_t space, size_t N, unsigned long seed) {
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_walled_init(&w->spheres, space, N, &err), IL_OK);
    w->rng = gsl_rng_alloc(gsl_rng_mt19937);
    w->q = calloc(space * N, sizeof *w->q);
    w->x = calloc(space * N, sizeof *w->x);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->rng);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->q);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->x);
    gsl_rng_set(w->rng, seed);
}

static void crowd_close(crowd *w) {
    il_walled_free(&w->spheres);
    gsl_rng_free(w->rng);
    free(w->q);
    free(w->x);
}

/* The same rows in the same order, to the bit. */
static bool are_identical(const il_rows *a, const il_rows *b) {
    return a->p == b->p && a->nnz == b->nnz &&
           (a->p == 0 || (memcmp(a->id, b->id, a->p * sizeof *a->id) == 0 &&
                          memcmp(a->value, b->value, a->p * sizeof *a->value) == 0 &&
                          memcmp(a->col, b->col, a->nnz * sizeof *a->col) == 0 &&
                          memcmp(a->coef, b->coef, a->nnz * sizeof *a->coef) == 0));
}

/* A shaken lattice of spacing 1, with displacements of up to `far` along each axis. */
static void fill_lattice(crowd *w, size_t side, double far) {
    for (size_t i = 0; i < w->spheres.N; i++) {
        size_t cell = i;
        w->spheres.r[i] = uniform(w, 0.3, 0.45);
        for (size_t c = 0; c < w->spheres.space; c++) {
            size_t k = w->spheres.space * i + c;
            w->q[k] = (double)(cell % side) + uniform(w, -0.04, 0.04);
            w->x[k] = w->q[k] + uniform(w, -far, far);
            cell /= side;
        }
    }
}

/* The bodies go on a little, the same in every crowd, and so does where they are displaced to. */
static void go_on(crowd *w, size_t step) {
    for (size_t k = 0; k < w->spheres.space * w->spheres.N; k++) {
        w->q[k] += 0.003 * sin((double)(k * (step + 1)));
        w->x[k] = w->q[k] + 0.01 * cos((double)(k + step));
    }
}

static bool have_one_least(const crowd *one, const crowd *other) {
    size_t i[2] = {0, 0};
    size_t j[2] = {0, 0};
    double least = il_search_least(one->spheres.search, one->q, one->spheres.r, &i[0], &j[0]);
    return least ==
               il_search_least(other->spheres.search, other->q, other->spheres.r, &i[1], &j[1]) &&
           i[0] == i[1] && j[0] == j[1];
}

/* Enough bodies that a team does share the search, with as much work. A wide question has more
 * pairs than are kept, and than a member has room for: 14 and more a body. Then bodies go on. */
static void a_team_does_the_work_of_one(void) {
    static const size_t side[4] = {0, 0, 50, 14};
    static const double wide[4] = {0.0, 0.0, 2.3, 1.3};
    for (size_t space = 2; space <= 3; space++) {
        size_t N = space == 2 ? side[2] * side[2] : side[3] * side[3] * side[3];
        crowd one;
        crowd many;
        il_team *team = NULL;
        CU_ASSERT_EQUAL_FATAL(il_team_create(&team, space, NULL), IL_OK);
        crowd_open(&one, space, N, 7);
        crowd_open(&many, space, N, 7);
        fill_lattice(&one, side[space], 0.2);
        fill_lattice(&many, side[space], 0.2);
        il_search_share(many.spheres.search, team);
        const double slack[4] = {0.05, 0.05, wide[space], 0.05};
        for (size_t n = 0; n < 12; n++) {
            if (n >= 4 && n % 2 == 0) {
                go_on(&one, n);
                go_on(&many, n);
                CU_ASSERT(have_one_least(&one, &many));
            }
            double within = n < 4 ? slack[n] : 0.15;
            il_rows alone;
            il_rows shared;
            il_rows_init(&alone);
            il_rows_init(&shared);
            const double *x = n % 2 == 0 ? one.q : one.x;
            const double *y = n % 2 == 0 ? many.q : many.x;
            CU_ASSERT_EQUAL(il_walled_scan(&one.spheres, one.q, x, within, &alone), IL_OK);
            CU_ASSERT_EQUAL(il_walled_scan(&many.spheres, many.q, y, within, &shared), IL_OK);
            CU_ASSERT(are_identical(&alone, &shared));
            CU_ASSERT(n != 2 || alone.p > 12 * N);
            size_t work = il_search_tests(one.spheres.search);
            CU_ASSERT(n >= 2 || (work > 0 && il_search_tests(many.spheres.search) == work));
            il_rows_free(&alone);
            il_rows_free(&shared);
        }
        crowd_close(&one);
        crowd_close(&many);
        il_team_destroy(team);
    }
}

/* 363^2 are more than four for each of 2^15 leaves, whose pairs are not carried: as a search that
 * is asked for the first time. */
static void so_many_that_pairs_are_not_carried(void) {
    enum { SIDE = 363 };
    crowd w;
    crowd_open(&w, 2, (size_t)SIDE * SIDE, 3);
    fill_lattice(&w, SIDE, 0.05);
    for (size_t n = 0; n < 3; n++) {
        crowd fresh;
        il_rows found;
        il_rows expected;
        il_rows_init(&found);
        il_rows_init(&expected);
        go_on(&w, n);
        crowd_open(&fresh, 2, (size_t)SIDE * SIDE, 3);
        memcpy(fresh.spheres.r, w.spheres.r, w.spheres.N * sizeof *w.spheres.r);
        memcpy(fresh.q, w.q, 2 * w.spheres.N * sizeof *w.q);
        for (size_t k = 0; k < 2; k++) { /* the second is answered by what was kept of the first */
            il_rows_clear(&found);
            CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, 0.15, &found), IL_OK);
        }
        CU_ASSERT_EQUAL(il_walled_scan(&fresh.spheres, fresh.q, w.x, 0.15, &expected), IL_OK);
        CU_ASSERT(found.p > 1000);
        CU_ASSERT(are_identical(&expected, &found));
        CU_ASSERT(have_one_least(&w, &fresh));
        il_rows_free(&found);
        il_rows_free(&expected);
        crowd_close(&fresh);
    }
    crowd_close(&w);
}

/* Bodies in a box, far or near, that stand, fly along one axis, or each its own way; lengths are
 * multiples of 2^600, whose squares are infinite. */
static void fill_far(crowd *w, unsigned k) {
    const double unit = 0x1p600;
    double box = uniform(w, 2.0, 40.0);
    for (size_t i = 0; i < w->spheres.N; i++) {
        w->spheres.r[i] = unit * uniform(w, 0.1, 1.0);
        for (size_t c = 0; c < w->spheres.space; c++) {
            size_t at = w->spheres.space * i + c;
            bool moves = k % 4 == 3 || (k % 4 == 2 && i % 2 == 0 && c == 0);
            w->q[at] = unit * uniform(w, 0.0, box);
            w->x[at] = w->q[at] + (moves ? unit * uniform(w, -20.0, 20.0) : 0.0);
        }
    }
}

/* Every pair that each in its turn is within slack, and no other; and the least gap of all. */
static void lengths_whose_squares_overflow_are_searched(void) {
    enum { BODIES = 60, PAIRS = BODIES * (BODIES - 1) / 2 };
    il_rows row;
    il_rows found;
    il_rows_init(&row);
    il_rows_init(&found);
    size_t within = 0;
    for (unsigned k = 0; k < 36; k++) {
        crowd w;
        crowd_open(&w, 1 + k % 3, BODIES, 3000 + k);
        fill_far(&w, k);
        double slack = 0x1p600 * uniform(&w, -0.2, 0.5);
        double least = INFINITY;
        bool near[PAIRS];
        size_t count = 0;
        for (size_t id = 0; id < PAIRS; id++) {
            il_rows_clear(&row);
            CU_ASSERT_EQUAL_FATAL(il_walled_row(&w.spheres, w.q, id, &row), IL_OK);
            least = fmin(least, row.value[0]);
            near[id] = il_rows_at(&row, 0, w.q, w.x) <= slack;
            count += near[id];
        }
        il_rows_clear(&found);
        CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, slack, &found), IL_OK);
        CU_ASSERT_EQUAL(found.p, count);
        for (size_t i = 0; i < found.p; i++) {
            CU_ASSERT(near[found.id[i]]);
            near[found.id[i]] = false; /* not twice */
        }
        CU_ASSERT(il_walled_gap(&w.spheres, w.q, NULL) == least);
        within += count;
        crowd_close(&w);
    }
    CU_ASSERT(within > 1000 && within < 18 * PAIRS);
    il_rows_free(&row);
    il_rows_free(&found);
}

/* Just behind a power of two the tree is as large as it gets. */
static void a_search_takes_no_more_memory_than_it_says(void) {
    static const size_t many[] = {1000, 4096, 4097, 16385};
    for (size_t space = 1; space <= 3 && allocation_counted(); space++) {
        size_t one = 0; /* what does not grow with the bodies, and some that does */
        for (size_t k = 0; k <= sizeof many / sizeof many[0]; k++) {
            size_t n = k == 0 ? 1 : many[k - 1];
            il_search *search = NULL;
            size_t before = allocation_bytes();
            CU_ASSERT_EQUAL_FATAL(il_search_create(&search, space, n, NULL), IL_OK);
            size_t taken = allocation_bytes() - before;
            one = k == 0 ? taken : one;
            CU_ASSERT(taken >= n * space * sizeof(double));
            CU_ASSERT(taken <= one + n * il_search_bytes_per_body(n));
            il_search_destroy(search);
        }
    }
}

static const il_test tests[] = {
    {"a team does the work of one", a_team_does_the_work_of_one},
    {"so many that pairs are not carried", so_many_that_pairs_are_not_carried},
    {"lengths whose squares overflow are searched", lengths_whose_squares_overflow_are_searched},
    {"a search takes no more memory than it says", a_search_takes_no_more_memory_than_it_says},
    {NULL, NULL}};

const il_suite il_suite_search_large = {"search large", tests};

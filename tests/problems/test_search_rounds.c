/*
 * test_search_rounds.c - many questions about one configuration, as a step asks them: each answered
 * as if it were the first, and most without a walk.
 */
#include <float.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/search.h"
#include "problems/spheres/search_walk.h"
#include "problems/spheres/walled.h"
#include "tests/support/suite.h"

enum { CASES = 60, ROUNDS = 12, BODIES = 150 };

typedef struct {
    il_walled spheres;
    double *q, *x; /* [space N] */
} crowd;

static double uniform(gsl_rng *rng, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(rng);
}

static void crowd_open(crowd *w, size_t space, size_t N) {
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_walled_init(&w->spheres, space, N, &err), IL_OK);
    w->q = calloc(space * N, sizeof *w->q);
    w->x = calloc(space * N, sizeof *w->x);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->q);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->x);
}

static void crowd_close(crowd *w) {
    il_walled_free(&w->spheres);
    free(w->q);
    free(w->x);
}

/* A box that holds about one body for each of its own size, so that most touch some. */
static void fill(crowd *w, gsl_rng *rng) {
    size_t space = w->spheres.space;
    double box = pow(BODIES, 1.0 / (double)space);
    for (size_t i = 0; i < BODIES; i++) {
        w->spheres.r[i] = uniform(rng, 0.3, 0.5);
    }
    for (size_t k = 0; k < space * BODIES; k++) {
        w->x[k] = w->q[k] = uniform(rng, 0.0, box);
    }
}

/* As rounds do: all bodies a little or far, a few of them, all alike, or back where they were. */
static void displace(crowd *w, gsl_rng *rng) {
    size_t d = w->spheres.space * BODIES;
    unsigned long kind = gsl_rng_uniform_int(rng, 5);
    double size = pow(10.0, uniform(rng, -4.0, 0.5));
    double alike = uniform(rng, -size, size);
    for (size_t k = 0; k < d; k++) {
        double own = uniform(rng, -size, size);
        own = kind == 1 && k % 16 != 0 ? 0.0 : kind == 2 ? alike : own;
        w->x[k] = kind == 3 ? w->q[k] : w->x[k] + own;
    }
}

/* Rows of the question by a search that has not been asked before. */
static void ask_afresh(const crowd *w, double slack, il_rows *rows) {
    crowd fresh;
    size_t bytes = w->spheres.space * BODIES * sizeof(double);
    crowd_open(&fresh, w->spheres.space, BODIES);
    memcpy(fresh.spheres.r, w->spheres.r, BODIES * sizeof(double));
    memcpy(fresh.q, w->q, bytes);
    memcpy(fresh.x, w->x, bytes);
    CU_ASSERT_EQUAL(il_walled_scan(&fresh.spheres, fresh.q, fresh.x, slack, rows), IL_OK);
    crowd_close(&fresh);
}

/* How many there are, asking every pair. */
static size_t count_all(const crowd *w, double slack) {
    il_rows rows;
    size_t n = 0;
    il_rows_init(&rows);
    for (size_t id = 0; id < il_walled_count(&w->spheres); id++) {
        il_rows_clear(&rows);
        CU_ASSERT_EQUAL_FATAL(il_walled_row(&w->spheres, w->q, id, &rows), IL_OK);
        n += il_rows_at(&rows, 0, w->q, w->x) <= slack;
    }
    il_rows_free(&rows);
    return n;
}

static bool same_rows(const il_rows *a, const il_rows *b) {
    return a->p == b->p && a->nnz == b->nnz &&
           (a->p == 0 || (memcmp(a->id, b->id, a->p * sizeof *a->id) == 0 &&
                          memcmp(a->value, b->value, a->p * sizeof *a->value) == 0 &&
                          memcmp(a->col, b->col, a->nnz * sizeof *a->col) == 0 &&
                          memcmp(a->coef, b->coef, a->nnz * sizeof *a->coef) == 0));
}

/* The same rows in the same order, to the bit; now and then about another configuration. */
static void each_round_is_answered_as_a_first_question(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    const double slack[4] = {-0.1, 0.0, 0.03, 0.4};
    size_t rows_seen = 0;
    for (unsigned k = 0; k < CASES; k++) {
        crowd w;
        crowd_open(&w, 1 + k % 3, BODIES);
        fill(&w, rng);
        for (unsigned round = 0; round < ROUNDS; round++) {
            il_rows found;
            il_rows expected;
            il_rows_init(&found);
            il_rows_init(&expected);
            double within = slack[gsl_rng_uniform_int(rng, 4)];
            CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, within, &found), IL_OK);
            ask_afresh(&w, within, &expected);
            CU_ASSERT(same_rows(&expected, &found));
            CU_ASSERT_EQUAL(found.p, count_all(&w, within));
            rows_seen += found.p;
            displace(&w, rng);
            if (round % 5 == 4) {
                memcpy(w.q, w.x, w.spheres.space * BODIES * sizeof *w.q);
            }
            il_rows_free(&found);
            il_rows_free(&expected);
        }
        crowd_close(&w);
    }
    CU_ASSERT(rows_seen > 100000);
    gsl_rng_free(rng);
}

/* All bodies move on by up to `size` on each axis, each as `velocity` says or, where that is NULL,
 * anyhow. */
static void drift(crowd *w, gsl_rng *rng, double size, const double *velocity) {
    for (size_t k = 0; k < w->spheres.space * BODIES; k++) {
        w->q[k] += velocity != NULL ? size * velocity[k] : uniform(rng, -size, size);
    }
}

/* What the search says of the least distance, and one that has not been asked before. */
static bool least_as_afresh(const crowd *w) {
    il_search *fresh = NULL;
    size_t i[2] = {0, 0};
    size_t j[2] = {0, 0};
    CU_ASSERT_EQUAL_FATAL(il_search_create(&fresh, w->spheres.space, BODIES, NULL), IL_OK);
    double least = il_search_least(w->spheres.search, w->q, w->spheres.r, &i[0], &j[0]);
    bool same = least == il_search_least(fresh, w->q, w->spheres.r, &i[1], &j[1]) && i[0] == i[1] &&
                j[0] == j[1];
    il_search_destroy(fresh);
    return same;
}

/* Of ROUNDS steps of this size: the comparisons of the first, and of all that follow. */
typedef struct {
    size_t first, others, rows;
} effort;

/* Questions at q and near it, answered as if nothing had been asked before: how many rows they
 * find, and what they compare, added to *tests. */
static size_t ask(crowd *w, gsl_rng *rng, double size, size_t *tests) {
    static const double slack[3] = {0.02, -0.001, 0.0};
    size_t rows = 0;
    memcpy(w->x, w->q, w->spheres.space * BODIES * sizeof *w->x);
    for (unsigned k = 0; k < 3; k++) {
        il_rows found;
        il_rows expected;
        il_rows_init(&found);
        il_rows_init(&expected);
        CU_ASSERT_EQUAL(il_walled_scan(&w->spheres, w->q, w->x, slack[k], &found), IL_OK);
        *tests += il_search_tests(w->spheres.search);
        ask_afresh(w, slack[k], &expected);
        CU_ASSERT(same_rows(&expected, &found));
        rows += found.p;
        for (size_t e = 0; e < w->spheres.space * BODIES; e++) {
            w->x[e] += uniform(rng, -size, size);
        }
        il_rows_free(&found);
        il_rows_free(&expected);
    }
    return rows;
}

/* Steps of bodies that move little, at each configuration its least distance and questions. */
static effort follow(crowd *w, gsl_rng *rng, double size, const double *velocity) {
    effort spent = {0, 0, 0};
    for (unsigned step = 0; step < ROUNDS; step++) {
        size_t tests = 0;
        CU_ASSERT(least_as_afresh(w));
        tests += il_search_tests(w->spheres.search);
        spent.rows += ask(w, rng, size, &tests);
        spent.first += step == 0 ? tests : 0;
        spent.others += step == 0 ? 0 : tests;
        drift(w, rng, size, velocity);
    }
    return spent;
}

/* In a crowd whose bodies move by 1e-4 and 1e-3 of their radii a step, and by a fifth. The margin
 * of pairs that are kept is a quarter of a radius, so that the slow ones seek pairs once: what the
 * first step compares more than the others is a walk, and the fast ones make one in most steps. */
static void pairs_are_carried_to_the_configurations_that_follow(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    const double size[3] = {3e-5, 3e-4, 0.06};
    effort of[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (unsigned k = 0; k < CASES; k++) {
        crowd w;
        crowd_open(&w, 1 + k % 3, BODIES);
        fill(&w, rng);
        effort spent = follow(&w, rng, size[k / 3 % 3], NULL);
        of[k / 3 % 3].first += spent.first;
        of[k / 3 % 3].others += spent.others;
        of[k / 3 % 3].rows += spent.rows;
        crowd_close(&w);
    }
    for (unsigned k = 0; k < 3; k++) {
        CU_ASSERT(of[k].rows > 10000);
    }
    CU_ASSERT(of[0].others < (ROUNDS - 1) * of[0].first / 2);
    CU_ASSERT(of[1].others < (ROUNDS - 1) * of[1].first / 2);
    CU_ASSERT(of[2].others > (ROUNDS - 1) * of[2].first / 2);
    gsl_rng_free(rng);
}

/* Bodies that go on their way, a hundredth a step: in twelve steps they go half as far again as
 * pairs are kept beyond what is asked for, and their way counts from where pairs were sought. */
static void ways_add_up_from_where_pairs_were_sought(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (unsigned k = 0; k < CASES; k++) {
        double velocity[3 * BODIES];
        crowd w;
        crowd_open(&w, 1 + k % 3, BODIES);
        fill(&w, rng);
        for (size_t e = 0; e < 3 * (size_t)BODIES; e++) {
            velocity[e] = uniform(rng, -1.0, 1.0);
        }
        CU_ASSERT(follow(&w, rng, 0.01, velocity).rows > 0);
        crowd_close(&w);
    }
    gsl_rng_free(rng);
}

/* Radii that change, and bodies that meet at a point: what was kept is forgotten, and found out. */
static void other_radii_and_centres_that_meet_are_noticed(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    for (size_t space = 1; space <= 3; space++) {
        crowd w;
        il_rows found;
        size_t tests = 0;
        size_t i = 0;
        size_t j = 0;
        crowd_open(&w, space, BODIES);
        fill(&w, rng);
        il_rows_init(&found);
        CU_ASSERT(least_as_afresh(&w));
        drift(&w, rng, 1e-5, NULL);
        CU_ASSERT(ask(&w, rng, 1e-5, &tests) > 0);
        w.spheres.r[BODIES / 2] += 0.8;
        CU_ASSERT(least_as_afresh(&w));
        CU_ASSERT(ask(&w, rng, 1e-5, &tests) > 0);
        for (unsigned k = 0; k < 3; k++) {
            drift(&w, rng, 1e-5, NULL);
            CU_ASSERT(least_as_afresh(&w));
        }
        /* the two that overlap most go on to meet: their distance has no gradient then */
        (void)il_search_least(w.spheres.search, w.q, w.spheres.r, &i, &j);
        memcpy(w.q + space * i, w.q + space * j, space * sizeof *w.q);
        CU_ASSERT(isnan(il_search_least(w.spheres.search, w.q, w.spheres.r, &i, &j)));
        for (unsigned k = 0; k < 3; k++) { /* by a walk, by pairs kept, and by their directions */
            CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.q, 0.0, &found), IL_ENUMERIC);
        }
        il_rows_free(&found);
        crowd_close(&w);
    }
    gsl_rng_free(rng);
}

/* Comparisons of a question at q moved by up to `move` on each axis, since the place before. */
static double tests_of(crowd *w, gsl_rng *rng, double move) {
    il_rows rows;
    il_rows_init(&rows);
    for (size_t k = 0; k < 2 * w->spheres.N; k++) {
        w->x[k] += uniform(rng, -move, move);
    }
    const double *x = move > 0.0 ? w->x : w->q;
    CU_ASSERT_EQUAL(il_walled_scan(&w->spheres, w->q, x, 0.02, &rows), IL_OK);
    il_rows_free(&rows);
    return (double)il_search_tests(w->spheres.search) / (double)w->spheres.N;
}

/* On a shaken square lattice of spacing 1 a body has 4 pairs with those around it, two along the
 * axes and two across; a walk compares several times as many. */
static void rounds_that_move_little_make_no_walk(void) {
    enum { SIDE = 60 };
    const double around = 4.0;
    crowd w;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    crowd_open(&w, 2, (size_t)SIDE * SIDE);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        w.spheres.r[i] = 0.45;
        size_t column = i % SIDE;
        size_t row = i / SIDE;
        w.x[2 * i] = w.q[2 * i] = (double)column + uniform(rng, -0.04, 0.04);
        w.x[2 * i + 1] = w.q[2 * i + 1] = (double)row + uniform(rng, -0.04, 0.04);
    }
    CU_ASSERT(tests_of(&w, rng, 0.0) > 2.0 * around); /* the first: a walk */
    CU_ASSERT(tests_of(&w, rng, 0.01) <= around);
    CU_ASSERT(tests_of(&w, rng, 0.01) <= around);
    CU_ASSERT(tests_of(&w, rng, 1.0) > 2.0 * around); /* farther than neighbours are: another */
    double first = tests_of(&w, rng, 0.01);
    double next = tests_of(&w, rng, 0.01);
    CU_ASSERT(first <= 2.0 * around && next <= 2.0 * around); /* from where that one was */
    crowd_close(&w);
    gsl_rng_free(rng);
}

/* ---- walks ----------------------------------------------------------------------------------- */

enum { MANY = 512 };

static il_status mark(void *context, const il_pair *pair) {
    unsigned char *seen = context;
    seen[pair->i * MANY + pair->j]++;
    return IL_OK;
}

static size_t count_marks(const unsigned char *seen) {
    size_t n = 0;
    for (size_t k = 0; k < (size_t)MANY * MANY; k++) {
        n += seen[k];
    }
    return n;
}

/* 512 bodies fill 32 nodes of 16: as no pair is too far, the items are these and their 496 pairs.
 * To list them visits nobody; all of them have each pair of bodies once. */
static void the_items_of_a_walk_have_each_pair_once(void) {
    static il_walk_item items[IL_WALK_ITEMS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned char *seen = calloc((size_t)MANY * MANY, 1);
    crowd w;
    CU_ASSERT_FATAL(rng != NULL && seen != NULL);
    crowd_open(&w, 2, MANY);
    for (size_t k = 0; k < 2 * (size_t)MANY; k++) {
        w.spheres.r[k / 2] = 0.1;
        w.q[k] = uniform(rng, 0.0, 20.0);
    }
    CU_ASSERT_EQUAL_FATAL(il_search_arrange(w.spheres.search, w.q, w.spheres.r), IL_OK);
    il_search_raise(w.spheres.search);
    il_walk walk = {
        .search = w.spheres.search, .space = 2, .slack = INFINITY, .visit = mark, .context = seen};
    size_t n = il_walk_list(&walk, items);
    CU_ASSERT_EQUAL(n, 32 + 496);
    CU_ASSERT_EQUAL(count_marks(seen), 0);
    for (size_t k = 0; k < n; k++) {
        il_walk_one(&walk, &items[k]);
    }
    CU_ASSERT_EQUAL(count_marks(seen), MANY * (MANY - 1) / 2);
    for (size_t i = 0; i < MANY; i++) {
        for (size_t j = i + 1; j < MANY; j++) {
            CU_ASSERT_FATAL(seen[i * MANY + j] == 1);
        }
    }
    crowd_close(&w);
    gsl_rng_free(rng);
    free(seen);
}

/* Four points in each quarter of a square of 64 units, which are the leaves of four. Two of the
 * first are `one` apart; of the first and the last, which are no neighbours in Morton order, two
 * face each other across the middle and are `other` apart. The unit is the root of 2^-1074, the
 * least number: their squares are 19.60 and 19.51, which both become 20, whose root is more than
 * either. */
static void lengths_whose_squares_lose_their_digits_are_told_apart(void) {
    enum { N = 16 };
    const double unit = 0x1p-537;
    const double one = sqrt(19.60);
    const double other = sqrt(19.51);
    const double at[2 * N] = {0.0,  0.0,   one,  0.0,  0.0,  16.0, 32.1 - other, 31.99, /* */
                              64.0, 0.0,   50.0, 0.0,  64.0, 16.0, 50.0,         16.0,  /* */
                              0.0,  64.0,  0.0,  50.0, 16.0, 64.0, 16.0,         50.0,  /* */
                              32.1, 32.02, 64.0, 64.0, 50.0, 64.0, 64.0,         50.0};
    double q[2 * N];
    double r[N] = {0.0};
    size_t i = N;
    size_t j = N;
    il_search *search = NULL;
    for (size_t k = 0; k < 2 * (size_t)N; k++) {
        q[k] = at[k] * unit;
    }
    CU_ASSERT_EQUAL_FATAL(il_search_create(&search, 2, N, NULL), IL_OK);
    double least = il_search_least(search, q, r, &i, &j) / unit;
    CU_ASSERT(fabs(least - hypot(other, 0.03)) <= 64.0 * DBL_EPSILON); /* of numbers up to 64 */
    CU_ASSERT(i == 3 && j == 12);
    il_search_destroy(search);
}

static const il_test tests[] = {
    {"each round is answered as a first question", each_round_is_answered_as_a_first_question},
    {"pairs are carried to the configurations that follow",
     pairs_are_carried_to_the_configurations_that_follow},
    {"ways add up from where pairs were sought", ways_add_up_from_where_pairs_were_sought},
    {"other radii and centres that meet are noticed",
     other_radii_and_centres_that_meet_are_noticed},
    {"rounds that move little make no walk", rounds_that_move_little_make_no_walk},
    {"the items of a walk have each pair once", the_items_of_a_walk_have_each_pair_once},
    {"lengths whose squares lose their digits are told apart",
     lengths_whose_squares_lose_their_digits_are_told_apart},
    {NULL, NULL}};

const il_suite il_suite_search_rounds = {"search rounds", tests};

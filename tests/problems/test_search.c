/*
 * test_search.c - the neighbour search against asking every pair, its work against the number of
 * bodies, its memory, and its answers to what is not a number.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/walled.h"
#include "tests/support/allocation.h"
#include "tests/support/suite.h"

enum { CASES = 200, BODIES = 150 };

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

/* Two walls, one of them askew, so that wall rows are compared too. */
static void add_walls(crowd *w) {
    const double floor[3] = {1.0, 0.0, 0.0};
    const double askew[3] = {0.6, 0.8, 0.0};
    il_walled_add(&w->spheres, "floor", floor, 0.0);
    if (w->spheres.space > 1) {
        il_walled_add(&w->spheres, "askew", askew, 0.1);
    }
}

/* Radii from 1 down to a ratio that goes from 1 to 1000 with the case; positions in a box, in two
 * far clusters, or in a box with one body far away; overlaps are welcome. Displacements: none, one
 * for all with a little noise, each its own up to many diameters, one half only, one body only. */
static void fill(crowd *w, unsigned case_number) {
    size_t space = w->spheres.space;
    size_t N = w->spheres.N;
    double ratio = pow(10.0, case_number % 4);
    double box = uniform(w, 1.0, 12.0);
    unsigned layout = case_number % 3;
    unsigned motion = case_number % 5;
    double far = pow(10.0, uniform(w, 0.0, 2.5));
    double common[3] = {uniform(w, -far, far), uniform(w, -far, far), uniform(w, -far, far)};
    for (size_t i = 0; i < N; i++) {
        w->spheres.r[i] = pow(ratio, -gsl_rng_uniform(w->rng));
        bool moves = motion == 2 || (motion == 3 && w->q[space * i] < 0.5 * box) ||
                     (motion == 4 && i == N / 2);
        for (size_t c = 0; c < space; c++) {
            size_t k = space * i + c;
            w->q[k] = uniform(w, 0.0, box);
            w->q[k] += layout == 1 && i % 2 == 0 ? 300.0 : 0.0;
            w->q[k] += layout == 2 && i == 0 ? 1e7 : 0.0;
            w->x[k] = w->q[k];
            w->x[k] += motion == 1 ? common[c] + uniform(w, -0.1, 0.1) : 0.0;
            w->x[k] += moves && motion == 2 ? uniform(w, -far, far) : 0.0;
            w->x[k] += moves && motion != 2 ? common[c] : 0.0;
        }
    }
}

/* Every constraint asked in turn; those with linearisation <= slack. */
static void ask_all(const crowd *w, double slack, il_rows *rows) {
    il_rows_clear(rows);
    for (size_t id = 0; id < il_walled_count(&w->spheres); id++) {
        CU_ASSERT_EQUAL_FATAL(il_walled_row(&w->spheres, w->q, id, rows), IL_OK);
        double g = rows->value[rows->p - 1];
        for (size_t e = rows->start[rows->p - 1]; e < rows->start[rows->p]; e++) {
            g += rows->coef[e] * (w->x[rows->col[e]] - w->q[rows->col[e]]);
        }
        if (!(g <= slack)) {
            il_rows_pop(rows);
        }
    }
}

/* Is each row of b one of a, once, with the same numbers? seen[count] is scratch. */
static bool same_rows(const il_rows *a, const il_rows *b, size_t *seen, size_t count) {
    bool same = a->p == b->p;
    memset(seen, 0, count * sizeof *seen);
    for (size_t i = 0; i < a->p; i++) {
        seen[a->id[i]] = i + 1;
    }
    for (size_t i = 0; i < b->p && same; i++) {
        size_t j = seen[b->id[i]];
        seen[b->id[i]] = 0; /* not twice */
        same = j > 0 && a->value[j - 1] == b->value[i] &&
               memcmp(a->coef + a->start[j - 1], b->coef + b->start[i],
                      (b->start[i + 1] - b->start[i]) * sizeof *b->coef) == 0;
    }
    return same;
}

/* Slacks: deep overlap only, rounding, a tie with a value that occurs, wide. */
static double slack_of(crowd *w, unsigned which) {
    il_rows rows;
    il_rows_init(&rows);
    ask_all(w, INFINITY, &rows);
    double value = rows.p > 0 ? rows.value[rows.p / 2] : 0.0; /* a tie where nothing moves */
    il_rows_free(&rows);
    const double slack[4] = {-0.3, -1e-14, value, uniform(w, 0.0, 3.0)};
    return slack[which % 4];
}

/* The same set of rows to the bit, ties included: the search may bound with rounding, but what it
 * bounds is decided by the row itself. */
/* A team makes the same rows, in the same order, to the bit, behind those that are there. */
static void scan_by_team(crowd *w, il_team *team, double slack, const il_rows *alone) {
    il_rows rows;
    il_rows_init(&rows);
    il_search_share(w->spheres.search, team);
    for (size_t pass = 0; pass < 2; pass++) {
        CU_ASSERT_EQUAL(il_walled_scan(&w->spheres, w->q, w->x, slack, &rows), IL_OK);
        CU_ASSERT_EQUAL_FATAL(rows.p, (pass + 1) * alone->p);
        CU_ASSERT_EQUAL_FATAL(rows.nnz, (pass + 1) * alone->nnz);
    }
    il_search_share(w->spheres.search, NULL);
    size_t wrong = 0;
    for (size_t i = 0; i < rows.p; i++) {
        size_t k = i % alone->p;
        size_t n = alone->start[k + 1] - alone->start[k];
        size_t at = rows.start[i];
        wrong += rows.id[i] != alone->id[k] || rows.value[i] != alone->value[k] ||
                 rows.rate[i] != alone->rate[k] || rows.start[i + 1] - at != n;
        for (size_t e = 0; e < n && wrong == 0; e++) {
            wrong += rows.col[at + e] != alone->col[alone->start[k] + e] ||
                     rows.coef[at + e] != alone->coef[alone->start[k] + e];
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    il_rows_free(&rows);
}

static void every_near_pair_is_found_and_no_other(void) {
    il_team *team = NULL;
    il_rows expected;
    il_rows found;
    CU_ASSERT_EQUAL_FATAL(il_team_create(&team, 2, NULL), IL_OK);
    il_rows_init(&expected);
    il_rows_init(&found);
    size_t most = BODIES * (BODIES - 1) / 2 + 2 * BODIES;
    size_t *seen = calloc(most, sizeof *seen);
    CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
    size_t offered = 0;
    size_t withheld = 0;
    for (unsigned k = 0; k < CASES; k++) {
        crowd w;
        size_t N = k % 10 == 0 ? k % 4 : 2 + (size_t)(k * 7919u) % (BODIES - 1);
        crowd_open(&w, 1 + k % 3, N > 0 ? N : 1, 1000 + k);
        add_walls(&w);
        fill(&w, k);
        for (unsigned s = 0; s < 4; s++) {
            double slack = slack_of(&w, s);
            ask_all(&w, slack, &expected);
            il_rows_clear(&found);
            CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, slack, &found), IL_OK);
            CU_ASSERT(same_rows(&expected, &found, seen, il_walled_count(&w.spheres)));
            scan_by_team(&w, team, slack, &found);
            offered += expected.p;
            withheld += il_walled_count(&w.spheres) - expected.p;
        }
        il_rows_clear(&found);
        CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, INFINITY, &found), IL_OK);
        CU_ASSERT_EQUAL(found.p, il_walled_count(&w.spheres));
        crowd_close(&w);
    }
    CU_ASSERT(offered > 10000 && withheld > 10000); /* both answers are common */
    il_team_destroy(team);
    free(seen);
    il_rows_free(&expected);
    il_rows_free(&found);
}

static void the_least_gap_is_exact(void) {
    il_rows all;
    il_rows_init(&all);
    for (unsigned k = 0; k < CASES; k++) {
        crowd w;
        crowd_open(&w, 1 + k % 3, 1 + (size_t)(k * 104729u) % BODIES, 5000 + k);
        if (k % 2 == 0) {
            add_walls(&w);
        }
        fill(&w, k);
        ask_all(&w, INFINITY, &all);
        double least = INFINITY;
        size_t at = 77;
        for (size_t i = 0; i < all.p; i++) {
            if (all.value[i] < least) {
                least = all.value[i];
                at = all.id[i];
            }
        }
        size_t id = 77;
        CU_ASSERT(il_walled_gap(&w.spheres, w.q, &id) == least);
        CU_ASSERT_EQUAL(id, at);
        CU_ASSERT(il_walled_gap(&w.spheres, w.q, NULL) == least);
        crowd_close(&w);
    }
    il_rows_free(&all);
}

/* A lattice at unit distance with integer coordinates: all nearest neighbours tie, and the one with
 * the smallest number is named, bodies 0 and 1. They are in the last corner, the last to be met. */
static void of_equal_gaps_the_first_is_named(void) {
    for (size_t space = 1; space <= 3; space++) {
        crowd w;
        crowd_open(&w, space, 64, 1);
        for (size_t i = 0; i < 64; i++) {
            size_t cell = 63 - i;
            w.spheres.r[i] = 0.25;
            for (size_t c = 0; c < space; c++) {
                w.q[space * i + c] = (double)(cell % (c + 1 < space ? 4 : 64));
                cell /= 4;
            }
        }
        size_t id = 77;
        CU_ASSERT(il_walled_gap(&w.spheres, w.q, &id) == 0.5);
        CU_ASSERT_EQUAL(id, 0);
        crowd_close(&w);
    }
}

/* ---- work --------------------------------------------------------------------------------- */

/* A shaken square or cubic lattice of spacing 1 with radii in [0.3, 0.45], sheared slightly so that
 * neighbours move a little relative to each other, all of it moved by shift. Returns comparisons a
 * body. */
static double tests_per_body(size_t space, size_t N, double shift) {
    crowd w;
    il_rows rows;
    il_rows_init(&rows);
    crowd_open(&w, space, N, 3);
    size_t side = (size_t)ceil(pow((double)N, 1.0 / (double)space));
    for (size_t i = 0; i < N; i++) {
        size_t cell = i;
        w.spheres.r[i] = uniform(&w, 0.3, 0.45);
        for (size_t c = 0; c < space; c++) {
            size_t k = space * i + c;
            w.q[k] = (double)(cell % side) + uniform(&w, -0.04, 0.04);
            w.x[k] = w.q[k] + shift * (1.0 + 1e-6 * sin(0.1 * w.q[k]));
            cell /= side;
        }
    }
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, 0.05, &rows), IL_OK);
    double tests = (double)il_search_tests(w.spheres.search) / (double)N;
    il_rows_free(&rows);
    crowd_close(&w);
    return tests;
}

/* 3^space - 1 neighbours, half of them compared from here; leaves of four and nodes that straddle
 * cost a factor. What matters: it does not grow with N, and flying together costs nothing. The
 * allowance is for the boundary: with s bodies a side and two layers of neighbours a body has (5 -
 * 6/s)^3 of them, 10 % more for s = 46 than for s = 21. */
static void work_grows_like_the_number_of_bodies(void) {
    const double bound[4] = {0.0, 0.0, 60.0, 240.0};
    for (size_t space = 2; space <= 3; space++) {
        double small = tests_per_body(space, 10000, 0.0);
        for (size_t N = 1000; N <= 100000; N *= 10) {
            double rest = tests_per_body(space, N, 0.0);
            double flight = tests_per_body(space, N, 1000.0);
            CU_ASSERT(rest <= bound[space]);
            CU_ASSERT(rest <= 1.2 * small);
            CU_ASSERT(flight <= 1.1 * rest);
        }
    }
}

/* The upper half has to come down by three diameters on a lower half at rest: only pairs across the
 * border cost more. With a bound by the fastest body all pairs within 6 diameters would be
 * compared, 36 pi/2 = 57 and more of them a body. */
static void a_half_that_stopped_stays_cheap(void) {
    enum { SIDE = 200 };
    crowd w;
    il_rows rows;
    il_rows_init(&rows);
    crowd_open(&w, 2, (size_t)SIDE * SIDE, 4);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        w.spheres.r[i] = uniform(&w, 0.3, 0.45);
        w.x[2 * i] = w.q[2 * i] = (double)(i % SIDE) + uniform(&w, -0.04, 0.04);
        size_t layer = i / SIDE;
        w.x[2 * i + 1] = w.q[2 * i + 1] = (double)layer + uniform(&w, -0.04, 0.04);
        w.x[2 * i + 1] -= layer >= SIDE / 2 ? 3.0 : 0.0;
    }
    double rest = tests_per_body(2, (size_t)SIDE * SIDE, 0.0);
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, -1e-12, &rows), IL_OK);
    CU_ASSERT((double)il_search_tests(w.spheres.search) <= 1.3 * rest * SIDE * SIDE);
    CU_ASSERT(rows.p >= SIDE); /* every body of the lowest moving layer lands on another */
    il_rows_free(&rows);
    crowd_close(&w);
}

/* One sphere a thousand times larger than the others does not make the search quadratic: it meets
 * all, the others meet their neighbours. */
static void one_giant_costs_one_pass(void) {
    enum { SMALL = 10000 };
    crowd w;
    crowd_open(&w, 2, SMALL + 1, 6);
    for (size_t i = 0; i < SMALL; i++) {
        w.spheres.r[i] = 0.4;
        w.q[2 * i] = (double)(i % 100);
        size_t layer = i / 100;
        w.q[2 * i + 1] = (double)layer;
    }
    w.spheres.r[SMALL] = 400.0;
    w.q[2 * (size_t)SMALL] = 50.5;
    w.q[2 * (size_t)SMALL + 1] = -401.0; /* 0.6 from a lattice of gap 0.2 */
    size_t id = 0;
    CU_ASSERT(fabs(il_walled_gap(&w.spheres, w.q, &id) - 0.2) <= 1e-13);
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.q, 0.1, &rows), IL_OK);
    CU_ASSERT_EQUAL(rows.p, 0);
    CU_ASSERT(il_search_tests(w.spheres.search) <= 60 * SMALL);
    il_rows_free(&rows);
    crowd_close(&w);
}

/* One sphere in a hundred is twenty times larger. It meets the 220 small ones under it, and so do
 * the three that share its leaf: 4 220/100 = 9 comparisons a small body on top of its own 25 or so.
 */
static void large_spheres_do_not_widen_the_reach_of_small_ones(void) {
    enum { SMALL = 10000, LARGE = 100 };
    crowd w;
    crowd_open(&w, 2, SMALL + LARGE, 8);
    for (size_t i = 0; i < SMALL + LARGE; i++) {
        bool large = i % 101 == 100;
        w.spheres.r[i] = large ? 8.0 : 0.4;
        w.q[2 * i] = uniform(&w, 0.0, 100.0);
        w.q[2 * i + 1] = uniform(&w, 0.0, 100.0);
    }
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.q, 0.0, &rows), IL_OK);
    CU_ASSERT(il_search_tests(w.spheres.search) <= 60 * (SMALL + LARGE));
    CU_ASSERT(rows.p >= 200 * LARGE); /* the large ones did meet what is under them */
    il_rows_free(&rows);
    crowd_close(&w);
}

/* ---- conduct ------------------------------------------------------------------------------ */

static void answers_do_not_depend_on_earlier_questions(void) {
    crowd w;
    il_rows first;
    il_rows again;
    il_rows_init(&first);
    il_rows_init(&again);
    crowd_open(&w, 3, BODIES, 9);
    fill(&w, 2);
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, 0.5, &first), IL_OK);
    CU_ASSERT(first.p > 0);
    /* other questions, one of them refused, on another configuration */
    double kept = w.q[5];
    w.q[5] = NAN;
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, 0.5, &again), IL_ENUMERIC);
    CU_ASSERT(isnan(il_walled_gap(&w.spheres, w.q, NULL)));
    CU_ASSERT(isfinite(il_walled_gap(&w.spheres, w.x, NULL)));
    w.q[5] = kept;
    size_t before = allocation_count();
    il_rows_clear(&again);
    CU_ASSERT_EQUAL(il_rows_reserve(&again, first.p, first.nnz), IL_OK);
    size_t grown = allocation_count() - before;
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.x, 0.5, &again), IL_OK);
    CU_ASSERT(!allocation_counted() || allocation_count() == before + grown);
    CU_ASSERT_EQUAL_FATAL(again.p, first.p);
    CU_ASSERT_EQUAL(memcmp(first.id, again.id, first.p * sizeof *first.id), 0); /* the order too */
    CU_ASSERT_EQUAL(memcmp(first.value, again.value, first.p * sizeof *first.value), 0);
    il_rows_free(&first);
    il_rows_free(&again);
    crowd_close(&w);
}

/* New radii on the same configuration are new questions. */
static void radii_may_change_between_calls(void) {
    const double q[4] = {0.0, 0.0, 1.0, 0.0};
    double r[2] = {0.25, 0.25};
    il_search *search = NULL;
    CU_ASSERT_EQUAL_FATAL(il_search_create(&search, 2, 2, NULL), IL_OK);
    size_t i = 7;
    size_t j = 7;
    CU_ASSERT(il_search_least(search, q, r, &i, &j) == 0.5);
    r[1] = 0.5;
    CU_ASSERT(il_search_least(search, q, r, &i, &j) == 0.25);
    CU_ASSERT(i == 0 && j == 1);
    r[1] = INFINITY;
    CU_ASSERT(isnan(il_search_least(search, q, r, &i, &j)));
    il_search_destroy(search);
    il_search_destroy(NULL);
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_search_create(&search, 4, 2, &err), IL_EINVAL);
    CU_ASSERT(search == NULL && strstr(err.message, "R^4") != NULL);
}

/* Bodies in one point have no gradient: the row is refused, the gap is NaN; and a search among many
 * of them ends. */
static void coinciding_centres_are_refused(void) {
    crowd w;
    il_rows rows;
    il_rows_init(&rows);
    crowd_open(&w, 2, 50, 1);
    for (size_t i = 0; i < 50; i++) {
        w.spheres.r[i] = 0.1;
    }
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.q, 0.0, &rows), IL_ENUMERIC);
    il_team *team = NULL;
    CU_ASSERT_EQUAL_FATAL(il_team_create(&team, 2, NULL), IL_OK);
    il_search_share(w.spheres.search, team);
    il_rows_clear(&rows);
    CU_ASSERT_EQUAL(il_walled_scan(&w.spheres, w.q, w.q, 0.0, &rows), IL_ENUMERIC);
    CU_ASSERT_EQUAL(rows.p, 0);
    il_search_share(w.spheres.search, NULL);
    il_team_destroy(team);
    CU_ASSERT(isnan(il_walled_gap(&w.spheres, w.q, NULL)));
    il_rows_free(&rows);
    crowd_close(&w);
}

/* The message names N and what would do; nothing is allocated before. */
static void too_many_bodies_are_refused_before_allocating(void) {
    il_error err = {IL_OK, ""};
    size_t before = allocation_count();
    CU_ASSERT_EQUAL(il_walled_afford(3, SIZE_MAX / 2, &err), IL_EINVAL);
    CU_ASSERT(!allocation_counted() || allocation_count() == before);
    CU_ASSERT(strstr(err.message, "at most about") != NULL);
    CU_ASSERT_EQUAL(il_walled_afford(2, 1000, &err), IL_OK);
}

static const il_test tests[] = {
    {"every near pair is found and no other", every_near_pair_is_found_and_no_other},
    {"the least gap is exact", the_least_gap_is_exact},
    {"of equal gaps the first is named", of_equal_gaps_the_first_is_named},
    {"work grows like the number of bodies", work_grows_like_the_number_of_bodies},
    {"a half that stopped stays cheap", a_half_that_stopped_stays_cheap},
    {"one giant costs one pass", one_giant_costs_one_pass},
    {"large spheres do not widen the reach of small ones",
     large_spheres_do_not_widen_the_reach_of_small_ones},
    {"answers do not depend on earlier questions", answers_do_not_depend_on_earlier_questions},
    {"radii may change between calls", radii_may_change_between_calls},
    {"coinciding centres are refused", coinciding_centres_are_refused},
    {"too many bodies are refused before allocating",
     too_many_bodies_are_refused_before_allocating},
    {NULL, NULL}};

const il_suite il_suite_search = {"search", tests};

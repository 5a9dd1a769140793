/*
 * test_search.c - the neighbour search against asking every pair, its work against the number of
 * bodies, many questions one after the other, by a team too, and what is not a number.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/spheres/spheres.h"
#include "tests/support/allocation.h"
#include "tests/support/suite.h"

enum { CASES = 200, BODIES = 150 };

typedef struct {
    il_spheres spheres;
    il_problem problem; /* whose data they are */
    gsl_rng *rng;
    double *q, *x; /* [space N] */
} crowd;

static double uniform(crowd *w, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(w->rng);
}

static void crowd_open(crowd *w, size_t space, size_t N, unsigned long seed) {
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_spheres_init(&w->spheres, space, N, &err), IL_OK);
    w->problem = (il_problem){.data = &w->spheres};
    w->rng = gsl_rng_alloc(gsl_rng_mt19937);
    w->q = calloc(space * N, sizeof *w->q);
    w->x = calloc(space * N, sizeof *w->x);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->rng);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->q);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->x);
    gsl_rng_set(w->rng, seed);
}

static void crowd_close(crowd *w) {
    il_spheres_free(&w->spheres);
    gsl_rng_free(w->rng);
    free(w->q);
    free(w->x);
}

/* Two walls, one of them askew, so that wall rows are compared too. */
static void add_walls(crowd *w) {
    const double floor[3] = {1.0, 0.0, 0.0};
    const double askew[3] = {0.6, 0.8, 0.0};
    il_spheres_add_wall(&w->spheres, "floor", floor, 0.0);
    if (w->spheres.space > 1) {
        il_spheres_add_wall(&w->spheres, "askew", askew, 0.1);
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
    for (size_t id = 0; id < il_spheres_count(&w->spheres); id++) {
        CU_ASSERT_EQUAL_FATAL(il_spheres_row(&w->problem, 0.0, w->q, id, rows), IL_OK);
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
static void every_near_pair_is_found_and_no_other(void) {
    il_rows expected;
    il_rows found;
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
            CU_ASSERT_EQUAL(il_spheres_scan(&w.problem, 0.0, w.q, w.x, slack, &found), IL_OK);
            CU_ASSERT(same_rows(&expected, &found, seen, il_spheres_count(&w.spheres)));
            offered += expected.p;
            withheld += il_spheres_count(&w.spheres) - expected.p;
        }
        il_rows_clear(&found);
        CU_ASSERT_EQUAL(il_spheres_scan(&w.problem, 0.0, w.q, w.x, INFINITY, &found), IL_OK);
        CU_ASSERT_EQUAL(found.p, il_spheres_count(&w.spheres));
        crowd_close(&w);
    }
    CU_ASSERT(offered > 10000 && withheld > 10000); /* both answers are common */
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
        CU_ASSERT(il_spheres_gap(&w.problem, 0.0, w.q, &id) == least);
        CU_ASSERT_EQUAL(id, at);
        CU_ASSERT(il_spheres_gap(&w.problem, 0.0, w.q, NULL) == least);
        crowd_close(&w);
    }
    il_rows_free(&all);
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
    CU_ASSERT_EQUAL(il_spheres_scan(&w.problem, 0.0, w.q, w.x, 0.05, &rows), IL_OK);
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

/* ---- conduct ------------------------------------------------------------------------------ */

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
    CU_ASSERT_EQUAL(il_spheres_scan(&w.problem, 0.0, w.q, w.q, 0.0, &rows), IL_ENUMERIC);
    il_team *team = NULL;
    CU_ASSERT_EQUAL_FATAL(il_team_create(&team, 2, NULL), IL_OK);
    w.problem.team = team;
    il_rows_clear(&rows);
    CU_ASSERT_EQUAL(il_spheres_scan(&w.problem, 0.0, w.q, w.q, 0.0, &rows), IL_ENUMERIC);
    CU_ASSERT_EQUAL(rows.p, 0);
    w.problem.team = NULL;
    il_team_destroy(team);
    CU_ASSERT(isnan(il_spheres_gap(&w.problem, 0.0, w.q, NULL)));
    il_rows_free(&rows);
    crowd_close(&w);
}

/* ---- teams ---------------------------------------------------------------------------------- */

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
        many.problem.team = team;
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
            CU_ASSERT_EQUAL(il_spheres_scan(&one.problem, 0.0, one.q, x, within, &alone), IL_OK);
            CU_ASSERT_EQUAL(il_spheres_scan(&many.problem, 0.0, many.q, y, within, &shared), IL_OK);
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

/* ---- rounds --------------------------------------------------------------------------------- */

enum { ROUND_CASES = 60, ROUNDS = 12 };

/* A box that holds about one body for each of its own size, so that most touch some. */
static void fill_box(crowd *w) {
    size_t space = w->spheres.space;
    double box = pow(BODIES, 1.0 / (double)space);
    for (size_t i = 0; i < BODIES; i++) {
        w->spheres.r[i] = uniform(w, 0.3, 0.5);
    }
    for (size_t k = 0; k < space * BODIES; k++) {
        w->x[k] = w->q[k] = uniform(w, 0.0, box);
    }
}

/* As rounds do: all bodies a little or far, a few of them, all alike, or back where they were. */
static void displace(crowd *w) {
    unsigned long kind = gsl_rng_uniform_int(w->rng, 5);
    double size = pow(10.0, uniform(w, -4.0, 0.5));
    double alike = uniform(w, -size, size);
    for (size_t k = 0; k < w->spheres.space * BODIES; k++) {
        double own = uniform(w, -size, size);
        own = kind == 1 && k % 16 != 0 ? 0.0 : kind == 2 ? alike : own;
        w->x[k] = kind == 3 ? w->q[k] : w->x[k] + own;
    }
}

/* The answer of w is that of a search that has not been asked before, whose rows are as many as
 * asking every pair finds; so is its least distance. Returns how many rows there are. */
static size_t check_afresh(crowd *w, double slack) {
    crowd fresh;
    il_rows found;
    il_rows expected;
    il_rows all;
    size_t bytes = w->spheres.space * BODIES * sizeof(double);
    crowd_open(&fresh, w->spheres.space, BODIES, 1);
    memcpy(fresh.spheres.r, w->spheres.r, BODIES * sizeof(double));
    memcpy(fresh.q, w->q, bytes);
    memcpy(fresh.x, w->x, bytes);
    il_rows_init(&found);
    il_rows_init(&expected);
    il_rows_init(&all);
    CU_ASSERT_EQUAL(il_spheres_scan(&w->problem, 0.0, w->q, w->x, slack, &found), IL_OK);
    CU_ASSERT_EQUAL(il_spheres_scan(&fresh.problem, 0.0, fresh.q, fresh.x, slack, &expected),
                    IL_OK);
    ask_all(w, slack, &all);
    CU_ASSERT(are_identical(&expected, &found));
    CU_ASSERT_EQUAL(found.p, all.p);
    CU_ASSERT(have_one_least(w, &fresh));
    size_t rows = found.p;
    il_rows_free(&found);
    il_rows_free(&expected);
    il_rows_free(&all);
    crowd_close(&fresh);
    return rows;
}

/* Many questions about one configuration, as a step asks them; now and then about another one, and
 * with another radius. */
static void each_round_is_answered_as_a_first_question(void) {
    static const double slack[4] = {-0.1, 0.0, 0.03, 0.4};
    size_t rows = 0;
    for (unsigned k = 0; k < ROUND_CASES; k++) {
        crowd w;
        crowd_open(&w, 1 + k % 3, BODIES, 9000 + k);
        fill_box(&w);
        for (unsigned round = 0; round < ROUNDS; round++) {
            rows += check_afresh(&w, slack[gsl_rng_uniform_int(w.rng, 4)]);
            displace(&w);
            if (round % 5 == 4) {
                memcpy(w.q, w.x, w.spheres.space * BODIES * sizeof *w.q);
                w.spheres.r[BODIES / 2] += 0.1;
            }
        }
        crowd_close(&w);
    }
    CU_ASSERT(rows > 100000);
}

static const il_test tests[] = {
    {"a team does the work of one", a_team_does_the_work_of_one},
    {"each round is answered as a first question", each_round_is_answered_as_a_first_question},
    {"every near pair is found and no other", every_near_pair_is_found_and_no_other},
    {"the least gap is exact", the_least_gap_is_exact},
    {"work grows like the number of bodies", work_grows_like_the_number_of_bodies},
    {"coinciding centres are refused", coinciding_centres_are_refused},
    {NULL, NULL}};

const il_suite il_suite_search = {"search", tests};

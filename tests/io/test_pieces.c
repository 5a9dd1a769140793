/*
 * test_pieces.c - motions inside steps: kept, written and read, as polynomials and as rows.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dense.h"
#include "harness/io/formats/trajectory_file.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { D = 2, DEGREE = 5 };

/* x(t) = t^5 - 2 t^2, as c of [a,b] by Taylor's formula; y bounces: t (1 - t), then (t - 1)(2 - t),
 * u from -1 to 1 at t = 1. */
static void quintic(double a, double b, double *c) {
    static const double binomial[DEGREE + 1] = {1.0, 5.0, 10.0, 10.0, 5.0, 1.0};
    double h = b - a;
    double from = a < 1.0 ? 0.0 : 1.0;
    for (int k = 0; k <= DEGREE; k++) {
        c[k * D] = binomial[k] * pow(a, DEGREE - k) * pow(h, k);
        c[k * D + 1] = 0.0;
    }
    c[0] -= 2.0 * a * a;
    c[D] -= 4.0 * a * h;
    c[2 * D] -= 2.0 * h * h;
    c[1] = (a - from) * (from + 1.0 - a);
    c[D + 1] = (2.0 * from + 1.0 - 2.0 * a) * h;
    c[2 * D + 1] = -h * h;
}

static void state(double t, double *q, double *u) {
    double from = t < 1.0 ? 0.0 : 1.0;
    q[0] = pow(t, 5.0) - 2.0 * t * t;
    u[0] = 5.0 * pow(t, 4.0) - 4.0 * t;
    q[1] = (t - from) * (from + 1.0 - t);
    u[1] = 2.0 * from + 1.0 - 2.0 * t;
}

/* Steps of 0.4 to 2, with the impact at 1 inside the third; the first is one of degree 5, whose
 * y needs but 2. */
static void make(il_trajectory *w) {
    double c[2 * (DEGREE + 1) * D];
    double q[D];
    double u[D];
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(w, D, 1, NULL), IL_OK);
    state(0.0, q, u);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_add(w, 0.0, q, u), IL_OK);
    for (int n = 0; n < 5; n++) {
        double a = 0.4 * n;
        double b = 0.4 * (n + 1);
        bool hits = n == 2;
        double end[2] = {hits ? 1.0 : b, b};
        quintic(a, end[0], c);
        quintic(1.0, b, c + (DEGREE + 1) * D);
        const il_motion motion = {D, hits ? 2 : 1, DEGREE, end, c};
        state(b, q, u);
        il_trajectory_add_motion(w, b, &motion);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_add(w, b, q, u), IL_OK);
    }
}

static void a_motion_is_kept_piece_by_piece(void) {
    il_trajectory w;
    il_motion motion;
    make(&w);
    CU_ASSERT(il_trajectory_motion(&w, 3, &motion));
    CU_ASSERT_EQUAL_FATAL(motion.n, 2);
    CU_ASSERT_EQUAL(motion.end[0], 1.0);
    CU_ASSERT_EQUAL(motion.end[1], w.t[3]);
    CU_ASSERT(il_trajectory_motion(&w, 4, &motion) && motion.n == 1);
    il_exact exact = il_trajectory_as_exact(&w, "run");
    CU_ASSERT_EQUAL(exact.nbreaks, 7);
    for (int k = 0; k <= 100; k++) {
        double t = 0.02 * k;
        double q[D];
        double u[D];
        double x[D];
        double v[D];
        state(t, q, u);
        exact.eval(&exact, t, 1, x, v);
        for (int i = 0; i < D; i++) { /* some forty roundings of numbers below 64 */
            CU_ASSERT(fabs(x[i] - q[i]) <= 1e-13);
            CU_ASSERT(fabs(v[i] - u[i]) <= 1e-12);
        }
    }
    double x[D];
    double v[D];
    exact.eval(&exact, 1.0, -1, x, v);
    CU_ASSERT(fabs(v[1] + 1.0) <= 1e-14);
    il_trajectory_free(&w);
}

/* A higher degree behind a lower one: coefficients move, none changes. */
static void degrees_may_grow(void) {
    il_trajectory w;
    const double line[2] = {1.0, 2.0};
    const double cubic[4] = {3.0, 1.0, -1.0, 0.5};
    const double ends[2] = {1.0, 2.0};
    double q = 1.0;
    double u = 2.0;
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&w, 1, 1, NULL), IL_OK);
    (void)il_trajectory_add(&w, 0.0, &q, &u);
    il_trajectory_add_motion(&w, 1.0, &(il_motion){1, 1, 1, ends, line});
    q = 3.0;
    (void)il_trajectory_add(&w, 1.0, &q, &u);
    il_trajectory_add_motion(&w, 2.0, &(il_motion){1, 1, 3, ends + 1, cubic});
    q = 3.5;
    (void)il_trajectory_add(&w, 2.0, &q, &u);
    const double both[8] = {1.0, 2.0, 0.0, 0.0, 3.0, 1.0, -1.0, 0.5};
    CU_ASSERT_EQUAL_FATAL(w.pieces.n, 2);
    CU_ASSERT_EQUAL(memcmp(w.pieces.c, both, sizeof both), 0);
    il_trajectory_free(&w);
}

static void files_give_the_same_motion_bit_by_bit(void) {
    static const char *const names[] = {"a.csv", "a.h5"};
    char folder[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_open(folder);
    for (int k = 0; k < 2; k++) {
        il_trajectory w;
        il_trajectory back = {.d = 0};
        il_error err = {IL_OK, ""};
        make(&w);
        il_scratch_path(folder, names[k], path);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_write(&w, path, "{}", &err), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_read(&back, path, &err), IL_OK);
        CU_ASSERT_EQUAL_FATAL(back.nodes, w.nodes);
        CU_ASSERT_EQUAL_FATAL(back.pieces.n, w.pieces.n);
        CU_ASSERT_EQUAL_FATAL(back.pieces.degree, DEGREE);
        size_t n = w.pieces.n;
        CU_ASSERT_EQUAL(memcmp(back.t, w.t, w.nodes * sizeof *w.t), 0);
        CU_ASSERT_EQUAL(memcmp(back.q, w.q, w.nodes * D * sizeof *w.q), 0);
        CU_ASSERT_EQUAL(memcmp(back.u, w.u, w.nodes * D * sizeof *w.u), 0);
        CU_ASSERT_EQUAL(memcmp(back.pieces.at, w.pieces.at, (n + 1) * sizeof *w.t), 0);
        CU_ASSERT_EQUAL(memcmp(back.pieces.c, w.pieces.c, n * (DEGREE + 1) * D * sizeof *w.t), 0);
        il_trajectory_free(&back);
        il_trajectory_free(&w);
    }
    il_scratch_close(folder, 2);
}

static void archives_keep_motions(void) {
    il_trajectory w;
    il_trajectory back = {.d = D};
    make(&w);
    il_archive a = {.loading = false};
    il_trajectory_archive(&w, &a);
    il_archive b = {.loading = true, .bytes = a.bytes, .n = a.n};
    il_trajectory_archive(&back, &b);
    CU_ASSERT(!b.failed && b.at == b.n && back.pieces.n == w.pieces.n);
    CU_ASSERT(memcmp(back.pieces.c, w.pieces.c, w.pieces.n * (DEGREE + 1) * D * sizeof(double)) ==
              0);
    il_trajectory_free(&back);
    for (size_t n = 0; n < a.n; n += 7) { /* cut off anywhere, and no more is read */
        il_archive cut = {.loading = true, .bytes = a.bytes, .n = n};
        il_trajectory less = {.d = D};
        il_trajectory_archive(&less, &cut);
        CU_ASSERT(cut.failed);
        il_trajectory_free(&less);
    }
    free(a.bytes);
    il_trajectory_free(&w);
}

/* ---- rows without coefficients -------------------------------------------------------------- */

typedef struct {
    double t, q, u, step;
} row;

static il_status read_rows(il_trajectory *w, const row *rows, size_t n, bool stepped,
                           il_error *err) {
    il_dense_reading reading = {.run = w, .stepped = stepped};
    il_status status = il_trajectory_init(w, 1, n, err);
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status =
            il_dense_read(&reading, rows[k].t, &rows[k].q, &rows[k].u, rows[k].step, NULL, err);
    }
    status = status == IL_OK ? il_dense_end(&reading, err) : status;
    il_dense_reading_free(&reading);
    return status;
}

/* A ball that falls from 1/2 with acceleration 1, meets the floor at 1 with speed 1, and flies up
 * again with 1/2: cubics through q and u are its parabolas. */
static void rows_are_parabolas_with_a_kink(void) {
    static const row rows[] = {{0.0, 0.5, 0.0, 0.0},   {0.75, 0.21875, -0.75, 1.0},
                               {1.0, 0.0, -1.0, 2.0},  {1.0, 0.0, 0.5, 2.0},
                               {1.5, 0.125, 0.0, 2.0}, {2.0, 0.0, -0.5, 3.0}};
    for (int stepped = 0; stepped < 2; stepped++) {
        il_trajectory w;
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL_FATAL(read_rows(&w, rows, 6, stepped != 0, &err), IL_OK);
        CU_ASSERT_EQUAL_FATAL(w.nodes, 4); /* 0, 0.75, 1.5, 2 */
        CU_ASSERT_EQUAL(w.t[2], 1.5);
        CU_ASSERT_EQUAL(w.pieces.n, 4);
        il_exact exact = il_trajectory_as_exact(&w, "rows");
        for (int k = 0; k <= 64; k++) {
            double t = k / 32.0;
            double s = t - 1.0;
            double q = 0.0;
            double u = 0.0;
            exact.eval(&exact, t, 1, &q, &u);
            double right = t < 1.0 ? 0.5 - 0.5 * t * t : 0.5 * s - 0.5 * s * s;
            CU_ASSERT(fabs(q - right) <= 8.0 * DBL_EPSILON);
            CU_ASSERT(fabs(u - (t < 1.0 ? -t : 0.5 - s)) <= 16.0 * DBL_EPSILON);
        }
        il_trajectory_free(&w);
    }
}

static void an_impact_may_be_at_a_node(void) {
    static const row rows[] = {
        {0.0, 1.0, -1.0, 0.0}, {1.0, 0.0, -1.0, 1.0}, {1.0, 0.0, 1.0, 2.0}, {2.0, 1.0, 1.0, 2.0}};
    il_trajectory w;
    il_motion motion;
    CU_ASSERT_EQUAL_FATAL(read_rows(&w, rows, 4, true, NULL), IL_OK);
    CU_ASSERT(w.nodes == 3 && w.u[1] == -1.0 && w.u[2] == 1.0);
    CU_ASSERT(il_trajectory_motion(&w, 2, &motion) && motion.n == 1 && motion.c[1] == 1.0);
    il_trajectory_free(&w);
    CU_ASSERT_EQUAL_FATAL(read_rows(&w, rows, 4, false, NULL), IL_OK);
    CU_ASSERT_EQUAL(w.nodes, 2); /* without a step it is inside of one */
    il_trajectory_free(&w);
}

static void bad_rows_are_named(void) {
    static const struct {
        row rows[3];
        const char *says;
    } list[] = {
        {{{0.5, 0.0, 0.0, 0.0}}, "allowed: the start"},
        {{{0.0, 0.0, 0.0, 1.0}}, "allowed: the start"},
        {{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}, {0.5, 0.0, 0.0, 1.0}},
         "t is 0.5; allowed: a time after 1, or that one a second time"},
        {{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}, {NAN, 0.0, 0.0, 1.0}}, "t is nan"},
        {{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}, {1.0, 0.5, 0.0, 1.0}},
         "q0 is 0.5 where t = 1 stands again"},
        {{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}, {2.0, 0.0, 0.0, 3.0}},
         "the step is 3; allowed: 1 or 2"},
        {{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}, {2.0, NAN, 0.0, 2.0}}, "not finite"},
    };
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_trajectory w;
        il_error err = {IL_OK, ""};
        size_t n = list[k].rows[1].t > 0.0 ? 3 : 1;
        CU_ASSERT_NOT_EQUAL(read_rows(&w, list[k].rows, n, true, &err), IL_OK);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, list[k].says));
        il_trajectory_free(&w);
    }
}

static const il_test tests[] = {
    {"a motion is kept piece by piece", a_motion_is_kept_piece_by_piece},
    {"degrees may grow", degrees_may_grow},
    {"files give the same motion bit by bit", files_give_the_same_motion_bit_by_bit},
    {"archives keep motions", archives_keep_motions},
    {"rows are parabolas with a kink", rows_are_parabolas_with_a_kink},
    {"an impact may be at a node", an_impact_may_be_at_a_node},
    {"bad rows are named", bad_rows_are_named},
    {NULL, NULL}};

const il_suite il_suite_pieces = {"pieces", tests};

/*
 * test_growing.c - a file that grows has all nodes that were written, at any time.
 */
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/formats/growing.h"
#include "harness/io/formats/trajectory_file.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { D = 3, NODES = 400, ROOM = 2 * IL_SCRATCH_ROOM };
static const char RECORD[] = "{\"status\": \"running\"}";

/* Numbers of many digits; node n is the same in all trajectories. */
static double number(size_t n, size_t k) {
    return sin(1.0 + (double)(n * 7 + k)) / 3.0;
}

/* The first so many nodes, a contact each. */
static void fill(il_trajectory *w, size_t nodes) {
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(w, D, nodes, NULL), IL_OK);
    for (size_t n = 0; n < nodes; n++) {
        double q[D];
        double u[D];
        for (size_t k = 0; k < D; k++) {
            q[k] = number(n, k);
            u[k] = number(n, D + k);
        }
        CU_ASSERT_EQUAL(il_trajectory_add(w, 0.1 * (double)n, q, u), IL_OK);
        CU_ASSERT_EQUAL(il_trajectory_add_contact(w, (il_contact){n, n + 5, number(n, 9)}), IL_OK);
    }
}

typedef struct {
    char dir[IL_SCRATCH_ROOM], path[ROOM];
    il_growing growing;
} bench;

static void bench_open(bench *b, const char *name) {
    memset(b, 0, sizeof *b);
    il_scratch_open(b->dir);
    il_scratch_path(b->dir, name, b->path);
    CU_ASSERT_EQUAL_FATAL(il_growing_open(&b->growing, b->path, NULL), IL_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->growing.path);
    CU_ASSERT_EQUAL(il_scratch_count(b->dir), 0);
}

static void bench_close(bench *b) {
    il_growing_remove(&b->growing);
    il_growing_close(&b->growing);
    il_scratch_close(b->dir, 0);
}

static void follow(bench *b, size_t nodes) {
    il_trajectory w;
    fill(&w, nodes);
    CU_ASSERT_EQUAL(il_growing_follow(&b->growing, &w, RECORD, NULL), IL_OK);
    il_trajectory_free(&w);
}

static ino_t inode(const bench *b) {
    struct stat info;
    CU_ASSERT_EQUAL_FATAL(stat(b->growing.path, &info), 0);
    return info.st_ino;
}

/* The file has these nodes, to the bit, and no others; contacts too, where there are any. */
static void expect(const bench *b, size_t nodes) {
    il_trajectory back = {.d = 0};
    il_trajectory w;
    il_error err = {IL_OK, ""};
    fill(&w, nodes);
    CU_ASSERT_EQUAL(il_trajectory_read(&back, b->growing.path, &err), IL_OK);
    CU_ASSERT_STRING_EQUAL(err.message, "");
    CU_ASSERT_EQUAL_FATAL(back.nodes, nodes);
    CU_ASSERT_EQUAL(memcmp(back.t, w.t, nodes * sizeof *w.t), 0);
    CU_ASSERT_EQUAL(memcmp(back.q, w.q, nodes * D * sizeof *w.q), 0);
    CU_ASSERT_EQUAL(memcmp(back.u, w.u, nodes * D * sizeof *w.u), 0);
    il_trajectory_free(&back);
    il_trajectory_free(&w);
}

/* ---- growing -------------------------------------------------------------------------------- */

static void nodes_are_appended(const char *name) {
    static const size_t steps[] = {3, 4, 4, 90, 91, NODES};
    bench b;
    bench_open(&b, name);
    follow(&b, steps[0]);
    ino_t file = inode(&b);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        follow(&b, steps[k]);
        CU_ASSERT_EQUAL(inode(&b), file); /* in place */
        expect(&b, steps[k]);
        CU_ASSERT_NOT_EQUAL(access(b.path, F_OK), 0);
    }
    bench_close(&b);
}

static void files_grow_in_place(void) {
    nodes_are_appended("a.csv");
    nodes_are_appended("a.h5");
}

static const il_test tests[] = {
    {"files grow in place, and have all nodes at any time", files_grow_in_place}, {NULL, NULL}};

extern const il_suite il_suite_growing;
const il_suite il_suite_growing = {"growing", tests};

/*
 * test_growing.c - a file that grows has what it was brought to, whatever stood there, and can be
 * read at any moment, also after a kill.
 */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/formats/growing.h"
#include "harness/io/formats/trajectory_file.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { D = 3, NODES = 400, KILLS = 16, ROOM = 2 * IL_SCRATCH_ROOM };
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

/* As another process finds it. */
static void forget(bench *b) {
    b->growing.grown = (il_grown){.nodes = 0};
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

/* ---- kills ---------------------------------------------------------------------------------- */

/* In a child: follow in small steps, for ever. */
static _Noreturn void grow_on(bench *b) {
    il_trajectory w;
    (void)setpgid(0, 0);
    fill(&w, NODES);
    for (size_t n = 2;; n = n < NODES ? n + 1 : 2) {
        il_trajectory part = w;
        part.nodes = n;
        part.ncontacts = n;
        (void)il_growing_follow(&b->growing, &part, RECORD, NULL);
    }
}

/* The numbers of a dataset; NULL where it is not to be read. */
static double *column(hid_t file, const char *name, hsize_t *n) {
    hsize_t dims[2] = {0, 0};
    if (H5LTget_dataset_info(file, name, dims, NULL, NULL) < 0) {
        return NULL;
    }
    *n = dims[0];
    double *x = malloc((dims[0] * D + 1) * sizeof *x);
    if (x != NULL && dims[0] > 0 && H5LTread_dataset_double(file, name, x) < 0) {
        free(x);
        return NULL;
    }
    return x;
}

/* As one who reads while it grows: all nodes of t are there. */
static void expect_readable(const bench *b) {
    hsize_t nodes = 0;
    hsize_t rows = 0;
    if (access(b->growing.path, F_OK) != 0) {
        return;
    }
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(b->growing.path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    CU_ASSERT_FATAL(file >= 0);
    double *t = column(file, "t", &nodes);
    CU_ASSERT_FATAL(t != NULL && nodes > 0);
    double *q = column(file, "q", &rows);
    CU_ASSERT_FATAL(q != NULL && rows >= nodes);
    double *u = column(file, "u", &rows);
    CU_ASSERT_FATAL(u != NULL && rows >= nodes);
    size_t wrong = 0;
    for (size_t n = 0; n < nodes; n++) {
        wrong += t[n] != 0.1 * (double)n;
        for (size_t k = 0; k < D; k++) {
            wrong += q[n * D + k] != number(n, k) || u[n * D + k] != number(n, D + k);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(t);
    free(q);
    free(u);
    CU_ASSERT(H5Fclose(file) >= 0);
}

/* HDF5 alone: cli/campaign.sh kills a run whose csv grows. */
static void a_kill_leaves_a_file_that_can_be_read(void) {
    bench b;
    bench_open(&b, "a.h5");
    CU_ASSERT_EQUAL_FATAL(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    for (unsigned k = 0; k < KILLS; k++) {
        const struct timespec while_ = {.tv_nsec = 1000L * (k * 7919U % 200000)};
        (void)fflush(NULL);
        pid_t child = fork();
        CU_ASSERT_FATAL(child >= 0);
        if (child == 0) {
            grow_on(&b);
        }
        (void)setpgid(child, child);
        (void)nanosleep(&while_, NULL);
        CU_ASSERT_EQUAL(kill(-child, SIGKILL), 0);
        while (waitpid(-child, NULL, 0) > 0) { /* also one who extends the file for it */
        }
        expect_readable(&b);
        if (k % 8 == 7) { /* what goes on finds what was left */
            forget(&b);
            follow(&b, 30 + k);
            expect(&b, 30 + k);
            forget(&b);
        }
    }
    CU_ASSERT_EQUAL(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    bench_close(&b);
}

static const il_test tests[] = {
    {"files grow in place, and have all nodes at any time", files_grow_in_place},
    {"a kill leaves a file that can be read, and gone on with",
     a_kill_leaves_a_file_that_can_be_read},
    {NULL, NULL}};

extern const il_suite il_suite_growing;
const il_suite il_suite_growing = {"growing", tests};

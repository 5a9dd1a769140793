/*
 * test_exports.c - what is written of a run with snapshots, read back against its trajectory.
 */
#include <float.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/trajectory_file.h"
#include "harness/io/formats/vtk.h"
#include "tests/support/expect.h"
#include "tests/support/scratch.h"
#include "tests/support/snapshot_run.h"
#include "tests/support/suite.h"

enum { PILE_STEPS = 160 };

static const double H = 0.01;

static const char *const pile[] = {"N=30", "gravity=2", NULL};
static const char *const ball[] = {"N=1", "r0=2", NULL};

/* ---- ParaView -------------------------------------------------------------------------------- */

/* The next array of raw appended data: *at points at its length. */
static const char *next_array(const char **at, uint64_t *bytes) {
    memcpy(bytes, *at, sizeof *bytes);
    const char *data = *at + sizeof *bytes;
    *at = data + *bytes;
    return data;
}

/* radius, speed, velocity, load, body, points: bit by bit those of the trajectory. */
static void check_bodies(const il_snapshot_run *b, const il_snapshot *f, const char *name) {
    size_t size = 0;
    size_t n = b->snapshots.bodies;
    char head[64];
    char *text = il_test_slurp(b->dir, name, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    (void)snprintf(head, sizeof head, "NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\"", n, n);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, head));
    const char *mark = "<AppendedData encoding=\"raw\">\n_";
    const char *at = memmem(text, size, mark, strlen(mark));
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at += strlen(mark);
    const double *q = b->trajectory.q + f->step * b->record.d;
    const double *u = b->trajectory.u + f->step * b->record.d;
    const char *data[6];
    uint64_t bytes[6];
    for (size_t k = 0; k < 6; k++) {
        data[k] = next_array(&at, &bytes[k]);
    }
    CU_ASSERT_EQUAL_FATAL(bytes[0], 8 * n);
    CU_ASSERT_EQUAL_FATAL(bytes[5], 24 * n);
    size_t wrong = memcmp(data[0], f->radius, 8 * n) != 0;
    for (size_t i = 0; i < n; i++) {
        double point[3];
        double velocity[3];
        double speed = 0.0;
        memcpy(point, data[5] + 24 * i, sizeof point);
        memcpy(velocity, data[2] + 24 * i, sizeof velocity);
        memcpy(&speed, data[1] + 8 * i, sizeof speed);
        wrong += point[0] != q[2 * i] || point[1] != q[2 * i + 1] || point[2] != 0.0;
        wrong += velocity[0] != u[2 * i] || velocity[1] != u[2 * i + 1] || velocity[2] != 0.0;
        wrong += !(fabs(speed - hypot(u[2 * i], u[2 * i + 1])) <= 4.0 * DBL_EPSILON * speed);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(text);
}

static void exports_are_the_trajectory(void) {
    il_snapshot_run b;
    il_snapshot_run_start(&b, "pile", pile, H, PILE_STEPS, 50);
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(b.dir, "pile.pvd", path);
    CU_ASSERT_EQUAL_FATAL(il_vtk_check_path(path, &b.err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_vtk_write(&b.snapshots, path, &b.err), IL_OK);
    size_t size = 0;
    char *collection = il_test_slurp(b.dir, "pile.pvd", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(collection);
    CU_ASSERT_EQUAL_FATAL(b.snapshots.n, 5); /* 0, 50, 100, 150, 160 */
    CU_ASSERT_EQUAL(il_snapshot_run_files(&b, "pile"), 10);
    for (size_t k = 0; k < b.snapshots.n; k++) {
        const il_snapshot *f = &b.snapshots.frames[k];
        char name[64];
        char line[160];
        (void)snprintf(name, sizeof name, "pile/bodies-%06zu.vtp", f->step);
        (void)snprintf(line, sizeof line,
                       "timestep=\"%.17g\" part=\"0\" name=\"bodies\" file=\"%s\"",
                       b.trajectory.t[f->step], name);
        CU_ASSERT_PTR_NOT_NULL(strstr(collection, line));
        check_bodies(&b, f, name);
    }
    free(collection);
    il_snapshot_run_close(&b);
}

/* ---- records of many bodies ------------------------------------------------------------------ */

/* Longer than the 64 kB that an attribute of HDF5's first format holds. */
static void long_records_fit_into_hdf5(void) {
    enum { LONG = 200000 };
    il_snapshot_run b;
    il_snapshot_run_start(&b, "impact", ball, 0.5, 4, 1);
    char path[2 * IL_SCRATCH_ROOM];
    char *record = malloc(LONG + 1);
    char *back = calloc(1, LONG + 2);
    CU_ASSERT_FATAL(record != NULL && back != NULL);
    memset(record, 'x', LONG);
    record[LONG] = '\0';
    il_scratch_path(b.dir, "long.h5", path);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_write(&b.trajectory, path, record, &b.err), IL_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CU_ASSERT_FATAL(file >= 0);
    CU_ASSERT(H5LTget_attribute_string(file, "/", "record", back) >= 0);
    CU_ASSERT_STRING_EQUAL(back, record);
    (void)H5Fclose(file);
    free(record);
    free(back);
    il_snapshot_run_close(&b);
}

/* Spreadsheets put one before the header, or before the comment above it; inside it is damage. */
static void a_byte_order_mark_is_no_column(void) {
    static const struct {
        const char *text;
        il_status status;
    } list[] = {{"\xef\xbb\xbft,q0,u0\n0,1,2\n0.5,2,2\n", IL_OK},
                {"\xef\xbb\xbf# {}\r\nt,q0,u0\r\n0,1,2\r\n0.5,2,2\r\n", IL_OK},
                {"\xef\xbb\xbf", IL_EINVAL},
                {"# {}\n\xef\xbb\xbft,q0,u0\n0,1,2\n0.5,2,2\n", IL_EINVAL},
                {"t,q0,u0\n\xef\xbb\xbf"
                 "0,1,2\n0.5,2,2\n",
                 IL_EINVAL}};
    char folder[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_open(folder);
    il_scratch_path(folder, "a.csv", path);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_trajectory w = {.d = 0};
        il_test_write(path, list[k].text, strlen(list[k].text));
        CU_ASSERT_EQUAL_FATAL(il_trajectory_read(&w, path, NULL), list[k].status);
        CU_ASSERT(list[k].status != IL_OK ||
                  (w.d == 1 && w.nodes == 2 && w.q[0] == 1.0 && w.u[1] == 2.0));
        il_trajectory_free(&w);
    }
    il_scratch_close(folder, 1);
}

static const il_test tests[] = {
    {"a byte-order mark is no column", a_byte_order_mark_is_no_column},
    {"exports are the trajectory bit by bit", exports_are_the_trajectory},
    {"records of many bodies fit into HDF5", long_records_fit_into_hdf5},
    {NULL, NULL}};

const il_suite il_suite_exports = {"exports", tests};

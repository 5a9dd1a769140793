/*
 * test_track.c - files of samples: what is refused, by its place; arrays of NumPy, made here byte
 * by byte; datasets of HDF5.
 */
#include <fcntl.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "harness/io/formats/hdf5_file.h"
#include "harness/outside/track.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static char folder[IL_SCRATCH_ROOM];

static const char *path_in(const char *name, char path[2 * IL_SCRATCH_ROOM]) {
    il_scratch_path(folder, name, path);
    return path;
}

static void write_text(const char *name, const char *text) {
    char path[2 * IL_SCRATCH_ROOM];
    FILE *out = fopen(path_in(name, path), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fputs(text, out);
    (void)fclose(out);
}

/* A track of one coordinate and one constraint. */
static il_status open_track(il_track *track, const char *name, il_error *err) {
    static char path[2 * IL_SCRATCH_ROOM]; /* the track's, as long as it is open */
    memset(track, 0, sizeof *track);
    return il_track_open(track, path_in(name, path), NULL, 1, 1, err);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void what_is_no_motion_is_refused_by_its_place(void) {
    il_scratch_open(folder);
    static const struct {
        const char *text, *told;
    } bad[] = {
        {"", "is empty"},
        {"t,q0,u0\n0,1,0\n", "1 sample;"},
        {"t,u0\n0,1\n1,2\n", "has no column 'q0'; it has t, u0"},
        {"t,q0,q0\n0,1,1\n", "two columns 'q0'"},
        {"t,q0,u0\n0,1,0\n0.1,1\n", "line 3 has fewer numbers; allowed: 3"},
        {"t,q0,u0\n0,1,0\n0.1,1,0,5\n", "line 3 has more numbers"},
        {"t,q0,u0\n0,1,0\n0.1,abc,0\n", "line 3, column 2 (q0) is 'abc'"},
        {"t,q0,u0\n0,1,0\n0.1,nan,0\n", "line 3, column 2 (q0) is nan"},
        {"t,q0,u0\n0,1,0\n0.2,1,0\n0.1,1,0\n",
         "line 4, column 1 (t) is 0.1; allowed: a time after"},
        {"t,q0,u0\n0.5,1,0\n1,1,0\n",
         "line 2, column 1 (t) is 0.5; allowed: the beginning, 0; subtract it from all times"},
        {"t;q0\n0,0;1,5\n", "line 2, column 1 (t) is '0,0'; allowed: a number, as 1.5"},
        {"0,1,0\n0.5,1,0\n", "line 1 has numbers; allowed: a line of names before them"},
        {"t,q0,u1,u2\n0,1,0,0\n1,1,0,0\n", "u2: not understood; allowed: t, q0, u0, impulse0"},
        {"t,q0,u0,v0\n0,1,0,0\n1,1,0,0\n", "v0: not understood"},
        {"t,q0,u [m/s]\n0,1,0\n1,1,0\n", "u [m/s]: not understood"},
        {"t,q0,u0,q1\n0,1,0,0\n1,1,0,0\n", "q1: not understood"},
        {"t,q0,u0,impulse3\n0,1,0,0\n1,1,0,0\n", "impulse 3 is given, and the problem has 1"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_error err = {IL_OK, ""};
        il_track track = {.has_u = false};
        write_text("bad.csv", bad[k].text);
        CU_ASSERT_EQUAL(open_track(&track, "bad.csv", &err), IL_EINVAL);
        bool told = strstr(err.message, bad[k].told) != NULL;
        CU_ASSERT(told);
        if (!told) {
            (void)fprintf(stderr, "%s: %s\n", bad[k].told, err.message);
        }
        il_track_close(&track);
    }
    il_scratch_close(folder, 0);
}

/* ---- npz ------------------------------------------------------------------------------------ */

static void put(FILE *out, unsigned long long x, int bytes) {
    for (int k = 0; k < bytes; k++) {
        (void)fputc(k < 8 ? (int)(x >> (8 * k) & 0xff) : 0, out);
    }
}

typedef struct {
    const char *name, *type, *shape; /* of NumPy */
    const void *bytes;
    size_t n;
} member;

/* The check sum of APPNOTE.TXT, 4.4.7: the remainder of the bits by the polynomial, one by one. */
static unsigned long long check_sum(const unsigned char *at, size_t n) {
    unsigned long long c = 0xffffffff;
    for (size_t k = 0; k < 8 * n; k++) {
        bool bit = (c & 1) != (at[k / 8] >> k % 8 & 1);
        c = c >> 1 ^ (bit ? 0xedb88320 : 0);
    }
    return c ^ 0xffffffff;
}

/* An archive as numpy.savez writes it; of another method it is only said to be compressed, and of
 * another `off` than 0 the check sums are wrong. */
static void write_npz(const char *name, int method, const member *list, size_t count, int off) {
    char path[2 * IL_SCRATCH_ROOM];
    unsigned char data[8][512];
    unsigned long long size[8];
    long start[8];
    FILE *out = fopen(path_in(name, path), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (size_t k = 0; k < count; k++) {
        char header[128];
        int n =
            snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': %s, }",
                     list[k].type, list[k].shape);
        memcpy(data[k], "\x93NUMPY\x01", 8);
        data[k][8] = (unsigned char)n;
        data[k][9] = 0;
        memcpy(data[k] + 10, header, (size_t)n);
        memcpy(data[k] + 10 + n, list[k].bytes, list[k].n);
        size[k] = 10 + (size_t)n + list[k].n;
        start[k] = ftell(out);
        put(out, 0x04034b50, 4);
        put(out, 20, 2);
        put(out, 0, 2);
        put(out, (unsigned long long)method, 2);
        put(out, 0, 8);
        put(out, 0, 8); /* sizes: the list of members has them */
        put(out, strlen(list[k].name), 2);
        put(out, 0, 2);
        (void)fputs(list[k].name, out);
        (void)fwrite(data[k], 1, size[k], out);
    }
    long from = ftell(out);
    for (size_t k = 0; k < count; k++) {
        put(out, 0x02014b50, 4);
        put(out, 20, 2);
        put(out, 20, 2);
        put(out, 0, 2);
        put(out, (unsigned long long)method, 2);
        put(out, 0, 4);
        put(out, check_sum(data[k], size[k]) + (unsigned long long)off, 4);
        put(out, size[k], 4);
        put(out, size[k], 4);
        put(out, strlen(list[k].name), 2);
        put(out, 0, 10);
        put(out, 0, 2);
        put(out, (unsigned long long)start[k], 4);
        (void)fputs(list[k].name, out);
    }
    long end = ftell(out);
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, count, 2);
    put(out, count, 2);
    put(out, (unsigned long long)(end - from), 4);
    put(out, (unsigned long long)from, 4);
    put(out, 0, 2);
    (void)fclose(out);
}

static const double times[3] = {0.0, 0.1, 0.2};
static const double heights[3] = {1.0, 0.99, 0.96};
static const double speeds[3] = {0.0, -0.2, -0.4};
static const member T = {"t.npy", "'<f8'", "(3,)", times, sizeof times};
static const member Q = {"q.npy", "'<f8'", "(3, 1)", heights, sizeof heights};
static const member U = {"u.npy", "'<f8'", "(3, 1)", speeds, sizeof speeds};

static void refuses(const char *name, const char *told) {
    il_track track = {.has_u = false};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(open_track(&track, name, &err), IL_EINVAL);
    bool is_told = strstr(err.message, told) != NULL;
    CU_ASSERT(is_told);
    if (!is_told) {
        (void)fprintf(stderr, "%s: %s\n", told, err.message);
    }
    il_track_close(&track);
}

static void arrays_of_numpy_are_read(void) {
    il_scratch_open(folder);
    il_track track = {.has_u = false};
    il_error err = {IL_OK, ""};
    const member list[] = {T, Q, U};
    write_npz("a.npz", 0, list, 3, 0);
    CU_ASSERT_EQUAL_FATAL(open_track(&track, "a.npz", &err), IL_OK);
    const il_trajectory *run = &track.run;
    CU_ASSERT_EQUAL(run->nodes, 3);
    CU_ASSERT(run->t[2] == 0.2 && run->q[1] == 0.99 && run->u[2] == -0.4);
    il_track_close(&track);
    write_npz("b.npz", 8, list, 3, 0);
    refuses("b.npz", "compressed");
    write_npz("d.npz", 0, list, 3, 1);
    refuses("d.npz", "t.npy has not its check sum");
    write_text("c.npz", "nothing of the kind, but long enough to have an end");
    refuses("c.npz", "no ZIP archive");
    il_scratch_close(folder, 0);
}

/* The numbers -2, 0 and 1.5, and 255 where there is no sign, in every type of NumPy. */
static void every_real_type_is_read_and_others_refused_by_name(void) {
    static const struct {
        const char *type, *bytes;
        size_t n;
        double second, third;
    } good[] = {
        {"'>f8'", "\0\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0\x3f\xf8\0\0\0\0\0\0", 24, -2.0, 1.5},
        {"'>f4'", "\0\0\0\0\xc0\0\0\0\x3f\xc0\0\0", 12, -2.0, 1.5},
        {"'<f4'", "\0\0\0\0\0\0\0\xc0\0\0\xc0\x3f", 12, -2.0, 1.5},
        {"'<f2'", "\0\0\0\xc0\0\x3e", 6, -2.0, 1.5},
        {"'>f2'", "\0\0\xc0\0\0\x01", 6, -2.0, 0x1p-24}, /* the least that there is */
        {"'<i8'", "\0\0\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\3\0\0\0\0\0\0\0", 24, -2, 3},
        {"'>i2'", "\0\0\xff\xfe\0\3", 6, -2.0, 3.0},
        {"'|i1'", "\0\xfe\x7f", 3, -2.0, 127.0},
        {"'|u1'", "\0\xff\x80", 3, 255.0, 128.0},
        {"'|b1'", "\0\1\1", 3, 1.0, 1.0},
    };
    static const struct {
        const char *name, *type, *shape, *told;
    } bad[] = {
        {"u.npy", "'<c16'", "(3, 1)", "u (of type '<c16'): not understood"},
        {"u.npy", "'|O'", "(3, 1)", "u (of type '|O'): not understood"},
        {"u.npy", "'<f16'", "(3, 1)", "u (of type '<f16')"},
        {"u.npy", "[('x', '<f8')]", "(3,)", "u (of type '[(')"},
        {"u.npy", "'<f8'", "()", "u (of shape ())"},
        {"u.npy", "'<f8'", "(2, 1)", "u (of 2 rows, not 3)"},
        {"u.npy", "'<f8'", "(3, 2)", "u1: not understood"},
        {"w.npy", "'<f8'", "(3,)", "w: not understood; allowed: t, q0, u0, impulse0"},
        {"t.npy", "'<c16'", "(3,)", "no column 't' that can be read; it has t (of type '<c16')"},
    };
    static const double zeros[8] = {0.0};
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        il_track track = {.has_u = false};
        il_error err = {IL_OK, ""};
        const member list[] = {T, Q, {"u.npy", good[k].type, "(3,)", good[k].bytes, good[k].n}};
        write_npz("a.npz", 0, list, 3, 0);
        CU_ASSERT_EQUAL_FATAL(open_track(&track, "a.npz", &err), IL_OK);
        CU_ASSERT(track.has_u && track.run.u[0] == 0.0 && track.run.u[1] == good[k].second &&
                  track.run.u[2] == good[k].third);
        const char *bits = good[k].type + 2; /* a type resolves what it can hold */
        double unit = strncmp(bits, "f4", 2) == 0 ? 0x1p-24 : 0x1p-53;
        CU_ASSERT_EQUAL(track.resolution, strncmp(bits, "f2", 2) == 0 ? 0x1p-11 : unit);
        il_track_close(&track);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const member odd = {bad[k].name, bad[k].type, bad[k].shape, zeros, sizeof zeros};
        const member list[] = {bad[k].name[0] == 't' ? odd : T, Q, odd};
        write_npz("b.npz", 0, list, bad[k].name[0] == 't' ? 2 : 3, 0);
        refuses("b.npz", bad[k].told);
    }
    il_scratch_close(folder, 0);
}

/* Two bodies of three coordinates each: sample 0, then 1..6, and 7..12 as velocities. */
static void bodies_and_impulses_are_read_where_the_meaning_is_plain(void) {
    double x[2][6] = {{0.0}};
    double v[2][6] = {{0.0}};
    static const double pulls[2][1] = {{0.0}, {-5.0}};
    for (size_t k = 0; k < 6; k++) {
        x[1][k] = (double)k + 1.0;
        v[1][k] = (double)k + 7.0;
    }
    static const char *const called[] = {"impulse.npy", "impulses.npy", "impulse0.npy"};
    for (size_t k = 0; k < 3; k++) {
        char path[2 * IL_SCRATCH_ROOM];
        il_track track = {.has_u = false};
        il_error err = {IL_OK, ""};
        const member list[] = {{"time.npy", "'<f8'", "(2, )", times, 16},
                               {"q.npy", "'<f8'", "(2, 2, 3)", x, sizeof x},
                               {"v.npy", "'<f8'", "(2, 2, 3)", v, sizeof v},
                               {called[k], "'<f8'", k == 2 ? "(2,)" : "(2, 1)", pulls, 16}};
        il_scratch_open(folder);
        write_npz("a.npz", 0, list, 4, 0);
        CU_ASSERT_EQUAL_FATAL(il_track_open(&track, path_in("a.npz", path), NULL, 6, 1, &err),
                              IL_OK);
        CU_ASSERT(track.has_u && track.has_impulses && track.run.ncontacts == 1);
        CU_ASSERT(track.run.contacts[0].impulse == -5.0 && track.run.contacts[0].step == 1);
        CU_ASSERT(memcmp(track.run.q, x, sizeof x) == 0 && memcmp(track.run.u, v, sizeof v) == 0);
        il_track_close(&track);
        il_scratch_close(folder, 0);
    }
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Each says t = 0, 0.5; q = 1, -2; and u = 0, 1.5 where it has velocities. */
static void texts_are_read_where_their_meaning_is_plain(void) {
    static const struct {
        const char *text;
        bool has_u;
        const char *mapping;
    } good[] = {
        {"t,q0,u0\n0,1,0\n0.5,-2,1.5\n", true, NULL},
        {"# t,q0,u0\n0.0e+00,1.0e+00,0.0e+00\n5.0e-01,-2.0e+00,1.5e+00\n", true, NULL},
        {"# made by hand\n# t q0 u0\n0 1 0\n0.5 -2 1.5\n", true, NULL},
        {"# made by hand\nt;q0;u0\n0;1;0\n0.5; -2;1.5\n", true, NULL},
        {"t\tq0\tu0\r\n0\t1\t0\r\n0.5\t-2\t1.5\r\n", true, NULL},
        {"time,q,v\n0,1,0\n0.5,-2,1.5\n", true, NULL},
        {"t,q1,u1\n0,1,0\n0.5,-2,1.5\n", true, NULL},
        {"t,q0\n0,1\n0.5,-2\n", false, NULL},
        {"t [s],q [mm],u\n0,1000,0\n0.5,-2000,1.5\n", true,
         "t = \"t [s]\"\nq = \"q [mm]\"*0.001\n"},
        {"t,q0,u0,energy,who\n0,1,0,3,4\n0.5,-2,1.5,3,4\n", true, "skip = energy who\n"},
        {"t,q0,u0,energy,who\n0,1,0,3,4\n0.5,-2,1.5,3,4\n", true, "skip = *\n"},
    };
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        char path[2 * IL_SCRATCH_ROOM];
        char mapping[2 * IL_SCRATCH_ROOM];
        il_error err = {IL_OK, ""};
        il_track track = {.has_u = false};
        write_text("good.csv", good[k].text);
        write_text("map", good[k].mapping != NULL ? good[k].mapping : "");
        il_status status =
            il_track_open(&track, path_in("good.csv", path),
                          good[k].mapping != NULL ? path_in("map", mapping) : NULL, 1, 1, &err);
        CU_ASSERT_EQUAL_FATAL(status, IL_OK);
        const il_trajectory *run = &track.run;
        CU_ASSERT(run->nodes == 2 && run->t[1] == 0.5 && run->q[0] == 1.0 && run->q[1] == -2.0);
        CU_ASSERT(track.has_u == good[k].has_u);
        CU_ASSERT(run->u[1] == (good[k].has_u ? 1.5 : -6.0)); /* -6: straight flight */
        il_track_close(&track);
    }
    il_scratch_close(folder, 0);
}

/* ---- HDF5 ----------------------------------------------------------------------------------- */

static const double path_of_three[3] = {1.0, 0.5, 0.5};
static const double speed_of_three[3] = {-5.0, -5.0, 0.0};
static const int steps_backwards[2] = {2, 1};
static const int same_wall[2] = {0, 0};
static const double forces[2] = {0.25, 0.0};

static void write_h5(const char *name, const il_hdf5_array *list, size_t n) {
    char path[2 * IL_SCRATCH_ROOM];
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_hdf5_file_write(list, n, NULL, path_in(name, path), &err), IL_OK);
}

static void datasets_are_read_in_any_order_and_without_velocities(void) {
    const il_hdf5_array list[] = {
        {"t", IL_HDF5_DOUBLE, 1, {3}, times},
        {"q", IL_HDF5_DOUBLE, 2, {3, 1}, path_of_three},
        {"contacts/step", IL_HDF5_INT, 1, {2}, steps_backwards},
        {"contacts/id", IL_HDF5_INT, 1, {2}, same_wall},
        {"contacts/impulse", IL_HDF5_DOUBLE, 1, {2}, forces},
        {"v", IL_HDF5_DOUBLE, 2, {3, 1}, speed_of_three},
    };
    il_scratch_open(folder);
    for (size_t with = 0; with < 2; with++) {
        il_track track = {.has_u = false};
        il_error err = {IL_OK, ""};
        write_h5("a.h5", list, 5 + with);
        CU_ASSERT_EQUAL_FATAL(open_track(&track, "a.h5", &err), IL_OK);
        CU_ASSERT(track.has_u == (with == 1) && track.has_impulses && track.run.ncontacts == 2);
        CU_ASSERT(track.run.contacts[0].step == 1 && track.run.contacts[1].step == 2);
        CU_ASSERT(track.run.contacts[0].impulse == 0.0 && track.run.contacts[1].impulse == 0.25);
        CU_ASSERT(track.run.u[1] == -5.0);
        il_track_close(&track);
    }
    il_scratch_close(folder, 0);
}

/* 8 kB that claim 2.4 GB, by HDF5's own hand. */
static void write_claim(const char *name) {
    char path[2 * IL_SCRATCH_ROOM];
    const hsize_t dims[2] = {30000, 10000};
    const hsize_t chunk[2] = {100, 100};
    hid_t file = H5Fcreate(path_in(name, path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t making = H5Pcreate(H5P_DATASET_CREATE);
    CU_ASSERT_FATAL(H5Pset_chunk(making, 2, chunk) >= 0 && H5Pset_deflate(making, 9) >= 0);
    hid_t set = H5Dcreate2(file, "q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, making, H5P_DEFAULT);
    hid_t words = H5Dcreate2(file, "u", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CU_ASSERT_FATAL(set >= 0 && words >= 0 &&
                    H5LTmake_dataset_double(file, "t", 1, (hsize_t[]){3}, times) >= 0);
    CU_ASSERT(H5Dclose(words) >= 0 && H5Dclose(set) >= 0 && H5Pclose(making) >= 0 &&
              H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
}

static void what_hdf5_cannot_read_is_said_in_its_words(void) {
    static const int beyond[2] = {1, 3};
    const il_hdf5_array list[] = {
        {"t", IL_HDF5_DOUBLE, 1, {3}, times},
        {"q", IL_HDF5_DOUBLE, 2, {3, 1}, path_of_three},
        {"contacts/step", IL_HDF5_INT, 1, {2}, beyond},
        {"contacts/id", IL_HDF5_INT, 1, {2}, same_wall},
        {"contacts/impulse", IL_HDF5_DOUBLE, 1, {2}, forces},
    };
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_open(folder);
    write_h5("steps.h5", list, 5);
    refuses("steps.h5", "contact 2 is of step 3, constraint 0, impulse 0; allowed: steps 1 to 2");
    write_h5("other.h5",
             (const il_hdf5_array[]){list[0], list[1], {"speed", IL_HDF5_DOUBLE, 1, {3}, times}},
             3);
    refuses("other.h5", "speed (another name than those that are read): not understood");
    write_h5("group.h5", list + 2, 3);
    refuses("group.h5", "has no column 't'; it has nothing of such names");
    write_h5("alone.h5", list, 3);
    refuses("alone.h5", "contacts are step, id and impulse, of the same length");
    write_h5("cut.h5", list, 2);
    CU_ASSERT_EQUAL(truncate(path_in("cut.h5", path), 1000), 0);
    refuses("cut.h5", "truncated file");
    write_text("none.h5", "no HDF5");
    refuses("none.h5", "file signature not found");
    write_claim("claim.h5");
    refuses("claim.h5", "q (claims 300000000 numbers, and 0 bytes are there)");
    refuses("claim.h5", "u (holds no real numbers)");
    write_h5("locked.h5", list, 2);
    int held = open(path_in("locked.h5", path), O_RDWR);
    CU_ASSERT(held >= 0 && flock(held, LOCK_EX) == 0);
    refuses("locked.h5", "unable to lock file");
    (void)close(held);
    il_scratch_close(folder, 0);
}

/* ---- resolution ----------------------------------------------------------------------------- */

/* Samples q = sqrt(n + 2) of n = 0 .. 30, and u = 1, with so many digits, or decimals. */
static il_track of_digits(int digits, bool decimals, bool single) {
    char text[4096] = "t,q0,u0\n";
    char number[64];
    for (int n = 0; n <= 30; n++) {
        size_t at = strlen(text);
        double x = single ? (double)sqrtf((float)n + 2.0F) : sqrt(n + 2.0);
        (void)snprintf(number, sizeof number, decimals ? "%.*f" : "%.*g", digits, x);
        (void)snprintf(text + at, sizeof text - at, "%d,%s,1\n", n, number);
    }
    il_track track;
    il_error err = {IL_OK, ""};
    write_text("digits.csv", text);
    CU_ASSERT_EQUAL(open_track(&track, "digits.csv", &err), IL_OK);
    il_track_close(&track);
    return track; /* its numbers */
}

/* Half a unit of the last digit of 1.00... is the largest, relatively. */
static void digits_and_bits_are_seen(void) {
    il_scratch_open(folder);
    il_track t = of_digits(17, false, false);
    CU_ASSERT(t.resolution == 0x1p-53 && t.quantum == 0.0 && t.digits == 17);
    t = of_digits(6, false, false);
    CU_ASSERT(fabs(t.resolution - 5e-6) <= 1e-15 && t.digits == 6);
    t = of_digits(9, false, false);
    CU_ASSERT(fabs(t.resolution - 5e-9) <= 1e-18 && t.digits == 9);
    t = of_digits(9, false, true);
    CU_ASSERT(t.resolution == 0x1p-24 && t.digits == 0);
    t = of_digits(17, false, true);
    CU_ASSERT(t.resolution == 0x1p-24 && t.digits == 0);
    t = of_digits(3, true, false);
    CU_ASSERT(fabs(t.resolution - 5e-4) <= 1e-13 && fabs(t.quantum - 5e-4) <= 1e-13);
    il_scratch_close(folder, 0);
}

static const il_test tests[] = {
    {"digits and bits of numbers are seen", digits_and_bits_are_seen},
    {"what is no motion is refused by its place", what_is_no_motion_is_refused_by_its_place},
    {"arrays of NumPy are read", arrays_of_numpy_are_read},
    {"every real type is read, and others refused by name",
     every_real_type_is_read_and_others_refused_by_name},
    {"bodies and impulses are read where the meaning is plain",
     bodies_and_impulses_are_read_where_the_meaning_is_plain},
    {"texts are read where their meaning is plain", texts_are_read_where_their_meaning_is_plain},
    {"datasets are read in any order, and without velocities",
     datasets_are_read_in_any_order_and_without_velocities},
    {"what HDF5 cannot read is said in its words", what_hdf5_cannot_read_is_said_in_its_words},
    {NULL, NULL}};

extern const il_suite il_suite_track;
const il_suite il_suite_track = {"track", tests};

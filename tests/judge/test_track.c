/*
 * test_track.c - files of samples: what is refused, by its place; arrays of NumPy, made here byte
 * by byte.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Of one coordinate and one constraint. */
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
        {"t,q0,u0\n0.5,1,0\n1,1,0\n", "line 2, column 1 (t) is 0.5; allowed: the beginning, 0"},
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

/* An archive of t(3), q(3,1), u(3,1) as numpy.savez writes it, or said to be compressed. */
static void write_npz(const char *name, int method) {
    static const double x[3][3] = {{0.0, 0.1, 0.2}, {1.0, 0.99, 0.96}, {0.0, -0.2, -0.4}};
    static const char *const names[] = {"t.npy", "q.npy", "u.npy"};
    char path[2 * IL_SCRATCH_ROOM];
    long start[4];
    FILE *out = fopen(path_in(name, path), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (int k = 0; k < 3; k++) {
        char header[128];
        int n = snprintf(header, sizeof header,
                         "{'descr': '<f8', 'fortran_order': False, 'shape': (3,%s), }",
                         k == 0 ? "" : " 1");
        start[k] = ftell(out);
        put(out, 0x04034b50, 4);
        put(out, 20, 2);
        put(out, 0, 2);
        put(out, (unsigned long long)method, 2);
        put(out, 0, 8);
        put(out, 0, 8); /* sizes: the list of members has them */
        put(out, 5, 2);
        put(out, 0, 2);
        (void)fputs(names[k], out);
        (void)fputs("\x93NUMPY\x01", out);
        put(out, 0, 1);
        put(out, (unsigned long long)n, 2);
        (void)fputs(header, out);
        (void)fwrite(x[k], sizeof x[k][0], 3, out);
    }
    start[3] = ftell(out);
    for (int k = 0; k < 3; k++) {
        unsigned long long size = (unsigned long long)(start[k + 1] - start[k]) - 35;
        put(out, 0x02014b50, 4);
        put(out, 20, 2);
        put(out, 20, 2);
        put(out, 0, 2);
        put(out, (unsigned long long)method, 2);
        put(out, 0, 8);
        put(out, size, 4);
        put(out, size, 4);
        put(out, 5, 2);
        put(out, 0, 10);
        put(out, 0, 2);
        put(out, (unsigned long long)start[k], 4);
        (void)fputs(names[k], out);
    }
    long end = ftell(out);
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, 3, 2);
    put(out, 3, 2);
    put(out, (unsigned long long)(end - start[3]), 4);
    put(out, (unsigned long long)start[3], 4);
    put(out, 0, 2);
    (void)fclose(out);
}

static void arrays_of_numpy_are_read(void) {
    il_scratch_open(folder);
    il_track track = {.has_u = false};
    il_error err = {IL_OK, ""};
    write_npz("a.npz", 0);
    CU_ASSERT_EQUAL_FATAL(open_track(&track, "a.npz", &err), IL_OK);
    const il_trajectory *run = &track.run;
    CU_ASSERT_EQUAL(run->nodes, 3);
    CU_ASSERT(run->t[2] == 0.2 && run->q[1] == 0.99 && run->u[2] == -0.4);
    il_track_close(&track);
    write_npz("b.npz", 8);
    CU_ASSERT_EQUAL(open_track(&track, "b.npz", &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "compressed"));
    il_track_close(&track);
    write_text("c.npz", "nothing of the kind, but long enough to have an end");
    CU_ASSERT_EQUAL(open_track(&track, "c.npz", &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "no ZIP archive"));
    il_track_close(&track);
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
    {NULL, NULL}};

extern const il_suite il_suite_track;
const il_suite il_suite_track = {"track", tests};

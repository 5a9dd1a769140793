/*
 * test_solve.c - `impactlab solve` of local problems u = W r + q whose answers are found by hand,
 * and of files that are damaged in one place, which is named.
 */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/fclib_file.h"
#include "harness/io/formats/hdf5_file.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* Rounding of sums of two products, beside answers up to one. */
static const double ROUNDING = 1e-12;

static char folder[IL_SCRATCH_ROOM];

static const char *path_in(const char *name) {
    static char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(folder, name, path);
    return path;
}

/* A local problem of two contacts in the plane, the normal parts of whose matrix are W, entry by
 * entry, and whose solution is r where it is given. */
static void write_local(const char *name, const double W[4], const double q[2], const double *r) {
    static const int two[1] = {2};
    static const int four[1] = {4};
    static const int column[4] = {0, 2, 0, 2};
    static const int row[4] = {0, 0, 2, 2};
    static const double mu[2] = {0.0, 0.0};
    const double all[4] = {q[0], 0.0, q[1], 0.0};
    const double answer[4] = {r != NULL ? r[0] : 0.0, 0.0, r != NULL ? r[1] : 0.0, 0.0};
    const il_hdf5_array list[] = {{"fclib_local/spacedim", IL_HDF5_INT, 1, {1}, two},
                                  {"fclib_local/W/m", IL_HDF5_INT, 1, {1}, four},
                                  {"fclib_local/W/n", IL_HDF5_INT, 1, {1}, four},
                                  {"fclib_local/W/nzmax", IL_HDF5_INT, 1, {1}, four},
                                  {"fclib_local/W/nz", IL_HDF5_INT, 1, {1}, four},
                                  {"fclib_local/W/p", IL_HDF5_INT, 1, {4}, column},
                                  {"fclib_local/W/i", IL_HDF5_INT, 1, {4}, row},
                                  {"fclib_local/W/x", IL_HDF5_DOUBLE, 1, {4}, W},
                                  {"fclib_local/vectors/q", IL_HDF5_DOUBLE, 1, {4}, all},
                                  {"fclib_local/vectors/mu", IL_HDF5_DOUBLE, 1, {2}, mu},
                                  {"solution/r", IL_HDF5_DOUBLE, 1, {4}, answer}};
    il_error err = {IL_OK, ""};
    il_status status = il_hdf5_file_write(list, r != NULL ? 11 : 10, NULL, path_in(name), &err);
    CU_ASSERT_EQUAL_FATAL(status, IL_OK);
}

/* `impactlab solve NAME REST`: its exit status, and what it prints, which is freed here. */
static int solve(const char *name, const char *rest, const char *pattern) {
    char line[3 * IL_SCRATCH_ROOM];
    int status = -1;
    (void)snprintf(line, sizeof line, "solve %s %s", path_in(name), rest);
    char *said = il_program_output(line, &status);
    CU_ASSERT(said != NULL && strstr(said, pattern) != NULL);
    free(said);
    return status;
}

/* The answer that --answer left for this number of contact's normal. */
static double answer_at(const char *name, size_t contact) {
    double r[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    hid_t file = H5Fopen(path_in(name), H5F_ACC_RDONLY, H5P_DEFAULT);
    CU_ASSERT(file >= 0 && H5LTread_dataset_double(file, "solution/r", r) >= 0);
    CU_ASSERT(H5LTpath_valid(file, "fclib_local/W/x", 1) > 0);
    (void)H5Fclose(file);
    return r[3 * contact];
}

static void local_problems_have_their_answers_by_hand(void) {
    static const struct {
        double W[4], q[2], r[2];
    } list[] = {
        {{4, 2, 2, 3}, {-2, -2}, {0.25, 0.5}},     /* W r = -q */
        {{2, 1, 1, 2}, {-3, 1}, {1.5, 0.0}},       /* u = (0, 2.5) */
        {{1e-12, 0, 0, 2}, {-1e-6, -2}, {1e6, 1}}, /* each contact alone, in units of its own */
        {{2, 0, 0, 1e-14}, {-2, -1e-14}, {1, 1}},
        {{0, 0, 0, 0}, {1, 2}, {0, 0}},
        {{0, 0, 0, 5}, {1, -10}, {0, 2}},
        {{1, -1, -1, 1}, {-1, 1}, {1, 0}}, /* of rank one; r + (s, s) with s > 0 too */
    };
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        char rest[2 * IL_SCRATCH_ROOM + 16];
        write_local("w.hdf5", list[k].W, list[k].q, list[k].r);
        (void)snprintf(rest, sizeof rest, "--compare --answer %s", path_in("answer.hdf5"));
        CU_ASSERT_EQUAL(solve("w.hdf5", rest, "the file's   ok"), 0);
        double rise = k == 6 ? answer_at("answer.hdf5", 1) : 0.0;
        for (size_t i = 0; i < 2; i++) {
            double r = answer_at("answer.hdf5", i);
            CU_ASSERT(fabs(r - rise - list[k].r[i]) <= ROUNDING * fmax(1.0, list[k].r[i]));
        }
        CU_ASSERT_EQUAL(solve("answer.hdf5", "--compare", "the file's   ok"), 0);
    }
    il_scratch_close(folder, 0);
}

/* W = ((3, 1), (1, 2)) with q = (-4, 1): r = (4/3, 0), u = (0, 7/3). By columns, by rows, and entry
 * by entry; in any order, entries of one place adding up, room behind them being none. */
static void matrices_are_read_in_every_form(void) {
    static const struct {
        int nz, np, n; /* of p; of i and x */
        int p[6], i[6];
        double x[6];
    } list[] = {
        {-1, 5, 4, {0, 2, 2, 4, 4}, {0, 2, 0, 2}, {3, 1, 1, 2}},
        {-1, 5, 4, {0, 2, 2, 4, 4}, {2, 0, 2, 0}, {1, 3, 2, 1}},
        {-1, 5, 5, {0, 3, 3, 5, 5}, {0, 0, 2, 0, 2}, {1, 2, 1, 1, 2}},
        {-2, 5, 4, {0, 2, 2, 4, 4}, {2, 0, 0, 2}, {1, 3, 1, 2}},
        {4, 4, 4, {0, 2, 0, 2}, {0, 0, 2, 2}, {3, 1, 1, 2}},
        {5, 5, 5, {0, 2, 0, 2, 0}, {0, 0, 2, 2, 0}, {1, 1, 1, 2, 2}},
        {4, 6, 6, {0, 2, 0, 2, 0, 2}, {0, 0, 2, 2, 0, 2}, {3, 1, 1, 2, 777, 777}},
    };
    static const double W[4] = {0.0, 0.0, 0.0, 0.0};
    static const double q[2] = {-4, 1};
    char rest[2 * IL_SCRATCH_ROOM + 16];
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        write_local("w.hdf5", W, q, NULL);
        hid_t file = H5Fopen(path_in("w.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
        const hsize_t np = (hsize_t)list[k].np;
        const hsize_t n = (hsize_t)list[k].n;
        const hsize_t one = 1;
        static const char *const parts[] = {"p", "i", "x", "nz", "nzmax"};
        hid_t at = H5Gopen(file, "fclib_local/W", H5P_DEFAULT);
        for (size_t j = 0; j < 5; j++) {
            CU_ASSERT(H5Ldelete(at, parts[j], H5P_DEFAULT) >= 0);
        }
        CU_ASSERT(H5LTmake_dataset_int(at, "p", 1, &np, list[k].p) >= 0 &&
                  H5LTmake_dataset_int(at, "i", 1, &n, list[k].i) >= 0 &&
                  H5LTmake_dataset_double(at, "x", 1, &n, list[k].x) >= 0 &&
                  H5LTmake_dataset_int(at, "nz", 1, &one, &list[k].nz) >= 0 &&
                  H5LTmake_dataset_int(at, "nzmax", 1, &one, &list[k].n) >= 0);
        (void)H5Gclose(at);
        (void)H5Fclose(file);
        (void)snprintf(rest, sizeof rest, "--answer %s", path_in("answer.hdf5"));
        CU_ASSERT_EQUAL(solve("w.hdf5", rest, "auto         ok"), 0);
        CU_ASSERT(fabs(answer_at("answer.hdf5", 0) - 4.0 / 3.0) <= ROUNDING);
        CU_ASSERT(fabs(answer_at("answer.hdf5", 1)) <= ROUNDING);
    }
    il_scratch_close(folder, 0);
}

static void what_is_no_solution_fails(void) {
    static const double W[4] = {4, 2, 2, 3};
    static const double q[2] = {-2, -2};
    static const double wrong[][2] = {{0.25, 0.4},    /* it overlaps */
                                      {0.3, 0.5},     /* it acts on an open contact */
                                      {-0.5, 1.0},    /* it pulls */
                                      {NAN, 0.5},     /* it is none */
                                      {0.2501, 0.5}}; /* not so near */
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        write_local("w.hdf5", W, q, wrong[k]);
        CU_ASSERT_EQUAL(solve("w.hdf5", "--compare", "the file's   fails"), 1);
    }
    CU_ASSERT_EQUAL(solve("w.hdf5", "--compare --tol 1e-3", "the file's   ok"), 0);
    CU_ASSERT_EQUAL(solve("w.hdf5", "--compare --tol 1e-4", "the file's   fails"), 1);
    il_scratch_close(folder, 0);
}

/* The reason for which il_fclib_read refuses a file. */
static void is_refused(const char *name, const char *told) {
    il_fclib_problem p;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_fclib_read(&p, path_in(name), &err), IL_EINVAL);
    bool is_told = strstr(err.message, told) != NULL;
    CU_ASSERT(is_told);
    if (!is_told) {
        (void)fprintf(stderr, "%s: %s\n", told, err.message);
    }
    il_fclib_problem_free(&p);
}

static void matrices_without_an_answer_are_refused(void) {
    static const struct {
        double W[4];
        const char *told;
    } list[] = {
        {{2, 1, 0, 2}, "not symmetric: of contacts 1 and 2 it has 1 and 0; allowed: both"},
        {{2, 0, 1, 2}, "not symmetric: of contacts 1 and 2 it has 0 and 1"},
        {{0, 1, 1, 0}, "not positive semidefinite, by contacts 1 and 2"},
        {{1, 2, 2, 1}, "not positive semidefinite"},
        {{-1, 0, 0, 1}, "not positive semidefinite, by contacts 1 and 1"},
        {{INFINITY, 0, 0, 1}, "number 1 of 'fclib_local/W/x' is inf; allowed: a finite number"},
        {{1, 0, 0, NAN}, "number 4 of 'fclib_local/W/x' is nan"},
    };
    static const double q[2] = {-1, -1};
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        write_local("w.hdf5", list[k].W, q, NULL);
        is_refused("w.hdf5", list[k].told);
    }
    il_scratch_close(folder, 0);
}

/* ---- damage --------------------------------------------------------------------------------- */

enum { PARTS = 21 };

/* Each part of a global problem of two unknowns and one contact in space, as it should be, by
 * compressed columns. */
static void make_parts(il_hdf5_array parts[PARTS]) {
    static const int one[1] = {1}, two[1] = {2}, three[1] = {3}, nz[1] = {-1};
    static const int mp[3] = {0, 1, 2}, mi[2] = {0, 1}, hp[4] = {0, 1, 1, 1}, hi[1] = {1};
    static const double mx[2] = {2.0, 4.0}, hx[1] = {1.0}, f[2] = {0.0, -8.0}, w[3] = {0.0};
    const il_hdf5_array all[] = {{"fclib_global/spacedim", IL_HDF5_INT, 1, {1}, three},
                                 {"fclib_global/M/m", IL_HDF5_INT, 1, {1}, two},
                                 {"fclib_global/M/n", IL_HDF5_INT, 1, {1}, two},
                                 {"fclib_global/M/nzmax", IL_HDF5_INT, 1, {1}, two},
                                 {"fclib_global/M/nz", IL_HDF5_INT, 1, {1}, nz},
                                 {"fclib_global/M/p", IL_HDF5_INT, 1, {3}, mp},
                                 {"fclib_global/M/i", IL_HDF5_INT, 1, {2}, mi},
                                 {"fclib_global/M/x", IL_HDF5_DOUBLE, 1, {2}, mx},
                                 {"fclib_global/H/m", IL_HDF5_INT, 1, {1}, two},
                                 {"fclib_global/H/n", IL_HDF5_INT, 1, {1}, three},
                                 {"fclib_global/H/nzmax", IL_HDF5_INT, 1, {1}, one},
                                 {"fclib_global/H/nz", IL_HDF5_INT, 1, {1}, nz},
                                 {"fclib_global/H/p", IL_HDF5_INT, 1, {4}, hp},
                                 {"fclib_global/H/i", IL_HDF5_INT, 1, {1}, hi},
                                 {"fclib_global/H/x", IL_HDF5_DOUBLE, 1, {1}, hx},
                                 {"fclib_global/vectors/f", IL_HDF5_DOUBLE, 1, {2}, f},
                                 {"fclib_global/vectors/w", IL_HDF5_DOUBLE, 1, {3}, w},
                                 {"fclib_global/vectors/mu", IL_HDF5_DOUBLE, 1, {1}, w},
                                 {"solution/v", IL_HDF5_DOUBLE, 1, {2}, w},
                                 {"solution/u", IL_HDF5_DOUBLE, 1, {3}, w},
                                 {"solution/r", IL_HDF5_DOUBLE, 1, {3}, w}};
    memcpy(parts, all, sizeof all);
}

/* In place of one part, so many integers or numbers; of kind TEXT: a text; of none: nothing. */
static const struct {
    const char *part;
    size_t n;
    il_hdf5_kind kind;
    int whole[4];
    double numbers[3];
    const char *told;
} damages[] = {
    {"spacedim", 0, IL_HDF5_INT, {0}, {0}, "there is no 'fclib_global/spacedim'"},
    {"spacedim", 1, IL_HDF5_INT, {4}, {0}, "'fclib_global/spacedim' is 4; allowed: 2, 3"},
    {"M/x", 0, IL_HDF5_INT, {0}, {0}, "there is no 'fclib_global/M/x'"},
    {"M/x", 0, IL_HDF5_TEXT, {0}, {0}, "'fclib_global/M/x' cannot be read: holds no real numbers"},
    {"M/x", 2, IL_HDF5_DOUBLE, {0}, {2, NAN}, "number 2 of 'fclib_global/M/x' is nan"},
    {"M/m", 1, IL_HDF5_INT, {3}, {0}, "'fclib_global/M/m' is 3 x 2; allowed: 2 x 2"},
    {"M/n", 1, IL_HDF5_INT, {2147483647}, {0}, "'fclib_global/M/p' has 3 numbers; allowed: 21474"},
    {"M/n", 2, IL_HDF5_INT, {2, 2}, {0}, "'fclib_global/M/n' has 2 numbers; allowed: 1, a size"},
    {"M/nz", 1, IL_HDF5_INT, {-3}, {0}, "of 'fclib_global/M/nz' is -3; allowed: a whole number"},
    {"M/nzmax", 1, IL_HDF5_INT, {5}, {0}, "'fclib_global/M/i' has 2 numbers; allowed: 5 at least"},
    {"M/i", 2, IL_HDF5_INT, {0, 2}, {0}, "number 2 of 'fclib_global/M/i' is 2; allowed: a whole"},
    {"M/p", 3, IL_HDF5_INT, {0, 2, 1}, {0}, "number 3 of 'fclib_global/M/p' is 1; allowed: a"},
    {"M/p", 3, IL_HDF5_INT, {0, 1, 9}, {0}, "number 3 of 'fclib_global/M/p' is 9; allowed: a"},
    {"H/p", 4, IL_HDF5_INT, {1, 1, 1, 1}, {0}, "number 1 of 'fclib_global/H/p' is 1; allowed: a"},
    {"H/n", 1, IL_HDF5_INT, {2}, {0}, "there are 2 components of contacts; allowed: 3 of each"},
    {"vectors/f",
     3,
     IL_HDF5_DOUBLE,
     {0},
     {0},
     "'fclib_global/vectors/f' has 3 numbers; allowed: 2"},
    {"vectors/w", 3, IL_HDF5_DOUBLE, {0}, {0, INFINITY}, "number 2 of 'fclib_global/vectors/w' is"},
    {"vectors/mu", 1, IL_HDF5_DOUBLE, {0}, {-1}, "number 1 of 'fclib_global/vectors/mu' is -1; al"},
    {"vectors/mu", 2, IL_HDF5_DOUBLE, {0}, {0}, "'fclib_global/vectors/mu' has 2 numbers; allowed"},
};

static void damage_is_named_by_its_place(void) {
    il_scratch_open(folder);
    for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
        il_hdf5_array parts[PARTS];
        il_error err = {IL_OK, ""};
        size_t n = 0;
        make_parts(parts);
        for (size_t j = 0; j < PARTS; j++) {
            il_hdf5_array one = parts[j];
            const size_t place = strlen("fclib_global/");
            bool hit = strncmp(one.name, "fclib_global/", place) == 0 &&
                       strcmp(one.name + place, damages[k].part) == 0;
            if (hit) {
                one.kind = damages[k].kind;
                one.dims[0] = damages[k].n;
                one.data = one.kind == IL_HDF5_TEXT  ? (const void *)"none"
                           : one.kind == IL_HDF5_INT ? (const void *)damages[k].whole
                                                     : (const void *)damages[k].numbers;
            }
            if (!hit || damages[k].n > 0 || one.kind == IL_HDF5_TEXT) {
                parts[n++] = one;
            }
        }
        CU_ASSERT_EQUAL_FATAL(il_hdf5_file_write(parts, n, NULL, path_in("d.hdf5"), &err), IL_OK);
        is_refused("d.hdf5", damages[k].told);
    }
    il_scratch_close(folder, 0);
}

/* min 1/2 (2 v_1^2 + 4 v_2^2) + 8 v_2 over v_2 >= 0 ends at 0, where r = 8; without it v_2 = -2. */
static void the_same_file_undamaged_is_solved(void) {
    il_hdf5_array parts[PARTS];
    il_error err = {IL_OK, ""};
    static const double force[3] = {8.0, 0.0, 0.0};
    il_scratch_open(folder);
    make_parts(parts);
    CU_ASSERT_EQUAL_FATAL(il_hdf5_file_write(parts, PARTS, NULL, path_in("g.hdf5"), &err), IL_OK);
    CU_ASSERT_EQUAL(solve("g.hdf5", "--compare", "the file's   fails"), 1);
    parts[PARTS - 1].data = force;
    CU_ASSERT_EQUAL_FATAL(il_hdf5_file_write(parts, PARTS, NULL, path_in("g.hdf5"), &err), IL_OK);
    CU_ASSERT_EQUAL(solve("g.hdf5", "--compare", "the file's   ok"), 0);
    const il_hdf5_array other = {"q", IL_HDF5_DOUBLE, 1, {3}, force};
    CU_ASSERT_EQUAL_FATAL(il_hdf5_file_write(&other, 1, NULL, path_in("o.hdf5"), &err), IL_OK);
    is_refused("o.hdf5", "there is no problem; allowed: /fclib_global or /fclib_local");
    il_scratch_close(folder, 0);
}

static const il_test tests[] = {
    {"local problems have their answers by hand", local_problems_have_their_answers_by_hand},
    {"matrices are read in every form", matrices_are_read_in_every_form},
    {"what is no solution fails", what_is_no_solution_fails},
    {"matrices without an answer are refused", matrices_without_an_answer_are_refused},
    {"damage is named by its place", damage_is_named_by_its_place},
    {"the same file, undamaged, is solved", the_same_file_undamaged_is_solved},
    {NULL, NULL}};

extern const il_suite il_suite_solve;
const il_suite il_suite_solve = {"solve", tests};

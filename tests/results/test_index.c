/*
 * test_index.c - the index follows the files: what is new, gone, changed or damaged is seen
 * whatever happened, and the index itself may be gone, damaged, somebody else's or of a newer
 * program.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/sealed.h"
#include "harness/io/store/roster.h"
#include "harness/io/store/store.h"
#include "harness/results/results.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* Of sums of at most 26 numbers, at most 20 together: 26 roundings of half a last place of 32. */
static const double SUM = 1e-13;

enum { CASES = 25, KEY = 256, PATH = 2 * IL_SCRATCH_ROOM };

/* Case k is of sticky with N = k + 1 bodies, by 10 k + 10 steps: its key, as the build "b" makes
 * it. */
static void key_of_case(size_t k, char key[KEY]) {
    (void)snprintf(key, KEY,
                   "{\"build\":\"b\",\"h\":null,\"parameters\":{\"N\":%zu},\"problem\":\"sticky\","
                   "\"projector\":{\"name\":\"auto\"},\"scheme\":\"maury\",\"steps\":%zu}",
                   k + 1, 10 * k + 10);
}

/* A record of that key with this error, the caller's. */
static json_t *record_of_case(size_t k, double u_L1) {
    return json_pack("{s:s, s:s, s:s, s:i, s:f, s:s, s:s, s:{s:i}, s:{s:f}}", "problem", "sticky",
                     "scheme", "maury", "projector", "auto", "steps", (int)(10 * k + 10), "h",
                     0.1 / (double)(k + 1), "build", "b", "status", "ok", "parameters", "N",
                     (int)(k + 1), "error", "u_L1", u_L1);
}

typedef struct {
    char folder[IL_SCRATCH_ROOM];
    uint64_t seed;
} bench;

static void keep(const bench *b, size_t k, json_t *record) {
    char key[KEY];
    il_store *store = NULL;
    key_of_case(k, key);
    CU_ASSERT_EQUAL_FATAL(il_store_open(&store, b->folder, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_store_put(store, key, record, NULL), IL_OK);
    il_store_close(store);
    json_decref(record);
}

static void put(const bench *b, size_t k, double u_L1) {
    keep(b, k, record_of_case(k, u_L1));
}

static void put_dated(const bench *b, size_t k, const char *date) {
    json_t *record = record_of_case(k, 1.0);
    CU_ASSERT_EQUAL(json_object_set_new(record, "provenance", json_pack("{s:s}", "date", date)), 0);
    keep(b, k, record);
}

static void path_of(const bench *b, size_t k, char path[PATH]) {
    char key[KEY];
    char name[IL_STORE_NAME];
    key_of_case(k, key);
    il_store_key_name(key, name);
    (void)snprintf(path, PATH, "%s/cases/%.2s/%s.json", b->folder, name, name);
}

static void bench_open(bench *b) {
    b->seed = 17;
    il_scratch_open(b->folder);
    for (size_t k = 0; k < CASES; k++) {
        put(b, k, 1.0 / (double)(k + 2));
    }
}

static void bench_close(const bench *b) {
    char command[PATH];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* Open the index and look at its size; the sum of u_L1 over its cases. */
static double look(const bench *b, il_index *index) {
    const char *names[] = {"u_L1"};
    il_error err = {IL_OK, ""};
    il_columns rows = {.rows = 0};
    double sum = 0.0;
    CU_ASSERT_EQUAL(il_index_open(index, b->folder, NULL, &err), IL_OK);
    CU_ASSERT_STRING_EQUAL(err.message, "");
    if (index->db != NULL && index->files > index->damaged) {
        CU_ASSERT_EQUAL(il_results_choose(index, NULL, NULL, &err), IL_OK);
        CU_ASSERT_EQUAL(il_results_columns(index, false, names, 1, &rows, &err), IL_OK);
        for (size_t k = 0; k < rows.rows; k++) {
            sum += rows.list[0].x[k];
        }
    }
    CU_ASSERT_EQUAL(rows.rows, index->files - index->damaged);
    il_columns_free(&rows);
    il_index_close(index);
    return sum;
}

/* Files that were written just now are read again (index.c). */
static void grow_old(void) {
    const struct timespec while_ = {.tv_nsec = 80000000};
    (void)nanosleep(&while_, NULL);
}

static void index_follows_the_files(void) {
    bench b;
    il_index index;
    char path[PATH];
    bench_open(&b);
    grow_old();
    double all = look(&b, &index);
    CU_ASSERT(index.files == CASES && index.read == CASES);
    (void)look(&b, &index);
    CU_ASSERT(index.read == 0); /* nothing was read twice */
    put(&b, CASES, 4.0);
    CU_ASSERT(fabs(look(&b, &index) - (all + 4.0)) <= SUM);
    CU_ASSERT(index.read == 1);
    grow_old();
    put(&b, CASES, 5.0); /* the same case, another record */
    CU_ASSERT(fabs(look(&b, &index) - (all + 5.0)) <= SUM);
    CU_ASSERT(index.read == 1);
    path_of(&b, CASES, path);
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT(fabs(look(&b, &index) - (all)) <= SUM);
    CU_ASSERT(index.read == 0);
    (void)snprintf(path, sizeof path, "rm -r '%s/cases'", b.folder);
    CU_ASSERT_EQUAL(system(path), 0);
    (void)look(&b, &index);
    CU_ASSERT(index.files == 0);
    bench_close(&b);
}

static void index_path(const bench *b, char path[PATH]) {
    char host[128] = "";
    CU_ASSERT_EQUAL(gethostname(host, sizeof host - 1), 0);
    (void)snprintf(path, PATH, "%s/index/%s.sqlite", b->folder, host);
}

static void other_layouts_are_made_anew(void) {
    bench b;
    il_index index;
    char path[PATH];
    sqlite3 *db = NULL;
    bench_open(&b);
    double all = look(&b, &index);
    index_path(&b, path);
    CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
    CU_ASSERT_EQUAL(sqlite3_exec(db, "PRAGMA user_version=99; DROP TABLE cases", NULL, NULL, NULL),
                    SQLITE_OK);
    (void)sqlite3_close(db);
    CU_ASSERT(fabs(look(&b, &index) - (all)) <= SUM);
    CU_ASSERT_EQUAL(index.read, CASES);
    CU_ASSERT_STRING_EQUAL(index.note, "");
    grow_old();
    (void)look(&b, &index);
    (void)look(&b, &index);
    CU_ASSERT_EQUAL(index.read, 0);
    bench_close(&b);
}

/* A roster of two cases, of which one has a record, by this process, which is alive; `began` as it
 * is given. How many seconds are left: NaN where nobody knows. */
static double left_of(const bench *b, const char *began) {
    char key[KEY];
    char name[IL_STORE_NAME];
    char path[PATH];
    il_roster *roster = NULL;
    il_roster_head head = {.script = "s.lua", .build = "b"};
    il_index index;
    json_t *root = NULL;
    json_t *state = NULL;
    CU_ASSERT_EQUAL_FATAL(il_roster_open(&roster, b->folder, &head, NULL), IL_OK);
    for (size_t k = 0; k < 2; k++) {
        key_of_case(k == 0 ? 0 : CASES + 1, key);
        il_store_key_name(key, name);
        CU_ASSERT_EQUAL(il_roster_note(roster, name, 1.0, NULL), IL_OK);
    }
    CU_ASSERT_EQUAL(il_roster_save(roster, NULL), IL_OK);
    json_t *all = il_roster_all(b->folder, NULL);
    (void)snprintf(path, PATH, "%s/rosters/%s", b->folder,
                   json_string_value(json_object_get(json_array_get(all, 0), "name")));
    json_decref(all);
    CU_ASSERT_EQUAL_FATAL(il_sealed_load(path, &root, NULL), IL_OK);
    CU_ASSERT_EQUAL(json_object_set_new(root, "began", json_string(began)), 0);
    FILE *out = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_EQUAL(il_sealed_put(out, root, JSON_COMPACT, NULL), IL_OK);
    CU_ASSERT_EQUAL(fclose(out), 0);
    json_decref(root);
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_index_open(&index, b->folder, NULL, &err), IL_OK);
    CU_ASSERT_EQUAL(il_results_state(&index, &state, &err), IL_OK);
    const json_t *one = json_array_get(json_object_get(state, "scripts"), 0);
    const json_t *said = json_object_get(one, "state");
    CU_ASSERT_STRING_EQUAL(json_string_value(said), "at work");
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(one, "missing")), 1);
    const json_t *left = json_object_get(one, "seconds_left");
    const json_t *end = json_object_get(one, "expected_end");
    CU_ASSERT_EQUAL(json_is_null(left), json_is_null(end));
    double seconds = json_is_number(left) ? json_number_value(left) : NAN;
    json_decref(state);
    il_index_close(&index);
    CU_ASSERT_EQUAL(il_roster_close(roster, true, NULL), IL_OK);
    return seconds;
}

static void a_date_that_cannot_be_read_gives_no_end(void) {
    static const char *const dates[] = {"", "0", "gestern", "2026-13-40T99:99:99Z"};
    bench b;
    bench_open(&b);
    put_dated(&b, 0, "9999-01-01T00:00:00Z"); /* after whatever is said to be the beginning */
    for (size_t k = 0; k < sizeof dates / sizeof dates[0]; k++) {
        CU_ASSERT(isnan(left_of(&b, dates[k])));
    }
    CU_ASSERT(left_of(&b, "2020-01-01T00:00:00Z") > 0.0);
    bench_close(&b);
}

static const il_test tests[] = {
    {"a roster whose date cannot be read has no expected end",
     a_date_that_cannot_be_read_gives_no_end},
    {"the index follows the files", index_follows_the_files},
    {"an index of another version of the program is made anew", other_layouts_are_made_anew},
    {NULL, NULL}};

const il_suite il_suite_index = {"index", tests};

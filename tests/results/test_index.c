/*
 * test_index.c - the index follows the files: what is new, gone or changed is seen.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/store/store.h"
#include "harness/results/index.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* Rounding of sums of at most 26 numbers, at most 20 together: 26 roundings of half a last place of
 * 32. */
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
    il_error err = {IL_OK, ""};
    il_frame found = {.rows = 0};
    double sum = 0.0;
    CU_ASSERT_EQUAL(il_index_open(index, b->folder, NULL, &err), IL_OK);
    CU_ASSERT_STRING_EQUAL(err.message, "");
    CU_ASSERT_EQUAL(il_index_ask(index,
                                 "SELECT record ->> '$.\"error.u_L1\"' FROM cases JOIN "
                                 "records USING(id) WHERE damaged ISNULL",
                                 NULL, &found, &err),
                    IL_OK);
    for (size_t k = 0; k < found.rows; k++) {
        sum += found.cells[k].real;
    }
    CU_ASSERT_EQUAL(found.rows, index->files - index->damaged);
    il_frame_free(&found);
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

/* Let a command damage the index. */
static void damage(const bench *b, const char *command) {
    char line[2 * PATH];
    (void)snprintf(line, sizeof line, "cd '%s/index' && %s", b->folder, command);
    CU_ASSERT_EQUAL(system(line), 0);
}

static void a_damaged_index_is_made_again(void) {
    bench b;
    il_index index;
    il_error err = {IL_OK, ""};
    il_frame found;
    bench_open(&b);
    grow_old();
    double all = look(&b, &index);
    damage(&b, "head -c 12288 /dev/zero | tr '\\0' '\\377' | "
               "dd of=$(ls) bs=1 seek=4096 conv=notrunc status=none");
    CU_ASSERT(fabs(look(&b, &index) - all) <= SUM);
    CU_ASSERT(index.read == CASES && index.note[0] == '\0');
    (void)look(&b, &index);
    CU_ASSERT(index.read == 0);
    damage(&b, "LC_ALL=C sed -i 's/sticky/st\\xffcky/g' *");
    CU_ASSERT_EQUAL(il_index_open(&index, b.folder, NULL, &err), IL_OK);
    CU_ASSERT_EQUAL(il_index_ask(&index, "SELECT problem FROM cases", NULL, &found, &err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "malformed; without its folder 'index'"));
    il_index_close(&index);
    bench_close(&b);
}

static const il_test tests[] = {{"a damaged index is made again", a_damaged_index_is_made_again},
                                {"the index follows the files", index_follows_the_files},
                                {NULL, NULL}};

const il_suite il_suite_index = {"index", tests};

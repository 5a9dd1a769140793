/*
 * test_damage.c - stored records under 1000 seeded damages: every one is recognised, named, set
 * aside and never read; trajectories in HDF5, which has no checksums here: refused, or whole.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/formats/trajectory_file.h"
#include "harness/io/sealed.h"
#include "harness/io/store/store.h"
#include "harness/run/stored.h"
#include "tests/support/damage.h"
#include "tests/support/expect.h"
#include "tests/support/scratch.h"
#include "tests/support/stored.h"
#include "tests/support/suite.h"

enum { CASES = 20, DAMAGES = 1000, PATH = 2 * IL_SCRATCH_ROOM };

typedef struct {
    char folder[IL_SCRATCH_ROOM];
    il_store *store;
    uint64_t seed;
} bench;

static json_t *record_of(size_t k) {
    return il_test_record(k, 1.0 / (double)(k + 3));
}

static void put(bench *b, size_t k) {
    char key[IL_TEST_KEY];
    json_t *record = record_of(k);
    il_test_key(k, key);
    CU_ASSERT_EQUAL(il_store_put(b->store, key, record, NULL), IL_OK);
    json_decref(record);
}

static void bench_open(bench *b, uint64_t seed) {
    b->seed = seed;
    il_scratch_open(b->folder);
    CU_ASSERT_EQUAL_FATAL(il_store_open(&b->store, b->folder, NULL), IL_OK);
    for (size_t k = 0; k < CASES; k++) {
        put(b, k);
    }
}

static void bench_close(bench *b) {
    char command[2 * IL_SCRATCH_ROOM];
    il_store_close(b->store);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static void path_of(const bench *b, size_t k, char path[PATH]) {
    char key[IL_TEST_KEY];
    il_test_key(k, key);
    char *at = il_store_path(b->store, key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    (void)snprintf(path, PATH, "%s", at);
    free(at);
}

/* Is the record of k found, and is it the one that was put? */
static bool found(const bench *b, size_t k, il_error *note) {
    char key[IL_TEST_KEY];
    json_t *record = NULL;
    json_t *right = record_of(k);
    *note = (il_error){IL_OK, ""};
    il_test_key(k, key);
    CU_ASSERT_EQUAL(il_store_find(b->store, key, il_stored_judge, &record, note), IL_OK);
    bool is = record != NULL && json_equal(record, right);
    CU_ASSERT(record == NULL || is); /* never something else */
    json_decref(record);
    json_decref(right);
    return is;
}

/* ---- what may happen to a file -------------------------------------------------------------- */

/* Up to 8 bits anywhere; a bit that is drawn twice is as it was, so each in a byte of its own. */
static void flip(bench *b, const char *path, size_t size) {
    size_t n = 1 + il_test_draw(&b->seed, 8);
    size_t first = il_test_draw(&b->seed, size);
    for (size_t k = 0; k < n; k++) {
        il_test_flip(path, 8 * ((first + k) % size) + il_test_draw(&b->seed, 8));
    }
}

/* A digit for another, as by hand. */
static void edit(bench *b, const char *path, char *text, size_t size) {
    size_t at = il_test_draw(&b->seed, size);
    while (text[at] < '0' || text[at] > '9') {
        at = (at + 1) % size;
    }
    text[at] = (char)('0' + (text[at] - '0' + 1 + (int)il_test_draw(&b->seed, 9)) % 10);
    il_test_write(path, text, size);
}

/* Somebody's JSON, sealed by someone who knows how. */
static void forge(bench *b, const char *path, size_t k) {
    static const char *const forged[] = {"{}", "{\"problem\":\"sticky\"}", "{\"status\":\"fine\"}",
                                         "{\"problem\":\"pile\"}", "{\"scheme\":\"paoli\"}"};
    size_t which = il_test_draw(&b->seed, sizeof forged / sizeof forged[0]);
    char key[IL_TEST_KEY];
    json_t *record = which < 2 ? json_object() : record_of(k);
    json_t *other = json_loads(forged[which], 0, NULL);
    (void)json_object_update(record, other);
    il_test_key(k, key);
    json_t *object = json_pack("{s:s, s:o}", "key", key, "record", record);
    char *text = il_sealed_text(object, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    il_test_write(path, text, strlen(text));
    free(text);
    json_decref(object);
    json_decref(other);
}

/* One damage of the file of case k. */
static void damage(bench *b, size_t k) {
    static const char *const other[] = {"", "{}", "[]", "null", "{\"key\": 1, \"record\": {}}"};
    char path[PATH];
    char second[PATH];
    size_t size = 0;
    path_of(b, k, path);
    char *text = il_test_slurp("", path, &size);
    CU_ASSERT_FATAL(text != NULL && size > 0);
    if (size == 0) {
        return; /* the assertion's longjmp is unknown to the analyzer */
    }
    switch (il_test_draw(&b->seed, 8)) {
    case 0:
        CU_ASSERT_EQUAL(truncate(path, (off_t)il_test_draw(&b->seed, size)), 0);
        break;
    case 1: /* in the place of another case, which is in this one's */
        path_of(b, (k + 1 + il_test_draw(&b->seed, CASES - 1)) % CASES, second);
        free(text);
        text = il_test_slurp("", second, &size);
        il_test_write(path, text, size);
        break;
    case 2: {
        const char *json = other[il_test_draw(&b->seed, sizeof other / sizeof other[0])];
        il_test_write(path, json, strlen(json));
        break;
    }
    case 3:
        edit(b, path, text, size);
        break;
    case 4:
        forge(b, path, k);
        break;
    case 5: { /* more behind the end */
        char *more = NULL;
        CU_ASSERT_FATAL(
            asprintf(&more, "%s%s", text, il_test_draw(&b->seed, 2) == 0 ? "\n" : text) > 0);
        il_test_write(path, more, strlen(more));
        free(more);
        break;
    }
    default:
        flip(b, path, size);
    }
    free(text);
}

static void every_damage_is_recognised(void) {
    bench b;
    bench_open(&b, 14);
    size_t silent = 0;
    for (size_t k = 0; k < DAMAGES; k++) {
        char path[PATH];
        il_error note;
        size_t victim = il_test_draw(&b.seed, CASES);
        path_of(&b, victim, path);
        damage(&b, victim);
        bool told = !found(&b, victim, &note) && strstr(note.message, path) != NULL &&
                    strstr(note.message, "damaged") != NULL;
        silent += !told || access(path, F_OK) == 0; /* set aside */
        put(&b, victim);
        CU_ASSERT(found(&b, victim, &note) && note.code == IL_OK);
    }
    CU_ASSERT_EQUAL(silent, 0);
    bench_close(&b);
}

/* What is no file is not waited for and not followed, and steps aside. */
static void only_files_are_opened(void) {
    for (int kind = 0; kind < 4; kind++) {
        bench b;
        il_error note;
        char path[PATH];
        char moved[PATH + 8];
        bench_open(&b, 1);
        path_of(&b, 3, path);
        (void)snprintf(moved, sizeof moved, "%s.moved", path);
        CU_ASSERT_EQUAL(rename(path, moved), 0);
        CU_ASSERT_EQUAL(kind == 0   ? mkfifo(path, 0666)
                        : kind == 1 ? symlink(moved, path)
                        : kind == 2 ? mkdir(path, 0777)
                                    : symlink("/dev/zero", path),
                        0);
        CU_ASSERT(!found(&b, 3, &note));
        CU_ASSERT_PTR_NOT_NULL(strstr(note.message, "damaged"));
        put(&b, 3);
        CU_ASSERT(found(&b, 3, &note));
        bench_close(&b);
    }
}

/* A format that this program does not know is neither read nor set aside. */
static void newer_formats_are_refused(void) {
    bench b;
    char path[PATH];
    char key[IL_TEST_KEY];
    char sum[IL_SEALED_SUM];
    static const char rest[] = "\"key\": \"\", \"record\": {}, \"more\": 1}\n";
    char *text = NULL;
    il_error note = {IL_OK, ""};
    json_t *record = NULL;
    bench_open(&b, 1);
    path_of(&b, 0, path);
    il_test_key(0, key);
    CU_ASSERT_FATAL(asprintf(&text, "{\"format\": 2, %s", rest) > 0);
    il_sealed_sum(text, strlen(text), sum);
    free(text);
    CU_ASSERT_FATAL(asprintf(&text, "{\"format\": 2, \"sha256\": \"%s\", %s", sum, rest) > 0);
    il_test_write(path, text, strlen(text));
    free(text);
    CU_ASSERT_EQUAL(il_store_find(b.store, key, NULL, &record, &note), IL_EUNSUPPORTED);
    CU_ASSERT(record == NULL && strstr(note.message, path) != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(note.message, "format 2"));
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    bench_close(&b);
}

/* FIPS 180-4, the examples of NIST. */
static void sums_are_sha256(void) {
    char sum[IL_SEALED_SUM];
    il_sealed_sum("abc", 3, sum);
    CU_ASSERT_STRING_EQUAL(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    il_sealed_sum("", 0, sum);
    CU_ASSERT_STRING_EQUAL(sum, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* ---- HDF5 ----------------------------------------------------------------------------------- */

/* A trajectory of NODES nodes in two coordinates, t = n/8, q = (n, -n), u = (1, -1). */
enum { NODES = 20, FILES = 250 };

static void trajectory_make(il_trajectory *w) {
    *w = (il_trajectory){.d = 0};
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(w, 2, NODES, NULL), IL_OK);
    for (int n = 0; n < NODES; n++) {
        (void)il_trajectory_add(w, n / 8.0, (const double[]){n, -n}, (const double[]){1.0, -1.0});
    }
}

/* Bits, a block of zeros, or an end too early; the latter is true. */
static bool damage_bytes(bench *b, const char *path, size_t size) {
    static const char zeros[64] = "";
    size_t kind = il_test_draw(&b->seed, 4);
    if (kind == 0) {
        CU_ASSERT_EQUAL(truncate(path, (off_t)il_test_draw(&b->seed, size)), 0);
    } else if (kind == 1) {
        FILE *file = fopen(path, "r+b");
        CU_ASSERT_FATAL(file != NULL &&
                        fseek(file, (long)il_test_draw(&b->seed, size - sizeof zeros), SEEK_SET) ==
                            0);
        CU_ASSERT_EQUAL(fwrite(zeros, 1, sizeof zeros, file), sizeof zeros);
        CU_ASSERT_EQUAL(fclose(file), 0);
    } else {
        flip(b, path, size);
    }
    return kind == 0;
}

/* A bit of a number makes another number; of all else nothing may come but a message that names the
 * file. */
static void damaged_trajectories_are_refused_or_whole(void) {
    bench b = {.seed = 5};
    char path[PATH];
    char *whole = NULL;
    size_t size = 0;
    size_t refused = 0;
    il_trajectory w;
    il_scratch_open(b.folder);
    il_scratch_path(b.folder, "a.h5", path);
    trajectory_make(&w);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_write(&w, path, "{}", NULL), IL_OK);
    whole = il_test_slurp("", path, &size);
    for (size_t k = 0; k <= FILES; k++) {
        il_error err = {IL_OK, ""};
        il_trajectory back = {.d = 0};
        il_test_write(path, whole, size);
        bool cut = k > 0 && damage_bytes(&b, path, size);
        il_status status = il_trajectory_read(&back, path, &err);
        CU_ASSERT(k > 0 || (status == IL_OK && back.nodes == NODES && back.d == 2 &&
                            memcmp(back.q, w.q, sizeof(double[2 * NODES])) == 0));
        CU_ASSERT(status != IL_OK || (!cut && back.nodes >= 2 && back.d >= 1));
        CU_ASSERT(status == IL_OK || strstr(err.message, path) != NULL);
        refused += status != IL_OK;
        il_trajectory_free(&back);
    }
    CU_ASSERT(refused > FILES / 4 && refused < FILES); /* both happen */
    free(whole);
    il_trajectory_free(&w);
    il_scratch_close(b.folder, 1);
}

/* Opening one blocks until somebody writes. */
static void a_pipe_is_no_trajectory(void) {
    static const char *const names[] = {"a.h5", "a.csv"};
    char folder[IL_SCRATCH_ROOM];
    il_scratch_open(folder);
    for (size_t k = 0; k < 2; k++) {
        char path[PATH];
        il_error err = {IL_OK, ""};
        il_trajectory w = {.d = 0};
        il_scratch_path(folder, names[k], path);
        CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
        CU_ASSERT_EQUAL(il_trajectory_read(&w, path, &err), IL_EIO);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "it is not a file"));
        il_trajectory_free(&w);
        CU_ASSERT_EQUAL(remove(path), 0);
    }
    il_scratch_close(folder, 0);
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
    char path[PATH];
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
    {"of 1000 damages of stored files every one is recognised", every_damage_is_recognised},
    {"a pipe, a link, a folder, a device is no stored case", only_files_are_opened},
    {"a newer format is refused and stays", newer_formats_are_refused},
    {"checksums are SHA-256", sums_are_sha256},
    {"of 250 damages of an HDF5 trajectory none ends the reader",
     damaged_trajectories_are_refused_or_whole},
    {"a pipe is no trajectory", a_pipe_is_no_trajectory},
    {"a byte-order mark is no column", a_byte_order_mark_is_no_column},
    {NULL, NULL}};

const il_suite il_suite_damage = {"damage", tests};

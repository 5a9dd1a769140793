/*
 * test_store.c - the store under damage; jobs of a pool. cli/campaign.sh has its crashes,
 * cli/signals.sh its signals, cli/results.sh the roster.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/io/sealed.h"
#include "harness/io/store/store.h"
#include "harness/io/workers/pool.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* ---- the store ------------------------------------------------------------------------------ */

typedef struct {
    char folder[IL_SCRATCH_ROOM];
    il_store *store;
} scratch;

static void scratch_open(scratch *s) {
    il_scratch_open(s->folder);
    CU_ASSERT_EQUAL_FATAL(il_store_open(&s->store, s->folder, NULL), IL_OK);
}

static void scratch_close(scratch *s) {
    il_store_close(s->store);
    il_scratch_close(s->folder, 2);
}

static void put(const scratch *s, const char *key, double x) {
    json_t *record = json_pack("{s:f}", "x", x);
    CU_ASSERT_EQUAL(il_store_put(s->store, key, record, NULL), IL_OK);
    json_decref(record);
}

/* The number stored under key, or -1; *noted tells whether a note was left. */
static double find(const scratch *s, const char *key, bool *noted) {
    json_t *record = NULL;
    il_error note = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_store_find(s->store, key, &record, &note), IL_OK);
    double x = record != NULL ? json_real_value(json_object_get(record, "x")) : -1.0;
    json_decref(record);
    *noted = note.code != IL_OK && note.message[0] != '\0';
    return x;
}

/* A JSON object is sealed: nothing but what it says is wrong with it then. */
static void overwrite(const scratch *s, const char *key, const char *text) {
    char path[IL_STORE_PATH];
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    il_store_path(s->folder, name, path);
    json_t *object = json_loads(text, 0, NULL);
    if (json_is_object(object)) {
        CU_ASSERT_EQUAL_FATAL(il_sealed_write(path, object, 0, false, NULL), IL_OK);
    } else {
        il_test_write(path, text, strlen(text));
    }
    json_decref(object);
}

static void finds_what_was_put(void) {
    scratch s;
    scratch_open(&s);
    bool noted = false;
    CU_ASSERT(find(&s, "a", &noted) == -1.0 && !noted);
    put(&s, "a", 0.1);
    put(&s, "b \"quoted\"", 1.0 / 3.0);
    CU_ASSERT(find(&s, "a", &noted) == 0.1 && !noted);
    CU_ASSERT(find(&s, "b \"quoted\"", &noted) == 1.0 / 3.0 && !noted);
    put(&s, "a", 7.0);
    CU_ASSERT(find(&s, "a", &noted) == 7.0 && !noted);
    scratch_close(&s);
}

static void damage_counts_as_absent(void) {
    static const char *const damage[] = {"",
                                         "{\"key\": \"a\", \"rec",
                                         "nonsense",
                                         "[]",
                                         "{\"key\": \"a\"}",
                                         "{\"key\": 3, \"record\": {\"x\": 1.0}}",
                                         "{\"key\": \"a\", \"record\": 3}",
                                         "{\"key\": \"other\", \"record\": {\"x\": 1.0}}"};
    for (size_t k = 0; k < sizeof damage / sizeof damage[0]; k++) {
        scratch s;
        scratch_open(&s);
        bool noted = false;
        put(&s, "a", 1.0);
        overwrite(&s, "a", damage[k]);
        CU_ASSERT(find(&s, "a", &noted) == -1.0);
        CU_ASSERT(noted);
        put(&s, "a", 2.0);
        CU_ASSERT(find(&s, "a", &noted) == 2.0 && !noted);
        scratch_close(&s);
    }
}

/* ---- the pool ------------------------------------------------------------------------------- */

enum { JOBS = 40, LONG_TEXT = 300000 };

/* How often each job came back with the right text. */
typedef struct {
    int got[JOBS];
    size_t taken;
} board;

static char letter(size_t job) {
    return (char)('0' + (int)job);
}

/* The job's own letter, LONG_TEXT times: far more than a socket holds at once. */
static char *work(void *data, size_t job) {
    (void)data;
    char *text = il_alloc(LONG_TEXT + 1, 1);
    memset(text, letter(job), LONG_TEXT);
    text[LONG_TEXT] = '\0';
    return text;
}

static il_status receive(void *data, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    board *b = data;
    const char expected[2] = {letter(job), '\0'};
    (void)loss;
    (void)err;
    b->taken++;
    b->got[job] += text != NULL && strlen(text) == LONG_TEXT && strspn(text, expected) == LONG_TEXT;
    return IL_OK;
}

static void every_job_comes_back_once(void) {
    for (size_t workers = 1; workers <= 3; workers++) {
        board b = {.taken = 0};
        il_pool pool = {
            .workers = workers, .jobs = JOBS, .work = work, .receive = receive, .data = &b};
        CU_ASSERT_EQUAL(il_pool_run(&pool, NULL), IL_OK);
        CU_ASSERT_EQUAL(b.taken, JOBS);
        for (size_t k = 0; k < JOBS; k++) {
            CU_ASSERT_EQUAL(b.got[k], 1);
        }
    }
    CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}

/* Jobs of which one finds no memory: the second. */
typedef struct {
    size_t *tries; /* of it, in memory that the workers share */
    bool says;     /* its work returns, with no result */
    size_t got, lost;
} short_board;

static char *work_without_memory(void *data, size_t job) {
    const short_board *b = data;
    if (job != 1) {
        return il_alloc_text("done");
    }
    ++*b->tries;
    if (!b->says) {
        _exit(IL_MEMORY_STATUS);
    }
    return NULL;
}

static il_status receive_or_miss(void *data, size_t job, const char *text, const il_pool_loss *loss,
                                 il_error *err) {
    short_board *b = data;
    (void)err;
    b->got += text != NULL;
    b->lost += text == NULL && job == 1 && loss->memory && !loss->late;
    return IL_OK;
}

static void a_job_without_memory_is_lost_or_ends_the_pool(void) {
    for (int k = 0; k < 4; k++) {
        il_error err = {IL_OK, ""};
        void *shared =
            mmap(NULL, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        CU_ASSERT_FATAL(shared != MAP_FAILED);
        short_board b = {.tries = shared, .says = k % 2 == 1};
        il_pool pool = {.workers = 1,
                        .jobs = 3,
                        .alone = k < 2,
                        .work = work_without_memory,
                        .receive = receive_or_miss,
                        .data = &b};
        CU_ASSERT_EQUAL(il_pool_run(&pool, &err), pool.alone ? IL_OK : IL_ENOMEM);
        CU_ASSERT_STRING_EQUAL(err.message,
                               pool.alone ? "" : "a worker ran out of memory in job 2 of 3");
        CU_ASSERT_EQUAL(*b.tries, 1); /* it would need as much again */
        CU_ASSERT(b.got == (pool.alone ? 2 : 1) && b.lost == pool.alone);
        (void)munmap(shared, sizeof(size_t));
    }
    CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
}

/* FIPS 180-4, the examples of NIST. */
static void sums_are_sha256(void) {
    char sum[IL_SEALED_SUM];
    il_sealed_sum("abc", 3, sum);
    CU_ASSERT_STRING_EQUAL(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    il_sealed_sum("", 0, sum);
    CU_ASSERT_STRING_EQUAL(sum, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static const il_test tests[] = {
    {"checksums are SHA-256", sums_are_sha256},
    {"the store finds what was put, and replaces it", finds_what_was_put},
    {"a damaged or foreign file counts as absent and is noted", damage_counts_as_absent},
    {"every job of a pool comes back once, whatever the workers", every_job_comes_back_once},
    {"a job without memory is lost, or ends the pool",
     a_job_without_memory_is_lost_or_ends_the_pool},
    {NULL, NULL}};

const il_suite il_suite_store = {"store", tests};

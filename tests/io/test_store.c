/*
 * test_store.c - the store under damage, the pool under crashes and signals.
 */
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/sealed.h"
#include "harness/io/store/store.h"
#include "harness/io/workers/pool.h"
#include "tests/support/suite.h"

/* ---- the store ------------------------------------------------------------------------------ */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

typedef struct {
    char folder[64];
    il_store *store;
} scratch;

static scratch scratch_new(void) {
    scratch s = {.folder = "/tmp/il-store-XXXXXX"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(s.folder));
    CU_ASSERT_EQUAL_FATAL(il_store_open(&s.store, s.folder, NULL), IL_OK);
    return s;
}

static void scratch_free(scratch *s) {
    il_store_close(s->store);
    CU_ASSERT_EQUAL(nftw(s->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
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
        FILE *file = fopen(path, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        (void)fputs(text, file);
        (void)fclose(file);
    }
    json_decref(object);
}

static void finds_what_was_put(void) {
    scratch s = scratch_new();
    bool noted = false;
    CU_ASSERT(find(&s, "a", &noted) == -1.0 && !noted);
    put(&s, "a", 0.1);
    put(&s, "b \"quoted\"", 1.0 / 3.0);
    CU_ASSERT(find(&s, "a", &noted) == 0.1 && !noted);
    CU_ASSERT(find(&s, "b \"quoted\"", &noted) == 1.0 / 3.0 && !noted);
    put(&s, "a", 7.0);
    CU_ASSERT(find(&s, "a", &noted) == 7.0 && !noted);
    scratch_free(&s);
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
        scratch s = scratch_new();
        bool noted = false;
        put(&s, "a", 1.0);
        overwrite(&s, "a", damage[k]);
        CU_ASSERT(find(&s, "a", &noted) == -1.0);
        CU_ASSERT(noted);
        put(&s, "a", 2.0);
        CU_ASSERT(find(&s, "a", &noted) == 2.0 && !noted);
        scratch_free(&s);
    }
}

/* Is the case of key one that the roster's script has asked for? */
static bool rostered(const il_roster *roster, const char *key) {
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    return json_object_get(il_roster_cases(roster), name) != NULL;
}

static void what_is_put_is_in_the_roster(void) {
    scratch s = scratch_new();
    il_roster *roster = NULL;
    const il_roster_head head = {.script = "a.lua", .build = "b"};
    CU_ASSERT_EQUAL_FATAL(il_roster_open(&roster, s.folder, &head, NULL), IL_OK);
    il_store_watch(s.store, roster);
    CU_ASSERT_FALSE(rostered(roster, "a"));
    put(&s, "a", 0.5);
    CU_ASSERT_TRUE(rostered(roster, "a"));
    CU_ASSERT_EQUAL(il_roster_close(roster, true, NULL), IL_OK);
    il_store_watch(s.store, NULL);
    scratch_free(&s);
}

/* ---- the pool ------------------------------------------------------------------------------- */

enum { JOBS = 40, LONG_TEXT = 300000, CRASHES = 7 };

typedef struct {
    int got[JOBS]; /* how often each job came back with the right text */
    size_t lost, taken;
    char why[128];
    bool crash, interrupt, refuse;
    const char *marks; /* a folder: who leaves a mark there crashes, once; NULL: always */
    pid_t parent;
} board;

static char letter(size_t job) {
    return (char)('0' + (int)job);
}

/* The job's own letter, LONG_TEXT times: far more than a socket holds at once. */
static char *work(void *data, size_t job) {
    const board *b = data;
    if (b->crash && job % CRASHES == 3) {
        char mark[64];
        (void)snprintf(mark, sizeof mark, "%.40s/%zu", b->marks != NULL ? b->marks : "", job);
        if (b->marks == NULL || mkdir(mark, 0777) == 0) {
            (void)raise(SIGKILL);
        }
    }
    if (b->interrupt && job == 5) {
        (void)kill(b->parent, SIGINT);
    }
    char *text = malloc(LONG_TEXT + 1);
    if (text != NULL) {
        memset(text, letter(job), LONG_TEXT);
        text[LONG_TEXT] = '\0';
    }
    return text;
}

static il_status receive(void *data, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    board *b = data;
    b->taken++;
    if (text == NULL) {
        b->lost++;
        (void)snprintf(b->why, sizeof b->why, "%s", loss->why);
    } else {
        char expected[2] = {letter(job), '\0'};
        b->got[job] += strlen(text) == LONG_TEXT && strspn(text, expected) == LONG_TEXT;
    }
    return b->refuse && b->taken == 3 ? il_fail(err, IL_EIO, "the disk is full") : IL_OK;
}

static il_status run_pool(board *b, size_t workers, il_error *err) {
    b->parent = getpid();
    il_pool pool = {.workers = workers, .jobs = JOBS, .work = work, .receive = receive, .data = b};
    il_status status = il_pool_run(&pool, err);
    CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
    return status;
}

static void every_job_comes_back_once(void) {
    for (size_t workers = 1; workers <= 3; workers++) {
        board b = {.lost = 0};
        CU_ASSERT_EQUAL(run_pool(&b, workers, NULL), IL_OK);
        CU_ASSERT_EQUAL(b.taken, JOBS);
        for (size_t k = 0; k < JOBS; k++) {
            CU_ASSERT_EQUAL(b.got[k], 1);
        }
    }
}

static void a_crash_costs_one_job(void) {
    board b = {.crash = true};
    CU_ASSERT_EQUAL(run_pool(&b, 2, NULL), IL_OK);
    CU_ASSERT_EQUAL(b.taken, JOBS);
    for (size_t k = 0; k < JOBS; k++) {
        CU_ASSERT_EQUAL(b.got[k], k % CRASHES == 3 ? 0 : 1);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(b.why, "signal 9"));
}

static void a_signal_stops_the_pool(void) {
    board b = {.interrupt = true};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(run_pool(&b, 2, &err), IL_EINTERRUPTED);
    CU_ASSERT(b.taken < JOBS);
    sigset_t mask;
    (void)sigprocmask(SIG_SETMASK, NULL, &mask);
    CU_ASSERT_EQUAL(sigismember(&mask, SIGINT), 0); /* as it was before */
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
    {"what is put is in the roster", what_is_put_is_in_the_roster},
    {"a damaged or foreign file counts as absent and is noted", damage_counts_as_absent},
    {"every job of a pool comes back once, whatever the workers", every_job_comes_back_once},
    {"a worker that is killed costs its job and no other", a_crash_costs_one_job},
    {"SIGINT stops a pool and leaves nobody behind", a_signal_stops_the_pool},
    {NULL, NULL}};

const il_suite il_suite_store = {"store", tests};

/*
 * test_kills.c - a sweep is killed before each of its writes, and what it left is gone on with: no
 * case that was stored is run again, and tables and records are those of a sweep that was left
 * alone. A sample here; IMPACTLAB_KILLS=all (`make test-kills`) tries each.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "tests/support/fault_writes.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* Five cases, the last of which leaves states; an argument keeps the table out. */
static const char SCRIPT[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{name = 'k', problem = {'sticky', N = 4, seed = 1}, schemes = {'maury'},\n"
    "  steps = {3, 5, 7, 11, 20000}}:run()\n"
    "local rows = {}\n"
    "for k, one in ipairs(r:records()) do\n"
    "  rows[k] = {one.steps, one.status, one.final.q[1], one.energy.final}\n"
    "end\n"
    "lab.table{name = 'numbers', heads = {'steps', 'status', 'q', 'energy'}, rows = rows}\n";

enum { CASES = 5, SAMPLE = 12, PATIENCE = 60, TEXT = 1 << 16 };

/* ---- a sweep -------------------------------------------------------------------------------- */

typedef struct {
    int status; /* that of exit; -signal */
    bool happened;
    size_t writes;
    char said[TEXT];
} outcome;

static _Noreturn void become(const char *dir, int err, bool traced) {
    char line[] = "impactlab sweep s.lua --results r -j 2 --long --checkpoint-every 1e-9";
    char *argv[16];
    int argc = 0;
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    int null = open("/dev/null", O_RDWR);
    if (setpgid(0, 0) != 0 || chdir(dir) != 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
        dup2(err, 2) < 0) {
        _exit(127);
    }
    (void)alarm(PATIENCE);
    if (traced) {
        il_writes_stop_here();
    }
    exit(il_cli_program(argc, argv));
}

/* With a kill before write k; k = 0: none, and traced = false: nobody looks. */
static void sweep(const char *dir, size_t k, bool traced, outcome *w) {
    int err = memfd_create("err", 0);
    int code = 0;
    CU_ASSERT_FATAL(err >= 0);
    memset(w, 0, sizeof *w);
    (void)fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        become(dir, err, traced);
    }
    if (traced) {
        code = il_writes_follow(child, IL_FAULT_KILL, k, &w->happened, &w->writes);
    } else {
        CU_ASSERT_EQUAL(waitpid(child, &code, 0), child);
    }
    w->status = WIFEXITED(code) ? WEXITSTATUS(code) : -WTERMSIG(code);
    (void)pread(err, w->said, TEXT - 1, 0);
    (void)close(err);
}

/* ---- what is there -------------------------------------------------------------------------- */

static void read_text(const char *dir, const char *name, char text[TEXT]) {
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(dir, name, path);
    FILE *in = fopen(path, "rb");
    size_t n = in != NULL ? fread(text, 1, TEXT - 1, in) : 0;
    text[n] = '\0';
    if (in != NULL) {
        (void)fclose(in);
    }
}

/* Files below dir whose names end with `end`. */
static size_t count_files(const char *dir, const char *end) {
    DIR *folder = opendir(dir);
    size_t n = 0;
    const struct dirent *item = NULL;
    while (folder != NULL && (item = readdir(folder)) != NULL) {
        char path[2 * IL_SCRATCH_ROOM];
        size_t length = strlen(item->d_name);
        size_t tail = strlen(end);
        if (item->d_name[0] == '.') {
            continue;
        }
        if (item->d_type == DT_DIR) {
            il_scratch_path(dir, item->d_name, path);
            n += count_files(path, end);
        } else {
            n += length >= tail && strcmp(item->d_name + length - tail, end) == 0;
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return n;
}

static void remove_all(const char *dir) {
    char command[2 * IL_SCRATCH_ROOM];
    (void)snprintf(command, sizeof command, "rm -rf '%s/r'", dir);
    CU_ASSERT_EQUAL(system(command), 0); // NOLINT(cert-env33-c): the path is this test's own
}

/* ---- the test ------------------------------------------------------------------------------- */

typedef struct {
    char dir[IL_SCRATCH_ROOM], results[2 * IL_SCRATCH_ROOM];
    char cases[3 * IL_SCRATCH_ROOM], claims[3 * IL_SCRATCH_ROOM];
    char table[TEXT]; /* of a sweep that was left alone */
    outcome killed, gone;
} bench;

static void write_script(const char *dir) {
    char path[2 * IL_SCRATCH_ROOM];
    il_scratch_path(dir, "s.lua", path);
    FILE *out = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT(fputs(SCRIPT, out) >= 0);
    CU_ASSERT_EQUAL(fclose(out), 0);
}

/* A kill before write k, and the sweep that follows; false if there was no such write. */
static bool kill_at(bench *b, size_t k) {
    static char table[TEXT];
    char expected[80];
    remove_all(b->dir);
    sweep(b->dir, k, true, &b->killed);
    if (!b->killed.happened) {
        return false;
    }
    CU_ASSERT_EQUAL(b->killed.status, -SIGKILL);
    size_t stored = count_files(b->cases, ".json");
    sweep(b->dir, 0, false, &b->gone);
    CU_ASSERT_EQUAL(b->gone.status, 0);
    (void)snprintf(expected, sizeof expected, "%zu found stored, %zu run", stored, CASES - stored);
    bool kept = strstr(b->gone.said, expected) != NULL;
    CU_ASSERT_TRUE(kept);
    read_text(b->dir, "r/tables/numbers.csv", table);
    bool same = strcmp(table, b->table) == 0;
    CU_ASSERT_TRUE(same);
    size_t left = count_files(b->claims, "");
    CU_ASSERT_EQUAL(left, 0);
    if (!kept || !same || left > 0) {
        (void)fprintf(stderr, "killed before write %zu: %zu were stored\n%s\n%s\n", k, stored,
                      b->killed.said, b->gone.said);
    }
    return true;
}

static void a_kill_at_every_write_costs_no_finished_case(void) {
    if (!il_writes_possible()) {
        return;
    }
    bench *b = calloc(1, sizeof *b);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    il_scratch_open(b->dir);
    il_scratch_path(b->dir, "r", b->results);
    (void)snprintf(b->cases, sizeof b->cases, "%s/cases", b->results);
    (void)snprintf(b->claims, sizeof b->claims, "%s/claims", b->results);
    write_script(b->dir);
    sweep(b->dir, 0, true, &b->killed);
    CU_ASSERT_EQUAL(b->killed.status, 0);
    CU_ASSERT_NOT_EQUAL(count_files(b->results, "numbers.csv"), 0);
    read_text(b->dir, "r/tables/numbers.csv", b->table);
    size_t writes = b->killed.writes;
    CU_ASSERT_TRUE(writes > SAMPLE);
    const char *asked = getenv("IMPACTLAB_KILLS");
    bool all = asked != NULL && strcmp(asked, "all") == 0;
    size_t by = all ? 1 : writes / SAMPLE;
    size_t met = 0;
    for (size_t k = 1; k <= writes; k += by) {
        met += kill_at(b, k);
    }
    CU_ASSERT_TRUE(met >= (all ? writes / 2 : SAMPLE / 2)); /* the number of states varies */
    if (all) {
        (void)printf(" %zu kills of %zu writes ", met, writes);
    }
    remove_all(b->dir);
    il_scratch_close(b->dir, 0);
    free(b);
}

static const il_test tests[] = {{"a kill before any write costs no finished case",
                                 a_kill_at_every_write_costs_no_finished_case},
                                {.name = NULL}};

extern const il_suite il_suite_kills;
const il_suite il_suite_kills = {"kills", tests};

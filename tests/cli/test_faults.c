/*
 * test_faults.c - an allocation of each kind of command fails: what it prints is what it prints
 * without the fault, or the program ends with IL_EXIT_INTERNAL and a message that names memory. A
 * seeded sample; `make test-faults` tries TRIALS of each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "tests/support/allocation.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A trial takes well under a second; what takes longer hangs. */
enum { TRIALS = 12, PATIENCE = 120, WORDS = 40 };

/* What came of one trial. */
typedef struct {
    int status; /* that of exit; -signal */
    char *out, *err;
} outcome;

/* What a child reports, in memory that is shared. */
typedef struct {
    bool happened;
    size_t calls; /* allocations from the beginning */
} report;

static bool standing; /* in a trial's child: all clocks show 0, so that outputs can be compared */

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (standing) {
        *now = (struct timespec){0};
        return 0;
    }
    return (int)syscall(SYS_clock_gettime, clock, now);
}

time_t time(time_t *now) {
    struct timespec real = {0};
    (void)clock_gettime(CLOCK_REALTIME, &real);
    if (now != NULL) {
        *now = real.tv_sec;
    }
    return real.tv_sec;
}

/* The program in a folder, with these words, where the k-th allocation fails. */
static _Noreturn void become(const char *folder, const char *line, size_t k, report *seen, int out,
                             int err) {
    char words[1024];
    char *argv[WORDS + 2] = {words};
    int argc = 1;
    (void)snprintf(words, sizeof words, "impactlab %s", line);
    (void)strtok(words, " ");
    for (char *word = strtok(NULL, " "); word != NULL && argc < WORDS; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    if (chdir(folder) != 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) {
        _exit(127);
    }
    standing = true;
    (void)alarm(PATIENCE);
    allocation_report(&seen->happened, &seen->calls);
    allocation_fail(k);
    int status = il_cli_program(argc, argv);
    allocation_fail(0); /* libraries of the suite alone end here, and HDF5 does not bear it */
    exit(status);
}

static char *read_back(int file) {
    off_t end = lseek(file, 0, SEEK_END);
    char *text = calloc((size_t)end + 1, 1);
    CU_ASSERT_FATAL(text != NULL && pread(file, text, (size_t)end, 0) == end);
    (void)close(file);
    return text;
}

static void run(const char *folder, const char *line, size_t k, report *seen, outcome *w) {
    int code = 0;
    int out = memfd_create("out", 0);
    int err = memfd_create("err", 0);
    CU_ASSERT_FATAL(out >= 0 && err >= 0);
    (void)fflush(NULL);
    *seen = (report){.happened = false};
    if (strncmp(line, "sweep", 5) == 0) { /* finds no case stored */
        char command[2 * IL_SCRATCH_ROOM];
        (void)snprintf(command, sizeof command, "rm -rf '%s/r'", folder);
        CU_ASSERT_EQUAL(system(command), 0);
    }
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        become(folder, line, k, seen, out, err);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &code, 0), child);
    w->status = WIFEXITED(code) ? WEXITSTATUS(code) : -WTERMSIG(code);
    w->out = read_back(out);
    w->err = read_back(err);
}

static bool honest(const outcome *w, const outcome *whole, bool happened) {
    bool same = w->status == whole->status && strcmp(w->out, whole->out) == 0;
    return same ||
           (happened && w->status == IL_EXIT_INTERNAL && strcasestr(w->err, "memory") != NULL);
}

/* One command, with a fault in each of TRIALS equal parts of its allocations: how many ended it. */
static size_t try_command(const char *folder, const char *line, report *seen) {
    const char *asked = getenv("IMPACTLAB_FAULTS");
    size_t trials = asked == NULL ? TRIALS : strtoul(asked, NULL, 10);
    unsigned seed = 20260611;
    size_t ended = 0;
    outcome whole;
    size_t before = allocation_count();
    run(folder, line, 0, seen, &whole);
    size_t calls = seen->calls - before;
    CU_ASSERT(whole.status == 0 && calls > trials);
    for (size_t i = 0; i < trials; i++) {
        outcome w;
        size_t low = i * calls / trials;
        size_t high = (i + 1) * calls / trials;
        run(folder, line, 1 + low + (size_t)rand_r(&seed) % (high - low), seen, &w);
        if (!honest(&w, &whole, seen->happened)) {
            (void)printf("\n  %s: status %d, %.400s", line, w.status, w.err);
            CU_FAIL("a fault of memory is not told");
        }
        ended += w.status == IL_EXIT_INTERNAL;
        free(w.out);
        free(w.err);
    }
    free(whole.out);
    free(whole.err);
    return ended;
}

static const char SCRIPT[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{name = 'o', problem = 'bouncing_ball', scheme = 'maury',\n"
    "  reference = 'exact', steps = lab.levels{from = 8, ratio = 2, count = 3, jitter = 2, seed = "
    "3}}:run()\n"
    "print(r:order{scheme = 'maury', norm = 'u_L1'})\n";

#define STICKY "run --problem sticky --scheme maury --steps 4 --set N=3 "

static void commands_are_whole_or_memory_ran_out(void) {
    static const char *const list[] = {
        "list --json",
        "show two_spheres --json",
        STICKY "--sample 0.5,1 --series --json",
        STICKY "--exact-arithmetic --json",
        STICKY "--ensemble 3 --json",
        "run --problem crystal --set rows=2 --scheme maury --steps 4 --multipliers 4 --json",
        "run --problem two_spheres --scheme maury --steps 8 --reference event_driven --json",
        "verify --claim AT-example --json",
        "sweep s.lua --results r",
        "results list --results r --where steps>4",
    };
    char folder[IL_SCRATCH_ROOM];
    char path[2 * IL_SCRATCH_ROOM];
    size_t ended = 0;
    if (!allocation_counted()) {
        return; /* a sanitizer has its own */
    }
    report *seen =
        mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FATAL(seen != MAP_FAILED);
    il_scratch_open(folder);
    il_scratch_path(folder, "s.lua", path);
    FILE *script = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(script);
    (void)fputs(SCRIPT, script);
    (void)fclose(script);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        ended += try_command(folder, list[k], seen);
    }
    CU_ASSERT(ended > sizeof list / sizeof list[0]); /* faults are made, and are met */
    (void)munmap(seen, sizeof *seen);
    (void)snprintf(path, sizeof path, "rm -rf '%s/r'", folder);
    CU_ASSERT_EQUAL(system(path), 0);
    il_scratch_close(folder, 0);
}

static const il_test tests[] = {
    {"commands are whole, or memory ran out", commands_are_whole_or_memory_ran_out},
    {.name = NULL}};

extern const il_suite il_suite_faults;
const il_suite il_suite_faults = {"faults", tests};

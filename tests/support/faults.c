/*
 * faults.c - a child a trial. Memory fails in our own malloc (allocation.h), writes by ptrace
 * (fault_writes.h).
 */
#include "tests/support/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "tests/support/allocation.h"
#include "tests/support/fault_tree.h"
#include "tests/support/fault_writes.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A trial takes well under a second; what takes longer hangs. More calls than CALLS_MAX, and
 * something grows that should not. */
enum { PATIENCE = 60, CALLS_MAX = 400000, SHOWN = 4 };

static bool standing; /* in a trial's child: the time is 0 */

/* What came of one trial. */
typedef struct {
    int status; /* that of exit; -signal */
    bool happened;
    char *out, *err;
    size_t out_size, err_size;
    il_tree tree;
} outcome;

static void free_outcome(outcome *w) {
    free(w->out);
    free(w->err);
    il_tree_free(&w->tree);
    *w = (outcome){.status = 0};
}

bool il_fault_possible(il_fault fault) {
    return fault == IL_FAULT_MEMORY ? allocation_counted() : il_writes_possible();
}

/* HDF5 and journals write the date; here it stands still, so that bytes can be compared. */
time_t time(time_t *now);
time_t time(time_t *now) {
    struct timespec real = {0};
    if (!standing) {
        (void)clock_gettime(CLOCK_REALTIME, &real);
    }
    if (now != NULL) {
        *now = real.tv_sec;
    }
    return real.tv_sec;
}

/* ---- the child ------------------------------------------------------------------------------ */

static _Noreturn void become(const il_fault_command *c, const char *folder, int out, int err,
                             il_fault fault, size_t k, bool *happened) {
    char words[1024];
    char *argv[IL_FAULT_WORDS + 2] = {words};
    int argc = 1;
    (void)snprintf(words, sizeof words, "impactlab %s", c->words);
    (void)strtok(words, " ");
    for (char *word = strtok(NULL, " "); word != NULL && argc < IL_FAULT_WORDS;
         word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    int null = open("/dev/null", O_RDONLY);
    if (setpgid(0, 0) != 0 || chdir(folder) != 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(err, 2) < 0) {
        _exit(127);
    }
    (void)setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
    standing = true;
    (void)alarm(PATIENCE);
    allocation_report(happened);
    if (fault == IL_FAULT_MEMORY) {
        allocation_fail(k);
    } else if (fault != IL_FAULT_NONE) {
        il_writes_stop_here();
    }
    exit(il_cli_program(argc, argv));
}

static char *read_back(int file, size_t *size) {
    off_t end = lseek(file, 0, SEEK_END);
    char *bytes = malloc((size_t)end + 1);
    CU_ASSERT_FATAL(bytes != NULL && pread(file, bytes, (size_t)end, 0) == end);
    (void)close(file);
    *size = (size_t)end;
    char *plain = il_tree_plain(bytes, size);
    free(bytes);
    return plain;
}

static void run(const il_fault_command *c, const char *folder, il_fault fault, size_t k,
                outcome *w) {
    bool *happened =
        mmap(NULL, sizeof *happened, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int out = memfd_create("out", 0);
    int err = memfd_create("err", 0);
    CU_ASSERT_FATAL(happened != MAP_FAILED && out >= 0 && err >= 0);
    il_tree_empty(folder);
    if (c->prepare != NULL) {
        char here[IL_SCRATCH_ROOM];
        CU_ASSERT_FATAL(getcwd(here, sizeof here) != NULL && chdir(folder) == 0);
        c->prepare();
        CU_ASSERT_FATAL(chdir(here) == 0);
    }
    (void)fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        become(c, folder, out, err, fault, k, happened);
    }
    int code = 0;
    if (fault > IL_FAULT_MEMORY) {
        code = il_writes_follow(child, fault, k, happened);
    } else {
        while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
        }
    }
    (void)kill(-child, SIGKILL);
    w->status = WIFEXITED(code) ? WEXITSTATUS(code) : -WTERMSIG(code);
    w->happened = *happened;
    w->out = read_back(out, &w->out_size);
    w->err = read_back(err, &w->err_size);
    il_tree_read(&w->tree, folder);
    (void)munmap(happened, sizeof *happened);
}

/* ---- the judge ------------------------------------------------------------------------------ */

/* Does a message name the fault, and is there one? */
static bool names(const char *text, il_fault fault) {
    const char *at = strstr(text, "impactlab");
    at = at != NULL ? strchr(at, ':') : NULL;
    if (at == NULL || strlen(at) < 5 || strstr(text, "impactlab: \n") != NULL) {
        return false;
    }
    return fault == IL_FAULT_MEMORY
               ? strcasestr(text, "memory") != NULL
               : strstr(text, "No space left") != NULL || strstr(text, "Input/output") != NULL ||
                     strstr(text, "could not be written") != NULL ||
                     strstr(text, "cannot write") != NULL;
}

/* What is wrong with an outcome, NULL if nothing. */
static const char *judge(const outcome *w, const outcome *whole, il_fault fault) {
    const char *stray = il_tree_stray(&w->tree, &whole->tree);
    if (w->status < 0) {
        return "ended by a signal";
    }
    if (stray != NULL) {
        return stray;
    }
    bool same = w->status == whole->status && w->out_size == whole->out_size &&
                memcmp(w->out, whole->out, w->out_size) == 0 &&
                il_tree_stray(&whole->tree, &w->tree) == NULL;
    if (same) {
        return NULL;
    }
    if (!w->happened) {
        return "another result, and no fault";
    }
    if (w->status == 0) {
        return "status 0 with another result";
    }
    if (fault == IL_FAULT_MEMORY && w->status != IL_EXIT_INTERNAL) {
        return "memory ran out, and the status is not that of memory";
    }
    return names(w->err, fault) ? NULL : "the message does not name the fault";
}

/* Where two texts part. */
static size_t parting(const char *a, const char *b) {
    size_t k = 0;
    while (a[k] != '\0' && a[k] == b[k]) {
        k++;
    }
    return k;
}

static void show(const il_fault_command *c, size_t k, const outcome *w, const outcome *whole,
                 const char *why) {
    size_t at = parting(w->out, whole->out);
    at -= at > 30 ? 30 : at;
    (void)printf(
        "\n%s\n  fault %zu: %s; status %d, stderr: %.400s\n  prints: %.60s\n  not:    %.60s",
        c->words, k, why, w->status, w->err, w->out + at, whole->out + at);
}

/* Which faults to try, of n: all, or one of each of `trials` equal parts. */
static size_t choose(size_t i, size_t n, size_t trials, unsigned *seed) {
    if (trials >= n) {
        return i + 1;
    }
    size_t low = i * n / trials;
    size_t high = (i + 1) * n / trials;
    return 1 + low + (size_t)rand_r(seed) % (high - low);
}

/* Is there a k-th fault? */
static bool reaches(const il_fault_command *c, const char *folder, il_fault fault, size_t k) {
    outcome w = {.status = 0};
    run(c, folder, fault, k, &w);
    bool happened = w.happened;
    free_outcome(&w);
    return happened;
}

/* How many there are, by bisection. */
static size_t count(const il_fault_command *c, const char *folder, il_fault fault) {
    size_t low = 0;
    size_t high = 1;
    while (high < CALLS_MAX && reaches(c, folder, fault, high)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        *(reaches(c, folder, fault, mid) ? &low : &high) = mid;
    }
    return low;
}

void il_fault_try(const il_fault_command *command, il_fault fault) {
    char folder[IL_SCRATCH_ROOM];
    const char *asked = getenv("IMPACTLAB_FAULTS");
    outcome whole = {.status = 0};
    unsigned seed = 20260611;
    il_scratch_open(folder);
    run(command, folder, IL_FAULT_NONE, 0, &whole);
    size_t n = count(command, folder, fault);
    bool all = asked != NULL && strcmp(asked, "all") == 0;
    size_t trials = all || command->trials > n ? n : command->trials;
    size_t wrong = 0;
    for (size_t i = 0; i < trials; i++) {
        size_t k = choose(i, n, trials, &seed);
        outcome w = {.status = 0};
        run(command, folder, fault, k, &w);
        const char *why = judge(&w, &whole, fault);
        if (why != NULL && wrong++ < SHOWN) {
            show(command, k, &w, &whole, why);
        }
        free_outcome(&w);
    }
    if (wrong > 0) {
        (void)printf("\n%s: %zu of %zu faults wrong (there are %zu)\n", command->words, wrong,
                     trials, n);
    } else if (all) {
        (void)printf("\n  %zu faults: %s", n, command->words);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(trials > 0);
    if (whole.status < 0 || whole.status > 1) {
        show(command, 0, &whole, &whole, "fails by itself");
    }
    CU_ASSERT(whole.status == 0 || whole.status == 1);
    free_outcome(&whole);
    il_tree_empty(folder);
    il_scratch_close(folder, 0);
}

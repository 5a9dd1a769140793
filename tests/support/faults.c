/*
 * faults.c - a child a trial. Memory fails in our own malloc (allocation.h), writes by ptrace
 * (fault_writes.h).
 */
#include "tests/support/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "tests/support/allocation.h"
#include "tests/support/fault_tree.h"
#include "tests/support/fault_writes.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A trial takes well under a second; what takes longer hangs. */
enum { PATIENCE = 600, SHOWN = 4 };

static bool standing; /* in a trial's child: all clocks show 0 */

static const char *const KIND[] = {"none",         "no memory",   "no space", "an input error",
                                   "half a write", "a full disk", "a kill"};

/* What came of one trial. */
typedef struct {
    int status; /* that of exit; -signal */
    bool happened;
    size_t calls; /* allocations or writes there were */
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

/* Records, journals and HDF5 write times; here they stand still, so that bytes can be compared. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    if (standing) {
        *now = (struct timespec){0};
        return 0;
    }
    return (int)syscall(SYS_clock_gettime, clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec real = {0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &real);
    *now = (struct timeval){.tv_sec = real.tv_sec, .tv_usec = real.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now) {
    struct timespec real = {0};
    (void)clock_gettime(CLOCK_REALTIME, &real);
    if (now != NULL) {
        *now = real.tv_sec;
    }
    return real.tv_sec;
}

/* Rosters say which process keeps them: 1, whoever it is, and workers take that for their parent.
 */
pid_t getpid(void) {
    return standing ? 1 : (pid_t)syscall(SYS_getpid);
}

pid_t getppid(void) {
    return standing ? 1 : (pid_t)syscall(SYS_getppid);
}

/* ---- the child ------------------------------------------------------------------------------ */

/* What it reports, in memory that is shared. */
typedef struct {
    bool happened;
    size_t calls; /* allocations from the beginning, or writes */
} report;

/* What a child is to suffer. */
static struct {
    il_fault fault;
    size_t k;
    report *seen;
} plan;

static void begin_fault(void) {
    if (plan.fault == IL_FAULT_MEMORY) {
        allocation_report(&plan.seen->happened, &plan.seen->calls);
        allocation_fail(plan.k);
    } else if (plan.fault != IL_FAULT_NONE) {
        il_writes_stop_here();
    }
}

/* The program, with these words. */
static _Noreturn void become(const char *line, const char *folder, int out, int err) {
    static char buffer[4096]; /* as a file's or a pipe's; stdout keeps it to the end */
    char words[1024];
    char *argv[IL_FAULT_WORDS + 2] = {words};
    int argc = 1;
    (void)snprintf(words, sizeof words, "impactlab %s", line);
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
    /* CUnit's has no buffer, and without one of ours would stay so: a write a word. */
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    standing = true;
    (void)alarm(PATIENCE);
    begin_fault();
    int status = il_cli_program(argc, argv);
    allocation_fail(0); /* libraries of the suite alone end here, and HDF5 does not bear it */
    exit(status);
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

/* What a command finds that was run before; the same for every trial of it. */
static struct {
    char folder[IL_SCRATCH_ROOM];
    bool made;
} found;

/* The folder as the command finds it. */
static void set_up(const il_fault_command *c, const char *folder) {
    char path[2 * IL_SCRATCH_ROOM];
    il_tree_empty(folder);
    if (found.made) {
        il_tree_copy(found.folder, folder);
        return;
    }
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (c->script != NULL) {
        il_scratch_path(folder, "s.lua", path);
        FILE *out = fopen(path, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        (void)fputs(c->script, out);
        (void)fclose(out);
    }
    if (c->before != NULL) {
        int code = 0;
        plan.fault = IL_FAULT_NONE;
        pid_t child = fork();
        CU_ASSERT_FATAL(child >= 0);
        if (child == 0) {
            become(c->before, folder, null, null);
        }
        CU_ASSERT(waitpid(child, &code, 0) == child && WIFEXITED(code));
    }
    (void)close(null);
    il_tree_copy(folder, found.folder);
    found.made = true;
}

static void run(const il_fault_command *c, const char *folder, il_fault fault, size_t k,
                outcome *w) {
    report *seen =
        mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int out = memfd_create("out", 0);
    int err = memfd_create("err", 0);
    CU_ASSERT_FATAL(seen != MAP_FAILED && out >= 0 && err >= 0);
    (void)fflush(NULL);
    set_up(c, folder);
    plan.fault = fault;
    plan.k = k;
    plan.seen = seen;
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        become(c->words, folder, out, err);
    }
    int code = 0;
    if (fault > IL_FAULT_MEMORY) {
        code = il_writes_follow(child, fault, k, &seen->happened, &seen->calls);
    } else {
        while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
        }
    }
    (void)kill(-child, SIGKILL);
    w->status = WIFEXITED(code) ? WEXITSTATUS(code) : -WTERMSIG(code);
    w->happened = seen->happened;
    w->calls = seen->calls;
    w->out = read_back(out, &w->out_size);
    w->err = read_back(err, &w->err_size);
    il_tree_read(&w->tree, folder);
    (void)munmap(seen, sizeof *seen);
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
                     strstr(text, "cannot write") != NULL ||
                     strstr(text, "not a whole picture") != NULL ||
                     strstr(text, "cannot be shown") != NULL;
}

/* What is wrong with an outcome, NULL if nothing. */
static const char *judge(const outcome *w, const outcome *whole, il_fault fault) {
    const char *stray = il_tree_stray(&w->tree, &whole->tree, w->status != 0);
    if (w->status < 0) {
        return "ended by a signal";
    }
    if (stray != NULL) {
        return stray;
    }
    bool same = w->status == whole->status && w->out_size == whole->out_size &&
                memcmp(w->out, whole->out, w->out_size) == 0 &&
                il_tree_stray(&whole->tree, &w->tree, false) == NULL;
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

static const il_tree_file *file_of(const outcome *w, const char *path) {
    for (size_t k = 0; k < w->tree.n; k++) {
        if (strcmp(w->tree.files[k].path, path) == 0) {
            return &w->tree.files[k];
        }
    }
    return NULL;
}

/* Two texts from a little before they part. */
static void show_parting(const char *is, const char *not_is) {
    size_t at = parting(is, not_is);
    at -= at > 100 ? 100 : at;
    (void)printf("\n  has:    %.240s\n  not:    %.240s", is + at, not_is + at);
}

static void show(const il_fault_command *c, size_t k, const outcome *w, const outcome *whole,
                 const char *why) {
    const il_tree_file *is = file_of(w, why);
    const il_tree_file *right = file_of(whole, why);
    (void)printf("\n%s\n  fault %zu: %s; status %d, stderr: %.400s", c->words, k, why, w->status,
                 w->err);
    show_parting(is != NULL ? is->text : w->out, right != NULL ? right->text : whole->out);
}

/* The k-th faults to try; the caller frees. */
typedef struct {
    size_t *k;
    size_t n;
    char text[160];
} choice;

/* All of n, or one of each of `trials` equal parts. */
static void choose(choice *c, size_t n, size_t trials, unsigned *seed) {
    c->n = trials < n ? trials : n;
    c->k = malloc((c->n + 1) * sizeof *c->k);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->k);
    for (size_t i = 0; i < c->n; i++) {
        size_t low = i * n / c->n;
        size_t high = (i + 1) * n / c->n;
        c->k[i] = trials < n ? 1 + low + (size_t)rand_r(seed) % (high - low) : i + 1;
    }
    (void)snprintf(c->text, sizeof c->text, "%zu of %zu faults", c->n, n);
}

/* The command without a fault, and what to try then. */
static void prepare(const il_fault_command *command, il_fault fault, const char *folder,
                    outcome *whole, choice *c) {
    const char *asked = getenv("IMPACTLAB_FAULTS");
    size_t wanted = asked == NULL               ? command->trials
                    : strcmp(asked, "all") == 0 ? SIZE_MAX
                                                : strtoul(asked, NULL, 10);
    unsigned seed = 20260611;
    size_t before = fault == IL_FAULT_MEMORY ? allocation_count() : 0;
    run(command, folder, fault, 0, whole);
    choose(c, whole->calls - before, wanted, &seed);
}

void il_fault_try(const il_fault_command *command, il_fault fault) {
    char folder[IL_SCRATCH_ROOM];
    outcome whole = {.status = 0};
    choice c = {.k = NULL};
    size_t wrong = 0;
    il_scratch_open(folder);
    il_scratch_open(found.folder);
    found.made = false;
    prepare(command, fault, folder, &whole, &c);
    for (size_t i = 0; i < c.n; i++) {
        outcome w = {.status = 0};
        run(command, folder, fault, c.k[i], &w);
        const char *why = judge(&w, &whole, fault);
        if (why != NULL && wrong++ < SHOWN) {
            show(command, c.k[i], &w, &whole, why);
        }
        free_outcome(&w);
    }
    if (wrong > 0 || getenv("IMPACTLAB_FAULTS") != NULL) {
        (void)printf("\n  %s, %s, %zu wrong: %s%s%s\n", c.text, KIND[fault], wrong, command->words,
                     command->of != NULL ? ", " : "", command->of != NULL ? command->of : "");
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(c.n > 0);
    if (whole.status < 0 || whole.status > 1) {
        show(command, 0, &whole, &whole, "fails by itself");
    }
    CU_ASSERT(whole.status == 0 || whole.status == 1);
    free(c.k);
    free_outcome(&whole);
    il_tree_empty(folder);
    il_scratch_close(folder, 0);
    il_tree_empty(found.folder);
    il_scratch_close(found.folder, 0);
}

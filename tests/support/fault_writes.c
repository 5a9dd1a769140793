/*
 * fault_writes.c - a seccomp filter stops the child before each write, ptrace looks at it.
 */
#include "tests/support/fault_writes.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)

bool il_writes_possible(void) {
    return true;
}

void il_writes_stop_here(void) {
    enum { CALLS = 11 };
    static const unsigned calls[CALLS] = {SYS_write,     SYS_pwrite64, SYS_writev, SYS_fsync,
                                          SYS_fdatasync, SYS_link,     SYS_rename, SYS_renameat,
                                          SYS_unlink,    SYS_unlinkat, SYS_mkdir};
    struct sock_filter filter[CALLS + 3];
    filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0); /* the call's number */
    for (int k = 0; k < CALLS; k++) {
        filter[k + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[k],
                                                     (unsigned char)(CALLS - k), 0);
    }
    filter[CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[CALLS + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {.len = CALLS + 3, .filter = filter};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || raise(SIGSTOP) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        _exit(127);
    }
}

typedef struct {
    pid_t child; /* the first of its group */
    il_fault fault;
    size_t k, writes;
    bool *happened;
} following;

/* Standard error must arrive, and what is no file has no disk that is full. */
static bool is_file(pid_t who, unsigned long long fd) {
    char link[64];
    struct stat info;
    (void)snprintf(link, sizeof link, "/proc/%d/fd/%llu", (int)who, fd);
    return fd != 2 && stat(link, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

static bool is_write(unsigned long long call) {
    return call == SYS_write || call == SYS_pwrite64 || call == SYS_writev || call == SYS_fsync ||
           call == SYS_fdatasync;
}

/* A write is about to be made, or a name to change. */
static void meet(following *f, pid_t who) {
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, who, NULL, &r) != 0) {
        return;
    }
    bool write = is_write(r.orig_rax);
    if (write ? !is_file(who, r.rdi) : f->fault != IL_FAULT_KILL) {
        return;
    }
    bool flush = r.orig_rax == SYS_fsync || r.orig_rax == SYS_fdatasync;
    if (f->fault == IL_FAULT_SHORT && (flush || r.orig_rax == SYS_writev || r.rdx < 2)) {
        return;
    }
    f->writes++;
    if (f->k == 0 || f->writes < f->k || (f->writes > f->k && f->fault != IL_FAULT_FULL)) {
        return;
    }
    *f->happened = true;
    if (f->fault == IL_FAULT_KILL) {
        (void)kill(-f->child, SIGKILL);
        return;
    }
    if (f->fault == IL_FAULT_SHORT) {
        r.rdx /= 2;
    } else {
        r.orig_rax = (unsigned long long)-1; /* no call; what it returns is ours */
        r.rax = (unsigned long long)-(f->fault == IL_FAULT_BROKEN ? EIO : ENOSPC);
    }
    (void)ptrace(PTRACE_SETREGS, who, NULL, &r);
}

/* Someone stopped: the signal to go on with. */
static int look(following *f, pid_t who, int code) {
    int event = code >> 16;
    if (event == PTRACE_EVENT_SECCOMP) {
        meet(f, who);
    }
    return event != 0 || WSTOPSIG(code) == SIGSTOP ? 0 : WSTOPSIG(code);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): what happened is written by meet */
int il_writes_follow(pid_t child, il_fault fault, size_t k, bool *happened, size_t *writes) {
    following f = {.child = child, .fault = fault, .k = k, .happened = happened};
    int code = 0;
    int last = 0;
    bool known = false;
    for (pid_t who = waitpid(-1, &code, __WALL); who > 0 || errno == EINTR;
         who = waitpid(-1, &code, __WALL)) {
        if (who > 0 && WIFSTOPPED(code)) {
            if (!known) {
                long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                               PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
                known = ptrace(PTRACE_SETOPTIONS, who, NULL, options) == 0;
            }
            int sent = look(&f, who, code);
            (void)ptrace(PTRACE_CONT, who, NULL, sent);
        } else if (who == child) {
            last = code;
            (void)kill(-child, SIGKILL); /* whoever it left behind */
        }
    }
    *writes = f.writes;
    return last;
}

#else

bool il_writes_possible(void) {
    return false;
}

void il_writes_stop_here(void) {
}

int il_writes_follow(pid_t child, il_fault fault, size_t k, bool *happened, size_t *writes) {
    int code = 0;
    (void)fault;
    (void)k;
    *happened = false;
    *writes = 0;
    while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
    }
    return code;
}

#endif

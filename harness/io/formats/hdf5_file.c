/*
 * hdf5_file.c - a child loads the module that writes HDF5 files, and makes one: the library brings
 * some thirty others, which every start of the program would pay for.
 *
 * The library does not bear that memory runs out or that a disk is full: it writes where it got
 * nothing, and even after it reported an error it may fall over its own remains at the exit. In a
 * child that makes the file in memory, hands the bytes on and ends without a farewell, none of that
 * touches the run; what failed inside HDF5 is memory, what failed while the bytes were written is
 * the disk.
 */
#include "harness/io/formats/hdf5_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/place.h"
#include "harness/io/file.h"
#include "harness/io/hdf5/module.h"

enum { READING = 60 }; /* seconds of the processor: gigabytes */

/* What the child's exit status means; all above is an errno of the writing. */
enum { DONE, NO_MEMORY, NO_MODULE, REFUSED, ERRNO = 10, ERRNO_MAX = 133 };

/* In the child. */
static int make(const char *path, const char *function, const void *subject, FILE *out,
                const char *text) {
    il_hdf5_write *write = NULL;
    errno = 0;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int code = errno;
    void *symbol = module != NULL ? dlsym(module, function) : NULL;
    if (symbol == NULL) {
        const char *why = dlerror();
        if (why == NULL || code == ENOMEM || strstr(why, "memory") != NULL) {
            return NO_MEMORY;
        }
        (void)fprintf(stderr, "impactlab: the module of HDF5 files could not be loaded: %s\n", why);
        return NO_MODULE;
    }
    memcpy(&write, &symbol, sizeof write); /* POSIX's way from an object to a function pointer */
    errno = 0;
    code = write(subject, out, text);
    if (code == IL_HDF5_FAILED || errno == ENOMEM) {
        return NO_MEMORY; /* it may go on without, and write another file or refuse a good one */
    }
    if (code == IL_HDF5_REFUSED) {
        return REFUSED;
    }
    return code == 0 && fflush(out) == 0 ? DONE : ERRNO + (errno > 0 ? errno : EIO);
}

/* What the child came to. */
static il_status judge(int state, const char *path, il_error *err) {
    if (WIFSIGNALED(state)) {
        return il_fail(
            err, IL_ENOMEM,
            "cannot write '%s': HDF5 ended by signal %d (%s), as it does when memory runs "
            "out",
            path, WTERMSIG(state), strsignal(WTERMSIG(state)));
    }
    if (WEXITSTATUS(state) > ERRNO + ERRNO_MAX) {
        return il_fail(
            err, IL_ENOMEM,
            "cannot write '%s': HDF5 ended with status %d, as it does when memory runs out", path,
            WEXITSTATUS(state));
    }
    switch (WEXITSTATUS(state)) {
    case DONE:
        return IL_OK;
    case NO_MEMORY:
        return il_fail(err, IL_ENOMEM, "cannot write '%s': no memory for HDF5", path);
    case NO_MODULE:
        return il_fail(err, IL_EIO, "cannot write '%s': there is no writer of HDF5 files", path);
    default:
        return il_fail(err, IL_EIO, "cannot write '%s': %s", path,
                       strerror(WEXITSTATUS(state) - ERRNO));
    }
}

il_status il_hdf5_file_check(il_error *err) {
    char module[IL_PLACE_MAX];
    il_error why = {IL_OK, ""};
    if (il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, &why) == IL_OK) {
        return IL_OK;
    }
    return il_fail(err, IL_EIO, "no HDF5 files can be written: %.900s", why.message);
}

il_status il_hdf5_file_write(const char *function, const void *subject, const char *path,
                             const char *text, il_error *err) {
    il_file file;
    int state = 0;
    char module[IL_PLACE_MAX];
    il_status status = il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, err);
    if (status != IL_OK) {
        return status;
    }
    status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* HDF5 leaves gaps: zeros, large blocks being fresh and small ones filled (0xff ^ 0xff) */
        (void)mallopt(M_MMAP_THRESHOLD, 1 << 17);
        (void)mallopt(M_PERTURB, 0xff);
        _exit(make(module, function, subject, file.stream, text));
    }
    if (child < 0) {
        status =
            il_fail(err, il_status_of_errno(errno), "no process for HDF5: %s", strerror(errno));
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    status = status == IL_OK ? judge(state, path, err) : status;
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    return status;
}

void il_hdf5_file_change(const char *function, const void *subject, bool *done) {
    int state = 0;
    char module[IL_PLACE_MAX];
    *done = false;
    if (il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, NULL) != IL_OK) {
        return;
    }
    pid_t child = fork();
    if (child == 0) { /* it does not end with its parent, whose file it would leave half extended */
        const struct rlimit most = {READING, READING};
        (void)setrlimit(RLIMIT_CPU, &most);
        _exit(make(module, function, subject, stderr, ""));
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    *done = child > 0 && WIFEXITED(state) && WEXITSTATUS(state) == DONE;
}

/* What the child that read came to: it writes little, and a file that is damaged may fell it. */
static il_status judge_reading(int state, const char *path, il_error *err) {
    int code = WIFEXITED(state) ? WEXITSTATUS(state) : REFUSED;
    switch (code) {
    case DONE:
        return IL_OK;
    case NO_MEMORY:
        return il_fail(err, IL_ENOMEM, "cannot read '%s': no memory for HDF5", path);
    case NO_MODULE:
        return il_fail(err, IL_EIO, "cannot read '%s': there is no reader of HDF5 files", path);
    case REFUSED:
        return il_fail(err, IL_EINVAL,
                       "trajectory file '%s' is no HDF5 file with t [n], q [n][d] and u [n][d]",
                       path);
    default:
        return il_fail(err, IL_EIO, "cannot read '%s': %s", path,
                       code > ERRNO ? strerror(code - ERRNO) : "HDF5 failed");
    }
}

il_status il_hdf5_file_read(const char *function, const char *path, FILE **out, il_error *err) {
    int state = 0;
    il_error why = {IL_OK, ""};
    FILE *there = il_file_read(path, &why); /* a file, and no link or pipe */
    if (there == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    (void)fclose(there);
    char module[IL_PLACE_MAX];
    il_status found = il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, err);
    if (found != IL_OK) {
        return found;
    }
    *out = tmpfile();
    pid_t child = *out != NULL ? fork() : -1;
    if (child == 0) {
        const struct rlimit most = {READING, READING}; /* what is damaged may lead in circles */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)setrlimit(RLIMIT_CPU, &most);
        _exit(make(module, function, path, *out, ""));
    }
    il_status status = child > 0 ? IL_OK
                                 : il_fail(err, il_status_of_errno(errno),
                                           "no room or process for HDF5: %s", strerror(errno));
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    status = status == IL_OK ? judge_reading(state, path, err) : status;
    if (*out != NULL && status == IL_OK) {
        rewind(*out);
    } else if (*out != NULL) {
        (void)fclose(*out);
        *out = NULL;
    }
    return status;
}

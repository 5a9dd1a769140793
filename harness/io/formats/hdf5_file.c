/*
 * hdf5_file.c - a child process loads the module that writes HDF5 files, and makes one. The library
 * brings some thirty others, which would slow down every start of the program.
 *
 * The library does not survive a lack of memory or a full disk: it writes through null pointers,
 * and may crash at exit even after it reported an error. The child makes the file in memory, hands
 * on the bytes and exits at once, so none of that touches the run. A failure inside HDF5 is then a
 * lack of memory; a failure to write the bytes is the disk's.
 */
#include "harness/io/formats/hdf5_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/place.h"
#include "harness/io/file.h"

enum { READING = 60 }; /* seconds of the processor: gigabytes */

/* What the child's exit status means; larger values are the errno of a failed write. */
enum { DONE, NO_MEMORY, NO_MODULE, REFUSED, ERRNO = 10, ERRNO_MAX = 133 };

/* In the child. */
static int make(const char *path, bool writing, const void *subject, size_t n, const char *text,
                FILE *out) {
    il_hdf5_function *function = NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol =
        module != NULL ? dlsym(module, writing ? "il_hdf5_write" : "il_hdf5_read") : NULL;
    if (symbol == NULL) {
        (void)fprintf(stderr, "impactlab: the module of HDF5 files could not be loaded: %s\n",
                      dlerror());
        return NO_MODULE;
    }
    memcpy(&function, &symbol, sizeof function); /* POSIX's way from an object to a function */
    errno = 0;
    int code = function(subject, n, text, out);
    if (code == IL_HDF5_FAILED || errno == ENOMEM) { /* HDF5 may go on without */
        return NO_MEMORY;
    }
    if (code == IL_HDF5_REFUSED) {
        return REFUSED;
    }
    return code == 0 && fflush(out) == 0 ? DONE : ERRNO + (errno > 0 ? errno : EIO);
}

/* The status of the child. HDF5 may crash when memory runs out, or on a damaged file; why is what
 * it says of a file that it does not open. */
static il_status judge(int state, bool writing, const char *path, const char *why, il_error *err) {
    int code = WIFEXITED(state) ? WEXITSTATUS(state) : writing ? NO_MEMORY : REFUSED;
    const char *verb = writing ? "write" : "read";
    if (code > ERRNO + ERRNO_MAX) {
        code = NO_MEMORY;
    }
    switch (code) {
    case DONE:
        return IL_OK;
    case NO_MEMORY:
        return il_fail(err, IL_ENOMEM, "cannot %s '%s': no memory for HDF5%s", verb, path,
                       WIFSIGNALED(state) ? ", which a signal ended" : "");
    case NO_MODULE:
        return il_fail(err, IL_EIO, "cannot %s '%s': the module of HDF5 files cannot be loaded",
                       verb, path);
    case REFUSED:
        return il_fail(err, IL_EINVAL, "cannot read '%s' as HDF5: %s", path,
                       why[0] != '\0' ? why : "it is damaged, and ends who reads it");
    default:
        return il_fail(err, IL_EIO, "cannot %s '%s': %s", verb, path, strerror(code - ERRNO));
    }
}

il_status il_hdf5_file_check(il_error *err) {
    char module[IL_PLACE_MAX];
    il_error why = {IL_OK, ""};
    return il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, &why) == IL_OK
               ? IL_OK
               : il_fail(err, IL_EIO, "no HDF5 files can be written: %.900s", why.message);
}

/* Wait for the child's end: its state. When half of the grace period of an interruption is over, a
 * child that writes a new file is killed. */
static int await(pid_t child, bool writing) {
    const struct timespec nap = {.tv_nsec = 2000000};
    int state = 0;
    while (waitpid(child, &state, writing && il_interrupted() ? WNOHANG : 0) != child) {
        if (writing && il_interrupt_presses()) {
            (void)kill(child, SIGKILL);
        }
        if (writing && il_interrupted()) {
            (void)nanosleep(&nap, NULL);
        }
    }
    return state;
}

/* Have a child write a file or read one; its state, -1 with the errno where there is none. */
static int run(const char *module, bool writing, const void *subject, size_t n, const char *text,
               FILE *out) {
    const struct rlimit most = {READING, READING}; /* a damaged file may lead in circles */
    pid_t child = fork();
    if (child != 0) {
        return child < 0 ? -1 : await(child, writing);
    }
    il_interrupt_ignore();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!writing) {
        (void)setrlimit(RLIMIT_CPU, &most);
    }
    /* HDF5 leaves gaps: zeros, large blocks being fresh and small ones filled (0xff ^ 0xff) */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 17);
    (void)mallopt(M_PERTURB, 0xff);
    _exit(make(module, writing, subject, n, text, out));
}

il_status il_hdf5_file_write(const il_hdf5_array *list, size_t n, const char *record,
                             const char *path, il_error *err) {
    il_file file;
    char module[IL_PLACE_MAX];
    il_status status = il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, err);
    status = status == IL_OK ? il_file_open(&file, path, err) : status;
    if (status != IL_OK) {
        return status;
    }
    int state = run(module, true, list, n, record, file.stream);
    if (state < 0) {
        status =
            il_fail(err, il_status_of_errno(errno), "no process for HDF5: %s", strerror(errno));
    } else if (WIFSIGNALED(state) && il_interrupt_presses()) {
        status =
            il_fail(err, IL_EINTERRUPTED, "%s while '%s' was written", il_interrupt_reason(), path);
    } else {
        status = judge(state, true, path, "", err);
    }
    return il_file_end(&file, status, err);
}

void il_hdf5_numbers_free(il_hdf5_numbers *list, size_t n) {
    for (size_t k = 0; k < n; k++) {
        free(list[k].x);
        list[k] = (il_hdf5_numbers){.head = {.rank = -1}, .n = SIZE_MAX};
    }
}

/* One array of what il_hdf5_read wrote. */
static il_status take(FILE *in, il_hdf5_numbers *w, const char *path, il_error *err) {
    if (fread(&w->head, sizeof w->head, 1, in) != 1) {
        return il_fail(err, IL_EIO, "cannot read '%s' to its end", path);
    }
    if (w->head.rank < 0) {
        return IL_OK;
    }
    w->n = w->head.dims[0] * w->head.dims[1];
    w->x = malloc((w->n + 1) * sizeof *w->x);
    if (w->x == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu numbers of '%s'", w->n, path);
    }
    return fread(w->x, sizeof *w->x, w->n, in) == w->n
               ? IL_OK
               : il_fail(err, IL_EIO, "cannot read '%s' to its end", path);
}

il_status il_hdf5_file_read(const char *path, const char *const *names, size_t n,
                            il_hdf5_numbers *out, il_error *err) {
    il_error why = {IL_OK, ""};
    char module[IL_PLACE_MAX];
    for (size_t k = 0; k < n; k++) {
        out[k] = (il_hdf5_numbers){.head = {.rank = -1}, .n = SIZE_MAX};
    }
    FILE *in = il_file_read(path, &why); /* a file, and no link or pipe */
    if (in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    (void)fclose(in);
    il_status status = il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, err);
    if (status != IL_OK) {
        return status;
    }
    in = tmpfile();
    int state = in != NULL ? run(module, false, names, n, path, in) : -1;
    if (state < 0) {
        status = il_fail(err, il_status_of_errno(errno), "no room or process for HDF5: %s",
                         strerror(errno));
    } else {
        il_hdf5_head refused = {.why = ""};
        rewind(in);
        size_t got = state != 0 ? fread(&refused, sizeof refused, 1, in) : 0;
        status = judge(state, false, path, got == 1 ? refused.why : "", err);
    }
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = take(in, &out[k], path, err);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return status;
}

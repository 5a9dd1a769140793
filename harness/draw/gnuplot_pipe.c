/*
 * gnuplot_pipe.c - a FIFO.
 */
#include "harness/draw/gnuplot_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/io/file.h"

enum { CHUNK = 65536 };

il_status il_gnuplot_pipe_open(il_gnuplot_pipe *pipe, const char *path, il_error *err) {
    *pipe = (il_gnuplot_pipe){.fd = -1};
    if (mkfifo(path, 0600) != 0) {
        bool unknown = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL;
        return unknown ? IL_OK
                       : il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                                 strerror(errno));
    }
    pipe->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    return pipe->fd >= 0 ? IL_OK
                         : il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                                   strerror(errno));
}

/* Is there room for CHUNK more bytes? */
static bool reserve(il_gnuplot_pipe *pipe) {
    if (pipe->room - pipe->size >= CHUNK) {
        return true;
    }
    if (!il_memory_grow(&pipe->text, 2 * pipe->room + CHUNK, 1)) {
        return false;
    }
    pipe->room = 2 * pipe->room + CHUNK;
    return true;
}

/* Without a writer, one that has not come yet or has gone, there are 0 bytes. */
void il_gnuplot_pipe_read(il_gnuplot_pipe *pipe) {
    ssize_t got = 1;
    while (pipe->fd >= 0 && got > 0) {
        pipe->starved = pipe->starved || !reserve(pipe);
        if (pipe->starved) { /* who writes must not wait for ever */
            char lost[512];
            got = read(pipe->fd, lost, sizeof lost);
        } else {
            got = read(pipe->fd, pipe->text + pipe->size, CHUNK);
            pipe->size += got > 0 ? (size_t)got : 0;
        }
    }
}

static il_status store(const il_gnuplot_pipe *pipe, const char *path, il_error *err) {
    il_file file = {0};
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        file.passing = true; /* in a scratch folder: who renames it syncs it */
        (void)fwrite(pipe->text, 1, pipe->size, file.stream);
        status = il_file_commit(&file, err);
    }
    return status;
}

il_status il_gnuplot_pipe_store(il_gnuplot_pipe *pipe, const char *path, il_error *err) {
    struct stat info = {0};
    if (pipe->fd < 0 || (lstat(path, &info) == 0 && !S_ISFIFO(info.st_mode))) {
        return IL_OK; /* a file already */
    }
    il_gnuplot_pipe_read(pipe);
    if (pipe->starved) {
        return il_fail(err, IL_ENOMEM, "no memory for the %zu bytes of '%s'", pipe->size, path);
    }
    return store(pipe, path, err);
}

void il_gnuplot_pipe_close(il_gnuplot_pipe *pipe) {
    if (pipe->fd >= 0) {
        (void)close(pipe->fd);
    }
    free(pipe->text);
    *pipe = (il_gnuplot_pipe){.fd = -1};
}

/*
 * gnuplot_pipe.h - a picture that gnuplot writes into a pipe under the picture's name. gnuplot
 * looks at no write, so that one that fails leaves a hole without a word; a pipe takes all there
 * is, and the file is written by us, who look. Between harness/draw only.
 */
#ifndef IL_GNUPLOT_PIPE_H
#define IL_GNUPLOT_PIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    int fd; /* our end; -1: closed */
    char *text;
    size_t size, room;
    bool starved; /* no memory for all of text */
    bool done;    /* nothing more comes */
} il_gnuplot_pipe;

/* Make the pipe at path. Where the file system has none, it stays closed, gnuplot writes the file
 * itself, and a hole in it is not seen. The caller closes, after a failure too. */
il_status il_gnuplot_pipe_open(il_gnuplot_pipe *pipe, const char *path, il_error *err);

/* Take what is there, without waiting. */
void il_gnuplot_pipe_read(il_gnuplot_pipe *pipe);

/* What came, as a file in the place of the pipe. */
il_status il_gnuplot_pipe_store(il_gnuplot_pipe *pipe, const char *path, il_error *err);

void il_gnuplot_pipe_close(il_gnuplot_pipe *pipe);

#endif

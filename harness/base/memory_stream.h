/*
 * memory_stream.h - a stream that prints into memory and reports lost output. open_memstream of the
 * C library drops what it has no memory for, and neither ferror nor fclose reports it.
 */
#ifndef IL_BASE_MEMORY_STREAM_H
#define IL_BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    char *text; /* [size] and a NUL, once it is closed; the caller frees, after a failure too */
    size_t size, room;
    bool starved;
    FILE *file; /* print here */
} il_memory_stream;

/* False when memory runs out. s stays where it is until it is closed. */
bool il_memory_stream_open(il_memory_stream *s);

/* Was everything printed stored? False for a stream that could not be opened. */
bool il_memory_stream_close(il_memory_stream *s);

#endif

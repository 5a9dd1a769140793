/*
 * memory_stream.c - a memory stream (fopencookie) that checks its allocations.
 */
#include "harness/base/memory_stream.h"

#include <string.h>
#include <sys/types.h>

#include "harness/base/memory.h"

/* 0: not taken, which the C library notes as an error of the stream. */
static ssize_t take(void *self, const char *bytes, size_t n) {
    il_memory_stream *s = self;
    if (s->room - s->size <= n) {
        size_t room = 2 * s->room + n + 1;
        if (!il_memory_grow(&s->text, room, 1)) {
            s->starved = true;
            return 0;
        }
        s->room = room;
    }
    memcpy(s->text + s->size, bytes, n);
    s->size += n;
    s->text[s->size] = '\0';
    return (ssize_t)n;
}

bool il_memory_stream_open(il_memory_stream *s) {
    *s = (il_memory_stream){.size = 0};
    s->file = fopencookie(s, "w", (cookie_io_functions_t){.write = take});
    return s->file != NULL;
}

bool il_memory_stream_close(il_memory_stream *s) {
    if (s->file == NULL) {
        return false;
    }
    bool whole = ferror(s->file) == 0;
    whole = fclose(s->file) == 0 && whole && !s->starved && s->text != NULL;
    s->file = NULL;
    return whole;
}

/*
 * archive.c - a growing block of bytes.
 */
#include "harness/base/archive.h"

#include <string.h>

#include "harness/base/memory.h"

static void reserve(il_archive *a, size_t n) {
    if (n > a->room) {
        size_t room = n + a->room + 4096;
        il_memory_grow(&a->bytes, room, 1);
        a->room = room;
    }
}

void il_archive_bytes(il_archive *a, void *x, size_t n) {
    if (a->failed || n == 0) {
        return;
    }
    if (a->loading) {
        a->failed = n > a->n - a->at;
        if (!a->failed) {
            memcpy(x, a->bytes + a->at, n);
            a->at += n;
        }
    } else {
        reserve(a, a->n + n);
        memcpy(a->bytes + a->n, x, n);
        a->n += n;
    }
}

void il_archive_count(il_archive *a, size_t *n) {
    il_archive_bytes(a, n, sizeof *n);
}

void il_archive_expect(il_archive *a, size_t n) {
    size_t other = n;
    il_archive_count(a, &other);
    a->failed = a->failed || other != n;
}

void il_archive_array(il_archive *a, void *block, size_t *n, size_t *room, size_t size) {
    void *items = NULL;
    size_t count = *n;
    il_archive_count(a, &count);
    if (a->failed) {
        return;
    }
    if (a->loading) {
        if (count > (a->n - a->at) / size) {
            a->failed = true;
            return;
        }
        if (count > *room) {
            il_memory_grow(block, count, size);
        }
        *room = count > *room ? count : *room;
        *n = count;
    }
    memcpy(&items, block, sizeof items); /* a pointer to some type: as il_memory_grow */
    il_archive_bytes(a, items, count * size);
}

/*
 * layout.c - storage of a factor grows.
 */
#include "schemes/projection/sparse/layout.h"

#include "harness/base/memory.h"

bool il_sparse_need(il_sparse *f, int which, size_t n, size_t size) {
    buffer *b = &f->memory[which];
    size_t bytes = (n > 0 ? n : 1) * size;
    if (bytes <= b->bytes) {
        return true;
    }
    bytes = bytes < 2 * b->bytes ? 2 * b->bytes : bytes;
    if (!il_memory_grow(&b->at, bytes, 1)) {
        return false;
    }
    b->bytes = bytes;
    return true;
}

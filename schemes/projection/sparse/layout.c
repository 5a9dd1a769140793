/*
 * layout.c - storage of a factor grows.
 */
#include "schemes/projection/sparse/layout.h"

#include <stdlib.h>

bool il_sparse_need(il_sparse *f, int which, size_t n, size_t size) {
    buffer *b = &f->memory[which];
    size_t bytes = (n > 0 ? n : 1) * size;
    if (bytes <= b->bytes) {
        return true;
    }
    bytes = bytes < 2 * b->bytes ? 2 * b->bytes : bytes;
    void *bigger = realloc(b->at, bytes);
    if (bigger == NULL) {
        return false;
    }
    b->at = bigger;
    b->bytes = bytes;
    return true;
}

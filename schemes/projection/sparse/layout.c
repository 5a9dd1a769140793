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

void il_sparse_sort(int *x, int n) {
    static const int steps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        int step = steps[s];
        if (step >= n) {
            continue;
        }
        for (int i = step; i < n; i++) {
            int value = x[i];
            int j = i;
            for (; j >= step && x[j - step] > value; j -= step) {
                x[j] = x[j - step];
            }
            x[j] = value;
        }
    }
}

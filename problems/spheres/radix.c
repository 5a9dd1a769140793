/*
 * radix.c - a radix sort of keys, with the numbers that they stand for.
 */
#include "problems/spheres/radix.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { DIGIT = 8, DIGITS = 64 / DIGIT, BUCKETS = 1 << DIGIT };

size_t il_radix_bytes_per_item(void) {
    return 2 * (sizeof(uint64_t) + sizeof(uint32_t));
}

bool il_radix_reserve(il_radix *w, size_t n) {
    if (n <= w->room) {
        return true;
    }
    if (!il_memory_grow(&w->key, n, sizeof *w->key) ||
        !il_memory_grow(&w->order, n, sizeof *w->order) ||
        !il_memory_grow(&w->key_other, n, sizeof *w->key_other) ||
        !il_memory_grow(&w->order_other, n, sizeof *w->order_other)) {
        return false;
    }
    w->room = n;
    return true;
}

void il_radix_free(il_radix *w) {
    free(w->key);
    free(w->order);
    free(w->key_other);
    free(w->order_other);
    *w = (il_radix){.room = 0};
}

static size_t digit(uint64_t key, int k) {
    return key >> (DIGIT * k) & (BUCKETS - 1);
}

/* One pass, by digit k. */
static void pass(il_radix *w, size_t n, int k, size_t count[BUCKETS]) {
    size_t at = 0;
    for (int b = 0; b < BUCKETS; b++) {
        size_t its = count[b];
        count[b] = at;
        at += its;
    }
    for (size_t i = 0; i < n; i++) {
        size_t to = count[digit(w->key[i], k)]++;
        w->key_other[to] = w->key[i];
        w->order_other[to] = w->order[i];
    }
    uint64_t *key = w->key;
    uint32_t *order = w->order;
    w->key = w->key_other;
    w->order = w->order_other;
    w->key_other = key;
    w->order_other = order;
}

void il_radix_sort(il_radix *w, size_t n) {
    size_t count[DIGITS][BUCKETS];
    uint64_t differs = 0; /* bits in which some two keys differ */
    for (size_t i = 1; i < n; i++) {
        differs |= w->key[i] ^ w->key[0];
    }
    int digits = 0;
    while (digits < DIGITS && differs >> (DIGIT * digits) > 0) {
        digits++;
    }
    memset(count, 0, (size_t)digits * sizeof count[0]);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < digits; k++) {
            count[k][digit(w->key[i], k)]++;
        }
    }
    for (int k = 0; k < digits; k++) {
        if (digit(differs, k) != 0) {
            pass(w, n, k, count[k]);
        }
    }
}

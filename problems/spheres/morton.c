/*
 * morton.c - keys that interleave the bits of cell coordinates, and a radix sort of them.
 */
#include "problems/spheres/morton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "problems/spheres/pairs.h"

enum { DIGIT = 8, DIGITS = 64 / DIGIT, BUCKETS = 1 << DIGIT };

struct il_morton {
    size_t space, n;
    uint64_t *key;   /* [n] */
    uint32_t *order; /* [n] the point that each key stands for */
    uint64_t *key_other;
    uint32_t *order_other;
};

il_morton *il_morton_create(size_t space, size_t n) {
    il_morton *w = il_alloc_zero(1, sizeof *w);
    *w = (il_morton){.space = space,
                     .n = n,
                     .key = il_alloc(n, sizeof *w->key),
                     .order = il_alloc(n, sizeof *w->order),
                     .key_other = il_alloc(n, sizeof *w->key),
                     .order_other = il_alloc(n, sizeof *w->order)};
    return w;
}

void il_morton_destroy(il_morton *w) {
    if (w == NULL) {
        return;
    }
    free(w->key);
    free(w->order);
    free(w->key_other);
    free(w->order_other);
    free(w);
}

size_t il_morton_bytes_per_point(void) {
    return 2 * (sizeof(uint64_t) + sizeof(uint32_t));
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* The bits of v with one or two zeros between each two (31 or 21 bits of v are kept). */
static uint64_t spread(uint64_t v, size_t space) {
    if (space == 1) {
        return v;
    }
    if (space == 2) {
        v &= 0x7fffffffu;
        v = (v | v << 16) & 0x0000ffff0000ffffu;
        v = (v | v << 8) & 0x00ff00ff00ff00ffu;
        v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
        v = (v | v << 2) & 0x3333333333333333u;
        return (v | v << 1) & 0x5555555555555555u;
    }
    v &= 0x1fffffu;
    v = (v | v << 32) & 0x001f00000000ffffu;
    v = (v | v << 16) & 0x001f0000ff0000ffu;
    v = (v | v << 8) & 0x100f00f00f00f00fu;
    v = (v | v << 4) & 0x10c30c30c30c30c3u;
    return (v | v << 2) & 0x1249249249249249u;
}

/* Cells of about the size `cell` where there are bits for them: finer ones would only cost passes
 * of the sort. */
static void make_keys(il_morton *w, const double *q, double cell) {
    static const int bits_of[IL_PAIR_SPACE_MAX + 1] = {0, 52, 31, 21};
    double low[IL_PAIR_SPACE_MAX] = {0.0};
    double extent = 0.0;
    for (size_t c = 0; c < w->space; c++) {
        double high = -INFINITY;
        low[c] = INFINITY;
        for (size_t i = 0; i < w->n; i++) {
            low[c] = fmin(low[c], q[w->space * i + c]);
            high = fmax(high, q[w->space * i + c]);
        }
        extent = fmax(extent, high - low[c]);
    }
    int bits = bits_of[w->space];
    double cells = extent / cell;
    if (cells < ldexp(1.0, bits)) { /* false for NaN and infinity */
        bits = ilogb(fmax(cells, 1.0)) + 1;
        bits = bits < bits_of[w->space] ? bits : bits_of[w->space];
    }
    double scale = extent > 0.0 && isfinite(extent) ? (ldexp(1.0, bits) - 1.0) / extent : 0.0;
    scale = isfinite(scale) ? scale : 0.0; /* an extent below 2^-970: one cell */
    for (size_t i = 0; i < w->n; i++) {
        uint64_t key = 0;
        for (size_t c = 0; c < w->space; c++) {
            double at = scale > 0.0 ? (q[w->space * i + c] - low[c]) * scale : 0.0;
            key |= spread((uint64_t)at, w->space) << c;
        }
        w->key[i] = key;
        w->order[i] = (uint32_t)i;
    }
}

/* ---- the sort -------------------------------------------------------------------------------- */

static size_t digit(uint64_t key, int k) {
    return key >> (DIGIT * k) & (BUCKETS - 1);
}

/* One pass, by digit k. */
static void pass(il_morton *w, int k, size_t count[BUCKETS]) {
    size_t at = 0;
    for (int b = 0; b < BUCKETS; b++) {
        size_t its = count[b];
        count[b] = at;
        at += its;
    }
    for (size_t i = 0; i < w->n; i++) {
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

/* Sort key[n] and order[n] by key, least significant digit first: stable, and O(n) for keys of so
 * many bits. */
static void sort(il_morton *w) {
    size_t n = w->n;
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
            pass(w, k, count[k]);
        }
    }
}

/* Points in one cell stay in the order of their numbers: the sort is stable. */
const uint32_t *il_morton_order(il_morton *w, const double *q, double cell) {
    make_keys(w, q, cell);
    sort(w);
    return w->order;
}

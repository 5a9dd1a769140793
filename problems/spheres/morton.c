/*
 * morton.c - keys that interleave the bits of cell coordinates.
 */
#include "problems/spheres/morton.h"

#include <math.h>
#include <stdlib.h>

#include "problems/spheres/pairs.h"
#include "problems/spheres/radix.h"

struct il_morton {
    size_t space, n;
    il_radix sort;
};

il_morton *il_morton_create(size_t space, size_t n) {
    il_morton *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    *w = (il_morton){.space = space, .n = n};
    if (!il_radix_reserve(&w->sort, n > 0 ? n : 1)) {
        il_morton_destroy(w);
        return NULL;
    }
    return w;
}

void il_morton_destroy(il_morton *w) {
    if (w == NULL) {
        return;
    }
    il_radix_free(&w->sort);
    free(w);
}

size_t il_morton_bytes_per_point(void) {
    return il_radix_bytes_per_item();
}

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
        w->sort.key[i] = key;
        w->sort.order[i] = (uint32_t)i;
    }
}

/* Points in one cell stay in the order of their numbers: the sort is stable. */
const uint32_t *il_morton_order(il_morton *w, const double *q, double cell) {
    make_keys(w, q, cell);
    il_radix_sort(&w->sort, w->n);
    return w->sort.order;
}

/*
 * sparse_dense.c - partial Cholesky elimination of a dense front, A = L L' for its first w columns
 * and C - P P' in the rest, P the rows of L below.
 *
 * Small fronts, and the columns of one block, go four columns at a time. What a block does to the
 * columns behind it is most of the work in a large front: its rows are packed, four at a time, so
 * that 4 x 4 numbers of the answer stay in registers while the block streams by from the cache.
 */
#include "schemes/projection/sparse_dense.h"

#include <math.h>
#include <string.h>

/* Columns of a block, rows of a tile; fronts narrower than SMALL are one block. Measured. */
enum { BLOCK = 128, TILE = 4, SMALL = 128 };

/* Two numbers at a time: what every x86-64 and ARM64 processor does in one instruction, and what
 * the compiler does not find by itself at -O2. */
typedef double pair __attribute__((vector_size(16)));

static inline pair load(const double *x) {
    pair v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void store(double *x, pair v) {
    memcpy(x, &v, sizeof v);
}

/* u -= c p over n numbers. */
static inline void subtract(double *restrict u, const double *restrict p, double c, int n) {
    int i = 0;
    for (; i + 1 < n; i += 2) {
        store(u + i, load(u + i) - c * load(p + i));
    }
    if (i < n) {
        u[i] -= c * p[i];
    }
}

/* Columns k..k+3 act on two columns u, v of the lower triangle, from row i0 on: u_i -= sum_t p_t[j]
 * p_t[i], where u's own row is j and v's j + 1. Four loads serve two columns. */
static void subtract4x2(const double *restrict p, size_t ld, double *restrict u, double *restrict v,
                        size_t j, size_t n) {
    const double *restrict p0 = p;
    const double *restrict p1 = p + ld;
    const double *restrict p2 = p + 2 * ld;
    const double *restrict p3 = p + 3 * ld;
    double c0 = p0[j], c1 = p1[j], c2 = p2[j], c3 = p3[j];
    double e0 = p0[j + 1], e1 = p1[j + 1], e2 = p2[j + 1], e3 = p3[j + 1];
    size_t i = j;
    for (; i + 1 < n; i += 2) {
        pair x0 = load(p0 + i), x1 = load(p1 + i), x2 = load(p2 + i), x3 = load(p3 + i);
        store(u + i, load(u + i) - ((c0 * x0 + c1 * x1) + (c2 * x2 + c3 * x3)));
        store(v + i, load(v + i) - ((e0 * x0 + e1 * x1) + (e2 * x2 + e3 * x3)));
    }
    if (i < n) {
        u[i] -= (c0 * p0[i] + c1 * p1[i]) + (c2 * p2[i] + c3 * p3[i]);
        v[i] -= (e0 * p0[i] + e1 * p1[i]) + (e2 * p2[i] + e3 * p3[i]);
    }
}

/* Columns k..k+3 of a act on the columns j0 .. j1-1. Above the diagonal of a column lies scratch.
 */
static void update4(double *a, int ld, int k, int j0, int j1) {
    size_t stride = (size_t)ld;
    const double *p = a + (size_t)k * stride;
    int j = j0;
    for (; j + 1 < j1; j += 2) {
        double *u = a + (size_t)j * stride;
        subtract4x2(p, stride, u, u + stride, (size_t)j, stride);
    }
    for (size_t t = 0; j < j1 && t < 4; t++) { /* a last column */
        const double *q = p + t * stride + (size_t)j;
        subtract(a + (size_t)j * stride + (size_t)j, q, q[0], ld - j);
    }
}

/* Column k of a acts on the columns j0 .. j1-1. */
static void update1(double *a, int ld, int k, int j0, int j1, int f) {
    const double *p = a + (size_t)k * (size_t)ld;
    for (int j = j0; j < j1; j++) {
        subtract(a + (size_t)j * (size_t)ld + j, p + j, p[j], f - j);
    }
}

/* Eliminate columns k0 .. k1-1; columns from k1 on are left as they are. */
static bool eliminate_block(double *a, int f, int k0, int k1) {
    for (int k = k0; k < k1; k += 4) {
        int last = k + 4 < k1 ? k + 4 : k1;
        for (int c = k; c < last; c++) {
            double *column = a + (size_t)c * (size_t)f;
            if (!(column[c] > 0.0)) {
                return false;
            }
            double root = sqrt(column[c]);
            double inverse = 1.0 / root;
            column[c] = root;
            for (int i = c + 1; i < f; i++) {
                column[i] *= inverse;
            }
            update1(a, f, c, c + 1, last, f);
        }
        if (last - k == 4) {
            update4(a, f, k, last, k1);
        } else {
            for (int c = k; c < last; c++) {
                update1(a, f, c, last, k1, f);
            }
        }
    }
    return true;
}

/* Rows j0 .. f-1 of columns k0 .. k1-1, in tiles: TILE numbers of one column, then of the next. The
 * last tile is filled with zeros. */
static void pack(const double *a, int f, int k0, int k1, int j0, double *to) {
    for (int i = j0; i < f; i += TILE) {
        int n = f - i < TILE ? f - i : TILE;
        for (int k = k0; k < k1; k++) {
            const double *from = a + (size_t)k * (size_t)f + i;
            for (int r = 0; r < TILE; r++) {
                *to++ = r < n ? from[r] : 0.0;
            }
        }
    }
}

/* c = P Q' for two packed tiles of n columns; c by columns. Written out, since -O2 unrolls nothing.
 */
static void multiply_tiles(const double *restrict p, const double *restrict q, int n,
                           double *restrict c) {
    pair zero = {0.0, 0.0};
    pair a0 = zero, a1 = zero, a2 = zero, a3 = zero;
    pair b0 = zero, b1 = zero, b2 = zero, b3 = zero;
    for (int k = 0; k < n; k++, p += TILE, q += TILE) {
        pair low = load(p);
        pair high = load(p + 2);
        a0 += low * q[0], b0 += high * q[0];
        a1 += low * q[1], b1 += high * q[1];
        a2 += low * q[2], b2 += high * q[2];
        a3 += low * q[3], b3 += high * q[3];
    }
    store(c, a0), store(c + 2, b0);
    store(c + 4, a1), store(c + 6, b1);
    store(c + 8, a2), store(c + 10, b2);
    store(c + 12, a3), store(c + 14, b3);
}

/* Columns k0 .. k1-1 act on all columns from k1 on. Tiles on the diagonal write above it, too. */
static void update_behind(double *a, int f, int k0, int k1, double *packed) {
    size_t stride = (size_t)(k1 - k0) * TILE;
    double c[TILE * TILE];
    pack(a, f, k0, k1, k1, packed);
    const double *q = packed;
    for (int j = k1; j < f; j += TILE, q += stride) {
        int columns = f - j < TILE ? f - j : TILE;
        const double *p = q;
        for (int i = j; i < f; i += TILE, p += stride) {
            int rows = f - i < TILE ? f - i : TILE;
            multiply_tiles(p, q, k1 - k0, c);
            for (int e = 0; e < columns; e++) {
                double *column = a + (size_t)(j + e) * (size_t)f + i;
                for (int r = 0; r < rows; r++) {
                    column[r] -= c[TILE * e + r];
                }
            }
        }
    }
}

size_t il_dense_scratch(int f) {
    return (size_t)(f + TILE) * BLOCK;
}

bool il_dense_eliminate(double *a, int f, int w, double *scratch) {
    if (f < SMALL) {
        for (int k = 0; k < w; k += 4) {
            int last = k + 4 < w ? k + 4 : w;
            if (!eliminate_block(a, f, k, last)) {
                return false;
            }
            if (last - k == 4) {
                update4(a, f, k, last, f);
            } else {
                for (int c = k; c < last; c++) {
                    update1(a, f, c, last, f, f);
                }
            }
        }
        return true;
    }
    for (int k = 0; k < w; k += BLOCK) {
        int last = k + BLOCK < w ? k + BLOCK : w;
        if (!eliminate_block(a, f, k, last)) {
            return false;
        }
        update_behind(a, f, k, last, scratch);
    }
    return true;
}

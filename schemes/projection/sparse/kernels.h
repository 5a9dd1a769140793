/*
 * kernels.h - the loops of dense.c, written once for each way to hold four numbers.
 *
 * Included by dense.c only, once for each way. Before, it defines QUAD, a
 * type of four doubles; KERNEL(name), what the functions of this way are called; TALL, 4 or 8, the
 * rows of the tiles whose sums stay in registers; and on QUADs
 *
 *     KERNEL(load), KERNEL(store), KERNEL(spread)     memory to registers and back
 *     KERNEL(times) = a b, KERNEL(more) = s + a b, KERNEL(less) = s - a b, KERNEL(minus) = a - b
 *     KERNEL(sum)   = (a_0 + a_2) + (a_1 + a_3)
 *
 * Every number comes from the same operations in the same order, whatever the way.
 */

/* Four rows of four columns. */
typedef struct {
    QUAD c0, c1, c2, c3;
} KERNEL(tile);

/* t += x q', x four rows, q four columns. */
static inline void KERNEL(add_product)(KERNEL(tile) * t, QUAD x, const double *q) {
    t->c0 = KERNEL(more)(t->c0, x, KERNEL(spread)(q[0]));
    t->c1 = KERNEL(more)(t->c1, x, KERNEL(spread)(q[1]));
    t->c2 = KERNEL(more)(t->c2, x, KERNEL(spread)(q[2]));
    t->c3 = KERNEL(more)(t->c3, x, KERNEL(spread)(q[3]));
}

static inline KERNEL(tile) KERNEL(zero)(void) {
    QUAD zero = KERNEL(spread)(0.0);
    return (KERNEL(tile)){zero, zero, zero, zero};
}

/* The numbers at c, less t. */
static inline void KERNEL(subtract_from)(const double *c, size_t ld, KERNEL(tile) * t) {
    t->c0 = KERNEL(minus)(KERNEL(load)(c), t->c0);
    t->c1 = KERNEL(minus)(KERNEL(load)(c + ld), t->c1);
    t->c2 = KERNEL(minus)(KERNEL(load)(c + 2 * ld), t->c2);
    t->c3 = KERNEL(minus)(KERNEL(load)(c + 3 * ld), t->c3);
}

static inline void KERNEL(put)(double *c, size_t ld, const KERNEL(tile) * t) {
    KERNEL(store)(c, t->c0);
    KERNEL(store)(c + ld, t->c1);
    KERNEL(store)(c + 2 * ld, t->c2);
    KERNEL(store)(c + 3 * ld, t->c3);
}

/* t = C - P Q' of four rows, P's number (i, k) at p[i + k step], Q's at q[4 k + i]. */
static inline void KERNEL(rest4)(const double *p, size_t step, const double *q, size_t n,
                                 const double *c, size_t ld, KERNEL(tile) * t) {
    *t = KERNEL(zero)();
    for (size_t k = 0; k < n; k++, p += step, q += 4) {
        KERNEL(add_product)(t, KERNEL(load)(p), q);
    }
    KERNEL(subtract_from)(c, ld, t);
}

/* The same for the four rows at p and the four at p + next, which are C's next. */
static inline void KERNEL(rest8)(const double *p, size_t next, size_t step, const double *q,
                                 size_t n, const double *c, size_t ld, KERNEL(tile) * t) {
    KERNEL(tile) low = KERNEL(zero)();
    KERNEL(tile) high = KERNEL(zero)();
    for (size_t k = 0; k < n; k++, p += step, q += 4) {
        KERNEL(add_product)(&low, KERNEL(load)(p), q);
        KERNEL(add_product)(&high, KERNEL(load)(p + next), q);
    }
    KERNEL(subtract_from)(c, ld, &low);
    KERNEL(subtract_from)(c + 4, ld, &high);
    t[0] = low;
    t[1] = high;
}

/* t = t L^{-T}, L the corner. */
static inline void KERNEL(divide)(KERNEL(tile) * t, const corner *l) {
    QUAD x0 = KERNEL(times)(t->c0, KERNEL(spread)(l->inverse[0]));
    QUAD x1 = KERNEL(less)(t->c1, x0, KERNEL(spread)(l->at[0][1]));
    QUAD x2 = KERNEL(less)(t->c2, x0, KERNEL(spread)(l->at[0][2]));
    QUAD x3 = KERNEL(less)(t->c3, x0, KERNEL(spread)(l->at[0][3]));
    x1 = KERNEL(times)(x1, KERNEL(spread)(l->inverse[1]));
    x2 = KERNEL(less)(x2, x1, KERNEL(spread)(l->at[1][2]));
    x3 = KERNEL(less)(x3, x1, KERNEL(spread)(l->at[1][3]));
    x2 = KERNEL(times)(x2, KERNEL(spread)(l->inverse[2]));
    x3 = KERNEL(less)(x3, x2, KERNEL(spread)(l->at[2][3]));
    x3 = KERNEL(times)(x3, KERNEL(spread)(l->inverse[3]));
    *t = (KERNEL(tile)){x0, x1, x2, x3};
}

/* Rows i .. i1-1 of the four columns at c, n columns after `before`, whose rows k .. k+3 stand side
 * by side in scratch, and whose corner is l. */
static inline void KERNEL(rows)(const double *before, size_t ld, size_t n, const double *scratch,
                                double *c, const corner *l, size_t i, size_t i1) {
    KERNEL(tile) t[2];
    for (; TALL == 8 && i + 4 < i1; i += 8) {
        KERNEL(rest8)(before + i, 4, ld, scratch, n, c + i, ld, t);
        KERNEL(divide)(&t[0], l);
        KERNEL(divide)(&t[1], l);
        KERNEL(put)(c + i, ld, &t[0]);
        KERNEL(put)(c + i + 4, ld, &t[1]);
    }
    for (; i < i1; i += 4) {
        KERNEL(rest4)(before + i, ld, scratch, n, c + i, ld, t);
        KERNEL(divide)(t, l);
        KERNEL(put)(c + i, ld, t);
    }
}

/* Rows k .. k+3 of n columns, side by side. */
static inline void KERNEL(beside)(const double *before, size_t ld, size_t n, size_t k, double *to) {
    for (size_t e = 0; e < n; e++) {
        KERNEL(store)(to + 4 * e, KERNEL(load)(before + e * ld + k));
    }
}

/* Eliminate columns k0 .. k1-1, four at a time, each from those before it; rows to i1. */
static bool KERNEL(columns)(double *a, size_t ld, size_t k0, size_t k1, size_t i1,
                            double *scratch) {
    for (size_t k = k0; k < k1; k += 4) {
        const double *before = a + k0 * ld;
        size_t n = k - k0;
        double *c = a + k * ld;
        KERNEL(tile) t;
        corner l;
        KERNEL(beside)(before, ld, n, k, scratch);
        KERNEL(rest4)(before + k, ld, scratch, n, c + k, ld, &t);
        KERNEL(put)(c + k, ld, &t);
        if (!corner_eliminate(c + k, ld, k1 - k, &l)) {
            return false;
        }
        KERNEL(rows)(before, ld, n, scratch, c, &l, k + 4, i1);
    }
    return true;
}

/* Rows i0 .. i1-1 of columns that were eliminated to row i0. */
static void KERNEL(strip)(double *a, size_t ld, size_t k0, size_t k1, size_t i0, size_t i1) {
    double scratch[4 * BLOCK];
    for (size_t k = k0; k < k1; k += 4) {
        const double *before = a + k0 * ld;
        double *c = a + k * ld;
        corner l = corner_recall(c + k, ld);
        KERNEL(beside)(before, ld, k - k0, k, scratch);
        KERNEL(rows)(before, ld, k - k0, scratch, c, &l, i0, i1);
    }
}

/* Rows i0 .. i1-1 of n columns at a, four rows after four rows: number (i, k) of a strip of four at
 * 4 k + i. */
static void KERNEL(pack)(const double *a, size_t ld, size_t i0, size_t i1, size_t n, double *to) {
    for (size_t i = i0; i < i1; i += 4) {
        for (size_t k = 0; k < n; k++, to += 4) {
            KERNEL(store)(to, KERNEL(load)(a + k * ld + i));
        }
    }
}

/* C -= P P' in the lower triangle: columns j .. j1-1 and rows to `rows` of C, P of n columns
 * packed. Tiles on the diagonal write above it, too. */
static void KERNEL(update)(const double *packed, size_t n, double *c, size_t ld, size_t j,
                           size_t j1, size_t rows) {
    for (; j < j1; j += 4) {
        const double *q = packed + j * n;
        double *column = c + j * ld;
        size_t i = j;
        KERNEL(tile) t[2];
        for (; TALL == 8 && i + 4 < rows; i += 8) {
            KERNEL(rest8)(packed + i * n, 4 * n, 4, q, n, column + i, ld, t);
            KERNEL(put)(column + i, ld, &t[0]);
            KERNEL(put)(column + i + 4, ld, &t[1]);
        }
        for (; i < rows; i += 4) {
            KERNEL(rest4)(packed + i * n, 4, q, n, column + i, ld, t);
            KERNEL(put)(column + i, ld, t);
        }
    }
}

static bool KERNEL(eliminate)(double *a, size_t ld, size_t w, double *u, double *scratch) {
    size_t w0 = w / 4 * 4;
    for (size_t k = 0; k < w; k += BLOCK) {
        size_t last = k + BLOCK < w ? k + BLOCK : w;
        if (!KERNEL(columns)(a, ld, k, last, ld, scratch)) {
            return false;
        }
        size_t from = last < w ? last : w0;
        size_t n = last - k;
        if (from < ld) {
            KERNEL(pack)(a + k * ld, ld, from, ld, n, scratch);
        }
        if (last < w) {
            KERNEL(update)(scratch, n, a + last * (ld + 1), ld, 0, w - last, ld - last);
        }
        if (u != NULL) {
            KERNEL(update)(scratch + (w0 - from) * n, n, u, ld - w0, 0, ld - w0, ld - w0);
        }
    }
    return true;
}

/* y_i -= sum of l_i y over four columns, or one. */
static void KERNEL(forward)(const double *a, size_t ld, size_t w, double *y) {
    size_t k = 0;
    for (; k + 4 <= w; k += 4) {
        const double *l = a + k * ld;
        corner_forward(l + k, ld, 4, y + k);
        QUAD y0 = KERNEL(spread)(y[k]);
        QUAD y1 = KERNEL(spread)(y[k + 1]);
        QUAD y2 = KERNEL(spread)(y[k + 2]);
        QUAD y3 = KERNEL(spread)(y[k + 3]);
        for (size_t i = k + 4; i < ld; i += 4) {
            QUAD low = KERNEL(times)(KERNEL(load)(l + i), y0);
            QUAD high = KERNEL(times)(KERNEL(load)(l + 2 * ld + i), y2);
            low = KERNEL(more)(low, KERNEL(load)(l + ld + i), y1);
            high = KERNEL(more)(high, KERNEL(load)(l + 3 * ld + i), y3);
            low = KERNEL(minus)(KERNEL(load)(y + i), low);
            KERNEL(store)(y + i, KERNEL(minus)(low, high));
        }
    }
    if (k < w) {
        double solved[4];
        corner_forward(a + k * (ld + 1), ld, w - k, y + k);
        memcpy(solved, y + k, (w - k) * sizeof *y);
        for (size_t i = k; i < ld; i += 4) {
            const double *l = a + k * ld + i;
            QUAD v = KERNEL(less)(KERNEL(load)(y + i), KERNEL(load)(l), KERNEL(spread)(solved[0]));
            for (size_t c = 1; c < w - k; c++) {
                v = KERNEL(less)(v, KERNEL(load)(l + c * ld), KERNEL(spread)(solved[c]));
            }
            KERNEL(store)(y + i, v);
        }
        memcpy(y + k, solved, (w - k) * sizeof *y);
    }
}

static void KERNEL(backward)(const double *a, size_t ld, size_t w, double *y) {
    size_t k = w / 4 * 4;
    if (k < w) {
        double right[4];
        memcpy(right, y + k, (w - k) * sizeof *y);
        memset(y + k, 0, (w - k) * sizeof *y);
        const double *l = a + k * ld;
        size_t m = w - k;
        KERNEL(tile) t = KERNEL(zero)();
        for (size_t i = k; i < ld; i += 4) {
            QUAD x = KERNEL(load)(y + i);
            t.c0 = KERNEL(more)(t.c0, KERNEL(load)(l + i), x);
            t.c1 = m > 1 ? KERNEL(more)(t.c1, KERNEL(load)(l + ld + i), x) : t.c1;
            t.c2 = m > 2 ? KERNEL(more)(t.c2, KERNEL(load)(l + 2 * ld + i), x) : t.c2;
        }
        double sums[4] = {KERNEL(sum)(t.c0), KERNEL(sum)(t.c1), KERNEL(sum)(t.c2), 0.0};
        memcpy(y + k, right, (w - k) * sizeof *y);
        corner_backward(a + k * (ld + 1), ld, w - k, sums, y + k);
    }
    while (k > 0) {
        k -= 4;
        const double *l = a + k * ld;
        KERNEL(tile) t = KERNEL(zero)();
        for (size_t i = k + 4; i < ld; i += 4) {
            QUAD x = KERNEL(load)(y + i);
            t.c0 = KERNEL(more)(t.c0, KERNEL(load)(l + i), x);
            t.c1 = KERNEL(more)(t.c1, KERNEL(load)(l + ld + i), x);
            t.c2 = KERNEL(more)(t.c2, KERNEL(load)(l + 2 * ld + i), x);
            t.c3 = KERNEL(more)(t.c3, KERNEL(load)(l + 3 * ld + i), x);
        }
        double sums[4] = {KERNEL(sum)(t.c0), KERNEL(sum)(t.c1), KERNEL(sum)(t.c2),
                          KERNEL(sum)(t.c3)};
        corner_backward(l + k, ld, 4, sums, y + k);
    }
}

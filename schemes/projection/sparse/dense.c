/*
 * dense.c - partial Cholesky elimination of a dense front, A = L L' for its first w columns
 * and U = A22 - L21 L21' in the rest.
 *
 * Four columns at a time are computed from those before them (left-looking), in one pass over the
 * rows: a tile of rows less its products, divided by the corner on the diagonal, is stored once.
 * What a block of BLOCK columns does to all behind it is most of the work in a large front: its
 * rows are packed, four at a time, so that a tile of the answer stays in registers while the block
 * streams by from the cache.
 */
#include "schemes/projection/sparse/dense.h"

#include <math.h>
#include <string.h>

/* Columns of a block, a multiple of four. Measured. */
enum { BLOCK = 64 }; /* tuned: 32, 128 */

/* L of four columns on the diagonal: at[column][row] below the diagonal, and 1/at on it. */
typedef struct {
    double at[4][4];
    double inverse[4];
} corner;

/* 1/sqrt(x), or 0 for a column that is not there. False when x is not positive. */
static inline bool invert_root(double x, bool there, double *inverse) {
    *inverse = there ? 1.0 / sqrt(x) : 0.0;
    return !there || x > 0.0;
}

/* Factorise four rows of the first m columns at c, at most four; the others become zero and their
 * inverses, too, so that they come to nothing. False when a pivot is not positive. Written out,
 * since -O2 unrolls nothing. */
static bool corner_eliminate(double *c, size_t ld, size_t m, corner *l) {
    const double *c1 = c + ld;
    const double *c2 = c + 2 * ld;
    const double *c3 = c + 3 * ld;
    double d0 = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0;
    bool good = invert_root(c[0], true, &d0);
    double l10 = c[1] * d0, l20 = c[2] * d0, l30 = c[3] * d0;
    good = invert_root(c1[1] - l10 * l10, m > 1, &d1) && good;
    double l21 = (c1[2] - l10 * l20) * d1, l31 = (c1[3] - l10 * l30) * d1;
    good = invert_root(c2[2] - l20 * l20 - l21 * l21, m > 2, &d2) && good;
    double l32 = (c2[3] - l20 * l30 - l21 * l31) * d2;
    good = invert_root(c3[3] - l30 * l30 - l31 * l31 - l32 * l32, m > 3, &d3) && good;
    *l = (corner){
        {{d0, l10, l20, l30}, {0.0, d1, l21, l31}, {0.0, 0.0, d2, l32}, {0.0, 0.0, 0.0, d3}},
        {d0, d1, d2, d3}};
    for (size_t k = 0; k < 4; k++) {
        memcpy(c + k * ld, l->at[k], sizeof l->at[k]);
    }
    return good;
}

/* The corner that corner_eliminate left at c. */
static inline corner corner_recall(const double *c, size_t ld) {
    corner l = {{{0.0}}, {0.0}};
    for (size_t k = 0; k < 4; k++) {
        memcpy(l.at[k], c + k * ld, sizeof l.at[k]);
        l.inverse[k] = l.at[k][k];
    }
    return l;
}

/* y = L^{-1} y for the m x m corner at l, m at most four. Written out, as the next: what waits for
 * a number that was just made finds it in a register. */
static inline void corner_forward(const double *l, size_t ld, size_t m, double *y) {
    const double *l1 = l + ld;
    const double *l2 = l + 2 * ld;
    double y1 = 0.0;
    double y2 = 0.0;
    double y0 = y[0] *= l[0];
    if (m > 1) {
        y1 = y[1] = (y[1] - l[1] * y0) * l1[1];
    }
    if (m > 2) {
        y2 = y[2] = (y[2] - l[2] * y0 - l1[2] * y1) * l2[2];
    }
    if (m > 3) {
        y[3] = (y[3] - l[3] * y0 - l1[3] * y1 - l2[3] * y2) * l[3 * ld + 3];
    }
}

/* y = L^{-T} (y - sums). */
static inline void corner_backward(const double *l, size_t ld, size_t m, const double *sums,
                                   double *y) {
    const double *l1 = l + ld;
    const double *l2 = l + 2 * ld;
    double x0 = y[0] - sums[0];
    double x1 = m > 1 ? y[1] - sums[1] : 0.0;
    double x2 = m > 2 ? y[2] - sums[2] : 0.0;
    double x3 = 0.0;
    if (m > 3) {
        x3 = y[3] = (y[3] - sums[3]) * l[3 * ld + 3];
        x2 -= l2[3] * x3;
    }
    if (m > 2) {
        x2 = y[2] = x2 * l2[2];
        x1 -= l1[2] * x2;
        x1 -= m > 3 ? l1[3] * x3 : 0.0;
    }
    if (m > 1) {
        x1 = y[1] = x1 * l1[1];
        x0 -= l[1] * x1;
        x0 -= m > 2 ? l[2] * x2 : 0.0;
        x0 -= m > 3 ? l[3] * x3 : 0.0;
    }
    y[0] = x0 * l[0];
}

/* ---- four numbers as two pairs: two instructions on x86-64 and ARM64 ------------------------ */

typedef double pair __attribute__((vector_size(16)));
typedef struct {
    pair low, high;
} portable_quad;

static inline portable_quad portable_load(const double *x) {
    portable_quad v;
    memcpy(&v.low, x, sizeof v.low);
    memcpy(&v.high, x + 2, sizeof v.high);
    return v;
}

static inline void portable_store(double *x, portable_quad v) {
    memcpy(x, &v.low, sizeof v.low);
    memcpy(x + 2, &v.high, sizeof v.high);
}

static inline portable_quad portable_spread(double c) {
    pair both = {c, c};
    return (portable_quad){both, both};
}

static inline portable_quad portable_times(portable_quad a, portable_quad b) {
    return (portable_quad){a.low * b.low, a.high * b.high};
}

static inline portable_quad portable_minus(portable_quad a, portable_quad b) {
    return (portable_quad){a.low - b.low, a.high - b.high};
}

static inline portable_quad portable_more(portable_quad s, portable_quad a, portable_quad b) {
    return (portable_quad){s.low + a.low * b.low, s.high + a.high * b.high};
}

static inline portable_quad portable_less(portable_quad s, portable_quad a, portable_quad b) {
    return (portable_quad){s.low - a.low * b.low, s.high - a.high * b.high};
}

static inline double portable_sum(portable_quad a) {
    pair both = a.low + a.high;
    return both[0] + both[1];
}

#define QUAD portable_quad
#define KERNEL(name) portable_##name
#define TALL 4
#include "schemes/projection/sparse/kernels.h"
#undef QUAD
#undef KERNEL
#undef TALL

static const il_dense portable = {"portable",       portable_eliminate, portable_columns,
                                  portable_strip,   portable_pack,      portable_update,
                                  portable_forward, portable_backward};

const il_dense *il_dense_portable(void) {
    return &portable;
}

/* ---- four numbers in one register ------------------------------------------------------------ */

/* clang knows these pragmas by other names, and has the portable kernels: the bits are the same. */
#if defined(__x86_64__) && !defined(__clang__)

#pragma GCC push_options
#pragma GCC target("avx2")

typedef double wide_quad __attribute__((vector_size(32)));

static inline wide_quad wide_load(const double *x) {
    wide_quad v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline void wide_store(double *x, wide_quad v) {
    memcpy(x, &v, sizeof v);
}

static inline wide_quad wide_spread(double c) {
    return (wide_quad){c, c, c, c};
}

static inline wide_quad wide_times(wide_quad a, wide_quad b) {
    return a * b;
}

static inline wide_quad wide_minus(wide_quad a, wide_quad b) {
    return a - b;
}

static inline wide_quad wide_more(wide_quad s, wide_quad a, wide_quad b) {
    return s + a * b;
}

static inline wide_quad wide_less(wide_quad s, wide_quad a, wide_quad b) {
    return s - a * b;
}

static inline double wide_sum(wide_quad a) {
    return (a[0] + a[2]) + (a[1] + a[3]);
}

#define QUAD wide_quad
#define KERNEL(name) wide_##name
#define TALL 8
#include "schemes/projection/sparse/kernels.h"
#undef QUAD
#undef KERNEL
#undef TALL

#pragma GCC pop_options

static const il_dense wide = {"AVX2",    wide_eliminate, wide_columns, wide_strip,
                              wide_pack, wide_update,    wide_forward, wide_backward};

const il_dense *il_dense_fastest(void) {
    return __builtin_cpu_supports("avx2") ? &wide : &portable;
}

#else

const il_dense *il_dense_fastest(void) {
    return &portable;
}

#endif

/* ---- one front by a team ------------------------------------------------------------------- */

/* Rows of a strip, and columns of an update, that one member makes at a time. */
enum { STRIP = 64, COLUMNS = 32 };

/* One block of columns, k .. last-1, of a front. */
typedef struct {
    const il_dense *dense;
    double *a, *u, *packed;
    size_t ld, w, w0, k, last;
    size_t from; /* the first row that is packed */
} block;

static size_t least_of(size_t x, size_t y) {
    return x < y ? x : y;
}

static void make_strip(void *context, size_t part, size_t member) {
    const block *b = context;
    size_t n = b->last - b->k;
    size_t top = (b->last + 3) / 4 * 4; /* what `columns` has made */
    size_t i0 = top + part * STRIP;
    size_t i1 = least_of(i0 + STRIP, b->ld);
    (void)member;
    b->dense->strip(b->a, b->ld, b->k, b->last, i0, i1);
    i0 = part == 0 ? b->from : i0;
    b->dense->pack(b->a + b->k * b->ld, b->ld, i0, i1, n, b->packed + (i0 - b->from) * n);
}

/* Columns of the panel behind the block, then those of the update. */
static void make_update(void *context, size_t part, size_t member) {
    const block *b = context;
    size_t n = b->last - b->k;
    size_t behind = (b->w - b->last + COLUMNS - 1) / COLUMNS;
    bool panel = part < behind;
    size_t j = (panel ? part : part - behind) * COLUMNS;
    (void)member;
    if (panel) {
        b->dense->update(b->packed, n, b->a + b->last * (b->ld + 1), b->ld, j,
                         least_of(j + COLUMNS, b->w - b->last), b->ld - b->last);
    } else {
        b->dense->update(b->packed + (b->w0 - b->from) * n, n, b->u, b->ld - b->w0, j,
                         least_of(j + COLUMNS, b->ld - b->w0), b->ld - b->w0);
    }
}

bool il_dense_eliminate(const il_dense *dense, il_team *team, double *a, size_t ld, size_t w,
                        double *u, double *scratch) {
    block b = {.dense = dense, .a = a, .packed = scratch, .ld = ld, .w = w};
    b.u = u;
    b.w0 = w / 4 * 4;
    for (b.k = 0; b.k < w; b.k += BLOCK) {
        b.last = least_of(b.k + BLOCK, w);
        size_t top = (b.last + 3) / 4 * 4;
        b.from = b.last < w ? b.last : b.w0;
        if (!dense->columns(a, ld, b.k, b.last, top, scratch)) {
            return false;
        }
        if (top < ld) {
            il_team_run(team, il_team_parts(ld - top, STRIP), make_strip, &b);
        } else if (b.from < ld) {
            dense->pack(a + b.k * ld, ld, b.from, ld, b.last - b.k, scratch);
        }
        size_t behind = (w - b.last + COLUMNS - 1) / COLUMNS;
        size_t updates = u != NULL ? (ld - b.w0 + COLUMNS - 1) / COLUMNS : 0;
        il_team_run(team, behind + updates, make_update, &b);
    }
    return true;
}

size_t il_dense_scratch(int f) {
    return (il_dense_rows(f) + 4) * BLOCK;
}

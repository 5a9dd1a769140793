/*
 * sparse.c - multifrontal Cholesky factors of H = M + sum_i w_i b_i b_i'.
 *
 * Analysis, on groups of coordinates:
 *   group     consecutive coordinates that the same rows touch
 *   order     approximate minimum degree on the graph of groups
 *   eliminate S_k = later groups that k is coupled to when it is eliminated: its own neighbours and
 *             those of its children in the elimination tree; groups join into fronts when their
 *             lists agree, or nearly
 *   lay out   fronts in postorder, so that updates wait on a stack
 *
 * A front has f coordinates of which the first w are eliminated in it. Its matrix is
 *
 *     [ L11     ] [ L11' L21' ]   [ 0  0 ]
 *     [ L21   I ] [        I  ] + [ 0  U ],
 *
 * where the panel [L11; L21] is kept and U goes to the parent.
 */
#include "schemes/projection/sparse.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

/* A child joins its parent's front if that stores at most this part of zeros, or if together they
 * eliminate at most this many groups. Fewer fronts, less bookkeeping; measured on packed discs. */
static const double JOIN_ZEROS = 0.2;
enum { JOIN_GROUPS = 3 };

/* Storage that grows and is never given back before destruction. */
typedef struct {
    void *at;
    size_t bytes;
} buffer;

typedef struct {
    int first;      /* its coordinates are index[first .. first + f) */
    int f, w;       /* coordinates, eliminated ones */
    int children;   /* how many */
    int row0, row1; /* rows[row0 .. row1) are assembled here */
    size_t panel;   /* its f x w panel, by columns, starts at panels[panel] */
} front;

enum {
    GROUP_OF,   /* [d] group of a coordinate, -1 when no row touches it */
    FIRST,      /* [n] first coordinate of a group */
    SIZE,       /* [n] its coordinates */
    POS,        /* [n] place in the elimination order */
    ORDER,      /* [n] group at a place */
    MARK,       /* [n] */
    ADJ_START,  /* [n+1] */
    ADJ,        /* neighbours of groups */
    INC_START,  /* [n+1] */
    INC,        /* rows of groups */
    AMD_WORK,   /* 8 n and the graph that AMD destroys */
    LIST_START, /* [n] S_k is list[start .. start + length) */
    LIST_LEN,   /* [n] */
    LIST,       /* all S_k, by places */
    CHILD,      /* [n] first child of a place, -1 at the end */
    SIBLING,    /* [n] */
    NEXT_PIVOT, /* [n] places that share a front */
    PIVOTS,     /* [n] how many groups the front of this place eliminates */
    FRONT_OF,   /* [n] front of a place */
    STACK,      /* [n] */
    SEQUENCE,   /* [n] */
    INDEX,      /* coordinates of fronts */
    LOCAL,      /* [d] place in the front at hand */
    ROWS,       /* rows by front */
    HASH,       /* [d] 64 bits */
    FRONTS,     /* of type front */
    PANELS,     /* double */
    MATRIX,     /* double: the front at hand */
    UPDATES,    /* double: the stack of U */
    DIAGONAL,   /* [d] double: 1/mass for untouched coordinates */
    BUFFERS
};

struct il_sparse {
    buffer memory[BUFFERS];
    size_t d;
    int n;          /* groups */
    int fronts;     /* fronts */
    int index;      /* entries of INDEX */
    size_t panels;  /* numbers in the factor */
    int largest;    /* f of the largest front */
    size_t deepest; /* numbers on the stack at most */
    double work;
};

static int *ints(const il_sparse *f, int which) {
    return f->memory[which].at;
}

static double *numbers(const il_sparse *f, int which) {
    return f->memory[which].at;
}

/* Room for n items, and never none, so that no pointer in use is null; contents are kept. */
static bool need(il_sparse *f, int which, size_t n, size_t size) {
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

il_sparse *il_sparse_create(void) {
    return calloc(1, sizeof(il_sparse));
}

void il_sparse_destroy(il_sparse *f) {
    if (f == NULL) {
        return;
    }
    for (int k = 0; k < BUFFERS; k++) {
        free(f->memory[k].at);
    }
    free(f);
}

double il_sparse_work(const il_sparse *f) {
    return f->work;
}

/* ---- groups and their graph ------------------------------------------------------------------ */

/* A 64-bit mix of a row's number (splitmix64): the sum over the rows of a coordinate tells
 * coordinates with the same rows. A collision would cost fill, not correctness. */
static uint64_t mix(uint64_t z) {
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static bool make_groups(il_sparse *f, size_t d, const il_rows *rows, const bool *in) {
    if (!need(f, GROUP_OF, d, sizeof(int)) || !need(f, HASH, d, sizeof(uint64_t)) ||
        !need(f, FIRST, d, sizeof(int)) || !need(f, SIZE, d, sizeof(int)) ||
        !need(f, LOCAL, d, sizeof(int)) || !need(f, DIAGONAL, d, sizeof(double))) {
        return false;
    }
    int *group = ints(f, GROUP_OF);
    uint64_t *hash = f->memory[HASH].at;
    memset(hash, 0, d * sizeof *hash);
    memset(group, 0, d * sizeof *group);
    for (size_t i = 0; i < rows->p; i++) {
        /* a row with one entry couples nothing: a wall must not split a body */
        uint64_t h = rows->start[i + 1] - rows->start[i] > 1 ? mix(i) : 0;
        for (size_t e = rows->start[i]; in[i] && e < rows->start[i + 1]; e++) {
            hash[rows->col[e]] += h;
            group[rows->col[e]] = 1;
        }
    }
    int n = 0;
    bool open = false;
    for (size_t k = 0; k < d; k++) {
        bool touched = group[k] != 0;
        bool same = open && touched && hash[k] != 0 && hash[k] == hash[k - 1];
        if (touched && !same) {
            ints(f, FIRST)[n] = (int)k;
            ints(f, SIZE)[n++] = 0;
        }
        group[k] = touched ? n - 1 : -1;
        if (touched) {
            ints(f, SIZE)[n - 1]++;
        }
        open = touched;
    }
    f->n = n;
    return true;
}

/* The rows with several entries of each group: inc[start[g] .. start[g+1]). *most bounds the number
 * of neighbours of all groups. Counted in a first pass, written in a second. */
static bool list_rows(il_sparse *f, const il_rows *rows, const bool *in, size_t *most) {
    size_t n = (size_t)f->n;
    if (!need(f, INC_START, n + 2, sizeof(int)) || !need(f, INC, rows->nnz, sizeof(int))) {
        return false;
    }
    const int *group = ints(f, GROUP_OF);
    int *start = ints(f, INC_START);
    *most = 0;
    memset(start, 0, (n + 2) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < rows->p; i++) {
            size_t first = rows->start[i];
            size_t last = rows->start[i + 1];
            for (size_t e = first; in[i] && last - first > 1 && e < last; e++) {
                int g = group[rows->col[e]];
                if (e > first && g == group[rows->col[e - 1]]) {
                    continue; /* columns increase and groups are consecutive: no other repeats */
                }
                if (pass == 0) {
                    start[g + 2]++;
                    *most += last - first;
                } else {
                    ints(f, INC)[start[g + 1]++] = (int)i;
                }
            }
        }
        for (size_t g = 1; pass == 0 && g <= n; g++) {
            start[g + 1] += start[g];
        }
    }
    return *most <= INT_MAX / 2;
}

/* The neighbours of each group. */
static bool make_graph(il_sparse *f, const il_rows *rows, const bool *in) {
    size_t n = (size_t)f->n;
    size_t most = 0;
    if (!list_rows(f, rows, in, &most) || !need(f, ADJ_START, n + 1, sizeof(int)) ||
        !need(f, MARK, n, sizeof(int)) || !need(f, ADJ, most, sizeof(int))) {
        return false;
    }
    const int *inc = ints(f, INC);
    const int *start = ints(f, INC_START);
    int *mark = ints(f, MARK);
    int nz = 0;
    memset(mark, -1, n * sizeof *mark);
    for (int g = 0; g < f->n; g++) {
        ints(f, ADJ_START)[g] = nz;
        mark[g] = g;
        for (int r = start[g]; r < start[g + 1]; r++) {
            for (size_t e = rows->start[inc[r]]; e < rows->start[inc[r] + 1]; e++) {
                int other = ints(f, GROUP_OF)[rows->col[e]];
                if (mark[other] != g) {
                    mark[other] = g;
                    ints(f, ADJ)[nz++] = other;
                }
            }
        }
    }
    ints(f, ADJ_START)[n] = nz;
    return true;
}

static bool make_order(il_sparse *f) {
    size_t n = (size_t)f->n;
    size_t nz = (size_t)ints(f, ADJ_START)[n];
    size_t room = nz + nz / 2 + n + 1;
    if (!need(f, AMD_WORK, 9 * n + room, sizeof(int)) || !need(f, POS, n, sizeof(int)) ||
        !need(f, ORDER, n, sizeof(int))) {
        return false;
    }
    int *w = ints(f, AMD_WORK);
    int *pe = w;
    int *len = w + n;
    for (size_t g = 0; g < n; g++) {
        pe[g] = ints(f, ADJ_START)[g];
        len[g] = ints(f, ADJ_START)[g + 1] - pe[g];
    }
    memcpy(w + 9 * n, ints(f, ADJ), nz * sizeof(int));
    amd_2(f->n, pe, w + 9 * n, len, (int)room, (int)nz, w + 2 * n, ints(f, POS), ints(f, ORDER),
          w + 3 * n, w + 4 * n, w + 5 * n, w + 6 * n, NULL, NULL);
    for (int k = 0; k < f->n; k++) {
        ints(f, POS)[ints(f, ORDER)[k]] = k;
    }
    return true;
}

/* ---- fronts ---------------------------------------------------------------------------------- */

/* Increasing order; Shell's method, which needs no memory. */
static void sort(int *x, int n) {
    static const int steps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        int step = steps[s];
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

/* S_k into list[at..): returns its length. */
static int couple(const il_sparse *f, int k, int at) {
    const int *adj = ints(f, ADJ);
    const int *pos = ints(f, POS);
    int *mark = ints(f, MARK);
    int *list = ints(f, LIST);
    int g = ints(f, ORDER)[k];
    int n = 0;
    mark[k] = k;
    for (int e = ints(f, ADJ_START)[g]; e < ints(f, ADJ_START)[g + 1]; e++) {
        int p = pos[adj[e]];
        if (p > k && mark[p] != k) {
            mark[p] = k;
            list[at + n++] = p;
        }
    }
    for (int c = ints(f, CHILD)[k]; c >= 0; c = ints(f, SIBLING)[c]) {
        for (int e = ints(f, LIST_START)[c]; e < ints(f, LIST_START)[c] + ints(f, LIST_LEN)[c];
             e++) {
            if (mark[list[e]] != k) {
                mark[list[e]] = k;
                list[at + n++] = list[e];
            }
        }
    }
    sort(list + at, n);
    return n;
}

/* Take into the front of place k those children whose lists agree with its own, or nearly. The
 * others stay in the list of children; the children of those that join become k's. */
static void join(const il_sparse *f, int k) {
    int *child = ints(f, CHILD);
    int *sibling = ints(f, SIBLING);
    int *pivots = ints(f, PIVOTS);
    int *next = ints(f, NEXT_PIVOT);
    int size = ints(f, LIST_LEN)[k] + 1;
    int kept = -1;
    for (int c = child[k]; c >= 0;) {
        int after = sibling[c];
        int zeros = size - ints(f, LIST_LEN)[c];
        bool fits = zeros <= JOIN_ZEROS * (pivots[c] + ints(f, LIST_LEN)[c]) ||
                    pivots[c] + pivots[k] <= JOIN_GROUPS;
        if (fits) {
            int last = c;
            while (next[last] >= 0) {
                last = next[last];
            }
            next[last] = next[k];
            next[k] = c;
            pivots[k] += pivots[c];
            size += pivots[c];
            pivots[c] = 0;
            for (int s = child[c]; s >= 0;) { /* grandchildren */
                int rest = sibling[s];
                sibling[s] = kept;
                kept = s;
                s = rest;
            }
        } else {
            sibling[c] = kept;
            kept = c;
        }
        c = after;
    }
    child[k] = kept;
}

static bool eliminate(il_sparse *f) {
    static const int per_group[] = {LIST_START, LIST_LEN, CHILD,    SIBLING, NEXT_PIVOT,
                                    PIVOTS,     FRONT_OF, SEQUENCE, STACK};
    size_t n = (size_t)f->n;
    for (size_t k = 0; k < sizeof per_group / sizeof per_group[0]; k++) {
        if (!need(f, per_group[k], n, sizeof(int))) {
            return false;
        }
    }
    memset(ints(f, MARK), -1, n * sizeof(int));
    memset(ints(f, CHILD), -1, n * sizeof(int));
    memset(ints(f, NEXT_PIVOT), -1, n * sizeof(int));
    size_t used = 0;
    for (int k = 0; k < f->n; k++) {
        if (used + n > INT_MAX || !need(f, LIST, used + (size_t)(f->n - k), sizeof(int))) {
            return false;
        }
        ints(f, LIST_START)[k] = (int)used;
        ints(f, PIVOTS)[k] = 1;
        int length = couple(f, k, (int)used);
        ints(f, LIST_LEN)[k] = length;
        join(f, k);
        if (length > 0) {
            int parent = ints(f, LIST)[used];
            ints(f, SIBLING)[k] = ints(f, CHILD)[parent];
            ints(f, CHILD)[parent] = k;
        }
        used += (size_t)length;
    }
    return true;
}

/* Places that head fronts, children before parents and each subtree in one piece. */
static int postorder(il_sparse *f) {
    int *stack = ints(f, STACK);
    int *sequence = ints(f, SEQUENCE);
    int *child = ints(f, CHILD);
    int count = 0;
    for (int k = 0; k < f->n; k++) {
        if (ints(f, PIVOTS)[k] == 0 || ints(f, LIST_LEN)[k] > 0) {
            continue; /* not a root */
        }
        int depth = 0;
        stack[depth++] = k;
        while (depth > 0) {
            int top = stack[depth - 1];
            int c = child[top];
            if (c >= 0) {
                child[top] = ints(f, SIBLING)[c];
                stack[depth++] = c;
            } else {
                sequence[count++] = top;
                depth--;
            }
        }
    }
    return count;
}

/* The coordinates of the front headed by place k, from index[at]; fills w and f. */
static void list_front(const il_sparse *f, int k, front *fr) {
    int *index = ints(f, INDEX) + fr->first;
    int *stack = ints(f, STACK);
    int n = 0;
    for (int p = k; p >= 0; p = ints(f, NEXT_PIVOT)[p]) {
        stack[n++] = p;
    }
    sort(stack, n);
    fr->f = 0;
    for (int e = 0; e < n + ints(f, LIST_LEN)[k]; e++) {
        int place = e < n ? stack[e] : ints(f, LIST)[ints(f, LIST_START)[k] + e - n];
        int g = ints(f, ORDER)[place];
        if (e == n) {
            fr->w = fr->f;
        }
        for (int c = 0; c < ints(f, SIZE)[g]; c++) {
            index[fr->f++] = ints(f, FIRST)[g] + c;
        }
    }
    if (ints(f, LIST_LEN)[k] == 0) {
        fr->w = fr->f;
    }
}

/* Numbers in the update of a front. */
static size_t update_size(const front *fr) {
    size_t n = (size_t)(fr->f - fr->w);
    return n * n;
}

/* The parents, and what the stack of updates will hold at most. */
static void link_fronts(il_sparse *f, front *fronts) {
    int *waiting = ints(f, STACK);
    int depth = 0;
    size_t stack = 0;
    f->deepest = 0;
    for (int s = 0; s < f->fronts; s++) {
        int k = ints(f, SEQUENCE)[s];
        if (ints(f, LIST_LEN)[k] > 0) {
            int parent = ints(f, FRONT_OF)[ints(f, LIST)[ints(f, LIST_START)[k]]];
            fronts[parent].children++;
        }
    }
    for (int s = 0; s < f->fronts; s++) {
        for (int c = 0; c < fronts[s].children; c++) {
            stack -= update_size(&fronts[waiting[--depth]]);
        }
        waiting[depth++] = s;
        stack += update_size(&fronts[s]);
        f->deepest = stack > f->deepest ? stack : f->deepest;
    }
}

static bool lay_out(il_sparse *f) {
    f->fronts = postorder(f);
    if (!need(f, FRONTS, (size_t)f->fronts, sizeof(front))) {
        return false;
    }
    front *fronts = f->memory[FRONTS].at;
    size_t index = 0;
    f->panels = 0;
    f->largest = 0;
    f->work = 0.0;
    for (int s = 0; s < f->fronts; s++) {
        int k = ints(f, SEQUENCE)[s];
        for (int p = k; p >= 0; p = ints(f, NEXT_PIVOT)[p]) {
            ints(f, FRONT_OF)[p] = s;
        }
        if (index + f->d > INT_MAX || !need(f, INDEX, index + f->d, sizeof(int))) {
            return false;
        }
        front *fr = &fronts[s];
        *fr = (front){.first = (int)index, .panel = f->panels};
        list_front(f, k, fr);
        index += (size_t)fr->f;
        f->panels += (size_t)fr->f * (size_t)fr->w;
        f->largest = fr->f > f->largest ? fr->f : f->largest;
        for (int e = 0; e < fr->w; e++) {
            f->work += 0.5 * (double)(fr->f - e) * (double)(fr->f - e);
        }
    }
    link_fronts(f, fronts);
    return true;
}

/* Every row goes to the front in which the first of its coordinates is eliminated. */
static bool place_rows(il_sparse *f, const il_rows *rows, const bool *in) {
    size_t n = (size_t)f->fronts;
    if (!need(f, ROWS, 2 * rows->p, sizeof(int)) || !need(f, STACK, n + 1, sizeof(int))) {
        return false;
    }
    front *fronts = f->memory[FRONTS].at;
    int *start = ints(f, STACK);
    int *list = ints(f, ROWS);
    int *home = list + rows->p;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t i = 0; i < rows->p; i++) {
        int first = INT_MAX;
        for (size_t e = rows->start[i]; in[i] && e < rows->start[i + 1]; e++) {
            int place = ints(f, POS)[ints(f, GROUP_OF)[rows->col[e]]];
            first = place < first ? place : first;
        }
        home[i] = first == INT_MAX ? -1 : ints(f, FRONT_OF)[first];
        if (home[i] >= 0) {
            start[home[i] + 1]++;
        }
    }
    for (size_t s = 0; s < n; s++) {
        start[s + 1] += start[s];
        fronts[s].row0 = fronts[s].row1 = start[s];
    }
    for (size_t i = 0; i < rows->p; i++) {
        if (home[i] >= 0) {
            list[fronts[home[i]].row1++] = (int)i;
        }
    }
    return true;
}

il_status il_sparse_analyse(il_sparse *f, size_t d, const il_rows *rows, const bool *in) {
    if (d > INT_MAX / 16 || rows->nnz > INT_MAX / 16) {
        return IL_EUNSUPPORTED;
    }
    f->d = d;
    f->fronts = 0;
    bool ok = make_groups(f, d, rows, in) && make_graph(f, rows, in) && make_order(f) &&
              eliminate(f) && lay_out(f) && place_rows(f, rows, in);
    return ok ? IL_OK : IL_ENOMEM;
}

/* ---- numbers --------------------------------------------------------------------------------- */

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

/* Columns k..k+3 of a act on the columns j0 .. f-1. Above the diagonal of a column lies scratch. */
static void update4(double *a, int ld, int k, int j0, int f) {
    size_t stride = (size_t)ld;
    const double *p = a + (size_t)k * stride;
    int j = j0;
    for (; j + 1 < f; j += 2) {
        double *u = a + (size_t)j * stride;
        subtract4x2(p, stride, u, u + stride, (size_t)j, (size_t)f);
    }
    for (size_t t = 0; j < f && t < 4; t++) { /* the last number of all */
        double c = p[t * stride + (size_t)j];
        a[(size_t)j * stride + (size_t)j] -= c * c;
    }
}

/* Column k of a acts on the columns j0 .. j1-1. */
static void update1(double *a, int ld, int k, int j0, int j1, int f) {
    const double *p = a + (size_t)k * (size_t)ld;
    for (int j = j0; j < j1; j++) {
        subtract(a + (size_t)j * (size_t)ld + j, p + j, p[j], f - j);
    }
}

/* Eliminate the first w of f columns of the lower triangle a, in place. False when a pivot is not
 * positive. */
static bool eliminate_front(double *a, int f, int w) {
    for (int k = 0; k < w; k += 4) {
        int last = k + 4 < w ? k + 4 : w;
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
            update4(a, f, k, last, f);
        } else {
            for (int c = k; c < last; c++) {
                update1(a, f, c, last, f, f);
            }
        }
    }
    return true;
}

/* The front's own rows and masses. */
static void assemble(const il_sparse *f, const front *fr, const double *mass, const il_rows *rows,
                     const double *weight, double *a) {
    const int *index = ints(f, INDEX) + fr->first;
    const int *local = ints(f, LOCAL);
    size_t ld = (size_t)fr->f;
    for (size_t j = 0; j < ld; j++) {
        size_t from = j > 0 ? j - 1 : 0; /* update4 also runs over the number above the diagonal */
        memset(a + j * ld + from, 0, (ld - from) * sizeof *a);
    }
    for (size_t k = 0; k < (size_t)fr->w; k++) {
        a[k * ld + k] = mass[index[k]];
    }
    for (int r = fr->row0; r < fr->row1; r++) {
        size_t row = (size_t)ints(f, ROWS)[r];
        if (weight[row] == 0.0) {
            continue;
        }
        for (size_t e = rows->start[row]; e < rows->start[row + 1]; e++) {
            size_t i = (size_t)local[rows->col[e]];
            double c = weight[row] * rows->coef[e];
            for (size_t g = rows->start[row]; g <= e; g++) {
                size_t j = (size_t)local[rows->col[g]];
                a[i > j ? j * ld + i : i * ld + j] += c * rows->coef[g];
            }
        }
    }
}

/* Add the update u of a child to its parent's matrix a. */
static void extend(const il_sparse *f, const front *from, const double *u, double *a, size_t ld) {
    const int *index = ints(f, INDEX) + from->first + from->w;
    const int *local = ints(f, LOCAL);
    size_t n = (size_t)(from->f - from->w);
    for (size_t j = 0; j < n; j++) {
        size_t to = (size_t)local[index[j]];
        double *column = a + to * ld;
        for (size_t i = j; i < n; i++) {
            column[local[index[i]]] += u[j * n + i];
        }
    }
}

/* Keep the panel of the eliminated front a, and put what it does to its parent at `to`. */
static void put_away(il_sparse *f, const front *fr, const double *a, double *to) {
    size_t ld = (size_t)fr->f;
    size_t w = (size_t)fr->w;
    size_t n = ld - w;
    memcpy(numbers(f, PANELS) + fr->panel, a, ld * w * sizeof *a);
    for (size_t j = 0; j < n; j++) {
        memcpy(to + j * n + j, a + (w + j) * (ld + 1), (n - j) * sizeof *a);
    }
}

il_status il_sparse_factor(il_sparse *f, const double *mass, const il_rows *rows,
                           const double *weight) {
    size_t square = (size_t)f->largest * (size_t)f->largest;
    if (!need(f, PANELS, f->panels, sizeof(double)) || !need(f, MATRIX, square, sizeof(double)) ||
        !need(f, UPDATES, f->deepest, sizeof(double)) ||
        !need(f, STACK, (size_t)f->fronts + 1, sizeof(int))) {
        return IL_ENOMEM;
    }
    const front *fronts = f->memory[FRONTS].at;
    double *a = numbers(f, MATRIX);
    double *updates = numbers(f, UPDATES);
    int *waiting = ints(f, STACK);
    int depth = 0;
    size_t top = 0;
    for (size_t k = 0; k < f->d; k++) {
        numbers(f, DIAGONAL)[k] = ints(f, GROUP_OF)[k] < 0 ? 1.0 / mass[k] : 1.0;
    }
    for (int s = 0; s < f->fronts; s++) {
        const front *fr = &fronts[s];
        for (int k = 0; k < fr->f; k++) {
            ints(f, LOCAL)[ints(f, INDEX)[fr->first + k]] = k;
        }
        assemble(f, fr, mass, rows, weight, a);
        for (int c = 0; c < fr->children; c++) {
            const front *from = &fronts[waiting[--depth]];
            top -= update_size(from);
            extend(f, from, updates + top, a, (size_t)fr->f);
        }
        if (!eliminate_front(a, fr->f, fr->w)) {
            return IL_ENUMERIC;
        }
        put_away(f, fr, a, updates + top);
        waiting[depth++] = s;
        top += update_size(fr);
    }
    return IL_OK;
}

void il_sparse_solve(const il_sparse *f, double *x) {
    const front *fronts = f->memory[FRONTS].at;
    for (size_t k = 0; k < f->d; k++) {
        x[k] *= numbers(f, DIAGONAL)[k];
    }
    for (int s = 0; s < f->fronts; s++) { /* L y = x */
        const front *fr = &fronts[s];
        const int *index = ints(f, INDEX) + fr->first;
        const double *l = numbers(f, PANELS) + fr->panel;
        for (int c = 0; c < fr->w; c++, l += fr->f) {
            double y = x[index[c]] / l[c];
            x[index[c]] = y;
            for (int i = c + 1; i < fr->f; i++) {
                x[index[i]] -= l[i] * y;
            }
        }
    }
    for (int s = f->fronts - 1; s >= 0; s--) { /* L' x = y */
        const front *fr = &fronts[s];
        const int *index = ints(f, INDEX) + fr->first;
        const double *l = numbers(f, PANELS) + fr->panel + (size_t)fr->f * (size_t)fr->w;
        for (int c = fr->w - 1; c >= 0; c--) {
            l -= fr->f;
            double sum = x[index[c]];
            for (int i = c + 1; i < fr->f; i++) {
                sum -= l[i] * x[index[i]];
            }
            x[index[c]] = sum / l[c];
        }
    }
}

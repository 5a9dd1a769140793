/*
 * analysis.c - the analysis behind multifrontal Cholesky factors of H = M + sum_i w_i b_i b_i'
 * (Duff & Reid 1983; Liu 1990, 1992).
 *
 * order      groups of coordinates, their graph by the rows, and its ordering (graph.c)
 * eliminate  for k = 1 .. n, in that ordering:
 *                S_k <- later neighbours of k, and S_c less k of every child c
 *                for every child c of k:                                                     (join)
 *                    if the front of k and c together stores few zeros:
 *                        the pivots and the children of c become k's
 *                    else c stays a child                 (relaxed fronts, Ashcraft & Grimes 1989)
 *                k becomes a child of the first of S_k, or is a root if there is none
 * lay out    fronts in postorder, so that updates wait on a stack; a row goes to the front in
 *            which the first of its coordinates is eliminated
 *
 * Children come before k in the ordering, so they are done when k is reached. S_c lies within k and
 * S_k, so that the list behind k's pivots stays S_k whatever joins: joining stores zeros and loses
 * no entry.
 */
#include <gsl/gsl_sort_int.h>
#include <limits.h>
#include <string.h>

#include "schemes/projection/sparse/layout.h"
#include "schemes/projection/sparse/sparse.h"

/* A child joins its parent's front if at most JOIN_ZEROS of what is stored then is zero, counted
 * from the first join on; or if both are groups alone, of which less than half can be zero then.
 * Fewer fronts, less bookkeeping. */
static const double JOIN_ZEROS = 0.2; /* tuned: 0.05, 0.5 */

/* ---- fronts ---------------------------------------------------------------------------------- */

/* S_k into list[at..), in any order: returns its length, and the first place of it in *parent, -1
 * where it is empty. */
static int couple(const il_sparse *f, int k, int at, int *parent) {
    const int *adj = ints(f, ADJ);
    const int *pos = ints(f, POSITION);
    int *mark = ints(f, MARK);
    int *list = ints(f, LIST);
    int g = ints(f, ORDERING)[k];
    int n = 0;
    int first = INT_MAX;
    mark[k] = k;
    for (int e = ints(f, ADJ_START)[g]; e < ints(f, ADJ_START)[g + 1]; e++) {
        int p = pos[adj[e]];
        if (p > k) { /* neighbours are listed once */
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
    for (int e = 0; e < n; e++) {
        first = list[at + e] < first ? list[at + e] : first;
    }
    *parent = n > 0 ? first : -1;
    return n;
}

/* The front that place k heads: pivots and the list behind them, in groups, and how many pairs of
 * groups are stored that are zero. */
typedef struct {
    double pivots, behind, zeros;
} shape;

/* The child joins if the front that they make stores few zeros, or is of two groups. */
static bool joins(const shape *child, shape *parent) {
    double pivots = parent->pivots + child->pivots;
    double zeros = parent->zeros + child->zeros +
                   child->pivots * (parent->pivots + parent->behind - child->behind);
    double all = pivots * (0.5 * (pivots + 1.0) + parent->behind);
    if (zeros > JOIN_ZEROS * all && pivots > 2.0) {
        return false;
    }
    parent->pivots = pivots;
    parent->zeros = zeros;
    return true;
}

/* Take into the front of place k those children that fit. The others stay in the list of children;
 * the children of those that join become k's. */
static void join(const il_sparse *f, int k) {
    int *child = ints(f, CHILD);
    int *sibling = ints(f, SIBLING);
    int *pivots = ints(f, PIVOTS);
    int *next = ints(f, NEXT_PIVOT);
    const int *behind = ints(f, LIST_LEN);
    double *zeros = numbers(f, ZEROS);
    shape own = {.pivots = 1.0, .behind = behind[k]};
    int kept = -1;
    for (int c = child[k]; c >= 0;) {
        int after = sibling[c];
        shape its = {.pivots = pivots[c], .behind = behind[c], .zeros = zeros[c]};
        if (joins(&its, &own)) {
            int last = c;
            while (next[last] >= 0) {
                last = next[last];
            }
            next[last] = next[k];
            next[k] = c;
            pivots[k] += pivots[c];
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
    zeros[k] = own.zeros;
}

/* The lists of the places that head fronts by places in order: transposed, and back. */
static void sort_lists(il_sparse *f) {
    size_t n = (size_t)f->n;
    size_t used = 0;
    for (size_t k = 0; k < n; k++) {
        used += ints(f, PIVOTS)[k] > 0 ? (size_t)ints(f, LIST_LEN)[k] : 0;
    }
    il_sparse_need(f, SCRATCH, used + n + 1, sizeof(int));
    int *list = ints(f, LIST);
    int *end = ints(f, STACK);
    int *start = ints(f, SCRATCH); /* of the heads that have a place behind them */
    int *heads = start + n + 1;
    memset(start, 0, (n + 1) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < f->n; k++) {
            end[k] = ints(f, LIST_START)[k];
            int last = ints(f, PIVOTS)[k] > 0 ? end[k] + ints(f, LIST_LEN)[k] : 0;
            for (int e = end[k]; e < last; e++) {
                if (pass == 0) {
                    start[list[e] + 1]++;
                } else {
                    heads[start[list[e]]++] = k;
                }
            }
        }
        for (size_t k = 0; pass == 0 && k < n; k++) {
            start[k + 1] += start[k];
        }
    }
    for (int k = 0, e = 0; k < f->n; k++) {
        for (; e < start[k]; e++) { /* where those of the next begin, by now */
            list[end[heads[e]]++] = k;
        }
    }
}

/* False where the lists have 2^31 places. */
static bool eliminate(il_sparse *f) {
    static const int per_group[] = {LIST_START, LIST_LEN, CHILD,    SIBLING, NEXT_PIVOT,
                                    PIVOTS,     FRONT_OF, SEQUENCE, STACK};
    size_t n = (size_t)f->n;
    for (size_t k = 0; k < sizeof per_group / sizeof per_group[0]; k++) {
        il_sparse_need(f, per_group[k], n, sizeof(int));
    }
    il_sparse_need(f, ZEROS, n, sizeof(double));
    memset(ints(f, MARK), -1, n * sizeof(int));
    memset(ints(f, CHILD), -1, n * sizeof(int));
    memset(ints(f, NEXT_PIVOT), -1, n * sizeof(int));
    size_t used = 0;
    for (int k = 0; k < f->n; k++) {
        if (used + n > INT_MAX) {
            return false;
        }
        il_sparse_need(f, LIST, used + (size_t)(f->n - k), sizeof(int));
        ints(f, LIST_START)[k] = (int)used;
        ints(f, PIVOTS)[k] = 1;
        int parent = -1;
        int length = couple(f, k, (int)used, &parent);
        ints(f, LIST_LEN)[k] = length;
        join(f, k);
        if (parent >= 0) {
            ints(f, SIBLING)[k] = ints(f, CHILD)[parent];
            ints(f, CHILD)[parent] = k;
        }
        used += (size_t)length;
    }
    sort_lists(f);
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
    gsl_sort_int(stack, 1, (size_t)n);
    fr->f = 0;
    for (int e = 0; e < n + ints(f, LIST_LEN)[k]; e++) {
        int place = e < n ? stack[e] : ints(f, LIST)[ints(f, LIST_START)[k] + e - n];
        int g = ints(f, ORDERING)[place];
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

/* How many children each front has. */
static void link_fronts(il_sparse *f, front *fronts) {
    for (int s = 0; s < f->fronts; s++) {
        int k = ints(f, SEQUENCE)[s];
        if (ints(f, LIST_LEN)[k] > 0) {
            int parent = ints(f, FRONT_OF)[ints(f, LIST)[ints(f, LIST_START)[k]]];
            fronts[parent].children++;
        }
    }
}

/* False where the fronts have 2^31 coordinates. */
static bool lay_out(il_sparse *f) {
    f->fronts = postorder(f);
    il_sparse_need(f, FRONTS, (size_t)f->fronts, sizeof(front));
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
        if (index + f->d > INT_MAX) {
            return false;
        }
        il_sparse_need(f, INDEX, index + f->d, sizeof(int));
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
static void place_rows(il_sparse *f, const il_rows *rows) {
    size_t n = (size_t)f->fronts;
    il_sparse_need(f, ROWS, 2 * rows->p, sizeof(int));
    il_sparse_need(f, STACK, n + 1, sizeof(int));
    front *fronts = f->memory[FRONTS].at;
    int *start = ints(f, STACK);
    int *list = ints(f, ROWS);
    int *home = list + rows->p;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t i = 0; i < rows->p; i++) {
        int first = INT_MAX;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            int place = ints(f, POSITION)[ints(f, GROUP_OF)[rows->col[e]]];
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
}

/* ---- an analysis that is still there --------------------------------------------------------- */

static bool is_at_hand(const il_sparse *f, size_t d, const il_rows *rows) {
    size_t p = rows->p;
    return p > 0 && f->analysed && f->d == d && f->p == p &&
           memcmp(f->memory[KEY_START].at, rows->start, (p + 1) * sizeof *rows->start) == 0 &&
           memcmp(f->memory[KEY_COL].at, rows->col, rows->start[p] * sizeof *rows->col) == 0;
}

static void remember(il_sparse *f, const il_rows *rows) {
    size_t p = rows->p;
    if (p == 0) {
        return;
    }
    size_t nnz = rows->start[p];
    il_sparse_need(f, KEY_START, p + 1, sizeof *rows->start);
    il_sparse_need(f, KEY_COL, nnz, sizeof *rows->col);
    memcpy(f->memory[KEY_START].at, rows->start, (p + 1) * sizeof *rows->start);
    if (nnz > 0) { /* rows without a body have no array */
        memcpy(f->memory[KEY_COL].at, rows->col, nnz * sizeof *rows->col);
    }
    f->p = p;
}

il_status il_sparse_analyse(il_sparse *f, size_t d, const il_rows *rows) {
    if (is_at_hand(f, d, rows)) {
        return IL_OK;
    }
    f->analyses++;
    f->analysed = false;
    if (d > INT_MAX / 16 || rows->nnz > INT_MAX / 16) {
        return IL_EUNSUPPORTED;
    }
    f->d = d;
    f->fronts = 0;
    if (!(il_sparse_order(f, rows) && eliminate(f) && lay_out(f))) {
        return IL_ENOMEM; /* for 2^31 indices, which an int does not count */
    }
    place_rows(f, rows);
    remember(f, rows);
    f->analysed = true;
    return IL_OK;
}

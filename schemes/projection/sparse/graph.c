/*
 * graph.c - which coordinates of H = M + sum_i w_i b_i b_i' are eliminated together, and in which
 * order.
 *
 * group      hash(k) <- sum of mix(i) over the rows i with several entries that touch coordinate k
 *            consecutive coordinates of one hash are a group (compressed graphs, Ashcraft 1995)
 * graph      groups are neighbours if a row touches both
 * ordering   approximate minimum degree of that graph (Amestoy, Davis & Duff 1996)
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "schemes/projection/sparse/layout.h"

/* ---- groups and their graph ------------------------------------------------------------------ */

/* A 64-bit mix of a row's number (splitmix64): the sum over the rows of a coordinate tells
 * coordinates with the same rows. A collision would cost fill, not correctness. */
static uint64_t mix(uint64_t z) {
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void make_groups(il_sparse *f, const il_rows *rows) {
    size_t d = f->d;
    il_sparse_need(f, GROUP_OF, d, sizeof(int));
    il_sparse_need(f, HASH, d, sizeof(uint64_t));
    il_sparse_need(f, FIRST, d, sizeof(int));
    il_sparse_need(f, SIZE, d, sizeof(int));
    il_sparse_need(f, LOCAL, d, sizeof(int));
    il_sparse_need(f, DIAGONAL, d, sizeof(double));
    int *group = ints(f, GROUP_OF);
    uint64_t *hash = f->memory[HASH].at;
    memset(hash, 0, d * sizeof *hash);
    memset(group, 0, d * sizeof *group);
    for (size_t i = 0; i < rows->p; i++) {
        /* a row with one entry couples nothing: a wall must not split a body */
        uint64_t h = rows->start[i + 1] - rows->start[i] > 1 ? mix(i) : 0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
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
}

/* The groups of row i into its[], each once: columns increase and groups are consecutive. Returns
 * how many; none where a row has one entry. */
static int groups_of(const il_sparse *f, const il_rows *rows, size_t i, int *its) {
    const int *group = ints(f, GROUP_OF);
    size_t first = rows->start[i];
    size_t last = rows->start[i + 1];
    int n = 0;
    for (size_t e = first; last - first > 1 && e < last; e++) {
        int g = group[rows->col[e]];
        if (n == 0 || its[n - 1] != g) {
            its[n++] = g;
        }
    }
    return n;
}

/* start[g + 1] is where the neighbours of g end that rows bring, each as often as they do. False
 * where these are too many for AMD. */
static bool count_neighbours(const il_sparse *f, const il_rows *rows, int *start, int *its) {
    size_t most = 0;
    memset(start, 0, ((size_t)f->n + 2) * sizeof *start);
    for (size_t i = 0; i < rows->p; i++) {
        int n = groups_of(f, rows, i, its);
        for (int k = 0; k < n; k++) {
            start[its[k] + 2] += n - 1;
        }
        most += (size_t)n * (size_t)(n > 0 ? n - 1 : 0);
        if (most > INT_MAX / 2) {
            return false;
        }
    }
    for (int g = 1; g <= f->n; g++) {
        start[g + 1] += start[g];
    }
    return true;
}

/* The neighbours of each group: row by row, then each once. False where they are too many. */
static bool make_graph(il_sparse *f, const il_rows *rows) {
    size_t n = (size_t)f->n;
    il_sparse_need(f, ADJ_START, n + 2, sizeof(int));
    il_sparse_need(f, MARK, n, sizeof(int));
    il_sparse_need(f, SCRATCH, n, sizeof(int));
    int *start = ints(f, ADJ_START);
    int *mark = ints(f, MARK);
    int *its = ints(f, SCRATCH);
    if (!count_neighbours(f, rows, start, its)) {
        return false;
    }
    il_sparse_need(f, ADJ, (size_t)start[n + 1], sizeof(int));
    int *adj = ints(f, ADJ);
    for (size_t i = 0; i < rows->p; i++) {
        int m = groups_of(f, rows, i, its);
        for (int k = 0; k < m; k++) {
            for (int other = 0; other < m; other++) {
                if (other != k) {
                    adj[start[its[k] + 1]++] = its[other];
                }
            }
        }
    }
    int nz = 0;
    memset(mark, -1, n * sizeof *mark);
    for (int g = 0, e = 0; g < f->n; g++) {
        int end = start[g + 1]; /* e is where they begin */
        start[g] = nz;
        for (; e < end; e++) {
            if (mark[adj[e]] != g) {
                mark[adj[e]] = g;
                adj[nz++] = adj[e];
            }
        }
    }
    start[n] = nz;
    return true;
}

static void make_ordering(il_sparse *f) {
    size_t n = (size_t)f->n;
    size_t nz = (size_t)ints(f, ADJ_START)[n];
    size_t room = nz + nz / 2 + n + 1;
    il_sparse_need(f, SCRATCH, 7 * n + room, sizeof(int));
    il_sparse_need(f, POSITION, n, sizeof(int));
    il_sparse_need(f, ORDERING, n, sizeof(int));
    int *w = ints(f, SCRATCH);
    int *pe = w;
    int *len = w + n;
    for (size_t g = 0; g < n; g++) {
        pe[g] = ints(f, ADJ_START)[g];
        len[g] = ints(f, ADJ_START)[g + 1] - pe[g];
    }
    memcpy(w + 7 * n, ints(f, ADJ), nz * sizeof(int));
    amd_2(f->n, pe, w + 7 * n, len, (int)room, (int)nz, w + 2 * n, ints(f, POSITION),
          ints(f, ORDERING), w + 3 * n, w + 4 * n, w + 5 * n, w + 6 * n, NULL, NULL);
    for (int k = 0; k < f->n; k++) {
        ints(f, POSITION)[ints(f, ORDERING)[k]] = k;
    }
}

bool il_sparse_order(il_sparse *f, const il_rows *rows) {
    make_groups(f, rows);
    if (!make_graph(f, rows)) {
        return false;
    }
    make_ordering(f);
    return true;
}

/*
 * layout.h - how a multifrontal factor is laid out: what the analysis (analysis.c) and
 * the plan (plan.c) leave for the factorisation (sparse.c). Included by these files only.
 *
 * A front has f coordinates of which the first w are eliminated in it. Its matrix is
 *
 *     [ L11     ] [ L11' L21' ]   [ 0  0 ]
 *     [ L21   I ] [        I  ] + [ 0  U ],
 *
 * where the panel [L11; L21] is kept and U goes to the parent. Fronts are numbered in postorder, so
 * that updates wait on a stack.
 */
#ifndef IL_PROJECTION_SPARSE_LAYOUT_H
#define IL_PROJECTION_SPARSE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/memory.h"
#include "harness/base/rows.h"
#include "harness/base/team.h"
#include "schemes/projection/sparse/dense.h"

typedef struct il_sparse il_sparse;

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
    size_t panel;   /* its panel, by columns, starts at panels[panel] */

    /* From the plan (plan.c); the analysis leaves zeros. */
    int ld;         /* rows of its panel in memory; 0: no plan yet */
    int rest;       /* rows and columns of its update in memory */
    int parent;     /* the front that its update is added to, -1 without */
    int last_child; /* -1 without; and the child before this one, of the same parent */
    int before;
    int branch;     /* it lies in, -1 in the trunk */
    double work;    /* of its subtree */
    bool side;      /* on which of two stacks its update waits: not the parent's */
    size_t update;  /* its update starts at panels[update] */
    int run0, run1; /* runs[run0 .. run1): where its update goes */
    int entry0;     /* the entries of its rows start at entries[entry0] */
    int inside; /* its first coordinates, which fronts of its branch eliminate; f in the trunk */
    size_t carried; /* what a solve adds to the others waits at carried[carried] */
} front;

/* A branch: fronts first .. end - 1, whole subtrees, which one thread makes while others make
 * others. The fronts in none are the trunk, made in turn once the branches are. */
typedef struct {
    int first, end;
    bool failed; /* a pivot was not positive */
} branch;

typedef struct {
    double work;
    int branch;
} turn;

/* Row i of one column of a front stands at panels[column + i], whether in its panel or its update;
 * the next column's, step further. */

/* Rows and columns from .. from + length - 1 of an update in memory are rows to .. of the parent's
 * front, and columns from `column` on: all of its panel, or all of its update. */
typedef struct {
    int from, to, length, step;
    size_t column;
} run;

/* An entry of a row: its place in the front, where its coefficient stands, and its column. */
typedef struct {
    int place, at;
    size_t column;
} entry;

enum {
    GROUP_OF,   /* [d] group of a coordinate, -1 when no row touches it */
    FIRST,      /* [n] first coordinate of a group */
    SIZE,       /* [n] its coordinates */
    POSITION,   /* [n] place in the elimination order */
    ORDERING,   /* [n] group at a place */
    MARK,       /* [n] */
    ADJ_START,  /* [n+2] */
    ADJ,        /* neighbours of groups */
    SCRATCH,    /* 7 n and the graph that AMD destroys; then those of LIST, transposed */
    LIST_START, /* [n] S_k is list[start .. start + length) */
    LIST_LEN,   /* [n] */
    LIST,       /* all S_k, by places in order where k heads a front */
    CHILD,      /* [n] first child of a place, -1 at the end */
    SIBLING,    /* [n] */
    NEXT_PIVOT, /* [n] places that share a front */
    PIVOTS,     /* [n] how many groups the front of this place eliminates */
    ZEROS,      /* [n] double: pairs of groups that it stores, but are zero */
    FRONT_OF,   /* [n] front of a place */
    STACK,      /* [n] */
    SEQUENCE,   /* [n] */
    INDEX,      /* coordinates of fronts */
    LOCAL,      /* [d] place in the front at hand */
    ROWS,       /* rows by front */
    HASH,       /* [d] 64 bits */
    FRONTS,     /* of type front */
    PANELS,     /* double: the panels, and behind them the stacks of updates */
    PACKED,     /* double: scratch of the elimination, of each member of the team */
    VECTOR,     /* double: what a solve has at hand of x, likewise */
    RUNS,       /* of type run, by fronts */
    ENTRIES,    /* of type entry, by rows in the order of ROWS, places increasing */
    BRANCHES,   /* of type branch, in postorder */
    TURNS,      /* [branches] of type turn: the branches, those of most work first */
    CARRIED,    /* double: what a solve carries from branches to the trunk */
    DIAGONAL,   /* [d] double: 1/mass of the untouched coordinates, */
    UNTOUCHED,  /* and which these are */
    BITS,       /* of d, in words of 64: 0 but while coordinates are put in order */
    KEY_START,  /* [p+1] size_t: where the rows of the analysis at hand start, */
    KEY_COL,    /* [nnz] size_t: and their coordinates */
    BUFFERS
};

struct il_sparse {
    buffer memory[BUFFERS];
    size_t d;
    bool analysed; /* the keys are those of the analysis at hand, of p rows */
    size_t p;
    int n;         /* groups */
    int fronts;    /* fronts */
    size_t panels; /* numbers in the factor */
    int largest;   /* f of the largest front */
    double work;
    size_t stored;    /* numbers of the plan's panels and updates in memory */
    size_t carried;   /* numbers that a solve carries */
    size_t untouched; /* coordinates that no row touches */
    int branches;     /* 0 where one thread makes all */
    il_team *team;    /* or NULL */
    const il_dense *dense;
    size_t factorisations, analyses; /* so far */
};

static inline int *ints(const il_sparse *f, int which) {
    return f->memory[which].at;
}

static inline double *numbers(const il_sparse *f, int which) {
    return f->memory[which].at;
}

/* Numbers that start with a line of the cache, of a buffer with room for LINE more; their place
 * changes only when the buffer grows. */
enum { LINE = 8 };

static inline double *lines(const il_sparse *f, int which) {
    size_t line = LINE * sizeof(double);
    char *at = f->memory[which].at;
    return (double *)(void *)(at + (line - (uintptr_t)at % line) % line);
}

/* Room for n items of so many bytes, and never none, so that no pointer in use is null; contents
 * are kept. */
static inline void il_sparse_need(il_sparse *f, int which, size_t n, size_t size) {
    buffer *b = &f->memory[which];
    size_t bytes = (n > 0 ? n : 1) * size;
    if (bytes > b->bytes) {
        b->bytes = bytes < 2 * b->bytes ? 2 * b->bytes : bytes;
        il_memory_grow(&b->at, b->bytes, 1);
    }
}

/* Column j of a front. */
static inline size_t column_of(const front *fr, int j) {
    size_t shift = (size_t)fr->w / 4 * 4; /* row 0 of the update */
    return j < fr->w ? fr->panel + (size_t)j * (size_t)fr->ld
                     : fr->update + ((size_t)j - shift) * (size_t)fr->rest - shift;
}

/* Groups of the coordinates that the rows touch, which of them rows couple, and POSITION and
 * ORDERING of their elimination. False where neighbours are too many. */
bool il_sparse_order(il_sparse *f, const il_rows *rows);

/* Where the numbers of the fronts go: the fields of front that the analysis leaves at zero, RUNS
 * and ENTRIES. Once an analysis. */
void il_sparse_plan(il_sparse *f, const il_rows *rows);

#endif

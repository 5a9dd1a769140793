/*
 * sparse_layout.h - how a multifrontal factor is laid out: what the analysis (sparse_order.c)
 * leaves for the factorisation (sparse.c). Nobody else includes it.
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

#include "schemes/projection/sparse.h"

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
    ZEROS,      /* [n] double: pairs of groups that it stores, but are zero */
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
    PACKED,     /* double: scratch of the elimination */
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

static inline int *ints(const il_sparse *f, int which) {
    return f->memory[which].at;
}

static inline double *numbers(const il_sparse *f, int which) {
    return f->memory[which].at;
}

/* Numbers in the update of a front. */
static inline size_t update_size(const front *fr) {
    size_t n = (size_t)(fr->f - fr->w);
    return n * n;
}

/* Room for n items of so many bytes, and never none, so that no pointer in use is null; contents
 * are kept. False when memory runs out. */
bool il_sparse_need(il_sparse *f, int which, size_t n, size_t size);

#endif

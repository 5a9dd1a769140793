/*
 * derivatives_work.h - shared by derivatives_*.c of this room, and used there only.
 */
#ifndef IL_DERIVATIVES_WORK_H
#define IL_DERIVATIVES_WORK_H

#include "harness/study/hypotheses/derivatives.h"

/* One row and one variable on the ladder. */
typedef struct {
    bool judged;       /* nothing more to learn */
    bool confirmed;    /* as derivatives.h says */
    bool resolved;     /* inside, and known to 1e-5 of the largest of the row */
    int outside;       /* steps in a row that had it outside */
    double refuted_at; /* least step at which three in a row did; INFINITY: none */
    double inside_at; /* least step that has it inside a range which its bend makes, not rounding */
    double given;     /* what the row says */
    double best, error; /* the central difference that is known best */
} il_derivative;

struct il_derivatives_work {
    il_derivatives_query query;
    size_t d, p;
    size_t turn; /* points so far: which coordinates come next */
    il_rows rows;
    double *x;         /* [d] q moved */
    double *scale;     /* [d] of coordinates */
    double *here;      /* [p] g_i */
    double *level[4];  /* [p] g_i on both sides of two steps */
    double *row_size;  /* [p] max_k |d_k g_i| scale_k */
    double *terms;     /* [p] sum_k |d_k g_i q_k|: rounding of g_i */
    double *least;     /* [p] change of g_i above 0 on the ladder */
    double *noise;     /* [p] of g_i, where it matters */
    il_derivative *at; /* [p * variables] */
    size_t *variable;  /* [variables] coordinates, IL_COMPONENT_RATE */
    size_t nvariables, room;
    size_t *place;   /* [p] row of constraint i in rows */
    double *tableau; /* [p * 2 * DEEP] of make */
};

enum { IL_DERIVATIVES_DEEP = 4, IL_DERIVATIVES_COORDINATES = 24 };

/* g(t,q) into g[p]. */
bool il_derivatives_values(il_derivatives_work *w, double t, const double *q, double *g);

/* Rows, values and sizes at (t,q); false where they cannot be computed. */
bool il_derivatives_look(il_derivatives_work *w, double t, const double *q);

/* scale[d] of the coordinates of q. */
void il_derivatives_scales(il_derivatives_work *w, const double *q);

/* g at q moved by s along variable k, or at t + s; the step as it was after rounding, 0 where g
 * cannot be computed. */
double il_derivatives_moved(il_derivatives_work *w, double t, const double *q, size_t k, double s,
                            double *g);

/* Size of variable k. */
double il_derivatives_scale(const il_derivatives_work *w, size_t k);

/* The likely cause of a mismatch, by its differences, into cause. */
void il_derivatives_explain(const il_derivatives_work *w, size_t i, size_t v, char *cause,
                            size_t capacity);

#endif

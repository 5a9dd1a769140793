/*
 * dual.h - what the Newton methods on the dual of
 *
 *     min 1/2 |x - t|_M^2,   g(x) = a + s B x >= 0,   M diagonal,
 *
 * share: buffers, the gaps at x(lambda) = t + s M^{-1} B' lambda, and how far lambda is from
 * solving. A multiplier is measured by the gap that it could close on its own, lambda_i W_ii with
 * W_ii = s^2 b_i' M^{-1} b_i, so that rows between light and heavy bodies count alike.
 */
#ifndef IL_PROJECTION_DUAL_H
#define IL_PROJECTION_DUAL_H

#include "schemes/projection/projector.h"
#include "schemes/projection/sparse/sparse.h"

/* A row that touches a coordinate, and its coefficient. */
typedef struct {
    size_t row;
    double coef;
} il_dual_entry;

/* d coordinates, p rows. Buffers grow and are not given back before destruction. */
typedef struct {
    il_sparse *factor;
    il_team *team; /* or NULL */
    size_t room_d, room_p;
    double *force;      /* [d] s B' lambda, and scratch */
    double *y;          /* [d] displacement from x(lambda) */
    double *r;          /* [d] right-hand side, then step */
    double *g;          /* [p] gaps, and along an iteration */
    double *dg;         /* [p] their change per unit step */
    double *z;          /* [p] slacks */
    double *dz;         /* [p] their change */
    double *dl;         /* [p] change of lambda */
    double *c;          /* [p] what lambda_i z_i is to change by */
    double *delassus;   /* [p] W_ii */
    double *w;          /* [p] weights of the rows in H */
    double *given;      /* [p] the lambda that was given, */
    double *kept;       /* [p] and what of it is used */
    double *best;       /* [p] the best lambda of a phase */
    double *base;       /* [p] where an interior phase began: lambda, */
    double *base_g;     /* [p] its gaps, */
    double *delta;      /* [p] and lambda - base */
    double *compliance; /* [p] 1/sigma_i of the phase */
    double *inverse;    /* [p] 1/(z_i + lambda_i/sigma_i) of the iteration */
    size_t room_nnz;    /* of `of` */
    size_t touched;     /* for a team, the rows by coordinates: so many have any, */
    size_t *which;      /* [touched] these, and those of which[t] are */
    size_t *from;       /* [touched+1] of[from[t]] .. of[from[t+1]-1], in their order */
    il_dual_entry *of;  /* [nnz] */
    bool *active;       /* [p] rows of the factor; within an interior phase, lambda_i W_ii > z_i */
    bool analysed;      /* factor is laid out for the rows of qp */
    bool factored;      /* factor is that of the penalty at hand, */
    size_t changed;     /* but for this many rows that came or went since */
    const double *mass; /* [d] */
    double rounding;    /* of the gaps, as last evaluated, */
    double noise;       /* and with that of lambda_i W_ii, which may cancel */
    size_t iterations;  /* factorisations so far */
    size_t limit;       /* at most */
} il_dual;

void il_dual_init(il_dual *w);
void il_dual_free(il_dual *w);

/* The team that shares factors, and loops over many rows; it outlives w. NULL: none. */
void il_dual_share(il_dual *w, il_team *team);

/* Room for qp, W_ii, and no active row. IL_EUNSUPPORTED when M is not diagonal. */
il_status il_dual_begin(il_dual *w, const il_qp *qp);

/* Lay out the factor for all rows of qp, once after il_dual_begin: an inactive row has weight 0.
 * Errors of the analysis: IL_ENOMEM, IL_EUNSUPPORTED. */
il_status il_dual_analyse(il_dual *w, const il_qp *qp);

/* Rows, or coordinates, first .. last - 1 of a loop that a team may share. */
typedef void (*il_dual_items)(void *context, size_t part, size_t first, size_t last);
size_t il_dual_each(const il_dual *w, size_t n, il_dual_items work, void *context);

/* y += scale sum_i c_i b_i for y[d], rows in their order: c[p]; where `skip` is not NULL, without
 * those with skip[i] = 0. */
void il_dual_push(const il_dual *w, const il_qp *qp, double scale, const double *c,
                  const double *skip, double *y);

/* y <- s sum_i c_i b_i, likewise, and then what is made of y[first .. last - 1], while these are in
 * the cache: `then`, or nothing where that is NULL. */
typedef struct {
    const double *c;    /* [p] */
    const double *skip; /* [p] or NULL */
    double *y;          /* [d] */
} il_dual_sum;
void il_dual_pull(const il_dual *w, const il_qp *qp, const il_dual_sum *sum, il_dual_items then,
                  void *context);

/* x(lambda) and its gaps g. Returns the natural residual max_i |min(lambda_i W_ii, g_i)|, NaN if a
 * gap is; *deepest is the largest violation, w->rounding what the residual may be made of. */
double il_dual_evaluate(il_dual *w, const il_qp *qp, const double *lambda, double *x,
                        double *deepest);

/* True when lambda proves that no x within reach satisfies the rows: they contradict each other. */
bool il_dual_contradictory(il_dual *w, const il_qp *qp, const double *lambda);

/* Multiplications after which one more factorisation costs more than the direction made with it. */
bool il_dual_factor_is_dear(const il_dual *w);

#endif

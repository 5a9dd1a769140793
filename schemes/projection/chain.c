/*
 * chain.c - bodies in a row on a line, by pool-adjacent-violators:
 *
 *     min 1/2 sum_k m_k (x_k - t_k)^2,   a_i + s c_i (x_{r(i)} - x_{l(i)}) >= 0,   c_i > 0,
 *
 * where every coordinate is the left end of at most one row and the right end of at most one, so
 * that the rows form disjoint paths. Shifting by the accumulated gaps turns a path into weighted
 * isotonic regression (Ayer et al. 1955; Best & Chakravarti 1990), solved in O(p) by merging
 * neighbouring blocks that are out of order. Maury 2006, section 6.2: a step of the sticky
 * particles is this projection.
 *
 * The multipliers follow from the partial sums of m_k (x_k - t_k) along a block. x is the block's
 * mean plus the gaps, not formed from the multipliers: so the gaps hold to rounding even for a
 * light body between heavy ones, and so does the total momentum, which is the block's moment.
 *
 * Means, gaps and partial sums have the digits of two doubles, and are rounded when they are x or
 * lambda: a rounding of a mean, times the mass of a heavy body, is a force that a light one beside
 * it would feel (masses 1 : 10^6 in turn, 50 bodies: 2e-9 of its velocity).
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/double_double.h"
#include "harness/base/memory.h"
#include "schemes/projection/projector.h"

static const size_t NONE = SIZE_MAX;

/* Its targets are shifted by the gaps since its own first body, not since the path's: along the
 * path those between bodies that are far apart, over a small s, would drown the velocities of
 * bodies that touch, and which of them press on each other would be left to rounding. */
typedef struct {
    il_dd mass, moment;  /* sum m_k and sum m_k z_k of the shifted targets z */
    il_dd span;          /* accumulated gaps from its first body to that of the next block */
    size_t first, count; /* place in the path, bodies */
} block;

typedef struct {
    size_t room;   /* coordinates that the buffers hold */
    size_t *right; /* [d] row in which the coordinate is the left end */
    size_t *left;  /* [d] row in which it is the right end */
    size_t *path;  /* [d] coordinates along the path at hand */
    double *apart; /* [d] least distances to the body before */
    double *pull;  /* [d] s c_i of the row to the body after */
    block *blocks; /* [d] */
} chain;

static void reserve(chain *w, size_t d) {
    if (d <= w->room) {
        return;
    }
    il_memory_grow(&w->right, d, sizeof *w->right);
    il_memory_grow(&w->left, d, sizeof *w->left);
    il_memory_grow(&w->path, d, sizeof *w->path);
    il_memory_grow(&w->apart, d, sizeof *w->apart);
    il_memory_grow(&w->pull, d, sizeof *w->pull);
    il_memory_grow(&w->blocks, d, sizeof *w->blocks);
    w->room = d;
}

/* The two ends of row i: true if it reads c (x_r - x_l) with c > 0. Zero entries do not count: a
 * sphere on a line in space has them. */
static bool ends(const il_rows *rows, size_t i, size_t *l, size_t *r, double *c) {
    double low = 0.0;
    double high = 0.0;
    *l = *r = NONE;
    for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        if (rows->coef[k] < 0.0 && *l == NONE) {
            *l = rows->col[k];
            low = rows->coef[k];
        } else if (rows->coef[k] > 0.0 && *r == NONE) {
            *r = rows->col[k];
            high = rows->coef[k];
        } else if (rows->coef[k] != 0.0) {
            return false;
        }
    }
    *c = high;
    return *l != NONE && *r != NONE && high == -low;
}

static const char *refuses(void *self, const il_qp *qp) {
    chain *w = self;
    if (il_metric_masses(qp->mass) == NULL) {
        return "the mass matrix is not diagonal";
    }
    reserve(w, qp->d);
    for (size_t k = 0; k < qp->d; k++) {
        w->right[k] = w->left[k] = NONE;
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        size_t l = 0;
        size_t r = 0;
        double c = 0.0;
        if (!ends(qp->rows, i, &l, &r, &c)) {
            return "a row does not compare two coordinates";
        }
        if (w->right[l] != NONE || w->left[r] != NONE) {
            return "the rows do not form disjoint paths";
        }
        w->right[l] = i;
        w->left[r] = i;
    }
    return NULL;
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    (void)options;
    (void)err;
    *self = il_alloc_zero(1, sizeof(chain));
    return IL_OK;
}

static void destroy(void *self) {
    chain *w = self;
    if (w == NULL) {
        return;
    }
    free(w->right);
    free(w->left);
    free(w->path);
    free(w->apart);
    free(w->pull);
    free(w->blocks);
    free(w);
}

/* The path that starts at coordinate k: coordinates, and how far each must at least be from the one
 * before. Returns its length. */
static size_t trace(chain *w, const il_qp *qp, size_t k) {
    size_t n = 0;
    double apart = 0.0;
    for (;;) {
        w->path[n] = k;
        w->apart[n] = apart;
        n++;
        size_t i = w->right[k];
        if (i == NONE || n == qp->d) {
            return n;
        }
        size_t l = 0;
        size_t r = 0;
        double c = 0.0;
        (void)ends(qp->rows, i, &l, &r, &c);
        w->pull[n - 1] = qp->scale * c;
        apart = -qp->a[i] / w->pull[n - 1]; /* x_r - x_l >= -a / (s c) */
        k = r;
    }
}

static il_dd one(double x) {
    return (il_dd){x, 0.0};
}

/* Each product of one double in is_before is off by three halves of an epsilon (two factors, and
 * itself): a difference above twice that, and the bound's own rounding, is certain. */
static const double APART = 4.0 * DBL_EPSILON;

/* moment / mass of b < moment / mass, multiplied by both masses: no tie is broken by a division. */
static bool is_before(const block *b, il_dd moment, il_dd mass) {
    double left = b->moment.hi * mass.hi;
    double right = moment.hi * b->mass.hi;
    if (fabs(left - right) > APART * (fabs(left) + fabs(right))) {
        return left < right;
    }
    il_dd d = il_dd_subtract(il_dd_multiply(b->moment, mass), il_dd_multiply(moment, b->mass));
    return d.hi < 0.0 || (d.hi == 0.0 && d.lo < 0.0);
}

/* Its moment about where the block before begins. */
static il_dd moved(const block *b, il_dd span) {
    return span.hi == 0.0 ? b->moment : il_dd_subtract(b->moment, il_dd_multiply(b->mass, span));
}

/* Pool adjacent violators along the path; returns the number of blocks and counts merges. */
static size_t pool(chain *w, const il_qp *qp, size_t n, size_t *merges) {
    const double *mass = il_metric_masses(qp->mass);
    size_t top = 0;
    for (size_t j = 0; j < n; j++) {
        double m = mass[w->path[j]];
        block b = {.mass = one(m),
                   .moment = il_two_product(m, qp->target[w->path[j]]),
                   .span = one(j + 1 < n ? w->apart[j + 1] : 0.0),
                   .first = j,
                   .count = 1};
        while (top > 0) {
            const block *before = &w->blocks[top - 1];
            il_dd moment = moved(&b, before->span);
            if (is_before(before, moment, b.mass)) {
                break;
            }
            b.mass = il_dd_add(b.mass, before->mass);
            b.moment = il_dd_add(moment, before->moment);
            b.span = il_dd_add(b.span, before->span);
            b.first = before->first;
            b.count += before->count;
            top--;
            *merges += 1;
        }
        w->blocks[top++] = b;
    }
    return top;
}

/* x on a block of several bodies, and its multipliers: s c_i lambda_i = -sum_{bodies up to and with
 * l(i)} m (x - t), clipped at zero, below which only rounding can bring it. */
static void resolve(const chain *w, const il_qp *qp, const block *b, double *x, double *lambda) {
    const double *mass = il_metric_masses(qp->mass);
    size_t last = b->first + b->count - 1;
    il_dd at = il_dd_divide(b->moment, b->mass);
    il_dd sum = one(0.0);
    for (size_t j = b->first; j < last; j++) {
        size_t k = w->path[j];
        x[k] = at.hi;
        sum = il_dd_add(sum, il_dd_scale(il_dd_add_double(at, -qp->target[k]), mass[k]));
        lambda[w->right[k]] = fmax(0.0, -sum.hi / w->pull[j]);
        at = il_dd_add_double(at, w->apart[j + 1]);
    }
    x[w->path[last]] = at.hi;
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    chain *w = self;
    info->iterations = 0;
    info->rho = 0.0;
    info->method = "chain";
    if (refuses(self, qp) != NULL) {
        return IL_EUNSUPPORTED;
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        lambda[i] = 0.0;
        if (isnan(qp->a[i])) {
            return IL_ENUMERIC;
        }
    }
    size_t visited = 0;
    memcpy(x, qp->target, qp->d * sizeof *x);
    for (size_t k = 0; k < qp->d; k++) {
        if (isnan(qp->target[k])) {
            return IL_ENUMERIC;
        }
        if (w->left[k] != NONE || w->right[k] == NONE) {
            visited += w->right[k] == NONE && w->left[k] == NONE;
            continue;
        }
        size_t n = trace(w, qp, k);
        visited += n;
        size_t blocks = pool(w, qp, n, &info->iterations);
        for (size_t b = 0; b < blocks; b++) {
            if (w->blocks[b].count == 1) {
                continue; /* it keeps its target */
            }
            resolve(w, qp, &w->blocks[b], x, lambda);
        }
    }
    /* a ring of rows is a path without a beginning */
    return il_projection_finite(qp, x, lambda, visited == qp->d ? IL_OK : IL_EUNSUPPORTED);
}

const il_projector_type il_projector_chain = {
    .name = "chain",
    .title = "bodies in a row on a line, by pool-adjacent-violators",
    .statement =
        "Rows that each compare two coordinates and form disjoint paths, diagonal mass matrix:\n"
        "weighted isotonic regression, O(p), exact. Refuses other rows.",
    .source = "Ayer, Brunk, Ewing, Reid & Silverman 1955; Best & Chakravarti 1990; Maury 2006, "
              "section 6.2",
    .finite = true,
    .untolerant = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .destroy = destroy};

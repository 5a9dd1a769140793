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
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/projection/projector.h"

static const size_t NONE = SIZE_MAX;

/* Its targets are shifted by the gaps since its own first body, not since the path's: along the
 * path those between bodies that are far apart, over a small s, would drown the velocities of
 * bodies that touch, and which of them press on each other would be left to rounding. */
typedef struct {
    double mass, moment; /* sum m_k and sum m_k z_k of the shifted targets z */
    double span;         /* accumulated gaps from its first body to that of the next block */
    size_t first, count; /* place in the path, bodies */
} block;

typedef struct {
    bool starved;  /* memory ran out when it was asked last */
    size_t room;   /* coordinates that the buffers hold */
    size_t *right; /* [d] row in which the coordinate is the left end */
    size_t *left;  /* [d] row in which it is the right end */
    size_t *path;  /* [d] coordinates along the path at hand */
    double *shift; /* [d] least distances to the body before; then accumulated in a block */
    block *blocks; /* [d] */
} chain;

static bool reserve(chain *w, size_t d) {
    if (d <= w->room) {
        return true;
    }
    bool ok = il_memory_grow(&w->right, d, sizeof *w->right) &&
              il_memory_grow(&w->left, d, sizeof *w->left) &&
              il_memory_grow(&w->path, d, sizeof *w->path) &&
              il_memory_grow(&w->shift, d, sizeof *w->shift) &&
              il_memory_grow(&w->blocks, d, sizeof *w->blocks);
    w->room = ok ? d : w->room;
    return ok;
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
    w->starved = !reserve(w, qp->d);
    if (w->starved) {
        return NULL; /* no reason to ask another projector, whose bits may differ: solve tells */
    }
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
    *self = calloc(1, sizeof(chain));
    return *self != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for projector 'chain'");
}

static void destroy(void *self) {
    chain *w = self;
    if (w == NULL) {
        return;
    }
    free(w->right);
    free(w->left);
    free(w->path);
    free(w->shift);
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
        w->shift[n] = apart;
        n++;
        size_t i = w->right[k];
        if (i == NONE || n == qp->d) {
            return n;
        }
        size_t l = 0;
        size_t r = 0;
        double c = 0.0;
        (void)ends(qp->rows, i, &l, &r, &c);
        apart = -qp->a[i] / (qp->scale * c); /* x_r - x_l >= -a / (s c) */
        k = r;
    }
}

/* Pool adjacent violators along the path; returns the number of blocks and counts merges. */
static size_t pool(chain *w, const il_qp *qp, size_t n, size_t *merges) {
    const double *mass = il_metric_masses(qp->mass);
    size_t top = 0;
    for (size_t j = 0; j < n; j++) {
        double m = mass[w->path[j]];
        block b = {.mass = m,
                   .moment = m * qp->target[w->path[j]],
                   .span = j + 1 < n ? w->shift[j + 1] : 0.0,
                   .first = j,
                   .count = 1};
        while (top > 0) {
            const block *before = &w->blocks[top - 1];
            double moment = b.moment - b.mass * before->span; /* from where that begins */
            /* mean(before) < mean(b), cross-multiplied: no division, no tie broken by rounding */
            if (before->moment * b.mass < moment * before->mass) {
                break;
            }
            b.mass += before->mass;
            b.moment = moment + before->moment;
            b.span += before->span;
            b.first = before->first;
            b.count += before->count;
            top--;
            *merges += 1;
        }
        w->blocks[top++] = b;
    }
    return top;
}

/* x on a block, and its multipliers: s c_i lambda_i = -sum_{bodies up to and with l(i)} m (x - t),
 * clipped at zero, below which only rounding can bring it. */
static void resolve(chain *w, const il_qp *qp, const block *b, double *x, double *lambda) {
    const double *mass = il_metric_masses(qp->mass);
    double moment = 0.0;
    double local = 0.0;
    for (size_t j = b->first; j < b->first + b->count; j++) {
        size_t k = w->path[j];
        local += j > b->first ? w->shift[j] : 0.0;
        w->shift[j] = local;
        moment += mass[k] * (qp->target[k] - local);
    }
    double mean = moment / b->mass;
    double sum = 0.0;
    for (size_t j = b->first; b->count > 1 && j < b->first + b->count; j++) {
        size_t k = w->path[j];
        x[k] = mean + w->shift[j];
        sum += mass[k] * (x[k] - qp->target[k]);
        if (j + 1 < b->first + b->count) {
            size_t i = w->right[k];
            size_t l = 0;
            size_t r = 0;
            double c = 0.0;
            (void)ends(qp->rows, i, &l, &r, &c);
            lambda[i] = fmax(0.0, -sum / (qp->scale * c));
        }
    }
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    chain *w = self;
    info->iterations = 0;
    info->rho = 0.0;
    info->method = "chain";
    bool starved = w->starved;
    if (refuses(self, qp) != NULL) {
        return IL_EUNSUPPORTED;
    }
    if (starved || w->starved) {
        return IL_ENOMEM;
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

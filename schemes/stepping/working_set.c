/*
 * working_set.c - rows by their constraints' numbers, in a hash table; scans of the problem. The
 * loop of constraint generation that uses them is correct.c's.
 *
 * touching, at a prediction x from y:                     violated, at an answer x:
 *     way(k) <- how far coordinate k goes                     the same ways, since the last answer
 *     way(k) <- the most of those that share a row            the same
 *     scan y for g <= part max way                            scan q + s x for g <= nearby max way
 *     take rows with g_i(y) <= part way(i)                    take rows that are not there, if they
 *                                                             are violated, or g <= nearby way(i)
 *                                                             of more than d: the deepest first, as
 *                                                             long as a coordinate has < FULL
 *
 * way(i) is the largest of its coordinates. Where nothing is violated nothing is taken.
 */
#include "schemes/stepping/working_set.h"

#include <gsl/gsl_heapsort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* Where more rows are found than there are coordinates, only the deepest come, FULL for each
 * coordinate or as many as the others leave it. 2000 spheres, each squeezed by all others on its
 * way, offer two million rows, of which 6000 are active; taking these few keeps memory and time
 * bounded. */
enum { FULL = 4 }; /* tuned: 2, 8 */

/* So many rows found are held at once, 100 MB of pairs of discs: of more, only those that stay, and
 * they are sought twice, as how far neighbours go is known when all are found. */
enum { MANY = 1 << 20 };

void il_working_set_init(il_working_set *w, const il_problem *problem) {
    memset(w, 0, sizeof *w);
    w->problem = problem;
    w->many = MANY;
    w->point = il_alloc_zero(problem->d, sizeof *w->point);
    w->last = il_alloc_zero(problem->d, sizeof *w->last);
    w->taken = il_alloc(problem->d, sizeof *w->taken);
    w->work = il_alloc(2 * problem->d, sizeof *w->work);
}

void il_working_set_free(il_working_set *w) {
    il_rows_free(&w->rows);
    il_rows_free(&w->found);
    free(w->a);
    free(w->lambda);
    free(w->point);
    free(w->last);
    free(w->work);
    free(w->candidates);
    free(w->taken);
    free(w->table);
    memset(w, 0, sizeof *w);
}

static il_status not_scanned(double t, il_status status, il_error *err) {
    return il_fail(err, status, "the constraints could not be computed at t = %.10g", t);
}

/* Constraint id cannot be computed. */
static il_status blame(const il_problem *problem, size_t id, double t, il_status status,
                       il_error *err) {
    char words[IL_DESCRIPTION_MAX];
    return il_fail(err, status, "%s could not be computed at t = %.10g",
                   il_problem_describe(problem, id, words, sizeof words), t);
}

/* ---- storage --------------------------------------------------------------------------------- */

static void reserve(il_working_set *w) {
    size_t p = w->rows.p;
    if (p <= w->capacity) {
        return;
    }
    size_t n = 2 * p;
    il_memory_grow(&w->a, n, sizeof *w->a);
    il_memory_grow(&w->lambda, n, sizeof *w->lambda);
    w->capacity = n;
}

static size_t slot(const il_working_set *w, size_t id) {
    size_t mask = w->table_size - 1;
    size_t at = (id * 0x9e3779b97f4a7c15u >> 17) & mask;
    while (w->table[at] != 0 && w->rows.id[w->table[at] - 1] != id) {
        at = (at + 1) & mask;
    }
    return at;
}

/* The rows by their ids, in a table at most half full. What was there stays while rows only come
 * behind those that are. */
static void index_rows(il_working_set *w) {
    size_t size = w->table_size > 0 ? w->table_size : 64;
    while (size < 2 * w->rows.p + 2) {
        size *= 2;
    }
    if (size != w->table_size) {
        il_memory_grow(&w->table, size, sizeof *w->table);
        w->table_size = size;
        w->indexed = 0;
    }
    if (w->indexed == 0) {
        memset(w->table, 0, w->table_size * sizeof *w->table);
    }
    for (; w->indexed < w->rows.p; w->indexed++) {
        w->table[slot(w, w->rows.id[w->indexed])] = w->indexed + 1;
    }
}

/* Append row i of those found; its multiplier starts from 0. */
static void append(il_working_set *w, size_t i) {
    il_rows_append_row(&w->rows, &w->found, i);
    reserve(w);
    w->lambda[w->rows.p - 1] = 0.0;
}

static void swap_rows(il_working_set *w) {
    il_rows fresh = w->found;
    w->found = w->rows;
    w->rows = fresh;
    w->indexed = 0;
}

static void clear_rows(il_working_set *w) {
    il_rows_clear(&w->rows);
    w->indexed = 0;
}

/* ---- which rows come ------------------------------------------------------------------------- */

/* One look at all constraints, of which rows may be sifted while they come. */
typedef struct {
    il_working_set *w;
    const il_linearisation *at;
    const double *ways;
    double slack, least, nearby;
    size_t most;    /* as il_touch has it */
    size_t dropped; /* rows that were found and are there no more */
    size_t kept;    /* rows that stay, at the front */
    double deepest; /* violation by a row that is not at hand */
} loop;

/* Writes to `found` what il_problem_scan finds, in portions that `sift` cuts down where they are
 * many. */
static il_status seek(loop *l, const double *x, void (*sift)(void *context), il_error *err) {
    il_rows *found = &l->w->found;
    il_rows_clear(found);
    found->sift = sift;
    found->context = l;
    found->many = l->w->many;
    il_status status = il_problem_scan(l->w->problem, l->at->t, l->at->y, x, l->slack, found);
    found->sift = NULL;
    return status == IL_OK ? status : not_scanned(l->at->t, status, err);
}

/* The first time that a look seeks. What is asked of the rows by `read` is asked of all of them. */
static il_status look(loop *l, const double *x, void (*read)(void *context), il_error *err) {
    il_status status = seek(l, x, read, err);
    l->w->scans++;
    l->w->offered += l->dropped + l->w->found.p;
    return status;
}

/* Only the kept ones of the rows found remain. */
static void drop(loop *l) {
    l->dropped += l->w->found.p - l->kept;
    il_rows_cut(&l->w->found, l->kept);
}

static void reserve_candidates(il_working_set *w) {
    if (w->found.p <= w->candidate_room) {
        return;
    }
    il_memory_grow(&w->candidates, w->found.row_capacity, sizeof *w->candidates);
    w->candidate_room = w->found.row_capacity;
}

static int by_depth(const void *a, const void *b) {
    const il_candidate *x = a;
    const il_candidate *y = b;
    return x->g != y->g ? (x->g > y->g) - (x->g < y->g) : (x->i > y->i) - (x->i < y->i);
}

/* True when some coordinate of row i of those found has fewer than FULL rows of this call. */
static bool wanted(const il_working_set *w, size_t i) {
    for (size_t e = w->found.start[i]; e < w->found.start[i + 1]; e++) {
        if (w->taken[w->found.col[e]] < FULL) {
            return true;
        }
    }
    return false;
}

/* Append all rows found. */
static void append_found(il_working_set *w) {
    for (size_t i = 0; i < w->found.p; i++) {
        append(w, i);
    }
}

/* Append only the deepest rows of each coordinate, where very many are found. Later calls find what
 * is still violated. */
static void append_deepest(il_working_set *w, const double *y) {
    reserve_candidates(w);
    for (size_t i = 0; i < w->found.p; i++) {
        w->candidates[i] = (il_candidate){.g = il_working_set_value(w, y, i), .i = i};
    }
    gsl_heapsort(w->candidates, w->found.p, sizeof *w->candidates,
                 by_depth); /* allocates nothing */
    memset(w->taken, 0, w->problem->d * sizeof *w->taken);
    for (size_t k = 0; k < w->found.p; k++) {
        size_t i = w->candidates[k].i;
        if (!wanted(w, i)) {
            continue;
        }
        for (size_t e = w->found.start[i]; e < w->found.start[i + 1]; e++) {
            w->taken[w->found.col[e]]++;
        }
        append(w, i);
    }
}

/* Is row i of those found in the set? *next is the row behind the last that was: rows are mostly
 * found in the order in which they were added. */
static bool is_there(const il_working_set *w, size_t i, size_t *next) {
    size_t id = w->found.id[i];
    if (*next < w->rows.p && w->rows.id[*next] == id) {
        (*next)++;
        return true;
    }
    size_t row = w->table[slot(w, id)];
    *next = row > 0 ? row : *next;
    return row > 0;
}

/* How deep the point violates rows found that are not in the set. */
static void sound(loop *l) {
    size_t next = 0;
    for (size_t i = 0; i < l->w->found.p; i++) {
        double g = il_working_set_value(l->w, l->at->y, i);
        if (g <= l->least && -g > l->deepest && !is_there(l->w, i, &next)) {
            l->deepest = -g;
        }
    }
}

/* The ways of coordinates from the rows found. */
static void raise_ways(loop *l) {
    l->ways = l->ways != NULL ? l->ways : il_working_set_own_ways(l->w);
    il_working_set_raise_ways(l->w);
}

/* ---- rows that are nearly closed ---- */

static void read_ways(void *context) {
    raise_ways(context);
    drop(context);
}

static void keep_touching(loop *l, size_t first, size_t last) {
    il_rows *found = &l->w->found;
    for (size_t i = first; i < last; i++) {
        if (found->value[i] <= l->nearby * il_working_set_way(l->w, i, l->ways)) {
            il_rows_move(found, i, l->kept++);
        }
    }
}

/* Those of the rows found stay that are open by at most `nearby` of their way; where they are more
 * than `most`, of half of that and so on. */
static void narrow(void *context) {
    loop *l = context;
    for (size_t i = l->kept; i < l->w->found.p; i++) {
        keep_touching(l, i, i + 1);
        while (l->kept > l->most && l->nearby > l->least) {
            size_t n = l->kept;
            l->kept = 0;
            l->nearby = fmax(0.5 * l->nearby, l->least);
            keep_touching(l, 0, n);
        }
    }
    drop(l);
}

il_status il_working_set_touching(il_working_set *w, const il_linearisation *at, const double *x,
                                  const il_touch *touch, il_error *err) {
    clear_rows(w);
    size_t bytes = w->problem->d * sizeof *w->last;
    double moved = 0.0;
    memcpy(w->point, at->y, bytes); /* which il_working_set_move() makes the last point */
    (void)il_working_set_move(w, at, x, &moved);
    loop l = {.w = w,
              .at = at,
              .slack = touch->part * moved,
              .nearby = touch->part,
              .least = touch->least,
              .most = touch->most};
    il_status status = look(&l, at->y, read_ways, err);
    if (status == IL_OK) {
        raise_ways(&l);
        status = l.dropped > 0 ? seek(&l, at->y, narrow, err) : IL_OK;
    }
    if (status != IL_OK) {
        return status;
    }
    narrow(&l);
    append_found(w);
    return IL_OK;
}

/* ---- rows that are violated ---- */

static void read_depths(void *context) {
    sound(context);
    read_ways(context);
}

/* Those of the rows found stay that are violated or near at the point and not at hand. */
static void winnow(void *context) {
    loop *l = context;
    il_rows *found = &l->w->found;
    size_t next = 0;
    for (size_t i = l->kept; i < found->p; i++) {
        double g = il_working_set_value(l->w, l->at->y, i);
        bool far = g > l->least && g > l->nearby * il_working_set_way(l->w, i, l->ways);
        if (!far && !is_there(l->w, i, &next)) {
            il_rows_move(found, i, l->kept++);
        }
    }
    drop(l);
}

il_status il_working_set_violated(il_working_set *w, const il_linearisation *at, const double *x,
                                  const il_violation *which, double *deepest, il_error *err) {
    double moved = 0.0;
    double size = il_working_set_move(w, at, x, &moved);
    double least = -which->rounding * (1.0 + size) - which->tolerance;
    loop l = {.w = w,
              .at = at,
              .slack = fmax(least, which->nearby * moved),
              .least = least,
              .nearby = which->nearby};
    *deepest = 0.0;
    index_rows(w);
    il_status status = look(&l, w->point, read_depths, err);
    sound(&l);
    *deepest = status == IL_OK ? l.deepest : 0.0;
    if (!(*deepest > 0.0)) {
        return status;
    }
    raise_ways(&l);
    status = l.dropped > 0 ? seek(&l, w->point, winnow, err) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    winnow(&l);
    if (w->found.p <= w->problem->d) {
        append_found(w);
    } else {
        append_deepest(w, at->y);
    }
    return IL_OK;
}

/* ---- which rows stay ------------------------------------------------------------------------- */

il_status il_working_set_all(il_working_set *w, double t, const double *y, il_error *err) {
    const il_problem *problem = w->problem;
    il_status status = IL_OK;
    clear_rows(w);
    for (size_t id = 0; status == IL_OK && id < problem->p; id++) {
        status = problem->type->row(problem, t, y, id, &w->rows);
    }
    w->scans++;
    w->offered += w->rows.p;
    if (status != IL_OK) {
        return blame(problem, w->rows.p, t, status, err);
    }
    reserve(w);
    for (size_t i = 0; i < w->rows.p; i++) {
        w->lambda[i] = 0.0;
    }
    return IL_OK;
}

il_status il_working_set_relinearise(il_working_set *w, double t, const double *y, double near,
                                     il_error *err) {
    size_t kept = 0;
    il_rows_clear(&w->found);
    for (size_t i = 0; i < w->rows.p; i++) {
        if (!(w->rows.value[i] <= near)) {
            continue;
        }
        il_status status = w->problem->type->row(w->problem, t, y, w->rows.id[i], &w->found);
        if (status != IL_OK) {
            return blame(w->problem, w->rows.id[i], t, status, err);
        }
        w->lambda[kept++] = w->lambda[i];
    }
    swap_rows(w);
    return IL_OK;
}

void il_working_set_warm_start(il_working_set *w, const il_contacts *before) {
    il_rows_clear(&w->found);
    index_rows(w);
    for (size_t k = 0; k < before->n; k++) {
        size_t row = w->table[slot(w, before->id[k])];
        if (row > 0) {
            w->lambda[row - 1] = before->lambda[k];
        }
    }
}

void il_working_set_cut(il_working_set *w, size_t p) {
    w->indexed = 0;
    il_rows_cut(&w->rows, p);
}

void il_working_set_drop_open(il_working_set *w, const double *y, double open) {
    size_t kept = 0;
    for (size_t i = 0; i < w->rows.p; i++) {
        if (il_rows_at(&w->rows, i, y, w->point) > open) {
            continue;
        }
        il_rows_move(&w->rows, i, kept);
        w->lambda[kept++] = w->lambda[i];
    }
    il_working_set_cut(w, kept);
}

const double *il_working_set_offsets(il_working_set *w, const double *y, const double *q) {
    if (y == q) {
        return w->rows.value;
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        double a = w->rows.value[i];
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            size_t k = w->rows.col[e];
            a += w->rows.coef[e] * (q[k] - y[k]);
        }
        w->a[i] = a;
    }
    return w->a;
}

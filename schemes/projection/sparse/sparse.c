/*
 * sparse.c - multifrontal Cholesky factors of H = M + sum_i w_i b_i b_i': numbers.
 *
 * Front by front in postorder: add the rows that are first eliminated here and the updates of the
 * children, eliminate, leave the update to the parent. Panels are made where they stay.
 *
 * A team makes branches of the elimination tree at a time (plan.c), then its caller the trunk.
 * No number of a factor depends on that. In a solve, branches add to the same numbers of x: what
 * they add outside themselves is carried, and the trunk adds it in the order in which one thread
 * would have.
 */
#include "schemes/projection/sparse/sparse.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/projection/sparse/layout.h"

/* Coordinates from which on a front of the trunk is made by the team, and columns of it that a
 * member takes at a time: a run of parts costs a microsecond or two while the members are awake. */
enum { LARGE = 64 };
enum { COLUMNS = 16 };

/* Rows of an update that is cleared in one piece: half of that lies above the diagonal, but a call
 * a column takes longer up to some forty. */
enum { SMALL = 32 };

static il_sparse *create(const il_dense *dense) {
    il_sparse *f = il_alloc_zero(1, sizeof *f);
    f->dense = dense;
    return f;
}

il_sparse *il_sparse_create(void) {
    return create(il_dense_fastest());
}

il_sparse *il_sparse_create_portable(void) {
    return create(il_dense_portable());
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

size_t il_sparse_size(const il_sparse *f) {
    return f->panels;
}

void il_sparse_share(il_sparse *f, il_team *team) {
    f->team = team;
    f->analysed = false;
}

size_t il_sparse_factorisations(const il_sparse *f) {
    return f->factorisations;
}

size_t il_sparse_analyses(const il_sparse *f) {
    return f->analyses;
}

/* Zeros in columns j0 .. j1-1 of a front, and its masses there; with the last pivot's, in the three
 * columns of scratch behind the panel. */
static void open_columns(const il_sparse *f, const front *fr, const double *mass, double *all,
                         int j0, int j1) {
    const int *index = ints(f, INDEX) + fr->first;
    size_t ld = (size_t)fr->ld;
    size_t rest = (size_t)fr->rest;
    double *panel = all + fr->panel;
    double *update = all + fr->update;
    int shift = fr->w / 4 * 4; /* column 0 of the update */
    int end = j1 < fr->w ? j1 : fr->w + 3;
    if (j0 < fr->w) {
        memset(panel + (size_t)j0 * ld, 0, ld * (size_t)(end - j0) * sizeof *panel);
    }
    for (int k = j0; k < fr->w && k < j1; k++) {
        panel[(size_t)k * (ld + 1)] = mass[index[k]];
    }
    end = j1 < fr->f ? j1 : fr->ld;
    if (j0 == 0 && end == fr->ld && rest <= SMALL) {
        memset(update, 0, rest * rest * sizeof *update);
        return;
    }
    for (int k = j0 > shift ? j0 : shift; k < end; k++) {
        size_t j = (size_t)(k - shift);
        size_t from = j / 4 * 4; /* tiles on the diagonal reach above it */
        memset(update + j * rest + from, 0, (rest - from) * sizeof *update);
    }
}

/* Add the front's own rows to its columns j0 .. j1-1. */
static void assemble(const il_sparse *f, const front *fr, const il_rows *rows, const double *weight,
                     double *all, int j0, int j1) {
    const int *list = ints(f, ROWS);
    const entry *e = (const entry *)f->memory[ENTRIES].at + fr->entry0;
    for (int r = fr->row0; r < fr->row1; r++) {
        size_t row = (size_t)list[r];
        const entry *end = e + (rows->start[row + 1] - rows->start[row]);
        while (e < end && (e->place < j0 || weight[row] == 0.0)) {
            e++;
        }
        for (; e < end && e->place < j1; e++) {
            double *column = all + e->column;
            double c = weight[row] * rows->coef[e->at];
            for (const entry *i = e; i < end; i++) {
                column[i->place] += c * rows->coef[i->at];
            }
        }
        e = end;
    }
}

/* Add a block of numbers, or its lower triangle if it lies on the diagonal. */
static inline void add(double *restrict to, size_t ld, const double *restrict from, size_t ld_from,
                       size_t rows, size_t columns, bool diagonal) {
    for (size_t j = 0; j < columns; j++, to += ld, from += ld_from) {
        size_t i = diagonal ? j : 0;
        for (; i + 2 <= rows; i += 2) {
            double next = to[i + 1] + from[i + 1];
            to[i] += from[i];
            to[i + 1] = next;
        }
        if (i < rows) {
            to[i] += from[i];
        }
    }
}

/* Add what the update of a child has for columns j0 .. j1-1 of its parent, runs of its columns by
 * runs of its rows. */
static void extend(const il_sparse *f, const front *from, double *all, int j0, int j1) {
    const run *runs = f->memory[RUNS].at;
    const run *end = runs + from->run1;
    size_t ld = (size_t)from->rest;
    for (const run *c = runs + from->run0; c < end; c++) {
        int skip = c->to < j0 ? j0 - c->to : 0;
        int last = c->to + c->length < j1 ? c->length : j1 - c->to;
        if (skip >= last) {
            continue;
        }
        const double *source = all + from->update + (size_t)(c->from + skip) * ld;
        double *target = all + c->column + (size_t)skip * (size_t)c->step;
        for (const run *r = c; r < end; r++) {
            size_t above = r == c ? (size_t)skip : 0; /* on the diagonal: from there on */
            add(target + r->to + above, (size_t)c->step, source + r->from + above, ld,
                (size_t)r->length - above, (size_t)(last - skip), r == c);
        }
    }
}

/* Numbers of scratch that each member of the team has, in whole lines. */
static size_t packed_room(const il_sparse *f) {
    return (il_dense_scratch(f->largest) + LINE) / LINE * LINE;
}

static size_t vector_room(const il_sparse *f) {
    return (il_dense_rows(f->largest) + LINE) / LINE * LINE;
}

static void list_untouched(il_sparse *f) {
    size_t words = f->d / 64 + 1;
    il_sparse_need(f, UNTOUCHED, f->d, sizeof(int));
    il_sparse_need(f, BITS, words, sizeof(uint64_t));
    memset(f->memory[BITS].at, 0, words * sizeof(uint64_t));
    f->untouched = 0;
    for (size_t k = 0; k < f->d; k++) {
        if (ints(f, GROUP_OF)[k] < 0) {
            ints(f, UNTOUCHED)[f->untouched++] = (int)k;
        }
    }
}

/* Room for the numbers, and the plan if there is none yet. */
static void prepare(il_sparse *f, const il_rows *rows) {
    const front *fronts = f->memory[FRONTS].at;
    size_t members = il_team_size(f->team);
    bool planned = f->fronts > 0 && fronts[0].ld != 0;
    if (!planned) {
        list_untouched(f);
    }
    if (!planned && f->fronts > 0) {
        il_sparse_plan(f, rows);
    }
    il_sparse_need(f, PANELS, f->stored + LINE, sizeof(double));
    il_sparse_need(f, CARRIED, f->carried, sizeof(double));
    il_sparse_need(f, PACKED, members * packed_room(f) + LINE, sizeof(double));
    il_sparse_need(f, VECTOR, members * vector_room(f) + LINE, sizeof(double));
}

/* No row of x that a front eliminates is there: L y = x is 0 in it. What it carries is that. */
static bool is_zero_in(const il_sparse *f, const front *fr, const double *x) {
    const int *index = ints(f, INDEX) + fr->first;
    for (int i = 0; i < fr->w; i++) {
        if (x[index[i]] != 0.0) {
            return false;
        }
    }
    memset(numbers(f, CARRIED) + fr->carried, 0, (size_t)(fr->f - fr->inside) * sizeof(double));
    return true;
}

/* L y = x in one front: what its panel takes from the rows below is summed in v. */
static void forward(const il_sparse *f, const front *fr, double *x, double *v) {
    const int *index = ints(f, INDEX) + fr->first;
    double *carried = numbers(f, CARRIED) + fr->carried;
    int i = 0;
    for (; i < fr->w; i++) {
        v[i] = x[index[i]];
    }
    for (; i < fr->ld; i++) {
        v[i] = 0.0;
    }
    f->dense->forward(lines(f, PANELS) + fr->panel, (size_t)fr->ld, (size_t)fr->w, v);
    for (i = 0; i < fr->w; i++) {
        x[index[i]] = v[i];
    }
    for (; i < fr->inside; i++) {
        x[index[i]] += v[i];
    }
    for (; i < fr->f; i++) {
        carried[i - fr->inside] = v[i];
    }
}

/* Adds the numbers that the fronts first .. end - 1 of a branch carry. */
static void add_carried(const il_sparse *f, int first, int end, double *x) {
    const front *fronts = f->memory[FRONTS].at;
    for (const front *fr = fronts + first; fr < fronts + end; fr++) {
        const int *index = ints(f, INDEX) + fr->first;
        const double *carried = numbers(f, CARRIED) + fr->carried;
        for (int i = fr->inside; i < fr->f; i++) {
            x[index[i]] += carried[i - fr->inside];
        }
    }
}

/* L' x = y in one front. */
static void backward(const il_sparse *f, const front *fr, double *x, double *v) {
    const int *index = ints(f, INDEX) + fr->first;
    int i = 0;
    for (; i < fr->f; i++) {
        v[i] = x[index[i]];
    }
    for (; i < fr->ld; i++) {
        v[i] = 0.0;
    }
    f->dense->backward(lines(f, PANELS) + fr->panel, (size_t)fr->ld, (size_t)fr->w, v);
    for (i = 0; i < fr->w; i++) {
        x[index[i]] = v[i];
    }
}

/* ---- branches and the trunk ------------------------------------------------------------------ */

/* A factorisation or a solve. */
typedef struct {
    il_sparse *f;
    const double *mass; /* of a factorisation, as the next two; NULL of a solve */
    const il_rows *rows;
    const double *weight;
    double *x;
    bool sparse; /* x is: fronts where nothing of it is are passed by */
} job;

/* The numbers of front s, in the caller's scratch. False when a pivot is not positive. */
static bool make_front(const job *j, int s, size_t member) {
    const il_sparse *f = j->f;
    const front *fronts = f->memory[FRONTS].at;
    const front *fr = &fronts[s];
    double *all = lines(f, PANELS);
    open_columns(f, fr, j->mass, all, 0, fr->f);
    assemble(f, fr, j->rows, j->weight, all, 0, fr->f);
    for (int c = fr->last_child; c >= 0; c = fronts[c].before) {
        extend(f, &fronts[c], all, 0, fr->f);
    }
    return f->dense->eliminate(all + fr->panel, (size_t)fr->ld, (size_t)fr->w,
                               fr->rest > 0 ? all + fr->update : NULL,
                               lines(f, PACKED) + member * packed_room(f));
}

/* Part of a large front: its columns, COLUMNS a part. */
typedef struct {
    const job *j;
    const front *fr;
} large_front;

/* Zeros, masses, rows and the updates of children: the same for each number as in make_front(). */
static void fill_part(void *context, size_t part, size_t member) {
    const large_front *w = context;
    const job *j = w->j;
    const front *fronts = j->f->memory[FRONTS].at;
    double *all = lines(j->f, PANELS);
    int j0 = (int)part * COLUMNS;
    int j1 = j0 + COLUMNS < w->fr->f ? j0 + COLUMNS : w->fr->f;
    (void)member;
    open_columns(j->f, w->fr, j->mass, all, j0, j1);
    assemble(j->f, w->fr, j->rows, j->weight, all, j0, j1);
    for (int c = w->fr->last_child; c >= 0; c = fronts[c].before) {
        extend(j->f, &fronts[c], all, j0, j1);
    }
}

/* The same by the team. */
static bool make_large_front(const job *j, int s) {
    il_sparse *f = j->f;
    const front *fr = (const front *)f->memory[FRONTS].at + s;
    double *all = lines(f, PANELS);
    large_front w = {.j = j, .fr = fr};
    size_t parts = il_team_parts((size_t)fr->f, COLUMNS);
    il_team_run(f->team, parts, fill_part, &w);
    return il_dense_eliminate(f->dense, f->team, all + fr->panel, (size_t)fr->ld, (size_t)fr->w,
                              fr->rest > 0 ? all + fr->update : NULL, lines(f, PACKED));
}

/* Factor, if that is asked for, and forward: while the panel is in the cache. */
static bool climb(const job *j, int s, size_t member) {
    const il_sparse *f = j->f;
    const front *fr = (const front *)f->memory[FRONTS].at + s;
    bool large = fr->branch < 0 && fr->f >= LARGE && il_team_size(f->team) > 1;
    bool good = j->mass == NULL || (large ? make_large_front(j, s) : make_front(j, s, member));
    if (good && !(j->sparse && is_zero_in(f, fr, j->x))) {
        forward(f, fr, j->x, lines(f, VECTOR) + member * vector_room(f));
    }
    return good;
}

static branch *branch_of_turn(const il_sparse *f, size_t k) {
    const turn *turns = f->memory[TURNS].at;
    return (branch *)f->memory[BRANCHES].at + turns[k].branch;
}

static void climb_branch(void *context, size_t part, size_t member) {
    const job *j = context;
    branch *b = branch_of_turn(j->f, part);
    b->failed = false;
    for (int s = b->first; s < b->end && !b->failed; s++) {
        b->failed = !climb(j, s, member);
    }
}

static void descend_branch(void *context, size_t part, size_t member) {
    const job *j = context;
    const front *fronts = j->f->memory[FRONTS].at;
    const branch *b = branch_of_turn(j->f, part);
    for (int s = b->end - 1; s >= b->first; s--) {
        backward(j->f, &fronts[s], j->x, lines(j->f, VECTOR) + member * vector_room(j->f));
    }
}

/* From the leaves to the roots. False when a pivot is not positive. */
static bool climb_all(job *j) {
    il_sparse *f = j->f;
    const front *fronts = f->memory[FRONTS].at;
    const branch *branches = f->memory[BRANCHES].at;
    il_team_run(f->team, (size_t)f->branches, climb_branch, j);
    for (int s = 0; s < f->fronts;) {
        if (fronts[s].branch < 0) {
            if (!climb(j, s, 0)) {
                return false;
            }
            s++;
            continue;
        }
        const branch *b = &branches[fronts[s].branch];
        if (b->failed) {
            return false;
        }
        add_carried(f, b->first, b->end, j->x);
        s = b->end;
    }
    return true;
}

static void descend_all(job *j) {
    il_sparse *f = j->f;
    const front *fronts = f->memory[FRONTS].at;
    const branch *branches = f->memory[BRANCHES].at;
    for (int s = f->fronts - 1; s >= 0; s--) {
        if (fronts[s].branch < 0) {
            backward(f, &fronts[s], j->x, lines(f, VECTOR));
        } else {
            s = branches[fronts[s].branch].first;
        }
    }
    il_team_run(f->team, (size_t)f->branches, descend_branch, j);
}

/* Coordinates that no row touches. */
static void divide_untouched(const job *j) {
    double *diagonal = numbers(j->f, DIAGONAL);
    const int *which = ints(j->f, UNTOUCHED);
    for (size_t k = 0; k < j->f->untouched; k++) {
        diagonal[k] = j->mass != NULL ? 1.0 / j->mass[which[k]] : diagonal[k];
        j->x[which[k]] *= diagonal[k];
    }
}

/* x is written through the job. */
// NOLINTBEGIN(readability-non-const-parameter)
il_status il_sparse_factor(il_sparse *f, const double *mass, const il_rows *rows,
                           const double *weight, double *x) {
    f->factorisations++;
    prepare(f, rows);
    job j = {.f = f, .mass = mass, .rows = rows, .weight = weight, .x = x};
    divide_untouched(&j);
    if (!climb_all(&j)) {
        return IL_ENUMERIC;
    }
    descend_all(&j);
    return IL_OK;
}

void il_sparse_solve(il_sparse *f, double *x) {
    job j = {.f = f, .x = x};
    divide_untouched(&j);
    (void)climb_all(&j);
    descend_all(&j);
}

void il_sparse_lower(il_sparse *f, double *x) {
    job j = {.f = f, .x = x, .sparse = true};
    (void)climb_all(&j);
}

/* Where the first coordinate of row i is eliminated. */
static int front_of_row(const il_sparse *f, const il_rows *rows, size_t i) {
    int first = f->n;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        int place = ints(f, POSITION)[ints(f, GROUP_OF)[rows->col[e]]];
        first = place < first ? place : first;
    }
    return first < f->n ? ints(f, FRONT_OF)[first] : -1;
}

/* Coordinates from least to most whose bits are set, in order; the bits are cleared. */
static size_t take_bits(uint64_t *bits, int least, int most, int *which) {
    size_t n = 0;
    for (int w = least / 64; w <= most / 64; w++) {
        for (uint64_t word = bits[w]; word != 0; word &= word - 1) {
            which[n++] = 64 * w + __builtin_ctzll(word);
        }
        bits[w] = 0;
    }
    return n;
}

/* The numbers that branches carry are added at once: in the same order to each number, as none of
 * the branch looks at it. */
size_t il_sparse_lower_row(il_sparse *f, const il_rows *rows, size_t i, double *x, int *which) {
    const front *fronts = f->memory[FRONTS].at;
    uint64_t *bits = f->memory[BITS].at;
    int least = INT_MAX;
    int most = -1;
    for (int s = front_of_row(f, rows, i); s >= 0; s = fronts[s].parent) {
        const int *index = ints(f, INDEX) + fronts[s].first;
        if (is_zero_in(f, &fronts[s], x)) {
            continue;
        }
        forward(f, &fronts[s], x, lines(f, VECTOR));
        add_carried(f, s, s + 1, x);
        for (int k = 0; k < fronts[s].w; k++) {
            if (x[index[k]] != 0.0) {
                bits[index[k] / 64] |= (uint64_t)1 << index[k] % 64;
                least = index[k] < least ? index[k] : least;
                most = index[k] > most ? index[k] : most;
            }
        }
    }
    return take_bits(bits, least, most, which);
}

void il_sparse_upper(il_sparse *f, double *x) {
    job j = {.f = f, .x = x};
    descend_all(&j);
}
// NOLINTEND(readability-non-const-parameter)

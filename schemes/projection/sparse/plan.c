/*
 * plan.c - where the numbers of a multifrontal factor go, worked out once an analysis, so that a
 * factorisation looks nothing up: panels and updates in memory, the places of rows in their fronts,
 * and the runs of an update that are runs of its parent.
 *
 * Over the fronts s in postorder (Duff & Reid 1983; Liu 1992), with a stack of fronts that wait for
 * their parents:
 *
 *     for every s:    s becomes the parent of the children on top of the stack, which leave it;
 *                     s goes on the stack                                          (link_children)
 *     for s downward: side(s) <- not side(parent of s)
 *     for every branch, and then for the trunk, over its s:
 *                     the panel of s goes behind the last                            (line_panels)
 *                     the update of s goes on top of stack side(s)                 (stack_updates)
 *                     stack 1 - side(s) falls to below the lowest update of a child of s
 *
 * A front's update is made while its children's still lie there; on one stack it would have to
 * move down once they are gone. On two it need not: in postorder the updates of s's children are
 * the top of their stack. What branches leave to the trunk stays at the bottom of their stacks.
 */
#include <gsl/gsl_heapsort.h>
#include <string.h>

#include "schemes/projection/sparse/layout.h"

/* Runs of the update of `from` in the front `parent`, whose coordinates local[d] places; none is
 * partly in its panel. Both list their coordinates in the order of elimination: places increase. */
static int list_runs(const il_sparse *f, const front *from, const front *parent, const int *local,
                     run *runs) {
    const int *index = ints(f, INDEX) + from->first;
    int n = 0;
    int first = from->w / 4 * 4; /* row 0 of the update in memory */
    for (int k = from->w; k < from->f; k++) {
        int to = local[index[k]];
        if (k > from->w && to == local[index[k - 1]] + 1 && to != parent->w) {
            runs[n - 1].length++;
        } else {
            runs[n++] = (run){.from = k - first,
                              .to = to,
                              .length = 1,
                              .step = to < parent->w ? parent->ld : parent->rest,
                              .column = column_of(parent, to)};
        }
    }
    return n;
}

/* The entries of the rows of front fr, those of a row by increasing place. */
static void list_entries(const il_sparse *f, const front *fr, const il_rows *rows,
                         const int *local) {
    entry *to = (entry *)f->memory[ENTRIES].at + fr->entry0;
    for (int r = fr->row0; r < fr->row1; r++) {
        size_t row = (size_t)ints(f, ROWS)[r];
        int n = 0;
        for (size_t e = rows->start[row]; e < rows->start[row + 1]; e++, n++) {
            int place = local[rows->col[e]];
            int k = n;
            for (; k > 0 && to[k - 1].place > place; k--) {
                to[k] = to[k - 1];
            }
            to[k] = (entry){.place = place, .at = (int)e, .column = column_of(fr, place)};
        }
        to += n;
    }
}

/* The work of a front: multiplications, and what is moved of it. */
static double front_work(const front *fr) {
    double f = fr->f;
    double w = fr->w;
    return 0.5 * w * f * f + 4.0 * f * f + 200.0;
}

/* Who is whose child, and what a subtree takes. */
static void link_children(il_sparse *f, front *fronts) {
    int *waiting = ints(f, STACK);
    int depth = 0;
    for (int s = 0; s < f->fronts; s++) {
        front *fr = &fronts[s];
        fr->ld = (int)il_dense_rows(fr->f);
        fr->rest = (int)il_dense_update_rows(fr->f, fr->w);
        fr->parent = fr->last_child = fr->before = -1;
        fr->work = front_work(fr);
        depth -= fr->children;
        for (int c = 0; c < fr->children; c++) {
            int child = waiting[depth + c];
            fronts[child].parent = s;
            fronts[child].before = fr->last_child;
            fr->last_child = child;
            fr->work += fronts[child].work;
        }
        waiting[depth++] = s;
    }
    for (int s = f->fronts - 1; s >= 0; s--) {
        fronts[s].side = fronts[s].parent >= 0 && !fronts[fronts[s].parent].side;
    }
}

/* ---- branches ------------------------------------------------------------------------------- */

/* Parts of the elimination tree that several threads make at a time (Liu 1992, section 8: subtrees
 * that share nothing).
 *
 *     work(s)   of the subtree under front s
 *     trunk     the fronts with work(s) > work of all/BRANCHES_WANTED, the ancestors of all others
 *     branches  between two fronts of the trunk, subtrees one after the other up to that work
 *
 * They do not depend on how many threads there are. A matrix with less than LITTLE work has none:
 * threads would wait longer than they work. Neither changes a number. */
enum { BRANCHES_WANTED = 16 };
static const double LITTLE = 3e5;

/* Fronts first .. end - 1 are a branch. */
static void close_branch(il_sparse *f, int first, int end, double work) {
    branch *branches = f->memory[BRANCHES].at;
    front *fronts = f->memory[FRONTS].at;
    turn *turns = f->memory[TURNS].at;
    int k = f->branches++;
    branches[k] = (branch){.first = first, .end = end};
    turns[k] = (turn){.work = work, .branch = k};
    for (int s = first; s < end; s++) {
        fronts[s].branch = k;
    }
}

static int by_work(const void *a, const void *b) {
    const turn *x = a;
    const turn *y = b;
    return x->work != y->work ? (x->work < y->work) - (x->work > y->work)
                              : (x->branch > y->branch) - (x->branch < y->branch);
}

static void cut(il_sparse *f, double limit) {
    front *fronts = f->memory[FRONTS].at;
    int first = -1; /* of the branch that grows */
    double work = 0.0;
    for (int s = 0; s < f->fronts; s++) {
        int parent = fronts[s].parent;
        if (fronts[s].work > limit) {
            if (first >= 0) {
                close_branch(f, first, s, work);
            }
            first = -1;
            continue;
        }
        work = first >= 0 ? work : 0.0;
        first = first >= 0 ? first : s;
        if (parent >= 0 && fronts[parent].work <= limit) {
            continue; /* within a subtree */
        }
        work += fronts[s].work;
        if (work > limit) {
            close_branch(f, first, s + 1, work);
            first = -1;
        }
    }
    if (first >= 0) {
        close_branch(f, first, f->fronts, work);
    }
}

static void make_branches(il_sparse *f) {
    front *fronts = f->memory[FRONTS].at;
    size_t most = (size_t)f->fronts;
    double all = 0.0;
    f->branches = 0;
    for (int s = 0; s < f->fronts; s++) {
        fronts[s].branch = -1;
        all += fronts[s].parent < 0 ? fronts[s].work : 0.0;
    }
    if (il_team_size(f->team) == 1 || all < LITTLE) {
        return;
    }
    il_sparse_need(f, BRANCHES, most, sizeof(branch));
    il_sparse_need(f, TURNS, most, sizeof(turn));
    cut(f, all / BRANCHES_WANTED);
    gsl_heapsort(f->memory[TURNS].at, (size_t)f->branches, sizeof(turn), by_work);
}

/* ---- where numbers go ------------------------------------------------------------------------ */

/* Two stacks of updates, one for every other generation: a front's own is made on one while those
 * of its children still lie on the other. For the fronts first .. end - 1 that lie in no branch
 * but `own`, from panels[at] on; returns where they end. */
static size_t stack_updates(front *fronts, int first, int end, int own, size_t at) {
    size_t top[2] = {0, 0};
    size_t most[2] = {0, 0};
    for (int s = first; s < end; s++) {
        front *fr = &fronts[s];
        int side = fr->side ? 1 : 0;
        if (fr->branch != own) {
            continue;
        }
        fr->update = top[side];
        top[side] += (size_t)fr->rest * (size_t)fr->rest;
        most[side] = top[side] > most[side] ? top[side] : most[side];
        for (int c = fr->last_child; c >= 0; c = fronts[c].before) {
            top[1 - side] = fronts[c].branch == own ? fronts[c].update : top[1 - side];
        }
    }
    for (int s = first; s < end; s++) {
        fronts[s].update += fronts[s].branch != own ? 0 : at + (fronts[s].side ? most[0] : 0);
    }
    return at + most[0] + most[1];
}

/* The panels of `own`'s fronts one after the other from panels[at] on, and three columns of scratch
 * behind the last. */
static size_t line_panels(const il_sparse *f, front *fronts, int first, int end, int own,
                          size_t at) {
    for (int s = first; s < end; s++) {
        if (fronts[s].branch == own) {
            fronts[s].panel = at;
            at += (size_t)fronts[s].ld * (size_t)fronts[s].w;
        }
    }
    return at + 3 * il_dense_rows(f->largest);
}

/* Panels and updates of every branch, then those of the trunk. */
static void place_numbers(il_sparse *f, front *fronts) {
    const branch *branches = f->memory[BRANCHES].at;
    size_t at = 0;
    for (int k = 0; k <= f->branches; k++) {
        bool trunk = k == f->branches;
        int first = trunk ? 0 : branches[k].first;
        int end = trunk ? f->fronts : branches[k].end;
        at = line_panels(f, fronts, first, end, trunk ? -1 : k, at);
        at = stack_updates(fronts, first, end, trunk ? -1 : k, at);
    }
    f->stored = at;
}

/* Entries of INDEX: no update has more runs than the front has coordinates. */
static size_t coordinates(const il_sparse *f) {
    const front *fronts = f->memory[FRONTS].at;
    const front *last = &fronts[f->fronts - 1];
    return f->fronts > 0 ? (size_t)last->first + (size_t)last->f : 0;
}

static int place_of(const il_sparse *f, int coordinate) {
    return ints(f, POSITION)[ints(f, GROUP_OF)[coordinate]];
}

/* The numbers that a solve carries out of branches: one for each coordinate behind a front's pivots
 * that none of its branch eliminates. In the order of elimination these come last. */
static void place_carried(il_sparse *f, front *fronts) {
    const branch *branches = f->memory[BRANCHES].at;
    f->carried = 0;
    for (int s = 0; s < f->fronts; s++) {
        front *fr = &fronts[s];
        const int *index = ints(f, INDEX) + fr->first;
        fr->inside = fr->f;
        fr->carried = f->carried;
        while (fr->branch >= 0 && fr->inside > fr->w &&
               ints(f, FRONT_OF)[place_of(f, index[fr->inside - 1])] >= branches[fr->branch].end) {
            fr->inside--;
        }
        f->carried += (size_t)(fr->f - fr->inside);
    }
}

/* ---- runs and entries ----------------------------------------------------------------------- */

/* Runs of a child start where there is room for as many as it has coordinates. */
static void list_all(const il_sparse *f, front *fronts, const il_rows *rows) {
    run *runs = f->memory[RUNS].at;
    int *local = ints(f, LOCAL);
    for (int s = 0; s < f->fronts; s++) {
        const front *fr = &fronts[s];
        for (int k = 0; k < fr->f; k++) {
            local[ints(f, INDEX)[fr->first + k]] = k;
        }
        list_entries(f, fr, rows, local);
        for (int c = fr->last_child; c >= 0; c = fronts[c].before) {
            fronts[c].run0 = fronts[c].first;
            fronts[c].run1 =
                fronts[c].first + list_runs(f, &fronts[c], fr, local, runs + fronts[c].first);
        }
    }
}

/* Entries follow in the order of ROWS. */
static void place_entries(const il_sparse *f, const il_rows *rows) {
    front *fronts = f->memory[FRONTS].at;
    size_t at = 0;
    for (int s = 0; s < f->fronts; s++) {
        fronts[s].entry0 = (int)at;
        for (int r = fronts[s].row0; r < fronts[s].row1; r++) {
            const size_t *start = rows->start + ints(f, ROWS)[r];
            at += start[1] - start[0];
        }
    }
}

void il_sparse_plan(il_sparse *f, const il_rows *rows) {
    il_sparse_need(f, RUNS, coordinates(f), sizeof(run));
    il_sparse_need(f, ENTRIES, rows->nnz, sizeof(entry));
    il_sparse_need(f, LOCAL, f->d, sizeof(int));
    il_sparse_need(f, STACK, (size_t)f->fronts + 1, sizeof(int));
    front *fronts = f->memory[FRONTS].at;
    link_children(f, fronts);
    make_branches(f);
    place_numbers(f, fronts);
    place_carried(f, fronts);
    place_entries(f, rows);
    list_all(f, fronts, rows);
}

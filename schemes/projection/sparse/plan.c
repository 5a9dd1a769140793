/*
 * plan.c - where the numbers of a multifrontal factor go, worked out once an analysis, so that a
 * factorisation looks nothing up: panels and updates in memory, the places of rows in their fronts,
 * and the runs of an update that are runs of its parent.
 *
 * place_numbers, over the fronts s in postorder (Duff & Reid 1983; Liu 1992), with a stack of
 * fronts that wait for their parents:
 *
 *     for every s:    the panel of s goes behind the last; s becomes the parent of the children on
 *                     top of the stack, which leave it; s goes on the stack
 *     for s downward: side(s) <- not side(parent of s)
 *     for every s:    the update of s goes on top of stack side(s)
 *                     stack 1 - side(s) falls to below the lowest update of a child of s
 *
 * A front's update is made while its children's still lie there; on one stack it would have to
 * move down once they are gone. On two it need not: in postorder the updates of s's children are
 * the top of their stack.
 */
#include <string.h>

#include "schemes/projection/sparse/layout.h"

/* Runs of the update of `from` in the front `parent`, whose coordinates LOCAL places; none is
 * partly in its panel. Both list their coordinates in the order of elimination: places increase. */
static int list_runs(const il_sparse *f, const front *from, const front *parent, run *runs) {
    const int *index = ints(f, INDEX) + from->first;
    const int *local = ints(f, LOCAL);
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
static entry *list_entries(const il_sparse *f, const front *fr, const il_rows *rows, entry *to) {
    const int *local = ints(f, LOCAL);
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
    return to;
}

/* Panels one after the other; three columns of scratch behind the last; then two stacks of updates,
 * one for every other generation: a front's own is made on one while those of its children still
 * lie on the other. */
static void place_numbers(il_sparse *f, front *fronts) {
    int *waiting = ints(f, STACK);
    int depth = 0;
    size_t panels = 0;
    for (int s = 0; s < f->fronts; s++) {
        front *fr = &fronts[s];
        fr->ld = (int)il_dense_rows(fr->f);
        fr->rest = (int)il_dense_update_rows(fr->f, fr->w);
        fr->panel = panels;
        fr->parent = -1;
        panels += (size_t)fr->ld * (size_t)fr->w;
        for (int c = 0; c < fr->children; c++) {
            fronts[waiting[--depth]].parent = s;
        }
        waiting[depth++] = s;
    }
    for (int s = f->fronts - 1; s >= 0; s--) {
        fronts[s].side = fronts[s].parent >= 0 && !fronts[fronts[s].parent].side;
    }
    panels += 3 * il_dense_rows(f->largest);
    size_t top[2] = {0, 0};
    size_t most[2] = {0, 0};
    depth = 0;
    for (int s = 0; s < f->fronts; s++) {
        front *fr = &fronts[s];
        int side = fr->side ? 1 : 0;
        fr->update = top[side];
        top[side] += (size_t)fr->rest * (size_t)fr->rest;
        most[side] = top[side] > most[side] ? top[side] : most[side];
        for (int c = 0; c < fr->children; c++) {
            top[1 - side] = fronts[waiting[--depth]].update;
        }
        waiting[depth++] = s;
    }
    for (int s = 0; s < f->fronts; s++) {
        fronts[s].update += panels + (fronts[s].side ? most[0] : 0);
    }
    f->stored = panels + most[0] + most[1];
}

/* Entries of INDEX: no update has more runs than the front has coordinates. */
static size_t coordinates(const il_sparse *f) {
    const front *fronts = f->memory[FRONTS].at;
    const front *last = &fronts[f->fronts - 1];
    return f->fronts > 0 ? (size_t)last->first + (size_t)last->f : 0;
}

bool il_sparse_plan(il_sparse *f, const il_rows *rows) {
    if (!il_sparse_need(f, RUNS, coordinates(f), sizeof(run)) ||
        !il_sparse_need(f, ENTRIES, rows->nnz, sizeof(entry)) ||
        !il_sparse_need(f, STACK, (size_t)f->fronts + 1, sizeof(int))) {
        return false;
    }
    front *fronts = f->memory[FRONTS].at;
    run *runs = f->memory[RUNS].at;
    entry *entries = f->memory[ENTRIES].at;
    int *waiting = ints(f, STACK);
    int depth = 0;
    int used = 0;
    place_numbers(f, fronts);
    for (int s = 0; s < f->fronts; s++) {
        const front *fr = &fronts[s];
        for (int k = 0; k < fr->f; k++) {
            ints(f, LOCAL)[ints(f, INDEX)[fr->first + k]] = k;
        }
        entries = list_entries(f, fr, rows, entries);
        for (int c = 0; c < fr->children; c++) {
            front *from = &fronts[waiting[--depth]];
            from->run0 = used;
            used += list_runs(f, from, fr, runs + used);
            from->run1 = used;
        }
        waiting[depth++] = s;
    }
    return true;
}

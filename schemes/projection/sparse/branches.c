/*
 * branches.c - which parts of the elimination tree several threads make at a time (Liu 1992,
 * section 8: subtrees that share nothing).
 *
 *     work(s)   of the subtree under front s
 *     trunk     the fronts with work(s) > work of all/BRANCHES_WANTED, the ancestors of all others
 *     branches  between two fronts of the trunk, subtrees one after the other up to that work
 *
 * A matrix with less than LITTLE work has no branches: threads would wait longer than they work.
 */
#include <gsl/gsl_heapsort.h>

#include "schemes/projection/sparse/layout.h"

/* Neither changes a number. */
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

bool il_sparse_branch(il_sparse *f) {
    front *fronts = f->memory[FRONTS].at;
    size_t most = (size_t)f->fronts;
    double all = 0.0;
    f->branches = 0;
    for (int s = 0; s < f->fronts; s++) {
        fronts[s].branch = -1;
        all += fronts[s].parent < 0 ? fronts[s].work : 0.0;
    }
    if (il_team_size(f->team) == 1 || all < LITTLE) {
        return true;
    }
    if (!il_sparse_need(f, BRANCHES, most, sizeof(branch)) ||
        !il_sparse_need(f, TURNS, most, sizeof(turn))) {
        return false;
    }
    cut(f, all / BRANCHES_WANTED);
    gsl_heapsort(f->memory[TURNS].at, (size_t)f->branches, sizeof(turn), by_work);
    return true;
}

/*
 * multipliers_step.c - the active constraints of a step, and the set of their multipliers as JSON.
 *
 * A scheme projects onto { x : g_i(t,y) + <grad g_i(t,y), x - y> >= 0 } with y = q_n (maury, venel)
 * or, at a fixed point of its iteration, y = q_{n+1} (paoli). The gradients of the active rows show
 * which. Active is what vanishes there at x = q_{n+1}.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/measure/multipliers.h"

/* A constraint is active up to this, relative to the size of the configuration: projections are
 * solved to 1e-12, and gaps that are really open are far larger. */
static const double ACTIVE = 1e-10;

/* Gradients that are the same agree to their rounding; those of a step that turned a contact by
 * less than this cannot be told apart, and need not be. */
static const double SAME = 1e-9;

typedef struct {
    const il_problem *problem;
    const il_step_report *report;
    double t;
    il_rows rows;   /* active, by increasing id */
    double *chosen; /* [rows.p] */
} active;

static int by_id(const void *a, const void *b) {
    size_t x = ((const size_t *)a)[0];
    size_t y = ((const size_t *)b)[0];
    return (x > y) - (x < y);
}

/* Have row i of one and row j of the other the same gradient? */
static bool same_gradient(const il_rows *one, size_t i, const il_rows *other, size_t j) {
    size_t n = one->start[i + 1] - one->start[i];
    if (other->start[j + 1] - other->start[j] != n) {
        return false;
    }
    for (size_t e = 0; e < n; e++) {
        size_t k = one->start[i] + e;
        size_t l = other->start[j] + e;
        if (one->col[k] != other->col[l] || !(fabs(one->coef[k] - other->coef[l]) <= SAME)) {
            return false;
        }
    }
    return true;
}

/* The row that has this id, or the number of rows. */
static size_t find(const active *w, size_t id) {
    const size_t *at = bsearch(&id, w->rows.id, w->rows.p, sizeof id, by_id);
    return at != NULL ? (size_t)(at - w->rows.id) : w->rows.p;
}

/* The rows active at x, linearised at y, by increasing id. */
static il_status find_active(active *w, const double *y, const double *x) {
    double slack = ACTIVE * (1.0 + il_largest(x, w->problem->d));
    il_rows found;
    il_rows_init(&found);
    il_rows_clear(&w->rows);
    il_status status = il_problem_scan(w->problem, w->t, y, x, slack, &found);
    size_t(*order)[2] = il_alloc(found.p, sizeof *order); /* ids, and the numbers of rows */
    free(w->chosen);
    w->chosen = il_alloc_zero(found.p, sizeof *w->chosen);
    for (size_t i = 0; i < found.p; i++) {
        order[i][0] = found.id[i];
        order[i][1] = i;
    }
    qsort(order, found.p, sizeof *order, by_id);
    for (size_t k = 0; k < found.p; k++) {
        il_rows_append_row(&w->rows, &found, order[k][1]);
    }
    free(order);
    il_rows_free(&found);
    return status;
}

/* The multipliers that the scheme picked for them. False if an active row is not among them or has
 * another gradient; pushing is its id then. */
static bool match(active *w, size_t *pushing) {
    const il_rows *solved = w->report->rows;
    for (size_t i = 0; i < solved->p; i++) {
        if (w->report->lambda[i] > 0.0) {
            size_t at = find(w, solved->id[i]);
            *pushing = solved->id[i];
            if (at == w->rows.p || !same_gradient(solved, i, &w->rows, at)) {
                return false;
            }
            w->chosen[at] = w->report->lambda[i];
        }
    }
    return true;
}

static void name_all(il_multipliers *m, const il_problem *problem) {
    m->name = il_alloc_zero(m->contacts, sizeof *m->name);
    for (size_t i = 0; i < m->contacts; i++) {
        (void)il_problem_describe(problem, m->id[i], m->name[i], sizeof m->name[i]);
    }
}

il_status il_multipliers_of_step(il_multipliers *out, const il_problem *problem, size_t n, double t,
                                 const il_state *in, const il_state *end,
                                 const il_step_report *report, il_error *err) {
    active w = {.problem = problem, .report = report, .t = t};
    size_t pushing = 0;
    char words[IL_DESCRIPTION_MAX];
    *out = (il_multipliers){0};
    il_rows_init(&w.rows);
    il_status status = find_active(&w, in->q, end->q);
    bool complete = status == IL_OK && match(&w, &pushing);
    if (status == IL_OK && !complete) {
        status = find_active(&w, end->q, end->q);
        complete = status == IL_OK && match(&w, &pushing);
    }
    if (status != IL_OK) {
        (void)il_fail(err, status, "the contacts of step %zu: %s", n, il_status_text(status));
    } else if (!complete) {
        status =
            il_fail(err, IL_EUNSUPPORTED,
                    "no set of multipliers for step %zu: %s are active, but their linearised gap "
                    "is not 0 to %g; allowed: schemes that project onto linearised constraints "
                    "or onto the true set, solved to that",
                    n, il_problem_describe(problem, pushing, words, sizeof words), ACTIVE);
    } else {
        status = il_multipliers_compute(out, problem->d, &w.rows, w.chosen, err);
    }
    if (status == IL_OK) {
        name_all(out, problem);
    }
    out->step = n;
    out->t = t;
    free(w.chosen);
    il_rows_free(&w.rows);
    if (status != IL_OK) {
        il_multipliers_free(out);
    }
    return status;
}

/* ---- JSON --------------------------------------------------------------------------------- */

json_t *il_multipliers_json(const il_multipliers *m) {
    json_t *ids = json_array();
    json_t *names = json_array();
    for (size_t i = 0; i < m->contacts; i++) {
        il_json_append(ids, json_integer((json_int_t)m->id[i]));
        il_json_append(names, json_string(m->name != NULL ? m->name[i] : ""));
    }
    return json_pack(
        "{s:I, s:o, s:I, s:I, s:I, s:I, s:o, s:{s:o, s:o}, s:{s:o, s:o, s:o}, s:o, "
        "s:o, s:o, s:o, s:o, s:o}",
        "step", (json_int_t)m->step, "t", il_json_number(m->t), "contacts", (json_int_t)m->contacts,
        "unknowns", (json_int_t)m->unknowns, "rank", (json_int_t)m->rank, "dimension",
        (json_int_t)m->dimension, "extent", il_json_number(m->extent), "total", "min",
        il_json_number(m->total_min), "max", il_json_number(m->total_max), "bound", "constant",
        il_json_number(m->constant), "force", il_json_number(m->force), "total",
        il_json_number(m->bound), "residual", il_json_number(m->residual), "id", ids, "name", names,
        "min", il_json_numbers(m->min, m->contacts), "max", il_json_numbers(m->max, m->contacts),
        "chosen", il_json_numbers(m->chosen, m->contacts));
}

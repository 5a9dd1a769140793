/*
 * faults_read.c - what the samples say of contacts: bodies that move into each other, the
 * coefficient of restitution, a drift of the momentum.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/judge/faults.h"

/* ---- overlaps ------------------------------------------------------------------------------- */

/* Row id at sample n as the last of rows. */
static bool row_at(const il_fault_work *w, size_t n, size_t id, il_rows *rows) {
    il_rows_clear(rows);
    return w->problem->type->row(w->problem, w->t[n], w->q + n * w->d, id, rows) == IL_OK;
}

/* The error that rounding and tolerances can make in a gap, and in its rate by the velocity u. */
static double gap_wrong(const il_fault_work *w, const il_rows *rows, size_t n) {
    double wrong = 0.0;
    for (size_t k = 0; k < rows->nnz; k++) {
        double q = w->q[n * w->d + rows->col[k]];
        wrong += fabs(rows->coef[k]) * (il_faults_wrong(w, q) + 1e-6 * (1.0 + fabs(q)));
    }
    return 2.0 * wrong + fabs(rows->rate[0]) * il_faults_wrong(w, w->t[n]);
}

static double rate_wrong(const il_fault_work *w, const il_rows *rows, size_t n) {
    double wrong = 1e-6 * (w->speed + fabs(rows->rate[0]));
    double h = w->t[n + 1] - w->t[n];
    double fall = 2.0 * h * w->acceleration; /* what moves in before a contact is noticed */
    for (size_t k = 0; k < rows->nnz; k++) {
        double u = w->u[(n + 1) * w->d + rows->col[k]];
        double q = w->has_u ? 0.0 : w->q[n * w->d + rows->col[k]];
        wrong +=
            fabs(rows->coef[k]) * (fall + il_faults_wrong(w, u) + 2.0 * il_faults_wrong(w, q) / h);
    }
    return 2.0 * wrong;
}

/* Does contact id overlap and approach, ever deeper, from sample n - lead to n + 1, by the
 * velocities behind both steps? A scheme that predicts contacts by half a step, or Paoli's, may
 * enter an overlap for a step and more, and differences for velocities lag by one: lead is 1 and
 * more. */
static bool deepens(const il_fault_work *w, size_t n, size_t id, size_t lead, il_rows *rows,
                    double *gap) {
    double before = INFINITY;
    for (size_t m = n - lead; m <= n + 1; m++) {
        if (!row_at(w, m, id, rows)) {
            return false;
        }
        double wrong = rate_wrong(w, rows, n);
        double g = rows->value[0];
        bool comes = rows->rate[0] + il_rows_dot(rows, 0, il_faults_velocity(w, n)) < -wrong &&
                     rows->rate[0] + il_rows_dot(rows, 0, w->u + (n + 1) * w->d) < -wrong;
        if (!comes || !(g < -gap_wrong(w, rows, m)) || !(g < before)) {
            return false;
        }
        *gap = m <= n ? g : *gap;
        before = g;
    }
    return true;
}

void il_faults_see_overlaps(il_fault_work *w, size_t n, const il_explained *e) {
    il_overlaps *all = &w->overlaps;
    il_rows row;
    /* one of several impacts at once may undo what another did, for a step or two; and Newton's
     * law, contact by contact, for longer */
    bool several = w->step[n].felt > 1 || (n > 1 && w->step[n - 1].felt + w->step[n - 2].felt > 2);
    size_t lead = (w->has_u ? 1U : 2U) + (several ? 2U : 0U);
    bool looks = n >= lead && w->problem->order == 2 && !(several && w->problem->restitution > 0.0);
    il_rows_init(&row);
    for (size_t i = 0; i < e->rows->p && looks; i++) {
        double gap = 0.0;
        if (e->rows->value[i] < 0.0 && deepens(w, n, e->rows->id[i], lead, &row, &gap)) {
            all->pushed += e->push[i] > e->allowed;
            all->deepest = fmin(all->deepest, gap);
            if (all->steps++ == 0) {
                all->step = n + 1;
                all->id = e->rows->id[i];
                all->gap = gap;
            }
        }
    }
    il_rows_free(&row);
}

/* (3): bodies that overlap move on into each other. Where impulses act meanwhile, these are
 * springs. */
void il_faults_overlaps(il_fault_work *w, il_faults *faults) {
    const il_overlaps *all = &w->overlaps;
    char words[IL_DESCRIPTION_MAX];
    if (all->steps == 0) {
        return;
    }
    il_problem_describe(w->problem, all->id, words, sizeof words);
    if (2 * all->pushed > all->steps && all->pushed > 1) {
        il_faults_add(faults, "a spring in place of an impact",
                      "contacts that overlap are pushed apart and go on approaching in %zu steps, "
                      "by up to %.4g; the first: %s, step %zu",
                      all->steps, -all->deepest, words, all->step);
    } else {
        il_faults_add(faults, "bodies move into each other",
                      "%s overlap by %.4g before step %zu, and their contact does not stop them; "
                      "in all %zu steps, by up to %.4g",
                      words, -all->gap, all->step, all->steps, -all->deepest);
    }
}

/* ---- restitution ---------------------------------------------------------------------------- */

typedef struct {
    size_t n;
    double *low, *high; /* [n] what each impact says of e */
} impacts;

static void add_impact(impacts *all, double low, double high) {
    il_memory_append(&all->low, all->n, sizeof *all->low);
    il_memory_append(&all->high, all->n, sizeof *all->high);
    all->low[all->n] = fmin(low, high);
    all->high[all->n++] = fmax(low, high);
}

/* e of u+ = u- - (1 + e) P_N u-, as u+ and u- stand in work: |u+ - u-|_M/|P_N u-|_M - 1; NaN where
 * the jump is none of that direction, or is small. *oblique is |u-|_M/|P_N u-|_M. work has room for
 * 4 d numbers. */
static double restitution(il_fault_work *w, const double *before, const double *after, double *work,
                          double *oblique) {
    const il_metric *mass = w->problem->mass;
    double *tangent = work + 2 * w->d;
    double *jump = work + 3 * w->d;
    if (!il_dynamics_tangent(w->dynamics, before, tangent)) {
        return NAN;
    }
    for (size_t k = 0; k < w->d; k++) {
        tangent[k] -= before[k]; /* -P_N u- */
        jump[k] = after[k] - before[k];
    }
    double normal = il_metric_inner(mass, tangent, tangent);
    double along = il_metric_inner(mass, tangent, jump);
    double whole = il_metric_inner(mass, jump, jump);
    double energy = il_metric_inner(mass, before, before);
    *oblique = sqrt(energy / normal);
    bool alike = along * along > 0.9999 * normal * whole && normal > 4e-4 * energy;
    return alike ? along / normal - 1.0 : NAN;
}

/* The share of step n after which body and wall, or bodies, meet in flight by contact id. */
static double moment(il_fault_work *w, size_t n, size_t id) {
    double h = w->t[n + 1] - w->t[n];
    double s = NAN;
    il_rows rows;
    il_rows_init(&rows);
    if (row_at(w, n, id, &rows)) {
        double g = rows.value[0];
        double v = rows.rate[0] + il_rows_dot(&rows, 0, w->u + n * w->d);
        double a = il_rows_dot(&rows, 0, w->scratch);
        double root = v * v - 2.0 * a * g;
        s = root >= 0.0 ? 2.0 * g / (-v + sqrt(root)) : NAN;
    }
    il_rows_free(&rows);
    return s >= 0.0 && s <= h ? s / h : NAN;
}

/* By how much the gradients of contacts that act turn from sample n to m, relative to themselves,
 * and their rates change, relative to the approach. A normal that is turned by that much changes
 * P_N u- by as much of u-: what curved constraints do to a coefficient, and a measure cannot tell
 * apart from it. */
static double turning(const il_fault_work *w, size_t n, size_t m, const il_explained *e) {
    double most = 0.0;
    il_rows rows;
    il_rows_init(&rows);
    for (size_t i = 0; i < e->rows->p; i++) {
        size_t id = e->rows->id[i];
        if (!(e->push[i] > e->allowed) || !row_at(w, n, id, &rows) ||
            w->problem->type->row(w->problem, w->t[m], w->q + m * w->d, id, &rows) != IL_OK) {
            continue;
        }
        size_t entries = rows.start[1];
        double size = il_largest(rows.coef, entries);
        double comes = rows.rate[0] + il_rows_dot(&rows, 0, il_faults_velocity(w, n));
        most = fmax(most, rows.rate[1] != rows.rate[0]
                              ? fabs(rows.rate[1] - rows.rate[0]) / fabs(comes)
                              : 0.0);
        for (size_t k = 0; k < entries && rows.nnz == 2 * entries && size > 0.0; k++) {
            most = fmax(most, fabs(rows.coef[entries + k] - rows.coef[k]) / size);
        }
    }
    il_rows_free(&rows);
    return most;
}

/* An impact begins in step n and is over in *last: contacts act neither in the two steps before nor
 * in the two behind. Or a single contact goes on acting, alone, for longer than any scheme takes to
 * end an impact: *stays. */
static bool is_alone(const il_fault_work *w, size_t n, size_t *last, bool *stays) {
    enum { LONG = 6 };
    const il_fault_step *step = w->step;
    size_t free_steps = 0;
    *last = n;
    *stays = false;
    if (!step[n - 2].known || !step[n - 1].known || step[n - 2].felt + step[n - 1].felt > 0) {
        return false;
    }
    for (size_t m = n + 1; free_steps < 2; m++) {
        if (m + 1 >= w->nodes || !step[m].known) {
            return false;
        }
        bool same = step[n].felt == 1 && step[m].felt == 1 && step[m].id == step[n].id;
        if (m > n + LONG && *last == m - 1) {
            *stays = true;
            *last = n + 2;
            return true;
        }
        if (step[m].felt > 0 && (free_steps > 0 || !(same || m <= n + 4))) {
            return false;
        }
        *last = step[m].felt > 0 ? m : *last;
        free_steps += step[m].felt == 0;
    }
    return *last <= n + 4;
}

/* The time of flight after an impact of contact id in step n with the coefficient e. INFINITY
 * without a force that brings the bodies back. */
static double flight_of(const il_fault_work *w, size_t id, size_t n, double e) {
    double time = INFINITY;
    il_rows rows;
    il_rows_init(&rows);
    if (row_at(w, n, id, &rows)) {
        double v = -(rows.rate[0] + il_rows_dot(&rows, 0, il_faults_velocity(w, n)));
        double a = -il_rows_dot(&rows, 0, w->scratch);
        time = a > 0.0 ? 2.0 * fmax(e, 0.0) * fmax(v, 0.0) / a : INFINITY;
    }
    il_rows_free(&rows);
    return time;
}

/* An impact in steps n to last (Paoli's scheme takes two): what the force adds meanwhile belongs
 * before or after it, and its time is unknown; in flight of one contact the gap tells. work has
 * room for 5 d numbers. */
static void see_impact(il_fault_work *w, size_t n, size_t last, bool stays, double *work,
                       impacts *all) {
    il_explained e;
    if (!il_faults_explain(w, n, &e)) {
        return;
    }
    size_t id = w->step[n].id;
    bool single = w->step[n].felt == 1;
    double *before = work;
    double *after = work + w->d;
    double *vary = work + 4 * w->d;
    const double *u = il_faults_velocity(w, n);
    double low = INFINITY;
    double high = -INFINITY;
    double time = w->t[last + 1] - w->t[n];
    double turns =
        2.0 * turning(w, n, last + 1, &e) + 4.0 * (w->track->resolution + IL_FAULTS_TOLERANCE);
    double changes = 0.0; /* of the force in the window */
    for (size_t m = n - 1; m <= last; m++) {
        il_faults_varying(w, m, e.mean, vary);
        changes += (w->t[m + 1] - w->t[m]) * sqrt(il_metric_inner(w->problem->mass, vary, vary));
    }
    il_metric_solve(w->problem->mass, e.mean, w->scratch);
    double at = w->between == IL_BETWEEN_BALLISTIC && single && w->has_u ? moment(w, n, id) : NAN;
    for (size_t k = 0; k < 4; k++) {
        double lead = !isnan(at) ? at : (double)(k % 2);
        double trail = !isnan(at) ? 1.0 - at : (k < 2 ? 0.0 : 1.0);
        double extra = w->has_u ? 0.0 : 0.5 * (w->t[n] - w->t[n - 1]); /* means are earlier */
        for (size_t c = 0; c < w->d; c++) {
            double gained = time * w->scratch[c];
            before[c] = u[c] + lead * gained + (lead > 0.0 ? extra * w->scratch[c] : 0.0);
            after[c] = w->u[(last + 1) * w->d + c] - trail * gained;
        }
        double oblique = 1.0;
        double x = restitution(w, before, after, work, &oblique);
        double wrong = (4.0 * e.allowed + 2.0 * changes) /
                       sqrt(il_metric_inner(w->problem->mass, before, before));
        if (isnan(x)) {
            return;
        }
        low = fmin(low, x - (turns + wrong) * oblique);
        high = fmax(high, x + (turns + wrong) * oblique);
    }
    /* Below 0 it is not over; a flight that fits into the window may hide another impact in it; and
     * a contact stays after an impact whose flight would. */
    double flight = single ? flight_of(w, id, n, stays ? w->problem->restitution : low) : INFINITY;
    if (high >= 0.0 && flight > 2.0 * time) {
        add_impact(all, low, high);
    }
}

/* (4): e lies outside of what most impacts, or all of them together, leave. */
static void judge_impacts(const il_fault_work *w, const impacts *all, il_faults *faults) {
    const double slack = 1e-7;
    double e = w->problem->restitution;
    size_t outside = 0;
    if (all->n == 0) {
        return;
    }
    for (size_t k = 0; k < all->n; k++) {
        outside += e < all->low[k] - slack || e > all->high[k] + slack;
    }
    qsort(all->low, all->n, sizeof *all->low, il_ascending);
    qsort(all->high, all->n, sizeof *all->high, il_ascending);
    double low = all->low[all->n / 2];
    double high = all->high[all->n / 2];
    faults->impacts = all->n;
    bool meet = all->low[all->n - 1] <= all->high[0] + slack; /* the intervals of all impacts do */
    low = meet ? all->low[all->n - 1] : low;
    high = meet ? all->high[0] : high;
    faults->e_low = low;
    faults->e_high = high;
    if ((meet || 4 * outside >= 3 * all->n) && (e < low - slack || e > high + slack)) {
        il_faults_add(faults, "another restitution",
                      "%zu impact%s give%s e = %.7g%s%.7g%s, and the problem has %.7g", all->n,
                      all->n == 1 ? "" : "s", all->n == 1 ? "s" : "", low,
                      high > low ? " to " : " (", high, high > low ? "" : ")", e);
    }
}

void il_faults_restitution(il_fault_work *w, il_faults *faults) {
    impacts all = {.n = 0};
    if (w->problem->order != 2) {
        return;
    }
    double *work = il_alloc(5 * w->d, sizeof *work);
    for (size_t n = 2; n + 3 < w->nodes; n++) {
        size_t last = n;
        bool stays = false;
        if (w->step[n].known && w->step[n].felt > 0 && is_alone(w, n, &last, &stays)) {
            see_impact(w, n, last, stays, work, &all);
        }
    }
    judge_impacts(w, &all, faults);
    free(all.low);
    free(all.high);
    free(work);
}

/* ---- momentum ------------------------------------------------------------------------------- */

/* (7): what contacts and the force do not explain grows by as much in every step. */
void il_faults_momentum(il_fault_work *w, il_faults *faults) {
    const il_problem *p = w->problem;
    size_t space = p->space > 0 ? p->space : 1;
    unsigned axes = (p->traits & IL_ROWS_INVARIANT) != 0 ? (1u << space) - 1u : p->conserved_axes;
    double force = 0.0;
    if (p->order != 2 || axes == 0 || il_metric_masses(p->mass) == NULL || !w->has_u) {
        return;
    }
    for (size_t k = 0; k < w->d; k++) {
        force += il_metric_masses(p->mass)[k] * w->acceleration;
    }
    for (size_t c = 0; c < space; c++) {
        double xy = 0.0;
        double xx = 0.0;
        double yy = 0.0;
        for (size_t n = 1; n < w->nodes && (axes >> c & 1u) != 0; n++) {
            double y = w->moved[n * space + c];
            xy += (double)n * y;
            xx += (double)n * (double)n;
            yy += y * y;
        }
        double slope = xx > 0.0 ? xy / xx : 0.0;
        double share = yy > 0.0 ? xy * xy / (xx * yy) : 0.0;
        double rounding = 1e-13 * w->momentum * sqrt((double)w->nodes * (double)w->d) +
                          8.0 * il_faults_wrong(w, w->momentum) +
                          4.0 * il_faults_wrong(w, w->t[w->nodes - 1]) * force;
        if (share > 0.98 && fabs(slope) * (double)w->nodes > rounding) {
            il_faults_add(faults, "a momentum that drifts",
                          "along axis %zu by %.4g a step, %.4g in all, where contacts keep it",
                          c + 1, slope, w->moved[(w->nodes - 1) * space + c]);
        }
    }
}

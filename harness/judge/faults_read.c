/*
 * faults_read.c - estimates from the samples: springs in place of impacts, another coefficient of
 * restitution, a drift of the momentum.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "harness/judge/faults.h"

/* ---- springs -------------------------------------------------------------------------------- */

/* Overlaps x of contacts, how fast they grow y, and forces f, of those that overlap for samples in
 * a row: sums of what a plane f = a + b x + c y is fitted by. */
typedef struct {
    size_t rows, row, last_id, last_step; /* the longest row, and the one at hand */
    double last_depth;
    double n, x, y, f, xx, xy, yy, xf, yf, ff;
    double deepest, least;
} spring;

static void see_overlap(spring *s, size_t step, size_t id, double depth, double force, double h) {
    bool goes_on = s->row > 0 && id == s->last_id && step == s->last_step + 1;
    if (goes_on) {
        double y = (depth - s->last_depth) / h;
        s->n += 1.0;
        s->x += depth;
        s->y += y;
        s->f += force;
        s->xx += depth * depth;
        s->xy += depth * y;
        s->yy += y * y;
        s->xf += depth * force;
        s->yf += y * force;
        s->ff += force * force;
    }
    s->row = goes_on ? s->row + 1 : 1;
    s->rows = s->row > s->rows ? s->row : s->rows;
    s->last_id = id;
    s->last_step = step;
    s->last_depth = depth;
    s->deepest = fmax(s->deepest, depth);
    s->least = fmin(s->least, depth);
}

/* The stiffness b where the plane explains most of the forces, and these vary; else NaN. */
static double stiffness(const spring *s) {
    double xx = s->xx - s->x * s->x / s->n;
    double xy = s->xy - s->x * s->y / s->n;
    double yy = s->yy - s->y * s->y / s->n;
    double xf = s->xf - s->x * s->f / s->n;
    double yf = s->yf - s->y * s->f / s->n;
    double ff = s->ff - s->f * s->f / s->n;
    double det = xx * yy - xy * xy;
    bool varies = s->rows >= 4 && s->n >= 4.0 && s->deepest > 1.2 * s->least &&
                  det > 1e-9 * xx * yy && ff > 1e-6 * s->ff;
    double b = (xf * yy - yf * xy) / det;
    double c = (yf * xx - xf * xy) / det;
    return varies && b > 0.0 && b * xf + c * yf > 0.8 * ff ? b : NAN;
}

/* ---- restitution ---------------------------------------------------------------------------- */

typedef struct {
    size_t n;
    double *low, *high; /* [n] what each impact says of e */
} impacts;

/* Does the impulse of contact i make itself felt? */
static bool acts(const il_fault_work *w, const il_explained *e, size_t i) {
    return e->lambda[i] > 1e-9 * w->speed;
}

/* How many contacts act in each step, into felt[nodes - 1]; SIZE_MAX: unknown. */
static il_status count_felt(il_fault_work *w, size_t *felt, il_error *err) {
    il_status status = IL_OK;
    for (size_t n = 0; status != IL_ENOMEM && n + 1 < w->nodes; n++) {
        il_explained e;
        status = il_faults_explain(w, n, &e, err);
        felt[n] = status == IL_OK ? 0 : SIZE_MAX;
        for (size_t i = 0; status == IL_OK && i < e.rows->p; i++) {
            felt[n] += acts(w, &e, i);
        }
    }
    return status == IL_ENOMEM ? status : IL_OK;
}

static il_status add_impact(impacts *all, double low, double high, il_error *err) {
    if (!il_memory_append(&all->low, all->n, sizeof *all->low) ||
        !il_memory_append(&all->high, all->n, sizeof *all->high)) {
        return il_fail(err, IL_ENOMEM, "no memory for impacts");
    }
    all->low[all->n] = fmin(low, high);
    all->high[all->n++] = fmax(low, high);
    return IL_OK;
}

/* e of u+ = u- - (1 + e) P_N u-, as u+ and u- stand in work: |u+ - u-|_M/|P_N u-|_M - 1; NaN where
 * the jump is none of that direction, or is small. *oblique is |u-|_M/|P_N u-|_M. work has room for
 * 4 d numbers. */
static double restitution(il_fault_work *w, double *before, const double *after, double *work,
                          double *oblique) {
    const il_metric *mass = w->problem->mass;
    double *tangent = work + 2 * w->d;
    double *jump = work + 3 * w->d;
    if (!il_dynamics_tangent(w->dynamics, 1e-9 * w->speed, before, tangent)) {
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

/* The share of step n after which body and wall, or bodies, meet in flight by contact i of e. */
static double moment(il_fault_work *w, size_t n, const il_explained *e, size_t i) {
    double h = w->t[n + 1] - w->t[n];
    il_rows rows;
    il_rows_init(&rows);
    bool good =
        w->problem->type->row(w->problem, w->t[n], w->q + n * w->d, e->rows->id[i], &rows) == IL_OK;
    double g = good ? rows.value[0] : NAN;
    double v = e->rows->rate[i] + il_rows_dot(e->rows, i, w->u + n * w->d);
    double a = il_rows_dot(e->rows, i, w->scratch);
    il_rows_free(&rows);
    double root = v * v - 2.0 * a * g;
    double s = root >= 0.0 ? 2.0 * g / (-v + sqrt(root)) : NAN;
    return s >= 0.0 && s <= h ? s / h : NAN;
}

/* By how much the gradients of contacts that act turn from sample n to m, relative to themselves. A
 * normal that is turned by that much changes P_N u- by as much of u-: what curved constraints do to
 * a coefficient, and a measure cannot tell apart from it. */
static double turning(il_fault_work *w, size_t n, size_t m, const il_explained *e) {
    double most = 0.0;
    il_rows rows;
    il_rows_init(&rows);
    for (size_t i = 0; i < e->rows->p; i++) {
        size_t id = e->rows->id[i];
        il_rows_clear(&rows);
        if (!acts(w, e, i) ||
            w->problem->type->row(w->problem, w->t[n], w->q + n * w->d, id, &rows) != IL_OK ||
            w->problem->type->row(w->problem, w->t[m], w->q + m * w->d, id, &rows) != IL_OK) {
            continue;
        }
        size_t entries = rows.start[1];
        double size = il_largest(rows.coef, entries);
        for (size_t k = 0; k < entries && rows.nnz == 2 * entries && size > 0.0; k++) {
            most = fmax(most, fabs(rows.coef[entries + k] - rows.coef[k]) / size);
        }
    }
    il_rows_free(&rows);
    return most;
}

/* Do contacts act in steps first .. *last alone, two free ones before and behind? */
static bool is_alone(const il_fault_work *w, const size_t *felt, size_t first, size_t *last) {
    *last = first;
    if (felt[first - 2] > 0 || felt[first - 1] > 0) {
        return false;
    }
    size_t free_steps = 0;
    for (size_t n = first + 1; free_steps < 2; n++) {
        if (n + 1 >= w->nodes || n > first + 4 || (felt[n] > 0 && free_steps > 0)) {
            return false;
        }
        *last = felt[n] > 0 ? n : *last;
        free_steps += felt[n] == 0;
    }
    return true;
}

/* An impact in steps n to last (Paoli's scheme takes two): what the force adds meanwhile belongs
 * before or after it, and its time is unknown; in flight of one contact the gap tells. work has
 * room for 4 d numbers. */
static il_status see_impact(il_fault_work *w, size_t n, size_t last, bool single, double *work,
                            impacts *all, il_error *err) {
    il_explained e;
    il_status status = il_faults_explain(w, n, &e, err);
    if (status != IL_OK) {
        return status;
    }
    double *before = work;
    double *after = work + w->d;
    double low = INFINITY;
    double high = -INFINITY;
    double at = NAN;
    double turns = 2.0 * turning(w, n, last + 1, &e);
    il_metric_solve(w->problem->mass, e.mean, w->scratch);
    if (w->between == IL_BETWEEN_BALLISTIC && single) {
        size_t i = 0;
        while (!acts(w, &e, i)) {
            i++;
        }
        at = moment(w, n, &e, i);
    }
    for (size_t k = 0; k < 3; k++) {
        double share = isnan(at) ? 0.5 * (double)k : at;
        for (size_t c = 0; c < w->d; c++) {
            double gained = (w->t[last + 1] - w->t[n]) * w->scratch[c];
            before[c] = w->u[n * w->d + c] + share * gained;
            after[c] = w->u[(last + 1) * w->d + c] - (1.0 - share) * gained;
        }
        double oblique = 1.0;
        double x = restitution(w, before, after, work, &oblique);
        if (isnan(x)) {
            return IL_OK;
        }
        low = fmin(low, x - turns * oblique);
        high = fmax(high, x + turns * oblique);
    }
    return add_impact(all, low, high, err);
}

/* e lies in none of the intervals of most impacts. */
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
    faults->e_low = meet ? all->low[all->n - 1] : low;
    faults->e_high = meet ? all->high[0] : high;
    if (4 * outside >= 3 * all->n && (e < low - slack || e > high + slack)) {
        il_faults_add(faults, "another restitution",
                      "%zu impacts give e = %.7g%s%.7g%s, and the problem has %.7g", all->n, low,
                      high > low ? " to " : " (", high, high > low ? "" : ")", e);
    }
}

/* ---- momentum ------------------------------------------------------------------------------- */

/* What contacts and the force do not explain of the momentum along axis c, up to each sample, into
 * moved[nodes]; *scale is the largest momentum of a coordinate. False where a step cannot be
 * explained. */
static bool follow_momentum(il_fault_work *w, size_t c, const double *mass, double *moved,
                            double *scale) {
    size_t space = w->problem->space > 0 ? w->problem->space : 1;
    moved[0] = 0.0;
    for (size_t n = 0; n + 1 < w->nodes; n++) {
        il_explained e;
        double h = w->t[n + 1] - w->t[n];
        if (il_faults_explain(w, n, &e, NULL) != IL_OK) {
            return false;
        }
        moved[n + 1] = moved[n];
        for (size_t k = c; k < w->d; k += space) {
            double u = w->u[(n + 1) * w->d + k];
            moved[n + 1] += mass[k] * (u - il_faults_velocity(w, n)[k]) - h * e.mean[k];
            *scale = fmax(*scale, mass[k] * fabs(u));
        }
    }
    return true;
}

/* A momentum that grows by as much in every step: a line fits what it has moved. */
static il_status read_momentum(il_fault_work *w, il_faults *faults, il_error *err) {
    const il_problem *p = w->problem;
    const double *mass = il_metric_masses(p->mass);
    size_t space = p->space > 0 ? p->space : 1;
    unsigned axes = (p->traits & IL_ROWS_INVARIANT) != 0 ? (1u << space) - 1u : p->conserved_axes;
    if (p->order != 2 || axes == 0 || mass == NULL) {
        return IL_OK;
    }
    double *moved = malloc(w->nodes * sizeof *moved);
    if (moved == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to look at the momentum");
    }
    for (size_t c = 0; c < space; c++) {
        double scale = 0.0;
        double xy = 0.0;
        double xx = 0.0;
        double yy = 0.0;
        if ((axes >> c & 1u) == 0 || !follow_momentum(w, c, mass, moved, &scale)) {
            continue;
        }
        for (size_t n = 1; n < w->nodes; n++) {
            xy += (double)n * moved[n];
            xx += (double)n * (double)n;
            yy += moved[n] * moved[n];
        }
        double slope = xy / xx;
        double share = yy > 0.0 ? xy * xy / (xx * yy) : 0.0;
        double rounding = 1e-15 * scale * sqrt((double)w->nodes * (double)w->d);
        if (share > 0.98 && fabs(slope) * (double)w->nodes > 100.0 * rounding) {
            il_faults_add(faults, "a momentum that drifts",
                          "along axis %zu by %.4g a step, %.4g in all, where contacts keep it",
                          c + 1, slope, moved[w->nodes - 1]);
        }
    }
    free(moved);
    return IL_OK;
}

/* ---- both ----------------------------------------------------------------------------------- */

il_status il_faults_read(il_fault_work *w, il_faults *faults, il_error *err) {
    impacts all = {.n = 0};
    if (w->problem->order != 2) {
        return IL_OK;
    }
    double *work = malloc(4 * w->d * sizeof *work);
    size_t *felt = calloc(w->nodes, sizeof *felt);
    if (work == NULL || felt == NULL) {
        free(work);
        free(felt);
        return il_fail(err, IL_ENOMEM, "no memory to look for impacts");
    }
    il_status status = count_felt(w, felt, err);
    for (size_t n = 2; status == IL_OK && n + 3 < w->nodes; n++) {
        size_t last = n;
        if (felt[n] > 0 && felt[n] != SIZE_MAX && is_alone(w, felt, n, &last)) {
            status = see_impact(w, n, last, felt[n] == 1, work, &all, err);
        }
    }
    if (status == IL_OK) {
        judge_impacts(w, &all, faults);
        status = read_momentum(w, faults, err);
    }
    free(all.low);
    free(all.high);
    free(work);
    free(felt);
    return status;
}

il_status il_faults_springs(il_fault_work *w, il_faults *faults, il_error *err) {
    spring s = {.least = INFINITY};
    double least = 1e-9 * (1.0 + il_largest(w->q, w->d));
    for (size_t n = 0; n + 1 < w->nodes && w->problem->order == 2; n++) {
        il_explained e;
        double h = w->t[n + 1] - w->t[n];
        il_status status = il_faults_explain(w, n, &e, err);
        if (status == IL_ENOMEM) {
            return status;
        }
        for (size_t i = 0; status == IL_OK && i < e.rows->p; i++) {
            if (acts(w, &e, i) && e.rows->value[i] < -least) {
                see_overlap(&s, n, e.rows->id[i], -e.rows->value[i], e.lambda[i] / h, h);
            }
        }
    }
    double b = stiffness(&s);
    if (!isnan(b)) {
        il_faults_add(faults, "a spring in place of an impact",
                      "contacts overlap by up to %.4g over %zu samples in a row, and their force "
                      "grows by %.4g with the overlap",
                      s.deepest, s.rows, b);
    }
    return IL_OK;
}

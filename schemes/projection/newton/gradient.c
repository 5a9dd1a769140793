/*
 * gradient.c - accelerated projected gradients (Nesterov 1983; Beck & Teboulle 2009) with adaptive
 * restart (O'Donoghue & Candes 2015) on the dual,
 *
 *     lambda_{k+1} = max(0, y_k - g(y_k)/(L W_ii)),     g(y) = a + s B (t + s M^{-1} B' y),
 *     y_{k+1}      = lambda_{k+1} + beta (lambda_{k+1} - lambda_k).
 *
 * g is affine, so g(y) follows from g(lambda_{k+1}) and g(lambda_k), and an iteration is one pass
 * over the rows. L starts at the norm of two unit rows that share a body, and grows where a step d
 * has d' W d > L sum_i W_ii d_i^2 with W = s^2 B M^{-1} B'. The momentum is dropped where it points
 * uphill.
 *
 * The number of iterations grows with the length of chains of contacts, which a factor does not
 * see; a pass costs as little as a few numbers a row. So this serves where few bodies stand behind
 * each other and fronts are large: in space.
 *
 * Sums over rows are taken in parts cut by their number, then over the parts in order, so that no
 * bit depends on who makes them.
 */
#include "schemes/projection/newton/gradient.h"

#include <math.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"

/* The first L, and by how much it grows. */
static const double FIRST_NORM = 2.0;
static const double GROWTH = 1.2;

/* Rows of a part, and parts. */
enum { GRAIN = 1024, PARTS = IL_TEAM_LOOP };

/* Passes between two looks whether somebody wants to stop. */
enum { LOOK = 64 };

/* What a pass sums over the rows. */
typedef struct {
    double bend;     /* d' W d of the step d from y, */
    double length2;  /* sum_i W_ii d_i^2, */
    double slope;    /* <g(y), lambda_{k+1} - lambda_k> */
    double residual; /* and the natural residual at lambda_{k+1} */
    bool lost;       /* a gap is not finite */
} sums;

typedef struct {
    il_dual *w;
    const il_qp *qp;
    double norm; /* L */
    double beta;
    double *lambda, *before, *next; /* [p] */
    double *g, *g_before, *g_next;  /* [p] gaps there */
    double *g0;                     /* [p] gaps without multipliers */
    double *y;                      /* [touched] s^2 M^{-1} B' lambda_{k+1} */
    sums of[PARTS];
} descent;

static size_t parts_of(size_t n) {
    size_t parts = il_team_parts(n, GRAIN);
    return parts < PARTS ? parts : PARTS;
}

/* ---- one pass -------------------------------------------------------------------------------- */

static void step_rows(void *context, size_t part, size_t member) {
    const descent *s = context;
    size_t p = s->qp->rows->p;
    size_t end = il_team_first(p, parts_of(p), part + 1);
    (void)member;
    for (size_t i = il_team_first(p, parts_of(p), part); i < end; i++) {
        double y = s->lambda[i] + s->beta * (s->lambda[i] - s->before[i]);
        double g = s->g[i] + s->beta * (s->g[i] - s->g_before[i]);
        double next = y - g * s->w->inverse[i] / s->norm;
        s->next[i] = next > 0.0 ? next : 0.0;
    }
}

/* y = s^2 M^{-1} B' next, by coordinates. */
static void push_coordinates(void *context, size_t part, size_t member) {
    const descent *s = context;
    const il_dual *w = s->w;
    size_t end = il_team_first(w->touched, parts_of(w->touched), part + 1);
    (void)member;
    for (size_t t = il_team_first(w->touched, parts_of(w->touched), part); t < end; t++) {
        double y = 0.0;
        for (size_t e = w->from[t]; e < w->from[t + 1]; e++) {
            double c = s->next[w->of[e].row];
            y += c != 0.0 ? c * w->of[e].coef : 0.0;
        }
        s->y[t] = y * w->give[t];
    }
}

/* The same, by rows. */
static void push_rows(const descent *s) {
    const il_dual *w = s->w;
    const il_rows *rows = s->qp->rows;
    memset(s->y, 0, w->touched * sizeof *s->y);
    for (size_t i = 0; i < rows->p; i++) {
        double c = s->next[i];
        for (size_t e = rows->start[i]; c != 0.0 && e < rows->start[i + 1]; e++) {
            s->y[w->place[e]] += c * rows->coef[e];
        }
    }
    for (size_t t = 0; t < w->touched; t++) {
        s->y[t] *= w->give[t];
    }
}

static void measure_rows(void *context, size_t part, size_t member) {
    descent *s = context;
    const il_dual *w = s->w;
    const il_rows *rows = s->qp->rows;
    size_t end = il_team_first(rows->p, parts_of(rows->p), part + 1);
    sums m = {.residual = 0.0};
    (void)member;
    for (size_t i = il_team_first(rows->p, parts_of(rows->p), part); i < end; i++) {
        double g = s->g0[i];
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            g += s->y[w->place[e]] * rows->coef[e];
        }
        double next = s->next[i];
        double d = next - (s->lambda[i] + s->beta * (s->lambda[i] - s->before[i]));
        double g_y = s->g[i] + s->beta * (s->g[i] - s->g_before[i]);
        double alone = next * w->delassus[i];
        double off = fabs(alone < g ? alone : g);
        s->g_next[i] = g;
        m.bend += d * (g - g_y);
        m.length2 += d * d * w->delassus[i];
        m.slope += g_y * (next - s->lambda[i]);
        m.residual = off > m.residual ? off : m.residual;
        m.lost = m.lost || !isfinite(g);
    }
    s->of[part] = m;
}

/* lambda_{k+1} and its gaps, in next and g_next. */
static sums pass(descent *s) {
    il_team *team = s->w->team;
    size_t parts = parts_of(s->qp->rows->p);
    sums all = {.residual = 0.0};
    il_team_run(team, parts, step_rows, s);
    if (team != NULL) {
        il_team_run(team, parts_of(s->w->touched), push_coordinates, s);
    } else {
        push_rows(s);
    }
    il_team_run(team, parts, measure_rows, s);
    for (size_t k = 0; k < parts; k++) {
        all.bend += s->of[k].bend;
        all.length2 += s->of[k].length2;
        all.slope += s->of[k].slope;
        all.residual = fmax(all.residual, s->of[k].residual);
        all.lost = all.lost || s->of[k].lost;
    }
    return all;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* next becomes lambda, lambda becomes before. */
static void accept(descent *s) {
    double *free_lambda = s->before;
    double *free_g = s->g_before;
    s->before = s->lambda;
    s->lambda = s->next;
    s->next = free_lambda;
    s->g_before = s->g;
    s->g = s->g_next;
    s->g_next = free_g;
}

/* The gaps at lambda, which is also the point before. */
static void begin(descent *s, const double *lambda) {
    il_dual *w = s->w;
    size_t p = s->qp->rows->p;
    for (size_t i = 0; i < p; i++) {
        s->g0[i] = s->qp->a[i] + s->qp->scale * il_rows_dot(s->qp->rows, i, s->qp->target);
        s->lambda[i] = s->before[i] = lambda[i];
        s->g[i] = s->g_before[i] = 0.0; /* so that the first pass stays */
        w->inverse[i] = 1.0 / w->delassus[i];
    }
    (void)pass(s);
    memcpy(s->g, s->g_next, p * sizeof *s->g);
    memcpy(s->g_before, s->g_next, p * sizeof *s->g);
}

/* Nesterov's sequence: theta of the next iteration, and beta. */
static double momentum(double theta, double *beta) {
    double square = theta * theta;
    double next = 0.5 * (theta * sqrt(square + 4.0) - square);
    *beta = theta * (1.0 - theta) / (square + next);
    return next;
}

static il_status descend(descent *s, double tolerance, size_t most) {
    double theta = 1.0;
    for (size_t k = 1; k < most; k++) { /* one was made to begin */
        if (k % LOOK == 0 && il_interrupted()) {
            return IL_EINTERRUPTED;
        }
        sums m = pass(s);
        if (m.lost) {
            return IL_ENUMERIC;
        }
        if (m.bend > s->norm * m.length2) {
            s->norm = fmax(GROWTH * s->norm, m.bend / m.length2);
            continue;
        }
        accept(s);
        if (m.residual <= tolerance) {
            return IL_OK;
        }
        theta = momentum(m.slope > 0.0 ? 1.0 : theta, &s->beta);
    }
    return IL_ESTALLED;
}

il_status il_gradient_run(il_dual *w, const il_qp *qp, double tolerance, size_t most,
                          double *lambda) {
    if (!il_dual_place(w, qp)) {
        return IL_ENOMEM;
    }
    descent s = {.w = w,
                 .qp = qp,
                 .norm = FIRST_NORM,
                 .lambda = w->delta,
                 .before = w->dl,
                 .next = w->c,
                 .g = w->z,
                 .g_before = w->dz,
                 .g_next = w->w,
                 .g0 = w->base_g,
                 .y = w->cg_x};
    begin(&s, lambda);
    il_status status = descend(&s, tolerance, most);
    memcpy(lambda, s.lambda, qp->rows->p * sizeof *lambda);
    return status;
}

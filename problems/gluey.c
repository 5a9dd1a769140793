/*
 * gluey.c - a point and a wall, or two spheres on a line, pressed together and pulled apart, with
 * contacts that hold (Maury 2007; Lefebvre 2009; Bernicot & Lefebvre-Lepot 2010, Remark 4.3).
 *
 * With D >= 0 the gap, V = D' and m the mass of the point, or m_1 m_2 / (m_1 + m_2) of the spheres,
 *
 *     m V' = F(t) + lambda,  D >= 0,  gamma <= 0,  D gamma = 0,  gamma' = -lambda,  V+ = P_C V-,
 *     C = {0} if gamma < 0, {v >= 0} if gamma = 0 and D = 0, R if D > 0.
 *
 * W = m V + gamma has W' = F and no jumps. In contact V = 0, so that gamma = W: an impact leaves
 * gamma = m V-, minus its percussion, the contact lasts while W < 0, and it lets go with V = 0 when
 * the impulse of F has brought W back to 0. F is piecewise constant, so that D is a parabola
 * between events, which are roots of polynomials of degree 2 and 1. Without glue W is set to 0 in
 * contact.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/problem.h"

#include "harness/base/text.h"

/* Beyond this many switches of the force the problem is refused. */
enum { SWITCHES_MAX = 100000 };

/* A piece of the motion: from t on, with the gap D, its rate V and the acceleration a. */
typedef struct {
    double t, D, V, a;
} piece;

typedef struct {
    il_problem *self; /* while it is made */
    bool spheres, glue;
    double masses[2], radii[2];
    double m; /* of the relative motion */
    double gap, speed, press, pull, turn, period;
    double gamma;
    double q0[2], u0[2];
    size_t nswitches;
    double *switches; /* [nswitches] where F may jump, 0 and the horizon included */
    size_t n;         /* pieces */
    piece *pieces;
    double *breaks; /* [n + 1] */
} gluey;

/* ---- the force ------------------------------------------------------------------------------ */

/* The time since the cycle of t began; *cycles come before it. */
static double phase(const gluey *w, double t, double *cycles) {
    *cycles = w->period > 0.0 ? floor(t / w->period) : 0.0;
    return t - *cycles * w->period;
}

static double force_at(const gluey *w, double t) {
    double cycles = 0.0;
    return phase(w, t, &cycles) < w->turn ? -w->press : w->pull;
}

/* int_0^t F */
static double impulse_to(const gluey *w, double t) {
    double cycles = 0.0;
    double s = phase(w, t, &cycles);
    double whole = cycles * (w->pull * (w->period - w->turn) - w->press * w->turn);
    return (cycles > 0.0 ? whole : 0.0) +
           (w->pull * fmax(0.0, s - w->turn) - w->press * fmin(s, w->turn));
}

/* F on the gap is F on the point, or -F on the first sphere and F on the second. */
static void spread(const gluey *w, double F, double *f) {
    f[0] = w->spheres ? -F : F;
    if (w->spheres) {
        f[1] = F;
    }
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    (void)q;
    spread(self->data, force_at(self->data, t), f);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    const gluey *w = self->data;
    (void)q;
    spread(w, (impulse_to(w, t1) - impulse_to(w, t0)) / (t1 - t0), f);
}

/* 0, every turn and every period before the horizon, the horizon. */
static il_status list_switches(gluey *w, double horizon, il_error *err) {
    double count = w->period > 0.0 ? 2.0 * ceil(horizon / w->period) + 2.0 : 3.0;
    if (!(count <= SWITCHES_MAX)) {
        return il_fail(err, IL_EINVAL,
                       "parameter 'period' is %g; the force would turn %.3g times before the end "
                       "at %g, allowed: at most %d",
                       w->period, count, horizon, SWITCHES_MAX);
    }
    w->switches = il_problem_alloc(w->self, (size_t)count, sizeof *w->switches);
    size_t n = 0;
    for (size_t k = 0; n == 0 || (w->period > 0.0 && (double)k * w->period < horizon); k++) {
        double start = (double)k * w->period;
        w->switches[n++] = start;
        if (start + w->turn < horizon) {
            w->switches[n++] = start + w->turn;
        }
    }
    w->switches[n++] = horizon;
    w->nswitches = n;
    return IL_OK;
}

/* ---- the constraint ------------------------------------------------------------------------- */

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col[2] = {0, 1};
    static const double one = 1.0;
    static const double pair[2] = {-1.0, 1.0};
    const gluey *w = self->data;
    (void)t;
    if (!w->spheres) {
        il_rows_append(rows, id, q[0], 0.0, 1, col, &one);
        return IL_OK;
    }
    il_rows_append(rows, id, (q[1] - q[0]) - (w->radii[0] + w->radii[1]), 0.0, 2, col, pair);
    return IL_OK;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    const gluey *w = self->data;
    (void)id;
    (void)snprintf(out, capacity, w->spheres ? "spheres 1 and 2" : "the point and the wall");
}

/* ---- the exact solution --------------------------------------------------------------------- */

/* The forces have no resultant: the centre of mass stays where it is. */
static void place(const gluey *w, double D, double V, double *q, double *u) {
    q[0] = D;
    u[0] = V;
    if (w->spheres) {
        double total = w->masses[0] + w->masses[1];
        double moved = D - w->gap;
        q[0] = -w->masses[1] / total * moved;
        q[1] = w->radii[0] + w->radii[1] + w->gap + w->masses[0] / total * moved;
        u[0] = -w->masses[1] / total * V;
        u[1] = w->masses[0] / total * V;
    }
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const gluey *w = exact->data;
    const piece *p = &w->pieces[il_exact_piece(exact, t, side)];
    double s = t - p->t;
    place(w, p->D + s * (p->V + 0.5 * p->a * s), p->V + p->a * s, q, u);
}

/* The part of m V that the force does not explain. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const gluey *w = exact->data;
    const piece *p = &w->pieces[il_exact_piece(exact, t, side)];
    double V = p->V + p->a * (t - p->t);
    Lambda[0] = w->m * (V - w->speed) - impulse_to(w, t);
}

/* Append a piece, in place of the last one if that has no length. */
static void append(gluey *w, piece next) {
    if (w->n > 0 && w->pieces[w->n - 1].t >= next.t) {
        w->n--;
    }
    il_problem_append(w->self, &w->pieces, w->n, sizeof *w->pieces);
    w->pieces[w->n++] = next;
}

/* The first s > 0 with D + V s + a s^2/2 = 0 for D >= 0, without cancellation; INFINITY: none. */
static double contact_time(double D, double V, double a) {
    double root2 = V * V - 2.0 * a * D;
    if (V < 0.0) {
        return root2 >= 0.0 ? 2.0 * D / (sqrt(root2) - V) : INFINITY;
    }
    return a < 0.0 ? (V + sqrt(root2)) / -a : INFINITY;
}

/* The motion at an event. In contact V = 0 = D and W = gamma. */
typedef struct {
    double t, D, V, W;
    bool contact;
} instant;

/* At D = 0 and V <= 0, with W = m V- + gamma-. */
static void touch(const gluey *w, double W, instant *now) {
    now->contact = true;
    now->D = 0.0;
    now->V = 0.0;
    now->W = w->glue ? fmin(W, 0.0) : 0.0;
}

/* From now to the next event, at `end` at the latest, under the constant force F. */
static void advance(gluey *w, double F, double end, instant *now) {
    if (now->contact && now->W == 0.0 && F > 0.0) {
        now->contact = false; /* nothing holds it */
    }
    if (now->contact) {
        double ends = F > 0.0 ? now->t - now->W / F : INFINITY;
        append(w, (piece){.t = now->t});
        now->W = ends < end ? 0.0 : w->glue ? fmin(0.0, now->W + F * (end - now->t)) : 0.0;
        now->t = fmin(ends, end);
        return;
    }
    double a = F / w->m;
    double meets = now->t + contact_time(now->D, now->V, a);
    append(w, (piece){now->t, now->D, now->V, a});
    double s = fmin(meets, end) - now->t;
    now->D += s * (now->V + 0.5 * a * s);
    now->V += a * s;
    now->t = fmin(meets, end);
    if (meets < end) {
        touch(w, w->m * fmin(now->V, 0.0), now);
    }
    now->D = fmax(now->D, 0.0); /* the rounding of an event that `end` cut short */
}

static void solve(gluey *w) {
    instant now = {.D = w->gap, .V = w->speed};
    if (w->gap == 0.0 && w->speed <= 0.0) {
        touch(w, w->m * w->speed + w->gamma, &now);
    }
    for (size_t k = 0; k + 1 < w->nswitches; k++) {
        double end = w->switches[k + 1];
        double F = k % 2 == 0 ? -w->press : w->pull;
        while (now.t < end) {
            advance(w, F, end, &now);
        }
    }
}

static void make_exact(il_problem *self, gluey *w) {
    solve(w);
    w->breaks = il_problem_alloc(self, w->n + 1, sizeof *w->breaks);
    for (size_t k = 0; k < w->n; k++) {
        w->breaks[k] = w->pieces[k].t;
    }
    w->breaks[w->n] = self->horizon;
    il_problem_offer(self, (il_exact){.origin = "closed form",
                                      .quadratic = true,
                                      .nbreaks = w->n + 1,
                                      .breaks = w->breaks,
                                      .eval = exact_eval,
                                      .impulse = exact_impulse});
}

/* ---- the problem ---------------------------------------------------------------------------- */

static il_status read_params(gluey *w, const il_params *params, il_error *err) {
    w->spheres = strcmp(il_params_choice(params, "scenario"), "spheres") == 0;
    w->glue = strcmp(il_params_choice(params, "glue"), "on") == 0;
    w->gap = il_params_number(params, "gap");
    w->speed = il_params_number(params, "speed");
    w->press = il_params_number(params, "press");
    w->pull = il_params_number(params, "pull");
    w->turn = il_params_number(params, "turn");
    w->period = il_params_number(params, "period");
    w->gamma = w->glue ? il_params_number(params, "gamma") : 0.0;
    const il_params_target vectors[] = {
        {"masses", w->masses, 2, true}, {"radii", w->radii, 2, true}, {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    if (status != IL_OK) {
        return status;
    }
    if (w->period > 0.0 && !(w->period > w->turn)) {
        return il_fail(err, IL_EINVAL,
                       "parameter 'period' is %s; allowed: 0 for none, or more than turn = %s",
                       il_text_numeral(w->period).text, il_text_numeral(w->turn).text);
    }
    if (w->gamma < 0.0 && !(w->gap == 0.0 && w->speed <= 0.0)) {
        return il_fail(err, IL_EINVAL,
                       "parameter 'gamma' is %g with gap = %g and speed = %g; what holds is in "
                       "contact and does not part: allowed with gap = 0 and speed <= 0 only",
                       w->gamma, w->gap, w->speed);
    }
    return IL_OK;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    gluey *w = self->data;
    w->self = self;
    il_status status = read_params(w, params, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, w->spheres ? 2 : 1, w->masses, err);
    }
    if (status == IL_OK) {
        status = list_switches(w, self->horizon, err);
    }
    if (status != IL_OK) {
        return status;
    }
    w->m = w->spheres ? w->masses[0] * w->masses[1] / (w->masses[0] + w->masses[1]) : w->masses[0];
    make_exact(self, w);
    place(w, w->gap, w->speed, w->q0, w->u0);
    self->order = 2;
    self->p = 1;
    self->space = w->spheres ? 1 : 0;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME |
                   (w->spheres ? IL_ROWS_INVARIANT : 0u);
    self->q0 = w->q0;
    self->u0 = w->u0;
    self->gamma0 = w->glue ? &w->gamma : NULL;
    self->nbreaks = w->nswitches;
    self->breaks = w->switches;
    return IL_OK;
}

static const il_param_spec params[] = {
    {"scenario", IL_PARAM_CHOICE, "wall", 0.0, 0.0, false, "wall,spheres", "1",
     "a point above a wall, or two spheres on a line"},
    {"glue", IL_PARAM_CHOICE, "on", 0.0, 0.0, false, "on,off", "1",
     "off: contacts only push, gamma = 0"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or 2", "mass",
     "of the spheres; the first is the point's"},
    {"radii", IL_PARAM_VECTOR, "0.1", 0.0, INFINITY, false, "1 or 2", "length", "of the spheres"},
    {"gap", IL_PARAM_NUMBER, "0.4", 0.0, 1e100, false, NULL, "length", "D at the start"},
    {"speed", IL_PARAM_NUMBER, "0", -1e100, 1e100, false, NULL, "length/time",
     "rate of D at the start; the centre of mass of the spheres is at rest"},
    {"gamma", IL_PARAM_NUMBER, "0", -1e100, 0.0, false, NULL, "mass length/time",
     "adhesion potential at the start; below 0 only in contact"},
    {"press", IL_PARAM_NUMBER, "1", 0.0, 1e100, false, NULL, "force",
     "F = -press until `turn`: toward the wall, or together"},
    {"pull", IL_PARAM_NUMBER, "2", 0.0, 1e100, false, NULL, "force", "F = pull from `turn` on"},
    {"turn", IL_PARAM_NUMBER, "1.3", 0.0, INFINITY, true, NULL, "time", "when pulling begins"},
    {"period", IL_PARAM_NUMBER, "0", 0.0, INFINITY, false, NULL, "time",
     "both are repeated after this time; 0: never"},
    {"T", IL_PARAM_NUMBER, "3", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_gluey = {
    .name = "gluey",
    .title = "two bodies pressed together and pulled apart, with contacts that hold",
    .statement =
        "m V' = F(t) + lambda, D' = V, D >= 0, gamma <= 0, D gamma = 0, gamma' = -lambda; V+ = 0\n"
        "if gamma < 0, V+ = max(0,V-) where D = 0 and gamma = 0. D is the height of a point above\n"
        "a wall (q = D), or the gap between two spheres on a line (q = the centres, the forces\n"
        "are -F and F, m = m1 m2/(m1 + m2)). F = -press until turn, then pull; again after each\n"
        "period.\n"
        "Exact: W = m V + gamma has W' = F and never jumps. An impact makes gamma = m V-, the\n"
        "contact holds while gamma = W < 0, lambda = -F pushing or pulling, and lets go with V = "
        "0\n"
        "when W is 0. By default D(0) = 0.4: impact at sqrt(0.8), let go at 1.95. glue=off:\n"
        "lambda >= 0, and it leaves as soon as F pulls.",
    .source = "Bernicot & Lefebvre-Lepot 2010, Remark 4.3; Maury 2007 (ESAIM Proc. 18); Lefebvre "
              "2009 (M2AN 43)",
    .hypotheses =
        "glue=on: no theorem of the four papers. The set of admissible velocities depends on\n"
        "gamma, and is not regular enough (BL, Remark 4.3); convergence is proved for a single\n"
        "constraint (Lefebvre 2009) and for a scheme that treats gamma in its own way. Solutions\n"
        "need not be unique where contact times cluster from the left (Maury 2007); here there\n"
        "are finitely many.\n"
        "glue=off: BL (A0)-(A6) and AT A1-A4 hold, one affine constraint fixed in time and a\n"
        "bounded force of time alone, so that Theorems 1.3 and 4.1 apply; so does Maury's Theorem\n"
        "1 if gap > 0.",
    .params = params,
    .size = sizeof(gluey),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};

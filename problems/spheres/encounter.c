/*
 * encounter.c - see encounter.h.
 *
 * Flight: w is a parabola; contact is the first time at which |w|^2 - R^2, a quartic (a quadratic
 * if a = 0), falls through zero. On the sphere |w| = R,
 *
 *     lambda R/mu = -(a.w + |w'|^2) = -(3 a.w + 2 E),  E = |w'|^2/2 - a.w  constant.
 *
 * Slide, while lambda > 0: a spherical pendulum. With lambda eliminated its equation is polynomial,
 *
 *     w'' = a - (3 a.w + 2 E) w / R^2,
 *
 * so its Taylor coefficients follow from a convolution, and the series is at once the integrator
 * and the dense output.
 *
 * Departure, when 3 z + 2 E = 0 for z = a.w: then z = -|w'|^2 <= 0, and as long as z <= 0 and
 * lambda <= 0 the slide's equation would give z'' = |a|^2 - (3 z + 2 E) z / R^2 >= |a|^2. So z
 * crosses that level upward, once, and cannot turn before z = 0, a quarter of the sphere away: a
 * sign change between the ends of a step is never missed, and with z' > 0 the parabola that
 * follows, |w|^2 - R^2 = s^3 (z' + |a|^2 s/4), never touches again.
 */
#include "problems/spheres/encounter.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "problems/spheres/roots.h"

enum { SPACE = IL_ENCOUNTER_SPACE, ORDER = 30, IMPACTS_MAX = IL_ENCOUNTER_IMPACTS };

/* Distances and normal speeds below this, relative to R and |v|, are the rounding of the start's
 * own coordinates: contact, and no approach. */
static const double TOUCH = 4.0 * DBL_EPSILON;
/* The last kept Taylor term, relative to R: far enough below DBL_EPSILON that its derivative,
 * ORDER/step times larger, is lost in rounding as well. */
static const double LAST_TERM = 1e-19;
/* No step of a slide is longer than this times sqrt(R/|a|): too short to cross a quarter, as
 * |w'|^2 < R |a| while pressed. */
static const double STEP_MAX = 0.5;

/* w(t) = sum_k w[k] s^k, s = (t - begin)/unit, until the next piece begins. */
typedef struct il_encounter_piece {
    double begin, unit;
    bool sliding; /* |w| = R */
    int degree;
    double w[ORDER + 1][SPACE];
    double impulse; /* of the contact up to the begin */
    double E;       /* energy of a slide */
} piece;

/* The relative motion at an instant. */
typedef struct {
    double t, w[SPACE], v[SPACE];
    double impulse; /* of the contact so far */
} motion;

/* How many leading coefficients of |w|^2 - R^2 in time vanish: which state a flight starts from. */
typedef enum { APART = 0, PARTING = 1, TOUCHING = 2, DEPARTED = 3 } contact;

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static double norm(const double *x) {
    return sqrt(dot(x, x));
}

/* Put w on the sphere |w| = R and v into its tangent plane. */
static void settle(double R, double *w, double *v) {
    double length = norm(w);
    for (int c = 0; c < SPACE; c++) {
        w[c] *= R / length;
    }
    double normal = dot(v, w) / (R * R);
    for (int c = 0; c < SPACE; c++) {
        v[c] -= normal * w[c];
    }
}

static void piece_eval(const piece *p, double R, double t, double *w, double *v) {
    double s = (t - p->begin) / p->unit;
    for (int c = 0; c < SPACE; c++) {
        w[c] = p->w[p->degree][c];
        v[c] = 0.0;
        for (int k = p->degree; k-- > 0;) {
            v[c] = v[c] * s + w[c];
            w[c] = w[c] * s + p->w[k][c];
        }
        v[c] /= p->unit;
    }
    if (p->sliding) {
        settle(R, w, v);
    }
}

/* The momentum that the contact takes from a normal velocity, mu |v_n|, where w presses inward. */
static double percussion(const il_encounter *s, const double *w, const double *v) {
    double normal = dot(w, v) / norm(w);
    return normal < 0.0 ? -normal * s->mu : 0.0;
}

/* ---- flight ------------------------------------------------------------------------------- */

/* When straight lines meet: the smaller root of |v|^2 s^2 + 2 w.v s + |w|^2 - R^2, in the form
 * without cancellation; the discriminant is |v|^2 R^2 - |w x v|^2. INFINITY if they do not, or
 * only graze. */
static double straight_contact(const il_encounter *s, const motion *x) {
    const double *w = x->w;
    const double *v = x->v;
    double cross[SPACE] = {w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2],
                           w[0] * v[1] - w[1] * v[0]};
    double miss = norm(cross);
    double reach = norm(v) * s->R;
    double approach = -dot(w, v);
    if (!(approach > 0.0 && miss < reach)) {
        return INFINITY;
    }
    double length = norm(w);
    return (length - s->R) * (length + s->R) / (approach + sqrt((reach - miss) * (reach + miss)));
}

/* The time from x to the next contact of a flight, INFINITY if there is none within top, NAN if
 * the numbers are too large to tell. */
static double next_contact(const il_encounter *s, const motion *x, contact from, double top) {
    if (dot(s->a, s->a) == 0.0) {
        double wait = from == APART ? straight_contact(s, x) : INFINITY;
        return wait < top ? wait : INFINITY;
    }
    double length = norm(x->w);
    double c[5] = {(length - s->R) * (length + s->R), 2.0 * dot(x->w, x->v),
                   dot(x->v, x->v) + dot(s->a, x->w), dot(s->a, x->v), 0.25 * dot(s->a, s->a)};
    double reach = il_polynomial(c, 4, top);
    if (!isfinite(reach)) {
        return NAN;
    }
    double z[4];
    int n = il_sign_changes(c + from, 4 - (int)from, top, true, z);
    return n > 0 ? z[0] : INFINITY;
}

/* ---- pieces and events -------------------------------------------------------------------- */

static void add_piece(il_encounter *s, const piece *p) {
    il_problem_append(s->self, &s->pieces, s->npieces, sizeof *p);
    s->pieces[s->npieces++] = *p;
}

/* Breaks increase strictly: events within one rounding share one. */
static void add_break(il_encounter *s, double t, double T) {
    if (t > s->breaks[s->nbreaks - 1] && t < T) {
        s->breaks[s->nbreaks++] = t;
    }
}

/* Does contact need a reaction at x? lambda = 0 with z' < 0 counts: it is about to. */
static bool pressed(const il_encounter *s, const motion *x) {
    double lambda = -(dot(s->a, x->w) + dot(x->v, x->v));
    return lambda > 0.0 || (lambda == 0.0 && dot(s->a, x->v) < 0.0);
}

/* Fly from x to the next contact, where the normal velocity is lost; x->t = T if there is none. */
static void fly(il_encounter *s, motion *x, contact from, double T) {
    piece p = {.begin = x->t, .unit = 1.0, .degree = 2, .impulse = x->impulse};
    for (int c = 0; c < SPACE; c++) {
        p.w[0][c] = x->w[c];
        p.w[1][c] = x->v[c];
        p.w[2][c] = 0.5 * s->a[c];
    }
    double wait = next_contact(s, x, from, T - x->t);
    if (isnan(wait)) {
        s->unsolved = "distances or speeds before the horizon are beyond the range of doubles";
    }
    if (wait < INFINITY) {
        piece_eval(&p, s->R, x->t + wait, x->w, x->v);
        x->impulse += percussion(s, x->w, x->v);
        settle(s->R, x->w, x->v);
        x->t += wait;
        add_break(s, x->t, T);
    } else {
        x->t = T;
    }
    add_piece(s, &p);
}

/* The Taylor coefficients of the slide from x, with time in units of sqrt(R/|a|) so that they stay
 * near R for every force: with z = a.w,
 * (k+1)(k+2) w_{k+2} = a [k = 0] - (2 E w_k + 3 sum_j z_j w_{k-j}) / R^2. Returns the step. */
static double expand(const il_encounter *s, const motion *x, double E, piece *p) {
    double unit = sqrt(s->R / norm(s->a));
    double z[ORDER + 1];
    *p = (piece){.begin = x->t,
                 .unit = unit,
                 .sliding = true,
                 .degree = ORDER,
                 .impulse = x->impulse,
                 .E = E};
    for (int c = 0; c < SPACE; c++) {
        p->w[0][c] = x->w[c];
        p->w[1][c] = x->v[c] * unit;
    }
    for (int k = 0; k + 2 <= ORDER; k++) {
        z[k] = dot(s->a, p->w[k]);
        for (int c = 0; c < SPACE; c++) {
            double sum = 2.0 * E * p->w[k][c];
            for (int j = 0; j <= k; j++) {
                sum += 3.0 * z[j] * p->w[k - j][c];
            }
            p->w[k + 2][c] = unit * unit * ((k == 0 ? s->a[c] : 0.0) - sum / (s->R * s->R)) /
                             ((k + 1) * (k + 2));
        }
    }
    double step = STEP_MAX;
    bool still = true; /* an exact equilibrium needs no second step */
    for (int k = 1; k <= ORDER; k++) {
        double size = norm(p->w[k]);
        still = still && size == 0.0;
        if (k >= ORDER - 1 && size > 0.0) {
            step = fmin(step, il_pow(LAST_TERM * s->R / size, 1.0 / k));
        }
    }
    return still ? INFINITY : step * unit;
}

/* The impulse of the contact up to t on piece p: int lambda = -(mu/R) int (3 z + 2 E), the series
 * of z = a.w integrated term by term. */
static double piece_impulse(const il_encounter *s, const piece *p, double t) {
    if (!p->sliding) {
        return p->impulse;
    }
    double x = (t - p->begin) / p->unit;
    double sum = 0.0;
    for (int k = p->degree; k >= 0; k--) {
        sum = sum * x + dot(s->a, p->w[k]) / (k + 1);
    }
    return p->impulse - s->mu / s->R * (t - p->begin) * (3.0 * sum + 2.0 * p->E);
}

/* 3 z + 2 E on piece p, negative while pressed. */
static double tension(const il_encounter *s, const piece *p, double E, double t) {
    double w[SPACE];
    double v[SPACE];
    piece_eval(p, s->R, t, w, v);
    return 3.0 * dot(s->a, w) + 2.0 * E;
}

/* Slide from x until the reaction vanishes, or until T. */
static void slide(il_encounter *s, motion *x, double T) {
    bool held = true;
    s->slides = true;
    while (held && x->t < T) {
        piece p;
        double E = 0.5 * dot(x->v, x->v) - dot(s->a, x->w);
        double end = fmin(T, x->t + expand(s, x, E, &p));
        if (!(end > x->t)) {
            s->unsolved = "the pendulum phase is too fast for times of this size";
            return;
        }
        add_piece(s, &p);
        held = tension(s, &p, E, end) <= 0.0;
        double lo = x->t;
        while (!held) {
            double mid = lo + 0.5 * (end - lo);
            if (!(mid > lo && mid < end)) {
                break;
            }
            if (tension(s, &p, E, mid) <= 0.0) {
                lo = mid;
            } else {
                end = mid;
            }
        }
        piece_eval(&p, s->R, end, x->w, x->v);
        x->impulse = piece_impulse(s, &p, end);
        x->t = end;
    }
    add_break(s, x->t, T);
}

/* The start, made exact where it is in contact to rounding. */
static contact begin(const il_encounter *s, const double *w, const double *v, motion *x) {
    x->t = x->impulse = 0.0;
    memcpy(x->w, w, sizeof x->w);
    memcpy(x->v, v, sizeof x->v);
    double length = norm(x->w);
    double normal = dot(x->w, x->v) / length;
    if (length - s->R > TOUCH * s->R) {
        return APART;
    }
    if (normal > TOUCH * norm(x->v)) {
        for (int c = 0; c < SPACE; c++) {
            x->w[c] *= s->R / length;
        }
        return PARTING;
    }
    x->impulse = percussion(s, x->w, x->v);
    settle(s->R, x->w, x->v);
    return TOUCHING;
}

/* Flights and slides from 0 to T. */
static void solve(il_encounter *s, const double *w, const double *v, double T) {
    motion x;
    contact state = begin(s, w, v, &x);
    s->breaks[s->nbreaks++] = 0.0;
    for (int impacts = 0; x.t < T && s->unsolved == NULL; impacts++) {
        if (impacts > IMPACTS_MAX) {
            s->unsolved = "more than 64 impacts before the horizon";
            return;
        }
        if (state == TOUCHING && pressed(s, &x)) {
            slide(s, &x, T);
            state = DEPARTED;
        }
        if (x.t < T && s->unsolved == NULL) {
            fly(s, &x, state, T);
            state = TOUCHING;
        }
    }
    s->breaks[s->nbreaks++] = T;
}

/* The piece that holds t. */
static const piece *piece_at(const il_encounter *s, double t, int side) {
    size_t lo = 0;
    size_t hi = s->npieces;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        double at = s->pieces[mid].begin;
        if (side < 0 ? at < t : at <= t) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return &s->pieces[lo];
}

/* ---- outside ------------------------------------------------------------------------------ */

il_encounter *il_encounter_create(il_problem *self, double R, double mu, const double *a,
                                  const double *w, const double *v) {
    il_encounter *s = il_problem_alloc(self, 1, sizeof *s);
    s->self = self;
    s->R = R;
    s->mu = mu;
    memcpy(s->a, a, sizeof s->a);
    solve(s, w, v, self->horizon);
    return s;
}

double il_encounter_impulse(const il_encounter *s, double t, int side) {
    return piece_impulse(s, piece_at(s, t, side), t);
}

void il_encounter_eval(const il_encounter *s, double t, int side, double *w, double *v) {
    piece_eval(piece_at(s, t, side), s->R, t, w, v);
}

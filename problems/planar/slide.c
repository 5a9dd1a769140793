/*
 * slide.c - flights, slides and arcs of a point among capsules, from event to event.
 */
#include "problems/planar/slide.h"

#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"

/* An obstacle is in contact up to this part of one plus the coordinates; a direction is tangent, or
 * a velocity nothing, up to this part of |f|. Events are computed to some 1e-15. */
static const double TOUCH = 1e-11;

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1];
}

static double norm(const double *x) {
    return il_hypot(x[0], x[1]);
}

/* ---- contacts ----------------------------------------------------------------------------- */

/* Contacts at one place that are considered; more are ignored. */
enum { CONTACTS_MAX = 8 };

typedef struct {
    size_t n, id[CONTACTS_MAX];
    double normal[CONTACTS_MAX][2];
} contacts;

static void find_contacts(const il_plan *plan, const double *q, contacts *at) {
    at->n = 0;
    for (size_t k = 0; k < plan->n && at->n < CONTACTS_MAX; k++) {
        double g = il_capsule_distance(&plan->shape[k], q, at->normal[at->n]) - plan->shape[k].R;
        if (g <= TOUCH * (1.0 + norm(q))) {
            at->id[at->n++] = k;
        }
    }
}

/* Does v leave all contacts but `but` alone? */
static bool admissible(const contacts *at, size_t but, const double *v, double room) {
    for (size_t k = 0; k < at->n; k++) {
        if (k != but && !(dot(at->normal[k], v) >= -room)) {
            return false;
        }
    }
    return true;
}

/* Two contacts that hold f between them; their multipliers. A single one if f points into it. */
static void hold(const contacts *at, il_slide_piece *p) {
    for (size_t i = 0; i < at->n; i++) {
        const double *a = at->normal[i];
        if (dot(a, p->f) <= -norm(p->f) * (1.0 - TOUCH)) {
            p->contacts = 1;
            p->id[0] = at->id[i];
            p->lambda[0] = norm(p->f);
            return;
        }
        for (size_t j = i + 1; j < at->n; j++) {
            const double *b = at->normal[j];
            double det = a[0] * b[1] - a[1] * b[0];
            double l = -(p->f[0] * b[1] - p->f[1] * b[0]) / det;
            double m = -(a[0] * p->f[1] - a[1] * p->f[0]) / det;
            if (fabs(det) > TOUCH && l >= 0.0 && m >= 0.0) {
                p->contacts = 2;
                p->id[0] = at->id[i];
                p->id[1] = at->id[j];
                p->lambda[0] = l;
                p->lambda[1] = m;
                return;
            }
        }
    }
}

/* v = P_C f in p, with what pushes; returns the contact that p slides on, or at->n. */
static size_t project(const contacts *at, il_slide_piece *p) {
    double room = TOUCH * norm(p->f);
    memcpy(p->v, p->f, sizeof p->v);
    if (admissible(at, at->n, p->f, room)) {
        return at->n;
    }
    for (size_t k = 0; k < at->n; k++) {
        const double *n = at->normal[k];
        double push = -dot(n, p->f);
        double v[2] = {p->f[0] + push * n[0], p->f[1] + push * n[1]};
        if (push > 0.0 && norm(v) > room && admissible(at, k, v, room)) {
            memcpy(p->v, v, sizeof v);
            p->contacts = 1;
            p->id[0] = at->id[k];
            p->lambda[0] = push;
            return k;
        }
    }
    p->v[0] = p->v[1] = 0.0;
    hold(at, p);
    return at->n;
}

static bool in_contact(const contacts *at, size_t id) {
    for (size_t k = 0; k < at->n; k++) {
        if (at->id[k] == id) {
            return true;
        }
    }
    return false;
}

/* ---- how long a piece lasts --------------------------------------------------------------- */

/* A straight piece ends at the first obstacle that it meets. What it touches it leaves, or is
 * tangent to: convex things are not met again. */
static double flight(const il_plan *plan, const contacts *at, const il_slide_piece *p) {
    double first = INFINITY;
    for (size_t k = 0; k < plan->n && norm(p->v) > 0.0; k++) {
        if (!in_contact(at, k)) {
            double R = plan->shape[k].R;
            first = fmin(first, il_capsule_hit(&plan->shape[k], R, p->q, p->v));
        }
    }
    return first;
}

/* Along the side of a wall: the time to its end; negative if q is around a tip already, whose
 * centre is then in c. */
static double along(const il_capsule *wall, const il_slide_piece *p, double *c) {
    double e[2] = {wall->b[0] - wall->a[0], wall->b[1] - wall->a[1]};
    double length = norm(e);
    memcpy(c, wall->a, sizeof wall->a);
    if (!(length > 0.0)) {
        return -1.0;
    }
    double w[2] = {p->q[0] - wall->a[0], p->q[1] - wall->a[1]};
    double s = dot(w, e) / length;
    double v = dot(p->v, e) / length;
    double room = TOUCH * (length + norm(p->q));
    bool past_a = s < -room || (s <= room && v <= 0.0);
    bool past_b = s > length + room || (s >= length - room && v >= 0.0);
    if (past_b) {
        memcpy(c, wall->b, sizeof wall->b);
    }
    if (past_a || past_b) {
        return -1.0;
    }
    return v > 0.0 ? (length - s) / v : s / -v;
}

/* How far along its circle, in the direction turn = +-1, an arc from angle phi may go until `to`
 * (an angle); INFINITY for no way at all. */
static double travel(double phi, double to, int turn) {
    double way = fmod(turn * (to - phi), 2.0 * M_PI);
    way = way < 0.0 ? way + 2.0 * M_PI : way;
    return way > TOUCH && way < 2.0 * M_PI - TOUCH ? way : INFINITY;
}

/* The way until the circle enters obstacle k. */
static double entry(const il_capsule *shape, const il_slide_piece *p, double phi, int turn) {
    double angle[IL_CAPSULE_CROSSINGS_MAX];
    double first = INFINITY;
    size_t n = il_capsule_crossings(shape, shape->R, p->c, p->rho, angle);
    for (size_t k = 0; k < n; k++) {
        double radial[2] = {il_cos(angle[k]), il_sin(angle[k])};
        double x[2] = {p->c[0] + p->rho * radial[0], p->c[1] + p->rho * radial[1]};
        double tangent[2] = {-turn * radial[1], turn * radial[0]};
        double normal[2] = {0.0, 0.0};
        (void)il_capsule_distance(shape, x, normal);
        if (dot(normal, tangent) < -TOUCH) {
            first = fmin(first, travel(phi, angle[k], turn));
        }
    }
    return first;
}

/* The time until the arc p about obstacle `on` ends: it leaves, comes to the side of its wall, or
 * enters another obstacle. */
static double arc(const il_plan *plan, const contacts *at, size_t on, const il_slide_piece *p) {
    const il_capsule *own = &plan->shape[on];
    double phi = il_atan2(p->q[1] - p->c[1], p->q[0] - p->c[0]);
    int turn = p->psi > 0.0 ? -1 : 1;
    double way = fabs(p->psi) - 0.5 * M_PI;
    double e[2] = {own->b[0] - own->a[0], own->b[1] - own->a[1]};
    if (norm(e) > 0.0) {
        double side = il_atan2(e[0], -e[1]);
        way = fmin(way, travel(phi, side, turn));
        way = fmin(way, travel(phi, side + M_PI, turn));
    }
    for (size_t k = 0; k < plan->n; k++) {
        if (!in_contact(at, k)) {
            way = fmin(way, entry(&plan->shape[k], p, phi, turn));
        }
    }
    double half = 0.5 * fabs(p->psi);
    return p->rho / norm(p->f) * il_log(il_tan(half) / il_tan(half - 0.5 * way));
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* Sine and cosine of psi after s on an arc: tan(psi/2) has shrunk to b/a. */
static void angle_after(const il_slide_piece *p, double s, double *sine, double *cosine) {
    double a = p->half[0];
    double b = p->half[1] * il_exp(-norm(p->f) * s / p->rho);
    double square = a * a + b * b;
    *sine = 2.0 * a * b / square;
    *cosine = (a - b) * (a + b) / square;
}

/* int_0^s lambda on an arc: sin psi/sin psi_0 = e^-z/(a^2 + b^2) with z = |f| s/rho. */
static double push_after(const il_slide_piece *p, double s) {
    double z = norm(p->f) * s / p->rho;
    double a = p->half[0];
    double b = p->half[1] * il_exp(-z);
    return -p->rho * (z + il_log(a * a + b * b));
}

static void state(const il_slide_piece *p, double s, double *q, double *u) {
    if (p->kind == IL_SLIDE_LINE) {
        for (int i = 0; i < 2; i++) {
            q[i] = p->q[i] + s * p->v[i];
            u[i] = p->v[i];
        }
        return;
    }
    double sine = 0.0;
    double cosine = 0.0;
    angle_after(p, s, &sine, &cosine);
    double speed = norm(p->f);
    double e[2] = {p->f[0] / speed, p->f[1] / speed};
    double n[2] = {e[0] * cosine - e[1] * sine, e[1] * cosine + e[0] * sine};
    double rate = speed * sine; /* -rho psi' */
    q[0] = p->c[0] + p->rho * n[0];
    q[1] = p->c[1] + p->rho * n[1];
    u[0] = rate * n[1];
    u[1] = -rate * n[0];
}

/* The piece that begins at p->q under p->f; returns how long it lasts. */
static double depart(const il_plan *plan, il_slide_piece *p) {
    contacts at;
    p->kind = IL_SLIDE_LINE;
    p->contacts = 0;
    find_contacts(plan, p->q, &at);
    size_t k = project(&at, p);
    if (k == at.n) {
        return flight(plan, &at, p);
    }
    const il_capsule *own = &plan->shape[at.id[k]];
    double end = along(own, p, p->c);
    if (end >= 0.0) {
        return fmin(end, flight(plan, &at, p));
    }
    const double *n = at.normal[k];
    p->kind = IL_SLIDE_ARC;
    p->rho = own->R;
    p->psi = il_atan2(p->f[0] * n[1] - p->f[1] * n[0], dot(p->f, n));
    il_sincos(0.5 * p->psi, &p->half[1], &p->half[0]);
    return arc(plan, &at, at.id[k], p);
}

bool il_slide_build(il_slide *slide, const il_plan *plan, const double *q0, const double *drift,
                    const double *times, size_t n_drifts, double horizon) {
    double t = 0.0;
    double q[2] = {q0[0], q0[1]};
    double u[2];
    slide->plan = plan;
    slide->n = 0;
    size_t tried = 0;
    for (size_t k = 0; k < n_drifts; k++) {
        double stop = k + 1 < n_drifts ? fmin(times[k], horizon) : horizon;
        while (t < stop) {
            if (slide->n == IL_SLIDE_PIECES_MAX || tried++ == 4 * IL_SLIDE_PIECES_MAX) {
                return false;
            }
            il_slide_piece *p = &slide->piece[slide->n];
            *p = (il_slide_piece){
                .begin = t, .q = {q[0], q[1]}, .f = {drift[2 * k], drift[2 * k + 1]}};
            double lasts = depart(plan, p);
            double next = fmin(stop, t + lasts);
            state(p, next < stop ? lasts : stop - t, q, u);
            if (next > t) { /* events at one time leave the last word to the last */
                slide->breaks[slide->n++] = t;
            } else if (!(lasts > 0.0)) {
                return false;
            }
            t = next;
        }
    }
    slide->breaks[slide->n] = horizon;
    for (size_t k = 0; k < slide->n; k++) {
        il_slide_piece *p = &slide->piece[k];
        if (p->kind == IL_SLIDE_ARC) {
            p->pushed = push_after(p, slide->breaks[k + 1] - p->begin);
        }
    }
    return slide->n > 0;
}

void il_slide_eval(const il_slide_piece *p, double t, double *q, double *u) {
    state(p, t - p->begin, q, u);
}

/* The part of Lambda that piece p adds in its first s. */
static void add_push(const il_slide_piece *p, double s, double *Lambda) {
    if (p->kind == IL_SLIDE_ARC) {
        Lambda[p->id[0]] += push_after(p, s);
        return;
    }
    for (size_t i = 0; i < p->contacts; i++) {
        Lambda[p->id[i]] += s * p->lambda[i];
    }
}

void il_slide_impulse(const il_slide *slide, double t, double *Lambda) {
    memset(Lambda, 0, slide->plan->n * sizeof *Lambda);
    for (size_t k = 0; k < slide->n && slide->piece[k].begin < t; k++) {
        const il_slide_piece *p = &slide->piece[k];
        double end = slide->breaks[k + 1];
        if (t >= end && p->kind == IL_SLIDE_ARC) {
            Lambda[p->id[0]] += p->pushed;
        } else {
            add_push(p, fmin(t, end) - p->begin, Lambda);
        }
    }
}

/*
 * plan.c - capsules in the plane: distances, rows, where circles and rays meet them.
 */
#include "problems/planar/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"

/* The accuracy to which a rim is known, relative to the distances at hand. */
static const double RIM = 1e-12;

/* ---- plans -------------------------------------------------------------------------------- */

/* How many obstacles the parts hold, `each` numbers apiece. */
static il_status count(const il_plan_part *parts, size_t n, size_t each, const char *what,
                       size_t *total, il_error *err) {
    *total = 0;
    for (size_t k = 0; k < n; k++) {
        if (parts[k].n % each != 0) {
            return il_fail(err, IL_EINVAL, "%s have %zu values; allowed: a multiple of %zu", what,
                           parts[k].n, each);
        }
        *total += parts[k].n / each;
    }
    return IL_OK;
}

il_status il_plan_read(il_plan *plan, const il_plan_part *walls, size_t n_walls,
                       const il_plan_part *discs, size_t n_discs, il_error *err) {
    size_t straight = 0;
    size_t round = 0;
    il_status status = count(walls, n_walls, 4, "walls (x1,y1,x2,y2 each)", &straight, err);
    if (status == IL_OK) {
        status = count(discs, n_discs, 3, "discs (x,y,radius each)", &round, err);
    }
    if (status == IL_OK && straight + round > IL_PLAN_MAX) {
        status = il_fail(err, IL_EINVAL, "%zu walls and discs; allowed: at most %d",
                         straight + round, IL_PLAN_MAX);
    }
    if (status != IL_OK) {
        return status;
    }
    plan->shape = il_alloc_zero(straight + round, sizeof *plan->shape);
    plan->n = 0;
    for (size_t k = 0; k < n_walls; k++) {
        for (size_t i = 0; i < walls[k].n; i += 4) {
            const double *x = walls[k].x + i;
            plan->shape[plan->n++] = (il_capsule){{x[0], x[1]}, {x[2], x[3]}, 0.0};
        }
    }
    plan->walls = plan->n;
    for (size_t k = 0; k < n_discs; k++) {
        for (size_t i = 0; i < discs[k].n; i += 3) {
            const double *x = discs[k].x + i;
            plan->shape[plan->n++] = (il_capsule){{x[0], x[1]}, {x[0], x[1]}, x[2]};
        }
    }
    for (size_t k = 0; k < plan->n; k++) {
        const il_capsule *c = &plan->shape[k];
        bool point = c->a[0] == c->b[0] && c->a[1] == c->b[1];
        if (k < plan->walls ? point : !(c->R > 0.0)) {
            char words[64];
            il_plan_describe(plan, k, words, sizeof words);
            status = k < plan->walls
                         ? il_fail(err, IL_EINVAL, "%s has no length: both ends are (%.10g, %.10g)",
                                   words, c->a[0], c->a[1])
                         : il_fail(err, IL_EINVAL, "%s has radius %.10g; it must be positive",
                                   words, c->R);
            il_plan_free(plan);
            return status;
        }
    }
    return IL_OK;
}

void il_plan_free(il_plan *plan) {
    free(plan->shape);
    plan->shape = NULL;
    plan->n = 0;
}

void il_plan_describe(const il_plan *plan, size_t k, char *out, size_t capacity) {
    if (k < plan->walls) {
        (void)snprintf(out, capacity, "wall %zu", k + 1);
    } else {
        (void)snprintf(out, capacity, "%s %zu", plan->round_name, k - plan->walls + 1);
    }
}

/* ---- distances ---------------------------------------------------------------------------- */

/* The point of [a,b] nearest to x, into c. */
static void nearest(const double *a, const double *b, const double *x, double *c) {
    double e[2] = {b[0] - a[0], b[1] - a[1]};
    double square = e[0] * e[0] + e[1] * e[1];
    double s = square > 0.0 ? ((x[0] - a[0]) * e[0] + (x[1] - a[1]) * e[1]) / square : 0.0;
    const double *end = s >= 1.0 ? b : a;
    bool inside = s > 0.0 && s < 1.0;
    c[0] = inside ? a[0] + s * e[0] : end[0];
    c[1] = inside ? a[1] + s * e[1] : end[1];
}

double il_capsule_distance(const il_capsule *shape, const double *x, double *n) {
    double c[2];
    nearest(shape->a, shape->b, x, c);
    double w[2] = {x[0] - c[0], x[1] - c[1]};
    double distance = il_hypot(w[0], w[1]);
    if (!(distance > 0.0 && isfinite(distance))) {
        return NAN;
    }
    n[0] = w[0] / distance;
    n[1] = w[1] / distance;
    return distance;
}

static double distance_to(const double *a, const double *b, const double *x) {
    double c[2];
    nearest(a, b, x, c);
    return il_hypot(x[0] - c[0], x[1] - c[1]);
}

/* Twice the area of a, b, c: positive if c is to the left of ab. */
static double side_of(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double il_capsule_between(const il_capsule *shape, const double *p, const double *q) {
    const double *a = shape->a;
    const double *b = shape->b;
    if (side_of(a, b, p) * side_of(a, b, q) < 0.0 && side_of(p, q, a) * side_of(p, q, b) < 0.0) {
        return 0.0;
    }
    return fmin(fmin(distance_to(a, b, p), distance_to(a, b, q)),
                fmin(distance_to(p, q, a), distance_to(p, q, b)));
}

il_status il_capsule_row(const il_capsule *shape, const double *q, size_t body, double r,
                         double growth, size_t id, il_rows *rows) {
    double n[2] = {0.0, 0.0};
    double distance = il_capsule_distance(shape, q + 2 * body, n);
    if (isnan(distance)) {
        return IL_ENUMERIC;
    }
    size_t col[2] = {2 * body, 2 * body + 1};
    il_rows_append(rows, id, distance - shape->R - r, -growth, 2, col, n);
    return IL_OK;
}

/* ---- circles and rays --------------------------------------------------------------------- */

/* Angles on the circle (c,r) at which <n, x - c> = level, n a unit vector. */
static size_t level_angles(const double *n, double level, double r, double *angle) {
    double cosine = level / r;
    if (!(fabs(cosine) <= 1.0 + RIM)) {
        return 0;
    }
    double half = il_acos(fmax(-1.0, fmin(1.0, cosine)));
    double middle = il_atan2(n[1], n[0]);
    angle[0] = remainder(middle + half, 2.0 * M_PI);
    angle[1] = remainder(middle - half, 2.0 * M_PI);
    return 2;
}

/* Those on a circle of radius `reach` about `tip`. */
static size_t round_crossings(const double *tip, double reach, const double *c, double r,
                              double *angle) {
    double w[2] = {tip[0] - c[0], tip[1] - c[1]};
    double d = il_hypot(w[0], w[1]);
    if (!(d > 0.0)) {
        return 0;
    }
    double n[2] = {w[0] / d, w[1] / d};
    return level_angles(n, 0.5 * (d + (r - reach) * (r + reach) / d), r, angle);
}

size_t il_capsule_crossings(const il_capsule *shape, double reach, const double *c, double r,
                            double *angle) {
    size_t n = round_crossings(shape->a, reach, c, r, angle);
    double e[2] = {shape->b[0] - shape->a[0], shape->b[1] - shape->a[1]};
    double length = il_hypot(e[0], e[1]);
    if (!(length > 0.0)) {
        return n;
    }
    n += round_crossings(shape->b, reach, c, r, angle + n);
    for (int side = -1; side <= 1; side += 2) {
        double normal[2] = {-side * e[1] / length, side * e[0] / length};
        double level =
            reach - ((c[0] - shape->a[0]) * normal[0] + (c[1] - shape->a[1]) * normal[1]);
        n += level_angles(normal, level, r, angle + n);
    }
    /* tips and sides are only part of circles and lines */
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        double x[2] = {c[0] + r * il_cos(angle[k]), c[1] + r * il_sin(angle[k])};
        if (fabs(distance_to(shape->a, shape->b, x) - reach) <= 1e3 * RIM * (reach + r)) {
            angle[kept++] = angle[k];
        }
    }
    return kept;
}

/* The first s >= 0 at which x + s v enters the disc (c,R). */
static double hit_disc(const double *c, double R, const double *x, const double *v) {
    double w[2] = {x[0] - c[0], x[1] - c[1]};
    double vv = v[0] * v[0] + v[1] * v[1];
    double along = -(w[0] * v[0] + w[1] * v[1]) / vv; /* where it is nearest */
    double miss = (w[0] * v[1] - w[1] * v[0]) / sqrt(vv);
    double square = (R - miss) * (R + miss);
    if (!(along > 0.0) || !(square > RIM * R * R)) {
        return INFINITY;
    }
    return fmax(0.0, along - sqrt(square / vv));
}

double il_capsule_hit(const il_capsule *shape, double reach, const double *x, const double *v) {
    double first = fmin(hit_disc(shape->a, reach, x, v), hit_disc(shape->b, reach, x, v));
    double e[2] = {shape->b[0] - shape->a[0], shape->b[1] - shape->a[1]};
    double length = il_hypot(e[0], e[1]);
    if (!(length > 0.0)) {
        return first;
    }
    double n[2] = {-e[1] / length, e[0] / length};
    double w[2] = {x[0] - shape->a[0], x[1] - shape->a[1]};
    double height = w[0] * n[0] + w[1] * n[1];
    double fall = v[0] * n[0] + v[1] * n[1];
    if (height < 0.0) {
        height = -height;
        fall = -fall;
    }
    if (fall < -RIM * il_hypot(v[0], v[1])) {
        double s = fmax(0.0, (height - reach) / -fall);
        double at = ((w[0] + s * v[0]) * e[0] + (w[1] + s * v[1]) * e[1]) / length;
        if (height >= reach * (1.0 - 1e3 * RIM) && at >= 0.0 && at <= length) {
            first = fmin(first, s);
        }
    }
    return first;
}

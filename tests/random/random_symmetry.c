/*
 * random_symmetry.c - steps are invariant under changes of frame, numbering and units: a few steps
 * of a scheme, from a cloud of spheres that is moved, turned, mirrored, renumbered or measured in
 * other units, end where the first cloud's steps do, moved alike.
 *
 * Units of time and mass that are powers of two lose no digit (of mass, of four, whose roots are
 * taken too), so states are the same to the bit. The schemes judge gaps in units of one plus the
 * size of the configuration (LEFT_OUT of correct.c, FIXED_POINT of true_set.c), so a unit of length
 * moves what they accept by that much. Otherwise a gap is rounded by u = 2^-53 of the largest
 * coordinate L, which over h is a velocity, times the condition of the contacts; what a step is
 * given it hands on at most GROWTH times, |w| h/r <= 4 turning the normals. CONDITION is what a few
 * spheres may have.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/random/cloud.h"

enum { STEPS = 3, UNITS = 40 };
static const double CONDITION = 1e4;
static const double GROWTH = 8.0;
static const double ACCEPTED = 4e-15;

static double largest(const double *x, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

static void scale_cloud(il_cloud *w, int length, int time, int mass) {
    for (size_t k = 0; k < w->space * w->N; k++) {
        w->q[k] = ldexp(w->q[k], length);
        w->u[k] = ldexp(w->u[k], length - time);
    }
    for (size_t i = 0; i < w->N; i++) {
        w->r[i] = ldexp(w->r[i], length);
        w->m[i] = ldexp(w->m[i], mass);
    }
    w->h = ldexp(w->h, time);
}

/* A change of a cloud: x -> turn x + shift, and body i becomes body order[i]. */
typedef struct {
    double turn[3][3], shift[3];
    size_t order[IL_CLOUD_BODIES];
} motion;

/* A rotation of two axes by a Pythagorean angle, or a mirror; a shift; a rotation of the names. */
static motion motion_make(const il_cloud *w, il_bytes *bytes) {
    motion m = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    uint8_t how = il_bytes_take(bytes);
    size_t a = how / 4 % w->space;
    size_t b = (a + 1) % w->space;
    if (how % 4 == 1) {
        m.turn[a][a] = -1.0;
    } else if (how % 4 >= 2 && w->space > 1) {
        double c = how % 4 == 2 ? 0.0 : 0.6;
        double s = how % 4 == 2 ? 1.0 : 0.8;
        m.turn[a][a] = m.turn[b][b] = c;
        m.turn[a][b] = -s;
        m.turn[b][a] = s;
    }
    for (size_t c = 0; c < w->space; c++) {
        m.shift[c] = (how & 64u) != 0 ? (int8_t)il_bytes_take(bytes) / 8.0 : 0.0;
    }
    size_t by = how & 128u ? il_bytes_take(bytes) : 0;
    for (size_t i = 0; i < w->N; i++) {
        m.order[i] = (i + by) % w->N;
    }
    return m;
}

static il_cloud move(const il_cloud *w, const motion *m) {
    il_cloud to = *w;
    for (size_t i = 0; i < w->N; i++) {
        size_t j = m->order[i];
        to.r[j] = w->r[i];
        to.m[j] = w->m[i];
        for (size_t c = 0; c < w->space; c++) {
            double q = m->shift[c];
            double u = 0.0;
            for (size_t k = 0; k < w->space; k++) {
                q += m->turn[c][k] * w->q[w->space * i + k];
                u += m->turn[c][k] * w->u[w->space * i + k];
            }
            to.q[w->space * j + c] = q;
            to.u[w->space * j + c] = u;
        }
    }
    return to;
}

/* The same states, to the bit for allowed = 0. */
static il_status same(const il_cloud *a, const il_cloud *b, double allowed, const char *what,
                      const il_scheme_type *scheme, il_error *err) {
    for (size_t k = 0; k < a->space * a->N; k++) {
        if (!(fabs(a->u[k] - b->u[k]) <= allowed) || !(fabs(a->q[k] - b->q[k]) <= allowed)) {
            return il_fail(err, IL_EINTERNAL, "%s by %s: q %.17g and %.17g, u %.17g and %.17g (%g)",
                           what, scheme->name, a->q[k], b->q[k], a->u[k], b->u[k], allowed);
        }
    }
    return IL_OK;
}

static il_status try_units(const il_cloud *start, const il_scheme_type *scheme, il_bytes *bytes,
                           il_error *err) {
    int length = (il_bytes_take(bytes) % 4 == 0 ? 1 : 0) * ((int)il_bytes_size(bytes, 0, 16) - 8);
    int time = (int)il_bytes_size(bytes, 0, 2 * UNITS) - UNITS;
    int mass = 2 * ((int)il_bytes_size(bytes, 0, UNITS) - UNITS / 2);
    il_cloud a = *start;
    il_cloud b = *start;
    il_error said = {IL_OK, ""};
    scale_cloud(&b, length, time, mass);
    il_status first = il_cloud_run(&a, scheme, il_projector_type_default(), STEPS, &said);
    il_status second = il_cloud_run(&b, scheme, il_projector_type_default(), STEPS, &said);
    if (first != second) {
        return il_fail(err, IL_EINTERNAL, "%s: %s, in units 2^%d, 2^%d, 2^%d %s", scheme->name,
                       il_status_name(first), length, time, mass, il_status_name(second));
    }
    scale_cloud(&b, -length, -time, -mass);
    double size = 1.0 + fmax(ldexp(1.0, -length), 1.0) + largest(a.q, a.space * a.N);
    double allowed =
        length == 0 ? 0.0 : CONDITION * pow(GROWTH, STEPS) * ACCEPTED * size / fmin(a.h, 1.0);
    return first == IL_OK ? same(&a, &b, allowed, "units", scheme, err) : IL_OK;
}

/* May any two spheres pass through each other in a step? Then the true set, which is not convex,
 * has more than one nearest point, and a rounding chooses. */
static bool passes_through(const il_cloud *w) {
    double speed = largest(w->u, w->space * w->N) * sqrt((double)w->space);
    double least = INFINITY;
    for (size_t i = 0; i < w->N; i++) {
        least = fmin(least, w->r[i]);
    }
    return 2.0 * speed * w->h > 2.0 * least;
}

static il_status try_motion(const il_cloud *start, const il_scheme_type *scheme, il_bytes *bytes,
                            il_error *err) {
    il_cloud a = *start;
    motion m = motion_make(start, bytes);
    il_cloud b = move(start, &m);
    il_error said = {IL_OK, ""};
    /* turned, spheres that touch may overlap by a rounding */
    if (il_cloud_gap(&b) < -1e-13 || passes_through(start)) {
        return IL_OK;
    }
    il_status first = il_cloud_run(&a, scheme, il_projector_type_default(), STEPS, &said);
    il_status second = il_cloud_run(&b, scheme, il_projector_type_default(), STEPS, &said);
    if (first != second) {
        return il_fail(err, IL_EINTERNAL, "%s: %s, moved %s: %s", scheme->name,
                       il_status_name(first), il_status_name(second), said.message);
    }
    size_t d = a.space * a.N;
    double size = largest(a.q, d) + largest(b.q, d) + (double)STEPS * a.h * largest(a.u, d);
    double allowed = CONDITION * pow(GROWTH, STEPS) * DBL_EPSILON * size / a.h;
    il_cloud expected = move(&a, &m);
    return first == IL_OK ? same(&expected, &b, allowed, "motion", scheme, err) : IL_OK;
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    il_cloud start;
    uint8_t how = il_bytes_take(&bytes);
    uint8_t rest = how / 2;
    const il_scheme_type *scheme = il_bytes_scheme(&(il_bytes){&rest, 1});
    /* springs are integrated to an absolute tolerance; schemes of order two and more iterate to
     * roundings of one plus the largest number */
    bool absolute = scheme->compliant || scheme->dense;
    if (absolute || !il_cloud_make(&start, &bytes)) {
        return IL_OK;
    }
    if (how % 2 == 0) {
        return try_units(&start, scheme, &bytes, err);
    }
    /* a scheme of velocities alone asks whether a gap is open, and a rounding may answer otherwise
     */
    bool continuous = scheme->holds_positions || scheme->feasible_nodes;
    return continuous ? try_motion(&start, scheme, &bytes, err) : IL_OK;
}

const il_property il_property_symmetry = {
    .name = "symmetry",
    .one = one,
};

/*
 * random_impacts.c - clouds in which spheres touch, graze and meet at once, by every scheme and every
 * projector, with masses, radii, speeds and steps over twelve orders of magnitude.
 *
 * A step ends with a status; when all end well, numbers are finite, contacts between spheres have
 * not moved the total momentum, and where the scheme says so the nodes are feasible.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/random/cloud.h"

enum { STEPS = 4 };

/* What the schemes' own accuracy is said in, one plus the size (LEFT_OUT of correct.c, FIXED_POINT
 * of true_set.c). */
static const double LEFT_OUT = 4e-15;

/* Powers of ten to 10^-6 .. 10^6 on what the cloud has; now and then an edge. */
static double magnitude(il_bytes *bytes) {
    uint8_t how = il_bytes_take(bytes);
    return how < 8 ? fabs(il_bytes_finite(bytes)) : pow(10.0, how % 13 - 6.0);
}

static void stress(il_cloud *w, il_bytes *bytes) {
    double length = magnitude(bytes);
    double speed = magnitude(bytes);
    double mass = magnitude(bytes);
    for (size_t k = 0; k < w->space * w->N; k++) {
        w->q[k] *= length;
        w->u[k] *= speed;
    }
    for (size_t i = 0; i < w->N; i++) {
        w->r[i] *= length;
        w->m[i] *= il_bytes_take(bytes) % 4 == 0 ? magnitude(bytes) : mass;
    }
    w->h *= magnitude(bytes);
}

/* sum_i m_i u_i along axis c, and the sum of absolute values, in *size. */
static double momentum(const il_cloud *w, size_t c, double *size) {
    double sum = 0.0;
    for (size_t i = 0; i < w->N; i++) {
        double part = w->m[i] * w->u[w->space * i + c];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

/* x = target + s M^{-1} B' lambda to rounding (projector.h), with opposite entries of B: momentum
 * is kept up to roundings of the pushes, which are no larger than the speed that is there before
 * times the mass that is moved, and of velocities that are differences of positions over h. */
static il_status judge(const il_cloud *before, const il_cloud *after, const il_scheme_type *scheme,
                       const il_projector_type *projector, const il_certificate *worst,
                       il_error *err) {
    double q = 0.0;
    double way = 0.0; /* where spheres would go, which their answers are rounded from */
    double m = 0.0;
    for (size_t k = 0; k < after->space * after->N; k++) {
        if (!isfinite(after->q[k]) || !isfinite(after->u[k])) {
            return il_fail(err, IL_EINTERNAL, "%s, %s: ok, and q = %g, u = %g", scheme->name,
                           projector->name, after->q[k], after->u[k]);
        }
        q = fmax(q, fmax(fabs(after->q[k]), fabs(before->q[k])));
        way = fmax(way, STEPS * after->h * fabs(before->u[k]));
        m += after->m[k / after->space];
    }
    for (size_t c = 0; c < after->space; c++) {
        double size = 0.0;
        double drift = momentum(after, c, &size) - momentum(before, c, &size);
        double allowed =
            1e3 * STEPS * DBL_EPSILON * (size + m * (q + DBL_MIN / DBL_EPSILON) / after->h);
        if (!(fabs(drift) <= allowed) && allowed < DBL_MAX) {
            return il_fail(err, IL_EINTERNAL, "%s, %s: momentum drifts by %g, at most %g",
                           scheme->name, projector->name, drift, allowed);
        }
    }
    double gap = il_cloud_gap(after);
    bool holds = projector->finite && (scheme->holds_positions || scheme->feasible_nodes);
    double promised = IL_PROJECTOR_EXACT * worst->size;
    return !holds || gap >= -1e-9 * (q + way) - LEFT_OUT - promised
               ? IL_OK
               : il_fail(err, IL_EINTERNAL,
                         "%s, %s: ok, and a gap of %g, at q of %g (primal %g, size %g)",
                         scheme->name, projector->name, gap, q + way, worst->primal, worst->size);
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    il_cloud cloud;
    const il_scheme_type *scheme = il_bytes_scheme(&bytes);
    const il_projector_type *projector = il_bytes_projector(&bytes);
    if (scheme->compliant || !il_cloud_make(&cloud, &bytes, DBL_MAX)) {
        return IL_OK;
    }
    stress(&cloud, &bytes);
    bool start = cloud.h > 0.0 && isfinite(cloud.h);
    for (size_t i = 0; i < cloud.N; i++) {
        start = start && isfinite(cloud.r[i]);
    }
    for (size_t k = 0; k < cloud.space * cloud.N; k++) {
        start = start && isfinite(cloud.q[k]) && isfinite(cloud.u[k]);
    }
    if (!start) {
        return IL_OK;
    }
    il_cloud before = cloud;
    il_certificate worst = il_certificate_best();
    il_error said = {IL_OK, ""};
    il_status status = il_cloud_run(&cloud, scheme, projector, STEPS, &worst, &said);
    if (status != IL_OK) {
        return said.message[0] != '\0'
                   ? IL_OK
                   : il_fail(err, IL_EINTERNAL, "%s, %s: %s without a word", scheme->name,
                             projector->name, il_status_name(status));
    }
    return judge(&before, &cloud, scheme, projector, &worst, err);
}

const il_property il_property_impacts = {
    .name = "impacts",
    .one = one,
};

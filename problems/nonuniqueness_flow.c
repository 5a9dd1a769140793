/*
 * nonuniqueness_flow.c - from piece to piece of constant force a:
 *
 *     q1 = q + u s + a s^2/2,   u1 = u + a s,       s the length of the piece,
 *     contact at q + u c + a c^2/2 = 0,             dc = -(dq + c du)/(u + a c).
 *
 * On the wall the point has velocity 0: pulled it rests to the end of the piece and forgets where
 * it came from, pushed it takes off at once and keeps of it only the time c.
 */
#include "problems/nonuniqueness_flow.h"

#include <math.h>
#include <string.h>

/* ---- doubles -------------------------------------------------------------------------------- */

double il_nonuniqueness_piece(double alpha, int m, double t, double *a) {
    int e = 0;
    bool push = frexp(t, &e) < 0.75;
    *a = ldexp(push ? 1.0 : -alpha, m * (e - 1));
    return ldexp(push ? 0.75 : 1.0, e);
}

double il_nonuniqueness_contact(double q, double u, double a) {
    double d = u * u - 2.0 * a * q;
    if (a < 0.0) {
        return (u + sqrt(d)) / -a;
    }
    return u < 0.0 && d >= 0.0 ? 2.0 * q / (sqrt(d) - u) : INFINITY;
}

/* z after s with acceleration a; D, 2 x 2, follows. */
static void fly(double *z, double *D, double a, double s) {
    z[0] += s * (z[1] + 0.5 * a * s);
    z[1] += a * s;
    D[0] += s * D[2];
    D[1] += s * D[3];
}

/* z meets the wall after c: from there it takes off at once if pushed. What a later landing leaves
 * behind is a shift in time, so D becomes that of a point on the wall, shifted by dc. */
static void land(double *z, double *D, double a, double c) {
    double speed = z[1] + a * c;
    for (int k = 0; k < 2; k++) {
        double dc = speed != 0.0 ? -(D[k] + c * D[2 + k]) / speed : 0.0;
        D[k] = 0.0;
        D[2 + k] = a > 0.0 ? -a * dc : 0.0;
    }
    z[0] = z[1] = 0.0;
}

void il_nonuniqueness_flow(double alpha, int m, double t0, const double *z, double t1, double *z1,
                           double *derivative) {
    double D[4] = {1.0, 0.0, 0.0, 1.0};
    double t = t0;
    z1[0] = fmax(z[0], 0.0);
    z1[1] = z[1];
    if (z1[0] == 0.0 && z1[1] <= 0.0) {
        z1[1] = 0.0;
        memset(D, 0, sizeof D);
    }
    while (t < t1) {
        double a = 0.0;
        double to = fmin(il_nonuniqueness_piece(alpha, m, t, &a), t1);
        bool on_wall = z1[0] == 0.0 && z1[1] == 0.0;
        double c = on_wall ? INFINITY : il_nonuniqueness_contact(z1[0], z1[1], a);
        if (on_wall && a < 0.0) {
            t = to;
            memset(D, 0, sizeof D);
        } else if (c <= to - t) {
            land(z1, D, a, c);
            t = a > 0.0 ? t + c : to;
        } else {
            fly(z1, D, a, to - t);
            t = to;
        }
    }
    if (derivative != NULL) {
        memcpy(derivative, D, sizeof D);
    }
}

/* ---- rational numbers ----------------------------------------------------------------------- */

/* q + u s + a s^2/2 and u + a s in place, s = 1/2; half, q and u are numbers of their own. */
static void fly_half(il_rational *q, il_rational *u, const il_rational *a, il_rational *half) {
    il_rational_scale(half, u, -1);
    il_rational_add(q, q, half);
    il_rational_scale(half, a, -3);
    il_rational_add(q, q, half);
    il_rational_scale(half, a, -1);
    il_rational_add(u, u, half);
}

/* Does a point with (q,u) land within the push of length 1/2? q + u s + s^2/2 is least at s = -u.
 */
static bool lands_pushed(const il_rational *q, const il_rational *u, il_rational **work) {
    il_rational *least = work[0];
    il_rational *end = work[1];
    if (il_rational_sign(u) >= 0) {
        return false;
    }
    il_rational_mul(least, u, u);
    il_rational_scale(least, least, -1);
    il_rational_sub(least, q, least); /* q - u^2/2 */
    il_rational_set_fraction(end, 1, 2);
    il_rational_add(end, end, u); /* 1/2 + u: the speed at the end */
    if (il_rational_sign(end) >= 0) {
        return il_rational_sign(least) <= 0;
    }
    il_rational_set_fraction(end, 1, 8);
    il_rational_add(end, end, q);
    il_rational_scale(least, u, -1);
    il_rational_add(end, end, least);
    return il_rational_sign(end) <= 0;
}

bool il_nonuniqueness_flow_exact(const il_exact_model *model, il_rational **z, il_rational **next,
                                 il_rational **derivative, il_rational **work) {
    il_rational *q = work[2];
    il_rational *u = work[3];
    il_rational *a = work[4];
    bool rests = il_rational_sign(z[0]) <= 0 && il_rational_sign(z[1]) <= 0;
    il_rational_set_fraction(q, 0, 1);
    il_rational_set_fraction(u, 0, 1);
    if (!rests) {
        il_rational_set(q, z[0]);
        il_rational_set(u, z[1]);
        if (lands_pushed(q, u, work)) {
            return false;
        }
    }
    il_rational_set_fraction(a, 1, 1);
    fly_half(q, u, a, work[0]);
    il_rational_set_fraction(a, 0, 1);
    il_rational_sub(a, a, model->own[0]);
    fly_half(q, u, a, work[0]);
    /* In the pull the motion is concave and begins above the wall: it lands if it ends below. */
    bool lands = il_rational_sign(q) <= 0;
    if (lands) {
        il_rational_set_fraction(q, 0, 1);
        il_rational_set_fraction(u, 0, 1);
    }
    int m = (int)il_rational_double(model->own[1]);
    il_rational_scale(next[0], q, -(m + 2));
    il_rational_scale(next[1], u, -(m + 1));
    bool forgets = lands || rests;
    il_rational_set_fraction(derivative[0], forgets ? 0 : 1, 4ul << m);
    il_rational_set_fraction(derivative[1], forgets ? 0 : 1, 4ul << m);
    il_rational_set_fraction(derivative[2], 0, 1);
    il_rational_set_fraction(derivative[3], forgets ? 0 : 1, 2ul << m);
    return true;
}

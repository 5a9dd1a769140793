/*
 * faults_units.c - what numbers mean: velocities that stand at another sample, units of time,
 * length and velocity.
 *
 * Over all steps, positions move by h times velocities, and velocities in flight by h times what
 * the force makes. The factors between the two that leave least,
 *
 *     r = <dq, h u>/<h u, h u>,   k = <du, h M^{-1} f>/<h M^{-1} f, h M^{-1} f>,
 *
 * are 1; r = 1/c, k = 1/c where time counts c times, r = 1/c, k = c where velocities do, k = c
 * where lengths do.
 */
#include <math.h>
#include <string.h>

#include "harness/base/vector.h"
#include "harness/judge/faults.h"

/* ---- velocities of another side -------------------------------------------------------------- */

/* Sum over steps of |q_{n+1} - q_n - h v| with v the velocity that `between` means on the way, if
 * velocities stood `shift` samples later. Steps with an impulse are left out in flight. */
static double kinematics(const il_fault_work *w, il_between between, int shift, double *rounding) {
    double sum = 0.0;
    *rounding = 0.0;
    for (size_t n = 1; n + 2 < w->nodes; n++) {
        double h = w->t[n + 1] - w->t[n];
        const double *u0 = w->u + (size_t)((long)n + shift) * w->d;
        const double *u1 = u0 + w->d;
        for (size_t k = 0; k < w->d; k++) {
            double mean = between == IL_BETWEEN_AFFINE     ? u1[k]
                          : between == IL_BETWEEN_CONSTANT ? u0[k]
                                                           : 0.5 * (u0[k] + u1[k]);
            double way = w->q[(n + 1) * w->d + k] - w->q[n * w->d + k];
            double left = way - h * mean;
            const double *own = w->u + n * w->d + k;
            double u = fmax(fabs(mean), fmax(fabs(own[0]), fabs(own[w->d])));
            double wrong = 2.0 * il_faults_wrong(w, w->q[n * w->d + k]) +
                           h * il_faults_wrong(w, u) + 2.0 * il_faults_wrong(w, w->t[n]) * u +
                           1e-12 * w->speed * h;
            /* an impact in the step, or at its end */
            bool inside = w->step[n].felt > 0 &&
                          (w->step[n].closed || fabs(way - h * own[0]) > wrong) &&
                          way >= h * fmin(own[0], own[w->d]) - wrong &&
                          way <= h * fmax(own[0], own[w->d]) + wrong;
            bool jumps =
                inside || (between == IL_BETWEEN_BALLISTIC &&
                           fabs(u1[k] - u0[k]) > 2.0 * h * w->acceleration + 1e-9 * w->speed);
            sum += jumps ? 0.0 : fabs(left);
            *rounding += wrong;
        }
    }
    return sum;
}

/* Velocities that mean something else than said. Where flight is said, constant velocities are
 * tried; where they are said, those of the neighbouring samples. Flight is not tried in their
 * place: samples of flight may be read as if straight. */
void il_faults_try_side(il_fault_work *w, il_faults *faults) {
    static const struct {
        il_between said, between;
        int shift;
        const char *of, *means;
    } tries[] = {
        {IL_BETWEEN_AFFINE, IL_BETWEEN_AFFINE, -1, "the sample before", "constant"},
        {IL_BETWEEN_AFFINE, IL_BETWEEN_AFFINE, 1, "the sample after", NULL},
        {IL_BETWEEN_CONSTANT, IL_BETWEEN_CONSTANT, -1, "the sample before", NULL},
        {IL_BETWEEN_CONSTANT, IL_BETWEEN_CONSTANT, 1, "the sample after", "affine"},
        {IL_BETWEEN_BALLISTIC, IL_BETWEEN_AFFINE, 0, "the sample that is reached", "affine"},
        {IL_BETWEEN_BALLISTIC, IL_BETWEEN_CONSTANT, 0, "the sample left", "constant"}};
    double rounding = 0.0;
    double before = 0.0;
    if (w->problem->order != 2 || !w->has_u ||
        !((before = kinematics(w, w->between, 0, &rounding)) > 10.0 * rounding)) {
        return;
    }
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        if (tries[k].said != w->between) {
            continue;
        }
        double left = kinematics(w, tries[k].between, tries[k].shift, &rounding);
        if (left <= fmax(IL_FAULTS_EXPLAINS * before, rounding)) {
            il_faults_add(faults, "velocity of the wrong side",
                          "positions move by the velocity of %s: what is left of them falls from "
                          "%.3g to %.3g%s%s",
                          tries[k].of, before, left,
                          tries[k].means != NULL ? "; so they are read by --between " : "",
                          tries[k].means != NULL ? tries[k].means : "");
            return;
        }
    }
}

/* ---- units ---------------------------------------------------------------------------------- */

static void scale(double *x, size_t n, double factor) {
    for (size_t k = 0; k < n; k++) {
        x[k] *= factor;
    }
}

/* Times, positions and velocities so many times; velocities that are differences follow. */
static void rescale(il_fault_work *w, const double factor[3]) {
    scale(w->t, w->nodes, factor[0]);
    scale(w->q, w->nodes * w->d, factor[1]);
    scale(w->u, w->nodes * w->d, w->has_u ? factor[2] : factor[1] / factor[0]);
    w->speed *= w->has_u ? factor[2] : factor[1] / factor[0];
}

/* <x, y>/<y, y> over n numbers of each: the factor between them. */
static double ratio(const double *x, const double *y, size_t n) {
    double xy = 0.0;
    double yy = 0.0;
    for (size_t k = 0; k < n; k++) {
        xy += x[k] * y[k];
        yy += y[k] * y[k];
    }
    return yy > 0.0 ? xy / yy : NAN;
}

bool il_faults_hovers(const il_fault_work *w) {
    return 8 * w->hovers > w->nodes;
}

/* The factor of changes of positions over h times velocities, and that of changes of velocities in
 * flight over what the force makes. */
void il_faults_ratios(il_fault_work *w, double *motion, double *force) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    for (size_t n = 0; n + 1 < w->nodes; n++) {
        il_explained e;
        double h = w->t[n + 1] - w->t[n];
        const double *u0 = il_faults_velocity(w, n);
        const double *u1 = w->u + (n + 1) * w->d;
        for (size_t k = 0; k < w->d; k++) {
            double mean = 0.5 * h * (u0[k] + u1[k]);
            sums[0] += (w->q[(n + 1) * w->d + k] - w->q[n * w->d + k]) * mean;
            sums[1] += mean * mean;
        }
        bool holds = w->step[n].closed || !il_faults_hovers(w);
        if (w->problem->order != 2 || !il_faults_explain(w, n, &e) || (e.rows->p > 0 && holds)) {
            continue;
        }
        il_metric_solve(w->problem->mass, e.mean, w->scratch);
        double span = w->has_u || n == 0 ? h : 0.5 * (w->t[n + 1] - w->t[n - 1]);
        for (size_t k = 0; k < w->d; k++) {
            double gained = span * w->scratch[k];
            sums[2] += w->has_u || n > 0 ? (u1[k] - u0[k]) * gained : 0.0;
            sums[3] += w->has_u || n > 0 ? gained * gained : 0.0;
        }
    }
    *motion = sums[1] > 0.0 ? sums[0] / sums[1] : NAN;
    *force = sums[3] > 0.0 ? sums[2] / sums[3] : NAN;
}

bool il_faults_gross(il_fault_work *w) {
    double sums[2] = {0.0, 0.0};
    double left[2] = {0.0, 0.0};
    double rounding = 0.0; /* of two passes, and of what is at rest */
    for (int pass = 0; pass < 2 && w->has_u && w->problem->order == 2; pass++) {
        double factor = pass > 0 ? sums[0] / sums[1] : 1.0;
        for (size_t k = w->d; k < w->nodes * w->d; k++) {
            size_t n = k / w->d;
            double mean = (w->t[n] - w->t[n - 1]) * 0.5 * (w->u[k - w->d] + w->u[k]);
            double way = w->q[k] - w->q[k - w->d];
            sums[0] += pass == 0 ? way * mean : 0.0;
            sums[1] += pass == 0 ? mean * mean : 0.0;
            left[pass] += fabs(way - factor * mean);
            rounding += 4.0 * il_faults_wrong(w, w->q[k]) + 1e-12 * (1.0 + fabs(w->q[k]));
        }
    }
    return fabs(sums[0] - sums[1]) > 0.05 * sums[1] && left[1] < 0.1 * left[0] &&
           left[0] > rounding;
}

/* Another unit of time, of lengths, of positions or velocities alone. Without velocities a force
 * that counts so many times is a unit of time as well: that is said if it makes the end that of the
 * problem. */
void il_faults_try_scales(il_fault_work *w, il_faults *faults) {
    static const char *const words[] = {"time counts", "lengths count", "positions count",
                                        "velocities count"};
    static const char *const names[] = {"another unit of time", "another unit of length",
                                        "another unit of length", "another scale of velocities"};
    double least = INFINITY;
    double found = NAN;
    size_t best = 0;
    double motion = NAN;
    double force = NAN;
    il_faults_ratios(w, &motion, &force);
    double q = ratio(w->q, w->problem->q0, w->d);
    double u =
        w->has_u ? ratio(w->u, w->problem->u0, w->d) : ratio(w->u + w->d, w->problem->u0, w->d);
    double end = w->t[w->nodes - 1] / w->problem->horizon;
    double time = w->has_u ? 1.0 / motion : !isnan(u) ? 1.0 / u : 1.0 / sqrt(force);
    bool ends = fabs(end / time - 1.0) < 0.1 && fabs(end - 1.0) > 0.1;
    time = w->has_u || !isnan(u) || ends ? time : NAN;
    double length = !isnan(q) ? q : w->has_u ? force : NAN;
    const double list[][3] = {{1.0 / time, 1.0, 1.0},
                              {1.0, 1.0 / length, 1.0 / length},
                              {1.0, 1.0 / (!isnan(q) ? q : motion), 1.0},
                              {1.0, 1.0, motion}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        const double *f = list[k];
        double factor = f[k < 3 ? (k + 1) / 2 : 2];
        double back[3] = {1.0 / f[0], 1.0 / f[1], 1.0 / f[2]};
        il_assessment other;
        bool silent = !(il_faults_total(&w->now) > 0.0) && factor < 1.5 && factor > 1.0 / 1.5;
        if (!(fabs(factor - 1.0) > 1e-3) || !isfinite(factor) || silent || (k >= 2 && !w->has_u) ||
            (k != 1 && w->has_u && !il_faults_gross(w))) {
            continue;
        }
        rescale(w, f);
        il_faults_assess(w, INFINITY, &other);
        rescale(w, back);
        if (il_faults_total(&other) <= IL_FAULTS_EXPLAINS * il_faults_total(&w->now) &&
            il_faults_total(&other) < least) {
            least = il_faults_total(&other);
            best = k;
            found = 1.0 / factor;
        }
    }
    if (isfinite(found)) {
        bool degrees =
            w->problem->space == 0 && best > 0 && fabs(found * M_PI / 180.0 - 1.0) < 1e-3;
        il_faults_add(faults, names[best],
                      "%s %.6g times%s; so read, %.3g is left of start, motion and dynamics, and "
                      "%.3g before",
                      words[best], found, degrees ? " (degrees?)" : "", least,
                      il_faults_total(&w->now));
    }
    memcpy(w->t, w->track->run.t, w->nodes * sizeof *w->t);
    memcpy(w->q, w->track->run.q, w->nodes * w->d * sizeof *w->q);
    memcpy(w->u, w->track->run.u, w->nodes * w->d * sizeof *w->u);
}

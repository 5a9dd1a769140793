/*
 * newton.c - large sparse problems to rounding, by two Newton methods on one sparse factor.
 *
 *     min 1/2 |x - t|_M^2,   g(x) = a + s B x >= 0,   M diagonal.
 *
 * Far from the answer: Mehrotra's (1992) predictor-corrector interior-point method on
 *
 *     M (x - t) = s B' lambda,   g(x) = z,   lambda_i z_i = mu -> 0,
 *
 * whose number of iterations hardly depends on size, degeneracy or masses. Its steps are damped by
 * a proximal term (Friedlander & Orban 2012), g + (lambda - lambda_k)/sigma = z at lambda_k, which
 * holds lambda where the rows leave no interior (bodies that just fit between two walls) and bounds
 * the weights in H. Close to the answer: the augmented Lagrangian (Rockafellar 1976)
 *
 *     y_k = argmin 1/2 |x - t|_M^2 + sum_i max(0, lambda_i - sigma_i g_i(x))^2 / (2 sigma_i),
 *     lambda <- max(0, lambda - sigma g(y_k)),
 *
 * its inner problem solved by semismooth Newton with an exact line search (Li, Sun & Toh 2018).
 * sigma_i is taken inversely to W_ii = s^2 b_i' M^{-1} b_i, so that rows between light and heavy
 * bodies weigh alike. A singular B M^{-1} B' (more contacts than unknowns) costs nothing: the outer
 * iteration is a proximal step on the dual and moves within its range. Both need
 *
 *     H = M + s^2 B' diag(w) B,
 *
 * from sparse.h. Every outer iteration starts from x(lambda) = t + s M^{-1} B' lambda and works
 * with the displacement from there, so that what is subtracted shrinks along with the error and
 * the last digits are those of g.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/projector.h"
#include "schemes/projection/sparse.h"

/* sigma_i W_ii, the penalty relative to the compliance of a row on its own. An outer iteration
 * shrinks the error by 1/(sigma w), w the least nonzero eigenvalue of the scaled B M^{-1} B': about
 * 1e-4 for 2000 packed discs, but down to the ratio of masses where a light body is squeezed
 * between heavy ones. So the penalty starts soft, which keeps H well conditioned, and is stiffened
 * while an outer iteration gains less than two digits. */
static const double SOFT = 1e6;
static const double STIFF = 1e13;
static const double STIFFEN = 30.0;
static const double GAIN = 1e-2;

/* The interior phase ends at mu = CENTRED e, e the largest off_i^2 / W_ii at its start (off_i =
 * min(lambda_i W_ii, g_i)): where a row either pushes or is open as much as that, its two numbers
 * then differ by twelve digits. */
static const double CENTRED = 1e-12;

/* The part of the way to the boundary that a step goes at most. */
static const double BOUNDARY = 0.99;

/* Every pair of an interior start has lambda_i z_i at least the energy of the deepest violation,
 * and of this part of the residual, so that none is on the boundary. Energies, not gaps, are kept
 * alike: with masses in the ratio 1e6 that is 20 iterations against some hundreds. */
static const double INSIDE = 0.1;

/* A gap is known to this many roundings of the numbers that it is made of. */
static const double ROUNDING = 8.0 * 2.2e-16;

/* No x nearer than this times the violations satisfies the rows: they contradict each other. Such
 * multipliers could not be held together with any tolerance in double precision. */
static const double FAR = 1e8;

/* With at most this part of the rows violated, and each by more than SMALL of the worst, a solution
 * of the other rows goes to the augmented Lagrangian at once. */
static const double FEW = 0.02;
static const double SMALL = 1e-2;

/* Iterations: all; of one interior phase; without gain before it ends; between two looks whether
 * the rows contradict each other. */
enum { MAX_ITERATIONS = 600, MAX_INTERIOR = 100, PATIENCE = 8, CHECKED = 8 };

/* Outer iterations of one polishing; its factorisations; those that a good guess may take; and how
 * often the two phases take turns. */
enum { MAX_OUTER = 60, MAX_NEWTON = 24, WARM_NEWTON = 8, MAX_TURNS = 10 };

typedef struct {
    il_projector_options options;
    il_sparse *factor;
    size_t room_d, room_p;
    double *force; /* [d] s B' lambda */
    double *y;     /* [d] displacement from x(lambda) */
    double *r;     /* [d] right-hand side, then step */
    double *g;     /* [p] a + s B x, and along the iteration */
    double *dg;    /* [p] its change per unit step */
    double *z;     /* [p] slacks */
    double *dl;    /* [p] change of lambda */
    double *unit;  /* [p] W_ii = s^2 b_i' M^{-1} b_i */
    double *w;     /* [p] weights of the rows in H */
    double *kept;  /* [p] the lambda that was given */
    double *best;  /* [p] the best lambda of a phase */
    bool *in;      /* [p] rows of the analysed pattern */
    bool *active;  /* [p] rows of the factor */
    bool analysed, factored;
    const double *mass;
    double stiffness;         /* sigma_i W_ii */
    double rounding;          /* of the gaps, as last looked at */
    size_t iterations, limit; /* factorisations */
} newton;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    return il_metric_masses(qp->mass) != NULL ? NULL : "the mass matrix is not diagonal";
}

static void destroy(void *self) {
    newton *w = self;
    if (w == NULL) {
        return;
    }
    double *numbers[] = {w->force, w->y,    w->r, w->g,    w->dg,  w->z,
                         w->dl,    w->unit, w->w, w->kept, w->best};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        free(numbers[i]);
    }
    free(w->in);
    free(w->active);
    il_sparse_destroy(w->factor);
    free(w);
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    newton *w = calloc(1, sizeof *w);
    *self = w;
    if (w != NULL) {
        w->options = *options;
        w->factor = il_sparse_create();
    }
    if (w == NULL || w->factor == NULL) {
        destroy(w);
        *self = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for projector 'newton'");
    }
    return IL_OK;
}

static bool grow(void **block, size_t n, size_t size) {
    void *bigger = realloc(*block, n * size);
    if (bigger != NULL) {
        *block = bigger;
    }
    return bigger != NULL;
}

static bool reserve(newton *w, size_t d, size_t p) {
    double **of_d[] = {&w->force, &w->y, &w->r};
    double **of_p[] = {&w->g, &w->dg, &w->z, &w->dl, &w->unit, &w->w, &w->kept, &w->best};
    for (size_t k = 0; d > w->room_d && k < sizeof of_d / sizeof of_d[0]; k++) {
        if (!grow((void **)of_d[k], d, sizeof(double))) {
            return false;
        }
    }
    w->room_d = d > w->room_d ? d : w->room_d;
    if (p <= w->room_p) {
        return true;
    }
    for (size_t k = 0; k < sizeof of_p / sizeof of_p[0]; k++) {
        if (!grow((void **)of_p[k], 2 * p, sizeof(double))) {
            return false;
        }
    }
    if (!grow((void **)&w->in, 2 * p, sizeof(bool)) ||
        !grow((void **)&w->active, 2 * p, sizeof(bool))) {
        return false;
    }
    w->room_p = 2 * p;
    return true;
}

/* W_ii; 1 for a row without a gradient, which nothing can move. */
static void measure_rows(newton *w, const il_qp *qp) {
    const il_rows *rows = qp->rows;
    for (size_t i = 0; i < rows->p; i++) {
        double sum = 0.0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            sum += rows->coef[e] * rows->coef[e] / w->mass[rows->col[e]];
        }
        w->unit[i] = sum > 0.0 ? qp->scale * qp->scale * sum : 1.0;
        w->in[i] = w->active[i] = false;
    }
    w->analysed = false;
    w->factored = false;
}

/* x(lambda) and its gaps. Returns the natural residual max_i |min(lambda_i W_ii, g_i)|, NaN if a
 * gap is; *rounding is what it may be made of, *deepest the largest violation. */
static double look(newton *w, const il_qp *qp, const double *lambda, double *x, double *rounding,
                   double *deepest) {
    const il_rows *rows = qp->rows;
    double residual = 0.0;
    double size = 0.0;
    *deepest = 0.0;
    il_projection_from_multipliers(qp, lambda, w->force, x);
    for (size_t i = 0; i < rows->p; i++) {
        double g = qp->a[i];
        double sum = fabs(g);
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            double c = qp->scale * rows->coef[e] * x[rows->col[e]];
            g += c;
            sum += fabs(c);
        }
        w->g[i] = g;
        double off = fabs(fmin(lambda[i] * w->unit[i], g));
        residual = isnan(g) || off > residual ? off : residual;
        size = sum > size ? sum : size;
        *deepest = -g > *deepest ? -g : *deepest;
        if (isnan(g)) {
            return NAN;
        }
    }
    *rounding = w->rounding = ROUNDING * size;
    return residual;
}

/* For any lambda >= 0 a point x that satisfies the rows has
 * |x - t|_M |s B' lambda|_{M^-1} >= -lambda' (a + s B t): true when that puts every x out of
 * reach. */
static bool contradictory(newton *w, const il_qp *qp, const double *lambda) {
    double pull = 0.0;
    double reach = 0.0;
    double force2 = 0.0;
    memset(w->force, 0, qp->d * sizeof *w->force);
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, qp->target);
        pull -= lambda[i] * g;
        reach = fmax(reach, -g / sqrt(w->unit[i]));
        il_rows_axpy(qp->rows, i, qp->scale * lambda[i], w->force);
    }
    for (size_t k = 0; k < qp->d; k++) {
        force2 += w->force[k] * w->force[k] / w->mass[k];
    }
    return pull > FAR * reach * sqrt(force2);
}

/* ---- interior point -------------------------------------------------------------------------- */

/* Start from lambda as given, with every pair off the boundary: lambda_i z_i at least `energy`. */
static void centre(newton *w, const il_qp *qp, double energy, double *lambda, double *x) {
    double rounding = 0.0;
    double deepest = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        lambda[i] = fmax(lambda[i], sqrt(energy / w->unit[i]));
    }
    (void)look(w, qp, lambda, x, &rounding, &deepest);
    for (size_t i = 0; i < qp->rows->p; i++) {
        w->z[i] = fmax(w->g[i], sqrt(energy * w->unit[i]));
    }
}

/* mu, the mean of lambda_i z_i; *gap is the largest defect. */
static double centrality(const newton *w, size_t p, const double *lambda, double *gap) {
    double mu = 0.0;
    *gap = 0.0;
    for (size_t i = 0; i < p; i++) {
        *gap = fmax(*gap, fabs(w->g[i] - w->z[i]));
        mu += lambda[i] * w->z[i];
    }
    return mu / (double)p;
}

/* One direction. With the defect r and v = z + lambda/sigma,
 *     H dx = s B' (c - lambda r)/v,   dlambda = (c - lambda (r + s B dx))/v,
 *     dz = s B dx + dlambda/sigma + r,   c = goal - lambda z less, in the corrector, the product
 * dlambda dz of the predictor (left in dl and w). Returns the largest step that keeps lambda and z
 * at least 0. */
static double direction(newton *w, const il_qp *qp, const double *lambda, double goal,
                        bool corrector) {
    const il_rows *rows = qp->rows;
    double s = qp->scale;
    memset(w->r, 0, qp->d * sizeof *w->r);
    for (size_t i = 0; i < rows->p; i++) {
        double v = w->z[i] + lambda[i] * w->unit[i] / w->stiffness;
        double c = goal - lambda[i] * w->z[i];
        c -= corrector ? w->dl[i] * w->w[i] : 0.0;
        w->dl[i] = (c - lambda[i] * (w->g[i] - w->z[i])) / v;
        il_rows_axpy(rows, i, s * w->dl[i], w->r);
    }
    il_sparse_solve(w->factor, w->r);
    double limit = 1e300;
    for (size_t i = 0; i < rows->p; i++) {
        double soft = w->unit[i] / w->stiffness;
        w->dg[i] = s * il_rows_dot(rows, i, w->r);
        w->dl[i] -= lambda[i] * w->dg[i] / (w->z[i] + lambda[i] * soft);
        w->w[i] = w->dg[i] + w->dl[i] * soft + (w->g[i] - w->z[i]);
        limit = w->w[i] < 0.0 ? fmin(limit, -w->z[i] / w->w[i]) : limit;
        limit = w->dl[i] < 0.0 ? fmin(limit, -lambda[i] / w->dl[i]) : limit;
    }
    return limit;
}

/* How far the predictor would bring mu, cubed: Mehrotra's centring. */
static double centring(const newton *w, size_t p, const double *lambda, double mu, double step) {
    double sum = 0.0;
    for (size_t i = 0; i < p; i++) {
        sum += (lambda[i] + step * w->dl[i]) * (w->z[i] + step * w->w[i]);
    }
    double ratio = sum / (double)p / mu;
    return fmin(1.0, ratio * ratio * ratio);
}

/* From lambda to mu <= target and |g - z| <= near. A pivot that is lost to rounding ends the phase
 * early: what is left is the other method's. */
static il_status interior(newton *w, const il_qp *qp, double target, double near, double *lambda,
                          double *x) {
    const il_rows *rows = qp->rows;
    double rounding = 0.0;
    double deepest = 0.0;
    double least = INFINITY;
    int idle = 0;
    double s2 = qp->scale * qp->scale;
    memset(w->in, true, rows->p * sizeof *w->in);
    il_status status = il_sparse_analyse(w->factor, qp->d, rows, w->in);
    if (status != IL_OK) {
        return status;
    }
    w->analysed = true;
    for (int k = 0; k < MAX_INTERIOR && w->iterations < w->limit; k++) {
        double gap = 0.0;
        double mu = centrality(w, rows->p, lambda, &gap);
        if (mu <= target && gap <= near) {
            break;
        }
        if (!isfinite(mu)) {
            memcpy(lambda, w->best, rows->p * sizeof *lambda);
            break;
        }
        idle = mu < 0.9 * least || gap > near ? 0 : idle + 1;
        least = fmin(least, mu);
        if (idle >= PATIENCE) {
            break;
        }
        if (k % CHECKED == CHECKED - 1 && contradictory(w, qp, lambda)) {
            return IL_EINFEASIBLE;
        }
        memcpy(w->best, lambda, rows->p * sizeof *lambda);
        for (size_t i = 0; i < rows->p; i++) {
            w->w[i] = s2 * lambda[i] / (w->z[i] + lambda[i] * w->unit[i] / w->stiffness);
        }
        status = il_sparse_factor(w->factor, w->mass, rows, w->w);
        if (status != IL_OK) {
            return status == IL_ENUMERIC ? IL_OK : status;
        }
        w->iterations++;
        double limit = fmin(1.0, direction(w, qp, lambda, 0.0, false));
        double goal = mu * centring(w, rows->p, lambda, mu, limit);
        limit = direction(w, qp, lambda, goal, true);
        double step = fmin(1.0, BOUNDARY * limit);
        for (size_t i = 0; i < rows->p; i++) {
            lambda[i] += step * w->dl[i];
            w->z[i] += step * w->w[i];
        }
        (void)look(w, qp, lambda, x, &rounding, &deepest); /* g anew: what the step lost shows */
    }
    return IL_OK;
}

/* ---- augmented Lagrangian -------------------------------------------------------------------- */

/* dl, the weights of H and the negative gradient -M y + s B' dl at the point at hand. Returns how
 * many rows are active that were not, or the reverse. */
static size_t gradient(newton *w, const il_qp *qp, const double *lambda) {
    const il_rows *rows = qp->rows;
    double s2 = qp->scale * qp->scale;
    size_t changes = 0;
    for (size_t k = 0; k < qp->d; k++) {
        w->r[k] = -w->mass[k] * w->y[k];
    }
    for (size_t i = 0; i < rows->p; i++) {
        double sigma = w->stiffness / w->unit[i];
        bool on = lambda[i] - sigma * w->g[i] > 0.0;
        w->dl[i] = on ? -sigma * w->g[i] : -lambda[i];
        w->w[i] = on ? s2 * sigma : 0.0;
        changes += on != w->active[i];
        w->active[i] = on;
        if (w->dl[i] != 0.0) {
            il_rows_axpy(rows, i, qp->scale * w->dl[i], w->r);
        }
        if (on && !w->in[i]) {
            w->analysed = false;
        }
    }
    return changes;
}

/* The factor for the active rows at hand. */
static il_status refactor(newton *w, const il_qp *qp) {
    if (!w->analysed) {
        for (size_t i = 0; i < qp->rows->p; i++) {
            w->in[i] = w->in[i] || w->active[i];
        }
        il_status status = il_sparse_analyse(w->factor, qp->d, qp->rows, w->in);
        if (status != IL_OK) {
            return status;
        }
        w->analysed = true;
    }
    w->factored = true;
    w->iterations++;
    return il_sparse_factor(w->factor, w->mass, qp->rows, w->w);
}

/* The derivative of the augmented Lagrangian at y + alpha dy (dy in r), and its slope there. */
static double derivative(const newton *w, const il_qp *qp, const double *lambda, double alpha,
                         double linear, double square, double *slope) {
    double d = linear + alpha * square;
    *slope = square;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double sigma = w->stiffness / w->unit[i];
        double g = w->g[i] + alpha * w->dg[i];
        if (lambda[i] - sigma * g > 0.0) {
            d += sigma * g * w->dg[i];
            *slope += sigma * w->dg[i] * w->dg[i];
        } else {
            d += lambda[i] * w->dg[i];
        }
    }
    return d;
}

/* Exact line search: the derivative is continuous, increasing and piecewise linear in alpha, so
 * Newton's method kept inside a bracket ends on the piece that holds the zero. */
static double search(const newton *w, const il_qp *qp, const double *lambda) {
    static const double FLAT = 1e-3; /* of the derivative at 0: the next direction does the rest */
    double linear = 0.0;
    double square = 0.0;
    for (size_t k = 0; k < qp->d; k++) {
        linear += w->mass[k] * w->y[k] * w->r[k];
        square += w->mass[k] * w->r[k] * w->r[k];
    }
    double slope = 0.0;
    double start = fabs(derivative(w, qp, lambda, 0.0, linear, square, &slope));
    double low = 0.0;
    double high = INFINITY;
    double alpha = 1.0;
    for (int k = 0; k < 40; k++) {
        double d = derivative(w, qp, lambda, alpha, linear, square, &slope);
        if (!(fabs(d) > FLAT * start)) {
            break;
        }
        if (d > 0.0) {
            high = alpha;
        } else {
            low = alpha;
        }
        double next = alpha - d / slope;
        bool inside = next > low && next < high;
        alpha = inside ? next : high < INFINITY ? 0.5 * (low + high) : 2.0 * alpha;
    }
    return alpha;
}

/* One outer iteration: lambda <- lambda + dl at the minimiser. IL_ESTALLED when iterations reach
 * the limit before the set of active rows has settled; lambda is then as it was. */
static il_status proximal(newton *w, const il_qp *qp, double *lambda, size_t limit) {
    size_t p = qp->rows->p;
    memset(w->y, 0, qp->d * sizeof *w->y);
    size_t changes = gradient(w, qp, lambda);
    for (bool settled = false; !settled;) {
        if (!w->factored || changes > 0) {
            if (w->iterations >= limit) {
                return IL_ESTALLED;
            }
            il_status status = refactor(w, qp);
            if (status != IL_OK) {
                return status;
            }
        }
        il_sparse_solve(w->factor, w->r);
        for (size_t i = 0; i < p; i++) {
            w->dg[i] = qp->scale * il_rows_dot(qp->rows, i, w->r);
        }
        double alpha = search(w, qp, lambda);
        for (size_t k = 0; k < qp->d; k++) {
            w->y[k] += alpha * w->r[k];
        }
        for (size_t i = 0; i < p; i++) {
            w->g[i] += alpha * w->dg[i];
        }
        changes = gradient(w, qp, lambda);
        double drift = 0.0;
        for (size_t k = 0; k < qp->d; k++) {
            drift = fmax(drift, fabs(w->r[k]) / w->mass[k]);
        }
        settled = changes == 0 || 2.0 * qp->scale * drift <= w->rounding;
    }
    for (size_t i = 0; i < p; i++) {
        lambda[i] = fmax(0.0, lambda[i] + w->dl[i]);
    }
    return IL_OK;
}

/* Of each pair (lambda_i, g_i), the smaller is taken for zero. */
static void choose(newton *w, const il_qp *qp, double *lambda, double *x) {
    double rounding = 0.0;
    double deepest = 0.0;
    (void)look(w, qp, lambda, x, &rounding, &deepest);
    for (size_t i = 0; i < qp->rows->p; i++) {
        lambda[i] = lambda[i] * w->unit[i] < w->g[i] ? 0.0 : lambda[i];
    }
}

/* Outer iterations until the residual is at most the tolerance or down to rounding. At the end
 * lambda is the best there was, and x belongs to it. */
static il_status polish(newton *w, const il_qp *qp, size_t limit, double *lambda, double *x) {
    double tolerance = w->options.tolerance;
    double accepted = tolerance > 0.0 ? tolerance : IL_PROJECTOR_TOLERANCE;
    size_t bytes = qp->rows->p * sizeof *lambda;
    double best = INFINITY;
    double rounding = 0.0;
    double deepest = 0.0;
    int idle = 0;
    il_status status = IL_OK;
    double before = INFINITY;
    choose(w, qp, lambda, x);
    for (int k = 0; k < MAX_OUTER && status == IL_OK; k++) {
        double residual = look(w, qp, lambda, x, &rounding, &deepest);
        if (residual <= fmax(tolerance, rounding)) {
            return IL_OK;
        }
        if (!isfinite(residual)) {
            status = IL_ENUMERIC;
            break;
        }
        idle = residual < 0.5 * best ? 0 : idle + 1;
        if (residual < best) {
            best = residual;
            memcpy(w->best, lambda, bytes);
        }
        if (idle >= 3 && contradictory(w, qp, lambda)) {
            return IL_EINFEASIBLE;
        }
        if ((idle >= 3 && best <= accepted) || idle >= 8) {
            break;
        }
        if (residual > GAIN * before && w->stiffness < STIFF) {
            w->stiffness *= STIFFEN;
            w->factored = false;
        }
        before = residual;
        status = proximal(w, qp, lambda, limit);
    }
    if (best < INFINITY) {
        memcpy(lambda, w->best, bytes);
        (void)look(w, qp, lambda, x, &rounding, &deepest);
    }
    return best <= accepted ? IL_OK : status == IL_OK ? IL_ESTALLED : status;
}

/* ---- together -------------------------------------------------------------------------------- */

/* What the guess lambda is worth. */
typedef struct {
    double residual, deepest, rounding;
    bool pushes; /* some multiplier is positive */
    size_t violated;
} guess;

/* Set up, make lambda a guess that can be used, and judge it. */
static il_status begin(newton *w, const il_qp *qp, double *lambda, double *x, guess *at) {
    size_t p = qp->rows->p;
    *at = (guess){.residual = 0.0};
    w->iterations = 0;
    w->stiffness = SOFT;
    w->limit = w->options.max_iterations > 0 ? w->options.max_iterations : MAX_ITERATIONS;
    w->mass = il_metric_masses(qp->mass);
    if (w->mass == NULL) {
        return IL_EUNSUPPORTED;
    }
    if (!reserve(w, qp->d, p)) {
        return IL_ENOMEM;
    }
    measure_rows(w, qp);
    for (size_t i = 0; i < p; i++) {
        lambda[i] = lambda[i] > 0.0 && lambda[i] < INFINITY ? lambda[i] : 0.0;
        at->pushes = at->pushes || lambda[i] > 0.0;
    }
    at->residual = look(w, qp, lambda, x, &at->rounding, &at->deepest);
    for (size_t i = 0; i < p; i++) {
        at->violated += w->g[i] < -SMALL * at->deepest;
    }
    if (p > 0) {
        memcpy(w->kept, lambda, p * sizeof *lambda);
    }
    return isfinite(at->residual) ? IL_OK : IL_ENUMERIC;
}

/* The interior phase from the guess as given. */
static il_status inner(newton *w, const il_qp *qp, const guess *at, double inside, double tolerance,
                       double *lambda, double *x) {
    double reached = fmax(tolerance, at->rounding);
    double deepest = 0.0;
    double off = 0.0;
    double widest = 0.0;
    memcpy(lambda, w->kept, qp->rows->p * sizeof *lambda);
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = fmin(lambda[i] * w->unit[i], w->g[i]);
        off = fmax(off, g * g / w->unit[i]);
        deepest = fmax(deepest, g < 0.0 ? g * g / w->unit[i] : 0.0);
        widest = fmax(widest, w->unit[i]);
    }
    centre(w, qp, fmax(deepest, inside * inside * off), lambda, x);
    double target = fmax(CENTRED * off, reached * reached / widest);
    return interior(w, qp, target, fmax(1e-4 * at->residual, reached), lambda, x);
}

/* Both phases in turn, from the best there is and with a stiffer penalty, until polishing settles:
 * once, but for rows that are nearly dependent. */
static il_status alternate(newton *w, const il_qp *qp, guess *at, double *lambda, double *x) {
    size_t bytes = qp->rows->p * sizeof *lambda;
    il_status status = IL_ESTALLED;
    at->residual = look(w, qp, w->kept, x, &at->rounding, &at->deepest);
    for (int k = 0; k < MAX_TURNS && status == IL_ESTALLED && w->iterations < w->limit; k++) {
        status = inner(w, qp, at, k > 0 ? 1.0 : INSIDE, 0.1 * w->options.tolerance, lambda, x);
        if (status == IL_OK) {
            size_t limit = w->iterations + MAX_NEWTON;
            status = polish(w, qp, limit < w->limit ? limit : w->limit, lambda, x);
        }
        double residual = look(w, qp, lambda, x, &at->rounding, &at->deepest);
        if (status == IL_ESTALLED && residual >= at->residual) { /* no gain: the best stays */
            memcpy(lambda, w->kept, bytes);
            residual = look(w, qp, lambda, x, &at->rounding, &at->deepest);
        }
        memcpy(w->kept, lambda, bytes);
        at->residual = residual;
        w->stiffness = fmin(STIFF, STIFFEN * w->stiffness);
    }
    return status;
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    newton *w = self;
    guess at;
    *info = (il_projection_info){.method = "newton"};
    il_status status = begin(w, qp, lambda, x, &at);
    if (status != IL_OK || at.residual <= fmax(w->options.tolerance, at.rounding)) {
        return status;
    }
    /* a solution but for few rows violates those and nothing else is off */
    bool near =
        at.pushes && at.residual <= at.deepest && (double)at.violated <= FEW * (double)qp->rows->p;
    status = near ? polish(w, qp, WARM_NEWTON, lambda, x) : IL_ESTALLED;
    if (status == IL_ESTALLED || status == IL_ENUMERIC) {
        w->stiffness = SOFT;
        status = alternate(w, qp, &at, lambda, x);
    }
    info->iterations = w->iterations;
    return status;
}

static il_status approximate(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info) {
    newton *w = self;
    guess at;
    *info = (il_projection_info){.method = "newton"};
    il_status status = begin(w, qp, lambda, x, &at);
    info->coarse = at.residual > fmax(w->options.tolerance, at.rounding);
    if (status != IL_OK || at.residual <= tolerance) {
        return status;
    }
    status = inner(w, qp, &at, INSIDE, tolerance, lambda, x);
    il_projection_from_multipliers(qp, lambda, w->force, x);
    info->iterations = w->iterations;
    info->coarse = true;
    return status;
}

const il_projector_type il_projector_newton = {
    .name = "newton",
    .title = "interior point, then semismooth Newton, with sparse factors: for many bodies",
    .statement =
        "Predictor-corrector interior-point steps, then the augmented Lagrangian with semismooth\n"
        "Newton steps and an exact line search, down to rounding. Both factorise\n"
        "M + s^2 B' diag(w) B by a multifrontal Cholesky method in a minimum-degree ordering.\n"
        "Takes more contacts than unknowns and masses in any ratio; starts from the multipliers\n"
        "of the round before. M diagonal. --tol E stops at residual E in the units of the gaps;\n"
        "an iteration is one factorisation.",
    .source = "Mehrotra 1992; Friedlander & Orban 2012; Rockafellar 1976; Li, Sun & Toh 2018; Duff "
              "& Reid 1983; "
              "Amestoy, Davis & Duff 1996",
    .exact = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .approximate = approximate,
    .destroy = destroy};

/*
 * newton.c - large sparse problems to rounding, by two Newton methods on one sparse factor.
 *
 *     min 1/2 |x - t|_M^2,   g(x) = a + s B x >= 0,   M diagonal.
 *
 * Far from the answer: the interior-point method of interior.c, whose number of iterations hardly
 * depends on size, degeneracy or masses. Close to it: the augmented Lagrangian (Rockafellar 1976)
 *
 *     y_k = argmin 1/2 |x - t|_M^2 + sum_i max(0, lambda_i - sigma_i g_i(x))^2 / (2 sigma_i),
 *     lambda <- max(0, lambda - sigma g(y_k)),
 *
 * its inner problem solved by semismooth Newton with an exact line search (Li, Sun & Toh 2018), or
 * in full steps close to the answer.
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

#include "schemes/projection/newton/interior.h"

/* sigma_i W_ii, the penalty relative to the compliance of a row on its own. An outer iteration
 * shrinks the error by 1/(sigma w), w the least nonzero eigenvalue of the scaled B M^{-1} B': about
 * 1e-4 for 2000 packed discs, but down to the ratio of masses where a light body is squeezed
 * between heavy ones. So the penalty starts soft, which keeps H well conditioned, and is stiffened
 * while an outer iteration gains less than two digits. */
static const double SOFT = 1e6;
static const double STIFF = 1e13;
static const double STIFFEN = 30.0;
static const double GAIN = 1e-2;

/* An interior phase starts with every pair off the boundary by this part of the residual. */
static const double INSIDE = 0.1;

/* The part of a tolerance that central points are computed to: their pairs lambda_i z_i lie within
 * an order of magnitude of each other. */
static const double CENTRAL = 0.2;

/* With at most this part of the rows violated, and each by more than SMALL of the worst, a solution
 * of the other rows, to SMALL of the worst, goes to the augmented Lagrangian at once. */
static const double FEW = 0.02;
static const double SMALL = 1e-2;

/* So does a guess that is off by at most this part of its largest push: in a pile at rest, that of
 * the step before. Its outer iterations are done at the rounding of the gaps alone. */
static const double AT_REST = 1e-6;

/* Outer iterations go on while they halve the residual, as multipliers of light bodies between
 * heavy ones may improve with it; once it is within SETTLED of rounding, no longer than that. */
static const double SETTLED = 4.0;

/* Where few rows changed since the last factorisation, conjugate gradients with that factor stand
 * in for a new one: down to CG_GOAL of the right-hand side, while they take less than CG_PART of
 * the multiplications. */
static const double CG_GOAL = 1e-8;
static const double CG_PART = 0.1;

/* Newton steps are taken in full, as primal-dual active sets are (Hintermueller, Ito & Kunisch
 * 2002), while the rows that come or go are few and do not grow in number: close to the solution
 * these are a handful of steps, where a search would stop at every row on the way. FULL bounds the
 * first change, as a part of the rows; GROWTH those after. Else, and after MAX_FULL, by search. */
static const double FULL = 0.01;
static const double GROWTH = 2.0;

/* Iterations; outer ones of one polishing; its factorisations; those that a good guess may take;
 * Newton steps of an outer iteration; and how often the two phases take turns. */
enum {
    MAX_ITERATIONS = 600,
    MAX_OUTER = 60,
    MAX_NEWTON = 24,
    WARM_NEWTON = 20,
    MAX_STEPS = 60,
    MAX_FULL = 10,
    MAX_TURNS = 10
};

typedef struct {
    il_projector_options options;
    il_dual dual;
    double stiffness; /* sigma_i W_ii */
    bool last_digits; /* all that the guess lacks */
} newton;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    return il_metric_masses(qp->mass) != NULL ? NULL : "the mass matrix is not diagonal";
}

static void destroy(void *self) {
    newton *w = self;
    if (w != NULL) {
        il_dual_free(&w->dual);
    }
    free(w);
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    newton *w = calloc(1, sizeof *w);
    *self = w;
    if (w != NULL) {
        w->options = *options;
    }
    if (w == NULL || !il_dual_init(&w->dual)) {
        destroy(w);
        *self = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for projector 'newton'");
    }
    return IL_OK;
}

/* ---- augmented Lagrangian -------------------------------------------------------------------- */

/* dl, the weights of H and the negative gradient -M y + s B' dl at the point at hand. Returns how
 * many rows are active that were not, or the reverse. */
static size_t gradient(newton *self, const il_qp *qp, const double *lambda) {
    il_dual *w = &self->dual;
    const il_rows *rows = qp->rows;
    double s2 = qp->scale * qp->scale;
    size_t changes = 0;
    for (size_t k = 0; k < qp->d; k++) {
        w->r[k] = -w->mass[k] * w->y[k];
    }
    for (size_t i = 0; i < rows->p; i++) {
        double sigma = self->stiffness / w->unit[i];
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

/* The factor for the active rows at hand, and the direction r = H^{-1} r. */
static il_status factorise(il_dual *w, const il_qp *qp) {
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
    w->changed = 0;
    w->iterations++;
    il_status status = il_sparse_factor(w->factor, w->mass, qp->rows, w->w, w->r);
    w->factored = status == IL_OK;
    return status;
}

/* cg_hp = H p = M p + B' diag(w) B p, p = cg_p. Returns p' H p. */
static double multiply(il_dual *w, const il_qp *qp) {
    double square = 0.0;
    for (size_t k = 0; k < qp->d; k++) {
        w->cg_hp[k] = w->mass[k] * w->cg_p[k];
        square += w->cg_hp[k] * w->cg_p[k];
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        if (w->w[i] > 0.0) {
            double bp = il_rows_dot(qp->rows, i, w->cg_p);
            il_rows_axpy(qp->rows, i, w->w[i] * bp, w->cg_hp);
            square += w->w[i] * bp * bp;
        }
    }
    return square;
}

/* v' M^{-1} v, which bounds v' H^{-1} v. */
static double size2(const il_dual *w, size_t d, const double *v) {
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) {
        sum += v[k] * v[k] / w->mass[k];
    }
    return sum;
}

/* r = H^{-1} r by conjugate gradients preconditioned with the factor at hand, that of H but for few
 * rows: as many eigenvalues are not 1. False when n iterations do not bring the residual to CG_GOAL
 * of r; r is then lost. */
static bool conjugate_gradients(il_dual *w, const il_qp *qp, size_t n) {
    double goal = CG_GOAL * CG_GOAL * size2(w, qp->d, w->r);
    double before = 1.0;
    memset(w->cg_x, 0, qp->d * sizeof *w->cg_x);
    memset(w->cg_p, 0, qp->d * sizeof *w->cg_p);
    for (size_t i = 0; i < n; i++) {
        double zr = 0.0;
        memcpy(w->cg_z, w->r, qp->d * sizeof *w->cg_z);
        il_sparse_solve(w->factor, w->cg_z);
        for (size_t k = 0; k < qp->d; k++) {
            zr += w->cg_z[k] * w->r[k];
        }
        for (size_t k = 0; k < qp->d; k++) {
            w->cg_p[k] = w->cg_z[k] + zr / before * w->cg_p[k];
        }
        double alpha = zr / multiply(w, qp);
        for (size_t k = 0; k < qp->d; k++) {
            w->cg_x[k] += alpha * w->cg_p[k];
            w->r[k] -= alpha * w->cg_hp[k];
        }
        before = zr;
        if (size2(w, qp->d, w->r) <= goal) {
            memcpy(w->r, w->cg_x, qp->d * sizeof *w->r);
            return true;
        }
    }
    return false;
}

/* The Newton direction, from the negative gradient in r: by the factor at hand, by it and conjugate
 * gradients where few rows changed since, or by a new one. IL_ESTALLED when that would be one more
 * than the limit. */
static il_status direct(newton *self, const il_qp *qp, const double *lambda, size_t limit) {
    il_dual *w = &self->dual;
    if (w->factored && w->changed == 0) {
        il_sparse_solve(w->factor, w->r);
        return IL_OK;
    }
    double most = CG_PART * il_sparse_work(w->factor) / (double)(il_sparse_size(w->factor) + 1);
    if (w->factored && (double)w->changed < most) {
        if (conjugate_gradients(w, qp, (size_t)most)) {
            return IL_OK;
        }
        (void)gradient(self, qp, lambda); /* r again */
    }
    return w->iterations < limit ? factorise(w, qp) : IL_ESTALLED;
}

/* The derivative of the augmented Lagrangian at y + alpha dy (dy in r), and its slope there. */
static double derivative(const newton *self, const il_qp *qp, const double *lambda, double alpha,
                         double linear, double square, double *slope) {
    const il_dual *w = &self->dual;
    double d = linear + alpha * square;
    *slope = square;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double sigma = self->stiffness / w->unit[i];
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
static double search(const newton *self, const il_qp *qp, const double *lambda) {
    const il_dual *w = &self->dual;
    static const double FLAT = 1e-3; /* of the derivative at 0: the next direction does the rest */
    double linear = 0.0;
    double square = 0.0;
    for (size_t k = 0; k < qp->d; k++) {
        linear += w->mass[k] * w->y[k] * w->r[k];
        square += w->mass[k] * w->r[k] * w->r[k];
    }
    double slope = 0.0;
    double start = fabs(derivative(self, qp, lambda, 0.0, linear, square, &slope));
    double low = 0.0;
    double high = INFINITY;
    double alpha = 1.0;
    for (int k = 0; k < 40; k++) {
        double d = derivative(self, qp, lambda, alpha, linear, square, &slope);
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
static il_status proximal(newton *self, const il_qp *qp, double *lambda, size_t limit) {
    il_dual *w = &self->dual;
    size_t p = qp->rows->p;
    memset(w->y, 0, qp->d * sizeof *w->y);
    w->changed += gradient(self, qp, lambda);
    bool settled = false;
    bool full = true;
    double few = FULL * (double)p; /* changes that another full step may follow */
    for (int step = 0; !settled; step++) {
        il_status status = step < MAX_STEPS ? direct(self, qp, lambda, limit) : IL_ESTALLED;
        if (status != IL_OK) {
            return status;
        }
        for (size_t i = 0; i < p; i++) {
            w->dg[i] = qp->scale * il_rows_dot(qp->rows, i, w->r);
        }
        double alpha = full ? 1.0 : search(self, qp, lambda);
        for (size_t k = 0; k < qp->d; k++) {
            w->y[k] += alpha * w->r[k];
        }
        for (size_t i = 0; i < p; i++) {
            w->g[i] += alpha * w->dg[i];
        }
        size_t changes = gradient(self, qp, lambda);
        w->changed += changes;
        full = full && step + 1 < MAX_FULL && (double)changes <= few;
        few = GROWTH * (double)changes;
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

/* Of each pair (lambda_i, g_i), the smaller is taken for zero, unless that would lose a tolerance
 * that lambda keeps as it is. */
static void choose(il_dual *w, const il_qp *qp, double tolerance, double *lambda, double *x) {
    size_t bytes = qp->rows->p * sizeof *lambda;
    double deepest = 0.0;
    bool keeps = il_dual_look(w, qp, lambda, x, &deepest) <= tolerance;
    memcpy(w->best, lambda, bytes);
    for (size_t i = 0; i < qp->rows->p; i++) {
        lambda[i] = lambda[i] * w->unit[i] < w->g[i] ? 0.0 : lambda[i];
    }
    if (keeps && !(il_dual_look(w, qp, lambda, x, &deepest) <= tolerance)) {
        memcpy(lambda, w->best, bytes);
    }
}

/* Outer iterations until the residual is at most the tolerance or down to rounding. At the end
 * lambda is the best there was, and x belongs to it. */
static il_status polish(newton *self, const il_qp *qp, size_t limit, double *lambda, double *x) {
    il_dual *w = &self->dual;
    double tolerance = self->options.tolerance;
    double accepted = tolerance > 0.0 ? tolerance : IL_PROJECTOR_TOLERANCE;
    size_t bytes = qp->rows->p * sizeof *lambda;
    double best = INFINITY;
    double deepest = 0.0;
    int idle = 0;
    il_status status = IL_OK;
    double before = INFINITY;
    choose(w, qp, tolerance, lambda, x);
    for (int k = 0; k < MAX_OUTER && status == IL_OK; k++) {
        double residual = il_dual_look(w, qp, lambda, x, &deepest);
        if (residual <= fmax(tolerance, w->rounding)) {
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
        if (idle >= 3 && il_dual_contradictory(w, qp, lambda)) {
            return IL_EINFEASIBLE;
        }
        double noise = self->last_digits ? w->rounding : w->noise;
        bool settled = best <= fmin(SETTLED * noise, accepted);
        int patience = settled ? 1 : best <= accepted ? 3 : 8;
        if (idle >= patience) {
            break;
        }
        if (residual > GAIN * before && self->stiffness < STIFF) {
            self->stiffness *= STIFFEN;
            w->factored = false;
        }
        before = residual;
        status = proximal(self, qp, lambda, limit);
    }
    if (best < INFINITY) {
        memcpy(lambda, w->best, bytes);
        (void)il_dual_look(w, qp, lambda, x, &deepest);
    }
    return best <= accepted ? IL_OK : status == IL_OK ? IL_ESTALLED : status;
}

/* ---- together -------------------------------------------------------------------------------- */

/* What the guess lambda is worth. */
typedef struct {
    double residual;
    bool pushes; /* it is not none at all */
    bool near;   /* a solution but for few rows, which are violated, or but for its last digits */
} guess;

/* Make lambda a guess that can be used, which is none at all where that leaves less undone.
 * Returns its residual; *push is the largest, *deepest the worst violation. */
static double admit(il_dual *w, const il_qp *qp, double *lambda, double *x, double *push,
                    double *deepest) {
    size_t p = qp->rows->p;
    *push = 0.0;
    for (size_t i = 0; i < p; i++) {
        lambda[i] = lambda[i] > 0.0 && lambda[i] < INFINITY ? lambda[i] : 0.0;
        *push = fmax(*push, lambda[i] * w->unit[i]);
    }
    double residual = il_dual_look(w, qp, lambda, x, deepest);
    if (*push == 0.0 || residual <= w->rounding ||
        residual <= il_projection_violation(qp, qp->target)) {
        return residual;
    }
    memset(lambda, 0, p * sizeof *lambda);
    *push = 0.0;
    return il_dual_look(w, qp, lambda, x, deepest);
}

/* Set up, make lambda a guess that can be used, and judge it. */
static il_status begin(newton *self, const il_qp *qp, double *lambda, double *x, guess *at) {
    il_dual *w = &self->dual;
    size_t p = qp->rows->p;
    double push = 0.0;
    size_t violated = 0;
    double deepest = 0.0;
    double off = 0.0; /* where the row is not violated */
    *at = (guess){.residual = INFINITY};
    self->stiffness = SOFT;
    il_status status = il_dual_begin(w, qp);
    if (status != IL_OK) {
        return status;
    }
    w->limit = self->options.max_iterations > 0 ? self->options.max_iterations : MAX_ITERATIONS;
    at->residual = admit(w, qp, lambda, x, &push, &deepest);
    if (!isfinite(at->residual)) {
        return IL_ENUMERIC; /* and gaps are not all there */
    }
    for (size_t i = 0; i < p; i++) {
        bool deep = w->g[i] < -SMALL * deepest;
        violated += deep;
        off = deep ? off : fmax(off, fmin(lambda[i] * w->unit[i], w->g[i]));
        w->kept[i] = lambda[i];
    }
    bool few = off <= SMALL * deepest && (double)violated <= FEW * (double)p;
    self->last_digits = push > 0.0 && at->residual <= AT_REST * push;
    at->near = self->last_digits || (few && push > 0.0);
    at->pushes = push > 0.0;
    return IL_OK;
}

/* Both phases in turn, from the best there is, until polishing settles: once, but for rows that are
 * nearly dependent. */
static il_status alternate(newton *self, const il_qp *qp, double residual, double *lambda,
                           double *x) {
    il_dual *w = &self->dual;
    size_t bytes = qp->rows->p * sizeof *lambda;
    double deepest = 0.0;
    il_status status = IL_ESTALLED;
    il_interior_goal goal = {.inside = INSIDE, .tolerance = CENTRAL * self->options.tolerance};
    for (int k = 0; k < MAX_TURNS && status == IL_ESTALLED && w->iterations < w->limit; k++) {
        memcpy(lambda, w->kept, bytes);
        status = il_interior_run(w, qp, &goal, lambda, x);
        if (status == IL_OK) {
            size_t limit = w->iterations + MAX_NEWTON;
            status = polish(self, qp, limit < w->limit ? limit : w->limit, lambda, x);
        }
        double reached = il_dual_look(w, qp, lambda, x, &deepest);
        if (reached < residual || status != IL_ESTALLED) {
            residual = reached;
            memcpy(w->kept, lambda, bytes);
        }
        self->stiffness = fmin(STIFF, STIFFEN * self->stiffness);
        goal.inside = 1.0;
        goal.anchored = true;
    }
    memcpy(lambda, w->kept, bytes);
    (void)il_dual_look(w, qp, lambda, x, &deepest);
    return status;
}

/* From a guess: polished at once if it is near. */
static il_status improve(newton *self, const il_qp *qp, const guess *at, double *lambda,
                         double *x) {
    il_dual *w = &self->dual;
    size_t limit = w->limit < WARM_NEWTON ? w->limit : WARM_NEWTON;
    bool near = at->near && self->options.tolerance == 0.0; /* else pushes too much, perhaps */
    il_status status = near ? polish(self, qp, limit, lambda, x) : IL_ESTALLED;
    if (status == IL_ESTALLED || status == IL_ENUMERIC) {
        self->stiffness = SOFT;
        self->last_digits = false;
        status = alternate(self, qp, at->residual, lambda, x);
    }
    return status;
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    newton *n = self;
    il_dual *w = &n->dual;
    guess at;
    *info = (il_projection_info){.method = "newton"};
    il_status status = begin(n, qp, lambda, x, &at);
    if (status != IL_OK || at.residual <= fmax(n->options.tolerance, w->rounding)) {
        return status;
    }
    bool again = at.pushes && n->options.max_iterations == 0;
    w->limit = again ? w->limit / 2 : w->limit;
    status = improve(n, qp, &at, lambda, x);
    info->iterations = w->iterations;
    if (again && status != IL_OK && status != IL_ENOMEM) {
        /* pushes that balance each other and move nothing may drown the gaps: without them */
        memset(lambda, 0, qp->rows->p * sizeof *lambda);
        status = begin(n, qp, lambda, x, &at);
        status = status == IL_OK ? improve(n, qp, &at, lambda, x) : status;
        info->iterations += w->iterations;
    }
    return status;
}

static il_status approximate(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info) {
    newton *n = self;
    guess at;
    il_interior_goal goal = {.inside = INSIDE, .tolerance = tolerance};
    *info = (il_projection_info){.method = "newton"};
    il_status status = begin(n, qp, lambda, x, &at);
    info->coarse = at.residual > fmax(n->options.tolerance, n->dual.rounding);
    if (status != IL_OK || at.residual <= tolerance) {
        return status;
    }
    status = il_interior_run(&n->dual, qp, &goal, lambda, x);
    il_projection_from_multipliers(qp, lambda, n->dual.force, x);
    info->iterations = n->dual.iterations;
    info->coarse = true;
    /* what a guess seems to prove is for the exact answer to find */
    return status == IL_EINFEASIBLE && at.pushes ? IL_ESTALLED : status;
}

const il_projector_type il_projector_newton = {
    .name = "newton",
    .title = "interior point, then semismooth Newton, with sparse factors: for many bodies",
    .statement =
        "Predictor-corrector interior-point steps, then the augmented Lagrangian with semismooth\n"
        "Newton steps and an exact line search, down to rounding. Both factorise\n"
        "M + s^2 B' diag(w) B by a multifrontal Cholesky method in a minimum-degree ordering.\n"
        "Takes more contacts than unknowns and masses in any ratio; starts from the multipliers\n"
        "of the round or step before. Where few rows change, Newton steps are taken in full, as\n"
        "primal-dual active sets are, and conjugate gradients preconditioned with a factor stand\n"
        "in for another. M diagonal. --tol E stops at residual E in the units of the gaps; an\n"
        "iteration is one factorisation.",
    .source = "Mehrotra 1992; Gondzio 1996; Friedlander & Orban 2012; Rockafellar 1976; Li, Sun & "
              "Toh 2018; "
              "Hintermueller, Ito & Kunisch 2002; Duff & Reid 1983; "
              "Amestoy, Davis & Duff 1996",
    .exact = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .approximate = approximate,
    .destroy = destroy};

/*
 * growing_radii.c - spheres on a line, at rest, whose radii grow and shrink (Bernicot &
 * Lefebvre-Lepot 2010, section 4, with d_t D kept in C_{t,q} as in their (1.7)).
 *
 *     m_i q_i'' = sum lambda_ij grad_i D_ij,   D_ij = |q_j - q_i| - S(t) >= 0,   u(0) = 0,
 *     r_i(t) = r0_i + a (1 - cos wt)/2,   S_ij = r_i + r_j = r0_i + r0_j + a (1 - cos wt).
 *
 * Exact solution for spheres along e, in the order of their numbers, any masses, with the same gap
 * between all neighbours. Let S be the mean of S_i,i+1, L that of their distances at 0, and x_i =
 * sum_{k<i} (r0_k + r0_{k+1}) less i times their mean, which is 0 for equal radii:
 *
 *     q_i(t) = c + ((i - ibar) rho(t) + x_i - xbar) e,   rho(0) = L,
 *
 * c the centre of mass, ibar = sum m_i i / sum m_i, xbar the same of x_i. Then D_i,i+1 = rho - S.
 *
 * Only neighbours touch, all at once (others have spheres between them). Where rho' changes,
 * whether by a jump or by an acceleration, the change of u_i is (i - ibar) b with b >= 0 the change
 * in rho', and it balances with multipliers of the pairs (i, i+1)
 *
 *     lambda_i = -sum_{k<=i} m_k (k - ibar) b >= 0:
 *
 * the terms k < ibar come first and the whole sum is zero, so no partial sum of m_k (k - ibar) is
 * positive. Transverse parts vanish. So u+ = P_C u- asks for rho' = S', and rho alone obeys
 *
 *     rho'' = reaction >= 0,   rho >= S,   rho'+ = max(rho'-, S') on rho = S.
 *
 * Rest until S reaches L: sin^2(wt/2) = g = (L - S(0))/(2 a); never if g >= 1 (g = 1 grazes).
 * If that is before the inflection wt = pi/2 (g < 1/2), rho follows S until then and leaves with
 * the greatest speed S ever has, a w. If later, it leaves at once with a w sin x, x = w t_contact.
 *
 * There is no second contact: from wt = pi/2 to 3 pi/2 S is concave, so the tangent along which
 * rho leaves lies above it, also at wt = pi where S is at its top; and rho goes on rising.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/memory_limit.h"
#include "problems/problem.h"
#include "problems/spheres/pairs.h"

/* Impulses are offered for so many spheres: there is one for each pair, though only neighbours
 * push.
 */
enum { SPACE = 3, BODIES_MAX = 4096, IMPULSES_MAX = 64 };

/* Bytes of a pair in a run, from above and without the projector: two sets of rows, of which every
 * pair is one (four numbers, and six coordinates with their coefficients), in storage that grows by
 * doubling. */
static const double BYTES_PER_PAIR =
    2.0 * 2.0 * (4.0 * sizeof(double) + 2.0 * SPACE * (sizeof(size_t) + sizeof(double)));

/* Equal spacing is asked for to the rounding of coordinates of that size. */
static const double SPACING = 8.0 * DBL_EPSILON;

typedef struct {
    size_t N;
    double a, omega;
    double *q0, *u0, *m; /* [3N], [3N], [3N]: one mass a coordinate */
    double *r0, *x;      /* [N], and x_i, then x_i - xbar */
    double S0;           /* S(0) */
    double centre[SPACE], e[SPACE];
    double ibar, L;
    double contact, leave; /* times; INFINITY if they never meet */
    double rho, speed;     /* rho and rho' when it leaves */
    double breaks[4];
} growing_radii;

/* S(0) + 2 a sin^2(wt/2), free of the cancellation in 1 - cos, and S'(t) = a w sin(wt). */
static void radii(const growing_radii *s, double S0, double t, double *S, double *growth) {
    double sine = 0.0;
    double cosine = 0.0;
    il_sincos(0.5 * s->omega * t, &sine, &cosine);
    *S = S0 + 2.0 * s->a * sine * sine;
    *growth = 2.0 * s->a * s->omega * sine * cosine;
}

/* ---- the exact solution ------------------------------------------------------------------- */

/* rho and rho' at t; at an event side < 0 is the limit from the left. */
static void spacing(const growing_radii *s, double t, int side, double *rho, double *speed) {
    bool before = side < 0 && t > 0.0 ? t <= s->contact : t < s->contact;
    bool held = side < 0 ? t <= s->leave : t < s->leave;
    if (before) {
        *rho = s->L;
        *speed = 0.0;
    } else if (held) {
        radii(s, s->S0, t, rho, speed);
    } else {
        *rho = s->rho + s->speed * (t - s->leave);
        *speed = s->speed;
    }
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const growing_radii *s = exact->data;
    double rho = 0.0;
    double speed = 0.0;
    spacing(s, t, side, &rho, &speed);
    for (size_t i = 0; i < s->N; i++) {
        for (size_t c = 0; c < SPACE; c++) {
            double direction = ((double)i - s->ibar) * s->e[c];
            q[SPACE * i + c] = s->centre[c] + direction * rho + s->x[i] * s->e[c];
            u[SPACE * i + c] = direction * speed + 0.0; /* never -0 */
        }
    }
}

/* Lambda_i = -sum_{k<=i} m_k (k - ibar) rho' between neighbours i and i+1: as lambda_i above. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const growing_radii *s = exact->data;
    double rho = 0.0;
    double speed = 0.0;
    double moment = 0.0;
    spacing(s, t, side, &rho, &speed);
    memset(Lambda, 0, il_pair_count(s->N) * sizeof *Lambda);
    for (size_t i = 0; i + 1 < s->N; i++) {
        moment -= s->m[SPACE * i] * ((double)i - s->ibar);
        Lambda[il_pair_id(i, i + 1)] = moment * speed;
    }
}

/* Contact and departure from the spacing L. */
static void solve(growing_radii *s) {
    double g = s->a > 0.0 ? fmax(0.0, 0.5 * (s->L - s->S0) / s->a) : 1.0;
    s->contact = s->leave = INFINITY;
    if (g >= 1.0) {
        return;
    }
    s->contact = 2.0 * il_asin(sqrt(g)) / s->omega;
    if (g < 0.5) {
        s->leave = il_asin(1.0) / s->omega;
        s->rho = s->S0 + s->a;
        s->speed = s->a * s->omega;
    } else {
        s->leave = s->contact;
        s->rho = s->L;
        s->speed = 2.0 * s->a * s->omega * sqrt(g * (1.0 - g));
    }
}

/* Do the spheres stand on a line, in order, with equal gaps? Fills e, L, centre, ibar if so, and
 * takes xbar from x. */
static bool equally_spaced(growing_radii *s) {
    size_t N = s->N;
    double largest = 0.0;
    for (size_t k = 0; k < SPACE * N; k++) {
        largest = fmax(largest, fabs(s->q0[k]));
    }
    if (il_pair_direction(SPACE, s->q0, 0, N - 1, &s->L, s->e) != IL_OK) {
        return false;
    }
    s->L /= (double)(N - 1);
    double total = 0.0;
    double xbar = 0.0;
    for (size_t i = 0; i < N; i++) {
        double m = s->m[SPACE * i];
        total += m;
        s->ibar += m * (double)i;
        xbar += m * s->x[i];
        for (size_t c = 0; c < SPACE; c++) {
            double expected = s->q0[c] + (double)i * s->L * s->e[c] + s->x[i] * s->e[c];
            if (!(fabs(s->q0[SPACE * i + c] - expected) <= SPACING * largest)) {
                return false;
            }
            s->centre[c] += m * s->q0[SPACE * i + c];
        }
    }
    s->ibar /= total;
    for (size_t i = 0; i < N; i++) {
        s->x[i] -= xbar / total;
    }
    for (size_t c = 0; c < SPACE; c++) {
        s->centre[c] /= total;
    }
    return true;
}

static void make_exact(il_problem *self) {
    growing_radii *s = self->data;
    if (!equally_spaced(s)) {
        self->no_exact = "the spheres have no equal gaps on a line in the order of their "
                         "numbers: their contacts come one after another";
        return;
    }
    solve(s);
    const double events[2] = {s->contact, s->leave};
    /* Rest and flight are straight; only the time of following S is not. */
    bool follows = s->contact < s->leave && s->contact < self->horizon;
    il_problem_offer(self,
                     (il_exact){.origin = "closed form",
                                .quadratic = !follows,
                                .nbreaks = il_exact_breaks(s->breaks, events, 2, self->horizon),
                                .breaks = s->breaks,
                                .eval = exact_eval,
                                .impulse = s->N <= IMPULSES_MAX ? exact_impulse : NULL});
}

/* ---- the problem -------------------------------------------------------------------------- */

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const growing_radii *s = self->data;
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    double S = 0.0;
    double growth = 0.0;
    radii(s, s->r0[i] + s->r0[j], t, &S, &growth);
    return il_pair_row(SPACE, q, i, j, S, growth, id, rows);
}

/* d^2/dt^2 D_ij along a straight flight: S'' = a w^2 cos wt is lost. */
static double curvature(const il_problem *self, double t, const double *q, const double *u,
                        size_t id) {
    const growing_radii *s = self->data;
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    return il_pair_curvature(SPACE, q, u, i, j) - s->a * s->omega * s->omega * il_cos(s->omega * t);
}

static double rolling(const il_problem *self, double t, size_t id) {
    const growing_radii *s = self->data;
    size_t i = 0;
    size_t j = 0;
    double S = 0.0;
    double growth = 0.0;
    il_pair_of(id, &i, &j);
    radii(s, s->r0[i] + s->r0[j], t, &S, &growth);
    return S;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    il_pair_describe("sphere", id, out, capacity);
}

static void each_radius(const il_problem *self, double t, double *r) {
    const growing_radii *s = self->data;
    for (size_t i = 0; i < s->N; i++) {
        double growth = 0.0;
        radii(s, 2.0 * s->r0[i], t, &r[i], &growth);
        r[i] *= 0.5;
    }
}

/* Positions as given, or on the x axis about 0 with gaps a/4: contact at sin^2(wt/2) = 1/8, well
 * before the inflection at 1/2, whatever the radii. */
static il_status read_positions(growing_radii *s, il_params *params, il_error *err) {
    size_t d = SPACE * s->N;
    if (il_params_has(params, "q0")) {
        return il_params_expand(params, "q0", false, s->q0, d, err);
    }
    double L = s->S0 + 0.25 * s->a;
    double middle = 0.0;
    for (size_t i = 0; i < s->N; i++) {
        middle += s->x[i] / (double)s->N;
    }
    for (size_t i = 0; i < s->N; i++) {
        s->q0[SPACE * i] = ((double)i - 0.5 * (double)(s->N - 1)) * L + s->x[i] - middle;
    }
    il_params_derive(params, "q0", s->q0, d);
    return IL_OK;
}

/* r0, S(0) and x. */
static il_status read_radii(growing_radii *s, il_params *params, il_error *err) {
    size_t N = s->N;
    il_status status = il_params_expand(params, "r0", true, s->r0, N, err);
    bool equal = true;
    double sum = 0.0;
    for (size_t i = 0; i + 1 < N; i++) {
        equal = equal && s->r0[i + 1] == s->r0[0];
        sum += s->r0[i] + s->r0[i + 1];
    }
    s->S0 = equal ? 2.0 * s->r0[0] : sum / (double)(N - 1);
    for (size_t i = 0; i + 1 < N; i++) { /* s->x[0] = 0 */
        s->x[i + 1] = s->x[i] + (s->r0[i] + s->r0[i + 1] - s->S0);
    }
    return status;
}

/* One mass a sphere, or one for all; spread over the coordinates. */
static il_status read_masses(growing_radii *s, il_params *params, il_error *err) {
    il_status status = il_params_expand(params, "masses", true, s->m, s->N, err);
    if (status == IL_OK) {
        il_params_derive(params, "masses", s->m, s->N);
    }
    for (size_t k = SPACE * s->N; status == IL_OK && k-- > 0;) {
        s->m[k] = s->m[k / SPACE]; /* downward: k/3 <= k is read before it is overwritten */
    }
    return status;
}

static il_status read_params(il_problem *self, il_params *params, il_error *err) {
    growing_radii *s = self->data;
    s->N = il_params_integer(params, "N");
    s->a = il_params_number(params, "a");
    s->omega = il_params_number(params, "omega");
    s->q0 = il_problem_alloc(self, (3 * SPACE + 2) * s->N, sizeof *s->q0);
    s->u0 = s->q0 + SPACE * s->N;
    s->m = s->u0 + SPACE * s->N;
    s->r0 = s->m + SPACE * s->N;
    s->x = s->r0 + s->N;
    il_status status = read_radii(s, params, err);
    status = status == IL_OK ? read_positions(s, params, err) : status;
    return status == IL_OK ? read_masses(s, params, err) : status;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    /* N (N - 1)/2 pairs */
    il_status status =
        il_memory_afford(il_params_integer(params, "N"), 0.5 * BYTES_PER_PAIR, 2, err);
    if (status != IL_OK) {
        return status;
    }
    growing_radii *s = self->data;
    status = read_params(self, params, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, SPACE * s->N, s->m, err);
    }
    if (status != IL_OK) {
        return status;
    }
    self->order = 2;
    self->p = il_pair_count(s->N);
    self->space = SPACE;
    self->traits =
        IL_ROWS_CONVEX | IL_ROWS_INVARIANT | IL_ROWS_BALLS | IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = s->q0;
    self->u0 = s->u0;
    make_exact(self);
    return IL_OK;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "2", 2.0, BODIES_MAX, false, NULL, "1", "number of spheres"},
    {"q0", IL_PARAM_VECTOR, NULL, -INFINITY, INFINITY, false, "3N", "length",
     "centres at 0 (on the x axis about 0, with gaps a/4, unless given)"},
    {"r0", IL_PARAM_VECTOR, "0.5", 0.0, INFINITY, true, "one or N", "length",
     "least radius, of all or of each"},
    {"a", IL_PARAM_NUMBER, "0.2", 0.0, INFINITY, false, NULL, "length",
     "by how much a radius grows"},
    {"omega", IL_PARAM_NUMBER, "3", 0.0, INFINITY, true, NULL, "1/time",
     "angular frequency of the radii"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or N", "mass", "masses"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_growing_radii = {
    .name = "growing_radii",
    .title = "spheres on a line, at rest, whose radii grow: they touch, push and part",
    .statement =
        "m_i q_i'' = sum of reactions, |q_j - q_i| >= r_i(t) + r_j(t), u(0) = 0, inelastic\n"
        "impact relative to the moving constraint, r_i(t) = r0_i + a (1 - cos(omega t))/2.\n"
        "Exact for equal gaps L on a line, any masses and radii: all neighbours touch when\n"
        "sin^2(omega t/2) = L/(2 a); their spacing then takes the speed of the sum of the radii,\n"
        "follows it while that is convex in time (omega t < pi/2), and goes on at constant\n"
        "speed. It never meets the radii again. Other starts have no exact solution here.",
    .source = "Bernicot & Lefebvre-Lepot 2010, section 4, with equation (1.7)",
    .hypotheses =
        "BL (A0)-(A5): yes as long as r0 > 0: centres keep apart, r(t) has bounded second\n"
        "derivatives. (A6): Lemma 4.2 gives it for almost active contacts within a small rho\n"
        "(BL, after Remark 4.1; Venel, Remark 4.11). Theorem 1.3 applies; other masses by\n"
        "Remark 4.1.\n"
        "AT A1-A3: yes, v from (A6). A4: for spheres on a line, <grad g_i, grad g_{i+1}> = -1\n"
        "<= 0; with other starts, two contacts of a sphere less than 90 degrees apart would\n"
        "break it. Maury's Theorem 1: no, the constraints move with time.",
    .params = params,
    .size = sizeof(growing_radii),
    .create = create,
    .row = row,
    .curvature = curvature,
    .rolling = rolling,
    .describe = describe,
    .radii = each_radius};

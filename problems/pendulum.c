/*
 * pendulum.c - a chain of pendulums, linearised about hanging straight, one of which swings against
 * a stop: a constant mass matrix that is not diagonal.
 *
 *     M q'' = f - K q + lambda e_k,   g = q_k - stop >= 0,   u+ = P_C u- - e P_N u-.
 *
 * Rods of lengths l_i without weight carry masses m_i; q_i is the angle of rod i. With s_i = m_i +
 * ... + m_N the mass below joint i,
 *
 *     M_ij = s_max(i,j) l_i l_j,   K_ii = gravity s_i l_i,   K_ij = 0 for i != j,
 *
 * or any symmetric M > 0 and K >= 0. As e_k is not an eigenvector of M, an impact changes the
 * velocity of every joint, by -(1+e) u_k^- M^{-1} e_k / (M^{-1})_kk. The exact solution is that of
 * modal.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/modal/modal.h"

typedef struct {
    il_modal_system system;
    double *q0, *u0, *f; /* [d] */
    double *M, *K;       /* [d][d] */
} pendulum;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const double coef = 1.0;
    const pendulum *w = self->data;
    (void)t;
    il_rows_append(rows, id, q[w->system.k] - w->system.stop, 0.0, 1, &w->system.k, &coef);
    return IL_OK;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    const pendulum *w = self->data;
    (void)id;
    (void)snprintf(out, capacity, "joint %zu and the stop", w->system.k + 1);
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const pendulum *w = self->data;
    (void)t;
    for (size_t i = 0; i < w->system.d; i++) {
        f[i] = w->f[i];
        for (size_t j = 0; j < w->system.d; j++) {
            f[i] -= w->K[i * w->system.d + j] * q[j];
        }
    }
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static void allocate(il_problem *self, size_t d) {
    pendulum *w = self->data;
    w->M = il_problem_alloc(self, 2 * d * d + 3 * d, sizeof *w->M);
    w->K = w->M + d * d;
    w->q0 = w->K + d * d;
    w->u0 = w->q0 + d;
    w->f = w->u0 + d;
    w->system =
        (il_modal_system){.d = d, .q0 = w->q0, .u0 = w->u0, .f = w->f, .M = w->M, .K = w->K};
}

/* M and K of the chain. */
static il_status hang(pendulum *w, const il_params *params, il_error *err) {
    double m[IL_MODAL_MAX];
    double l[IL_MODAL_MAX];
    double gravity = il_params_number(params, "gravity");
    const il_params_target vectors[] = {
        {"masses", m, w->system.d, true}, {"lengths", l, w->system.d, true}, {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    double below = 0.0;
    for (size_t i = w->system.d; status == IL_OK && i-- > 0;) {
        below += m[i];
        w->K[i * w->system.d + i] = gravity * below * l[i];
        for (size_t j = 0; j <= i; j++) {
            w->M[i * w->system.d + j] = w->M[j * w->system.d + i] = below * l[i] * l[j];
        }
    }
    return status;
}

/* One number, N, or a matrix row by row into A[d][d], where key is given. Written back. */
static il_status read_matrix(const pendulum *w, il_params *params, const char *key, double *A,
                             il_error *err) {
    size_t n = 0;
    size_t d = w->system.d;
    const double *x = il_params_vector(params, key, &n);
    if (n == 0) {
        il_params_derive(params, key, A, d * d);
        return IL_OK;
    }
    if (n != 1 && n != d && n != d * d) {
        return il_fail(err, IL_EINVAL, "parameter '%s' has %zu values; allowed: 1, %zu or %zu", key,
                       n, d, d * d);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            double diagonal = i == j ? x[n == 1 ? 0 : i] : 0.0;
            A[i * d + j] = n == d * d ? x[i * d + j] : diagonal;
        }
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++) {
            if (A[i * d + j] != A[j * d + i]) {
                return il_fail(err, IL_EINVAL,
                               "parameter '%s' is not symmetric: entry (%zu,%zu) is %.15g but "
                               "entry (%zu,%zu) is %.15g",
                               key, i + 1, j + 1, A[i * d + j], j + 1, i + 1, A[j * d + i]);
            }
        }
    }
    return IL_OK;
}

/* Parameters that would be read but have no effect are refused. */
static il_status check_unused(const il_params *params, il_error *err) {
    static const char *const keys[] = {"masses", "lengths", "gravity"};
    bool replaced = il_params_given(params, "mass") && il_params_given(params, "stiffness");
    for (size_t k = 0; replaced && k < 3; k++) {
        if (il_params_given(params, keys[k])) {
            return il_fail(err, IL_EINVAL,
                           "parameter '%s' has no effect where 'mass' and 'stiffness' are given",
                           keys[k]);
        }
    }
    return IL_OK;
}

static il_status read(il_problem *self, il_params *params, il_error *err) {
    pendulum *w = self->data;
    w->system.k = il_params_integer(params, "joint");
    if (w->system.k > w->system.d) {
        return il_fail(err, IL_EINVAL, "parameter 'joint' is %zu; allowed: 1 to N = %zu",
                       w->system.k, w->system.d);
    }
    w->system.k--;
    w->system.stop = il_params_number(params, "stop");
    w->system.e = il_params_number(params, "e");
    il_status status = check_unused(params, err);
    status = status == IL_OK ? hang(w, params, err) : status;
    status = status == IL_OK ? read_matrix(w, params, "mass", w->M, err) : status;
    status = status == IL_OK ? read_matrix(w, params, "stiffness", w->K, err) : status;
    const il_params_target vectors[] = {{"q0", w->q0, w->system.d, true},
                                        {"u0", w->u0, w->system.d, true},
                                        {"force", w->f, w->system.d, true},
                                        {.key = NULL}};
    status = status == IL_OK ? il_params_read(params, vectors, err) : status;
    return status == IL_OK ? il_problem_set_matrix(self, w->system.d, w->M, err) : status;
}

static unsigned traits(const pendulum *w) {
    bool stiff = false;
    bool pushed = false;
    for (size_t i = 0; i < w->system.d; i++) {
        pushed |= w->f[i] != 0.0;
    }
    for (size_t i = 0; i < w->system.d * w->system.d; i++) {
        stiff |= w->K[i] != 0.0;
    }
    return IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | (stiff ? 0u : IL_FORCE_OF_TIME) |
           (stiff || pushed ? 0u : IL_FORCE_FREE);
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    pendulum *w = self->data;
    self->order = 2;
    self->d = il_params_integer(params, "N");
    self->p = 1;
    self->restitution = il_params_number(params, "e");
    allocate(self, self->d);
    il_status status = read(self, params, err);
    if (status == IL_OK) {
        self->traits = traits(w);
        self->q0 = w->q0;
        self->u0 = w->u0;
        w->system.mass = self->mass;
        status = il_modal_offer(self, &w->system, err);
    }
    return status;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "2", 1.0, IL_MODAL_MAX, false, NULL, "1", "number of rods"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, 1e100, true, "1 or N", "mass", "at the end of each rod"},
    {"lengths", IL_PARAM_VECTOR, "1", 0.0, 1e100, true, "1 or N", "length", "of the rods"},
    {"gravity", IL_PARAM_NUMBER, "9.81", 0.0, 1e100, false, NULL, "length/time^2", "acceleration"},
    {"mass", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "1, N or N*N", "mass length^2",
     "instead of the chain's M: one, one a joint, or a symmetric positive definite matrix row by "
     "row"},
    {"stiffness", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "1, N or N*N", "torque",
     "instead of the chain's K: the same, but only semidefinite; 0 makes parabolas"},
    {"force", IL_PARAM_VECTOR, "0", -1e100, 1e100, false, "1 or N", "torque",
     "constant, beside -K q"},
    {"joint", IL_PARAM_INTEGER, "1", 1.0, IL_MODAL_MAX, false, NULL, "1", "that meets the stop"},
    {"stop", IL_PARAM_NUMBER, "0.05", -1e100, 1e100, false, NULL, "radian",
     "least angle of that joint"},
    {"e", IL_PARAM_NUMBER, "0", 0.0, 1.0, false, NULL, "1", "restitution: 0 inelastic, 1 elastic"},
    {"q0", IL_PARAM_VECTOR, "0.3", -1e100, 1e100, false, "1 or N", "radian", "angles at the start"},
    {"u0", IL_PARAM_VECTOR, "0", -1e100, 1e100, false, "1 or N", "radian/time",
     "velocities at the start"},
    {"T", IL_PARAM_NUMBER, "3", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_pendulum = {
    .name = "pendulum",
    .title = "a chain of small pendulums, one of which swings against a stop; M is not diagonal",
    .statement =
        "M q'' = force - K q + lambda e_joint, q_joint >= stop, u+ = P_C u- - e P_N u-. Of N\n"
        "rods with masses m_i at their ends, linearised about hanging straight, q_i the angle\n"
        "of rod i: M_ij = s_max(i,j) l_i l_j and K = diag(gravity s_i l_i), s_i = m_i + ... +\n"
        "m_N; or any symmetric M > 0 and K >= 0, such as a rigid rod by its two ends. An impact\n"
        "changes the velocity of every joint, by -(1+e) u_joint M^-1\n"
        "e_joint/(M^-1)_joint,joint. Exact: normal modes K v = omega^2 M v between events, of\n"
        "all joints in flight, of the others while the joint lies at the stop, which it leaves\n"
        "when lambda falls through 0; parabolas where K = 0. Impacts that accumulate (0 < e <\n"
        "1) are followed until t no longer changes.",
    .source = "Bernicot & Lefebvre-Lepot 2010, (1.6), and Moreau's impact law with restitution; "
              "normal modes after Rayleigh",
    .hypotheses =
        "The set is a fixed half-space, one affine constraint, also in the coordinates L'q, M =\n"
        "L L', in which the papers' metric is this one: A0-A6 of Bernicot & Lefebvre-Lepot and\n"
        "A1, A2 and A4 (which is empty) of Adly & Thieu hold. The force is Lipschitz in q.\n"
        "Their bound by an F(t) for all q holds for K = 0; else for q in a ball, which the\n"
        "energy keeps the motion in. Solutions are unique, so that whole sequences converge.\n"
        "With e > 0 these theorems say nothing; Paoli and Schatzman's and Mabrouk's do.",
    .params = params,
    .size = sizeof(pendulum),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};

/*
 * cradle.c - a row of N equal balls that touch, on a line, hit by one more.
 *
 *     q_{i+1} - q_i >= 2 r,  i = 1..N,   no force,   u_0 = (s, 0, ..., 0).
 *
 * Ball 1 meets the row at t = gap/s. All N contacts are then active and C = {v_1 <= v_2 <= ...}, so
 * that P_C u- is the common speed s/(N+1), and u+ = P_C u- - e P_N u- = (1 + e) P_C u- - e u-:
 *
 *     u_1+ = (1 + e) s/(N+1) - e s,   u_i+ = (1 + e) s/(N+1) for i >= 2.
 *
 * The row stays together and ball 1 does not catch up with it: no other impact follows. This is
 * Moreau's law, which treats the contacts as one. With e = 1 impacts of one pair after the other
 * hand the speed on, and the last ball flies off alone, as toys do: law=pairs,
 *
 *     u_{N+1}+ = s,   u_i+ = 0 for i <= N.
 *
 * Which of them an exact solution obeys is a choice of law. For e = 0 the order of impacts does not
 * matter in the end; for 0 < e < 1 impacts of pairs go on without end.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/problem.h"

enum { ROW_MAX = 100000 };

typedef struct {
    size_t N; /* balls in the row; one more strikes */
    double radius, gap, speed, e;
    bool pairs;     /* one pair after the other */
    double meeting; /* time; may lie behind the horizon */
    double *q0, *u0;
    double breaks[3];
} cradle;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const double coef[2] = {-1.0, 1.0};
    const cradle *w = self->data;
    size_t col[2] = {id, id + 1};
    (void)t;
    il_rows_append(rows, id, (q[id + 1] - q[id]) - 2.0 * w->radius, 0.0, 2, col, coef);
    return IL_OK;
}

static void radii(const il_problem *self, double t, double *r) {
    const cradle *w = self->data;
    (void)t;
    for (size_t i = 0; i < self->d; i++) {
        r[i] = w->radius;
    }
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const cradle *w = exact->data;
    double together = (1.0 + w->e) * w->speed / (double)(w->N + 1);
    bool before = side < 0 ? t <= w->meeting : t < w->meeting;
    for (size_t i = 0; i <= w->N; i++) {
        double s = i == 0 ? w->speed : 0.0;
        double after = !w->pairs ? together - w->e * s : i == w->N ? w->speed : 0.0;
        u[i] = before ? s : after;
        q[i] = w->q0[i] + (before ? s * t : s * w->meeting + after * (t - w->meeting));
    }
}

static void make_exact(il_problem *self) {
    cradle *w = self->data;
    il_problem_offer(
        self, (il_exact){.origin = "closed form",
                         .quadratic = true,
                         .nbreaks = il_exact_breaks(w->breaks, &w->meeting, 1, self->horizon),
                         .breaks = w->breaks,
                         .eval = exact_eval});
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    (void)snprintf(out, capacity, "balls %zu and %zu", id + 1, id + 2);
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    cradle *w = self->data;
    w->N = il_params_integer(params, "N");
    w->radius = il_params_number(params, "radius");
    w->gap = il_params_number(params, "gap");
    w->speed = il_params_number(params, "speed");
    w->e = il_params_number(params, "e");
    bool pairs = strcmp(il_params_choice(params, "law"), "pairs") == 0;
    if (pairs && w->e != 1.0 && w->e != 0.0) {
        return il_fail(err, IL_EINVAL,
                       "cradle: law=pairs with e = %g has no closed form; allowed: e = 0 or 1, or "
                       "law=moreau",
                       w->e);
    }
    w->pairs = pairs && w->e == 1.0;
    w->meeting = w->gap / w->speed;
    il_status status = il_problem_set_masses(self, w->N + 1, NULL, err);
    if (status != IL_OK) {
        return status;
    }
    w->q0 = il_problem_alloc(self, 2 * self->d, sizeof *w->q0);
    w->u0 = w->q0 + self->d;
    for (size_t i = 0; i <= w->N; i++) {
        w->q0[i] = i == 0 ? -w->gap : 2.0 * w->radius * (double)i;
    }
    w->u0[0] = w->speed;
    self->order = 2;
    self->p = w->N;
    self->space = 1;
    self->restitution = w->e;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT |
                   IL_ROWS_BALLS | IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    make_exact(self);
    return IL_OK;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "4", 1.0, ROW_MAX, false, NULL, "1",
     "balls in the row; one more strikes"},
    {"radius", IL_PARAM_NUMBER, "0.1", 0.0, INFINITY, false, NULL, "length", "radius of each ball"},
    {"gap", IL_PARAM_NUMBER, "0.3", 0.0, INFINITY, true, NULL, "length",
     "how far the striking ball starts from the row"},
    {"speed", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "length/time",
     "of the striking ball"},
    {"e", IL_PARAM_NUMBER, "0", 0.0, 1.0, false, NULL, "1", "restitution"},
    {"law", IL_PARAM_CHOICE, "moreau", 0.0, 0.0, false, "moreau,pairs", "1",
     "of the exact solution: all contacts at once, or (e = 0, 1) one pair after the other"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_cradle = {
    .name = "cradle",
    .title = "a row of balls that touch is hit by one more",
    .statement =
        "u+ = P_C u- - e P_N u-, q_{i+1} - q_i >= 2 r, i = 1..N, no force, equal masses. Ball 1\n"
        "flies at the given speed s and meets the row at t = gap/s. Exact: all contacts are\n"
        "active at once; with e = 0 all N + 1 balls go on together at s/(N + 1). With e > 0 it is\n"
        "a choice of law: Moreau's, (-.6, .4, .4, .4, .4) s for N = 4 and e = 1, which schemes\n"
        "tend to that solve all contacts at once, or one pair after the other (law=pairs),\n"
        "(0, 0, 0, 0, 1) s, which those tend to that do so.",
    .source = "Moreau's impact law; Maury 2006, section 2; the frictionless case of Newton's "
              "cradle",
    .hypotheses =
        "BL (A0)-(A5): yes, affine constraints fixed in time, gradients of length sqrt(2).\n"
        "(A6'): yes, the gradients of a chain are linearly independent. Theorem 1.3 applies for\n"
        "e = 0.\n"
        "AT A1-A4: yes for e = 0; neighbours have <grad g_i, grad g_{i+1}> = -1 <= 0. Maury\n"
        "asks for a start inside and Theorem 1 for one contact: the row starts in contact, so\n"
        "that neither holds. With e > 0 no theorem of the four papers applies.",
    .params = params,
    .size = sizeof(cradle),
    .create = create,
    .row = row,
    .describe = describe,
    .radii = radii};

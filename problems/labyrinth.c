/*
 * labyrinth.c - a ball among walls and holes on a board that is tilted three times: the sweeping
 * process of Venel (2011), section 4.1, in its quasi-static form.
 *
 *     q' + N(Q,q) contains f(t),   f = f_1 on [0,t_1), f_2 on [t_1,t_2), f_3 on [t_2,T],
 *     Q = { |q - c_k| >= R_k for the holes,  dist(q, wall_k) >= r },   r the radius of the ball.
 *
 * The centre of the ball stays off the holes' rims, its edge off the walls. The drift brings the
 * ball from S to P1, from there to P2 and on to the target T. Venel's figure gives no numbers; the
 * board here is in its spirit: f_1 takes the ball around a hole, along a shelf, around its end and
 * over another hole to the corner P1, f_2 around a hole to P2 at the top, f_3 around a hole to T.
 *
 * Exact solution: straight pieces, slides and arcs, planar/slide.h. All constraints are distances
 * to convex things: convex, fixed, and Q is prox-regular with the least of r and R_k.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/planar/slide.h"
#include "problems/problem.h"

enum { TILTS = 3 };

typedef struct {
    il_plan plan;
    double q0[2], u0[2];
    double f[2 * TILTS];
    double times[TILTS - 1];
    il_slide slide;
} labyrinth;

/* ---- the problem -------------------------------------------------------------------------- */

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const labyrinth *w = self->data;
    (void)t;
    return il_capsule_row(&w->plan.shape[id], q, 0, 0.0, 0.0, id, rows);
}

static double rolling(const il_problem *self, double t, size_t id) {
    const labyrinth *w = self->data;
    (void)t;
    return w->plan.shape[id].R;
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const labyrinth *w = self->data;
    size_t k = t < w->times[0] ? 0 : t < w->times[1] ? 1 : 2;
    (void)q;
    memcpy(f, w->f + 2 * k, 2 * sizeof *f);
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    const labyrinth *w = self->data;
    char obstacle[64];
    il_plan_describe(&w->plan, id, obstacle, sizeof obstacle);
    (void)snprintf(out, capacity, "the ball and %s", obstacle);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const labyrinth *w = exact->data;
    il_slide_eval(&w->slide.piece[il_exact_piece(exact, t, side)], t, q, u);
}

static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const labyrinth *w = exact->data;
    (void)side; /* no percussions: the drift is bounded */
    il_slide_impulse(&w->slide, t, Lambda);
}

static void destroy(il_problem *self) {
    labyrinth *w = self->data;
    il_plan_free(&w->plan);
}

/* Walls as thick as the ball's radius on either side, so that the ball is a point. */
static il_status read_plan(labyrinth *w, const il_params *params, il_error *err) {
    il_plan_part walls = {0, NULL};
    il_plan_part holes = {0, NULL};
    walls.x = il_params_vector(params, "walls", &walls.n);
    holes.x = il_params_vector(params, "holes", &holes.n);
    w->plan.round_name = "hole";
    il_status status = il_plan_read(&w->plan, &walls, 1, &holes, 1, err);
    for (size_t k = 0; status == IL_OK && k < w->plan.walls; k++) {
        w->plan.shape[k].R = il_params_number(params, "radius");
    }
    return status;
}

static il_status read(labyrinth *w, const il_params *params, il_error *err) {
    const il_params_target vectors[] = {{"q0", w->q0, 2, false},
                                        {"f", w->f, (size_t)2 * TILTS, false},
                                        {"times", w->times, TILTS - 1, false},
                                        {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    if (status == IL_OK && !(w->times[0] < w->times[1])) {
        return il_fail(err, IL_EINVAL,
                       "parameter 'times' is %.15g,%.15g; allowed: two times, the first before the "
                       "second",
                       w->times[0], w->times[1]);
    }
    return status == IL_OK ? read_plan(w, params, err) : status;
}

static void make_exact(il_problem *self) {
    labyrinth *w = self->data;
    for (size_t k = 0; k < w->plan.n; k++) {
        double n[2];
        if (!(il_capsule_distance(&w->plan.shape[k], w->q0, n) >= w->plan.shape[k].R)) {
            self->no_exact = "the start is not feasible";
            return;
        }
    }
    if (!il_slide_build(&w->slide, &w->plan, w->q0, w->f, w->times, TILTS, self->horizon)) {
        self->no_exact = "the path has more pieces than are kept";
        return;
    }
    il_problem_offer(self, (il_exact){.origin = "closed form",
                                      .quadratic = false,
                                      .nbreaks = w->slide.n + 1,
                                      .breaks = w->slide.breaks,
                                      .eval = exact_eval,
                                      .impulse = exact_impulse});
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    labyrinth *w = self->data;
    il_status status = read(w, params, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, 2, NULL, err);
    }
    if (status != IL_OK) {
        destroy(self);
        return status;
    }
    self->order = 1;
    self->p = w->plan.n;
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->space = 2;
    self->q0 = w->q0;
    self->u0 = w->u0;
    self->nbreaks = TILTS - 1;
    self->breaks = w->times;
    make_exact(self);
    return IL_OK;
}

static const il_param_spec params[] = {
    {"q0", IL_PARAM_VECTOR, "1,7", -1e100, 1e100, false, "2", "length", "S, the start"},
    {"f", IL_PARAM_VECTOR, "1,-1.2,-0.3,1.3,1,-0.5", -1e100, 1e100, false, "6", "length/time",
     "the three drifts f1, f2, f3"},
    {"times", IL_PARAM_VECTOR, "9,17", 0.0, 1e100, true, "2", "time", "when f2 and f3 begin"},
    {"radius", IL_PARAM_NUMBER, "0.2", 0.0, 1e100, true, NULL, "length", "of the ball"},
    {"walls", IL_PARAM_VECTOR,
     "0,0,12,0,12,0,12,8,12,8,0,8,0,8,0,0,0,3.5,5,3.5,9,0,9,4,6,8,6,6.5,10.5,2,12,2", -1e100, 1e100,
     false, "4 a wall", "length", "ends x1,y1,x2,y2 of every wall"},
    {"holes", IL_PARAM_VECTOR, "2.5,5.5,0.5,8,3,0.6,10,6,0.7,6.8,1.6,0.4,3.5,1.5,0.6", -1e100,
     1e100, false, "3 a hole", "length", "centre x,y and radius of every hole"},
    {"T", IL_PARAM_NUMBER, "28", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_labyrinth = {
    .name = "labyrinth",
    .title = "a ball among walls and holes on a board that is tilted three times",
    .statement =
        "q' + N(Q,q) contains f(t), f = f1, f2, f3 in succession; Q: the centre off the holes,\n"
        "|q - c_k| >= R_k, and off the walls by the ball's radius, dist(q, wall) >= r. The\n"
        "drifts take the ball from S over P1 and P2 to T. Exact for any data: straight flight,\n"
        "slides along walls, arcs with tan(psi/2) = tan(psi_0/2) exp(-|f| t/R) around holes and\n"
        "the ends of walls (psi the angle from f to the normal), rest in corners.",
    .source = "Venel 2011, section 4.1, figure 3; the numbers are ours",
    .hypotheses =
        "Venel (A1)-(A5): yes where no two constraints that are active together are opposite,\n"
        "as on the default board: gradients have length 1, holes curve by at most 1/R.\n"
        "Venel's Theorem 3.4: yes, f is bounded, piecewise constant in t and does not depend on\n"
        "q. BL, AT, Maury: no, they are about problems of order 2.",
    .params = params,
    .size = sizeof(labyrinth),
    .create = create,
    .destroy = destroy,
    .row = row,
    .rolling = rolling,
    .force = force,
    .describe = describe};

/*
 * crowd.c - people leave a room: the crowd motion model of Maury and Venel (Venel 2011, section
 * 4.2).
 *
 *     q' = P_{C(t,q)} U(q),    q' + N(Q(t),q) contains U(q),    U_i(q) = speed_i e(q_i),
 *
 * for N discs of radii r_i(t) = radius_i + growth t (Remarks 4.10 and 4.11), e(x) the unit vector
 * along the shortest way of a disc from x to the exit, planar/geodesic.h, and
 *
 *     D_ij(t,q) = |q_j - q_i| - r_i(t) - r_j(t) >= 0,
 *     W_ik(t,q) = dist(q_i, obstacle_k) - r_i(t) >= 0
 *
 * with walls (segments) and posts (discs) as obstacles. All constraints are convex: what is
 * feasible for linearised ones is feasible. Constraints are numbered: the pairs as in
 * spheres/pairs.h, then obstacle k of disc i as N (N - 1)/2 + obstacles i + k.
 *
 * Nobody is removed. Beyond the exit's line everyone walks straight on, at his own speed: of one
 * speed they neither press nor hold up those behind. d and the numbers of constraints stay.
 *
 * The way is that of a disc of the largest radius within the horizon. U is Lipschitz off the cut
 * locus, which is empty in `open`, `square` and `corridor` away from the mouth's far corners;
 * behind posts U jumps, and Venel's Theorem 4.6 does not apply there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/text.h"
#include "problems/planar/geodesic.h"
#include "problems/planar/room.h"
#include "problems/problem.h"
#include "problems/spheres/pairs.h"
#include "problems/spheres/spheres.h"

/* An exit is that many radii wide, unless given. */
static const double DOOR = 6.0;

typedef struct {
    size_t N;
    double growth;
    double largest, smallest, slowest; /* radii at time 0, speed */
    il_plan plan;
    il_geodesic *way;
    il_search *search;
    double *q0, *u0;        /* [2N] */
    double *radius, *speed; /* [N] */
    double *r;              /* [N] radii at the time that was asked for last */
} crowd;

static double radius_at(const crowd *w, double t, size_t i) {
    return w->radius[i] + w->growth * t;
}

/* All of them, as the search wants it. */
static const double *radii_at(const crowd *w, double t) {
    if (w->r[0] != radius_at(w, t, 0)) {
        for (size_t i = 0; i < w->N; i++) {
            w->r[i] = radius_at(w, t, i);
        }
    }
    return w->r;
}

static double sum_of_radii(const crowd *w, double t, size_t i, size_t j) {
    return radius_at(w, t, i) + radius_at(w, t, j);
}

/* ---- rows --------------------------------------------------------------------------------- */

static il_status pair_row(const crowd *w, double t, const double *q, size_t i, size_t j,
                          il_rows *rows) {
    return il_pair_row(2, q, i, j, sum_of_radii(w, t, i, j), 2.0 * w->growth, il_pair_id(i, j),
                       rows);
}

static il_status wall_row(const crowd *w, double t, const double *q, size_t i, size_t k,
                          il_rows *rows) {
    size_t id = il_pair_count(w->N) + w->plan.n * i + k;
    return il_capsule_row(&w->plan.shape[k], q, i, radius_at(w, t, i), w->growth, id, rows);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const crowd *w = self->data;
    size_t pairs = il_pair_count(w->N);
    if (id >= pairs) {
        return wall_row(w, t, q, (id - pairs) / w->plan.n, (id - pairs) % w->plan.n, rows);
    }
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    return pair_row(w, t, q, i, j, rows);
}

typedef struct {
    const crowd *w;
    double t;
    const double *q, *x;
    double slack;
    il_rows *rows;
} scanning;

static il_status offer_pair(void *context, const il_pair *pair) {
    const scanning *s = context;
    const il_pair_scan scan = {2, s->q, s->x, s->slack, s->rows};
    return il_pair_offer(&scan, pair, sum_of_radii(s->w, s->t, pair->i, pair->j),
                         2.0 * s->w->growth);
}

/* Obstacles of disc i: far ones are passed by without a row. */
static il_status offer_walls(const scanning *s, size_t i) {
    const crowd *w = s->w;
    const double *q = s->q + 2 * i;
    double move = il_hypot(s->x[2 * i] - q[0], s->x[2 * i + 1] - q[1]);
    il_status status = IL_OK;
    for (size_t k = 0; k < w->plan.n && status == IL_OK; k++) {
        const il_capsule *shape = &w->plan.shape[k];
        double n[2];
        double gap = il_capsule_distance(shape, q, n) - shape->R - radius_at(w, s->t, i);
        if (gap - 1.000001 * move > s->slack) {
            continue;
        }
        status = wall_row(w, s->t, s->q, i, k, s->rows);
        if (status == IL_OK) {
            il_rows_trim(s->rows, s->q, s->x, s->slack);
        }
    }
    return status;
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    const crowd *w = self->data;
    scanning s = {.w = w, .t = t, .q = q, .x = x, .slack = slack, .rows = rows};
    il_search_share(w->search, self->team);
    il_status status = il_search_near(w->search, q, x, radii_at(w, t), slack, offer_pair, &s);
    for (size_t i = 0; i < w->N && status == IL_OK; i++) {
        status = offer_walls(&s, i);
    }
    return status;
}

static double gap(const il_problem *self, double t, const double *q, size_t *id) {
    const crowd *w = self->data;
    size_t i = 0;
    size_t j = 1;
    double least = il_search_least(w->search, q, radii_at(w, t), &i, &j);
    size_t at = il_pair_id(i, j);
    for (i = 0; i < w->N && !isnan(least); i++) {
        for (size_t k = 0; k < w->plan.n; k++) {
            const il_capsule *shape = &w->plan.shape[k];
            double n[2];
            double g = il_capsule_distance(shape, q + 2 * i, n) - shape->R - radius_at(w, t, i);
            if (!(g >= least)) {
                least = g;
                at = il_pair_count(w->N) + w->plan.n * i + k;
            }
        }
    }
    if (id != NULL && (least < INFINITY || i > 0) && at < self->p) {
        *id = at;
    }
    return least;
}

/* ---- drift -------------------------------------------------------------------------------- */

static void force(const il_problem *self, double t, const double *q, double *f) {
    const crowd *w = self->data;
    (void)t;
    for (size_t i = 0; i < w->N; i++) {
        (void)il_geodesic_way(w->way, q + 2 * i, f + 2 * i);
        f[2 * i] *= w->speed[i];
        f[2 * i + 1] *= w->speed[i];
    }
}

/* Among those who are still in the hall: beyond the exit's line nobody meets anybody. */
static double rolling(const il_problem *self, double t, size_t id) {
    const crowd *w = self->data;
    size_t pairs = il_pair_count(w->N);
    if (id >= pairs) {
        size_t k = id - pairs;
        return w->plan.shape[k % w->plan.n].R + radius_at(w, t, k / w->plan.n);
    }
    size_t i = 0;
    size_t j = 0;
    il_pair_of(id, &i, &j);
    return sum_of_radii(w, t, i, j);
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    const crowd *w = self->data;
    size_t pairs = il_pair_count(w->N);
    if (id < pairs) {
        il_pair_describe("disc", id, out, capacity);
        return;
    }
    char obstacle[64];
    il_plan_describe(&w->plan, (id - pairs) % w->plan.n, obstacle, sizeof obstacle);
    (void)snprintf(out, capacity, "disc %zu and %s", (id - pairs) / w->plan.n + 1, obstacle);
}

/* ---- creation ----------------------------------------------------------------------------- */

static void destroy(il_problem *self) {
    crowd *w = self->data;
    il_plan_free(&w->plan);
    il_geodesic_destroy(w->way);
    il_search_destroy(w->search);
}

static il_status allocate(il_problem *self, il_error *err) {
    crowd *w = self->data;
    w->q0 = il_problem_alloc(self, 7 * w->N, sizeof *w->q0);
    w->u0 = w->q0 + 2 * w->N;
    w->radius = w->u0 + 2 * w->N;
    w->speed = w->radius + w->N;
    w->r = w->speed + w->N;
    il_status status = il_problem_set_masses(self, 2 * w->N, NULL, err);
    return status == IL_OK ? il_search_create(&w->search, 2, w->N, err) : status;
}

/* Key's number, or what stands for it unless it is given. */
static void number_or(il_params *params, const char *key, double derived, double *x) {
    if (il_params_has(params, key)) {
        *x = il_params_number(params, key);
        return;
    }
    *x = derived;
    il_params_derive(params, key, x, 1);
}

/* The named room and what the parameters add; the exit into exit[4]. */
static il_status read_room(crowd *w, il_params *params, double L, double *exit, il_error *err) {
    double door = 0.0;
    il_room room;
    const char *name = il_params_choice(params, "room");
    number_or(params, "door", fmin(DOOR * w->largest, 0.9 * L), &door);
    if (!(door < L)) {
        return il_fail(err, IL_EINVAL, "parameter 'door' is %s; allowed: less than the side %s",
                       il_text_numeral(door).text, il_text_numeral(L).text);
    }
    bool elsewhere = il_params_has(params, "exit");
    il_status status = IL_OK;
    if (elsewhere) {
        status = il_params_expand(params, "exit", false, exit, 4, err);
    }
    if (status != IL_OK) {
        return status;
    }
    il_room_draw(&room, name, L, door, elsewhere);
    if (elsewhere) {
        il_room_open(&room, exit);
    } else {
        memcpy(exit, room.exit, sizeof room.exit);
    }
    il_plan_part walls[2] = {room.walls, {0, NULL}};
    il_plan_part posts[2] = {room.posts, {0, NULL}};
    walls[1].x = il_params_vector(params, "walls", &walls[1].n);
    posts[1].x = il_params_vector(params, "posts", &posts[1].n);
    w->plan.round_name = "post";
    return il_plan_read(&w->plan, walls, 2, posts, 2, err);
}

/* Everybody must stand before the exit's line. Who stands clear of the obstacles must have a way;
 * who does not is refused as a start that overlaps. */
static il_status check_ways(const crowd *w, il_error *err) {
    for (size_t i = 0; i < w->N; i++) {
        const double *x = w->q0 + 2 * i;
        double e[2];
        bool clear = true;
        if (!(il_geodesic_beyond(w->way, x) < 0.0)) {
            return il_fail(
                err, IL_EINVAL,
                "disc %zu at (%.10g, %.10g) starts beyond the exit, whose outside is to "
                "the right of the way from x1,y1 to x2,y2: exchange its ends, or let the "
                "disc start before it",
                i + 1, x[0], x[1]);
        }
        for (size_t k = 0; k < w->plan.n; k++) {
            const il_capsule *shape = &w->plan.shape[k];
            clear = clear && il_capsule_between(shape, x, x) >= shape->R + w->radius[i];
        }
        if (clear && !(il_geodesic_way(w->way, x, e) < INFINITY)) {
            return il_fail(
                err, IL_EINVAL,
                "disc %zu at (%.10g, %.10g) has no way to the exit: walls and posts leave "
                "no passage wide enough",
                i + 1, x[0], x[1]);
        }
    }
    return IL_OK;
}

/* The horizon unless given: half as long again as it takes to cross the hall and to file through
 * the exit, as many abreast as it is wide.
 */
static double patience(const crowd *w, double L, const double *exit) {
    double door = il_hypot(exit[2] - exit[0], exit[3] - exit[1]);
    double size = 2.0 * w->largest;
    return 1.5 * (L + (double)w->N * size * size / door) / w->slowest;
}

/* One radius and speed for all, or one each. */
static il_status read_people(crowd *w, il_params *params, il_error *err) {
    il_status status = il_params_expand(params, "radius", true, w->radius, w->N, err);
    if (status == IL_OK) {
        status = il_params_expand(params, "speed", true, w->speed, w->N, err);
    }
    w->largest = 0.0;
    w->smallest = w->slowest = INFINITY;
    for (size_t i = 0; status == IL_OK && i < w->N; i++) {
        w->largest = fmax(w->largest, w->radius[i]);
        w->smallest = fmin(w->smallest, w->radius[i]);
        w->slowest = fmin(w->slowest, w->speed[i]);
    }
    return status;
}

static il_status read(il_problem *self, il_params *params, il_error *err) {
    crowd *w = self->data;
    double L = 0.0;
    double exit[4] = {0.0, 0.0, 0.0, 0.0};
    number_or(params, "side", il_room_side(w->N, w->largest), &L);
    il_status status = read_room(w, params, L, exit, err);
    if (status == IL_OK && self->horizon == 0.0) {
        self->horizon = patience(w, L, exit);
        il_params_derive(params, "T", &self->horizon, 1);
    }
    if (status != IL_OK) {
        return status;
    }
    if (!isfinite(self->horizon)) {
        return il_fail(err, IL_EINVAL,
                       "nobody crosses a hall of side %.10g at speed %.10g in a time that can be "
                       "told: let the side be smaller, or give the horizon",
                       L, w->slowest);
    }
    double change = w->growth * self->horizon;
    if (!(w->smallest + change > 0.0)) {
        return il_fail(
            err, IL_EINVAL,
            "parameter 'growth' is %.10g: the radius would be %.10g at the horizon %.10g; "
            "it must stay positive",
            w->growth, w->smallest + change, self->horizon);
    }
    double widest = fmax(w->largest, w->largest + change);
    status = il_geodesic_create(&w->way, &w->plan, widest, exit, err);
    if (status != IL_OK) {
        return status;
    }
    if (il_params_has(params, "q0")) {
        status = il_params_expand(params, "q0", false, w->q0, 2 * w->N, err);
    } else {
        status = il_room_fill(&w->plan, exit, L, w->largest, w->N,
                              il_params_integer(params, "seed"), w->q0, err);
    }
    return status == IL_OK ? check_ways(w, err) : status;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    size_t N = il_params_integer(params, "N");
    il_status status = il_spheres_afford(2, N, err);
    if (status != IL_OK) {
        return status;
    }
    crowd *w = self->data;
    w->N = N;
    w->growth = il_params_number(params, "growth");
    status = allocate(self, err);
    if (status == IL_OK) {
        status = read_people(w, params, err);
    }
    if (status == IL_OK) {
        status = read(self, params, err);
    }
    if (status == IL_OK) {
        self->order = 1;
        self->p = il_pair_count(N) + w->plan.n * N;
        self->space = 2;
        self->traits = IL_ROWS_CONVEX | (w->growth == 0.0 ? IL_ROWS_FIXED : 0u) |
                       (w->plan.n == 0 ? IL_ROWS_BALLS : 0u);
        self->q0 = w->q0;
        self->u0 = w->u0;
        self->no_exact = "many bodies, many contacts: no solution is known";
        return IL_OK;
    }
    destroy(self);
    return status;
}

static const il_param_spec params[] = {
    {"room", IL_PARAM_CHOICE, "square", 0.0, 0.0, false, IL_ROOM_NAMES, "1",
     "square hall; with a corridor before the exit; with posts; with an inner wall; no walls"},
    {"N", IL_PARAM_INTEGER, "100", 1.0, IL_SPHERES_MAX, false, NULL, "1", "number of people"},
    {"radius", IL_PARAM_VECTOR, "0.25", 0.0, 1e100, true, "one or N", "length",
     "at time 0, of everyone or of each"},
    {"growth", IL_PARAM_NUMBER, "0", -1e100, 1e100, false, NULL, "length/time",
     "by which radii change: r(t) = radius + growth t"},
    {"speed", IL_PARAM_VECTOR, "1", 0.0, 1e100, true, "one or N", "length/time",
     "that all wish for, or each"},
    {"seed", IL_PARAM_INTEGER, "1", 0.0, 4294967295.0, false, NULL, "1",
     "of the start (Mersenne twister)"},
    {"side", IL_PARAM_NUMBER, NULL, 0.0, 1e100, true, NULL, "length",
     "of the hall (for N discs in three of five cells, unless given)"},
    {"door", IL_PARAM_NUMBER, NULL, 0.0, 1e100, true, NULL, "length",
     "width of the exit (6 of the largest radii unless given)"},
    {"walls", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "4 a wall", "length",
     "more walls, ends x1,y1,x2,y2"},
    {"posts", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "3 a post", "length",
     "more posts, x,y,radius"},
    {"exit", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "4", "length",
     "another exit, from x1,y1 to x2,y2, in place of the door; it opens a wall that it lies on; "
     "outside is to the right of it"},
    {"q0", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "2N", "length",
     "centres at 0 (drawn by the seed unless given)"},
    {"T", IL_PARAM_NUMBER, NULL, 0.0, INFINITY, true, NULL, "time",
     "horizon (enough to leave, unless given)"},
    {.key = NULL}};

const il_problem_type il_problem_crowd = {
    .name = "crowd",
    .title = "people leave a room through an exit",
    .statement =
        "q' + N(Q(t),q) contains U(q): the velocity is what is admissible nearest to the one\n"
        "wished for, U_i = speed_i times the unit vector along the shortest way of a disc of the\n"
        "largest radius to the exit (exact: tangents and arcs around walls' ends and posts).\n"
        "|q_j - q_i| >= r_i(t) + r_j(t), distance to walls and posts >= r_i(t), r_i(t) =\n"
        "radius_i + growth t; radius and speed are one number for all or one each. The hall is\n"
        "[0,side] x [0,side], the exit in the middle of its right side. Beyond the exit's line\n"
        "all walk straight on, and of one speed meet nobody: who has left is counted by q.\n"
        "Constraints are convex: linearised ones are on the safe side.",
    .source = "Venel 2011, section 4.2 and Remarks 4.10, 4.11; Maury & Venel's crowd motion model",
    .hypotheses =
        "Venel (A1)-(A5): yes in the open, for every N (section 4.2; the constants that are "
        "right:\n"
        "scripts/claims, Clusters of N balls). Among walls it is not known: discs that jam\n"
        "between two, as a row that just fits, have dependent gradients; most rooms leave play.\n"
        "Venel's Theorems 3.4 and 4.6 also ask for a drift that is Lipschitz in q: U is, except\n"
        "behind posts, where two ways are equally long and U jumps from one to the other.\n"
        "BL, AT, Maury: no, they are about problems of order 2.",
    .params = params,
    .size = sizeof(crowd),
    .create = create,
    .destroy = destroy,
    .row = row,
    .rolling = rolling,
    .scan = scan,
    .gap = gap,
    .force = force,
    .describe = describe};

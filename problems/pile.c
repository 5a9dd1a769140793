/*
 * pile.c - spheres or discs fall into a box under gravity and settle.
 *
 *     m_i u_i' = -m_i g e_z + reactions,   |q_j - q_i| >= r_i + r_j,   every q_i in the box.
 *
 * The start is one that other programs use too, so that they can be compared: radii in [0.4, 0.5],
 * on a square or cubic grid of spacing D = 1.1 with cols columns a side, each shaken by up to 0.025
 * along each axis, in a box of width W = cols D around x = 0 (and y = 0) that stands on z = 0 and
 * has no lid. Body k of space = 3 has cell (k mod cols, k/cols mod cols, k/cols^2), with cols =
 * ceil(N^(1/3)); in space = 2 it has (k mod cols, k/cols), with cols = ceil(sqrt N). For every body
 * in turn u gives its radius 0.5 (0.8 + 0.2 u) and then each axis its 0.025 (2 u - 1), u the upper
 * 53 bits over 2^53 of the sequence modulo 2^64
 *
 *     s <- 6364136223846793005 s + 1442695040888963407     (Knuth's MMIX), from s = seed.
 *
 * Masses are volumes, 4/3 pi r^3 and pi r^2. At rest the floor carries the weight.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "problems/problem.h"
#include "problems/spheres/walled.h"

static const double R = 0.5;        /* the largest radius */
static const double SPACING = 1.1;  /* of the grid, in diameters 2 R */
static const double JITTER = 0.05;  /* in R */
static const double SMALLEST = 0.8; /* in R; radii reach up to R */

typedef struct {
    il_walled spheres; /* first */
    double gravity;
    double *q0, *u0; /* [d] each */
} pile;

/* The next number in [0,1). */
static double draw(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 11) / 9007199254740992.0;
}

/* Bodies on the shaken grid; the width of the box comes back. */
static double place(pile *w, uint64_t seed) {
    il_walled *s = &w->spheres;
    double count = (double)s->N;
    double D = SPACING * 2.0 * R;
    size_t cols = (size_t)ceil(s->space == 3 ? pow(count, 1.0 / 3.0) : sqrt(count));
    double W = (double)cols * D;
    for (size_t k = 0; k < s->N; k++) {
        s->r[k] = R * (SMALLEST + 0.2 * draw(&seed));
        size_t cell = k;
        for (size_t c = 0; c < s->space; c++) {
            double shift = JITTER * R * (2.0 * draw(&seed) - 1.0);
            size_t at = c + 1 < s->space ? cell % cols : cell;
            double middle = c + 1 < s->space ? 0.5 * W : 0.0;
            w->q0[s->space * k + c] = ((double)at + 0.5) * D + shift - middle;
            cell /= cols;
        }
    }
    return W;
}

/* The floor, then two walls across each horizontal axis. */
static void build_box(il_walled *s, double W) {
    double n[IL_PAIR_SPACE_MAX] = {0.0};
    n[s->space - 1] = 1.0;
    il_walled_add(s, n, 0.0);
    n[s->space - 1] = 0.0;
    for (size_t c = 0; c + 1 < s->space; c++) {
        n[c] = 1.0;
        il_walled_add(s, n, -0.5 * W);
        n[c] = -1.0;
        il_walled_add(s, n, -0.5 * W);
        n[c] = 0.0;
    }
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const pile *w = self->data;
    const double *mass = il_metric_masses(self->mass);
    (void)t;
    (void)q;
    for (size_t k = 0; k < self->d; k++) {
        f[k] = k % self->space == self->space - 1 ? -mass[k] * w->gravity : 0.0;
    }
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const pile *w = self->data;
    (void)t;
    return il_walled_row(&w->spheres, q, id, rows);
}

static il_status scan(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows) {
    const pile *w = self->data;
    (void)t;
    return il_walled_scan(&w->spheres, q, x, slack, rows);
}

static double gap(const il_problem *self, double t, const double *q, size_t *id) {
    const pile *w = self->data;
    (void)t;
    return il_walled_gap(&w->spheres, q, id);
}

static void destroy(il_problem *self) {
    pile *w = self->data;
    il_metric_destroy(self->mass);
    if (w != NULL) {
        il_walled_free(&w->spheres);
        free(w->q0);
        free(w->u0);
    }
    free(w);
}

static il_status make_masses(il_problem *self, il_error *err) {
    const pile *w = self->data;
    double *mass = malloc(self->d * sizeof *mass);
    if (mass == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu masses", self->d);
    }
    for (size_t k = 0; k < self->d; k++) {
        double r = w->spheres.r[k / self->space];
        mass[k] = self->space == 3 ? 4.0 / 3.0 * M_PI * r * r * r : M_PI * r * r;
    }
    il_status status = il_metric_diagonal(&self->mass, self->d, mass, err);
    free(mass);
    return status;
}

static il_status create(il_problem *self, il_params *params, double horizon, il_error *err) {
    size_t N = il_params_integer(params, "N");
    size_t space = il_params_integer(params, "space");
    il_status status = il_walled_afford(space, N, err);
    if (status != IL_OK) {
        return status;
    }
    pile *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the problem");
    }
    self->data = w;
    self->d = space * N;
    self->space = space;
    status = il_walled_init(&w->spheres, space, N, err);
    if (status != IL_OK) {
        goto fail;
    }
    w->q0 = malloc(self->d * sizeof *w->q0);
    w->u0 = calloc(self->d, sizeof *w->u0);
    if (w->q0 == NULL || w->u0 == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for %zu spheres", N);
        goto fail;
    }
    w->gravity = il_params_number(params, "gravity");
    build_box(&w->spheres, place(w, il_params_integer(params, "seed")));
    status = make_masses(self, err);
    if (status != IL_OK) {
        goto fail;
    }
    self->order = 2;
    self->p = il_walled_count(&w->spheres);
    self->horizon = horizon > 0.0 ? horizon : il_params_number(params, "T");
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    self->no_exact = "many bodies, many impacts at once: no solution is known";
    return IL_OK;
fail:
    destroy(self);
    return status;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "2000", 1.0, IL_WALLED_BODIES_MAX, false, NULL, "1",
     "number of bodies"},
    {"space", IL_PARAM_INTEGER, "2", 2.0, 3.0, false, NULL, "1", "2: discs; 3: spheres"},
    {"gravity", IL_PARAM_NUMBER, "9.81", 0.0, INFINITY, false, NULL, "length/time^2", "gravity"},
    {"seed", IL_PARAM_INTEGER, "12345", 0.0, 4294967295.0, false, NULL, "1",
     "seed of radii and positions (a linear congruential sequence modulo 2^64)"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_pile = {
    .name = "pile",
    .title = "spheres or discs fall into a box and settle",
    .statement =
        "m_i u_i' = -m_i g e_z + sum of reactions, |q_j - q_i| >= r_i + r_j, floor and side "
        "walls,\n"
        "u_0 = 0, inelastic. Radii in [0.4, 0.5] on a grid of spacing 1.1, shaken by 5 %; the box "
        "is\n"
        "as wide as the grid and has no lid. Masses are volumes (4/3 pi r^3) or areas (pi r^2).\n"
        "No exact solution. At rest the floor carries the weight: contacts are many, and chains "
        "of\n"
        "them long, which is what makes the projection hard.",
    .source = "a benchmark shared with other programs; the scheme is Maury's (2006)",
    .params = params,
    .create = create,
    .destroy = destroy,
    .row = row,
    .scan = scan,
    .force = force,
    .force_mean = force_mean,
    .gap = gap};

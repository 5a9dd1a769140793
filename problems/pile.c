/*
 * pile.c - spheres or discs fall into a box under gravity and settle.
 *
 *     m_i u_i' = -m_i g e_z + reactions,   |q_j - q_i| >= r_i + r_j,   every q_i in the box.
 *
 * The start is one that other programs use too, so that they can be compared: radii in [0.8 R, R],
 * R the parameter radius, on a square or cubic grid of spacing D = 1.1 (2 R) with cols columns a
 * side, each shaken by up to 0.05 R along each axis, in a box of width W = cols D around x = 0 (and
 * y = 0) that stands on z = 0 and has no lid. Body k of space = 3 has cell (k mod cols, k/cols mod
 * cols, k/cols^2), with cols = ceil(N^(1/3)); in space = 2 it has (k mod cols, k/cols), with cols =
 * ceil(sqrt N). Or cols is the parameter columns: a low pile of many rests as soon as one of few.
 * For every body u gives its radius R (0.8 + 0.2 u) and then each axis its 0.05 R (2 u - 1),
 * u the upper 53 bits over 2^53 of the sequence modulo 2^64
 *
 *     s <- 6364136223846793005 s + 1442695040888963407     (Knuth's MMIX), from s = seed.
 *
 * Masses are volumes, 4/3 pi r^3 and pi r^2. At rest the floor carries the weight.
 *
 * Lengths scale with R and times with sqrt(R/g): nothing else has a dimension. Without friction a
 * pile rests only where contacts hold every body: as many as there are coordinates, but for a body
 * alone on the floor. When bodies have landed some are still missing, and when they are found
 * differs from start to start, also from starts that differ in their last digits.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "harness/base/elementary.h"
#include "problems/spheres/spheres.h"

static const double SPACING = 1.1;  /* of the grid, in diameters 2 R */
static const double JITTER = 0.05;  /* in R */
static const double SMALLEST = 0.8; /* in R; radii reach up to R */

/* The next number in [0,1). */
static double draw(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 11) / 9007199254740992.0;
}

/* Bodies on the shaken grid; the width of the box comes back. */
static double place(il_spheres *w, double R, size_t columns, uint64_t seed) {
    double count = (double)w->N;
    double D = SPACING * 2.0 * R;
    size_t square = (size_t)ceil(w->space == 3 ? il_pow(count, 1.0 / 3.0) : sqrt(count));
    size_t cols = columns > 0 ? columns : square;
    double W = (double)cols * D;
    for (size_t k = 0; k < w->N; k++) {
        w->r[k] = R * (SMALLEST + 0.2 * draw(&seed));
        size_t cell = k;
        for (size_t c = 0; c < w->space; c++) {
            double shift = JITTER * R * (2.0 * draw(&seed) - 1.0);
            size_t at = c + 1 < w->space ? cell % cols : cell;
            double middle = c + 1 < w->space ? 0.5 * W : 0.0;
            w->q0[w->space * k + c] = ((double)at + 0.5) * D + shift - middle;
            cell /= cols;
        }
    }
    return W;
}

/* The floor, then two walls across each horizontal axis. */
static void build_box(il_spheres *w, double W) {
    static const char *const names[] = {"left wall", "right wall", "front wall", "back wall"};
    double n[IL_PAIR_SPACE_MAX] = {0.0};
    const size_t space = w->space;
    assert(space == 2 || space == 3);
    n[space - 1] = 1.0;
    il_spheres_add_wall(w, "floor", n, 0.0);
    n[space - 1] = 0.0;
    for (size_t c = 0; c + 1 < space; c++) {
        n[c] = 1.0;
        il_spheres_add_wall(w, names[2 * c], n, -0.5 * W);
        n[c] = -1.0;
        il_spheres_add_wall(w, names[2 * c + 1], n, -0.5 * W);
        n[c] = 0.0;
    }
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    size_t space = il_params_integer(params, "space");
    il_status status = il_spheres_create(self, space, il_params_integer(params, "N"), err);
    if (status != IL_OK) {
        return status;
    }
    il_spheres *w = self->data;
    w->gravity = il_params_number(params, "gravity");
    double W = place(w, il_params_number(params, "radius"), il_params_integer(params, "columns"),
                     il_params_integer(params, "seed"));
    build_box(w, W);
    self->no_exact = "many bodies, many impacts at once: no solution is known";
    status =
        il_spheres_set_masses(self, space == 3 ? 4.0 / 3.0 * M_PI : M_PI, 1.0, (int)space, err);
    if (status != IL_OK) {
        il_spheres_destroy(self);
    }
    return status;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "2000", 1.0, IL_SPHERES_MAX, false, NULL, "1", "number of bodies"},
    {"space", IL_PARAM_INTEGER, "2", 2.0, 3.0, false, NULL, "1", "2: discs; 3: spheres"},
    {"radius", IL_PARAM_NUMBER, "0.05", 0.0, INFINITY, true, NULL, "length",
     "R, the largest radius; radii are uniform in [0.8 R, R]"},
    {"columns", IL_PARAM_INTEGER, "0", 0.0, IL_SPHERES_MAX, false, NULL, "1",
     "bodies side by side at the start, as wide as the box; 0: as many as on top of each other"},
    {"gravity", IL_PARAM_NUMBER, "9.81", 0.0, INFINITY, false, NULL, "length/time^2", "gravity"},
    {"seed", IL_PARAM_INTEGER, "12345", 0.0, 4294967295.0, false, NULL, "1",
     "seed of radii and positions (a linear congruential sequence modulo 2^64)"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_pile = {
    .name = "pile",
    .title = "spheres or discs fall into a box and settle",
    .statement =
        "m_i u_i' = -m_i g e_z + sum of reactions, |q_j - q_i| >= r_i + r_j, floor and side\n"
        "walls, u_0 = 0, inelastic. Radii in [0.8 R, R], R = radius, on a grid of spacing 1.1\n"
        "(2 R), shaken by 0.05 R; the box is as wide as the grid and has no lid. Masses are\n"
        "volumes (4/3 pi r^3) or areas (pi r^2). No exact solution. At rest the floor carries\n"
        "the weight: contacts are many, and chains of them long, which is what makes the\n"
        "projection hard.\n"
        "Times scale with sqrt(R/gravity). A pile without friction yields here and there until\n"
        "contacts hold every body; when that is differs from start to start:\n"
        "scripts/ensembles.lua has the distribution. T = 4 is 56 of these units; with radius =\n"
        "0.5, where other programs start, it is 18.",
    .source = "a benchmark shared with other programs; the scheme is Maury's (2006)",
    .hypotheses =
        "BL (A0)-(A5): yes, spheres of fixed radii and plane walls. (A6'): unless bodies in a\n"
        "horizontal row just fit between two opposite walls. (In a stress without resultant the\n"
        "highest bodies can only be pushed sideways, and the box has no lid.) Radii that are\n"
        "drawn avoid that, but come close to it: nu is finite and large. Theorem 1.3 then\n"
        "applies, masses by Remark 4.1.\n"
        "AT A4 fails as soon as two contacts of a body are less than 90 degrees apart.\n"
        "Maury: the start is inside, as he asks; Theorem 1 is for one contact.",
    .params = params,
    .size = sizeof(il_spheres),
    .create = create,
    .force = il_spheres_force,
    .force_mean = il_spheres_force_mean,
    IL_SPHERES_MEMBERS};

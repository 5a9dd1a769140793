/*
 * crystal.c - equal discs on a hexagonal lattice, pressed together and at rest: more contacts than
 * unknowns, so that the multipliers are not unique (Maury 2006, section 4: 3N against 2N).
 *
 *     m_i u_i' = F_i + sum of reactions,   |q_j - q_i| >= 2 r,   q(0) on the lattice, u(0) = 0.
 *
 * Neighbours on the lattice are a = 2 r + gap apart, and gap/2 from the walls. The three supports
 * are in the statement below.
 *
 * With gap = 0 rest is the exact solution: multipliers lambda >= 0 that carry F exist. In the wedge
 * and in the box every disc is pushed up by two supports (discs, walls or floor) and, from above,
 * only along the lines of others that lie in the cone of its supports; at the floor its neighbours
 * or the walls hold it sideways. In the hexagon every lattice line is symmetric about the foot of
 * the centre, and q = (2/3) sum_k <q,e_k> e_k over the three lattice directions splits F into
 * forces along the lines, each of which is compressed from both ends.
 */
#include <math.h>
#include <string.h>

#include "problems/spheres/spheres.h"

typedef enum { WEDGE, BOX, FREE } support;

typedef struct {
    il_spheres bodies; /* first */
    support support;
    size_t rows;
    double r, a;   /* radius, lattice constant */
    double *force; /* [d] */
    double breaks[2];
} crystal;

/* ---- the lattice -------------------------------------------------------------------------- */

static size_t count_discs(support s, size_t n) {
    return s == WEDGE ? n * (n + 1) / 2 : s == BOX ? n * n - n / 2 : 3 * n * (n - 1) + 1;
}

static size_t count_rows(support s, size_t n) {
    return s == FREE ? 2 * n - 1 : n;
}

/* Discs in row k, from below. */
static size_t row_length(support s, size_t n, size_t k) {
    return s == WEDGE ? k + 1 : s == BOX ? n - k % 2 : k < n ? n + k : 3 * n - 2 - k;
}

/* Rows lie sqrt(3)/2 a above each other, each centred on x = 0. */
static void place(crystal *w) {
    double *q = w->bodies.q0;
    double step = sqrt(0.75) * w->a;
    double lowest = w->support == WEDGE ? w->a
                    : w->support == BOX ? 0.5 * w->a
                                        : -(double)(w->rows - 1) * step;
    for (size_t k = 0; k < count_rows(w->support, w->rows); k++) {
        size_t length = row_length(w->support, w->rows, k);
        for (size_t j = 0; j < length; j++) {
            *q++ = ((double)j - 0.5 * (double)(length - 1)) * w->a;
            *q++ = lowest + (double)k * step;
        }
    }
    for (size_t i = 0; i < w->bodies.N; i++) {
        w->bodies.r[i] = w->r;
    }
}

static void build_walls(crystal *w) {
    const double cosine = sqrt(0.75);
    il_spheres *s = &w->bodies;
    double half = 0.5 * (double)w->rows * w->a;
    if (w->support == WEDGE) {
        il_spheres_add_wall(s, "left wall", (const double[]){cosine, 0.5}, 0.0);
        il_spheres_add_wall(s, "right wall", (const double[]){-cosine, 0.5}, 0.0);
    } else if (w->support == BOX) {
        il_spheres_add_wall(s, "floor", (const double[]){0.0, 1.0}, 0.0);
        il_spheres_add_wall(s, "left wall", (const double[]){1.0, 0.0}, -half);
        il_spheres_add_wall(s, "right wall", (const double[]){-1.0, 0.0}, -half);
    }
}

/* ---- the problem -------------------------------------------------------------------------- */

static void force(const il_problem *self, double t, const double *q, double *f) {
    const crystal *w = self->data;
    (void)t;
    (void)q;
    memcpy(f, w->force, self->d * sizeof *f);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const crystal *w = exact->data;
    size_t bytes = 2 * w->bodies.N * sizeof *q;
    (void)t;
    (void)side;
    memcpy(q, w->bodies.q0, bytes);
    memcpy(u, w->bodies.u0, bytes);
}

static void make_exact(il_problem *self) {
    crystal *w = self->data;
    w->breaks[1] = self->horizon;
    il_problem_offer(self, (il_exact){.name = "rest",
                                      .origin = "closed form",
                                      .quadratic = true,
                                      .nbreaks = 2,
                                      .breaks = w->breaks,
                                      .eval = exact_eval});
}

/* Masses, given or equal, and what presses the discs together. */
static il_status set_masses_and_forces(il_problem *self, il_params *params, il_error *err) {
    crystal *w = self->data;
    size_t N = w->bodies.N;
    w->force = il_problem_alloc(self, self->d, sizeof *w->force);
    il_status status = il_params_expand(params, "masses", true, w->force, N, err);
    if (status == IL_OK) {
        status = il_spheres_finish(self, w->force, err);
    }
    if (status != IL_OK) {
        return status;
    }
    w->bodies.gravity = il_params_number(params, "gravity");
    il_spheres_force(self, 0.0, NULL, w->force);
    double strength = w->support == FREE ? il_params_number(params, "pressure") : w->bodies.gravity;
    for (size_t k = 0; w->support == FREE && k < self->d; k++) {
        w->force[k] = -strength * w->bodies.q0[k] / (2.0 * w->r);
    }
    self->traits |=
        (w->support == FREE ? IL_ROWS_INVARIANT : 0u) | (strength == 0.0 ? IL_FORCE_FREE : 0u);
    return IL_OK;
}

static support read_support(const il_params *params) {
    const char *name = il_params_choice(params, "support");
    return strcmp(name, "wedge") == 0 ? WEDGE : strcmp(name, "box") == 0 ? BOX : FREE;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    support where = read_support(params);
    size_t rows = il_params_integer(params, "rows");
    size_t N = count_discs(where, rows);
    il_error why = {IL_OK, ""};
    il_status status = il_spheres_create(self, 2, N, &why);
    if (status != IL_OK) {
        return il_fail(err, status, "rows = %zu makes %zu discs: %.900s", rows, N, why.message);
    }
    crystal *w = self->data;
    w->support = where;
    w->rows = rows;
    w->r = il_params_number(params, "radius");
    double gap = il_params_number(params, "gap");
    w->a = 2.0 * w->r + gap;
    place(w);
    build_walls(w);
    status = set_masses_and_forces(self, params, err);
    if (status != IL_OK) {
        il_spheres_destroy(self);
        return status;
    }
    if (gap > 0.0) {
        self->no_exact = "the discs do not touch at the start: many impacts follow";
    } else {
        make_exact(self);
    }
    return IL_OK;
}

static const il_param_spec params[] = {
    {"support", IL_PARAM_CHOICE, "wedge", 0.0, 0.0, false, "wedge,box,free", "1",
     "a V of 60 degrees, a box that just fits, or none: a hexagon pressed toward its centre"},
    {"rows", IL_PARAM_INTEGER, "3", 1.0, 4000.0, false, NULL, "1",
     "rows of discs; free: discs on a side of the hexagon"},
    {"radius", IL_PARAM_NUMBER, "0.5", 0.0, 1e100, true, NULL, "length", "radius of every disc"},
    {"gap", IL_PARAM_NUMBER, "0", 0.0, 1e100, false, NULL, "length",
     "between neighbours at the start; half of it to the walls"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or N", "mass",
     "of the discs, row by row from below"},
    {"gravity", IL_PARAM_NUMBER, "1", 0.0, 1e100, false, NULL, "length/time^2",
     "in the wedge and in the box"},
    {"pressure", IL_PARAM_NUMBER, "1", 0.0, 1e100, false, NULL, "force",
     "free: force toward the centre on a disc one diameter from it"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_crystal = {
    .name = "crystal",
    .title = "a hexagonal pile of equal discs at rest: more contacts than unknowns",
    .statement =
        "m_i u_i' = F_i + sum of reactions, |q_j - q_i| >= 2 r, walls, u(0) = 0, centres on a\n"
        "hexagonal lattice, every disc touching its neighbours (gap = 0). With n = rows:\n"
        "wedge: rows of 1, 2, .., n discs in a V of 60 degrees, F_i = -m_i gravity e_y;\n"
        "  N = n (n + 1)/2 discs, n (3 n + 1)/2 contacts.\n"
        "box: n rows of n, n - 1, n, .. discs on a floor, between walls that just fit; same F_i.\n"
        "free: a hexagon of n discs a side, F_i = -pressure q_i(0)/(2 r) toward its centre;\n"
        "  N = 3 n (n - 1) + 1 discs, 3 (n - 1) (3 n - 2) contacts.\n"
        "Exact for gap = 0: rest. Contacts are about 3 N against 2 N unknowns: velocities and the\n"
        "resultant of the reactions on each disc are unique, single reactions are not. They form\n"
        "a bounded set in the wedge and in the hexagon (Maury, Lemma 1), of dimension n (n - 1)/2\n"
        "and 3 n^2 - 9 n + 7 (n > 1); between the two walls of the box they have no bound, since\n"
        "the walls can press on a row at will. `--multipliers` computes the set.",
    .source = "Maury 2006, section 4, Lemma 1 and Proposition 5",
    .hypotheses =
        "BL (A0)-(A5): yes near the set: distances of centres that keep apart, and plane walls.\n"
        "(A6'): yes for free and wedge (Lemma 4.2; the wedge is open above). No for box: the\n"
        "two walls just fit, so that a row of discs between them can be pressed by any lambda\n"
        "with no resultant; there the multipliers have no bound and Theorem 1.3 does not apply.\n"
        "AT A4 fails: two contacts of a disc 60 degrees apart have <grad g_j, grad g_k> > 0. A2\n"
        "holds where (A6') does.\n"
        "Maury asks for a start inside: here all gaps are 0. With gap > 0 the start is inside\n"
        "for free and for support = wedge; his Theorem 1 is for one contact, Lemma 1 and\n"
        "Proposition 5 for any number.",
    .params = params,
    .size = sizeof(crystal),
    .create = create,
    .force = force,
    .force_mean = force_mean,
    IL_SPHERES_MEMBERS};

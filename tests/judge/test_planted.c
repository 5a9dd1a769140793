/*
 * test_planted.c - how often the judge finds and names faults that are planted in motions, each on
 * several problems. Numbers of steps (0.7 to 1.4 times those of the table), starts, and sizes of
 * faults (0.3 to 3 times) are drawn: IMPACTLAB_COVERAGE=MOTIONS,SEED; each once for a thousand
 * motions. `make coverage-judge` prints the table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/uniform.h"
#include "tests/judge/coverage.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { BASES = 5, NAMES = 4 };

/* A motion and how it is judged. */
typedef struct {
    const char *problem, *scheme;
    const char *own[IL_MOTION_SETS], *claimed[IL_MOTION_SETS];
    size_t steps;
} base;

typedef struct {
    const char *fault;
    const char *names[NAMES]; /* any of which is right */
    void (*plant)(il_trajectory *run);
    base bases[BASES];
} plant;

typedef struct {
    uint64_t random;
    char folder[IL_SCRATCH_ROOM];
} drawn;

/* ---- faults --------------------------------------------------------------------------------- */

static void shift(il_trajectory *r, long by, bool q, bool u) {
    size_t d = r->d;
    for (size_t k = 0; k + 1 < r->nodes; k++) {
        size_t to = by > 0 ? k : r->nodes - 1 - k;
        size_t from = (size_t)((long)to + by);
        for (size_t c = 0; c < d; c++) {
            r->q[to * d + c] = q ? r->q[from * d + c] : r->q[to * d + c];
            r->u[to * d + c] = u ? r->u[from * d + c] : r->u[to * d + c];
        }
    }
    r->nodes -= by > 0;
}

static void later(il_trajectory *r) {
    shift(r, 1, true, true);
}
static void earlier(il_trajectory *r) {
    shift(r, -1, true, true);
}
static void u_before(il_trajectory *r) {
    shift(r, -1, false, true);
}
static void u_after(il_trajectory *r) {
    shift(r, 1, false, true);
}

static void scale(double *x, size_t n, double factor) {
    for (size_t k = 0; k < n; k++) {
        x[k] *= factor;
    }
}

static void halve_u(il_trajectory *r) {
    scale(r->u, r->nodes * r->d, 0.5);
}
static void negate_u(il_trajectory *r) {
    scale(r->u, r->nodes * r->d, -1.0);
}
static void milliseconds(il_trajectory *r) {
    scale(r->t, r->nodes, 1000.0);
}
static void millimetres(il_trajectory *r) {
    scale(r->q, r->nodes * r->d, 1000.0);
    scale(r->u, r->nodes * r->d, 1000.0);
}
static void degrees(il_trajectory *r) {
    scale(r->q, r->nodes * r->d, 180.0 / M_PI);
}

static void swap(il_trajectory *r, size_t i, size_t j, bool q, bool u) {
    for (size_t n = 0; n < r->nodes; n++) {
        double *const x[] = {r->q + n * r->d, r->u + n * r->d};
        for (size_t k = 0; k < 2; k++) {
            double kept = x[k][i];
            if (k == 0 ? q : u) {
                x[k][i] = x[k][j];
                x[k][j] = kept;
            }
        }
    }
}

static void swap_all(il_trajectory *r) {
    swap(r, 0, 1, true, true);
}
static void swap_q(il_trajectory *r) {
    swap(r, 0, 1, true, false);
}
static void swap_u(il_trajectory *r) {
    swap(r, 0, 1, false, true);
}
static void swap_last(il_trajectory *r) {
    swap(r, 0, r->d - 1, true, true);
}
static void swap_last_q(il_trajectory *r) {
    swap(r, 0, r->d - 1, true, false);
}
static void swap_last_u(il_trajectory *r) {
    swap(r, 0, r->d - 1, false, true);
}

static void exchange_bodies(il_trajectory *r) {
    size_t space = r->d == 6 ? 3 : r->d == 4 ? 1 : 2;
    for (size_t k = 0; k < space; k++) {
        swap(r, k, space + k, true, true);
    }
}

static void mirror(il_trajectory *r, size_t axis) {
    size_t space = r->d == 6 ? 3 : 2;
    for (size_t k = axis; k < r->nodes * r->d; k++) {
        if (k % r->d % space == axis) {
            r->q[k] = -r->q[k];
            r->u[k] = -r->u[k];
        }
    }
}

static void mirror_x(il_trajectory *r) {
    mirror(r, 0);
}
static void mirror_y(il_trajectory *r) {
    mirror(r, 1);
}

static void drift(il_trajectory *r, double size) {
    double moved = 0.0;
    for (size_t n = 0; n < r->nodes; n++) {
        double extra = 1e-8 * size * (double)n;
        moved += n > 0 ? extra * (r->t[n] - r->t[n - 1]) : 0.0;
        r->q[n * r->d] += moved;
        r->u[n * r->d] += extra;
    }
}

static void start(il_trajectory *r, double size) {
    for (size_t n = 0; n < r->nodes; n++) {
        r->q[n * r->d] += 1e-4 * size;
    }
}

static void typo(il_trajectory *r, double size) {
    r->q[(size_t)((double)r->nodes * size / 4.0) * r->d] += 0.01 * size;
}

static void push(il_trajectory *r, double impulse) { /* of the floor, in flight */
    size_t n = r->nodes / 8;
    for (size_t m = n; m < r->nodes; m++) {
        r->q[m] += impulse * (r->t[m] - r->t[n - 1]);
        r->u[m] += impulse;
    }
    r->ncontacts = 0;
    il_trajectory_add_contact(r, (il_contact){n, 0, impulse});
    r->nodes = n + n / 4;
}
static void pull(il_trajectory *r, double size) {
    push(r, -0.05 * size);
}
static void far_impulse(il_trajectory *r, double size) {
    push(r, 0.05 * size);
}

/* ---- loops of one coordinate above a floor, g = 9.81 ----------------------------------------- */

typedef double force_of(double t, double h, double u);

static void loop(il_trajectory *r, force_of *force, bool explicit, bool floor) {
    for (size_t n = 0; n + 1 < r->nodes; n++) {
        double h = r->t[n + 1] - r->t[n];
        double u = r->u[n] + h * force(r->t[n], h, r->u[n]);
        bool stops = floor && r->q[n] + h * u < 0.0;
        u = stops ? -r->q[n] / h : u;
        r->u[n + 1] = u;
        r->q[n + 1] = r->q[n] + h * (explicit && !stops ? r->u[n] : u);
    }
}

static double gravity(double t, double h, double u) {
    (void)t;
    (void)h;
    (void)u;
    return -9.81;
}
static double dragged(double t, double h, double u) {
    return gravity(t, h, u) - 0.1 * u;
}
static double upward(double t, double h, double u) {
    return -gravity(t, h, u);
}

/* Explicit Euler: positions by the velocity before and forces by the position before. Of a constant
 * force it is right but for its first step (u_0, u_0 + h f): what is wrong is the oscillator. */
static void drag(il_trajectory *r) {
    loop(r, dragged, false, true);
}
static void sign(il_trajectory *r) {
    loop(r, upward, false, true);
}
static void falls(il_trajectory *r) {
    loop(r, gravity, false, false);
}
static void euler(il_trajectory *r) {
    loop(r, gravity, true, true);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define BALL(steps, own, claimed)                                                                  \
    { "bouncing_ball", "maury", {own}, {claimed}, steps }
#define OF(problem, scheme, steps, own, claimed)                                                   \
    { problem, scheme, {own}, {claimed}, steps }
#define ON_BALLS_OF(own)                                                                           \
    {                                                                                              \
        BALL(60, own, NULL), BALL(150, own, NULL), BALL(400, own, NULL), BALL(1000, own, NULL),    \
            BALL(2000, own, NULL)                                                                  \
    }
#define ON_BALLS ON_BALLS_OF(NULL)
#define ON_SPHERES                                                                                 \
    {                                                                                              \
        OF("two_spheres", "maury", 60, NULL, NULL), OF("two_spheres", "paoli", 150, NULL, NULL),   \
            OF("two_spheres", "moreau_jean", 400, NULL, NULL),                                     \
            OF("impact", "maury", 150, "N=10", "N=10"), OF("impact", "venel", 400, "N=6", "N=6")   \
    }
#define ON_ANY                                                                                     \
    {                                                                                              \
        OF("bouncing_ball", "moreau_jean", 400, "e=0.8", "e=0.8"),                                 \
            OF("two_spheres", "maury", 200, NULL, NULL),                                           \
            OF("cradle", "moreau_jean", 150, NULL, NULL), OF("sticky", "venel", 60, "N=6", "N=6"), \
            OF("nonuniqueness", "paoli", 1000, NULL, NULL)                                         \
    }
#define ON_E(scheme, pairs, from, to)                                                              \
    {                                                                                              \
        OF("bouncing_ball", scheme, 150, from, to), OF("bouncing_ball", scheme, 400, from, to),    \
            OF("bouncing_ball", scheme, 2000, from, to), OF("cradle", pairs, 200, from, to),       \
            OF("cradle", pairs, 1000, from, to)                                                    \
    }
#define ON_RADII(r)                                                                                \
    {                                                                                              \
        OF("two_spheres", "maury", 900, "radii=" r, NULL),                                         \
            OF("two_spheres", "moreau_jean", 1000, "radii=" r, NULL),                              \
            OF("two_spheres", "paoli", 1500, "radii=" r, NULL),                                    \
            OF("two_spheres", "venel", 2000, "radii=" r, NULL),                                    \
            OF("two_spheres", "catching_up", 3000, "radii=" r, NULL)                               \
    }
#define ON_FORCED(key, from, to)                                                                   \
    {                                                                                              \
        OF("nonuniqueness", "maury", 60, key from, key to),                                        \
            OF("nonuniqueness", "venel", 150, key from, key to),                                   \
            OF("nonuniqueness", "paoli", 400, key from, key to),                                   \
            OF("nonuniqueness", "moreau_jean", 1000, key from, key to),                            \
            OF("nonuniqueness", "catching_up", 2000, key from, key to)                             \
    }
#define ON_PENDULA(own, claimed)                                                                   \
    {                                                                                              \
        OF("pendulum", "maury", 100, own, claimed),                                                \
            OF("pendulum", "moreau_jean", 200, own, claimed),                                      \
            OF("pendulum", "paoli", 400, own, claimed),                                            \
            OF("pendulum", "venel", 800, own, claimed),                                            \
            OF("pendulum", "catching_up", 1500, own, claimed)                                      \
    }

#define SHIFTED "shifted samples"
#define SIDE "velocity of the wrong side"
#define SWAPPED "swapped coordinates"
#define MIRRORED "mirrored coordinates"
#define FORCE "another force"
#define MASS "another mass"
#define RESTITUTION "another restitution"
#define SPRING "a spring in place of an impact"
#define PULLS "an impulse that pulls"
#define OVERLAP "bodies move into each other"
#define DISTANCE "a contact at a distance"
#define LEFT "an unexplained change of velocity"
#define SPEEDS "speeds that contradict positions"
#define START "another start"
#define LENGTH "another unit of length"

static const plant PLANTS[] = {
    {"a step later", {SHIFTED}, later, ON_ANY},
    {"a step earlier", {SHIFTED}, earlier, ON_ANY},
    {"u of the sample before", {SIDE}, u_before, ON_ANY},
    {"u of the sample after", {SIDE}, u_after, ON_ANY},
    {"explicit Euler", {SIDE}, euler, ON_BALLS},
    {"gravity x 0.99966", {FORCE}, NULL, ON_BALLS_OF("gravity=9.80665")},
    {"gravity x 2", {FORCE}, NULL, ON_BALLS_OF("gravity=19.62")},
    {"force x 0.9",
     {FORCE},
     NULL,
     {OF("corner", "maury", 60, "force=0.9,-1.8", "force=1,-2"),
      OF("corner", "paoli", 150, "force=0.9,-1.8", "force=1,-2"),
      OF("corner", "venel", 400, "force=0.9,-1.8", "force=1,-2"),
      OF("corner", "moreau_jean", 1000, "force=0.9,-1.8", "force=1,-2"),
      OF("corner", "maury", 2000, "force=0.9,-1.8", "force=1,-2")}},
    {"sign of the force", {"sign of the force"}, sign, ON_BALLS},
    {"push of another size", {LEFT, FORCE}, NULL, ON_FORCED("alpha=", "1.7", "1.8")},
    {"e = 1 for 0", {RESTITUTION}, NULL, ON_E("moreau_jean", "paoli", "e=1", "e=0")},
    {"e = 0 for 0.5", {RESTITUTION}, NULL, ON_E("maury", "maury", "e=0", "e=0.5")},
    {"e = 0.6 for 0.5", {RESTITUTION}, NULL, ON_E("moreau_jean", "paoli", "e=0.6", "e=0.5")},
    {"e = 0.505 for 0.5",
     {RESTITUTION},
     NULL,
     {OF("bouncing_ball", "moreau_jean", 1000, "e=0.505", "e=0.5"),
      OF("bouncing_ball", "paoli", 4000, "e=0.505", "e=0.5"),
      OF("bouncing_ball", "moreau_jean", 2000, "e=0.505", "e=0.5"),
      OF("cradle", "paoli", 200, "e=0.505", "e=0.5"),
      OF("cradle", "paoli", 1000, "e=0.505", "e=0.5")}},
    {"penalty spring",
     {SPRING},
     NULL,
     {OF("bouncing_ball", "penalty:stiffness=3000", 2000, NULL, NULL),
      OF("bouncing_ball", "penalty:stiffness=300", 1000, NULL, NULL),
      OF("cradle", "penalty:stiffness=3000", 4000, NULL, NULL),
      OF("two_spheres", "penalty:stiffness=2000", 2000, NULL, NULL),
      OF("sticky", "penalty:stiffness=2000", 4000, "N=6", "N=6")}},
    {"coordinates 1, 2 swapped", {SWAPPED}, swap_all, ON_SPHERES},
    {"of positions", {SWAPPED}, swap_q, ON_SPHERES},
    {"of velocities", {SWAPPED}, swap_u, ON_SPHERES},
    {"first and last swapped", {SWAPPED}, swap_last, ON_SPHERES},
    {"of positions", {SWAPPED}, swap_last_q, ON_SPHERES},
    {"of velocities", {SWAPPED}, swap_last_u, ON_SPHERES},
    {"bodies exchanged", {SWAPPED}, exchange_bodies, ON_SPHERES},
    {"x mirrored", {MIRRORED}, mirror_x, ON_SPHERES},
    {"y mirrored", {MIRRORED}, mirror_y, ON_SPHERES},
    {"mass x 1.1",
     {MASS},
     NULL,
     {OF("two_spheres", "maury", 60, "masses=1,2.2", NULL),
      OF("two_spheres", "paoli", 150, "masses=1.1,2", NULL),
      OF("two_spheres", "moreau_jean", 400, "masses=1,2.2", NULL),
      {"sticky", "maury", {"N=6", "masses=1,1,1.1,1,1,1"}, {"N=6"}, 200},
      OF("two_spheres", "venel", 2000, "masses=1.1,2", NULL)}},
    {"equal masses",
     {MASS},
     NULL,
     {OF("two_spheres", "maury", 60, "masses=1,1", NULL),
      OF("two_spheres", "paoli", 150, "masses=2,2", NULL),
      OF("two_spheres", "moreau_jean", 400, "masses=1,1", NULL),
      OF("two_spheres", "catching_up", 1000, "masses=1,1", NULL),
      OF("two_spheres", "venel", 2000, "masses=2,2", NULL)}},
    {"momentum drifts", {"a momentum that drifts"}, NULL, ON_SPHERES},
    {"another start", {START}, NULL, ON_ANY},
    {"an impulse that pulls", {PULLS}, NULL, ON_BALLS},
    {"impulses far away", {"an impulse at a distance"}, NULL, ON_BALLS},
    {"a typo in one q", {SPEEDS, LEFT}, NULL, ON_ANY},
    {"lengths in mm", {LENGTH}, millimetres, ON_BALLS},
    {"time in ms", {"another unit of time"}, milliseconds, ON_ANY},
    {"u halved", {"another scale of velocities"}, halve_u, ON_ANY},
    {"u negated", {"another scale of velocities"}, negate_u, ON_ANY},
    {"drag", {FORCE, LEFT}, drag, ON_BALLS},
    {"a stop elsewhere", {OVERLAP, DISTANCE}, NULL, ON_PENDULA("stop=0.03", NULL)},
    {"a mass matrix, diagonal", {LEFT, FORCE}, NULL, ON_PENDULA("mass=1,1", NULL)},
    {"angles in degrees", {LENGTH}, degrees, ON_PENDULA(NULL, NULL)},
    {"times of another board",
     {LEFT, SHIFTED},
     NULL,
     {OF("labyrinth", "maury", 100, "times=10,17", NULL),
      OF("labyrinth", "venel", 200, "times=9,18", NULL),
      OF("labyrinth", "paoli", 400, "times=10,17", NULL),
      OF("labyrinth", "catching_up", 1000, "times=9,16", NULL),
      OF("labyrinth", "maury", 2000, "times=8,17", NULL)}},
    {"falls through the floor", {OVERLAP}, falls, ON_BALLS},
    {"through each other", {OVERLAP}, NULL, ON_RADII("0.001,0.001")},
    {"radii 1 % too small", {OVERLAP}, NULL, ON_RADII("0.495,0.396")},
    {"radii 1 % too large", {DISTANCE}, NULL, ON_RADII("0.505,0.404")},
    {"growing radii ignored",
     {OVERLAP},
     NULL,
     {{"growing_radii", "maury", {"a=0", "q0=0,0,0,1.2,0,0"}, {"q0=0,0,0,1.2,0,0"}, 100},
      {"growing_radii", "paoli", {"a=0", "q0=0,0,0,1.1,0,0"}, {"q0=0,0,0,1.1,0,0"}, 200},
      {"growing_radii", "venel", {"a=0", "q0=0,0,0,1.1,0.1,0"}, {"q0=0,0,0,1.1,0.1,0"}, 400},
      {"growing_radii", "maury", {"a=0", "q0=0,0,0,1.2,0,0"}, {"a=0.3", "q0=0,0,0,1.2,0,0"}, 1000},
      {"growing_radii", "moreau_jean", {"a=0", "q0=0,0,0,1.2,0,0"}, {"q0=0,0,0,1.2,0,0"}, 2000}}}};

/* Those of a size. */
static const struct {
    const char *fault;
    void (*plant)(il_trajectory *run, double size);
} SIZED[] = {{"momentum drifts", drift},
             {"another start", start},
             {"an impulse that pulls", pull},
             {"impulses far away", far_impulse},
             {"a typo in one q", typo}};

static bool is_named(const plant *p, const il_faults *faults) {
    for (size_t k = 0; faults->n > 0 && k < NAMES && p->names[k] != NULL; k++) {
        if (strcmp(faults->list[0].name, p->names[k]) == 0) {
            return true;
        }
    }
    return false;
}

static void choose(il_motion_problem *c, const char *problem, const char *const sets[],
                   const char *start) {
    const char *all[IL_MOTION_SETS] = {sets[0], sets[1], sets[2]};
    size_t n = 0;
    while (all[n] != NULL) {
        n++;
    }
    all[n] = *start != '\0' ? start : NULL;
    il_motion_choose(c, problem, all);
}

static void judge_planted(const plant *p, const base *b, drawn *w, bool show, size_t *found,
                          size_t *named) {
    il_motion_problem own;
    il_motion_problem claimed;
    il_trajectory run;
    il_faults faults = {.n = 0};
    il_error err = {IL_OK, ""};
    char set[IL_MOTION_SETTING];
    il_motion_start(b->problem, &w->random, set);
    size_t steps = (size_t)((double)b->steps * 0.7 * pow(2.0, il_uniform_next(&w->random)));
    double size = 0.3 * pow(10.0, il_uniform_next(&w->random));
    choose(&own, b->problem, b->own, set);
    choose(&claimed, b->problem, b->claimed, set);
    if (!il_motion_run(&own, b->scheme, steps, &run)) {
        CU_FAIL("a motion to plant a fault in does not run");
        (void)fprintf(stderr, "%s: %s by %s\n", p->fault, b->problem, b->scheme);
        return;
    }
    if (p->plant != NULL) {
        p->plant(&run);
    }
    bool impulses = false;
    for (size_t k = 0; k < sizeof SIZED / sizeof SIZED[0]; k++) {
        if (strcmp(SIZED[k].fault, p->fault) == 0) {
            SIZED[k].plant(&run, size);
            impulses = SIZED[k].plant == pull || SIZED[k].plant == far_impulse;
        }
    }
    il_status status = il_motion_judge(&claimed, &run, w->folder, true, impulses, IL_BETWEEN_AFFINE,
                                       &faults, &err);
    CU_ASSERT_EQUAL(status, IL_OK);
    *found += faults.n > 0;
    *named += is_named(p, &faults);
    if (show && !is_named(p, &faults)) {
        (void)printf("  %s, %s %s by %s, %zu steps, size %.3g: %s: %.150s\n", p->fault, b->problem,
                     set, b->scheme, steps, size, faults.n > 0 ? faults.list[0].name : "not found",
                     faults.n > 0 ? faults.list[0].text : err.message);
    }
    il_trajectory_free(&run);
}

static void what_is_wrong_is_found_and_named(void) {
    const char *asked = getenv("IMPACTLAB_COVERAGE");
    unsigned long motions = 1000;
    unsigned long seed = 20261128;
    if (asked != NULL) {
        char *end = NULL;
        unsigned long number = strtoul(asked, &end, 10);
        motions = end != asked ? number : motions;
        seed = *end == ',' ? strtoul(end + 1, NULL, 10) : seed;
    }
    bool show = asked != NULL && strstr(asked, "show") != NULL;
    size_t rounds = motions < 1000 ? 1 : motions / 1000;
    size_t found = 0;
    size_t named = 0;
    size_t all = 0;
    drawn w = {.random = UINT64_C(88172645463325252) ^ seed * UINT64_C(2654435761)};
    il_scratch_open(w.folder);
    (void)printf("\n%-28s %6s %6s %6s\n", "planted", "in", "found", "named");
    for (size_t k = 0; k < sizeof PLANTS / sizeof PLANTS[0]; k++) {
        size_t f = 0;
        size_t n = 0;
        for (size_t b = 0; b < rounds * BASES; b++) {
            judge_planted(&PLANTS[k], &PLANTS[k].bases[b % BASES], &w, show, &f, &n);
        }
        (void)printf("%-28s %6zu %6zu %6zu\n", PLANTS[k].fault, rounds * BASES, f, n);
        found += f;
        named += n;
        all += rounds * BASES;
    }
    (void)printf("%-28s %6zu %6zu %6zu\n", "all", all, found, named);
    CU_ASSERT(100 * found >= 95 * all);
    CU_ASSERT(100 * named >= 80 * all);
    il_scratch_close(w.folder, 0);
}

static const il_test tests[] = {
    {"what is wrong is found, and named", what_is_wrong_is_found_and_named}, {NULL, NULL}};

extern const il_suite il_suite_planted;
const il_suite il_suite_planted = {"planted faults", tests};

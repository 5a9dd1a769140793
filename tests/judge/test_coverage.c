/*
 * test_coverage.c - how often the judge accuses what is right, and how often it finds, and names,
 * what is wrong. `make coverage-judge` draws many; the suite a few.
 *
 *     IMPACTLAB_COVERAGE=MOTIONS[,SEED[,show]]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/uniform.h"
#include "tests/judge/coverage.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { KINDS = 6, MOTIONS = 60 };

static const int DIGITS[KINDS] = {17, 12, 9, 7, 6, 0};

typedef struct {
    size_t motions;
    uint64_t random;
    bool show;
    char folder[IL_SCRATCH_ROOM];
    size_t judged[KINDS], accused[KINDS];
} coverage;

static void begin(coverage *w) {
    const char *asked = getenv("IMPACTLAB_COVERAGE");
    unsigned long motions = MOTIONS;
    unsigned long seed = 20260729;
    if (asked != NULL) {
        char *end = NULL;
        unsigned long number = strtoul(asked, &end, 10);
        motions = end != asked ? number : motions;
        seed = *end == ',' ? strtoul(end + 1, NULL, 10) : seed;
    }
    *w = (coverage){.motions = motions,
                    .random = UINT64_C(88172645463325252) ^ seed * UINT64_C(2654435761),
                    .show = asked != NULL && strstr(asked, "show") != NULL};
    il_scratch_open(w->folder);
}

static size_t draw(coverage *w, size_t n) {
    return (size_t)((double)n * il_uniform_next(&w->random));
}

/* ---- right ---------------------------------------------------------------------------------- */

typedef struct {
    const char *problem;
    const char *sets[IL_MOTION_SETS];
    size_t steps; /* at most; 0: 2000 */
} base;

static const base BASES[] = {{"bouncing_ball", {NULL}, 0},
                             {"bouncing_ball", {"e=0.5"}, 0},
                             {"bouncing_ball", {"e=0.9"}, 0},
                             {"bouncing_ball", {"e=1", "u0=-1"}, 0},
                             {"bouncing_ball", {"e=0.3", "q0=0", "u0=4"}, 0},
                             {"corner", {NULL}, 0},
                             {"corner", {"angle=1", "mass=1,3"}, 0},
                             {"corner", {"force=1,-2", "angle=2.5"}, 0},
                             {"cradle", {NULL}, 0},
                             {"cradle", {"N=3", "e=0.5"}, 0},
                             {"cradle", {"N=2", "e=0.8"}, 0},
                             {"cradle", {"N=50", "e=1"}, 150},
                             {"crowd", {"N=12"}, 200},
                             {"crowd", {"N=40", "seed=4"}, 60},
                             {"crystal", {"rows=3"}, 200},
                             {"crystal", {"rows=5", "gap=0.01"}, 100},
                             {"gluey", {NULL}, 0},
                             {"gluey", {"scenario=spheres"}, 0},
                             {"gluey", {"glue=off"}, 0},
                             {"graze", {NULL}, 0},
                             {"graze", {"k=1.5", "s=0.6"}, 0},
                             {"growing_radii", {NULL}, 0},
                             {"growing_radii", {"N=6"}, 500},
                             {"impact", {"N=10"}, 400},
                             {"impact", {"N=40", "e=0.5", "seed=3"}, 200},
                             {"impact", {"N=200", "seed=7"}, 40},
                             {"labyrinth", {NULL}, 0},
                             {"nonuniqueness", {NULL}, 0},
                             {"nonuniqueness", {"alpha=2.1", "m=1"}, 0},
                             {"pendulum", {NULL}, 0},
                             {"pendulum", {"N=4", "joint=2"}, 500},
                             {"pile", {"N=12", "radius=0.3", "seed=2"}, 300},
                             {"pile", {"N=40", "radius=0.2"}, 80},
                             {"pile", {"N=200"}, 30},
                             {"segment", {NULL}, 0},
                             {"segment", {"omega=-0.7", "s0=-0.2"}, 0},
                             {"sticky", {"N=6"}, 0},
                             {"sticky", {"N=30", "seed=9"}, 300},
                             {"sticky", {"N=200"}, 60},
                             {"two_spheres", {NULL}, 0},
                             {"two_spheres", {"scenario=pressed"}, 0},
                             {"two_spheres", {"masses=1,20", "u0=0.4,0.2,0.1,-0.5,-0.1,0.2"}, 0},
                             {"vibroimpact", {NULL}, 0},
                             {"vibroimpact", {"scenario=corner"}, 0},
                             {"vibroimpact", {"scenario=graze"}, 0}};

static const char *const SCHEMES[] = {
    "exact",       "exact",     "exact",       "maury",    "moreau_jean", "moreau_jean:theta=",
    "paoli",       "venel",     "catching_up", "midpoint", "mabrouk",     "moreau_jean:gamma=",
    "gluey_maury", "projected", "reflect",     "poisson"};

static size_t draw_steps(coverage *w, size_t most) {
    double least = 20.0;
    double top = most > 0 ? (double)most : 2000.0;
    return (size_t)(least * pow(top / least, il_uniform_next(&w->random)));
}

/* A right motion as some program might write it; what in words. */
static bool draw_motion(coverage *w, const il_motion_problem *c, const base *b, il_trajectory *run,
                        char *what, size_t capacity) {
    static const char *const ways[] = {"all", "every third", "uneven", "breaks"};
    char scheme[40];
    const char *name = SCHEMES[draw(w, sizeof SCHEMES / sizeof SCHEMES[0])];
    bool ends = name[strlen(name) - 1] != '=';
    (void)snprintf(scheme, sizeof scheme, ends ? "%s" : "%s%.2f", name,
                   0.01 + 0.98 * il_uniform_next(&w->random));
    size_t steps = draw_steps(w, b->steps);
    size_t way = draw(w, 4);
    size_t nodes = 0;
    bool good = false;
    if (strcmp(scheme, "exact") == 0) {
        il_times kind = way < 2 ? IL_TIMES_UNIFORM : way == 2 ? IL_TIMES_UNEVEN : IL_TIMES_BREAKS;
        double *t = il_motion_times(c, kind, steps, &w->random, &nodes);
        good = il_motion_exact(c, t, nodes, draw(w, 2) == 0 ? 1 : -1, &w->random, run);
        free(t);
    } else if (strcmp(scheme, "projected") != 0 || b->steps == 0 || b->steps > 100) {
        good = il_motion_run(c, scheme, steps, run); /* a pile by projected takes a minute */
    }
    (void)snprintf(what, capacity, "%s %s %s %s, %s, %zu steps, %s", b->problem,
                   b->sets[0] != NULL ? b->sets[0] : "",
                   b->sets[0] != NULL && b->sets[1] != NULL ? b->sets[1] : "",
                   b->sets[0] != NULL && b->sets[1] != NULL && b->sets[2] != NULL ? b->sets[2] : "",
                   scheme, steps, ways[way]);
    if (good && strcmp(scheme, "exact") != 0 && way != 0 && way < 3) {
        bool *keep = calloc(run->nodes, sizeof *keep);
        for (size_t n = 0; n < run->nodes; n++) {
            keep[n] = n == 0 || (way == 1 ? n % 3 == 0 : il_uniform_next(&w->random) < 0.6);
        }
        il_motion_thin(run, keep);
        free(keep);
    }
    if (good && run->nodes < 5) {
        il_trajectory_free(run);
        good = false;
    }
    return good;
}

static void judge_right(coverage *w) {
    char what[256];
    il_motion_problem c;
    il_trajectory run;
    il_faults faults;
    il_error err = {IL_OK, ""};
    const base *b = &BASES[draw(w, sizeof BASES / sizeof BASES[0])];
    il_motion_choose(&c, b->problem, b->sets);
    if (!draw_motion(w, &c, b, &run, what, sizeof what)) {
        return;
    }
    size_t kind = draw(w, KINDS);
    bool has_u = draw(w, 4) != 0;
    bool impulses = has_u && run.ncontacts > 0 && draw(w, 2) == 0;
    il_motion_round(&run, DIGITS[kind]);
    bool increase = true;
    for (size_t n = 1; n < run.nodes; n++) {
        increase = increase && run.t[n] > run.t[n - 1];
    }
    /* mabrouk's positions move by the velocity before */
    il_between means = strstr(what, "mabrouk") != NULL ? IL_BETWEEN_CONSTANT : IL_BETWEEN_AFFINE;
    il_status status =
        increase ? il_motion_judge(&c, &run, w->folder, has_u, impulses, means, &faults, &err)
                 : IL_EINVAL;
    if (increase && status != IL_OK) {
        CU_FAIL("a right motion is not judged");
        (void)fprintf(stderr, "%s: %s\n", what, err.message);
    }
    if (status == IL_OK) {
        w->judged[kind]++;
        w->accused[kind] += faults.n > 0;
        if (w->show && faults.n > 0) {
            (void)printf("%s, %d digits%s%s: %s: %s\n", what, DIGITS[kind], has_u ? "" : ", no u",
                         impulses ? ", impulses" : "", faults.list[0].name, faults.list[0].text);
        }
    }
    il_trajectory_free(&run);
}

static void what_is_right_is_not_accused(void) {
    coverage w;
    size_t judged = 0;
    size_t accused = 0;
    begin(&w);
    while (judged < w.motions) {
        judge_right(&w);
        judged = accused = 0;
        for (size_t k = 0; k < KINDS; k++) {
            judged += w.judged[k];
            accused += w.accused[k];
        }
    }
    (void)printf("\n%-24s %8s %8s\n", "right motions", "judged", "accused");
    for (size_t k = 0; k < KINDS; k++) {
        (void)printf("%2d %-21s %8zu %8zu\n", DIGITS[k] > 0 ? DIGITS[k] : 24,
                     DIGITS[k] > 0 ? "digits" : "bits", w.judged[k], w.accused[k]);
    }
    (void)printf("%-24s %8zu %8zu\n", "all", judged, accused);
    CU_ASSERT(1000 * accused <= judged);
    il_scratch_close(w.folder, 0);
}

static const il_test tests[] = {
    {"what is right is accused less than once in a thousand", what_is_right_is_not_accused},
    {NULL, NULL}};

extern const il_suite il_suite_coverage;
const il_suite il_suite_coverage = {"coverage", tests};

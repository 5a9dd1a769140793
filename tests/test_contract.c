/*
 * test_contract.c - what every scheme owes on every problem. All members of the registries are run;
 * a newcomer is picked up without a line here. Problems with a parameter that is a choice are run
 * once for every choice.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run.h"
#include "tests/allocation.h"
#include "tests/suite.h"

/* A step count that shares no factor with the problems' own times. */
enum { STEPS = 211, DYADIC_STEPS = 256, VARIANTS_MAX = 64 };

/* The prescribed accuracy of nodes with an exact projector; coordinates here are below 10, so this
 * is about a thousand roundings. */
static const double FEASIBLE = 1e-12;

/* Two ways to write the same step: STEPS steps, each adding a few roundings of numbers below 10 and
 * divided by h ~ 1e-2. */
static const double SAME = 1e-10;

/* Uzawa leaves gaps of 1e-12, which over h >= 1/STEPS is a velocity of 2e-10 a step; STEPS of them
 * add up to 5e-8, and a chain of bodies hands them on. */
static const double ITERATED = 1e-7;

/* Where the exact solution is rest, errors need not fall. They are roundings of gaps, 1e-16 each,
 * over h >= 1e-4 and a few thousand times; of the springs, what their loose integrator leaves. */
static const double AT_REST = 1e-11;
static const double SPRINGS_AT_REST = 1e-6;

/* Energies here are below 20; each step may round their difference a few times. */
static const double ENERGY_ROUNDING = 20.0 * 16.0 * 2.3e-16;

typedef struct {
    const il_problem_type *type;
    char key[32], choice[32]; /* the choice of this variant, empty if there is none */
} variant;

/* Every problem with every value of its first parameter that is a choice. */
static size_t variants(variant *list) {
    size_t n = 0;
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *type = il_problem_type_at(k);
        const il_param_spec *spec = type->params;
        while (spec->key != NULL && spec->kind != IL_PARAM_CHOICE) {
            spec++;
        }
        const char *at = spec->key != NULL ? spec->allowed : "";
        do {
            variant *v = &list[n++];
            *v = (variant){.type = type};
            size_t length = strcspn(at, ",");
            if (spec->key != NULL) {
                strncpy(v->key, spec->key, sizeof v->key - 1);
                memcpy(v->choice, at, length);
            }
            at += length + (at[length] == ',');
        } while (*at != '\0' && n < VARIANTS_MAX);
    }
    return n;
}

static il_params *params_of(const variant *v) {
    il_params *params = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, v->type->params, &err), IL_OK);
    for (const il_param_spec *spec = v->type->params; spec->key != NULL; spec++) {
        /* crowds are run small here; their own suites have the large ones */
        bool large = strcmp(spec->key, "N") == 0 && spec->fallback != NULL;
        if (large && strcmp(spec->fallback, "2000") == 0) {
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "N", "10", &err), IL_OK);
        } else if (large && strcmp(spec->fallback, "100") == 0) {
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "N", "4", &err), IL_OK);
        }
        if (strcmp(spec->key, "rows") == 0) {
            CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "rows", "2", &err), IL_OK);
        }
    }
    if (v->choice[0] != '\0') {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, v->key, v->choice, &err), IL_OK);
    }
    return params;
}

static const il_projector_type *projector(const char *name) {
    const il_projector_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &type, NULL), IL_OK);
    return type;
}

static const il_scheme_type *scheme_called(const char *name) {
    const il_scheme_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(name, &type, NULL), IL_OK);
    return type;
}

/* A loose integrator, for time: what is asserted here holds for it too. */
static const char *settings(const il_scheme_type *scheme) {
    return strcmp(scheme->name, "penalty") == 0 ? "tolerance=1e-6" : NULL;
}

/* A run of a variant; false if the pair is refused. traj may be NULL. */
static bool run(const variant *v, const il_scheme_type *scheme, const char *projector_name,
                size_t steps, il_record *record, il_trajectory *traj) {
    il_params *params = params_of(v);
    il_error err = {IL_OK, ""};
    il_run_spec spec = {.problem = v->type,
                        .params = params,
                        .scheme = scheme,
                        .scheme_settings = settings(scheme),
                        .projector = projector(projector_name),
                        .steps = steps};
    il_status status = il_run(&spec, record, traj, &err);
    il_params_destroy(params);
    CU_ASSERT(status == IL_OK || status == IL_EUNSUPPORTED);
    if (status != IL_OK) {
        CU_ASSERT(strlen(err.message) > 0);
        il_record_free(record);
        return false;
    }
    CU_ASSERT_EQUAL(record->status, IL_OK);
    return true;
}

/* Calls check for every pair that means something, with one run of it. */
static void for_all(void (*check)(const variant *, const il_scheme_type *, const il_problem *,
                                  const il_record *)) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    size_t ran = 0;
    for (size_t i = 0; i < n; i++) {
        il_params *params = params_of(&list[i]);
        il_problem *problem = NULL;
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[i].type, params, 0.0, &err), IL_OK);
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            il_record record = {0};
            if (run(&list[i], il_scheme_type_at(k), "auto", STEPS, &record, NULL)) {
                ran++;
                check(&list[i], il_scheme_type_at(k), problem, &record);
                il_record_free(&record);
            }
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
    CU_ASSERT(ran >= n); /* no problem is without a scheme */
}

static void check_certificate(const variant *v, const il_scheme_type *scheme,
                              const il_problem *problem, const il_record *record) {
    (void)v;
    (void)scheme;
    if (problem->p == 0) {
        return;
    }
    CU_ASSERT(record->measure.certificate.primal >= -FEASIBLE);
    CU_ASSERT(record->measure.certificate.dual >= 0.0);
    CU_ASSERT(record->measure.certificate.complementarity <= FEASIBLE);
    CU_ASSERT(record->measure.certificate.relative <= FEASIBLE);
}

/* Linearised sets lie in Q(t) when every g_i is convex; paoli projects onto Q(t) itself. */
static void check_feasible(const variant *v, const il_scheme_type *scheme,
                           const il_problem *problem, const il_record *record) {
    (void)v;
    bool true_set = strcmp(scheme->name, "paoli") == 0 || strcmp(scheme->name, "catching_up") == 0;
    bool convex = (problem->traits & IL_ROWS_CONVEX) != 0;
    /* neither holds the positions, and says so */
    bool loose = strcmp(scheme->name, "moreau_jean") == 0 || strcmp(scheme->name, "penalty") == 0;
    if (problem->p > 0 && (true_set || convex) && !loose && problem->restitution == 0.0) {
        CU_ASSERT(record->measure.nodes_min >= -FEASIBLE);
    }
}

/* Maury (25): with fixed constraints that hold at q_n, the energy grows at most by the work of the
 * force; with f = 0 never. Paoli's projection is onto a set that is not convex, where only the
 * linearised schemes have the proof. */
static void check_energy(const variant *v, const il_scheme_type *scheme, const il_problem *problem,
                         const il_record *record) {
    (void)v;
    bool linearised = strcmp(scheme->name, "maury") == 0 || strcmp(scheme->name, "venel") == 0;
    bool fixed = (problem->traits & IL_ROWS_FIXED) && (problem->traits & IL_ROWS_CONVEX);
    if (problem->order == 2 && linearised && fixed) {
        CU_ASSERT(record->measure.energy_beyond_work <= ENERGY_ROUNDING);
        if (problem->traits & IL_FORCE_FREE) {
            CU_ASSERT(record->measure.energy_largest_increase <= ENERGY_ROUNDING);
        }
    }
}

static void check_momentum(const variant *v, const il_scheme_type *scheme,
                           const il_problem *problem, const il_record *record) {
    (void)v;
    (void)scheme;
    double room = (double)problem->d * STEPS * 2.3e-16; /* one rounding a coordinate and step */
    if (problem->order == 2 && (problem->traits & IL_ROWS_INVARIANT) && problem->space > 0) {
        CU_ASSERT(record->measure.momentum_drift <= 10.0 * room);
        if (problem->traits & IL_FORCE_FREE) {
            CU_ASSERT(record->measure.centre_drift <= 10.0 * room);
        }
    } else if (problem->order == 2 && problem->conserved_axes != 0) {
        CU_ASSERT(record->measure.momentum_drift <= 10.0 * room);
    } else {
        CU_ASSERT(isnan(record->measure.momentum_drift));
    }
}

/* One run of every pair for all four, for time. */
static void check_run(const variant *v, const il_scheme_type *scheme, const il_problem *problem,
                      const il_record *record) {
    check_certificate(v, scheme, problem, record);
    check_feasible(v, scheme, problem, record);
    check_energy(v, scheme, problem, record);
    check_momentum(v, scheme, problem, record);
}

static void runs_keep_what_the_theory_says(void) {
    for_all(check_run);
}

static double apart(const il_trajectory *a, const il_trajectory *b) {
    double most = a->nodes == b->nodes ? 0.0 : INFINITY;
    for (size_t k = 0; k < a->nodes * a->d && most < INFINITY; k++) {
        double q = fabs(a->q[k] - b->q[k]);
        double u = fabs(a->u[k] - b->u[k]);
        most = q <= most ? most : q;
        most = u <= most ? most : u;
    }
    return most;
}

/* The largest difference between two schemes over all nodes, NaN if one is refused. */
static double between(const variant *v, const char *one, const char *other) {
    il_record ra = {0};
    il_record rb = {0};
    il_trajectory a = {0};
    il_trajectory b = {0};
    double most = NAN;
    bool ok = run(v, scheme_called(one), "auto", STEPS, &ra, &a);
    if (ok && run(v, scheme_called(other), "auto", STEPS, &rb, &b)) {
        most = apart(&a, &b);
    }
    il_trajectory_free(&a);
    il_trajectory_free(&b);
    il_record_free(&ra);
    il_record_free(&rb);
    return most;
}

/* Contacts that hold are for schemes that know glue: neither of the two compared here does. */
static bool is_gluey(const variant *v) {
    il_params *params = params_of(v);
    il_problem *problem = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, v->type, params, 0.0, NULL), IL_OK);
    bool gluey = problem->gamma0 != NULL;
    il_problem_destroy(problem);
    il_params_destroy(params);
    return gluey;
}

static void venel_equals_maury_on_order_2(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT(is_gluey(&list[i]) || between(&list[i], "maury", "venel") <= SAME);
    }
}

static void paoli_equals_maury_where_rows_are_affine(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    size_t affine = 0;
    for (size_t i = 0; i < n; i++) {
        il_params *params = params_of(&list[i]);
        il_problem *problem = NULL;
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, list[i].type, params, 0.0, NULL), IL_OK);
        if ((problem->traits & IL_ROWS_AFFINE) && problem->gamma0 == NULL) {
            affine++;
            CU_ASSERT(between(&list[i], "maury", "paoli") <= SAME);
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
    CU_ASSERT(affine >= 2);
    /* Distances on a line are affine along it, though not in space. */
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].type->name, "growing_radii") == 0) {
            CU_ASSERT(between(&list[i], "maury", "paoli") <= SAME);
        }
        /* Curved constraints tell the two apart by far more than rounding. */
        if (strcmp(list[i].type->name, "vibroimpact") == 0 &&
            strcmp(list[i].choice, "slide") == 0) {
            CU_ASSERT(between(&list[i], "maury", "paoli") >= 1e-6);
        }
    }
}

static void runs_repeat_to_the_bit(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            il_record record = {0};
            il_trajectory a = {0};
            il_trajectory b = {0};
            if (run(&list[i], il_scheme_type_at(k), "auto", STEPS, &record, &a)) {
                il_record_free(&record);
                CU_ASSERT(run(&list[i], il_scheme_type_at(k), "auto", STEPS, &record, &b));
                size_t bytes = a.nodes * a.d * sizeof(double);
                CU_ASSERT_EQUAL(memcmp(a.q, b.q, bytes), 0);
                CU_ASSERT_EQUAL(memcmp(a.u, b.u, bytes), 0);
                il_record_free(&record);
            }
            il_trajectory_free(&a);
            il_trajectory_free(&b);
        }
    }
}

/* One scheme on one problem with buffers for two states. */
typedef struct {
    il_params *params, *own; /* the problem's, the scheme's */
    il_problem *problem;
    void *scheme;
    double *buffer; /* [6d]: in, out, copy of in; then [2p] gamma of gluey problems */
    il_state in, out;
    il_contacts contacts[2]; /* theirs */
} bench;

static bool bench_open(bench *b, const variant *v, const il_scheme_type *scheme,
                       const il_scheme_options *options) {
    memset(b, 0, sizeof *b);
    b->params = params_of(v);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&b->problem, v->type, b->params, 0.0, NULL), IL_OK);
    size_t d = b->problem->d;
    size_t glued = b->problem->gamma0 != NULL ? b->problem->p : 0;
    b->buffer = calloc(6 * d + 2 * glued, sizeof *b->buffer);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->buffer);
    b->in = (il_state){.q = b->buffer, .u = b->buffer + d, .contacts = &b->contacts[0]};
    b->out =
        (il_state){.q = b->buffer + 2 * d, .u = b->buffer + 3 * d, .contacts = &b->contacts[1]};
    memcpy(b->in.q, b->problem->q0, d * sizeof(double));
    memcpy(b->in.u, b->problem->u0, d * sizeof(double));
    if (glued > 0) {
        b->in.gamma = b->buffer + 6 * d;
        b->out.gamma = b->in.gamma + glued;
        memcpy(b->in.gamma, b->problem->gamma0, glued * sizeof(double));
    }
    if (il_scheme_admits(scheme, b->problem, NULL) != IL_OK) {
        return false;
    }
    il_scheme_options with = *options;
    CU_ASSERT_EQUAL_FATAL(il_scheme_params(scheme, settings(scheme), &b->own, NULL), IL_OK);
    with.params = b->own;
    CU_ASSERT_EQUAL_FATAL(scheme->create(&b->scheme, b->problem, &with, NULL), IL_OK);
    return true;
}

static void bench_close(bench *b, const il_scheme_type *scheme) {
    if (b->scheme != NULL) {
        scheme->destroy(b->scheme);
    }
    free(b->buffer);
    il_contacts_free(&b->contacts[0]);
    il_contacts_free(&b->contacts[1]);
    il_problem_destroy(b->problem);
    il_params_destroy(b->params);
    il_params_destroy(b->own);
}

static void bench_swap(bench *b) {
    il_state swap = b->in;
    b->in = b->out;
    b->out = swap;
}

/* One failing step from in: status is not IL_OK, in keeps every bit, and the step that follows is
 * the one that would have been made without the failure. */
static void fail_once(bench *b, const il_scheme_type *scheme, double t0, double t1) {
    size_t d = b->problem->d;
    il_step_report report;
    il_error err = {IL_OK, ""};
    double *expected = b->buffer + 4 * d;
    CU_ASSERT_EQUAL(scheme->step(b->scheme, t0, t1, &b->in, &b->out, &report, &err), IL_OK);
    memcpy(expected, b->out.q, d * sizeof(double));
    memcpy(expected + d, b->out.u, d * sizeof(double));
    double kept = b->in.u[d - 1];
    b->in.u[d - 1] = NAN;
    size_t n = b->in.contacts->n;
    double *copy = malloc((2 * d + n) * sizeof *copy);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, b->in.q, d * sizeof(double));
    memcpy(copy + d, b->in.u, d * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        copy[2 * d + k] = b->in.contacts->lambda[k];
    }
    il_status status = scheme->step(b->scheme, t0, t1, &b->in, &b->out, &report, &err);
    bool harmless = status != IL_OK || b->problem->order == 1; /* order 1 does not read u */
    for (size_t k = 0; k < d && status == IL_OK; k++) {
        harmless |= isnan(b->out.u[k]); /* without rows nothing looks at the number */
    }
    CU_ASSERT(harmless);
    CU_ASSERT_EQUAL(memcmp(copy, b->in.q, d * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(copy + d, b->in.u, d * sizeof(double)), 0);
    CU_ASSERT_EQUAL(b->in.contacts->n, n);
    for (size_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(copy[2 * d + k], b->in.contacts->lambda[k]);
    }
    free(copy);
    b->in.u[d - 1] = kept;
    CU_ASSERT_EQUAL(scheme->step(b->scheme, t0, t1, &b->in, &b->out, &report, &err), IL_OK);
    CU_ASSERT_EQUAL(memcmp(expected, b->out.q, d * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(expected + d, b->out.u, d * sizeof(double)), 0);
}

static void a_failed_step_harms_nothing(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    il_scheme_options options = {.projector = projector("auto"), .certify = true};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            const il_scheme_type *scheme = il_scheme_type_at(k);
            bench b;
            if (bench_open(&b, &list[i], scheme, &options)) {
                double h = b.problem->horizon / STEPS;
                for (int s = 0; s < STEPS; s += 10) {
                    fail_once(&b, scheme, s * h, (s + 1) * h);
                    bench_swap(&b);
                }
            }
            bench_close(&b, scheme);
        }
    }
}

/* A projector that must stop at once, while a contact pushes: the step fails, or goes on with the
 * best iterate and says so. */
static void a_projector_that_stalls_is_reported(void) {
    variant v = {.type = NULL};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("sticky", &v.type, NULL), IL_OK);
    il_params *params = params_of(&v);
    il_run_spec spec = {.problem = v.type,
                        .params = params,
                        .scheme = scheme_called("maury"),
                        .projector = projector("uzawa"),
                        .projection = {.tolerance = 1e-14, .max_iterations = 3},
                        .steps = 30};
    il_record record = {0};
    CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_ESTALLED);
    CU_ASSERT(record.steps_done < 30 && strlen(record.message) > 0);
    CU_ASSERT(isnan(record.distances[0].error.u_L1));
    il_record_free(&record);
    spec.accept_stalled = true;
    CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    CU_ASSERT(record.stalled > 0);
    /* Maury, Remark 10: the balance of momentum holds even so. 30 bodies, 30 steps. */
    CU_ASSERT(record.measure.momentum_drift <= 900.0 * 2.3e-16);
    CU_ASSERT(record.measure.nodes_min < -1e-6); /* and the overlap is reported */
    il_record_free(&record);
    il_params_destroy(params);
}

/* The first steps from the start of the problem. */
static void march(bench *b, const il_scheme_type *scheme, int steps) {
    size_t d = b->problem->d;
    double h = b->problem->horizon / STEPS;
    il_step_report report;
    memcpy(b->in.q, b->problem->q0, d * sizeof(double));
    memcpy(b->in.u, b->problem->u0, d * sizeof(double));
    for (int s = 0; s < steps; s++) {
        CU_ASSERT_EQUAL(scheme->step(b->scheme, s * h, (s + 1) * h, &b->in, &b->out, &report, NULL),
                        IL_OK);
        bench_swap(b);
    }
}

static void a_step_allocates_nothing(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    const char *const names[] = {"auto", "active_set", "uzawa"};
    for (size_t j = 0; j < 3 && allocation_counted(); j++) {
        int steps = j == 0 ? STEPS : STEPS / 4; /* for time */
        il_scheme_options options = {.projector = projector(names[j]),
                                     .projection = {.tolerance = 1e-8},
                                     .certify = true,
                                     .accept_stalled = true};
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
                const il_scheme_type *scheme = il_scheme_type_at(k);
                bench b;
                if (bench_open(&b, &list[i], scheme, &options)) {
                    march(&b, scheme, steps); /* buffers grow to what the whole run needs */
                    size_t warm = allocation_count();
                    march(&b, scheme, steps);
                    CU_ASSERT(allocation_count() == warm);
                }
                bench_close(&b, scheme);
            }
        }
    }
}

/* Is the exact solution rest? */
static bool rests(const variant *v) {
    il_params *params = params_of(v);
    il_problem *problem = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, v->type, params, 0.0, NULL), IL_OK);
    bool still = problem->nexact > 0;
    double *q = calloc(2 * problem->d, sizeof *q);
    CU_ASSERT_PTR_NOT_NULL_FATAL(q);
    for (size_t n = 0; still && n <= 100; n++) {
        double t = problem->horizon * (double)n / 100.0;
        problem->exact->eval(problem->exact, t, 1, q, q + problem->d);
        for (size_t k = 0; k < problem->d; k++) {
            still &= q[k] == problem->q0[k] && q[problem->d + k] == 0.0;
        }
    }
    free(q);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return still;
}

/* A factor of sixteen in the step must halve the errors at the very least. */
static void expect_fall(const variant *v, const il_scheme_type *scheme, bool still,
                        const il_deviation_result *was, const il_deviation_result *is) {
    bool springs = strcmp(scheme->name, "penalty") == 0;
    if (springs && strcmp(v->type->name, "cradle") == 0) {
        /* Springs pass an impact through touching balls in their own way: the limit is not
         * Moreau's, and refinement does not bring it nearer. */
        CU_ASSERT(is->u_L1 >= 0.5 * was->u_L1);
        return;
    }
    double floor = still ? (springs ? SPRINGS_AT_REST : AT_REST) : 0.0;
    bool falls =
        is->u_L1 <= fmax(floor, 0.5 * was->u_L1) && is->q_Linf <= fmax(floor, 0.5 * was->q_Linf);
    CU_ASSERT(falls);
    if (!falls) {
        (void)fprintf(stderr, "%s %s by %s: u_L1 %g, then %g; q_Linf %g, then %g\n", v->type->name,
                      v->choice, scheme->name, was->u_L1, is->u_L1, was->q_Linf, is->q_Linf);
    }
}

/* The theorem's norm falls; the orders themselves are measured elsewhere. Where there are several
 * solutions the theorem speaks of subsequences: steps by powers of two, which Maury's paper
 * follows. */
static void errors_fall_under_refinement(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    size_t checked = 0;
    for (size_t i = 0; i < n; i++) {
        bool still = rests(&list[i]);
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            const il_scheme_type *scheme = il_scheme_type_at(k);
            il_record coarse = {0};
            il_record fine = {0};
            size_t steps = STEPS;
            bool ran = run(&list[i], scheme, "auto", steps, &coarse, NULL);
            if (ran && coarse.ndistances > 1) {
                steps = DYADIC_STEPS;
                il_record_free(&coarse);
                ran = run(&list[i], scheme, "auto", steps, &coarse, NULL);
            }
            if (ran && coarse.ndistances > 0) {
                CU_ASSERT(run(&list[i], scheme, "auto", 16 * steps, &fine, NULL));
                checked++;
                expect_fall(&list[i], scheme, still, &coarse.distances[0].error,
                            &fine.distances[0].error);
            }
            il_record_free(&coarse);
            il_record_free(&fine);
        }
    }
    CU_ASSERT(checked >= 18);
}

/* Different solvers of the same convex problem. Uzawa stops at a residual of 1e-12 in the gaps. */
static void projectors_agree_on_whole_runs(void) {
    variant list[VARIANTS_MAX];
    size_t n = variants(list);
    const char *const others[] = {"active_set", "uzawa"};
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < 2; j++) {
            il_record ra = {0};
            il_record rb = {0};
            il_trajectory a = {0};
            il_trajectory b = {0};
            const il_scheme_type *scheme = scheme_called("maury");
            if (run(&list[i], scheme, "auto", STEPS, &ra, &a)) {
                CU_ASSERT(run(&list[i], scheme, others[j], STEPS, &rb, &b));
                CU_ASSERT(apart(&a, &b) <= (projector(others[j])->exact ? SAME : ITERATED));
            }
            il_trajectory_free(&a);
            il_trajectory_free(&b);
            il_record_free(&ra);
            il_record_free(&rb);
        }
    }
}

static const il_test tests[] = {
    {"runs are certified, feasible, and keep energy and momentum as the theory says",
     runs_keep_what_the_theory_says},
    {"venel equals maury on every order-2 problem", venel_equals_maury_on_order_2},
    {"paoli equals maury where rows are affine, and nowhere else",
     paoli_equals_maury_where_rows_are_affine},
    {"runs repeat to the bit", runs_repeat_to_the_bit},
    {"a failed step harms nothing", a_failed_step_harms_nothing},
    {"a projector that stalls is reported", a_projector_that_stalls_is_reported},
    {"a step allocates nothing", a_step_allocates_nothing},
    {"errors fall under refinement", errors_fall_under_refinement},
    {"projectors agree on whole runs", projectors_agree_on_whole_runs},
    {NULL, NULL}};

const il_suite il_suite_contract = {"contract", tests};

/*
 * test_large.c - the projectors for many bodies, on discs in a plane.
 *
 * Problems are built from a chosen KKT point, as in test_projection.c: pick x, rows B, multipliers
 * lambda >= 0 and slacks, set a = slack - s B x and target = x - s M^{-1} B' lambda; x is then the
 * projection by construction, whether or not lambda is the only multiplier.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse.h"
#include "tests/allocation.h"
#include "tests/suite.h"

/* What a projection is certified to, in the units of the gaps. Lengths are near 1 and s B x adds
 * six numbers below 10: a thousand roundings. */
static const double PRIMAL = 1e-12;

/* The stationarity residual over the terms that it is made of: sums of at most a dozen and a half
 * of them, each rounded twice. */
static const double STATIONARY = 1e-14;

/* |x - x*|_M^2 <= lambda*' |g error| by convexity: with sum lambda* below 1e4 and gaps to 1e-14 a
 * distance of 1e-5 in the worst case is all that can be promised; what is seen is four orders
 * better, since gaps err at random. A row too many or too few shows at 1e-3. */
static const double NEAR = 1e-8;

/* Two exact methods on problems with d = 60, as in test_projection.c. */
static const double AGREE = 1e-10;

typedef struct {
    size_t d, p;
    il_metric *metric;
    il_rows rows;
    double *x, *target, *a, *lambda, *slack, *mass;
    il_qp qp;
} large;

static double uniform(gsl_rng *rng, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(rng);
}

static void large_init(large *w, size_t bodies) {
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    w->d = 2 * bodies;
    size_t room = 16 * bodies + 64;
    double **of_p[] = {&w->a, &w->lambda, &w->slack};
    double **of_d[] = {&w->x, &w->target, &w->mass};
    for (size_t k = 0; k < 3; k++) {
        *of_p[k] = calloc(room, sizeof(double));
        *of_d[k] = calloc(w->d, sizeof(double));
        CU_ASSERT_FATAL(*of_p[k] != NULL && *of_d[k] != NULL);
    }
}

static void large_free(large *w) {
    il_rows_free(&w->rows);
    il_metric_destroy(w->metric);
    free(w->a);
    free(w->lambda);
    free(w->slack);
    free(w->x);
    free(w->target);
    free(w->mass);
}

/* One more row; closed rows push with probability `push`, open ones have a gap up to `far`. */
static void add_row(large *w, gsl_rng *rng, size_t n, const size_t *col, const double *coef,
                    double closed, double push, double far) {
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&w->rows, w->p, 0.0, 0.0, n, col, coef), IL_OK);
    bool touches = gsl_rng_uniform(rng) < closed;
    w->slack[w->p] = touches ? 0.0 : far * pow(10.0, uniform(rng, -6.0, 0.0));
    w->lambda[w->p] = touches && gsl_rng_uniform(rng) < push ? uniform(rng, 0.01, 2.0) : 0.0;
    w->p++;
}

static void add_pair(large *w, gsl_rng *rng, size_t i, size_t j, const double *e, double closed,
                     double push, double far) {
    size_t col[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
    double coef[4] = {-e[0], -e[1], e[0], e[1]};
    add_row(w, rng, 4, col, coef, closed, push, far);
}

static void close_construction(large *w, double scale) {
    double *force = calloc(w->d, sizeof *force);
    CU_ASSERT_PTR_NOT_NULL_FATAL(force);
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w->metric, w->d, w->mass, NULL), IL_OK);
    for (size_t i = 0; i < w->p; i++) {
        w->a[i] = w->slack[i] - scale * il_rows_dot(&w->rows, i, w->x);
        il_rows_axpy(&w->rows, i, scale * w->lambda[i], force);
    }
    for (size_t k = 0; k < w->d; k++) {
        w->target[k] = w->x[k] - force[k] / w->mass[k];
    }
    w->qp = (il_qp){.d = w->d,
                    .mass = w->metric,
                    .target = w->target,
                    .rows = &w->rows,
                    .a = w->a,
                    .scale = scale};
    free(force);
}

typedef struct {
    size_t side;     /* side x side bodies on a hexagonal lattice */
    double jitter;   /* of the directions: 0 is a crystal */
    double closed;   /* part of the contacts that touch */
    double push;     /* part of those that push */
    double ratio;    /* masses between 1 and this */
    double far;      /* largest gap */
    bool walls;      /* floor and two side walls: corners */
    bool duplicates; /* every seventh row twice */
} recipe;

static void plant(large *w, gsl_rng *rng, const recipe *r) {
    size_t n = r->side * r->side;
    large_init(w, n);
    for (size_t i = 0; i < n; i++) {
        double mass = exp(uniform(rng, 0.0, log(r->ratio)));
        for (size_t c = 0; c < 2; c++) {
            w->mass[2 * i + c] = mass;
            w->x[2 * i + c] = uniform(rng, -1.0, 1.0);
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t column = i % r->side;
        size_t row = i / r->side;
        double e[3][2] = {{1.0, 0.0}, {0.5, sqrt(0.75)}, {-0.5, sqrt(0.75)}};
        bool even = row % 2 == 0;
        bool there[3] = {column + 1 < r->side, row + 1 < r->side && (even || column + 1 < r->side),
                         row + 1 < r->side && (!even || column > 0)};
        size_t right = i + r->side + (even ? 0 : 1);
        size_t other[3] = {i + 1, right, right - 1};
        for (size_t k = 0; k < 3; k++) {
            double turn = r->jitter * uniform(rng, -1.0, 1.0);
            double f[2] = {cos(turn) * e[k][0] - sin(turn) * e[k][1],
                           sin(turn) * e[k][0] + cos(turn) * e[k][1]};
            for (size_t copy = 0; there[k] && copy < (r->duplicates && i % 7 == 0 ? 2 : 1);
                 copy++) {
                add_pair(w, rng, i, other[k], f, r->closed, r->push, r->far);
            }
        }
        double up = 1.0;
        double down = -1.0;
        size_t col[2] = {2 * i, 2 * i + 1};
        if (r->walls && row == 0) {
            add_row(w, rng, 1, &col[1], &up, r->closed, r->push, r->far);
        }
        if (r->walls && (column == 0 || column + 1 == r->side)) {
            add_row(w, rng, 1, &col[0], column == 0 ? &up : &down, r->closed, r->push, r->far);
        }
    }
    close_construction(w, uniform(rng, 0.1, 2.0));
}

/* The same with random numbers of its own. */
static void plant_alone(large *w, recipe r) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    plant(w, rng, &r);
    gsl_rng_free(rng);
}

static recipe random_recipe(gsl_rng *rng, size_t side) {
    static const double part[] = {1.0, 0.9, 0.5};
    return (recipe){.side = side,
                    .jitter = gsl_rng_uniform(rng) < 0.5 ? 0.0 : 0.3,
                    .closed = part[gsl_rng_uniform_int(rng, 3)],
                    .push = part[gsl_rng_uniform_int(rng, 3)],
                    .ratio = gsl_rng_uniform(rng) < 0.5 ? 1.0 + 1e-9 : 1e6,
                    .far = pow(10.0, uniform(rng, -3.0, 1.0)),
                    .walls = gsl_rng_uniform(rng) < 0.5,
                    .duplicates = gsl_rng_uniform(rng) < 0.3};
}

static const il_projector_type *type_of(const char *name) {
    const il_projector_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &type, NULL), IL_OK);
    return type;
}

typedef struct {
    double *x, *lambda, *work;
    il_projection_info info;
    il_certificate certificate;
    il_status status;
} answer;

static void answer_init(answer *s, const il_qp *qp) {
    s->x = calloc(qp->d, sizeof *s->x);
    s->lambda = calloc(qp->rows->p + 1, sizeof *s->lambda);
    s->work = calloc(2 * qp->d, sizeof *s->work);
    CU_ASSERT_FATAL(s->x != NULL && s->lambda != NULL && s->work != NULL);
}

static void answer_free(answer *s) {
    free(s->x);
    free(s->lambda);
    free(s->work);
}

/* A projector of its own and room for its answer on qp; end certifies what it left there. */
static void *begin(const char *name, il_projector_options options, const il_qp *qp, answer *s) {
    void *self = NULL;
    answer_init(s, qp);
    CU_ASSERT_EQUAL_FATAL(type_of(name)->create(&self, &options, NULL), IL_OK);
    return self;
}

static void end(const char *name, void *self, const il_qp *qp, answer *s) {
    s->certificate = il_certify(qp, s->x, s->lambda, s->work);
    type_of(name)->destroy(self);
}

static void solve(const il_qp *qp, const char *name, double tolerance, answer *s) {
    void *self = begin(name, (il_projector_options){.tolerance = tolerance}, qp, s);
    s->status = type_of(name)->solve(self, qp, s->x, s->lambda, &s->info);
    end(name, self, qp, s);
}

static double distance(const double *x, const double *y, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        double d = fabs(x[k] - y[k]);
        most = d <= most ? most : d;
    }
    return most;
}

/* max_i |min(lambda_i W_ii, g_i)|, from the data. */
static double natural_residual(const il_qp *qp, const double *x, const double *lambda) {
    const double *mass = il_metric_masses(qp->mass);
    double worst = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double unit = 0.0;
        for (size_t e = qp->rows->start[i]; e < qp->rows->start[i + 1]; e++) {
            unit += qp->rows->coef[e] * qp->rows->coef[e] / mass[qp->rows->col[e]];
        }
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, x);
        double off = fabs(fmin(lambda[i] * unit * qp->scale * qp->scale, g));
        worst = off <= worst ? worst : off;
    }
    return worst;
}

/* Newton has no excuse: primal, dual, stationarity and complementarity, the last as the natural
 * residual, a gap for every row, and the planted point. */
static void solved_to_rounding(const large *w) {
    answer s;
    solve(&w->qp, "newton", 0.0, &s);
    CU_ASSERT_EQUAL(s.status, IL_OK);
    CU_ASSERT(s.certificate.primal >= -PRIMAL);
    CU_ASSERT(s.certificate.dual >= 0.0);
    CU_ASSERT(s.certificate.relative <= STATIONARY);
    CU_ASSERT(natural_residual(&w->qp, s.x, s.lambda) <= PRIMAL);
    CU_ASSERT(distance(s.x, w->x, w->d) <= NEAR);
    answer_free(&s);
}

static void random_configurations_are_solved_to_rounding(void) {
    enum { TRIALS = 200 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        large w;
        recipe r = random_recipe(rng, 2 + gsl_rng_uniform_int(rng, 14));
        plant(&w, rng, &r);
        solved_to_rounding(&w);
        large_free(&w);
    }
    gsl_rng_free(rng);
}

/* The cases that are hardest to bring to the last digits: all bodies touch, half of the contacts
 * push, and light bodies are squeezed between others a million times as heavy. The light ones'
 * multipliers are then determined by motions of 1e-6 of their own. */
static void contacts_that_do_not_push_between_unequal_masses_are_solved(void) {
    enum { TRIALS = 100 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        large w;
        recipe r = random_recipe(rng, 8 + gsl_rng_uniform_int(rng, 8));
        r.closed = trial % 2 == 0 ? 1.0 : 0.9;
        r.push = 0.5;
        r.ratio = 1e6;
        plant(&w, rng, &r);
        solved_to_rounding(&w);
        large_free(&w);
    }
    gsl_rng_free(rng);
}

/* One projector on one configuration, with a bound on its work: it refuses, or says that it
 * stopped early with a point that belongs to multipliers >= 0, or is right to its tolerance.
 * Returns the status. */
static il_status judged(const large *w, const il_projector_type *type) {
    il_projector_options options = {.tolerance = 1e-8, .max_iterations = type->exact ? 0 : 2000};
    void *self = NULL;
    answer s;
    answer_init(&s, &w->qp);
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    bool refused = type->refuses(self, &w->qp) != NULL;
    il_status status = type->solve(self, &w->qp, s.x, s.lambda, &s.info);
    type->destroy(self);
    if (status == IL_OK || status == IL_ESTALLED) {
        s.certificate = il_certify(&w->qp, s.x, s.lambda, s.work);
        CU_ASSERT(!refused);
        CU_ASSERT(s.certificate.dual >= 0.0);
        CU_ASSERT(s.certificate.relative <= STATIONARY);
    } else {
        CU_ASSERT_EQUAL(status, IL_EUNSUPPORTED); /* never "infeasible": all have a solution */
    }
    if (status == IL_OK) {
        CU_ASSERT(natural_residual(&w->qp, s.x, s.lambda) <= options.tolerance + PRIMAL);
    }
    answer_free(&s);
    return status;
}

/* Which projectors may stop short of a solution, and how many of 200 they must solve all the same
 * for this to be a test of more than their excuses. */
static const struct {
    const char *name;
    size_t solved;
} least[] = {{"newton", 200}, {"auto", 200}, {"active_set", 200}, {"apgd", 100}, {"uzawa", 20}};

static void every_projector_is_right_or_says_that_it_is_not(void) {
    enum { TRIALS = 200, MOST = 32 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t solved[MOST] = {0};
    gsl_rng_set(rng, 2);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        large w;
        recipe r = random_recipe(rng, 2 + gsl_rng_uniform_int(rng, 7));
        plant(&w, rng, &r);
        for (size_t k = 0; k < MOST && il_projector_type_at(k) != NULL; k++) {
            solved[k] += judged(&w, il_projector_type_at(k)) == IL_OK;
        }
        large_free(&w);
    }
    for (size_t k = 0; k < MOST && il_projector_type_at(k) != NULL; k++) {
        for (size_t n = 0; n < sizeof least / sizeof least[0]; n++) {
            bool same = strcmp(least[n].name, il_projector_type_at(k)->name) == 0;
            CU_ASSERT(!same || solved[k] >= least[n].solved);
        }
    }
    gsl_rng_free(rng);
}

static void large_crystals_are_solved_to_rounding(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < 4; trial++) {
        large w;
        recipe r = {.side = 44, /* d = 3872 */
                    .jitter = trial < 2 ? 0.0 : 0.3,
                    .closed = trial < 2 ? 1.0 : 0.8,
                    .push = trial % 2 == 0 ? 1.0 : 0.9,
                    .ratio = trial % 2 == 0 ? 2.0 : 1e6,
                    .far = 1.0,
                    .walls = trial != 1};
        plant(&w, rng, &r);
        CU_ASSERT(trial >= 2 || w.p > w.d); /* more contacts than unknowns */
        solved_to_rounding(&w);
        large_free(&w);
    }
    gsl_rng_free(rng);
}

/* To its tolerance, or it says that it did not; on the way x belongs to lambda all the same. */
static void apgd_keeps_its_tolerance_or_says_so(void) {
    static const double tolerance = 1e-8;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t stalled = 0;
    for (size_t trial = 0; trial < 60; trial++) {
        large w;
        answer s;
        recipe r = random_recipe(rng, 2 + gsl_rng_uniform_int(rng, 8));
        plant(&w, rng, &r);
        solve(&w.qp, "apgd", tolerance, &s);
        CU_ASSERT(s.status == IL_OK || s.status == IL_ESTALLED);
        if (s.status == IL_OK) {
            /* the residual once more, in other roundings */
            CU_ASSERT(natural_residual(&w.qp, s.x, s.lambda) <= tolerance + PRIMAL);
        }
        stalled += s.status != IL_OK;
        CU_ASSERT(s.certificate.dual >= 0.0);
        CU_ASSERT(s.certificate.relative <= STATIONARY);
        answer_free(&s);
        large_free(&w);
    }
    CU_ASSERT(stalled <= 6);
    gsl_rng_free(rng);
}

/* Targets drawn at random, so that nobody knows the answer but the other method. */
static void newton_agrees_with_the_active_set(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < 40; trial++) {
        large w;
        answer s;
        answer t;
        recipe r = random_recipe(rng, 2 + gsl_rng_uniform_int(rng, 5));
        r.ratio = trial % 2 == 0 ? 2.0 : 100.0;
        plant(&w, rng, &r);
        for (size_t k = 0; k < w.d; k++) {
            w.target[k] = uniform(rng, -2.0, 2.0);
        }
        solve(&w.qp, "newton", 0.0, &s);
        solve(&w.qp, "active_set", 0.0, &t);
        CU_ASSERT_EQUAL(s.status, IL_OK);
        CU_ASSERT_EQUAL(t.status, IL_OK);
        CU_ASSERT(distance(s.x, t.x, w.d) <= AGREE);
        answer_free(&s);
        answer_free(&t);
        large_free(&w);
    }
    gsl_rng_free(rng);
}

/* The answer does not depend on the guess, and a guess that is the answer is seen to be. */
static void a_guess_changes_the_work_and_not_the_answer(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_projector_type *type = type_of("newton");
    for (size_t trial = 0; trial < 20; trial++) {
        large w;
        answer cold;
        void *self = NULL;
        il_projector_options options = {.tolerance = 0.0};
        il_projection_info info;
        recipe r = random_recipe(rng, 8);
        plant(&w, rng, &r);
        solve(&w.qp, "newton", 0.0, &cold);
        double *x = calloc(w.d, sizeof *x);
        double *lambda = calloc(w.p, sizeof *lambda);
        CU_ASSERT_FATAL(x != NULL && lambda != NULL);
        CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
        memcpy(lambda, cold.lambda, w.p * sizeof *lambda);
        CU_ASSERT_EQUAL(type->solve(self, &w.qp, x, lambda, &info), IL_OK);
        CU_ASSERT(info.iterations <= 2 ||
                  natural_residual(&w.qp, cold.x, cold.lambda) > 0.01 * PRIMAL);
        CU_ASSERT(distance(x, cold.x, w.d) <= NEAR);
        for (size_t i = 0; i < w.p; i++) {
            lambda[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -1.0 : uniform(rng, 0.0, 3.0);
        }
        CU_ASSERT_EQUAL(type->solve(self, &w.qp, x, lambda, &info), IL_OK);
        CU_ASSERT(distance(x, cold.x, w.d) <= NEAR);
        memset(lambda, 0, w.p * sizeof *lambda);
        CU_ASSERT_EQUAL(type->solve(self, &w.qp, x, lambda, &info), IL_OK);
        CU_ASSERT(memcmp(x, cold.x, w.d * sizeof *x) == 0); /* to the bit, after other calls */
        CU_ASSERT(memcmp(lambda, cold.lambda, w.p * sizeof *lambda) == 0);
        type->destroy(self);
        free(x);
        free(lambda);
        answer_free(&cold);
        large_free(&w);
    }
    gsl_rng_free(rng);
}

/* Coarse answers: feasible to about the tolerance, still on x(lambda), and told apart. */
static void an_approximation_says_that_it_is_one(void) {
    static const char *const names[] = {"newton", "apgd", "auto"};
    static const double tolerance = 1e-3;
    recipe r = {.side = 12, .closed = 0.9, .push = 0.9, .ratio = 2.0, .far = 1.0, .walls = true};
    large w;
    plant_alone(&w, r);
    for (size_t k = 0; k < 3; k++) {
        answer s;
        void *self = begin(names[k], (il_projector_options){.tolerance = 0.0}, &w.qp, &s);
        CU_ASSERT_EQUAL(
            type_of(names[k])->approximate(self, &w.qp, tolerance, s.x, s.lambda, &s.info), IL_OK);
        end(names[k], self, &w.qp, &s);
        CU_ASSERT(s.info.coarse);
        CU_ASSERT(s.certificate.primal >= -tolerance);
        CU_ASSERT(s.certificate.dual >= 0.0);
        CU_ASSERT(s.certificate.relative <= STATIONARY);
        answer_free(&s);
    }
    large_free(&w);
}

/* A looser tolerance costs less and is kept. */
static void a_loose_tolerance_is_cheaper(void) {
    recipe r = {.side = 20, .closed = 0.9, .push = 0.9, .ratio = 2.0, .far = 1.0, .walls = true};
    large w;
    answer loose;
    answer tight;
    plant_alone(&w, r);
    solve(&w.qp, "newton", 1e-4, &loose);
    solve(&w.qp, "newton", 0.0, &tight);
    CU_ASSERT_EQUAL(loose.status, IL_OK);
    CU_ASSERT(natural_residual(&w.qp, loose.x, loose.lambda) <= 1e-4 + PRIMAL);
    CU_ASSERT(loose.info.iterations < tight.info.iterations);
    answer_free(&loose);
    answer_free(&tight);
    large_free(&w);
}

/* Somewhere in a crystal a body must be right of 1 and left of 0. */
static void contradictory_rows_among_many_are_told(void) {
    recipe r = {.side = 10, .closed = 0.9, .push = 0.9, .ratio = 2.0, .far = 1.0};
    large w;
    answer s;
    double up = 1.0;
    double down = -1.0;
    size_t col = 60;
    plant_alone(&w, r);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, w.p, 0.0, 0.0, 1, &col, &up), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_rows_append(&w.rows, w.p + 1, 0.0, 0.0, 1, &col, &down), IL_OK);
    w.a[w.p] = -1.0;
    w.a[w.p + 1] = 0.0;
    solve(&w.qp, "newton", 0.0, &s);
    CU_ASSERT_EQUAL(s.status, IL_EINFEASIBLE);
    answer_free(&s);
    large_free(&w);
}

static void a_limit_on_iterations_is_told(void) {
    static const char *const names[] = {"newton", "apgd"};
    recipe r = {.side = 12, .closed = 0.9, .push = 0.9, .ratio = 2.0, .far = 1.0};
    large w;
    plant_alone(&w, r);
    for (size_t k = 0; k < 2; k++) {
        answer s;
        void *self = begin(names[k], (il_projector_options){.max_iterations = 2}, &w.qp, &s);
        CU_ASSERT_EQUAL(type_of(names[k])->solve(self, &w.qp, s.x, s.lambda, &s.info), IL_ESTALLED);
        end(names[k], self, &w.qp, &s);
        CU_ASSERT(s.info.iterations <= 2);
        CU_ASSERT(s.certificate.dual >= 0.0);
        CU_ASSERT(s.certificate.relative <= STATIONARY);
        answer_free(&s);
    }
    large_free(&w);
}

static void a_solve_allocates_nothing_once_warm(void) {
    static const char *const names[] = {"newton", "apgd"};
    recipe r = {.side = 12, .closed = 0.9, .push = 0.9, .ratio = 2.0, .far = 1.0, .walls = true};
    large w;
    plant_alone(&w, r);
    for (size_t k = 0; k < 2 && allocation_counted(); k++) {
        answer s;
        void *self = begin(names[k], (il_projector_options){.tolerance = 1e-8}, &w.qp, &s);
        CU_ASSERT_EQUAL(type_of(names[k])->solve(self, &w.qp, s.x, s.lambda, &s.info), IL_OK);
        memset(s.lambda, 0, w.p * sizeof *s.lambda);
        size_t before = allocation_count();
        il_status again = type_of(names[k])->solve(self, &w.qp, s.x, s.lambda, &s.info);
        size_t after = allocation_count();
        CU_ASSERT_EQUAL(again, IL_OK);
        CU_ASSERT_EQUAL(after, before);
        end(names[k], self, &w.qp, &s);
        answer_free(&s);
    }
    large_free(&w);
}

/* |H y - b| for y = H^{-1} b, relative to |H| |y|: eps times the length of the longest sums. */
static void the_sparse_factor_solves(void) {
    static const double BACKWARD = 1e-13;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_sparse *factor = il_sparse_create();
    CU_ASSERT_PTR_NOT_NULL_FATAL(factor);
    for (size_t trial = 0; trial < 100; trial++) {
        large w;
        recipe r = random_recipe(rng, 1 + gsl_rng_uniform_int(rng, 16));
        plant(&w, rng, &r);
        bool *in = calloc(w.p + 1, sizeof *in);
        double *weight = calloc(w.p + 1, sizeof *weight);
        double *b = calloc(w.d, sizeof *b);
        double *y = calloc(w.d, sizeof *y);
        CU_ASSERT_FATAL(in != NULL && weight != NULL && b != NULL && y != NULL);
        double heaviest = 0.0;
        for (size_t i = 0; i < w.p; i++) {
            in[i] = gsl_rng_uniform(rng) < (trial % 2 == 0 ? 1.0 : 0.5);
            weight[i] = in[i] && gsl_rng_uniform(rng) < 0.8 ? uniform(rng, 0.0, 1e3) : 0.0;
        }
        for (size_t k = 0; k < w.d; k++) {
            b[k] = y[k] = uniform(rng, -1.0, 1.0);
            heaviest = fmax(heaviest, w.mass[k]);
        }
        CU_ASSERT_EQUAL_FATAL(il_sparse_analyse(factor, w.d, &w.rows, in), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_sparse_factor(factor, w.mass, &w.rows, weight, y), IL_OK);
        double size = 0.0;
        for (size_t k = 0; k < w.d; k++) {
            size = fmax(size, fabs(y[k]));
            b[k] -= w.mass[k] * y[k];
        }
        for (size_t i = 0; i < w.p; i++) {
            il_rows_axpy(&w.rows, i, -weight[i] * il_rows_dot(&w.rows, i, y), b);
        }
        double worst = 0.0;
        for (size_t k = 0; k < w.d; k++) {
            worst = fabs(b[k]) <= worst ? worst : fabs(b[k]);
        }
        CU_ASSERT(worst <= BACKWARD * (1.0 + (heaviest + 1e4) * size));
        free(in);
        free(weight);
        free(b);
        free(y);
        large_free(&w);
    }
    il_sparse_destroy(factor);
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"random configurations are solved to rounding", random_configurations_are_solved_to_rounding},
    {"contacts that do not push between unequal masses are solved",
     contacts_that_do_not_push_between_unequal_masses_are_solved},
    {"every projector is right or says that it is not",
     every_projector_is_right_or_says_that_it_is_not},
    {"large crystals are solved to rounding", large_crystals_are_solved_to_rounding},
    {"apgd keeps its tolerance or says so", apgd_keeps_its_tolerance_or_says_so},
    {"newton agrees with the active set", newton_agrees_with_the_active_set},
    {"a guess changes the work and not the answer", a_guess_changes_the_work_and_not_the_answer},
    {"an approximation says that it is one", an_approximation_says_that_it_is_one},
    {"a loose tolerance is cheaper", a_loose_tolerance_is_cheaper},
    {"contradictory rows among many are told", contradictory_rows_among_many_are_told},
    {"a limit on iterations is told", a_limit_on_iterations_is_told},
    {"a solve allocates nothing once warm", a_solve_allocates_nothing_once_warm},
    {"the sparse factor solves", the_sparse_factor_solves},
    {NULL, NULL}};

const il_suite il_suite_large = {"large", tests};

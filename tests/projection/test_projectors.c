/*
 * test_projectors.c - what projector.h promises, of every registered projector on the same families
 * of small problems, judged by the certificate and by another method: least distance programming
 * through non-negative least squares (support/nnls.h).
 *
 * x and lambda >= 0 that belong together, x = t + s M^{-1} B' lambda, are off the solution by
 *
 *     |x - x*|_M^2 = (lambda - lambda*)' (g(x) - g(x*))
 *                 <= sum_i max(lambda_i g_i, 0) + lambda*_i max(-g_i, 0)
 *                 <= r sum_i max(lambda_i, g_i/W_ii) + lambda*_i,
 *              r = max_i |min(lambda_i W_ii, g_i)|, over rows with a gradient. */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "tests/support/kkt.h"
#include "tests/support/nnls.h"
#include "tests/support/planted.h"
#include "tests/support/suite.h"

enum { TRIALS = 20, MOST = 32 };

/* Numbers are below 100: a thousand roundings of a gap. */
static const double ROUNDING = 1e-12;

/* Both methods lose at most six digits of sixteen to the conditioning of a few rows and masses
 * within 10; a wrong active set shows at 1e-2. */
static const double EXACT = 1e-10;

/* Residual over terms: sums of at most forty terms, each rounded twice. */
static const double STATIONARY = 4e-14;

/* ---- families -------------------------------------------------------------------------------- */

static void begin(il_kkt *w, gsl_rng *rng) {
    memset(w, 0, sizeof *w);
    il_rows_init(&w->rows);
    w->d = 4 + gsl_rng_uniform_int(rng, 8);
    w->metric = il_kkt_metric(rng, w->d, false, 10.0);
    for (size_t k = 0; k < w->d; k++) {
        w->x[k] = il_uniform(rng, -1.0, 1.0);
    }
}

static void add(il_kkt *w, size_t n, const size_t *col, const double *coef, double lambda) {
    il_rows_append(&w->rows, w->p, 0.0, 0.0, n, col, coef);
    w->lambda[w->p++] = lambda;
}

/* A row on three neighbouring coordinates. */
static void add_random(il_kkt *w, gsl_rng *rng, double lambda) {
    size_t first = gsl_rng_uniform_int(rng, w->d - 2);
    size_t col[3] = {first, first + 1, first + 2};
    double coef[3];
    for (size_t k = 0; k < 3; k++) {
        coef[k] = il_uniform(rng, 0.2, 1.0) * (gsl_rng_uniform(rng) < 0.5 ? -1.0 : 1.0);
    }
    add(w, 3, col, coef, lambda);
}

static void add_copy(il_kkt *w, size_t i, double factor, double lambda) {
    double coef[3];
    size_t first = w->rows.start[i];
    size_t col[3] = {w->rows.col[first], w->rows.col[first + 1], w->rows.col[first + 2]};
    for (size_t k = 0; k < 3; k++) {
        coef[k] = factor * w->rows.coef[first + k];
    }
    add(w, 3, col, coef, lambda);
}

/* Closed where lambda > 0 or by a coin; touching says what part of the others touches. */
static void end(il_kkt *w, gsl_rng *rng, double touching) {
    double slack[IL_KKT_P_MAX];
    for (size_t i = 0; i < w->p; i++) {
        bool closed = w->lambda[i] > 0.0 || gsl_rng_uniform(rng) < touching;
        slack[i] = closed ? 0.0 : il_uniform(rng, 0.1, 1.0);
    }
    il_kkt_plant(w, il_uniform(rng, 0.1, 2.0), slack);
}

static void feasible(il_kkt *w, gsl_rng *rng) {
    for (size_t i = 0; i < w->d; i++) {
        add_random(w, rng, 0.0);
    }
    end(w, rng, 0.0);
}

static void active(il_kkt *w, gsl_rng *rng) {
    for (size_t i = 0; i < w->d; i++) {
        add_random(w, rng, i % 2 == 0 ? il_uniform(rng, 0.1, 2.0) : 0.0);
    }
    end(w, rng, 0.0);
}

/* Twice as many rows as unknowns meet in the answer, and most do not push. */
static void degenerate(il_kkt *w, gsl_rng *rng) {
    for (size_t i = 0; i < 2 * w->d; i++) {
        add_random(w, rng, i % 4 == 0 ? il_uniform(rng, 0.1, 2.0) : 0.0);
    }
    end(w, rng, 1.0);
}

static void redundant(il_kkt *w, gsl_rng *rng) {
    for (size_t i = 0; i < w->d / 2; i++) {
        add_random(w, rng, il_uniform(rng, 0.1, 2.0));
    }
    for (size_t i = 0; i < w->d / 2; i++) {
        add_copy(w, i, i % 2 == 0 ? 1.0 : 3.0, i % 3 == 0 ? 0.5 : 0.0);
    }
    end(w, rng, 1.0);
}

/* Rows without a gradient, which nothing can move. */
static void empty_rows(il_kkt *w, gsl_rng *rng) {
    const double none[3] = {0.0, 0.0, 0.0};
    const size_t col[3] = {0, 1, 2};
    add(w, 0, NULL, NULL, 0.0);
    for (size_t i = 0; i < w->d / 2; i++) {
        add_random(w, rng, il_uniform(rng, 0.1, 2.0));
        add(w, 3, col, none, 0.0);
    }
    end(w, rng, 0.5);
}

static void without_rows(il_kkt *w, gsl_rng *rng) {
    end(w, rng, 0.0);
}

static void one_row(il_kkt *w, gsl_rng *rng) {
    add_random(w, rng, gsl_rng_uniform(rng) < 0.7 ? il_uniform(rng, 0.1, 2.0) : 0.0);
    end(w, rng, 0.3);
}

/* Bodies in a row on a line, in one part or several. */
static void line(il_kkt *w, gsl_rng *rng) {
    for (size_t k = 0; k + 1 < w->d; k++) {
        double c = il_uniform(rng, 0.5, 2.0);
        if (k == 0 || gsl_rng_uniform(rng) < 0.8) {
            add(w, 2, (const size_t[]){k, k + 1}, (const double[]){-c, c},
                gsl_rng_uniform(rng) < 0.6 ? il_uniform(rng, 0.1, 2.0) : 0.0);
        }
    }
    end(w, rng, 0.3);
}

static void (*const families[])(il_kkt *, gsl_rng *) = {
    feasible, active, degenerate, redundant, empty_rows, without_rows, one_row, line};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* ---- the other method ------------------------------------------------------------------------ */

/* With y = M^{1/2} (x - t): min |y|, s b_i' M^{-1/2} y >= -(a_i + s <b_i, t>). False if the rows
 * contradict each other. */
static bool other_method(const il_kkt *w, double *x) {
    static double g[IL_KKT_P_MAX * IL_KKT_D_MAX];
    double h[IL_KKT_P_MAX];
    const double *mass = il_metric_masses(w->metric);
    memset(g, 0, sizeof g);
    for (size_t i = 0; i < w->p; i++) {
        il_rows_axpy(&w->rows, i, w->qp.scale, g + i * w->d);
        h[i] = -(w->a[i] + w->qp.scale * il_rows_dot(&w->rows, i, w->target));
        for (size_t k = 0; k < w->d; k++) {
            g[i * w->d + k] /= sqrt(mass[k]);
        }
    }
    bool found = il_nnls_least_distance(w->d, w->p, g, h, x);
    for (size_t k = 0; k < w->d; k++) {
        x[k] = w->target[k] + x[k] / sqrt(mass[k]);
    }
    return found;
}

/* ---- what is promised ------------------------------------------------------------------------ */

/* How far x may be from the answer whose multipliers are w's, for a residual r; masses are 1 at
 * least. */
static double reach(const il_kkt *w, const il_answer *s, double r) {
    double *delassus = s->work;
    double sum = 0.0;
    for (size_t i = 0; i < w->p; i++) {
        double norm2 = il_rows_norm2(&w->rows, i, il_metric_masses(w->metric));
        *delassus = w->qp.scale * w->qp.scale * norm2;
        double g = w->a[i] + w->qp.scale * il_rows_dot(&w->rows, i, s->x);
        sum += norm2 > 0.0 ? fmax(s->lambda[i], g / *delassus) + w->lambda[i] : 0.0;
    }
    return sqrt(r * sum);
}

/* Is an answer of status IL_OK or IL_ESTALLED what the projector promises? */
static bool kept(const il_kkt *w, const il_projector_type *type, double tolerance, il_answer *s) {
    double other[IL_KKT_D_MAX];
    bool exact = type->finite && !(tolerance > 0.0);
    double asked = type->finite || tolerance > 0.0 ? tolerance : IL_PROJECTOR_TOLERANCE;
    s->certificate = il_certify(&w->qp, s->x, s->lambda, s->work);
    bool belongs = s->certificate.dual >= 0.0 && s->certificate.relative <= STATIONARY;
    if (s->status == IL_ESTALLED) {
        return belongs && !exact;
    }
    double r = asked + ROUNDING;
    return belongs && other_method(w, other) && s->certificate.primal >= -r &&
           il_answer_residual(&w->qp, s->x, s->lambda) <= r &&
           il_answer_distance(s->x, other, w->d) <= EXACT + (exact ? 0.0 : reach(w, s, r));
}

/* From the guess in s->lambda. A projector that refuses says so, and is asked nothing. True if it
 * came to its tolerance. */
static bool check(const il_kkt *w, const il_projector_type *type, il_projector_options options,
                  il_answer *s) {
    void *self = NULL;
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    bool refused = type->refuses(self, &w->qp) != NULL;
    s->status = type->solve(self, &w->qp, s->x, s->lambda, &s->info);
    type->destroy(self);
    CU_ASSERT_EQUAL(refused, s->status == IL_EUNSUPPORTED);
    bool answered = s->status == IL_OK || s->status == IL_ESTALLED;
    CU_ASSERT(refused || (answered && kept(w, type, options.tolerance, s)));
    return s->status == IL_OK;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Each must also solve some: the counts say of how many of the families, at the least. */
static void every_projector_keeps_what_it_promises(void) {
    static const double tolerances[] = {0.0, 1e-4, 1e-9};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t solved[MOST] = {0};
    for (size_t trial = 0; trial < TRIALS * FAMILIES; trial++) {
        il_kkt w;
        begin(&w, rng);
        families[trial % FAMILIES](&w, rng);
        for (size_t k = 0; il_projector_type_at(k) != NULL && k < MOST; k++) {
            for (size_t e = 0; e < 3; e++) {
                il_projector_options options = {.tolerance = tolerances[e]};
                il_answer s;
                il_answer_init(&s, &w.qp);
                solved[k] += check(&w, il_projector_type_at(k), options, &s);
                il_answer_free(&s);
            }
        }
        il_kkt_free(&w);
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        CU_ASSERT(solved[k] >= 3 * TRIALS); /* a family, at every tolerance */
    }
    gsl_rng_free(rng);
}

static void any_guess_leads_to_the_answer(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < TRIALS * FAMILIES; trial++) {
        il_kkt w;
        begin(&w, rng);
        families[trial % FAMILIES](&w, rng);
        double any[IL_KKT_P_MAX] = {0}; /* one draw for all projectors */
        for (size_t i = 0; i < w.p; i++) {
            any[i] = il_uniform(rng, 0.0, 9.0);
        }
        for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
            for (size_t kind = 0; kind < 3; kind++) {
                il_answer s;
                il_answer_init(&s, &w.qp);
                for (size_t i = 0; i < w.p; i++) {
                    double spoilt[] = {NAN, -1.0, INFINITY, 1e10};
                    double guess[] = {w.lambda[i], any[i], spoilt[i % 4]};
                    s.lambda[i] = guess[kind];
                }
                (void)check(&w, il_projector_type_at(k), (il_projector_options){0}, &s);
                il_answer_free(&s);
            }
        }
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* A few iterations are seldom enough: what was reached is whole, and not called solved. */
static void stopping_early_is_told(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t stopped[MOST] = {0};
    for (size_t trial = 0; trial < TRIALS; trial++) {
        il_kkt w;
        begin(&w, rng);
        active(&w, rng);
        for (size_t k = 0; il_projector_type_at(k) != NULL && k < MOST; k++) {
            const il_projector_type *type = il_projector_type_at(k);
            il_projector_options options = {.tolerance = 1e-9, .max_iterations = 2};
            il_answer s;
            il_answer_init(&s, &w.qp);
            (void)check(&w, type, options, &s);
            stopped[k] += s.status == IL_ESTALLED;
            CU_ASSERT(s.status != IL_ESTALLED || s.info.iterations <= 2);
            il_answer_free(&s);
        }
        il_kkt_free(&w);
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        CU_ASSERT(il_projector_type_at(k)->finite || stopped[k] > 0);
    }
    gsl_rng_free(rng);
}

/* The same bits after other problems, and qp as it was. */
static void an_answer_depends_on_the_problem_alone(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        void *self = NULL;
        CU_ASSERT_EQUAL_FATAL(type->create(&self, &(il_projector_options){0}, NULL), IL_OK);
        for (size_t trial = 0; trial < 2 * FAMILIES; trial++) {
            il_kkt w;
            il_answer fresh;
            il_answer s;
            begin(&w, rng);
            families[trial % FAMILIES](&w, rng);
            il_kkt before = w;
            il_answer_init(&s, &w.qp);
            s.status = type->solve(self, &w.qp, s.x, s.lambda, &s.info);
            il_answer_solve(&w.qp, type->name, 0.0, &fresh);
            CU_ASSERT_EQUAL(s.status, fresh.status);
            CU_ASSERT_EQUAL(s.info.iterations, fresh.info.iterations);
            CU_ASSERT(memcmp(s.x, fresh.x, w.d * sizeof *s.x) == 0);
            CU_ASSERT(memcmp(s.lambda, fresh.lambda, w.p * sizeof *s.lambda) == 0);
            CU_ASSERT(memcmp(w.a, before.a, sizeof w.a) == 0);
            CU_ASSERT(memcmp(w.target, before.target, sizeof w.target) == 0);
            il_answer_free(&s);
            il_answer_free(&fresh);
            il_kkt_free(&w);
        }
        type->destroy(self);
    }
    gsl_rng_free(rng);
}

/* A finite projector knows a contradiction; an iterative one may only fail to settle. */
static void check_contradiction(const il_kkt *w, size_t told[MOST]) {
    double x[IL_KKT_D_MAX];
    CU_ASSERT_FALSE(other_method(w, x));
    for (size_t k = 0; il_projector_type_at(k) != NULL && k < MOST; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        il_projector_options options = {.tolerance = type->finite ? 0.0 : 1e-10,
                                        .max_iterations = type->finite ? 0 : 2000};
        il_answer s;
        void *self = il_answer_begin(type->name, options, &w->qp, &s);
        s.status = type->solve(self, &w->qp, s.x, s.lambda, &s.info);
        CU_ASSERT(s.status == IL_EINFEASIBLE || s.status == IL_EUNSUPPORTED ||
                  (s.status == IL_ESTALLED && !type->finite));
        told[k] += s.status == IL_EINFEASIBLE;
        il_answer_end(type->name, self, &w->qp, &s);
        il_answer_free(&s);
    }
}

static void scale(il_kkt *w, double unit) {
    for (size_t i = 0; i < w->p; i++) {
        w->a[i] *= unit;
    }
    for (size_t k = 0; k < w->d; k++) {
        w->target[k] *= unit;
    }
}

/* A row and its opposite that leave no room between them; and 0 >= 1, among others and alone: in
 * large units and in small ones. */
static void contradictory_rows_are_told(void) {
    static const double units[] = {1.0, 0x1p-20, 0x1p20};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t told[MOST] = {0};
    for (size_t trial = 0; trial < 3 * TRIALS; trial++) {
        il_kkt w;
        begin(&w, rng);
        if (trial % 3 < 2) {
            active(&w, rng);
            add_copy(&w, 0, -1.0, 0.0);
            end(&w, rng, 0.0);
            w.a[w.p - 1] = -w.a[0] - 0.5; /* <b,x> s >= -a and <= -a - 1/2 */
        } else {
            add(&w, 0, NULL, NULL, 0.0);
            end(&w, rng, 0.0);
            w.a[0] = -1.0;
        }
        scale(&w, units[trial / 3 % 3]);
        check_contradiction(&w, told);
        il_kkt_free(&w);
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        CU_ASSERT(!type->finite || strcmp(type->name, "chain") == 0 ||
                  told[k] > 0); /* knows none */
    }
    gsl_rng_free(rng);
}

static void numbers_that_are_none_are_told(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < TRIALS * FAMILIES; trial++) {
        il_kkt w;
        begin(&w, rng);
        families[trial % FAMILIES](&w, rng);
        size_t row = w.p;
        for (size_t i = 0; i < w.p; i++) {
            row = row == w.p && w.rows.start[i + 1] > w.rows.start[i] ? i : row;
        }
        for (size_t k = 0; row < w.p && il_projector_type_at(k) != NULL; k++) {
            for (size_t where = 0; where < 2; where++) {
                il_answer s;
                double *number = where == 0 ? &w.a[row] : &w.target[w.rows.col[w.rows.start[row]]];
                double before = *number;
                *number = NAN;
                il_answer_solve(&w.qp, il_projector_type_at(k)->name, 0.0, &s);
                CU_ASSERT(s.status == IL_ENUMERIC || s.status == IL_EUNSUPPORTED);
                *number = before;
                il_answer_free(&s);
            }
        }
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

/* Multipliers that miss its answer by far less than its tolerance leave newton nothing to do. */
static void an_answer_is_known_again(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const il_projector_type *type = il_answer_type("newton");
    size_t known = 0;
    for (size_t trial = 0; trial < TRIALS * FAMILIES; trial++) {
        il_kkt w;
        il_answer s;
        begin(&w, rng);
        families[trial % FAMILIES](&w, rng);
        il_projector_options options = {.tolerance = trial % 2 == 0 ? 0.0 : 1e-6};
        void *self = il_answer_begin("newton", options, &w.qp, &s);
        s.status = type->solve(self, &w.qp, s.x, s.lambda, &s.info);
        for (size_t i = 0; i < w.p; i++) {
            s.lambda[i] *= 1.0 + 1e-4 * options.tolerance;
        }
        s.status = type->approximate(self, &w.qp, 1e-3, s.x, s.lambda, &s.info);
        known += s.status == IL_OK && s.info.iterations == 0 && !s.info.inexact &&
                 kept(&w, type, options.tolerance, &s);
        il_answer_end("newton", self, &w.qp, &s);
        il_answer_free(&s);
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
    CU_ASSERT_EQUAL(known, TRIALS * FAMILIES);
}

/* Feasible to about what was asked for, on x(lambda), and called inexact unless it is exact. */
static void an_inexact_answer_says_that_it_is_one(void) {
    static const double asked = 1e-3;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t inexact[MOST] = {0};
    for (size_t trial = 0; trial < TRIALS * FAMILIES; trial++) {
        il_kkt w;
        begin(&w, rng);
        families[trial % FAMILIES](&w, rng);
        for (size_t k = 0; il_projector_type_at(k) != NULL && k < MOST; k++) {
            const il_projector_type *type = il_projector_type_at(k);
            il_answer s;
            void *self = il_answer_begin(type->name, (il_projector_options){0}, &w.qp, &s);
            if (type->approximate != NULL && type->refuses(self, &w.qp) == NULL) {
                s.status = type->approximate(self, &w.qp, asked, s.x, s.lambda, &s.info);
                CU_ASSERT(s.status == IL_OK && kept(&w, type, 2.0 * asked, &s)); /* about asked */
                CU_ASSERT(s.info.inexact || kept(&w, type, 0.0, &s));
                bool idle = s.info.inexact && s.info.iterations == 0;
                CU_ASSERT(!idle || strcmp(type->name, "newton") != 0);
                inexact[k] += s.info.inexact;
            }
            il_answer_end(type->name, self, &w.qp, &s);
            il_answer_free(&s);
        }
        il_kkt_free(&w);
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        bool hands_on =
            strcmp(type->name, "auto") == 0; /* small problems go to finite projectors */
        CU_ASSERT(type->approximate == NULL || hands_on || inexact[k] > 0);
    }
    gsl_rng_free(rng);
}

/* Wrong answers of every kind: none passes for what is promised. */
static void wrong_answers_are_seen(void) {
    const il_projector_type exact = {.name = "exact", .finite = true};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        il_kkt w;
        double force[IL_KKT_D_MAX];
        il_answer s;
        begin(&w, rng);
        active(&w, rng);
        for (size_t kind = 0; kind < 5; kind++) {
            il_answer_init(&s, &w.qp);
            memcpy(s.lambda, w.lambda, w.p * sizeof *s.lambda);
            s.lambda[0] *= kind == 1 ? 0.0 : kind == 2 ? 1.0 + 1e-7 : kind == 3 ? -1.0 : 1.0;
            il_projection_from_multipliers(&w.qp, s.lambda, force, s.x);
            s.x[0] += kind == 4 ? 1e-9 : 0.0;
            CU_ASSERT_EQUAL(kept(&w, &exact, 0.0, &s), kind == 0);
            il_answer_free(&s);
        }
        il_kkt_free(&w);
    }
    gsl_rng_free(rng);
}

static const il_test tests[] = {
    {"every projector keeps what it promises", every_projector_keeps_what_it_promises},
    {"any guess leads to the answer", any_guess_leads_to_the_answer},
    {"stopping early is told", stopping_early_is_told},
    {"an answer depends on the problem alone", an_answer_depends_on_the_problem_alone},
    {"contradictory rows are told", contradictory_rows_are_told},
    {"numbers that are none are told", numbers_that_are_none_are_told},
    {"an answer is known again", an_answer_is_known_again},
    {"an inexact answer says that it is one", an_inexact_answer_says_that_it_is_one},
    {"wrong answers are seen", wrong_answers_are_seen},
    {NULL, NULL}};

const il_suite il_suite_projectors = {"projectors", tests};

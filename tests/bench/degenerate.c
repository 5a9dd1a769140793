/*
 * degenerate.c - how many planted projections `newton` solves to rounding, and at what cost: what
 * constants of the projector are weighed by besides speed.
 *
 * The configurations are those of tests/support/planted.h, all random but for their size, every
 * third with all bodies touching, half of the contacts pushing and masses 1 to 10^6. Printed are
 * configurations, those left short of PRIMAL, and factorisations, as `key value` lines.
 *
 * usage: degenerate SEED TRIALS
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/planted.h"

/* A gap's residual that a certificate is asked for. */
static const double PRIMAL = 1e-12;

/* planted.c asserts; here the first failure ends the program. */
CU_BOOL CU_assertImplementation(CU_BOOL value, unsigned int line, const char *condition,
                                const char *file, const char *function, CU_BOOL fatal) {
    (void)function;
    (void)fatal;
    if (!value) {
        (void)fprintf(stderr, "degenerate: %s:%u: %s\n", file, line, condition);
        exit(1);
    }
    return value;
}

int main(int argc, char **argv) {
    unsigned long seed = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    unsigned long trials = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (trials == 0) {
        (void)fputs("usage: degenerate SEED TRIALS\n", stderr);
        return 2;
    }
    size_t failed = 0;
    size_t iterations = 0;
    gsl_rng_set(rng, seed);
    for (unsigned long k = 0; k < trials; k++) {
        il_planted w;
        il_answer s;
        il_recipe r = il_recipe_random(rng, 2 + gsl_rng_uniform_int(rng, 14));
        if (k % 3 == 0) {
            r.closed = 1.0;
            r.push = 0.5;
            r.ratio = 1e6;
        }
        il_plant(&w, rng, &r);
        il_answer_solve(&w.qp, "newton", 0.0, &s);
        bool solved = s.status == IL_OK && s.certificate.primal >= -PRIMAL &&
                      il_answer_residual(&w.qp, s.x, s.lambda) <= PRIMAL;
        failed += !solved;
        iterations += s.info.iterations;
        il_answer_free(&s);
        il_planted_free(&w);
    }
    gsl_rng_free(rng);
    (void)printf("configurations %lu\nfailed %zu\nfactorisations %zu\n", trials, failed,
                 iterations);
    return 0;
}

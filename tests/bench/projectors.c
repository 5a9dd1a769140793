/*
 * projectors.c - the projectors against each other, at equal certificate, on a fixed set of step
 * problems
 *
 *     min 1/2 |x - target|_M^2,   a_i + h <b_i, x> >= 0,   target = u_n + h M^-1 fbar_n.
 *
 * The set is that of steps.h. The printed sum tells whether two runs had the same set.
 *
 * A projector has reached T when its answer's certificate, recomputed from the data, has
 * primal >= -T, dual >= 0, |lambda_i (a_i + h <b_i,x>)| <= T max lambda, and stationarity to
 * rounding. It is asked for T, T/10 and T/100 in turn, and the first that does counts, with the
 * least time of some repetitions, from no guess. It runs in a process of its own, with a limit of
 * CPU time; where that ends it, the line shows how far limits of 100, 400, ... iterations led.
 *
 * usage: projectors [FILE.csv]    FILE.csv receives one line a number: bench,case,quantity,value
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/registry.h"
#include "tests/bench/clock.h"
#include "tests/bench/steps.h"

enum { REPETITIONS = 50, LIMIT_SECONDS = 5, TRIES = 3 };

/* Repetitions end when they have taken this many seconds. */
static const double ENOUGH = 0.4;

/* Seconds of CPU time that are counted to a few per cent, a tick being at most 10 ms. */
static const double MANY_TICKS = 0.2;

/* Stationarity of an answer that was formed from its multipliers, relative: rounding of sums of a
 * few dozen terms. */
static const double ROUNDING = 1e-12;

static const double targets[] = {1e-6, 1e-12};
enum { TARGETS = sizeof targets / sizeof targets[0] };

/* ---- one projector on one problem ------------------------------------------------------------ */

typedef struct {
    il_status status;
    bool reached;
    double asked, seconds, push;
    size_t iterations;
    il_certificate certificate;
    char refusal[160];
} outcome;

/* The certificate's four numbers against T. */
static bool meets(const il_certificate *c, double T, double largest) {
    return c->primal >= -T && c->dual >= 0.0 && c->complementarity <= T * largest &&
           c->relative <= ROUNDING;
}

/* Solve from no guess some times, or once if `once`. The time that stays is the least wall time, or
 * the mean CPU time where that is less: others disturb the one, and the other is counted in ticks
 * of some milliseconds, so that it takes many to be a mean. */
static void repeat(const il_projector_type *type, void *projector, const il_qp *qp, double *x,
                   bool once, outcome *o) {
    double *lambda = x + qp->d;
    double cpu = il_bench_now();
    double spent = 0.0;
    o->seconds = INFINITY;
    for (int k = 1; k <= (once ? 1 : REPETITIONS) && spent < ENOUGH; k++) {
        il_projection_info info = {0};
        memset(lambda, 0, qp->rows->p * sizeof *lambda);
        double began = il_bench_clock(CLOCK_MONOTONIC);
        o->status = type->solve(projector, qp, x, lambda, &info);
        double wall = il_bench_clock(CLOCK_MONOTONIC) - began;
        spent = il_bench_now() - cpu;
        o->seconds = fmin(o->seconds, wall);
        o->seconds = spent >= MANY_TICKS ? fmin(o->seconds, spent / k) : o->seconds;
        o->iterations = info.iterations;
    }
}

/* Ask for T, T/10, ... until the certificate says that T is reached; with a limit of iterations
 * > 0 for T alone. */
static void attempt(const il_projector_type *type, const il_qp *qp, double T, size_t limit,
                    outcome *o) {
    size_t p = qp->rows->p;
    double *x = calloc(3 * qp->d + p, sizeof *x);
    double asked = T;
    for (int k = 0; x != NULL && k < (limit > 0 ? 1 : TRIES) && !o->reached; k++, asked /= 10.0) {
        void *projector = NULL;
        il_projector_options options = {.tolerance = asked, .max_iterations = limit};
        if (type->create(&projector, &options, NULL) != IL_OK) {
            break;
        }
        const char *why = type->refuses(projector, qp);
        if (why != NULL) {
            (void)snprintf(o->refusal, sizeof o->refusal, "%s", why);
            type->destroy(projector);
            break;
        }
        o->asked = asked;
        repeat(type, projector, qp, x, true, o);
        o->certificate = il_certify(qp, x, x + qp->d, x + qp->d + p);
        double largest = 0.0;
        o->push = 0.0;
        for (size_t i = 0; i < p; i++) {
            largest = fmax(largest, x[qp->d + i]);
            o->push += x[qp->d + i] > 0.0;
        }
        o->reached = meets(&o->certificate, T, largest);
        if (o->reached && limit == 0) {
            repeat(type, projector, qp, x, false, o);
        }
        type->destroy(projector);
    }
    free(x);
}

/* In the child: one outcome, or, if `stepwise`, one for every limit of iterations 100, 400, ... */
static void report(const il_projector_type *type, const il_qp *qp, double T, bool stepwise,
                   int out) {
    struct rlimit seconds = {LIMIT_SECONDS, LIMIT_SECONDS + 1};
    (void)setrlimit(RLIMIT_CPU, &seconds);
    outcome o;
    size_t limit = stepwise ? 100 : 0;
    do {
        o = (outcome){.status = IL_EINTERNAL};
        attempt(type, qp, T, limit, &o);
        if (write(out, &o, sizeof o) != (ssize_t)sizeof o) {
            break;
        }
        limit *= 4;
    } while (stepwise && o.status == IL_ESTALLED);
}

/* The last outcome that a child came to within its CPU time; false if it came to none. */
static bool measure(const il_projector_type *type, const il_qp *qp, double T, bool stepwise,
                    outcome *o) {
    int ends[2];
    memset(o, 0, sizeof *o);
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        report(type, qp, T, stepwise, ends[1]);
        _exit(0);
    }
    (void)close(ends[1]);
    outcome one;
    bool any = false;
    while (child > 0 && read(ends[0], &one, sizeof one) == (ssize_t)sizeof one) {
        *o = one;
        any = true;
    }
    (void)close(ends[0]);
    if (child > 0) {
        (void)waitpid(child, NULL, 0);
    }
    return any;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void note(FILE *csv, const il_bench_member *m, const char *projector, double T,
                 const char *quantity, double value) {
    if (csv != NULL) {
        (void)fprintf(csv, "projectors,%s/%s/%.0e,%s,%.6g\n", m->name, projector, T, quantity,
                      value);
    }
}

static void print_outcome(FILE *csv, const il_bench_member *m, const char *name, double T,
                          double unit, const outcome *o) {
    (void)printf("    %-11s %8.0e  ", name, T);
    if (o->refusal[0] != '\0') {
        (void)printf("refuses: %s\n", o->refusal);
        return;
    }
    (void)printf("%-11s %7zu %10.3f %8.2f   %9.1e %9.1e  %4.0f\n",
                 o->reached ? "reached" : "NOT REACHED", o->iterations, 1e3 * o->seconds,
                 o->seconds / unit, o->certificate.primal, o->certificate.complementarity, o->push);
    note(csv, m, name, T, "reached", o->reached);
    note(csv, m, name, T, "iterations", (double)o->iterations);
    note(csv, m, name, T, "milliseconds", 1e3 * o->seconds);
    note(csv, m, name, T, "ratio_to_auto", o->seconds / unit);
    note(csv, m, name, T, "primal", o->certificate.primal);
}

static void compare(FILE *csv, const il_bench_member *m, const il_qp *qp) {
    outcome o;
    double unit[TARGETS];
    const il_projector_type *automatic = NULL;
    (void)il_projector_type_find("auto", &automatic, NULL);
    for (size_t i = 0; i < TARGETS; i++) {
        unit[i] = measure(automatic, qp, targets[i], false, &o) && o.reached ? o.seconds : NAN;
        print_outcome(csv, m, automatic->name, targets[i], unit[i], &o);
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *type = il_projector_type_at(k);
        bool ended = type != automatic;
        for (size_t i = 0; ended && i < TARGETS; i++) {
            ended = measure(type, qp, targets[i], false, &o);
            if (!ended && !measure(type, qp, targets[i], true, &o)) {
                (void)printf("    %-11s %8.0e  NOT REACHED: no answer in %d s\n", type->name,
                             targets[i], LIMIT_SECONDS);
                note(csv, m, type->name, targets[i], "reached", 0.0);
                continue;
            }
            print_outcome(csv, m, type->name, targets[i], unit[i], &o);
            ended = ended && o.refusal[0] == '\0';
        }
    }
}

static int complain(const char *name, const il_error *err) {
    (void)fprintf(stderr, "projectors: %s: %s\n", name, err->message);
    return 1;
}

int main(int argc, char **argv) {
    if (argc > 2) {
        (void)fputs("usage: projectors [FILE.csv]\n", stderr);
        return 2;
    }
    FILE *csv = argc == 2 ? fopen(argv[1], "a") : NULL;
    if (argc == 2 && csv == NULL) {
        (void)fprintf(stderr, "projectors: cannot write '%s'\n", argv[1]);
        return 2;
    }
    int code = 0;
    for (size_t k = 0; code == 0 && il_bench_member_at(k) != NULL; k++) {
        const il_bench_member *m = il_bench_member_at(k);
        if (m->large) {
            continue;
        }
        il_bench_step w;
        il_error err = {IL_OK, ""};
        if (il_bench_step_make(&w, m, &err) != IL_OK) {
            code = complain(m->name, &err);
        } else {
            (void)printf("  %s: %zu unknowns, %zu rows, sum of the data %.6f\n", m->name, w.qp.d,
                         w.qp.rows->p, il_bench_step_sum(&w.qp));
            (void)printf("    %-11s %8s  %-11s %7s %10s %8s   %9s %9s  %4s\n", "projector", "T", "",
                         "iter.", "ms", "/auto", "primal", "compl.", "push");
            compare(csv, m, &w.qp);
        }
        il_bench_step_release(&w);
    }
    if (csv != NULL && fclose(csv) != 0) {
        (void)fprintf(stderr, "projectors: cannot write '%s'\n", argv[1]);
        code = 1;
    }
    return code;
}

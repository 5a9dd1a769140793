/*
 * peers.c - general solvers on the benchmarks' step problems (steps.h),
 *
 *     min 1/2 |x - target|_M^2,   a_i + h <b_i, x> >= 0,
 *
 * beside our projector: CVXOPT (scripts/cvxopt_step.py), which the crowd package cromosim calls,
 * and Ipopt, whichever is installed. Each is asked for 1e-6, 1e-8, ... until it no longer says that
 * it got there, and its last success counts, with the least processor time of a few. What its
 * answer is worth is not what it says but the certificate that is recomputed from the data, as for
 * our projectors. Projected Gauss-Seidel and ADMM (peers_first_order.c) are asked for a residual of
 * 1e-6 and of 1e-12.
 *
 * usage: peers [FILE.csv]    FILE.csv receives one line a number: bench,case,quantity,value
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/registry.h"
#include "tests/bench/clock.h"
#include "tests/bench/peers.h"

enum { REPETITIONS = 20, NOT_THERE = 77 };

static const double ENOUGH = 0.5; /* seconds of repetitions */
static const char SCRIPT[] = "scripts/cvxopt_step.py";

/* ---- ours ------------------------------------------------------------------------------------ */

static bool solve_ours(const il_qp *qp, il_peer_answer *out) {
    const il_projector_type *type = il_projector_type_default();
    il_projector_options options = {.tolerance = 0.0};
    void *projector = NULL;
    il_projection_info info = {0};
    if (type->create(&projector, &options, NULL) != IL_OK) {
        return false;
    }
    bool fine = true;
    double spent = 0.0;
    out->seconds = INFINITY;
    for (int k = 0; fine && k < REPETITIONS && spent < ENOUGH; k++) {
        memset(out->lambda, 0, qp->rows->p * sizeof *out->lambda);
        double began = il_bench_now();
        fine = type->solve(projector, qp, out->x, out->lambda, &info) == IL_OK;
        double took = il_bench_now() - began;
        out->seconds = fmin(out->seconds, took);
        spent += took;
    }
    out->iterations = info.iterations;
    out->asked = 0.0;
    type->destroy(projector);
    return fine;
}

/* ---- CVXOPT ---------------------------------------------------------------------------------- */

static void write_numbers(FILE *out, const double *x, size_t n) {
    for (size_t k = 0; k < n; k++) {
        (void)fprintf(out, "%.17g\n", x[k]);
    }
}

/* d, p, entries, s; M, target, a; then row, column and coefficient of every entry. */
static bool write_problem(const il_qp *qp, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    const il_rows *rows = qp->rows;
    (void)fprintf(out, "%zu %zu %zu %.17g\n", qp->d, rows->p, rows->nnz, qp->scale);
    write_numbers(out, il_metric_masses(qp->mass), qp->d);
    write_numbers(out, qp->target, qp->d);
    write_numbers(out, qp->a, rows->p);
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            (void)fprintf(out, "%zu %zu %.17g\n", i, rows->col[e], rows->coef[e]);
        }
    }
    return fclose(out) == 0;
}

/* The next n numbers at *at, which is then behind them. */
static bool read_numbers(const char **at, double *x, size_t n) {
    for (size_t k = 0; k < n; k++) {
        char *end = NULL;
        x[k] = strtod(*at, &end);
        if (end == *at) {
            return false;
        }
        *at = end;
    }
    return true;
}

/* The lines that the script printed: asked, iterations, seconds, x, lambda. */
static bool read_answer(FILE *in, const il_qp *qp, il_peer_answer *out) {
    double head[3];
    char *text = NULL;
    size_t room = 0;
    bool fine = getdelim(&text, &room, '\0', in) > 0; /* to its end */
    const char *at = text;
    fine = fine && read_numbers(&at, head, 3) && read_numbers(&at, out->x, qp->d) &&
           read_numbers(&at, out->lambda, qp->rows->p) && head[1] >= 0.0;
    if (fine) {
        out->asked = head[0];
        out->iterations = (size_t)head[1];
        out->seconds = head[2];
    }
    free(text);
    return fine;
}

static bool solve_cvxopt(const il_qp *qp, il_peer_answer *out) {
    char path[] = "/tmp/peers.XXXXXX";
    char command[128];
    int fd = mkstemp(path);
    if (fd < 0) {
        return false;
    }
    (void)close(fd);
    (void)snprintf(command, sizeof command, "/usr/bin/python3 %s %s", SCRIPT, path);
    bool fine = write_problem(qp, path);
    FILE *in = fine ? popen(command, "r") : NULL;
    fine = in != NULL && read_answer(in, qp, out);
    int status = in != NULL ? pclose(in) : 0;
    out->absent = WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE;
    (void)unlink(path);
    return fine;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool gauss_seidel_6(const il_qp *qp, il_peer_answer *out) {
    return il_peer_gauss_seidel(qp, 1e-6, out);
}

static bool gauss_seidel_12(const il_qp *qp, il_peer_answer *out) {
    return il_peer_gauss_seidel(qp, 1e-12, out);
}

static bool admm_6(const il_qp *qp, il_peer_answer *out) {
    return il_peer_admm(qp, 1e-6, out);
}

static bool admm_12(const il_qp *qp, il_peer_answer *out) {
    return il_peer_admm(qp, 1e-12, out);
}

typedef struct {
    const char *name;
    bool (*solve)(const il_qp *qp, il_peer_answer *out);
} peer;

static const peer peers[] = {{"ours", solve_ours},        {"CVXOPT", solve_cvxopt},
                             {"Ipopt", il_peer_ipopt},    {"PGS", gauss_seidel_6},
                             {"PGS-12", gauss_seidel_12}, {"ADMM", admm_6},
                             {"ADMM-12", admm_12}};
enum { PEERS = sizeof peers / sizeof peers[0] };

static void note(FILE *csv, const char *member, const char *name, const char *quantity, double x) {
    if (csv != NULL) {
        (void)fprintf(csv, "peers,%s/%s,%s,%.6g\n", member, name, quantity, x);
    }
}

static void print(FILE *csv, const char *member, const char *name, const il_qp *qp,
                  const il_peer_answer *a, double unit, double *work) {
    il_certificate c = il_certify(qp, a->x, a->lambda, work);
    char asked[32] = "-";
    if (a->asked > 0.0) {
        (void)snprintf(asked, sizeof asked, "%.0e", a->asked);
    }
    (void)printf("    %-7s %7s %7zu %10.3f %8.2f   %9.1e %9.1e %9.1e %9.1e\n", name, asked,
                 a->iterations, 1e3 * a->seconds, a->seconds / unit, c.primal, c.dual, c.residual,
                 c.relative);
    note(csv, member, name, "milliseconds", 1e3 * a->seconds);
    note(csv, member, name, "ratio", a->seconds / unit);
    note(csv, member, name, "residual", c.residual);
    note(csv, member, name, "relative", c.relative);
}

static bool compare(FILE *csv, const char *member, const il_qp *qp) {
    size_t p = qp->rows->p;
    double *room = calloc(3 * qp->d + p, sizeof *room);
    double unit = NAN;
    for (size_t k = 0; room != NULL && k < PEERS; k++) {
        il_peer_answer a = {.x = room, .lambda = room + qp->d};
        if (peers[k].solve(qp, &a)) {
            unit = k == 0 ? a.seconds : unit;
            print(csv, member, peers[k].name, qp, &a, unit, room + qp->d + p);
        } else {
            (void)printf("    %-7s %s\n", peers[k].name,
                         a.absent ? "skipped: not installed" : "did not get there");
        }
        (void)fflush(stdout);
    }
    free(room);
    return room != NULL;
}

int main(int argc, char **argv) {
    FILE *csv = argc == 2 ? fopen(argv[1], "a") : NULL;
    if (argc > 2 || (argc == 2 && csv == NULL)) {
        (void)fputs("usage: peers [FILE.csv]\n", stderr);
        return 2;
    }
    bool fine = true;
    for (size_t k = 0; fine && il_bench_member_at(k) != NULL; k++) {
        const il_bench_member *m = il_bench_member_at(k);
        if (m->large) {
            continue;
        }
        il_bench_step w;
        il_error err = {IL_OK, ""};
        fine = il_bench_step_make(&w, m, &err) == IL_OK;
        if (fine) {
            (void)printf("  %s: %zu unknowns, %zu rows\n", m->name, w.qp.d, w.qp.rows->p);
            (void)printf("    %-7s %7s %7s %10s %8s   %9s %9s %9s %9s\n", "solver", "asked",
                         "iter.", "ms", "/ours", "primal", "dual", "residual", "station.");
            fine = compare(csv, m->name, &w.qp);
        } else {
            (void)fprintf(stderr, "peers: %s: %s\n", m->name, err.message);
        }
        il_bench_step_release(&w);
    }
    return csv != NULL && fclose(csv) != 0 ? 1 : !fine;
}

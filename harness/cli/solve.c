/*
 * solve.c - `impactlab solve`: a frictionless contact problem of FCLib, solved by our projectors,
 * with a certificate recomputed from the data.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/worse.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/io/formats/fclib_file.h"
#include "harness/run/record.h"
#include "harness/run/registry.h"

typedef struct {
    const char *file, *answer;
    const il_projector_type *projector; /* NULL: all */
    double tolerance;
    bool frictionless, compare, json;
} request;

static int take_projector(void *self, const il_option *option, const char *value) {
    request *r = self;
    il_error err = {IL_OK, ""};
    (void)option;
    r->projector = NULL;
    return strcmp(value, "all") == 0 || il_projector_type_find(value, &r->projector, &err) == IL_OK
               ? IL_EXIT_OK
               : il_cli_fail(&err);
}

static int take_answer(void *self, const il_option *option, const char *value) {
    il_error err = {IL_OK, ""};
    (void)option;
    ((request *)self)->answer = value;
    return il_fclib_check_path(value, &err) == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
}

static const il_option known[] = {
    {.name = "projector",
     .take = take_projector,
     .value = "X|all",
     .text = "the projector (default auto)"},
    IL_CLI_OPTION(FLAG, frictionless, "frictionless", NULL, "drop the friction that the file has"),
    IL_CLI_OPTION(FLAG, compare, "compare", NULL, "judge the solution that the file holds"),
    {.name = "answer",
     .take = take_answer,
     .value = "FILE.hdf5",
     .text = "write the problem with our solution there"},
    IL_CLI_OPTION(POSITIVE, tolerance, "tol", "E",
                  "of iterative projectors, in the units of the gaps, and of every certificate\n"
                  "(default 1e-8 of their size)"),
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object")};

/* A residual of half a double's digits beside the gap's size: what iterative solvers of contact
 * problems are asked for, and far below what a false solution leaves. --tol says another. */
static const double SOLVED = 1e-8;

/* One answer and what it is worth. */
typedef struct {
    const char *name;
    il_status status;
    il_projection_info info;
    il_certificate certificate;
    double seconds, energy; /* 1/2 |x - target|_M^2 */
    double *x, *lambda;     /* [d], [p] */
} answer;

/* ---- solving -------------------------------------------------------------------------------- */

static void make_answer(answer *a, const il_qp *qp) {
    a->x = il_alloc_zero(qp->d, sizeof *a->x);
    a->lambda = il_alloc_zero(qp->rows->p, sizeof *a->lambda);
}

/* The certificate of lambda by a local problem's own W, of which the rows have a factor. */
static void certify_local(const il_fclib_problem *p, const il_qp *qp, answer *a) {
    il_certificate *c = &a->certificate;
    size_t n = qp->rows->p;
    c->primal = INFINITY;
    c->complementarity = c->residual = c->size = 0.0;
    for (size_t i = 0; i < n; i++) {
        double own = p->W[i * n + i] > 0.0 ? p->W[i * n + i] : 1.0;
        double gap = qp->a[i];
        double size = fabs(gap);
        for (size_t j = 0; j < n; j++) {
            gap += p->W[i * n + j] * a->lambda[j];
            size += fabs(p->W[i * n + j] * a->lambda[j]);
        }
        c->primal = il_worse_low(c->primal, gap);
        c->complementarity = il_worse_high(c->complementarity, fabs(a->lambda[i] * gap));
        c->residual = il_worse_high(c->residual, fabs(il_worse_low(a->lambda[i] * own, gap)));
        c->size = il_worse_high(c->size, size);
    }
}

/* Does the certificate say that it is a solution? Not of NaN. */
static bool holds(const answer *a, double tolerance) {
    const il_certificate *c = &a->certificate;
    return c->residual <= (tolerance > 0.0 ? tolerance : SOLVED * c->size) &&
           c->relative <= SOLVED && isfinite(c->size);
}

static void judge(answer *a, const il_fclib_problem *p, const il_qp *qp) {
    double *work = il_alloc(2 * qp->d, sizeof *work);
    a->certificate = il_certify(qp, a->x, a->lambda, work);
    if (p->local) {
        certify_local(p, qp, a);
    }
    for (size_t k = 0; k < qp->d; k++) {
        work[k] = a->x[k] - qp->target[k];
    }
    a->energy = 0.5 * il_metric_inner(qp->mass, work, work);
    free(work);
}

/* a->name is NULL where the projector refuses the structure. */
static il_status solve_by(const il_projector_type *type, const il_fclib_problem *p, const il_qp *qp,
                          double tolerance, answer *a, il_error *err) {
    void *solver = NULL;
    const il_projector_options options = {.tolerance = tolerance};
    il_status status = type->create(&solver, &options, err);
    if (status == IL_OK && type->refuses(solver, qp) == NULL) {
        a->name = type->name;
        make_answer(a, qp);
        double began = il_clock_seconds();
        a->status = type->solve(solver, qp, a->x, a->lambda, &a->info);
        a->seconds = il_clock_seconds() - began;
        if (a->status == IL_ENOMEM) {
            status = il_fail(err, IL_ENOMEM, "no memory to solve");
        } else {
            judge(a, p, qp);
        }
    }
    type->destroy(solver);
    return status;
}

/* ---- telling -------------------------------------------------------------------------------- */

static double apart(const il_qp *qp, const answer *a, const answer *b, double *work) {
    for (size_t k = 0; k < qp->d; k++) {
        work[k] = a->x[k] - b->x[k];
    }
    return sqrt(il_metric_inner(qp->mass, work, work));
}

static json_t *answer_json(const answer *a, bool good, double distance) {
    json_t *object = json_object();
    il_json_put_text(object, "projector", a->name);
    il_json_put_text(object, "status",
                     good || a->status != IL_OK ? il_status_name(a->status) : "fails");
    il_json_put_count(object, "iterations", a->info.iterations);
    il_json_put(object, "seconds", a->seconds);
    il_json_put(object, "energy", a->energy);
    il_json_put(object, "residual", a->certificate.residual);
    il_json_put(object, "size", a->certificate.size);
    il_json_set(object, "certificate", il_certificate_json(&a->certificate));
    il_json_put(object, "distance_to_first", distance);
    return object;
}

enum { ANSWERS_MAX = 24 };

static il_status solve_all(const request *r, const il_fclib_problem *p, answer *list, size_t *n,
                           il_error *err) {
    il_qp qp = il_step_problem_qp(&p->problem);
    il_status status = IL_OK;
    *n = 0;
    for (size_t k = 0; status == IL_OK && il_projector_type_at(k) != NULL && *n < ANSWERS_MAX - 1;
         k++) {
        const il_projector_type *type = il_projector_type_at(k);
        if (r->projector == NULL || r->projector == type) {
            status = solve_by(type, p, &qp, r->tolerance, &list[*n], err);
            *n += list[*n].name != NULL;
        }
    }
    if (status == IL_OK && *n == 0) {
        status = il_fail(err, IL_EUNSUPPORTED, "projector '%s' does not take such a problem",
                         r->projector != NULL ? r->projector->name : "all");
    }
    if (status == IL_OK && r->compare) {
        answer *a = &list[(*n)++];
        a->name = "the file's";
        a->x = il_alloc_copy(p->problem.x, qp.d, sizeof *a->x);
        a->lambda = il_alloc_copy(p->problem.lambda, qp.rows->p, sizeof *a->lambda);
        judge(a, p, &qp);
    }
    return status;
}

static il_status tell(const request *r, il_fclib_problem *p, const answer *list, size_t n,
                      bool *good, il_error *err) {
    il_qp qp = il_step_problem_qp(&p->problem);
    json_t *answers = json_array();
    double *work = il_alloc(qp.d, sizeof *work);
    *good = true;
    for (size_t k = 0; k < n; k++) {
        double distance = apart(&qp, &list[k], &list[0], work);
        bool solved = list[k].status == IL_OK && holds(&list[k], r->tolerance);
        *good = *good && solved;
        il_json_append(answers, answer_json(&list[k], solved, distance));
    }
    free(work);
    json_t *all = json_object();
    il_json_put_text(all, "file", r->file);
    il_json_put_text(all, "kind", p->local ? "local" : "global");
    il_json_put_count(all, "unknowns", qp.d);
    il_json_put_count(all, "contacts", qp.rows->p);
    il_json_put(all, "friction_dropped", p->friction);
    il_json_set(all, "answers", answers);
    il_status status = il_cli_report_print(all, "solve", r->json, err);
    if (status == IL_OK && r->answer != NULL) {
        memcpy(p->problem.x, list[0].x, qp.d * sizeof *p->problem.x);
        memcpy(p->problem.lambda, list[0].lambda, qp.rows->p * sizeof *p->problem.lambda);
        char *text = il_json_text(all);
        status = p->local ? il_fclib_write_local(p, r->answer, r->file, text, err)
                          : il_fclib_write(&p->problem, r->answer, r->file, text, err);
        free(text);
        if (status == IL_OK && !r->json) {
            il_cli_say(stdout, "wrote %s", r->answer);
        }
    }
    json_decref(all);
    return status;
}

static il_status begin(void *self, il_error *err) {
    (void)err;
    ((request *)self)->projector = il_projector_type_default();
    return IL_OK;
}

static int solve(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    il_fclib_problem p;
    answer list[ANSWERS_MAX] = {{.name = NULL}};
    size_t n = 0;
    bool good = true;
    r->file = words->word[0];
    il_status status = il_fclib_read(&p, r->file, err);
    if (status == IL_OK && p.friction > 0.0 && !r->frictionless) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' has friction, up to %g; allowed: none, or --frictionless, which "
                         "drops it",
                         r->file, p.friction);
    }
    if (status == IL_OK && r->compare && !p.solved) {
        status = il_fail(err, IL_EINVAL, "'%s' holds no solution to compare with", r->file);
    }
    status = status == IL_OK ? solve_all(r, &p, list, &n, err) : status;
    status = status == IL_OK ? tell(r, &p, list, n, &good, err) : status;
    for (size_t k = 0; k < ANSWERS_MAX; k++) {
        free(list[k].x);
        free(list[k].lambda);
    }
    il_fclib_problem_free(&p);
    return status == IL_OK && !good ? IL_EXIT_FAILED : il_cli_ended(status);
}

const il_cli_verb il_cli_solve = {
    .name = "solve",
    .text = "a contact problem of FCLib, by our projectors, with a certificate",
    .run = solve,
    IL_CLI_REQUEST(.json = false),
    .begin = begin,
    .usage = IL_CLI_LINES("FILE.hdf5 [--projector X|all] [OPTIONS]"),
    IL_CLI_OPTIONS(known),
    .word = "file",
    .least_words = 1,
    .most_words = 1,
    .notes = "A global problem M v = H r + f, u = H' v + w, or a local one u = W r + q, whose "
             "contacts have\n"
             "no friction: 0 <= u_N orthogonal to r_N >= 0. `run --fclib` writes such files. The "
             "residual\n"
             "is max |min(lambda_i W_ii, gap_i)|, zero for a solution alone; distances are those "
             "to the\n"
             "first answer, in the norm of M.\n",
    .examples = IL_CLI_LINES("step.hdf5 --projector newton --compare"),
    .ends = {NULL, "a projector did not come to an end, or a certificate fails", "bad input",
             "interrupted"}};

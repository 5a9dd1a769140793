/*
 * replay.c - reads a sample, and finds the impulses that explain it.
 */
#include "harness/judge/replay.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/assembly.h"

typedef struct {
    il_replay *of;
    const il_problem *problem;
    const il_projector_type *projector;
    void *solver;
    il_assembly *assembly; /* for the mean force */
    il_track_sample const *next;
    size_t n; /* samples read */
    double *force, *v, *x, *point, *between, *left;
    double *u_before;
    il_rows all, rows, best;
    double *a, *lambda, *best_lambda;
    size_t room;
} replay;

static void destroy(void *self) {
    replay *w = self;
    if (w == NULL) {
        return;
    }
    if (w->solver != NULL) {
        w->projector->destroy(w->solver);
    }
    il_assembly_destroy(w->assembly);
    free(w->force);
    free(w->v);
    free(w->x);
    free(w->point);
    free(w->between);
    free(w->left);
    free(w->u_before);
    il_rows_free(&w->all);
    il_rows_free(&w->rows);
    il_rows_free(&w->best);
    free(w->a);
    free(w->lambda);
    free(w->best_lambda);
    free(w);
}

static il_status starved(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for the samples of a step");
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    replay *w = calloc(1, sizeof *w);
    *self = w;
    if (w == NULL) {
        return starved(err);
    }
    size_t d = problem->d;
    w->of = (il_replay *)(uintptr_t)options->type; /* its first member */
    w->problem = problem;
    w->projector = options->projector;
    double **const vectors[] = {&w->force,   &w->v,    &w->x,       &w->point,
                                &w->between, &w->left, &w->u_before};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        *vectors[k] = calloc(d, sizeof(double));
        if (*vectors[k] == NULL) {
            return starved(err);
        }
    }
    w->of->found = (il_residuals){.largest = 0.0};
    il_status status = il_assembly_create(&w->assembly, problem, options, err);
    if (status == IL_OK) {
        status = w->projector->create(&w->solver, &options->projection, err);
    }
    if (status == IL_OK) {
        status = il_track_rewind(w->of->track, err);
    }
    if (status == IL_OK) { /* the beginning, which the run has */
        status = il_track_next(w->of->track, &w->next, err);
        bool has = il_track_has_velocities(w->of->track) || problem->order == 1;
        memcpy(w->u_before, has ? w->next->u : problem->u0, d * sizeof *w->u_before);
    }
    return status;
}

static il_status node(void *self, size_t n, double *t, il_error *err) {
    replay *w = self;
    il_status status = IL_OK;
    if (w->n < n) {
        if (w->n > 0) {
            memcpy(w->u_before, w->next->u, w->problem->d * sizeof *w->u_before);
        }
        status = il_track_next(w->of->track, &w->next, err);
        w->n++;
    }
    *t = w->next->t;
    return status;
}

/* ---- impulses ------------------------------------------------------------------------------- */

static double largest(const double *x, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

static bool reserve(replay *w, size_t p) {
    if (p <= w->room) {
        return true;
    }
    bool good = il_memory_grow(&w->a, p, sizeof *w->a) &&
                il_memory_grow(&w->lambda, p, sizeof *w->lambda) &&
                il_memory_grow(&w->best_lambda, p, sizeof *w->best_lambda);
    w->room = good ? p : w->room;
    return good;
}

/* The rows of the contacts that could have closed in the step into w->all, at its end: those whose
 * gap there is at most four times what bodies moved by at most, or overlaps. */
static il_status find_near(replay *w, double t0, double t1, const il_state *in,
                           const il_state *out) {
    size_t d = w->problem->d;
    double h = t1 - t0;
    double way = h * fmax(largest(in->u, d), largest(out->u, d));
    double size = largest(out->q, d);
    for (size_t k = 0; k < d; k++) {
        way = fmax(way, fabs(out->q[k] - in->q[k]));
    }
    double touch = 1e-9 * (1.0 + size);
    il_rows_clear(&w->rows);
    il_rows_clear(&w->all);
    double slack = w->problem->p <= IL_OFFER_ALL ? INFINITY : 8.0 * way + touch;
    il_status status = il_problem_scan(w->problem, t1, out->q, out->q, slack, &w->rows);
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        double norm = 0.0;
        for (size_t e = w->rows.start[i]; e < w->rows.start[i + 1]; e++) {
            norm += w->rows.coef[e] * w->rows.coef[e];
        }
        if (w->rows.value[i] <= 4.0 * (sqrt(norm) * way + h * fabs(w->rows.rate[i])) + touch) {
            status = il_rows_append_row(&w->all, &w->rows, i);
        }
    }
    return status;
}

/* w->all's constraints with gradients at q into w->rows; false where one does not exist. */
static bool rows_at(replay *w, double t, const double *q) {
    il_rows_clear(&w->rows);
    for (size_t i = 0; i < w->all.p; i++) {
        if (w->problem->type->row(w->problem, t, q, w->all.id[i], &w->rows) != IL_OK) {
            return false;
        }
    }
    return true;
}

/* The least residual that the rows at hand leave of v, in w->x, and their impulses. */
static bool explain(replay *w, double *residual) {
    size_t d = w->problem->d;
    size_t p = w->rows.p;
    il_projection_info info;
    memset(w->a, 0, p * sizeof *w->a);
    memset(w->lambda, 0, p * sizeof *w->lambda);
    for (size_t k = 0; k < d; k++) {
        w->point[k] = -w->v[k];
        w->x[k] = w->point[k];
    }
    il_qp qp = {.d = d,
                .mass = w->problem->mass,
                .target = w->point,
                .rows = &w->rows,
                .a = w->a,
                .scale = 1.0};
    bool good = p == 0 || (w->projector->refuses(w->solver, &qp) == NULL &&
                           w->projector->solve(w->solver, &qp, w->x, w->lambda, &info) == IL_OK);
    *residual = good ? largest(w->x, d) : INFINITY;
    return good;
}

/* v as M^{-1} B' Lambda by the file's own impulses, whose residual is -w->x. */
static void subtract_given(replay *w, double *residual) {
    size_t d = w->problem->d;
    memset(w->left, 0, d * sizeof *w->left);
    for (size_t i = 0; i < w->rows.p; i++) {
        il_rows_axpy(&w->rows, i, w->lambda[i], w->left);
    }
    il_metric_solve(w->problem->mass, w->left, w->x);
    for (size_t k = 0; k < d; k++) {
        w->x[k] -= w->v[k];
    }
    *residual = largest(w->x, d);
}

static il_status keep_best(replay *w, double residual, double *least) {
    if (!(residual < *least)) {
        return IL_OK;
    }
    *least = residual;
    memcpy(w->best_lambda, w->lambda, w->rows.p * sizeof *w->lambda);
    memcpy(w->left, w->x, w->problem->d * sizeof *w->left);
    il_rows_clear(&w->best);
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && i < w->rows.p; i++) {
        status = il_rows_append_row(&w->best, &w->rows, i);
    }
    return status;
}

/* The constraints whose impulses the file names, in place of those that are near. */
static il_status take_given(replay *w, double t1, const double *q) {
    il_rows_clear(&w->all);
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < w->next->nimpulses; k++) {
        if (w->next->impulse[k] != 0.0) {
            status = w->problem->type->row(w->problem, t1, q, w->next->id[k], &w->all);
        }
    }
    return status;
}

static void set_given(replay *w) {
    size_t i = 0;
    for (size_t k = 0; k < w->next->nimpulses; k++) {
        if (w->next->impulse[k] != 0.0 && i < w->rows.p) {
            w->lambda[i++] = w->next->impulse[k];
        }
    }
}

/* Gradients at the end, the beginning and half way on; a residual at rounding is as good as any. */
static il_status find_impulses(replay *w, double t0, double t1, const il_state *in,
                               const il_state *out, double *least) {
    size_t d = w->problem->d;
    bool given = il_track_has_impulses(w->of->track);
    double rounding = 8.0 * DBL_EPSILON * fmax(largest(in->u, d), largest(out->u, d));
    il_status status = given ? take_given(w, t1, out->q) : find_near(w, t0, t1, in, out);
    if (status != IL_OK || !reserve(w, w->all.p + 1)) {
        return status == IL_ENUMERIC ? IL_ENUMERIC : IL_ENOMEM;
    }
    *least = INFINITY;
    for (int k = 0; status == IL_OK && k < 3 && !(*least <= rounding); k++) {
        const double *at = k == 0 ? out->q : k == 1 ? in->q : w->between;
        for (size_t c = 0; k == 2 && c < d; c++) {
            w->between[c] = in->q[c] + 0.5 * (t1 - t0) * in->u[c];
        }
        double residual = INFINITY;
        if (!rows_at(w, t1, at)) {
            continue;
        }
        if (given) {
            set_given(w);
            subtract_given(w, &residual);
        } else {
            (void)explain(w, &residual);
        }
        status = keep_best(w, residual, least);
    }
    return status;
}

/* ---- the step ------------------------------------------------------------------------------- */

static void note(replay *w, const il_state *in, const il_state *out, double h, double residual) {
    il_residuals *f = &w->of->found;
    size_t d = w->problem->d;
    f->sum += residual;
    f->speed = fmax(f->speed, largest(out->u, d));
    if (residual > f->largest) {
        f->largest = residual;
        f->step = w->n;
    }
    for (size_t i = 0; i < w->best.p; i++) {
        if (w->best_lambda[i] < f->pull) {
            f->pull = w->best_lambda[i];
            f->pull_step = w->n;
            f->pull_id = w->best.id[i];
        }
    }
    for (size_t k = 0; k < d && w->problem->order == 2; k++) {
        double mean = (out->q[k] - in->q[k]) / h;
        double low = fmin(in->u[k], out->u[k]);
        double high = fmax(in->u[k], out->u[k]);
        double bent = fmax(low - mean, mean - high);
        if (bent > f->bent) {
            f->bent = bent;
            f->bent_step = w->n;
            f->bent_coordinate = k;
        }
    }
}

/* The largest gap, at the smaller of both ends, of a contact whose impulse is felt. */
static void note_open(replay *w, double t0, const double *q0) {
    il_residuals *f = &w->of->found;
    double felt = 1e-9 * f->speed;
    for (size_t i = 0; i < w->best.p; i++) {
        if (!(fabs(w->best_lambda[i]) > felt)) {
            continue;
        }
        double gap = INFINITY;
        for (size_t k = 0; k < w->all.p; k++) {
            gap = w->all.id[k] == w->best.id[i] ? w->all.value[k] : gap;
        }
        il_rows_clear(&w->rows);
        if (gap > f->open &&
            w->problem->type->row(w->problem, t0, q0, w->best.id[i], &w->rows) == IL_OK) {
            gap = fmin(gap, w->rows.value[0]);
        }
        if (gap > f->open) {
            f->open = gap;
            f->open_step = w->n;
        }
    }
}

/* What bodies do on the way, into w->between. */
static void move_between(replay *w, double h) {
    size_t d = w->problem->d;
    if (w->of->between == IL_BETWEEN_CONSTANT) {
        memcpy(w->between, w->u_before, d * sizeof *w->between);
        return;
    }
    il_metric_solve(w->problem->mass, w->force, w->between);
    for (size_t k = 0; k < d; k++) {
        w->between[k] = w->u_before[k] + 0.5 * h * w->between[k];
    }
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    replay *w = self;
    size_t d = w->problem->d;
    double h = t1 - t0;
    memcpy(out->q, w->next->q, d * sizeof *out->q);
    memcpy(out->u, w->next->u, d * sizeof *out->u);
    il_assembly_begin(w->assembly, t0, t1, in, out);
    il_status status = il_assembly_force(w->assembly, in->q, w->force, err);
    if (status != IL_OK) {
        return status;
    }
    if (w->problem->order == 1) {
        for (size_t k = 0; k < d; k++) {
            w->v[k] = (out->q[k] - in->q[k]) - h * w->force[k];
        }
    } else {
        il_assembly_accelerate(w->assembly, w->force, w->v);
        for (size_t k = 0; k < d; k++) {
            w->v[k] = (out->u[k] - w->u_before[k]) - h * w->v[k];
        }
    }
    double residual = 0.0;
    status = find_impulses(w, t0, t1, in, out, &residual);
    if (status == IL_ENOMEM) {
        return starved(err);
    }
    if (status != IL_OK || !isfinite(residual)) {
        return il_fail(err, IL_ENUMERIC, "no impulses can be found for step %zu", w->n);
    }
    if (in->gamma != NULL) { /* gamma' = -lambda */
        memcpy(out->gamma, in->gamma, w->problem->p * sizeof *out->gamma);
        for (size_t i = 0; i < w->best.p; i++) {
            out->gamma[w->best.id[i]] -= w->best_lambda[i];
        }
    }
    note(w, in, out, h, residual);
    note_open(w, t0, in->q);
    for (size_t i = 0; i < w->best.p; i++) {
        w->best_lambda[i] /= h;
    }
    *report = (il_step_report){.rows = &w->best,
                               .lambda = w->best_lambda,
                               .force = w->force,
                               .certificate = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
                               .share = 0.0};
    if (w->of->between != IL_BETWEEN_AFFINE && w->problem->order == 2) {
        move_between(w, h);
        report->between = w->between;
    }
    return IL_OK;
}

void il_replay_init(il_replay *w, const char *name, il_track *track, il_between between) {
    static const il_claim claims[] = {{.norm = NULL}};
    *w = (il_replay){.type = {.name = name,
                              .title = "samples that another program made",
                              .statement = "given by a file",
                              .source = "a file",
                              .orders = 3u,
                              .restitution = true,
                              .glue = true,
                              .outside = true,
                              .claims = claims,
                              .create = create,
                              .node = node,
                              .step = step,
                              .destroy = destroy},
                     .track = track,
                     .between = between};
}

/*
 * cloud.c - free spheres as a problem that nobody created.
 */
#include "tests/random/cloud.h"

#include <math.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/run/work.h"
#include "problems/spheres/pairs.h"
#include "problems/spheres/spheres.h"

/* Cycles of a projector that iterates. */
enum { MOST = 100 };

static const double HEAVIEST = 1024.0;

static const il_problem_type type = {.name = "cloud",
                                     .title = "free spheres",
                                     .row = il_spheres_row,
                                     .scan = il_spheres_scan,
                                     .gap = il_spheres_gap};

/* Two centres far out may coincide, where their radii are below a rounding. */
static double gap_between(const il_cloud *w, size_t i, size_t j) {
    double distance = 0.0;
    double e[IL_PAIR_SPACE_MAX];
    const double *a = &w->q[w->space * i];
    const double *b = &w->q[w->space * j];
    if (il_pair_direction(w->space, w->q, i, j, &distance, e) != IL_OK) {
        distance = memcmp(a, b, w->space * sizeof *a) == 0 ? 0.0 : -INFINITY;
    }
    return distance - w->r[i] - w->r[j];
}

double il_cloud_gap(const il_cloud *w) {
    double least = INFINITY;
    for (size_t j = 1; j < w->N; j++) {
        for (size_t i = 0; i < j; i++) {
            least = fmin(least, gap_between(w, i, j));
        }
    }
    return least;
}

/* Body i beside an earlier one: along an axis they touch to the bit. */
static void place(il_cloud *w, size_t i, il_bytes *bytes) {
    uint8_t how = il_bytes_take(bytes);
    size_t j = i > 0 ? how % i : 0;
    size_t axis = how / 8 % w->space;
    double apart = how & 64u ? il_bytes_take(bytes) / 64.0 : 0.0;
    for (size_t c = 0; c < w->space; c++) {
        w->q[w->space * i + c] = i > 0 ? w->q[w->space * j + c] : 0.0;
    }
    /* cppcheck-suppress arrayIndexOutOfBoundsCond ; i < w->n */
    double reach = i > 0 ? w->r[i] + w->r[j] + apart : 0.0;
    double sign = how & 128u ? -1.0 : 1.0;
    bool diagonal = (how & 32u) != 0 && w->space > 1;
    w->q[w->space * i + axis] += sign * (diagonal ? 0.6 : 1.0) * reach;
    if (diagonal) {
        w->q[w->space * i + (axis + 1) % w->space] += 0.8 * reach;
    }
}

bool il_cloud_make(il_cloud *w, il_bytes *bytes) {
    memset(w, 0, sizeof *w);
    w->space = il_bytes_size(bytes, 1, 3);
    w->N = il_bytes_size(bytes, 1, IL_CLOUD_BODIES);
    w->h = ldexp(1.0, -(int)il_bytes_size(bytes, 1, 9));
    for (size_t i = 0; i < w->N; i++) {
        uint8_t size = il_bytes_take(bytes);
        w->r[i] = ldexp(1.0, -(size % 4));
        w->m[i] = fmin(HEAVIEST, ldexp(1.0, size / 4));
        place(w, i, bytes);
        for (size_t c = 0; c < w->space; c++) {
            int8_t speed = (int8_t)il_bytes_take(bytes);
            w->u[w->space * i + c] = trunc(speed / 16.0); /* whole: impacts are at once */
        }
    }
    return il_cloud_gap(w) >= -1e-14; /* a diagonal touches to rounding */
}

/* As a run does: numbers are finite, and each step is as good as its projector promises. */
static il_status step_through(il_cloud *w, const il_problem *problem, const il_scheme_type *scheme,
                              const il_projector_type *projector, void *self, size_t steps,
                              il_error *err) {
    const il_run_spec spec = {.projector = projector};
    double q[IL_CLOUD_D];
    double u[IL_CLOUD_D];
    size_t carried = scheme->carries != NULL ? scheme->carries(problem) : 0;
    double *from = il_alloc_zero(2 * carried, sizeof *from);
    il_status status = IL_OK;
    for (size_t k = 0; k < carried; k++) {
        from[k] = NAN;
    }
    for (size_t n = 0; n < steps && status == IL_OK; n++) {
        il_step_report report = {.rows = NULL, .certificate = il_certificate_best()};
        il_state in = {.q = w->q, .u = w->u, .carried = from};
        il_state out = {.q = q, .u = u, .carried = from + carried};
        status =
            scheme->step(self, (double)n * w->h, (double)(n + 1) * w->h, &in, &out, &report, err);
        for (size_t k = 0; status == IL_OK && k < problem->d; k++) {
            status = isfinite(q[k]) && isfinite(u[k])
                         ? IL_OK
                         : il_fail(err, IL_ENUMERIC, "the state is not finite");
        }
        if (status == IL_OK) {
            status = il_run_certify(&spec, n + 1, (double)(n + 1) * w->h, w->q, &report, err);
        }
        if (status == IL_OK) {
            memcpy(w->q, q, problem->d * sizeof *q);
            memcpy(w->u, u, problem->d * sizeof *u);
            memcpy(from, from + carried, carried * sizeof *from);
        }
    }
    free(from);
    return status;
}

static il_status with_scheme(il_cloud *w, const il_problem *problem, const il_scheme_type *scheme,
                             const il_projector_type *projector, size_t steps, il_error *err) {
    void *self = NULL;
    il_params *params = NULL;
    il_status status = il_scheme_admits(scheme, problem, err);
    if (status == IL_OK) {
        status = il_scheme_params(scheme, NULL, &params, err);
    }
    il_scheme_options options = {.params = params,
                                 .projector = projector,
                                 .certify = true,
                                 .projection = {.max_iterations = MOST}};
    if (status == IL_OK) {
        status = scheme->create(&self, problem, &options, err);
    }
    if (status == IL_OK) {
        status = step_through(w, problem, scheme, projector, self, steps, err);
        scheme->destroy(self);
    }
    il_params_destroy(params);
    return status;
}

il_status il_cloud_run(il_cloud *w, const il_scheme_type *scheme,
                       const il_projector_type *projector, size_t steps, il_error *err) {
    il_spheres spheres = {.N = 0};
    double mass[IL_CLOUD_D];
    double q0[IL_CLOUD_D];
    double u0[IL_CLOUD_D];
    il_problem problem = {.type = &type,
                          .order = 2,
                          .d = w->space * w->N,
                          .p = il_pair_count(w->N),
                          .horizon = (double)(steps + 1) * w->h,
                          .traits =
                              IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT | IL_FORCE_FREE,
                          .space = w->space,
                          .q0 = q0,
                          .u0 = u0,
                          .data = &spheres};
    for (size_t k = 0; k < problem.d; k++) {
        mass[k] = w->m[k / w->space];
        q0[k] = w->q[k];
        u0[k] = w->u[k];
    }
    il_status status = il_spheres_init(&spheres, w->space, w->N, err);
    if (status == IL_OK) {
        memcpy(spheres.r, w->r, w->N * sizeof *w->r);
        status = il_metric_diagonal(&problem.mass, problem.d, mass, err);
    }
    if (status == IL_OK) {
        status = with_scheme(w, &problem, scheme, projector, steps, err);
    }
    il_metric_destroy(problem.mass);
    il_spheres_free(&spheres);
    return status;
}

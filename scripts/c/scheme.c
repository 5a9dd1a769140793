/*
 * scheme.c - a scheme and a problem of one's own, by functions.
 *
 *     cc scheme.c $(pkg-config --cflags --libs impactlab) -lm && ./a.out
 */
#include <impactlab.h>
#include <math.h>
#include <stdio.h>

/* A point thrown onto a slope z >= x/2; coordinates x, z. */
static int gaps(void *context, double t, const double *q, double *g, double *rate,
                double *gradient) {
    (void)context;
    (void)t;
    g[0] = q[1] - 0.5 * q[0];
    rate[0] = 0.0;
    gradient[0] = -0.5;
    gradient[1] = 1.0;
    return 0;
}

static int force(void *context, double t, const double *q, double *f) {
    (void)t;
    (void)q;
    f[0] = 0.0;
    f[1] = -*(const double *)context;
    return 0;
}

/* The velocity first, projected where the slope would be passed: Maury's step for one plane. */
static int step(void *context, double t0, double t1, const double *q, const double *u, double *q1,
                double *u1) {
    double h = t1 - t0;
    double v[2] = {u[0], u[1] - h * *(const double *)context};
    double short_by = q[1] - 0.5 * q[0] + h * (v[1] - 0.5 * v[0]);
    double impulse = short_by < 0.0 ? -short_by / (h * 1.25) : 0.0;
    u1[0] = v[0] - 0.5 * impulse;
    u1[1] = v[1] + impulse;
    q1[0] = q[0] + h * u1[0];
    q1[1] = q[1] + h * u1[1];
    return 0;
}

int main(void) {
    double gravity = 9.81;
    const double q0[] = {0.0, 1.0};
    const double u0[] = {1.0, 0.0};
    impactlab_error error;
    impactlab_problem *problem = NULL;
    const impactlab_definition slope = {.name = "slope",
                                        .order = 2,
                                        .dimension = 2,
                                        .constraints = 1,
                                        .horizon = 1.0,
                                        .q0 = q0,
                                        .u0 = u0,
                                        .force = force,
                                        .gaps = gaps,
                                        .context = &gravity};
    if (impactlab_problem_define(&problem, &slope, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double end[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        impactlab_record *record = NULL;
        impactlab_run_options options = {.scheme = k == 0 ? "maury" : "own",
                                         .step = k == 0 ? NULL : step,
                                         .context = &gravity,
                                         .steps = 100,
                                         .keep_trajectory = 1};
        const double *t = NULL;
        const double *q = NULL;
        const double *u = NULL;
        if (impactlab_run(problem, &options, &record, &error) != 0) {
            (void)fprintf(stderr, "%s\n", error.message);
            impactlab_problem_destroy(problem);
            return 1;
        }
        size_t n = impactlab_record_trajectory(record, &t, &q, &u);
        end[k] = q[2 * (n - 1)];
        (void)printf("%s: ends at t = %g in (%.6f, %.6f), least gap %.1e\n", options.scheme,
                     t[n - 1], q[2 * (n - 1)], q[2 * (n - 1) + 1],
                     impactlab_record_number(record, "feasibility.nodes_min"));
        impactlab_record_destroy(record);
    }
    impactlab_problem_destroy(problem);
    return fabs(end[0] - end[1]) < 1e-12 ? 0 : 1;
}

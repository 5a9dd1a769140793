/*
 * judge.c - a loop of one's own, judged: errors against the exact solution, and what is wrong.
 *
 *     cc judge.c $(pkg-config --cflags --libs impactlab) && ./a.out
 */
#include <impactlab.h>
#include <stdio.h>

enum { STEPS = 400 };

/* A ball over a floor; e is Newton's coefficient. */
static void simulate(double e, double *t, double *q, double *u) {
    const double h = 2.0 / STEPS;
    t[0] = 0.0;
    q[0] = 1.0;
    u[0] = 0.0;
    for (int n = 1; n <= STEPS; n++) {
        t[n] = n * h;
        u[n] = u[n - 1] - 9.81 * h;
        if (q[n - 1] + h * u[n] < 0.0 && u[n] < 0.0) {
            u[n] = -e * u[n];
        }
        q[n] = q[n - 1] + h * u[n];
    }
}

static int judge(double e) {
    static double t[STEPS + 1];
    static double q[STEPS + 1];
    static double u[STEPS + 1];
    impactlab_error error;
    impactlab_problem *problem = NULL;
    impactlab_record *record = NULL;
    const char *settings[] = {"e=0.5"};
    simulate(e, t, q, u);
    int failed =
        impactlab_problem_create(&problem, "bouncing_ball", 1, settings, 0.0, &error) != 0 ||
        impactlab_judge(problem, "affine", STEPS + 1, t, q, u, &record, &error) != 0;
    if (failed) {
        (void)fprintf(stderr, "%s\n", error.message);
    } else {
        (void)printf("e = %g: u_L1 = %.3e, residual %.1e\n", e,
                     impactlab_record_number(record, "error.u_L1"),
                     impactlab_record_number(record, "judged.residual.largest"));
    }
    impactlab_record_destroy(record);
    impactlab_problem_destroy(problem);
    return failed;
}

int main(void) {
    return judge(0.5) + judge(0.6);
}

/*
 * run.c - a run, its errors, and the order of several.
 *
 *     cc run.c $(pkg-config --cflags --libs impactlab) && ./a.out
 */
#include <impactlab.h>
#include <stdio.h>

enum { RUNS = 8 };

int main(void) {
    impactlab_error error;
    impactlab_problem *problem = NULL;
    impactlab_order order;
    double h[RUNS];
    double errors[RUNS];
    const char *settings[] = {"scenario=free"};
    if (impactlab_problem_create(&problem, "two_spheres", 1, settings, 0.0, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int k = 0; k < RUNS; k++) {
        impactlab_record *record = NULL;
        impactlab_run_options options = {.scheme = "maury", .steps = (size_t)(61 << k)};
        if (impactlab_run(problem, &options, &record, &error) != 0) {
            (void)fprintf(stderr, "%s\n", error.message);
            impactlab_problem_destroy(problem);
            return 1;
        }
        h[k] = impactlab_record_number(record, "h");
        errors[k] = impactlab_record_number(record, "error.u_L1");
        (void)printf("%s: h = %.5f, u_L1 = %.3e, least gap %.1e\n",
                     impactlab_record_text(record, "status"), h[k], errors[k],
                     impactlab_record_number(record, "feasibility.between_min"));
        impactlab_record_destroy(record);
    }
    impactlab_problem_destroy(problem);
    if (impactlab_order_fit(RUNS, h, errors, "converges", 0.0, 0.0, &order, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    (void)printf("u_L1 %s\n", order.text);
    return 0;
}

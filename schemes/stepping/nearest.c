/*
 * nearest.c - s = max_k sum_i lambda_i w_i/rho_i over the coordinates k, contact by contact.
 */
#include "schemes/stepping/nearest.h"

#include <math.h>
#include <string.h>

double il_nearest_share(const il_problem *problem, double t, const il_rows *rows,
                        const double *lambda, double *work) {
    const double *mass = il_metric_masses(problem->mass);
    double largest = 0.0;
    memset(work, 0, problem->d * sizeof *work);
    for (size_t i = 0; i < rows->p; i++) {
        double rho = lambda[i] > 0.0 ? il_problem_rolling(problem, t, rows->id[i]) : INFINITY;
        if (isinf(rho)) {
            continue;
        }
        if (isnan(rho) || mass == NULL) {
            return NAN;
        }
        double bends = lambda[i] * il_rows_norm2(rows, i, mass) / rho;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            work[rows->col[e]] += bends;
            largest = fmax(largest, work[rows->col[e]]);
        }
    }
    return largest;
}

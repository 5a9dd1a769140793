/*
 * balls.c - N balls of any radii, and plane walls that one direction n raises: how fast one unit
 * direction raises all constraints at once, active or not, in closed form
 * (scripts/claims/README.md, "Clusters of N balls").
 *
 * z_i is the mean over all directions e of e times the rank of ball i along e, and a multiple of n:
 *
 *     <grad g, z> >= 1/k,   k = 1 on a line, pi/2 in the plane, 2 in space,
 *     |z| <= sqrt((N^3 - N)/12) + sqrt(N) (1 + (N - 1)/2)/c,   c = min <n_wall, n>.
 */
#include <math.h>

#include "harness/study/hypotheses/constants.h"

/* Normals of walls are unit vectors but for some roundings; their sum is n. */
static const double ROUNDING = 1e-12;

/* min <n_wall, n> over the walls, n the direction of the sum of their normals; 0 if that does not
 * raise them all. */
static double lean(const il_problem *problem) {
    double n[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < problem->nwalls; k++) {
        for (size_t c = 0; c < problem->space; c++) {
            n[c] += problem->walls[k].n[c];
        }
    }
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double least = INFINITY;
    for (size_t k = 0; k < problem->nwalls; k++) {
        double sum = 0.0;
        for (size_t c = 0; c < problem->space; c++) {
            sum += n[c] * problem->walls[k].n[c];
        }
        least = fmin(least, sum);
    }
    return least > ROUNDING * size ? least / size : 0.0;
}

double il_balls_slope(const il_problem *problem) {
    static const double turn[] = {0.0, 1.0, M_PI / 2.0, 2.0};
    if ((problem->traits & IL_ROWS_BALLS) == 0 || problem->space < 1 || problem->space > 3) {
        return 0.0;
    }
    size_t bodies = problem->d / problem->space;
    double N = (double)bodies;
    double size = sqrt((N * N * N - N) / 12.0);
    if (problem->nwalls > 0) {
        size += sqrt(N) * (1.0 + (N - 1.0) / 2.0) / lean(problem);
    }
    return size > 0.0 ? 1.0 / (turn[problem->space] * size) : 0.0; /* 0 for an infinite size */
}

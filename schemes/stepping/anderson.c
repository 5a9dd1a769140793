/*
 * anderson.c - gamma by orthogonalising differences of residuals, the newest first: the same
 * combinations of differences of images take the step, and no triangular system is ever solved.
 */
#include "schemes/stepping/anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"
/* Differences that are combined, and iterates that make them. */
enum { DIFFERENCES = 10, ITERATES = DIFFERENCES + 1 };

/* A difference that keeps less than this of its length across the newer ones says nothing that they
 * do not: half of the digits. */
static const double DEPENDENT = 1e-8;

struct il_anderson {
    size_t d;
    const il_metric *mass;
    size_t seen; /* iterates since the restart */
    double *image[ITERATES];
    double *residual[ITERATES];     /* L' (G(z) - z), M = L L': its Euclidean norm is that of M */
    double *direction[DIFFERENCES]; /* orthonormal combinations of differences of residuals */
    double *step[DIFFERENCES];      /* the same of images */
    double *memory;
};

il_anderson *il_anderson_create(size_t d, const il_metric *mass) {
    il_anderson *a = il_alloc_zero(1, sizeof *a);
    a->memory = il_alloc((2 * ITERATES + 2 * DIFFERENCES) * d, sizeof *a->memory);
    double *next = a->memory;
    for (size_t k = 0; k < ITERATES; k++, next += 2 * d) {
        a->image[k] = next;
        a->residual[k] = next + d;
    }
    for (size_t k = 0; k < DIFFERENCES; k++, next += 2 * d) {
        a->direction[k] = next;
        a->step[k] = next + d;
    }
    a->d = d;
    a->mass = mass;
    return a;
}

void il_anderson_destroy(il_anderson *a) {
    if (a != NULL) {
        free(a->memory);
    }
    free(a);
}

void il_anderson_restart(il_anderson *a) {
    a->seen = 0;
}

/* y -= c x. */
static void subtract(double c, const double *x, double *y, size_t d) {
    for (size_t k = 0; k < d; k++) {
        y[k] -= c * x[k];
    }
}

/* Direction j from the iterates `newer` and `older`; false when it depends on those before. */
static bool add_direction(il_anderson *a, size_t j, size_t newer, size_t older) {
    for (size_t k = 0; k < a->d; k++) {
        a->direction[j][k] = a->residual[newer][k] - a->residual[older][k];
        a->step[j][k] = a->image[newer][k] - a->image[older][k];
    }
    double whole = sqrt(il_dot(a->direction[j], a->direction[j], a->d));
    for (size_t i = 0; i < j; i++) {
        double c = il_dot(a->direction[i], a->direction[j], a->d);
        subtract(c, a->direction[i], a->direction[j], a->d);
        subtract(c, a->step[i], a->step[j], a->d);
    }
    double length = sqrt(il_dot(a->direction[j], a->direction[j], a->d));
    if (!(length > DEPENDENT * whole)) {
        return false;
    }
    for (size_t k = 0; k < a->d; k++) {
        a->direction[j][k] /= length;
        a->step[j][k] /= length;
    }
    return true;
}

void il_anderson_next(il_anderson *a, const double *image, double *z) {
    size_t now = a->seen % ITERATES;
    double *way = a->direction[0];
    double *residual = a->residual[now];
    for (size_t k = 0; k < a->d; k++) {
        way[k] = image[k] - z[k];
        a->image[now][k] = image[k];
        z[k] = image[k];
    }
    il_metric_mul(a->mass, way, residual);
    il_metric_whiten(a->mass, residual, residual);
    size_t differences = a->seen < DIFFERENCES ? a->seen : DIFFERENCES;
    for (size_t j = 0; j < differences; j++) {
        size_t newer = (a->seen - j) % ITERATES;
        size_t older = (a->seen - j - 1) % ITERATES;
        if (!add_direction(a, j, newer, older)) {
            break;
        }
        /* directions are orthonormal: the part along j is the same before and after the others */
        subtract(il_dot(a->direction[j], residual, a->d), a->step[j], z, a->d);
    }
    a->seen++;
}

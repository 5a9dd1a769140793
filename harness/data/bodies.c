/*
 * bodies.c - forces on bodies from rows over coordinates.
 */
#include "harness/data/bodies.h"

#include <math.h>
#include <string.h>

size_t il_bodies_count(const il_problem *problem) {
    bool placed = problem->space > 0 && problem->space <= IL_SPACE_MAX;
    return placed ? problem->d / problem->space : 0;
}

void il_bodies_radii(const il_problem *problem, double t, double *r) {
    if (problem->type->radii != NULL) {
        problem->type->radii(problem, t, r);
    } else {
        memset(r, 0, il_bodies_count(problem) * sizeof *r);
    }
}

/* The body that entry e belongs to, and the entry after its last. Columns increase. */
static size_t body_at(size_t space, const il_rows *rows, size_t i, size_t e, size_t *next) {
    size_t body = rows->col[e] / space;
    *next = e;
    while (*next < rows->start[i + 1] && rows->col[*next] / space == body) {
        ++*next;
    }
    return body;
}

static double norm_of(const il_rows *rows, size_t from, size_t to) {
    double square = 0.0;
    for (size_t e = from; e < to; e++) {
        square += rows->coef[e] * rows->coef[e];
    }
    return sqrt(square);
}

il_touch il_bodies_touch(const il_problem *problem, const il_rows *rows, size_t i, double impulse) {
    il_touch touch = {.a = IL_NO_BODY, .b = IL_NO_BODY, .impulse = impulse};
    size_t next = rows->start[i];
    if (next == rows->start[i + 1]) {
        return touch;
    }
    touch.a = body_at(problem->space, rows, i, next, &next);
    double norm = norm_of(rows, rows->start[i], next);
    for (size_t e = rows->start[i]; e < next && norm > 0.0; e++) {
        touch.direction[rows->col[e] % problem->space] = rows->coef[e] / norm;
    }
    if (next < rows->start[i + 1]) {
        touch.b = rows->col[next] / problem->space;
    }
    return touch;
}

void il_bodies_add_loads(const il_problem *problem, const il_step_report *report, double h,
                         double *load) {
    const il_rows *rows = report->rows;
    for (size_t i = 0; i < rows->p; i++) {
        double impulse = h * fabs(report->lambda[i]);
        for (size_t e = rows->start[i]; impulse > 0.0 && e < rows->start[i + 1];) {
            size_t next = 0;
            size_t body = body_at(problem->space, rows, i, e, &next);
            load[body] += impulse * norm_of(rows, e, next);
            e = next;
        }
    }
}

void il_bodies_wall_impulses(const il_problem *problem, const il_step_report *report, double h,
                             double *impulse) {
    memset(impulse, 0, problem->nwalls * sizeof *impulse);
    for (size_t i = 0; i < report->rows->p; i++) {
        if (report->lambda[i] == 0.0) {
            continue;
        }
        size_t k = problem->type->wall(problem, report->rows->id[i]);
        if (k < problem->nwalls) {
            impulse[k] += h * report->lambda[i];
        }
    }
}

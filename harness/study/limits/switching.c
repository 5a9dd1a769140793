/*
 * switching.c - bisection, grids of phases, and the limit of a run by the exact flow (switching.h).
 */
#include "harness/study/limits/switching.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory_limit.h"

/* ---- bisection ------------------------------------------------------------------------------ */

static il_status ask(const il_switching_labels *w, il_switching_point *point, double c, int *label,
                     il_error *err) {
    point->labels++;
    return w->label(w->self, c, point->m, label, err);
}

/* Between *inner, whose label is not `outside`, and *outer, whose label is: move *outer toward
 * *inner until they are tol apart. Labels other than `outside` count as inner. */
static il_status close_in(const il_switching_labels *w, il_switching_point *point, double *outer,
                          double inner, int outside, double tol, il_error *err) {
    while (fabs(inner - *outer) > tol) {
        double middle = 0.5 * (inner + *outer);
        int label = IL_SWITCHING_NONE;
        if (middle == inner || middle == *outer) {
            break; /* neighbours among the doubles */
        }
        il_status status = ask(w, point, middle, &label, err);
        if (status != IL_OK) {
            return status;
        }
        *(label == outside ? outer : &inner) = middle;
    }
    return IL_OK;
}

/* point has its ends and the labels there. */
static il_status narrow(const il_switching_labels *w, il_switching_point *point, double tol,
                        il_error *err) {
    while (point->high - point->low > tol * point->high) {
        double middle = 0.5 * (point->low + point->high);
        int label = IL_SWITCHING_NONE;
        if (middle <= point->low || middle >= point->high) {
            break;
        }
        il_status status = ask(w, point, middle, &label, err);
        if (status == IL_OK && label == IL_SWITCHING_NONE) {
            double near = 0.25 * tol * point->high;
            status = close_in(w, point, &point->low, middle, point->from, near, err);
            return status == IL_OK ? close_in(w, point, &point->high, middle, point->to, near, err)
                                   : status;
        }
        if (status != IL_OK) {
            return status;
        }
        if (label == point->from) {
            point->low = middle;
        } else {
            point->high = middle;
            point->to = label;
        }
    }
    return IL_OK;
}

/* Points that are bisected, each a job that may be done by another process first. */
typedef struct {
    const il_switching_labels *labels;
    il_switching_point *points;
    double tol;
    bool find_ends; /* are the labels at the ends still unknown? */
} bisection;

static il_status label_ends(const il_switching_labels *w, il_switching_point *p, il_error *err) {
    il_status status = ask(w, p, p->low, &p->from, err);
    if (status == IL_OK) {
        status = ask(w, p, p->high, &p->to, err);
    }
    if (status == IL_OK && (p->from == IL_SWITCHING_NONE || p->to == IL_SWITCHING_NONE)) {
        return il_fail(err, IL_EINVAL,
                       "at m = %d the limit of c = %.17g cannot be told; allowed: ends whose "
                       "limits can",
                       p->m, p->from == IL_SWITCHING_NONE ? p->low : p->high);
    }
    if (status == IL_OK && p->from == p->to) {
        return il_fail(err, IL_EINVAL,
                       "at m = %d both c = %.17g and c = %.17g lead to limit %d; allowed: ends "
                       "that lead to different limits",
                       p->m, p->low, p->high, p->from + 1);
    }
    return status;
}

static il_status bisect(const bisection *b, il_switching_point *point, il_error *err) {
    il_status status = b->find_ends ? label_ends(b->labels, point, err) : IL_OK;
    return status == IL_OK ? narrow(b->labels, point, b->tol, err) : status;
}

static il_status bisect_ahead(void *data, size_t k, il_error *err) {
    const bisection *b = data;
    il_switching_point copy = b->points[k];
    return bisect(b, &copy, err);
}

static il_status bisect_all(bisection *b, size_t n, il_error *err) {
    const il_switching_labels *w = b->labels;
    il_status status = w->ahead != NULL ? w->ahead(w->self, bisect_ahead, b, n, err) : IL_OK;
    for (size_t k = 0; k < n && status == IL_OK; k++) {
        status = bisect(b, &b->points[k], err);
    }
    return status;
}

il_status il_switching_bisect(const il_switching_labels *labels, double c0, double c1, const int *m,
                              size_t n, double tol, il_switching_point *points, il_error *err) {
    bisection b = {labels, points, tol, true};
    for (size_t k = 0; k < n; k++) {
        points[k] = (il_switching_point){.m = m[k], .low = c0, .high = c1};
    }
    return bisect_all(&b, n, err);
}

/* ---- grids ---------------------------------------------------------------------------------- */

enum { TOGETHER = 8 }; /* phases that one process asks for ahead */

typedef struct {
    const il_switching_labels *w;
    double c0, c1;
    int m;
    size_t n;     /* phases */
    size_t first; /* 1 where every second one is known from the grid before, else 0 */
    int *labels;
} grid;

static double phase(const grid *g, size_t k) {
    return g->c0 + (g->c1 - g->c0) * ((double)k / (double)g->n);
}

static il_status ask_at(const grid *g, size_t k, int *label, il_error *err) {
    return g->w->label(g->w->self, phase(g, k), g->m, label, err);
}

static size_t stride(const grid *g) {
    return 1 + g->first;
}

static il_status ask_ahead(void *data, size_t job, il_error *err) {
    const grid *g = data;
    size_t begin = g->first + job * TOGETHER * stride(g);
    size_t end = begin + TOGETHER * stride(g);
    il_status status = IL_OK;
    for (size_t k = begin; k < g->n && k < end && status == IL_OK; k += stride(g)) {
        int label = IL_SWITCHING_NONE;
        status = ask_at(g, k, &label, err);
    }
    return status;
}

/* Labels of all phases, those of every second one being known or of none. */
static il_status refine(grid *g, il_error *err) {
    size_t unknown = g->n / stride(g);
    size_t jobs = (unknown + TOGETHER - 1) / TOGETHER;
    il_status status =
        g->w->ahead != NULL ? g->w->ahead(g->w->self, ask_ahead, g, jobs, err) : IL_OK;
    for (size_t k = g->n / 2; g->first == 1 && k-- > 0;) {
        g->labels[2 * k] = g->labels[k];
    }
    for (size_t k = g->first; k < g->n && status == IL_OK; k += stride(g)) {
        status = ask_at(g, k, &g->labels[k], err);
    }
    return status;
}

/* Count the changes from one label to the next, undecided ones passed over, and list them where
 * points is not NULL. */
static size_t find_changes(const grid *g, il_switching_point *points, size_t *undecided) {
    size_t changes = 0;
    size_t last = g->n; /* the phase decided last; n: none */
    *undecided = 0;
    for (size_t k = 0; k < g->n; k++) {
        if (g->labels[k] == IL_SWITCHING_NONE) {
            ++*undecided;
            continue;
        }
        if (last < g->n && g->labels[last] != g->labels[k]) {
            if (points != NULL) {
                points[changes] = (il_switching_point){.m = g->m,
                                                       .low = phase(g, last),
                                                       .high = phase(g, k),
                                                       .from = g->labels[last],
                                                       .to = g->labels[k]};
            }
            changes++;
        }
        last = k;
    }
    return changes;
}

/* Do the last three grids have the same number of changes? */
static bool has_settled(const il_switching_chart *chart) {
    const size_t *last = chart->changes + chart->grids;
    return chart->grids >= 3 && last[-1] == last[-2] && last[-2] == last[-3];
}

static il_status refine_until_settled(grid *g, size_t most, il_switching_chart *chart,
                                      il_error *err) {
    while (!chart->settled && (g->n <= most || chart->grids == 0) &&
           chart->grids < IL_SWITCHING_GRIDS) {
        il_status status = refine(g, err);
        if (status != IL_OK) {
            return status;
        }
        chart->phases = g->n;
        chart->changes[chart->grids++] = find_changes(g, NULL, &chart->undecided);
        chart->settled = has_settled(chart);
        g->first = 1;
        g->n *= 2;
    }
    g->n = chart->phases;
    return IL_OK;
}

il_status il_switching_find(const il_switching_labels *labels, double c0, double c1, int m,
                            size_t phases, size_t most, double tol, il_switching_chart *chart,
                            il_error *err) {
    size_t room = most > phases ? most : phases;
    grid g = {.w = labels, .c0 = c0, .c1 = c1, .m = m, .n = phases};
    *chart = (il_switching_chart){.points = NULL};
    il_status status = il_memory_ask(&chart->points, room, sizeof *chart->points, "phases", err);
    if (status == IL_OK) {
        status = il_memory_ask(&g.labels, room, sizeof *g.labels, "phases", err);
    }
    if (status == IL_OK) {
        status = refine_until_settled(&g, most, chart, err);
    }
    if (status == IL_OK) {
        assert(chart->points != NULL);
        chart->n = find_changes(&g, chart->points, &chart->undecided);
        bisection b = {labels, chart->points, tol, false};
        status = bisect_all(&b, chart->n, err);
    }
    free(g.labels);
    return status;
}

void il_switching_chart_free(il_switching_chart *chart) {
    free(chart->points);
    memset(chart, 0, sizeof *chart);
}

/* ---- the label by the flow ------------------------------------------------------------------ */

int il_switching_number(const il_orbits *orbits, il_orbits_end end) {
    int number = end.index;
    for (int o = 0; o < end.orbit; o++) {
        number += orbits->list[o].period;
    }
    return end.orbit == IL_ORBITS_NONE ? IL_SWITCHING_NONE : number;
}

/* Can steps of this problem be halved instead of runs prolonged? It needs a scaling whose time
 * doubles and a start at rest at the origin. */
static bool scales_from_rest(const il_problem *problem) {
    bool scales = problem->type->scaling != NULL && problem->type->scaling->time == 1;
    for (size_t i = 0; scales && i < problem->d; i++) {
        scales = problem->q0[i] == 0.0 && problem->u0[i] == 0.0;
    }
    return scales;
}

il_status il_switching_by_flow(void *self, double c, int m, int *label, il_error *err) {
    const il_switching_flow *w = self;
    bool scales = scales_from_rest(w->orbits->problem);
    il_orbits_end end = {.orbit = IL_ORBITS_NONE};
    double q[IL_ORBITS_DIM_MAX];
    double u[IL_ORBITS_DIM_MAX];
    double x[IL_ORBITS_DIM_MAX];
    int octaves = 0;
    for (; end.orbit == IL_ORBITS_NONE && m + octaves <= (scales ? w->finest : m); octaves++) {
        double h = ldexp(c, -(m + octaves));
        double t = 0.0;
        il_status status = w->run(w->self, h, &t, q, u, err);
        if (status != IL_OK) {
            return status;
        }
        end = il_orbits_of_run(w->orbits, w->horizon, h, t, q, u, x);
    }
    if (end.orbit != IL_ORBITS_NONE) {
        /* octaves - 1 of them ahead of level m */
        int period = w->orbits->list[end.orbit].period;
        end.index = (end.index + (octaves - 1) * (period - 1)) % period;
    }
    *label = il_switching_number(w->orbits, end);
    return IL_OK;
}

/*
 * switching.c - bisection, grids of phases, and the limit of a run by the exact flow. See
 * switching.h.
 */
#include "harness/study/limits/switching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bisection ------------------------------------------------------------------------------ */

typedef struct {
    il_switching_label *label;
    void *self;
    int m;
    size_t labels;
    const il_switching_ahead *ahead; /* or NULL */
} asking;

static il_status ask(asking *w, double c, int *label, il_error *err) {
    w->labels++;
    return w->label(w->self, c, w->m, label, err);
}

/* Between *inner, whose label is not `outside`, and *outer, whose label is: move *outer toward
 * *inner until they are tol apart. Labels other than `outside` count as inner. */
static il_status close_in(asking *w, double *outer, double inner, int outside, double tol,
                          il_error *err) {
    while (fabs(inner - *outer) > tol) {
        double middle = 0.5 * (inner + *outer);
        int label = IL_SWITCHING_NONE;
        if (middle == inner || middle == *outer) {
            break; /* neighbours among the doubles */
        }
        il_status status = ask(w, middle, &label, err);
        if (status != IL_OK) {
            return status;
        }
        if (label == outside) {
            *outer = middle;
        } else {
            inner = middle;
        }
    }
    return IL_OK;
}

/* point has its ends and the labels there. */
static il_status narrow(asking *w, il_switching_point *point, double tol, il_error *err) {
    while (point->high - point->low > tol * point->high) {
        double middle = 0.5 * (point->low + point->high);
        int label = IL_SWITCHING_NONE;
        if (middle <= point->low || middle >= point->high) {
            break;
        }
        il_status status = ask(w, middle, &label, err);
        if (status == IL_OK && label == IL_SWITCHING_NONE) {
            double near = 0.25 * tol * point->high;
            status = close_in(w, &point->low, middle, point->from, near, err);
            return status == IL_OK ? close_in(w, &point->high, middle, point->to, near, err)
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

il_status il_switching_narrow(il_switching_label *label, void *self, int m, double tol,
                              il_switching_point *point, il_error *err) {
    asking w = {.label = label, .self = self, .m = m};
    il_status status = narrow(&w, point, tol, err);
    point->labels = w.labels;
    return status;
}

il_status il_switching_bisect(il_switching_label *label, void *self, double c0, double c1, int m,
                              double tol, il_switching_point *point, il_error *err) {
    asking w = {.label = label, .self = self, .m = m};
    *point = (il_switching_point){.low = c0, .high = c1};
    il_status status = ask(&w, c0, &point->from, err);
    if (status == IL_OK) {
        status = ask(&w, c1, &point->to, err);
    }
    if (status != IL_OK) {
        return status;
    }
    if (point->from == IL_SWITCHING_NONE || point->to == IL_SWITCHING_NONE) {
        return il_fail(err, IL_EINVAL,
                       "at m = %d the limit of c = %.17g cannot be told; allowed: ends whose "
                       "limits can",
                       m, point->from == IL_SWITCHING_NONE ? c0 : c1);
    }
    if (point->from == point->to) {
        return il_fail(err, IL_EINVAL,
                       "at m = %d both c = %.17g and c = %.17g lead to limit %d; allowed: ends "
                       "that lead to different limits",
                       m, c0, c1, point->from + 1);
    }
    status = narrow(&w, point, tol, err);
    point->labels = w.labels;
    return status;
}

/* ---- grids ---------------------------------------------------------------------------------- */

static double phase(double c0, double c1, size_t k, size_t n) {
    return c0 + (c1 - c0) * ((double)k / (double)n);
}

/* The phases of a grid of n that are still to be computed. */
static il_status tell_phases(const asking *w, double c0, double c1, size_t n, bool known,
                             il_error *err) {
    size_t count = 0;
    if (w->ahead == NULL) {
        return IL_OK;
    }
    double *c = calloc(n, sizeof *c);
    if (c == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu phases", n);
    }
    for (size_t k = known; k < n; k += known ? 2 : 1) {
        c[count++] = phase(c0, c1, k, n);
    }
    il_status status = w->ahead->phases(w->ahead->self, w->m, c, count, err);
    free(c);
    return status;
}

/* Labels of a grid of n phases from those of every second one (known: none of them is). */
static il_status refine(asking *w, double c0, double c1, size_t n, bool known, int *labels,
                        il_error *err) {
    il_status status = tell_phases(w, c0, c1, n, known, err);
    for (size_t k = n / 2; known && k-- > 0;) {
        labels[2 * k] = labels[k];
    }
    for (size_t k = known; k < n && status == IL_OK; k += known ? 2 : 1) {
        status = ask(w, phase(c0, c1, k, n), &labels[k], err);
    }
    return status;
}

static size_t count_changes(const int *labels, size_t n, size_t *undecided) {
    size_t changes = 0;
    int last = IL_SWITCHING_NONE;
    *undecided = 0;
    for (size_t k = 0; k < n; k++) {
        *undecided += labels[k] == IL_SWITCHING_NONE;
        if (labels[k] != IL_SWITCHING_NONE) {
            changes += last != IL_SWITCHING_NONE && last != labels[k];
            last = labels[k];
        }
    }
    return changes;
}

/* Do the last three grids have the same number of changes? */
static bool has_settled(const il_switching_chart *chart) {
    const size_t *last = chart->changes + chart->grids;
    return chart->grids >= 3 && last[-1] == last[-2] && last[-2] == last[-3];
}

/* The changes of the last grid, by their ends. */
static void list_changes(double c0, double c1, const int *labels, il_switching_chart *chart) {
    size_t last = 0;
    for (size_t k = 0; k < chart->phases; k++) {
        if (labels[k] == IL_SWITCHING_NONE) {
            continue;
        }
        if (labels[last] != IL_SWITCHING_NONE && labels[last] != labels[k]) {
            chart->points[chart->n++] =
                (il_switching_point){.low = phase(c0, c1, last, chart->phases),
                                     .high = phase(c0, c1, k, chart->phases),
                                     .from = labels[last],
                                     .to = labels[k]};
        }
        last = k;
    }
}

static il_status locate(asking *w, double tol, il_switching_chart *chart, il_error *err) {
    il_status status = IL_OK;
    if (w->ahead != NULL) {
        status = w->ahead->points(w->ahead->self, w->m, chart->points, chart->n, err);
    }
    for (size_t k = 0; k < chart->n && status == IL_OK; k++) {
        w->labels = 0;
        status = narrow(w, &chart->points[k], tol, err);
        chart->points[k].labels = w->labels;
    }
    return status;
}

il_status il_switching_find(il_switching_label *label, void *self, double c0, double c1, int m,
                            size_t phases, size_t most, double tol, const il_switching_ahead *ahead,
                            il_switching_chart *chart, il_error *err) {
    asking w = {.label = label, .self = self, .m = m, .ahead = ahead};
    il_status status = IL_OK;
    *chart = (il_switching_chart){0};
    size_t room = most > phases ? most : phases;
    int *labels = calloc(room, sizeof *labels);
    if (labels == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu phases", room);
    }
    for (size_t n = phases; status == IL_OK && !chart->settled &&
                            (n <= most || chart->grids == 0) && chart->grids < IL_SWITCHING_GRIDS;
         n *= 2) {
        status = refine(&w, c0, c1, n, chart->grids > 0, labels, err);
        if (status == IL_OK) {
            chart->phases = n;
            chart->changes[chart->grids++] = count_changes(labels, n, &chart->undecided);
            chart->settled = has_settled(chart);
        }
    }
    if (status == IL_OK) {
        chart->points = calloc(chart->changes[chart->grids - 1] + 1, sizeof *chart->points);
        status = chart->points != NULL ? IL_OK
                                       : il_fail(err, IL_ENOMEM, "no memory for switching points");
    }
    if (status == IL_OK && chart->points != NULL) {
        list_changes(c0, c1, labels, chart);
        status = locate(&w, tol, chart, err);
    }
    free(labels);
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

il_orbits_end il_switching_name(const il_orbits *orbits, int label) {
    for (size_t o = 0; o < orbits->n && label >= 0; o++) {
        if (label < orbits->list[o].period) {
            return (il_orbits_end){.orbit = (int)o, .index = label};
        }
        label -= orbits->list[o].period;
    }
    return (il_orbits_end){.orbit = IL_ORBITS_NONE};
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

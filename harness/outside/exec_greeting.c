/*
 * exec_greeting.c - a problem as a line of JSON.
 */
#include "harness/outside/exec_greeting.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Points at which a force of time is looked at: a golden section of the horizon. */
enum { LOOKS = 32 };
static const double GOLDEN = 0.61803398874989485;

static const char IMPACT_LAW[] = "u+ = (1 + e) P_C(u-) - e u-, e the restitution, at every impact; "
                                 "P_C: the nearest velocity, in "
                                 "the metric of the mass, at which no active gap closes";

/* ---- constraints ---------------------------------------------------------------------------- */

/* A point among half-spaces that stand still, <n,q> >= c: its constraints are walls. */
static bool has_planes(const il_problem *problem) {
    const unsigned fixed = IL_ROWS_AFFINE | IL_ROWS_FIXED;
    return problem->space == 0 && problem->d <= 3 && problem->p <= IL_OFFER_ALL &&
           (problem->traits & fixed) == fixed;
}

il_status il_exec_about_of(const il_problem *problem, size_t id, il_rows *rows,
                           il_exec_about *out) {
    size_t space = problem->space > 0 ? problem->space : problem->d;
    *out = (il_exec_about){SIZE_MAX, SIZE_MAX, SIZE_MAX};
    il_rows_clear(rows);
    il_status status = problem->type->row(problem, 0.0, problem->q0, id, rows);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; k < rows->nnz; k++) {
        size_t body = rows->col[k] / space;
        out->first = k == 0 ? body : out->first;
        out->second = body != out->first ? body : out->second;
    }
    if (problem->nwalls > 0 && problem->type->wall != NULL) {
        size_t wall = problem->type->wall(problem, id);
        out->wall = wall < problem->nwalls ? wall : SIZE_MAX;
    } else if (has_planes(problem)) {
        out->wall = id;
    }
    return IL_OK;
}

const char *il_exec_wall_name(const il_problem *problem, size_t wall,
                              char out[IL_DESCRIPTION_MAX]) {
    static const char article[] = "the ";
    if (problem->nwalls > 0) {
        return problem->walls[wall].name;
    }
    (void)il_problem_describe(problem, wall, out, IL_DESCRIPTION_MAX);
    return strncmp(out, article, strlen(article)) == 0 ? out + strlen(article) : out;
}

/* [[i, j], [i, "floor"], [i], ...] by their ids. */
static json_t *list_constraints(il_json *w, const il_problem *problem) {
    json_t *list = json_array();
    il_rows rows;
    il_rows_init(&rows);
    for (size_t id = 0; id < problem->p; id++) {
        il_exec_about about;
        char name[IL_DESCRIPTION_MAX];
        json_t *one = json_array();
        il_status status = il_exec_about_of(problem, id, &rows, &about);
        w->failed = w->failed || status == IL_ENOMEM;
        if (about.first != SIZE_MAX) {
            il_json_append(w, one, json_integer((json_int_t)about.first));
        }
        if (about.wall != SIZE_MAX) {
            il_json_append(w, one, il_json_text_new(il_exec_wall_name(problem, about.wall, name)));
        } else if (about.second != SIZE_MAX) {
            il_json_append(w, one, json_integer((json_int_t)about.second));
        }
        il_json_append(w, list, one);
    }
    il_rows_free(&rows);
    return list;
}

/* ---- the mass and the force ----------------------------------------------------------------- */

static json_t *mass_json(il_json *json, const il_problem *problem) {
    size_t d = problem->d;
    const double *diagonal = il_metric_masses(problem->mass);
    if (diagonal != NULL) {
        return il_json_numbers(diagonal, d);
    }
    json_t *rows = json_array();
    double *unit = calloc(2 * d, sizeof *unit);
    json->failed = json->failed || unit == NULL;
    for (size_t k = 0; unit != NULL && k < d; k++) {
        unit[k] = 1.0;
        il_metric_mul(problem->mass, unit, unit + d);
        unit[k] = 0.0;
        il_json_append(json, rows, il_json_numbers(unit + d, d));
    }
    free(unit);
    return rows;
}

static void force_at(const il_problem *problem, double t, double *f) {
    if (problem->type->force != NULL) {
        problem->type->force(problem, t, problem->q0, f);
    } else if (problem->type->force_mean != NULL) {
        problem->type->force_mean(problem, t, t + 1e-3 * problem->horizon, problem->q0, f);
    } else {
        memset(f, 0, problem->d * sizeof *f);
    }
}

/* M^{-1} f at the start, or the drift; and whether the force is the same for all time and
 * positions, as far as LOOKS times show. */
static void add_force(il_json *w, json_t *line, const il_problem *problem) {
    size_t d = problem->d;
    double *f = calloc(2 * d, sizeof *f);
    w->failed = w->failed || f == NULL;
    if (f == NULL) {
        return;
    }
    force_at(problem, 0.0, f);
    bool constant = (problem->traits & (IL_FORCE_FREE | IL_FORCE_OF_TIME)) != 0;
    for (size_t k = 1; constant && k <= LOOKS; k++) {
        double at = (double)k * GOLDEN;
        force_at(problem, problem->horizon * (at - floor(at)), f + d);
        constant = memcmp(f, f + d, d * sizeof *f) == 0;
    }
    if (problem->order == 2) {
        il_metric_solve(problem->mass, f, f);
    }
    il_json_set(w, line, problem->order == 2 ? "acceleration" : "drift", il_json_numbers(f, d));
    il_json_set(w, line, "force_constant", json_boolean(constant));
    free(f);
}

/* ---- bodies and walls ----------------------------------------------------------------------- */

static void add_wall(il_json *w, json_t *walls, const char *name, const double *normal, size_t n,
                     double offset) {
    json_t *wall = json_object();
    il_json_put_text(w, wall, "name", name);
    il_json_set(w, wall, "normal", il_json_numbers(normal, n));
    il_json_put(w, wall, "offset", offset);
    il_json_append(w, walls, wall);
}

static void add_planes(il_json *w, json_t *walls, const il_problem *problem) {
    bool planes = has_planes(problem);
    il_rows rows;
    il_rows_init(&rows);
    for (size_t id = 0; planes && id < problem->p; id++) {
        char name[IL_DESCRIPTION_MAX];
        double n[3] = {0.0, 0.0, 0.0};
        il_rows_clear(&rows);
        planes = problem->type->row(problem, 0.0, problem->q0, id, &rows) == IL_OK;
        double length = 0.0;
        for (size_t k = 0; planes && k < rows.nnz; k++) {
            n[rows.col[k]] = rows.coef[k];
            length += rows.coef[k] * rows.coef[k];
        }
        length = length > 0.0 ? sqrt(length) : 1.0;
        if (planes) {
            double at = il_rows_dot(&rows, 0, problem->q0);
            for (size_t k = 0; k < 3; k++) {
                n[k] /= length;
            }
            add_wall(w, walls, il_exec_wall_name(problem, id, name), n, problem->d,
                     (at - rows.value[0]) / length);
        }
    }
    w->failed = w->failed || rows.starved;
    il_rows_free(&rows);
}

static void add_bodies(il_json *w, json_t *line, const il_problem *problem) {
    size_t space = problem->space;
    size_t bodies = space > 0 ? problem->d / space : 0;
    double *r = calloc(bodies + 1, sizeof *r);
    json_t *walls = json_array();
    w->failed = w->failed || r == NULL;
    if (r != NULL && bodies > 0 && problem->type->radii != NULL) {
        problem->type->radii(problem, 0.0, r);
    }
    for (size_t k = 0; k < problem->nwalls; k++) {
        add_wall(w, walls, problem->walls[k].name, problem->walls[k].n, space, problem->walls[k].c);
    }
    add_planes(w, walls, problem);
    il_json_put_count(w, line, "space", space);
    if (r != NULL) {
        il_json_set(w, line, "radii", il_json_numbers(r, bodies));
    }
    if (problem->p <= IL_OFFER_ALL) {
        il_json_set(w, line, "contacts", list_constraints(w, problem));
    }
    il_json_set(w, line, "walls", walls);
    free(r);
}

char *il_exec_greeting(const il_problem *problem, const il_scheme_options *options) {
    il_json w = {false};
    json_t *line = json_object();
    il_json_put_text(&w, line, "problem", problem->type->name);
    il_json_put_count(&w, line, "order", (size_t)problem->order);
    il_json_put_count(&w, line, "dimension", problem->d);
    il_json_put_count(&w, line, "constraints", problem->p);
    il_json_put_count(&w, line, "steps", options->asked.steps);
    il_json_put(&w, line, "h", options->asked.h);
    il_json_put(&w, line, "horizon", options->asked.horizon);
    il_json_put(&w, line, "restitution", problem->restitution);
    il_json_put_text(&w, line, "impact_law", problem->order == 2 ? IMPACT_LAW : NULL);
    il_json_put(&w, line, "t", 0.0);
    il_json_set(&w, line, "q", il_json_numbers(problem->q0, problem->d));
    il_json_set(&w, line, "u", il_json_numbers(problem->u0, problem->d));
    il_json_set(&w, line, "mass", mass_json(&w, problem));
    add_force(&w, line, problem);
    add_bodies(&w, line, problem);
    il_json_set(&w, line, "parameters", il_params_json(options->asked.params));
    line = il_json_done(&w, line);
    char *text = line != NULL ? il_json_text(line) : NULL;
    json_decref(line);
    return text;
}

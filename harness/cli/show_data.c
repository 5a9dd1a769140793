/*
 * show_data.c - the initial data, mass, force and bodies of a problem as JSON.
 */
#include "harness/cli/show_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"

/* ---- mass and force ------------------------------------------------------------------------- */

static json_t *mass_json(il_json *w, const il_problem *problem, double *unit) {
    size_t d = problem->d;
    const double *diagonal = il_metric_masses(problem->mass);
    if (diagonal != NULL) {
        return il_json_numbers(diagonal, d);
    }
    json_t *rows = json_array();
    memset(unit, 0, d * sizeof *unit);
    for (size_t k = 0; k < d; k++) {
        unit[k] = 1.0;
        il_metric_mul(problem->mass, unit, unit + d);
        unit[k] = 0.0;
        il_json_append(w, rows, il_json_numbers(unit + d, d));
    }
    return rows;
}

/* f(t,q0): where only means are known, over a thousandth of the horizon from t on. */
static void force_at(const il_problem *problem, double t, double *f) {
    if (problem->type->force != NULL) {
        problem->type->force(problem, t, problem->q0, f);
    } else if (problem->type->force_mean != NULL) {
        problem->type->force_mean(problem, t, t + 1e-3 * problem->horizon, problem->q0, f);
    } else {
        memset(f, 0, problem->d * sizeof *f);
    }
}

/* It is called constant where it is known not to depend on q and has the same bits at times that
 * fill the horizon evenly (fractions of multiples of the golden section). */
static void put_force(il_json *w, json_t *data, const il_problem *problem, double *f) {
    enum { LOOKS = 32 };
    static const double golden = 0.61803398874989485;
    size_t d = problem->d;
    bool constant = (problem->traits & (IL_FORCE_FREE | IL_FORCE_OF_TIME)) != 0;
    force_at(problem, 0.0, f);
    for (size_t k = 1; constant && k <= LOOKS; k++) {
        double at = (double)k * golden;
        force_at(problem, problem->horizon * (at - floor(at)), f + d);
        constant = memcmp(f, f + d, d * sizeof *f) == 0;
    }
    il_json_set(w, data, "force", il_json_numbers(f, d));
    il_json_set(w, data, "force_constant", json_boolean(constant));
}

/* ---- bodies and walls ----------------------------------------------------------------------- */

static void put_wall(il_json *w, json_t *walls, const char *name, const double *n, size_t space,
                     double c) {
    json_t *wall = json_object();
    il_json_put_text(w, wall, "name", name);
    il_json_set(w, wall, "normal", il_json_numbers(n, space));
    il_json_put(w, wall, "offset", c);
    il_json_append(w, walls, wall);
}

/* The constraints of a point among half-spaces that stand still: g = <b,q> - c, by |b|. */
static il_status put_half_spaces(il_json *w, json_t *walls, const il_problem *problem,
                                 il_error *err) {
    const unsigned fixed = IL_ROWS_AFFINE | IL_ROWS_FIXED;
    il_rows rows;
    il_status status = IL_OK;
    if (problem->space > 0 || problem->d > 3 || (problem->traits & fixed) != fixed) {
        return IL_OK;
    }
    il_rows_init(&rows);
    for (size_t id = 0; status == IL_OK && id < problem->p; id++) {
        char name[IL_DESCRIPTION_MAX];
        double n[3] = {0.0, 0.0, 0.0};
        double length = 0.0;
        il_rows_clear(&rows);
        status = problem->type->row(problem, 0.0, problem->q0, id, &rows);
        for (size_t k = 0; status == IL_OK && k < rows.nnz; k++) {
            n[rows.col[k]] = rows.coef[k];
            length += rows.coef[k] * rows.coef[k];
        }
        length = sqrt(length);
        if (status == IL_OK && length > 0.0) {
            double c = (il_rows_dot(&rows, 0, problem->q0) - rows.value[0]) / length;
            for (size_t k = 0; k < problem->d; k++) {
                n[k] /= length;
            }
            put_wall(w, walls, il_problem_describe(problem, id, name, sizeof name), n, problem->d,
                     c);
        }
    }
    il_rows_free(&rows);
    return status == IL_OK ? status : il_fail(err, status, "a constraint cannot be computed");
}

/* Radii at the start: those that the problem tells, else the parameter radius or radii, one for all
 * or one a body. Bodies without are points. */
static json_t *radii_json(const il_problem *problem, const json_t *parameters, double *r) {
    size_t bodies = problem->space > 0 ? problem->d / problem->space : 0;
    const json_t *given = json_object_get(parameters, "radii");
    given = given != NULL ? given : json_object_get(parameters, "radius");
    memset(r, 0, problem->d * sizeof *r);
    if (bodies > 0 && problem->type->radii != NULL) {
        problem->type->radii(problem, 0.0, r);
        return il_json_numbers(r, bodies);
    }
    size_t n = json_is_array(given) ? json_array_size(given) : json_is_number(given) ? 1 : 0;
    bodies = bodies == 0 && n > 0 && problem->d > 1 ? problem->d : bodies; /* on a line */
    for (size_t k = 0; k < bodies && (n == 1 || n == bodies); k++) {
        const json_t *one = json_is_array(given) ? json_array_get(given, n == 1 ? 0 : k) : given;
        r[k] = json_number_value(one);
    }
    return il_json_numbers(r, bodies);
}

static il_status put_bodies(il_json *w, json_t *data, const il_problem *problem, double *r,
                            il_error *err) {
    size_t space = problem->space;
    json_t *walls = json_array();
    for (size_t k = 0; k < problem->nwalls; k++) {
        put_wall(w, walls, problem->walls[k].name, problem->walls[k].n, space, problem->walls[k].c);
    }
    il_status status = put_half_spaces(w, walls, problem, err);
    il_json_put_count(w, data, "space", space);
    il_json_set(w, data, "radii", radii_json(problem, json_object_get(data, "parameters"), r));
    il_json_set(w, data, "walls", walls);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static il_status describe(const il_problem *problem, const il_params *params, double *room,
                          json_t **out, il_error *err) {
    il_json w = {false};
    json_t *data = json_object();
    il_json_put_text(&w, data, "problem", problem->type->name);
    il_json_set(&w, data, "parameters", il_params_json(params));
    il_json_put_count(&w, data, "order", (size_t)problem->order);
    il_json_put_count(&w, data, "dimension", problem->d);
    il_json_put_count(&w, data, "constraints", problem->p);
    il_json_put(&w, data, "horizon", problem->horizon);
    il_json_put(&w, data, "restitution", problem->restitution);
    il_json_set(&w, data, "q0", il_json_numbers(problem->q0, problem->d));
    if (problem->order == 2) {
        il_json_set(&w, data, "u0", il_json_numbers(problem->u0, problem->d));
        il_json_set(&w, data, "mass", mass_json(&w, problem, room));
    }
    put_force(&w, data, problem, room);
    il_status status = put_bodies(&w, data, problem, room, err);
    *out = il_json_done(&w, data);
    return status == IL_OK && *out == NULL
               ? il_fail(err, IL_ENOMEM, "no memory for a problem's data")
               : status;
}

il_status il_cli_show_data(const il_choice *choice, json_t **out, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    double *room = NULL;
    *out = NULL;
    il_status status = il_case_problem(&(il_case){.problem = choice}, &params, &problem, err);
    if (status == IL_OK) {
        room = calloc(2 * problem->d + 1, sizeof *room);
        status = room != NULL ? describe(problem, params, room, out, err)
                              : il_fail(err, IL_ENOMEM, "no memory for a problem's data");
    }
    free(room);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

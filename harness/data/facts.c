/*
 * facts.c - what a program that solves a problem by itself must know of it.
 */
#include "harness/data/facts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "schemes/scheme.h"

/* Times at which a force is looked at: fractions of multiples of the golden section. */
enum { LOOKS = 32 };
static const double GOLDEN = 0.61803398874989485;

/* ---- constraints ---------------------------------------------------------------------------- */

/* A point among half-spaces that stand still, <n,q> >= c: its constraints are walls. */
static bool has_planes(const il_problem *problem) {
    const unsigned fixed = IL_ROWS_AFFINE | IL_ROWS_FIXED;
    return problem->space == 0 && problem->d <= 3 && problem->p <= IL_OFFER_ALL &&
           (problem->traits & fixed) == fixed;
}

il_status il_facts_contact_of(const il_problem *problem, size_t id, il_rows *rows,
                              il_facts_contact *out) {
    size_t space = problem->space > 0 ? problem->space : problem->d;
    *out = (il_facts_contact){SIZE_MAX, SIZE_MAX, SIZE_MAX};
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

const char *il_facts_wall(const il_problem *problem, size_t wall, char out[IL_DESCRIPTION_MAX]) {
    static const char article[] = "the ";
    if (problem->nwalls > 0) {
        return problem->walls[wall].name;
    }
    (void)il_problem_describe(problem, wall, out, IL_DESCRIPTION_MAX);
    return strncmp(out, article, strlen(article)) == 0 ? out + strlen(article) : out;
}

/* [[i, j], [i, "floor"], [i], ...] by their ids. */
static json_t *list_constraints(const il_problem *problem) {
    json_t *list = json_array();
    il_rows rows;
    il_rows_init(&rows);
    for (size_t id = 0; id < problem->p; id++) {
        il_facts_contact about;
        char name[IL_DESCRIPTION_MAX];
        json_t *one = json_array();
        (void)il_facts_contact_of(problem, id, &rows, &about); /* none without a gradient */
        if (about.first != SIZE_MAX) {
            il_json_append(one, json_integer((json_int_t)about.first));
        }
        if (about.wall != SIZE_MAX) {
            il_json_append(one, il_json_text_new(il_facts_wall(problem, about.wall, name)));
        } else if (about.second != SIZE_MAX) {
            il_json_append(one, json_integer((json_int_t)about.second));
        }
        il_json_append(list, one);
    }
    il_rows_free(&rows);
    return list;
}

/* ---- the mass and the force ----------------------------------------------------------------- */

json_t *il_facts_mass(const il_problem *problem) {
    size_t d = problem->d;
    const double *diagonal = il_metric_masses(problem->mass);
    if (diagonal != NULL) {
        return il_json_numbers(diagonal, d);
    }
    json_t *rows = json_array();
    double *unit = il_alloc_zero(2 * d, sizeof *unit);
    for (size_t k = 0; k < d; k++) {
        unit[k] = 1.0;
        il_metric_mul(problem->mass, unit, unit + d);
        unit[k] = 0.0;
        il_json_append(rows, il_json_numbers(unit + d, d));
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

bool il_facts_force(const il_problem *problem, double *f) {
    size_t d = problem->d;
    double *other = il_alloc_zero(d, sizeof *other);
    bool constant = (problem->traits & (IL_FORCE_FREE | IL_FORCE_OF_TIME)) != 0;
    force_at(problem, 0.0, f);
    for (size_t k = 1; constant && k <= LOOKS; k++) {
        double at = (double)k * GOLDEN;
        force_at(problem, problem->horizon * (at - floor(at)), other);
        constant = memcmp(f, other, d * sizeof *f) == 0;
    }
    free(other);
    return constant;
}

/* ---- bodies and walls ----------------------------------------------------------------------- */

static void add_wall(json_t *walls, const char *name, const double *normal, size_t n,
                     double offset) {
    json_t *wall = json_object();
    il_json_put_text(wall, "name", name);
    il_json_set(wall, "normal", il_json_numbers(normal, n));
    il_json_put(wall, "offset", offset);
    il_json_append(walls, wall);
}

static void add_planes(json_t *walls, const il_problem *problem) {
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
            add_wall(walls, il_facts_wall(problem, id, name), n, problem->d,
                     (at - rows.value[0]) / length);
        }
    }
    il_rows_free(&rows);
}

/* Radii at the start: those that the problem tells, else the parameter radius or radii, one for all
 * or one a body. Bodies without are points. */
static json_t *radii_json(const il_problem *problem, const json_t *parameters) {
    size_t bodies = problem->space > 0 ? problem->d / problem->space : 0;
    const json_t *given = json_object_get(parameters, "radii");
    given = given != NULL ? given : json_object_get(parameters, "radius");
    double *r = il_alloc_zero(problem->d, sizeof *r);
    bool tells = bodies > 0 && problem->type->radii != NULL;
    if (tells) {
        problem->type->radii(problem, 0.0, r);
    }
    size_t n = tells                   ? 0
               : json_is_array(given)  ? json_array_size(given)
               : json_is_number(given) ? 1
                                       : 0;
    bodies = bodies == 0 && n > 0 && problem->d > 1 ? problem->d : bodies; /* on a line */
    for (size_t k = 0; k < bodies && (n == 1 || n == bodies); k++) {
        const json_t *one = json_is_array(given) ? json_array_get(given, n == 1 ? 0 : k) : given;
        r[k] = json_number_value(one);
    }
    json_t *radii = il_json_numbers(r, bodies);
    free(r);
    return radii;
}

void il_facts_bodies(json_t *object, const il_problem *problem, const json_t *parameters) {
    size_t space = problem->space;
    json_t *walls = json_array();
    for (size_t k = 0; k < problem->nwalls; k++) {
        add_wall(walls, problem->walls[k].name, problem->walls[k].n, space, problem->walls[k].c);
    }
    add_planes(walls, problem);
    il_json_put_count(object, "space", space);
    il_json_set(object, "radii", radii_json(problem, parameters));
    if (problem->p <= IL_OFFER_ALL) {
        il_json_set(object, "contacts", list_constraints(problem));
    }
    il_json_set(object, "walls", walls);
}

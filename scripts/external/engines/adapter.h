/*
 * adapter.h - what the engines' adapters share: the greeting of `exec:`, laid out as bodies among
 * walls, and the lines of the steps (impactlab help exec).
 *
 *     impactlab run --problem cradle --set e=1 --scheme "exec:build/engines/ode" --steps 200
 *
 * A point among half-spaces (space 0: bouncing_ball, corner) is a body of radius `radius` whose walls
 * lie so much further out. Points on a line (sticky) are bodies of radius `radius`, each moved 2 radius
 * further along the line than the one before. Coordinate c of the problem is coordinate c of the
 * engine; those that the problem does not have stay 0. Where all bodies fall alike that is the
 * engine's gravity, else forces.
 *
 * Refused with one line and status 2: order 1, forces that change, masses that are not one number a
 * body, radii that change, constraints that are no two bodies and no body and wall.
 */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    double x[3], u[3]; /* in the engine's frame */
    double m, r;
    double force[3]; /* beside gravity */
    double shift[3]; /* the engine's frame minus the problem's */
} adapter_body;

typedef struct {
    double normal[3], offset; /* <normal, x> >= offset in the engine's frame */
} adapter_wall;

typedef struct {
    FILE *out; /* the standard output; what an engine prints goes to standard error */
    int space; /* coordinates of a body */
    size_t steps, bodies, walls;
    double h, e, gravity[3],
        extent; /* extent: no coordinate at the start and no offset is larger */
    adapter_body *body;
    adapter_wall *wall;
} adapter;

#define ADAPTER_UNUSED __attribute__((unused))

ADAPTER_UNUSED static void adapter_refuse(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));
ADAPTER_UNUSED static void adapter_refuse(const char *format, ...) {
    va_list list;
    va_start(list, format);
    (void)vfprintf(stderr, format, list);
    va_end(list);
    (void)fputc('\n', stderr);
    exit(2);
}

ADAPTER_UNUSED static void *adapter_allocate(size_t count, size_t size) {
    void *block = calloc(count + 1, size);
    if (block == NULL) {
        adapter_refuse("out of memory");
    }
    return block;
}

/* The option KEY=VALUE of the command line, or what it is without. `allowed` lists all keys. */
ADAPTER_UNUSED static double adapter_option(int argc, char **argv, const char *key, double value,
                                            const char *allowed) {
    size_t length = strlen(key);
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        char *end = NULL;
        double given = equals != NULL ? strtod(equals + 1, &end) : 0.0;
        size_t word = equals != NULL ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        bool known = false;
        for (const char *k = allowed; *k != '\0'; k += strcspn(k, " "), k += strspn(k, " ")) {
            known = known || (strcspn(k, " ") == word && strncmp(k, argv[i], word) == 0);
        }
        if (!known || equals == NULL || end == equals + 1 || *end != '\0' || !(given >= 0.0)) {
            adapter_refuse("option '%s'; allowed: KEY=NUMBER >= 0, of %s", argv[i], allowed);
        }
        value = word == length && strncmp(key, argv[i], length) == 0 ? given : value;
    }
    return value;
}

static double adapter_number(const json_t *list, size_t i) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_number(value)) {
        adapter_refuse(
            "the greeting has no number where one is expected; is this the input of exec: ?");
    }
    return json_number_value(value);
}

static void adapter_look(const json_t *ask) {
    size_t i = 0;
    json_t *contact = NULL;
    const char *name = json_string_value(json_object_get(ask, "problem"));
    if (name == NULL || json_integer_value(json_object_get(ask, "order")) != 2) {
        adapter_refuse("the problem is of order 1; engines make steps of order 2");
    }
    if (!json_is_true(json_object_get(ask, "force_constant"))) {
        adapter_refuse("the force of %s changes; an engine is told constant ones", name);
    }
    if (strcmp(name, "growing_radii") == 0) {
        adapter_refuse("the radii of %s change; an engine's are fixed", name);
    }
    json_array_foreach(json_object_get(ask, "contacts"), i, contact) {
        if (json_array_size(contact) != 2) {
            adapter_refuse("constraint %zu of %s is neither of two bodies nor of one and a wall", i,
                           name);
        }
    }
}

static void adapter_walls(adapter *a, const json_t *walls) {
    a->walls = json_array_size(walls);
    a->wall = (adapter_wall *)adapter_allocate(a->walls, sizeof *a->wall);
    for (size_t i = 0; i < a->walls; i++) {
        const json_t *wall = json_array_get(walls, i);
        const json_t *normal = json_object_get(wall, "normal");
        for (size_t c = 0; c < json_array_size(normal) && c < 3; c++) {
            a->wall[i].normal[c] = adapter_number(normal, c);
        }
        a->wall[i].offset = json_number_value(json_object_get(wall, "offset"));
    }
}

/* Bodies that have no radius get one: a point among walls, points on a line. */
static void adapter_swell(adapter *a, bool point, double radius) {
    for (size_t i = 0; i < a->bodies; i++) {
        if (a->body[i].r > 0.0) {
            continue;
        }
        if (!point && (a->space != 1 || a->walls > 0)) {
            adapter_refuse("body %zu has radius 0, and is not on a line without walls", i);
        }
        a->body[i].r = radius;
        a->body[i].shift[0] = point ? 0.0 : 2.0 * radius * (double)i;
        a->body[i].x[0] += a->body[i].shift[0];
    }
    for (size_t k = 0; point && k < a->walls; k++) {
        const double *n = a->wall[k].normal;
        a->wall[k].offset -= radius * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
}

/* The engine's gravity where all bodies have it, else forces. */
static void adapter_forces(adapter *a, const json_t *acceleration) {
    bool alike = true;
    size_t d = (size_t)a->space;
    for (size_t k = 0; k < a->bodies * d; k++) {
        a->body[k / d].force[k % d] = a->body[k / d].m * adapter_number(acceleration, k);
        alike = alike && adapter_number(acceleration, k) == adapter_number(acceleration, k % d);
    }
    for (size_t i = 0; alike && i < a->bodies; i++) {
        memset(a->body[i].force, 0, sizeof a->body[i].force);
    }
    for (size_t c = 0; alike && c < d; c++) {
        a->gravity[c] = adapter_number(acceleration, c);
    }
}

/* Read the greeting for an engine of `dimensions` coordinates. */
ADAPTER_UNUSED static adapter adapter_read(int dimensions, double radius) {
    json_error_t error;
    adapter a;
    memset(&a, 0, sizeof a);
    a.out = fdopen(dup(1), "w");
    if (a.out == NULL || dup2(2, 1) < 0) {
        adapter_refuse("cannot write to the standard output");
    }
    json_t *ask = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, &error);
    if (ask == NULL) {
        adapter_refuse("no greeting of exec: on the standard input: %s", error.text);
    }
    adapter_look(ask);
    const json_t *q = json_object_get(ask, "q");
    const json_t *mass = json_object_get(ask, "mass");
    const json_t *radii = json_object_get(ask, "radii");
    size_t d = json_array_size(q);
    a.space = (int)json_integer_value(json_object_get(ask, "space"));
    adapter_walls(&a, json_object_get(ask, "walls"));
    bool point = a.space == 0;
    if (point && (a.walls == 0 || d > 3)) {
        adapter_refuse("the problem has no bodies and no walls");
    }
    a.space = point ? (int)d : a.space;
    if (a.space > dimensions) {
        adapter_refuse("the problem is in space of dimension %d, the engine in that of %d", a.space,
                       dimensions);
    }
    a.bodies = d / (size_t)a.space;
    a.steps = (size_t)json_integer_value(json_object_get(ask, "steps"));
    a.h = json_number_value(json_object_get(ask, "h"));
    a.e = json_number_value(json_object_get(ask, "restitution"));
    a.body = (adapter_body *)adapter_allocate(a.bodies, sizeof *a.body);
    for (size_t k = 0; k < d; k++) {
        adapter_body *body = &a.body[k / (size_t)a.space];
        size_t c = k % (size_t)a.space;
        if (json_array_size(mass) != d || (c > 0 && adapter_number(mass, k) != body->m)) {
            adapter_refuse("body %zu has no one mass in all directions", k / (size_t)a.space);
        }
        body->m = adapter_number(mass, k);
        body->r = point ? 0.0 : adapter_number(radii, k / (size_t)a.space);
        body->x[c] = adapter_number(q, k);
        body->u[c] = adapter_number(json_object_get(ask, "u"), k);
    }
    adapter_forces(&a, json_object_get(ask, "acceleration"));
    adapter_swell(&a, point, radius);
    json_decref(ask);
    for (size_t i = 0; i < a.bodies; i++) {
        for (size_t c = 0; c < 3; c++) {
            a.extent = fmax(a.extent, fabs(a.body[i].x[c]) + a.body[i].r);
        }
    }
    for (size_t k = 0; k < a.walls; k++) {
        a.extent = fmax(a.extent, fabs(a.wall[k].offset));
    }
    return a;
}

/* One line of a step, of what stands in body[].x and u; position 0, velocity 1. */
ADAPTER_UNUSED static void adapter_write(adapter *a) {
    for (int which = 0; which < 2; which++) {
        (void)fprintf(a->out, which == 0 ? "{\"q\": [" : "], \"u\": [");
        for (size_t i = 0; i < a->bodies; i++) {
            const adapter_body *b = &a->body[i];
            for (int c = 0; c < a->space; c++) {
                (void)fprintf(a->out, "%s%.17g", i + (size_t)c > 0 ? ", " : "",
                              which == 0 ? b->x[c] - b->shift[c] : b->u[c]);
            }
        }
    }
    (void)fprintf(a->out, "]}\n");
}

/* A body of the plane is at `at` with `velocity`, vectors of members x and y. */
#define ADAPTER_PLANE(body, at, velocity)                                                          \
    do {                                                                                           \
        (body).x[0] = (at).x;                                                                      \
        (body).x[1] = (at).y;                                                                      \
        (body).u[0] = (velocity).x;                                                                \
        (body).u[1] = (velocity).y;                                                                \
    } while (0)

/* Close: the status of the program. */
ADAPTER_UNUSED static int adapter_end(adapter *a) {
    free(a->body);
    free(a->wall);
    return fclose(a->out) == 0 ? 0 : 1;
}

#endif

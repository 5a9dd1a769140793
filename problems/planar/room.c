/*
 * room.c - the rooms by name, and random initial positions in them.
 */
#include "problems/planar/room.h"

#include <assert.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static const double CELL = 2.5;    /* in radii */
static const double SHAKEN = 0.24; /* in radii: leaves 0.02 between two discs */
static const double FULL = 0.6;    /* of the cells, in a room that fits */
static const double LEAST = 6.0;   /* cells along a side: room for posts and an exit */
static const double MOST = 1e7;    /* cells that are looked at besides twice as many as discs */

static void add(double *list, il_plan_part *part, size_t n, const double *x) {
    assert(part->n + n <= IL_ROOM_NUMBERS);
    memcpy(list + part->n, x, n * sizeof *x);
    part->n += n;
}

static void add_wall(il_room *room, double x1, double y1, double x2, double y2) {
    add(room->wall, &room->walls, 4, (const double[]){x1, y1, x2, y2});
}

static void add_post(il_room *room, double x, double y, double R) {
    add(room->post, &room->posts, 3, (const double[]){x, y, R});
}

/* The hall, open on the right between low and high, unless low = high. */
static void add_hall(il_room *room, double L, double low, double high) {
    add_wall(room, 0.0, 0.0, L, 0.0);
    if (low < high) {
        add_wall(room, L, 0.0, L, low);
        add_wall(room, L, high, L, L);
    } else {
        add_wall(room, L, 0.0, L, L);
    }
    add_wall(room, L, L, 0.0, L);
    add_wall(room, 0.0, L, 0.0, 0.0);
}

void il_room_draw(il_room *room, const char *name, double L, double w, bool elsewhere) {
    bool shut = elsewhere && strcmp(name, "corridor") != 0;
    double low = 0.5 * (L - w);
    double high = 0.5 * (L + w);
    double end = L;
    *room = (il_room){.walls = {0, NULL}};
    room->walls.x = room->wall;
    room->posts.x = room->post;
    if (strcmp(name, "open") != 0) {
        add_hall(room, L, shut ? high : low, high);
    }
    if (strcmp(name, "corridor") == 0) {
        end = 1.5 * L;
        add_wall(room, L, low, end, low);
        add_wall(room, L, high, end, high);
    } else if (strcmp(name, "posts") == 0) {
        add_post(room, L - 1.2 * w, 0.5 * L, 0.25 * w);
        add_post(room, 0.45 * L, 0.25 * L, 0.06 * L);
        add_post(room, 0.45 * L, 0.75 * L, 0.06 * L);
    } else if (strcmp(name, "rooms") == 0) { /* an inner wall with a passage as wide as the exit */
        add_wall(room, 0.5 * L, 0.0, 0.5 * L, 0.8 * L - w);
        add_wall(room, 0.5 * L, 0.8 * L, 0.5 * L, L);
    }
    memcpy(room->exit, (const double[]){end, low, end, high}, sizeof room->exit);
}

/* Where (x, y) is along a wall: 0 at its beginning, 1 at its end; NaN beside it. */
static double along_wall(const double *wall, const double *x) {
    double e[2] = {wall[2] - wall[0], wall[3] - wall[1]};
    double w[2] = {x[0] - wall[0], x[1] - wall[1]};
    double size2 = e[0] * e[0] + e[1] * e[1];
    double off = fabs(e[0] * w[1] - e[1] * w[0]);
    double s = (e[0] * w[0] + e[1] * w[1]) / size2;
    return off <= 1e-12 * size2 && s >= -1e-12 && s <= 1.0 + 1e-12 ? s : NAN;
}

void il_room_open(il_room *room, const double *exit) {
    for (size_t k = 0; k + 4 <= room->walls.n; k += 4) {
        double *wall = room->wall + k;
        double a = along_wall(wall, exit);
        double b = along_wall(wall, exit + 2);
        if (a < b || b < a) { /* both on it */
            double end[2] = {wall[2], wall[3]};
            memcpy(wall + 2, exit + (a < b ? 0 : 2), 2 * sizeof *wall);
            const double *rest = exit + (a < b ? 2 : 0);
            add_wall(room, rest[0], rest[1], end[0], end[1]);
            memcpy(room->exit, exit, sizeof room->exit);
            return;
        }
    }
}

double il_room_side(size_t n, double r) {
    return CELL * r * fmax(LEAST, ceil(sqrt((double)n / FULL)));
}

/* Is the disc of radius r at x clear of all, before the exit's line? */
static bool clear(const il_plan *plan, const double *exit, double r, const double *x) {
    for (size_t k = 0; k < plan->n; k++) {
        if (!(il_capsule_between(&plan->shape[k], x, x) >= plan->shape[k].R + r)) {
            return false;
        }
    }
    double e[2] = {exit[2] - exit[0], exit[3] - exit[1]};
    return e[0] * (x[1] - exit[1]) - e[1] * (x[0] - exit[0]) > 0.0;
}

il_status il_room_fill(const il_plan *plan, const double *exit, double L, double r, size_t n,
                       size_t seed, double *q, il_error *err) {
    double along = floor(L / (CELL * r) * (1.0 + 1e-12));
    if (!(along * along <= MOST + 2.0 * (double)n)) {
        return il_fail(
            err, IL_EINVAL,
            "a hall of side %.10g has %.3g places for discs of radius %.10g; allowed: at "
            "most %.3g to draw %zu starts from, else give the starts themselves, q0",
            L, along * along, r, MOST + 2.0 * (double)n, n);
    }
    size_t columns = (size_t)along;
    size_t cells = columns * columns;
    double *x = il_alloc(2 * cells, sizeof *x);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    il_status status = IL_OK;
    size_t found = 0;
    gsl_rng_set(rng, (unsigned long)seed);
    for (size_t k = 0; k < cells; k++) {
        for (size_t c = 0; c < 2; c++) {
            double at = (double)(c == 0 ? k % columns : k / columns) + 0.5;
            double shift = SHAKEN * r * (2.0 * gsl_rng_uniform(rng) - 1.0);
            x[2 * found + c] = L / (double)columns * at + shift;
        }
        found += clear(plan, exit, r, x + 2 * found) ? 1 : 0;
    }
    if (found < n) {
        status = il_fail(err, IL_EINVAL,
                         "there is room for %zu discs of radius %.10g in a hall of side %.10g, not "
                         "for N = %zu: let N be smaller or the side larger",
                         found, r, L, n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) { /* n of them, any n with the same chance */
        size_t pick = k + gsl_rng_uniform_int(rng, found - k);
        memcpy(q + 2 * k, x + 2 * pick, 2 * sizeof *q);
        memcpy(x + 2 * pick, x + 2 * k, 2 * sizeof *x);
    }
done:
    gsl_rng_free(rng);
    free(x);
    return status;
}

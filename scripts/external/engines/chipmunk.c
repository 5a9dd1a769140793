/*
 * chipmunk.c - Chipmunk 7.0 (Debian: libchipmunk-dev) as a scheme of `exec:`. Discs in the plane, walls
 * are segments; no friction, damping or sleeping, else the engine's defaults: 10 iterations, overlaps
 * of 0.1 left alone. Positions move before velocities change, so that a velocity holds on the step
 * that follows: exec:between=constant:build/engines/chipmunk. Restitutions multiply: bodies and walls
 * have e^(1/2). Options:
 *
 *     iterations=10   of the solver
 *     slop=0.1        collision slop
 *     radius=1        of a body that the problem calls a point
 */
#include <chipmunk/chipmunk.h>

#include "adapter.h"

/* Segments go this many extents of the scene to each side: discs stay within. */
static const double REACH = 8.0;

static void build(cpSpace *space, const adapter_wall *wall, double extent, double e) {
    cpVect normal = cpv(wall->normal[0], wall->normal[1]);
    double length = cpvlength(normal);
    cpVect n = cpvmult(normal, 1.0 / length);
    cpVect middle = cpvmult(n, wall->offset / length);
    cpVect along = cpvmult(cpvperp(n), REACH * extent);
    cpShape *shape = cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpvsub(middle, along),
                                       cpvadd(middle, along), 0.0);
    cpShapeSetElasticity(shape, sqrt(e));
    cpSpaceAddShape(space, shape);
}

static cpBody *create(cpSpace *space, const adapter_body *b, double e) {
    cpBody *body =
        cpSpaceAddBody(space, cpBodyNew(b->m, cpMomentForCircle(b->m, 0.0, b->r, cpvzero)));
    cpBodySetPosition(body, cpv(b->x[0], b->x[1]));
    cpBodySetVelocity(body, cpv(b->u[0], b->u[1]));
    cpShape *shape = cpSpaceAddShape(space, cpCircleShapeNew(body, b->r, cpvzero));
    cpShapeSetElasticity(shape, sqrt(e));
    return body;
}

int main(int argc, char **argv) {
    static const char keys[] = "iterations slop radius";
    adapter a = adapter_read(2, adapter_option(argc, argv, "radius", 1.0, keys));
    cpSpace *space = cpSpaceNew();
    cpSpaceSetGravity(space, cpv(a.gravity[0], a.gravity[1]));
    cpSpaceSetIterations(space, (int)adapter_option(argc, argv, "iterations", 10.0, keys));
    cpSpaceSetCollisionSlop(
        space, adapter_option(argc, argv, "slop", cpSpaceGetCollisionSlop(space), keys));
    for (size_t k = 0; k < a.walls; k++) {
        build(space, &a.wall[k], a.extent, a.e);
    }
    cpBody **body = (cpBody **)adapter_allocate(a.bodies, sizeof *body);
    for (size_t i = 0; i < a.bodies; i++) {
        body[i] = create(space, &a.body[i], a.e);
    }
    for (size_t n = 0; n < a.steps; n++) {
        for (size_t i = 0; i < a.bodies; i++) {
            cpBodySetForce(body[i], cpv(a.body[i].force[0], a.body[i].force[1]));
        }
        cpSpaceStep(space, a.h);
        for (size_t i = 0; i < a.bodies; i++) {
            ADAPTER_PLANE(a.body[i], cpBodyGetPosition(body[i]), cpBodyGetVelocity(body[i]));
        }
        adapter_write(&a);
    }
    free(body);
    return adapter_end(&a); /* the space ends with the program */
}

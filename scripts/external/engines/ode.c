/*
 * ode.c - ODE 0.16 (Debian: libode-dev) as a scheme of `exec:`. Spheres in space, walls are planes;
 * no friction, no disabling of bodies, bounce_vel 0, else the engine's defaults (erp 1/5, cfm 1e-10 in
 * double precision, contact layer 0). Options:
 *
 *     quick=0     dWorldQuickStep with that many sweeps; 0: dWorldStep, which solves exactly and fails
 *                 with a message of its own where contacts are redundant
 *     erp= cfm=   of the world
 *     radius=1    of a body that the problem calls a point
 */
#include <ode/ode.h>

#include "adapter.h"

enum { POINTS = 4 };

typedef struct {
    dWorldID world;
    dJointGroupID contacts;
    double e;
} scene;

static void collide(void *data, dGeomID a, dGeomID b) {
    scene *s = (scene *)data;
    dContact contact[POINTS];
    memset(contact, 0, sizeof contact);
    int n = dCollide(a, b, POINTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactBounce;
        contact[i].surface.bounce = s->e;
        dJointID joint = dJointCreateContact(s->world, s->contacts, &contact[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dBodyID create(dWorldID world, dSpaceID space, const adapter_body *b) {
    dMass mass;
    dBodyID body = dBodyCreate(world);
    dGeomID sphere = dCreateSphere(space, b->r);
    dMassSetSphereTotal(&mass, b->m, b->r);
    dBodySetMass(body, &mass);
    dGeomSetBody(sphere, body);
    dBodySetPosition(body, b->x[0], b->x[1], b->x[2]);
    dBodySetLinearVel(body, b->u[0], b->u[1], b->u[2]);
    return body;
}

int main(int argc, char **argv) {
    static const char keys[] = "quick erp cfm radius";
    adapter a = adapter_read(3, adapter_option(argc, argv, "radius", 1.0, keys));
    dInitODE2(0);
    scene s = {dWorldCreate(), dJointGroupCreate(0), a.e};
    dSpaceID space = dSimpleSpaceCreate(0);
    int quick = (int)adapter_option(argc, argv, "quick", 0.0, keys);
    dWorldSetGravity(s.world, a.gravity[0], a.gravity[1], a.gravity[2]);
    dWorldSetAutoDisableFlag(s.world, 0);
    dWorldSetERP(s.world, adapter_option(argc, argv, "erp", dWorldGetERP(s.world), keys));
    dWorldSetCFM(s.world, adapter_option(argc, argv, "cfm", dWorldGetCFM(s.world), keys));
    if (quick > 0) {
        dWorldSetQuickStepNumIterations(s.world, quick);
    }
    for (size_t k = 0; k < a.walls; k++) {
        const double *n = a.wall[k].normal;
        dCreatePlane(space, n[0], n[1], n[2], a.wall[k].offset);
    }
    dBodyID *body = (dBodyID *)adapter_allocate(a.bodies, sizeof *body);
    for (size_t i = 0; i < a.bodies; i++) {
        body[i] = create(s.world, space, &a.body[i]);
    }
    for (size_t n = 0; n < a.steps; n++) {
        for (size_t i = 0; i < a.bodies; i++) {
            const double *f = a.body[i].force;
            dBodyAddForce(body[i], f[0], f[1], f[2]);
        }
        dSpaceCollide(space, &s, collide);
        (void)(quick > 0 ? dWorldQuickStep(s.world, a.h) : dWorldStep(s.world, a.h));
        dJointGroupEmpty(s.contacts);
        for (size_t i = 0; i < a.bodies; i++) {
            memcpy(a.body[i].x, dBodyGetPosition(body[i]), sizeof a.body[i].x);
            memcpy(a.body[i].u, dBodyGetLinearVel(body[i]), sizeof a.body[i].u);
        }
        adapter_write(&a);
    }
    free(body);
    dCloseODE();
    return adapter_end(&a);
}

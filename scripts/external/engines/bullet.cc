/*
 * bullet.cc - Bullet 3.24 in double precision (Debian: libbullet-dev) as a scheme of `exec:`. Spheres in
 * space, walls are static planes; no friction, damping or sleeping, else the engine's defaults: split
 * impulses, threshold of restitution 1/5, margin 1/50. Restitutions multiply: bodies and walls have
 * e^(1/2). Options:
 *
 *     iterations=10   of the sequential impulse solver
 *     split=1         0: no split impulses: the push by overlap is one of velocities
 *     radius=1        of a body that the problem calls a point
 */
#include <btBulletDynamicsCommon.h>

#include "adapter.h"

static btVector3 vector(const double *x) {
    return btVector3(x[0], x[1], x[2]);
}

static btRigidBody *create(btDiscreteDynamicsWorld &world, const adapter_body &b, double e) {
    btSphereShape *sphere = new btSphereShape(b.r);
    btVector3 inertia;
    btTransform place;
    sphere->calculateLocalInertia(b.m, inertia);
    place.setIdentity();
    place.setOrigin(vector(b.x));
    btRigidBody *body = new btRigidBody(b.m, new btDefaultMotionState(place), sphere, inertia);
    body->setRestitution(sqrt(e));
    body->setFriction(0);
    body->setDamping(0, 0);
    body->setLinearVelocity(vector(b.u));
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
    return body;
}

int main(int argc, char **argv) {
    static const char keys[] = "iterations split radius";
    adapter a = adapter_read(3, adapter_option(argc, argv, "radius", 1.0, keys));
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btContactSolverInfo &info = world.getSolverInfo();
    world.setGravity(vector(a.gravity));
    info.m_numIterations =
        (int)adapter_option(argc, argv, "iterations", info.m_numIterations, keys);
    info.m_splitImpulse = (int)adapter_option(argc, argv, "split", 1.0, keys) != 0;
    for (size_t k = 0; k < a.walls; k++) {
        btCollisionShape *plane =
            new btStaticPlaneShape(vector(a.wall[k].normal), a.wall[k].offset);
        btRigidBody *wall = new btRigidBody(0, nullptr, plane);
        wall->setRestitution(sqrt(a.e));
        wall->setFriction(0);
        world.addRigidBody(wall);
    }
    btRigidBody **body = (btRigidBody **)adapter_allocate(a.bodies, sizeof *body);
    for (size_t i = 0; i < a.bodies; i++) {
        body[i] = create(world, a.body[i], a.e);
    }
    for (size_t n = 0; n < a.steps; n++) {
        for (size_t i = 0; i < a.bodies; i++) {
            body[i]->applyCentralForce(vector(a.body[i].force));
        }
        world.stepSimulation(a.h, 0);
        for (size_t i = 0; i < a.bodies; i++) {
            for (int c = 0; c < 3; c++) {
                a.body[i].x[c] = body[i]->getWorldTransform().getOrigin()[c];
                a.body[i].u[c] = body[i]->getLinearVelocity()[c];
            }
        }
        adapter_write(&a);
    }
    return adapter_end(&a); // the world's objects end with the program
}

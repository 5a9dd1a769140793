/*
 * simbody.cc - Simbody 3.7 (Debian: libsimbody-dev) as a scheme of `exec:`, by its time stepper for rigid
 * contact, SemiExplicitEulerTimeStepper, with the defaults: Poisson's restitution in rounds, an exact
 * impulse solver, positions projected. Bodies on Cartesian joints; contacts of spheres with planes are
 * those of their centres, frictionless, and of spheres with spheres without friction. Bounces are those
 * above 0.001 of approach. Options:
 *
 *     radius=1   of a body that the problem calls a point
 */
#include <Simbody.h>

#include "adapter.h"

int main(int argc, char **argv) {
    static const char keys[] = "radius";
    using namespace SimTK;
    adapter a = adapter_read(3, adapter_option(argc, argv, "radius", 1.0, keys));
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::UniformGravity gravity(forces, matter, Vec3(a.gravity[0], a.gravity[1], a.gravity[2]));
    std::vector<MobilizedBody> body;
    for (size_t i = 0; i < a.bodies; i++) {
        const adapter_body &b = a.body[i];
        Body::Rigid solid(MassProperties(b.m, Vec3(0), b.m * UnitInertia::sphere(b.r)));
        body.push_back(
            MobilizedBody::Translation(matter.Ground(), Transform(), solid, Transform()));
        Force::ConstantForce(forces, body[i], Vec3(0), Vec3(b.force[0], b.force[1], b.force[2]));
    }
    for (size_t i = 0; i < a.bodies; i++) {
        for (size_t k = 0; k < a.walls; k++) {
            Vec3 n(a.wall[k].normal[0], a.wall[k].normal[1], a.wall[k].normal[2]);
            matter.adoptUnilateralContact(new PointPlaneFrictionlessContact(
                matter.Ground(), UnitVec3(n), a.wall[k].offset / n.norm() + a.body[i].r, body[i],
                Vec3(0), a.e));
        }
        for (size_t j = 0; j < i; j++) {
            matter.adoptUnilateralContact(new SphereSphereContact(
                body[j], Vec3(0), a.body[j].r, body[i], Vec3(0), a.body[i].r, a.e, 0, 0, 0));
        }
    }
    State start = system.realizeTopology();
    for (size_t i = 0; i < a.bodies; i++) {
        body[i].setQToFitTranslation(start, Vec3(a.body[i].x[0], a.body[i].x[1], a.body[i].x[2]));
        body[i].setUToFitLinearVelocity(start,
                                        Vec3(a.body[i].u[0], a.body[i].u[1], a.body[i].u[2]));
    }
    SemiExplicitEulerTimeStepper stepper(system);
    /* The library tells of each step. */
    if (freopen("/dev/null", "w", stdout) == nullptr) {
        adapter_refuse("cannot write to /dev/null");
    }
    stepper.initialize(start);
    for (size_t n = 0; n < a.steps; n++) {
        stepper.stepTo((double)(n + 1) * a.h);
        const State &now = stepper.getState();
        system.realize(now, Stage::Velocity);
        for (size_t i = 0; i < a.bodies; i++) {
            Vec3 x = body[i].getBodyOriginLocation(now);
            Vec3 u = body[i].getBodyOriginVelocity(now);
            for (int c = 0; c < 3; c++) {
                a.body[i].x[c] = x[c];
                a.body[i].u[c] = u[c];
            }
        }
        adapter_write(&a);
    }
    return adapter_end(&a);
}

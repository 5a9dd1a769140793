/*
 * dart.cc - DART 6.12 (Debian: libdart-dev) as a scheme of `exec:`. Spheres on translational joints in
 * space, walls are boxes, by DART's own collision detector (FCL's, its default, takes spheres for meshes);
 * no friction, else the engine's defaults: rebounds above 0.1, an hundredth of an overlap a step at a speed of at most 0.001,
 * cfm 1e-5, Dantzig's method. Restitutions multiply: bodies and walls have e^(1/2). Options:
 *
 *     radius=1   of a body that the problem calls a point
 */
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "adapter.h"

using namespace dart::dynamics;

/* Walls are cubes of so many extents of the scene: spheres stay before their faces. */
static const double REACH = 16.0;

static void surface(ShapeNode *shape, double e) {
    shape->getDynamicsAspect()->setRestitutionCoeff(sqrt(e));
    shape->getDynamicsAspect()->setFrictionCoeff(0);
}

static SkeletonPtr create(const adapter_body &b, double e) {
    SkeletonPtr skeleton = Skeleton::create();
    auto pair = skeleton->createJointAndBodyNodePair<TranslationalJoint>();
    pair.second->setMass(b.m);
    surface(pair.second->createShapeNodeWith<VisualAspect, CollisionAspect, DynamicsAspect>(
                std::make_shared<SphereShape>(b.r)),
            e);
    pair.first->setPositions(Eigen::Vector3d(b.x[0], b.x[1], b.x[2]));
    pair.first->setVelocities(Eigen::Vector3d(b.u[0], b.u[1], b.u[2]));
    return skeleton;
}

static SkeletonPtr build(const adapter_wall &wall, double extent, double e) {
    SkeletonPtr skeleton = Skeleton::create();
    auto pair = skeleton->createJointAndBodyNodePair<WeldJoint>();
    Eigen::Vector3d n(wall.normal[0], wall.normal[1], wall.normal[2]);
    double size = REACH * extent;
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.linear() =
        Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), n).toRotationMatrix();
    place.translation() = (wall.offset / n.norm() - 0.5 * size) * n / n.norm();
    pair.first->setTransformFromParentBodyNode(place);
    surface(pair.second->createShapeNodeWith<VisualAspect, CollisionAspect, DynamicsAspect>(
                std::make_shared<BoxShape>(Eigen::Vector3d(size, size, size))),
            e);
    return skeleton;
}

int main(int argc, char **argv) {
    static const char keys[] = "radius";
    adapter a = adapter_read(3, adapter_option(argc, argv, "radius", 1.0, keys));
    auto world = dart::simulation::World::create();
    world->setGravity(Eigen::Vector3d(a.gravity[0], a.gravity[1], a.gravity[2]));
    world->setTimeStep(a.h);
    world->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());
    for (size_t k = 0; k < a.walls; k++) {
        SkeletonPtr wall = build(a.wall[k], a.extent, a.e);
        wall->setName("wall" + std::to_string(k));
        world->addSkeleton(wall);
    }
    std::vector<SkeletonPtr> body;
    for (size_t i = 0; i < a.bodies; i++) {
        body.push_back(create(a.body[i], a.e));
        body[i]->setName("body" + std::to_string(i));
        world->addSkeleton(body[i]);
    }
    for (size_t n = 0; n < a.steps; n++) {
        for (size_t i = 0; i < a.bodies; i++) {
            const double *f = a.body[i].force;
            body[i]->getBodyNode(0)->addExtForce(Eigen::Vector3d(f[0], f[1], f[2]));
        }
        world->step();
        for (size_t i = 0; i < a.bodies; i++) {
            for (int c = 0; c < 3; c++) {
                a.body[i].x[c] = body[i]->getPositions()[c];
                a.body[i].u[c] = body[i]->getVelocities()[c];
            }
        }
        adapter_write(&a);
    }
    return adapter_end(&a);
}

"""pybullet, by its Quickstart Guide."""
from standin import Bodies

DIRECT, GEOM_SPHERE, GEOM_PLANE, WORLD_FRAME = 2, 2, 6, 2
world, shapes, ids, step = Bodies(), [], {}, {}


def connect(method):
    assert method == DIRECT
    return 0


def setGravity(gravX, gravY, gravZ):
    world.gravity = [gravX, gravY, gravZ]


def setTimeStep(timeStep):
    step["h"] = timeStep


def setPhysicsEngineParameter(fixedTimeStep=0, numSolverIterations=50, numSubSteps=0):
    assert isinstance(numSolverIterations, int) and numSolverIterations > 0


def createCollisionShape(shapeType, radius=0.5, planeNormal=(0, 0, 1)):
    assert shapeType in (GEOM_SPHERE, GEOM_PLANE)
    shapes.append((shapeType, radius, planeNormal))
    return len(shapes) - 1


def createMultiBody(baseMass=0.0, baseCollisionShapeIndex=-1, baseVisualShapeIndex=-1, basePosition=(0, 0, 0)):
    kind, radius, normal = shapes[baseCollisionShapeIndex]
    unique = len(ids)
    assert (baseMass == 0.0) == (kind == GEOM_PLANE)
    ids[unique] = world.add(basePosition, baseMass, radius) if baseMass > 0.0 else None
    return unique


def changeDynamics(bodyUniqueId, linkIndex, restitution, lateralFriction, linearDamping, angularDamping):
    assert linkIndex == -1 and 0.0 <= restitution <= 1.0
    assert lateralFriction == linearDamping == angularDamping == 0.0


def resetBaseVelocity(objectUniqueId, linearVelocity, angularVelocity=(0, 0, 0)):
    world.u[ids[objectUniqueId]] = list(linearVelocity)


def applyExternalForce(objectUniqueId, linkIndex, forceObj, posObj, flags):
    assert linkIndex == -1 and flags == WORLD_FRAME and list(posObj) == world.x[ids[objectUniqueId]]
    world.force[ids[objectUniqueId]] = list(forceObj)


def stepSimulation():
    world.fly(step["h"])


def getBasePositionAndOrientation(objectUniqueId):
    return tuple(world.x[ids[objectUniqueId]]), (0.0, 0.0, 0.0, 1.0)


def getBaseVelocity(objectUniqueId):
    return tuple(world.u[ids[objectUniqueId]]), (0.0, 0.0, 0.0)

"""PyBullet (pip: pybullet) as a scheme of `exec:`: Bullet in double precision, spheres in space, walls are
planes; no friction or damping, else PyBullet's defaults: 50 sweeps, a rebound threshold of 0.2.

    impactlab run --problem bouncing_ball --scheme "exec:python3 build/engines/pybullet.py" --steps 200

No package of Debian or npm has it: written after its Quickstart Guide, and tested with a stand-in that checks
calls. Options: iterations=50.
"""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != here] + [here]  # this file has the module's name
import adapter
import pybullet as p

a = adapter.read()
given = adapter.options(iterations=50.0)
p.connect(p.DIRECT)
p.setGravity(*a.gravity)
p.setTimeStep(a.h)
p.setPhysicsEngineParameter(numSolverIterations=int(given.iterations), numSubSteps=1)
made = []
for m, shape, x in ([(0.0, dict(shapeType=p.GEOM_PLANE, planeNormal=w.normal), [w.offset * c for c in w.normal])
                     for w in a.walls]
                    + [(b.m, dict(shapeType=p.GEOM_SPHERE, radius=b.r), b.x) for b in a.bodies]):
    made.append(p.createMultiBody(baseMass=m, baseCollisionShapeIndex=p.createCollisionShape(**shape), basePosition=x))
    # Restitutions multiply.
    p.changeDynamics(made[-1], -1, restitution=a.e ** 0.5, lateralFriction=0.0, linearDamping=0.0, angularDamping=0.0)
made = made[len(a.walls):]
for b, body in zip(a.bodies, made):
    p.resetBaseVelocity(body, linearVelocity=b.u)
for _ in range(a.steps):
    for b, body in zip(a.bodies, made):
        p.applyExternalForce(body, -1, b.force, b.x, p.WORLD_FRAME)
    p.stepSimulation()
    for b, body in zip(a.bodies, made):
        b.x, b.u = list(p.getBasePositionAndOrientation(body)[0]), list(p.getBaseVelocity(body)[0])
    adapter.write(a)

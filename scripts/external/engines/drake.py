"""Drake (pip: drake) as a scheme of `exec:`: a discrete MultibodyPlant with point contact, spheres in space,
walls are half-spaces; no friction, else Drake's defaults. Its contacts have no restitution.

    impactlab run --problem bouncing_ball --set e=0 --scheme "exec:python3 build/engines/drake.py" --steps 200

No package of Debian or npm has it: written after its documentation, and tested with a stand-in that checks
calls. Forces beside gravity and e > 0 are refused.
"""
import adapter
from pydrake.geometry import HalfSpace, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

a = adapter.read()
adapter.options()
if a.e > 0.0:
    adapter.refuse("the restitution is %g; contacts of Drake have none" % a.e)
if any(any(b.force) for b in a.bodies):
    adapter.refuse("bodies have forces of their own; this adapter tells Drake of gravity alone")
builder = DiagramBuilder()
plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=a.h)
smooth = CoulombFriction(0.0, 0.0)
for n, w in enumerate(a.walls):
    pose = HalfSpace.MakePose(w.normal, [w.offset * c for c in w.normal])
    plant.RegisterCollisionGeometry(plant.world_body(), pose, HalfSpace(), "wall%d" % n, smooth)
made = []
for i, b in enumerate(a.bodies):
    inertia = SpatialInertia(mass=b.m, p_PScm_E=[0.0, 0.0, 0.0], G_SP_E=UnitInertia.SolidSphere(b.r))
    body = plant.AddRigidBody("ball%d" % i, inertia)
    plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(b.r), "ball%d" % i, smooth)
    made.append(body)
plant.mutable_gravity_field().set_gravity_vector(a.gravity)
plant.Finalize()
diagram = builder.Build()
simulator = Simulator(diagram)
context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
for b, body in zip(a.bodies, made):
    plant.SetFreeBodyPose(context, body, RigidTransform(b.x))
    plant.SetFreeBodySpatialVelocity(body, SpatialVelocity(w=[0.0, 0.0, 0.0], v=b.u), context)
simulator.Initialize()
for n in range(a.steps):
    simulator.AdvanceTo((n + 1) * a.h)
    for b, body in zip(a.bodies, made):
        b.x = [float(c) for c in plant.EvalBodyPoseInWorld(context, body).translation()]
        b.u = [float(c) for c in plant.EvalBodySpatialVelocityInWorld(context, body).translational()]
    adapter.write(a)

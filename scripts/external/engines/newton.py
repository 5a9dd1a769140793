"""Newton 1 on Warp (pip: newton) as a scheme of `exec:`: its XPBD solver with restitution, single precision,
spheres in space, walls are planes; no friction, else Newton's defaults.

    impactlab run --problem bouncing_ball --scheme "exec:python3 build/engines/newton.py" --steps 200

No package of Debian or npm has it: written after its documentation, and tested with a stand-in that checks
calls. Options: iterations=2 of the solver.
"""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != here] + [here]  # this file has the module's name
import adapter
import newton
import numpy as np
import warp as wp

a = adapter.read()
given = adapter.options(iterations=2.0)
builder = newton.ModelBuilder()
surface = newton.ModelBuilder.ShapeConfig(density=0.0, mu=0.0, restitution=a.e)
for w in a.walls:
    builder.add_shape_plane(plane=(*w.normal, -w.offset), width=0.0, length=0.0, cfg=surface)
for b in a.bodies:
    inertia = 0.4 * b.m * b.r ** 2
    body = builder.add_body(xform=wp.transform(b.x, wp.quat_identity()), mass=b.m,
                            inertia=wp.mat33(inertia, 0.0, 0.0, 0.0, inertia, 0.0, 0.0, 0.0, inertia))
    builder.add_shape_sphere(body, radius=b.r, cfg=surface)
model = builder.finalize()
model.set_gravity(tuple(a.gravity))
solver = newton.solvers.SolverXPBD(model, iterations=int(given.iterations), enable_restitution=a.e > 0.0)
now, then, control, contacts = model.state(), model.state(), model.control(), model.contacts()
now.body_qd.assign(np.array([[*b.u, 0.0, 0.0, 0.0] for b in a.bodies], dtype=np.float32))
force = np.array([[*b.force, 0.0, 0.0, 0.0] for b in a.bodies], dtype=np.float32)
for _ in range(a.steps):
    now.clear_forces()
    now.body_f.assign(force)
    model.collide(now, contacts)
    solver.step(now, then, control, contacts, a.h)
    now, then = then, now
    for b, x, u in zip(a.bodies, now.body_q.numpy(), now.body_qd.numpy()):
        b.x, b.u = [float(c) for c in x[:3]], [float(c) for c in u[:3]]
    adapter.write(a)

"""YADE 2023.02 (Debian: yade) as a scheme of `exec:`: spheres in space, walls along the axes; linear
springs with dampers (ViscElMat, Law2_ScGeom_ViscElPhys_Basic), no friction or numerical damping.

    impactlab run --problem bouncing_ball --set e=1 --steps 2000 \\
        --scheme "exec:yade -n -x build/engines/yade.py k=1000"

Its velocity is that of half a step before, and what it is started with counts as such: semi-implicit
Euler. Dampers are set by material, so bodies have one mass. Options:

    k=20     stiffness of a contact
    nodes=0  1: it is started half a step back, and velocities are means around the node
"""
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
import adapter

a = adapter.read()
given = adapter.options(k=20.0, nodes=0.0)
m = a.bodies[0].m
if any(b.m != m for b in a.bodies):
    adapter.refuse("bodies have different masses; YADE's dampers are set by material, for one mass")
l = math.log(a.e) if a.e > 0.0 else -math.inf
zeta = 1.0 if a.e == 0.0 else -l / math.hypot(math.pi, l)
# Of two materials YADE takes k k'/(k + k'), and so of cn. Two bodies have half the mass of one and a wall.
c = 2.0 * zeta * math.sqrt(given.k * m)
half = math.sqrt(0.5)
ball, side = (O.materials.append(ViscElMat(kn=2.0 * given.k, cn=cn, ks=0.0, cs=0.0, frictionAngle=0.0))
              for cn in (2.0 * half * c, c / (1.0 - half)))
for b in a.bodies:
    made = sphere(b.x, b.r, material=O.materials[ball])
    made.state.mass = m
    back = 0.5 * a.h if given.nodes else 0.0
    made.state.vel = [u - back * (g + f / m) for u, g, f in zip(b.u, a.gravity, b.force)]
    O.bodies.append(made)
for w in a.walls:
    axis = max(range(3), key=lambda k: abs(w.normal[k]))
    if abs(abs(w.normal[axis]) - 1.0) > 1e-15:
        adapter.refuse("a wall is not along an axis; YADE's are")
    sign = 1 if w.normal[axis] > 0.0 else -1
    O.bodies.append(wall(w.offset * sign, axis, sense=sign, material=O.materials[side]))
O.engines = [ForceResetter(),
             InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),
             InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
                             [Ip2_ViscElMat_ViscElMat_ViscElPhys()], [Law2_ScGeom_ViscElPhys_Basic()]),
             NewtonIntegrator(damping=0.0, gravity=a.gravity)]
O.dt = a.h
for i, b in enumerate(a.bodies):
    O.forces.setPermF(i, b.force)


def look():
    for i, b in enumerate(a.bodies):
        b.x, b.u = list(O.bodies[i].state.pos), list(O.bodies[i].state.vel)


for n in range(a.steps):
    if not given.nodes or n == 0:
        O.step()
        look()
    x, before = [b.x for b in a.bodies], [b.u for b in a.bodies]
    if given.nodes:
        O.step()
        look()
        ahead = [(b.x, b.u) for b in a.bodies]
        for b, p, v in zip(a.bodies, x, before):
            b.x, b.u = p, [0.5 * (v0 + v1) for v0, v1 in zip(v, b.u)]
    adapter.write(a)
    if given.nodes:
        for b, (p, v) in zip(a.bodies, ahead):
            b.x, b.u = p, v
os._exit(0)

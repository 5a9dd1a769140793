"""Project Chrono 9 (conda: pychrono) as a scheme of `exec:`: non-smooth contact (ChSystemNSC), spheres in
space, walls are boxes; no friction, else Chrono's defaults.

    impactlab run --problem bouncing_ball --scheme "exec:python3 build/engines/chrono.py" --steps 200

No package of Debian or npm has it: written after its manual and demos, and tested with a stand-in that checks
calls. Forces beside gravity are refused. Options: iterations=100 of the solver.
"""
import math

import adapter
import pychrono as ch

a = adapter.read()
given = adapter.options(iterations=100.0)
if any(any(b.force) for b in a.bodies):
    adapter.refuse("bodies have forces of their own; this adapter tells Chrono of gravity alone")
system = ch.ChSystemNSC()
system.SetCollisionSystemType(ch.ChCollisionSystem.Type_BULLET)
system.SetGravitationalAcceleration(ch.ChVector3d(*a.gravity))
system.GetSolver().AsIterative().SetMaxIterations(int(given.iterations))
material = ch.ChContactMaterialNSC()
material.SetFriction(0.0)
material.SetRestitution(a.e)
size = 16.0 * max([abs(c) + b.r for b in a.bodies for c in b.x] + [abs(w.offset) for w in a.walls])
for w in a.walls:
    wall = ch.ChBodyEasyBox(2.0 * size, 2.0 * size, 2.0 * size, 1.0, False, True, material)
    wall.SetFixed(True)
    wall.SetPos(ch.ChVector3d(*[(w.offset - size) * c for c in w.normal]))
    n = w.normal  # the turn of (0, 1, 0) to n, (w, x, y, z)
    half = math.hypot(n[0], 1.0 + n[1], n[2])
    turn = ((1.0 + n[1]) / half, n[2] / half, 0.0, -n[0] / half) if half > 0.0 else (0.0, 1.0, 0.0, 0.0)
    wall.SetRot(ch.ChQuaterniond(*turn))
    system.Add(wall)
made = []
for b in a.bodies:
    ball = ch.ChBodyEasySphere(b.r, b.m / (4.0 / 3.0 * math.pi * b.r ** 3), False, True, material)
    ball.SetPos(ch.ChVector3d(*b.x))
    ball.SetLinVel(ch.ChVector3d(*b.u))
    system.Add(ball)
    made.append(ball)
for _ in range(a.steps):
    system.DoStepDynamics(a.h)
    for b, ball in zip(a.bodies, made):
        x, u = ball.GetPos(), ball.GetLinVel()
        b.x, b.u = [x.x, x.y, x.z], [u.x, u.y, u.z]
    adapter.write(a)

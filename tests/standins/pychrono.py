"""pychrono 9, by its reference and demos."""
import math
from types import SimpleNamespace

from standin import Bodies

world = Bodies()


class ChVector3d:
    def __init__(self, x, y, z):
        self.x, self.y, self.z = float(x), float(y), float(z)


class ChQuaterniond:
    def __init__(self, e0, e1, e2, e3):
        assert abs(math.hypot(e0, e1, e2, e3) - 1.0) < 1e-12
        self.e = (e0, e1, e2, e3)


class ChCollisionSystem:
    Type_BULLET = 0


class ChContactMaterialNSC:
    def SetFriction(self, val):
        assert val == 0.0
        self.friction = val

    def SetRestitution(self, val):
        assert 0.0 <= val <= 1.0
        self.restitution = val


class Body:
    fixed, i = False, None

    def SetPos(self, x):
        self.x = x

    def SetLinVel(self, u):
        self.u = u

    def GetPos(self):
        return ChVector3d(*world.x[self.i])

    def GetLinVel(self):
        return ChVector3d(*world.u[self.i])


class ChBodyEasySphere(Body):
    def __init__(self, radius, density, create_visualization, create_collision, material):
        assert not create_visualization and create_collision and material.friction == 0.0
        self.m, self.r = density * 4.0 / 3.0 * math.pi * radius ** 3, radius


class ChBodyEasyBox(Body):
    def __init__(self, Xsize, Ysize, Zsize, density, create_visualization, create_collision, material):
        assert create_collision and material.restitution >= 0.0
        self.half = Xsize / 2.0

    def SetFixed(self, state):
        self.fixed = state

    def SetRot(self, q):
        self.q = q.e


class ChSystemNSC:
    def SetCollisionSystemType(self, kind):
        assert kind == ChCollisionSystem.Type_BULLET

    def SetGravitationalAcceleration(self, g):
        world.gravity = [g.x, g.y, g.z]

    def GetSolver(self):
        return SimpleNamespace(AsIterative=lambda: SimpleNamespace(SetMaxIterations=lambda n: int(n)))

    def Add(self, body):
        if isinstance(body, ChBodyEasyBox):
            assert body.fixed
            w, x, y, z = body.q  # its face that looked along y looks along the wall's normal, into the room
            n = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
            world.walls.append((n, sum(a * b for a, b in zip(n, (body.x.x, body.x.y, body.x.z))) + body.half))
            return
        for n, offset in world.walls:
            assert sum(a * b for a, b in zip(n, (body.x.x, body.x.y, body.x.z))) >= offset + body.r - 1e-9
        body.i = world.add((body.x.x, body.x.y, body.x.z), body.m, body.r)
        world.u[body.i] = [body.u.x, body.u.y, body.u.z]

    def DoStepDynamics(self, step_size):
        world.fly(step_size)

"""newton 1, by its documentation and examples."""
from types import SimpleNamespace

import numpy as np
from standin import Bodies

world = Bodies()


class Array:
    def __init__(self, n, width):
        self.a = np.zeros((n, width), dtype=np.float32)

    def assign(self, value):
        assert value.shape == self.a.shape and value.dtype == np.float32
        self.a[:] = value

    def numpy(self):
        return self.a


class State:
    def __init__(self, n):
        self.body_q, self.body_qd, self.body_f = Array(n, 7), Array(n, 6), Array(n, 6)

    def clear_forces(self):
        self.body_f.a[:] = 0.0


class Model:
    def __init__(self):
        self.looked = False

    def set_gravity(self, gravity):
        world.gravity = [float(c) for c in gravity]

    def state(self):
        made = State(len(world.x))
        made.body_q.a[:, :3] = world.x
        return made

    def control(self):
        return SimpleNamespace()

    def contacts(self):
        return SimpleNamespace(of=None)

    def collide(self, state, contacts):
        contacts.of = state


class ModelBuilder:
    class ShapeConfig:
        def __init__(self, density=1000.0, mu=0.5, restitution=0.0):
            assert density == 0.0 and mu == 0.0 and 0.0 <= restitution <= 1.0

    def add_shape_plane(self, body=-1, plane=(0.0, 0.0, 1.0, 0.0), width=10.0, length=10.0, cfg=None):
        assert body == -1 and width == length == 0.0 and cfg is not None
        world.walls.append(plane)

    def add_body(self, xform, mass, inertia):
        assert len(inertia) == 9 and xform[3:] == (0.0, 0.0, 0.0, 1.0)
        return world.add(xform[:3], mass, 0.0)

    def add_shape_sphere(self, body, radius, cfg):
        for a, b, c, d in world.walls:
            assert a * world.x[body][0] + b * world.x[body][1] + c * world.x[body][2] + d >= radius - 1e-9

    def finalize(self):
        return Model()


class SolverXPBD:
    def __init__(self, model, iterations=2, enable_restitution=False):
        assert isinstance(model, Model) and isinstance(iterations, int) and iterations > 0

    def step(self, state_in, state_out, control, contacts, dt):
        assert contacts.of is state_in and state_in is not state_out
        m = np.array(world.m, dtype=np.float32)[:, None]
        u = state_in.body_qd.a[:, :3] + dt * (np.array(world.gravity) + state_in.body_f.a[:, :3] / m)
        state_out.body_qd.a[:, :3] = u
        state_out.body_q.a[:] = state_in.body_q.a
        state_out.body_q.a[:, :3] += dt * u


solvers = SimpleNamespace(SolverXPBD=SolverXPBD)

#!/usr/bin/python3
"""siconos_pile.py - the same pile of spheres by impactlab and by Siconos, from the same start.

    siconos_pile.py [--spheres N] [--steps K] [--h H] [--limit SECONDS] [--program PATH] [--csv FILE]

N frictionless inelastic spheres fall into a box and pack (`impactlab show pile`, space = 3). The
start is impactlab's, read from a trajectory that it writes; the radii, which it does not hold, are
drawn anew by the rule that the problem states, and the positions drawn with them must be those of
the file. Siconos makes Moreau-Jean steps (theta = 1/2) with Bullet's contacts and its nonsmooth
Gauss-Seidel solver at 1e-8, as its own examples do; impactlab makes Maury's steps with its own
choice of projector at 1e-12. Overlaps are measured here, at every node, by the same function for
both. Times are CPU times of the steps, and set-up is counted for impactlab alone.

Siconos is stopped after --limit seconds of CPU time (default 120), and impactlab then makes as many steps.
Exit status: 0; 1 a program failed; 2 bad usage; 77 Siconos is not installed (Debian: siconos
python3-siconos python3-scipy python3-h5py).
"""
import argparse
import contextlib
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
    import siconos.kernel as sk
    import siconos.numerics as sn
    from scipy.spatial import cKDTree
    from siconos.io.mechanics_run import MechanicsHdf5Runner
    from siconos.mechanics.collision.bullet import SiconosBulletOptions
    from siconos.mechanics.collision.tools import Contactor
except ImportError as missing:
    print(f"skipped: {missing} (Debian: siconos python3-siconos python3-scipy python3-h5py)")
    sys.exit(77)

R = 0.5             # the largest radius, as elsewhere; impactlab's own default is smaller
SPACING = 1.1       # of the grid, in 2 R
THICK = 10.0        # of Siconos's walls, which are boxes
PACKED = 50         # the last steps, of which the time of a packed step is taken
TOLERANCE = 1e-8    # of Siconos's solver
SWEEPS = 1000       # its limit
SAME = 1e-14        # positions drawn here and there: the same operations in double precision


class Stop(Exception):
    """Time is up."""


def draw_pile(N, seed=12345):
    """Positions [N,3], radii [N] and the box's width, by the rule of `impactlab show pile`."""
    def u():
        nonlocal seed
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        return (seed >> 11) / 9007199254740992.0

    cols, D = math.ceil(N ** (1 / 3.0)), SPACING * 2.0 * R
    W = cols * D
    q, r = np.zeros((N, 3)), np.zeros(N)
    for k in range(N):
        r[k] = R * (0.8 + 0.2 * u())
        shift = [0.05 * R * (2.0 * u() - 1.0) for _ in range(3)]
        cell = (k % cols, k // cols % cols, k // cols**2)
        middle = (0.5 * W, 0.5 * W, 0.0)
        q[k] = [(cell[c] + 0.5) * D + shift[c] - middle[c] for c in range(3)]
    return q, r, W


def overlaps(q, r, W):
    """Least gap of two spheres and least gap to a wall."""
    pairs = cKDTree(q).query_pairs(2.0 * R, output_type="ndarray")
    i, j = pairs[:, 0], pairs[:, 1]
    spheres = np.linalg.norm(q[i] - q[j], axis=1) - r[i] - r[j]
    walls = min((q[:, 2] - r).min(), (0.5 * W - np.abs(q[:, :2]) - r[:, None]).min())
    return (spheres.min() if len(pairs) else math.inf), walls


def child_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


@contextlib.contextmanager
def silence():
    """Siconos's runner prints a line a step, from C++ too."""
    sys.stdout.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


class Impactlab:
    """Runs of the program on the pile."""

    def __init__(self, program, N, h):
        self.command = [program, "run", "--problem", "pile", "--set", f"N={N}", "--set", "space=3",
                        "--set", f"radius={R}", "--scheme", "maury", "--h", repr(h), "--json"]

    def run(self, steps, *options):
        began = child_seconds()
        done = subprocess.run([*self.command, "--steps", str(steps), *options],
                              stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout), child_seconds() - began

    def positions(self, steps):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.h5")
            record, _ = self.run(steps, "--trajectory", path)
            with h5py.File(path, "r") as file:
                q = file["q"][()]
        return record, q.reshape(len(q), -1, 3)

    def measure(self, steps, r, W):
        record, q = self.positions(steps)
        gaps = np.array([overlaps(one, r, W) for one in q[1:]])
        whole = min(self.run(steps, "--record", "final")[1] for _ in range(2))
        head = min(self.run(max(1, steps - PACKED), "--record", "final")[1] for _ in range(2))
        return {"seconds": whole, "packed": (whole - head) / PACKED, "gaps": gaps.min(axis=0),
                "iterations": record["work"]["projector_iterations"] / steps,
                "contacts": record["contacts"]["active_max"],
                "energy": record["energy"]["final"]}


class Siconos:
    """The pile as Siconos's own runner sees it."""

    def __init__(self, q, r, W):
        self.q, self.r, self.W = q, r, W
        self.mass = 4.0 / 3.0 * math.pi * r**3
        self.rows, self.bodies, self.began = [], None, 0.0
        self.samples = [(self.q, np.zeros_like(self.q))]

    def write(self, path):
        W, lz = self.W, 2.0 * self.W
        wide = 3.0 * W + 2.0 * THICK
        exact = {"insideMargin": 0.0, "outsideMargin": 0.0}
        with MechanicsHdf5Runner(io_filename=path, mode="w") as io:
            io.add_primitive_shape("floor", "Box", (wide, wide, THICK), **exact)
            io.add_primitive_shape("wall_x", "Box", (THICK, wide, 4.0 * lz), **exact)
            io.add_primitive_shape("wall_y", "Box", (wide, THICK, 4.0 * lz), **exact)
            io.add_object("floor_", [Contactor("floor")], translation=[0, 0, -THICK / 2.0])
            for side in (-1, 1):
                at = side * (W + THICK) / 2.0
                io.add_object(f"x{side}", [Contactor("wall_x")], translation=[at, 0, lz])
                io.add_object(f"y{side}", [Contactor("wall_y")], translation=[0, at, lz])
            for k, (x, r, m) in enumerate(zip(self.q, self.r, self.mass)):
                io.add_primitive_shape(f"shape{k}", "Sphere", (float(r),), **exact)
                inertia = 3 * [float(0.4 * m * r * r)]
                io.add_object(f"s{k}", [Contactor(f"shape{k}")], translation=[float(c) for c in x],
                              velocity=[0] * 6, mass=float(m), inertia=inertia)
            io.add_Newton_impact_friction_nsl("contact", mu=0.0, e=0.0)

    def find_bodies(self, runner):
        """Siconos's bodies in our order: they have moved nowhere yet."""
        cast = getattr(sk, "cast_SecondOrderDS", lambda body: body)
        bodies = [cast(body) for body in runner._nsds.dynamicalSystemsVector()]
        off, order = cKDTree(np.array([b.q()[:3] for b in bodies])).query(self.q)
        assert len(bodies) == len(self.q) and off.max() <= SAME
        self.bodies = [bodies[k] for k in order]

    def before(self, runner):
        if self.bodies is None:
            self.find_bodies(runner)
        self.began = time.process_time()

    def after(self, runner):
        seconds = time.process_time() - self.began
        q = np.array([b.q()[:3] for b in self.bodies])
        problem = runner._simulation.oneStepNSProblem(0)
        options = problem.numericsSolverOptions()
        sweeps = options.iparam[sn.SICONOS_IPARAM_ITER_DONE]
        v = np.array([b.velocity()[:3] for b in self.bodies])
        self.samples.append((q, v))
        self.rows.append((seconds, *overlaps(q, self.r, self.W), sweeps,
                          problem.getSizeOutput() // 3, 0.5 * (self.mass[:, None] * v**2).sum()))
        if time.process_time() > self.deadline:
            raise Stop

    def run(self, steps, h, limit):
        bullet = SiconosBulletOptions()
        bullet.worldScale = 1.0
        bullet.contactBreakingThreshold = 0.02
        bullet.perturbationIterations = 0
        bullet.minimumPointsPerturbationThreshold = 0
        options = sk.solver_options_create(sn.SICONOS_FRICTION_3D_NSGS)
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = SWEEPS
        options.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
        self.deadline = time.process_time() + limit
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pile.hdf5")
            self.write(path)
            try:
                with MechanicsHdf5Runner(io_filename=path, mode="r+") as io:
                    io.run(verbose=False, verbose_progress=False, with_timer=False,
                           bullet_options=bullet, face_class=None, edge_class=None, t0=0,
                           T=steps * h, h=h, theta=0.50001, Newton_max_iter=1,
                           solver_options=options, numerics_verbose=False,
                           output_frequency=10**9, osi=sk.MoreauJeanOSI,
                           start_run_iteration_hook=self.before, end_run_iteration_hook=self.after)
            except Stop:
                pass
        self.h = h
        rows = np.array(self.rows)
        return {"steps": len(rows), "seconds": rows[:, 0].sum(),
                "packed": rows[-PACKED:, 0].mean(), "gaps": rows[:, 1:3].min(axis=0),
                "iterations": rows[:, 3].mean(), "short": int((rows[:, 3] >= SWEEPS).sum()),
                "contacts": int(rows[:, 4].max()), "energy": rows[-1, 5]}


def found():
    """The program of the checkout or of the installation that this file is in."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.join(here, "../build/impactlab"), os.path.join(here, "../../../bin/impactlab")]
    return next((place for place in places if os.access(place, os.X_OK)), "impactlab")


def judge(program, siconos, N, path):
    """What `impactlab judge` says of Siconos' motion."""
    n = len(siconos.samples)
    np.savez(path, t=siconos.h * np.arange(n), q=np.array([q.ravel() for q, _ in siconos.samples]),
             u=np.array([v.ravel() for _, v in siconos.samples]))
    done = subprocess.run([program, "judge", path, "--problem", "pile", "--set", f"N={N}", "--set", "space=3",
                           "--set", f"radius={R}", "--name", "Siconos", "--all"], capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")


def line(name, x, steps, extra=""):
    print(f"  {name:10s} {x['seconds']:9.3f} s   packed step {1e3 * x['packed']:9.2f} ms   "
          f"worst gap: spheres {x['gaps'][0]:9.1e}, walls {x['gaps'][1]:9.1e}   "
          f"iterations a step {x['iterations']:6.1f}   contacts {x['contacts']}   "
          f"kinetic energy at the end {x['energy']:.1e}{extra}")


def note(path, N, name, x):
    with open(path, "a", encoding="ascii") as csv:
        for key in ("seconds", "packed", "iterations", "contacts", "energy"):
            csv.write(f"siconos,pile-3d-{N}/{name},{key},{x[key]:.6g}\n")
        csv.write(f"siconos,pile-3d-{N}/{name},gap_spheres,{x['gaps'][0]:.6g}\n")
        csv.write(f"siconos,pile-3d-{N}/{name},gap_walls,{x['gaps'][1]:.6g}\n")


def arguments():
    parser = argparse.ArgumentParser(description="the same pile by impactlab and by Siconos")
    parser.add_argument("--spheres", type=int, default=100)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--h", type=float, default=0.005)
    parser.add_argument("--limit", type=float, default=120.0)
    parser.add_argument("--program", default=found())
    parser.add_argument("--csv")
    parser.add_argument("--judge", metavar="FILE.npz", help="write Siconos' motion there, and have it judged")
    a = parser.parse_args()
    if a.spheres < 1 or a.steps <= PACKED or not a.h > 0.0 or not a.limit > 0.0:
        parser.error(f"allowed: --spheres >= 1, --steps > {PACKED}, --h > 0, --limit > 0")
    return a


def main():
    a = arguments()
    lab = Impactlab(a.program, a.spheres, a.h)
    try:
        start = lab.positions(1)[1][0]
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"siconos_pile.py: {error}", file=sys.stderr)
        return 1
    q, r, W = draw_pile(a.spheres)
    if not np.abs(q - start).max() <= SAME:
        print(f"siconos_pile.py: the start drawn here is {np.abs(q - start).max():g} from "
              f"impactlab's; allowed: {SAME:g}", file=sys.stderr)
        return 1
    with silence():
        siconos = Siconos(start, r, W)
        theirs = siconos.run(a.steps, a.h, a.limit)
    steps = theirs["steps"]
    if steps <= PACKED:
        print(f"pile of {a.spheres} spheres: Siconos did not end: {steps} of {a.steps} steps in {a.limit:g} s "
              f"of CPU time; more than {PACKED} are needed to compare")
        return 0
    ours = lab.measure(steps, r, W)
    print(f"pile of {a.spheres} spheres, {steps} steps of h = {a.h:g}"
          + ("" if steps == a.steps else f" of {a.steps}: Siconos did not end within {a.limit:g} s")
          + f"; CPU times, packed: mean of the last {PACKED}")
    line("impactlab", ours, steps)
    line("Siconos", theirs, steps, f"   {theirs['short']} steps ended at {SWEEPS} sweeps")
    print(f"  ratio Siconos / impactlab: whole {theirs['seconds'] / ours['seconds']:.1f}, "
          f"packed step {theirs['packed'] / ours['packed']:.1f}")
    if a.judge:
        judge(a.program, siconos, a.spheres, a.judge)
    if a.csv:
        note(a.csv, a.spheres, "impactlab", ours)
        note(a.csv, a.spheres, "siconos", theirs)
    return 0


if __name__ == "__main__":
    sys.exit(main())

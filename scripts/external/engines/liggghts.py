"""LIGGGHTS 3.8 (Debian: liggghts) as a scheme of `exec:`: spheres in space, walls along the axes; linear
springs with dampers that do not pull (hooke/stiffness, limitForce), no friction, velocity Verlet.

    impactlab run --problem bouncing_ball --set e=1 --steps 2000 \\
        --scheme "exec:python3 build/engines/liggghts.py k=1000"

Velocities are those at nodes: exec:between=ballistic. Options:

    k=20     stiffness of a contact
    hertz=0  1: Hertz' law (hertz), force k (R y^3)^(1/2), 1/R the sum of the curvatures; e > 0
"""
import math
import os
import subprocess
import tempfile

import adapter

a = adapter.read()
given = adapter.options(k=20.0, hertz=0.0)
k = given.k
if given.hertz and a.e == 0.0:
    adapter.refuse("the restitution is 0; Hertz' law of LIGGGHTS needs one > 0")
l = math.log(a.e) if a.e > 0.0 else -math.inf
zeta = 1.0 if a.e == 0.0 else -l / math.hypot(math.pi, l)
masses = sorted({b.m for b in a.bodies})
types = len(masses) + 1  # the last is that of walls
size = 4.0 * max([abs(c) + b.r for b in a.bodies for c in b.x] + [abs(w.offset) for w in a.walls])
size += 2.0 * a.steps * a.h * max(abs(c) for b in a.bodies for c in b.u)


def damper(i, j):
    """Per mass of the pair; a wall counts as fixed."""
    pair = [masses[t] for t in (i, j) if t < len(masses)]
    m = pair[0] if len(pair) == 1 else pair[0] * pair[1] / sum(pair) if pair else 1.0
    return 2.0 * zeta * math.sqrt(k / m)


def table(value):
    return "%d %s" % (types, " ".join("%.17g" % value(i, j) for i in range(types) for j in range(types)))


model = "model %s tangential off" % ("hertz" if given.hertz else "hooke/stiffness")
lines = ["units lj", "atom_style granular", "atom_modify map array sort 0 0", "boundary f f f", "newton off",
         "communicate single vel yes", "region all block" + " %.17g %.17g" % (-size, size) * 3 + " units box",
         "create_box %d all" % types, "neighbor %.17g bin" % (0.1 * max(b.r for b in a.bodies)),
         "neigh_modify delay 0"]
young = " ".join(["%.17g" % (1.5 * k)] * types)  # of bodies with Poisson's ratio 0: k = (4/3) (young/2)
lines += ["fix y all property/global youngsModulus peratomtype " + young,
          "fix p all property/global poissonsRatio peratomtype" + " 0" * types,
          "fix e all property/global coefficientRestitution peratomtypepair " + table(lambda i, j: a.e or 0.5)]
for name, value in (("kn", lambda i, j: k), ("kt", lambda i, j: 0.0), ("gamman", damper),
                    ("gammat", lambda i, j: 0.0), ("coefficientFriction", lambda i, j: 0.0)):
    lines.append("fix %s all property/global %s peratomtypepair %s" % (name, name, table(value)))
lines += ["pair_style gran %s limitForce on" % model, "pair_coeff * *", "timestep %.17g" % a.h]
for i, b in enumerate(a.bodies):
    lines += ["create_atoms %d single %.17g %.17g %.17g units box" % (masses.index(b.m) + 1, *b.x),
              "set atom %d diameter %.17g density %.17g vx %.17g vy %.17g vz %.17g"
              % (i + 1, 2.0 * b.r, b.m / (4.0 / 3.0 * math.pi * b.r ** 3), *b.u)]
    force = [f + b.m * g for f, g in zip(b.force, a.gravity)]
    lines += ["group b%d id %d" % (i, i + 1), "fix f%d b%d addforce %.17g %.17g %.17g" % (i, i, *force)]
for n, w in enumerate(a.walls):
    axis = max(range(3), key=lambda c: abs(w.normal[c]))
    if abs(abs(w.normal[axis]) - 1.0) > 1e-15:
        adapter.refuse("a wall is not along an axis; those of LIGGGHTS are")
    lines.append("fix w%d all wall/gran %s primitive type %d %splane %.17g limitForce on"
                 % (n, model, types, "xyz"[axis], w.offset * w.normal[axis]))
with tempfile.TemporaryDirectory() as folder:
    lines += ["fix move all nve/sphere", "dump d all custom 1 %s/d id x y z vx vy vz" % folder,
              'dump_modify d sort id format "%d' + " %.17g" * 6 + '"', "run %d" % a.steps]
    ran = subprocess.run(["liggghts", "-log", "none"], input="\n".join(lines) + "\n", text=True, cwd=folder,
                         stdout=2)
    if ran.returncode != 0:
        adapter.refuse("liggghts ends with status %d" % ran.returncode)
    with open(os.path.join(folder, "d")) as file:
        rows = [line.split() for line in file]
each = len(a.bodies) + 9  # lines of a node, with its head; the first is the start
for n in range(1, a.steps + 1):
    for b, row in zip(a.bodies, rows[n * each + 9:(n + 1) * each]):
        b.x, b.u = [float(c) for c in row[1:4]], [float(c) for c in row[4:7]]
    adapter.write(a)

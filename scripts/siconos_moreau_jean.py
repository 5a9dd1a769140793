#!/usr/bin/python3
"""moreau_jean beside Siconos, an independent program, on the same grids.

    /usr/bin/python3 scripts/siconos_moreau_jean.py [PROGRAM]      (make check-siconos)

Both programs make the same steps of Moreau and Jean's scheme; the largest difference of positions
and velocities over all nodes is printed beside what both claim: rounding, the contact problems of
a step being solved by finite methods in both (Lemke's in Siconos). Starts and parameters are taken
from impactlab's own record and trajectory.

Siconos (Debian: python3-siconos) predicts contacts by y + gamma h y' <= 0 with gamma = 1/2, y and
y' those at the beginning of the step, which is impactlab's rule with its default gamma. Its forces
are taken at q_{n+theta}, implicitly, ours averaged over the step at q_n: the same for a constant
force, and only such problems are compared.

Exit status: 0 all agree, or SKIPPED without Siconos; 1 they differ; 2 no program.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import siconos.kernel as sk
    import siconos.numerics as sn
except ImportError as missing:
    print("SKIPPED: Siconos is not installed (%s); apt-get install python3-siconos" % missing)
    sys.exit(0)

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "build", "impactlab")

EPSILON = 2.0 ** -52
# A step rounds numbers of at most SIZE in some OPERATIONS places, and every later step carries the
# sum on; what differs in the velocities moves the positions by less, the horizons being at most 2.
SIZE, OPERATIONS = 5.0, 10


def ours(problem, theta, steps, settings, horizon):
    """Record, times, positions and velocities at the nodes by impactlab."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.csv")
        command = [PROGRAM, "run", "--problem", problem, "--scheme", "moreau_jean:theta=%.17g" % theta,
                   "--steps", str(steps), "--horizon", "%.17g" % horizon, "--json", "--trajectory", path]
        for key, value in settings.items():
            command += ["--set", "%s=%s" % (key, value)]
        record = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        table = np.loadtxt(path, delimiter=",", skiprows=2)
    d = record["dimension"]
    assert record["status"] == "ok", record["message"]
    return record, table[:, 0], table[:, 1:1 + d], table[:, 1 + d:1 + 2 * d]


def simulate(bodies, interactions, osi, h, steps):
    """q and v of all bodies at the nodes by Siconos; interactions are (relation, law, bodies)."""
    model = sk.NonSmoothDynamicalSystem(0.0, steps * h * 1.5)
    for body in bodies:
        model.insertDynamicalSystem(body)
    keep = []
    for relation, law, linked in interactions:
        interaction = sk.Interaction(law, relation)
        model.link(interaction, *linked)
        keep.append(interaction)
    # Lemke's method, exact but for rounding: the iterative solvers stop where contacts are many
    solver = sk.LCP(sn.SICONOS_LCP_LEMKE)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, h), osi, solver)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)  # rows taken once, at the step's beginning
    q = [np.concatenate([b.q() for b in bodies])]
    v = [np.concatenate([b.velocity() for b in bodies])]
    for _ in range(steps):
        simulation.computeOneStep()
        q.append(np.concatenate([b.q() for b in bodies]))
        v.append(np.concatenate([b.velocity() for b in bodies]))
        simulation.nextStep()
    return np.array(q), np.array(v)


def ball(theta, e, steps):
    """bouncing_ball: a step's contact problem is one number."""
    record, t, q, u = ours("bouncing_ball", theta, steps, {"e": e}, 2.0)
    body = sk.LagrangianLinearTIDS([q[0, 0]], [u[0, 0]], [[1.0]])
    body.setFExtPtr([-record["parameters"]["gravity"]])
    link = (sk.LagrangianLinearTIR([[1.0]]), sk.NewtonImpactNSL(e), [body])
    return (q, u), simulate([body], [link], sk.MoreauJeanOSI(theta), t[1], steps)


def row(theta, steps, problem, settings, widths, e):
    """Bodies on a line, of mass 1: a linear complementarity problem for all contacts at once."""
    record, t, q, u = ours(problem, theta, steps, settings, 1.0)
    n = q.shape[1]
    width = widths(record["parameters"])
    bodies = [sk.LagrangianLinearTIDS([q[0, i]], [u[0, i]], [[1.0]]) for i in range(n)]
    law = sk.NewtonImpactNSL(e)
    links = [(sk.LagrangianLinearTIR([[-1.0, 1.0]], [-width]), law, [bodies[i], bodies[i + 1]])
             for i in range(n - 1)]
    return (q, u), simulate(bodies, links, sk.MoreauJeanOSI(theta), t[1], steps)


def cradle(theta, steps):
    """49 balls at rest in contact and one that strikes them. The radius is a binary fraction: a gap
    of 0 that is rounded decides by its sign whether the contact is predicted, and each program
    rounds in its own way."""
    return row(theta, steps, "cradle", {"N": 49, "e": 0, "radius": 0.125},
               lambda p: 2.0 * p["radius"], 0.0)


def sticky(theta, steps):
    """50 points with random velocities, which collide and stay together one after the other."""
    return row(theta, steps, "sticky", {"N": 50, "seed": 1}, lambda p: 0.0, 0.0)


CASES = ([("bouncing_ball theta=%g e=%g" % (theta, e), ball, (theta, e, steps))
          for theta in (1.0, 0.5) for e in (0.0, 0.5) for steps in (400, 1237)]
         + [("%s theta=%g, 50 bodies" % (case.__name__, theta), case, (theta, 200))
            for case in (cradle, sticky) for theta in (1.0, 0.5)])


def main():
    if not os.access(PROGRAM, os.X_OK):
        print("siconos_moreau_jean.py: no program at %s; run make first" % PROGRAM, file=sys.stderr)
        return 2
    worse = 0
    print("%-36s %6s %12s %12s %10s" % ("case", "steps", "|dq|", "|du|", "allowed"))
    for name, run, arguments in CASES:
        (q, u), (qs, us) = run(*arguments)
        steps = arguments[-1]
        allowed = steps * OPERATIONS * SIZE * EPSILON
        dq, du = abs(q - qs).max(), abs(u - us).max()
        agree = dq <= allowed and du <= allowed  # false for NaN
        worse += not agree
        print("%-36s %6d %12.3e %12.3e %10.1e%s" % (name, steps, dq, du, allowed, "" if agree else "  DIFFER"))
    print("%d of %d cases agree" % (len(CASES) - worse, len(CASES)))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Siconos as a scheme: Moreau and Jean's time-stepping by an independent program.

    impactlab run --problem cradle --scheme "exec:/usr/bin/python3 scripts/external/siconos_scheme.py" --steps 200

It knows bouncing_ball, cradle and sticky. (Relations written in Python, which discs would need, end
Siconos 4.4 by a segmentation fault.) Options: --theta 0.5 (default 1), --nsgs
solves the contact problem of a step by projected Gauss-Seidel to 1e-8 instead of Lemke's method.
Debian: apt-get install python3-siconos.
"""
import argparse
import json
import os
import sys

# Siconos prints to standard output, which belongs to impactlab: what it says goes to standard error.
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import siconos.kernel as sk
import siconos.numerics as sn


def on_a_line(ask, width):
    """Bodies on a line: neighbours keep their distance."""
    law = sk.NewtonImpactNSL(ask["restitution"])
    bodies = [sk.LagrangianLinearTIDS([q], [u], [[m]])
              for q, u, m in zip(ask["q"], ask["u"], ask["mass"])]
    links = [(sk.LagrangianLinearTIR([[-1.0, 1.0]], [-width]), law, bodies[i:i + 2])
             for i in range(len(bodies) - 1)]
    return bodies, links


def ball(ask):
    body = sk.LagrangianLinearTIDS(ask["q"], ask["u"], [ask["mass"]])
    body.setFExtPtr([-ask["parameters"]["gravity"]])
    return [body], [(sk.LagrangianLinearTIR([[1.0]]), sk.NewtonImpactNSL(ask["restitution"]), [body])]


BUILDERS = {"bouncing_ball": ball,
            "cradle": lambda ask: on_a_line(ask, 2.0 * ask["parameters"]["radius"]),
            "sticky": lambda ask: on_a_line(ask, 0.0)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--theta", type=float, default=1.0)
    parser.add_argument("--nsgs", action="store_true")
    options = parser.parse_args()
    ask = json.loads(sys.stdin.readline())
    if ask["problem"] not in BUILDERS:
        sys.exit("siconos_scheme.py knows %s, not %s" % (", ".join(sorted(BUILDERS)), ask["problem"]))
    bodies, links = BUILDERS[ask["problem"]](ask)
    model = sk.NonSmoothDynamicalSystem(0.0, 1.5 * ask["horizon"])
    for body in bodies:
        model.insertDynamicalSystem(body)
    kept = []
    for relation, law, linked in links:
        kept.append(sk.Interaction(law, relation))
        model.link(kept[-1], *linked)
    solver = sk.LCP(sn.SICONOS_LCP_PGS if options.nsgs else sn.SICONOS_LCP_LEMKE)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, ask["h"]),
                                 sk.MoreauJeanOSI(options.theta), solver)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
    for _ in range(ask["steps"]):
        simulation.computeOneStep()
        state = {"q": [float(x) for b in bodies for x in b.q()],
                 "u": [float(x) for b in bodies for x in b.velocity()]}
        OUT.write(json.dumps(state) + "\n")
        simulation.nextStep()
    OUT.flush()


main()

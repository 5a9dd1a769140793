#!/usr/bin/python3
"""Errors of two schemes, and of one of your own, against the step; a figure by matplotlib.

    python3 convergence.py [FIGURE.png]

Needs impactlab for Python (make install), numpy, and matplotlib for the figure.
"""
import sys

import impactlab

STEPS = [round(64 * 2 ** (k / 5)) for k in range(31)]


def semi_implicit(t0, t1, q, u):
    """A scheme of one's own: the velocity first; a step that would pass the floor ends on it."""
    h = t1 - t0
    v = u - h * 9.81
    if q[0] + h * v[0] < 0.0:
        v = -q / h
    return q + h * v, v


def study(scheme):
    runs = [impactlab.run("bouncing_ball", scheme, steps=n) for n in STEPS]
    return [r["h"] for r in runs], [r.error["u_L1"] for r in runs]


def main():
    studies = {"maury": study("maury"), "moreau_jean": study("moreau_jean"), "semi_implicit": study(semi_implicit)}
    for name, (h, error) in studies.items():
        print(name, impactlab.order(h, error, claim=("bound", 1)).text)
    if len(sys.argv) > 1:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        for (name, (h, error)), mark in zip(studies.items(), "os^"):
            plt.loglog(h, error, mark, fillstyle="none", label=name)
        plt.xlabel("h")
        plt.ylabel("error of the velocity, L1")
        plt.legend()
        plt.tight_layout()
        plt.savefig(sys.argv[1], dpi=150)
        print("wrote", sys.argv[1])


main()

"""Tests of a time-stepping loop of one's own, for pytest: its order, its motion, its energy.

    python3 -m pytest test_order.py

Copy it and put your loop in place of `loop`; workflow.yml beside it runs such tests on every change of a
repository. Needs impactlab for Python.
"""
import numpy as np

import impactlab
from impactlab.testing import assert_energy, assert_no_findings, assert_order

PROBLEM = {"problem_": "bouncing_ball", "e": 0.0}
GRAVITY = 9.81

# Twelve and more numbers of steps an octave, none a multiple of another: the place of an impact in its step must vary.
STEPS = sorted({round(64 * 2 ** (k / 7)) for k in range(43)})


def loop(n):
    """A ball that falls from 1 onto the floor and stays: the velocity first, then the position."""
    h = 2.0 / n
    q, u = np.empty(n + 1), np.empty(n + 1)
    q[0], u[0] = 1.0, 0.0
    for k in range(n):
        v = u[k] - h * GRAVITY
        u[k + 1] = v if q[k] + h * v >= 0.0 else -q[k] / h
        q[k + 1] = q[k] + h * u[k + 1]
    return h * np.arange(n + 1), q, u


def test_order():
    runs = [impactlab.judge(**PROBLEM, t=t, q=q, u=u) for t, q, u in map(loop, STEPS)]
    assert_order([run.h for run in runs], [run.error["u_L1"] for run in runs], at_least=1)


def test_motion():
    assert_no_findings("bouncing_ball", *loop(200))


def test_energy():
    assert_energy("bouncing_ball", *loop(200))

"""impactlab.testing: what is right passes, each kind of wrong is told; run by tests/house/library.sh, with
test_order.py, which is installed, on the path."""
import glob, os

import impactlab, numpy as np
import test_order as example

from impactlab.testing import assert_energy, assert_no_findings, assert_order


def fails(words, call):
    try:
        call()
    except AssertionError as failure:
        assert words in str(failure), (words, str(failure))
    else:
        raise SystemExit("passes, and should not: " + words)


for test in (example.test_order, example.test_motion, example.test_energy):
    test()

# The loop that is one sample late with its velocities.
t, q, u = example.loop(200)
fails("velocity of the wrong side: ", lambda: assert_no_findings("bouncing_ball", t[:-1], q[:-1], u[1:]))
assert assert_no_findings("bouncing_ball", t[:-1], q[:-1], u[1:], allowed="velocity of the wrong side").findings
# A ball that hangs in the air without weight, and moves off with 1/2 from nothing: 1/8 of energy. Thrown up, it flies.
off = np.where(t > 1, 0.5, 0.0)
away = 1 + np.concatenate([[0], np.cumsum(np.diff(t) * off[1:])])
fails("the kinetic energy rises by 0.125 beyond", lambda: assert_energy("bouncing_ball", t, away, off, gravity=1e-12))
assert_energy("bouncing_ball", t, away, off, gravity=1e-12, within=1.01)
assert_energy("bouncing_ball", t, 9 + 3 * t - 9.81 * t**2 / 2, 3 - 9.81 * t, q0=9, u0=3)
fails("has no energy", lambda: assert_energy("crowd", t, np.tile(impactlab.problem("crowd").start[0], (len(t), 1)), horizon=2.0))

# Files, as a campaign leaves them; an order that is claimed too high is refuted, and one from three runs is not decided.
os.mkdir("runs")
for n in example.STEPS:
    t, q, u = example.loop(n)
    np.savez("runs/%05d.npz" % n, t=t, q=q[:, None], u=u[:, None])
files = sorted(glob.glob("runs/*.npz"))
found = assert_order(files, problem="bouncing_ball", at_least=1)
assert found.verdict == "PASS" and found.runs == len(files) and 0.9 < found.order < 1.1, found
assert assert_order(iter(files), problem="bouncing_ball").text == assert_order(files, problem="bouncing_ball").text
fails("order of u_L1: falls like", lambda: assert_order(files, problem="bouncing_ball", at_least=2))
fails("FAIL", lambda: assert_order(files, problem="bouncing_ball", at_least=2, inconclusive=True))
fails("INCONCLUSIVE", lambda: assert_order(files[:3], problem="bouncing_ball", at_least=1))
assert assert_order(files[:3], problem="bouncing_ball", at_least=1, inconclusive=True).verdict == "INCONCLUSIVE"
fails("no u_L1", lambda: assert_order(
    files[:1], problem=impactlab.problem("own", q0=[1.0], horizon=2.0, force=lambda t, q: -9.81), at_least=1))
for words, call in (("needs errors", lambda: assert_order(files)), ("norm is 'u_L9'", lambda: assert_order(files, problem="bouncing_ball", norm="u_L9")),
                    ("beside errors", lambda: assert_order([1, 2], [1, 2], problem="bouncing_ball"))):
    try:
        call()
        raise SystemExit("not refused: " + words)
    except impactlab.Error as failure:
        assert words in str(failure), failure
print("all asserted")

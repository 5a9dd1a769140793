"""The Python library in a folder with own.json, a record of the program; run by tests/house/library.sh."""
import impactlab, json, numpy as np
r = impactlab.run("two_spheres", "maury", steps=61, scenario="free", trajectory=True)
assert r.error["u_L1"] == json.load(open("own.json"))["error"]["u_L1"], "the program's bits"
t, q, u = r.trajectory
assert q.shape == (62, 6) and not q.flags.writeable and q.base is not None
judged = impactlab.judge("two_spheres", t, q, u, scenario="free")
assert judged.error["u_L1"] == r.error["u_L1"] and judged.findings == []
wrong = impactlab.judge("two_spheres", t[:-1], q[:-1], u[1:], scenario="free")
assert wrong.findings[0]["name"] == "velocity of the wrong side", wrong.findings
h = [2.0 ** -k for k in range(4, 14)]
o = impactlab.order(h, [0.3 * x for x in h], ("sharp", 1))
assert o.verdict == "PASS" and abs(o.order - 1) < 1e-6, o
own = impactlab.problem("mine", q0=[1.0], horizon=2.0, constraints=1, force=lambda t, q: [-9.81],
                        gaps=lambda t, q: ([q[0]], [[1.0]]), exact=impactlab.exact("bouncing_ball"))
a, b = impactlab.run(own, "maury", steps=100), impactlab.run("bouncing_ball", "maury", steps=100)
assert abs(a.error["u_L1"] - b.error["u_L1"]) < 1e-9 and a["final"]["q"] == b["final"]["q"]
# Without `constraints` there are as many contacts as gaps at the start: a point that falls from 1 between a floor
# at 0 and a ceiling at 3 ends on the floor, at rest; free, it would be at 1 - 9.81 * 2^2 / 2 = -18.6.
unsaid = impactlab.problem("unsaid", q0=[1.0], horizon=2.0, force=lambda t, q: [-9.81],
                           gaps=lambda t, q: ([q[0], 3.0 - q[0]], [[1.0], [-1.0]]))
end = impactlab.run(unsaid, "maury", steps=100)["final"]
assert abs(end["q"][0]) <= 1e-12 and abs(end["u"][0]) <= 1e-12, end
assert unsaid.constraints == 2, unsaid.constraints
for bad, told in ((lambda: impactlab.run("sticy", "maury", steps=3), "did you mean 'sticky'"),
                  (lambda: impactlab.run("sticky", "maury", steps=3, N=0), "'N' is 0; allowed"),
                  (lambda: impactlab.run("sticky", "maury", steps="x"), "steps is 'x'; allowed"),
                  (lambda: impactlab.run("sticky", "maury", steps=3, N=None), "N is None; allowed"),
                  (lambda: impactlab.run("sticky", 3, steps=3), "scheme is 3; allowed"),
                  (lambda: impactlab.judge("two_spheres", t, q, u[:5]), "u has the shape (5, 6); allowed: (62, 6)"),
                  (lambda: impactlab.run(impactlab.problem(q0=[1.0], horizon=1.0, gaps=lambda t, q: (q, np.eye(3))), "maury",
                                         steps=3), "gradients has the shape (3, 3); allowed: (1, 1)"),
                  (lambda: impactlab.judge("two_spheres", t), "needs positions q"),
                  (lambda: impactlab.judge("sticky", t, q, N=7), "allowed: (62, 7)")):
    try:
        bad()
        raise SystemExit("not refused: " + told)
    except impactlab.Error as failure:
        assert told in str(failure), failure
assert impactlab.judge("two_spheres", "own.h5", scenario="free").error["u_L1"] == r.error["u_L1"], "HDF5's module"
try:
    impactlab.run("bouncing_ball", lambda *step: 1 / 0, steps=3)
    raise SystemExit("an exception was lost")
except ZeroDivisionError:
    print("all well")

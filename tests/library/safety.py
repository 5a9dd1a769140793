"""Functions of Python, arrays that outlive their record, Ctrl-C, wrong inputs, locales, threads, pickles, sweeps;
run by tests/house/library.sh with LOCPATH, below which comma_XX has a decimal comma."""
import concurrent.futures, copy, gc, locale, os, pickle, signal, sys, threading, time
import impactlab, numpy as np

G = 9.81


def fresh(t0, t1, q, u):
    h = t1 - t0
    v = u - G * h
    v = np.where(q + h * v < 0, -q / h, v)
    return q + h * v, v


def written(t0, t1, q, u):
    h = t1 - t0
    u -= G * h
    u[q + h * u < 0] = -q / h
    q += h * u
    return q, u


def push(t, q):
    q[:] = -G
    return q


def floor(t, q):
    g = q.copy()
    q += 100.0
    return g, np.eye(1)


# Arguments are one's own: to write into, and to keep.
kept = []
a = impactlab.run("bouncing_ball", fresh, steps=40, trajectory=True)
b = impactlab.run("bouncing_ball", written, steps=40, trajectory=True)
c = impactlab.run("bouncing_ball", lambda t0, t1, q, u: (kept.append(q), fresh(t0, t1, q, u))[1], steps=40)
assert all(np.array_equal(x, y) for x, y in zip(a.trajectory, b.trajectory)) and b.error == a.error
assert len(kept) == 40 and np.array_equal(np.ravel(kept), a.trajectory[1][:40, 0])
assert abs(b.total_variation - sum(abs(np.diff(a.trajectory[2][:, 0])))) < 1e-12
# From 1 at rest onto the floor: at rest, and not pushed by the force's own writing.
own = impactlab.problem("written", q0=[1.0], horizon=2.0, force=push, gaps=floor)
assert abs(impactlab.run(own, "maury", steps=50).final["u"][0]) < 1e-12

# Arrays of a record hold it.
def positions(look):
    return look(impactlab.run("two_spheres", "maury", steps=60, trajectory=True).trajectory[1])
want = np.array(positions(np.copy))
for look in (np.asarray, np.ascontiguousarray, lambda x: x.view(np.ndarray), lambda x: x[10:], lambda x: x.T,
             lambda x: np.lib.stride_tricks.sliding_window_view(x, 3, axis=0), memoryview):
    seen = positions(look)
    gc.collect()
    noise = [np.full(want.shape, -1.0) for _ in range(100)]
    assert np.array_equal(np.asarray(seen), look(want)), look
x = a.trajectory[0]
assert type(x) is np.ndarray and repr(x[:2]) == repr(np.array(x[:2])) and not x.flags.writeable
del a, b, c, x

# Ctrl-C ends a run between its steps.
def interrupted(call):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        call()
    except KeyboardInterrupt:
        return True
    return False
began = time.monotonic()
ball = impactlab.problem("bouncing_ball")
assert interrupted(lambda: impactlab.run(ball, "maury", steps=10**10))
assert interrupted(lambda: impactlab.run(ball, fresh, steps=10**8))
assert interrupted(lambda: impactlab.sweep("crowd", "venel", [10**6, 10**6 + 1], results="stopped"))
try:
    os.waitpid(-1, os.WNOHANG)
    raise SystemExit("the sweep's program runs on")
except ChildProcessError:
    pass
assert time.monotonic() - began < 20, "not a matter of the run's length"
assert impactlab.run(ball, "maury", steps=20).ok

# What is wrong is refused, in words; a function's own exceptions come through.
def two(**more):
    return impactlab.problem(**{"q0": [1.0, 2.0], "horizon": 1.0, "force": lambda t, q: 0.0, **more})
def step(said):
    return lambda: impactlab.run(two(), lambda t0, t1, q, u: said(q, u), steps=3)
t, q = np.linspace(0, 2, 5), np.ones(5)
nan = float("nan")
for told, bad in {
        "q of the step has the shape (1,); allowed: (2,)": step(lambda q, u: (q[:1], u)),
        "q of the step has the shape (); allowed: (2,)": step(lambda q, u: (np.mean(q), u)),
        "u of the step has the shape (1, 2); allowed: (2,)": step(lambda q, u: (q, u[None])),
        "q of the step has masked values": step(lambda q, u: (np.ma.array(q, mask=[1, 0]), u)),
        "u of the step is [1j, 2]; allowed": step(lambda q, u: (q, [1j, 2])),
        "the step returned None; allowed": step(lambda q, u: None),
        "q of exact has the shape (); allowed: (2,)": lambda: impactlab.run(two(exact=lambda t: (1.0, 2.0)), "maury", steps=3),
        "exact returned (1, 2, 3)": lambda: impactlab.run(two(exact=lambda t: (1, 2, 3)), "maury", steps=3),
        "the force is None; allowed": lambda: impactlab.run(two(force=lambda t, q: None), "maury", steps=3),
        "the force has the shape (3,)": lambda: impactlab.run(two(force=lambda t, q: [1, 2, 3]), "maury", steps=3),
        "gaps returned 3.0": lambda: two(gaps=lambda t, q: 3.0),
        "force is 3; allowed: a function": lambda: two(force=3),
        "u0 has masked values": lambda: two(u0=np.ma.array([1.0, 2.0], mask=[0, 1])),
        "u0 is [True, False]": lambda: two(u0=[True, False]),
        "q has the shape (); allowed: (5, 1)": lambda: impactlab.judge(ball, t, 0.5),
        "q has masked values": lambda: impactlab.judge(ball, t, np.ma.masked_greater(q, 0.5)),
        "q is [[1], [1, 2]]; allowed: numbers": lambda: impactlab.judge(ball, [0, 1], [[1], [1, 2]]),
        "q and u are given beside a file": lambda: impactlab.judge(ball, "some.csv", q),
        "the file is 'a\\x00b'": lambda: impactlab.judge(ball, "a\0b"),
        "mapping is 3": lambda: impactlab.judge(ball, "some.csv", mapping=3),
        "tolerance is -1; allowed": lambda: impactlab.run(ball, "maury", steps=3, tolerance=-1),
        "tolerance is nan; allowed": lambda: impactlab.run(ball, "maury", steps=3, tolerance=nan),
        "horizon is -1; allowed": lambda: impactlab.run("sticky", "maury", steps=3, horizon=-1),
        "steps is inf; allowed": lambda: impactlab.run(ball, "maury", steps=float("inf")),
        "problem is 'sticky\\x00'": lambda: impactlab.run("sticky\0", "maury", steps=3),
        "problem is '\\ud800'": lambda: impactlab.run("\ud800", "maury", steps=3),
        "'N' is 'N=3\\x00'": lambda: impactlab.run("sticky", "maury", steps=3, N="3\0"),
        "'e' is given, which": lambda: impactlab.run(ball, "maury", steps=3, e=0.5),
        "unknown parameter 'order'": lambda: impactlab.problem("sticky", order=1),
        "t is [1, 2]; allowed": lambda: impactlab.exact(ball)([1, 2]),
        "side is 'left'; allowed": lambda: impactlab.exact(ball)(1, "left"),
        "h is 3; allowed": lambda: impactlab.order(3, 4),
        "claim is ('bound',); allowed": lambda: impactlab.order([1, 2], [1, 2], ("bound",)),
        "claim is 'bound' with order nan; allowed": lambda: impactlab.order([1, 2], [1, 2], ("bound", nan)),
        "factor is 'x'; allowed": lambda: impactlab.order([1, 2], [1, 2], factor="x"),
        "family is 'problems'; allowed": lambda: impactlab.names("problems"),
        "steps is 5.5; allowed": lambda: impactlab.sweep(ball, "maury", 5.5),
        "scheme is 3; allowed": lambda: impactlab.sweep(ball, [3], [5]),
        "unknown scheme 'mary'; did you mean 'maury'": lambda: impactlab.sweep(ball, ["mary"], [5]),
        "unknown scheme 'mary'": lambda: impactlab.board("mary"),
        "schemes is 3; allowed": lambda: impactlab.board(3),
        "claim is 3; allowed": lambda: impactlab.board("maury", claim=3),
        "claim is 'bound:-1'": lambda: impactlab.board("maury", claim=("bound", -1)),
        "question-time is '-1'": lambda: impactlab.board("maury", question_time=-1),
}.items():
    try:
        bad()
    except impactlab.Error as failure:
        assert told in str(failure), (told, str(failure))
    else:
        raise SystemExit("not refused: " + told)
try:
    impactlab.run(two(force=lambda t, q: {}["gone"]), "maury", steps=3)
    raise SystemExit("an exception was lost")
except KeyError as failure:
    assert failure.args == ("gone",)

# One spelling of a claim, as on the command line or as a pair.
h = [2.0 ** -k for k in range(3, 12)]
pair, word = (impactlab.order((x for x in h), (2 * x for x in h), claim) for claim in (("bound", 1), "bound:1"))
assert pair.text == word.text and pair.verdict == "PASS"

# Problems and records travel.
record = impactlab.run("bouncing_ball", "paoli", steps=30, e=0.5, trajectory=True)
again = pickle.loads(pickle.dumps(record))
assert again.data == record.data and all(map(np.array_equal, again.trajectory, record.trajectory))
assert copy.deepcopy(record).error == record.error and {**record}["h"] == record.h
assert {"error", "findings", "trajectory"} <= set(dir(record))
assert "<td style='text-align:left'>bouncing_ball</td>" in record._repr_html_()
assert "&lt;lambda&gt;" in impactlab.run(ball, lambda *s: fresh(*s), steps=5)._repr_html_()
half = pickle.loads(pickle.dumps(impactlab.problem("bouncing_ball", e=0.5, horizon=1.5)))
assert half.horizon == 1.5 and half.parameters == {"e": 0.5}
assert impactlab.run(pickle.loads(pickle.dumps(own)), "maury", steps=9).final == impactlab.run(own, "maury", steps=9).final
try:
    pickle.dumps(two())
    raise SystemExit("a lambda was pickled")
except (pickle.PicklingError, AttributeError) as failure:
    assert "lambda" in str(failure)

# Threads, with one problem and with several.
def error(n):
    return impactlab.run(ball, fresh, steps=n).error["u_L1"], impactlab.run("cradle", "maury", steps=n).error["u_L1"]
sizes = list(range(20, 60))
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert list(pool.map(error, sizes)) == list(map(error, sizes))

# The host's decimal comma changes nothing.
before = impactlab.run("bouncing_ball", "moreau_jean:theta=0.75", steps=30, e=0.5).error
locale.setlocale(locale.LC_NUMERIC, "comma_XX")
assert locale.str(0.5) == "0,5"
assert impactlab.run("bouncing_ball", "moreau_jean:theta=0.75", steps=30, e=0.5).error == before
with open("point.csv", "w") as file:
    file.write("t,q0,u0\n0,1,0\n0.5,1,0\n2,1,0\n")
assert impactlab.judge(ball, "point.csv").steps == 2
assert impactlab.run(ball, lambda *s: (locale.str(0.5) == "0,5" or 1 / 0) and fresh(*s), steps=5).ok
locale.setlocale(locale.LC_NUMERIC, "C")

# The motion of a program is judged like a file: it falls under half the force more.
with open("fall.py", "w") as file:
    file.write("import json, sys\nask = json.loads(sys.stdin.readline())\nh, f = ask['h'], float(sys.argv[1])\n"
               "for k in range(1, ask['steps'] + 1): print(json.dumps({'q': [1 - f*h*h*k*(k + 1)/2], 'u': [-f*h*k]}))\n")
def falls(f, steps):
    return impactlab.run("bouncing_ball", "exec:%s fall.py %g" % (sys.executable, f), steps=steps, h=0.2/steps, gravity=2).findings
assert falls(2, 20) == [] and [x["name"] for x in falls(3, 20)] == ["another force"] and falls(2, 70000) is None
assert "another force" in impactlab.run("bouncing_ball", "exec:%s fall.py 3" % sys.executable, steps=20, h=0.01, gravity=2)._repr_html_()

# A sweep is `impactlab sweep`: stored, found again, with the numbers of runs; functions run here.
table = impactlab.sweep((p for p in [impactlab.problem("bouncing_ball", e=0.5), "two_spheres"]), (s for s in ["moreau_jean", "paoli"]),
                        (n for n in (20, 30)), results="swept")
rows = table if isinstance(table, list) else table.to_dict("records")
assert [(r["problem"], r["scheme"], r["steps"]) for r in rows] == [
    (p, s, n) for p in ("bouncing_ball", "two_spheres") for s in ("moreau_jean", "paoli") for n in (20, 30)]
assert rows[1]["u_L1"] == impactlab.run("bouncing_ball", "moreau_jean", steps=30, e=0.5).error["u_L1"]
def cases():
    return sorted((entry, os.stat(os.path.join(at, entry)).st_mtime_ns) for at, _, files in os.walk("swept/cases") for entry in files)
stored = cases()
assert len(stored) == 8
mixed = impactlab.sweep([ball, own], ["maury", fresh], [20, 30], results="swept")
mixed = mixed if isinstance(mixed, list) else mixed.to_dict("records")
assert [r["scheme"] for r in mixed] == ["maury", "maury", "fresh", "fresh"] * 2 and len(cases()) == 10
impactlab.sweep([impactlab.problem("bouncing_ball", e=0.5), "two_spheres"], ["moreau_jean", "paoli"], [20, 30], results="swept")
assert set(stored) <= set(cases()) and len(cases()) == 10, "run again, though stored"

# The board's rows are cells.
frame = impactlab.board(["maury", "moreau_jean:theta=1"], (p for p in ["bouncing_ball"]), "order_u", claim=("bound", 1))
rows = frame if isinstance(frame, list) else frame.to_dict("records")
assert [(r["scheme"], r["question"], r["problem"], r["verdict"]) for r in rows] == [
    (s, "order_u", "bouncing_ball", "PASS") for s in ("maury", "moreau_jean:theta=1")]
assert all(abs(r["value"] - 1) < 0.1 and r["command"].startswith("impactlab board --schemes " + r["scheme"]) for r in rows)
print("all safe")

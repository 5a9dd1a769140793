"""What is run: problems, schemes, parameters and seeds, drawn by a generator with a fixed seed."""
import math

import numpy as np

import motions

SEED = 20240611


def digits(x, n=4):
    """Few digits, so that both programs read the same numbers."""
    return np.round(x, n).tolist() if np.ndim(x) else float(np.round(x, n))


MADE = {}


def motion_of(build, name, run, T):
    """build's motion, made once for each problem and its parameters."""
    key = (run.record["problem"], tuple(run.settings.items()), name, T)
    if key not in MADE:
        MADE[key] = build(run.parameters, run, T)
    return MADE[key]


def known(rng):
    """[(problem, settings, {name: motion of (record's parameters, q0, T)}, T, schemes)]: problems
    whose motion is known."""
    cases = []

    def add(problem, settings, T, schemes, **named):
        cases.append((problem, settings, named, T, schemes))

    inelastic = ["maury", "paoli", "venel", "moreau_jean"]
    for e in (0.0, 0.3, 0.62, 1.0):
        s = {"gravity": digits(rng.uniform(2.0, 12.0)), "e": e, "q0": digits(rng.uniform(0.3, 2.0)),
             "u0": digits(rng.uniform(-1.0, 2.0))}
        add("bouncing_ball", s, 2.5, inelastic if e == 0.0 else ["paoli", "moreau_jean"],
            exact=lambda p, run, T: motions.bouncing_ball(p, T))
    for alpha in (1.8, 1.7, 2.05):
        add("nonuniqueness", {"alpha": alpha}, 4.0, ["maury", "paoli"],
            **{k: (lambda p, run, T, k=k: motions.nonuniqueness(p, T, k)) for k in "ABC"})
    for n in (3, 6, 9):
        q0 = np.sort(rng.uniform(0.0, 2.0, n)) + 0.3 * np.arange(n)
        s = {"N": n, "q0": digits(q0), "u0": digits(rng.uniform(-1.0, 1.0, n)),
             "masses": digits(rng.uniform(0.5, 3.0, n)),
             "radii": digits(rng.uniform(0.0, 0.1, n))}
        add("sticky", s, 3.0, inelastic, exact=sticky)
    for _ in range(3):
        s = {"q0": digits([0, 0, 0, *rng.uniform([1.2, -0.4, -0.4], [1.8, 0.4, 0.4])]),
             "u0": digits([0.6, 0.1, 0.0, *rng.uniform([-0.9, -0.2, -0.2], [-0.5, 0.2, 0.2])]),
             "masses": digits(rng.uniform(0.5, 3.0, 2)), "radii": digits(rng.uniform(0.3, 0.5, 2))}
        add("two_spheres", s, 2.0, inelastic, exact=lambda p, run, T: motions.two_spheres(p, T))
        s = dict(s, scenario="pressed", F=digits(rng.uniform([1.0, -0.3, -0.3], [2.5, 0.3, 0.3])))
        add("two_spheres", s, 2.0, inelastic, exact=lambda p, run, T: motions.two_spheres(p, T))
    for n, place in ((2, 0.3), (3, 0.15), (4, 0.7)):
        r0, a = digits(rng.uniform(0.3, 0.6)), digits(rng.uniform(0.1, 0.3))
        L = 2.0 * r0 + 2.0 * a * place
        s = {"N": n, "r0": r0, "a": a, "omega": digits(rng.uniform(2.0, 4.0)),
             "q0": [x for i in range(n) for x in (L * i, 0.0, 0.0)],
             "masses": digits(rng.uniform(0.5, 2.0, n))}
        add("growing_radii", s, 1.5, ["maury", "paoli", "venel", "moreau_jean"],
            exact=lambda p, run, T: motions.growing_radii(p, T, run.q[0]))
    for scenario, T in (("slide", 4.0), ("corner", 3.0), ("own", 3.5), ("own", 3.0)):
        x = digits(rng.uniform(-2.5, -1.5))
        s = {"scenario": scenario} if scenario != "own" else {
            "q0": [x, digits(0.25 * x * x + 0.6)],
            "u0": digits([rng.uniform(0.3, 0.9), rng.uniform(-3.0, -2.0)])}
        add("vibroimpact", s, T, ["paoli", "maury"],
            exact=lambda p, run, T: motions.vibroimpact(
                {"q0": run.q[0], "u0": run.u[0]}, T))
    for n, e in ((3, 0.0), (5, 0.45), (7, 0.8)):
        s = {"N": n, "radius": digits(rng.uniform(0.05, 0.2)), "gap": digits(rng.uniform(0.2, 0.5)),
             "speed": digits(rng.uniform(0.8, 1.5)), "e": e}
        add("cradle", s, 1.2, inelastic if e == 0.0 else ["paoli"],
            exact=lambda p, run, T: motions.cradle(p, T, run.q[0]))
    for angle, mass in ((2.2, [1.0]), (1.3, [1.0, 2.5]), (2.6, [2.0, 0.3, 0.3, 1.0])):
        s = {"angle": angle, "mass": mass, "q0": digits([rng.uniform(-0.15, 0.15), 1.0]),
             "u0": digits([rng.uniform(-0.05, 0.05), -1.0]),
             "force": digits([rng.uniform(-0.3, 0.3), -0.5])}
        add("corner", s, 2.0, ["maury", "paoli", "moreau_jean"],
            exact=lambda p, run, T: motions.corner(p, T))
    for k in range(3):
        s = {"gap": digits(rng.uniform(0.2, 0.6)), "press": digits(rng.uniform(0.8, 1.6)),
             "pull": digits(rng.uniform(1.0, 2.5)), "turn": digits(rng.uniform(1.0, 1.5)),
             "speed": digits(rng.uniform(-0.5, 0.2)), "masses": [digits(rng.uniform(0.7, 2.0))]}
        if k == 2:
            s["period"] = 2.2
        add("gluey", s, 3.0, ["gluey_maury"],
            exact=lambda p, run, T: motions.gluey(p, T, True))
        add("gluey", dict(s, glue="off"), 3.0, ["maury", "paoli"],
            exact=lambda p, run, T: motions.gluey(p, T, False))
    for n, e in ((2, 0.0), (3, 0.0), (2, 0.6), (1, 0.9)):
        s = {"N": n, "masses": digits(rng.uniform(0.5, 2.0, n)),
             "lengths": digits(rng.uniform(0.6, 1.4, n)), "e": e,
             "joint": int(rng.integers(1, n + 1)), "stop": digits(rng.uniform(0.0, 0.1)),
             "q0": digits(rng.uniform(0.2, 0.4, n)), "u0": digits(rng.uniform(-0.3, 0.3, n))}
        add("pendulum", s, 2.0 if e != 0.6 else 0.7, ["maury", "paoli"] if e == 0.0 else ["paoli"],
            exact=lambda p, run, T: motions.pendulum(p, T, run.settings))
    for radius in (0.2, 0.23):
        s = {"radius": radius, "q0": digits([rng.uniform(0.9, 1.1), rng.uniform(6.9, 7.1)])}
        add("labyrinth", s, 28.0, ["venel", "catching_up"],
            exact=lambda p, run, T: motions.labyrinth(p, T))
    return cases


def sticky(p, run, T):
    """Bodies on a line, from the record."""
    r = run.vector("radii", len(run.q[0]))
    return motions.chain({"q0": run.q[0], "u0": run.u[0]}, T,
                         run.vector("masses", len(run.q[0])), r[1:] + r[:-1])


def small(rng):
    """[(problem, settings, T, steps, schemes)]: problems whose steps are made once more."""
    cases = []
    for problem, settings, _, T, schemes in known(rng):
        if problem == "labyrinth":
            continue  # with more steps below
        cases.append((problem, settings, T, int(rng.integers(30, 60)),
                      [s for s in schemes if s != "gluey_maury"]))
    cases = [c for c in cases if c[4]]
    cases.append(("labyrinth", {"radius": 0.23}, 28.0, 250, ["venel", "maury", "catching_up"]))
    for space in (2, 3):
        cases.append(("impact", {"N": 9, "space": space, "seed": 7, "spread": 1.1}, 0.6, 24,
                      ["maury", "venel", "paoli"]))
        cases.append(("pile", {"N": 8, "space": space, "seed": 3}, 0.3, 40,
                      ["maury", "venel", "paoli", "moreau_jean"]))
    for room, grow in (("square", 0.0), ("corridor", 0.0), ("open", 0.0), ("open", 0.02)):
        cases.append(("crowd", {"N": 14, "room": room, "seed": 5, "growth": grow}, 5.0, 40,
                      ["venel", "maury"]))
    for support in ("wedge", "box", "free"):
        cases.append(("crystal", {"support": support, "rows": 2, "gap": 0.05}, 0.8, 20,
                      ["maury", "venel"]))
    return cases


def crowded(rng):
    """[(problem, settings, T, steps, scheme, words)]: many contacts at a loose tolerance, so that
    residuals are numbers and not rounding."""
    cases = []
    for k, solver in enumerate(("uzawa", "apgd")):
        loose = ("--projector", solver, "--tol", "1e-5", "--max-iterations", "1000000")
        for scheme in ("maury", "venel"):
            seed = int(rng.integers(1, 1000))
            cases.append(("impact", {"N": 40, "seed": seed, "space": 2 + k}, 0.8, 12, scheme, loose))
            cases.append(("pile", {"N": 25, "seed": seed, "space": 2 + k, "radius": 0.3}, 0.6, 25,
                          scheme, loose))
    for scheme in ("maury", "venel"):
        cases.append(("impact", {"N": 60, "seed": 11}, 0.9, 9, scheme, ()))
        cases.append(("pile", {"N": 40, "seed": 5, "radius": 0.2}, 0.8, 60, scheme, ()))
    cases.append(("crystal", {"support": "free", "rows": 3, "gap": 0.1}, 1.0, 15, "maury", ()))
    return cases


def generator():
    """Always the same draws."""
    return np.random.default_rng(SEED)


def uneven(steps):
    """Counts of steps that no event falls on by design."""
    return int(math.floor(steps * 1.037)) | 1

"""The comparisons, group by group: each takes the program and the ledger."""
import math
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

import cases
import models
import motions
import norms
import projection
import steps as schemes

EPS = 2.0 ** -52


def label(run):
    """What was run, in words."""
    words = ["%s=%s" % (k, v) for k, v in run.settings.items() if len(v) < 24]
    return "%s by %s, %d steps (%s)" % (run.record["problem"], run.record["scheme"],
                                        run.record["steps"], ", ".join(words))


# ---- exact solutions and norms ---------------------------------------------------------------


def exact_solutions(program, ledger):
    """Curves of lab.exact against motions made anew."""
    wanted, made = [], []
    for problem, settings, named, T, scheme in cases.known(cases.generator()):
        run = program.run(problem, scheme[0], 8, settings, "--horizon", "%.17g" % T)
        for name, build in named.items():
            wanted.append((problem, settings, name if name != "exact" else None, T))
            made.append((label(run) + " " + name, cases.motion_of(build, name, run, T)))
    for (name, motion), (t, q, u) in zip(made, program.curves(wanted)):
        events = np.append(motion.breaks, [a[0] for a in motion.atoms])
        far = np.abs(t[:, None] - events).min(axis=1)
        clear = far > 1e-9 * t[-1]
        ours, mine = motion.states(t[clear], motion.piece_of(t[clear]))
        size = max(1.0, np.abs(q).max())
        why = "error of the reference motion"
        ledger.compare("exact q", name, float(np.abs(q[clear] - ours).max()), 0.0,
                       10.0 * motion.error * size, why, scale=np.abs(q[clear]).max())
        ledger.compare("exact u", name, float(np.abs(u[clear] - mine).max()), 0.0,
                       100.0 * motion.error * max(1.0, np.abs(u).max()), why,
                       scale=np.abs(u[clear]).max())


def distances(program, ledger):
    """Every number of `error`, against the motion made anew."""
    for problem, settings, named, T, chosen in cases.known(cases.generator()):
        for k, scheme in enumerate(chosen):
            n = cases.uneven((40 + 17 * k) * (5 if problem == "labyrinth" else 1))
            run = program.run(problem, scheme, n, settings, "--norms", "all", "--horizon",
                              "%.17g" % T)
            for name, build in named.items():
                error = run.record["error"]["distances"].get(name)
                if error is None:
                    ledger.compare("u_L1", label(run) + ": no distance to " + name, None, 0.0, 0.0,
                                   "it is in the record")
                    continue
                motion = cases.motion_of(build, name, run, T)
                one_distance(ledger, label(run) + " to " + name, run, motion, error)


def one_distance(ledger, name, run, motion, error):
    """q_Linf, u_L1, final states, graph_H, TV, flat distances and percussions."""
    both = norms.Both(run, motion)
    T, size = run.t[-1], max(1.0, np.abs(run.q).max())
    fast = max(1.0, np.abs(run.u).max())
    base = 20.0 * motion.error * size
    q, u = motion.end_state(T)
    ledger.compare("final q", name, error["final_q"], float(np.linalg.norm(run.q[-1] - q)), base,
                   "reference motion")
    ledger.compare("final u", name, error["final_u"], float(np.linalg.norm(run.u[-1] - u)),
                   20.0 * motion.error * fast, "reference motion")
    ledger.compare("q_Linf", name, error["q_Linf"], float(norms.q_linf(both)), base + 1e-12 * size,
                   "reference motion, golden section")
    value, off = norms.u_l1(both)
    jumps = 2.0 * motion.error * sum(abs(a[2]) for a in motion.atoms)
    ledger.compare("u_L1", name, error["u_L1"], float(value),
                   off + T * 20.0 * motion.error * fast + jumps + 1e-12 * len(both.low),
                   "reference motion, 1e-12 an interval")
    t, v, chord = norms.polygon_of_motion(motion, T)
    V = max(np.linalg.norm(v, axis=1).max(), 0.0) or 1.0
    ledger.compare("V", name, error["V"], float(V), 100.0 * motion.error * V + chord, "reference")
    total, off = norms.variation_of_motion(motion, T)
    off += 1e3 * motion.error * fast + 2e-9 * V * (not motion.affine)
    ledger.compare("TV_reference", name, error["TV_reference"], float(total), off,
                   "reference; the program's 1e-9 of V")
    mine = norms.variation(run.u)
    ledger.compare("TV", name, error["TV"], abs(float(mine - total)), off,
                   "reference; the program's 1e-9 of V")
    if run.u.shape[1] <= 12:
        H, off = norms.graph_distance(run, motion, T, V)
        ledger.compare("graph_H", name, error["graph_H"], float(H),
                       off + 100.0 * motion.error + (not motion.affine) * 4e-9,
                       "halving, chords of both programs")
    percussions(ledger, name, run, motion, error)


def percussions(ledger, name, run, motion, error):
    """flat distances, and the matching of impacts."""
    if error["flat_lambda"] is not None:
        T, total, most, spent, off = run.t[-1], 0.0, 0.0, 0.0, 0.0
        for contact in sorted(set(run.contact) | set(motion.contacts())):
            fine = 1 if motion.affine else 16
            one = norms.flat(*norms.cumulative(run, motion, contact, fine), T)
            if fine > 1:  # of second order: the difference is three times the error
                off += abs(one - norms.flat(*norms.cumulative(run, motion, contact, 8), T))
            total, most = total + one, max(most, one)
            spent += sum(a[2] for a in motion.atoms if a[1] == contact)
        spent = max(1.0, spent)
        allowed = 100.0 * motion.error * spent + off + 1e-11 * spent
        why = "reference; forces that vary, held constant on 8 and 16 parts of a step"
        ledger.compare("flat_lambda", name, error["flat_lambda"], float(total), allowed, why)
        ledger.compare("flat_lambda_max", name, error["flat_lambda_max"], float(most), allowed, why)
        theirs = norms.impacts(run, motion) if error["impacts"] else {}
        for key, value in theirs.items():
            ledger.compare("impacts." + key, name, float(error["impacts"][key]), float(value),
                           1e3 * motion.error * max(1.0, T, spent), "reference motion")


def flat_by_programs(program, ledger):
    """The flat distance between two bounds by linear programming."""
    for problem, settings, named, T, chosen in cases.known(cases.generator()):
        if problem not in ("bouncing_ball", "two_spheres", "corner", "gluey"):
            continue
        run = program.run(problem, chosen[0], 23, settings, "--norms", "all", "--horizon",
                          "%.17g" % T)
        for name, build in named.items():
            error = run.record["error"]["distances"][name]
            motion = cases.motion_of(build, name, run, T)
            contacts = sorted(set(run.contact) | set(motion.contacts()))
            if error["flat_lambda"] is None or len(contacts) != 1:
                continue
            x, left, right = norms.cumulative(run, motion, contacts[0],
                                              1 if motion.affine else 4)
            low, high = norms.flat_bracket(x, left, right, T, 4)
            slack = 1e-7 * max(1.0, abs(high)) + (0.0 if motion.affine else 1e-5)
            ledger.at_least("flat >= program", label(run), error["flat_lambda"], low, slack,
                            "HiGHS's 1e-7", scale=abs(low))
            ledger.at_least("flat <= program", label(run), -error["flat_lambda"], -high, slack,
                            "HiGHS's 1e-7", scale=abs(high))


# ---- isotonic regression, exact arithmetic ---------------------------------------------------


def sticky_nodes(program, ledger):
    """Centre of mass and, with the exact projector, every node of maury from pools and from all
    partitions: a step is one isotonic regression."""
    rng = cases.generator()
    for n in (2, 4, 6, 8, 10):
        settings = {"N": n, "seed": int(rng.integers(1, 10 ** 6)),
                    "masses": cases.digits(rng.uniform(0.5, 4.0, n))}
        run = program.run("sticky", "maury", int(rng.integers(3, 40)), settings)
        m = run.vector("masses", n)
        worst = brute = 0.0
        for k in range(len(run.t) - 1):
            y = run.q[k] + run.h * run.u[k]
            worst = max(worst, np.abs(run.q[k + 1] - motions.isotonic(y, m)).max())
            if n <= 8 and k < 12:
                brute = max(brute, np.abs(run.q[k + 1] -
                                          motions.isotonic_by_partitions(y, m)).max())
        size = np.abs(run.q).max()
        ledger.compare("isotonic, pools", label(run), float(worst), 0.0, 50 * EPS * n * size,
                       "rounding", scale=size)
        if n <= 8:
            ledger.compare("isotonic, all", label(run), float(brute), 0.0, 50 * EPS * n * size,
                           "rounding", scale=size)
        end = motions.isotonic(run.q[0] + run.t[-1] * run.u[0], m)
        ledger.compare("centre of mass", label(run), float(abs(m @ (run.q[-1] - end)) / m.sum()),
                       0.0, 50 * EPS * len(run.t) * size, "rounding of N steps", scale=size)


def rational(program, ledger):
    """nonuniqueness and sticky in fractions, against --exact-arithmetic digit by digit and
    against doubles."""
    rng = cases.generator()
    for alpha, n in (("9/5", 64), ("9/5", 513), ("17/10", 300), ("2", 100), ("41/20", 777)):
        run = program.run("nonuniqueness", "maury", n, {"alpha": alpha}, "--exact-arithmetic")
        q, u = rational_wall(Fraction(alpha), Fraction(4, n), n)
        same_fraction(ledger, "exact q", run, q)
        same_fraction(ledger, "exact u", run, u, "u")
    for n in (3, 5, 7):
        u0 = [Fraction(int(k), 16) for k in rng.integers(-16, 17, n)]
        m = [Fraction(int(k), 4) for k in rng.integers(2, 12, n)]
        run = program.run("sticky", "maury", 11, {"N": n, "u0": [float(x) for x in u0],
                                                  "masses": [float(x) for x in m]},
                          "--exact-arithmetic")
        h = Fraction(3, 11)
        q, u = [Fraction(i, n - 1) for i in range(n)], u0
        for _ in range(11):
            new = motions_isotonic_exact([a + h * b for a, b in zip(q, u)], m)
            u = [(b - a) / h for a, b in zip(q, new)]
            q = new
        for i in range(n):
            same_fraction(ledger, "exact q", run, q[i], "q", i)


def same_fraction(ledger, kind, run, value, key="q", i=0):
    """The text in the record is that fraction."""
    theirs = Fraction(run.record["exact"]["final"][key][i])
    ledger.compare("rational " + kind[-1], "%s, %s[%d]" % (label(run), key, i),
                   float(theirs - value), 0.0, 0.0, "exact", scale=float(abs(value)))
    doubles = (run.q if key == "q" else run.u)[-1][i]
    ledger.compare("doubles " + kind[-1], "%s, %s[%d]" % (label(run), key, i), float(doubles),
                   float(value), 1e3 * EPS * len(run.t), "rounding of N steps", scale=1.0)


def rational_wall(alpha, h, n):
    """Maury's scheme on nonuniqueness in fractions: u <- max(u + h fbar, -q/h)."""
    def integral(t):
        if t == 0:
            return Fraction(0)
        low = Fraction(1)
        while low > t:
            low /= 2
        while 2 * low <= t:
            low *= 2
        s = t - low
        return low * (1 - alpha) / 2 + min(s, low / 2) - alpha * max(s - low / 2, Fraction(0))

    q = u = Fraction(0)
    for k in range(n):
        u = max(u + integral((k + 1) * h) - integral(k * h), -q / h)
        q = q + h * u
    return q, u


def motions_isotonic_exact(y, m):
    """Pools in fractions."""
    blocks = []
    for value, weight in zip(y, m):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            v, w, n = blocks.pop()
            v0, w0, n0 = blocks[-1]
            blocks[-1] = [(v0 * w0 + v * w) / (w0 + w), w0 + w, n0 + n]
    return [v for v, _, n in blocks for _ in range(n)]


# ---- steps -----------------------------------------------------------------------------------


def steps(program, ledger):
    """Each step of the program from its own node before, made once more; and whole runs."""
    for problem, settings, T, n, chosen in cases.small(cases.generator()):
        for scheme in chosen:
            if problem == "impact" and scheme == "paoli":
                continue  # many local minimisers, slow fixed points: see true_set
            # gaps that are zero but for rounding must not decide
            words = {"moreau_jean": "moreau_jean:threshold=1e-9,theta=0.7"}.get(scheme, scheme)
            run = program.run(problem, words, n, settings, "--horizon", "%.17g" % T)
            step_by_step(ledger, run, scheme)


def step_by_step(ledger, run, scheme):
    """Positions, velocities and impulses of every step."""
    model = models.model_of(run)
    options = {"theta": 0.7, "threshold": 1e-9} if scheme == "moreau_jean" else {}
    size, fast = max(1.0, np.abs(run.q).max()), max(1.0, np.abs(run.u).max())
    off = [0.0, 0.0, 0.0]
    unique, q, u, drift = True, run.q[0], run.u[0], 0.0
    for k in range(len(run.t) - 1):
        x, v, push = schemes.step(model, scheme, run.t[k], run.t[k + 1], run.q[k], run.u[k],
                                  **options)
        off[0] = max(off[0], np.abs(x - run.q[k + 1]).max())
        off[1] = max(off[1], np.abs(v - run.u[k + 1]).max())
        ours = np.zeros(len(push))
        for contact, impulse in run.pushes(k + 1).items():
            ours[contact] = impulse
        active = (push > 1e-12) | (ours > 1e-12)
        if active.any():
            G = model.rows(run.t[k + 1], run.q[k])[3][active]
            unique = unique and np.linalg.matrix_rank(G, tol=1e-6) == active.sum()
        off[2] = max(off[2], np.abs(ours - push).max() if len(push) else 0.0)
        q, u, _ = schemes.step(model, scheme, run.t[k], run.t[k + 1], q, u, **options)
        drift = max(drift, np.abs(q - run.q[k + 1]).max())
    h = run.h
    # nonnegative least squares solve a system of condition up to 1e3 and divide by h; the true set
    # is iterated to 1e-15 of the coordinates, and linearly
    solve = 1e4 * EPS if model.affine or scheme in ("maury", "venel", "moreau_jean") else 1e6 * EPS
    why = "projections to rounding" if solve < 1e-11 else "fixed points to 1e-10"
    heavy = float(np.max(model.mass))
    ledger.compare("step q", label(run), float(off[0]), 0.0, solve * (size + h * fast), why,
                   scale=size)
    ledger.compare("step u", label(run), float(off[1]), 0.0, solve * (size / h + fast), why,
                   scale=fast)
    if unique:
        ledger.compare("step impulse", label(run), float(off[2]), 0.0,
                       10.0 * solve * heavy * (size / h + fast), why, scale=run.impulse.max()
                       if run.impulse.size else 0.0)
    if run.record["problem"] not in ("pile", "impact", "nonuniqueness"):
        ledger.compare("whole run", label(run), float(drift), 0.0,
                       10.0 * len(run.t) ** 2 * solve * (size + h * fast),
                       why + ", N^2 of them", scale=size)


def true_set(program, ledger):
    """paoli's and catching_up's answers are critical points of the true projection."""
    for problem, settings, T, n, chosen in cases.small(cases.generator()):
        for scheme in set(chosen) & {"paoli", "catching_up"}:
            run = program.run(problem, scheme, n, settings, "--horizon", "%.17g" % T)
            model = models.model_of(run)
            deep = rest = 0.0
            e, h = (model.e if model.order == 2 else 0.0), run.h
            for k in range(n):
                f = model.mean(run.t[k], run.t[k + 1], run.q[k])
                free = f if model.order == 1 else run.u[k] + h * model.over(f)
                target = run.q[k] + h * (free - e * run.u[k]) / (1.0 + e)
                x = (run.q[k + 1] + e * (run.q[k] - h * run.u[k])) / (1.0 + e)
                a, b = schemes.fault_of_projection(model, run.t[k + 1], target, x)
                deep, rest = max(deep, a), max(rest, b)
            size = max(1.0, np.abs(run.q).max())
            ledger.compare("true set, gap", label(run), float(deep), 0.0, 1e-11 * size,
                           "the program's 1e-12", scale=size)
            ledger.compare("true set, pull", label(run), float(rest), 0.0,
                           1e-10 * size * float(np.max(model.mass)), "the program's 1e-12, "
                           "curvature", scale=size * float(np.max(model.mass)))


def frozen(program, ledger):
    """Step problems of --fclib: M v = H r + f, H'v + w >= 0, r >= 0 and complementary."""
    for problem, settings, T, n, chosen in cases.small(cases.generator()):
        scheme = chosen[0]
        if scheme != "maury":
            continue
        for at in (n, n // 2):
            run = program.run(problem, scheme, n, settings, "--horizon", "%.17g" % T,
                              "--fclib-step", str(at), fclib=True)
            data = run.extra["fclib"]
            size = max(1.0, np.abs(data["v"]).max())
            H, w = normal_rows(data)
            free = np.linalg.solve(data["M"], data["f"])
            v, r = projection.project(data["M"], free, H, -w)
            cond = np.linalg.cond(data["M"])
            ledger.compare("frozen v", "%s, step %d" % (label(run), at),
                           float(np.abs(v - data["v"]).max()), 0.0, 1e4 * EPS * cond * size /
                           min(1.0, run.h), "rounding times cond(M)", scale=size)
            ledger.compare("frozen next", "%s, step %d" % (label(run), at),
                           float(np.abs(run.u[at] - data["v"]).max()), 0.0, 100 * EPS * size,
                           "the same numbers", scale=size)


def normal_rows(data):
    """The normal columns of H, which stand first of every three, as rows."""
    dim = 3 if data["H"].shape[1] == len(data["w"]) and len(data["w"]) % 3 == 0 else 1
    return data["H"].T[::dim], data["w"][::dim]


# ---- what the record says of a run -----------------------------------------------------------


def certificates(program, ledger):
    """Residuals, gaps, energy, momentum and sums, recomputed over all pairs."""
    for problem, settings, T, n, scheme, words in cases.crowded(cases.generator()):
        run = program.run(problem, scheme, n, settings, "--horizon", "%.17g" % T, *words)
        model = models.model_of(run)
        residuals(ledger, run, model, scheme)
        gaps(ledger, run, model)
        sums(ledger, run, model)


def residuals(ledger, run, model, scheme):
    """primal, dual, complementarity, stationarity of all projections, in the scheme's variables:
    velocities with s = h in maury, displacements with s = 1 in venel."""
    h, worst = run.h, {"primal": math.inf, "complementarity": 0.0, "stationarity": 0.0}
    moved = []
    for k in range(len(run.t) - 1):
        q, u, t1 = run.q[k], run.u[k], run.t[k + 1]
        _, g, _, G = model.rows(t1, q)
        push = np.zeros(len(g))
        for contact, impulse in run.pushes(k + 1).items():
            push[contact] = impulse
        free = u + h * model.over(model.mean(run.t[k], t1, q))
        scale = 1.0 if scheme == "maury" else h
        value = g + h * (G @ run.u[k + 1])
        pull = model.times(run.u[k + 1] - free) - G.T @ push
        worst["primal"] = min(worst["primal"], value.min())
        mu = push / h if scheme == "maury" else push * h
        worst["complementarity"] = max(worst["complementarity"], np.abs(mu * value).max())
        worst["stationarity"] = max(worst["stationarity"], scale * np.abs(pull).max())
        off = scale * np.abs(model.over(pull))
        terms = scale * model.over(np.abs(G).T @ push)
        reach = scale * (np.abs(run.u[k + 1]) + np.abs(free)) + terms
        moved.append(off.max() / reach.max())
    record = run.record["certificate"]
    size = max(np.abs(run.q).max(), h * np.abs(run.u).max())
    impulse = run.impulse.max() if run.impulse.size else 1.0
    unit = (impulse / h if scheme == "maury" else impulse * h)
    ledger.compare("primal", label(run), min(0.0, record["primal"]), min(0.0, worst["primal"]),
                   20 * EPS * size, "rounding")
    ledger.compare("complementarity", label(run), record["complementarity"],
                   float(worst["complementarity"]), 20 * EPS * size * unit, "rounding")
    scale = (1.0 if scheme == "maury" else h) * float(np.max(model.mass)) * np.abs(run.u).max()
    ledger.compare("stationarity", label(run), record["stationarity"],
                   float(worst["stationarity"]), 200 * EPS * scale + 200 * EPS * impulse *
                   (1.0 if scheme == "maury" else h), "rounding", scale=impulse)
    ledger.compare("relative", label(run), record["stationarity_relative"], float(max(moved)),
                   200 * EPS, "rounding", scale=1.0)
    ledger.compare("dual", label(run), record["dual"] if run.impulse.size else 0.0,
                   min(0.0, float(run.impulse.min()) if run.impulse.size else 0.0), 0.0, "signs",
                   scale=impulse)


def gaps(ledger, run, model):
    """The least gap at nodes and on the straight ways between them, over all pairs."""
    nodes = min(model.rows(t, q)[1].min() for t, q in zip(run.t, run.q))
    size = np.abs(run.q).max()
    record = run.record["feasibility"]
    ledger.compare("nodes_min", label(run), record["nodes_min"], float(nodes), 20 * EPS * size,
                   "rounding", scale=size)
    if model.fixed and hasattr(model, "inside"):
        inside = min([nodes] + [model.inside(a, b) for a, b in zip(run.q[:-1], run.q[1:])])
        # a gap is flat at its least: golden section to 1e-7 of a step
        moved = np.linalg.norm(np.diff(run.q, axis=0).reshape(len(run.t) - 1, -1), axis=1).max()
        ledger.compare("between_min", label(run), record["between_min"], float(inside),
                       20 * EPS * size + 1e-12 * moved, "golden section", scale=size)


def sums(ledger, run, model):
    """Energy, momentum, variation, impulses."""
    record = run.record
    energy = np.array([0.5 * u @ model.times(u) for u in run.u])
    force = np.array([model.mean(a, b, q) for a, b, q in zip(run.t[:-1], run.t[1:], run.q)])
    ahead = np.array([model.mean(a, b, q) for a, b, q in zip(run.t[:-1], run.t[1:], run.q[1:])])
    work = (0.5 * (force + ahead) * np.diff(run.q, axis=0)).sum(axis=1)
    top = max(1e-300, energy.max())
    tight = 50 * EPS * len(run.q[0]) * top
    ledger.compare("energy.final", label(run), record["energy"]["final"], float(energy[-1]), tight,
                   "rounding")
    ledger.compare("energy.initial", label(run), record["energy"]["initial"], float(energy[0]),
                   tight, "rounding", scale=float(energy[0]))
    rise = np.diff(energy)
    ledger.compare("energy.increase", label(run), record["energy"]["largest_increase"],
                   float(rise.max()), tight, "rounding", scale=top)
    balance = np.concatenate(([0.0], np.cumsum(rise - work)))
    loose = len(rise) * tight
    for key, value in (("final", balance[-1]), ("largest", balance[1:].max()),
                       ("largest_step", (rise - work).max())):
        ledger.compare("energy.balance." + key, label(run), record["energy"]["balance"][key],
                       float(value), loose, "rounding", scale=top)
    ledger.compare("variation", label(run), record["total_variation"],
                   float(norms.variation(run.u)), 50 * EPS * len(run.t) * norms.variation(run.u),
                   "rounding")
    ledger.compare("impulse_total", label(run), record["contacts"]["impulse_total"],
                   float(run.impulse.sum()), 50 * EPS * len(run.impulse) *
                   (run.impulse.sum() or 1.0), "rounding")
    most = max(np.bincount(run.step[run.impulse > 0.0]), default=0)
    ledger.compare("active_max", label(run), record["contacts"]["active_max"], int(most), 0,
                   "a count")
    axes = [0] if record["problem"] in ("impact", "pile") and model.space == 2 else \
        [0, 1] if record["problem"] in ("impact", "pile") else range(model.space)
    drift = record["momentum"]["largest_drift"]
    if drift is not None:
        m = model.mass.reshape(-1, model.space)
        P = (m * run.u.reshape(len(run.t), -1, model.space)).sum(axis=1)
        pushed = np.cumsum(run.h * force.reshape(len(force), -1, model.space).sum(axis=1), axis=0)
        mine = np.abs(P[1:] - P[0] - pushed)[:, list(axes)].max()
        size = (m * np.abs(run.u).reshape(len(run.t), -1, model.space)).sum(axis=1).max()
        ledger.compare("momentum", label(run), drift, float(mine), 200 * EPS * size, "rounding",
                       scale=size)


def multipliers(program, ledger):
    """The set of all multipliers by HiGHS, from the gradients at the end of the step."""
    for support, rows in (("wedge", 2), ("wedge", 3), ("wedge", 4), ("free", 2), ("free", 3)):
        run = program.run("crystal", "maury", 5, {"support": support, "rows": rows},
                          "--multipliers", "last")
        model, found = models.model_of(run), run.record["multipliers"]
        _, g, _, G = model.rows(run.t[-1], run.q[-1])
        touching = np.flatnonzero(g <= 1e-9)
        B = G[touching].T
        F = model.times(run.u[-1] - run.u[-2]) - run.h * model.mean(0.0, 0.0, run.q[-2])
        F = F / run.h
        size = np.abs(F).max()
        ledger.compare("contacts", label(run), found["contacts"], len(touching), 0, "a count")
        ledger.compare("rank", label(run), found["rank"], int(np.linalg.matrix_rank(B, tol=1e-9)),
                       0, "a count")
        ends = {"min": [], "max": []}
        for k in range(len(touching)):
            c = np.zeros(len(touching))
            c[k] = 1.0
            for key, sign in (("min", 1.0), ("max", -1.0)):
                answer = linprog(sign * c, A_eq=B, b_eq=F, method="highs")
                ends[key].append(sign * answer.fun if answer.status == 0 else math.nan)
        for key, values in ends.items():
            same = len(values) == len(found[key])
            off = np.abs(np.array(found[key]) - values).max() if same else math.nan
            ledger.compare("multipliers " + key, label(run), float(off), 0.0, 1e-7 * size,
                           "HiGHS's 1e-7", scale=max(values))
        total = linprog(np.ones(len(touching)), A_eq=B, b_eq=F, method="highs").fun
        total = math.nan if total is None else float(total)
        ledger.compare("multipliers sum", label(run), found["total"]["min"], total,
                       1e-7 * size, "HiGHS's 1e-7")


GROUPS = [exact_solutions, distances, flat_by_programs, sticky_nodes, rational, steps, true_set,
          frozen, certificates, multipliers]

"""The exact motions of the problems, derived and computed anew: closed forms, event-driven
integration with analytic roots, DOP853 (Hairer, Norsett & Wanner) or matrix exponentials."""
import math

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq

from motion import Motion, Piece, parabola
from projection import project

TOUCH = 1e-11  # a gap below this part of the size of the motion is contact


# ---- any polyhedron, constant forces ---------------------------------------------------------


def polyhedral(mass, q, u, rows, offsets, forces, T):
    """M du = f dt + sum lambda_i b_i, <b_i, q> + c_i >= 0, u+ = P_C u-; f constant between times.

    forces: [(until, f)]. Between events acceleration and forces are constant: the acceleration is
    the projection of M^-1 f onto {<b_i, a> >= 0, i touching without normal speed}. The next event
    is the first root of a quadratic gap, or a change of f.
    """
    q, u = np.array(q, dtype=float), np.array(u, dtype=float)
    solve = (lambda f: f / mass) if np.ndim(mass) == 1 else (lambda f: np.linalg.solve(mass, f))
    start, pieces, atoms, t = u.copy(), [], [], 0.0
    size = 1.0 + np.abs(q).max()
    touching = rows @ q + offsets <= TOUCH * size
    while t < T:
        until, f = next((end, np.array(f, dtype=float)) for end, f in forces if end > t)
        part = np.flatnonzero(touching)
        if part.size and (rows[part] @ u).min() < -1e-13 * (1.0 + np.abs(u).max()):
            u, mu = project(mass, u, rows[part], np.zeros(part.size))
            atoms += [(t, i, m) for i, m in zip(part, mu) if m > 1e-13]
        still = part[np.abs(rows[part] @ u) <= 1e-10 * (1.0 + np.abs(u).max())]
        a, mu = project(mass, solve(f), rows[still], np.zeros(still.size))
        g, v, w = rows @ q + offsets, rows @ u, rows @ a
        g[touching], v[still] = 0.0, 0.0
        w[still[np.abs(w[still]) <= 1e-11 * (1.0 + np.abs(a).max())]] = 0.0
        meet = [first_root(g[i], v[i], 0.5 * w[i]) for i in range(len(g))]
        stay = set(still[w[still] == 0.0])
        meet = [math.inf if i in stay else m for i, m in enumerate(meet)]
        step = min([until - t, T - t] + meet)
        pieces.append(parabola(t, t + step, q, u, a, dict(zip(still, mu))))
        q, u = q + step * u + 0.5 * step * step * a, u + step * a
        touching = np.array([i in stay or abs(meet[i] - step) <= 1e-11 * T
                             for i in range(len(g))], dtype=bool)
        t = until if step == until - t else t + step
    return Motion(pieces, atoms, start, 1e-11)


def first_root(c, b, a):
    """The least s > 0 at which c + b s + a s^2 falls through 0, c >= 0; inf if never."""
    if c <= 0.0 and b >= 0.0:
        if a < 0.0 and b > 0.0:
            return -b / a
        return 0.0 if a < 0.0 else math.inf
    if a == 0.0:
        return -c / b if b < 0.0 else math.inf
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return math.inf
    big = -0.5 * (b + math.copysign(math.sqrt(square), b))
    roots = sorted(s for s in (big / a, c / big if big else math.inf) if s > 0.0)
    falling = [s for s in roots if b + 2.0 * a * s < 0.0]
    return falling[0] if falling else math.inf


def bouncing_ball(p, T):
    """Parabolas between impacts at t_k; impact k leaves e^k v: t_{k+1} = t_k + 2 e^k v/gravity."""
    g, e, q, u = (p[k] for k in ("gravity", "e", "q0", "u0"))
    rows, offsets = np.ones((1, 1)), np.zeros(1)
    if e == 0.0:
        return polyhedral(np.ones(1), [q], [u], rows, offsets, [(T, [-g])], T)
    hit = (u + math.sqrt(u * u + 2.0 * g * q)) / g
    pieces = [parabola(0.0, hit, [q], [u], [-g])]
    atoms, t, v = [], hit, g * hit - u
    while t < T and v > 1e-18:
        atoms.append((t, 0, (1.0 + e) * v))
        v *= e
        pieces.append(parabola(t, t + 2.0 * v / g, [0.0], [v], [-g]))
        t += 2.0 * v / g
    pieces.append(parabola(t, max(T, t), [0.0], [0.0], [0.0], {0: g}))
    atoms = [a for a in atoms if a[0] <= T]
    return Motion([x for x in pieces if x.begin < T], atoms, [u], 1e-13)


def chain(p, T, masses, widths):
    """sticky and cradle without restitution: bodies on a line."""
    q, u = np.array(p["q0"]), np.array(p["u0"])
    n = len(q)
    rows = np.eye(n)[1:] - np.eye(n)[:-1]
    return polyhedral(masses, q, u, rows, -widths, [(T, np.zeros(n))], T)


def isotonic(y, masses):
    """Weighted isotonic regression: the nearest nondecreasing x, by pooling adjacent violators
    (Ayer et al. 1955)."""
    blocks = []
    for value, weight in zip(y, masses):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            v, w, n = blocks.pop()
            v0, w0, n0 = blocks[-1]
            blocks[-1] = [(v0 * w0 + v * w) / (w0 + w), w0 + w, n0 + n]
    return np.concatenate([np.full(n, v) for v, _, n in blocks])


def isotonic_by_partitions(y, masses):
    """The same by trying all 2^(n-1) ways of cutting the row into blocks that move as one."""
    n = len(y)
    best, answer = math.inf, None
    for code in range(1 << (n - 1)):
        cuts = [0] + [i + 1 for i in range(n - 1) if code >> i & 1] + [n]
        means = [np.average(y[a:b], weights=masses[a:b]) for a, b in zip(cuts, cuts[1:])]
        if any(x > z for x, z in zip(means, means[1:])):
            continue
        x = np.repeat(means, np.diff(cuts))
        cost = (masses * (x - y) ** 2).sum()
        if cost < best:
            best, answer = cost, x
    return answer


def cradle(p, T, q):
    """All contacts at once: u+ = (1 + e) s/(N + 1) - e u-."""
    n, s, e = p["N"] + 1, p["speed"], p["e"]
    meet = p["gap"] / s
    u = np.zeros(n)
    u[0] = s
    after = (1.0 + e) * s / n - e * u
    push = np.cumsum(u - after)[:-1]
    pieces = [parabola(0.0, meet, q, u, np.zeros(n)),
              parabola(meet, max(T, meet), q + meet * u, after, np.zeros(n))]
    return Motion(pieces, [(meet, i, m) for i, m in enumerate(push)], u, 1e-13)


def corner(p, T):
    """Two faces with normals (+-cos, sin) of half the angle."""
    half = 0.5 * p["angle"]
    rows = np.array([[math.cos(half), math.sin(half)], [-math.cos(half), math.sin(half)]])
    return polyhedral(mass_of(p["mass"], 2), p["q0"], p["u0"], rows, np.zeros(2),
                      [(T, p["force"])], T)


def mass_of(x, n):
    """1, n or n*n numbers as [n] or [n][n]."""
    x = np.atleast_1d(np.array(x, dtype=float))
    return np.full(n, x[0]) if x.size == 1 else x if x.size == n else x.reshape(n, n)


def gluey(p, T, glue):
    """One gap D with m D'' = F + lambda. With glue W = m D' + gamma has W' = F through all: an
    impact puts gamma = m D'-, and the contact holds until W is 0 again."""
    forces, t = [], 0.0
    while t < T:
        forces += [(t + p["turn"], -p["press"]), (t + (p["period"] or 10.0 * T), p["pull"])]
        t = forces[-1][0]
    m, D, V, gamma, t = p["masses"][0], p["gap"], p["speed"], p["gamma"], 0.0
    pieces, atoms = [], []
    while t < T:
        until, F = next(x for x in forces if x[0] > t)
        if D <= 0.0 and V < 0.0:
            atoms.append((t, 0, -m * V))
            gamma, V = gamma + m * V if glue else 0.0, 0.0
        hold = D <= 0.0 and (gamma < 0.0 or (V == 0.0 and F <= 0.0))
        if hold:
            free = -gamma / F if F > 0.0 else math.inf
            step = min(until - t, T - t, free)
            pieces.append(parabola(t, t + step, [0.0], [0.0], [0.0], {0: -F}))
            gamma = (0.0 if step == free else gamma + step * F) if glue else 0.0
            D = 0.0
        else:
            meet = first_root(D, V, 0.5 * F / m)
            step = min(until - t, T - t, meet)
            pieces.append(parabola(t, t + step, [D], [V], [F / m]))
            D, V = (0.0 if step == meet else D + step * V + 0.5 * step * step * F / m,
                    V + step * F / m)
        t = until if step == until - t else t + step
    return Motion(pieces, atoms, [p["speed"]], 1e-13)


# ---- nonuniqueness ---------------------------------------------------------------------------


def nonuniqueness(p, T, name, octaves=60):
    """The force is 1 on (2^j, 1.5 2^j) and -alpha on (1.5 2^j, 2^(j+1)). A goes through rest at
    tau = 4^k where that closes; else A and B are what motions that rest at 4^-k, 2 4^-k far back
    tend to: both attract, and are scaled copies of themselves over two octaves. C lands in every
    push, r 2^j before its end, r^2 + (2 alpha - 1) r + 1 - 5 alpha/4 = 0; it may repel, and is
    taken up from there in every octave."""
    alpha = p["alpha"]
    top = math.ceil(math.log2(T)) + 2
    if name == "C":
        b, c = 2.0 * alpha - 1.0, 1.0 - 1.25 * alpha
        r = -2.0 * c / (b + math.sqrt(b * b - 4.0 * c))
        pieces, atoms = [], []
        for j in range(top - octaves, top):
            begin = (1.5 - r) * 2.0 ** j
            more, hits = octave_motion(alpha, begin, 2.0 * begin)
            pieces, atoms = pieces + more, atoms + hits
    else:
        far = top - 400
        far += (far - (0 if name == "A" else 1)) % 2
        pieces, atoms = octave_motion(alpha, 2.0 ** far, T)
    pieces = [x for x in pieces if x.begin >= 2.0 ** (top - octaves) * 0.9]
    atoms = [x for x in atoms if pieces[0].begin < x[0] <= T]
    start = [parabola(0.0, pieces[0].begin, [0.0], [0.0], [0.0], {0: 0.0})]
    return Motion(clipped(start + pieces, T), atoms, [0.0], 1e-13)


def octave_motion(alpha, t, T):
    """Pieces and percussions of the motion that leaves the wall from rest at t."""
    q = u = 0.0
    pieces, atoms = [], []
    while t < T * (1.0 - 1e-14):
        j = math.floor(math.log2(t) + 1e-12)
        half, whole = 1.5 * 2.0 ** j, 2.0 ** (j + 1)
        until, f = (half, 1.0) if t < half * (1.0 - 1e-15) else (whole, -alpha)
        if q == 0.0 and u == 0.0 and f < 0.0:
            pieces.append(parabola(t, until, [0.0], [0.0], [0.0], {0: alpha}))
            t = until
            continue
        meet = first_root(q, u, 0.5 * f) if q > 0.0 or u != 0.0 else math.inf
        step = min(until - t, meet)
        pieces.append(parabola(t, t + step, [q], [u], [f]))
        q, u = q + step * u + 0.5 * step * step * f, u + step * f
        if step == meet:
            atoms.append((t + step, 0, -u))
            q, u = 0.0, 0.0
            t += step
        else:
            t = until
    return pieces, atoms


def clipped(pieces, T):
    """Pieces that begin before T; the last one ends there."""
    kept = [p for p in pieces if p.begin < T]
    kept[-1].end = T
    return kept


# ---- curved constraints ----------------------------------------------------------------------


def dense(begin, end, right, y, events=()):
    """DOP853 to 3e-14, with dense output; stops at the first event."""
    return solve_ivp(right, (begin, end), y, method="DOP853", rtol=3e-14, atol=1e-14,
                     events=list(events) or None, dense_output=True,
                     max_step=(end - begin) / 200.0)


def two_spheres(p, T):
    """w = q2 - q1 alone: m_r w'' = m_r a + lambda e, a = -F/m1 - F/m2 (F on sphere 1, -F on 2);
    the centre of mass goes straight. On |w| = R: w'' = a - (<a,e> + |w'|^2/R) e while lambda/m_r
    = -(<a,e> + |w'|^2/R) > 0."""
    q, u = np.array(p["q0"]).reshape(2, 3), np.array(p["u0"]).reshape(2, 3)
    m = mass_of(p["masses"], 2)
    radii = mass_of(p["radii"], 2)
    R, M = radii.sum(), m.sum()
    F = np.array(p["F"], dtype=float)
    a = -F / m[0] - F / m[1]
    reduced = m[0] * m[1] / M
    centre, drift = m @ q / M, m @ u / M
    w, v, t = q[1] - q[0], u[1] - u[0], 0.0
    pieces, atoms = [], []

    def lift(t, w, v):
        c = centre + np.multiply.outer(t, drift)
        c1 = np.broadcast_to(drift, w.shape)
        return (np.concatenate([c - m[1] / M * w, c + m[0] / M * w], axis=1),
                np.concatenate([c1 - m[1] / M * v, c1 + m[0] / M * v], axis=1))

    def flight(t0, t1, w, v):
        def state(t):
            s = (np.asarray(t) - t0)[:, None]
            return lift(np.asarray(t), w + s * v + 0.5 * s * s * a, v + s * a)
        return Piece(t0, t1, state)

    def gap(s):
        x = w + s * v + 0.5 * s * s * a
        return x @ x - R * R

    sliding = slid = False
    while t < T - 1e-14:
        if not sliding:
            meet = first_fall(gap, T - t, (0.0 if not pieces else 1e-5) if not slid else 1e-3)
            end = min(T, t + meet)
            pieces.append(flight(t, end, w, v))
            s = end - t
            w, v, t = w + s * v + 0.5 * s * s * a, v + s * a, end
            if math.isinf(meet):
                break
            e = w / np.linalg.norm(w)
            atoms.append((t, 0, -reduced * (v @ e)))
            v = v - (v @ e) * e
            sliding, slid = -(a @ e + v @ v / R) > 0.0, False
            continue

        def right(_, y):
            e, z = y[:3] / R, y[3:]
            return np.concatenate([z, a - (a @ e + z @ z / R) * e])

        def leaves(_, y):
            return -(a @ y[:3] / R + y[3:] @ y[3:] / R)

        leaves.terminal, leaves.direction = True, -1
        found = dense(t, T, right, np.concatenate([w, v]), [leaves])
        end = found.t[-1]

        def state(t, sol=found.sol):
            y = sol(np.asarray(t)).T
            return lift(np.asarray(t), y[:, :3], y[:, 3:])

        def force(t, sol=found.sol):
            y = sol(np.asarray(t)).T
            return -reduced * (y[:, :3] @ a / R + (y[:, 3:] ** 2).sum(axis=1) / R)

        pieces.append(Piece(t, end, state, {0: force}, affine=False))
        y = found.sol(end)
        w, v, t, sliding, slid = y[:3], y[3:], end, False, True
    return Motion(pieces, atoms, p["u0"], 1e-10 if np.any(a) else 1e-13)


def first_fall(gap, length, clear=0.0, samples=1500):
    """The first s in (0, length] at which gap falls through 0, by samples and Brent's method. A
    gap that is 0 at the start is looked at from `clear` times the length on."""
    s = np.linspace(0.0, length, samples + 1)
    if clear > 0.0:
        s = np.concatenate([length * np.geomspace(clear, 1e-3, 60)[:-1], s[s >= 1e-3 * length]])
    g = gap(s) if getattr(gap, "many", False) else np.array([gap(x) for x in s])
    for k in range(len(s) - 1):
        if g[k] > 0.0 >= g[k + 1]:
            return brentq(gap, s[k], s[k + 1], xtol=1e-15, rtol=1e-15)
    return math.inf


def growing_radii(p, T, q0):
    """Spheres at equal distances L on a line. The distance rho of neighbours obeys rho >= S(t) =
    2 r0 + a (1 - cos wt): it is L until S reaches it, takes S' there, is S while S'' >= 0 and flies
    on. Speeds: u_i = rho' (i - ibar) along the line, ibar = sum m_i i/sum m_i (momentum 0). Contact
    i carries minus the change of the momentum of bodies 0..i."""
    n = p["N"]
    q0 = np.array(q0).reshape(n, 3)
    m = mass_of(p["masses"], n)
    L = np.linalg.norm(q0[1] - q0[0])
    e = (q0[1] - q0[0]) / L
    w, a, r0 = p["omega"], p["a"], p["r0"]
    place = np.arange(n) - m @ np.arange(n) / m.sum()
    centre = (m @ q0) / m.sum()
    carried = -np.cumsum(m * place)[:-1]  # impulse of contact i for one unit of rho'
    level = (L - 2.0 * r0) / (2.0 * a) if a > 0.0 else math.inf
    meet = 2.0 / w * math.asin(math.sqrt(level)) if level <= 1.0 else math.inf
    turn = 0.5 * math.pi / w

    def piece(begin, end, rho, speed, force=None):
        def state(t):
            t = np.asarray(t, dtype=float)
            x = centre + (rho(t)[:, None] * place)[..., None] * e
            v = (speed(t)[:, None] * place)[..., None] * e
            return x.reshape(len(t), -1), v.reshape(len(t), -1)
        return Piece(begin, end, state, force, affine=force is None)

    def pair(i):
        return (i + 1) * i // 2 + i

    pieces = [piece(0.0, min(meet, T), lambda t: np.full(t.shape, L), lambda t: np.zeros(t.shape))]
    atoms = []
    if meet < T:
        kick = a * w * math.sin(w * meet)
        atoms = [(meet, pair(i), c * kick) for i, c in enumerate(carried)]
        begin, rho, speed = meet, L, kick
        if meet < turn:
            end = min(turn, T)
            force = {pair(i): (lambda t, c=c: c * a * w * w * np.cos(w * np.asarray(t)))
                     for i, c in enumerate(carried)}
            pieces.append(piece(meet, end, lambda t: 2.0 * r0 + a * (1.0 - np.cos(w * t)),
                                lambda t: a * w * np.sin(w * t), force))
            begin, rho, speed = turn, 2.0 * r0 + a, a * w
        if begin < T:
            pieces.append(piece(begin, T, lambda t: rho + speed * (t - begin),
                                lambda t: np.full(t.shape, speed)))
    return Motion(pieces, atoms, np.zeros(3 * n), 1e-12)


def vibroimpact(p, T):
    """In the frame Y = y + t the set Y >= psi(x) = max(-x|x|, (x-4)|x-4|)/4 stands still. Flight
    is straight; contact keeps the part of the velocity along the curve; where psi'' > 0 the point
    slides, x' = c/sqrt(1 + psi'^2), which DOP853 integrates; where psi'' < 0 it flies off. In the
    corner (2,-1) it rests."""
    q, u = np.array(p["q0"]), np.array(p["u0"])
    start = u.copy()
    X, V, t = q.copy(), u + [0.0, 1.0], 0.0
    pieces, atoms = [], []

    def side(x):
        return 0 if x <= 2.0 else 1

    def wall(x, k):
        return -0.25 * x * abs(x) if k == 0 else 0.25 * (x - 4.0) * abs(x - 4.0)

    def slope(x, k):
        return -0.5 * abs(x) if k == 0 else 0.5 * abs(x - 4.0)

    def line(t0, t1, X, V):
        def state(t):
            s = (np.asarray(t) - t0)[:, None]
            y = X + s * V
            y[:, 1] -= np.asarray(t)
            return y, np.broadcast_to(V - [0.0, 1.0], y.shape)
        return Piece(t0, t1, state)

    rest = False
    while t < T - 1e-14:
        if rest:
            pieces.append(line(t, T, X, np.zeros(2)))
            break
        meet = math.inf
        for k in (0, 1):
            def gap(s, k=k):
                return X[1] + s * V[1] - wall(X[0] + s * V[0], k)
            meet = min(meet, first_fall(gap, T - t, 1e-5 if abs(gap(0.0)) < 1e-10 else 0.0))
        end = min(T, t + meet)
        if end > t + 1e-13:
            pieces.append(line(t, end, X, V))
            X, t = X + (end - t) * V, end
        if math.isinf(meet):
            break
        g = [X[1] - wall(X[0], k) for k in (0, 1)]
        if max(g) < 1e-9:  # the corner: both push, at right angles
            V, both = project(np.ones(2), V, np.array([[1.0, 1.0], [-1.0, 1.0]]), np.zeros(2))
            atoms += [(t, k, both[k]) for k in (0, 1)]
            rest = np.linalg.norm(V) < 1e-12
            continue
        k = int(np.argmin(g))
        tangent = np.array([1.0, slope(X[0], k)])
        tangent /= np.linalg.norm(tangent)
        speed = V @ tangent
        normal = np.array([-slope(X[0], k), 1.0])
        atoms.append((t, k, (speed * tangent - V)[1] / normal[1]))
        V = speed * tangent
        low, high = (-math.inf, 0.0) if k == 0 else (4.0, math.inf)
        curved = low <= X[0] <= high and abs(speed) > 1e-13
        if abs(speed) <= 1e-13:
            rest = True
            continue
        if not curved or (X[0] in (0.0, 4.0) and (speed > 0.0) == (k == 0)):
            continue

        def right(_, y, speed=speed, k=k):
            return [speed / math.sqrt(1.0 + slope(y[0], k) ** 2)]

        edge = 0.0 if k == 0 else 4.0

        def kink(_, y):
            return y[0] - edge

        kink.terminal, kink.direction = True, 1 if k == 0 else -1
        found = dense(t, T, right, [X[0]], [kink])
        end = found.t[-1]

        def state(t, sol=found.sol, speed=speed, k=k):
            t = np.asarray(t)
            x = sol(t)[0]
            b = np.array([slope(z, k) for z in x])
            root = np.sqrt(1.0 + b * b)
            y = np.array([wall(z, k) for z in x])
            return (np.column_stack([x, y - t]),
                    np.column_stack([speed / root, speed * b / root - 1.0]))

        def force(t, sol=found.sol, speed=speed, k=k):
            # psi'' x'^2 = lambda (1 + psi'^2): acceleration across the curve, psi'' = 1/2
            x = sol(np.asarray(t))[0]
            b = np.array([slope(z, k) for z in x])
            return 0.5 * speed ** 2 / (1.0 + b * b) ** 2

        pieces.append(Piece(t, end, state, {k: force}, affine=False))
        x = found.sol(end)[0]
        if end < T:
            x = edge
        V = speed * np.array([1.0, slope(x, k)]) / math.hypot(1.0, slope(x, k))
        X, t = np.array([x, wall(x, k)]), end
    return Motion(pieces, atoms, start, 1e-10)


def arc_length(x):
    """Of y = x^2/4 from 0 to x, by adaptive quadrature."""
    return quad(lambda s: math.sqrt(1.0 + 0.25 * s * s), 0.0, x, epsabs=1e-14, epsrel=1e-14)[0]


# ---- the labyrinth ---------------------------------------------------------------------------


class Plan:
    """Obstacles of a ball's centre: for every wall (its segment widened by r) two flats and two
    circles, for every hole a circle. Features are ("flat", k, a, along, n) and ("circle", k, c,
    radius, along), k the number of the constraint; along is None for a hole, and else the
    direction out of the segment: the circle counts where <x - c, along> >= 0."""

    def __init__(self, p):
        r, self.features = p["radius"], []
        walls = np.array(p["walls"], dtype=float).reshape(-1, 2, 2)
        for k, (a, b) in enumerate(walls):
            along = (b - a) / np.linalg.norm(b - a)
            left = np.array([-along[1], along[0]])
            length = np.linalg.norm(b - a)
            for n in (left, -left):
                self.features.append(("flat", k, a + r * n, along * length, n))
            self.features += [("circle", k, a, r, -along), ("circle", k, b, r, along)]
        for k, hole in enumerate(np.array(p["holes"], dtype=float).reshape(-1, 3)):
            self.features.append(("circle", len(walls) + k, hole[:2], hole[2], None))

    @staticmethod
    def gap(feature, x):
        """How far x [n][2] is outside of this feature; inf where another one of the same obstacle
        is nearer."""
        kind, _, a, size, n = feature
        if kind == "flat":
            s = (x - a) @ size / (size @ size)
            g = (x - a) @ n
            return np.where((s >= 0.0) & (s <= 1.0) & (g > -1e-3), g, math.inf)
        g = np.linalg.norm(x - a, axis=-1) - size
        return g if n is None else np.where((x - a) @ n >= 0.0, g, math.inf)

    @staticmethod
    def normal(feature, x):
        """Out of the feature at x [2]."""
        return feature[4] if feature[0] == "flat" else (x - feature[2]) / np.linalg.norm(
            x - feature[2])

    def touching(self, x):
        """Features that x touches, one an obstacle."""
        found = {}
        for f in self.features:
            if abs(self.gap(f, x[None])[0]) < 1e-10:
                found.setdefault(f[1], f)
        return list(found.values())

    def ahead(self, k, x, v):
        """The feature of obstacle k that x, which touches it, moves along at velocity v."""
        mine = [f for f in self.features if f[1] == k]
        return min(mine, key=lambda f: abs(self.gap(f, (x + 1e-5 * v)[None])[0]))

    def meets(self, x, v, length, apart):
        """The first s in (0, length] at which x + s v falls onto a feature: linear and quadratic
        equations."""
        first = math.inf
        for f in self.features:
            kind, k, a, size, n = f
            if k in apart:
                continue
            if kind == "flat":
                fall = v @ n
                tries = [-((x - a) @ n) / fall] if fall < 0.0 else []
            else:
                y, vv = x - a, v @ v
                b, c = y @ v, y @ y - size * size
                root = b * b - vv * c
                tries = [c / (-b + math.sqrt(root))] if b < 0.0 and root > 0.0 else []
            for s in tries:
                if 1e-12 < s < min(first, length):
                    if abs(self.gap(f, (x + s * v)[None])[0]) < 1e-9:
                        first = s
        return first


def labyrinth(p, T):
    """q' = P_C(q) f, f constant between the times: straight off obstacles and along walls, on
    circles theta' = <f, tau>/R by DOP853, at rest where two push. Every piece ends where another
    obstacle is met, the one that pushes lets go, its feature ends, or f changes."""
    plan = Plan(p)
    drifts = np.array(p["f"], dtype=float).reshape(3, 2)
    ends = [p["times"][0], p["times"][1], math.inf]
    t, x, pieces = 0.0, np.array(p["q0"], dtype=float), []
    while t < T - 1e-12:
        if len(pieces) > 500:
            raise ArithmeticError("labyrinth: no way on from %s at %.17g" % (x, t))
        phase = next(k for k in range(3) if t < ends[k] - 1e-12)
        f, until = drifts[phase], min(ends[phase], T)
        near = plan.touching(x)
        normals = np.array([plan.normal(z, x) for z in near]).reshape(-1, 2)
        v, push = project(np.ones(2), f, normals, np.zeros(len(near)))
        pushing = [plan.ahead(z[1], x, v) for z, m in zip(near, push)
                   if m > 1e-12 * np.linalg.norm(f)]
        force = {z[1]: m for z, m in zip(near, push)}
        if len(pushing) == 1 and pushing[0][0] == "circle":
            piece, x, t = around(plan, pushing[0], f, t, until, x)
            pieces.append(piece)
            continue
        if np.linalg.norm(v) < 1e-12:
            pieces.append(parabola(t, until, x, np.zeros(2), np.zeros(2), force))
            t = until
            continue
        step = plan.meets(x, v, until - t, {z[1] for z in near})
        if pushing:  # along a flat, to its end
            _, _, a, along, _ = pushing[0]
            reach = (along @ (a - x) + (along @ along if along @ v > 0.0 else 0.0)) / (along @ v)
            step = min(step, reach)
        end = min(until, t + step)
        pieces.append(parabola(t, end, x, v, np.zeros(2), force))
        x, t = x + (end - t) * v, end
    return Motion(pieces, [], pieces[0].state(np.zeros(1))[1][0], 1e-12)


def around(plan, circle, f, begin, until, x):
    """The piece on a circle, and where and when it ends."""
    _, number, c, R, out = circle
    start = math.atan2(x[1] - c[1], x[0] - c[0])

    def place(angle):
        return c + R * np.array([np.cos(angle), np.sin(angle)]).T

    def right(_, y):
        return [(-f[0] * math.sin(y[0]) + f[1] * math.cos(y[0])) / R]

    def lets_go(_, y):
        return f[0] * math.cos(y[0]) + f[1] * math.sin(y[0])

    def leaves(_, y):
        return (place(y[0]) - c) @ out + 1e-15 if out is not None else 1.0

    lets_go.terminal, lets_go.direction = True, 1
    leaves.terminal, leaves.direction = True, -1
    found = dense(begin, until, right, [start], [lets_go, leaves])
    end = found.t[-1]
    others = [z for z in plan.features if z[1] != number]

    def least(s):
        at = place(found.sol(np.atleast_1d(s))[0])
        return np.min([plan.gap(z, at) for z in others], axis=0)

    least.many = True
    grid = np.linspace(begin, end, 2001)
    low = np.flatnonzero((least(grid)[:-1] > 0.0) & (least(grid)[1:] <= 0.0))
    if low.size:
        k = low[0]
        end = brentq(lambda s: least(s)[0], grid[k], grid[k + 1], xtol=1e-15, rtol=1e-15)

    def state(t):
        angle = found.sol(np.asarray(t))[0]
        speed = -f[0] * np.sin(angle) + f[1] * np.cos(angle)
        return place(angle), speed[:, None] * np.array([-np.sin(angle), np.cos(angle)]).T

    def force(t):
        angle = found.sol(np.asarray(t))[0]
        return -f[0] * np.cos(angle) - f[1] * np.sin(angle)

    piece = Piece(begin, end, state, {number: force}, affine=False)
    return piece, place(found.sol(end)[0]), end


# ---- the pendulum ----------------------------------------------------------------------------


def pendulum_matrices(p, given=()):
    """M and K of the chain, M_ij = s_max(i,j) l_i l_j, K = diag(gravity s_i l_i), or as given."""
    n = p["N"]
    m, l = mass_of(p["masses"], n), mass_of(p["lengths"], n)
    s = np.cumsum(m[::-1])[::-1]
    M = np.array([[s[max(i, j)] * l[i] * l[j] for j in range(n)] for i in range(n)])
    K = np.diag(p["gravity"] * s * l)
    if "mass" in given:
        M = full(p["mass"], n)
    if "stiffness" in given:
        K = full(p["stiffness"], n)
    return M, K


def full(x, n):
    """1, n or n*n numbers as [n][n]."""
    x = mass_of(x, n)
    return np.diag(x) if x.ndim == 1 else x


class Linear:
    """z' = A z + b through exp: the state at times near each other by one exponential each."""

    def __init__(self, A, b):
        n = len(b)
        self.A = np.zeros((n + 1, n + 1))
        self.A[:n, :n], self.A[:n, n] = A, b

    def at(self, z, times):
        """z(t) [n][len z] for any times: exp to a grid, twelve terms of Taylor from there."""
        grid = 0.02
        times = np.asarray(times, dtype=float)
        whole = (times / grid).astype(int)
        out = np.empty((len(times), len(z) + 1))
        for k in np.unique(whole):
            chosen = whole == k
            term = expm(self.A * (k * grid)) @ np.append(z, 1.0)
            s = times[chosen, None] - k * grid
            sum_, power = np.tile(term, (len(s), 1)), np.ones_like(s)
            for j in range(1, 13):
                term, power = self.A @ term, power * s / j
                sum_ = sum_ + power * term
            out[chosen] = sum_
        return out[:, :-1]


def pendulum(p, T, given=()):
    """M q'' = f - K q + lambda e_j, q_j >= stop. Flight and contact are linear; impacts change u by
    -(1+e) u_j M^-1 e_j/(M^-1)_jj; contact ends when lambda falls through 0."""
    n, j = p["N"], p["joint"] - 1
    M, K = pendulum_matrices(p, given)
    f = mass_of(p["force"], n)
    e = p["e"]
    inverse = np.linalg.inv(M)
    column = inverse[:, j]
    q, u = mass_of(p["q0"], n).copy(), mass_of(p["u0"], n).copy()
    start, t, pieces, atoms = u.copy(), 0.0, [], []
    eye, zero = np.eye(n), np.zeros((n, n))
    free = Linear(np.block([[zero, eye], [-inverse @ K, zero]]),
                  np.concatenate([np.zeros(n), inverse @ f]))
    hold = np.eye(n) - np.outer(column, eye[j]) / column[j]  # acceleration with a_j = 0
    held = Linear(np.block([[zero, eye], [-hold @ inverse @ K, zero]]),
                  np.concatenate([np.zeros(n), hold @ inverse @ f]))

    def reaction(z):
        return -(inverse @ (f - K @ z[:n]))[j] / column[j]

    contact = False
    while t < T - 1e-13:
        flow = held if contact else free
        z0 = np.concatenate([q, u])

        def watch(s):
            z = flow.at(z0, np.atleast_1d(s))
            g = np.array([reaction(x) for x in z]) if contact else z[:, j] - p["stop"]
            return g if np.ndim(s) else g[0]

        watch.many = True

        meet = first_fall(watch, T - t, 1e-9 if not contact and q[j] == p["stop"] else 0.0)
        end = min(T, t + meet)

        def state(s, z0=z0, t0=t, flow=flow):
            y = flow.at(z0, np.asarray(s) - t0)
            return y[:, :n], y[:, n:]

        force = {}
        if contact:
            def push(s, z0=z0, t0=t, flow=flow):
                return np.array([reaction(z) for z in flow.at(z0, np.asarray(s) - t0)])
            force = {0: push}
        if end > t:
            pieces.append(Piece(t, end, state, force, affine=False))
        z = flow.at(z0, [end - t])[0]
        q, u, t = z[:n], z[n:], end
        if math.isinf(meet):
            break
        if contact:
            contact = False
            continue
        q[j] = p["stop"]
        atoms.append((t, 0, -(1.0 + e) * u[j] / column[j]))
        u = u - (1.0 + e) * u[j] * column / column[j]
        if e == 0.0 or abs(u[j]) < 1e-7:  # what is left of bounces that accumulate
            u[j] = 0.0
            contact = reaction(np.concatenate([q, u])) > 0.0
    return Motion(pieces, atoms, start, 1e-10)

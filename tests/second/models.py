"""The problems once more, dense and slow: M, f and all constraints g_i with their gradients.

Every model has order, e, mass [d] or [d][d], rows(t, q) -> (ids, g, rate, G) of all constraints
(G dense, row k the gradient of g_k in q) and mean(t0, t1, q), the mean of the force.
"""
import math

import numpy as np

from motions import mass_of, pendulum_matrices


class Model:
    """Without a force, with nothing in the way."""

    order, e = 2, 0.0
    affine, fixed = False, True

    def rows(self, t, q):
        """(ids, g, rate, G)."""
        raise NotImplementedError

    def mean(self, t0, t1, q):
        """(1/(t1-t0)) int f(s, q) ds."""
        return np.zeros(len(q))

    def over(self, x):
        """M^-1 x."""
        return x / self.mass if self.mass.ndim == 1 else np.linalg.solve(self.mass, x)

    def times(self, x):
        """M x."""
        return self.mass * x if self.mass.ndim == 1 else self.mass @ x


class Affine(Model):
    """Rows <b_i, q> + c_i >= 0 and f - K q."""

    affine = True

    def __init__(self, mass, rows, offsets, force=None, stiffness=None, e=0.0):
        self.mass, self.G, self.c, self.e = np.asarray(mass, dtype=float), rows, offsets, e
        self.f, self.K = force, stiffness

    def rows(self, t, q):
        p = len(self.c)
        return np.arange(p), self.G @ q + self.c, np.zeros(p), self.G

    def mean(self, t0, t1, q):
        f = np.zeros(len(q)) if self.f is None else self.f
        f = f(t0, t1) if callable(f) else f
        return f if self.K is None else f - self.K @ q


class Spheres(Model):
    """|q_j - q_i| >= r_i + r_j for all pairs, number j (j-1)/2 + i, then <n_k, q_i> - c_k >= r_i,
    number pairs + walls i + k. radii(t) -> (r, r')."""

    def __init__(self, mass, space, radii, walls=(), force=None, fixed=True):
        self.mass = np.repeat(mass, space)
        self.space, self.radii, self.walls, self.f = space, radii, walls, force
        self.fixed = fixed
        n = len(mass)
        self.i, self.j = np.array([(i, j) for j in range(n) for i in range(j)],
                                  dtype=int).reshape(-1, 2).T

    def rows(self, t, q):
        r, grow = self.radii(t)
        x = q.reshape(-1, self.space)
        n = len(x)
        across = x[self.j] - x[self.i]
        length = np.linalg.norm(across, axis=1)
        e = across / length[:, None]
        pairs = len(self.i)
        G = np.zeros((pairs + n * len(self.walls), n, self.space))
        k = np.arange(pairs)
        G[k, self.i], G[k, self.j] = -e, e
        g, rate = [length - r[self.i] - r[self.j]], [-grow[self.i] - grow[self.j]]
        for body in range(n):
            for w, (normal, c) in enumerate(self.walls):
                G[pairs + len(self.walls) * body + w, body] = normal
                g.append([x[body] @ normal - c - r[body]])
                rate.append([-grow[body]])
        g = np.concatenate(g)
        return np.arange(len(g)), g, np.concatenate(rate), G.reshape(len(g), -1)

    def mean(self, t0, t1, q):
        return np.zeros(len(q)) if self.f is None else self.f

    def inside(self, q0, q1):
        """min over the straight way from q0 to q1 of all g, exactly: |a + s b| is least at
        s = -<a,b>/|b|^2. Radii at rest."""
        r = self.radii(0.0)[0]
        x, y = q0.reshape(-1, self.space), q1.reshape(-1, self.space)
        least = math.inf
        if len(self.i):
            a = x[self.j] - x[self.i]
            b = y[self.j] - y[self.i] - a
            s = np.clip(-(a * b).sum(1) / np.maximum((b * b).sum(1), 1e-300), 0.0, 1.0)
            least = (np.linalg.norm(a + s[:, None] * b, axis=1) - r[self.i] - r[self.j]).min()
        for normal, c in self.walls:
            least = min(least, (x @ normal - c - r).min(), (y @ normal - c - r).min())
        return least


class Vibroimpact(Model):
    """g_1 = y + t + x|x|/4, g_2 = y + t - (x-4)|x-4|/4."""

    fixed = False
    mass = np.ones(2)

    def rows(self, t, q):
        x, y = q
        g = np.array([y + t + 0.25 * x * abs(x), y + t - 0.25 * (x - 4.0) * abs(x - 4.0)])
        G = np.array([[0.5 * abs(x), 1.0], [-0.5 * abs(x - 4.0), 1.0]])
        return np.arange(2), g, np.ones(2), G


class Labyrinth(Model):
    """Order 1: dist(q, wall) >= r, |q - c_k| >= R_k; drift f_1, f_2, f_3."""

    order = 1
    mass = np.ones(2)

    def __init__(self, p):
        self.walls = np.array(p["walls"]).reshape(-1, 2, 2)
        self.holes = np.array(p["holes"]).reshape(-1, 3)
        self.r, self.turns = p["radius"], p["times"]
        self.f = np.array(p["f"]).reshape(3, 2)

    def rows(self, t, q):
        a, b = self.walls[:, 0], self.walls[:, 1]
        along = b - a
        s = np.clip(((q - a) * along).sum(1) / (along * along).sum(1), 0.0, 1.0)
        feet = np.vstack([a + s[:, None] * along, self.holes[:, :2]])
        reach = np.concatenate([np.full(len(a), self.r), self.holes[:, 2]])
        across = q - feet
        length = np.linalg.norm(across, axis=1)
        n = len(reach)
        return np.arange(n), length - reach, np.zeros(n), across / length[:, None]

    def mean(self, t0, t1, q):
        return self.f[0 if t0 < self.turns[0] else 1 if t0 < self.turns[1] else 2]


class Crowd(Spheres):
    """Order 1: discs of radius(t), |q_j - q_i| >= 2 r, then dist(q_i, wall) >= r, number pairs +
    walls i + k, and the way to the exit x = end, low <= y <= high: straight on in front of it,
    else along the tangent to the circle about the mouth's nearer edge, which the disc rolls round.
    The hall is convex but for these edges, and behind them the way is straight."""

    order = 1

    def __init__(self, n, radius, walls, exit_, largest, speed):
        super().__init__(np.ones(n), 2, radius)
        self.segments = np.array(walls).reshape(-1, 2, 2)
        (self.mouth, self.low, self.high), self.rho, self.speed = exit_, largest, speed

    def rows(self, t, q):
        _, g, rate, G = super().rows(t, q)
        r, grow = self.radii(t)
        x = q.reshape(-1, 1, 2)
        n, m = len(x), len(self.segments)
        if not m:
            return np.arange(len(g)), g, rate, G
        a, b = self.segments[:, 0], self.segments[:, 1]
        along = b - a
        s = np.clip(((x - a) * along).sum(-1) / (along * along).sum(-1), 0.0, 1.0)
        across = x - (a + s[..., None] * along)
        length = np.linalg.norm(across, axis=-1)
        more = np.zeros((n, m, n, 2))
        for i in range(n):
            more[i, :, i] = across[i] / length[i][:, None]
        g = np.concatenate([g, (length - r[:, None]).ravel()])
        rate = np.concatenate([rate, np.repeat(-grow, m)])
        return np.arange(len(g)), g, rate, np.vstack([G, more.reshape(n * m, 2 * n)])

    def mean(self, t0, t1, q):
        return self.speed * np.array([self.way(x) for x in q.reshape(-1, 2)]).ravel()

    def way(self, x):
        """The unit vector along the shortest way."""
        low, high = self.low + self.rho, self.high - self.rho
        if x[0] >= self.mouth or low <= x[1] <= high:
            return np.array([1.0, 0.0])
        up = x[1] > high
        if not len(self.segments):  # nothing but the exit itself
            straight = np.array([self.mouth, high if up else low]) - x
            return straight / np.linalg.norm(straight)
        to = np.array([self.mouth, self.high if up else self.low]) - x
        far = np.linalg.norm(to)
        sine = min(1.0, self.rho / far)
        cosine = math.sqrt(1.0 - sine * sine)
        turn = -sine if up else sine  # the tangent that passes on the inner side
        e = to / far
        return np.array([cosine * e[0] - turn * e[1], turn * e[0] + cosine * e[1]])


# ---- from a record ---------------------------------------------------------------------------


def fixed_radii(r):
    """r at rest."""
    return lambda t: (r, np.zeros(len(r)))


def pile_radii(n, R, seed, space):
    """Knuth's sequence, as the problem's statement has it; the box's width too."""
    cols = 1
    while cols ** space < n:
        cols += 1
    s, r = seed, np.empty(n)
    for k in range(n):
        for c in range(space + 1):
            s = (6364136223846793005 * s + 1442695040888963407) % 2 ** 64
            if c == 0:
                r[k] = R * (0.8 + 0.2 * ((s >> 11) / 2.0 ** 53))
    return r, cols * 1.1 * 2.0 * R


def impact_radii(n, r0, seed, space):
    """Mersenne twister: a radius in [0.8, 1.2] r0, then points of a cube until one is in the
    ball, body by body."""
    twister = np.random.MT19937()
    twister._legacy_seeding(seed)  # the generator's own seeding of 2002, which GSL has too

    def uniform():
        return int(twister.random_raw()) / 2.0 ** 32

    r = np.empty(n)
    for k in range(n):
        r[k] = r0 * (0.8 + 0.4 * uniform())
        while sum((2.0 * uniform() - 1.0) ** 2 for _ in range(space)) > 1.0:
            pass
    return r


def octave_force(alpha):
    """Means of the force of nonuniqueness: F(t) = 2^j ((1-alpha)/2 + ...) on the octave 2^j."""
    def integral(t):
        if t <= 0.0:
            return 0.0
        m, e = math.frexp(t)
        s = 2.0 * m - 1.0  # t = 2^(e-1) (1 + s)
        return math.ldexp(0.5 * (1.0 - alpha) + min(s, 0.5) - alpha * max(s - 0.5, 0.0), e - 1)
    return lambda t0, t1: np.array([(integral(t1) - integral(t0)) / (t1 - t0)])


def crystal_model(run):
    """Discs of one radius; walls and forces by support."""
    p = run.parameters
    n = run.record["dimension"] // 2
    m, r = mass_of(p["masses"], n), p["radius"]
    half = 0.5 * p["rows"] * (2.0 * r + p["gap"])
    c = math.sqrt(0.75)
    walls = {"wedge": [((c, 0.5), 0.0), ((-c, 0.5), 0.0)],
             "box": [((0.0, 1.0), 0.0), ((1.0, 0.0), -half), ((-1.0, 0.0), -half)],
             "free": []}[p["support"]]
    if p["support"] == "free":
        f = -p["pressure"] * run.q[0] / (2.0 * r)
    else:
        f = np.column_stack([np.zeros(n), -m * p["gravity"]]).ravel()
    walls = [(np.array(w), c) for w, c in walls]
    return Spheres(m, 2, fixed_radii(np.full(n, r)), walls, f)


def crowd_model(run):
    """open, square and corridor: the hall [0,side]^2 with its exit on the right."""
    p = run.parameters
    n, L, w = p["N"], p["side"], p["door"]
    low, high = 0.5 * (L - w), 0.5 * (L + w)
    walls = [[0, 0, L, 0], [L, 0, L, low], [L, high, L, L], [L, L, 0, L], [0, L, 0, 0]]
    if p["room"] == "corridor":
        walls += [[L, low, 1.5 * L, low], [L, high, 1.5 * L, high]]
    if p["room"] == "open":
        walls = []
    end = run.t[-1]

    def radii(t):
        return np.full(n, p["radius"] + p["growth"] * t), np.full(n, p["growth"])

    return Crowd(n, radii, walls, (L, low, high), p["radius"] + max(0.0, p["growth"] * end),
                 p["speed"])


def model_of(run):
    """The model of the problem that a run was about, from its record and its first node."""
    p, name, d = run.parameters, run.record["problem"], run.record["dimension"]
    one = np.ones((1, 1))
    if name == "bouncing_ball":
        return Affine(np.ones(1), one, np.zeros(1), np.array([-p["gravity"]]), e=p["e"])
    if name == "nonuniqueness":
        return Affine(np.ones(1), one, np.zeros(1), octave_force(p["alpha"]))
    if name in ("sticky", "cradle"):
        rows = np.eye(d)[1:] - np.eye(d)[:-1]
        r = run.vector("radii", d) if name == "sticky" else np.full(d, p["radius"])
        m = run.vector("masses", d) if name == "sticky" else np.ones(d)
        return Affine(m, rows, -(r[1:] + r[:-1]), e=p.get("e", 0.0))
    if name == "corner":
        half = 0.5 * p["angle"]
        rows = np.array([[math.cos(half), math.sin(half)], [-math.cos(half), math.sin(half)]])
        return Affine(mass_of(p["mass"], 2), rows, np.zeros(2), np.array(p["force"]))
    if name == "pendulum":
        M, K = pendulum_matrices(p, run.settings)
        return Affine(M, np.eye(d)[p["joint"] - 1:p["joint"]], np.array([-p["stop"]]),
                      mass_of(p["force"], d), K, p["e"])
    if name == "gluey":
        def force(t0, t1):
            # F = -press until turn, then pull, and so on after each period
            whole = p["period"] or math.inf

            def integral(t):
                n = math.floor(t / whole) if math.isfinite(whole) else 0
                s = t - n * whole if n else t
                full_one = -p["press"] * p["turn"] + p["pull"] * (whole - p["turn"]) if n else 0.0
                return (n * full_one - p["press"] * min(s, p["turn"])
                        + p["pull"] * max(s - p["turn"], 0.0))
            return np.array([(integral(t1) - integral(t0)) / (t1 - t0)])
        return Affine(np.array(p["masses"][:1]), one, np.zeros(1), force)
    if name == "two_spheres":
        F = np.array(p["F"], dtype=float)
        return Spheres(run.vector("masses", 2), 3, fixed_radii(run.vector("radii", 2)), (),
                       np.concatenate([F, -F]))
    if name == "growing_radii":
        w, a, r0, n = p["omega"], p["a"], p["r0"], p["N"]
        return Spheres(run.vector("masses", n), 3,
                       lambda t: (np.full(n, r0 + a * math.sin(0.5 * w * t) ** 2),
                                  np.full(n, 0.5 * a * w * math.sin(w * t))), fixed=False)
    if name == "vibroimpact":
        return Vibroimpact()
    if name == "labyrinth":
        return Labyrinth(p)
    if name == "crowd":
        return crowd_model(run)
    if name == "crystal":
        return crystal_model(run)
    if name == "impact":
        s, n = p["space"], p["N"]
        r = impact_radii(n, p["r0"], p["seed"], s)
        up = np.zeros(s)
        up[-1] = 1.0
        model = Spheres((r / p["r0"]) ** 3, s, fixed_radii(r), [(up, 0.0)])
        model.e = p["e"]
        return model
    if name == "pile":
        s, n = p["space"], p["N"]
        r, W = pile_radii(n, p["radius"], p["seed"], s)
        walls = [(np.eye(s)[s - 1], 0.0)]
        for c in range(s - 1):
            walls += [(np.eye(s)[c], -0.5 * W), (-np.eye(s)[c], -0.5 * W)]
        m = 4.0 / 3.0 * math.pi * r ** 3 if s == 3 else math.pi * r ** 2
        f = np.zeros((n, s))
        f[:, -1] = -m * p["gravity"]
        return Spheres(m, s, fixed_radii(r), walls, f.ravel())
    raise KeyError(name)

"""Distances of a run from a known motion, by other methods than the program's.

    q_Linf, u_L1   Gauss-Legendre quadrature with halving, and samples refined by golden section
    graph_H        Hausdorff distance of polygons by halving segments, all segments tried
    flat           the flat distance through level sets (see flat), and by linear programming
    TV             sums of jumps and integrals of |u'|
"""
import numpy as np
from scipy.optimize import linprog, minimize_scalar
from scipy.sparse import coo_matrix

GAUSS = {n: np.polynomial.legendre.leggauss(n) for n in (7, 10, 15)}


class Both:
    """A run and a motion on the union of their breaks: intervals [low, high] with the numbers of
    step and piece."""

    def __init__(self, run, motion):
        T = run.t[-1]
        inside = motion.breaks[(motion.breaks > 0.0) & (motion.breaks < T)]
        edges = np.union1d(run.t, inside)
        keep = np.diff(edges) > 1e-15 * T
        self.low, self.high = edges[:-1][keep], edges[1:][keep]
        middle = 0.5 * (self.low + self.high)
        self.step = np.clip(np.searchsorted(run.t, middle) - 1, 0, len(run.t) - 2)
        self.piece = motion.piece_of(middle)
        self.run, self.motion = run, motion

    def distances(self, t, step, piece):
        """|q_h - q| and |u_h - u| at t [n][m], row k in that step and piece."""
        q, u = self.motion.states(t, piece)
        run = self.run
        s = (t - run.t[step][:, None]) / (run.t[step + 1] - run.t[step])[:, None]
        qh = run.q[step][:, None] + s[..., None] * (run.q[step + 1] - run.q[step])[:, None]
        return (np.linalg.norm(qh - q, axis=-1),
                np.linalg.norm(run.u[step + 1][:, None] - u, axis=-1))


def u_l1(both):
    """int |u_h - u| dt and a bound of its error: 7 and 10 points against 15, halves where they
    differ.
    First every interval (an eighth, if the motion is not affine) is cut where |u_h - u| is least:
    it may have a kink there that all rules miss alike."""
    low, high, step, piece = both.low, both.high, both.step, both.piece
    if not both.motion.affine:
        parts = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, 9)
        low, high = parts[:, :-1].ravel(), parts[:, 1:].ravel()
        step, piece = np.repeat(step, 8), np.repeat(piece, 8)
    cut = nearest_to_zero(both, low, high, step, piece)
    low, high = np.concatenate([low, cut]), np.concatenate([cut, high])
    step, piece = np.tile(step, 2), np.tile(piece, 2)
    T, fast = both.run.t[-1], max(1.0, np.abs(both.run.u).max())
    total = error = 0.0
    for depth in range(60):
        half = 0.5 * (high - low)
        sums = {}
        for n, (x, w) in GAUSS.items():
            t = 0.5 * (low + high)[:, None] + half[:, None] * x
            sums[n] = half * (both.distances(t, step, piece)[1] @ w)
        off = np.maximum(np.abs(sums[7] - sums[15]), np.abs(sums[10] - sums[15]))
        size = max(1e-300, sums[15].sum() + total)
        done = ((off <= 1e-13 * size * (high - low) / T) | (off <= 1e-18 * size) | (depth == 59) |
                (off <= 2e-15 * fast * (high - low)))  # rounding
        total += sums[15][done].sum()
        error += off[done].sum()
        if done.all():
            break
        low, high = low[~done], high[~done]
        middle = 0.5 * (low + high)
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        step, piece = np.tile(step[~done], 2), np.tile(piece[~done], 2)
    return total, error


def nearest_to_zero(both, low, high, step, piece):
    """Times in [low, high] where |w| is least, w = u_h - u: for w affine between two times
    -<w, w'>/|w'|^2 after the first; and again with times that are nearer and nearer to it."""
    begin, end = low, high
    for part in (1e-2, 1e-4, 1e-6, 1e-6):
        w = both.run.u[step + 1][:, None] - both.motion.states(np.column_stack([begin, end]),
                                                               piece)[1]
        change = w[:, 1] - w[:, 0]
        s = -(w[:, 0] * change).sum(1) / np.maximum((change * change).sum(1), 1e-300)
        cut = np.clip(begin + s * (end - begin), low, high)
        begin = np.maximum(low, cut - part * (high - low))
        end = np.minimum(high, cut + part * (high - low))
    return cut


def q_linf(both):
    """sup |q_h - q|: 17 samples of every interval, the eight best refined."""
    x = np.linspace(0.0, 1.0, 17)
    t = both.low[:, None] + (both.high - both.low)[:, None] * x
    values = both.distances(t, both.step, both.piece)[0]
    best = values.max()
    for k in np.argsort(values.max(axis=1))[-8:]:
        at = np.argmax(values[k])
        low, high = t[k, max(at - 1, 0)], t[k, min(at + 1, 16)]

        def below(s, k=k):
            one = slice(k, k + 1)
            return -both.distances(np.array([[s]]), both.step[one], both.piece[one])[0][0, 0]

        found = minimize_scalar(below, bounds=(low, high), method="bounded",
                                options={"xatol": 1e-12})
        best = max(best, -found.fun)
    return best


# ---- total variation and filled-in graphs ---------------------------------------------------


def polygon_of_run(run):
    """(t, u) of u_h, constant on steps, jumps filled."""
    t = np.repeat(run.t, 2)[1:-1]
    return t, np.repeat(run.u[1:], 2, axis=0)


def polygon_of_motion(motion, T, points=400):
    """(t, u) of the motion on [0, T]: two points a piece where u is affine, else many. Chords of
    curved pieces are off by what is returned beside."""
    t, u, off = [], [], 0.0
    for piece in motion.pieces:
        begin, end = piece.begin, min(piece.end, T)
        if end <= begin:
            continue
        n = 2 if piece.affine else points
        s = np.linspace(begin, end, n)
        v = piece.state(s)[1]
        if not piece.affine:
            middle = piece.state(0.5 * (s[1:] + s[:-1]))[1]
            off = max(off, np.linalg.norm(middle - 0.5 * (v[1:] + v[:-1]), axis=1).max())
        t.append(s)
        u.append(v)
    return np.concatenate(t), np.concatenate(u), off


def variation(u):
    """Length of the path of u [n][d]."""
    return np.linalg.norm(np.diff(u, axis=0), axis=1).sum()


def variation_of_motion(motion, T):
    """The length of the path of u, the jump at 0 included, and an estimate of its error. Chords of
    200 and 400 parts of each curved piece: their error falls with the square of the parts."""
    coarse, fine = (polygon_of_motion(motion, T, points)[1] for points in (201, 401))
    a, b = (variation(v) + np.linalg.norm(v[0] - motion.u0) for v in (coarse, fine))
    return b + (b - a) / 3.0, abs(b - a) / 3.0


def distance_to(points, t0, u0, t1, u1):
    """Least max(|dt|, |du|_2) from points [n][1+d] to the segments, by the segment: [n][m].

    Along a segment the square of |dt| and of |du| are convex quadratics of s in [0,1]. The least
    of the larger is at the minimum of one of them, where they cross, or at an end.
    """
    dt = points[:, 0][:, None] - t0
    du = points[:, None, 1:] - u0
    wt, wu = t1 - t0, u1 - u0
    at, bt, ct = wt * wt, dt * wt, dt * dt
    au, bu, cu = (wu * wu).sum(-1), (du * wu).sum(-1), (du * du).sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b, c = at - au, bt - bu, ct - cu  # a s^2 - 2 b s + c = 0 where they cross
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        tries = [np.zeros_like(ct), np.ones_like(ct), bt / at, bu / au, (b + root) / a,
                 (b - root) / a, c / (2.0 * b)]
    best = np.full(ct.shape, np.inf)
    for s in tries:
        s = np.clip(np.where(np.isfinite(s), s, 0.0), 0.0, 1.0)
        value = np.maximum(np.abs(dt - s * wt), np.linalg.norm(du - s[..., None] * wu, axis=-1))
        best = np.minimum(best, value)
    return best


def one_sided(a, b, tolerance):
    """sup over polygon a of the distance to polygon b, points [n][1+d] in scaled units.

    The distance to one segment of b is convex along a segment of a, and the distance to b changes
    at most as fast as one moves: both bound it from above; what is above the best value so far is
    halved.
    """
    sides = (b[:-1, 0], b[:-1, 1:], b[1:, 0], b[1:, 1:])
    begin, end = a[:-1], a[1:]
    db = distance_to(begin, *sides)
    de = distance_to(end, *sides)
    best = max(db.min(axis=1).max(), de.min(axis=1).max())
    for _ in range(200):
        length = np.maximum(np.abs(end - begin)[:, 0], np.linalg.norm((end - begin)[:, 1:], axis=1))
        bound = np.minimum(np.maximum(db, de).min(axis=1),
                           0.5 * (db.min(axis=1) + de.min(axis=1) + length))
        left = bound > best + tolerance
        if not left.any():
            return best
        begin, end, db, de = begin[left], end[left], db[left], de[left]
        middle = 0.5 * (begin + end)
        dm = distance_to(middle, *sides)
        best = max(best, dm.min(axis=1).max())
        begin, end = np.concatenate([begin, middle]), np.concatenate([middle, end])
        db, de = np.concatenate([db, dm]), np.concatenate([dm, de])
    return np.nan


def graph_distance(run, motion, tau, V, tolerance=1e-10):
    """The Hausdorff distance of the filled-in graphs in max(|dt|/tau, |du|/V), and its error."""
    t, u = polygon_of_run(run)
    a = np.column_stack([t / tau, u / V])
    t, u, off = polygon_of_motion(motion, run.t[-1])
    b = np.column_stack([t / tau, u / V])
    return max(one_sided(a, b, tolerance), one_sided(b, a, tolerance)), tolerance + 2.0 * off / V


# ---- the flat distance -----------------------------------------------------------------------


def cumulative(run, motion, contact, refine=1):
    """Knots x [n] and M(x-), M(x+) of (lambda_h - lambda)([0, x]), M affine between knots.

    A force of the motion that is not constant is integrated by Gauss-Legendre between knots, and
    taken as constant there; refine then sets how many there are in a step.
    """
    T = run.t[-1]
    inside = motion.breaks[(motion.breaks > 0.0) & (motion.breaks < T)]
    edges = np.union1d(run.t, inside)
    edges = edges[np.concatenate([[True], np.diff(edges) > 1e-15 * T])]
    if refine > 1:
        parts = np.linspace(0.0, 1.0, refine + 1)[:-1]
        edges = np.append((edges[:-1, None] + np.diff(edges)[:, None] * parts).ravel(), edges[-1])
    middle = 0.5 * (edges[1:] + edges[:-1])
    density = np.zeros(len(run.t) - 1)
    mine = run.contact == contact
    np.add.at(density, run.step[mine] - 1, run.impulse[mine])
    density /= np.diff(run.t)
    mass = density[np.clip(np.searchsorted(run.t, middle) - 1, 0, len(density) - 1)]
    mass = mass * np.diff(edges)
    piece = motion.piece_of(middle)
    x, w = GAUSS[7]
    half = 0.5 * np.diff(edges)
    for k in np.unique(piece):
        force = motion.pieces[k].force.get(contact)
        if force is not None:
            chosen = piece == k
            t = middle[chosen, None] + half[chosen, None] * x
            mass[chosen] -= half[chosen] * (force(t.ravel()).reshape(t.shape) @ w)
    jump = np.zeros(len(edges))
    for t, i, impulse in motion.atoms:
        if i == contact and t <= T:
            jump[np.argmin(np.abs(edges - t))] -= impulse
    after = np.cumsum(jump)
    before = after - jump
    flow = np.concatenate([[0.0], np.cumsum(mass)])
    return edges, before + flow, after + flow


def flat(x, left, right, tau):
    """F = sup int phi dm, |phi| <= 1, |phi'| <= 1/tau, for m with distribution M on [0, T], T <=
    tau; M is affine between knots x, with limits left and right at them.

    The dual (Hanin 1992): F = min over G of TV(G) + (1/tau) int |M - G|, G = 0 before 0 and M(T)
    after T: what is taken away and what is moved. Both terms are integrals over levels c (coarea),
    so every level is a problem of its own: the set E_c = {G > c} pays 1 for each end and 1/tau for
    each unit of time in which it is not {M > c}. As T <= tau, one more pair of ends, 2, is never
    worth it. So levels outside of 0..M(T) pay |{M > c}|/tau (or |{M < c}|/tau), and those between
    pay 1 and the least cost of one switch.
    """
    end = right[-1]
    if end < 0.0:
        left, right, end = -left, -right, -end
    a, b = right[:-1], left[1:]  # values at the ends of the affine parts
    width = np.diff(x)
    outside = area_above(a - end, b - end, width) + area_above(-a, -b, width)
    return outside / tau + switches(a, b, width, end, tau)


def area_above(a, b, width):
    """int of the positive part of affine functions from a to b, summed."""
    high, low = np.maximum(a, b), np.minimum(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = 0.5 * width * high * high / (high - low)
    return np.where(high <= 0.0, 0.0, np.where(low >= 0.0, 0.5 * width * (a + b), cut)).sum()


def switches(a, b, width, end, tau):
    """int_0^end (1 + min over x of (|{s < x: M > c}| + |{s > x: M <= c}|)/tau) dc."""
    if end == 0.0:
        return 0.0
    knots = np.unique(np.clip(np.concatenate([a, b, [0.0, end]]), 0.0, end))

    def cost(c):
        high, low = np.maximum(a, b), np.minimum(a, b)
        with np.errstate(divide="ignore", invalid="ignore"):
            part = np.where(high <= c, 0.0, np.where(low > c, 1.0, (high - c) / (high - low)))
        above = part * width
        below = width - above
        # a switch at a knot, or inside an affine part that rises through c: after what is below
        start = np.concatenate([[0.0], np.cumsum(above)]) + np.append(
            np.cumsum(below[::-1])[::-1], 0.0)
        rises = (low <= c) & (high > c) & (b > a)
        inner = start[:-1][rises] - below[rises]
        return min(start.min(), inner.min() if inner.size else np.inf)

    total, slack = 0.0, 1e-14 * end * width.sum()
    for low, high in zip(knots[:-1], knots[1:]):
        total += affine_parts(cost, low, high, slack)
    return end + total / tau


def affine_parts(cost, low, high, slack, depth=0):
    """int of a concave, piecewise affine function over (low, high), to about slack a kink; knots
    excluded."""
    inset = 1e-7 * (high - low)
    x = np.linspace(low + inset, high - inset, 5)
    y = [cost(c) for c in x]
    bend = max(abs(y[1] + y[3] - 2.0 * y[2]), abs(y[0] + y[4] - 2.0 * y[2]))
    if depth >= 30 or bend * (high - low) <= slack or bend <= 1e-12 * max(y):
        return (high - low) * 0.5 * (y[1] + y[3])
    middle = 0.5 * (low + high)
    return (affine_parts(cost, low, middle, slack, depth + 1) +
            affine_parts(cost, middle, high, slack, depth + 1))


def flat_bracket(x, left, right, tau, parts):
    """Lower and upper bounds of the same number by linear programming (HiGHS).

    phi affine between the points of a refined grid is admissible: what it gives is a lower bound.
    With the mass of every cell moved to its middle the program gives the distance of the moved
    measure exactly, and the move of a mass m that is spread over a cell of length l costs at most
    |m| l/(4 tau).
    """
    share = np.linspace(0.0, 1.0, parts + 1)
    grid = np.append((x[:-1, None] + np.diff(x)[:, None] * share[:-1]).ravel(), x[-1])
    cell = np.repeat((left[1:] - right[:-1]) / parts, parts)
    atom = np.zeros(len(grid))
    atom[::parts] = right - left
    weight = atom.copy()
    weight[:-1] += 0.5 * cell
    weight[1:] += 0.5 * cell
    low = lipschitz_program(grid, weight, tau)
    middle = 0.5 * (grid[1:] + grid[:-1])
    points = np.empty(len(grid) + len(middle))
    points[::2], points[1::2] = grid, middle
    masses = np.empty(len(points))
    masses[::2], masses[1::2] = atom, cell
    moved = lipschitz_program(points, masses, tau)
    return low, moved + (np.abs(cell) * np.diff(grid)).sum() / (4.0 * tau)


def lipschitz_program(points, masses, tau):
    """max sum masses phi over |phi| <= 1 and |phi_k+1 - phi_k| <= (x_k+1 - x_k)/tau."""
    n = len(points)
    k = np.arange(n - 1)
    ones = np.ones(n - 1)
    rows = np.concatenate([k, k, k + n - 1, k + n - 1])
    cols = np.concatenate([k + 1, k, k, k + 1])
    data = np.concatenate([ones, -ones, ones, -ones])
    matrix = coo_matrix((data, (rows, cols)), shape=(2 * (n - 1), n)).tocsr()
    limit = np.tile(np.diff(points) / tau, 2)
    answer = linprog(-masses, A_ub=matrix, b_ub=limit, bounds=(-1.0, 1.0), method="highs")
    return -answer.fun


# ---- percussions -----------------------------------------------------------------------------


def impacts(run, motion):
    """The matching of percussions as README states it, written from that text."""
    T, h = run.t[-1], run.t[1]
    theta = np.sqrt(h / T) * (run.impulse.max() if run.impulse.size else 0.0)
    counts = {"events": 0, "matched": 0, "missed": 0, "spurious": 0, "threshold": theta,
              "time_error": 0.0, "impulse_error": 0.0}
    for contact in sorted(set(run.contact) | {a[1] for a in motion.atoms}):
        events = events_of(run, contact, theta, h)
        known = [(t, m) for t, i, m in motion.atoms if i == contact and m >= 0.5 * theta]
        match(counts, events, known, theta, np.sqrt(h * T))
    return counts


def events_of(run, contact, theta, h):
    """[(time, impulse)]: steps above theta, at most one step apart, with one pushing neighbour on
    each side."""
    mine = run.contact == contact
    push = dict(zip(run.step[mine], run.impulse[mine]))
    groups = []
    for n in sorted(n for n in push if push[n] > theta):
        if groups and n - groups[-1][-1] <= 2:
            groups[-1].append(n)
        else:
            groups.append([n])
    events = []
    for group in groups:
        steps = [n for n in range(group[0] - 1, group[-1] + 2) if n in push]
        impulse = sum(push[n] for n in steps)
        events.append((sum(push[n] * (n - 0.5) * h for n in steps) / impulse, impulse))
    return events


def match(counts, events, known, theta, window):
    """Pairs that are each other's nearest within the window."""
    counts["events"] += len(events)

    def nearest(group, t):
        return min(range(len(group)), key=lambda k: abs(group[k][0] - t))

    paired = set()
    for i, (t, impulse) in enumerate(events):
        j = nearest(known, t) if known else None
        if j is None or nearest(events, known[j][0]) != i or abs(known[j][0] - t) > window:
            counts["spurious"] += impulse > 2.0 * theta
            continue
        paired.add(j)
        counts["matched"] += 1
        counts["time_error"] = max(counts["time_error"], abs(t - known[j][0]))
        counts["impulse_error"] = max(counts["impulse_error"], abs(impulse - known[j][1]))
    counts["missed"] += sum(m > 2.0 * theta for j, (_, m) in enumerate(known) if j not in paired)

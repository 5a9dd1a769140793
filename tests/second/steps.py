"""One step of every scheme, written from the papers with another projector and no neighbour
search: all constraints are rows of every projection."""
import numpy as np

from projection import project

ROUNDS = 400  # of linearised projections toward the true set


def step(model, scheme, t0, t1, q, u, theta=1.0, gamma=0.5, threshold=0.0):
    """q_{n+1}, u_{n+1} and the impulses of all constraints."""
    h = t1 - t0
    f = model.mean(t0, t1, q)
    free = f if model.order == 1 else u + h * model.over(f)
    if scheme == "maury":
        return maury(model, t1, h, q, free)
    if scheme == "venel":
        return venel(model, t1, h, q, free)
    if scheme in ("paoli", "catching_up"):
        return paoli(model, t1, h, q, u, free)
    return moreau_jean(model, t1, h, q, u, free, theta, gamma, threshold)


def maury(model, t1, h, q, free):
    """u = P_K free, K = {g_i + h <grad g_i, v> >= 0}: Maury (13)-(19)."""
    _, g, _, G = model.rows(t1, q)
    u, mu = project(model.mass, free, G, -g / h)
    return q + h * u, u, mu if model.order == 2 else h * mu


def venel(model, t1, h, q, free):
    """q_{n+1} = projection of q + h free onto {g_i + <grad g_i, x - q> >= 0}: Venel (22)."""
    _, g, _, G = model.rows(t1, q)
    x, mu = project(model.mass, h * free, G, -g)
    return q + x, x / h, mu / h if model.order == 2 else mu


def paoli(model, t1, h, q, u, free):
    """x = P_Q((2 q_n - (1-e) q_{n-1} + h^2 M^-1 f)/(1+e)), q_{n+1} = -e q_{n-1} + (1+e) x:
    Paoli & Schatzman; Adly & Thieu (4) for e = 0. h free = q_n - q_{n-1} + h^2 M^-1 f.

    The projection onto the true set: linearised ones, each about the last answer, a shorter way
    when they swing.
    """
    e = model.e if model.order == 2 else 0.0
    target = q + h * (free - e * u) / (1.0 + e)
    z, part, before = q, 1.0, np.inf
    for _ in range(1 if model.affine else ROUNDS):
        _, g, _, G = model.rows(t1, z)
        x, mu = project(model.mass, target - z, G, -g)
        moved = np.abs(x).max()
        z = z + part * x
        if moved <= 1e-15 * (1.0 + np.abs(z).max()):
            break
        if moved > 0.9 * before:
            part = max(0.125, 0.5 * part)
        before = moved
    forward = (1.0 + e) * (z - q) + e * h * u
    return q + forward, forward / h, (1.0 + e) / h * mu if model.order == 2 else mu


def moreau_jean(model, t1, h, q, u, free, theta, gamma, threshold):
    """u' = P_V free, V = {rate_i + <grad g_i, v> >= -e (rate_i + <grad g_i, u>), i predicted}, i
    predicted where g_i - (1-gamma) h rate_i + gamma h <grad g_i, u> <= threshold, rows at (t1,
    q_n); q' = q + h (theta u' + (1 - theta) u): Moreau 1988, Jean 1999."""
    _, g, rate, G = model.rows(t1, q)
    near = g - (1.0 - gamma) * h * rate + gamma * h * (G @ u) <= threshold
    mu = np.zeros(len(g))
    normal = rate[near] + G[near] @ u
    v, mu[near] = project(model.mass, free, G[near], -rate[near] - model.e * normal)
    return q + h * (theta * v + (1.0 - theta) * u), v, mu


def fault_of_projection(model, t1, target, x):
    """How far x is from a critical point of |x - target|_M over {g(t1, .) >= 0}: the deepest
    constraint and the part of M (x - target) that no lambda >= 0 on touching ones makes."""
    from scipy.optimize import nnls
    _, g, _, G = model.rows(t1, x)
    push = model.times(x - target)
    near = g <= 1e-9 * (1.0 + np.abs(x).max())
    rest = np.linalg.norm(push)
    if near.any():
        _, rest = nnls(G[near].T, push)
    return max(0.0, -g.min()), rest

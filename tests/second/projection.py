"""Projections onto polyhedra, by Lawson and Hanson's least distances.

    min 1/2 |x - target|_M^2   over   G x >= b

With M = L L', y = L'(x - target) and E = G L'^-1 it is min |y| over E y >= b - G target, which is
one problem of nonnegative least squares (Lawson & Hanson, Solving Least Squares Problems, 1974,
chapter 23): min |[E'; b'] w - (0,...,0,1)|, w >= 0. Its active rows are then solved as equations
once more, so that the answer is good to rounding. The program itself uses other methods.
"""
import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls


def project(mass, target, rows, bounds):
    """x and the multipliers mu of M (x - target) = rows' mu. mass: [d] or [d][d]."""
    target = np.asarray(target, dtype=float)
    p = len(bounds)
    if p == 0:
        return target.copy(), np.zeros(0)
    mass = np.asarray(mass, dtype=float)
    if mass.ndim == 1:
        scaled = rows / np.sqrt(mass)
    else:
        low = np.linalg.cholesky(mass)
        scaled = solve_triangular(low, rows.T, lower=True).T
    lengths = np.linalg.norm(scaled, axis=1)
    need = (bounds - rows @ target) / lengths
    scaled = scaled / lengths[:, None]
    y, mu = least_distance(scaled, need)
    if mass.ndim == 1:
        x = target + y / np.sqrt(mass)
    else:
        x = target + solve_triangular(low, y, lower=True, trans="T")
    return x, mu / lengths


def least_distance(rows, need):
    """min |y| over rows y >= need, rows of length 1; and mu >= 0 with y = rows' mu."""
    p, d = rows.shape
    worst = need.max()
    if worst <= 0.0:
        return np.zeros(d), np.zeros(p)
    size = np.abs(need).max()
    mu = np.zeros(p)
    active = np.zeros(p, dtype=bool)
    # far rows would hide near ones in rounding: they enter when they are violated
    asked = need > -1e3 * worst
    for _ in range(20):
        w, _ = nnls(np.vstack([rows[asked].T, need[asked] / size]),
                    np.concatenate([np.zeros(d), [1.0]]), maxiter=100 * (p + d))
        active[:] = False
        active[np.flatnonzero(asked)[w > 0.0]] = True
        y, mu = polish(rows, need, active)
        left = ~asked & (rows @ y < need)
        if not left.any():
            break
        asked |= left
    return y, mu


def polish(rows, need, active):
    """The least |y| with equality in the active rows, and multipliers of them."""
    mu = np.zeros(len(need))
    y = np.zeros(rows.shape[1])
    if active.any():
        part = rows[active]
        y = np.linalg.lstsq(part, need[active], rcond=1e-12)[0]
        y += np.linalg.lstsq(part, need[active] - part @ y, rcond=1e-12)[0]
        mu[active] = np.linalg.lstsq(part.T, y, rcond=1e-12)[0]
    return y, mu


def by_enumeration(mass, target, rows, bounds):
    """The same, by trying every set of active rows: the feasible one with multipliers >= 0. For a
    handful of rows."""
    inverse = np.linalg.inv(np.diag(mass) if np.ndim(mass) == 1 else mass)
    p = len(bounds)
    slack = 1e-11 * (1.0 + np.abs(bounds).max() + np.abs(target).max())
    best = None
    for code in range(1 << p):
        active = np.array([code >> i & 1 for i in range(p)], dtype=bool)
        part = rows[active]
        mu = np.zeros(p)
        x = target
        if active.any():
            gram = part @ inverse @ part.T
            mu[active] = np.linalg.lstsq(gram, bounds[active] - part @ target, rcond=1e-12)[0]
            x = target + inverse @ part.T @ mu[active]
        fault = max((bounds - rows @ x).max(), -mu.min())
        if best is None or fault < best[0]:
            best = (fault, x, mu)
        if fault <= slack:
            break
    return best[1], best[2]

"""Motions that are known: pieces in time, percussions and lasting contact forces."""
import numpy as np


class Piece:
    """[begin, end] and state(t) -> (q [n][d], u [n][d]) for times t [n] in it.

    force: {contact: function of t [n] that gives the contact force}; `affine` says that u is
    affine in t and the forces constant.
    """

    def __init__(self, begin, end, state, force=None, affine=True):
        self.begin, self.end, self.state = begin, end, state
        self.force = force or {}
        self.affine = affine


def parabola(begin, end, q, u, a, force=None):
    """q + u s + a s^2/2, s = t - begin; force: {contact: constant}."""
    q, u, a = (np.array(x, dtype=float) for x in (q, u, a))

    def state(t):
        s = (np.asarray(t) - begin)[:, None]
        return q + s * u + 0.5 * s * s * a, u + s * a

    steady = {i: (lambda t, value=value: np.full(np.shape(t), value))
              for i, value in (force or {}).items()}
    return Piece(begin, end, state, steady)


class Motion:
    """Pieces in order of time, and atoms [(t, contact, impulse)].

    error bounds how far states are from the truth; u0 is the velocity before t = 0.
    """

    def __init__(self, pieces, atoms, u0, error=1e-13):
        self.pieces = [p for p in pieces if p.end > p.begin]
        self.atoms = [a for a in atoms if a[2] != 0.0]
        self.u0 = np.array(u0, dtype=float)
        self.error = error
        self.breaks = np.array([p.begin for p in self.pieces] + [self.pieces[-1].end])
        self.affine = all(p.affine for p in self.pieces)

    def piece_of(self, t):
        """Numbers of the pieces that contain times t, none of which is a break."""
        k = np.searchsorted(self.breaks, t, side="right") - 1
        return np.clip(k, 0, len(self.pieces) - 1)

    def states(self, t, piece):
        """q and u at times t [n, ...] on the pieces with numbers piece [n]."""
        t = np.asarray(t, dtype=float)
        d = self.u0.size
        q = np.empty(t.shape + (d,))
        u = np.empty(t.shape + (d,))
        for k in np.unique(piece):
            chosen = piece == k
            flat_q, flat_u = self.pieces[k].state(t[chosen].ravel())
            q[chosen] = flat_q.reshape(t[chosen].shape + (d,))
            u[chosen] = flat_u.reshape(t[chosen].shape + (d,))
        return q, u

    def end_state(self, t):
        """q(t), u(t-)."""
        k = min(max(np.searchsorted(self.breaks, t, side="left") - 1, 0), len(self.pieces) - 1)
        q, u = self.pieces[k].state(np.array([t]))
        return q[0], u[0]

    def contacts(self):
        """All contacts that push."""
        return sorted({i for p in self.pieces for i in p.force} | {a[1] for a in self.atoms})

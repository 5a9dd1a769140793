"""Stand-ins for packages that neither Debian nor npm has: they check the calls of an adapter against the
signatures that the package documents, and make a step of free flight, so that positions, velocities, masses and
gravity that were told come back. What they cannot show is that the package itself does what it documents.
"""


class Bodies:
    """Balls that fall."""

    def __init__(self):
        self.x, self.u, self.m, self.r, self.force = [], [], [], [], []
        self.gravity, self.walls = None, []

    def add(self, x, m, r):
        self.x.append([float(c) for c in x])
        self.u.append([0.0] * 3)
        self.m.append(m)
        self.r.append(r)
        self.force.append([0.0] * 3)
        return len(self.x) - 1

    def fly(self, h):
        for i, m in enumerate(self.m):
            for c in range(3):
                self.u[i][c] += h * (self.gravity[c] + self.force[i][c] / m)
                self.x[i][c] += h * self.u[i][c]


"""warp, what newton.py calls of it."""


def quat_identity():
    return (0.0, 0.0, 0.0, 1.0)


def transform(p, q):
    assert len(p) == 3 and len(q) == 4
    return (*p, *q)


def mat33(*entries):
    assert len(entries) == 9
    return entries

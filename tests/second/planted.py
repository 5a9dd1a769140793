"""Mistakes that are planted in what the program said, and which comparisons see them.

Each plant is a change of a run of relative size 1e-6, made before the comparisons read it. For
each kind of comparison the plant that most of them see is the one that is meant for it: at most
MISSED of those may pass it whose tolerance is small enough to see it.
"""
import numpy as np

from ledger import PLANTED, Ledger

MISSED = 0.2  # a plant in the last node, say, is not seen by a number of the first half
# drawn towards the origin, which corner's and the ball's walls pass through, gaps may stay or open
ONE_SIDED = {"true set, gap": 0.4}


def record_numbers(run):
    """Every number of the record is off by a millionth, but for what was asked for."""
    if hasattr(run, "curves"):
        return
    keep = ("parameters", "h", "steps", "horizon", "dimension", "seed", "order", "message",
            "status", "problem", "scheme", "problem_horizon")

    def spoil(value):
        if isinstance(value, dict):
            return {k: spoil(v) for k, v in value.items()}
        if isinstance(value, list):
            return [spoil(v) for v in value]
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int):
            return value + 1
        return value * (1.0 + PLANTED) if isinstance(value, float) else value

    exact = run.record.get("exact")
    run.record = {k: v if k in keep else spoil(v) for k, v in run.record.items()}
    if exact:  # texts p/q: the last digit
        for key in ("q", "u"):
            run.record["exact"]["final"][key] = [shifted(x) for x in exact["final"][key]]


def shifted(fraction):
    """p/q with p + 1."""
    top, _, below = fraction.partition("/")
    return str(int(top) + 1) + ("/" + below if below else "")


def a_node(run):
    """The last node is off by a millionth of the largest coordinate and velocity."""
    k = -1 if not hasattr(run, "curves") else len(run.t) // 2
    run.q[k] += PLANTED * np.abs(run.q).max()
    run.u[k] += PLANTED * max(np.abs(run.u).max(), 1e-3)
    if hasattr(run, "curves"):
        run.q[:], run.u[:] = run.q * (1.0 + PLANTED), run.u * (1.0 + PLANTED)
    elif "fclib" in run.extra:
        run.extra["fclib"]["v"] = run.extra["fclib"]["v"] * (1.0 + PLANTED)


def an_impulse(run):
    """The largest impulse is a millionth larger, and the smallest pulls."""
    if hasattr(run, "curves") or not run.impulse.size:
        return
    run.impulse[np.argmax(run.impulse)] *= 1.0 + PLANTED
    run.impulse[np.argmin(run.impulse)] *= -1.0


def a_gap(run):
    """All positions in the trajectory are drawn together by a millionth."""
    if not hasattr(run, "curves"):
        run.q = run.q * (1.0 - PLANTED)


PLANTS = [record_numbers, a_node, an_impulse, a_gap]


def everywhere(program, groups):
    """Status: 0 if every kind of comparison sees the plant that is meant for it."""
    kinds = {}
    for group in groups:
        clean = Ledger(quiet=True)
        group(program, clean)
        for kind in clean.kinds:
            kinds.setdefault(kind, {})
        for plant in PLANTS:
            program.falsify = plant
            planted = Ledger(quiet=True)
            group(program, planted)
            program.falsify = None
            for kind in planted.kinds:
                failed, unseen, coarse = planted.caught[kind]
                kinds[kind][plant.__name__] = (failed, unseen, coarse)
    blind = 0
    print("%-22s %s   seen/missed/too coarse" % ("kind", "  ".join("%-16s" % p.__name__
                                                                  for p in PLANTS)))
    for kind, seen in sorted(kinds.items()):
        failed, unseen, _ = max(seen.values(), default=(0, 0, 0))
        caught = failed > 0 and unseen <= ONE_SIDED.get(kind, MISSED) * (failed + unseen)
        blind += not caught
        cells = ["%d/%d/%d" % seen[p.__name__] if p.__name__ in seen else "-" for p in PLANTS]
        print("%-22s %s%s" % (kind, "  ".join("%-16s" % c for c in cells),
                              "" if caught else "  NOT SEEN"))
    print("%d kinds of comparison see a planted mistake, %d do not" % (len(kinds) - blind, blind))
    return 1 if blind or not kinds else 0

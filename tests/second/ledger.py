"""The comparisons: ours beside theirs, and what may lie between them."""
import math

PLANTED = 1e-6  # relative size of what --planted falsifies


class Ledger:
    """Counts comparisons by kind and prints those that fail, or all of them."""

    def __init__(self, verbose=False, quiet=False):
        self.verbose, self.quiet = verbose, quiet
        self.kinds = {}
        self.passed = self.failed = 0
        self.caught = {}  # kind -> [failed, passed although it could have been seen, too coarse]

    def compare(self, kind, name, ours, theirs, tolerance, why, scale=None):
        """|ours - theirs| <= tolerance, which `why` derives. `scale` is the size of the numbers
        that are compared where `ours` is a residual: a planted mistake is PLANTED times it."""
        difference = abs(ours - theirs) if ours is not None and theirs is not None else math.nan
        good = bool(difference <= tolerance) or (ours == theirs and math.isinf(ours))
        size = abs(ours) if scale is None and ours is not None else scale or 0.0
        self._note(kind, name, ours, theirs, tolerance, why, good, size)
        return good

    def at_least(self, kind, name, ours, bound, tolerance, why, scale=None):
        """ours >= bound - tolerance."""
        good = bool(ours >= bound - tolerance)
        self._note(kind, name, ours, bound, tolerance, why, good, scale or abs(ours))
        return good

    def _note(self, kind, name, ours, theirs, tolerance, why, good, size):
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.passed += good
        self.failed += not good
        seen = self.caught.setdefault(kind, [0, 0, 0])
        if not good:
            seen[0] += 1
        elif PLANTED * size > 10.0 * tolerance:
            seen[1] += 1
        else:
            seen[2] += 1
        if not self.quiet and (self.verbose or not good):
            print("%-4s %-18s %s: ours %s, theirs %s, tolerance %.1e (%s)" % (
                "ok" if good else "FAIL", kind, name, text(ours), text(theirs), tolerance, why))


def text(x):
    """A number with all its digits, or a word."""
    return "%.17g" % x if isinstance(x, float) else str(x)

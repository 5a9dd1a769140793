#!/usr/bin/python3
"""A second opinion on what the program says, by other methods and without its code.

    /usr/bin/python3 tests/second [--program FILE] [--verbose] [--planted] [--only WORD]

Prints each comparison that fails and `N passed, N failed`; status 1 if any failed, 2 without
program or packages. --planted falsifies the program's numbers and asks that each kind of
comparison sees it.
"""
import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    """Status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "build", "impactlab"))
    parser.add_argument("--verbose", action="store_true", help="print all comparisons")
    parser.add_argument("--planted", action="store_true", help="falsify numbers; all must be seen")
    parser.add_argument("--only", default="", help="groups whose name contains this")
    options = parser.parse_args()
    if not os.access(options.program, os.X_OK):
        print("tests/second: no program at %s; run make first" % options.program, file=sys.stderr)
        return 2
    try:
        import checks
        import planted
        from ledger import Ledger
        from program import Program
    except ImportError as missing:
        print("tests/second: %s; scripts/install.sh second" % missing, file=sys.stderr)
        return 2
    program = Program(os.path.abspath(options.program))
    groups = [g for g in checks.GROUPS if options.only in g.__name__]
    if options.planted:
        return planted.everywhere(program, groups)
    ledger = Ledger(options.verbose)
    for group in groups:
        begin, before = time.time(), ledger.passed + ledger.failed
        group(program, ledger)
        print("%-18s %5d comparisons, %6.1f s" % (
            group.__name__, ledger.passed + ledger.failed - before, time.time() - begin),
            flush=True)
    print("%d passed, %d failed" % (ledger.passed, ledger.failed))
    return 1 if ledger.failed or not ledger.passed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""cvxopt_step.py FILE - a step problem by CVXOPT's solvers.qp, for `make bench` (tests/bench/peers.c).

FILE holds d, p, entries and s; M, target and a; then row, column and coefficient of every entry of

    min 1/2 |x - target|_M^2   over   a + s B x >= 0.

It is solved to 1e-6, 1e-8, ... as long as CVXOPT says "optimal"; of the last that it does, accuracy,
iterations, the least seconds of a few, x and the multipliers are printed, one number a line.
Exit status: 0; 1 not even 1e-6 was reached; 77 CVXOPT is not installed (Debian: python3-cvxopt).
"""
import sys
import time

try:
    from cvxopt import matrix, solvers, spdiag, spmatrix
except ImportError:
    sys.exit(77)

LOOSEST, TIGHTEST = 1e-6, 1e-15
REPETITIONS, ENOUGH = 5, 1.0  # seconds
ITERATIONS = 200


def read(path):
    """P, q, G, h of min 1/2 x'Px + q'x over G x <= h."""
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    d, p, entries, s = int(words[0]), int(words[1]), int(words[2]), float(words[3])
    numbers = [float(word) for word in words[4:4 + 2 * d + p]]
    mass, target, a = numbers[:d], numbers[d:2 * d], numbers[2 * d:]
    rest = words[4 + 2 * d + p:]
    rows = [int(word) for word in rest[0::3]]
    cols = [int(word) for word in rest[1::3]]
    coefs = [-s * float(word) for word in rest[2::3]]
    if len(coefs) != entries:
        sys.exit(f"cvxopt_step.py: {path} has {len(coefs)} entries, not {entries}")
    q = matrix([-m * t for m, t in zip(mass, target)])
    return spdiag(matrix(mass)), q, spmatrix(coefs, rows, cols, (p, d)), matrix(a)


def solve(problem, asked):
    """The answer and the least seconds, or None where it does not get there."""
    for key in ("abstol", "reltol", "feastol"):
        solvers.options[key] = asked
    best, spent, answer = float("inf"), 0.0, None
    for _ in range(REPETITIONS):
        began = time.process_time()
        try:
            answer = solvers.qp(*problem)
        except (ArithmeticError, ValueError, ZeroDivisionError):
            return None
        took = time.process_time() - began
        best, spent = min(best, took), spent + took
        if answer["status"] != "optimal":
            return None
        if spent > ENOUGH:
            break
    return answer, best


def main():
    solvers.options.update(show_progress=False, maxiters=ITERATIONS)
    problem, last, asked = read(sys.argv[1]), None, LOOSEST
    while asked >= TIGHTEST:
        found = solve(problem, asked)
        if found is None:
            break
        last = (asked, *found)
        asked *= 1e-2
    if last is None:
        return 1
    asked, answer, seconds = last
    print(f"{asked:.0e}", answer["iterations"], f"{seconds:.9f}")
    for x in (*answer["x"], *answer["z"]):
        print(repr(x))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Assertions for pytest, or any test: what impactlab says of a program of yours.

    from impactlab.testing import assert_energy, assert_no_findings, assert_order

    def test_order():
        assert_order(sorted(glob("runs/*.npz")), problem="bouncing_ball", at_least=1, e=0.5)

    def test_motion():
        assert_no_findings("bouncing_ball", t, q, u, e=0.5)
        assert_energy("bouncing_ball", t, q, u, e=0.5)

Each raises AssertionError with the sentence that `impactlab judge` prints, and returns what it has found. What
cannot be decided fails, too. Parameters of the problem are keyword arguments, as in impactlab.judge.
"""
from __future__ import annotations

import os

from typing import Any, Iterable, Optional, Sequence, Union

import impactlab

from . import _library as _c

__all__ = ["assert_energy", "assert_no_findings", "assert_order"]


def assert_order(h_or_files: Iterable, error: Optional[Iterable[float]] = None,
                 problem: Union[None, str, impactlab.Problem] = None, at_least: Optional[float] = None, *,
                 norm: str = "u_L1", inconclusive: bool = False, between: str = "affine", mapping: Optional[str] = None,
                 **parameters: Any) -> impactlab.Order:
    """Errors fall like h^at_least or faster; without it, they converge: the verdict is PASS. Step sizes and
    errors, or files of runs of a problem, whose error is that of `norm`. inconclusive=True lets INCONCLUSIVE
    pass, for tests with few runs: then a wrong program is seen only where it is refuted."""
    __tracebackhide__ = True
    if error is None:
        if problem is None:
            raise impactlab.Error("assert_order needs errors beside the steps, or a problem beside the files")
        files = _c.several("files", h_or_files, lambda x: isinstance(x, (str, bytes, os.PathLike)))
        runs = [_one(file, norm, impactlab.judge(problem, file, between=between, mapping=mapping, **parameters)) for file in files]
        h_or_files, error = [run.h for run in runs], [run.error[norm] for run in runs]
    elif problem is not None or parameters:
        raise impactlab.Error("a problem is given beside errors; allowed: errors, or files with their problem")
    found = impactlab.order(h_or_files, error, "converges" if at_least is None else ("bound", at_least))
    if found.verdict != "PASS" and not (inconclusive and found.verdict == "INCONCLUSIVE"):
        raise AssertionError("order of %s: %s" % (norm, found.text))
    return found


def _one(file: Any, norm: str, run: impactlab.Record) -> impactlab.Record:
    """The run of a file, which has this error."""
    if norm not in run.error:
        raise impactlab.Error("norm is %.60r; allowed: %s" % (norm, ", ".join(sorted(run.error))))
    if run.error[norm] is None:
        raise AssertionError("%s: no %s, as no exact solution is known or the motion ends badly: %s %s"
                             % (os.fsdecode(file), norm, run.status, run.message))
    return run


def _judged(problem: Any, t: Any, q: Any, u: Any, more: dict[str, Any]) -> impactlab.Record:
    run = impactlab.judge(problem, t, q, u, **more)
    if not run.ok:
        raise AssertionError("%r: %s" % (run, run.message))
    return run


def assert_no_findings(problem: Union[str, impactlab.Problem], t: Any, q: Any = None, u: Any = None,
                       *, allowed: Sequence[str] = (), **more: Any) -> impactlab.Record:
    """Nothing is wrong with the motion t, q, u, or with the file t, but for findings of the names `allowed`."""
    __tracebackhide__ = True
    if isinstance(allowed, str):
        allowed = (allowed,)
    run = _judged(problem, t, q, u, more)
    if run.findings is None:
        raise AssertionError("%r: nothing was looked for: too many samples, or pieces that are no parabolas" % run)
    found = ["%s: %s" % (one["name"], one["text"]) for one in run.findings if one["name"] not in allowed]
    if found:
        raise AssertionError("\n".join(found))
    return run


def assert_energy(problem: Union[str, impactlab.Problem], t: Any, q: Any = None, u: Any = None, *, within: float = 1e-9,
                  **more: Any) -> impactlab.Record:
    """In no step the kinetic energy of the motion rises beyond the work of the force, but for the share `within`
    of the largest energy that the record names: initial, final, or risen by. Contacts that move do work as well, and
    are not for this."""
    __tracebackhide__ = True
    energy = (run := _judged(problem, t, q, u, more)).energy
    rise = energy["balance"]["largest_step"] if "balance" in energy else energy["largest_increase_beyond_work"]
    if rise is None:
        raise AssertionError("%r has no energy: of order 1, or without velocities" % run)
    size = max(abs(energy[key]) for key in ("initial", "final", "largest_increase"))
    if not rise <= _c.number("within", within) * size:
        raise AssertionError("the kinetic energy rises by %.3g beyond the force's work in a step; allowed: %g of %.3g"
                             % (rise, within, size))
    return run

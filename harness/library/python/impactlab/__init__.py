"""impactlab from Python: a referee for time-stepping schemes of frictionless contact dynamics.

    import impactlab
    impactlab.run("sticky", "maury", steps=100).error["u_L1"]
    q, u = impactlab.exact("bouncing_ball", e=0.5)(1.0)
    impactlab.judge("bouncing_ball", t, q, u, e=0.5).findings
    impactlab.order(h, errors).text

Parameters of a problem are keyword arguments: numbers, words, or sequences of numbers. What is refused
raises impactlab.Error with the message of the command line. Functions of yours get arrays of their own.
Arrays are numpy's, those of a record are its memory, without copies, and keep it. Ctrl-C ends a run
between its steps. Several threads may call; a Problem serves one of them at a time. impactlab.testing
has assertions for pytest. Needs cffi and numpy (Debian: python3-cffi, python3-numpy).
"""
from __future__ import annotations

import html
import json
import threading

from os import PathLike
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

import numpy as np

from . import _library as _c
from ._library import Error

__all__ = ["Error", "Order", "Problem", "Record", "board", "exact", "judge", "names", "order", "problem", "run", "sweep",
           "version"]

_ffi, _lib = _c.ffi, _c.lib


def version() -> str:
    """The version of the library."""
    return _ffi.string(_lib.impactlab_version()).decode()


def names(family: str) -> list[str]:
    """The names of a family: "problem", "scheme", "projector" or "norm"."""
    if family not in ("problem", "scheme", "projector", "norm"):
        raise Error("family is %.60r; allowed: 'problem', 'scheme', 'projector', 'norm'" % (family,))
    of = _c.word("family", family)
    return _c.listed(lambda k: _lib.impactlab_name(of, k))


class Problem:
    """A problem of the catalogue with its parameters, or one made of functions (see `problem`)."""

    def __init__(self, handle: Any, name: str, parameters: dict[str, Any], again: Any, keep: Any = None):
        self._handle = handle
        self._again = again
        self._keep = keep
        self._lock = threading.RLock()
        self.name = name
        self.parameters = parameters
        _lib.impactlab_problem_stop(handle, _c.stop, _ffi.NULL)

    @property
    def dimension(self) -> int:
        """Degrees of freedom."""
        return int(_lib.impactlab_problem_dimension(self._handle))

    @property
    def constraints(self) -> int:
        """Constraints in all."""
        return int(_lib.impactlab_problem_constraints(self._handle))

    @property
    def order(self) -> int:
        """1: a sweeping process; 2: contact dynamics."""
        return int(_lib.impactlab_problem_order(self._handle))

    @property
    def horizon(self) -> float:
        """The end of time."""
        return float(_lib.impactlab_problem_horizon(self._handle))

    @property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities at the start."""
        q, u = np.empty(self.dimension), np.empty(self.dimension)
        _lib.impactlab_problem_start(self._handle, _c.pointer(q), _c.pointer(u))
        return q, u

    @property
    def exact_names(self) -> list[str]:
        """The exact solutions that are known."""
        return _c.listed(lambda k: _lib.impactlab_exact_name(self._handle, k))

    def __reduce__(self) -> Any:
        """Pickled as it was made: functions have to be those of a module."""
        return _made_again, (self._again,)

    def __repr__(self) -> str:
        return "impactlab.Problem(%r)" % self.name


def _made_again(keywords: dict[str, Any]) -> Problem:
    return problem(**keywords)


class Record:
    """What came of a run, or of a judged trajectory: the JSON record as a dictionary, by keys and by attributes.

    `trajectory` is t (n), q (n, d) and u (n, d) of a run with trajectory=True, read-only, without copies.
    """

    def __init__(self, data: dict[str, Any], trajectory: tuple[np.ndarray, np.ndarray, np.ndarray]):
        self.data = data
        self.trajectory = trajectory

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def keys(self) -> Any:
        """The fields of the record."""
        return self.data.keys()

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key == "data" or key not in self.data:
            raise AttributeError("the record has no field '%s'" % key)
        return self.data[key]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.data})

    @property
    def ok(self) -> bool:
        """Did the run end well?"""
        return self.data["status"] == "ok"

    @property
    def findings(self) -> Optional[list[dict[str, str]]]:
        """What is wrong with a judged trajectory, or with the motion of a program behind exec:, in words; empty for
        other runs. None: none was looked for: too many samples, or pieces that are no parabolas."""
        return (self.data.get("judged") or self.data.get("program") or {}).get("findings", [])

    def __repr__(self) -> str:
        return "impactlab.Record(%s by %s, %d steps: %s)" % (self.data["problem"], self.data["scheme"], self.data["steps"],
                                                             self.data["status"])

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        rows = [(key, self.data[key]) for key in ("problem", "scheme", "steps", "h", "status", "message")]
        rows += [("error: %s" % key, x) for key, x in self.data["error"].items() if isinstance(x, (str, float))]
        rows += [("gap", self.data["feasibility"]["between_min"])]
        rows += [("finding: %s" % found["name"], found["text"]) for found in self.findings or []]
        cells = ("<tr><th style='text-align:left'>%s</th><td style='text-align:left'>%s</td></tr>"
                 % (html.escape(key), html.escape("%.6g" % x if isinstance(x, float) else str(x))) for key, x in rows if x != "")
        return "<table>%s</table>" % "".join(cells)


def _record(handle: Any, dimension: int) -> Record:
    t, q, u = (_ffi.new("const double **") for _ in range(3))
    n = int(_lib.impactlab_record_trajectory(handle, t, q, u))
    nodes = _c.view(t[0], (n,), handle), _c.view(q[0], (n, dimension), handle), _c.view(u[0], (n, dimension), handle)
    return Record(json.loads(_ffi.string(_lib.impactlab_record_json(handle)).decode()), nodes)


def problem(name: Union[str, Problem] = "own", *, force: Optional[Callable] = None, gaps: Optional[Callable] = None,
            exact: Optional[Callable] = None, q0: Optional[Sequence[float]] = None, u0: Optional[Sequence[float]] = None,
            mass: Optional[Sequence[float]] = None, constraints: Optional[int] = None, horizon: float = 0.0,
            order: int = 2, restitution: float = 0.0, **parameters: Any) -> Problem:
    """A problem: of the catalogue by its name and parameters, or one's own by functions.

    A problem of one's own has q0, horizon and any of

        force(t, q)   the force, an array of d numbers, or one for all of them (order 1: the drift)
        gaps(t, q)    (g, gradient) or (g, gradient, rate): the gaps of all contacts (`constraints`, else
                      as many as there are at the start), their gradients, one row each, and their
                      rates at fixed q
        exact(t)      (q, u)

    Of a problem of the catalogue q0, u0, mass, horizon, order and constraints are parameters like others.
    """
    if isinstance(name, Problem):
        if parameters or horizon != 0.0:
            raise Error("'%s' is given, which %r has already; allowed: none beside a Problem"
                        % (next(iter(parameters), "horizon"), name))
        return name
    if force is not None or gaps is not None or exact is not None:
        if parameters:
            raise Error("a problem of functions has no parameter '%s'" % next(iter(parameters)))
        return _define(name, force, gaps, exact, q0, u0, mass, constraints, horizon, order, restitution)
    given = {"q0": q0, "u0": u0, "mass": mass, "constraints": constraints}
    parameters.update({key: value for key, value in given.items() if value is not None})
    parameters.update({key: value for key, value, usual in (("order", order, 2), ("restitution", restitution, 0.0)) if value != usual})
    settings = [_ffi.new("char[]", _c.word("'%s'" % key, "%s=%s" % (key, _c.text(key, value)))) for key, value in parameters.items()]
    out, title, until = _ffi.new("impactlab_problem **"), _c.word("problem", name), _c.number("horizon", horizon)
    handle = _c.call(lambda error: _lib.impactlab_problem_create(
        out, title, len(settings), _ffi.new("char *[]", settings) if settings else _ffi.NULL, until, error),
        out, _lib.impactlab_problem_destroy)
    return Problem(handle, name, parameters, {"name": name, "horizon": until, **parameters})


def _called(force: Any, gaps: Any, exact: Any, d: int, p: int) -> dict[str, Any]:
    """The functions of a problem as the library calls them."""
    def call_force(_, t, q, f):
        _c.fill(f, _c.array("the force", force(t, _c.handed(q, d)), (d,), fill=True))

    def call_gaps(_, t, q, g, rate, gradient):
        said = _gaps_of(gaps(t, _c.handed(q, d)))
        _c.fill(g, _c.array("gaps", said[0], (p,)))
        _c.fill(gradient, _c.array("the gaps' gradients", said[1], (p, d)))
        if len(said) > 2:
            _c.fill(rate, _c.array("the gaps' rates", said[2], (p,), fill=True))

    def call_exact(_, t, q, u):
        position, velocity = _c.pair("exact", exact(t), (d,))
        _c.fill(q, position)
        _c.fill(u, velocity)

    return {key: _c.callback(kind, call) for key, function, call, kind in (
        ("force", force, call_force, ", double, const double *, double *"),
        ("gaps", gaps, call_gaps, ", double, const double *, double *, double *, double *"),
        ("exact", exact, call_exact, ", double, double *, double *")) if function is not None}


def _gaps_of(said: Any) -> Any:
    if not isinstance(said, (tuple, list)) or len(said) not in (2, 3):
        raise Error("gaps returned %.60r; allowed: (g, gradient) or (g, gradient, rate)" % (said,))
    return said


def _define(name, force, gaps, exact, q0, u0, mass, constraints, horizon, order, restitution) -> Problem:
    if q0 is None:
        raise Error("a problem of functions needs q0")
    for key, function in (("force", force), ("gaps", gaps), ("exact", exact)):
        if function is not None and not callable(function):
            raise Error("%s is %.60r; allowed: a function" % (key, function))
    start = _c.array("q0", q0).ravel()
    d = start.size
    if constraints is None:
        constraints = 0 if gaps is None else _c.array("gaps", _gaps_of(gaps(0.0, start.copy()))[0]).size
    p = _c.count("constraints", constraints)
    text, calls = _ffi.new("char[]", _c.word("name", name)), _called(force, gaps, exact, d, p)
    velocity = _c.array("u0", 0.0 if u0 is None else u0, (d,), fill=True)
    weights = _c.array("mass", 1.0 if mass is None else mass, (d,), fill=True)
    of = _ffi.new("impactlab_definition *")
    of.name, of.order, of.dimension, of.constraints = text, min(_c.count("order", order), 3), d, p
    of.horizon, of.restitution = _c.number("horizon", horizon), _c.number("restitution", restitution)
    of.q0, of.u0, of.mass = _c.pointer(start), _c.pointer(velocity), _c.pointer(weights)
    for key, call in calls.items():
        setattr(of, key, call)
    out = _ffi.new("impactlab_problem **")
    handle = _c.call(lambda error: _lib.impactlab_problem_define(out, of, error), out, _lib.impactlab_problem_destroy)
    again = {"name": name, "force": force, "gaps": gaps, "exact": exact, "q0": q0, "u0": u0, "mass": mass,
             "constraints": p, "horizon": horizon, "order": order, "restitution": restitution}
    return Problem(handle, name, {}, again, calls)


def run(problem_: Union[str, Problem], scheme: Union[str, Callable], *, steps: int = 0, h: float = 0.0,
        projector: Optional[str] = None, tolerance: float = 0.0, norms: str = "auto", trajectory: bool = False,
        horizon: float = 0.0, **parameters: Any) -> Record:
    """A run. scheme is a name ("maury", "moreau_jean:theta=0.5", "exec:COMMAND") or a function
    step(t0, t1, q, u) that returns q and u at t1. norms="all" makes all norms whatever the run's size."""
    of = problem(problem_, horizon=horizon, **parameters)
    d = of.dimension

    def step(_, t0, t1, q, u, q1, u1):
        position, velocity = _c.pair("the step", scheme(t0, t1, _c.handed(q, d), _c.handed(u, d)), (d,))
        _c.fill(q1, position)
        _c.fill(u1, velocity)

    own = callable(scheme)
    call = _c.callback(", double, double, const double *, const double *, double *, double *", step)
    text = _ffi.new("char[]", _c.word("scheme", getattr(scheme, "__name__", "own") if own else scheme))
    how = _ffi.NULL if projector is None else _ffi.new("char[]", _c.word("projector", projector))
    if norms not in ("auto", "all"):
        raise Error("norms is %.60r; allowed: 'auto', 'all'" % (norms,))
    options = _ffi.new("impactlab_run_options *")
    options.scheme, options.projector, options.steps, options.h = text, how, _c.count("steps", steps), _c.number("h", h)
    options.tolerance, options.all_norms, options.keep_trajectory = _c.number("tolerance", tolerance), norms == "all", bool(trajectory)
    if own:
        options.step = call
    out = _ffi.new("impactlab_record **")
    with of._lock:
        handle = _c.call(lambda error: _lib.impactlab_run(of._handle, options, out, error), out, _lib.impactlab_record_destroy)
    return _record(handle, d)


def exact(problem_: Union[str, Problem], *, name: Optional[str] = None, horizon: float = 0.0,
          **parameters: Any) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """The exact solution as a function of t that returns q and u; name chooses among several ("A", "B"). A second
    argument < 0 asks for the velocity from the left."""
    of = problem(problem_, horizon=horizon, **parameters)
    known = of.exact_names
    if not known:
        raise Error("problem '%s' has no exact solution" % of.name)
    if name is not None and name not in known:
        raise Error("exact solution is %r; allowed: %s" % (name, ", ".join(known)))
    k = known.index(name) if name is not None else 0

    def solution(t: float, side: int = 1) -> tuple[np.ndarray, np.ndarray]:
        q, u, at = np.empty(of.dimension), np.empty(of.dimension), _c.number("t", t)
        left = -1 if _c.number("side", side) < 0 else 1
        with of._lock:
            _c.call(lambda error: _lib.impactlab_exact(of._handle, k, at, left, _c.pointer(q), _c.pointer(u), error))
        return q, u

    return solution


def judge(problem_: Union[str, Problem], t: Any, q: Any = None, u: Any = None, *, between: str = "affine",
          mapping: Optional[str] = None, horizon: float = 0.0, **parameters: Any) -> Record:
    """Judge a trajectory of another program: arrays t (n), q (n, d) and u (n, d) or None, or the name of a
    file in place of t. The record has what a run has, and `judged`: residuals and findings."""
    of = problem(problem_, horizon=horizon, **parameters)
    out, meaning = _ffi.new("impactlab_record **"), _c.word("between", between)
    if isinstance(t, (str, bytes, PathLike)):
        if q is not None or u is not None:
            raise Error("q and u are given beside a file; allowed: a file, or t, q and u")
        file, names_ = _c.path("the file", t), _ffi.NULL if mapping is None else _c.path("mapping", mapping)
        judged = lambda error: _lib.impactlab_judge_file(of._handle, meaning, file, names_, out, error)
    elif q is None or mapping is not None:
        raise Error("judge needs positions q beside the times t, or the name of a file, which may have a mapping")
    else:
        times = _c.array("t", t).ravel()
        shape = (times.size, of.dimension)
        def column(name, x):  # of one coordinate, n numbers are n rows
            flat = of.dimension == 1 and _c.array(name, x).shape == (times.size,)
            return _c.array(name, np.reshape(x, shape) if flat else x, shape)

        positions, velocities = column("q", q), None if u is None else column("u", u)
        judged = lambda error: _lib.impactlab_judge(of._handle, meaning, times.size, _c.pointer(times), _c.pointer(positions),
                                                    _ffi.NULL if velocities is None else _c.pointer(velocities), out, error)
    with of._lock:
        handle = _c.call(judged, out, _lib.impactlab_record_destroy)
    return _record(handle, of.dimension)


class Order:
    """The order at which errors fall: order, low, high, fold, octaves, finest, floor, floor_high, scatter, runs,
    used, verdict, reason, and text, all of it in a sentence."""

    def __init__(self, of: Any):
        for key in ("order", "low", "high", "level", "fold", "octaves", "finest", "floor", "floor_high", "scatter", "runs",
                    "used"):
            setattr(self, key, getattr(of, key))
        for key in ("verdict", "reason", "text"):
            setattr(self, key, _ffi.string(getattr(of, key)).decode())

    def __repr__(self) -> str:
        return self.text


def _claim(claim: Any) -> tuple[Any, float]:
    """The kind of a claim, or None, and its order."""
    kind, p = claim, 0.0
    if isinstance(claim, str):
        kind, _, p = claim.partition(":")
        p = p or 0.0
    elif isinstance(claim, (tuple, list)) and len(claim) == 2:
        kind, p = claim
    elif claim is not None:
        raise Error("claim is %.60r; allowed: None, \"converges\", (\"bound\", p) or (\"sharp\", p)" % (claim,))
    return _ffi.NULL if kind is None else _c.word("the claim's kind", kind), _c.number("the order claimed", p)


def order(h: Iterable[float], error: Iterable[float], claim: Union[None, str, tuple[str, float]] = None,
          factor: float = 0.0) -> Order:
    """Fit the order of errors. claim: None, "converges", ("bound", p) or ("sharp", p), which may be
    spelt "bound:1" too; errors must fall by `factor` for a verdict (0: 4)."""
    steps, errors = _c.orders(h, error)
    kind, p = _claim(claim)
    out, least = _ffi.new("impactlab_order *"), _c.number("factor", factor)
    _c.call(lambda why: _lib.impactlab_order_fit(steps.size, _c.pointer(steps), _c.pointer(errors), kind, p, least, out, why))
    return Order(out)


def sweep(problems: Any, schemes: Any, steps: Iterable[int], *, results: str = "results", jobs: Optional[int] = None,
          horizon: float = 0.0, **parameters: Any) -> Any:
    """All problems by all schemes and numbers of steps. A pandas DataFrame where pandas is installed, else a list
    of dictionaries: problem, scheme, steps, h, status, q_Linf, u_L1, final_q, final_u, gap, momentum, seconds.

    Runs by name are those of `impactlab sweep`: `jobs` at a time, by default as many as there are processors, each
    stored below the folder `results`, where the same build finds them again (`impactlab results list`). Schemes
    and problems that are functions run here, one after the other, and are not stored.
    """
    from . import _sweep
    return _sweep.sweep(problems, schemes, steps, results, jobs, {"horizon": horizon, **parameters})


def board(schemes: Any = None, problems: Any = None, questions: Any = None, *, claim: Union[str, tuple[str, float]] = "converges",
          out: Optional[str] = None, jobs: Optional[int] = None, question_time: float = 8.0) -> Any:
    """Schemes, engines and programs (`exec:./mine`), each asked the same questions: `impactlab board`. A row a cell, in a
    pandas DataFrame where pandas is installed, else a list of dictionaries: scheme, question, problem, value, verdict,
    text, order, low, high, error, floor, reason, command. Lists that are left out are the program's own. With `out` the
    page, its figures and the cases stay in that folder. What would take a program longer than `question_time` seconds, by a
    forecast, is not asked."""
    from . import _sweep
    return _sweep.board({"schemes": schemes, "problems": problems, "questions": questions}, claim, out, jobs, question_time)

"""impactlab from Python: a referee for time-stepping schemes of frictionless contact dynamics.

    import impactlab
    impactlab.run("sticky", "maury", steps=100).error["u_L1"]
    q, u = impactlab.exact("bouncing_ball", e=0.5)(1.0)
    impactlab.judge("bouncing_ball", t, q, u, e=0.5).findings
    impactlab.order(h, errors).text

Parameters of a problem are keyword arguments: numbers, words, or sequences of numbers. What is refused
raises impactlab.Error with the message of the command line. Arrays are numpy's, without copies where a
record keeps them. Needs cffi and numpy (Debian: python3-cffi, python3-numpy).
"""
from __future__ import annotations

import itertools
import json
import os

from typing import Any, Callable, Iterable, Optional, Sequence, Union

import cffi
import numpy as np

__all__ = ["Error", "Order", "Problem", "Record", "exact", "judge", "names", "order", "problem", "run", "sweep",
           "version"]

_HERE = os.path.dirname(os.path.abspath(__file__))


def _find(*places: str) -> str:
    for place in places:
        if place and os.path.exists(place):
            return place
    raise ImportError("impactlab: none of %s is there; IMPACTLAB_LIBRARY names the library" % ", ".join(filter(None, places)))


def _declarations() -> str:
    with open(_find(os.path.join(_HERE, "impactlab.h"), os.path.join(_HERE, "..", "..", "impactlab.h"))) as header:
        text = header.read()
    return text.split("/* bindings read from here */")[1].split("/* bindings read to here */")[0].replace("IMPACTLAB_API", "")


_ffi = cffi.FFI()
_ffi.cdef(_declarations())
_lib = _ffi.dlopen(_find(os.environ.get("IMPACTLAB_LIBRARY", ""),
                         os.path.join(_HERE, "..", "..", "..", "libimpactlab.so.0"),
                         os.path.join(_HERE, "..", "..", "..", "..", "lib", "libimpactlab.so.0"),
                         os.path.join(_HERE, "..", "..", "..", "..", "build", "release", "libimpactlab.so.0"),
                         os.path.join(_HERE, "..", "..", "..", "..", "build", "dev", "libimpactlab.so.0")))


class Error(ValueError):
    """What impactlab refuses, or what failed; the message names the value and what is allowed."""


def _check(status: int, error: Any) -> None:
    if status != 0:
        raise Error(_ffi.string(error.message).decode())


def version() -> str:
    """The version of the library."""
    return _ffi.string(_lib.impactlab_version()).decode()


def names(family: str) -> list[str]:
    """The names of a family: "problem", "scheme", "projector" or "norm"."""
    return _listed(lambda k: _lib.impactlab_name(_word("family", family), k))


def _listed(name_at: Callable[[int], Any]) -> list[str]:
    """The names at 0, 1, ... up to NULL."""
    known = itertools.takewhile(lambda name: name != _ffi.NULL, map(name_at, itertools.count()))
    return [_ffi.string(name).decode() for name in known]


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if np.ndim(value) == 0:
        return repr(_number(name, value))
    return ",".join(_text(name, x) for x in np.ravel(value))


def _number(name: str, x: Any) -> float:
    try:
        return float(x)
    except (TypeError, ValueError):
        raise Error("%s is %r; allowed: a number" % (name, x)) from None


def _count(name: str, x: Any) -> int:
    n = _number(name, x)
    if not (n >= 0 and n == int(n)):
        raise Error("%s is %r; allowed: a whole number >= 0" % (name, x))
    return int(n)


def _word(name: str, x: Any) -> bytes:
    if not isinstance(x, str):
        raise Error("%s is %r; allowed: a name" % (name, x))
    return x.encode()


def _array(name: str, x: Any, shape: Optional[tuple[int, ...]] = None) -> np.ndarray:
    """x as doubles, of this shape or a number that fills it."""
    try:
        array = np.ascontiguousarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error("%s is %.60r; allowed: numbers" % (name, x)) from None
    if shape is None or np.shape(x) == shape:
        return array
    if np.ndim(x) == 0:
        return np.full(shape, array)
    raise Error("%s has the shape %s; allowed: %s" % (name, np.shape(x), shape))


def _pointer(x: np.ndarray) -> Any:
    return _ffi.cast("double *", _ffi.from_buffer(x))


def _view(pointer: Any, shape: tuple[int, ...], owner: Any) -> np.ndarray:
    """The memory of a record as an array that keeps it alive and cannot be written."""
    size = int(np.prod(shape))
    array = np.frombuffer(_ffi.buffer(pointer, 8 * size), dtype=np.float64).reshape(shape) if size else np.zeros(shape)
    array = array.view(_Kept)
    array.owner = owner
    array.flags.writeable = False
    return array


class _Kept(np.ndarray):
    owner: Any = None

    def __array_finalize__(self, source: Any) -> None:
        self.owner = getattr(source, "owner", None)


def _numbers(pointer: Any, n: int) -> np.ndarray:
    """The library's own memory of n numbers."""
    return np.frombuffer(_ffi.buffer(pointer, 8 * n), dtype=np.float64)


def _guarded(raised: list[BaseException], body: Callable) -> Callable:
    """body as a function of the library's: 0, or 1 with what it raised, which is raised again later."""
    def call(*given):
        try:
            body(*given)
            return 0
        except BaseException as failure:
            raised.append(failure)
            return 1
    return call


class Problem:
    """A problem of the catalogue with its parameters, or one made of functions (see `problem`)."""

    def __init__(self, handle: Any, name: str, parameters: dict[str, Any], keep: Any = None):
        self._handle = _ffi.gc(handle, _lib.impactlab_problem_destroy)
        self._keep = keep
        self.name = name
        self.parameters = parameters
        self._raised: list[BaseException] = keep[0] if keep else []

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
        _lib.impactlab_problem_start(self._handle, _pointer(q), _pointer(u))
        return q, u

    @property
    def exact_names(self) -> list[str]:
        """The exact solutions that are known."""
        return _listed(lambda k: _lib.impactlab_exact_name(self._handle, k))

    def _raise(self) -> None:
        if self._raised:
            failure = self._raised[0]
            self._raised.clear()
            raise failure

    def __repr__(self) -> str:
        return "impactlab.Problem(%r)" % self.name


class Record:
    """What came of a run, or of a judged trajectory: the JSON record as a dictionary, by keys and by attributes."""

    def __init__(self, handle: Any, dimension: int):
        self._handle = _ffi.gc(handle, _lib.impactlab_record_destroy)
        self._dimension = dimension
        self.data: dict[str, Any] = json.loads(_ffi.string(_lib.impactlab_record_json(self._handle)).decode())

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key == "data" or key not in self.data:
            raise AttributeError(key)
        return self.data[key]

    @property
    def ok(self) -> bool:
        """Did the run end well?"""
        return self.data["status"] == "ok"

    @property
    def findings(self) -> list[dict[str, str]]:
        """What is wrong with a judged trajectory, in words."""
        return self.data["judged"]["findings"]

    @property
    def trajectory(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """t (n), q (n, d) and u (n, d) of a run with trajectory=True; the record's memory, without copies."""
        t, q, u = _ffi.new("double **"), _ffi.new("double **"), _ffi.new("double **")
        n = int(_lib.impactlab_record_trajectory(self._handle, _ffi.cast("const double **", t),
                                                 _ffi.cast("const double **", q), _ffi.cast("const double **", u)))
        return (_view(t[0], (n,), self), _view(q[0], (n, self._dimension), self), _view(u[0], (n, self._dimension), self))

    def __repr__(self) -> str:
        return "impactlab.Record(%s by %s, %d steps: %s)" % (self.data["problem"], self.data["scheme"], self.data["steps"],
                                                             self.data["status"])


def problem(name: Union[str, Problem] = "own", *, force: Optional[Callable] = None, gaps: Optional[Callable] = None,
            exact: Optional[Callable] = None, q0: Optional[Sequence[float]] = None, u0: Optional[Sequence[float]] = None,
            mass: Optional[Sequence[float]] = None, constraints: Optional[int] = None, horizon: float = 0.0,
            order: int = 2, restitution: float = 0.0, **parameters: Any) -> Problem:
    """A problem: of the catalogue by its name and parameters, or one's own by functions.

    A problem of one's own has q0, horizon and any of

        force(t, q)   the force, an array of d numbers (order 1: the drift)
        gaps(t, q)    (g, gradient) or (g, gradient, rate): the gaps of all contacts (`constraints`, else
                      as many as there are at the start), their gradients, one row each, and their
                      rates at fixed q
        exact(t)      (q, u)

    Of a problem of the catalogue q0, u0, mass, horizon, order and constraints are parameters like others.
    """
    if isinstance(name, Problem):
        return name
    if force is None and gaps is None and exact is None:
        given = {"q0": q0, "u0": u0, "mass": mass}
        parameters.update({key: value for key, value in given.items() if value is not None})
        texts = [("%s=%s" % (key, _text(key, value))).encode() for key, value in parameters.items()]
        settings = [_ffi.new("char[]", text) for text in texts]
        out, error = _ffi.new("impactlab_problem **"), _ffi.new("impactlab_error *")
        _check(_lib.impactlab_problem_create(out, _word("problem", name), len(settings),
                                             _ffi.new("char *[]", settings) if settings else _ffi.NULL,
                                             _number("horizon", horizon), error), error)
        return Problem(out[0], name, parameters)
    if parameters:
        raise Error("a problem of functions has no parameter '%s'" % next(iter(parameters)))
    return _define(name, force, gaps, exact, q0, u0, mass, constraints, horizon, order, restitution)


def _define(name, force, gaps, exact, q0, u0, mass, constraints, horizon, order, restitution) -> Problem:
    if q0 is None:
        raise Error("a problem of functions needs q0")
    start = np.ravel(_array("q0", q0))
    d, raised = start.size, []
    if constraints is None:
        constraints = 0 if gaps is None else np.size(gaps(0.0, start.copy())[0])

    def call_force(_, t, q, f):
        _numbers(f, d)[:] = _array("the force", force(t, _numbers(q, d)), (d,))

    def call_gaps(_, t, q, g, rate, gradient):
        said = gaps(t, _numbers(q, d))
        _numbers(g, constraints)[:] = _array("gaps", said[0], (constraints,))
        shape = (constraints, d)
        _numbers(gradient, constraints * d).reshape(shape)[:] = _array("the gaps' gradients", said[1], shape)
        if len(said) > 2:
            _numbers(rate, constraints)[:] = _array("the gaps' rates", said[2], (constraints,))

    def call_exact(_, t, q, u):
        _numbers(q, d)[:], _numbers(u, d)[:] = exact(t)

    text = _ffi.new("char[]", _word("name", name))
    velocity = _array("u0", 0.0 if u0 is None else u0, (d,))
    weights = _array("mass", 1.0 if mass is None else mass, (d,))
    of = _ffi.new("impactlab_definition *")
    of.name, of.order, of.dimension, of.constraints = text, _count("order", order), d, _count("constraints", constraints)
    of.horizon, of.restitution = _number("horizon", horizon), _number("restitution", restitution)
    of.q0, of.u0, of.mass = _pointer(start), _pointer(velocity), _pointer(weights)
    calls = {}
    for key, given, call, kind in (
            ("force", force, call_force, "int(void *, double, const double *, double *)"),
            ("gaps", gaps, call_gaps, "int(void *, double, const double *, double *, double *, double *)"),
            ("exact", exact, call_exact, "int(void *, double, double *, double *)")):
        if given is not None:
            calls[key] = _ffi.callback(kind, _guarded(raised, call))
            setattr(of, key, calls[key])
    out, error = _ffi.new("impactlab_problem **"), _ffi.new("impactlab_error *")
    status = _lib.impactlab_problem_define(out, of, error)
    if raised:
        raise raised[0]
    _check(status, error)
    return Problem(out[0], name, {}, (raised, text, start, velocity, weights, calls))


def run(problem_: Union[str, Problem], scheme: Union[str, Callable], *, steps: int = 0, h: float = 0.0,
        projector: Optional[str] = None, tolerance: float = 0.0, norms: str = "auto", trajectory: bool = False,
        horizon: float = 0.0, **parameters: Any) -> Record:
    """A run. scheme is a name ("maury", "moreau_jean:theta=0.5", "exec:COMMAND") or a function
    step(t0, t1, q, u) that returns q and u at t1. norms="all" makes all norms whatever the run's size."""
    of = problem(problem_, horizon=horizon, **parameters)
    d, raised = of.dimension, []
    options, error = _ffi.new("impactlab_run_options *"), _ffi.new("impactlab_error *")
    out = _ffi.new("impactlab_record **")

    def step(_, t0, t1, q, u, q1, u1):
        _numbers(q1, d)[:], _numbers(u1, d)[:] = scheme(t0, t1, _numbers(q, d), _numbers(u, d))

    name = getattr(scheme, "__name__", "own") if callable(scheme) else scheme
    text = _ffi.new("char[]", _word("scheme", name))
    how = _ffi.new("char[]", _word("projector", projector)) if projector else _ffi.NULL
    call = _ffi.callback("int(void *, double, double, const double *, const double *, double *, double *)",
                         _guarded(raised, step))
    if norms not in ("auto", "all"):
        raise Error("norms is %r; allowed: 'auto', 'all'" % (norms,))
    options.scheme, options.projector, options.steps, options.h = text, how, _count("steps", steps), _number("h", h)
    options.tolerance, options.all_norms, options.keep_trajectory = _number("tolerance", tolerance), norms == "all", trajectory
    if callable(scheme):
        options.step = call
    status = _lib.impactlab_run(of._handle, options, out, error)
    record = Record(out[0], d) if status == 0 else None
    of._raise()
    if raised:
        raise raised[0]
    _check(status, error)
    return record


def exact(problem_: Union[str, Problem], *, name: Optional[str] = None, horizon: float = 0.0,
          **parameters: Any) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """The exact solution as a function of t that returns q and u; name chooses among several ("A", "B")."""
    of = problem(problem_, horizon=horizon, **parameters)
    known = of.exact_names
    if not known:
        raise Error("problem '%s' has no exact solution" % of.name)
    if name is not None and name not in known:
        raise Error("exact solution is '%s'; allowed: %s" % (name, ", ".join(known)))
    k = known.index(name) if name else 0

    def solution(t: float, side: int = 1) -> tuple[np.ndarray, np.ndarray]:
        q, u, error = np.empty(of.dimension), np.empty(of.dimension), _ffi.new("impactlab_error *")
        status = _lib.impactlab_exact(of._handle, k, _number("t", t), side, _pointer(q), _pointer(u), error)
        of._raise()
        _check(status, error)
        return q, u

    return solution


def judge(problem_: Union[str, Problem], t: Any, q: Any = None, u: Any = None, *, between: str = "affine",
          mapping: Optional[str] = None, horizon: float = 0.0, **parameters: Any) -> Record:
    """Judge a trajectory of another program: arrays t (n), q (n, d) and u (n, d) or None, or the name of a
    file in place of t. The record has what a run has, and `judged`: residuals and findings."""
    of = problem(problem_, horizon=horizon, **parameters)
    out, error = _ffi.new("impactlab_record **"), _ffi.new("impactlab_error *")
    if isinstance(t, (str, os.PathLike)):
        status = _lib.impactlab_judge_file(of._handle, _word("between", between), os.fspath(t).encode(),
                                           mapping.encode() if mapping else _ffi.NULL, out, error)
    elif q is None:
        raise Error("judge needs positions q beside the times t, or the name of a file")
    else:
        times = _array("t", t).ravel()
        shape = (len(times), of.dimension)
        one = lambda x: np.reshape(x, shape) if of.dimension == 1 and np.size(x) == len(times) else x
        positions = _array("q", one(q), shape)
        velocities = None if u is None else _array("u", one(u), shape)
        status = _lib.impactlab_judge(of._handle, _word("between", between), len(times), _pointer(times), _pointer(positions),
                                      _ffi.NULL if velocities is None else _pointer(velocities), out, error)
    _check(status, error)
    return Record(out[0], of.dimension)


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


def order(h: Iterable[float], error: Iterable[float], claim: Union[None, str, tuple[str, float]] = None,
          factor: float = 0.0) -> Order:
    """Fit the order of errors. claim: None, "converges", ("bound", p) or ("sharp", p)."""
    steps, errors = _array("h", list(h)), _array("error", list(error))
    if steps.shape != errors.shape:
        raise Error("%d errors for %d steps; allowed: as many" % (errors.size, steps.size))
    kind, p = (claim, 0.0) if claim is None or isinstance(claim, str) else (tuple(claim) + (None,))[:2]
    p = _number("the order claimed", p)
    out, why = _ffi.new("impactlab_order *"), _ffi.new("impactlab_error *")
    _check(_lib.impactlab_order_fit(steps.size, _pointer(steps), _pointer(errors), kind.encode() if kind else _ffi.NULL, p,
                                    factor, out, why), why)
    return Order(out)


def sweep(problems: Any, schemes: Any, steps: Iterable[int], **parameters: Any) -> Any:
    """All problems by all schemes and numbers of steps. A pandas DataFrame where pandas is installed, else a list
    of dictionaries: problem, scheme, steps, h, status, q_Linf, u_L1, final_q, final_u, gap, momentum, seconds."""
    rows = []
    sizes = list(steps)
    for one in [problems] if isinstance(problems, (str, Problem)) else problems:
        of = problem(one, **parameters)
        for scheme in [schemes] if isinstance(schemes, str) or callable(schemes) else schemes:
            for n in sizes:
                r = run(of, scheme, steps=n).data
                rows.append({"problem": r["problem"], "scheme": r["scheme"], "steps": r["steps"], "h": r["h"],
                             "status": r["status"], **{key: r["error"][key] for key in ("q_Linf", "u_L1", "final_q", "final_u")},
                             "gap": r["feasibility"]["between_min"], "momentum": r["momentum"]["largest_drift"],
                             "seconds": r["work"]["seconds"]})
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)

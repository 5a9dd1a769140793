"""The C library, by cffi: calls with their errors, numbers to and from its memory, functions that it calls."""
from __future__ import annotations

import itertools
import math
import os
import threading

from typing import Any, Callable, Iterable, Optional

import cffi
import numpy as np

_HERE = os.path.dirname(os.path.abspath(__file__))
_UP = os.path.join(_HERE, *[".."] * 4)  # the prefix of an installation, or the checkout


def find(variable: str, *places: str) -> str:
    """The file that this variable of the environment names, or the first of the places that is there."""
    if os.environ.get(variable):
        places = (os.environ[variable],)
    for place in places:
        if os.path.exists(place):
            return place
    raise ImportError("impactlab: none of %s is there; %s names another" % (", ".join(places), variable))


def _declarations() -> str:
    with open(find("IMPACTLAB_HEADER", os.path.join(_HERE, "impactlab.h"), os.path.join(_HERE, "..", "..", "impactlab.h"))) as header:
        text = header.read()
    return text.split("/* bindings read from here */")[1].split("/* bindings read to here */")[0].replace("IMPACTLAB_API", "")


def _beside(folder: str, name: str) -> list[str]:
    """Where a file may be: in a wheel, an installation, a checkout."""
    return [os.path.join(place, name) for place in (os.path.join(_HERE, "root", folder), os.path.join(_UP, folder),
                                                    os.path.join(_UP, "build", "release"), os.path.join(_UP, "build", "dev"))]


ffi = cffi.FFI()
ffi.cdef(_declarations())
lib = ffi.dlopen(find("IMPACTLAB_LIBRARY", *_beside("lib", "libimpactlab.so.0")))


def program() -> str:
    """The program beside the library."""
    try:
        return find("IMPACTLAB_PROGRAM", *_beside("bin", "impactlab"))
    except ImportError as missing:
        raise Error(str(missing)) from None


class Error(ValueError):
    """What impactlab refuses, or what failed; the message names the value and what is allowed."""

    __module__ = "impactlab"


# ---- what comes in ------------------------------------------------------------------------------


def number(name: str, x: Any) -> float:
    try:
        if x is not np.ma.masked:
            return float(x)
        raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise Error("%s is %.60r; allowed: a number" % (name, x)) from None


def count(name: str, x: Any) -> int:
    n = number(name, x)
    if not (0 <= n <= 2.0**53 and n == math.floor(n)):
        raise Error("%s is %.60r; allowed: a whole number >= 0" % (name, x))
    return int(n)


def word(name: str, x: Any) -> bytes:
    """A text as C has it."""
    try:
        if "\0" not in x:
            return x.encode("utf-8", "surrogateescape")  # names of files may have any bytes
    except (AttributeError, TypeError, UnicodeEncodeError):
        pass
    raise Error("%s is %.60r; allowed: a text without NUL" % (name, x))


def path(name: str, x: Any) -> bytes:
    try:
        return word(name, os.fsdecode(x))
    except TypeError:
        raise Error("%s is %.60r; allowed: the name of a file" % (name, x)) from None


def text(name: str, value: Any) -> str:
    """The value of a parameter as the command line has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (list, tuple, range)) or np.ndim(value) > 0:
        return ",".join(text(name, x) for x in value)
    return repr(number(name, value))


def array(name: str, x: Any, shape: Optional[tuple[int, ...]] = None, fill: bool = False) -> np.ndarray:
    """x as doubles, of this shape. One number has the shape of one, and where `fill` fills any."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise Error("%s has masked values; allowed: numbers, all of them known" % name)
    try:
        given = np.asarray(x)
        if given.dtype.kind not in "iufO":
            raise TypeError
        if given.dtype.kind == "O":  # numpy takes None for a number
            given = np.array([float(one) for one in given.ravel()]).reshape(given.shape)
        numbers = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise Error("%s is %.60r; allowed: numbers" % (name, x)) from None
    if shape is None or given.shape == shape:
        return numbers
    if given.ndim == 0 and (fill or shape == (1,) * len(shape)):
        return np.full(shape, numbers)
    raise Error("%s has the shape %s; allowed: %s" % (name, given.shape, shape))


def pair(name: str, said: Any, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """q and u that a function returned."""
    if not isinstance(said, (tuple, list, np.ndarray)) or len(said) != 2:
        raise Error("%s returned %.60r; allowed: two arrays, q and u" % (name, said))
    return array("q of %s" % name, said[0], shape), array("u of %s" % name, said[1], shape)


def several(name: str, x: Any, single: Callable[[Any], bool]) -> list:
    """What may be given as one or as many, a generator among them."""
    if single(x):
        return [x]
    try:
        return list(x)
    except TypeError:
        raise Error("%s is %.60r; allowed: one, or a sequence of them" % (name, x)) from None


# ---- memory -------------------------------------------------------------------------------------


def pointer(x: np.ndarray) -> Any:
    return ffi.cast("double *", ffi.from_buffer(x))


def view(at: Any, shape: tuple[int, ...], owner: Any) -> np.ndarray:
    """The library's memory as an array that cannot be written. The buffer itself holds the owner, so that
    whatever looks at it does, too."""
    size = int(np.prod(shape))
    if size == 0:
        return np.zeros(shape)
    held = ffi.gc(ffi.cast("double *", at), lambda _, owner=owner: None)
    numbers = np.frombuffer(ffi.buffer(held, 8 * size), dtype=np.float64).reshape(shape)
    numbers.flags.writeable = False
    return numbers


def handed(at: Any, n: int) -> np.ndarray:
    """A copy of n numbers that the library hands to a function, which may write into it and keep it."""
    return np.frombuffer(ffi.buffer(at, 8 * n), dtype=np.float64).copy()


def fill(at: Any, numbers: np.ndarray) -> None:
    """Numbers into the library's memory."""
    ffi.memmove(at, numbers, numbers.nbytes)


def listed(name_at: Callable[[int], Any]) -> list[str]:
    """The names at 0, 1, ... up to NULL."""
    known = itertools.takewhile(lambda name: name != ffi.NULL, map(name_at, itertools.count()))
    return [ffi.string(name).decode() for name in known]


# ---- calls --------------------------------------------------------------------------------------


class _Thread(threading.local):
    def __init__(self) -> None:
        self.raised: list[BaseException] = []


_thread = _Thread()


def _caught(_kind: Any, failure: BaseException, _trace: Any) -> None:
    _thread.raised.append(failure)


def callback(kind: str, body: Callable) -> Any:
    """body as a function of the library's. What it raises is raised again by the call that it ran in."""
    def called(*given: Any) -> int:
        return int(body(*given) or 0)

    return ffi.callback("int(void *%s)" % kind, called, error=1, onerror=_caught)


def _look(_: Any) -> None:
    for _ in range(2):  # where the interpreter looks for signals: Ctrl-C is raised here
        pass


stop = callback("", _look)


def call(function: Callable[[Any], int], out: Any = None, destroy: Optional[Callable] = None) -> Any:
    """function(error), which makes *out where that is given; what was made is returned, and destroyed in its time."""
    error = ffi.new("impactlab_error *")
    before, _thread.raised = _thread.raised, []
    try:
        status = function(error)
    finally:
        raised, _thread.raised = _thread.raised, before
    made = ffi.gc(out[0], destroy) if out is not None and out[0] != ffi.NULL else None
    if raised:
        raise raised[0]
    if status != 0:
        raise Error(ffi.string(error.message).decode(errors="replace"))
    return made


def orders(h: Iterable[float], error: Iterable[float]) -> tuple[np.ndarray, np.ndarray]:
    """h and error as arrays; generators among what they may be."""
    steps, errors = (array(name, x if hasattr(x, "__len__") else several(name, x, lambda _: False)).ravel()
                     for name, x in (("h", h), ("error", error)))
    if steps.shape != errors.shape:
        raise Error("%d errors for %d steps; allowed: as many" % (errors.size, steps.size))
    return steps, errors

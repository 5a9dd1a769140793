"""sweep and board, by the program, on all processors and with its store; a sweep's functions run here."""
from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile

from typing import Any, Optional

import impactlab

from . import _library as _c

_KEYS = ("q_Linf", "u_L1", "final_q", "final_u")
_COLUMNS = ("problem", "scheme", "steps", "h", "status", *_KEYS, "gap", "momentum", "seconds")

# Its results: a line a case, columns between tabs. What is not a number is none.
_SCRIPT = """local lab = require "impactlab"
local function number(x) return type(x) == "number" and string.format("%%.17g", x) or "nan" end
local function show(sweep)
  for _, r in ipairs(sweep:run():records()) do
    local e = r.error
    print(table.concat({"case", r.problem, r.scheme, number(r.steps), number(r.h), r.status, number(e.q_Linf), number(e.u_L1),
      number(e.final_q), number(e.final_u), number(r.feasibility.between_min), number(r.momentum.largest_drift),
      number(r.work.seconds)}, "\\t"))
  end
end
%s
"""


def _quoted(text: str) -> str:
    """A text of Lua: every byte but letters, digits and blanks as its number."""
    return '"%s"' % "".join(chr(b) if chr(b).isalnum() and b < 128 or b == 32 else "\\%03d" % b for b in text.encode("utf-8", "surrogateescape"))


def _declared(of: impactlab.Problem, schemes: list[str], sizes: list[int]) -> str:
    """lab.sweep of one problem."""
    settings = "".join(", [%s] = %s" % (_quoted(key), _quoted(_c.text(key, value))) for key, value in of.parameters.items())
    until = "" if of._again["horizon"] == 0.0 else ", horizon = %.17g" % of._again["horizon"]
    return "show(lab.sweep{problem = {%s%s}, schemes = {%s}, steps = {%s}%s})" % (
        _quoted(of.name), settings, ", ".join(map(_quoted, schemes)), ", ".join(map(str, sizes)), until)


def _printed(words: list) -> str:
    """What the program prints; what it refuses is raised."""
    running = subprocess.Popen([_c.program(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        printed, said = (text.decode(errors="replace") for text in running.communicate())
    except BaseException:  # Ctrl-C: it puts its store in order and ends within a second
        running.send_signal(signal.SIGINT)
        running.communicate()
        raise
    if running.returncode not in (0, 1):  # 1: a run failed, and its row says so
        last = (said.strip().splitlines() or ["the program ended with status %d" % running.returncode])[-1]
        if "interrupted" in last:
            raise KeyboardInterrupt
        raise impactlab.Error(re.sub(r"^(impactlab( board)?: )?(\S*/sweep\.lua:\d+: )?(lab\.(sweep|board): )?", "", last))
    sys.stderr.write(said)
    return printed


def _program(declared: list[str], results: Any, jobs: int) -> list[dict[str, Any]]:
    """The rows of these sweeps, in their order."""
    with tempfile.TemporaryDirectory(prefix="impactlab-") as folder:
        script = os.path.join(folder, "sweep.lua")
        with open(script, "wb") as file:
            file.write((_SCRIPT % "\n".join(declared)).encode())
        printed = _printed(["sweep", script, "--trust", "--quiet", "-j", str(jobs), "--results", _c.path("results", results)])
    rows = []
    for line in printed.splitlines():
        mark, *cells = line.split("\t")
        if mark == "case":
            row = dict(zip(_COLUMNS, cells))
            numbers = {key: float(row[key]) for key in _COLUMNS if key not in ("problem", "scheme", "status")}
            rows.append({**row, **{key: None if x != x else x for key, x in numbers.items()}, "steps": int(numbers["steps"])})
    return rows


def _here(of: impactlab.Problem, scheme: Any, sizes: list[int]) -> list[dict[str, Any]]:
    rows = []
    for n in sizes:
        r = impactlab.run(of, scheme, steps=n).data
        rows.append({"problem": r["problem"], "scheme": r["scheme"], "steps": r["steps"], "h": r["h"], "status": r["status"],
                     **{key: r["error"][key] for key in _KEYS}, "gap": r["feasibility"]["between_min"],
                     "momentum": r["momentum"]["largest_drift"], "seconds": r["work"]["seconds"]})
    return rows


def sweep(problems: Any, schemes: Any, steps: Any, results: Any, jobs: Optional[int], parameters: dict[str, Any]) -> Any:
    sizes = [_c.count("steps", n) for n in _c.several("steps", steps, lambda x: isinstance(x, int))]
    which = _c.several("schemes", schemes, lambda x: isinstance(x, str) or callable(x))
    named = [scheme for scheme in which if not callable(scheme)]
    for scheme in named:
        _c.word("scheme", scheme)
    of = [impactlab.problem(one, **parameters)
          for one in _c.several("problems", problems, lambda x: isinstance(x, (str, impactlab.Problem)))]
    processors = _jobs(jobs)
    declared = [one for one in of if one._keep is None and named and sizes]
    stored = iter(_program([_declared(one, named, sizes) for one in declared], results, processors) if declared else [])
    rows = []
    for one in of:
        for scheme in which:
            if one in declared and not callable(scheme):
                rows += [next(stored) for _ in sizes]
            else:
                rows += _here(one, scheme, sizes)
    return _framed(rows, list(_COLUMNS))


def _jobs(jobs: Optional[int]) -> int:
    return len(os.sched_getaffinity(0)) if jobs is None else _c.count("jobs", jobs)


def _framed(rows: list[dict[str, Any]], columns: list[str]) -> Any:
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows, columns=columns)


_CELL = ("scheme", "question", "problem", "value", "verdict", "text", "order", "low", "high", "error", "floor", "reason", "command")


def board(asked: dict[str, Any], claim: Any, out: Any, jobs: Optional[int], question_time: Any) -> Any:
    pair = isinstance(claim, (tuple, list)) and len(claim) == 2
    if not pair and not isinstance(claim, str):
        raise impactlab.Error("claim is %.60r; allowed: \"converges\", (\"bound\", p) or (\"sharp\", p)" % (claim,))
    words = ["board", "--json", "--quiet", "-j", str(_jobs(jobs)), "--claim", _c.word("claim", "%s:%s" % tuple(claim) if pair else claim),
             "--question-time", "%.17g" % _c.number("question_time", question_time)]
    for key, given in asked.items():
        for one in [] if given is None else _c.several(key, given, lambda x: isinstance(x, str)):
            words += [b"--" + key.encode(), _c.word(key, one)]
    cells = json.loads(_printed(words + ([] if out is None else ["--out", _c.path("out", out)])))["cells"]
    return _framed([{key: cell.get(key) for key in _CELL} for cell in cells], list(_CELL))

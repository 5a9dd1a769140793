"""Runs of the program, as plain numbers: its record, the nodes of its trajectory, its impulses."""
import copy
import json
import os
import subprocess
import tempfile

import h5py
import numpy as np


class Failed(Exception):
    """The program did not make the run that was asked for."""


class Run:
    """One run: record (dict), t [N+1], q and u [N+1][d], and the impulses of all steps.

    u[n] belongs to the step that ends at t[n], u[0] is the velocity at the start. Entry k of
    step, contact and impulse is one contact that pushed in one step.
    """

    def __init__(self, record, settings, path):
        self.record, self.settings = record, settings
        with h5py.File(path, "r") as file:
            self.t, self.q, self.u = (file[name][:] for name in ("t", "q", "u"))
            self.step = file["contacts/step"][:].astype(int)
            self.contact = file["contacts/id"][:].astype(int)
            self.impulse = file["contacts/impulse"][:]
        self.extra = {}

    @property
    def parameters(self):
        """All parameters, drawn and derived ones included."""
        return self.record["parameters"]

    @property
    def h(self):
        """The step."""
        return self.record["h"]

    def vector(self, key, n):
        """Parameter `key` as n numbers; one stands for all."""
        value = np.atleast_1d(np.array(self.parameters[key], dtype=float))
        return np.repeat(value, n) if value.size == 1 else value

    def pushes(self, n):
        """{contact: impulse} of step n = 1 .. N."""
        chosen = self.step == n
        return dict(zip(self.contact[chosen], self.impulse[chosen]))


def text_of(value):
    """A parameter as the command line takes it, with all its digits."""
    if isinstance(value, str):
        return value
    return ",".join("%.17g" % x for x in np.atleast_1d(value))


class Program:
    """The program at `path`. A run that was made once is kept; `falsify`, if it is set, changes
    what is handed out: a planted mistake passes through everything that a real one would."""

    def __init__(self, path):
        self.path = path
        self.kept = {}
        self.falsify = None
        self.started = 0

    def call(self, *arguments):
        """What the program prints, and its exit status."""
        self.started += 1
        done = subprocess.run([self.path] + list(arguments), capture_output=True, text=True)
        return done.stdout, done.stderr, done.returncode

    def run(self, problem, scheme, steps, settings=None, *extra, fclib=False):
        """The run of `problem` by `scheme`, with further words `extra` on the command line."""
        settings = settings or {}
        key = (problem, scheme, steps, tuple((k, text_of(v)) for k, v in settings.items()), extra,
               fclib)
        if key not in self.kept:
            self.kept[key] = self._make(*key)
        if self.falsify is None:
            return self.kept[key]
        changed = copy.deepcopy(self.kept[key])
        self.falsify(changed)
        return changed

    def _make(self, problem, scheme, steps, settings, extra, fclib):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            words = ["run", "--problem", problem, "--scheme", scheme, "--steps", str(steps),
                     "--json", "--trajectory", path]
            for key, value in settings:
                words += ["--set", "%s=%s" % (key, value)]
            if fclib:
                words += ["--fclib", os.path.join(folder, "step.hdf5")]
            out, err, status = self.call(*words, *extra)
            if status not in (0, 1) or not out:
                raise Failed("%s: %s" % (" ".join(words), err.strip()))
            run = Run(json.loads(out), dict(settings), path)
            if run.record["status"] != "ok":
                raise Failed("%s: %s" % (" ".join(words), run.record["message"]))
            if fclib:
                run.extra["fclib"] = read_fclib(os.path.join(folder, "step.hdf5"))
        return run

    def curves(self, cases):
        """What the program itself holds to be exact: for each (problem, settings, name or None,
        horizon) the times, positions and velocities of lab.exact. One call for all."""
        lua = ['local lab = require "impactlab"']
        for problem, settings, name, horizon in cases:
            sets = "".join(", %s = %s" % (k, lua_of(v)) for k, v in settings.items())
            chosen = ', name = "%s"' % name if name else ""
            lua.append('do local e = assert(lab.exact{problem = {"%s"%s}%s, points = 160, horizon '
                       "= %.17g})" % (problem, sets, chosen, horizon))
            lua.append("local o = {} for k = 1, #e.t do o[#o + 1] = string.format('%.17g', e.t[k])")
            lua.append("for i = 1, #e.q do o[#o + 1] = string.format('%.17g %.17g', e.q[i][k], "
                       "e.u[i][k]) end end")
            lua.append("print('EXACT ' .. #e.q .. ' ' .. table.concat(o, ' ')) end")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "curves.lua")
            with open(path, "w", encoding="ascii") as file:
                file.write("\n".join(lua) + "\n")
            out, err, status = self.call("sweep", path, "--results", folder)
        if status != 0:
            raise Failed("curves: " + err.strip())
        found = []
        for line in out.splitlines():
            if line.startswith("EXACT "):
                numbers = [float(word) for word in line.split()[1:]]
                d = int(numbers[0])
                table = np.array(numbers[1:]).reshape(-1, 1 + 2 * d)
                found.append((table[:, 0], table[:, 1::2], table[:, 2::2]))
        if self.falsify is not None:
            for k, (t, q, u) in enumerate(found):
                box = type("Curves", (), {"t": t, "q": q, "u": u, "curves": True})()
                self.falsify(box)
                found[k] = (box.t, box.q, box.u)
        return found


def lua_of(value):
    """A Lua literal."""
    if isinstance(value, str):
        return '"%s"' % value
    if np.ndim(value) == 0:
        return "%.17g" % value
    return "{" + ", ".join("%.17g" % x for x in value) + "}"


def read_fclib(path):
    """M, H, f, w, mu and the answer (v, u, r) of a problem of the Frictional Contact Library."""
    from scipy.sparse import csc_matrix
    with h5py.File(path, "r") as file:
        top = file["fclib_global"]

        def matrix(name):
            part = top[name]
            shape = (int(part["m"][0]), int(part["n"][0]))
            return csc_matrix((part["x"][:], part["i"][:], part["p"][:]), shape=shape).toarray()

        data = {"M": matrix("M"), "H": matrix("H"), "f": top["vectors/f"][:],
                "w": top["vectors/w"][:], "mu": top["vectors/mu"][:]}
        data.update({name: file["solution/" + name][:] for name in ("v", "u", "r")})
    return data

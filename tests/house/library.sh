#!/usr/bin/env bash
# library.sh - impactlab from C and Python, from an installed copy outside of the checkout.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

library=$(dirname "$program")/libimpactlab.so.0
[ -r "$library" ] || { echo "library.sh: no library at $library; run make library first" >&2; exit 2; }
root=$work/root
if ! bash scripts/put.sh install "$program" "$(dirname "$program")/impactlab_hdf5.so" "$root" 0.1.0 >"$work/out" 2>&1; then
    cat "$work/out"
    exit 1
fi
cd "$work" || exit 2
export LD_LIBRARY_PATH=$root/lib PKG_CONFIG_PATH=$root/lib/pkgconfig
compiler=${CC:-gcc}

says() { # says NAME PATTERN COMMAND...
    local name=$1 pattern=$2
    shift 2
    "$@" >out 2>err
    local status=$?
    verdict "$name" "$([ $status -eq 0 ] && grep -qE -- "$pattern" out || echo "status $status: $(tail -n 2 out err)")"
}

compile() { # compile NAME
    "$compiler" -std=c17 -Wall -Wextra -Werror "$root/share/impactlab/examples/$1.c" $(pkg-config --cflags --libs impactlab) -lm -o "$1" 2>err
    verdict "$1.c compiles" "$([ -x "$1" ] || head -n 3 err)"
}

for example in run judge scheme; do compile $example; done
says "runs have an order" 'u_L1 falls like h\^' ./run
says "a loop is judged" 'e = 0.6: u_L1 = ' ./judge
says "functions are a scheme and a problem" 'own: ends at t = 1' ./scheme
"$program" run --problem two_spheres --set scenario=free --scheme maury --steps 61 --json >own.json
verdict "the library's runs have the program's bits" \
    "$(e=$(grep -o '"u_L1": [0-9.e-]*' own.json | head -n 1 | cut -d' ' -f2); grep -q "u_L1 = $(printf '%.3e' "$e")" <(./run) || echo "not $e")"
verdict "nothing else is exported" "$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -vE '^impactlab_|^IMPACTLAB_' | head -n 3)"

if /usr/bin/python3 -c 'import cffi, numpy' 2>/dev/null; then
    PYTHONPATH=$(dirname "$(dirname "$(find "$root/lib" -name __init__.py)")")
    export PYTHONPATH
    cat >try.py <<'PY'
import impactlab, json, numpy as np
r = impactlab.run("two_spheres", "maury", steps=61, scenario="free", trajectory=True)
assert r.error["u_L1"] == json.load(open("own.json"))["error"]["u_L1"], "the program's bits"
t, q, u = r.trajectory
assert q.shape == (62, 6) and not q.flags.writeable and q.base is not None
judged = impactlab.judge("two_spheres", t, q, u, scenario="free")
assert judged.error["u_L1"] == r.error["u_L1"] and judged.findings == []
wrong = impactlab.judge("two_spheres", t[:-1], q[:-1], u[1:], scenario="free")
assert wrong.findings[0]["name"] == "velocity of the wrong side", wrong.findings
h = [2.0 ** -k for k in range(4, 14)]
o = impactlab.order(h, [0.3 * x for x in h], ("sharp", 1))
assert o.verdict == "PASS" and abs(o.order - 1) < 1e-6, o
own = impactlab.problem("mine", q0=[1.0], horizon=2.0, constraints=1, force=lambda t, q: [-9.81],
                        gaps=lambda t, q: ([q[0]], [[1.0]]), exact=impactlab.exact("bouncing_ball"))
a, b = impactlab.run(own, "maury", steps=100), impactlab.run("bouncing_ball", "maury", steps=100)
assert abs(a.error["u_L1"] - b.error["u_L1"]) < 1e-9 and a["final"]["q"] == b["final"]["q"]
for bad, told in ((lambda: impactlab.run("sticy", "maury", steps=3), "did you mean 'sticky'"),
                  (lambda: impactlab.run("sticky", "maury", steps=3, N=0), "'N' is 0; allowed"),
                  (lambda: impactlab.run("sticky", "maury", steps="x"), "steps is 'x'; allowed"),
                  (lambda: impactlab.run("sticky", "maury", steps=3, N=None), "N is None; allowed"),
                  (lambda: impactlab.run("sticky", 3, steps=3), "scheme is 3; allowed"),
                  (lambda: impactlab.judge("two_spheres", t, q, u[:5]), "u has the shape (5, 6); allowed: (62, 6)"),
                  (lambda: impactlab.run(impactlab.problem(q0=[1.0], horizon=1.0, gaps=lambda t, q: (q, np.eye(3))), "maury",
                                         steps=3), "gradients has the shape (3, 3); allowed: (1, 1)"),
                  (lambda: impactlab.judge("sticky", t, q, N=7), "allowed: (62, 7)")):
    try:
        bad()
        raise SystemExit("not refused: " + told)
    except impactlab.Error as failure:
        assert told in str(failure), failure
held = impactlab.problem(q0=[1.0], horizon=2.0, force=lambda t, q: -9.81, gaps=lambda t, q: (q, np.eye(1)))
assert held.constraints == 1 and abs(impactlab.run(held, "maury", steps=100)["final"]["q"][0]) < 1e-12
try:
    impactlab.run("bouncing_ball", lambda *step: 1 / 0, steps=3)
    raise SystemExit("an exception was lost")
except ZeroDivisionError:
    print("all well")
PY
    says "Python does all of it" 'all well' /usr/bin/python3 try.py
    says "its script says orders" 'maury falls like' /usr/bin/python3 "$root/share/impactlab/examples/convergence.py"
else
    echo "library.sh: Python is not tried: apt-get install python3-cffi python3-numpy"
fi
conclude

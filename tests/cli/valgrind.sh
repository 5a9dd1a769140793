#!/usr/bin/env bash
# valgrind.sh - a few commands from outside under valgrind: no invalid access, no number that nobody set, no
# block that is lost. IMPACTLAB names the program.
#
# -O0 or -O1 builds are the ones to look at; libraries' memory that is still reachable at the end is
# theirs.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
program=$(realpath -- "${IMPACTLAB:-build/dev/impactlab}")
[ -x "$program" ] || { echo "valgrind.sh: no program at $program; run make first" >&2; exit 2; }
command -v valgrind >/dev/null || { echo "valgrind.sh: valgrind is not installed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
count=0 broken=0

clean() { # clean ARG...: status 0 and nothing found
    count=$((count + 1))
    local status
    valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect --trace-children=no --child-silent-after-fork=no \
        --log-file="$work/found" "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne 0 ] || [ -s "$work/found" ]; then
        broken=$((broken + 1))
        echo "  FAILED impactlab $*: status $status"
        head -n 12 "$work/found"
        tail -n 2 "$work/err"
    fi
}

cat >s.lua <<'END'
local lab = require "impactlab"
local r = lab.sweep{name = "v", problem = "bouncing_ball", scheme = "maury", reference = "exact", steps = {4, 8, 16}}:run()
r:table{"errors", formats = {"txt", "tex", "csv"}}
r:figure{"convergence", norm = "u_L1"}
END

clean list
clean show two_spheres --json
clean run --problem sticky --set N=6 --scheme maury --steps 20 --series --sample 0.5,1 --json
clean run --problem crowd --set N=5 --scheme catching_up --steps 3 --trajectory a.csv
clean run --problem sticky --set N=4 --scheme maury --steps 4 --exact-arithmetic --json
clean run --problem crystal --set rows=2 --scheme maury --steps 4 --multipliers 4 --json
clean run --problem two_spheres --scheme penalty --steps 8 --reference event_driven --json
clean sweep s.lua --results r -j 2
clean report --results r
clean verify --claim V-R4.10 --json
echo "valgrind.sh: $count commands, $broken broken"
[ "$broken" -eq 0 ]

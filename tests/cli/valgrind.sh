#!/usr/bin/env bash
# valgrind.sh - every kind of command from outside under valgrind, what is refused too: no invalid access, no
# number that nobody set, no block that is lost. IMPACTLAB names the program.
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
    ends 0 "$@"
}

ends() { # ends STATUS ARG...: that status and nothing found
    local expected=$1 status
    shift
    count=$((count + 1))
    valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect --trace-children=no --child-silent-after-fork=no \
        --log-file="$work/found" "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne "$expected" ] || [ -s "$work/found" ]; then
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

cat >tables.lua <<'END'
local lab = require "impactlab"
lab.table{name = "t", heads = {"a", "b"}, rows = {{1, "=1+1"}, {2.5, "x"}}}
lab.figure{name = "f", series = {{x = {1, 2, 3}, y = {1, 4, 9}, label = "squares"}}}
local pendulum = lab.problem{
  name = "mine", horizon = 2, q0 = {0.4}, u0 = {0},
  force = function(t, q) return {-math.sin(q[1])} end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
local run = lab.run{problem = pendulum, scheme = "maury", steps = 20, trajectory = true}
lab.check(run.status == "ok" and #run.trajectory:t() == 21, "it ends")
END
cat >mine.lua <<'END'
local lab = require "impactlab"
lab.problem{name = "mine", horizon = 1, q0 = {1}, force = function() return {-9.81} end,
  constraints = function(t, q) return {{g = q[1]}} end}
lab.run{problem = "cradle", scheme = "maury", steps = 4}
END
sed 's/g = q\[1\]/g = q[1], grad = {-1}/' mine.lua >wrong.lua
cat >own.lua <<'END'
local lab = require "impactlab"
lab.run{problem = "bouncing_ball", scheme = "maury", steps = 8, trajectory = "a.csv"}
lab.run{problem = "bouncing_ball", scheme = "maury", steps = 8, trajectory = "a.h5"}
local own = lab.scheme{name = "own", step = function(s)
  local u = s:project_linearised{velocity = s:free_velocity()}
  return s.q + s.h * u, u
end}
local late = {name = "late", of = function(run, reference) return math.abs(run:at(0.5)[1] - reference:at(0.5)[1]) end}
for _, reference in ipairs{{file = "a.csv"}, {file = "a.h5"}, {of = function(t) return 1 - t / 2, -0.5 end}} do
  local r = lab.sweep{problem = "bouncing_ball", schemes = {"maury", own}, steps = {4, 8, 16}, reference = reference}:run()
  r:order{scheme = own, norm = late}
end
END
printf 'local lab = require "impactlab"\nlab.check(false, "no")\n' >fails.lua
printf 'local function f() return f() + 1 end\nf()\n' >deep.lua

clean --help
clean list problems --json
clean show two_spheres --json
clean run --problem sticky --set N=6 --scheme maury --steps 20 --series --sample 0.5,1 --json
clean run --problem crowd --set N=5 --scheme catching_up --steps 3 --trajectory a.csv
clean run --problem sticky --set N=4 --scheme maury --steps 4 --exact-arithmetic --json
clean run --problem crystal --set rows=2 --scheme maury --steps 4 --multipliers 4 --json
clean run --problem two_spheres --scheme penalty --steps 8 --reference event_driven --json
clean run --problem two_spheres --scheme maury --steps 10 --ensemble 3 --json
clean run --problem two_spheres --scheme moreau_jean --steps 10 --projector newton --paraview p.pvd
clean run --problem two_spheres --scheme maury --steps 10 --projector uzawa --trajectory a.h5
clean run --problem two_spheres --scheme maury --steps 10 --projector apgd --fclib f.hdf5
clean run --problem impact --set N=3 --scheme maury --steps 4 --frames frames --every 2
ends 1 run --problem sticky --set N=8 --scheme maury --steps 4 --projector uzawa --max-iterations 1
ends 2 run --problem stiky --scheme maury --steps 4
ends 2 run --problem sticky --scheme maury --steps 4 --trajectory /nowhere/a.csv
ends 3 run --problem sticky --scheme maury --steps 1e6 --max-time 1
clean sweep s.lua --results r -j 2
clean sweep s.lua --results r -j 1
for case in r/cases/*/*.json; do printf x | dd of="$case" bs=1 seek=40 conv=notrunc status=none && break; done
clean sweep s.lua --results r -j 1
clean sweep tables.lua --results t
clean report --results t --out page tables.lua
clean results list --results r --where 'steps > 1 or status = ok'
clean results why s.lua --results r
clean results export cases.sqlite --results r
clean results prune --results r
clean status --results r --json
ends 1 sweep fails.lua --results r
ends 2 sweep deep.lua --results r
clean verify --claim BL-initial --json
clean check mine.lua --json
ends 1 check wrong.lua
clean help --html html
clean sweep own.lua --results o -j 2
clean sweep own.lua --results o -j 2
clean verify --claim BL-initial --controls
echo "valgrind.sh: $count commands, $broken broken"
[ "$broken" -eq 0 ]

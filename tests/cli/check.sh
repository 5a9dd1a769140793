#!/usr/bin/env bash
# check.sh - `impactlab check`: problems that are right pass, and each fault is named as what it is.
#
# Every file of tests/check holds one problem with one fault; its first line, `-- says: WORDS`, is what
# the failed check says of it. The problems of scripts/problems are right, and so are the hard ones here.
# IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

checks() { # checks NAME FILE STATUS PATTERN: a line of output matches the pattern, literally
    local why='' status
    timeout 120 "$program" check "$2" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne "$3" ]; then
        why="status $status instead of $3: $(cat "$work/err" "$work/out" | grep -E 'FAIL|impactlab' | head -n 1)"
    elif ! grep -qF -- "$4" "$work/out" "$work/err"; then
        why="nothing says '$4': $(grep FAIL "$work/out" | head -n 1)"
    fi
    verdict "$1" "$why"
}

# ---- faults ------------------------------------------------------------------------------------

faulty=(tests/check/*.lua)
[ "${#faulty[@]}" -ge 10 ] || { echo "check.sh: only ${#faulty[@]} faulty problems" >&2; exit 2; }
for file in "${faulty[@]}"; do
    says=$(sed -n '1s/^-- says: //p' "$file")
    checks "$(basename "$file" .lua)" "$file" 1 "${says:?$file does not say what is wrong}"
    # the words stand in a check that failed
    verdict "$(basename "$file" .lua): FAIL" \
        "$(grep -F -- "$says" "$work/out" | grep -c FAIL >/dev/null || echo "no FAIL line says so")"
done

# ---- what is right -----------------------------------------------------------------------------

for file in scripts/problems/*.lua; do
    checks "$(basename "$file" .lua)" "$file" 0 ", 0 checks failed"
    lines=$(wc -l <"$file")
    verdict "$(basename "$file" .lua): size" "$([ "$lines" -lt 40 ] || echo "$lines lines, not under 40")"
done

# right gradients that differences find hard: units, kinks, cancellation, coincidence, stiffness
cat >"$work/hard.lua" <<'LUA'
local lab = require "impactlab"
for _, s in ipairs{1e-9, 1e-3, 1, 1e9} do
  lab.problem{name = "units" .. s, horizon = 1, q0 = {0, 2 * s, 0, 0}, constraints = function(t, q)
    local x, y = q[1] - q[3], q[2] - q[4]
    local r = math.sqrt(x * x + y * y)
    return {{g = r - s, grad = {x / r, y / r, -x / r, -y / r}, dt = 0},
            {g = math.abs(q[1]) + s, grad = {q[1] >= 0 and 1 or -1, 0, 0, 0}, dt = 0},
            {g = math.max(q[1], 3 * q[2]) + 9 * s, dt = 0,
             grad = q[1] > 3 * q[2] and {1, 0, 0, 0} or {0, 3, 0, 0}}}
  end}
end
for _, near in ipairs{1e-3, 1e-6} do
  lab.problem{name = "near" .. near, horizon = 1, q0 = {1, 1, 1, 1 + near}, constraints = function(t, q)
    local x, y = q[1] - q[3], q[2] - q[4]
    local r = math.sqrt(x * x + y * y)
    local grad = {x / r, y / r, -x / r, -y / r}
    return {{g = r, grad = grad, dt = 0}, {g = 1e6 + r - 1e6, grad = grad, dt = 0}}
  end}
end
lab.problem{name = "stiff", horizon = 1, q0 = {1, 0.5}, constraints = function(t, q)
  return {{g = math.exp(40 * q[1]) - 1, grad = {40 * math.exp(40 * q[1]), 0}, dt = 0},
          {g = q[2] + 1 + 1e-4 * math.sin(1e4 * q[1]), grad = {math.cos(1e4 * q[1]), 1}, dt = 0}}
end}
LUA
checks "hard, but right" "$work/hard.lua" 0 "7 problems, 0 checks failed"

# ---- what is left out --------------------------------------------------------------------------

cat >"$work/made.lua" <<'LUA'
local lab = require "impactlab"
local function rows(given)
  return function(t, q)
    local g = q[2] - q[1] ^ 2 + 0.1 * t
    return given and {{g = g, grad = {-2 * q[1], 1}, dt = 0.1}} or {{g = g}}
  end
end
local ends = {}
for _, given in ipairs{true, false} do
  local problem = lab.problem{name = "made", horizon = 2, q0 = {0.3, 1}, u0 = {0.5, 0},
                              force = function() return {0, -9.81} end, constraints = rows(given)}
  local run = lab.run{problem = problem, scheme = "moreau_jean", steps = 200}
  lab.check(run.status == "ok" and run.derivatives == (given and "given" or "differences"), "the record says so")
  ends[#ends + 1] = run.final.q[1] + run.final.q[2]
end
lab.check(math.abs(ends[1] - ends[2]) <= 1e-9, "made derivatives are as good as given ones")
LUA
timeout 120 "$program" sweep "$work/made.lua" --results "$work/results" >"$work/out" 2>"$work/err"
verdict_if $? "derivatives that are made" "$work/err"
holds "and said to be, once" [ "$(grep -c 'made by differences' "$work/err")" -eq 1 ]
sed "s/for _, given in ipairs{true, false}/for _, given in ipairs{false}/" "$work/made.lua" >"$work/left.lua"
checks "made, and checked" "$work/left.lua" 0 "those left out are made by differences"

# a wrong derivative is refused where it is declared, and ends a run where it is met later
for file in sign late; do
    { sed 's/^lab.problem/local problem = lab.problem/' "tests/check/$file.lua"
      echo 'local run = lab.run{problem = problem, scheme = "maury", steps = 100}'
      echo 'lab.check(run.status == "script_error", run.status)'; } >"$work/$file.lua"
done
timeout 60 "$program" sweep "$work/sign.lua" --results "$work/results" >"$work/out" 2>"$work/err"
verdict_if $? "refused at declaration" "$work/err" 2
holds "and says both numbers" grep -F "constraint 1: grad[1] is -1, but differences of g give 1 " "$work/err"
timeout 60 "$program" sweep "$work/late.lua" --results "$work/results" >"$work/out" 2>"$work/err"
verdict_if $? "a run that fails is no success" "$work/err" 1
holds "a run ends with script_error" grep -F 'check holds: script_error' "$work/err"

cat >"$work/lost.lua" <<'LUA'
local lab = require "impactlab"
for _, key in ipairs{"grad", "dt"} do
  local lost = lab.problem{name = "lost", horizon = 1, q0 = {1, 0}, u0 = {-1, 0}, constraints = function(t, q)
    local row = {g = q[1] - 0.1 * t, grad = {1, 0}, dt = -0.1}
    if t >= 0.4 then row[key] = nil end
    return {row}
  end}
  local run = lab.run{problem = lost, scheme = "maury", steps = 50}
  lab.check(run.status == "script_error" and run.message:find(key .. " of constraint 1 is given at the start and left out"),
            key .. ": " .. run.status .. ": " .. run.message)
end
LUA
timeout 60 "$program" sweep "$work/lost.lua" --results "$work/results" >"$work/out" 2>"$work/err"
holds "a derivative that is left out later is named" [ "$(grep -c '^check holds: .*left out' "$work/err")" -eq 2 ]

printf 'require("impactlab").problem{name = "free", horizon = 1, q0 = {1}}\n' >"$work/free.lua"
checks "no constraints" "$work/free.lua" 0 ": ok, no constraints"
{ cat "$work/free.lua"; echo 'local r = require("impactlab").run{}'; echo 'while r.more do end'; } >"$work/endless.lua"
checks "a loop over what is not run" "$work/endless.lua" 0 "a loop has no end"

# ---- the verb ----------------------------------------------------------------------------------

"$program" check tests/check/sign.lua --json >"$work/json" 2>/dev/null
verdict_if $? "--json" "$work/json" 1
holds "--json names the check that failed" grep -F '"outcome": "fail"' "$work/json"
holds "--json counts it" grep -F '"failed": 1' "$work/json"
printf 'local lab = require "impactlab"\nlocal r = lab.run{}\nr:x(r.y[1])\n' >"$work/none.lua"
checks "no problem" "$work/none.lua" 2 "declares no problem"
printf 'local x = nil\nx.y = 1\n' >"$work/broken.lua"
checks "a broken script" "$work/broken.lua" 2 "broken.lua:2:"
checks "no file" "$work/missing.lua" 2 "cannot read the script"
holds "nothing is left behind" test -z "$(ls results/outcomes/sign* 2>/dev/null)"

conclude

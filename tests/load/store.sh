#!/usr/bin/env bash
# store.sh - what 10 000 stored runs cost: storing one, a status, a list with a condition, and the index
# made anew. Processor time counts, as others may use the machine too. Storing costs what a sweep takes more
# than the same runs by lab.run: keys, workers, claims, files. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

cat >"$work/many.lua" <<'END'
local lab = require "impactlab"
local problems, steps = {}, {}
for k = 1, 100 do problems[k] = {"nonuniqueness", alpha = 1.5 + k / 400} end
for k = 1, 100 do steps[k] = 10 + k end
for k, problem in ipairs(arg[1] and problems or {}) do
  for _, n in ipairs(steps) do lab.run{problem = problem, scheme = "maury", steps = n, norms = "none"} end
end
if arg[1] then print("bare") return end
lab.sweep{name = "many", problems = problems, scheme = "maury", steps = steps, norms = "none"}:run()
END

# costs NAME LIMIT PATTERN COMMAND...: seconds of processor, of the program and its workers
costs() {
    local name=$1 limit=$2 pattern=$3 why=''
    shift 3
    TIMEFORMAT='%U %S %R'
    { time timeout 600 "$@" >"$work/said" 2>&1 </dev/null; } 2>"$work/time"
    seconds=$(awk '{ print $1 + $2 }' "$work/time")
    grep -qE -- "$pattern" "$work/said" || why="'$(tail -n 1 "$work/said")' lacks '$pattern'"
    awk -v s="$seconds" -v l="$limit" 'BEGIN { exit !(s <= l) }' || why+=" $seconds s, more than $limit"
    echo "  $name: $seconds s of processor, $(awk '{ print $3 }' "$work/time") s by the clock; at most $limit"
    verdict "$name" "$why"
}

cd "$work" || exit 2
costs "10 000 runs that are not stored" 60 bare "$program" sweep many.lua --quiet --results bare -- bare
bare=$seconds
costs "10 000 cases run and stored" 60 '10000 run' "$program" sweep many.lua --results out
each=$(awk -v a="$seconds" -v b="$bare" 'BEGIN { printf "%.2f", (a - b) / 10 }')
echo "  storing one: $each ms of processor; at most 1"
verdict "storing one" "$(awk -v e="$each" 'BEGIN { if (!(e <= 1)) print e " ms" }')"
costs "and found again" 10 '10000 found stored, 0 run' "$program" sweep many.lua --results out --resume
costs "the index is made" 30 '^9900 of 10000 cases' "$program" results list --where 'steps < 110' --results out
costs "a status" 1 '10000 cases: 10000 done' "$program" status --results out
costs "a list with a condition" 1 '^[1-9][0-9]* of 10000 cases' \
    "$program" results list --where 'alpha > 1.7 and scheme = maury and steps < 20' --results out
costs "a list of all" 1 '^10000 of 10000 cases' "$program" results list --results out
rm -r out/index
costs "the index is made anew" 30 '10000 stored cases' "$program" status --results out
conclude

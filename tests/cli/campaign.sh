#!/usr/bin/env bash
# campaign.sh - several sweeps in one folder, cases that hang, explode or crash, owners that die. IMPACTLAB
# names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

r=$work/results

cat >"$work/many.lua" <<'END'
local lab = require "impactlab"
local list = {}
for k = 1, 24 do list[k] = 10000 + 37 * k end -- two seconds in all: others must come in the midst of it
local r = lab.sweep{name = "many", problem = {"sticky", N = 20, seed = 3}, schemes = {"maury", "paoli"},
                    steps = list}:run()
local rows = {}
for k, one in ipairs(r:records()) do
  rows[k] = {one.scheme, one.steps, one.status, one.final.q[1], one.contacts.impulse_total}
end
lab.table{name = "numbers", heads = {"scheme", "steps", "status", "q", "impulse"}, rows = rows}
END

cat >"$work/bad.lua" <<'END'
local lab = require "impactlab"
local r = lab.sweep{name = "bad", problem = {"crowd", N = tonumber(arg[2]), seed = 2}, scheme = "catching_up",
                    steps = {2, tonumber(arg[1]), 5}, horizon = 0.01}:run()
local rows = {}
for k, one in ipairs(r:records()) do rows[k] = {one.steps, one.status, one.final and one.final.q[1] or "-"} end
lab.table{name = "numbers", heads = {"steps", "status", "q"}, rows = rows}
END

sweep() { # sweep SCRIPT FOLDER WORDS...: its words in $work/said, its status in $status
    local script=$1 folder=$2
    shift 2
    timeout 120 "$program" sweep "$work/$script" --results "$folder" "$@" >"$work/said" 2>&1 </dev/null
    status=$?
}
says() { grep -qF -- "$1" "${2:-$work/said}"; }
ran() { sed -nE 's/.*stored, ([0-9]+) run.*/\1/p' "$1"; }
claims() { find "$1/claims" -type f | wc -l; }
first_claim() { find "$r/claims" -type f -size +0 | head -n 1; }
stands() { # stands PID: a signal to stop has come through; not where it has ended
    while grep -q '^State:.*(\(running\|sleeping\|disk sleep\))' "/proc/$1/status" 2>/dev/null; do sleep 0.01; done
    grep -q '^State:.*(stopped)' "/proc/$1/status" 2>/dev/null
}
child_of() { tr -d ' ' <"/proc/$1/task/$1/children" 2>/dev/null; }

# ---- two at once ----
sweep many.lua "$work/alone" -j 2
holds "a sweep alone ends well" test "$status" -eq 0
"$program" sweep "$work/many.lua" --results "$r" >"$work/one" 2>&1 &
first=$!
"$program" sweep "$work/many.lua" --results "$r" >"$work/two" 2>&1
second=$?
wait "$first"
holds "two at once end well" test "$?:$second" = 0:0
holds "each did some of it" test "$(ran "$work/one")" -gt 0 -a "$(ran "$work/two")" -gt 0
holds "no case was run twice" test "$(($(ran "$work/one") + $(ran "$work/two")))" -eq 48
holds "the table is that of one alone" cmp -s "$work/alone/tables/numbers.csv" "$r/tables/numbers.csv"
holds "no claim is left" test "$(claims "$r")" -eq 0

# ---- owners ----
# Between two cases it claims none: it is killed where it stands still with a claim; and once more, where
# this shell was kept waiting until it had ended.
for attempt in 1 2 3; do
    rm -rf "$r"
    "$program" sweep "$work/many.lua" --results "$r" >"$work/one" 2>&1 &
    first=$!
    for ((k = 0; k < 200 && $(find "$r/cases" -name '*.json' 2>/dev/null | wc -l) < 2; k++)); do sleep 0.05; done
    while kill -STOP "$first" 2>/dev/null && stands "$first" && [ -z "$(first_claim)" ]; do
        kill -CONT "$first"
        sleep 0.01
    done
    kill -KILL "$first" 2>/dev/null
    wait "$first" 2>/dev/null
    [ -z "$(first_claim)" ] || break
done
holds "who is killed leaves its claim" test -n "$(first_claim)"
cp "$(first_claim)" "$work/claim"
name=$(basename "$(first_claim)")
sweep many.lua "$r"
holds "nobody waits for the dead" test "$status" -eq 0
holds "no claim is left by who replaced it" test "$(claims "$r")" -eq 0
holds "the table is as before" cmp -s "$work/alone/tables/numbers.csv" "$r/tables/numbers.csv"

# A claim of another machine: waited for while it is fresh, replaced when its owner was silent.
find "$r/cases" -name "$name.json" -delete
sed -E 's/"host": ?"[^"]*"/"host": "elsewhere"/; s/"boot": ?"[^"]*"/"boot": "another"/' "$work/claim" >"$r/claims/$name"
timeout 60 "$program" sweep "$work/many.lua" --results "$r" --max-time 3 >"$work/said" 2>&1 </dev/null
holds "a claim of another machine is waited for" test "$?" -eq 3
holds "and named" says "on elsewhere has sticky"
holds "and left" test "$(claims "$r")" -eq 1
touch -d '3 minutes ago' "$r/claims/$name"
sweep many.lua "$r"
holds "it expires" says "47 found stored, 1 run"

# ---- limits ----
for j in 1 2; do
    sweep bad.lua "$work/time$j" -j "$j" --case-time 1 -- 50000000 6
    holds "-j $j: a case that hangs fails" test "$status" -eq 1
    holds "-j $j: with its reason" says "50000000 steps: time_limit: it took more than 1 s"
    holds "-j $j: the others are run" says "0 found stored, 3 run"
    holds "-j $j: the same table" cmp -s "$work/time1/tables/numbers.csv" "$work/time$j/tables/numbers.csv"
done
sweep bad.lua "$work/time1" --case-time 1 -- 50000000 6
holds "it is not tried again under the same limit" says "3 found stored, 0 run"
sweep bad.lua "$work/time1" --case-time 1.2 -- 50000000 6
holds "but under a higher one" says "2 found stored, 1 run"
holds "its limits are stored" grep -rqF '"lost": {"signal": null, "exit": null, "case_time": 1.2, "case_memory": null}' "$work/time1/cases"

if ! sanitized; then
    sweep bad.lua "$work/memory" --case-memory 1M -- 3 3000
    holds "what explodes fails" says "memory_limit: it needs more than 1 MB of memory"
    sweep bad.lua "$work/memory" --case-memory 1G -- 3 3000
    holds "and is run where there is more" says "0 found stored, 3 run"
    holds "and ends well" test "$status" -eq 0
fi

# A worker that crashes is tried once more. A sanitizer would make a status of the signal.
ASAN_OPTIONS=handle_segv=0 timeout 60 "$program" sweep "$work/bad.lua" --results "$work/crash" -- 5000000 6 >"$work/said" 2>&1 </dev/null &
timer=$!
# The worker is at the long case once it has had half a second of a processor: the others take milliseconds.
at_work() { worker=$(child_of "$(child_of "$timer")") && [ -n "$worker" ] && awk '{ exit $14 < 50 }' "/proc/$worker/stat" 2>/dev/null; }
for k in 1 2; do
    before=${worker:-}
    for ((i = 0; i < 400; i++)); do
        at_work && [ "$worker" != "$before" ] && break
        sleep 0.05
    done
    kill -SEGV "$worker"
done
wait "$timer"
holds "a crash is a failed case" test "$?" -eq 1
holds "with its signal" says "crashed: the worker process was ended by signal 11"
holds "which is stored" grep -rqF '"lost": {"signal": 11, "exit": null' "$work/crash/cases"
holds "the others are run" says "0 found stored, 3 run"

# ---- references of a sweep's own ----
cat >"$work/self.lua" <<'END'
local lab = require "impactlab"
local rows = {}
local function keep(r)
  for _, one in ipairs(r:records()) do
    rows[#rows + 1] = {one.problem, one.scheme, one.steps, one.status, one.error.u_L1, one.error.reference_error.u_L1}
  end
end
keep(lab.sweep{name = "self", problems = {{"sticky", N = 20, seed = 3}, "pendulum"}, schemes = {"maury", "venel"},
               steps = {50, 71, 100}, reference = {"self", steps = tonumber(arg[1])}}:run())
lab.table{name = "numbers", heads = {"problem", "scheme", "steps", "status", "error", "reference's"}, rows = rows}
END
referred() { grep -c 'reference for' "$1"; }
sweep self.lua "$work/self" -j 2 -- 4000
holds "a sweep with its own references ends well" test "$status" -eq 0
holds "each is made once" test "$(referred "$work/said")" -eq 2
sweep self.lua "$work/self1" -- 4000
holds "by one worker they are the same" cmp -s "$work/self/tables/numbers.csv" "$work/self1/tables/numbers.csv"
"$program" sweep "$work/self.lua" --results "$work/self2" -- 4000 >"$work/one" 2>&1 &
first=$!
"$program" sweep "$work/self.lua" --results "$work/self2" -- 4000 >"$work/two" 2>&1
wait "$first"
holds "two at once make each once" test "$(($(referred "$work/one") + $(referred "$work/two")))" -eq 2
holds "and have its errors" cmp -s "$work/self/tables/numbers.csv" "$work/self2/tables/numbers.csv"
sweep self.lua "$work/self3" --case-time 0.3 -- 600000
holds "a reference has a limit as a case has" says "ended with time_limit: it took more than 0.3 s"
holds "which is an error of the sweep" test "$status" -eq 2

# ---- bad input ----
refused() { # refused NAME WORDS...
    local name=$1
    shift
    rm -rf "$work/none"
    sweep many.lua "$work/none" "$@"
    holds "$name is refused" test "$status:$(wc -l <"$work/said")" = 2:1
    holds "$name: no folder is left" test ! -e "$work/none"
}
refused "--case-time -1" --case-time -1
refused "--shard 3/2" --shard 3/2

conclude

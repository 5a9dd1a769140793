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
ASAN_OPTIONS=handle_segv=0 timeout 60 "$program" sweep "$work/bad.lua" --results "$work/crash" -- 50000000 6 >"$work/said" 2>&1 </dev/null &
timer=$!
sleep 0.3
parent=$(child_of "$timer")
for k in 1 2; do
    for ((i = 0; i < 100; i++)); do
        worker=$(child_of "$parent")
        [ -n "$worker" ] && break
        sleep 0.05
    done
    sleep 0.5
    kill -SEGV "$(child_of "$parent")"
done
wait "$timer"
holds "a crash is a failed case" test "$?" -eq 1
holds "with its signal" says "crashed: the worker process was ended by signal 11"
holds "which is stored" grep -rqF '"lost": {"signal": 11, "exit": null' "$work/crash/cases"
holds "the others are run" says "0 found stored, 3 run"

# ---- states of long cases ----
cat >"$work/long.lua" <<'END'
local lab = require "impactlab"
local g = 2
local fall = lab.problem{name = "fall", horizon = 1, q0 = {1}, force = function() return {-g} end,
                         constraints = function(t, q) return {{g = q[1], grad = {1}, dt = 0}} end}
local rows = {}
for _, of in ipairs{{{"sticky", N = 30, seed = 3}, 200000}, {fall, 100000}} do
  local r = lab.sweep{problem = of[1], scheme = "maury", steps = {100, of[2]}}:run()
  for _, one in ipairs(r:records()) do
    rows[#rows + 1] = {one.steps, one.status, one.final.q[1], one.total_variation, one.contacts.impulse_total}
  end
end
lab.table{name = "numbers", heads = {"steps", "status", "q", "variation", "impulse"}, rows = rows}
END
records() { # of a results folder, but for the time they took and where they come from
    find "$1/cases" -name '*.json' | sort | while IFS= read -r one; do
        sed -E 's/"provenance": ?\{[^}]*\}//; s/"seconds": ?[^,}]*//g; s/"sha256": ?"[^"]*"//' "$one"
    done
}
sweep long.lua "$work/whole"
holds "a long case ends well" test "$status" -eq 0
rm -rf "$r"
killed=0
: >"$work/told"
for ((k = 0; k < 30; k++)); do # the next is killed as soon as a state is there that it did not find
    before=$(stat -c %i "$r"/checkpoints/* 2>/dev/null)
    "$program" sweep "$work/long.lua" --results "$r" --long --checkpoint-every 0.2 >>"$work/told" 2>&1 </dev/null &
    pid=$!
    for ((i = 0; i < 400; i++)); do
        now=$(stat -c %i "$r"/checkpoints/* 2>/dev/null)
        { [ -n "$now" ] && [ "$now" != "$before" ]; } || [ ! -d "/proc/$pid" ] && break
        sleep 0.02
    done
    kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
    wait "$pid" 2>/dev/null
    [ "$k" -lt 3 ] || break
done
sweep long.lua "$r" --long --checkpoint-every 0.2
holds "it was killed" test "$killed" -ge 2
holds "and goes on" says "goes on after step" "$work/told"
holds "never before where it was" test -z "$(sed -nE 's/.*sweep ([a-z]+).*goes on after step ([0-9]+)/\1 \2/p' "$work/told" |
    awk '$2 < last[$1] { print } { last[$1] = $2 }')" # a kill may come while a state is still being written
holds "the records are those of one left alone" test "$(records "$work/whole")" = "$(records "$r")"
holds "so is the table" cmp -s "$work/whole/tables/numbers.csv" "$r/tables/numbers.csv"
holds "no state is left" test -z "$(find "$r/checkpoints" -type f)"

# A worker that is killed while the disk writes its state dies later than the program, and holds its file until then.
held=$r/checkpoints/0.part.ABCDEF
: >"$held"
flock -x "$held" sleep 1 &
sweep long.lua "$r" --long
holds "nor one that was being written" test "$status" -eq 0 -a ! -e "$held"
wait

# A run of its own, with a trajectory that grows.
steps=60000
alone=(run --problem sticky --set N=12 --seed 3 --scheme maury --json)
began=$(date +%s%N)
"$program" "${alone[@]}" --steps "$steps" --trajectory "$work/whole.csv" >"$work/whole.json"
took=$((($(date +%s%N) - began) / 1000000 + 1))
[ "$took" -ge 2000 ] || steps=$((steps * 2000 / took)) # long enough for three kills on any machine
alone+=(--steps "$steps")
record() { sed -E 's/"seconds": [^,}]*//; s/"provenance": \{[^}]*\}//' "$1"; }
"$program" "${alone[@]}" --trajectory "$work/whole.csv" >"$work/whole.json"
# It is killed three times, each when it has left a state that it did not find.
part=$work/grown.growing.csv killed=0 told=0 early=
for k in 1 2 3; do
    before=$(stat -c %i "$work/state" 2>/dev/null)
    "$program" "${alone[@]}" --trajectory "$work/grown.csv" --checkpoint "$work/state" \
        --long --checkpoint-every 0.1 >/dev/null 2>"$work/told" &
    pid=$!
    for ((i = 0; i < 1000; i++)); do
        [ -e "$part" ] && [ "$(stat -c %i "$work/state" 2>/dev/null)" != "$before" ] || [ ! -d "/proc/$pid" ] && break
        sleep 0.01
    done
    [ ! -e "$work/grown.csv" ] || early=yes
    kill -KILL "$pid" 2>/dev/null && killed=$((killed + 1))
    wait "$pid" 2>/dev/null
    [ "$k" = 1 ] || told=$((told + $(grep -c 'goes on after step' "$work/told")))
done
cp "$part" "$work/part.csv"
"$program" "${alone[@]}" --trajectory "$work/grown.csv" --checkpoint "$work/state" >"$work/grown.json"
holds "a run was killed" test "$killed" -ge 2
holds "under its name stood nothing" test -z "$early"
holds "it goes on" test "$told" -ge 1
holds "to the record of one left alone" test "$(record "$work/whole.json")" = "$(record "$work/grown.json")"
holds "and leaves no state, nor the file that grew" test ! -e "$work/state" -a ! -e "$part"
short=$(($(wc -l <"$work/part.csv") - 2))
holds "its trajectory so far was there" test "$short" -gt 100 -a "$short" -le "$steps"
head -n $((short + 2)) "$work/part.csv" | tail -n +2 >"$work/some"
head -n $((short + 2)) "$work/whole.csv" | tail -n +2 >"$work/all"
holds "as it will be" cmp -s "$work/some" "$work/all"
holds "and to its trajectory" test "$(tail -n +2 "$work/whole.csv" | sha256sum)" = "$(tail -n +2 "$work/grown.csv" | sha256sum)"
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
sweep self.lua "$work/self3" --checkpoint-every 0.1 --max-time 1.2 -- 600000
sweep self.lua "$work/self3" --checkpoint-every 0.1 --case-time 0.3 -- 600000
holds "a reference goes on as a case does" says "goes on after step"
holds "and has a limit as a case has" says "ended with time_limit: it took more than 0.3 s"
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

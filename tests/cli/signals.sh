#!/usr/bin/env bash
# signals.sh - the program is asked to stop: by signals, by --max-time, by the death of its parent, by
# streams that are closed. It answers within a second, wherever it is, with a line and status 3, and
# leaves nothing half-written and nobody behind. IMPACTLAB names the program.
# Signals that whoever started us ignores (nohup) would stay ignored in the program.
[ -n "${IL_SIGNALS_RESET:-}" ] || IL_SIGNALS_RESET=1 exec env --default-signal bash "$0" "$@"
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

mkdir "$work/here"
cd "$work/here" || exit 2

# Milliseconds that an answer may take: a second, and one for a machine that has other work.
LIMIT=2000
sanitized && LIMIT=6000 # harness/base/interrupt.h

now() { # milliseconds
    echo $(($(date +%s%N) / 1000000))
}

runs() { # PID: neither gone nor a zombie
    local stat
    read -r -a stat 2>/dev/null <"/proc/$1/stat" && [ "${stat[2]}" != Z ]
}

# gone PID...: reason if a process is still there a second later; it is then killed.
gone() {
    local pid tries
    for pid in "$@"; do
        for ((tries = 0; tries < 20; tries++)); do
            runs "$pid" || continue 2
            sleep 0.05
        done
        kill -KILL "$pid"
        echo "process $pid outlives the program"
    done
}

children() { # of PID
    local list=''
    read -r list 2>/dev/null <"/proc/$1/task/$1/children"
    echo "$list"
}

descendants() { # of PID
    local child
    for child in $(children "$1"); do
        echo "$child"
        descendants "$child"
    done
}

# used PID: hundredths of a second of a processor that it and those below it have used, added to $ticks.
used() {
    local stat child
    read -r -a stat 2>/dev/null <"/proc/$1/stat" || return
    ticks=$((ticks + stat[13] + stat[14] + stat[15] + stat[16]))
    for child in $(children "$1"); do
        used "$child"
    done
}

# works PID: until it has used AFTER hundredths of a second of a processor (25). A machine that has other work makes
# this longer, not other.
works() {
    local tries ticks
    for ((tries = 0; tries < 600; tries++)); do
        runs "$1" || return
        ticks=0
        used "$1"
        [ "$ticks" -lt "${AFTER:-25}" ] || return
        sleep 0.05
    done
}

# Is there so much other work that nobody has a second of a processor within a second?
busy() {
    local load
    read -r load _ </proc/loadavg
    [ "${load%.*}" -gt $((2 * $(nproc))) ]
}

# stops NAME SIGNALS STATUS PATTERN ARG...: SIGNALS once it works; the answer comes in time with STATUS,
# a last line that matches PATTERN, no process and no scratch file left. Where the grace ended on a machine that
# has much other work, it is tried again, twice.
stops() {
    local why attempt
    for attempt in 1 2 3; do
        stops_once "${@:2}"
        case $why in
            *'in the midst of its work'* | 'the answer took'*) busy || break ;;
            *) break ;;
        esac
        [ "$attempt" = 3 ] || rm -rf ./*
    done
    verdict "$1" "$why"
    rm -rf ./*
}

# One attempt: what is wrong in $why.
stops_once() { # stops_once SIGNALS STATUS PATTERN ARG...
    local signals=$1 wanted=$2 pattern=$3 began children status tries signal left
    shift 3
    why=
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null &
    local pid=$!
    works "$pid"
    children=$(descendants "$pid")
    [ -d "/proc/$pid" ] || why="it had ended before the signal: $(tail -n 1 "$work/err")"
    began=$(now)
    for signal in $signals; do
        kill "-$signal" "$pid" 2>/dev/null
    done
    for ((tries = 0; tries < 200; tries++)); do
        runs "$pid" || break
        sleep 0.05
    done
    kill -KILL "$pid" 2>/dev/null # or this test might wait for ever
    wait "$pid" 2>/dev/null
    status=$?
    began=$(($(now) - began))
    if [ -n "$why" ]; then
        :
    elif [ "$began" -gt "$LIMIT" ]; then
        why="the answer took $began ms"
    elif [ "$status" -ne "$wanted" ]; then
        why="status $status instead of $wanted: $(tail -n 1 "$work/err")"
    elif ! grep -qE -- "$pattern" <<<"$(tail -n 1 "$work/err")"; then
        why="'$(tail -n 1 "$work/err")' lacks '$pattern'"
    else
        why=$(gone $children)
    fi
    # Who is killed has no time to clear claims that wait; the next sweep does it for him.
    left=$(find . -name '*.part.*' | head -n 1)
    if [ "$signal" = KILL ] && [ -z "$why$left" ]; then
        "$program" sweep "$work/next.lua" --results here >/dev/null 2>&1 </dev/null ||
            why="the next sweep ends with $?"
        left=$(find . -name '*.part.*' | head -n 1)
    fi
    [ -n "$why" ] || [ -z "$left" ] || why="left $left behind"
}

script() { # script NAME: standard input, in a file outside the results
    cat >"$work/$1.lua"
}

script next <<'LUA'
require("impactlab").sweep{problem = "bouncing_ball", scheme = "maury", steps = {8}}:run()
LUA

interrupted='^impactlab: .*interrupted'

# ---- runs --------------------------------------------------------------------------------------

pile=(run --problem pile --scheme maury)
stops "a run, signals that follow the first" "TERM INT HUP" 3 "$interrupted after step" \
    "${pile[@]}" --steps 100000000 --long
stops "inside uzawa" TERM 3 "$interrupted after step" \
    run --problem crowd --scheme maury --steps 2000 --projector uzawa --rho 1e-9 \
    --max-iterations 1000000000000

# A file for which the grace is too short is given up, and the record comes all the same.
endless=(run --problem two_spheres --scheme maury --steps 100000000 --long --record final --json)
AFTER=100 stops "a trajectory that takes too long" TERM 3 "$interrupted after step" \
    "${endless[@]}" --trajectory long.csv
why=
grep -q '"status": "interrupted"' "$work/out" || why="there is none"
sanitized || # which takes longer than a second to clear its room: no step is made
    grep -q "no time was left to write 'long.csv'" "$work/err" || why="$(<"$work/err")"
verdict "its record" "$why"

# ---- scripts -----------------------------------------------------------------------------------

script caught <<'LUA'
while true do pcall(function() while true do pcall(function() while true do end end) end end) end
LUA
stops "a script that catches all" TERM 3 '^impactlab: ' sweep "$work/caught.lua" --results here
script sweeping <<'LUA'
local lab = require "impactlab"
while true do
  pcall(function()
    local s = lab.sweep{name = "s", problems = {"pile"}, schemes = {"maury"}, steps = {1000000, 2000000}}
    s:run()
  end)
end
LUA
stops "a sweep that is caught" TERM 3 "$interrupted" sweep "$work/sweeping.lua" -j 2 --results here
stops "workers die with the program" KILL 137 "" sweep "$work/sweeping.lua" -j 2 --results here

# ---- --max-time --------------------------------------------------------------------------------

# in_time NAME PATTERN ARG...: ends by itself within its --max-time 1 and the limit, status 3.
in_time() {
    local name=$1 pattern=$2 why='' began status
    shift 2
    began=$(now)
    "$program" "$@" --max-time 1 >"$work/out" 2>"$work/err" </dev/null
    status=$?
    began=$(($(now) - began))
    if [ "$status" -ne 3 ]; then
        why="status $status instead of 3: $(tail -n 1 "$work/err")"
    elif [ "$began" -gt $((1000 + LIMIT)) ]; then
        why="it took $began ms"
    elif ! tail -n 1 "$work/err" | grep -qE -- "$pattern"; then
        why="'$(tail -n 1 "$work/err")' lacks '$pattern'"
    fi
    verdict "$name" "$why"
    rm -rf ./*
}

in_time "--max-time of a run" '^impactlab: stopped by --max-time after step [0-9]+' \
    "${pile[@]}" --steps 1e12 --json
grep -q '"status": *"interrupted"' "$work/out" || verdict "its record" "lacks the status"
in_time "--max-time of a sweep" 'stopped by --max-time' \
    sweep "$work/sweeping.lua" -j 2 --results here

# ---- a run that would take more than an hour ------------------------------------------------------

timeout 60 "$program" "${pile[@]}" --steps 1e12 >"$work/out" 2>"$work/err"
status=$?
why=
[ "$status" -eq 2 ] || why="status $status instead of 2"
[ ! -s "$work/out" ] || why="wrote on standard output"
[ "$(wc -l <"$work/err")" -eq 1 ] || why="$(wc -l <"$work/err") lines"
grep -qE 'would take about .* hours .*--long' "$work/err" || why="'$(<"$work/err")'"
verdict "1e12 steps are refused" "$why"

# unconsented NAME OPTION... <SCRIPT: a script that begins what no hour suffices for is refused, and stores nothing.
unconsented() {
    local name=$1 status why=
    shift
    rm -rf here
    { echo 'local lab = require "impactlab"' && cat; } >"$work/unasked.lua"
    timeout 60 "$program" sweep "$work/unasked.lua" --results here "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 2 ] || why="status $status instead of 2"
    grep -qE 'would take about .* hours .*--long' "$work/err" || why="'$(tail -n 1 "$work/err")'"
    [ -z "$(find here/cases -type f 2>/dev/null)" ] || why="stored $(find here/cases -type f | head -n 1)"
    verdict "$name" "$why"
}

unconsented "in a sweep" -j 2 <<'LUA'
lab.sweep{problem = {"pile", N = 20}, scheme = "maury", steps = {1e11, 1e12}}:run()
LUA
cat >"$work/unasked.lua" <<'LUA'
local lab = require "impactlab"
lab.run{problem = {"pile", N = 20}, scheme = "maury", steps = 1e12, record = "final"}
LUA
for consent in "--max-time 2" --long; do
    # shellcheck disable=SC2086
    timeout -s TERM --preserve-status 2 "$program" sweep "$work/unasked.lua" --results here $consent \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    verdict "and goes on with $consent" "$([ $status -eq 3 ] || echo "status $status: $(tail -n 1 "$work/err")")"
done
rm -rf here

# ---- streams -----------------------------------------------------------------------------------

# said NAME STATUS PATTERN: what the last command, whose status was $?, said.
said() {
    local status=$? name=$1 wanted=$2 pattern=$3 why=
    [ "$status" -eq "$wanted" ] || why="status $status instead of $wanted: $(<"$work/err")"
    grep -qE -- "$pattern" "$work/err" || why+=" '$(<"$work/err")' lacks '$pattern'"
    verdict "$name" "$why"
    rm -rf ./*
}

"$program" list 2>"$work/err" >&-
said "standard output closed" 2 "standard output could not be written"
mkfifo "$work/pipe"
"$program" run --problem two_spheres --scheme maury --steps 2000 --series --json \
    >"$work/pipe" 2>"$work/err" &
head -c 1 "$work/pipe" >/dev/null
wait $!
holds "nobody reads standard output: it ends quietly" test $? -eq 0 -a ! -s "$work/err"
(
    ulimit -f 8
    "$program" run --problem two_spheres --scheme maury --steps 20000 --norms none \
        --trajectory long.csv >"$work/out" 2>"$work/err"
)
said "a file that may not grow" 2 "'long.csv': File too large"

conclude

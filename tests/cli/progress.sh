#!/usr/bin/env bash
# progress.sh - who waits at a terminal sees a bar, in runs, references, sweeps and checks;
# who reads a pipe sees lines, few and without control characters; who asks for quiet sees nothing.
# script(1) of util-linux makes the terminal.
set -uo pipefail
source "$(dirname "$0")/../support/shell.sh"
cd "$work" || exit 2
command -v script >/dev/null || { echo "progress.sh: script(1) is missing" >&2; exit 2; }

# A run of some seconds on this machine, as a bar comes after two; longer ones where it has become faster since.
began=$(date +%s%N)
"$program" run --problem sticky --scheme maury --steps 200000 --norms none >/dev/null 2>&1
took=$((($(date +%s%N) - began) / 1000000 + 1))
steps=$((200000 * 3200 / took))

terminal() { # terminal COMMAND: its output as a terminal of 100 columns has it, bars on lines of their own
    SHELL=/bin/bash timeout 120 script -qec "stty cols 100; $1" /dev/null </dev/null | tr '\r' '\n' >shown
}
bar='\[#*-*\] +[0-9]+ %'

# terminal_until PATTERN COMMAND: the same, and who prints a line of the pattern has done what is asked: its
# terminal is closed.
terminal_until() {
    local line
    : >shown
    while IFS= read -r line; do
        printf '%s\n' "$line" >>shown
        ! [[ $line =~ $1 ]] || break
    done < <(SHELL=/bin/bash timeout 120 script -qec "stty cols 100; $2" /dev/null </dev/null | stdbuf -oL tr '\r' '\n')
    wait $! 2>/dev/null
}

for tries in 1 2 3 4 5 6; do
    run="'$program' run --problem sticky --scheme maury --steps $steps --norms none"
    terminal "$run"
    ! grep -qE "$bar" shown || break
    steps=$((2 * steps))
done
holds "a run has a bar" grep -qE "^sticky $bar  step [0-9]+ of $steps, t = [0-9.]+, [0-9]+ (s|min) so far" shown
holds "which goes at the end" grep -q $'^\033\[K' shown
holds "and leaves the record" grep -q "sticky by maury.*: ok" shown
holds "no line is wider than the terminal" awk '{ sub(/\033\[K/, "") } /\[#*-*\]/ && length > 100 { exit 1 }' shown
share() { grep -oE "$bar" shown | grep -oE '[0-9]+ %' | tr -d ' %'; }
holds "the share never falls" bash -c 'sort -nc <(printf "%s
" "$@")' _ $(share)
"$program" run --problem sticky --scheme maury --steps 2000 --norms none >out 2>err
holds "a pipe has no control characters" bash -c "! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out err"
holds "nor a line of a short run" [ ! -s err ]

cat >long.lua <<LUA
local lab = require "impactlab"
lab.sweep{name = "long", problem = "sticky", scheme = "maury", steps = {$((steps / 4)), $((steps / 3)), $((steps / 2))},
          reference = {"self", steps = $((3 * steps / 2))}, norms = {"none"}}:run()
LUA
terminal "'$program' sweep long.lua --fresh"
holds "a reference has a bar" grep -qE "^sweep long $bar  0 of 5, .* so far: reference for sticky" shown
holds "a sweep has one, with the case at work" \
    grep -qE "^sweep long $bar  [0-9] of 5, [0-9.]+/s, [0-9]+ (s|min) so far: sticky.* by maury, [0-9]+ steps" shown
cat >short.lua <<LUA
local lab = require "impactlab"
lab.sweep{name = "short", problem = "sticky", scheme = "maury", steps = {$steps}, norms = {"none"}}:run()
LUA
terminal "'$program' sweep short.lua --fresh --quiet"
holds "a quiet sweep says nothing" bash -c "! grep -qE '$bar|cases|reference' shown"
"$program" sweep short.lua --fresh >out 2>err
holds "a piped sweep has no control characters" bash -c "! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out err"
holds "and says what it did" grep -q "^sweep short: 1 case" err
rate="^verify $bar  [0-9]+ of [0-9]+, [0-9.]+/s, [0-9]+ (s|min) so far: "
terminal_until "$rate" "timeout -s INT 60 '$program' verify"
holds "verify has a bar with a rate" grep -qE "$rate" shown

conclude

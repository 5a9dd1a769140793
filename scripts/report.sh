#!/usr/bin/env bash
# report.sh - run scripts, two at a time where there are two jobs, each whatever became of the others,
# and write the page.
#
#   scripts/report.sh [--make] PROGRAM RESULTS JOBS SCRIPT.lua...
#
# The page, RESULTS/report/index.html, is written before the first script too. It then says that none
# has run: whatever ends this, a page is left that tells what is missing. Status 0; 1 if anything
# failed; 3 if something is missing, as after an interruption (Ctrl-C, SIGTERM), which ends the scripts
# at hand and starts no other; 2 if the page cannot be written. The last line says what failed or is
# missing, and where to look. RESULTS/outcomes/failed holds that line while there is one; with --make
# the status then is 0, and make, whose own words come last, says what stands there.
set -uo pipefail

for_make=
[ "$1" != --make ] || { for_make=1 && shift; }
program=$1 results=$2 jobs=$3
shift 3
line=$results/outcomes/failed
declare -A running=() # process: its script
interrupted=

# A first signal is noted by the scripts at hand, which leave their outcomes; a second one ends them.
stop() {
    interrupted=1
    [ "${#running[@]}" -eq 0 ] || kill -TERM "${!running[@]}" 2>/dev/null
}
trap stop INT TERM HUP

# Started in the background, because a shell that waits for what stands before heeds no signal; and not
# on the terminal, where the bars of two would mix: their progress is lines then.
start() {
    local trust=()
    case $1 in scripts/external/*) trust=(--trust) ;; esac # it starts other programs
    echo "$1"
    "$program" sweep "$1" -j "$jobs" --results "$results" "${trust[@]}" > >(cat) 2> >(cat >&2) &
    running[$!]=$1
}

# Wait until one has ended, or a signal came.
finish() {
    local child status
    wait -n -p child "${!running[@]}"
    status=$?
    [ -n "${child:-}" ] || return
    [ "$status" -eq 0 ] || echo "${running[$child]} ended with status $status" >&2
    [ "$status" -ne 3 ] || interrupted=1 # also where the shell was made deaf to Ctrl-C
    unset "running[$child]"
}

write_page() {
    (trap '' INT TERM HUP && exec "$program" report --results "$results" "$@")
}

mkdir -p "$results/outcomes" || exit 2
rm -f "$line"
for script in "$@"; do
    grep -lsF "\"script\": \"$script\"" "$results"/outcomes/*.json | xargs -r rm -f
done
write_page "$@" >/dev/null 2>&1
at_once=$((jobs > 1 ? 2 : 1)) # parts of most scripts are no sweep, and keep one processor busy
for script in "$@"; do
    while [ "${#running[@]}" -ge "$at_once" ]; do finish; done
    [ -z "$interrupted" ] || break
    start "$script"
done
while [ "${#running[@]}" -gt 0 ]; do finish; done

write_page "$@" 2>"$line.new"
status=$?
cat "$line.new" >&2
if [ "$status" -eq 0 ]; then rm -f "$line.new"; else mv "$line.new" "$line"; fi
[ "$status" -eq 0 ] || [ -z "$interrupted" ] || status=3
[ -z "$for_make" ] || [ ! -s "$line" ] || status=0
exit "$status"

#!/usr/bin/env bash
# report.sh - run scripts one after the other, each whatever became of the others, and write the page.
#
#   scripts/report.sh [--make] PROGRAM RESULTS JOBS SCRIPT.lua...
#
# The page, RESULTS/report/index.html, is written before the first script too. It then says that none
# has run: whatever ends this, a page is left that tells what is missing. Status 0; 1 if anything
# failed; 3 if something is missing, as after an interruption (Ctrl-C, SIGTERM), which ends the script
# at hand and starts no other; 2 if the page cannot be written. The last line says what failed or is
# missing, and where to look. RESULTS/outcomes/failed holds that line while there is one; with --make
# the status then is 0, and make, whose own words come last, says what stands there.
set -uo pipefail

for_make=
[ "$1" != --make ] || { for_make=1 && shift; }
program=$1 results=$2 jobs=$3
shift 3
line=$results/outcomes/failed
child=
interrupted=

# A first signal is noted by the script at hand, which leaves its outcome; a second one ends it.
stop() {
    interrupted=1
    [ -z "$child" ] || kill -TERM "$child" 2>/dev/null
}
trap stop INT TERM HUP

# In the background, because a shell that waits for what stands before heeds no signal.
run() {
    "$program" "$@" &
    child=$!
    wait "$child"
    status=$?
    while [ -n "$interrupted" ] && kill -0 "$child" 2>/dev/null; do
        wait "$child"
    done
    child=
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
for script in "$@"; do
    [ -z "$interrupted" ] || break
    echo "$script"
    trust=()
    case $script in scripts/external/*) trust=(--trust) ;; esac # it starts other programs
    run sweep "$script" -j "$jobs" --results "$results" "${trust[@]}"
    [ "$status" -eq 0 ] || echo "$script ended with status $status" >&2
    [ "$status" -ne 3 ] || interrupted=1 # also where the shell was made deaf to Ctrl-C
done

write_page "$@" 2>"$line.new"
status=$?
cat "$line.new" >&2
if [ "$status" -eq 0 ]; then rm -f "$line.new"; else mv "$line.new" "$line"; fi
[ "$status" -eq 0 ] || [ -z "$interrupted" ] || status=3
[ -z "$for_make" ] || [ ! -s "$line" ] || status=0
exit "$status"

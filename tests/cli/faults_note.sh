#!/usr/bin/env bash
# faults_note.sh - what `suite faults` prints, on standard input, goes on to standard error; what it tried
# of a command, by a way to fail, takes the place of the line of the same command and way in
# results/reference/faults.txt. Other lines stay, so that the whole may be tried in parts.
set -euo pipefail
cd "$(dirname "$0")/../.."
kept=results/reference/faults.txt
new=$(mktemp)
trap 'rm -f "$new"' EXIT
tee /dev/stderr | awk '
    function key_of(line) { sub(/^.* faults[^,]*, /, "", line); sub(/, [0-9]+ wrong: /, ": ", line); return line }
    FILENAME == "-" { sub(/^ +/, "") }
    FILENAME != "-" || /^[0-9]+ of [0-9]+ faults.*, [0-9]+ wrong: / { of[key_of($0)] = $0 }
    END { for (key in of) { print key "\t" of[key] } }' "$kept" - | LC_ALL=C sort | cut -f 2 >"$new"
cat "$new" >"$kept"

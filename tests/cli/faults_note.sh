#!/usr/bin/env bash
# faults_note.sh - what `suite faults` prints, on standard input, goes on to standard output; what it
# tried, kind by kind, into results/reference/faults.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
tee /dev/stderr | awk '
    match($0, /^  [0-9]+ of [0-9]+ faults, [^:]*: /) {
        split($0, word, " ")
        kind = substr($0, 1, RLENGTH - 2); sub(/.*faults, /, "", kind)
        tried[kind] += word[1]; all[kind] += word[3]; commands[kind]++
    }
    match($0, /: [0-9]+ of [0-9]+ faults wrong, [^(]* \(there are [0-9]+\)/) {
        split(substr($0, RSTART + 2, RLENGTH), word, " ")
        kind = substr($0, RSTART); sub(/.*wrong, /, "", kind); sub(/ \(.*/, "", kind)
        there = substr($0, RSTART); sub(/.*there are /, "", there)
        tried[kind] += word[3]; all[kind] += there + 0; wrong[kind] += word[1]; commands[kind]++
    }
    END { for (kind in tried)
              printf "%s: %d faults of %d, in %d commands; %d wrong\n",
                     kind, tried[kind], all[kind], commands[kind], wrong[kind] }' |
    sort >results/reference/faults.txt

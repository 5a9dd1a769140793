#!/usr/bin/env bash
# faults_note.sh - what `suite faults` prints, on standard input, goes on to standard output; what it
# tried, kind by kind, into results/reference/faults.txt. Of memory also by how many paths of calls.
set -euo pipefail
cd "$(dirname "$0")/../.."
tee /dev/stderr | awk '
    match($0, /^  [0-9]+ of [0-9]+ faults.*, [0-9]+ wrong: /) {
        split(substr($0, 1, RLENGTH), part, /, /)
        split(part[1], word, " ")
        kind = part[2]
        tried[kind] += word[1]; all[kind] += word[3]; wrong[kind] += part[3]; commands[kind]++
        if (part[1] ~ / paths$/) { paths[kind] += word[6]; there[kind] += word[8] }
    }
    END { for (kind in tried) {
              ways = kind in paths ? sprintf(" on %s%d of %d call paths", paths[kind] == there[kind] ? "every one, " : "", paths[kind], there[kind]) : ""
              printf "%s: %d faults of %d%s, in %d commands; %d wrong\n",
                     kind, tried[kind], all[kind], ways, commands[kind], wrong[kind] } }' |
    sort >results/reference/faults.txt

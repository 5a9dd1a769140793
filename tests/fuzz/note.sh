#!/usr/bin/env bash
# note.sh - rows of the table in README.md from standard input: each takes the place of the row of the same
# harness by the same means, or is added. With JOIN set its executions, seconds and breaks are added to those of
# that row and its seed is listed: for a harness that has not changed. Lines that are no rows are printed only.
set -euo pipefail
cd "$(dirname "$0")"
new=$(mktemp)
trap 'rm -f "$new"' EXIT
while IFS= read -r row; do
    printf '%s\n' "$row"
    case $row in '| `'*) ;; *) continue ;; esac
    awk -F '|' -v row="$row" -v join="${JOIN:-}" '
        BEGIN { split(row, field, "|"); name = field[2]; how = field[3] }
        function both(k) { return $k + field[k] }
        $2 == name && $3 == how && join != "" {
            row = sprintf("|%s|%s| %d | %s,%s | %d | %d |", name, how, both(4), trim($5), trim(field[5]), both(6), both(7))
        }
        function trim(text) { gsub(/ /, "", text); return text }
        $2 == name && $3 == how { print row; seen = 1; next }
        /^<!-- end of the table -->/ && !seen { print row }
        { print }' README.md > "$new"
    cat "$new" > README.md
done

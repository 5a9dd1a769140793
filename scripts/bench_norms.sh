#!/usr/bin/env bash
# bench_norms.sh - what a record costs beside its steps: `nonuniqueness` by maury, 65 000 steps, as bare steps (`--record
# final`, many at once), as single steps (a sample at the end is asked for), measured, and with all norms against its three
# solutions. User times, the least of nine; the first two are of so few milliseconds that 6.5 million steps are made and
# counted down.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/bench_lib.sh
need_program

steps=65000
run=("$program" run --problem nonuniqueness --scheme maury --json)
least_of() { # least_of COMMAND...: the least user time in seconds
    local times=()
    for _ in 1 2 3 4 5 6 7 8 9; do
        user_of "$@"
        times+=("$user")
    done
    printf '%s\n' "${times[@]}" | least
}
bare=$(least_of "${run[@]}" --steps $((100 * steps)) --record final)
single=$(least_of "${run[@]}" --steps $((100 * steps)) --record final --sample 4)
none=$(least_of "${run[@]}" --steps "$steps" --norms none)
all=$(least_of "${run[@]}" --steps "$steps" --norms all)
bare=$(awk -v t="$bare" 'BEGIN { print t / 100 }')
single=$(awk -v t="$single" 'BEGIN { print t / 100 }')
awk -v n="$steps" -v bare="$bare" -v single="$single" -v none="$none" -v all="$all" 'BEGIN {
    printf "  %d steps: at once %.2f ms, one by one %.2f ms, measured %.0f ms, with all norms %.0f ms\n", n, 1e3 * bare, 1e3 * single, 1e3 * none, 1e3 * all
    printf "  to steps one by one: measured %.1f, with all norms %.1f; to steps at once %.1f\n", none / single, all / single, all / bare }'
note norms nonuniqueness ratio_measured "$(ratio "$none" "$single")"
note norms nonuniqueness ratio_all "$(ratio "$all" "$single")"

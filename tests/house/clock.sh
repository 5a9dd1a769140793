#!/usr/bin/env bash
# clock.sh - scripts/check_clock.sh sees who asks a clock that jumps; and the checkout has none.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=$PWD/scripts/check_clock.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/harness/run"
failures=0

seen() { # seen LINE
    local out
    printf '%s\n' "$1" > "$tree/harness/run/planted.c"
    if out=$(bash "$check" "$tree") || ! grep -qF 'harness/run/planted.c:1: not allowed' <<< "$out"; then
        echo "clock.sh: not seen: $1"
        failures=$((failures + 1))
    fi
}

bash "$check" || failures=1
seen '    (void)clock_gettime(CLOCK_REALTIME, &now);'
seen '    time_t now = time(NULL);'
seen '    (void)gettimeofday(&now, NULL);'
seen '    (void)timespec_get(&now, TIME_UTC);'
printf '    (void)clock_gettime(CLOCK_MONOTONIC, &now); double time (double x);\n' > "$tree/harness/run/planted.c"
bash "$check" "$tree" > /dev/null || { echo "clock.sh: refused what is allowed"; failures=1; }

[ "$failures" -eq 0 ] && echo 'clock.sh: every planted offence is seen' || exit 1

#!/usr/bin/env bash
# check_clock.sh [DIR] - nobody asks the clock on the wall, in the checkout at DIR (default: this one): it jumps,
# when it is set, when a machine wakes, by leap seconds. Durations, estimates and deadlines are of CLOCK_MONOTONIC
# or of the processor; dates are those that files have, and il_date_now (harness/base/clock.c). Status 1 if there is an offence.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

shopt -s nullglob globstar
files=({harness,problems,schemes}/**/*.[ch])
[ "${#files[@]}" -gt 0 ] || { echo "check_clock.sh: no C files in $PWD" >&2; exit 2; }

if grep -nHE '\bCLOCK_(REALTIME|TAI)|\b(gettimeofday|timespec_get|ftime)[[:space:]]*\(|\btime[[:space:]]*\((NULL|0|&)|\bTIMER_ABSTIME\b' \
    -- "${files[@]}" | grep -v '^harness/base/clock\.c:' | cut -d: -f1,2 | sed 's/$/: not allowed: the clock on the wall jumps/'; then
    echo "check_clock.sh: offences in ${#files[@]} files"
    exit 1
fi
echo "check_clock.sh: ${#files[@]} files ask no clock that jumps"

#!/usr/bin/env bash
# fuzz.sh PROGRAM RUNS SECONDS SEED HARNESS... - every harness for RUNS executions, or SECONDS seconds if
# those come first, from its kept inputs and SEED. An input that breaks a promise stays in
# build/fuzz/HARNESS-crash-*, and the status is 1: mend the cause and keep the input in
# tests/fuzz/found/HARNESS. The table of README.md is rewritten by what ran if UPDATE is set. An input is a hang
# after HANG (20) seconds by the clock on the wall: more where others keep the machine busy.
set -uo pipefail
cd "$(dirname "$0")/../.."
program=$1 runs=$2 seconds=$3 seed=$4
shift 4
folder=$(dirname "$program")
# Freed memory is kept from use for 16 MB, and a leak is told by its four last callers: half the time.
export ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=4
broken=0
for harness in "$@"; do
    inputs=("tests/fuzz/corpus/$harness")
    [ -d "tests/fuzz/found/$harness" ] && inputs+=("tests/fuzz/found/$harness")
    grown=$folder/grown/$harness
    log=$folder/$harness.log
    mkdir -p "$grown"
    start=$SECONDS
    # What libFuzzer finds worth keeping goes to the first folder, which is not kept.
    HARNESS=$harness nice -n 10 timeout $((seconds + 120)) "$program" -seed="$seed" -runs="$runs" \
        -max_total_time="$seconds" -max_len=600 -timeout="${HANG:-20}" -rss_limit_mb=2048 -entropic=0 -print_final_stats=1 \
        -close_fd_mask=3 -artifact_prefix="$folder/$harness-" \
        "$grown" "${inputs[@]}" > "$log" 2>&1
    status=$?
    done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    row="| \`$harness\` | libFuzzer | ${done:-0} | $seed | $((SECONDS - start)) | $((status != 0)) |"
    echo "$row"
    if [ $status -ne 0 ]; then
        broken=1
        grep -aE "^$harness: |runtime error|ERROR|SUMMARY|Test unit written" "$log" || tail -5 "$log"
    fi
    [ -z "${UPDATE:-}" ] || bash tests/fuzz/note.sh <<< "$row"
done
exit $broken

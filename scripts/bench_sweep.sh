#!/usr/bin/env bash
# bench_sweep.sh - a sweep of equal cases by one process and by two (`sweep -j`). The cases share
# nothing, so that the ratio says how much of two processors a sweep gets. Wall times, the least of
# three; on a machine that others use it says what they left.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/bench_lib.sh
need_program

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/cases.lua" <<'END'
local lab = require "impactlab"
local problems = {}
for seed = 1, 8 do problems[seed] = {"impact", N = 400, seed = seed} end
local r = lab.sweep{name = "cases", problems = problems, scheme = "maury", hs = {0.1}}:run()
lab.check(r.ran == 8 and r.failed == 0, "eight cases ran")
END

for jobs in 1 2; do
    times=()
    for _ in 1 2 3; do
        wall_of "$program" sweep "$work/cases.lua" -j "$jobs" --fresh --results "$work/results" \
            2>"$work/err" || { cat "$work/err" >&2; exit 1; }
        times+=("$wall")
    done
    best[jobs]=$(printf '%s\n' "${times[@]}" | least)
    echo "  -j $jobs: ${best[jobs]} s"
done
faster=$(ratio "${best[1]}" "${best[2]}")
echo "  two processes are $faster times as fast as one, on $(nproc) cores"
note sweep impact-400 speedup_of_two "$faster"

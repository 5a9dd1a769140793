#!/usr/bin/env bash
# bench_sweep.sh - what a sweep costs around its steps: 960 small cases (`nonuniqueness`, three schemes, 128 to 65 536
# steps), as many of two steps, and these without norms, which are nothing but overhead (the others still measure distances
# to three solutions of hundreds of pieces); then cases of a second each (`impact`) and the 960 by one process and by two
# (`sweep -j`). The cases share nothing, so that the last ratios say how much of two processors a sweep gets: wall times,
# the least of three, on a machine that others use of what they left. Hence also the bound by processor times: two workers
# and what deals out cases and stores records share two processors, (P + W)/2 against W; or that alone is what takes long.
#
# --full: also 10^5 stored cases, of two steps and without norms: what a list of all takes, and a script that reads each record
# again, fits an order and draws all of them; CASES (100000) says how many.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/bench_lib.sh
need_program
case ${1:-} in
    "" | --full) full=${1:-} ;;
    *) echo "bench_sweep.sh: unknown argument '$1'; allowed: --full" >&2; exit 2 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
small_cases >"$work/small.lua"
cat >"$work/tiny.lua" <<'END'
local lab = require "impactlab"
local problems = {}
for k = 1, 320 do problems[k] = {"nonuniqueness", alpha = 1.8 + k * 1e-6} end
local r = lab.sweep{name = "tiny", problems = problems, scheme = {"maury", "paoli", "moreau_jean"}, steps = {2}}:run()
lab.check(r.ran == 960 and r.failed == 0, "960 cases ran")
END
sed 's/name = "tiny"/name = "bare", norms = "none"/' "$work/tiny.lua" >"$work/bare.lua"
cat >"$work/long.lua" <<'END'
local lab = require "impactlab"
local problems = {}
for seed = 1, 8 do problems[seed] = {"impact", N = 1000, seed = seed} end
local r = lab.sweep{name = "long", problems = problems, scheme = "maury", hs = {0.01}}:run()
lab.check(r.ran == 8 and r.failed == 0, "eight cases ran")
END

sweep() { # sweep NAME JOBS
    "$program" sweep "$work/$1.lua" -j "$2" --fresh --quiet --results "$work/results" 2>"$work/err" ||
        { cat "$work/err" >&2; exit 1; }
}

spent() { # spent NAME: processor time of the program and its workers, in seconds, into $seconds
    local TIMEFORMAT='%U %S'
    seconds=$({ time sweep "$1" 1 >"$work/out"; } 2>&1 | awk '{ print $1 + $2 }')
}

# Processor time of the sweep's own process, in seconds, as long as it could be seen: $alone.
alone_of() { # alone_of NAME
    local seen ticks=0
    "$program" sweep "$work/$1.lua" -j 1 --fresh --quiet --results "$work/results" >"$work/out" 2>"$work/err" &
    local child=$!
    while kill -0 "$child" 2>/dev/null; do
        seen=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$child/stat" 2>/dev/null) || true
        if [ -n "$seen" ]; then ticks=$seen; fi
        sleep 0.05
    done
    wait "$child"
    alone=$(awk -v n="$ticks" -v unit="$(getconf CLK_TCK)" 'BEGIN { print n / unit }')
}

for name in small tiny bare; do
    times=()
    for _ in 1 2 3; do
        spent "$name"
        times+=("$seconds")
    done
    least=$(printf '%s\n' "${times[@]}" | least)
    case $name in
        small) echo "  960 small cases, 12.6 million steps: $least s of processor time" ;;
        tiny) awk -v s="$least" 'BEGIN { printf "  960 cases of two steps: %s s, %.2f ms a case\n", s, 1e3 * s / 960 }' ;;
        bare) awk -v s="$least" 'BEGIN { printf "  the same without norms: %s s, %.2f ms a case\n", s, 1e3 * s / 960 }' ;;
    esac
    note sweep "$name" seconds "$least"
    if [ "$name" = small ]; then
        alone_of small
        bound=$(awk -v s="$least" -v p="$alone" 'BEGIN {
            w = s - p; both = s / 2; if (both < p) both = p; printf "%.2f", w / both }')
        echo "  of it $alone s deal out and store: by two workers at most $bound times as fast"
        note sweep small bound_of_two "$bound"
    fi
done

for name in small long; do
    for jobs in 1 2; do
        times=()
        for _ in 1 2 3; do
            wall_of sweep "$name" "$jobs"
            times+=("$wall")
        done
        best[jobs]=$(printf '%s\n' "${times[@]}" | least)
        echo "  $name, -j $jobs: ${best[jobs]} s"
    done
    faster=$(ratio "${best[1]}" "${best[2]}")
    echo "  two processes are $faster times as fast as one, on $(nproc) cores"
    note sweep "$name" speedup_of_two "$faster"
done

stored_row() { # stored_row NAME COMMAND...
    local name=$1
    shift
    peak_of "$@"
    echo "  $name: $user s, $peak MB"
    note sweep "$name" seconds "$user"
    note sweep "$name" peak_MB "$peak"
}

if [ "$full" = --full ]; then
    cases=${CASES:-100000}
    cat >"$work/stored.lua" <<END
local lab = require "impactlab"
local problems = {}
for k = 1, $cases // 800 do problems[k] = {"nonuniqueness", alpha = 1.8 + k * 1e-4} end
local r = lab.sweep{name = "stored", problems = problems, scheme = {"maury", "paoli"}, norms = "none",
                    steps = lab.levels{from = 256, ratio = 2, count = 5, jitter = 80}}:run()
print(r:order{problem = "nonuniqueness(alpha=1.8001)", scheme = "maury", norm = "u_L1"})
r:figure{"convergence", norm = "u_L1"}
lab.check(r.failed == 0, "no case failed")
END
    "$program" sweep "$work/stored.lua" -j 2 --quiet --results "$work/results" >"$work/out" 2>"$work/err" ||
        { cat "$work/err" >&2; exit 1; }
    stored_row "list" "$program" results list --where 'alpha > 1.80001' --results "$work/results"
    stored_row "read-again" "$program" sweep "$work/stored.lua" --resume --quiet --results "$work/results"
fi

#!/usr/bin/env bash
# clock.sh - the clock on the wall jumps, by years, back and forth, every time that the program asks for it: what
# runs, sweeps that share a folder, leases of the dead, the index, the report and --max-time come to is what
# they come to without, and nobody waits. IMPACTLAB names the program; scripts/check_clock.sh says who may ask.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

cat >"$work/jump.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const long jumps[] = {0, 400 * 86400L, -4000 * 86400L, 1, -3600, 86400};
static _Atomic unsigned asked;

int clock_gettime(clockid_t id, struct timespec *t) {
    long code = syscall(SYS_clock_gettime, id, t);
    if (id == CLOCK_REALTIME) {
        t->tv_sec += jumps[(asked++ + ((unsigned)getpid() * 2654435761u >> 16)) % (sizeof jumps / sizeof jumps[0])];
    }
    return (int)code;
}
END
${CC:-cc} -O1 -fPIC -shared -o "$work/jump.so" "$work/jump.c" || { echo "clock.sh: no compiler" >&2; exit 2; }

jumping() { # jumping COMMAND...
    ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS:-} LD_PRELOAD=$work/jump.so "$@"
}

# What a record says but for when it was made.
science() { jq -S 'del(.. | .provenance?, .seconds?)' "$@"; }

cat >"$work/sweep.lua" <<'END'
local lab = require "impactlab"
local r = lab.sweep{name = "clock", problem = "sticky", scheme = {"maury", "paoli"},
                    steps = lab.levels{from = 64, ratio = 2, count = 6, jitter = 4}}:run()
lab.check(r.failed == 0 and r.missing == 0, "all cases came to an end")
r:table{"orders", name = "clock"}
END
cat >"$work/long.lua" <<'END'
local lab = require "impactlab"
local problems = {}
for seed = 1, 12 do problems[seed] = {"impact", N = 200, seed = seed} end
local r = lab.sweep{name = "long", problems = problems, scheme = "maury", hs = {0.002}}:run()
lab.check(r.failed == 0 and r.missing == 0, "all cases came to an end")
END

# ---- the attack is one: dates that records have are years away -----------------------------------
run=(run --problem sticky --scheme maury --steps 50 --json)
years=$(for _ in 1 2 3 4 5 6 7 8; do
    jumping "$program" "${run[@]}" | jq -r '.provenance.date[0:4]'
done | sort -u | wc -l)
verdict "dates jump" "$([ "$years" -ge 2 ] || echo "all runs of one year")"

"$program" "${run[@]}" | science >"$work/still"
jumping "$program" "${run[@]}" | science >"$work/jumped"
holds "a run's record is the same" cmp "$work/still" "$work/jumped"
verdict "there is one" "$([ -s "$work/still" ] || echo "nothing was printed")"

# ---- sweeps ---------------------------------------------------------------------------------------
"$program" sweep "$work/sweep.lua" --results "$work/still.d" --quiet >"$work/out" 2>&1
verdict_if $? "a sweep by a clock that stands" "$work/out"
jumping timeout 120 "$program" sweep "$work/sweep.lua" --results "$work/both" -j 2 --quiet >"$work/one" 2>&1 &
one=$!
jumping timeout 120 "$program" sweep "$work/sweep.lua" --results "$work/both" --quiet >"$work/two" 2>&1
verdict_if $? "one of two sweeps in a folder" "$work/two"
wait "$one"
verdict_if $? "the other" "$work/one"
cases() { find "$1/cases" -name '*.json' -exec cat {} + | jq -c '.record' | science -c | sort; }
cases "$work/still.d" >"$work/still"
cases "$work/both" >"$work/jumped"
holds "their records are the same" cmp "$work/still" "$work/jumped"
holds "and their tables" cmp "$work/still.d/tables/clock.csv" "$work/both/tables/clock.csv"
verdict "every case is stored once" "$([ "$(wc -l <"$work/jumped")" -eq 48 ] || wc -l <"$work/jumped")"

# ---- leases of the dead ---------------------------------------------------------------------------
jumping "$program" sweep "$work/long.lua" --results "$work/dead" --quiet >"$work/out" 2>&1 &
one=$!
for _ in $(seq 100); do # until a case is stored: then another is held
    [ -z "$(find "$work/dead/cases" -name '*.json' 2>/dev/null | head -n 1)" ] || break
    sleep 0.05
done
kill -KILL "$one" 2>/dev/null
wait "$one" 2>/dev/null
stored=$(find "$work/dead/cases" -name '*.json' | wc -l)
verdict "a sweep was killed on its way" "$([ "$stored" -ge 1 ] && [ "$stored" -lt 12 ] || echo "$stored of 12 were stored")"
jumping timeout 120 "$program" sweep "$work/long.lua" --results "$work/dead" --quiet >"$work/out" 2>&1
verdict_if $? "the folder of a sweep that was killed" "$work/out"

# ---- the index, the report, limits ------------------------------------------------------------------
for when in 1990-01-01 2090-01-01; do
    find "$work/both/cases" -name '*.json' | head -n 20 | xargs touch -d "$when"
    jumping "$program" results list --results "$work/both" --json >"$work/list" 2>"$work/err"
    verdict_if $? "a list of files of $when" "$work/err"
    listed=$(jq '[.. | objects | select(has("steps"))] | length' "$work/list")
    verdict "it has all of them" "$([ "$listed" -eq 48 ] || echo "$listed of 48")"
done
jumping "$program" status --results "$work/both" --json >"$work/list" 2>"$work/err"
verdict_if $? "the status of a folder" "$work/err"
holds "no time left is negative" jq -e '[.. | .seconds_left? | numbers | select(. < 0)] == []' "$work/list"
jumping timeout 120 "$program" report --results "$work/both" >"$work/out" 2>&1
verdict_if $? "a report" "$work/out"
began=$SECONDS
jumping timeout 60 "$program" run --problem impact --set N=400 --scheme maury --h 1e-5 --max-time 1 --json >"$work/out" 2>&1
verdict_if $? "--max-time ends a run" "$work/out" 3
verdict "and soon" "$([ $((SECONDS - began)) -le 10 ] || echo "after $((SECONDS - began)) s")"

conclude

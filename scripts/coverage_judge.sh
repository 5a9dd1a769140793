#!/usr/bin/env bash
# coverage_judge.sh - how often the judge of trajectories accuses what is right, and finds and names
# what is wrong: `make coverage-judge`.
#
#   scripts/coverage_judge.sh SUITE MOTIONS SEED OUT.txt
#
# Two processes draw half of the right motions each, by SEED and SEED + 1; one planted fault of each kind
# is drawn by SEED for every thousand motions and problem. OUT.txt is written at the end: both tables, what was accused,
# and what was not found or got another name.
set -euo pipefail

suite=$1 motions=$2 seed=$3 out=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

draw() { # draw MOTIONS SEED TEST FILE; a rate that is missed is in the table
    IMPACTLAB_COVERAGE=$1,$2,show "$suite" "$3" >"$work/$4" || true
}

draw $((motions / 2)) "$seed" "accused less" right-1 &
draw $((motions - motions / 2)) $((seed + 1)) "accused less" right-2 &
draw "$motions" "$seed" "found, and named" planted
wait
grep -q '^all' "$work/right-1" && grep -q '^all' "$work/right-2" && grep -q '^all' "$work/planted" || {
    cat "$work"/* >&2
    exit 1
}
{
    echo "Right motions are drawn by the seeds $seed and $((seed + 1)), planted faults by $seed."
    echo
    sed -n '/^right motions/,/^all/p' "$work/right-1" "$work/right-2" | awk '
        /^right motions/ { head = $0; next }
        { name = substr($0, 1, 24); if (!(name in judged)) order[++n] = name
          judged[name] += $(NF - 1); accused[name] += $NF }
        END { print head; for (k = 1; k <= n; k++) printf "%s %8d %8d\n", order[k], judged[order[k]], accused[order[k]] }'
    echo
    sed -n '/^planted  /,/^all/p' "$work/planted" | grep -v ': .*: ' || true
    echo
    echo "Accused, not found, or named otherwise:"
    sed -n 's/^.*\.\.\.\(.*: .*: \)/\1/; /^planted/d; /: .*: /{s/^ */  /;p}' "$work/right-1" "$work/right-2" "$work/planted"
} >"$work/out"
mv "$work/out" "$out"
cat "$out"

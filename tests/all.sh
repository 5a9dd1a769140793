#!/usr/bin/env bash
# all.sh SUITE - what `make test` runs: the suite, and beside it, one after the other, the scripts that
# look at the program from outside, as each keeps one processor busy. What the suite prints comes last.
# IMPACTLAB names the program; BITS=no leaves out the digests, which a sanitizer's build does not have.
# Status 1 if anything failed; all is run nevertheless, and what failed is named on the last line.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
suite=${1:?all.sh: the suite, as build/release/suite}
program=${IMPACTLAB:?all.sh: IMPACTLAB names the program}

HOUSE=(includes json clock rebuilt sizes newcomers faults_note wording)
OUTSIDE=(cli/outside cli/signals cli/clock cli/guests cli/damage cli/results cli/campaign slurm/submit cli/kills
    cli/check house/documents cli/help cli/progress house/installed report/planted report/pdf
    report/compare)

printed=$(mktemp)
# A job in the background would ignore what Ctrl-C sends, and tests of signals with it.
env --default-signal "$suite" > "$printed" 2>&1 &
inside=$!
trap 'kill "$inside" 2> /dev/null; rm -f "$printed"' EXIT
trap 'exit 130' INT TERM HUP

passed=0
failed=()
step() { # step NAME COMMAND...
    local name=$1 began=$SECONDS
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "== $name: $((SECONDS - began)) s"
    else
        failed+=("$name")
        echo "== $name: FAILED after $((SECONDS - began)) s"
    fi
}

for name in "${HOUSE[@]/#/house/}" "${OUTSIDE[@]}"; do
    step "$name" bash "tests/$name.sh"
done
step elementary bash scripts/check_elementary.sh "$program"
[ "${BITS:-yes}" = no ] || step bits bash tests/bits/bits.sh --quick "$program"

wait "$inside"
status=$?
cat "$printed"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "failed outside the suite: ${failed[*]}"
    echo "$passed passed, ${#failed[@]} failed"
    status=1
fi
exit "$status"

#!/usr/bin/env bash
# all.sh SUITE - what `make test` runs: the suite, and the scripts that look at the program from outside, as many
# at once as there are processors. The suite begins first, then what takes longest, so that all are busy to the
# end. What each script says stands in one piece, with the seconds that it took and those of a processor that it
# used; what the suite prints comes last.
# IMPACTLAB names the program; BITS=no leaves out the digests and the library, which a sanitizer's build does
# not have.
# Status 1 if anything failed; all is run nevertheless, and what failed is named on the last line.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
suite=${1:?all.sh: the suite, as build/release/suite}
program=${IMPACTLAB:?all.sh: IMPACTLAB names the program}

# The longest first.
SCRIPTS=(cli/signals report/planted cli/outside cli/guests cli/results cli/campaign house/installed house/library cli/help
    house/documents bits/bits house/rebuilt house/checks cli/damage cli/check report/compare
    report/drawn cli/progress cli/engines cli/exec cli/board cli/judge cli/law elementary cli/submit)
[ "${BITS:-yes}" = yes ] || for name in bits/bits house/library house/installed; do SCRIPTS=("${SCRIPTS[@]/#$name/}"); done

work=$(mktemp -d)
declare -A name_of=() # by the job's number
trap '[ "${#name_of[@]}" -eq 0 ] || { kill "${!name_of[@]}"; wait; } 2> /dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

words() { # words NAME: its command, in $command
    case $1 in
        suite) command=("$suite") ;;
        elementary) command=(bash scripts/check_elementary.sh "$program") ;;
        bits/bits) command=(bash tests/bits/bits.sh --quick "$program") ;;
        *) command=(bash "tests/$1.sh") ;;
    esac
}

begin() { # begin NAME: a job in the background would ignore what Ctrl-C sends, and tests of signals with it
    local at=$work/${1//\//.}
    local -a command
    words "$1"
    (
        job=
        trap '[ -z "$job" ] || kill "$job"; wait; exit 143' TERM
        began=$SECONDS
        env --default-signal "${command[@]}" > "$at.said" 2>&1 < /dev/null &
        job=$!
        wait "$job"
        status=$?
        times > "$at.times" # of this shell, then of what it ran
        echo "$((SECONDS - began)) s; of a processor, user and system: $(tail -n 1 "$at.times")" > "$at.time"
        exit "$status"
    ) &
    name_of[$!]=$1
}

passed=0
failed=()
end() { # end: of one that runs, whichever it is
    local pid status=0 name at
    wait -n -p pid "${!name_of[@]}" || status=$?
    name=${name_of[$pid]} at=$work/${name_of[$pid]//\//.}
    unset "name_of[$pid]"
    if [ "$name" = suite ]; then
        suite_status=$status
        return
    fi
    cat "$at.said"
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "== $name: $(<"$at.time")"
    else
        failed+=("$name")
        echo "== $name: FAILED, status $status, after $(<"$at.time")"
    fi
}

suite_status=none
jobs=$(nproc)
for name in suite "${SCRIPTS[@]}"; do
    [ -n "$name" ] || continue
    [ "${#name_of[@]}" -lt "$jobs" ] || end
    begin "$name"
done
while [ "${#name_of[@]}" -gt 0 ]; do end; done

echo "== the suite: $(<"$work/suite.time")"
cat "$work/suite.said"
[ "$suite_status" = 0 ] || suite_status=1
if [ "${#failed[@]}" -gt 0 ]; then
    echo "failed outside the suite: ${failed[*]}"
    echo "$passed passed, ${#failed[@]} failed"
    suite_status=1
fi
exit "$suite_status"

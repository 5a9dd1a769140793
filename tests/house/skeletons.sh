#!/usr/bin/env bash
# skeletons.sh - the skeletons in the pages are members: each is put into its folder in a copy of the
# checkout, which must build, know it, run it to a sound certificate and pass the contract tests.
#
# A skeleton is a fenced block of C whose first line is "/* NAME.c - ...", in the page of its family.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Makefile README.md harness problems schemes scripts tests "$copy" &&
    mkdir "$copy/results" && cp results/README.md "$copy/results/" || exit 2

passed=0
failed=0
expect() { # expect NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$copy/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "skeletons: $name"
        tail -n 15 "$copy/out"
    fi
}

take() { # take FOLDER NAME: from FOLDER/README.md
    awk -v name="$2" '
        /^```c$/ { inside = 1; first = 1; next }
        /^```/ { inside = 0 }
        inside && first { mine = index($0, "/* " name ".c - ") == 1; first = 0 }
        inside && mine' "$1/README.md" >"$copy/$1/$2.c"
    [ -s "$copy/$1/$2.c" ]
}

sound() { # a run whose certificate is sound: no constraint violated, no multiplier negative
    build/dev/impactlab run --problem drop --scheme mine --projector hildreth --steps 300 --json |
        tr ',{}' '\n\n\n' | awk -F: '/"status"/ { ok = $2 ~ /ok/ } /"primal"/ { p = $2 } /"dual"/ { d = $2 }
            END { exit !(ok && p >= -1e-11 && d >= 0) }'
}

expect "the scheme is in its page" take schemes mine
expect "the problem is in its page" take problems drop
expect "the projector is in its page" take schemes/projection hildreth
cd "$copy" || exit 2
expect "the copy builds" make -s -j"$(nproc)" VARIANT=dev program suite
for name in mine drop hildreth; do
    expect "show $name" build/dev/impactlab show "$name"
done
expect "the run is sound" sound
expect "the contract tests" build/dev/suite contract
echo "skeletons: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

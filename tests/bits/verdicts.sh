#!/usr/bin/env bash
# verdicts.sh PROGRAM PROGRAM... - does `verify` measure and judge the same, whatever the compiler? All that
# it prints is compared with what the first program prints, to the last digit of every number that was
# measured; CLAIMS="M-P1 V-T3.4" takes some.
set -uo pipefail
[ $# -ge 2 ] || { echo "usage: verdicts.sh PROGRAM PROGRAM..." >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra claims <<<"${CLAIMS:-$("$1" verify --list --json | grep -oE '"id": "[^"]*"' | cut -d '"' -f 4 | sort -u | tr '\n' ' ')}"
[ "${#claims[@]}" -gt 0 ] || { echo "verdicts.sh: no claims" >&2; exit 2; }

judged() { # judged PROGRAM: a line a check
    local id
    for id in "${claims[@]}"; do
        "$1" verify --claim "$id" --json --quiet || [ $? -eq 1 ] || return 1
    done | sed -E 's/"(build|version)": "[^"]*"/"\1": ""/g; s/"([a-z_]*seconds)": [-+0-9.e]+/"\1": 0/g; s/\}, \{/},\n{/g'
}

judged "$1" >"$work/first" || { echo "verdicts.sh: $1 fails" >&2; exit 2; }
checks=$(grep -c '"verdict"' "$work/first")
[ "$checks" -gt 0 ] || { echo "verdicts.sh: $1 judges nothing" >&2; exit 2; }
failed=0
for program in "${@:2}"; do
    if ! judged "$program" >"$work/now" || ! diff "$work/first" "$work/now" >"$work/diff"; then
        failed=$((failed + 1))
        echo "  FAILED $program judges otherwise than $1"
        head -n 4 "$work/diff" | cut -c 1-400
    fi
done
echo "verdicts.sh: $checks checks of ${#claims[@]} claims by $# programs, $failed failed"
[ "$failed" -eq 0 ]

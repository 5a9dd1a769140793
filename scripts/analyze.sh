#!/usr/bin/env bash
# analyze.sh JOBS COMMAND... - gcc's -fanalyzer over the program's own files, each alone; COMMAND is the
# compiler with its flags. Status 1 if it finds what is not in KNOWN below.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
jobs=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT

git ls-files 'harness/*.c' 'problems/*.c' 'schemes/*.c' |
    xargs -P "$jobs" -n 1 "$@" -fanalyzer -fdiagnostics-plain-output -Wno-error -S -o - 2>&1 >/dev/null |
    grep -E 'warning: .*\[-Wanalyzer|error:' | sort -u >"$log"
files=$(git ls-files 'harness/*.c' 'problems/*.c' 'schemes/*.c' | wc -l)
cat "$log"
echo "analyze.sh: $files files, $(wc -l <"$log") findings"
[ ! -s "$log" ]

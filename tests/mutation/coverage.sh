#!/usr/bin/env bash
# coverage.sh BUILD - lines and branches of schemes, problems and harness that the tests execute, by gcovr:
# the CUnit suite, one process a test, and the shell tests of the command line. Prints a table a room and
# writes the pages of every file to BUILD/coverage/index.html; with UPDATE set the table is also stored.
#
# Not counted are the branches of asserts (a broken invariant ends the program: no test can go on) and
# those that the compiler made without a line of ours. Everything else is, lack of memory too. What a
# process did that is killed, or leaves by _exit, is missing: the numbers are lower bounds. Counters are
# atomic: two threads of a step that race made counts negative, at which gcovr stopped and hung.
#
# COVERAGE_WITHOUT names suites that are left out: of those in the Makefile every trial is a process, and
# each adds its counts to a thousand files when it ends. A test may use COVERAGE_SECONDS of the processor,
# a script COVERAGE_SCRIPT on the clock; BUILD/coverage/seconds.txt has what each used, the longest first.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$1
out=$build/coverage
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
mkdir -p "$out"
find "$build" -name '*.gcda' -delete
export IMPACTLAB=$PWD/$build/impactlab
export limit=${COVERAGE_SECONDS:-60} suite=$build/suite seconds=$out/seconds.txt failures
without=" ${COVERAGE_WITHOUT:-} "
: > "$seconds"

used() { # used NAME COMMAND...: notes its seconds of the processor, and whether it failed
    local name=$1 text TIMEFORMAT='%U %S'
    shift
    text=$({ time "$@" > /dev/null 2>&1; } 2>&1) || echo "$name" >> "$failures"
    awk -v name="$name" 'END { printf "%7.1f %s\n", $1 + $2, name }' <<< "$text" >> "$seconds"
}

one() { # one TEST
    ulimit -S -t "$limit"
    used "$1" "$suite" "$1"
}
export -f one used

"$build/suite" --list | awk -F ': ' -v without="$without" 'index(without, " " $1 " ") == 0 { print $2 }' |
    tr '\n' '\0' | nice -n 5 xargs -0 -P "${JOBS:-2}" -I NAME bash -c 'one "$1"' bash NAME
for script in cli/outside cli/guests cli/damage cli/results cli/campaign cli/check cli/help cli/progress report/planted; do
    used "$script.sh" timeout "${COVERAGE_SCRIPT:-300}" nice -n 5 bash "tests/$script.sh"
done
LC_ALL=C sort -rn -o "$seconds" "$seconds"

timeout -k 10 1200 gcovr -r . --object-directory "$build" -j "${JOBS:-2}" --exclude-throw-branches --exclude-unreachable-branches \
    --exclude-branches-by-pattern '.*assert\(.*' -f schemes/ -f problems/ -f harness/ \
    --html-details "$out/index.html" --csv "$out/files.csv" \
    "$build/schemes" "$build/problems" "$build/harness" > "$out/gcovr.log" 2>&1 || {
    tail -5 "$out/gcovr.log"
    exit 1
}
bash tests/mutation/coverage_table.sh "$out/files.csv" > "$out/table.txt"
enough=$?
if [ -s "$failures" ]; then
    echo
    echo "$(wc -l < "$failures") tests did not pass or took more than $limit s, scripts ${COVERAGE_SCRIPT:-300} s; what they had not come to is not counted:"
    sort "$failures" | sed 's/^/    /'
fi >> "$out/table.txt"
[ -z "${COVERAGE_WITHOUT:-}" ] || printf '\nWithout the suites: %s\n' "$COVERAGE_WITHOUT" >> "$out/table.txt"
cat "$out/table.txt"
[ -z "${UPDATE:-}" ] || cp "$out/table.txt" results/reference/coverage.txt
[ "$enough" -eq 0 ] || echo "coverage.sh: less than 90 % of lines or 80 % of branches"
exit "$enough"

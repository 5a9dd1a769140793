#!/usr/bin/env bash
# coverage.sh BUILD - lines and branches of schemes, problems and harness that the tests execute, by gcovr:
# the CUnit suite, one process a test, and the shell tests of the command line. Prints a table a room and
# writes the pages of every file to BUILD/coverage/index.html; with UPDATE set the table is also stored.
#
# Not counted are the branches of asserts (a broken invariant ends the program: no test can go on) and
# those that the compiler made without a line of ours. Everything else is, lack of memory too. What a
# process did that is killed, or leaves by _exit, is missing: the numbers are lower bounds.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$1
out=$build/coverage
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
mkdir -p "$out"
find "$build" -name '*.gcda' -delete
export IMPACTLAB=$PWD/$build/impactlab
limit=${COVERAGE_SECONDS:-300} # of the processor, a test without optimisation

"$build/suite" --list | sed 's/^[^:]*: //' | tr '\n' '\0' |
    nice -n 5 xargs -0 -P "${JOBS:-2}" -I NAME sh -c \
        'ulimit -S -t "$1"; "$2" "$3" > /dev/null 2>&1 || echo "$3" >> "$4"' sh "$limit" "$build/suite" NAME "$failures"
for script in cli/outside cli/guests cli/damage cli/results cli/campaign cli/check cli/help cli/progress report/planted; do
    timeout 900 nice -n 5 bash "tests/$script.sh" > /dev/null 2>&1 || echo "$script.sh" >> "$failures"
done

gcovr -r . --object-directory "$build" -j "${JOBS:-2}" --exclude-throw-branches --exclude-unreachable-branches \
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
    echo "$(wc -l < "$failures") tests did not pass or took more than $limit s; these are not counted:"
    sort "$failures" | sed 's/^/    /'
fi >> "$out/table.txt"
cat "$out/table.txt"
[ -z "${UPDATE:-}" ] || cp "$out/table.txt" results/reference/coverage.txt
[ "$enough" -eq 0 ] || echo "coverage.sh: less than 90 % of lines or 80 % of branches"
exit "$enough"

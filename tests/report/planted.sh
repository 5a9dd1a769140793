#!/usr/bin/env bash
# planted.sh - failures that are planted in scripts come out on top of the report's page.
# IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

# Run the report of these scripts into $work/results; its words in $work/said.
report() {
    bash scripts/report.sh "$program" "$work/results" "${JOBS:-2}" "$@" >"$work/said" 2>&1
    status=$?
    last=$(tail -n 1 "$work/said")
    page=$work/results/report/index.html
}

# The page shows PLACE with TEXT, and before any figure or table.
shows() {
    local at
    at=$(grep -nF "$1" "$page" | grep -F "$2" | head -1 | cut -d: -f1)
    [ -n "$at" ] && [ "$at" -lt "$(grep -n '<figure' "$page" | head -1 | cut -d: -f1)" ]
}

says() { [[ $last == *$1* ]]; }

script() { # script NAME: its text after the first line from standard input
    { echo 'local lab = require "impactlab"' && cat; } >"$work/$1.lua"
}

# ---- small scripts --------------------------------------------------------------------------------

script good <<'EOS'
lab.check(true, "holds")
lab.table{name = "good", heads = {"a"}, rows = {{1}}}
EOS
script check <<'EOS'
lab.check(false, "a planted check")
lab.table{name = "check", heads = {"a"}, rows = {{1}}}
EOS
script run <<'EOS'
lab.run{problem = {"sticky", N = 8, seed = 1}, scheme = "maury", projector = "uzawa", max_iterations = 1, steps = 5}
EOS
script error <<'EOS'
local nothing
print(nothing.field)
EOS
script long <<'EOS'
while true do lab.run{problem = "sticky", scheme = "maury", steps = 1000} end
EOS
echo 'this is no Lua' >"$work/syntax.lua"

report "$work/good.lua"
holds "nothing fails: status 0" test "$status" -eq 0
holds "nothing fails: the last line names the page" says "$page: 0 figures, 1 tables"
holds "nothing fails: nothing is said" test -z "$(grep 'id="failures"' "$page")"

report "$work/check.lua" "$work/run.lua" "$work/error.lua" "$work/syntax.lua" "$work/absent.lua" "$work/good.lua"
holds "failures, one script not there: status 3" test "$status" -eq 3
report "$work/check.lua" "$work/run.lua" "$work/error.lua" "$work/syntax.lua" "$work/good.lua"
holds "failures: status 1" test "$status" -eq 1
holds "the last line has the first failure" says "$work/check.lua:2: check a planted check"
holds "the last line says where to look" says "see $page"
holds "a check with its place" shows "$work/check.lua:2" "check: a planted check"
holds "a run with its place" shows "$work/run.lua:2" "run: sticky(N=8, seed=1) by maury, 5 steps: not_converged"
holds "an error with its place" shows "$work/error.lua:3" "error: attempt to index a nil value"
holds "a script that is no Lua" shows "$work/syntax.lua:1" "error: syntax error"
holds "those after it ran" grep -q "good.lua: 1 checks" "$page"

# Interrupted once the first script has begun.
rm -rf "$work/results/outcomes"
bash scripts/report.sh "$program" "$work/results" 1 "$work/long.lua" "$work/good.lua" >"$work/said" 2>&1 &
for _ in $(seq 400); do
    compgen -G "$work/results/outcomes/long-*.json" >/dev/null && break
    sleep 0.05
done
kill -TERM $!
wait $!
status=$?
last=$(tail -n 1 "$work/said")
holds "interrupted: status 3" test "$status" -eq 3
holds "interrupted: the last line says what is missing" says "good.lua has not run"
holds "interrupted: the page too" grep -q "good.lua</b> has not run" "$page"
holds "interrupted: and where" grep -q "long.lua</b> was interrupted" "$page"
conclude

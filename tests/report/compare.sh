#!/usr/bin/env bash
# compare.sh - scripts/compare_results.sh sees every number that is not a time, to the last digit.
#
# IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

gives() { # gives STATUS NAME: of comparing one with two
    count=$((count + 1))
    bash scripts/compare_results.sh "$work/one" "$work/two" >"$work/said" 2>&1
    local status=$?
    if [ "$status" -ne "$1" ]; then
        failed+=("$2: status $status instead of $1: $(head -c 200 "$work/said")")
    fi
}

# Put the first place of FILE in two that matches PATTERN otherwise, compare, and put it back.
planted() { # planted STATUS NAME FILE PATTERN REPLACEMENT
    local file
    file=$(find "$work/two/" -path "$work/two/$3" | LC_ALL=C sort | head -1)
    cp "$file" "$work/kept"
    sed -i -E "0,/$4/s//$5/" "$file"
    cmp -s "$file" "$work/kept" && failed+=("$2: nothing to plant in $3")
    gives "$1" "$2"
    cp "$work/kept" "$file"
}

cat >"$work/script.lua" <<'EOS'
local lab = require "impactlab"
local r = lab.sweep{name = "s", problem = "bouncing_ball", scheme = "maury", steps = {10, 20, 40, 80}}:run()
r:table{"errors"}
r:figure{"convergence"}
lab.table{name = "timed", heads = {"N", "µs a step", "n"}, rows = {{1, 2.5, 3}}}
EOS
for folder in one two; do
    "$program" sweep "$work/script.lua" --results "$work/$folder" >/dev/null 2>&1
done

gives 0 "two runs are the same but for their seconds"
planted 1 "the last digit of a record" 'cases/*.json' '"q_Linf": ?[0-9.e-]*([0-9])' '"q_Linf": 0.1'
planted 0 "seconds of a record" 'cases/*.json' '"seconds": ?[0-9.e-]*' '"seconds": 9.5'
planted 1 "a digit of a table" 'tables/s-errors.csv' '[0-9]+e-[0-9]+|[0-9]\.[0-9]+' '7.25'
planted 1 "a digit of a figure" 'figures/*.dat' '\.[0-9]+' '.125'
planted 0 "a column of times" 'tables/timed.csv' '2\.5' '2.75'
planted 1 "a column beside times" 'tables/timed.csv' '2\.5,3' '2.5,4'
planted 1 "a failure" 'outcomes/script-*.json' '"ok"' '"error"'
rm "$work"/two/tables/timed.csv
gives 1 "a file that is missing"
rm -r "$work"/two
gives 2 "a folder that is missing"

conclude

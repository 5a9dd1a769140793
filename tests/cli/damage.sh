#!/usr/bin/env bash
# damage.sh - a sweep over stored cases that were damaged: they are named, set aside and run again, the
# tables come out as before, and nothing blocks. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

results=$work/results

cat >"$work/small.lua" <<'END'
local lab = require "impactlab"
local r = lab.sweep{problem = {"two_spheres", scenario = "free"}, schemes = {"maury"},
                    steps = {8, 9, 11, 13, 17, 23}}:run()
local rows = {}
for k, one in ipairs(r:records()) do rows[k] = {one.steps, one.error.u_L1, one.final.q[1]} end
lab.table{name = "numbers", heads = {"steps", "error", "q"}, rows = rows}
END

sweep() { # its words in $work/said, its status in $status
    timeout 60 "$program" sweep "$work/small.lua" --results "$results" "$@" >"$work/said" 2>&1
    status=$?
}
cases() { find "$results/cases" -name '*.json' | sort; }
says() { grep -qF -- "$1" "$work/said"; }

sweep
mapfile -t files < <(cases)
holds "six cases are stored" test "$status:${#files[@]}" = 0:6
cp "$results/tables/numbers.csv" "$work/numbers.csv"
cp -r "$results/cases" "$work/cases"

digit() { sed -i -E 's/("u_L1": ?)[0-9]\.[0-9]/\19.9/' "$1"; }
pipe() { rm "$1" && mkfifo "$1"; }
for attack in digit pipe; do
    rm -rf "$results/cases" && cp -r "$work/cases" "$results/cases"
    "$attack" "${files[0]}"
    "$attack" "${files[3]}"
    sweep
    holds "$attack: the sweep ends well" test "$status" -eq 0
    holds "$attack: the file is named" says "${files[0]}"
    holds "$attack: both run again, and no other" says "4 found stored, 2 run"
    holds "$attack: what was damaged is kept" test -e "${files[0]}.damaged" -o -L "${files[0]}.damaged"
    holds "$attack: the table is as before" cmp -s "$work/numbers.csv" "$results/tables/numbers.csv"
    sweep
    holds "$attack: the next finds all" says "6 found stored, 0 run"
done

# A format that this program does not know: refused, and left alone.
rest=$(sed -E '1s/^\{"format": 1, "sha256": "[0-9a-f]*", //' "${files[0]}")
sum=$(printf '{"format": 2, %s\n' "$rest" | sha256sum | cut -c1-64)
printf '{"format": 2, "sha256": "%s", %s\n' "$sum" "$rest" >"${files[0]}"
cp "${files[0]}" "$work/newer.json"
sweep
holds "a newer format: status 2" test "$status" -eq 2
holds "a newer format: the file is named, and what to do" says "${files[0]}' cannot be used: it has format 2"
holds "a newer format: the file stays" cmp -s "$work/newer.json" "${files[0]}"
rm "${files[0]}"
sweep

# A bit of any file beside a manifest: the page says so, and does not show it.
cat >"$work/drawn.lua" <<'END'
local lab = require "impactlab"
lab.table{name = "t", heads = {"a", "b"}, rows = {{1, 2.5}, {3, 4.5}}, formats = {"txt", "csv", "tex"}}
lab.figure{name = "f", series = {{x = {1, 2}, y = {1, 2}}}}
END
drawn=$work/drawn
timeout 60 "$program" sweep "$work/drawn.lua" --results "$drawn" >"$work/said" 2>&1
report() { # its words in $work/said, its status in $status
    timeout 60 "$program" report --results "$drawn" "$@" >"$work/said" 2>&1
    status=$?
}
flip() { # the lowest bit of the byte in the middle of the file $1
    local at=$(($(stat -c %s "$1") / 2)) byte
    byte=$(od -An -tu1 -j "$at" -N 1 "$1")
    printf "\\x$(printf %x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$at" conv=notrunc status=none
}
report
holds "nothing is wrong: status 0" test "$status" -eq 0
holds "five files of a figure and three of a table" test "$(find "$drawn/report" -name '[ft].*' | wc -l)" -eq 8
for file in "$drawn"/tables/t.csv "$drawn"/figures/f.svg; do
    cp "$file" "$work/whole"
    flip "$file"
    report
    holds "$(basename "$file"), a bit: status 1" test "$status" -eq 1
    holds "$(basename "$file"), a bit: it is named" \
        grep -qF "$(basename "$file")&#39; is not what was written" "$drawn/report/index.html"
    cp "$work/whole" "$file"
done
report
holds "whole again: status 0" test "$status" -eq 0

# Claims that were cut off, or are others than those of verify.
claim='{"id": "X-1", "problem": "sticky", "verdict": "PASS", "what": "a check", "scheme": null}'
for cut in '{"claims": ['"$claim" '{"claims": "none"}' '{"claims": [{"id": 1}]}' '{"passed": 3}' 'x'; do
    printf '%s' "$cut" >"$drawn/verify.json"
    report
    holds "$cut: status 1" test "$status" -eq 1
    holds "$cut: it is named" grep -q 'verify.json&#39;: .*; claims are not shown' "$drawn/report/index.html"
    holds "$cut: the rest is shown" grep -q 'figures/f.svg' "$drawn/report/index.html"
done
printf '{"claims": [%s]}' "$claim" >"$drawn/verify.json"
report
holds "claims that are whole: status 0" test "$status" -eq 0
holds "claims that are whole are shown" grep -q 'X-1 on sticky: a check' "$drawn/report/index.html"

# An outcome whose counts are no numbers, under a checksum that is right.
outcome=$(find "$drawn/outcomes" -name '*.json')
rest=$(sed -E '1s/^\{"format": 1, "sha256": "[0-9a-f]*", //; s/"checks": \[/"checks": ["many",/' "$outcome")
sum=$(printf '{"format": 1, %s\n' "$rest" | sha256sum | cut -c1-64)
printf '{"format": 1, "sha256": "%s", %s\n' "$sum" "$rest" >"$outcome"
report
holds "an outcome of other types: status 1" test "$status" -eq 1
holds "an outcome of other types is named" \
    grep -qF "the outcome &#39;$outcome&#39; cannot be read (it is no outcome)" "$drawn/report/index.html"
holds "an outcome of other types: the rest is shown" grep -q 'figures/f.svg' "$drawn/report/index.html"

touch "$drawn/report/index.html.part.abcdef" "$drawn/report/figures/f.svg.part.abcdef" "$work/all.csv.part.abcdef"
report
"$program" results export "$work/all.csv" --results "$results" >/dev/null 2>&1
holds "what a report and an export that were killed left is gone" \
    test -z "$(find "$drawn/report" "$work"/all.csv* -name '*.part.*')" -a -s "$work/all.csv"
touch "$results/cases/x.part.abcdef" "$results/tables/numbers.csv.part.abcdef"
sweep
holds "what killed programs left is gone" test -z "$(find "$results" -name '*.part.*')"

conclude

#!/usr/bin/env bash
# faults_note.sh - what failed once is noted a command at a time: parts may be tried anew, and whoever
# brings nothing takes nothing away. In a copy of the scripts that does it.
set -uo pipefail
source "$(dirname "$0")/../support/shell.sh"

mkdir -p "$work/tests/cli" "$work/tests/fuzz" "$work/scripts" "$work/results/reference" || exit 2
cp tests/cli/faults_note.sh "$work/tests/cli"
cp scripts/hardness.sh "$work/scripts"
kept=$work/results/reference/faults.txt
cat >"$kept" <<'TXT'
5 of 30 faults on 2 of 2 new paths, no memory, 0 wrong: sweep s.lua --results r, limits
7 of 7 faults, no space, 0 wrong: list
TXT
cp "$kept" "$work/before"
note() { bash "$work/tests/cli/faults_note.sh" 2>/dev/null; }
table() { bash "$work/scripts/hardness.sh" 2>/dev/null | sed -n 's/^no memory  *//p'; }

note </dev/null
holds "no input takes nothing away" cmp "$kept" "$work/before"
note <<<'  Test: limits are whole, or memory ran out ...passed'
holds "nor does a run that tells of no faults" cmp "$kept" "$work/before"

note <<'TXT'
  Test: limits are whole, or memory ran out ...
  9 of 40 faults on 3 of 3 new paths, no memory, 1 wrong: sweep s.lua --results r, limits
  4 of 20 faults on 1 of 2 new paths, no memory, 0 wrong: sweep s.lua --results r, orders
passed
TXT
holds "three commands are there" [ "$(wc -l <"$kept")" -eq 3 ]
holds "the newer takes the older's place" [ "$(grep -c 'limits' "$kept")" -eq 1 ]
holds "another way to fail stays" grep -qx '7 of 7 faults, no space, 0 wrong: list' "$kept"
expected='13 faults of 60 on 4 of 5 call paths, in 2 commands; 1 wrong'
holds "the table is their sum" [ "$(table)" = "$expected" ]
conclude

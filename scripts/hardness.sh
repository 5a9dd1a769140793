#!/usr/bin/env bash
# hardness.sh - what was tried to break the program, and what came of it: one table from what the tests
# leave behind. Nothing is run. What has left nothing is "not run". --update writes it into
# CONTRIBUTING.md.
#
#   tests/fuzz/README.md               make fuzz, make properties, with UPDATE=1
#   results/reference/faults.txt       make test-faults UPDATE=1
#   results/reference/load.txt         make load UPDATE=1
#   results/reference/campaign.txt     make test-kills, test-store, test-slurm, with UPDATE=1
#   results/reference/mutation.txt     make mutation: the line of how many ran
#   results/reference/coverage.txt     make coverage: the row "all"
set -uo pipefail
cd "$(dirname "$(realpath "$0")")/.." || exit 2
kept=results/reference
if [ "${1:-}" = --update ]; then
    page=$(bash scripts/hardness.sh | awk '
        NR == FNR { table = table $0 "\n"; next }
        /^\$ bash scripts\/hardness.sh$/ { print; printf "%s", table; old = 1; next }
        /^```$/ { old = 0 }
        !old { print }' - CONTRIBUTING.md) && printf '%s\n' "$page" >CONTRIBUTING.md
    exit
fi

row() { # row WHAT TEXT
    printf '%-34s %s\n' "$1" "$2"
}

last() { # last FILE
    [ -s "$kept/$1" ] && tail -n 1 "$kept/$1" || echo "not run"
}

told() { # told FILE AWK: the line that AWK prints
    [ -s "$kept/$1" ] && awk "$2" "$kept/$1" | tail -n 1 || echo "not run"
}

fuzzed() { # fuzzed MEANS: the sums of its rows
    awk -F ' *[|] *' -v how="$1" '
        $3 == how { n++; runs += $4; seconds += $6; broken += $7
                    if (n == 1 || $4 < least) { least = $4; name = $2 } }
        END { if (n == 0) print "not run"
              else printf "%d executions of %d harnesses, at least %d (%s), %d s; %d broken\n",
                          runs, n, least, name, seconds, broken }' tests/fuzz/README.md
}

faults() { # by ways to fail: sums of what was tried of each command
    awk 'match($0, /^[0-9]+ of [0-9]+ faults.*, [0-9]+ wrong: /) {
            split(substr($0, 1, RLENGTH), part, /, /)
            split(part[1], word, " ")
            kind = part[2]
            tried[kind] += word[1]; all[kind] += word[3]; wrong[kind] += part[3]; commands[kind]++
            if (part[1] ~ / paths$/) { paths[kind] += word[6]; there[kind] += word[8] } }
        END { for (kind in tried) {
                ways = kind in paths ? sprintf(" on %s%d of %d call paths",
                    paths[kind] == there[kind] ? "every one, " : "", paths[kind], there[kind]) : ""
                printf "%s: %d faults of %d%s, in %d commands; %d wrong\n",
                       kind, tried[kind], all[kind], ways, commands[kind], wrong[kind] } }' "$kept/faults.txt" | LC_ALL=C sort
}

row "random inputs" "$(fuzzed random)"
row "inputs by libFuzzer" "$(fuzzed libFuzzer)"
if [ -s "$kept/faults.txt" ]; then
    while IFS= read -r line; do row "${line%%: *}" "${line#*: }"; done < <(faults)
else
    row "faults" "not run"
fi
for name in kills "stored runs" slurm; do
    line=$(sed -n "s/^$name: //p" "$kept/campaign.txt" 2>/dev/null)
    row "$name" "${line:-not run}" | sed 's/; /\n                                   /g'
done
row "mutations" "$(told mutation.txt '/mutations ran/')"
row "coverage" "$(told coverage.txt '$1 == "all" { $0 = $3 " % of " $2 " lines, " $5 " % of " $4 " branches"; print }')"
load=$(last load.txt)
row "load" "${load%%; *}"
[ "$load" = "${load#*; }" ] || { row "" "$(cut -d ';' -f 2 <<<"${load}" | sed 's/^ //')"; row "" "${load##*; }"; }
row "inputs kept of what was found" "$(find tests/fuzz/found -type f | wc -l)"
row "records with the same bits" "$(grep -c '^[0-9a-f]' tests/bits/digests.txt)"

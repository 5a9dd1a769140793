#!/usr/bin/env bash
# wording.sh - what the pages, `show`, captions and claims say of limits: each sentence that was wrong once
# stands there as it holds, and the wrong one nowhere; without one, or with the wrong one, this script ends
# with 1 (planted below). The numbers themselves are held by suites `switching` (27 borders of 28 intervals,
# exact) and `orbits` (A, B, C, the orbit of period 4), and by the claim MJ-limit.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${IMPACTLAB:-build/impactlab}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Each on one line; strings that Lua puts together as one.
"$program" show nonuniqueness | tr -s ' \n' ' ' > "$work/show"
tr -s ' \n' ' ' < scripts/README.md > "$work/page"
"$program" show moreau_jean | tr -s ' \n' ' ' > "$work/moreau"
"$program" verify --list | tr -s ' \n' ' ' > "$work/claims"
tr -s ' \n' ' ' < scripts/limits.lua | sed 's/" \.\. "//g' > "$work/captions"

# FILE=TEXT that must be there.
there='page=There are 28 of them
captions=28 intervals (table limits-borders), of which 64 phases meet some fifteen
page=the nearest medoid at T = 4 is off by up to 6e-5
page=It is continuous once all states q = 0, u <= 0 are taken for one, rest
show=continuous once all states q = 0, u <= 0 are taken for one, rest
page=the rectangle 0 <= q <= alpha/2, |u| <= alpha into itself
show=maps the rectangle 0 <= q <= U/2, |u| <= U = max(1, alpha) into itself
page=every solution other than A and B follows C
show=every solution but A and B follows C
page=up to 1.6097 beside an orbit of period 4
show=an orbit of four octaves attracts from alpha = 77/48 to 1.6097
captions=up to 1.6097 an orbit of period 4
moreau=with several contacts and e > 0 it does not obey u+ = P_C u- - e P_N u- and has no limit
claims=the reconstruction that vibroimpact is has the properties
page=Near the ends of these ranges runs settle slowly, by 0.988 an octave at 2.16'

# And what may stand nowhere.
nowhere='every other solution
some fifteen of them
some fifteen intervals
evidence of 7 limits'

declare -A says=() # what each file says
for file in show page captions moreau claims; do
    says[$file]=$(< "$work/$file")
    [ -n "${says[$file]}" ] || { echo "wording.sh: nothing in $file"; exit 1; }
done

wrong() { # what is wrong of them, in $found
    local file text
    found=
    while IFS='=' read -r file text; do
        [[ ${says[$file]} == *"$text"* ]] || found+="$file does not say '$text'. "
    done <<< "$there"
    while read -r text; do
        for file in "${!says[@]}"; do
            [[ ${says[$file]} != *"$text"* ]] || found+="$file says '$text'. "
        done
    done <<< "$nowhere"
}

failures=0
wrong
[ -z "$found" ] || { echo "wording.sh: $found"; failures=1; }
planted() { # FILE WHAT - the file as it is planted is wrong; put back
    wrong
    [ -n "$found" ] || { echo "wording.sh: not seen: $2"; failures=$((failures + 1)); }
    says[$1]=$whole
}
while IFS='=' read -r file text; do
    whole=${says[$file]}
    says[$file]=${whole//"$text"/}
    planted "$file" "$file without '$text'"
done <<< "$there"
whole=${says[page]}
while read -r text; do
    says[page]+=" $text"
    planted page "'$text'"
done <<< "$nowhere"
[ "$failures" -eq 0 ] && echo 'wording.sh: what is said holds, and every planted mistake is seen' || exit 1

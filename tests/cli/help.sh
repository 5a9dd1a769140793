#!/usr/bin/env bash
# help.sh - what the program says of itself: every verb's help has examples that work, every topic
# leads somewhere, the man page holds what the tables do.
set -uo pipefail
source "$(dirname "$0")/../support/shell.sh"

mkdir "$work/bin" "$work/here"
ln -s "$program" "$work/bin/impactlab"
PATH=$work/bin:$PATH
cd "$work/here" || exit 2

prints() { # prints NAME PATTERN COMMAND...: ends well, says nothing else, prints the pattern
    local name=$1 pattern=$2 why=
    shift 2
    "$@" >"$work/out" 2>"$work/err" </dev/null || why="status $?: $(head -n 1 "$work/err")"
    [ -n "$why" ] || grep -qE -- "$pattern" "$work/out" || why="lacks '$pattern'"
    [ -n "$why" ] || [ ! -s "$work/err" ] || why="says $(head -n 1 "$work/err")"
    verdict "$name" "$why"
}

# ---- verbs -------------------------------------------------------------------------------------

mapfile -t verbs < <(impactlab --help | sed -n '/^usage/,/^  impactlab/s/^  \([a-z]*\)  .*/\1/p')
holds "there are verbs" [ "${#verbs[@]}" -ge 7 ]
for verb in "${verbs[@]}"; do
    prints "help $verb" "^usage: impactlab $verb" impactlab help "$verb"
    impactlab help "$verb" >"$work/help"
    for ask in -h --help; do
        prints "$verb $ask" . impactlab "$verb" $ask
        holds "$verb $ask is help $verb" cmp "$work/out" "$work/help"
    done
    # A blank before the column of texts, or the option alone in its line, which is shorter than this.
    verdict "options of $verb stand apart from what they mean" \
        "$(awk '/^  -/ && length($0) > 44 && substr($0, 29, 1) != " "' "$work/help")"
    mapfile -t examples < <(sed -n '/^Examples:/,/^Exit/s/^  impactlab/impactlab/p' "$work/help")
    holds "$verb has examples" [ "${#examples[@]}" -ge 1 ]
    for example in "${examples[@]}"; do
        timeout 120 bash -c "$example" >"$work/out" 2>"$work/err" </dev/null
        status=$?
        verdict "$example" "$([ $status -eq 0 ] || echo "status $status: $(tail -n 1 "$work/err")")"
    done
done
holds "the example wrote its trajectory" [ -s spheres.h5 ]
holds "the example wrote for ParaView" [ -s pile.pvd ]
holds "the example wrote its page" [ -s page/index.html ]

# ---- topics ------------------------------------------------------------------------------------

mapfile -t topics < <(impactlab help topics | sed -n '/one of these/,/a verb/s/^    \(.*[a-z]\)   *.*/\1/p' | sed 's/  .*//')
holds "there are topics" [ "${#topics[@]}" -ge 20 ]
for topic in "${topics[@]}"; do
    prints "help $topic" '^#+ ' impactlab help $topic # of two words, two arguments
    holds "help $topic says something" [ "$(wc -l <"$work/out")" -ge 4 ]
done
# Functions of the module, as Lua has them, have a place in the manual.
cat >functions.lua <<'LUA'
local names = {}
for name, value in pairs(require "impactlab") do
  if type(value) == "function" then names[#names + 1] = "lab." .. name end
end
table.sort(names)
print(table.concat(names, "\n"))
LUA
impactlab sweep functions.lua >functions 2>/dev/null
holds "the module has functions" [ "$(wc -l <functions)" -ge 20 ]
while IFS= read -r name; do
    prints "help $name" . impactlab help "$name"
    holds "help $name is its own section" grep -qE "^##+ (.*, )?$name(,|$)" <(head -n 1 "$work/out")
done < <(cat functions && printf '%s\n' r:order r:orders r:table r:figure r:law sweep:limits limits:border)
prints "help lab.problem has all keys" 'force_breaks' impactlab help lab.problem
prints "help of r:orders says what it takes" 'r:orders\{problems' impactlab help r:orders
prints "help of a problem is show" '^pendulum \(problem\)' impactlab help pendulum
for wrong in nonsense "exit statos" lab.sweeep; do
    impactlab help $wrong >"$work/out" 2>"$work/err"
    status=$?
    verdict "help $wrong" "$([ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] ||
        echo "status $status, $(wc -l <"$work/err") lines")"
done
impactlab help problms 2>"$work/err"
holds "the nearest topic is named" grep -q "did you mean 'problems'" "$work/err"

# ---- the man page ------------------------------------------------------------------------------

impactlab help --man >page.1
for verb in "${verbs[@]}"; do
    holds "the man page has $verb" grep -qx "impactlab $verb" page.1
done
sed 's/\\-/-/g' page.1 >dashes
while IFS= read -r option; do
    holds "the man page has $option" grep -qE "^\\\\f\\[B\\]$option( [^]]*)?\\\\f\\[\\]:" dashes
done < <(impactlab run --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p')
if command -v groff >/dev/null; then
    groff -ww -man -Tutf8 page.1 >"$work/out" 2>"$work/err"
    holds "groff has no complaint" [ ! -s "$work/err" ]
    holds "groff makes a page" [ "$(wc -l <"$work/out")" -ge 100 ]
fi

# ---- the manual for a browser ------------------------------------------------------------------

holds "the example wrote the manual" [ -s manual/index.html ]
# Links lead to pages and headings that are there.
for page in manual/*.html; do
    grep -oE 'href="[^"]*"' "$page" | sed 's/href="//; s/"$//; s/&amp;/\&/g' | sort -u | while IFS= read -r to; do
        case $to in https://*) continue ;; esac
        file=${to%%#*} anchor=
        [[ $to == *'#'* ]] && anchor=${to#*#}
        target=${file:+manual/$file}
        target=${target:-$page}
        [ -s "$target" ] || echo "$page: $to leads nowhere"
        [ -z "$anchor" ] || grep -qF "id=\"$anchor\"" "$target" || echo "$page: $to has no heading"
    done
done >"$work/broken"
for page in manual/*.html; do
    tr '\n' ' ' <"$page" | sed -E 's/<(pre|code)[^>]*>/\n&/g; s/<\/(pre|code)>/&\n/g' |
        grep -vE '^<(pre|code)' | grep -oF '](' | sed "s|^|$page: a link as it was written: |"
done >>"$work/broken"
holds "every link of the manual leads somewhere" [ ! -s "$work/broken" ]
head -n 5 "$work/broken"

conclude

#!/usr/bin/env bash
# documents.sh - what the pages say that the program prints is what it prints.
#
# Every fenced block of a page whose first line begins with "$ " is a session: lines that begin with
# "$ " are commands, run by bash from the root of the checkout, the lines behind each are what it must
# print, standard error included. A line "..." stands for any lines, also for none. Times are not
# compared: a number before " s" is any number. Blocks of Lua and Python in harness/manual/ are run too. IMPACTLAB names the program that stands in for
# build/impactlab; results go to a folder that is removed.
#
#   documents.sh [PAGE.md ...]     default: all pages of the checkout
#   documents.sh --installed PROGRAM PAGE.md ...   as somebody who has no checkout, from an empty folder:
#                impactlab in place of build/impactlab, NAME.lua in place of scripts/NAME.lua
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

installed=
if [ "${1:-}" = --installed ]; then
    installed=1 IMPACTLAB=${2:?documents.sh: --installed without a program}
    shift 2
fi

program=$(realpath -- "${IMPACTLAB:-build/impactlab}")
[ -x "$program" ] || { echo "documents.sh: no program at $program; run make first" >&2; exit 2; }
pages=("$@")
if [ "${#pages[@]}" -eq 0 ]; then
    mapfile -t pages < <(find . -name '*.md' -not -path './build/*' -not -path './results/*' | sort)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The commands see the checkout, but write elsewhere.
mkdir "$work/here"
if [ -n "$installed" ]; then
    run=impactlab
    PATH=$(dirname "$program"):$PATH
else
    run=build/impactlab
    mkdir "$work/here/build"
    for entry in scripts tests problems schemes harness README.md; do
        ln -s "$PWD/$entry" "$work/here/$entry"
    done
    ln -s "$program" "$work/here/build/impactlab"
    for module in "$(dirname "$program")"/*.so; do
        ln -s "$module" "$work/here/build/"
    done
fi

# The sessions of a page: one file each, session.K, named by their place in the page.
sessions() { # sessions PAGE
    awk -v out="$work/session" '
        /^```/ { if (inside) { inside = 0; if (mine) close(file); mine = 0 } else { inside = 1; first = 1 } next }
        inside && first { first = 0; if (/^\$ /) { mine = 1; n++; file = out "." n "." NR } }
        inside && mine { print > file }' "$1"
}

times() { sed -E 's/[0-9]+(\.[0-9]+)?(e-?[0-9]+)? s( |,|$)/T s\3/g'; }

# Does the text in file 2 match the lines in file 1, where "..." stands for any lines?
matches() {
    awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
        function fits(i, j) {
            if (i > n) return j > m
            if (want[i] == "...") { for (; j <= m + 1; j++) if (fits(i + 1, j)) return 1; return 0 }
            return j <= m && want[i] == have[j] && fits(i + 1, j + 1)
        }
        END { exit !fits(1, 1) }' "$1" "$2"
}

passed=0
failed=0
# One command of a session, and what the page says that it prints.
try() { # try PAGE LINE COMMAND: the expected lines are in $work/want
    local command=${3//build\/impactlab/$run}
    [ -z "$installed" ] || command=${command//scripts\//}
    (cd "$work/here" && timeout 300 bash -c "$command" </dev/null) >"$work/raw" 2>&1
    # what one reads while one waits, where the machine is slow
    grep -vE '^[^:]+: [0-9]+ %, .* left(:|$)' "$work/raw" | times >"$work/have"
    times <"$work/want" >"$work/expected"
    if matches "$work/expected" "$work/have"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1:$2: prints otherwise: $command"
        diff "$work/expected" "$work/have" | head -n 20
    fi
}

# Fenced blocks of a language: one file each, block.K.LINE.SUFFIX.
blocks() { # blocks PAGE LANGUAGE SUFFIX
    awk -v out="$work/here/block" -v fence="^\`\`\`$2$" -v suffix="$3" '
        $0 ~ fence { inside = 1; file = out "." ++n "." NR "." suffix; next }
        /^```/ { if (inside) close(file); inside = 0 }
        inside { print > file }' "$1"
}

# ends NAME COMMAND...: a block, run where the sessions are, ends well.
ends() {
    local name=$1
    shift
    if (cd "$work/here" && timeout 300 "$@") >"$work/raw" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name ends with an error"
        tail -n 5 "$work/raw"
    fi
}

# Blocks of Lua in the manual's own pages are whole scripts; those of scripts/README.md are run by the
# suite.
scripts_of() { # scripts_of PAGE
    local block
    blocks "$1" lua lua
    for block in "$work"/here/block.*.lua; do
        [ -e "$block" ] || continue
        ends "$1: the script of line $(basename "$block" .lua | cut -d. -f3)" "$run" sweep "${block##*/}" -j 2
        rm -f "$block"
    done
}

# Blocks of Python in the manual's own pages are run behind the page's sessions, where there is what they
# import.
python_of() { # python_of PAGE
    local block modules
    blocks "$1" python py
    for block in "$work"/here/block.*.py; do
        [ -e "$block" ] || continue
        modules=$(grep '^import ' "$block")
        if ! /usr/bin/python3 -c "$modules" 2>/dev/null; then
            echo "$1: not run, for lack of $(paste -sd' ' <<<"$modules" | sed 's/import //g') in Python: the lines of $(basename "$block" .py | cut -d. -f3)"
        else
            ends "$1: the Python of line $(basename "$block" .py | cut -d. -f3)" /usr/bin/python3 "$block"
        fi
        rm -f "$block"
    done
}

for page in "${pages[@]}"; do
    rm -f "$work"/session.*
    [[ $page != */manual/* ]] || scripts_of "$page"
    sessions "$page"
    for session in "$work"/session.*; do
        [ -e "$session" ] || continue
        line=${session##*.}
        if grep -q '^\$ python3 ' "$session" && ! command -v python3 >/dev/null; then
            echo "$page: not run, for lack of Python: the session of line $line"
            continue
        fi
        command=
        : >"$work/want"
        while IFS= read -r text || [ -n "$text" ]; do
            if [[ $text == '$ '* ]]; then
                [ -n "$command" ] && try "$page" "$line" "$command"
                command=${text#'$ '}
                : >"$work/want"
            else
                printf '%s\n' "$text" >>"$work/want"
            fi
        done <"$session"
        try "$page" "$line" "$command"
    done
    [[ $page != */manual/* ]] || python_of "$page"
done
echo "documents: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

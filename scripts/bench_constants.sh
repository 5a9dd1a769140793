#!/usr/bin/env bash
# bench_constants.sh - what the tuned constants of schemes/ cost: each is replaced, alone, by the values
# that stand beside it, and the work counted on runs that it was not chosen on.
#
# A tuned constant is marked where it stands, `NAME = VALUE; /* tuned: A, B */`; every other constant
# has a derivation or a source. There are at most LIMIT of them. Printed, and with --reference also
# stored in results/reference/constants.txt: for every value, as ratios to the constant's own, the
# projector's iterations of each case (factorisations of newton's), then how many of 600 degenerate
# configurations newton leaves unsolved, with its factorisations; and for what changes the factor alone,
# the time of a factor and of a solve on pile-2d-2000. Counts do not depend on the machine. A run that
# does not end well shows its status.
#
#   scripts/bench_constants.sh [--list | --reference] [NAME | FILE:NAME ...]
#
# --list counts them and stops. Without names all are tried; FILE is the last part of a path, where
# several files have a constant of that name.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

LIMIT=45
mapfile -t marked < <(grep -rnE ' = [^;]*; */\* tuned: ' schemes |
    sed -E 's/^([^:]*):[0-9]+:.*\b([A-Z_]+) = ([-+0-9.e]+)( \})?; *\/\* tuned: ([^*]*[^ *]) *\*\/$/\1 \2 \3 \5/')
mode=
names=()
for word in "$@"; do
    case $word in
        --list | --reference) mode=$word ;;
        -*) echo "bench_constants.sh: unknown argument '$word'; allowed: --list, --reference, NAME, FILE:NAME" >&2; exit 2 ;;
        *) names+=("$word") ;;
    esac
done
if [ "$mode" = --list ]; then
    printf '%s\n' "${marked[@]}"
    echo "bench_constants.sh: ${#marked[@]} tuned constants, at most $LIMIT"
    [ "${#marked[@]}" -le "$LIMIT" ]
    exit
fi

# Seeds other than those of the tests and of the constants' choice.
cases=(
    "--problem impact --scheme maury --h 0.1 --set N=1000 --set seed=5"
    "--problem impact --scheme maury --h 0.1 --steps 4 --set N=500 --set space=3 --set seed=6"
    "--problem impact --scheme venel --h 0.02 --steps 20 --set N=1000 --set seed=2"
    "--problem pile --scheme maury --h 0.005 --steps 200 --set N=200 --set seed=4"
    "--problem pile --scheme maury --h 0.005 --steps 60 --set N=800 --set seed=3"
    "--problem crowd --scheme venel --h 0.05 --steps 100 --set N=150 --set seed=7"
    "--problem impact --scheme paoli --h 0.1 --set N=200 --set seed=8"
    "--problem pile --scheme paoli --h 0.005 --steps 60 --set N=100 --set seed=9"
    "--problem impact --scheme maury --h 0.1 --set N=1000 --set seed=5 --tol 1e-4"
)

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Makefile README.md harness problems schemes scripts tests "$copy" || exit 2
mkdir "$copy/results" && cp results/README.md "$copy/results" || exit 2 # pages of the manual
cd "$copy" || exit 2

build() {
    make -s -j"$(nproc)" VARIANT=dev OPT_dev='-O2 -g' program build/dev/bench/degenerate build/dev/bench/factors >build.log 2>&1 ||
        { tail -n 5 build.log >&2; return 1; }
}

# One number a case, the failures and factorisations of degenerate configurations, two times.
measure() { # measure NAME: the constant, or base
    local words
    for words in "${cases[@]}"; do
        # shellcheck disable=SC2086 # words of options
        timeout 300 build/dev/impactlab run --norms none --json $words 2>/dev/null |
            grep -oE '"(status|projector_iterations)": *("[a-z_]*"|[0-9]+)' | tr -d '" ' |
            awk -F: '$1 == "status" { s = $2 } $1 == "projector_iterations" { n = $2 }
                END { print s == "ok" ? n : s == "" ? "none" : s }'
    done
    build/dev/bench/degenerate 11 600 | awk '$1 != "configurations" { print $2 }'
    case $1 in
        base | BLOCK | JOIN_*) ;;
        *) return ;; # does not change what a factor does
    esac
    build/dev/bench/factors any - pile-2d-2000 | awk '/pile-2d-2000/ { on = 1 } on && $1 == "ours" { print $3; print $4; exit }'
}

# A line of ratios, or of words where a run did not end well.
line() { # line LABEL FILE
    paste "$2" base | awk -F'\t' -v label="$1" 'BEGIN { printf "%-44s", label }
        $1 == "" { next }
        { if ($1 ~ /^[0-9.]+$/ && $2 + 0 > 0) printf " %6.2f", $1 / $2; else printf " %6s", $1 }
        END { printf "\n" }'
}

all() {
    echo "Work with other values of the tuned constants, as ratios to their own; one changed at a time."
    echo "Columns: iterations of the cases below; degenerate configurations left unsolved, factorisations of"
    echo "all 600; time of a factor and of a solve (pile-2d-2000), which alone depend on the machine."
    for k in "${!cases[@]}"; do echo "  $((k + 1))  impactlab run ${cases[$k]}"; done
    build || return 1
    measure base >base
    line "as they are: $(awk 'NR <= 9 { printf "%s ", $1 }' base)" base
    local entry file name value others other
    for entry in "${marked[@]}"; do
        read -r file name value others <<<"$entry"
        [ "${#names[@]}" -eq 0 ] || [[ " ${names[*]} " == *" $name "* ]] ||
            [[ " ${names[*]} " == *" ${file##*/}:$name "* ]] || continue
        cp "$file" kept
        for other in ${others//,/}; do
            sed -E "s/(\\b$name = )[-+0-9.e]+/\\1$other/" kept >"$file"
            build && measure "$name" >now && line "${file#schemes/} $name = $other ($value)" now
        done
        cp kept "$file"
    done
}

if [ "$mode" = --reference ]; then
    cd - >/dev/null || exit 2
    root=$PWD
    cd "$copy" || exit 2
    all | tee constants.txt
    status=${PIPESTATUS[0]}
    [ "$status" -eq 0 ] && mv constants.txt "$root/results/reference/constants.txt"
    exit "$status"
fi
all

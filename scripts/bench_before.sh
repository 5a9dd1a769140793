#!/usr/bin/env bash
# bench_before.sh [sweep|impact|pile ...] - against the program as it was: revision c89e244, or BEFORE, is built
# beside this one from the history, and both run in turn. Processor times of whole processes, user and system, the
# least of ROUNDS (2), and what this program did a step.
#
#   sweep    960 small cases of bench_sweep.sh, one process
#   impact   N = 2000 in space, h = 0.1, 10 steps
#   pile     N = 2000 discs, h = 0.005, 800 steps, of radius 0.05 and of 0.5; the last 50 steps apart
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/bench_lib.sh
need_program

revision=${BEFORE:-c89e244}
before=build/bench/$revision/build/impactlab
rows=("$@")
[ "$#" -gt 0 ] || rows=(sweep impact pile)
for one in "${rows[@]}"; do
    case $one in
        sweep | impact | pile) ;;
        *) echo "bench_before.sh: unknown argument '$one'; allowed: sweep, impact, pile" >&2; exit 2 ;;
    esac
done
if ! git cat-file -e "$revision^{commit}" 2>/dev/null; then
    echo "skipped: no history with revision $revision"
    exit 0
fi
if [ ! -x "$before" ]; then
    mkdir -p "build/bench/$revision"
    git archive "$revision" | tar -x -C "build/bench/$revision"
    make -s -C "build/bench/$revision" -j"$(nproc)" VARIANT=release program >"build/bench/$revision/log" 2>&1 ||
        { tail -n 5 "build/bench/$revision/log" >&2; exit 1; }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

spent_by() { # spent_by COMMAND...: processor time in seconds into $seconds, its output into $output
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>"$work/err"; } 2>"$work/spent"
    seconds=$(awk '{ print $1 + $2 }' "$work/spent")
    output=$(cat "$work/out")
}

# The least times of the former and of this program into $old and $new; $output is this one's.
both() { # both COMMAND...: what follows the program
    local olds=() news=()
    for ((k = 0; k < ${ROUNDS:-2}; k++)); do
        spent_by "$before" "$@"
        olds+=("$seconds")
        spent_by "$program" "$@"
        news+=("$seconds")
    done
    old=$(printf '%s\n' "${olds[@]}" | least)
    new=$(printf '%s\n' "${news[@]}" | least)
}

row() { # row CASE QUANTITY WORDS: prints both times
    printf '  %-34s %9.2f s %9.2f s   %5.2f of it, %5.2f times as fast   %s\n' "$1" "$old" "$new" \
        "$(ratio "$new" "$old")" "$(ratio "$old" "$new")" "$3"
    note before "$2" ratio "$(ratio "$new" "$old")"
}

each() { awk -v a="$1" -v n="$2" 'BEGIN { printf "%.2f", a / n }'; }

sweep() {
    small_cases >"$work/small.lua"
    both sweep "$work/small.lua" -j 1 --fresh --results "$work/results"
    row "960 small cases" sweep ""
}

impact() {
    both run --problem impact --set N=2000 --set space=3 --scheme maury --h 0.1 --steps 10 --record final --json
    row "impact N = 2000, space 3, 10 steps" impact-3d \
        "$(field factorisations) factorisations, $(field analyses) analyses"
}

pile() { # pile RADIUS
    local pile=(run --problem pile --set N=2000 --set "radius=$1" --scheme maury --h 0.005 --record final --json)
    spent_by "$program" "${pile[@]}" --steps 750
    local head=$seconds factors analyses
    factors=$(field factorisations)
    analyses=$(field analyses)
    ROUNDS=1 both "${pile[@]}" --steps 800
    row "pile N = 2000, R = $1, 800 steps" "pile-$1" \
        "$(each "$(field factorisations)" 800) factorisations, $(each "$(field analyses)" 800) analyses a step"
    factors=$(each "$(($(field factorisations) - factors))" 50)
    analyses=$(each "$(($(field analyses) - analyses))" 50)
    echo "    the last 50 steps: $factors factorisations, $analyses analyses a step," \
        "$(awk -v a="$head" -v b="$new" 'BEGIN { printf "%.1f", 1e3 * (b - a) / 50 }') ms"
    note before "pile-$1" factorisations_at_end "$factors"
    note before "pile-$1" analyses_at_end "$analyses"
}

printf '  %-34s %11s %11s\n' "" "$revision" now
for one in "${rows[@]}"; do
    case $one in
        pile) pile 0.05 && pile 0.5 ;;
        *) "$one" ;;
    esac
done

#!/usr/bin/env bash
# bench.sh - what the program costs over a loop written by hand (tests/bench/hand_loop.c): Maury's
# scheme on `nonuniqueness`, 2^20 steps to T = 4. Both run alternately, so that a change of the
# machine's pace meets both; the least time of each counts. The ratio is reported, not judged.
# Writes nothing but its own object under build/.
set -euo pipefail
cd "$(dirname "$0")/.."

steps=1048576
rounds=${ROUNDS:-9}
program=build/impactlab
hand=build/bench/hand_loop

[ -x "$program" ] || { echo "bench.sh: $program is not there; run make first" >&2; exit 2; }
mkdir -p build/bench
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O2 -g -ffp-contract=off \
    -o "$hand" tests/bench/hand_loop.c -lm

run=("$program" run --problem nonuniqueness --scheme maury --steps "$steps" --record final --json)

# Wall time of a whole process in seconds, its output in $output.
output=
elapsed() {
    local began=$EPOCHREALTIME
    output=$("$@")
    local ended=$EPOCHREALTIME
    awk -v a="$began" -v b="$ended" 'BEGIN { printf "%.6f\n", b - a }'
}

field() { # field KEY: the first number, or list of one number, that follows "KEY": in $output
    sed -n "s/.*\"$1\": \[\{0,1\}\([-+0-9.eE]*\).*/\1/p" <<<"$output"
}

times() { # times LABEL: reads one time a line, prints least and median
    sort -g | awk -v label="$1" '{ x[NR] = $1 }
        END { printf "%-34s least %8.2f ms   median %8.2f ms\n", label, 1e3 * x[1],
              1e3 * x[int((NR + 1) / 2)] }'
}

least() { sort -g | head -n 1; }

hand_wall=() hand_loop=() lab_wall=() lab_loop=()
for ((k = 0; k < rounds; k++)); do
    elapsed "$hand" "$steps" >build/bench/time
    hand_wall+=("$(<build/bench/time)")
    read -r _ _ _ hand_q _ hand_u _ seconds <<<"$output"
    hand_loop+=("$seconds")
    elapsed "${run[@]}" >build/bench/time
    lab_wall+=("$(<build/bench/time)")
    lab_loop+=("$(field seconds)")
done
lab_q=$(field q) lab_u=$(field u)

echo "nonuniqueness by maury, $steps steps to T = 4, $rounds alternating runs of each"
printf '%s\n' "${hand_wall[@]}" | times "hand-written loop, whole process"
printf '%s\n' "${lab_wall[@]}" | times "impactlab run, whole process"
printf '%s\n' "${hand_loop[@]}" | times "hand-written loop, steps alone"
printf '%s\n' "${lab_loop[@]}" | times "impactlab run, steps alone"
awk -v hw="$(printf '%s\n' "${hand_wall[@]}" | least)" \
    -v lw="$(printf '%s\n' "${lab_wall[@]}" | least)" \
    -v hl="$(printf '%s\n' "${hand_loop[@]}" | least)" \
    -v ll="$(printf '%s\n' "${lab_loop[@]}" | least)" \
    'BEGIN { printf "ratio of least times: whole process %.2f, steps alone %.2f\n", lw/hw, ll/hl }'
echo "work: $(field projector_iterations) projector iterations, $(field rows_offered) rows offered," \
    "$(field rows_solved) rows solved"
echo "final state: hand q $hand_q u $hand_u; impactlab q $lab_q u $lab_u"

# Rounding: n steps each move u by at most h and its rounding is below 1e-16, so u differs by less
# than n 1e-16 and q by T times that.
awk -v n="$steps" -v a="$hand_q" -v b="$lab_q" -v c="$hand_u" -v d="$lab_u" '
    function off(x, y) { return x > y ? x - y : y - x }
    BEGIN {
        tolerance = 4 * n * 1e-16
        agree = off(a, b) <= tolerance && off(c, d) <= tolerance
        printf "final states %s (to %.1e)\n", agree ? "agree" : "DIFFER", tolerance
        exit !agree
    }'

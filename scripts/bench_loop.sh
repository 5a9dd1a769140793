#!/usr/bin/env bash
# bench_loop.sh - what the program costs over a loop written by hand (tests/bench/hand_loop.c): Maury's
# scheme on `nonuniqueness`, 2^20 steps to T = 4. Both run alternately, so that a change of the
# machine's pace meets both; the least time of each counts. The ratio is reported, not judged.
# Writes nothing but its own object under build/.
set -euo pipefail
cd "$(dirname "$0")/.."

steps=1048576
rounds=${ROUNDS:-9}
hand=build/bench/hand_loop

. scripts/bench_lib.sh
need_program
mkdir -p build/bench
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O2 -g -ffp-contract=off \
    -o "$hand" tests/bench/hand_loop.c -lm

run=("$program" run --problem nonuniqueness --scheme maury --steps "$steps" --record final --json)

times() { # times LABEL: reads one time a line, prints least and median
    sort -g | awk -v label="$1" '{ x[NR] = $1 }
        END { printf "%-34s least %8.2f ms   median %8.2f ms\n", label, 1e3 * x[1],
              1e3 * x[int((NR + 1) / 2)] }'
}

hand_wall=() hand_loop=() lab_wall=() lab_loop=()
for ((k = 0; k < rounds; k++)); do
    wall_of "$hand" "$steps"
    hand_wall+=("$wall")
    read -r _ _ _ hand_q _ hand_u _ seconds <<<"$output"
    hand_loop+=("$seconds")
    wall_of "${run[@]}"
    lab_wall+=("$wall")
    lab_loop+=("$(field seconds)")
done
lab_q=$(field q) lab_u=$(field u)

echo "nonuniqueness by maury, $steps steps to T = 4, $rounds alternating runs of each"
printf '%s\n' "${hand_wall[@]}" | times "hand-written loop, whole process"
printf '%s\n' "${lab_wall[@]}" | times "impactlab run, whole process"
printf '%s\n' "${hand_loop[@]}" | times "hand-written loop, steps alone"
printf '%s\n' "${lab_loop[@]}" | times "impactlab run, steps alone"
whole=$(ratio "$(printf '%s\n' "${lab_wall[@]}" | least)" "$(printf '%s\n' "${hand_wall[@]}" | least)")
alone=$(ratio "$(printf '%s\n' "${lab_loop[@]}" | least)" "$(printf '%s\n' "${hand_loop[@]}" | least)")
echo "ratio of least times: whole process $whole, steps alone $alone"
note loop nonuniqueness ratio_whole "$whole"
note loop nonuniqueness ratio_steps "$alone"
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

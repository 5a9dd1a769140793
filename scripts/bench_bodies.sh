#!/usr/bin/env bash
# bench_bodies.sh [--full|--large] - what a step costs against the number of bodies.
#
#   impact   Maury's spheres, h = 0.1: every body moves three diameters a step. 10 steps of N = 500,
#            2000 and 8000; with --full 40 steps, also of 20 000 and 50 000, these within 2 GiB.
#   pile     discs at h = 0.005; the mean of the last 50 of 300 steps (--full: 800), when packed.
#   large    with --full, and full records: 10 steps of 10^5 and 10^6 discs of impact; 49 770 discs at rest
#            (crystal), 40 steps of h = 0.005 and the last 20 of them; and how far a pile of 50 000
#            comes in PILE_SECONDS (1800) by steps of 0.05, as ten times smaller ones would take it
#            hours to come to rest. Memory is the most that the process held (VmHWM). --large does
#            these alone.
#
# User times of whole processes, the least of two runs below 10 s. Beside them the work: projections,
# iterations and rows per step.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/bench_lib.sh
need_program

full=${1:-}
case $full in
    "") sizes=(500 2000 8000) steps=10 pile_steps=300 ;;
    --full) sizes=(500 2000 8000 20000 50000) steps=40 pile_steps=800 ;;
    --large) ;;
    *) echo "bench_bodies.sh: unknown argument '$full'; allowed: --full, --large" >&2; exit 2 ;;
esac

run() { # run PROBLEM N H STEPS: $user, $output
    local first
    local command=("$program" run --problem "$1" --set "N=$2" --scheme maury --h "$3" --steps "$4"
        --record final --quiet --json)
    user_of "${command[@]}"
    if awk -v u="$user" 'BEGIN { exit !(u < 10) }'; then
        first=$user
        user_of "${command[@]}"
        user=$(printf '%s\n' "$first" "$user" | least)
    fi
}

per() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'; }

large() { # large ARGUMENTS...: $user, $output, $peak in MB
    peak_of "$program" run --scheme maury --norms none --long --quiet --json "$@"
}

row_of_large() { # row_of_large CASE N STEPS SECONDS FACTORISATIONS ANALYSES
    local each
    each=$(awk -v u="$4" -v n="$2" -v k="$3" 'BEGIN { printf "%.2f", 1e6 * u / n / k }')
    printf '  %-12s %8d %6d %9.1f %14s %8s %9.2f %9.2f %11.1e %15.1e\n' "$1" "$2" "$3" "$4" "$each" "$peak" \
        "$(share "$5" "$3")" "$(share "$6" "$3")" "$(field primal)" "$(field stationarity_relative)"
    note bodies "$1-$2" us_per_step_and_body "$each"
    note bodies "$1-$2" peak_MB "$peak"
    note bodies "$1-$2" factorisations_per_step "$(share "$5" "$3")"
    note bodies "$1-$2" analyses_per_step "$(share "$6" "$3")"
}

share() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }

minus() { awk -v a="$1" -v b="$2" 'BEGIN { print a - b }'; }

large_ones() {
    local whole factors analyses
    echo "large: full records"
    printf '  %-12s %8s %6s %9s %14s %8s %9s %9s %11s %15s\n' "" N steps "user s" "us/step/body" MB \
        factors/ analyses/ primal stationarity
    local fewer
    large --problem impact --set N=100000 --h 0.1 --steps 10
    fewer=$user
    row_of_large impact 100000 10 "$user" "$(field factorisations)" "$(field analyses)"
    large --problem impact --set N=1000000 --h 0.1 --steps 10
    row_of_large impact 1000000 10 "$user" "$(field factorisations)" "$(field analyses)"
    echo "  (of 10^6 discs one costs $(ratio "$user" "$(awk -v u="$fewer" 'BEGIN { print 10 * u }')") times" \
        "what one of 10^5 does)"
    large --problem crystal --set rows=315 --h 0.005 --steps 20
    whole=$user factors=$(field factorisations) analyses=$(field analyses)
    large --problem crystal --set rows=315 --h 0.005 --steps 40
    row_of_large crystal 49770 40 "$user" "$(field factorisations)" "$(field analyses)"
    row_of_large crystal-end 49770 20 "$(minus "$user" "$whole")" \
        "$(minus "$(field factorisations)" "$factors")" "$(minus "$(field analyses)" "$analyses")"
    large --problem pile --set N=50000 --h 0.05 --horizon 14 --max-time "${PILE_SECONDS:-1800}"
    row_of_large pile 50000 "$(field steps)" "$user" "$(field factorisations)" "$(field analyses)"
    echo "  (factors, analyses: a step; certificates of the whole runs; crystal-end: the last 20 steps;" \
        "pile: to t = $(field t) in steps of 0.05, kinetic energy $(field final))"
}

if [ "$full" = --large ]; then
    large_ones
    exit
fi
ulimit -S -v $((2 * 1024 * 1024))

echo "impact, h = 0.1, $steps steps, discs"
printf '  %6s %9s %16s %8s %12s %11s %10s\n' N "user s" "us/step/body" "ratio" "projections" \
    iterations rows
unit=
for N in "${sizes[@]}"; do
    run impact "$N" 0.1 "$steps"
    each=$(awk -v u="$user" -v n="$N" -v k="$steps" 'BEGIN { printf "%.2f", 1e6 * u / n / k }')
    [ "$N" -eq 2000 ] && unit=$each
    printf '  %6d %9.2f %16.2f %8s %12s %11s %10s\n' "$N" "$user" "$each" \
        "$([ -n "$unit" ] && ratio "$each" "$unit" || echo -)" "$(per "$(field projections)" "$steps")" \
        "$(per "$(field projector_iterations)" "$steps")" "$(per "$(field rows_solved)" "$steps")"
    note bodies "impact-$N" us_per_step_and_body "$each"
    note bodies "impact-$N" rows_per_step "$(per "$(field rows_solved)" "$steps")"
    note bodies "impact-$N" iterations_per_step "$(per "$(field projector_iterations)" "$steps")"
done
echo "  (ratio: to N = 2000; projections, iterations of the projector and rows are per step)"

echo "pile, h = 0.005, discs: the last 50 of $pile_steps steps"
printf '  %6s %12s %16s %9s %9s\n' N "ms a step" "us/step/body" factors/ analyses/
for N in 500 2000; do
    run pile "$N" 0.005 $((pile_steps - 50))
    head=$user factors=$(field factorisations) analyses=$(field analyses)
    run pile "$N" 0.005 "$pile_steps"
    factors=$(per "$(minus "$(field factorisations)" "$factors")" 50)
    analyses=$(share "$(minus "$(field analyses)" "$analyses")" 50)
    awk -v N="$N" -v a="$head" -v b="$user" -v f="$factors" -v n="$analyses" 'BEGIN {
        printf "  %6d %12.2f %16.2f %9s %9s\n", N, 1e3 * (b - a) / 50, 1e6 * (b - a) / 50 / N, f, n }'
    note bodies "pile-$N" factorisations_per_packed_step "$factors"
    note bodies "pile-$N" analyses_per_packed_step "$analyses"
    note bodies "pile-$N" ms_per_packed_step "$(awk -v a="$head" -v b="$user" \
        'BEGIN { printf "%.3f", 1e3 * (b - a) / 50 }')"
done

if [ "$full" = --full ]; then
    ulimit -S -v "$(ulimit -H -v)"
    large_ones
fi

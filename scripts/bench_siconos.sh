#!/usr/bin/env bash
# bench_siconos.sh [--full | --check] - Siconos as a second opinion and as a peer.
#
#   check   step problems written in FCLib's format are solved by Siconos; its velocities must be
#           those of our projector (scripts/siconos_fclib.py says to what). Status 1 if they are not.
#   bench   the same pile of spheres from the same start (scripts/siconos_pile.py): N = 100, with
#           --full also 300 and 500, with ten minutes of processor time for each.
#
# Debian: siconos python3-siconos python3-scipy python3-h5py. Where they are missing it says so and
# succeeds.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
. scripts/bench_lib.sh
need_program

mode=${1:-}
case $mode in
    "" | --full | --check) ;;
    *) echo "bench_siconos.sh: unknown argument '$mode'; allowed: --full, --check" >&2; exit 2 ;;
esac
python=/usr/bin/python3
if ! "$python" -c 'import siconos.numerics, scipy, h5py' 2>/dev/null; then
    echo "skipped: Siconos is not installed (Debian: siconos python3-siconos python3-scipy python3-h5py)"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step_problem() { # step_problem NAME ARG...: one run whose last projection is kept
    local name=$1
    shift
    "$program" run "$@" --record final --fclib "$work/$name.hdf5" >/dev/null || exit 1
}
step_problem impact --problem impact --set N=300 --scheme maury --h 0.1 --steps 2
step_problem pile2 --problem pile --set N=400 --set space=2 --set radius=0.5 --scheme maury --h 0.02 --steps 80
step_problem pile3 --problem pile --set N=300 --set space=3 --set radius=0.5 --scheme venel --h 0.02 --steps 80
step_problem sticky --problem sticky --set N=100 --scheme maury --h 0.5 --steps 2
if [ "$mode" = --check ]; then # and two hundred small ones, from as many starts
    for seed in $(seq 200); do
        step_problem "random-$seed" --problem impact --set N=$((4 + seed % 13)) --set seed="$seed" --scheme maury --h 0.1 --steps $((2 + seed % 5))
        "$program" solve "$work/random-$seed.hdf5" --projector newton --compare >/dev/null || { echo "solve: random-$seed"; exit 1; }
    done
fi
"$python" scripts/siconos_fclib.py "$work"/*.hdf5
status=$?
if [ "$mode" = --check ]; then # Siconos' own motion of a pile, judged
    "$python" scripts/siconos_pile.py --program "$program" --spheres 30 --steps 150 --judge "$work/pile.npz" | grep -v '^No module named siconos'
    [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
    exit "$status"
fi

pile() {
    "$python" scripts/siconos_pile.py --program "$program" ${BENCH_CSV:+--csv "$BENCH_CSV"} "$@" |
        grep -v '^No module named siconos'
    [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
}
pile --spheres 100 --steps 300 --limit "$([ "$mode" = --full ] && echo 600 || echo 120)"
if [ "$mode" = --full ]; then
    pile --spheres 300 --steps 300 --limit 600
    pile --spheres 500 --steps 300 --limit 600
fi
exit "$status"

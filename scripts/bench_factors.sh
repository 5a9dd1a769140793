#!/usr/bin/env bash
# bench_factors.sh - our sparse factor against CHOLMOD with every single-threaded BLAS that is
# installed: Debian's reference (libblas3) and OpenBLAS (libopenblas0-serial), whichever the system
# would pick.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

bad=0
any=
for folder in /usr/lib/*-linux-gnu/blas /usr/lib/*-linux-gnu/openblas-serial; do
    [ -e "$folder/libblas.so.3" ] || continue
    any=1
    LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        build/release/bench/factors "$(basename "$folder")" ${BENCH_CSV:+"$BENCH_CSV"} || bad=1
done
[ -n "$any" ] || { echo "bench_factors.sh: no BLAS found; install libblas3" >&2; exit 1; }
exit "$bad"

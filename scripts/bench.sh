#!/usr/bin/env bash
# bench.sh - all benchmarks, one after the other: one body against a loop written by hand, the
# projectors against each other and against CVXOPT, Ipopt, projected Gauss-Seidel and ADMM, sparse factors against
# CHOLMOD's, cost against the number of bodies, what measuring costs, sweeps on one and two processors, and Siconos on the same
# pile. Ratios are within one run; times are the machine's.
#
#   scripts/bench.sh             some minutes
#   scripts/bench.sh --full      also up to 10^6 bodies, 10^5 stored cases, 500 spheres by Siconos: hours
#   scripts/bench.sh --reference [--full]   also writes results/reference/bench.txt and bench.csv
#
# What is reported is not judged, but for answers that must agree: then the status is 1.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

full=
reference=
for word in "$@"; do
    case $word in
        --full) full=--full ;;
        --reference) reference=results/reference ;;
        *) echo "bench.sh: unknown argument '$word'; allowed: --full, --reference" >&2; exit 2 ;;
    esac
done

version_of() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo none; }

machine() {
    echo "date       $(date -u +%F)"
    echo "revision   $(git describe --always --dirty 2>/dev/null || echo unknown)"
    echo "program    $(build/impactlab --version)"
    echo "system     $(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -srm)"
    echo "processor  $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "memory     $(awk '/MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo)"
    echo "load       $(cut -d' ' -f1-3 /proc/loadavg) when this began"
    echo "compiler   $(${CC:-gcc} --version | head -n 1)"
    echo "packages   libsuitesparse-dev $(version_of libsuitesparse-dev), libgsl-dev" \
        "$(version_of libgsl-dev), siconos $(version_of siconos), python3-cvxopt $(version_of python3-cvxopt)," \
        "coinor-libipopt-dev $(version_of coinor-libipopt-dev)"
}

bad=0
section() { # section TITLE COMMAND...
    printf '\n== %s\n' "$1"
    shift
    "$@" || { bad=1; echo "FAILED: $*"; }
}

all() {
    machine
    section "one body: overhead over a loop written by hand" bash scripts/bench_loop.sh
    section "problems in Lua and their twins in C" build/impactlab sweep scripts/lua_cost.lua --results build/bench/lua
    section "projectors at equal certificate" build/release/bench/projectors ${BENCH_CSV:+"$BENCH_CSV"}
    section "the same step problems by CVXOPT, Ipopt, Gauss-Seidel and ADMM" build/release/bench/peers ${BENCH_CSV:+"$BENCH_CSV"}
    section "sparse factors: ours and CHOLMOD's" bash scripts/bench_factors.sh
    section "cost against the number of bodies" bash scripts/bench_bodies.sh $full
    section "a record with all norms against bare steps" bash scripts/bench_norms.sh
    section "sweeps: small cases, one process and two" bash scripts/bench_sweep.sh $full
    section "Siconos: the same step problems, the same pile" bash scripts/bench_siconos.sh $full
    return "$bad"
}

if [ -z "$reference" ]; then
    all
    exit
fi
mkdir -p "$reference" build/bench
export BENCH_CSV=build/bench/bench.csv
echo "bench,case,quantity,value" >"$BENCH_CSV"
all | tee build/bench/bench.txt
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
    echo "bench.sh: something failed; $reference stays as it was" >&2
    exit "$status"
fi
mv build/bench/bench.txt build/bench/bench.csv "$reference" || exit 2

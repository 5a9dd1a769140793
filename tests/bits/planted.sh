#!/usr/bin/env bash
# planted.sh BUILD - is a mistake of the kind that bits.sh and check_elementary.sh are there for caught?
#
# In a copy of the tree, with the objects of BUILD (a folder like build/dev) to save time, three mistakes
# are planted one after the other: an atan2 of the C library in a step, the same with its results taken
# as the stored ones (then only another variant of the library can tell), and a sum in another order.
set -uo pipefail
build=${1:?usage: planted.sh BUILD}
home=$(cd "$(dirname "$0")/../.." && pwd)
variant=$(basename "$build")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

passed=0
failed=0
verdict() { # verdict NAME FINE: fine is 0
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        echo "  caught: $1"
    else
        failed=$((failed + 1))
        echo "  FAILED, not caught: $1"
    fi
}

# The tree as it is, with objects that are not older than their sources.
(cd "$home" && tar cf - harness problems schemes scripts tests Makefile README.md results/README.md) | tar xf - -C "$work"
if [ -d "$home/$build" ]; then
    mkdir -p "$work/$build"
    cp -a "$home/$build/." "$work/$build/"
fi
cd "$work" || exit 2

rebuild() {
    make --no-print-directory -j"$(nproc)" VARIANT="$variant" "$build/impactlab" >make.out 2>&1 ||
        { cat make.out; echo "planted.sh: the planted tree does not build" >&2; exit 2; }
}

# plant FILE FROM TO: a line of FILE changes, or there is nothing to plant.
plant() {
    cp "$1" kept
    sed -i "s|$2|$3|" "$1"
    ! cmp -s "$1" kept || { echo "planted.sh: $1 has no '$2' any more" >&2; exit 2; }
    rebuild
}

bits() { bash tests/bits/bits.sh "$@" "$build/impactlab" >bits.out 2>&1; }

rebuild
bits --quick || { cat bits.out; echo "planted.sh: the tree differs before anything is planted" >&2; exit 2; }

plant problems/planar/geodesic.c '-turn \* n\[1\] :' '-turn * sin(atan2(n[1], n[0])) :'
! bash scripts/check_elementary.sh >check.out && grep -q 'geodesic.c:.*of the C library' check.out
verdict "atan2 in a step, in the sources" $?
! bash scripts/check_elementary.sh "$build/impactlab" >check.out && grep -q 'impactlab: asks.*atan2' check.out
verdict "atan2 in a step, in the program" $?
cp tests/bits/digests.txt digests.kept
bits --update
! bits --quick && grep -q 'FAILED crowd' bits.out
verdict "atan2 in a step, by another variant of the C library" $?
cp digests.kept tests/bits/digests.txt
cp kept problems/planar/geodesic.c

plant harness/base/rows.h 'for (size_t k = rows->start\[i\]; k < end; k++) {' \
    'for (size_t k = end; k-- > rows->start[i];) {'
! bits --quick && grep -q 'FAILED' bits.out
verdict "a sum in another order: $(grep -c FAILED bits.out) of $(grep -c '^[0-9a-f]' tests/bits/digests.txt) cases, twice" $?

echo "planted.sh: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

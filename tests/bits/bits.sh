#!/usr/bin/env bash
# bits.sh [--quick | --update] PROGRAM... - do small runs give the same bits as ever, whatever the
# machine, its C library's choices and the compiler?
#
# Every case of cases.txt is run; what it leaves (a record without build, seconds and provenance, a script's lines
# and tables) is digested and compared with digests.txt. Each PROGRAM runs once as it is, and once for
# each variant of the mathematical library that differs here (GLIBC_TUNABLES). This tests sameness, not
# truth: a wrong result that is wrong everywhere passes.
#
#   --quick    default and one other variant
#   --update   the first PROGRAM's results become digests.txt
set -uo pipefail
home=$(cd "$(dirname "$0")" && pwd)

mode=full
case "${1:-}" in
    --quick | --update) mode=${1#--}; shift ;;
esac
programs=()
for program in "$@"; do
    programs+=("$(realpath -- "$program")")
    [ -x "$program" ] || { echo "bits.sh: no program at $program; run make first" >&2; exit 2; }
done
[ "${#programs[@]}" -gt 0 ] || { echo "usage: bits.sh [--quick | --update] PROGRAM..." >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t cases < <(grep -v '^#' "$home/cases.txt")

# The digest of one case. Names of programs, builds and times are no part of a result.
digest() { # digest PROGRAM FOLDER CASE
    local program=$1 name=${3%%|*} arguments=${3#*|} status=0
    local here=$2/$name
    mkdir -p "$here"
    cd "$here" || exit 2
    read -ra arguments <<<"$arguments"
    case "${arguments[0]}" in
        run)
            "$program" "${arguments[@]}" --json >raw 2>err
            status=$?
            sed -E 's/, "provenance": \{[^}]*\}//
                    s/"(build|version)": "[^"]*"/"\1": ""/g
                    s/"([a-z_]*seconds)": [-+0-9.e]+/"\1": 0/g
                    s/[{}]|, "/\n"/g' raw | LC_ALL=C sort >all # whatever the order of keys
            ;;
        sweep)
            "$program" sweep "$home/${arguments[1]}" -j 1 --results results >all 2>err
            status=$?
            find results -type f \( -name '*.txt' -o -name '*.csv' -o -name '*.tex' -o -name '*.dat' \) |
                LC_ALL=C sort | xargs -r cat >>all
            ;;
    esac
    if [ "$status" -ne 0 ] || ! [ -s all ]; then
        echo "$name failed with status $status: $(head -c 200 err)" >&2
        echo "failed  $name"
        return
    fi
    printf '%s  %s\n' "$(sha256sum <all | cut -c1-32)" "$name"
}
export -f digest
export home

all() { # all PROGRAM FOLDER: digests of every case in their order
    local jobs
    jobs=$(nproc)
    printf '%s\0' "${cases[@]}" |
        xargs -0 -n 1 -P "$jobs" bash -c 'digest "$0" "$1" "$2"' "$1" "$2" | LC_ALL=C sort -k 2
}

# Settings under which the C library gives other bits than by default, each kind once; the default first.
variants() {
    local probe=$work/probe seen=" " candidate sum
    cat >"$probe.c" <<'END'
#include <math.h>
#include <stdio.h>
#include <string.h>
int main(int n, char **v) {
    unsigned long hash = v != NULL;
    for (int i = n; i < 20000; i++) {
        double x = 0.00123 * i;
        double y[6] = {sin(x), exp(-x), log(x), pow(x, 0.37), atan2(x, 3.0), tan(x)};
        for (int k = 0; k < 6; k++) {
            unsigned long bits;
            memcpy(&bits, &y[k], sizeof bits);
            hash = (hash ^ bits) * 1099511628211UL;
        }
    }
    printf("%lx\n", hash);
    return 0;
}
END
    "${CC:-gcc}" -O1 -ffp-contract=off -o "$probe" "$probe.c" -lm || { echo "bits.sh: no compiler" >&2; exit 2; }
    for candidate in "" "-FMA,-AVX2" "-FMA,-AVX2,-FMA4" "-FMA,-AVX2,-FMA4,-AVX" "-AVX2" "-AVX512F,-AVX512VL" \
        "-AVX2_Usable,-FMA_Usable" "-AVX_Usable,-AVX2_Usable,-FMA_Usable,-FMA4_Usable"; do
        sum=$(GLIBC_TUNABLES=glibc.cpu.hwcaps=$candidate "$probe")
        [[ $seen == *" $sum "* ]] && continue
        seen+="$sum "
        echo "glibc.cpu.hwcaps=$candidate"
    done
}

if [ "$mode" = update ]; then
    all "${programs[0]}" "$work/update" >"$work/digests"
    ! grep '^failed' "$work/digests" || exit 2
    mv "$work/digests" "$home/digests.txt"
    echo "bits.sh: $(wc -l <"$home/digests.txt") digests written"
    exit 0
fi

echo "bits.sh: sameness, not truth: ${#cases[@]} runs against the digests of tests/bits/digests.txt"
mapfile -t settings < <(variants)
[ "$mode" = quick ] && settings=("${settings[@]:0:2}")
[ "${#settings[@]}" -gt 1 ] ||
    echo "  this machine's C library has one variant of its functions only (or knows no tunables)"
passed=0
failed=0
for program in "${programs[@]}"; do
    for setting in "${settings[@]}"; do
        folder=$work/$passed-$failed-${#setting}-$(basename "$(dirname "$program")")
        GLIBC_TUNABLES=$setting all "$program" "$folder" >"$work/now"
        differs=$(LC_ALL=C join -1 2 -2 2 -a 1 -a 2 -o 0,1.1,2.1 -e none "$home/digests.txt" "$work/now" |
            awk '$2 != $3 || $3 == "failed" { print $1 }')
        bad=$(wc -w <<<"$differs")
        good=$(($(wc -l <"$work/now") - bad))
        failed=$((failed + bad))
        passed=$((passed + (good > 0 ? good : 0)))
        echo "  $(realpath --relative-to="$home/../.." "$program") under $setting: $bad of ${#cases[@]} differ"
        for name in $differs; do echo "    FAILED $name"; done
        rm -rf "$folder"
    done
done
echo "bits.sh: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

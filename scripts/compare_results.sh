#!/usr/bin/env bash
# compare_results.sh - do two results folders hold the same numbers, to the last digit?
#
#   scripts/compare_results.sh RESULTS OTHER
#
# Compares, file by file, the records of sweeps (cases), the tables (csv), the data of figures (dat) and
# the outcomes of scripts, all but where records come from (`provenance`) and time that a machine took:
# `seconds` of records, `times` of an outside program, columns of tables and panels of figures that are
# named after it. It says nothing of whether the numbers are right.
# Status 0 if all are the same, 1 if not or one side has what the other lacks, 2 for bad input.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: compare_results.sh RESULTS OTHER" >&2; exit 2; }
for folder in "$1" "$2"; do
    [ -d "$folder" ] || { echo "compare_results.sh: there is no folder '$folder'" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Columns of csv files whose head names a time; the cells of these tables hold no commas.
drop_columns='NR == 1 { for (k = 1; k <= NF; k++) drop[k] = $k ~ /µs|seconds/ }
    { line = ""; for (k = 1; k <= NF; k++) if (!drop[k]) line = line FS $k; print line }'

# Copy what is compared from folder $1 to $2, without times.
prepare() {
    (cd "$1" && find . -path ./report -prune -o \
        \( -path './cases/*.json' -o -path './outcomes/*.json' -o -path './tables/*.csv' -o -path './figures/*.dat' \) \
        -print0) >"$work/list"
    mkdir "$2"
    (cd "$1" && xargs -0r cp --parents -t "$2") <"$work/list"
    find "$2" -path '*/cases/*' -name '*.json' -print0 | xargs -0r sed -i -E 's/, "provenance": ?\{[^}]*\}//; s/"seconds": ?[^,}]*//g; s/"times": ?\{[^}]*\}//; 1s/"sha256": "[0-9a-f]*"//'
    find "$2" -path '*/tables/*' -name '*.csv' -print0 | { xargs -0r grep -lZE '^[^"]*(µs|seconds)' || true; } |
        while IFS= read -r -d '' table; do
            awk -F, "$drop_columns" "$table" >"$table.new" && mv "$table.new" "$table"
        done
    find "$2" -path '*/figures/*' \( -name '*-seconds.dat' -o -name '*-cost.dat' \) -delete
    (cd "$2" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum) >"$3"
}

prepare "$1" "$work/a" "$work/a.sums"
prepare "$2" "$work/b" "$work/b.sums"

[ -s "$work/a.sums" ] || { echo "compare_results.sh: '$1' holds no results" >&2; exit 2; }
diff=$(diff "$work/a.sums" "$work/b.sums" | sed -n 's/^[<>] [0-9a-f]*  //p' | LC_ALL=C sort -u) || true
all=$(wc -l <"$work/a.sums")
if [ -n "$diff" ]; then
    differing=$(wc -l <<<"$diff")
    echo "$differing of $all files differ between $1 and $2, or stand in one of them:"
    head -n 40 <<<"$diff" | sed 's/^\.\//  /'
    [ "$differing" -le 40 ] || echo "  and $((differing - 40)) more"
    exit 1
fi
echo "$all files of records, tables, figures and outcomes are the same in $1 and $2; digest $(sha256sum <"$work/a.sums" | cut -c1-16)"

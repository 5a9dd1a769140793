#!/usr/bin/env bash
# lint.sh - layout (clang-format), defects (clang-tidy, cppcheck, gcc at -O1), who includes and who calls whom, whose
# elementary functions are called, where JSON is made, how long files and functions are. Looks at every C file that git tracks or would track. Goes through all and
# fails at the end if any found something.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

for tool in clang-format clang-tidy cppcheck git; do
    if ! command -v "$tool" >/dev/null; then
        bash scripts/install.sh lint || exit 2
        break
    fi
done

mapfile -t files < <(git ls-files -co --exclude-standard '*.c' '*.h' |
    while read -r file; do [ -e "$file" ] && echo "$file"; done)
[ "${#files[@]}" -gt 0 ] || { echo "lint.sh: git names no C files here" >&2; exit 2; }
sources=()
# Adapters of engines need headers that may not be installed: build.sh compiles them with warnings as errors.
for file in "${files[@]}"; do
    [[ $file == *.c && $file != scripts/external/engines/* ]] && sources+=("$file")
done

# What is generated is needed to parse; the Makefile knows what that is.
generated=build/release/gen
make --no-print-directory VARIANT=release generated >/dev/null || exit 2
read -ra packages < <(pkg-config --cflags gsl lua5.4 jansson sqlite3 hdf5)
flags=(-std=c17 -D_GNU_SOURCE -I. -Iharness/library -I"$generated" "${packages[@]/#-I/-isystem}")

log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
summary=()
bad=0

check() { # check NAME COMMAND...: its output is shown when it fails
    local name=$1
    shift
    if "$@" >"$log/out" 2>&1; then
        summary+=("$name: clean")
    else
        bad=1
        grep -vE '^[0-9]+ warnings? (generated|treated)|^(Suppressed|Use -header)' "$log/out"
        summary+=("$name: $(grep -cE '(warning|error|style|performance|portability):|^a circle|not allowed|only harness|bits differ|; at most' \
            "$log/out") findings")
    fi
}

tidy() {
    printf '%s\0' "${sources[@]}" |
        xargs -0 -n 1 -P "$(nproc)" sh -c 'flags=$1; shift; exec clang-tidy --quiet "$@" -- $flags' \
            sh "${flags[*]}"
}

check clang-format clang-format --dry-run -Werror "${files[@]}"
check clang-tidy tidy
# The manual and the claims are half a million bytes, over which cppcheck would take more than an hour: it is shown the
# first line of each array.
mkdir "$log/gen"
cp "$generated"/*.{def,h} "$log/gen"
for file in "$generated"/*.inc; do
    awk '!/^ *0x/ { n = 0 } /^ *0x/ && n++ { next } { print }' "$file" >"$log/gen/${file##*/}"
done
# cppcheck loses a block that is kept by `w->x = x != NULL ? x : w->x`, and takes the one column of a
# row with n = 1 for an array that is read past its end; the sanitized tests do neither. By more
# than one process it does not look from one file into another.
check cppcheck cppcheck --quiet --suppress=memleak:harness/data/trajectory.c \
    --suppress=memleak:schemes/stepping/working_set.c --suppress=objectIndex:harness/base/rows.h \
    --std=c11 --enable=warning,performance,portability --error-exitcode=1 --inline-suppr \
    --suppress=missingIncludeSystem -D_GNU_SOURCE -I. -Iharness/library -I"$log/gen" "${sources[@]}"
# What -O1 warns of and -O2 does not: the sanitized programs are made by it.
check "warnings at -O1" make --no-print-directory -k -j "$(nproc)" VARIANT=dev program suite
check circles bash scripts/check_circles.sh build/dev
check includes bash scripts/check_includes.sh
check elementary bash scripts/check_elementary.sh
check json bash scripts/check_json.sh
check clock bash scripts/check_clock.sh
check sizes bash scripts/check_sizes.sh
check constants bash scripts/bench_constants.sh --list

printf 'lint: %s\n' "${summary[@]}"
exit "$bad"

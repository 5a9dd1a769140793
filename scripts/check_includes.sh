#!/usr/bin/env bash
# check_includes.sh [DIR] - who includes whom, in the checkout at DIR (default: this one).
#
#   harness/base              harness/base
#   problems                  problems, harness/base
#   schemes/projection        schemes/projection, harness/base
#   schemes                   schemes, problems/problem.h, harness/base
#   harness                   harness, problems/problem.h, schemes/scheme.h,
#                             schemes/projection/projector.h
#   tests                     anything
#
# Lua's headers belong to harness/lua and harness/cli/sweep.c, HDF5's to harness/io/hdf5, GLPK's to
# harness/study/multipliers.c, and the program gnuplot to harness/draw/gnuplot.c; tests may use any of them, as
# judges. Headers are named from the root. Offenders are listed; status 1 if there are any.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

offences=0
offend() {
    echo "$1"
    offences=$((offences + 1))
}

# Is header $2 of our own allowed in file $1?
allowed() {
    case "$1" in
        tests/*) return 0 ;;
        harness/base/*) [[ $2 == harness/base/* ]] ;;
        problems/*) [[ $2 == problems/* || $2 == harness/base/* ]] ;;
        schemes/projection/*) [[ $2 == schemes/projection/* || $2 == harness/base/* ]] ;;
        schemes/*)
            [[ $2 == schemes/* || $2 == problems/problem.h || $2 == harness/base/* ]]
            ;;
        harness/*)
            [[ $2 == harness/* || $2 == problems/problem.h || $2 == schemes/scheme.h ||
                $2 == schemes/projection/projector.h ]]
            ;;
        *) return 1 ;;
    esac
}

# What the build generates lies in no folder.
generated='^(build_id\.h|claims\.inc|(problems|schemes|projectors|suites)\.def)$'

shopt -s nullglob globstar
files=({harness,problems,schemes,tests}/**/*.[ch])
[ "${#files[@]}" -gt 0 ] || { echo "check_includes.sh: no C files in $PWD" >&2; exit 2; }

while IFS=: read -r file line header; do
    if [[ $header == \<* ]]; then
        if [[ $header =~ ^\<(lua[0-9.]*/)?(lua|lualib|lauxlib|luaconf)\.h\> &&
            ! $file =~ ^(tests/|harness/lua/|harness/cli/sweep\.) ]]; then
            offend "$file:$line: only harness/lua and harness/cli/sweep know Lua: $header"
        elif [[ $header =~ ^\<(hdf5|hdf5_hl|H5[A-Za-z]*)\.h\> &&
            ! $file =~ ^(tests|harness/io/hdf5)/ ]]; then
            offend "$file:$line: only harness/io/hdf5 knows HDF5: $header"
        elif [[ $header == "<glpk.h>" && ! $file =~ ^(tests/|harness/study/multipliers\.c$) ]]; then
            offend "$file:$line: of the program only harness/study/multipliers.c knows GLPK: $header"
        elif [[ -e ${header:1:-1} ]]; then
            offend "$file:$line: our own headers stand in quotes: $header"
        fi
        continue
    fi
    name=${header:1:-1}
    if [[ $name =~ $generated ]]; then
        [[ $file =~ ^(harness|tests)/ ]] ||
            offend "$file:$line: generated lists belong to harness and tests: $header"
    elif [[ $name != */* || $name == *..* ]]; then
        offend "$file:$line: headers are named from the root: $header"
    elif ! allowed "$file" "$name"; then
        offend "$file:$line: not allowed here: $header"
    fi
done < <(grep -nHE '^[[:space:]]*#[[:space:]]*include' -- "${files[@]}" |
    sed -E 's/^([^:]*):([0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]*[>"]).*/\1:\2:\3/')

# A string that is the program's name or path, or a command line that begins with it.
while IFS= read -r hit; do
    offend "$hit: only harness/draw/gnuplot.c drives gnuplot"
done < <(grep -nHE '"([^" ]*/)?gnuplot( -[^"]*)?"' -- "${files[@]}" |
    grep -vE '^(tests/|harness/draw/gnuplot\.c:)' | cut -d: -f1,2)

if [ "$offences" -gt 0 ]; then
    echo "check_includes.sh: $offences offences in ${#files[@]} files"
    exit 1
fi
echo "check_includes.sh: ${#files[@]} files keep to their house"

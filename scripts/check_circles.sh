#!/usr/bin/env bash
# check_circles.sh [OBJECTS] - no two files need each other: what is called from where, as the linker sees it, has no
# circle. OBJECTS (default: build/dev) holds the compiled files of harness, problems and schemes, without link-time
# optimisation. Circles are listed; status 1 if there is one.
set -euo pipefail
objects=${1:-$(dirname "$0")/../build/dev}
cd "$objects"

# Beside a checkout (OBJECTS is its build/VARIANT): not what is left of files that are gone.
mapfile -t files < <(find harness problems schemes -name '*.o' 2>/dev/null |
    while read -r file; do [ -e ../../Makefile ] && [ ! -e "../../${file%.o}.c" ] || echo "$file"; done)
[ "${#files[@]}" -gt 0 ] || { echo "check_circles.sh: no objects in $PWD: make all first" >&2; exit 2; }

# Lines "NAME.o:" and, below them, the names that this file defines (T, D, ...) and needs (U).
circles=$(nm -g -P "${files[@]}" | awk '
    /:$/ { file = substr($0, 1, length - 1); sub(/\.o$/, "", file); next }
    $2 == "U" { needs[file, $1]; next }
    NF > 1 { home[$1] = file }
    END {
        for (pair in needs) {
            split(pair, of, SUBSEP)
            if (of[2] in home && home[of[2]] != of[1]) {
                print of[1], home[of[2]]
            }
        }
    }' | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: -: input contains a loop:$/a circle:/; s/^tsort: /  /' || true)
if [ -n "$circles" ]; then
    echo "$circles"
    echo "check_circles.sh: $(grep -c '^a circle' <<< "$circles") circles among ${#files[@]} files; none is allowed"
    exit 1
fi
echo "check_circles.sh: no circle among ${#files[@]} files"

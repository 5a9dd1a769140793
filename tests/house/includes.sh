#!/usr/bin/env bash
# includes.sh - scripts/check_includes.sh sees an offence in every room, a library where it does not
# belong, a folder that is no room, and cycles between files; and the checkout has none.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=$PWD/scripts/check_includes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# look - what the check says of the tree, in $out; it fails.
look() {
    ! out=$(bash "$check" "$tree") || out=
}

# said WHAT TEXT - a line of it has TEXT.
said() {
    if ! grep -qF -- "$2" <<< "$out"; then
        echo "includes.sh: not seen: $1 ($2)"
        failures=$((failures + 1))
    fi
}

# expect WHAT TEXT - both.
expect() {
    look
    said "$@"
}

# plant FILE LINE... - the file with these lines, in the tree.
plant() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" > "$tree/$1"
}

bash "$check" || failures=1
find harness problems schemes tests -name '*.[ch]' -print0 | xargs -0 cp --parents -t "$tree"
bash "$check" "$tree" > /dev/null || { echo "includes.sh: a copy of the checkout offends"; failures=1; }

# In every room a header of a room that stands below it, or of one that nobody sees past its face: all in one
# look at the tree, as each offence has its own line.
rooms=$(bash "$check" --rooms)
[ "$(wc -l <<< "$rooms")" -ge 30 ] || { echo "includes.sh: the rooms are not listed"; failures=1; }
for room in $rooms; do
    far=harness/cli/cli.h
    [ "$room" = harness/cli ] && far=problems/spheres/pairs.h
    plant "$room/planted.c" "#include \"$far\""
done
look
for room in $rooms; do
    said "a header of a far room in $room" "$room/planted.c:1: not allowed here"
    rm "$tree/$room/planted.c"
done

plant harness/attic/planted.c '#include "harness/base/text.h"'
expect 'a folder that is no room' 'harness/attic/planted.c:1: this folder is no room of the table'
rm -r "$tree/harness/attic"

libraries=(lua.h hdf5.h glpk.h gmp.h suitesparse/amd.h suitesparse/cholmod.h)
plant harness/run/planted.c "${libraries[@]/#/#include <}"
sed -i 's/$/>/' "$tree/harness/run/planted.c"
cat >> "$tree/harness/run/planted.c" << 'END'
#include <harness/base/text.h>
#include "../base/text.h"
static const char command[] = "gnuplot -d";
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
 * as a run has them (gone.h).
END
plant schemes/planted.c '#include "schemes.def"'
look
for k in "${!libraries[@]}"; do
    said "the library ${libraries[k]}" "harness/run/planted.c:$((k + 1)): the library is not known here"
done
said 'our own header in angles' 'harness/run/planted.c:7: our own headers stand in quotes'
said 'a path from nowhere' 'harness/run/planted.c:8: headers are named from the root'
said 'gnuplot' 'harness/run/planted.c:9: only harness/draw/gnuplot.c drives gnuplot'
said 'a reader of HDF5' 'harness/run/planted.c:10: only harness/io/hdf5 reads HDF5, in a child'
said 'a comment that leads nowhere' 'harness/run/planted.c:11: there is no file of this name: gone.h'
said 'a generated list' 'schemes/planted.c:1: generated lists belong to harness and tests'
rm "$tree/harness/run/planted.c" "$tree/schemes/planted.c"

# Two headers, and three files of which one is a source that goes by its header's name.
plant harness/base/one.h '#include "harness/base/two.h"'
plant harness/base/two.h '#include "harness/base/one.h"'
expect 'two headers that include each other' 'cycle: harness/base/'
rm "$tree/harness/base/two.h"
plant harness/base/one.h '#include <stddef.h>'
plant harness/base/one.c '#include "harness/base/two.h"'
plant harness/base/two.h '#include "harness/base/three.h"'
plant harness/base/three.h '#include "harness/base/one.h"'
expect 'a cycle through a source' 'cycle: harness/base/'

[ "$failures" -eq 0 ] && echo 'includes.sh: every planted offence is seen' || exit 1

#!/usr/bin/env bash
# includes.sh - scripts/check_includes.sh sees an offence in every room, a library where it does not
# belong, a folder that is no room, and cycles between files; and the checkout has none.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=$PWD/scripts/check_includes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect WHAT TEXT - the check of the tree fails and a line of it has TEXT.
expect() {
    local out
    if out=$(bash "$check" "$tree") || ! grep -qF -- "$2" <<< "$out"; then
        echo "includes.sh: not seen: $1 ($2)"
        failures=$((failures + 1))
    fi
}

# plant FILE LINE... - the file with these lines, in the tree.
plant() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" > "$tree/$1"
}

bash "$check" || failures=1
find harness problems schemes tests -name '*.[ch]' -print0 | xargs -0 cp --parents -t "$tree"
bash "$check" "$tree" > /dev/null || { echo "includes.sh: a copy of the checkout offends"; failures=1; }

# In every room a header of a room that stands below it, or of one that nobody sees past its face.
for room in $(bash "$check" --rooms); do
    far=harness/cli/cli.h
    [ "$room" = harness/cli ] && far=problems/spheres/pairs.h
    plant "$room/planted.c" "#include \"$far\""
    expect "a header of a far room in $room" "$room/planted.c:1: not allowed here"
    rm "$tree/$room/planted.c"
done

plant harness/attic/planted.c '#include "harness/base/text.h"'
expect 'a folder that is no room' 'harness/attic/planted.c:1: this folder is no room of the table'
rm -r "$tree/harness/attic"

for library in lua.h hdf5.h glpk.h gmp.h suitesparse/amd.h suitesparse/cholmod.h; do
    plant harness/run/planted.c "#include <$library>"
    expect "the library $library" 'harness/run/planted.c:1: the library is not known here'
done
plant harness/run/planted.c '#include <harness/base/text.h>'
expect 'our own header in angles' 'our own headers stand in quotes'
plant harness/run/planted.c '#include "../base/text.h"'
expect 'a path from nowhere' 'headers are named from the root'
plant harness/run/planted.c 'static const char command[] = "gnuplot -d";'
expect 'gnuplot' 'only harness/draw/gnuplot.c drives gnuplot'
plant harness/run/planted.c '    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);'
expect 'a reader of HDF5' 'only harness/io/hdf5 reads HDF5, in a child'
plant harness/run/planted.c ' * as a run has them (gone.h).'
expect 'a comment that leads nowhere' 'harness/run/planted.c:1: there is no file of this name: gone.h'
plant schemes/planted.c '#include "schemes.def"'
expect 'a generated list' 'generated lists belong to harness and tests'
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

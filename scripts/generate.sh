#!/usr/bin/env bash
# generate.sh - the files that are made before anything is compiled. Called by the Makefile alone.
#
#   generate.sh OUTPUT list NAME...       one X(NAME) a line: the members of a family
#   generate.sh OUTPUT library FILE...    the part of the Lua module that is written in Lua, and
#   generate.sh OUTPUT claims FILE...     the scripts of the claims: as bytes, and a table of them
#   generate.sh OUTPUT page FOLDER        style, script and maker of the report's page, line by line
#   generate.sh OUTPUT manual STYLE PAGE...   the pages of the manual and their style, as bytes
#   generate.sh OUTPUT toolchain          the compiler, its flags, the versions of the libraries
#   generate.sh OUTPUT build_id FILE...   the sum of these files and of the toolchain
#   generate.sh OUTPUT provenance         what records say of the program's build
#
# An output is replaced only where it changes, so that nothing is compiled for a file that stayed. The
# last three read CC, FLAGS and VERSION from the environment.
set -euo pipefail
output=$1 kind=$2
shift 2
mkdir -p "$(dirname "$output")"

bytes() { # bytes NAME FILE...: an array of C; it ends with a zero
    printf 'static const unsigned char %s[] = {\n' "$1"
    shift
    cat "$@" | od -An -v -tx1 | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
    printf '0};\n'
}

files() { # files NAME FILE...: the bytes of each, and the table NAME_files
    local name=$1 f
    shift
    for f in "$@"; do bytes "${name}_$(basename "$f" .lua)" "$f"; done
    printf 'static const struct { const char *name; const unsigned char *text; size_t size; } %s_files[] = {\n' "$name"
    for f in "$@"; do
        f=$(basename "$f" .lua)
        printf '{"%s", %s_%s, sizeof %s_%s - 1},\n' "$f" "$name" "$f" "$name" "$f"
    done
    printf '};\n'
}

# The policy of the page allows the one script that has this sum.
page() {
    local file kind sum
    for kind in css js lua names; do
        file=page.$kind
        [ "$kind" != names ] || file=page_names.lua
        printf 'static const char *const PAGE_%s[] = {\n' "${kind^^}"
        sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n",/' "$1/$file"
        printf 'NULL};\n'
    done
    sum=$(sha256sum "$1/page.js" | cut -c1-64 | sed 's/../\\x&/g')
    # shellcheck disable=SC2059 # the sum's bytes are given as escapes
    printf '#define PAGE_JS_SHA256 "%s"\n' "$(printf "$sum" | base64)"
}

manual() {
    local style=$1 n f
    shift
    bytes page_style "$style"
    n=0
    for f in "$@"; do bytes "page_$((++n))" "$f"; done
    printf 'static const il_page page_files[] = {\n'
    n=0
    for f in "$@"; do
        printf '{"%s", (const char *)page_%d, sizeof page_%d - 1},\n' "$f" $((++n)) $n
    done
    printf '};\n'
}

# glpk, gmp and amd tell their versions in headers alone.
header_versions() {
    printf '%s\n' '#include <glpk.h>' '#include <gmp.h>' '#include <suitesparse/amd.h>' \
        'GLP_MAJOR_VERSION GLP_MINOR_VERSION __GNU_MP_VERSION __GNU_MP_VERSION_MINOR __GNU_MP_VERSION_PATCHLEVEL AMD_VERSION' |
        $CC -E -P -x c - | tail -n 1
}

toolchain() {
    $CC --version | head -n 1
    echo "$FLAGS"
    pkg-config --modversion gsl lua5.4 jansson hdf5
    header_versions
}

# What a stored result depends on: the sources, the compiler and its flags, and the libraries whose numbers
# enter records. Another build has another id, and another key in the store.
build_id() {
    printf '#define IL_VERSION "%s"\n#define IL_BUILD_ID "%s"\n' "$VERSION" \
        "$({ cat "$@"; toolchain; } | sha256sum | cut -c1-16)"
}

# Not part of the build id: no result depends on the commit. Only this folder's own git is asked; a
# tarball has its commit in a file.
provenance() {
    local revision='' dirty=false library spell='s/[\\"]/\\&/g'
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
        revision=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
        git --no-optional-locks diff --quiet HEAD -- 2>/dev/null || dirty=true
    elif [ -r REVISION ]; then
        revision=$(head -c 12 REVISION)
    fi
    printf '#define IL_BUILT_VERSION "%s"\n#define IL_BUILT_REVISION "%s"\n#define IL_BUILT_DIRTY %s\n' \
        "$VERSION" "$revision" "$dirty"
    printf '#define IL_BUILT_COMPILER "%s"\n' "$($CC --version | head -n 1 | sed "$spell")"
    printf '#define IL_BUILT_FLAGS "%s"\n' "$(echo "$FLAGS" | sed "$spell")"
    printf '#define IL_BUILT_LIBRARIES "%s"\n' "$({
        for library in gsl lua5.4 jansson sqlite3 hdf5; do
            echo "$library $(pkg-config --modversion "$library")"
        done
        header_versions |
            sed -E 's/([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +\(\(([0-9]+)\)[^0-9]*1000[^0-9]*([0-9]+).*/glpk \1.\2\ngmp \3.\4.\5\namd \6.\7/'
    } | paste -sd, | sed 's/,/, /g' | sed "$spell")"
}

case $kind in
list) printf 'X(%s)\n' "$@" ;;
library) files library "$@" ;;
claims) files claim "$@" ;;
page | manual | toolchain | build_id | provenance) "$kind" "$@" ;;
*) echo "generate.sh: '$kind' is not known" >&2; exit 2 ;;
esac >"$output.new"
if cmp -s "$output" "$output.new"; then rm "$output.new"; else mv "$output.new" "$output"; fi

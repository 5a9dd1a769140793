#!/usr/bin/env bash
# put.sh - where an installation has what.
#
#   scripts/put.sh install PROGRAM MODULE ROOT VERSION    ROOT is DESTDIR and PREFIX in one
#   scripts/put.sh uninstall ROOT
#
#   ROOT/bin/impactlab                  finds the others from where it is: the whole may be moved
#   ROOT/lib/impactlab/                 the module that writes HDF5 files
#   ROOT/share/impactlab/scripts/       scripts that `impactlab sweep NAME.lua` finds
#   ROOT/lib/libimpactlab.so.0, include/impactlab.h, lib/pkgconfig/impactlab.pc    the library, which stands
#                                       beside PROGRAM; lib/pythonX.Y/dist-packages/impactlab: for Python
#   ROOT/share/man/man1/
#   ROOT/share/doc/impactlab/           CHANGELOG, LICENSE; html/: the manual
#   ROOT/share/impactlab/installed      the files above, which uninstall removes and nothing else
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "put.sh: $*" >&2
    exit 2
}

root=
list=share/impactlab/installed

put() { # put MODE FILE PLACE: and note it
    install -D -m "$1" "$2" "$root/$3" || fail "cannot write $root/$3"
    printf '%s\n' "$3" >>"$work/list"
}

# Where Python of this system looks below a prefix; Debian's own prefix has one folder for all versions.
python_place() {
    local version
    version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || version=3
    case $root in */usr | /usr) version=3 ;; esac
    echo "lib/python$version/dist-packages/impactlab"
}

put_library() { # put_library LIBRARY VERSION
    local place
    [ -r "$1" ] || fail "no library at $1; run make library first"
    cp "$1" "$work/libimpactlab.so.0"
    strip --strip-unneeded "$work/libimpactlab.so.0"
    put 644 "$work/libimpactlab.so.0" lib/libimpactlab.so.0
    ln -sfn libimpactlab.so.0 "$root/lib/libimpactlab.so" && echo lib/libimpactlab.so >>"$work/list"
    put 644 harness/library/impactlab.h include/impactlab.h
    cat >"$work/impactlab.pc" <<END
prefix=\${pcfiledir}/../..
Name: impactlab
Description: time-stepping schemes of contact dynamics, refereed
Version: $2
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -limpactlab
END
    put 644 "$work/impactlab.pc" lib/pkgconfig/impactlab.pc
    place=$(python_place)
    for file in harness/library/python/impactlab/*.py; do put 644 "$file" "$place/${file##*/}"; done
    put 644 harness/library/impactlab.h "$place/impactlab.h"
    for file in scripts/c/*.c; do put 644 "$file" "share/impactlab/examples/${file##*/}"; done
    for file in scripts/python/*.*; do put 644 "$file" "share/impactlab/examples/${file##*/}"; done
}

install_all() { # install_all PROGRAM MODULE VERSION
    local file
    [ -x "$1" ] && [ -r "$2" ] || fail "no program at $1 with $2; run make first"
    cp "$1" "$work/impactlab"
    cp "$2" "$work/impactlab_hdf5.so"
    strip --strip-unneeded "$work/impactlab" "$work/impactlab_hdf5.so"
    "$1" help --man >"$work/impactlab.1"
    "$1" help --html "$work/html"
    sed -i 's#build/impactlab#impactlab#g' "$work"/html/*.html # there is no build folder
    put 755 "$work/impactlab" bin/impactlab
    put 644 "$work/impactlab_hdf5.so" lib/impactlab/impactlab_hdf5.so
    for file in scripts/*.lua scripts/problems/*.lua scripts/external/*.* scripts/siconos_pile.py; do put 644 "$file" "share/impactlab/$file"; done
    for file in scripts/slurm/*.sh; do put 755 "$file" "share/impactlab/$file"; done
    put_library "$(dirname "$1")/libimpactlab.so.0" "$3"
    put 644 "$work/impactlab.1" share/man/man1/impactlab.1
    for file in CHANGELOG.md LICENSE; do put 644 "$file" "share/doc/impactlab/$file"; done
    for file in "$work"/html/*.html; do put 644 "$file" "share/doc/impactlab/html/${file##*/}"; done
    printf '%s\n' "$list" >>"$work/list"
    install -m 644 "$work/list" "$root/$list"
}

uninstall_all() {
    local file
    [ -r "$root/$list" ] || fail "nothing of ours is installed below $root: there is no $root/$list"
    while IFS= read -r file; do
        case $file in /* | *..*) fail "$root/$list names '$file', which no installation has" ;; esac
        rm -f "$root/$file"
    done < <(cat "$root/$list")
    for file in "$root"/lib/python3*/dist-packages/impactlab; do
        rm -rf "$file/__pycache__"
        rmdir --ignore-fail-on-non-empty "$file" 2>/dev/null || true
    done
    for file in share/impactlab/examples share/doc/impactlab/html share/doc/impactlab share/impactlab/scripts/problems share/impactlab/scripts/external share/impactlab/scripts/slurm share/impactlab/scripts share/impactlab lib/impactlab; do
        rmdir --ignore-fail-on-non-empty "$root/$file" 2>/dev/null || true
    done
}

case "${1:-}:$#" in
    install:5) root=$4 ;;
    uninstall:2) root=$2 ;;
    *) fail "install PROGRAM MODULE ROOT VERSION, or uninstall ROOT" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$1" = install ]; then
    install_all "$2" "$3" "$5"
    echo "installed $(wc -l <"$work/list") files below ${root:-/}"
else
    uninstall_all
    echo "uninstalled from ${root:-/}"
fi

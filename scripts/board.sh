#!/usr/bin/env bash
# board.sh - the board of the catalogue, and of the engines that are installed:
#
#   scripts/board.sh PROGRAM FOLDER JOBS ENGINES [OPTION...]        make board: results/board, build/engines
#
# Options are those of `impactlab board`; --schemes among them stands for the catalogue.
# Every adapter in ENGINES is a row, under its name and the version of its package, if it makes eight steps of a ball;
# adapters of npm and of Python run by node and python3. FOLDER/index.html is the page.
set -uo pipefail
program=${1:?board.sh: the program}
folder=${2:?board.sh: the folder}
jobs=${3:-1}
engines=${4:-}
build=$(dirname "$0")/external/engines/build.sh
options=("${@:5}")
rows=()
[[ " ${options[*]} " == *" --schemes "* ]] || rows=(--schemes catalogue)
[[ " ${options[*]} " == *" --question-time "* ]] || options+=(--question-time 60)

version() { # version NAME: of the package that build.sh names for it
    local package
    package=$(sed -n "s/^adapter $1 [^ ]* \([^ ]*\) .*/\1/p; s/^driven $1 \([^ ]*\) .*/\1/p" "$build")
    if [ -n "$package" ]; then
        dpkg-query -W -f '${Version}' "$package" 2>/dev/null | sed 's/^[0-9]*://; s/[-+~].*//'
        return
    fi
    package=$(sed -n "s/^script $1 //p" "$build")
    [ -z "$package" ] || sed -n 's/^[[:space:]]*"version": *"\([^"]*\)".*/\1/p' "$engines/node_modules/$package/package.json" 2>/dev/null | head -n 1
}

for file in "$engines"/*; do
    name=${file##*/}
    case $name in
        adapter.*) continue ;;
        *.mjs) command="node $file" ;;
        yade.py) command="yade -n -x $file" ;;
        *.py) command="python3 $file" ;;
        *) [ -f "$file" ] && [ -x "$file" ] || continue && command=$file ;;
    esac
    name=${name%.*} of=$(version "${name%.*}") between=
    case $name in # what their velocities are: the adapters' heads
        chipmunk) between=,between=constant ;;
        liggghts) between=,between=ballistic ;;
    esac
    scheme="exec:name=$name${of:+-$of}$between:$command"
    if "$program" run --problem bouncing_ball --scheme "$scheme" --steps 8 --norms none --quiet >/dev/null 2>&1; then
        rows+=(--schemes "$scheme")
    else
        echo "board.sh: $name does not make eight steps of a ball, and is left out" >&2
    fi
done
exec "$program" board "${rows[@]}" --out "$folder" -j "$jobs" "${options[@]}"

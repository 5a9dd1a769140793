#!/usr/bin/env bash
# rebuilt.sh - objects are of the flags and the compiler that the build id names: with others they are compiled anew,
# with the same ones they are not.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

object=$work/build/harness/base/clock.o
build() { # build ARG...: what make says
    env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory VARIANT=release B="$work/build" "$@" "$object" 2>&1
}
compiled() { grep -c 'harness/base/clock\.c$' <<<"$1"; }

first=$(build)
verdict "an object is compiled" "$([ "$(compiled "$first")" -eq 1 ] && [ -s "$object" ] || echo "$first")"
again=$(build)
verdict "and not again" "$([ "$(compiled "$again")" -eq 0 ] || echo "$again")"
other=$(build OPT_release=-O1)
verdict "but by other flags" "$([ "$(compiled "$other")" -eq 1 ] || echo "it stayed")"
verdict "which the build id names" "$(grep -q -- ' -O1' "$work/build/gen/toolchain" || echo "flags are not in it")"
back=$(build)
verdict "and by those of before" "$([ "$(compiled "$back")" -eq 1 ] || echo "it stayed")"

conclude

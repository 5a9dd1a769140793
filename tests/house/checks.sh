#!/usr/bin/env bash
# checks.sh - each of scripts/check_*.sh passes the checkout, and sees an offence that is planted in a copy.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

root=$PWD
find harness problems schemes tests -name '*.[ch]' -print0 | xargs -0 cp --parents -t "$work"
for check in includes json clock sizes; do
    verdict "check_$check.sh passes the checkout" "$(bash "scripts/check_$check.sh" 2>&1 >"$work/said" || cat "$work/said")"
done

sees() { # sees CHECK TEXT FILE LINE...: with the lines as FILE the check fails and says TEXT
    local check=$1 text=$2 file=$work/$3
    shift 3
    mkdir -p "$(dirname "$file")"
    printf '%s\n' "$@" >"$file"
    bash "$root/scripts/check_$check.sh" "$work" >"$work/said" 2>&1
    verdict "check_$check.sh sees: $1" "$([ $? -eq 1 ] && grep -qF -- "$text" "$work/said" || echo "it does not say '$text'")"
    rm "$file"
}

for room in $(bash scripts/check_includes.sh --rooms); do
    far=harness/cli/cli.h
    [ "$room" = harness/cli ] && far=problems/spheres/pairs.h
    sees includes "$room/planted.c:1: not allowed here" "$room/planted.c" "#include \"$far\""
done
sees includes "is no room" harness/attic/planted.c '#include "harness/base/text.h"'
for library in lua.h hdf5.h glpk.h gmp.h suitesparse/amd.h suitesparse/cholmod.h cmark-gfm.h; do
    sees includes "the library is not known here" harness/run/planted.c "#include <$library>"
done
sees includes "generated lists belong to harness and tests" schemes/planted.c '#include "schemes.def"'
mv "$work/harness/base/text.h" "$work/text.h"
printf '#include "harness/base/two.h"\n' | cat - "$work/text.h" >"$work/harness/base/text.h"
sees includes "cycle: harness/base/" harness/base/two.h '#include "harness/base/text.h"'
mv "$work/text.h" "$work/harness/base/text.h"

planted=harness/run/planted.c
sees json "$planted:1: not allowed outside" $planted '    (void)json_object_set_new(object, "h", json_real(h));'
sees json "$planted:1: not allowed outside" $planted '    char *text = json_dumps(object, 0);'
sees json "$planted:1: not allowed: what was made" $planted '    (void)json_pack("{s:i}", "n", 1);'
sees clock "$planted:1: not allowed" $planted '    (void)clock_gettime(CLOCK_REALTIME, &now);'
sees clock "$planted:1: not allowed" $planted '    time_t now = time(NULL);'

objects=$work/objects
mkdir -p "$objects/harness"
compiled() { # compiled NAME TEXT: a file of the house that has this text
    printf '%s\n' "$2" | ${CC:-cc} -x c -c -o "$objects/harness/$1.o" -
}
compiled one 'void two(void); void one(void) { two(); }'
compiled two 'void two(void) { }'
holds "check_circles.sh passes files that need each other one way" bash scripts/check_circles.sh "$objects"
compiled two 'void one(void); void two(void) { one(); }'
bash scripts/check_circles.sh "$objects" >"$work/said" 2>&1
verdict "check_circles.sh sees two files that need each other" "$([ $? -eq 1 ] && grep -q harness/two "$work/said" || echo "it does not")"

statements() { yes '    x += 1;' | head -n "$1"; }
sees sizes "$planted:1: f has 61 lines" $planted 'int f(int x) {' "$(statements 58)" '    return x;' '}'
sees sizes "$planted: 501 lines" $planted "$(yes 'extern int x;' | head -n 501)"
sees sizes "$planted:1: 101 columns" $planted "/* $(printf 'x%.0s' {1..95}) */"
printf '%s\n' 'int f(int x) {' "$(statements 57)" '    return x;' '}' 'static const int table[] = {' \
    "$(yes '    1,' | head -n 600)" '};' >"$work/$planted"
holds "check_sizes.sh passes a function of 60 lines and a long table" bash scripts/check_sizes.sh "$work"
conclude

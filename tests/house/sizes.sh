#!/usr/bin/env bash
# sizes.sh - scripts/check_sizes.sh sees a file, functions and lines that are too large, counts no tables; and
# the checkout has neither.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=$PWD/scripts/check_sizes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# lines N TEXT - N such lines.
lines() {
    yes "$2" | head -n "$1" || true
}

# plant LINE... - the tree's one file has these lines.
plant() {
    mkdir -p "$tree/harness/base"
    printf '%s\n' "$@" > "$tree/harness/base/planted.c"
}

# expect WHAT TEXT - the check of the tree fails and says TEXT; TEXT empty: it passes.
expect() {
    local out status=0
    out=$(bash "$check" "$tree") || status=$?
    if [ -z "$2" ] && [ "$status" -eq 0 ]; then
        return
    fi
    if [ -z "$2" ] || [ "$status" -ne 1 ] || ! grep -qF -- "$2" <<< "$out"; then
        echo "sizes.sh: $1: status $status, $out"
        failures=$((failures + 1))
    fi
}

bash "$check" || failures=1

statements() { lines "$1" '    x += 1;'; }
plant 'int f(int x) {' "$(statements 57)" '    return x;' '}'
expect 'a function of 60 lines' ''
plant 'int f(int x) {' "$(statements 58)" '    return x;' '}'
expect 'a function of 61 lines' 'harness/base/planted.c:1: f has 61 lines'
plant 'static const char *long_name(int x,' '                            int y) {' "$(statements 57)" \
    '    return NULL;' '}'
expect 'a function whose head goes on' 'long_name has 61 lines'
plant "$(lines 500 'extern int x;')"
expect 'a file of 500 lines' ''
plant "$(lines 501 'extern int x;')"
expect 'a file of 501 lines' 'harness/base/planted.c: 501 lines'
wide() { printf '/* %*s */' "$1" '' | tr ' ' x | sed 's/^..x/\/* /; s/x..$/ *\//'; }
plant "$(wide 94)"
expect 'a comment of 100 columns' ''
plant "$(wide 95)"
expect 'a comment of 101 columns' 'harness/base/planted.c:1: 101 columns; at most 100'
plant "$(wide 94 | sed 's/xx/éé/')"
expect 'a comment of 100 columns and more bytes' ''
plant 'static const int table[] = {' "$(lines 600 '    1,')" '};'
expect 'a table' ''

[ "$failures" -eq 0 ] && echo 'sizes.sh: what is too large is seen' || exit 1

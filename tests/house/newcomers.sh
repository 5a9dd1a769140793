#!/usr/bin/env bash
# newcomers.sh - the norm that CONTRIBUTING.md shows compiles as it stands there.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { shown = 1; next } /^```$/ { shown = 0 } shown' CONTRIBUTING.md > "$work/norm.c"
[ -s "$work/norm.c" ] || { echo "newcomers.sh: CONTRIBUTING.md shows no norm"; exit 1; }
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I. -fsyntax-only "$work/norm.c"
echo 'newcomers.sh: the norm of CONTRIBUTING.md compiles'

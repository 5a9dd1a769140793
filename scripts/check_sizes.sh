#!/usr/bin/env bash
# check_sizes.sh [DIR] - a function fits on a screen, 60 lines with its head, a file has at most 500 lines,
# and a line 100 columns (in comments too, which clang-format leaves alone), in the checkout at DIR (default:
# this one). A table, the braces of a `static const` that hold no function, is not counted. Offenders are listed; status 1 if there is one.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

shopt -s nullglob globstar
files=({harness,problems,schemes,tests}/**/*.[ch])
[ "${#files[@]}" -gt 0 ] || { echo "check_sizes.sh: no C files in $PWD" >&2; exit 2; }

# clang-format puts the first line of a definition and its last brace, and nothing else of it, at the
# left margin; a parameter list may go on over indented lines.
offences=$(LC_ALL=C awk -v LINES=500 -v SCREEN=60 -v COLUMNS=100 '
    function close_file() {
        if (file != "" && total - tables > LINES) {
            print file ": " total - tables " lines; at most " LINES
        }
    }
    FNR == 1 { close_file(); file = FILENAME; tables = 0; inside = 0 }
    { total = FNR }
    length($0) > 100 {
        line = $0
        gsub(/[\200-\277]/, "", line) # in bytes: of a letter the first counts
        if (length(line) > COLUMNS) {
            print file ":" FNR ": " length(line) " columns; at most " COLUMNS
        }
    }
    /^[a-zA-Z_]/ { first = FNR; head = $0 }
    /\{$/ && !inside && first > 0 && (FNR == first || /^ /) { inside = 1; table = head ~ /(=|\[\]) *\{?$/ || head ~ /^(static )?const .*= \{$/ }
    /^}/ && inside {
        size = FNR - first + 1
        if (table) {
            tables += size
        } else if (head ~ /\(/ && size > SCREEN) {
            name = head
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            print file ":" first ": " name " has " size " lines; at most " SCREEN
        }
        inside = 0
        first = 0
    }
    END { close_file() }' "${files[@]}")
if [ -n "$offences" ]; then
    echo "$offences"
    echo "check_sizes.sh: $(wc -l <<< "$offences") too large, of ${#files[@]} files"
    exit 1
fi
echo "check_sizes.sh: ${#files[@]} files and their functions fit"

#!/usr/bin/env bash
# check_json.sh [DIR] - JSON is whole or is not there, in the checkout at DIR (default: this one).
#
# jansson's functions that put a value into another, and those that write text, tell by what they return
# that memory ran out, its copies do not, and its reader aborts; a record that lacks a field because
# nobody looked is a wrong result. So only harness/base/json.c, whose builder remembers the first failure,
# calls them, and what json_pack and json_sprintf return is never thrown away. Every offence is listed
# with its place; status 1 if there is one.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

shopt -s nullglob globstar
files=({harness,problems,schemes}/**/*.[ch])
[ "${#files[@]}" -gt 0 ] || { echo "check_json.sh: no C files in $PWD" >&2; exit 2; }

offences=$(
    grep -nHE '\bjson_(object_(set|update)[a-z_]*|array_(append|insert|set|extend)[a-z_]*|dump[a-z_]*|load[a-z_]*|copy|deep_copy)[[:space:]]*\(' \
        -- "${files[@]}" | grep -v '^harness/base/json\.c:' | cut -d: -f1,2 |
        sed 's/$/: not allowed outside harness\/base\/json.c: its result can be ignored/' || true
    # A call that begins a statement.
    awk 'FNR == 1 { begins = 1 }
         begins && /^[[:space:]]*(\(void\)[[:space:]]*)?json_v?(pack|sprintf)(_ex)?[[:space:]]*\(/ {
             print FILENAME ":" FNR ": not allowed: what was made is thrown away"
         }
         NF { begins = /[;{}]$|\*\/$/ }' "${files[@]}"
)
if [ -n "$offences" ]; then
    echo "$offences"
    echo "check_json.sh: $(wc -l <<< "$offences") offences in ${#files[@]} files"
    exit 1
fi
echo "check_json.sh: ${#files[@]} files build JSON through harness/base/json.h"

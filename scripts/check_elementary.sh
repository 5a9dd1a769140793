#!/usr/bin/env bash
# check_elementary.sh [PROGRAM] [DIR] - nobody calls a function of the C library's mathematics whose last
# bit depends on the processor: harness/base/elementary.h has them all.
#
# The sources in DIR (default: this checkout) are searched for calls of such functions;
# those that IEEE 754 or the C standard fix to the bit (sqrt, floor, rint, fmod, remainder, frexp, ldexp,
# fmin...) are free. fma is exact, but slow where the processor lacks it, and fused arithmetic has other
# bits than plain: not allowed either. The tests are judges and may use what they like. PROGRAM must not
# ask the C library for any of them, whatever archive they came from: this is what keeps GSL's and Lua's
# calls out. Offenders are listed; status 1 if there are any.
set -euo pipefail
program=${1:-}
[ -z "$program" ] || program=$(realpath -- "$program")
cd "${2:-$(dirname "$0")/..}"

functions='a?(sin|cos|tan)h?|atan2|exp|exp2|exp10|pow10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sincos'
functions+='|(sin|cos|tan)pi|erfc?|[lt]gamma(_r)?|gamma|j[01n]|y[01n]|fma|c(exp|log|pow|sin|cos|tan|abs|arg|sqrt)'
offences=0
offend() {
    echo "$1"
    offences=$((offences + 1))
}

shopt -s nullglob globstar
files=({harness,problems,schemes}/**/*.[ch])
[ "${#files[@]}" -gt 0 ] || { echo "check_elementary.sh: no C files in $PWD" >&2; exit 2; }

# Comments and strings speak of sines freely: they are blanked before the search, lines kept.
blank='
BEGIN { RS = "^$" }
{
    text = $0; out = ""
    while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\/|\/\/[^\n]*|"([^"\\\n]|\\.)*"|'"'([^'\\\\\\\\\\n]|\\\\\\\\.)'"'/)) {
        hidden = substr(text, RSTART, RLENGTH)
        gsub(/[^\n]/, " ", hidden)
        out = out substr(text, 1, RSTART - 1) hidden
        text = substr(text, RSTART + RLENGTH)
    }
    printf "%s%s", out, text
}'
# Most files have no such name before a parenthesis, or before a comment that may stand between: one look at all.
mapfile -t suspects < <(grep -lE "(^|[^A-Za-z0-9_.>])($functions)[fl]?[[:space:]]*[(/]" -- "${files[@]}")
for file in "${suspects[@]}"; do
    while IFS=: read -r line call; do
        offend "$file:$line: ${call//[ (]/} of the C library: its bits differ between machines; see harness/base/elementary.h"
    done < <(awk "$blank" "$file" | grep -noE "(^|[^A-Za-z0-9_.>])($functions)[fl]?[[:space:]]*\(" |
        sed -E 's/:[^A-Za-z0-9_]/:/')
done

if [ -n "$program" ]; then
    while read -r name; do
        offend "$program: asks the C library for $name: its bits differ between machines; see ELEMENTARY in Makefile"
    done < <(nm -D --undefined-only "$program" | sed -nE "s/^ *[Uw] ($functions)[fl]?@.*/\1/p")
fi

if [ "$offences" -gt 0 ]; then
    echo "check_elementary.sh: $offences offences in ${#files[@]} files"
    exit 1
fi
echo "check_elementary.sh: ${#files[@]} files${program:+ and $(basename "$program")} keep to their own elementary functions"

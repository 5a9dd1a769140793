#!/usr/bin/env bash
# analyze.sh JOBS COMMAND... - gcc's -fanalyzer over the program's own files, each alone; COMMAND is the
# compiler with its flags. Status 1 if it finds what is not explained in KNOWN, or if a file does not
# compile; what KNOWN explains and nobody finds any more is told. Status 2 if a planted fault is not
# found: then nothing was analysed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
jobs=$1
shift
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# What gcc 12 says and is not so: file, function, kind, and why it is not.
KNOWN=$(cat <<'END'
END
)

# One file: FILE FUNCTION KIND PLACE: MESSAGE, a line a finding. Lines that gcc draws are left out.
one() { # one FILE COMMAND...
    local file=$1
    shift
    LC_ALL=C "$@" -fanalyzer -fdiagnostics-plain-output -S -o /dev/null "$file" 2>&1 | awk -v file="$file" '
        / In function / { name = $NF; gsub(/[^A-Za-z0-9_]/, "", name) }
        / error: / { print file, "-", "error", $0 }
        / warning: .*\[-Wanalyzer-/ {
            kind = $0
            sub(/.*\[-Wanalyzer-/, "", kind)
            sub(/\].*/, "", kind)
            print file, name, kind, $0
        }'
}
export -f one

planted=$(mktemp --suffix .c)
trap 'rm -f "$found" "$planted"' EXIT
printf '#include <stdlib.h>\nint f(int *p);\nint f(int *p) { free(p); return *p; }\n' >"$planted"
one "$planted" "$@" | grep -q "$planted f use-after-free" || {
    echo "analyze.sh: the use of a freed block is not found by: $*" >&2
    exit 2
}

mapfile -t files < <(git ls-files 'harness/*.c' 'problems/*.c' 'schemes/*.c')
printf '%s\0' "${files[@]}" | xargs -0 -P "$jobs" -I FILE bash -c 'one "$@"' bash FILE "$@" | sort -u >"$found"

new=0
while read -r file function kind rest; do
    grep -qF -- "$file $function $kind - " <<<"$KNOWN" && continue
    new=$((new + 1))
    echo "$function: $rest"
done <"$found"
while read -r file function kind rest; do
    [ -z "$file" ] || grep -qF -- "$file $function $kind " "$found" ||
        echo "explained in analyze.sh, and not found: $file $function $kind"
done <<<"$KNOWN"
echo "analyze.sh: ${#files[@]} files, $(wc -l <"$found") findings, $new of them not explained"
[ "$new" -eq 0 ]

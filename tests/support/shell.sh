# shell.sh - what tests of the program from outside share; sourced by them, after `set -uo pipefail`.
#
# Goes to the root of the project. $program is the program that IMPACTLAB names, the release build
# without; $work is a folder of its own, removed at the end; $count and failed tell what was checked.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

test_name=$(basename "$0")
program=$(realpath -- "${IMPACTLAB:-build/impactlab}")
[ -x "$program" ] || { echo "$test_name: no program at $program; run make first" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=()

verdict() { # verdict NAME REASON: an empty reason is a pass
    count=$((count + 1))
    if [ -n "$2" ]; then
        failed+=("$1: $2")
        echo "  FAILED $1: $2"
    fi
}

# verdict_if STATUS NAME FILE [WANTED]: the status is WANTED, 0 without it. What FILE says last is told and
# settles nothing: a program that fails may say nothing at all.
verdict_if() {
    local why=''
    [ "$1" -eq "${4:-0}" ] || why="status $1 instead of ${4:-0}: $(tail -n 1 "$3" 2>/dev/null)"
    verdict "$2" "$why"
}

# The address sanitizer maps more space than any limit of memory allows.
sanitized() { grep -q __asan_init "$program"; }

holds() { # holds NAME COMMAND...: the command succeeds
    local name=$1
    shift
    if "$@" >/dev/null 2>&1; then
        verdict "$name" ""
    else
        verdict "$name" "does not hold"
    fi
}

conclude() { # the closing lines, and the script's status
    echo "$test_name: $count checks, ${#failed[@]} failed"
    [ "${#failed[@]}" -eq 0 ] || { printf '  %s\n' "${failed[@]}" >&2 && exit 1; }
    exit 0
}

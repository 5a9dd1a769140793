#!/usr/bin/env bash
# analyze.sh JOBS COMMAND... - gcc's -fanalyzer over the program's own files, each alone; COMMAND is the
# compiler with its flags. Status 1 if it finds what is not explained in KNOWN.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
jobs=$1
shift
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# What gcc 12 says and is not so: kind, why, files.
KNOWN=$(cat <<'END'
malloc-leak - it belongs to a structure that the caller destroys, after a failure too - harness/base/params.c harness/data/history.c harness/data/snapshots.c harness/lua/args.c harness/lua/script.c harness/study/disturb.c harness/study/orbits.c problems/crowd.c problems/crystal.c problems/modal/modal.c problems/planar/way_graph.c
possible-null-argument - a copy that failed has set a status, and no loop begins - harness/base/params.c harness/run/options.c
null-argument - the same; a name that is NULL is no file name, and is not measured - harness/base/params.c harness/lua/case.c
null-dereference - claims are the program's own and have ids; a theorem that is not found is refused - harness/lua/claims.c harness/study/hypotheses.c
double-free - il_case_key sets the key to NULL before it can fail - harness/lua/execute.c
use-of-uninitialized-value - loops over n, d or a space of 2 or 3 that gcc takes to make no turn - harness/base/params.c harness/draw/movie.c harness/study/orbits_newton.c problems/spheres/encounter.c
END
)

explained() { # explained FINDING
    local file=${1%%:*} kind=${1##*-Wanalyzer-}
    grep -E -- "^${kind%]} - " <<<"$KNOWN" | grep -qE -- " $file( |\$)"
}

git ls-files 'harness/*.c' 'problems/*.c' 'schemes/*.c' |
    xargs -P "$jobs" -n 1 "$@" -fanalyzer -fdiagnostics-plain-output -S -o - 2>&1 >/dev/null |
    grep -E 'warning: .*\[-Wanalyzer|error:' | sort -u >"$found"
files=$(git ls-files 'harness/*.c' 'problems/*.c' 'schemes/*.c' | wc -l)
new=0
while IFS= read -r finding; do
    explained "$finding" && continue
    new=$((new + 1))
    echo "$finding"
done <"$found"
echo "analyze.sh: $files files, $(wc -l <"$found") findings, $new of them not explained"
[ "$new" -eq 0 ]

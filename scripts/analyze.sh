#!/usr/bin/env bash
# analyze.sh JOBS COMMAND... - gcc's -fanalyzer over the program's own files, each alone; COMMAND is the
# compiler with its flags. Status 1 if it finds what is not explained in KNOWN, or if a file does not
# compile; what KNOWN explains and nobody finds any more is told. Status 2 if a planted fault is not
# found: then nothing was analysed. ANALYZE="FILE ...": these files only.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
jobs=$1
shift
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# What gcc 12 says and is not so: file, function, kind, and why it is not.
KNOWN=$(cat <<'END'
harness/base/params.c check_numbers use-of-uninitialized-value - x[n] is the caller's, and n = 0 was refused
harness/base/params.c il_params_set_text malloc-leak - text is values[k]'s, which store frees before the next and il_params_destroy at last
harness/io/hdf5/module.c list_columns use-of-uninitialized-value - one assignment fills list[0] and list[1]
harness/io/sealed.c read_on null-argument - room is 0 at first, so that grow allocates a byte at least
harness/io/sealed.c read_on null-dereference - the same
harness/io/store/roster.c path_of possible-null-argument - asked only where there is a copy of the name
harness/lua/sweep/why.c gather_references double-free - who makes a key begins by writing NULL in its place
harness/lua/sweep/why.c il_lua_why_compute null-dereference - called only where there are checks (script.c)
harness/lua/sweep/why.c il_lua_why_gather double-free - who makes a key begins by writing NULL in its place
harness/base/params.c il_params_derive malloc-leak - store puts it into values[k], which il_params_destroy frees
harness/base/params.c il_params_set_numbers malloc-leak - the same
harness/base/params.c parse_numbers null-argument - without a copy the status is IL_ENOMEM and the loop does not begin
harness/base/params.c parse_numbers possible-null-argument - the same
harness/data/history.c begin malloc-leak - names are the history's, whose destroy frees them after a failure too
harness/data/snapshots.c frame_make malloc-leak - frames[n] is the snapshots' once n is counted up; before, both are freed
harness/draw/movie.c lay_out use-of-uninitialized-value - the loop fills both sides; gcc takes it to make no turn
harness/draw/table.c put_csv_cell null-argument - a spelling is written only where its file was opened
harness/lua/base/args.c il_lua_raise malloc-leak - blocks hang in the arena, which Lua's collector closes after an error
harness/lua/base/args.c il_lua_take malloc-leak - the same
harness/lua/scripted/case.c read_file null-argument - NULL is no file name, so its length is not asked
harness/lua/claims.c same_id null-dereference - claims are the program's own and have ids
harness/lua/sweep/execute.c receive_plain malloc-leak - texts[k] is the result's, which is freed whole after a failure too
harness/lua/script.c check malloc-leak - complaints are the context's, freed with it
harness/results/query.c add_column malloc-leak - columns hang in the query's list, which il_columns_free frees after a failure too
harness/results/query.c fill malloc-leak - the same
harness/results/query.c make_texts malloc-leak - the same
harness/run/options.c set_numbers possible-null-argument - without a copy the status is IL_ENOMEM and the loop does not begin
harness/study/ensemble/disturb.c create malloc-leak - x is the disturbed problem's, whose destroy frees it after a failure too
harness/study/hypotheses/hypotheses.c admit null-dereference - both callers have a theorem: one refuses what is not found
harness/study/limits/orbits.c append malloc-leak - states hang in the list, which is freed whole
harness/study/limits/orbits_newton.c il_orbits_newton use-of-uninitialized-value - power fills D[dim][dim], period >= 1
problems/crowd.c allocate malloc-leak - q0, u0 and r are the crowd's, whose destroy frees them after a failure too
problems/crystal.c create malloc-leak - force is the crystal's, whose destroy frees it
problems/modal/modal.c append malloc-leak - q is the piece's, and pieces are freed whole
problems/spheres/encounter.c norm use-of-uninitialized-value - piece_eval fills all of SPACE = 3
problems/spheres/encounter.c tension use-of-uninitialized-value - the same
problems/spheres/encounter.c - use-of-uninitialized-value - the same, inlined
END
)

# One file: FILE FUNCTION KIND PLACE: MESSAGE, a line a finding. Lines that gcc draws are left out.
one() { # one FILE COMMAND...
    local file=$1
    shift
    LC_ALL=C "$@" -fanalyzer -fdiagnostics-plain-output -S -o /dev/null "$file" 2>&1 | awk -v file="$file" '
        BEGIN { name = "-" }
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

read -ra files <<<"${ANALYZE:-}"
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files 'harness/*.c' 'problems/*.c' 'schemes/*.c')
printf '%s\0' "${files[@]}" | xargs -0 -P "$jobs" -I FILE bash -c 'one "$@"' bash FILE "$@" | sort -u >"$found"

new=0
while read -r file function kind rest; do
    grep -qF -- "$file $function $kind - " <<<"$KNOWN" && continue
    new=$((new + 1))
    echo "$function: $rest"
done <"$found"
while read -r file function kind rest; do
    [[ -z "$file" || " ${files[*]} " != *" $file "* ]] || grep -qF -- "$file $function $kind " "$found" ||
        echo "explained in analyze.sh, and not found: $file $function $kind"
done <<<"$KNOWN"
echo "analyze.sh: ${#files[@]} files, $(wc -l <"$found") findings, $new of them not explained"
[ "$new" -eq 0 ]

#!/usr/bin/env bash
# submit.sh - what scripts/slurm/submit.sh asks of Slurm, by a stand-in that notes it: both jobs or none, and bad
# input in one line. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

mkdir "$work/bin"
cat >"$work/bin/sbatch" <<'END'
#!/usr/bin/env bash
printf '%s\n' "$*" >>"$NOTES"
[ "$(wc -l <"$NOTES")" -le "$ACCEPTED" ] || { echo "sbatch: error: refused" >&2; exit 1; }
wc -l <"$NOTES"
END
printf '#!/usr/bin/env bash\necho "cancelled $*" >>"$NOTES"\n' >"$work/bin/scancel"
chmod +x "$work"/bin/*
export NOTES=$work/notes ACCEPTED=2
echo 'require "impactlab"' >"$work/s.lua"

submit() { # submit WORDS...: its words in $work/said, its status in $status
    : >"$NOTES"
    PATH=$work/bin:$PATH IMPACTLAB=$program bash scripts/slurm/submit.sh "$@" >"$work/said" 2>&1
    status=$?
}
noted() { grep -qE -- "$1" "$NOTES"; }
refuses() { # refuses NAME PATTERN WORDS...
    submit "${@:3}"
    holds "$1: status 2 and one line" test "$status:$(wc -l <"$work/said")" = 2:1
    holds "$1 is said" grep -qE -- "$2" "$work/said"
    holds "$1: nothing is queued" test ! -s "$NOTES"
}

submit -n 7 -r "$work/r" -s --time=1:00 "$work/s.lua" -- a "b c"
holds "two jobs are queued" test "$status:$(wc -l <"$NOTES")" = 0:2
holds "an array of the shards" noted '--array=1-7 .*--time=1:00 .*shard.sh a b c$'
holds "and what gathers them" noted '--dependency=afterany:1 .*--time=1:00 .*gather.sh a b c$'
holds "their numbers are told" grep -q '^array 1, gather 2: ' "$work/said"
ACCEPTED=1 submit -r "$work/r" "$work/s.lua"
holds "no array without what gathers it" test "$status" -eq 2
holds "it is cancelled" noted '^cancelled 1$'
holds "and said" grep -q 'the array 1 is cancelled' "$work/said"
ACCEPTED=0 submit -r "$work/r" "$work/s.lua"
holds "what is refused at once ends it" test "$status:$(wc -l <"$NOTES")" = 1:1
refuses "no script" 'a script is needed'
refuses "no such script" "cannot read the script '$work/absent.lua'" "$work/absent.lua"
refuses "no shard" "-n is '0'" -n 0 "$work/s.lua"
refuses "an option without its value" '-n is unknown, or lacks its value' -n
refuses "an unknown option" '-x is unknown' -x "$work/s.lua"

conclude

#!/usr/bin/env bash
# kills.sh [N] - a sweep is killed N times (default 6) at random moments, and its disk is full: what is gone on
# with has the tables and records of a sweep that was left alone, and no case that was stored is run again.
# IMPACTLAB names the program, KILLS_SEED=1 the moments. `make test-kills`: 200.
#
# The disk is a tmpfs in a name space of its own, where such may be made; elsewhere that part says so and is
# left out (the suite "faults" fills the disk at every write in another way).
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

kills=${1:-6}
[[ $kills =~ ^[0-9]+$ ]] || { echo "kills.sh: '$kills'; allowed: a number of kills" >&2; exit 2; }
RANDOM=${KILLS_SEED:-1}
r=$work/results

# Short cases, some that leave states, and a reference of the sweep's own.
cat >"$work/s.lua" <<'END'
local lab = require "impactlab"
local steps = {40000, 60000}
for k = 1, 20 do steps[#steps + 1] = 100 + 37 * k end
local rows = {}
local function keep(r)
  for _, one in ipairs(r:records()) do
    rows[#rows + 1] = {one.problem, one.scheme, one.steps, one.status, one.final.q[1], one.error.u_L1 or "-",
                       one.contacts.impulse_total}
  end
end
keep(lab.sweep{name = "one", problem = {"sticky", N = 8, seed = 3}, schemes = {"maury", "paoli"}, steps = steps}:run())
keep(lab.sweep{name = "two", problem = {"pendulum"}, scheme = "maury", steps = {50, 71, 100},
               reference = {"self", steps = 20000}}:run())
lab.table{name = "numbers", heads = {"problem", "scheme", "steps", "status", "q", "error", "impulse"}, rows = rows}
END

records() { # of a results folder, but for what time they took
    find "$1/cases" -name '*.json' | sort | while IFS= read -r one; do
        echo "${one##*/}"
        sed -E 's/, "provenance": ?\{[^}]*\}//; s/"seconds": ?[^,}]*//g; s/"sha256": ?"[^"]*"//' "$one"
    done
}
stored() { find "$r/cases" -name '*.json' 2>/dev/null | sort; }
# Names and numbers of the files of stored cases: one that was written again has another.
inodes() { stored | xargs -r stat -c '%n %i'; }
sweep() { # its words in $work/said
    "$program" sweep "$work/s.lua" --results "$1" -j 2 --resume --long --checkpoint-every 0.05 >"$work/said" 2>&1 </dev/null
}

sweep "$work/alone"
holds "a sweep that is left alone ends well" test "$?" -eq 0
took=$( { time -p sweep "$work/again" >/dev/null; } 2>&1 | sed -n 's/^real //p')
records "$work/alone" >"$work/expected"

# Each sweep is killed once or twice, then left alone; the moments are spread over what one takes.
done=0 rounds=0 lost='' again='' tables='' whole=''
while [ "$done" -lt "$kills" ]; do
    rm -rf "$r"
    rounds=$((rounds + 1))
    for ((k = RANDOM % 4 + 1; k > 0 && done < kills; k--)); do
        inodes >"$work/before"
        "$program" sweep "$work/s.lua" --results "$r" -j 2 --long --checkpoint-every 0.05 >"$work/killed" 2>&1 </dev/null &
        pid=$!
        sleep "$(awk -v r="$RANDOM" -v t="$took" 'BEGIN { printf "%.3f", 0.9 * t * r / 32768 }')"
        kill -KILL "$pid" 2>/dev/null && done=$((done + 1))
        wait "$pid" 2>/dev/null
        inodes >"$work/after"
        [ -z "$(comm -23 "$work/before" "$work/after")" ] || again="in round $rounds"
    done
    inodes >"$work/before"
    sweep "$r" || lost="round $rounds: $(tail -n 1 "$work/said")"
    inodes >"$work/after"
    [ -z "$(comm -23 "$work/before" "$work/after")" ] || again="in round $rounds"
    cmp -s "$work/alone/tables/numbers.csv" "$r/tables/numbers.csv" || tables="in round $rounds"
    records "$r" | cmp -s "$work/expected" - || whole="in round $rounds"
    [ -z "$(find "$r" -name '*.part.*' -o -path '*/claims/*' -type f -o -path '*/checkpoints/*' -type f)" ] ||
        lost="something is left in round $rounds"
done 2>/dev/null
echo "$done kills in $rounds sweeps of $took s"
verdict "every sweep goes on to its end, and leaves nothing" "$lost"
verdict "no case that was stored is run again" "$again"
verdict "the tables are those of one left alone" "$tables"
verdict "so are the records" "$whole"

# A full disk.
cat >"$work/full.sh" <<'END'
set -uo pipefail
mkdir "$2/disk" && mount -t tmpfs -o size="$3" tmpfs "$2/disk" || exit 77
"$1" sweep "$2/s.lua" --results "$2/disk/r" -j 2 >"$2/full.said" 2>&1 </dev/null
echo "$?" >"$2/full.status"
find "$2/disk/r/cases" -name '*.json' -printf '%p %i\n' | sort >"$2/full.stored"
mount -o remount,size=64m "$2/disk" || exit 77
"$1" sweep "$2/s.lua" --results "$2/disk/r" -j 2 --resume >"$2/room.said" 2>&1 </dev/null
echo "$?" >"$2/room.status"
find "$2/disk/r/cases" -name '*.json' -printf '%p %i\n' | sort >"$2/room.stored"
cp -r "$2/disk/r" "$2/room"
umount "$2/disk"
END
if unshare --mount --map-root-user true 2>/dev/null; then
    unshare --mount --map-root-user bash "$work/full.sh" "$program" "$work" 128k
    case $? in
    77) echo "kills.sh: no tmpfs can be mounted here: no full disk was tried" ;;
    *)
        holds "a full disk ends a sweep" test "$(cat "$work/full.status")" -ne 0
        holds "with its reason" grep -qF "No space left on device" "$work/full.said"
        holds "some cases were stored by then" test -s "$work/full.stored"
        holds "with room it goes on to its end" test "$(cat "$work/room.status")" -eq 0
        holds "and runs no case again" test -z "$(comm -23 "$work/full.stored" "$work/room.stored")"
        holds "its table is that of one left alone" cmp -s "$work/alone/tables/numbers.csv" "$work/room/tables/numbers.csv"
        verdict "its records too" "$(records "$work/room" | cmp "$work/expected" - 2>&1)"
        ;;
    esac
else
    echo "kills.sh: no name space of its own: no full disk was tried"
fi

conclude

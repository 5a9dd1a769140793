#!/usr/bin/env bash
# load.sh - hours of sweeps that are killed, resumed, run twice at once in one folder and damaged between; and
# beside them one script that goes on all the time. LOAD_SECONDS (3600), LOAD_SEED (1), IMPACTLAB
# names the program.
#
# Every round draws a script and what befalls it from the seed. After it
#   - a sweep that is left alone ends with 0, and one more finds every case stored;
#   - its tables are those of a fresh folder, bit for bit, and each stored case that was damaged is named;
#   - in the folder is nothing but cases, tables, outcomes and what was set aside; nobody is left running.
# Of the script that goes on, descriptors and memory are sampled; both stay as they were.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

program=$(realpath -- "${IMPACTLAB:-build/impactlab}")
[ -x "$program" ] || { echo "load.sh: no program at $program; run make first" >&2; exit 2; }
seconds=${LOAD_SECONDS:-3600}
seed=${LOAD_SEED:-1}
work=$(mktemp -d)
r=$work/results
trap 'rm -rf "$work"' EXIT
RANDOM=$seed

# Kilobytes that memory may grow by from the first half of the samples to the second: pages of the
# allocator that a larger problem than before has left behind. A leak of a record (some kB) at each of thousands
# of sweeps is more.
GROWTH=8192

count=0 broken=0 rounds=0 kills=0 damages=0 twins=0

verdict() { # verdict NAME REASON: an empty reason is a pass
    count=$((count + 1))
    if [ -n "$2" ]; then
        broken=$((broken + 1))
        echo "  FAILED round $rounds, $1: $2"
    fi
}

below() { # below N: a number from 0 to N - 1, into $drawn; no subshell, whose RANDOM is its own
    drawn=$((RANDOM % $1))
}

pause() { # up to a second
    below 1000
    sleep "$(printf '0.%03d' "$drawn")"
}

draw_script() { # into $work/s.lua: a problem, its schemes, and levels that share few factors
    local problem schemes most=40 k list=''
    below 5
    case $drawn in
    0) problem='{"sticky", N = 30, seed = 3}' schemes='"maury", "paoli", "venel"' most=400 ;;
    1) problem='{"bouncing_ball"}' schemes='"maury", "paoli", "moreau_jean"' most=9000 ;;
    2) problem='{"two_spheres"}' schemes='"maury", "paoli"' most=9000 ;;
    3) problem='{"crowd", N = 12, seed = 5}' schemes='"catching_up", "venel"' ;;
    *) problem='{"crystal", rows = 3}' schemes='"maury", "moreau_jean"' most=200 ;;
    esac
    below 12
    for ((k = drawn + 4; k > 0; k--)); do
        below "$most"
        list+="$((drawn + 10 + k * most)), "
    done
    cat >"$work/s.lua" <<END
local lab = require "impactlab"
local r = lab.sweep{name = "load", problem = $problem, schemes = {$schemes}, steps = {$list}}:run()
local rows = {}
for k, one in ipairs(r:records()) do
  rows[k] = {one.scheme, one.steps, one.status, one.final.q[1], one.energy.final or "-", one.contacts.impulse_total}
end
lab.table{name = "numbers", heads = {"scheme", "steps", "status", "q", "energy", "impulse"}, rows = rows}
END
}

sweep() { # sweep FOLDER: $status, and its words in $work/said
    "$program" sweep "$work/s.lua" -j 2 --results "$1" >"$work/said" 2>&1 </dev/null
    status=$?
}

end_of() { # end_of PID: within five seconds, else it is killed and told
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL "$1" 2>/dev/null && verdict "an answer to a signal" "none in five seconds"
    wait "$1"
} 2>/dev/null

disturb() { # one or two sweeps at once, killed at random
    local signals=(KILL TERM INT HUP) pids=() pid
    "$program" sweep "$work/s.lua" -j 2 --results "$r" >"$work/killed" 2>&1 </dev/null &
    pids=($!)
    below 3
    if [ "$drawn" -eq 0 ]; then
        "$program" sweep "$work/s.lua" -j 1 --results "$r" >"$work/killed2" 2>&1 </dev/null &
        pids+=($!)
        twins=$((twins + 1))
    fi
    for pid in "${pids[@]}"; do
        pause
        below 4
        kill "-${signals[drawn]}" "$pid" 2>/dev/null && kills=$((kills + 1))
        end_of "$pid"
    done
}

damage() { # a stored case, one time in two; its name into $hurt
    local files file size
    hurt=''
    mapfile -t files < <(find "$r/cases" -name '*.json' 2>/dev/null | sort)
    below 2
    { [ "$drawn" -eq 0 ] || [ "${#files[@]}" -eq 0 ]; } && return
    below "${#files[@]}"
    file=${files[drawn]}
    size=$(stat -c %s "$file")
    below 4
    case $drawn in
    0) : >"$file" ;;
    1) below "$size" && truncate -s "$drawn" "$file" ;;
    2) below "$((size - 9))" && printf '\0' | dd of="$file" bs=1 seek="$drawn" conv=notrunc status=none ;;
    3) rm "$file" && mkdir "$file" ;;
    esac
    hurt=$(basename "$file")
    damages=$((damages + 1))
}

strays() { # what is in the folder and belongs to nothing
    find "$r" -type f ! -path "$r/cases/??/*.json" ! -path "$r/cases/??/*.damaged*" \
        ! -path "$r/tables/load-numbers.*" ! -path "$r/tables/numbers.*" ! -path "$r/outcomes/s-*.json" ! -path "$r/rosters/*" ! -path "$r/scripts/*" ! -path "*.damaged/*"
}

left_running() { # of the program, but for the script that goes on
    local p
    for p in /proc/[0-9]*; do
        [ "$(tr '\0' ' ' <"$p/cmdline" 2>/dev/null | grep -cF "$work/s.lua")" -gt 0 ] && echo "${p#/proc/}"
    done
} 2>/dev/null

round() {
    local k why=''
    rounds=$((rounds + 1))
    rm -rf "$r" "$work/fresh"
    draw_script
    below 3
    for ((k = drawn + 1; k > 0; k--)); do disturb; done
    verdict "nobody is left" "$(left_running)"
    damage
    sweep "$r"
    [ "$status" -eq 0 ] || why="status $status: $(tail -n 1 "$work/said")"
    [ -z "$hurt" ] || grep -qF "${hurt%.json}" "$work/said" || why+=" $hurt is damaged and not named"
    verdict "a sweep left alone" "$why"
    sweep "$r"
    why=''
    grep -qE '^sweep load: ([0-9]+) cases: \1 found stored' "$work/said" || why="status $status: $(head -n 1 "$work/said")"
    verdict "every case is found" "$why"
    verdict "nothing stray" "$(strays)"
    sweep "$work/fresh"
    verdict "the tables of a fresh folder" "$(diff -rq "$r/tables" "$work/fresh/tables" 2>&1)"
}

# ---- the script that goes on ------------------------------------------------------------------

cat >"$work/long.lua" <<'END'
local lab = require "impactlab"
for k = 1, 1000000000 do
  local r = lab.sweep{name = "long", problem = {"sticky", N = 4 + k % 5, seed = k % 50}, schemes = {"maury", "paoli"},
                      steps = {20 + k % 17, 60}}:run()
  lab.run{problem = "bouncing_ball", scheme = "maury", steps = 100 + k % 10}
end
END

watch() { # PID: descriptors and kilobytes of it and of its workers, twice a second
    local p n fds kb
    while kill -0 "$1" 2>/dev/null; do
        fds=0 kb=0
        for p in "$1" $(cat "/proc/$1/task/$1/children"); do
            fds=$((fds + $(find "/proc/$p/fd" -mindepth 1 | wc -l)))
            n=$(awk '/^VmRSS/ { print $2 }' "/proc/$p/status")
            kb=$((kb + ${n:-0}))
        done
        echo "$fds $kb"
        sleep 0.5
    done >"$work/samples" 2>/dev/null
}

# Largest descriptors and kilobytes in each half of the samples; the first fifth warms up.
halves() {
    awk '{ f[NR] = $1; m[NR] = $2 }
         END { a = int(NR / 5); b = int(a + (NR - a) / 2)
               for (k = a + 1; k <= NR; k++) { h = k > b; if (f[k] > F[h]) F[h] = f[k]; if (m[k] > M[h]) M[h] = m[k] }
               print F[0] + 0, F[1] + 0, M[0] + 0, M[1] + 0, NR }' "$work/samples"
}

"$program" sweep "$work/long.lua" -j 1 --results "$work/long" --max-time "$seconds" \
    >"$work/long.out" 2>&1 </dev/null &
long=$!
watch "$long" &
began=$SECONDS
while [ $((SECONDS - began)) -lt "$seconds" ]; do round; done
end_of "$long"
status=$?
[ "$status" -eq 3 ] && status=''
verdict "the script that goes on is stopped by its time" "${status:+status $status: $(tail -n 1 "$work/long.out")}"
sweeps=$(grep -c ' found stored' "$work/long.out")
read -r fds0 fds1 kb0 kb1 samples < <(halves)
why=''
[ "$samples" -ge 10 ] && [ "$fds1" -le "$fds0" ] || why="$fds0 descriptors at most, then $fds1 ($samples samples)"
verdict "no descriptor leaks" "$why"
why=''
[ "$((kb1 - kb0))" -le "$GROWTH" ] || why="$kb0 kB at most, then $kb1"
verdict "memory is flat" "$why"

summary="seed $seed, $((SECONDS - began)) s: $rounds rounds, $kills kills, $twins pairs of sweeps, $damages damages;"
summary+=" $sweeps sweeps of one script, descriptors $fds0 and $fds1, $kb0 and $kb1 kB; $count checks, $broken broken"
echo "load.sh: $summary"
[ -z "${UPDATE:-}" ] || echo "$summary" >results/reference/load.txt
[ "$broken" -eq 0 ]

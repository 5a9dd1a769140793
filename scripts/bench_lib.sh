# bench_lib.sh - what the benchmark scripts share; sourced by them, from the root of the checkout.
#
# BENCH_CSV names a file that receives one line a number: bench,case,quantity,value.

program=build/impactlab
output=

need_program() {
    [ -x "$program" ] || { echo "$(basename "$0"): $program is not there; run make first" >&2; exit 2; }
}

note() { # note BENCH CASE QUANTITY VALUE
    if [ -n "${BENCH_CSV:-}" ]; then
        printf '%s,%s,%s,%s\n' "$@" >>"$BENCH_CSV"
    fi
}

field() { # field KEY: the first number, or list of one number, that follows "KEY": in $output
    sed -n "s/.*\"$1\": \[\{0,1\}\([-+0-9.eE]*\).*/\1/p" <<<"$output"
}

least() { sort -g | head -n 1; }

wall_of() { # wall_of COMMAND...: wall time in seconds into $wall, its output into $output
    local began=$EPOCHREALTIME
    output=$("$@")
    wall=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.6f\n", b - a }')
}

user_of() { # user_of COMMAND...: user time in seconds into $user, its output into $output
    local spent TIMEFORMAT=%3U
    spent=$(mktemp)
    { time output=$("$@" 2>&3); } 3>&2 2>"$spent"
    user=$(tail -n 1 "$spent")
    rm -f "$spent"
}

watch() { # watch FILE PEAK COMMAND...: its output into FILE, the most kB that it held into PEAK
    local to=$1 peak=$2
    shift 2
    "$@" >"$to" &
    local child=$!
    while kill -0 "$child" 2>/dev/null; do
        sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$child/status" 2>/dev/null >"$peak.new" || true
        if [ -s "$peak.new" ]; then mv "$peak.new" "$peak"; fi
        sleep 0.02
    done
    wait "$child"
}

peak_of() { # peak_of COMMAND...: user time into $user, output into $output, the most that it held, in MB, into $peak
    local folder TIMEFORMAT=%3U
    folder=$(mktemp -d)
    { time watch "$folder/record" "$folder/peak" "$@" 2>&3; } 3>&2 2>"$folder/user"
    user=$(tail -n 1 "$folder/user")
    output=$(cat "$folder/record")
    peak=$(awk '{ printf "%.0f", $1 / 1024 }' "$folder/peak")
    rm -r "$folder"
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "-" }'; }

# 960 small cases, as a script.
small_cases() {
    cat <<'END'
local lab = require "impactlab"
local r = lab.sweep{name = "small", problem = "nonuniqueness", scheme = {"maury", "paoli", "moreau_jean"},
                    steps = lab.levels{from = 128, ratio = 2, count = 10, jitter = 32}}:run()
lab.check(r.ran == 960 and r.failed == 0, "960 cases ran")
END
}

#!/usr/bin/env bash
# exec.sh - programs that make the steps, `--scheme exec:COMMAND`: what they are told and may write, how they
# end and are ended, what the record and the store keep of them. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"
cd "$work" || exit 2

gives() { # gives NAME STATUS PATTERN ARG...: ends so, and prints the pattern somewhere
    local name=$1 wanted=$2 pattern=$3 status
    shift 3
    "$program" "$@" >said 2>err </dev/null
    status=$?
    verdict "$name" "$([ $status -eq "$wanted" ] && grep -qE -- "$pattern" said err || echo "status $status: $(head -c 300 said) $(tail -n 1 err)")"
}
lacks() { # lacks NAME PATTERN: what the last command printed does not have it
    verdict "$1" "$(grep -E -m 1 -- "$2" said err)"
}

ball=(--problem bouncing_ball --set gravity=2 --set T=0.5)
record() { # record NAME PATTERN SETTINGS STEPS ARG...: the record has the pattern
    gives "$1" 0 "$2" run "${ball[@]}" --scheme "exec:$3" --steps "$4" --json "${@:5}"
}
refused() { # refused NAME PATTERN COMMAND: of four steps
    gives "$1" 1 "$2" run "${ball[@]}" --scheme "exec:$3" --steps 4
}

# The steps of the flight by the velocity at their end: q_n = 1 - h^2 n (n + 1). $1 begins every number of a line.
cat >fall.sh <<'SH'
read -r line
steps=$(printf '%s' "$line" | sed 's/.*"steps": \([0-9]*\).*/\1/')
awk -v n="$steps" -v more="${1:-}" 'BEGIN { h = 0.5 / n; for (k = 1; k <= n; k++)
    printf "{\"q\": [%.17g], \"u\": [%.17g]%s}\n", 1 - h * h * k * (k + 1), -2 * h * k, more }'
SH
one='{\"q\": [1], \"u\": [0]}' # a line, for echo

# ---- steps --------------------------------------------------------------------------------------

"$program" run "${ball[@]}" --scheme maury --steps 40 >ours
ours=$(grep -o 'u_L1 [0-9.e-]*' ours)
gives "a program is a scheme" 0 "$ours" run "${ball[@]}" --scheme "exec:sh fall.sh" --steps 40
lacks "of which nothing is wrong" found:
gives "it may open its input by name" 0 "$ours" run "${ball[@]}" --scheme "exec:sh fall.sh </dev/stdin" --steps 40
gives "its last line may lack an end" 0 "$ours" run "${ball[@]}" --scheme "exec:sh fall.sh | head -c -1" --steps 40
gives "too few steps" 1 'ended with status 0 in step 2' run "${ball[@]}" --scheme "exec:echo $one" --steps 4
refused "the start is no step" "wrote more than 4 lines: '\{.*the start, which is not to be written" \
    "printf '%s\n' '{\"q\": [1], \"u\": [0]}'; sh fall.sh"
refused "nor is a line too many" "wrote more than 4 lines: '\{.*0\]\}'$" "sh fall.sh; echo $one"
refused "nonsense" "'echo hello' ended with status 0 in step 1; what it wrote was no step: hello" 'echo hello'
refused "nonsense between steps" "wrote 'hello', and not .* in step 5|wrote 'hello', and not \{\"q\": \[1 number\].* in step 2" "echo $one; echo hello"
refused "NaN" "wrote '\{\"q\": \[NaN\]" 'echo {\"q\": [NaN], \"u\": [0]}'
refused "another key" 'wrote "impulse" in step 1; allowed: "q", "u", "impulses", "t"' "sh fall.sh ', \"impulse\": [[0, 1]]'"
refused "impulses that are no list" 'wrote "impulses" that are no list in step 1; allowed: ' "sh fall.sh ', \"impulses\": {\"0\": 1}'"
refused "impulses of none" "wrote the impulse '\[1,2\.5\]' in step 1; allowed: .* 0 <= ID < 1" "sh fall.sh ', \"impulses\": [[1, 2.5]]'"
refused "a wall that is none" "wrote the impulse '\[0,\"roof\",0\]' in step 1" "sh fall.sh ', \"impulses\": [[0, \"roof\", 0]]'"
refused "another time" 'wrote "t": 0 in step 1; allowed: the end of the step, 0.125 \(the start is not written\)' "sh fall.sh ', \"t\": 0'"
record "impulses by walls, and twice" '"impulses": "given".*"findings": \[\]' \
    "sh fall.sh ', \"impulses\": [[0, \"floor\", 0], [0, 0], [0, 0]]'" 8

# A ball at rest on the floor: n impulses a step, all together gravity times h.
cat >rest.sh <<'SH'
awk -v n="$1" 'NR == 1 { for (k = 1; k <= 2; k++) { printf "{\"q\": [0], \"u\": [0], \"impulses\": ["
    for (i = 1; i <= n; i++) printf "%s[0, %.17g]", (i > 1 ? ", " : ""), 0.5 / n
    print "]}" } exit }'
SH
rest=(--problem bouncing_ball --set gravity=2 --set q0=0 --set T=0.5 --steps 2)
gives "impulses of a constraint add up" 0 '"impulse_total": 1(\.0)?[,}]|"impulse_total": 0\.99999999999|"impulse_total": 1\.00000000000' \
    run "${rest[@]}" --scheme "exec:sh rest.sh 1000" --json
began=$SECONDS
gives "two million in a line" 0 'by exec:sh rest.sh 2000000: 2 steps .* ok' run "${rest[@]}" --scheme "exec:sh rest.sh 2000000"
sanitized || holds "take seconds" test $((SECONDS - began)) -lt 60

# The program of the page.
if command -v python3 >/dev/null; then
    sed -n '/^import json/,/^```/p' "$OLDPWD/harness/manual/exec.md" | sed '/^```/d' >page.py
    gives "the page's program runs" 0 "$ours" run "${ball[@]}" --scheme "exec:python3 page.py" --steps 40
fi

# ---- what it is told ----------------------------------------------------------------------------

told() { # told NAME PATTERN ARG...: the first line has the pattern
    local name=$1 pattern=$2
    shift 2
    "$program" run --scheme 'exec:cat >line; exit 3' --steps 2 "$@" >said 2>err
    verdict "$name" "$(grep -qE -- "$pattern" line || head -c 900 line)"
}
told "a floor" '"walls": \[\{"name": "floor", "normal": \[1.0\], "offset": 0.0\}\].*"parameters": \{[^}]*\}\}$' "${ball[@]}"
told "its contact" '"contacts": \[\[0, "floor"\]\]' "${ball[@]}"
told "a constant force" '"acceleration": \[-2.0\], "force_constant": true' "${ball[@]}"
told "a force of time" '"force_constant": false' --problem nonuniqueness
told "the impact law" '"restitution": 0.25, "impact_law": "u\+ = \(1 \+ e\) P_C\(u-\) - e u-' --problem bouncing_ball --set e=0.25
told "pairs" '"contacts": \[\[0, 1\], \[1, 2\], \[2, 3\]\]' --problem cradle --set N=3
told "radii that stand in a parameter" '"radii": \[0.125, 0.25, 0.0625\]' --problem sticky --set N=3 --set radii=0.125,0.25,0.0625
told "bodies and walls" '"contacts": \[\[0, 1\], \[0, 2\], \[1, 2\], \[[0-2], "[a-z]+"\]' --problem pile --set N=3
cat >pairs.sh <<'SH'
read -r line
printf '%s\n' "$line" >line
for k in 1 2; do
    printf '%s\n' "$line" | sed 's/.*\("q": \[[^]]*\]\), \("u": \[[^]]*\]\).*/{\1, \2, "impulses": [[2, 1, 0.5], [1, "floor", 0.25]]}/'
done
SH
gives "impulses are of bodies" 0 'wrote p.csv' run --problem pile --set N=3 --scheme 'exec:sh pairs.sh' --steps 2 --trajectory p.csv
gives "of the same ones" 0 '"contacts": \{"active_max": 2, "impulse_total": 1\.5' run --problem pile --set N=3 --scheme 'exec:sh pairs.sh' --steps 2 --json

# ---- its end ------------------------------------------------------------------------------------

refused "its end is told, with its last words" "ended with status 3 in step 1; its last words: oh no" 'read line; echo oh no >&2; exit 3'
refused "a crash" 'was ended by signal 11 \(.*\) in step 1' 'kill -SEGV $$'
refused "a program that closes its streams and stays" 'closed its output, and wrote no more in step 1' 'exec 0<&- 1>&-; sleep 20'
refused "a status after the last line" "ended with status 3 after its last step; its last words: late" 'sh fall.sh; echo late >&2; exit 3'
refused "a signal after the last line" 'ended by signal 6 \(.*\) after its last step' 'sh fall.sh; kill -ABRT $$'
refused "a shell's word for it" 'ended with status 134 \(signal 6, .*\) after its last step' "sh -c 'sh fall.sh; kill -ABRT \$\$'; exit \$?"
gives "long words have a head and a tail" 1 'first words: word 1 word 2 .*; its last words: .*word 5000' \
    run "${ball[@]}" --scheme 'exec:seq -f "word %g" 5000 >&2; exit 1' --steps 4
gives "silence" 1 'wrote nothing for 0.5 s \(is its output flushed\? patience=SECONDS waits longer\) in step 1' \
    run "${ball[@]}" --scheme 'exec:patience=0.5:sleep 77.1' --steps 4
gives "a long first line that it does not read" 1 'wrote nothing for 0.5 s' \
    run --problem impact --set N=30000 --scheme 'exec:patience=0.5:sleep 77.1' --steps 4
began=$SECONDS
refused "it is asked to end" "wrote 'x'" "trap 'echo asked >asked; exit' TERM; echo $one; echo x; while :; do sleep 0.05; done"
holds "and does" test "$(<asked)" = asked -a $((SECONDS - began)) -lt 10
gives "what it writes after its last line is whole" 0 ': ok' run "${ball[@]}" --scheme 'exec:sh fall.sh; exec >&- 2>&-; sleep 0.6; echo whole >own' --steps 4
holds "to its end" test "$(<own)" = whole

# ---- what the record keeps ----------------------------------------------------------------------

record "standard error of a run that ends well" '"stderr": \{"lines": 214, "bytes": [0-9]*, "head": \["w1", .*"tail": \[.*"w214"\]' \
    "seq -f w%g 214 >&2; sh fall.sh" 8
gives "and is said" 0 'its program: 214 lines on standard error, the last: w214' \
    run "${ball[@]}" --scheme "exec:seq -f w%g 214 >&2; sh fall.sh" --steps 8
record "banners and farewells" '"aside": \{"lines": 3, "bytes": 21, "tail": \["Engine 1.0", "ready", "bye"\]' \
    "echo Engine 1.0; echo ready; echo; sh fall.sh; echo bye" 8
record "three times" '"times": \{"start": 0\.[3-9][0-9]*, "steps": [0-9.e-]*, "measuring": [0-9.e-]*\}' "sleep 0.3; sh fall.sh" 8
record "a name" '"scheme": "my loop".*"command": "sh fall.sh"' "name=my loop,patience=9:sh fall.sh" 8
record "another meaning of its velocities" '"between": "constant"' "between=constant:sh fall.sh" 8

# The exact flight: exact where it is ballistic, to the error of straight lines between nodes, h^2/4 in q.
cat >fly.sh <<'SH'
awk 'NR == 1 { for (k = 1; k <= 8; k++) { t = 0.5 * k / 8; printf "{\"q\": [%.17g], \"u\": [%.17g]}\n", 1 - t * t, -2 * t } exit }'
SH
record "a velocity to fly on with" '"q_Linf": 0\.000976562.*"findings": \[\]' "between=ballistic:sh fly.sh" 8
record "of which none flies on" '"findings": \[\{"name": "velocity of the wrong side"' "between=ballistic:sh fall.sh" 40
# The same as pieces; $1 = jump leaves the positions of the second step, back its time.
cat >dense.sh <<'SH'
read -r line
steps=$(printf '%s' "$line" | sed 's/.*"steps": \([0-9]*\).*/\1/')
awk -v n="$steps" -v bad="${1:-}" 'BEGIN { h = 0.5 / n; for (k = 1; k <= n; k++) {
    a = h * (k - 1); b = h * k
    printf "{\"q\": [%.17g], \"u\": [%.17g], \"motion\": {\"ends\": [%.17g], \"c\": [[[%.17g], [%.17g], [%.17g]]]}}\n",
        1 - b * b, -2 * b, bad == "back" && k == 2 ? 0 : b, 1 - a * a + (bad == "jump" && k == 2), -2 * a * h, -h * h } }'
SH
record "a motion inside the step" '"q_Linf": (0|[0-9.]*e-1[5-9]),.*"findings": \[\]' "between=dense:sh dense.sh" 8
refused "pieces that do not join" "step 2: the motion inside the step jumps by 1 in coordinate 1" "between=dense:sh dense.sh jump"
refused "pieces that run backwards" "step 2: piece 1 of 1 .* to 0; allowed: ascending times" "between=dense:sh dense.sh back"
refused "a motion that is not announced" 'wrote "motion" in step 1; allowed: .* with between=dense' "sh dense.sh"
refused "a motion that is missing" 'wrote no "motion" that can be read' "between=dense:sh fly.sh"

# A ball that keeps 0.7 of its speed where the problem says 0.5: at an impact u+ = -0.7 u-.
cat >bounce.sh <<'SH'
awk 'NR == 1 { h = 2 / 200; q = 1; u = 0; for (k = 1; k <= 200; k++) { u -= 9.81 * h; if (q + h * u < 0 && u < 0) u *= -0.7
    q += h * u; printf "{\"q\": [%.17g], \"u\": [%.17g]}\n", q, u } exit }'
SH
gives "what is wrong is found" 0 'found: another restitution: .* give e = 0\.[67]' \
    run --problem bouncing_ball --set e=0.5 --scheme "exec:sh bounce.sh" --steps 200

gives "not in many numbers" 0 'too many numbers to look for what is wrong' \
    run "${ball[@]}" --scheme "exec:sh fall.sh" --steps 70000 --norms none

# ---- settings -----------------------------------------------------------------------------------

setting() { # setting NAME PATTERN SCHEME
    gives "$1 is refused" 2 "$2" run "${ball[@]}" --scheme "$3" --steps 4
}
setting "no command" "scheme is 'exec'; allowed: exec:COMMAND" exec
setting "settings alone" "scheme is 'exec:name=x'; allowed: exec:COMMAND, exec:KEY=VALUE" exec:name=x
setting "an unknown key" "'patiense=3'; allowed: name=NAME, patience=SECONDS" exec:patiense=3:cat
setting "no patience" "patience is '0'; allowed: seconds in \(0" exec:patience=0:cat
setting "another meaning" "between is 'cubic'; allowed: affine, constant, ballistic" exec:between=cubic:cat
setting "a name of ours" "name is 'maury', which is a scheme of ours; allowed: another" exec:name=maury:cat
setting "a name of a file's that is ours" "name is 'paoli', which is a scheme of ours" file:a.csv,name=paoli
gives "a variable for the command alone is none" 0 "$ours" run "${ball[@]}" --scheme "exec:MODEL=a:b sh fall.sh" --steps 40

# ---- sweeps -------------------------------------------------------------------------------------

echo 1 >imported
cat >guest.lua <<'LUA'
local lab = require "impactlab"
local r = lab.sweep{name = "guest", problem = {"bouncing_ball", gravity = 2, T = 0.5}, schemes = {arg[1]}, steps = {10, 20, 40}}:run()
print("found", r.found)
print(r:records()[1].scheme)
r:table{"errors", formats = {"txt"}}
LUA
sweeps() { # sweeps NAME FOUND SETTINGS: so many cases were stored
    gives "$1" 0 "found.$2" sweep guest.lua --results r --trust -- "exec:$3sh fall.sh"
}
gives "a guest starts no program" 2 'starts another program; --trust allows it' sweep guest.lua --results r -- 'exec:sh fall.sh'
sweeps "a trusted script does" 0 ""
lacks "of whose imports nothing is to be said" 'imports'
sweeps "and finds its cases" 3 ""
holds "what is not looked at is said" grep -q 'sweep guest: what exec:sh fall.sh imports is not looked at' err
sweeps "of another version it does not" 0 "version=2:"
sweeps "nor with other files" 0 "files=imported,name=mine:"
holds "it has its name in tables" grep -q '^bouncing_ball.* mine ' r/tables/guest-errors.txt
sweeps "whose cases it finds" 3 "files=imported,name=mine:"
lacks "and says no more of imports" 'imports'
echo 2 >imported
sweeps "until one has changed" 0 "files=imported,name=mine:"
echo '# another' >>fall.sh
sweeps "of another program it does not" 0 ""
"$program" run "${ball[@]}" --scheme maury --steps 10 --trajectory col-10.csv >/dev/null
gives "files have names too" 0 '"scheme": "my files"' run "${ball[@]}" --scheme 'file:col-%d.csv,name=my files' --steps 10 --json
cat >twice.lua <<'LUA'
require("impactlab").sweep{problem = "bouncing_ball", schemes = {"exec:name=a:cat", "exec:name=a:tac"}, steps = {4}}:run()
LUA
gives "two of a name are refused" 2 "schemes\[2\] is 'a'; allowed: each once" sweep twice.lua --results r --trust
echo 'require("impactlab").sweep{problem = {"bouncing_ball", e = 0.5}, scheme = "exec:sh bounce.sh", steps = {200}}:run()' >wrong.lua
gives "what a sweep's programs do wrong is said" 0 'sweep [a-z_-]*: exec:sh bounce.sh: found in 1 of 1 cases: another restitution' \
    sweep wrong.lua --results r --trust

# ---- what is left running -----------------------------------------------------------------------

# A program that sleeps, a child of its own that does, one in the background, and two of a session of their own that
# take no notice of SIGTERM; their numbers stand in `pids`.
cat >hang.sh <<'SH'
setsid sh -c 'trap "" TERM; sleep 77 & echo $! $$ >>pids; wait' &
sleep 77 &
echo $! $$ >>pids
sh -c 'echo $$ >>pids; sleep 77; true'
true
SH
running() { # how many of them run
    local pid stat n=0
    for pid in $(cat pids 2>/dev/null); do
        read -r -a stat 2>/dev/null <"/proc/$pid/stat" && [ "${stat[2]}" != Z ] && n=$((n + 1))
    done
    echo $n
}
cat >hang.lua <<'LUA'
require("impactlab").sweep{problem = "bouncing_ball", scheme = "exec:sh hang.sh", steps = {4, 5}}:run()
LUA
clean() { # clean NAME: they have run, and nothing of them runs any more, within three seconds
    local k
    for ((k = 0; k < 60; k++)); do
        [ "$(running)" -gt 0 ] || break
        sleep 0.05
    done
    verdict "$1" "$([ -s pids ] && [ "$(running)" -eq 0 ] || echo "$(running) of $(cat pids) are left")"
    [ "$(running)" -eq 0 ] || kill -KILL $(cat pids) 2>/dev/null
    rm -f pids
}
begun() { # until so many run
    local k
    for ((k = 0; k < 200; k++)); do
        [ "$(running)" -lt "$1" ] || return
        sleep 0.05
    done
}
for signal in INT TERM HUP KILL; do
    env --default-signal "$program" sweep hang.lua --results h --trust -j 2 >said 2>err </dev/null &
    pid=$!
    begun 10
    holds "two programs run" test "$(running)" -eq 10
    kill "-$signal" "$pid"
    wait "$pid" 2>/dev/null
    clean "none outlives a sweep that SIG$signal ends"
done
gives "a limit of time" 3 'stopped by --max-time' sweep hang.lua --results h --trust -j 2 --max-time 1
clean "leaves none"
gives "a limit of a case" 1 'time_limit' sweep hang.lua --results h --trust -j 2 --case-time 1
clean "leaves none either"
gives "nor does a run that ends well" 0 ': ok' run "${ball[@]}" --scheme 'exec:sleep 77 & echo $! >pids; sh fall.sh' --steps 4
clean "whose program left one behind"
gives "nor by way of a session" 0 ': ok' run "${ball[@]}" --scheme 'exec:setsid sh -c "echo \$\$ >pids; exec sleep 77" & sh fall.sh; sleep 0.1' --steps 4
clean "of its own"

conclude

#!/usr/bin/env bash
# judge.sh - trajectories of others, from the command line: `judge`.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"
cd "$work" || exit 2

gives() { # gives NAME STATUS PATTERN ARG...: ends so, and prints the pattern somewhere
    local name=$1 wanted=$2 pattern=$3 status
    shift 3
    [ -n "$pattern" ] || pattern='what it is compared with printed nothing'
    "$program" "$@" >said 2>err </dev/null
    status=$?
    verdict "$name" "$([ $status -eq "$wanted" ] && grep -qE -- "$pattern" said err || echo "status $status: $(head -c 300 said) $(tail -n 1 err)")"
}

ball=(--problem bouncing_ball --set gravity=2 --set T=0.5)

# ---- judge --------------------------------------------------------------------------------------

# q = 1 - t^2: exact in flight, of order one where a velocity holds.
fly() { # fly STEPS
    awk -v n="$1" 'BEGIN { print "t,q0,u0"; for (k = 0; k <= n; k++) { t = 0.5 * k / n
        printf "%.17g,%.17g,%.17g\n", t, 1 - t * t, -2 * t } }'
}
for n in 16 23 32 45 64 91 128 181; do fly $n >"fly-$n.csv"; done
gives "samples of the exact flight are exact" 0 'u_L1 [0-9.]*e-1[5-9]|u_L1 0.000e' judge fly-64.csv "${ball[@]}" --between ballistic
gives "affine they are of order one" 0 'u_L1: falls like h\^1\.00 .*PASS' judge fly-*.csv "${ball[@]}"
head -n 34 fly-64.csv >cut-64.csv
gives "files that end at different times are no study" 2 "'fly-32.csv' ends at t = 0.5, 'cut-64.csv' at 0.25; allowed: files of one study" judge fly-32.csv cut-64.csv "${ball[@]}"
head -n 65 fly-64.csv >short-64.csv
gives "but the last step may be missing" 0 'short-64.csv: 63 steps' judge fly-32.csv short-64.csv "${ball[@]}"
gives "an order that is claimed and missed" 1 'q_Linf: .*FAIL: order 3 is refuted' judge fly-*.csv "${ball[@]}" --order 3
gives "the same claim as a word" 1 'q_Linf: .*FAIL: order 3 is refuted' judge fly-*.csv "${ball[@]}" --claim bound:3
gives "a sharp order, met by u and not by q" 1 "u_L1: .*PASS" judge fly-*.csv "${ball[@]}" --claim sharp:1
gives "a sharp order that is exceeded" 1 'u_L1: .*FAIL' judge fly-*.csv "${ball[@]}" --claim sharp:0.5
for claim in bound sharp:0 bound:x "bound:1 " converging "sharp:1 --order 1"; do
    read -ra words <<<"$claim"
    [ "$claim" != "bound:1 " ] || words=("bound:1 ")
    gives "no claim: $claim" 2 "claim is '${words[0]}'; allowed: converges, bound:P" judge fly-*.csv "${ball[@]}" --claim "${words[@]}"
done
gives "the record is JSON" 0 '^\{"problem": "bouncing_ball".*"judged": .*"findings": \[\]' judge fly-64.csv "${ball[@]}" --json
gives "of several files a list, and orders" 0 '^\{"files": \[\{.*"orders": \[\{"norm": "q_Linf", "order": ' judge fly-*.csv "${ball[@]}" --json
gives "what is wrong is named, and status 1" 1 'found: another force: the force counts 0.4 times' \
    judge fly-64.csv --problem bouncing_ball --set gravity=5 --set T=0.5 --between ballistic
"$program" run "${ball[@]}" --scheme maury --steps 50 --trajectory own.csv --json >own.json
gives "our own trajectory is the run" 0 "$(grep -o '"u_L1": [0-9.e-]*' own.json | head -n 1)" judge own.csv "${ball[@]}" --json

awk -F, 'NR == 20 { print $1 "," $2 "," 10 * $3; next } { print }' fly-64.csv >bent.csv
gives "speeds that contradict positions, by file, line and column" 1 "speeds that contradict positions: 'bent.csv', line (20|21), column 2 \(q0\)" \
    judge bent.csv "${ball[@]}" --between ballistic
"$program" run "${ball[@]}" --scheme maury --steps 50 --trajectory col-50.csv >ours
gives "files are a scheme" 0 "$(grep -o 'u_L1 [0-9.e-]*' ours)" run "${ball[@]}" --scheme file:col-%d.csv --steps 50
gives "of as many steps" 2 "'col-50.csv' has 50 steps to t = 0.5; allowed: 40 to t = 0.5" run "${ball[@]}" --scheme file:col-50.csv --steps 40
gives "no file" 2 "scheme is 'file'; allowed: file:FILE" run "${ball[@]}" --scheme file --steps 40
gives "no problem" 2 'a file and --problem are needed' judge fly-64.csv
gives "no such file" 2 "cannot read 'none.csv'" judge none.csv "${ball[@]}"
gives "another format" 2 "the file is 'own.json'; allowed: NAME.csv, NAME.npz \(numpy.savez of t, q, u\), NAME.h5, not packed" judge own.json "${ball[@]}"
gives "another meaning" 2 "--between is 'cubic'; allowed: affine, constant, ballistic" judge fly-64.csv "${ball[@]}" --between cubic
gives "too few coordinates" 2 "'fly-64.csv' has no column 'q1'; it has t, q0, u0; --mapping" judge fly-64.csv --problem cradle
awk -F, 'NR == 1 { print "time,height,speed"; next } { printf "%.17g,%.17g,%.17g\n", $1, 1000 * $2, -$3 }' fly-64.csv >units.csv
printf 't = time\n# millimetres, and speeds downward\nq = height*0.001\nu = -speed\n' >map
gives "names and units are those of the mapping" 0 'u_L1 [0-9.]*e-1[5-9]|u_L1 0.000e' judge units.csv "${ball[@]}" --between ballistic --mapping map
printf 'q = height\n' >map
gives "a mapping to nothing" 2 "has no column 'height'; it has t, q0, u0" judge fly-64.csv "${ball[@]}" --mapping map
awk -F, 'NR == 1 { print "t,q0,u0,energy"; next } { print $0 ",1" }' fly-64.csv >more.csv
gives "a column that is not understood" 2 "'more.csv': energy: not understood; allowed: t, q0, u0, impulse0; --mapping FILE" judge more.csv "${ball[@]}"
printf 'skip = energy\n' >map
gives "unless it is skipped" 0 'u_L1 [0-9.]*e-1[5-9]|u_L1 0.000e' judge more.csv "${ball[@]}" --between ballistic --mapping map
printf 'speed = u0\n' >map
gives "a mapping that is none" 2 "mapping 'map': 'speed ?'; allowed: t = NAME" judge fly-64.csv "${ball[@]}" --mapping map
# In more than four million numbers faults are not looked for.
awk 'BEGIN { print "t,q0,u0"; for (k = 0; k <= 2000000; k++) printf "%.17g,1,0\n", k * 1e-7 }' >long.csv
gives "what is long is measured, and not searched" 0 'too many samples to look for faults' \
    judge long.csv --problem bouncing_ball --set gravity=1e-99 --set T=0.2 --norms none
rm long.csv

conclude

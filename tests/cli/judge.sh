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
for n in 16 23 32 45 64 91 128 181 256 362 512 724; do fly $n >"fly-$n.csv"; done
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
# What a machine asks. Of order 1 in u_L1, 2 in q_Linf; two files decide nothing.
two=(fly-16.csv fly-32.csv)
gives "two files decide nothing" 0 'u_L1: INCONCLUSIVE' judge "${two[@]}" "${ball[@]}"
gives "which is a failure where PASS is required" 1 'u_L1: INCONCLUSIVE' judge "${two[@]}" "${ball[@]}" --require PASS
gives "PASS is enough" 0 'u_L1: .*PASS' judge fly-*.csv "${ball[@]}" --require PASS --fail-below 0.9
gives "an order below the bound" 1 '"norm": "u_L1".*"failed": true\}\], "findings": 0, "orders_failed": 1' judge fly-*.csv "${ball[@]}" --fail-below 1.5 --json
gives "not in the norm that counts" 0 '"orders": \[\{"norm": "q_Linf".*"failed": false\}\]' judge fly-*.csv "${ball[@]}" --fail-below 1.5 --norm q_Linf --json
gives "exact at the end: no order, and no failure" 0 'final_q: PASS: .* at rounding' judge fly-*.csv "${ball[@]}" --norm final_q --fail-below 1
gives "one file has no order" 2 'of the order of several files, and there is one' judge fly-16.csv "${ball[@]}" --require PASS
gives "only PASS can be required" 2 "--require is 'FAIL'; allowed: PASS" judge fly-*.csv "${ball[@]}" --require FAIL
# The force is another: found in each file, and no error falls. Each of the two alone.
other=(--problem bouncing_ball --set gravity=5 --set T=0.5 --between ballistic)
gives "findings and orders are counted apart" 1 '"findings": [1-9][0-9]*, "orders_failed": [12]\}' judge fly-*.csv "${other[@]}" --json
gives "findings alone" 1 'found: another force' judge "${two[@]}" "${other[@]}" --fail-on findings
gives "orders alone: none is refuted" 0 'found: another force' judge "${two[@]}" "${other[@]}" --fail-on orders
gives "orders alone: refuted" 1 'FAIL: the errors do not fall' judge fly-*.csv "${other[@]}" --fail-on orders
gives "JUnit's file" 1 'PASS' judge fly-*.csv "${ball[@]}" --name 'a<b' --fail-below 1.5 --junit judged.xml
holds "has a case a file and norm" grep -q '<testsuite name="impactlab judge" tests="14" failures="1" skipped="0" errors="0">' judged.xml
holds "that of the order fails" grep -q 'name="u_L1"><failure message="PASS">falls like h^1.00' judged.xml
gives "skipped where nothing is decided" 0 'INCONCLUSIVE' judge "${two[@]}" "${ball[@]}" --junit judged.xml
holds "as JUnit says it" grep -q 'failures="0" skipped="2"' judged.xml
if command -v python3 >/dev/null; then
    holds "it is XML" python3 -c 'import xml.dom.minidom as x; assert len(x.parse("judged.xml").getElementsByTagName("testcase")) == 4'
fi
gives "no such folder, before anything is read" 2 "cannot write 'none/o.xml'" judge none.csv "${ball[@]}" --junit none/o.xml

# A plan: from four runs, followed, it decides in four of five studies (by two schemes, two norms).
planned() { # planned SCHEME PROBLEM...: "decided of all" where the plan is followed
    local scheme=$1 steps
    shift
    rm -f plan-*.h5
    for steps in 40 57 80 113; do "$program" run --scheme "$scheme" --problem "$@" --steps $steps --norms none --trajectory plan-$steps.h5; done >/dev/null
    steps=$("$program" judge plan-*.h5 --problem "$@" --norms none --plan --json | sed 's/.*"plan": {.*"steps": \[\([^]]*\)\].*/\1/; s/\.0//g; s/,/ /g')
    for steps in $steps; do "$program" run --scheme "$scheme" --problem "$@" --steps "$steps" --norms none --trajectory "plan-$steps.h5"; done >/dev/null
    "$program" judge plan-*.h5 --problem "$@" --norms none --json | grep -oE '"verdict": "[A-Z]*"' | tail -n 2
}
{
    planned maury bouncing_ball
    planned paoli two_spheres
    planned maury growing_radii
    planned moreau_jean bouncing_ball --set e=0.9
    planned maury pendulum
} >plans
holds "plans that are followed decide ($(grep -c INCONCLUSIVE plans) of $(wc -l <plans) open)" \
    [ "$(wc -l <plans)" = 10 -a "$(grep -c INCONCLUSIVE plans)" -le 2 ]
gives "a plan is printed" 0 '^plan: [0-9]+ more runs, [0-9]+ in each of [0-9]+ octaves' judge fly-16.csv fly-23.csv fly-32.csv "${ball[@]}" --plan
gives "what decides already needs none" 0 'these files decide; no more runs are needed' judge fly-*.csv "${ball[@]}" --plan
gives "two files are too few" 2 '.-plan needs three files at least' judge "${two[@]}" "${ball[@]}" --plan

# A problem as numbers, for programs that solve it by themselves.
gives "the start, and a wall below" 0 '"q0": \[2.5\], "u0": \[-1.0\], "mass": \[1.0\], "force": \[-3.0\], "force_constant": true.*"contacts": \[\[0, "floor"\]\], "walls": \[\{"name": "floor", "normal": \[1.0\], "offset": 0.0\}\]' \
    show bouncing_ball --data --set gravity=3 --set q0=2.5 --set u0=-1 --json
gives "a force that varies is said to" 0 '"force_constant": false' show nonuniqueness --data --json
gives "radii that stand in a parameter" 0 '^radii    0.02 0.03 0.01$' show sticky --data --set N=3 --set radii=0.02,0.03,0.01
gives "a mass that is no diagonal" 0 '^M        2 1$' show pendulum --data
gives "of order one a drift, and no mass" 0 '^drift    1 -1.2$' show labyrinth --data
"$program" show pile --data --set N=4 --set gravity=7 --set space=3 --json >pile.json
if command -v python3 >/dev/null; then
    holds "weights are masses times gravity, and stand in the last coordinate" python3 -c '
import json; p = json.load(open("pile.json")); m, f = p["mass"], p["force"]
assert p["space"] == 3 and len(m) == len(p["q0"]) == 12 and len(p["radii"]) == 4
assert all(abs(f[k] + (7 * m[k] if k % 3 == 2 else 0)) <= 1e-15 for k in range(12))
q, r = p["q0"], p["radii"]  # nothing overlaps a wall
assert all(sum(w["normal"][c] * q[3 * i + c] for c in range(3)) - w["offset"] >= r[i] - 1e-12 for w in p["walls"] for i in range(4))'
fi
gives "a scheme has no data" 2 "is of problems, and 'maury' is a scheme" show maury --data
gives "nor a parameter without" 2 '.-set has a meaning beside --data alone' show pile --set N=3
gives "a parameter out of range" 2 "parameter 'N' is 0; allowed: " show pile --data --set N=0

# The same of a script and of claims.
cat >asks.lua <<'LUA'
local r = require "impactlab".sweep{name = "a", problem = "bouncing_ball", schemes = {"maury", "paoli"},
                                    steps = {10, 20, 40, 80, 160, 320}}:run()
if arg[1] then r:orders{norms = {arg[1]}} end
LUA
gives "a sweep's orders" 0 '12 cases: .* 0 failed' sweep asks.lua --results asked --require PASS --junit sweep.xml -- q_Linf
holds "are test cases" grep -q '<testcase classname="order" name="maury q_Linf on bouncing_ball"><system-out>' sweep.xml
gives "below the bound" 1 'impactlab: not as is asked: maury q_Linf on bouncing_ball.*falls like' sweep asks.lua --results asked --fail-below 4 -- q_Linf
gives "in a norm that no order has" 1 'the script judged no order in u_L1' sweep asks.lua --results asked --fail-below 0.5 --norm u_L1 -- q_Linf
gives "without any" 1 'the script judged no order' sweep asks.lua --results asked --require PASS
gives "claims" 0 '"failed": 0' verify --claim M-P1 --json --junit claims.xml
holds "are test cases too" grep -q '<testcase classname="M-P1" name="[^"]* by [^"]*: [^"]*">' claims.xml

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
sed 's/^t,q0,u0/time [s],q0,u0/' fly-64.csv >blank.csv
echo 't = time [s]' >map
gives "a name with a blank is in quotes" 2 "has no column 'time'; it has time \[s\], q0, u0; in a mapping a name with a blank stands in \"\"" \
    judge blank.csv "${ball[@]}" --mapping map
echo 't = "time [s]"' >map
gives "and then found" 0 'u_L1 [0-9.]*e-1[5-9]|u_L1 0.000e' judge blank.csv "${ball[@]}" --between ballistic --mapping map
gives "a column that is not understood" 2 "'more.csv': energy: not understood; allowed: t, q0, u0, impulse0; --mapping FILE" judge more.csv "${ball[@]}"
printf 'skip = energy\n' >map
gives "unless it is skipped" 0 'u_L1 [0-9.]*e-1[5-9]|u_L1 0.000e' judge more.csv "${ball[@]}" --between ballistic --mapping map
printf 'speed = u0\n' >map
gives "a mapping that is none" 2 "mapping 'map': 'speed ?'; allowed: t = NAME" judge fly-64.csv "${ball[@]}" --mapping map
# In more than four million numbers faults are not looked for.
awk 'BEGIN { print "t,q0,u0"; for (k = 0; k <= 2000000; k++) printf "%.17g,1,0\n", k * 1e-7 }' >long.csv
gives "what is long is measured, and not searched" 0 'no faults were looked for: too many samples' \
    judge long.csv --problem bouncing_ball --set gravity=1e-99 --set T=0.2 --norms none
rm long.csv

conclude

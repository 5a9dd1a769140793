#!/usr/bin/env bash
# board.sh - `impactlab board`: its JSON, its page, programs that fail on some problems, what it refuses; the test set of
# motions against closed forms. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"
root=$PWD
cd "$work" || exit 2

gives() { # gives NAME STATUS PATTERN ARG...: ends so, and prints the pattern somewhere
    local name=$1 wanted=$2 pattern=$3 status
    shift 3
    "$program" board "$@" >said 2>err </dev/null
    status=$?
    verdict "$name" "$([ $status -eq "$wanted" ] && grep -qE -- "$pattern" said err || echo "status $status: $(head -c 300 said) $(tail -n 1 err)")"
}
refuses() { # refuses NAME PATTERN ARG...: one line, status 2, no file
    local name=$1
    gives "$name" 2 "${@:2}" --out none
    verdict "$name: one line" "$([ "$(wc -l <err)" -eq 1 ] && [ ! -s said ] && [ ! -e none/index.html ] || head -n 3 err)"
}
cell() { # cell SCHEME QUESTION PROBLEM PATTERN: of board.json
    tr -d '\n' <board/board.json | sed 's/{ *"command"/\n&/g' | grep -F "\"problem\": \"$3\"" | grep -F "\"question\": \"$2\"" |
        grep -F "\"scheme\": \"$1\"" | grep -qE "$4"
    verdict "$2 of $1 on $3" "$([ $? -eq 0 ] || echo "no $4")"
}

# The ball's floor by positions; anything else is refused.
cat >mine.sh <<'SH'
read -r line
case $line in *'"problem": "bouncing_ball"'*) ;; *) echo "a ball alone" >&2; exit 1 ;; esac
printf '%s' "$line" | sed 's/.*"steps": \([0-9]*\), "h": \([^,]*\),.*"acceleration": \[\([^]]*\)\].*/\1 \2 \3/' |
    awk '{ q = 1; for (k = 1; k <= $1; k++) { u += $2 * $3; if (u < -q / $2) u = -q / $2; q += $2 * u; printf "{\"q\": [%.17g], \"u\": [%.17g]}\n", q, u } }'
SH
gives "a board" 0 'board/index.html' --schemes "maury,impulse:as=ode,exec:name=mine:sh mine.sh" --problems bouncing_ball,two_spheres \
    --questions order_u,overlap,energy,rebound_1e-2 --out board -j 2 --question-time 600 --quiet
cell maury order_u bouncing_ball '"verdict": "PASS"'
cell mine order_u bouncing_ball '"verdict": "PASS"'
cell impulse:as=ode order_u bouncing_ball '"verdict": "FAIL"'
cell mine order_u two_spheres '"reason": "[^"]*a ball alone".*"value": null, *"verdict": "FAILED"'
cell maury energy bouncing_ball '"value": null, *"verdict": "REFUSED"'
cell maury order_u two_spheres "\"command\": \"impactlab board --schemes maury --problems two_spheres --questions order_u\""
cell mine order_u bouncing_ball "\"command\": \"impactlab board --schemes 'exec:name=mine:sh mine.sh' --problems"
for what in 'class="PASS" title="maury u_L1' 'href="figures/board-bouncing-ball.png"' '>h\^[01]\.[09]' 'class="FAILED" title="the program &#39;|class="FAILED" title="the program '; do
    verdict "the page has $what" "$(grep -qE -- "$what" board/index.html || echo 'it has not')"
done
verdict "its links lead somewhere" "$(grep -oE 'href="[^"]*"' board/index.html | cut -d'"' -f2 | sort -u | while read -r f; do [ -s "board/$f" ] || echo "$f"; done)"
echo 'require("impactlab").table{name = "t", heads = {"a"}, rows = {{1}}}' >t.lua
"$program" sweep t.lua --quiet --results . >/dev/null 2>&1 && "$program" report --quiet >/dev/null 2>&1 --results .
verdict "the report links to it" "$(grep -q 'href="../board/index.html"' report/index.html || echo 'it does not')"
"$program" board --schemes maury --problems bouncing_ball --questions overlap --json --quiet >one
verdict "JSON alone" "$([ "$(wc -l <one)" -le 1 ] && grep -q '^{.*"schemes": \["maury"\]' one || head -c 200 one)"
if /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
    "$program" board --schemes maury,moreau_jean,reflect --problems bouncing_ball,two_spheres --questions order_u,energy --json --quiet >cells.json
    cat >cells.py <<'PY'
import json, pandas
cells = pandas.DataFrame(json.load(open("cells.json"))["cells"])
assert len(cells) == 9 and cells["value"].dtype == float and cells.loc[cells.verdict == "REFUSED", "value"].isna().all(), cells
orders = cells[cells.question == "order_u"].pivot(index="scheme", columns="problem", values="order")
assert orders.shape == (3, 2) and abs(orders.loc["maury", "two_spheres"] - 1) < 0.05, orders
gained = cells[cells.question == "energy"].set_index("scheme").value
assert abs(gained["reflect"] - 1) < 0.05 and abs(gained["moreau_jean"]) < 0.05 and pandas.isna(gained["maury"]), gained
print("read by pandas", pandas.__version__)
PY
    /usr/bin/python3 cells.py >out 2>&1
    verdict_if $? "pandas reads its cells" out
fi
gives "the same by another claim" 0 'maury +FAIL' --schemes maury --problems bouncing_ball --questions order_u --claim bound:2

gives "lists of numbers" 0 'two_spheres:scenario=pressed,masses=1,3' --schemes maury --problems two_spheres:scenario=pressed,masses=1,3,bouncing_ball \
    --questions overlap --quiet
gives "a program that is too slow for a question keeps its other cells" 0 'mine +REFUSED +not asked: 64 steps took .* at least' \
    --schemes "exec:name=mine:sh mine.sh" --problems bouncing_ball --questions order_u,rebound_1e-2 --question-time 1e-3 --quiet
verdict "which are few steps" "$(grep -qE 'mine +REPORTED +[0-9]+ %' said || tail -n 2 said)"
cat >still.sh <<'SH'
sed 's/.*"steps": \([0-9]*\).*\("q": .*"u": [^]]*\]\).*/\1 {\2}/' | { read -r n line; while [ "$n" -gt 0 ]; do echo "$line"; n=$((n - 1)); done; }
SH
gives "a forecast by smaller sizes" 0 'mine +REFUSED +not asked: 10 steps of crystal\(rows=5\) took' \
    --schemes "exec:name=mine:sh still.sh,maury" --problems crystal --questions contact --question-time 1e-9 --quiet
gives "an interruption" 3 'stopped by --max-time' --max-time 0.2 --quiet

refuses "a scheme that is none" "unknown scheme 'mary'" --schemes maury,mary
refuses "a scheme twice" "'maury'; allowed: each once" --schemes maury --schemes maury
refuses "names that collide" "the name of schemes 1 and 2 is 'a'" --schemes "exec:name=a:./x,exec:name=a:./y"
refuses "a name of ours" "a scheme of ours" --schemes "exec:name=maury:./x"
refuses "a problem that is none" "unknown problem 'balls'" --problems balls
refuses "a parameter" "'e' is 7" --problems bouncing_ball:e=7
refuses "a question that is none" "questions is 'weight'; allowed: order_u," --questions weight
refuses "a claim that is none" "claim is 'falls'; allowed: converges" --claim falls
refuses "no problem left" 'no exact solution of crowd is known' --problems crowd --questions order_u
refuses "no question left" 'questions that one of the problems answers' --problems sticky --questions energy

# ---- the test set of motions ----------------------------------------------------------------------
mkdir motions
"$program" sweep "$root/scripts/motion_test_set.lua" --trust --quiet --results scratch -- motions "$program" >out 2>&1
verdict_if $? "the test set" out
(cd motions && sha256sum -- *.json *.csv >SHA256SUMS)
# q = 1 - g t^2/2 until t_1 = (2/g)^(1/2), then parabolas of speed U/2, U/4, ...; t_2 = 2 t_1
verdict "a ball of e = 1/2" "$(awk -F, 'NR > 1 { g = 9.81; t1 = sqrt(2 / g); q = $1 <= t1 ? 1 - g * $1 ^ 2 / 2 : g * t1 / 2 * ($1 - t1) - g * ($1 - t1) ^ 2 / 2
    if ($1 <= 2 * t1) { n++; d = q - $2; if (!(d * d < 1e-28)) print "q off by " d " at " $1 } } END { if (n < 20) print n " times" }' motions/ball-half.csv)"
verdict "its impacts" "$(tr -d '\n' <motions/ball-half.json | sed 's/.*"impacts": //; s/}, *{/}\n{/g' | head -n 20 | sed 's/.*"after": \[\([^]]*\)\].*/\1/' |
    awk '{ u = sqrt(2 * 9.81) / 2 ^ NR; d = $1 - u; if (!(d * d < 1e-26)) print "impact " NR ": " $1 " not " u } END { if (NR < 20) print NR " impacts" }')"
verdict "a row of balls" "$(tail -n 1 motions/cradle-elastic.csv | awk -F, '{ for (k = 0; k < 5; k++) { d = $(7 + k) - (k == 0 ? -0.6 : 0.4); if (!(d * d < 1e-28)) print k ": " $(7 + k) } }')"
if command -v python3 >/dev/null; then
    cat >use.py <<'PY'
import sys; sys.path.insert(0, "motions")
import read
m = read.motion("ball-inelastic")
assert m.data["horizon"] == m.t[-1] == 2.0 and len(m.t) >= 50 and len(m.impacts) == 1
assert abs(m.impacts[0]["energy_before"] - 9.81) < 1e-13 and m.impacts[0]["energy_after"] == 0.0
assert all(float("%.17g" % float(row["q0"])) == q[0] for row, q in zip(read.table("ball-inelastic"), m.q))
with open("motions/ball-inelastic.csv", "a") as file: file.write("\n")
try: read.table("ball-inelastic")
except ValueError: print("all read")
PY
    python3 use.py >out 2>&1
    verdict_if $? "its reader reads, and sees what was changed" out
    verdict "to the end" "$(grep -q 'all read' out || tail -n 1 out)"
fi
conclude

#!/usr/bin/env bash
# results.sh - stored cases are found again: results list, show, export; status. What
# records tell of where they come from. What is refused leaves one line and everything as it was.
# IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

cd "$work" || exit 2
results=$work/out

# prints NAME STATUS PATTERN ARG...: the exit status, and a line of either stream.
prints() {
    local name=$1 wanted=$2 pattern=$3 why='' status
    shift 3
    timeout 60 "$program" "$@" >"$work/said" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne "$wanted" ]; then
        why="status $status instead of $wanted: $(tail -n 1 "$work/err")"
    elif ! grep -qE -- "$pattern" "$work/said" "$work/err"; then
        why="'$(tail -n 1 "$work/said")', '$(tail -n 1 "$work/err")' lack '$pattern'"
    fi
    verdict "$name" "$why"
}
refuses() { # refuses NAME PATTERN ARG...: one line and status 2
    local name=$1
    prints "$name" 2 "${@:2}"
    holds "$name: one line" test "$(wc -l <"$work/err")" -eq 1 -a ! -s "$work/said"
}
value() { # value KEY: the first value of the key in what was printed
    grep -oE "\"$1\": (\"[^\"]*\"|[^,}]*)" "$work/said" | head -n 1 | sed -E "s/^\"$1\": //; s/^\"//; s/\"$//"
}
folder() { (cd "$results" && find . -path ./index -prune -o -type f -exec sha256sum {} + | LC_ALL=C sort); }

cat >study.lua <<'END'
local lab = require "impactlab"
local r = lab.sweep{name = "balls", problems = {{"nonuniqueness", alpha = 1.6}, {"nonuniqueness", alpha = 1.8}},
                    schemes = {"maury", "paoli"}, steps = {16, 32, 64}}:run()
r:table{"errors"}
r:figure{"convergence", norm = "u_L1"}
local q = lab.sweep{name = "stiff", problem = "sticky", scheme = "maury", steps = {5, 7}}:run()
lab.run{problem = "sticky", scheme = "maury", steps = 3}
lab.table{name = "own", heads = {"a"}, rows = {{q:records()[1].energy.final}}}
END

# ---- before anything is stored -----------------------------------------------------------------

refuses "no folder" "there is no results folder 'out'" results list --results out
refuses "no folder, status" "there is no results folder" status --results out
holds "nothing was made" test ! -e out
refuses "show without a key" 'show needs KEY' results show
mkdir empty
prints "an empty folder" 0 '^0 of 0 cases' results list --results empty
prints "an empty folder's state" 0 '0 stored cases' status --results empty

"$program" sweep study.lua --results out >/dev/null 2>&1 || verdict "the study runs" "status $?"
build=$("$program" --version | sed 's/.*build \(.*\))/\1/')

# ---- provenance --------------------------------------------------------------------------------

prints "the record of a run" 0 '"provenance"' run --problem sticky --scheme maury --steps 4 --seed 3 --json
for key in version compiler flags libraries processor mathematics host; do
    holds "provenance has $key" test -n "$(value $key)"
done
holds "the host is this one" test "$(value host)" = "$(hostname 2>/dev/null || cat /proc/sys/kernel/hostname)"
holds "the seed" grep -q '"seconds": [0-9.e-]*, "seed": 3,' said
now=$(date -u +%s)
then=$(date -u -d "$(value date)" +%s)
holds "the date is now" test $((now - then)) -ge 0 -a $((now - then)) -lt 60
holds "no script" grep -q '"script": null' said
file=$(find out/cases -name '*.json' | head -n 1)
sum=$(sha256sum study.lua | cut -d ' ' -f 1)
holds "a stored record names its script" grep -q "\"script\": \"study.lua\", \"script_sha256\": \"$sum\"" "$file"
holds "the script's text is kept once" cmp study.lua "out/scripts/$sum.lua"
holds "and nothing beside it" test "$(find out/scripts -type f | wc -l)" -eq 1

# ---- list --------------------------------------------------------------------------------------

cases() { tail -n 1 "$work/said"; }
prints "all cases" 0 '^14 of 14 cases' results list --results out
{ sleep 0.3 && "$program" results list --results out --json 2>err; } | true # which has ended by then
holds "a reader that ends early is no failure" test "${PIPESTATUS[0]}" -eq 0 -a ! -s err
prints "a parameter and a scheme" 0 '^3 of 14 cases' results list --results out --where 'alpha > 1.7 and scheme = maury'
holds "the parameter is a column" grep -qE '^key .* alpha$' said
prints "by script and date" 0 '^14 of 14' results list --results out --where "script = study.lua and date >= $(date -u -d '-1 day' +%F)"
prints "of tomorrow" 0 '^0 of 14' results list --results out --where "date > $(date -u -d '+2 days' +%F)"
prints "columns of one's own" 0 '^problem +alpha +work.steps' results list --results out --columns problem,alpha,work.steps
prints "names" 0 '^alpha +12  1.6 to 1.8' results list --results out --names
prints "as JSON" 0 '"alpha": 1.8' results list --results out --json --where 'alpha = 1.8'
holds "one object" test "$(wc -l <said)" -eq 1
refuses "a condition without an end" 'column 8: the end; allowed: a number' results list --results out --where 'alpha >'
refuses "an unknown name" "column 14: no case has 'schem'; did you mean 'scheme'" results list --results out --where 'alpha > 1 or schem = maury'
refuses "no number" "column 9: 'wide'; allowed: a number" results list --results out --where 'alpha > wide'
refuses "an unknown column" "no case has 'nothing'" results list --results out --columns nothing

# ---- show --------------------------------------------------------------------------------------

prints "a key" 0 '"key": "[0-9a-f]{32}"' results list --results out --json --where 'steps = 7'
key=$(value key)
prints "show" 0 '^provenance.script +study.lua' results show "${key:0:12}" --results out
prints "show as JSON" 0 "\"specification\": \{" results show "$key" --results out --json
refuses "no such key" 'no case in .* begins with' results show ffffffffffff --results out

# ---- damaged files -----------------------------------------------------------------------------

state=$(folder)
cp -r out damaged
file=$(find damaged/cases -name "$key.json")
echo >>"$file"
prints "list tells of it" 0 "^damaged: damaged/cases/.*$key.json: its checksum" results list --results damaged
refuses "show refuses it" "is damaged" results show "$key" --results damaged
prints "status counts it" 0 '13 stored cases, 1 damaged' status --results damaged
holds "queries change nothing" test "$state" = "$(folder)"
# What a figure or table was made from stands in its manifest: the keys of the sweep's cases.
keys() { grep -oE '"[0-9a-f]{32}"' "$1" | tr -d '"' | sort; }
"$program" results list --results out --json --where 'problem = nonuniqueness' | grep -oE '"key": "[0-9a-f]{32}"' | grep -oE '[0-9a-f]{32}' | sort >wanted
holds "twelve cases" test "$(wc -l <wanted)" -eq 12
for manifest in figures/balls-convergence-u_L1.json tables/balls-errors.table.json; do
    holds "$manifest lists them" cmp -s <(keys "out/$manifest") wanted
done

# ---- export ------------------------------------------------------------------------------------

for format in csv tex sqlite h5; do
    prints "export $format" 0 "^wrote cases.$format: 12 cases" results export cases.$format --results out --where 'problem = nonuniqueness'
    holds "$format is there" test -s cases.$format
done
holds "parameters are columns" grep -qE '^key,problem,.*,alpha,' cases.csv
holds "a row a case" test "$(wc -l <cases.csv)" -eq 13
holds "it is a database" test "$(head -c 15 cases.sqlite)" = "SQLite format 3"
holds "it is HDF5" test "$(head -c 4 cases.h5 | tail -c 3)" = HDF
refuses "no format" "allowed: NAME.csv, NAME.tex" results export cases.xls --results out
echo kept >before.csv
refuses "nothing is overwritten by a mistake" 'column 1' results export before.csv --results out --where 'nothing = 1'
holds "it is as it was" grep -qx kept before.csv
refuses "no such folder" 'No such file' results export absent/cases.csv --results out

# ---- status ------------------------------------------------------------------------------------

prints "a sweep that has ended" 0 '^study.lua: ended .*, ok$' status --results out
holds "its cases" grep -qE '^  14 cases: 14 done, 0 failed, 0 at work, 0 missing$' said
prints "of one script" 0 '"missing": 0' status study.lua --results out --json
# Each call has its own outcome, by its arguments.
printf '%s\n' 'local lab = require "impactlab"' 'if arg[1] then error("bad " .. arg[1]) end' \
    'lab.sweep{problem = "sticky", scheme = "maury", steps = {3}}:run()' >called.lua
"$program" sweep called.lua --results called >/dev/null 2>&1
"$program" sweep called.lua --results called -- luck >/dev/null 2>&1
prints "the call that failed" 0 '^called.lua -- luck: stopped at .*, error: .*bad luck' status --results called
# What limits leave, whose records have a T beside the parameter, is exported, also where a parent ignores SIGCHLD.
printf '%s\n' 'require("impactlab").sweep{problem = "nonuniqueness", scheme = "maury", steps = {16, 20, 24, 32, 40, 48}}:limits{norm = "u_L1"}' >limits.lua
"$program" sweep limits.lua --results limits >said 2>&1
cp -r limits limits2
prints "and limits are not compared" 0 '^limits are not compared: [1-9][0-9]* in limits, [1-9][0-9]* in limits2' results compare limits limits2
"$program" results export limits.h5 --results limits >said 2>&1
holds "limits are exported to HDF5" test -s limits.h5
"$program" results export limits.csv --results limits >said 2>&1
holds "no two columns have one name" test -z "$(head -n 1 limits.csv | tr ',' '\n' | sort | uniq -d)"
# Scripts of one name in two folders, and of names that differ by an accent, have outcomes of their own.
mkdir -p one two
printf '%s\n' 'require("impactlab").check(false, "the first fails")' >one/same.lua
printf '%s\n' 'require("impactlab").check(true, "fine")' | tee two/same.lua two/sàme.lua >/dev/null
for script in one/same.lua two/same.lua two/sàme.lua; do "$program" sweep "$script" --results same >/dev/null 2>&1; done
"$program" report --results same >said 2>&1
holds "a failure outlives scripts of its name" grep -q 'one/same.lua 1 of 1 checks failed' said
prints "the call before it" 0 '^called.lua: ended at [^ ,]*, ok$' status --results called
refuses "of a script that was not there" "no script 'absent.lua'" status absent.lua --results out
cat >slow.lua <<'END'
local lab = require "impactlab"
local steps = {}
for k = 1, 400 do steps[k] = 20000 + k end
lab.sweep{name = "slow", problem = "sticky", scheme = "maury", steps = steps}:run()
END
"$program" sweep slow.lua --results out >/dev/null 2>&1 &
pid=$!
for ((tries = 0; tries < 200; tries++)); do
    "$program" status slow.lua --results out 2>/dev/null | grep -qE ' [1-9][0-9]* done' && break
    sleep 0.1
done
prints "a sweep at work" 0 "^slow.lua: at work \(process $pid on " status slow.lua --results out
holds "its cases, and when it is to end" grep -qE '^  400 cases: [0-9]+ done, 0 failed, [01] at work, [0-9]+ missing; about .* left, until 20' said
kill -KILL "$pid"
wait "$pid" 2>/dev/null
prints "a sweep that was killed" 0 '^slow.lua: killed' status slow.lua --results out
holds "and how to go on" grep -q 'to go on: impactlab sweep slow.lua --resume' said
"$program" report --results out --out page >/dev/null 2>&1
holds "the page tells of it" grep -q 'did not come to its end' page/index.html
rm -r page
stored=$(find out/cases -name '*.json' | wc -l)
"$program" sweep slow.lua --results out --resume --max-time 4 >resumed 2>&1
holds "and are found" grep -qE "slow: $((stored - 14)) of 400 cases found" resumed
"$program" sweep slow.lua --results out --shard 1/2 --max-time 1 -- "a b's" 3 >/dev/null 2>&1
prints "a shard with words of its own goes on with them" 0 \
    "to go on: impactlab sweep slow.lua --resume --results out --shard 1/2 -- 'a b'.''s' 3\$" status slow.lua --results out

# ---- references --------------------------------------------------------------------------------

cat >dear.lua <<'END'
local lab = require "impactlab"
local r = lab.sweep{name = "dear", problem = "pendulum", schemes = {"maury", "paoli"}, steps = {50, 71},
                    reference = "event_driven"}:run()
lab.sweep{name = "own", problem = "pendulum", scheme = "maury", steps = {50, 71}, reference = {"self", steps = 4000}}:run()
r:table{"errors"}
local one = lab.run{problem = "pendulum", scheme = "maury", steps = 64, reference = "event_driven"}
lab.table{name = "one", heads = {"u"}, rows = {{one.error.u_L1}}}
END
"$program" sweep dear.lua -j 2 --results kept >said 2>&1
holds "a reference is made once" test "$(grep -c 'event-driven reference for pendulum' said)" -eq 1
prints "references are listed" 0 '^[0-9a-f]{12}  event-driven, pendulum: .* MB, made in .* s, 20' results list --references --results kept
holds "the sweep's own too" grep -qE '^[0-9a-f]{12}  run of pendulum by maury, 4000 steps: ' said
holds "and no other" grep -qx '2 references' said
mkdir broken && cp -r kept/references broken && for file in broken/references/*; do echo >>"$file"; done
prints "damaged ones are named" 0 "event-driven, pendulum: damaged: its checksum" results list --references --results broken
inodes() { find kept/references -type f -printf '%p %i\n' | sort; }
before=$(inodes)
find kept/cases -name '*.json' -delete
cp kept/tables/dear-errors.csv kept/tables/one.csv .
"$program" sweep dear.lua -j 2 --results kept >said 2>&1
holds "they are not made again" test "$before" = "$(inodes)"
holds "the tables are the same" cmp -s dear-errors.csv kept/tables/dear-errors.csv

# ---- two folders -------------------------------------------------------------------------------

cat >change.lua <<'LUA'
local lab = require "impactlab"
lab.sweep{problem = "bouncing_ball", schemes = {"maury", "paoli"}, steps = {10, 20, 40, 80, 160, 320}}:run()
LUA
"$program" sweep change.lua --quiet --results cmp1 >/dev/null
"$program" sweep change.lua --quiet --results cmp2 >/dev/null
prints "the same cases have the ratio 1" 0 'u_L1 .*6 cases, ratio 1 \(1 to 1\), order .* in cmp2, .* in cmp1$' results compare cmp1 cmp2
sed -i 's/40, 80/40, 81/' change.lua && "$program" sweep change.lua --quiet --results cmp3 >/dev/null
prints "those that one has alone are counted" 0 '^10 cases in both folders, 2 in cmp1 alone, 2 in cmp3 alone' results compare cmp1 cmp3
# A verdict that got worse is status 1, and so is nothing in common.
sed -e 's/10, 20, 40, 81, 160, 320/11, 23, 47/' change.lua >other.lua
"$program" sweep other.lua --quiet --results cmp4 >/dev/null
prints "nothing in common" 1 '^no cases in both folders, 12 in cmp1 alone, 6 in cmp4 alone' results compare cmp1 cmp4
verified() { # verified VERDICT: what verify left
    printf '{"claims": [{"id": "X-1", "problem": "p", "scheme": "s", "what": "w", "verdict": "%s"}]}\n' "$1"
}
verified PASS >cmp1/verify.json
verified FAIL >cmp2/verify.json
prints "a claim that fails now" 1 '^worse: claim X-1 on p s: w: FAIL in cmp2, PASS in cmp1' results compare cmp1 cmp2
prints "one that holds now" 0 '^12 cases in both' results compare cmp2 cmp1
verified FINDING >cmp1/verify.json
prints "what was known not to hold" 1 '"worse": \[\{"what": "claim X-1 on p s: w", "first": "FINDING", "second": "FAIL"\}\]' results compare cmp1 cmp2 --json
rm cmp?/verify.json
cat >judged.lua <<'LUA'
local r = require "impactlab".sweep{name = "j", problem = "bouncing_ball", scheme = "maury", steps = {10, 20, 40, 80, 160, 320}}:run()
print(r:order{norm = "u_L1"})
LUA
for folder in cmp1 cmp2; do "$program" sweep judged.lua --quiet --results $folder >/dev/null; done
prints "the same verdict" 0 '^12 cases in both' results compare cmp1 cmp2
# The second folder's verdict, sealed again.
outcome=$(ls cmp2/outcomes/judged-*.json)
sed -i 's/"verdict": "PASS"/"verdict": "INCONCLUSIVE"/' "$outcome"
sum=$(sed -E '1s/"sha256": "[0-9a-f]*", //' "$outcome" | sha256sum | cut -c1-64)
sed -i -E "1s/\"sha256\": \"[0-9a-f]*\"/\"sha256\": \"$sum\"/" "$outcome"
prints "an order that passes no more" 1 '^worse: judged.lua, sweep j: maury u_L1 on bouncing_ball: INCONCLUSIVE in cmp2, PASS in cmp1' results compare cmp1 cmp2
prints "in another norm" 0 '^12 cases in both' results compare cmp1 cmp2 --norm q_Linf
refuses "no such norm" "--norm is 'TV'; allowed: q_Linf, u_L1" results compare cmp1 cmp2 --norm TV

refuses "one folder" 'compare needs two folders of results' results compare cmp1
refuses "no folder" "there is no results folder 'nowhere'" results compare cmp1 nowhere

# ---- the index ---------------------------------------------------------------------------------

rm -rf out && "$program" sweep study.lua --results out >/dev/null 2>&1 && "$program" results list --results out >/dev/null
index=$(find out/index -name '*.sqlite')
echo "no database" >"$index"
prints "an index that is none" 0 '^14 of 14 cases' results list --results out
holds "it was made anew" test "$(head -c 15 "$index")" = "SQLite format 3"
file=$(find out/cases -name '*.json' | head -n 1)
mv "$file" kept.json
rest=$(sed -E '1s/^\{"format": 1, "sha256": "[0-9a-f]*", //' kept.json)
sum=$(printf '{"format": 2, %s\n' "$rest" | sha256sum | cut -c1-64)
printf '{"format": 2, "sha256": "%s", %s\n' "$sum" "$rest" >"$file"
state=$(folder)
refuses "a newer case" "$file' cannot be used: it has format 2.*use the newer program" results list --results out
refuses "a newer case: status" 'it has format 2' status --results out
holds "nothing was changed" test "$state" = "$(folder)"
mv kept.json "$file"

conclude

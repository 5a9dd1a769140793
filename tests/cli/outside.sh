#!/usr/bin/env bash
# outside.sh - the command line as a user meets it: what succeeds, what is refused, and how.
#
# Whatever is refused must leave with status 2, one line on standard error that names the value and
# what is allowed, nothing on standard output and no file behind. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

mkdir "$work/here"
cd "$work/here" || exit 2
shopt -s nullglob

# Run the program; status in $status, outputs in $work/out and $work/err.
run() {
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

# succeeds NAME PATTERN ARG...: status 0, silent on stderr, standard output matches.
succeeds() {
    local name=$1 pattern=$2 why=
    shift 2
    run "$@"
    if [ "$status" -ne 0 ]; then
        why="status $status: $(head -c 200 "$work/err")"
    elif [ -s "$work/err" ]; then
        why="spoke on standard error: $(head -c 200 "$work/err")"
    elif ! grep -qE -- "$pattern" "$work/out"; then
        why="standard output lacks '$pattern'"
    fi
    verdict "$name" "$why"
}

# refuses NAME PATTERN ARG...: as the head of this file says; the line matches PATTERN.
refuses() {
    local name=$1 pattern=$2 why='' line left
    shift 2
    run "$@"
    mapfile line <"$work/err"
    left=(* .[!.]*)
    if [ "$status" -ne 2 ]; then
        why="status $status instead of 2"
    elif [ -s "$work/out" ]; then
        why="wrote on standard output"
    elif [ "${#line[@]}" -ne 1 ] || [[ ${line[0]} != *$'\n' ]]; then
        why="${#line[@]} lines on standard error instead of one"
    elif ! [[ ${line[0]%$'\n'} =~ $pattern ]]; then
        why="'${line[0]}' lacks '$pattern'"
    elif [ "${#left[@]}" -ne 0 ]; then
        why="left ${left[*]} behind"
        rm -rf ./* ./.[!.]*
    fi
    verdict "$name" "$why"
}

# ---- what there is -----------------------------------------------------------------------------

succeeds "--help" "^usage: impactlab VERB" --help
succeeds "--version" "^impactlab [0-9]+\.[0-9]+\.[0-9]+" --version
refuses "help with an unknown verb" "unknown topic 'rum'; did you mean 'run'" help rum
succeeds "list" "^schemes" list
succeeds "list --json" '^\{"problems": \[' list --json
names=0
for family in problems schemes projectors; do
    succeeds "list $family" "^ *[a-z_0-9]+ " list "$family"
    run list "$family"
    for name in $(awk '/^  [a-z]/ { print $1 }' "$work/out"); do
        names=$((names + 1))
        succeeds "show $name" "^source: " show "$name"
        succeeds "show $name --json" "\"name\": \"$name\"" show "$name" --json
    done
done
[ "$names" -ge 9 ] && why= || why="only $names names"
verdict "list names the members one a line" "$why"
succeeds "list --matrix" "^gluey( +refused)+ +ok" list --matrix
# dem has a stiffness of its own, too stiff for four long steps of a pile: it says so
verdict "no other pair of the matrix fails" "$(grep -w failed "$work/out" | grep -vE "^(pile +ok +ok +failed +ok|dem on pile failed: .* is unstable)")"
succeeds "list --matrix --json" '"problem": "gluey", "scheme": "paoli", "status": "refused", "reason": "[^"]+"' \
    list --matrix --json
verdict "every pair that runs has its certificate" \
    "$(grep -oE '"status": "ok"[^}]*"stationarity": null' "$work/out")"
succeeds "hypotheses of theorems" '^hypotheses of the theorems' show corner

# ---- names -------------------------------------------------------------------------------------

succeeds "exact arithmetic proves a run" '"q": ?\["767/1280"\]' run --problem nonuniqueness \
    --scheme maury --steps 2048 --exact-arithmetic --json
refuses "exact arithmetic on what is not rational" "no model in exact arithmetic" run \
    --problem bouncing_ball --scheme maury --steps 4 --exact-arithmetic

# ensembles
for value in 1 x; do
    refuses "--ensemble '$value'" "--ensemble is .*allowed: an integer" \
        run --problem sticky --scheme maury --steps 4 --ensemble "$value"
done
refuses "--perturb without --ensemble" "--perturb goes with --ensemble" \
    run --problem sticky --scheme maury --steps 4 --perturb 1e-12
succeeds "a robust ensemble says so" "ensemble of 5 runs.*: robust" \
    run --problem two_spheres --scheme maury --steps 50 --ensemble 5
succeeds "an ensemble in JSON" '"ensemble": .*"class": "robust"' \
    run --problem cradle --scheme venel --steps 50 --ensemble 4 --json

refuses "an unknown verb, nearest named" "'lst'.*did you mean 'list'" lst
refuses "an unknown problem, nearest named" "'stiky'.*did you mean 'sticky'" \
    run --problem stiky --scheme maury --steps 3
refuses "a reference that is unknown" "'best'.*allowed: own, event_driven" \
    run --problem sticky --scheme maury --steps 3 --reference best
refuses "an event-driven reference for a crowd" "256 constraints" \
    run --problem impact --set N=100 --scheme maury --steps 3 --reference event_driven
refuses "a name far from all: what is known" "'qqqqqqqq'.*[Kk]nown.*sticky" \
    run --problem qqqqqqqq --scheme maury --steps 3
refuses "list of an unknown family" "'foo'.*allowed: problems, schemes, projectors" list foo
refuses "run without a problem" "--problem" run --scheme maury --steps 3

# ---- steps, horizon, options -------------------------------------------------------------------

sticky=(run --problem sticky --scheme maury)
refuses "the multipliers of a step that is not there" "step 9 .*allowed: 1 to 3, or the last" \
    "${sticky[@]}" --steps 3 --multipliers 9
for value in 0 first; do
    refuses "--multipliers '$value'" "--multipliers.*'$value'.*allowed: the number of a step, last" \
        "${sticky[@]}" --steps 3 --multipliers "$value"
done
succeeds "two threads" '"status": "ok"' "${sticky[@]}" --steps 3 --threads 2 --json
succeeds "the multipliers of a crystal" '"dimension": 1, "extent": 1\.73205080756887' \
    run --problem crystal --set rows=2 --scheme maury --steps 3 --multipliers last --json
refuses "overlapping spheres, the worst pair named" \
    "spheres 2 and 3 overlap by 0\.5, at \(2, 0, 0\) and \(2\.5, 0, 0\)" \
    run --problem growing_radii --set N=3 --set q0=0,0,0,2,0,0,2.5,0,0 --scheme maury --steps 3
refuses "neither steps nor h" "give the number of steps, the step h, or both" "${sticky[@]}"
refuses "--steps 2.5" "--steps.*'2.5'.*allowed: an integer >= 1" "${sticky[@]}" --steps 2.5
refuses "--h nan" "--h.*'nan'.*allowed: a number > 0" "${sticky[@]}" --h nan
refuses "h longer than the horizon" "h is 10.*3" "${sticky[@]}" --h 10
refuses "an unknown option, nearest named" "'--stps'.*did you mean '--steps'" \
    "${sticky[@]}" --stps 3
refuses "a value for what has none" "'--json' has no value, and 'yes'" "${sticky[@]}" --steps 3 --json=yes
refuses "a seed twice" "the seed is given twice: 4 .* 5" "${sticky[@]}" --steps 3 --seed 4 --set seed=5
refuses "a stray word" "'extra'" "${sticky[@]}" --steps 3 extra
for option in --problem --set; do
    refuses "$option without a value" "'$option' needs a value" "${sticky[@]}" "$option"
done
refuses "--sample beyond the end" "99.*\[0, 3\]" "${sticky[@]}" --steps 3 --sample 99
refuses "--seed below zero" "'-1'.*allowed: an integer from 0 to 4294967295" "${sticky[@]}" --steps 3 --seed -1
refuses "--norms that are none" "'graph'.*allowed: TV, flat_lambda" "${sticky[@]}" --steps 3 --norms TV,graph
refuses "--record of another kind" "'x'.*allowed: full, final" "${sticky[@]}" --steps 3 --record x

# ---- parameters --------------------------------------------------------------------------------

set3=("${sticky[@]}" --steps 3 --set N=3)
refuses "a wrong key, nearest named" "'masse'.*did you mean 'masses'" "${set3[@]}" --set masse=1
refuses "--set without =" "'alpha'.*allowed: key=value" "${set3[@]}" --set alpha
refuses "steps, h and horizon together" "given together" run --problem sticky --scheme maury \
    --steps 3 --h 0.1 --horizon 2
refuses "a vector too short" "'u0' has 2 values; allowed: 3" "${set3[@]}" --set u0=0.1,0.2
refuses "a word for a number" "'N'.*'x'.*allowed: an integer" "${sticky[@]}" --steps 3 --set N=x
refuses "a start out of order" "not feasible.*-1.*>= 0" "${set3[@]}" --set q0=0,2,1

ball=(run --problem bouncing_ball --steps 8)
refuses "maury with restitution" "maury.*e = 0.5.*paoli" "${ball[@]}" --scheme maury --set e=0.5

spheres=(run --problem two_spheres --scheme maury --steps 8)
refuses "overlapping spheres" "not feasible.*-0\.8.*>= 0" "${spheres[@]}" \
    --set q0=0,0,0,0.1,0,0
hall=(run --problem crowd --scheme venel --set side=8 --h 0.05 --steps 1)
refuses "two people at one place" "bodies 2 and 3 have one centre" "${hall[@]}" --set N=3 --set q0=1,1,4,4,4,4
refuses "an exit whose ends are exchanged" "disc 1 at \\(4, 4\\) starts beyond the exit.*exchange its ends" \
    "${hall[@]}" --set N=1 --set exit=8,5,8,3 --set q0=4,4
refuses "a projector that cannot serve" "one_row.*sticky.*more than one row" \
    "${sticky[@]}" --steps 3 --projector one_row

# ---- outputs -----------------------------------------------------------------------------------

small=("${sticky[@]}" --steps 6 --set N=3)
for kind in h5 csv; do
    refuses "a $kind file in a folder that is not there" "/nowhere/x.$kind'.*No such" \
        "${small[@]}" --trajectory "$work/nowhere/x.$kind"
    mkdir "$work/taken.$kind"
    refuses "a $kind file where a folder stands" "taken.$kind'.*directory" \
        "${small[@]}" --trajectory "$work/taken.$kind"
done
refuses "an FCLib file in a folder that is not there" "/nowhere/x.hdf5'.*No such" \
    "${small[@]}" --fclib "$work/nowhere/x.hdf5"
refuses "--fclib-step beyond the run" "step 7 .*allowed: 1 to 6" \
    "${small[@]}" --fclib x.hdf5 --fclib-step 7
refuses "--fclib of a step without contacts" "has no row" \
    run --problem pile --set N=50 --scheme maury --h 1e-3 --steps 2 --fclib x.hdf5
refuses "a trajectory of an unknown format" "'x.txt'.*\.csv or \.h5" \
    "${small[@]}" --trajectory x.txt

refuses "times of a labyrinth, as they were given" "'times' is 0.5,0.1; allowed" \
    run --problem labyrinth --scheme maury --steps 4 --set times=0.5,0.1

for words in --help --version list "help tutorial" "${small[*]} --json" "${sticky[*]} --steps 6 --set N=400 --json"; do
    # shellcheck disable=SC2086
    "$program" $words >/dev/full 2>"$work/err"
    verdict_if $? "$words to a full device" "$work/err" 2
done

succeeds "a trajectory in csv" "^  wrote x\.csv: 7 nodes$" "${small[@]}" --trajectory x.csv
succeeds "a trajectory in h5" "^  wrote x\.h5: 7 nodes$" "${small[@]}" --trajectory x.h5
succeeds "a step problem for FCLib" "^  wrote x\.hdf5: the projection of step 2$" "${small[@]}" --fclib x.hdf5 --fclib-step 2
rm -f x.hdf5
lines=$(grep -vc '^#' x.csv)
why=
[ "$lines" -eq 8 ] || why="$lines lines instead of 8 (names and 7 nodes)"
verdict "a csv has one line a node" "$why"
why=
[ "$(ls)" = "$(printf 'x.csv\nx.h5')" ] || why="found $(ls | tr '\n' ' ')"
verdict "nothing but the two trajectories is left" "$why"
rm -f x.csv x.h5

# ---- the papers' claims ------------------------------------------------------------------------

succeeds "claims that hold" " 0 fail, 1 findings, " verify --claim M-R11 --claim="bl initial" -j2
succeeds "the list of claims" "^BL-\(2\.1\) " verify --list
refuses "an unknown claim" "unknown claim 'M-P22'; known: .*M-P2" verify --claim M-P22
succeeds "controls that are caught" "3 controls: 3 caught, 0 missed; 0 claims without" verify --claim M-R11 --controls -j2
succeeds "theorems that speak of a problem" "no: some g_i is not convex in q" show vibroimpact
# Derived values of a choice, given by hand under another choice, make the same run.
succeeds "derived values, by choices" "^derived, where all else has its default" show vibroimpact
mapfile -t given < <(sed -n '/^  scenario=corner/,/^  scenario=graze/s/^    //p' "$work/out" | sed 's/^/--set\n/')
verdict_if "$((${#given[@]} == 4 ? 0 : 1))" "a start of two parameters" "$work/out"
final() { "$program" run --problem vibroimpact --scheme maury --steps 100 --json "$@" | grep -o '"final": {[^}]*}'; }
holds "derived values are those of a run" test "$(final --set scenario=corner)" = "$(final "${given[@]}")"
holds "and another's are others" test "$(final)" != "$(final "${given[@]}")"
refuses "and a bound is whole" "4294967296; allowed: an integer in .0, 4294967295." run --problem sticky --scheme maury --set seed=4294967296 --steps 4
succeeds "a saddle is told" "1 steps project from beyond the radius of prox-regularity" run --problem two_spheres --scheme paoli --set q0=0,0,0,3,0,0 --set u0=0,0,0,-10,0,0 --h 1 --steps 1
refuses "a vector of another length, with its problem" "problem .two_spheres.: parameter .F. has 2 values; allowed: 3 or 6" run --problem two_spheres --scheme maury --set F=1,2 --steps 4
succeeds "what moreau_jean does not do" "has no limit" show moreau_jean

# ---- pictures ----------------------------------------------------------------------------------

heap=(run --problem pile --set N=6 --scheme maury --h 0.01 --steps 4)
refuses "--every 0" "--every is '0'; allowed: an integer >= 1" "${heap[@]}" --paraview x.pvd --every 0
refuses "--every by itself" "--every goes with --paraview FILE.pvd" "${heap[@]}" --every 2
refuses "--paraview of another name" "'x.vtk': the name must end in .pvd" \
    "${heap[@]}" --paraview x.vtk
refuses "--paraview in a folder that is not there" "/nowhere/x.pvd'.*No such" \
    "${heap[@]}" --paraview "$work/nowhere/x.pvd"
refuses "pictures of what has no bodies" "'nonuniqueness'.*no bodies" \
    run --problem nonuniqueness --scheme maury --steps 4 --paraview x.pvd
refuses "loads of what has no bodies" "'nonuniqueness' has no bodies" \
    run --problem nonuniqueness --scheme maury --steps 4 --sample 1 --loads
mkdir "$work/mine"
touch "$work/mine/note.txt"
refuses "--paraview over somebody's folder" "mine'.*note.txt" "${heap[@]}" --paraview "$work/mine.pvd"
succeeds "an export" "floor: impulse" "${heap[@]}" --all --every 2 --paraview x.pvd
why=
[ "$(ls x | wc -l)" -eq 6 ] && [ "$(ls)" = "$(printf 'x\nx.pvd')" ] || why="found $(ls . x | tr '\n' ' ')"
[ "$(grep '^  wrote ' "$work/out")" = '  wrote x.pvd: 3 nodes for ParaView' ] ||
    why="said $(grep wrote "$work/out" | tr '\n' ' ')"
verdict "three exported steps, said and nothing else" "$why"
rm -rf x x.pvd

# ---- the page -----------------------------------------------------------------------------------

refuses "a page of nothing" "there is no results folder 'nowhere'" report --results nowhere
refuses "a word that is no script" "'paper' is not allowed here; allowed: .*SCRIPT.lua" report paper
mkdir r
run report --results r absent.lua
why=
[ "$status" -eq 3 ] && [ "$(tail -n 1 "$work/err")" = \
    "impactlab: incomplete: absent.lua has not run; see r/report/index.html" ] ||
    why="status $status, said $(tail -n 1 "$work/err")"
verdict "a script that has not run makes the page incomplete" "$why"
rm -rf r

# ---- a projector that stops early ---------------------------------------------------------------

stop=("${heap[@]}" --projector uzawa --tol 1e-12 --max-iterations 2)
run "${stop[@]}" --json
why=
[ "$status" -eq 1 ] && grep -q '"status": "not_converged"' "$work/out" &&
    grep -q '"best_iterate": {' "$work/out" || why="status $status, or no best iterate in the record"
verdict "a stalled projector leaves its best iterate" "$why"
run "${stop[@]}"
why=
[ "$status" -eq 1 ] && grep -q 'best iterate of step .*: primal -' "$work/out" &&
    ! grep -qE 'nan|inf' "$work/out" || why="status $status, or said otherwise"
verdict "and says how far it is from solved" "$why"
run run --problem bouncing_ball --scheme moreau_jean --steps 4 --horizon 0.1
why=
[ "$status" -eq 0 ] && grep -q 'certificate: no constraint in reach, stationarity 0' "$work/out" &&
    ! grep -qwE 'nan|inf' "$work/out" || why="status $status, or said otherwise"
verdict "a run without contacts has no infinite certificate" "$why"
succeeds "--accept-stalled goes on with it" '"stalled": [1-9]' \
    "${stop[@]}" --accept-stalled --json

# ---- repeatability -----------------------------------------------------------------------------

repeat=("${sticky[@]}" --steps 50 --seed 7 --json)
"$program" "${repeat[@]}" | sed 's/, "provenance": {[^}]*}//; s/"seconds": [^}]*//' >"$work/one"
"$program" "${repeat[@]}" | sed 's/, "provenance": {[^}]*}//; s/"seconds": [^}]*//' >"$work/two"
why=
[ -s "$work/one" ] && cmp -s "$work/one" "$work/two" || why="two runs differ"
verdict "a run repeats to the last bit" "$why"
"$program" "${sticky[@]}" --steps 50 --seed 8 --json | sed 's/, "provenance": {[^}]*}//; s/"seconds": [^}]*//' >"$work/two"
why=
cmp -s "$work/one" "$work/two" && why="seeds 7 and 8 gave one result"
verdict "another seed gives another run" "$why"

# ---- files apart, and numbers that are none ------------------------------------------------------

balls=(run --problem two_spheres --scheme maury --steps 20)
refuses "two files of one name" "trajectory and fclib are the same file, './x.h5'; allowed: two" \
    "${balls[@]}" --trajectory x.h5 --fclib ./x.h5

# said_by NAME PATTERN TEXT: the script TEXT leaves status 2 and a last line that matches.
said_by() {
    local why=
    printf 'local lab = require "impactlab"\n%s\n' "$3" >"$work/one.lua"
    run sweep "$work/one.lua" --results "$work/one.results" --quiet
    [ "$status" -eq 2 ] || why="status $status"
    tail -n 1 "$work/err" | grep -qE -- "$2" || why="'$(tail -n 1 "$work/err")' lacks '$2'"
    verdict "$1" "$why"
    rm -rf "$work/one.results"
}
said_by "a norm below 0" "REPORTED: 4 of 4 runs failed" \
    'local r = lab.sweep{name = "n", problem = "two_spheres", scheme = "maury", steps = {8, 16, 32, 64}}:run()
     error(tostring(r:order{norm = {name = "signed", of = function() return -1 end}}))'
for finest in 1e300 8.5; do
    said_by "limits:border: finest = $finest" "finest is .*; allowed: an integer from -40 to 40" \
        'local limits = lab.sweep{problem = "nonuniqueness", scheme = "maury",
            steps = lab.phases{c = {1, 1.3}, m = {4, 5, 6, 7, 8}}}:limits{}
         limits:border{c = {1.2, 1.23}, m = 8, finest = '"$finest"'}'
done

# ---- the end -----------------------------------------------------------------------------------

conclude

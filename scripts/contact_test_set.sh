#!/usr/bin/env bash
# contact_test_set.sh - thirty hard step problems in FCLib's format, for other solvers:
#
#   scripts/contact_test_set.sh PROGRAM FOLDER        make contact-test-set: results/contact-test-set
#
# Each is the projection of one step of a run, with its answer and the record of the run in the file; README.md
# in FOLDER says what is hard about each, its size, and what `impactlab solve` makes of it.
set -uo pipefail
program=${1:?contact_test_set.sh: the program}
folder=${2:?contact_test_set.sh: the folder}
mkdir -p "$folder" || exit 2
table=$folder/README.md
failed=0

{
    echo "# Step problems without friction"
    echo
    echo "min 1/2 |x - target|_M^2 over a_i + s <b_i, x> >= 0, in FCLib's format (a global problem M v = H r + f, u = H' v + w), with an answer."
    echo "Made by \`make contact-test-set\`."
    echo
    echo "| file | unknowns | contacts | what is hard | residual of our answer |"
    echo "|---|---|---|---|---|"
} >"$table"

add() { # add NAME STEP TEXT RUN-ARGUMENT...
    local name=$1 step=$2 text=$3 said
    shift 3
    if ! "$program" run "$@" --norms none --quiet --fclib "$folder/$name.hdf5" --fclib-step "$step" >/dev/null ||
        ! said=$("$program" solve "$folder/$name.hdf5" --compare --json); then
        echo "contact_test_set.sh: $name failed" >&2
        failed=1
        return
    fi
    echo "$said" | sed -E "s/.*\"unknowns\": ([0-9]+), \"contacts\": ([0-9]+).*\"residual\": ([0-9.e+-]+).*/| \`$name.hdf5\` | \1 | \2 | $text | \3 |/" >>"$table"
}

pile=(--problem pile --scheme maury --h 0.005)
for n in 50 200 500; do
    add "pile-$n-falling" 60 "a pile that falls: few contacts, all new" "${pile[@]}" --set N=$n --steps 60
    add "pile-$n-lands" 120 "the bottom lies, the top falls: chains of impacts" "${pile[@]}" --set N=$n --steps 120
    add "pile-$n-rests" 300 "at rest: as many contacts as unknowns, long chains of force" "${pile[@]}" --set N=$n --steps 300
done
for rows in 4 8 16; do
    add "crystal-$rows-wedge" 3 "a hexagonal pile in a wedge: more contacts than unknowns, many multipliers" --problem crystal --scheme maury --set rows=$rows --steps 3
    add "crystal-$rows-box" 3 "the same in a box" --problem crystal --scheme maury --set rows=$rows --set support=box --steps 3
done
add "crystal-6-free" 3 "a hexagon pressed toward its centre, without a wall" --problem crystal --scheme maury --set rows=6 --set support=free --steps 3
for n in 20 200 2000; do
    add "impact-$n" 6 "a cluster hit by one body ten times as fast: long steps, deep overlaps predicted" --problem impact --scheme maury --set N=$n --h 0.1 --steps 6
done
for n in 30 300; do
    add "sticky-$n" 40 "points on a line that stay together: a chain" --problem sticky --scheme maury --set N=$n --steps 50
    add "cradle-$n" 60 "balls in a row: an impact through all of them" --problem cradle --scheme maury --set N=$n --steps 100
done
for n in 50 400; do
    add "crowd-$n-door" 60 "a crowd at a door: arches, order 1" --problem crowd --scheme venel --set N=$n --h 0.05 --steps 60
done
for ratio in 10 1000 100000; do
    add "sticky-masses-$ratio" 30 "masses 1 and $ratio in turn: light bodies between heavy ones" \
        --problem sticky --scheme maury --set N=20 --set masses="$(for _ in 1 2 3 4 5 6 7 8 9 10; do printf '1,%s,' "$ratio"; done | sed 's/,$//')" --steps 50
done
add "spheres-500" 80 "spheres in space, landing" --problem pile --scheme maury --set space=3 --set N=500 --h 0.005 --steps 80
add "pendulum-8" 60 "a mass matrix that is not diagonal" --problem pendulum --scheme maury --set N=8 --steps 100
exit "$failed"

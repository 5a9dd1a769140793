# table.awk - outcomes of mutation.sh as a table.
function room(file) { sub(/\/[^\/]*$/, "", file); return file }
$6 == "same" { same++; next }
$6 == "unbuilt" { unbuilt++; next }
$6 == "undecided" { undecided++; next }
{
    r = room($1)
    if (!(r in tried)) { rooms[++n] = r }
    tried[r]++; all++
    how = $6
    if (how == "none") {
        survivors++; left[r]++
        list = list sprintf("%s:%s  %s  %s\n    %s\n", $1, $2, $3, $4, $5)
    } else {
        sub(/.*: /, "", how); by[how]++
    }
}
END {
    if (all == 0) { print "no mutation ran"; exit 1 }
    printf "seed %s, %s a file: %d mutations ran, %d killed (%.1f %%), %d survived\n", seed, per_file, all,
           all - survivors, 100 * (all - survivors) / all, survivors
    printf "killed by a failed test %d, by a crash %d, by time %d; besides, %d were the same code and %d did not compile, %d were not decided\n",
           by["failed"], by["crashed"], by["too long"], same, unbuilt, undecided
    print ""
    printf "%-28s %6s %7s %9s\n", "room", "tried", "killed", "survived"
    for (k = 1; k <= n; k++) {
        r = rooms[k]
        printf "%-28s %6d %7d %9d\n", r, tried[r], tried[r] - left[r], left[r]
    }
    if (list != "") { printf "\nSurvivors: place, kind, change; its line\n\n%s", list }
    exit 10 * survivors > all
}

# table.awk - outcomes of mutation.sh as a table: survivors.txt first, then the outcomes.
# Only a reason that begins with "equivalent: " says that no test can see the change.
# survivors.txt: file, change, text of the line, reason; tab-separated, # begins a comment.
function room(file) { sub(/\/[^\/]*$/, "", file); return file }
FILENAME ~ /survivors/ {
    if ($0 !~ /^#/ && NF >= 4) { reason[$1 FS $2 FS $3] = $4 }
    next
}
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
        key = $1 FS $4 FS $5
        known = key in reason
        unknown += !known
        equivalent += known && reason[key] ~ /^equivalent: /
        list = list sprintf("%s:%s  %s  %s\n    %s\n    %s\n", $1, $2, $3, $4, $5,
                            known ? reason[key] : "NO REASON KNOWN")
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
    printf "argued to be equivalent %d; of the others killed %.1f %%\n\n", equivalent,
           100 * (all - survivors) / (all - equivalent)
    printf "%-28s %6s %7s %9s\n", "room", "tried", "killed", "survived"
    for (k = 1; k <= n; k++) {
        r = rooms[k]
        printf "%-28s %6d %7d %9d\n", r, tried[r], tried[r] - left[r], left[r]
    }
    if (list != "") { printf "\nSurvivors: place, kind, change; its line; why it does no harm\n\n%s", list }
    exit unknown > 0 || 10 * survivors > all
}

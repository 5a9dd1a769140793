#!/usr/bin/env bash
# mutation.sh SEED PER_FILE FILE... - does the suite see it when one token of a numerical file is wrong?
#
# Of every FILE the first PER_FILE mutations of mutate.c's seeded order that compile, and to other code
# than before, are built under the address sanitizer, that file and the link alone, and suites run until one
# fails, crashes or takes too long: those that suites.txt names for the file, then all others that take
# less than SLOW ms, quickest first. A mutation that nothing kills is a survivor; survivors.txt says
# why it does no harm. The table goes to standard output; status 1 if a survivor has no reason there, or
# less than 90 % were killed. `make mutation` sets CC, MUTATION_FLAGS, MUTATION_LIBS, OBJECTS, TEST_OBJECTS, B and JOBS.
set -uo pipefail
cd "$(dirname "$0")/../.."
here=tests/mutation
work=$B/mutation
slow=${SLOW:-1000}
rare=${RARE:-70}
longest=${LONGEST:-4} # seconds: no longer test is used
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0
export IMPACTLAB=$PWD/$B/impactlab LC_ALL=C

compile() { # compile SOURCE OBJECT
    # shellcheck disable=SC2086
    timeout -s KILL 60 $CC $MUTATION_FLAGS -DALLOCATION_WRAPPED -w -g0 -fsanitize=address -c -o "$2" -x c "$1" 2> /dev/null
}

link() { # link MUTANT FILE SUITE
    local kept=()
    for object in $OBJECTS; do
        [ "$object" = "$B/${2%.c}.o" ] || kept+=("$object")
    done
    # shellcheck disable=SC2086
    timeout -s KILL 120 $CC -fuse-ld=gold -fsanitize=address -Wl,-S,--wrap=malloc,--wrap=calloc,--wrap=realloc -o "$3" "$1" "${kept[@]}" "$work/tests.o" $MUTATION_LIBS
}

# run PROGRAM LIST SECONDS: the test of the file LIST that failed first, and how; nothing if all passed.
# The first failure ends the rest by SIGPIPE. Seconds are the processor's, so that a busy machine kills
# nothing; thirty times that on the clock and it is undecided.
run() {
    local last started=$SECONDS
    last=$(ulimit -S -t "$3"
        timeout -s KILL $((30 * $3)) "$1" --from "$2" 2> /dev/null < /dev/null |
        sed -u -nE '/\.\.\.FAILED/{s/^ *Test: (.*) \.\.\.FAILED.*/\1: failed/; p; q}
                    /^ *Test: /{s/^ *Test: (.*) \.\.\..*/\1/; h}; ${g; p}'
        exit "${PIPESTATUS[0]}")
    local status=$?
    case $last in *": failed") echo "$last"; return ;; esac
    if [ $((SECONDS - started)) -ge $((30 * $3)) ]; then
        echo undecided
    elif [ "$status" -eq 152 ]; then
        echo "${last:-at once}: too long"
    elif [ "$status" -ne 0 ]; then
        echo "${last:-at once}: crashed"
    fi
}

# measure LIST SECONDS: into times.txt what its tests take of the processor's ms, so that on a busy machine too a
# test is as quick as it is, and without what the process takes to begin, which is more than most tests;
# into left.txt what fails, crashes or takes longer.
measure() {
    local last
    while [ -s "$1" ]; do
        "$work/none/suite" --times "$1" "$2" 2> /dev/null < /dev/null |
            awk -v times="$work/times.txt" -v left="$work/left.txt" '
                /^Suite: / { suite = substr($0, 8) }
                /^ *Test: / { test = $0; sub(/^ *Test: /, "", test); sub(/ \.\.\..*/, "", test); print suite ": " test; open = 1 }
                /^took [0-9]+ ms$/ { ms = $2 }
                /^passed/ { printf "%d\t%s\t%s\n", ms, suite, test >> times; open = 0 }
                /^FAILED/ {
                    print suite ": " test >> left
                    print "mutation.sh: left out, it fails without a mutation: " suite ": " test > "/dev/stderr"
                    open = 0
                }
                END { if (open) { print suite ": " test >> left } }' > "$1.seen"
        grep -vxFf "$1.seen" "$1" > "$1.rest"
        mv "$1.rest" "$1"
        [ -s "$1.seen" ] || break
    done
}

# near FILE: the quick tests of the suites that suites.txt names; others: what else takes less than RARE ms.
# Both with their times.
near() {
    awk -F '\t' -v file="$1" -v slow="$slow" '
        FNR == NR { if (!/^#/ && NF == 2 && index(file, $1) == 1) { names = names ", " $2 ", " }; next }
        $1 < slow && index(names, ", " $2 ", ") { print }' "$here/suites.txt" "$work/times.txt"
}

# Of the same suites what takes longer.
late() {
    slow=1e9 near "$1" | awk -F '\t' -v slow="$slow" '$1 >= slow'
}

others() {
    near "$1" | awk -F '\t' -v rare="$rare" 'FNR == NR { seen[$0] = 1; next } $1 < rare && !($0 in seen)' \
        - "$work/times.txt"
}

# one FILE AT LENGTH NOW: the first suite that kills it, and how; "none" if nothing does, "same" or
# "unbuilt" if there is nothing to kill, "undecided" if the machine was too busy to tell.
one() {
    local file=$1 folder=$2 at=$3 length=$4 now=$5
    { head -c "$at" "$file"; printf '%s' "$now"; tail -c "+$((at + length + 1))" "$file"; } > "$folder/mutant.c"
    # Includes are from the root, and the line numbers of asserts are the file's own.
    compile "$folder/mutant.c" "$folder/mutant.o" || { echo unbuilt; return; }
    cmp -s "$folder/mutant.o" "$folder/original.o" && { echo same; return; }
    link "$folder/mutant.o" "$file" "$folder/suite" 2> "$folder/link.log" || { echo unbuilt; return; }
    killer "$folder/suite" "$folder"
}

# killer SUITE FOLDER: what its lists say of the program.
killer() {
    local list how
    for list in ${LISTS:-near others late}; do
        [ -s "$2/$list" ] || continue
        how=$(run "$1" "$2/$list" "$(< "$2/$list.seconds")")
        [ -z "$how" ] || { echo "$how"; return; }
    done
    echo none
}

# control FILE FOLDER: of every eighth file, by its name, what the same tests say of the program without a mutation,
# which they must not kill. What they do kill is worth nothing then.
control() {
    [ $(($(cksum <<< "$1" | cut -d ' ' -f 1) % 8)) -eq 0 ] || return 0
    local how
    how=$(killer "$work/none/suite" "$2")
    echo "$1: $how" >> "$work/controls"
}

# note LINE KIND WAS NOW OUTCOME: of $file
note() {
    printf '%s\t%s\t%s\t%s ->%s\t%s\t%s\n' "$file" "$1" "$2" "$3" "$4" "$(sed -n "${1}s/^ *//p" "$file")" "$5" \
        >> "$folder/outcomes"
}

if [ "${1:-}" = --file ]; then
    file=$2
    folder=$work/$(tr / - <<< "$file")
    mkdir -p "$folder"
    ln -sf "$PWD/$B/impactlab_hdf5.so" "$folder/"
    cp "$file" "$folder/mutant.c"
    compile "$folder/mutant.c" "$folder/original.o" || { echo "mutation.sh: $file does not compile" >&2; exit 1; }
    for list in near others late; do
        "$list" "$file" > "$folder/$list.times"
        awk -F '\t' '{ print $2 ": " $3 }' "$folder/$list.times" > "$folder/$list"
        awk -F '\t' '{ ms += $1 } END { print int(5 + ms / 500) }' "$folder/$list.times" > "$folder/$list.seconds"
    done
    control "$file" "$folder"
    # Those of kept.txt, then the seeded ones.
    while IFS=$'\t' read -r name was now; do
        at=$(grep -boF -m 1 -- "$was" "$file" | head -n 1 | cut -d : -f 1)
        [ "$name" = "$file" ] || continue
        [ -n "$at" ] || { echo "mutation.sh: kept.txt: no '$was' in $file" >&2; exit 1; }
        note "$(head -c "$at" "$file" | wc -l | awk '{print $1 + 1}')" kept "$was" "$now" \
            "$(one "$file" "$folder" "$at" "${#was}" "$now")"
    done < <(grep -v '^#' "$here/kept.txt")
    done=0
    while [ "$done" -lt "$PER_FILE" ] && IFS=$'\t' read -r at length line kind was now <&3; do
        outcome=$(one "$file" "$folder" "$at" "$length" "$now")
        case $outcome in unbuilt | same | undecided) ;; *) done=$((done + 1)) ;; esac
        note "$line" "$kind" "$was" "$now" "$outcome"
    done 3< <("$work/mutate" "$file" "$SEED")
    rm -f "$folder/suite" "$folder"/*.o
    exit 0
fi

export SEED=$1 PER_FILE=$2
shift 2
# A file that moved would lose its suites in silence.
while IFS=$'\t' read -r beginning _; do
    [[ $beginning == \#* ]] || compgen -G "$beginning*" > /dev/null ||
        { echo "mutation.sh: suites.txt: no file begins with '$beginning'" >&2; exit 2; }
done < "$here/suites.txt"
mkdir -p "$work/none"
[ -n "${AGAIN:-}" ] || rm -f "$work"/*/outcomes
$CC -std=c17 -O1 -o "$work/mutate" "$here/mutate.c" || exit 2
# What sets limits of memory, and tests that do without their own malloc, have to know that the sanitizer is there: under
# a limit that suits a program without it, memory runs out or not as it happens to lie.
objects=()
for object in $OBJECTS; do
    source=${object#"$B/"}
    source=${source%.o}.c
    if grep -qE '__SANITIZE_ADDRESS__|IL_INTERRUPT_GRACE' "$source" 2> /dev/null; then
        object=$work/$(tr / - <<< "${source%.c}.o")
        compile "$source" "$object" || exit 2
    fi
    objects+=("$object")
done
OBJECTS=${objects[*]}
tests=()
for object in $TEST_OBJECTS; do
    source=${object#"$B/"}
    source=${source%.o}.c
    if grep -q __SANITIZE_ADDRESS__ "$source"; then
        object=$work/$(tr / - <<< "${source%.c}.o")
        compile "$source" "$object" || exit 2
    fi
    tests+=("$object")
done
ld -r -o "$work/tests.o" "${tests[@]}" || exit 2

# What every test takes without a mutation; one that does not pass then kills nothing.
ln -sf "$PWD/$B/impactlab_hdf5.so" "$work/none/"
: > "$work/empty.c"
compile "$work/empty.c" "$work/empty.o"
link "$work/empty.o" none "$work/none/suite" || exit 2
# Known from the last time are those of times.txt and left.txt.
touch "$work/times.txt" "$work/left.txt"
[ -z "${FRESH:-}" ] || { : > "$work/times.txt"; : > "$work/left.txt"; }
awk -F '\t' '{ print $2 ": " $3 }' "$work/times.txt" | cat - "$work/left.txt" > "$work/known.txt"
"$work/none/suite" --list | grep -vxFf "$work/known.txt" > "$work/new.txt"
awk -F '\t' 'FNR == NR { if (!/^#/) { named = named ", " $2 ", " }; next }
    { suite = $0; sub(/: .*/, "", suite); print > (index(named, ", " suite ", ") ? near : far) }' \
    near="$work/new.near" far="$work/new.far" "$here/suites.txt" "$work/new.txt"
measure "$work/new.near" "$longest"
measure "$work/new.far" 1
sort -n -o "$work/times.txt" "$work/times.txt"

# AGAIN=1: only the files that had survivors, undecided ones or no outcome, after tests were written.
files=("$@")
if [ -n "${AGAIN:-}" ]; then
    mapfile -t files < <(for file in "$@"; do
        outcomes=$work/$(tr / - <<< "$file")/outcomes
        if [ ! -s "$outcomes" ] || grep -qP '\t(none|undecided)$' "$outcomes"; then
            echo "$file"
        fi
    done)
fi
for file in "${files[@]}"; do
    rm -f "$work/$(tr / - <<< "$file")/outcomes"
done
: > "$work/controls"
printf '%s\n' "${files[@]}" | nice -n 5 xargs -P "$JOBS" -n 1 timeout -s KILL "${FILE_SECONDS:-600}" bash "$here/mutation.sh" --file
if grep -vE ': (none|undecided)$' "$work/controls" >&2; then
    echo "mutation.sh: tests kill the program without a mutation: no table" >&2
    exit 2
fi
cat "$work"/*/outcomes > "$work/outcomes.txt"
awk -F '\t' -f "$here/table.awk" -v seed="$SEED" -v per_file="$PER_FILE" "$here/survivors.txt" "$work/outcomes.txt"

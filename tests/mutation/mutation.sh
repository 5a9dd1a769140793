#!/usr/bin/env bash
# mutation.sh SEED PER_FILE FILE... - does the suite see it when one token of a numerical file is wrong?
#
# Of every FILE the first PER_FILE mutations of mutate.c's seeded order that compile, and to other code
# than before, are built under the address sanitizer, that file and the link alone, and tests run until one
# fails, crashes or takes too long: those of the file's own room that take less than SLOW ms, then all others
# that take less than RARE ms, quickest first. A mutation that nothing kills is a survivor. The table
# goes to standard output; status 1 if less than 90 % were killed. `make mutation` sets CC, MUTATION_FLAGS, MUTATION_LIBS, OBJECTS, TEST_OBJECTS, B and JOBS.
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

# run PROGRAM LIST SECONDS: the test of the file LIST that failed first, and how; "none" if all passed.
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
    else
        echo none
    fi
}

# measure LIST SECONDS: into times.txt what its tests take of the processor's ms, with suite and name; into left.txt
# what fails without a mutation, crashes or takes longer.
measure() {
    while [ -s "$1" ]; do
        "$work/none/suite" --times "$1" "$2" 2> /dev/null < /dev/null |
            awk -v times="$work/times.txt" -v left="$work/left.txt" '
                /^Suite: / { suite = substr($0, 8) }
                /^ *Test: / { test = $0; sub(/^ *Test: /, "", test); sub(/ \.\.\..*/, "", test); print suite ": " test; open = 1 }
                /^took [0-9]+ ms$/ { ms = $2 }
                /^passed/ { printf "%d\t%s\t%s\n", ms, suite, test >> times; open = 0 }
                /^FAILED/ { print suite ": " test >> left; open = 0 }
                END { if (open) { print suite ": " test >> left } }' > "$1.seen"
        grep -vxFf "$1.seen" "$1" > "$1.rest"
        mv "$1.rest" "$1"
        [ -s "$1.seen" ] || break
    done
}

# own FILE: the suites of its room, one a line.
own() {
    local room=${1%%/*}
    case $1 in
        schemes/projection/*) room=projection ;;
        harness/*) room=$(cut -d / -f 2 <<< "$1") ;;
    esac
    cat "tests/$room"/test_*.c 2> /dev/null | tr '\n' ' ' |
        grep -oE 'il_suite il_suite_[a-z_0-9]+ = *\{ *(\.name = *)?"[^"]*"' | sed 's/.*"\(.*\)"/\1/'
}

# chosen FILE: the tests that try it, with their times.
chosen() {
    own "$1" | awk -F '\t' -v slow="$slow" -v rare="$rare" '
        FNR == NR { near[$0] = 1; next }
        $2 in near && $1 < slow { print "0\t" $0 }
        !($2 in near) && $1 < rare { print "1\t" $0 }' - "$work/times.txt" | sort -n -k 1,1 -k 2,2
}

# one FILE FOLDER AT LENGTH NOW: the first test that kills it, and how; "none" if nothing does, "same" or
# "unbuilt" if there is nothing to kill, "undecided" if the machine was too busy to tell.
one() {
    local file=$1 folder=$2 at=$3 length=$4 now=$5
    { head -c "$at" "$file"; printf '%s' "$now"; tail -c "+$((at + length + 1))" "$file"; } > "$folder/mutant.c"
    # Includes are from the root, and the line numbers of asserts are the file's own.
    compile "$folder/mutant.c" "$folder/mutant.o" || { echo unbuilt; return; }
    cmp -s "$folder/mutant.o" "$folder/original.o" && { echo same; return; }
    link "$folder/mutant.o" "$file" "$folder/suite" 2> "$folder/link.log" || { echo unbuilt; return; }
    run "$folder/suite" "$folder/tests" "$(< "$folder/seconds")"
}

if [ "${1:-}" = --file ]; then
    file=$2
    folder=$work/$(tr / - <<< "$file")
    mkdir -p "$folder"
    ln -sf "$PWD/$B/impactlab_hdf5.so" "$folder/"
    cp "$file" "$folder/mutant.c"
    compile "$folder/mutant.c" "$folder/original.o" || { echo "mutation.sh: $file does not compile" >&2; exit 1; }
    chosen "$file" > "$folder/times"
    awk -F '\t' '{ print $3 ": " $4 }' "$folder/times" > "$folder/tests"
    awk -F '\t' '{ ms += $2 } END { print int(5 + ms / 500) }' "$folder/times" > "$folder/seconds"
    done=0
    while [ "$done" -lt "$PER_FILE" ] && IFS=$'\t' read -r at length line kind was now <&3; do
        outcome=$(one "$file" "$folder" "$at" "$length" "$now")
        case $outcome in unbuilt | same | undecided) ;; *) done=$((done + 1)) ;; esac
        printf '%s\t%s\t%s\t%s ->%s\t%s\t%s\n' "$file" "$line" "$kind" "$was" "$now" \
            "$(sed -n "${line}s/^ *//p" "$file")" "$outcome" >> "$folder/outcomes"
    done 3< <("$work/mutate" "$file" "$SEED")
    rm -f "$folder/suite" "$folder"/*.o
    exit 0
fi

export SEED=$1 PER_FILE=$2
shift 2
mkdir -p "$work/none"
rm -f "$work"/*/outcomes
$CC -std=c17 -O1 -o "$work/mutate" "$here/mutate.c" || exit 2
# What sets limits of memory, and tests that do without their own malloc, have to know that the sanitizer is there: under
# a limit that suits a program without it, memory runs out or not as it happens to lie.
sanitized() { # sanitized PATTERN OBJECT...: into $objects, those whose source has PATTERN made anew
    local pattern=$1 object source
    shift
    objects=()
    for object in "$@"; do
        source=${object#"$B/"}
        source=${source%.o}.c
        if grep -qE "$pattern" "$source" 2> /dev/null; then
            object=$work/$(tr / - <<< "${source%.c}.o")
            compile "$source" "$object" || exit 2
        fi
        objects+=("$object")
    done
}
# shellcheck disable=SC2086
sanitized __SANITIZE_ADDRESS__ $TEST_OBJECTS
ld -r -o "$work/tests.o" "${objects[@]}" || exit 2
# shellcheck disable=SC2086
sanitized '__SANITIZE_ADDRESS__|IL_INTERRUPT_GRACE' $OBJECTS
OBJECTS=${objects[*]}

# What every test takes without a mutation. Known from the last time are those of times.txt and left.txt.
ln -sf "$PWD/$B/impactlab_hdf5.so" "$work/none/"
: > "$work/empty.c"
compile "$work/empty.c" "$work/empty.o"
link "$work/empty.o" none "$work/none/suite" || exit 2
touch "$work/times.txt" "$work/left.txt"
awk -F '\t' '{ print $2 ": " $3 }' "$work/times.txt" | cat - "$work/left.txt" > "$work/known.txt"
"$work/none/suite" --list | grep -vxFf "$work/known.txt" > "$work/new.txt"
measure "$work/new.txt" "$longest"

printf '%s\n' "$@" | nice -n 5 xargs -P "$JOBS" -n 1 timeout -s KILL "${FILE_SECONDS:-600}" bash "$here/mutation.sh" --file
cat "$work"/*/outcomes > "$work/outcomes.txt"
awk -F '\t' -f "$here/table.awk" -v seed="$SEED" -v per_file="$PER_FILE" "$work/outcomes.txt"

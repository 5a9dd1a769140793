#!/usr/bin/env bash
# check_includes.sh [--rooms] [DIR] - who includes whom, in the checkout at DIR (default: this one).
#
# Four rules, and every offence against them is listed with its place; status 1 if there is one:
#
#   - a file includes headers of its own room, and of those that the table names beside it: a room (all
#     headers in that folder, and none in folders below it) or one header,
#   - a library is included only where the second table says so,
#   - no cycle between files, NAME.c and NAME.h being one,
#   - a file that a comment leads to, (NAME.h), is there.
#
# The rooms stand in an order in which each sees only what stands above it, but for the four faces
# problem.h, scheme.h, projector.h and assembly.h, through which rooms see a family. tests are no room: they may
# look into any. --rooms lists the rooms.
set -euo pipefail

rooms='
harness/base
problems/planar            harness/base
problems/spheres           harness/base problems/problem.h
problems/modal             harness/base problems/problem.h
problems                   harness/base problems/planar problems/spheres problems/modal
schemes/projection/sparse  harness/base
schemes/projection/newton  harness/base schemes/projection/projector.h schemes/projection/sparse
schemes/projection         harness/base schemes/projection/newton
schemes/stepping           harness/base problems/problem.h schemes/scheme.h
schemes                    harness/base problems/problem.h schemes/projection/projector.h schemes/stepping
harness/data               harness/base problems/problem.h schemes/scheme.h
harness/measure            harness/base problems/problem.h schemes/scheme.h schemes/projection/projector.h harness/data
harness/reference          harness/base problems/problem.h schemes/scheme.h schemes/projection/projector.h schemes/stepping/held_contacts.h harness/data
harness/io/hdf5
harness/io                 harness/base
harness/io/workers         harness/base
harness/io/store           harness/base harness/io
harness/io/formats         harness/base harness/data harness/io harness/io/hdf5
harness/draw               harness/base harness/io
harness/outside            harness/base problems/problem.h schemes/scheme.h schemes/assembly.h harness/data harness/io harness/io/formats
harness/run                harness/base problems/problem.h schemes/scheme.h schemes/projection/projector.h harness/data harness/measure harness/reference harness/outside harness/io/file.h harness/io/store harness/io/formats
harness/study/order        harness/base schemes/scheme.h
harness/study/law          harness/base
harness/study/hypotheses   harness/base problems/problem.h schemes/scheme.h
harness/study/limits       harness/base problems/problem.h harness/data
harness/study/ensemble     harness/base problems/problem.h harness/data harness/io/workers harness/run
harness/study
harness/judge              harness/base problems/problem.h harness/data harness/outside harness/run
harness/library            harness/base harness/data harness/measure harness/outside harness/run harness/judge harness/study/order
harness/results            harness/base harness/io harness/io/store harness/io/formats
harness/manual
harness/lua/base           harness/base harness/data harness/io harness/io/store harness/run
harness/report             harness/base harness/io harness/io/store harness/lua/base
harness/lua/scripted       harness/base schemes/assembly.h harness/io harness/io/formats harness/run harness/judge harness/study/hypotheses harness/lua/base
harness/lua/sweep          harness/base harness/measure harness/io/workers harness/run harness/lua/base harness/lua/scripted
harness/lua/study          harness/base harness/study/order harness/study/law harness/study/hypotheses harness/study/ensemble harness/lua/base harness/lua/scripted harness/lua/sweep
harness/lua/draw           harness/base harness/io/sealed.h harness/draw harness/lua/base harness/lua/sweep
harness/lua/limits         harness/base harness/io harness/io/workers harness/run harness/study/limits harness/lua/base harness/lua/sweep
harness/lua                harness/base harness/data harness/io harness/io/workers harness/io/store harness/io/formats harness/results harness/run harness/study harness/study/hypotheses harness/lua/base harness/lua/scripted harness/lua/sweep
harness/cli                harness/base harness/data harness/measure harness/reference harness/io harness/io/store harness/io/formats harness/run harness/judge harness/study/order harness/study/law harness/study/hypotheses harness/study/ensemble harness/report harness/results harness/manual harness/lua/base harness/lua
'
# A library's headers as a pattern, and the rooms or files that know it.
libraries='
^(lua[0-9.]*/)?(lua|lualib|lauxlib|luaconf)\.h$  harness/lua/base harness/lua/scripted harness/lua/sweep harness/lua/study harness/lua/draw harness/lua/limits harness/lua harness/report harness/cli/sweep.c
^(hdf5|hdf5_hl|H5[A-Za-z]*)\.h$                  harness/io/hdf5
^glpk\.h$                                        harness/measure/multipliers.c
^gmp\.h$                                         harness/base/rational.c
^cmark-gfm.*\.h$                                 harness/manual/markdown.c
^nettle/                                         harness/io/sealed.c
^sqlite3\.h$                                    harness/results
^(suitesparse/)?amd\.h$                          schemes/projection/sparse/graph.c
^(suitesparse/)?cholmod.*\.h$                    nobody
'
if [ "${1:-}" = --rooms ]; then
    awk 'NF { print $1 }' <<< "$rooms"
    exit 0
fi
cd "${1:-$(dirname "$0")/..}"

shopt -s nullglob globstar
files=({harness,problems,schemes,tests}/**/*.[ch])
[ "${#files[@]}" -gt 0 ] || { echo "check_includes.sh: no C files in $PWD" >&2; exit 2; }

# What the build generates lies in no folder.
generated='^(build_id\.h|provenance_built\.h|(claims|library|page|manual)\.inc|(problems|schemes|projectors|formats|norms|suites|harnesses)\.def)$'

offences=$(
    grep -nHE '^[[:space:]]*#[[:space:]]*include' -- "${files[@]}" |
        sed -E 's/^([^:]*):([0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]*[>"]).*/\1 \2 \3/' |
        rooms=$rooms libraries=$libraries generated=$generated awk '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function stem(path) { sub(/\.[ch]$/, "", path); return path }
    function offend(why) { print $1 ":" $2 ": " why ": " $3 }

    # One who stands on the path from the root is met again: the path from there is a cycle.
    function visit(node, depth,    k, n, next_, at, text) {
        path[depth] = node
        state[node] = 1
        n = split(includes[node], to, " ")
        for (k = 1; k <= n; k++) {
            split(includes[node], to, " ")
            next_ = to[k]
            if (state[next_] == 1) {
                text = next_
                for (at = depth; path[at] != next_; at--) { text = path[at] " -> " text }
                print "cycle: " next_ " -> " text
            } else if (state[next_] == 0) {
                visit(next_, depth + 1)
            }
        }
        state[node] = 2
    }
    BEGIN {
        n = split(ENVIRON["rooms"], line, "\n")
        for (k = 1; k <= n; k++) {
            m = split(line[k], word, " ")
            if (m > 0) { known[word[1]] = 1; may[word[1], word[1]] = 1 }
            for (j = 2; j <= m; j++) { may[word[1], word[j]] = 1 }
        }
        n = split(ENVIRON["libraries"], line, "\n")
        for (k = 1; k <= n; k++) {
            m = split(line[k], word, " ")
            if (m == 0) { continue }
            pattern[++npatterns] = word[1]
            for (j = 2; j <= m; j++) { knows[npatterns, word[j]] = 1 }
        }
    }
    {
        test = $1 ~ /^tests\//
        room = folder($1)
        name = substr($3, 2, length($3) - 2)
        if (!test && !(room in known)) { offend("this folder is no room of the table") }
        if ($3 ~ /^</) {
            for (k = 1; k <= npatterns; k++) {
                if (name ~ pattern[k] && !test && !((k, room) in knows) && !((k, $1) in knows)) {
                    offend("the library is not known here")
                }
            }
            if (name ~ /^(harness|problems|schemes|tests)\//) { offend("our own headers stand in quotes") }
        } else if (name ~ ENVIRON["generated"]) {
            if ($1 !~ /^(harness|tests)\//) { offend("generated lists belong to harness and tests") }
        } else if (name !~ /\// || name ~ /\.\./) {
            offend("headers are named from the root")
        } else {
            if (!test && !((room, folder(name)) in may) && !((room, name) in may)) {
                offend("not allowed here")
            }
            from = stem($1)
            to_ = stem(name)
            if (from != to_ && !((from, to_) in edge)) {
                edge[from, to_] = 1
                includes[from] = includes[from] " " to_
                if (!(from in seen)) { seen[from] = 1; order[++nodes] = from }
            }
        }
    }
    END { for (k = 1; k <= nodes; k++) if (state[order[k]] == 0) visit(order[k], 1) }'

    grep -noE '^ *(/\*|\*| \*).*\([a-z0-9_]+\.[ch]\)' -- "${files[@]}" /dev/null |
        there=" ${files[*]##*/} " awk -F '[()]' '{
            for (k = 2; k < NF; k++) {
                if ($k ~ /^[a-z0-9_]+\.[ch]$/ && !index(ENVIRON["there"], " " $k " ")) {
                    split($0, place, ":")
                    print place[1] ":" place[2] ": there is no file of this name: " $k
                }
            }
        }'

    # A string that is the name or path of the program, or a command line that begins with it.
    grep -nHE '"([^" ]*/)?gnuplot( -[^"]*)?"' -- "${files[@]}" |
        grep -vE '^(tests/|harness/draw/gnuplot\.c:)' | cut -d: -f1,2 |
        sed 's/$/: only harness\/draw\/gnuplot.c drives gnuplot/' || true

    # HDF5 trusts the bytes of a file: the module, which a child loads, is the only one that reads.
    grep -nHE '\bH5(F(re)?open|Pset_file_image|LTopen_file_image|DOread_chunk|[ADR]read|LTread|LTget)[a-z0-9_]*[[:space:]]*\(' \
        -- "${files[@]}" | grep -vE '^(tests/|harness/io/hdf5/)' | cut -d: -f1,2 |
        sed 's/$/: only harness\/io\/hdf5 reads HDF5, in a child/' || true

    awk 'NF { print $1 }' <<< "$rooms" | while read -r room; do
        [ -d "$room" ] || echo "the room $room of the table does not exist"
    done
)
if [ -n "$offences" ]; then
    echo "$offences"
    echo "check_includes.sh: $(wc -l <<< "$offences") offences in ${#files[@]} files"
    exit 1
fi
echo "check_includes.sh: ${#files[@]} files keep to their rooms"

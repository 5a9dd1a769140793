#!/usr/bin/env bash
# installed.sh - the program installed into a folder of its own works from any other, wherever that
# folder is moved to, and leaves nothing when it is uninstalled; the program copied alone says what it
# lacks. IMPACTLAB names the program of a build, build/VARIANT/impactlab.
#
#   installed.sh [--all]     --all: the tarball builds and makes itself again, the package unpacks
set -uo pipefail
source "$(dirname "$0")/../support/shell.sh"
checkout=$PWD
variant=$(basename "$(dirname "$program")")
stage=$work/stage

make_quietly() { make --no-print-directory -s VARIANT="$variant" "$@"; }

mkdir "$work/elsewhere"
cat >"$work/elsewhere/mine.lua" <<'LUA'
local lab = require "impactlab"
local r = lab.sweep{name = "mine", problem = "sticky", scheme = "maury", steps = {10, 20}}:run()
lab.check(r.ran == 2, "two cases")
local run = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 20, trajectory = "ball.h5"}
lab.check(run.status == "ok", "a run with its trajectory")
LUA

# A program that is where it is, alone or installed, from a folder that has nothing of ours.
works() { # works NAME PROGRAM
    local name=$1 installed=$2
    (cd "$work/elsewhere" && rm -rf results && "$installed" sweep mine.lua) >"$work/out" 2>&1
    verdict_if $? "$name: a sweep with an HDF5 trajectory" "$work/out"
    holds "$name: it is HDF5" cmp -n 8 "$work/elsewhere/results/trajectories/ball.h5" <(printf '\211HDF\r\n\032\n')
    (cd "$work/elsewhere" && "$installed" sweep first.lua --results first -j 2) >"$work/out" 2>&1
    verdict_if $? "$name: a script that comes with it" "$work/out"
    holds "$name: its figure" [ -s "$work/elsewhere/first/figures/first-convergence-u_L1.png" ]
}

make_quietly install DESTDIR="$stage" PREFIX=/opt/it >"$work/out" 2>&1
verdict_if $? "make install" "$work/out"
root=$stage/opt/it
works "installed" "$root/bin/impactlab"
for file in share/man/man1/impactlab.1 share/doc/impactlab/html/index.html; do
    holds "$file is there" [ -s "$root/$file" ]
done
holds "the page of today" diff "$root/share/man/man1/impactlab.1" <("$program" help --man)
mkdir "$work/links"
ln -s "$root/bin/impactlab" "$work/links/impactlab"
works "through a link" "$work/links/impactlab"
mv "$root" "$work/moved"
works "moved" "$work/moved/bin/impactlab"
mkdir -p "$stage/opt"
mv "$work/moved" "$root"

# Pages name no file of ours that is not there, but those that say so.
unknown_files() { # unknown_files ROOT: lines FILE: NAME
    local page name
    for page in "$1"/share/doc/impactlab/html/*.html "$1/share/man/man1/impactlab.1"; do
        sed -e '/<style>/,/<\/style>/d' -e 's/<[^>]*>/ /g' -e 's/\\-/-/g' "$page" >"$work/page"
        tr '\n' ' ' <"$work/page" | grep -q 'sources, which are not installed' && continue
        grep -oE '(^|[^[:alnum:]_./~-])(harness|problems|schemes|scripts|tests|results/reference|build)/[[:alnum:]_./%*-]*\.(c|h|lua|py|sh|md|txt|js|awk|png|csv)\b' "$work/page" |
            grep -oE '(harness|problems|schemes|scripts|tests|results|build)/.*' | sort -u |
            while IFS= read -r name; do
                case $name in */NAME.*) continue ;; esac # the reader's own
                [ -e "$1/share/impactlab/$name" ] || [ -e "$1/share/impactlab/scripts/$name" ] || echo "${page##*/}: $name"
            done
        grep -o 'build/impactlab' "$work/page" | sort -u
    done
}
verdict "pages name files that are there" "$(unknown_files "$root" | head -n 5)"
cp -r "$root/share" "$work/planted"
mkdir "$work/planted.root" && mv "$work/planted" "$work/planted.root/share"
echo '<p><code>harness/draw/plot.c</code></p>' >>"$work/planted.root/share/doc/impactlab/html/run.html"
holds "one that is planted is seen" [ "$(unknown_files "$work/planted.root")" = "run.html: harness/draw/plot.c" ]
# A script that starts programs beside it.
if command -v python3 >/dev/null; then
    (cd "$work/elsewhere" && "$root/bin/impactlab" sweep "$root/share/impactlab/scripts/external/beside.lua" --trust --quiet --results beside) >"$work/out" 2>&1
    verdict_if $? "beside.lua, from elsewhere" "$work/out"
    holds "its figure" [ -s "$work/elsewhere/beside/figures/beside-ball-convergence-u_L1.png" ]
fi

# What somebody else put beside ours stays.
touch "$root/bin/other" "$root/share/doc/impactlab/note"
make_quietly uninstall DESTDIR="$stage" PREFIX=/opt/it >"$work/out" 2>&1
verdict_if $? "make uninstall" "$work/out"
left=$(cd "$root" && find . -type f | sort | tr '\n' ' ')
verdict "nothing of ours stays" "$([ "$left" = "./bin/other ./share/doc/impactlab/note " ] || echo "left: $left")"
holds "nor a folder of ours" [ ! -e "$root/lib/impactlab" ]
! make_quietly uninstall DESTDIR="$stage" PREFIX=/opt/it >"$work/out" 2>&1
verdict "there is nothing to uninstall twice" "$([ $? -eq 0 ] || echo "it does")"

# ---- alone -------------------------------------------------------------------------------------

mkdir "$work/alone"
cp "$program" "$work/alone/impactlab"
cd "$work/alone" || exit 2
./impactlab run --problem sticky --scheme maury --steps 5 --trajectory a.csv >"$work/out" 2>&1
verdict_if $? "alone: runs" "$work/out"
holds "alone: writes" [ -s a.csv ]
./impactlab run --problem sticky --scheme maury --steps 5 --trajectory a.h5 >"$work/out" 2>"$work/err"
status=$?
verdict "alone: says what it lacks" "$([ $status -eq 2 ] && [ ! -s "$work/out" ] && [ ! -e a.h5 ] &&
    grep -q "impactlab_hdf5.so.*make install" "$work/err" || echo "status $status: $(<"$work/err")")"
./impactlab sweep first.lua >"$work/out" 2>"$work/err"
status=$?
verdict "alone: no script of ours" "$([ $status -eq 2 ] && grep -q "first.lua" "$work/err" || echo "status $status")"
cd "$checkout" || exit 2

# ---- tarball and package -----------------------------------------------------------------------

make_quietly dist >"$work/out" 2>&1
verdict_if $? "make dist" "$work/out"
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
tarball=build/impactlab-$version.tar.gz # not one of a version before
tree=$work/impactlab-$version
tar xzf "$tarball" -C "$work"
verdict_if $? "the tarball unpacks" "$work/out"
# All that make reads is in it.
make -pnq 2>/dev/null | sed -n 's/^\(SOURCES\|HEADERS\|TESTS\|CLAIMS\|PAGES\) := *//p' | tr ' ' '\n' | sort -u >"$work/want"
holds "make names files" [ "$(wc -l <"$work/want")" -ge 300 ]
(cd "$tree" && while IFS= read -r file; do [ -z "$file" ] || [ -e "$file" ] || echo "$file"; done) <"$work/want" >"$work/out"
verdict "the tarball has every file of the build" "$(head -n 3 "$work/out")"
holds "it is ours alone" [ ! -e "$tree/build" ]

if [ "${1:-}" = --all ]; then
    (cd "$tree" && make -s -j"$(nproc)" VARIANT=dev program && make -s VARIANT=dev dist) >"$work/out" 2>&1
    verdict_if $? "the tarball builds" "$work/out"
    works "from the tarball" "$tree/build/dev/impactlab"
    holds "and makes the same tarball" cmp "$tree/$tarball" "$tarball"
    make_quietly deb >"$work/out" 2>&1
    verdict_if $? "make deb" "$work/out"
    package=build/impactlab_${version}_$(dpkg --print-architecture).deb
    dpkg-deb -x "$package" "$work/package"
    works "from the package" "$work/package/usr/bin/impactlab"
    for package in $(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/|[^,]*//g' | tr -d ' ' | tr ',' ' '); do
        holds "the package's $package is one of Debian's" bash -c "apt-cache show $package || dpkg-query -W $package"
    done
fi

conclude

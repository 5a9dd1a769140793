#!/usr/bin/env bash
# bare.sh [FOLDER] - a new machine: Debian 12 with git and make and nothing else, made by debootstrap in
# FOLDER (build/bare), where a clone of this revision has to get from the two commands of README to the
# tutorial's end, then `make install` into a prefix and the tutorial from there, without the checkout.
#
# Needs root, debootstrap, a network, 3 GB and half an hour. What it mounts stays in a namespace of its own.
# QUICK=1 leaves `make test` out; STAGES="test tutorial" are only those, in this order, where FOLDER is there
# already. Not part of `make test`.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

fail() {
    echo "bare.sh: $*" >&2
    exit 2
}
[ "$(id -u)" -eq 0 ] || fail "needs root"
command -v debootstrap >/dev/null || fail "no debootstrap: apt-get install debootstrap"
folder=$(realpath -m -- "${1:-build/bare}")
bad=0

inside() { # inside COMMAND: as root of the bare system, with its processes and terminals and an environment as empty as it is
    unshare -m --propagation private -p -f bash -c 'mount -t proc proc "$0/proc" && mkdir -p "$0/dev/pts" &&
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$0/dev/pts" &&
        exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root bash -c "$1"' "$folder" "$1"
}

stage() { # stage NAME COMMAND: its output in FOLDER/root/NAME.log, its end here
    local began=$SECONDS status
    inside "$2" >"$folder/root/$1.log" 2>&1
    status=$?
    if [ "$status" -eq 0 ]; then
        echo "bare.sh: $1: $((SECONDS - began)) s"
    else
        bad=1
        echo "bare.sh: FAILED $1, status $status: $folder/root/$1.log"
        tail -n 5 "$folder/root/$1.log"
    fi
}

if [ ! -e "$folder/etc/debian_version" ]; then
    mkdir -p "$folder"
    unshare -m --propagation private debootstrap --variant=minbase --include=git,make,ca-certificates bookworm \
        "$folder" http://deb.debian.org/debian >"$folder.log" 2>&1 || fail "debootstrap failed: $folder.log"
fi
rm -rf "$folder/root/clone" "$folder/root/it" "$folder/root/away"
git clone -q . "$folder/root/clone" || fail "no clone"

declare -A commands=(
    [report]='make report'
    [test]='make test'
    [tutorial]='IMPACTLAB=build/impactlab bash tests/house/documents.sh harness/manual/tutorial.md'
    [install]='make install PREFIX=/root/it && mkdir /root/away && mv build /root/away'
    [installed]='bash tests/house/documents.sh --installed /root/it/bin/impactlab harness/manual/tutorial.md'
)
[ -z "${QUICK:-}" ] || : "${STAGES:=report tutorial install installed}"
: "${STAGES:=report test tutorial install installed}"
for name in $STAGES; do
    [ -n "${commands[$name]:-}" ] || fail "no stage '$name'; there are report, test, tutorial, install, installed"
    stage "$name" "cd /root/clone && ${commands[$name]}"
done
[ "$bad" -eq 0 ] && echo "bare.sh: $(cat "$folder/etc/debian_version"): all well: $STAGES"
exit "$bad"

#!/usr/bin/env bash
# container.sh [FOLDER] - scripts/container/Dockerfile built by buildah from a clone of this revision, and what its
# image does with a file of the user's. Images stay in FOLDER (build/container).
#
# Needs root, buildah (Debian: buildah, crun), a network, 3 GB and ten minutes; debootstrap where no registry has
# debian:12. Not part of `make test`.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

fail() {
    echo "container.sh: $*" >&2
    exit 2
}
[ "$(id -u)" -eq 0 ] || fail "needs root"
command -v buildah >/dev/null || fail "no buildah: apt-get install --no-install-recommends buildah crun"
folder=$(realpath -m -- "${1:-build/container}")
base=docker.io/library/debian:12
bad=0
rm -rf "$folder/src" "$folder/work"
mkdir -p "$folder/work"
git clone -q . "$folder/src" || fail "no clone"

image() { # image WORDS...: buildah, whose images are in the folder
    buildah --root "$folder/storage" --runroot "$folder/run" "$@"
}
debian() { # debian:12 without a registry
    local one
    command -v debootstrap >/dev/null || fail "no registry has $base, and there is no debootstrap"
    unshare -m --propagation private debootstrap --variant=minbase bookworm "$folder/debian" http://deb.debian.org/debian &&
        one=$(image from scratch) && image add -q "$one" "$folder/debian" / && image commit -q "$one" "$base"
}
says() { # says NAME PATTERN COMMAND...: in the image, with the user's folder
    local name=$1 pattern=$2
    shift 2
    image run --isolation chroot --network host -v "$folder/work:/work" "$box" -- "$@" >"$folder/said" 2>&1
    if ! grep -qE -- "$pattern" "$folder/said"; then
        bad=1
        echo "container.sh: FAILED $name: $(tail -n 2 "$folder/said")"
    fi
}

image inspect --type image "$base" >/dev/null 2>&1 || image pull -q "$base" >"$folder/log" 2>&1 || debian >"$folder/log" 2>&1 ||
    fail "no $base: $folder/log"
image build --isolation chroot --network host -f "$folder/src/scripts/container/Dockerfile" -t impactlab "$folder/src" >"$folder/log" 2>&1 ||
    fail "the image is not built: $folder/log"
box=$(image from --pull-never localhost/impactlab) || fail "no container"
echo 't,q0,u0
0,1,0
0.1,1,0' >"$folder/work/own.csv"
entry=$(image inspect --type image --format '{{.OCIv1.Config.Entrypoint}}' localhost/impactlab)
[ "$entry" = '[impactlab]' ] || { bad=1 && echo "container.sh: FAILED the image runs '$entry'"; }
says "files are judged" 'bouncing_ball by own.csv: 1 steps' impactlab judge own.csv --problem bouncing_ball
says "sweeps draw" 'wrote results/figures/' impactlab sweep /usr/share/impactlab/scripts/first.lua
says "Python runs" '^impactlab.Record\(two_spheres by maury, 9 steps: ok\)' python3 -c 'import impactlab; print(impactlab.run("two_spheres", "maury", steps=9))'
says "no compiler is left" 'not there' sh -c 'command -v gcc make || echo not there'
image rm "$box" >/dev/null
[ "$bad" -eq 0 ] && echo "container.sh: the image judges, sweeps and runs Python"
exit "$bad"

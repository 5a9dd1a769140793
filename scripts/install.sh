#!/usr/bin/env bash
# install.sh - the Debian packages that the build needs; asks the package manager only for those
# that are missing, and says nothing when none is.
#
#   scripts/install.sh        compiler, libraries, gnuplot, groff: what `make test` and `make report` use
#   scripts/install.sh lint   also clang-format, clang-tidy and cppcheck, for `make lint`
#   scripts/install.sh figures also ImageMagick and pdffonts, for `make test-figures`
#   scripts/install.sh python also what the library's tests from Python and its wheel use
#   scripts/install.sh second also Python's numpy, scipy and h5py, for `make second-opinion`
#   scripts/install.sh engines also the physics engines of scripts/external/engines, for `make engines`
set -euo pipefail

build_packages=(gcc libc6-dev make pkg-config libgsl-dev libcunit1-dev liblua5.4-dev
                libjansson-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libsqlite3-dev libhdf5-dev libfclib-dev libsuitesparse-dev libglpk-dev libgmp-dev
                libmpfr-dev nettle-dev binutils gnuplot-nox fonts-dejavu-core groff-base)
lint_packages=(clang-format clang-tidy cppcheck git)
figures_packages=(imagemagick poppler-utils)
python_packages=(python3 python3-cffi python3-numpy python3-venv)
second_packages=(python3 python3-numpy python3-scipy python3-h5py)
engines_packages=(g++ libode-dev libbullet-dev libmujoco-dev libbox2d-dev libchipmunk-dev libdart-dev libsimbody-dev
                  liggghts yade)

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

# The arguments that are not installed, one a line. dpkg-query -W knows virtual names as well
# (pkg-config is one where pkgconf provides it), so Provides is asked too.
missing() {
    local have package
    have=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
        sed -n 's/^installed //p' | tr -s ', ' '\n')
    for package in "$@"; do
        grep -qxF -- "$package" <<<"$have" || echo "$package"
    done
}

# Run as administrator, or say what the administrator must run.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "not root and no sudo; an administrator must run:
    apt-get update && apt-get install -y --no-install-recommends ${wanted[*]}"
    fi
}

# One retry: mirrors do hiccup.
apt() {
    local try
    for try in 1 2; do
        if as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"; then
            return
        fi
        if [ "$try" -eq 1 ]; then
            echo "install.sh: apt-get $1 failed; trying once more" >&2
            sleep 3
        fi
    done
    fail "apt-get $* failed twice; see above. Still missing: ${wanted[*]}"
}

packages=("${build_packages[@]}")
case "${1:-}" in
    "") ;;
    lint) packages+=("${lint_packages[@]}") ;;
    figures) packages+=("${figures_packages[@]}") ;;
    python) packages+=("${python_packages[@]}") ;;
    second) packages+=("${second_packages[@]}") ;;
    engines) packages+=("${engines_packages[@]}") ;;
    *) fail "unknown argument '$1'; allowed: none, engines, figures, lint, python, second" ;;
esac

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this system has no apt; install what matches these Debian packages: ${packages[*]}"

mapfile -t wanted < <(missing "${packages[@]}")
if [ "${#wanted[@]}" -eq 0 ]; then
    exit 0
fi
echo "install.sh: installing ${wanted[*]}" >&2
apt update
apt install -y --no-install-recommends "${wanted[@]}"
mapfile -t wanted < <(missing "${packages[@]}")
if [ "${#wanted[@]}" -gt 0 ]; then
    fail "still missing after installation: ${wanted[*]}"
fi

#!/usr/bin/env bash
# deb.sh - a Debian package by dpkg-deb. What it depends on is asked of the program: the packages of
# the libraries that it and its module name, with the newest version of glibc's symbols that they use;
# and gnuplot with a font, without which no figure is drawn.
#
#   scripts/deb.sh VERSION PROGRAM MODULE OUT.deb
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "deb.sh: $*" >&2
    exit 2
}

[ $# -eq 4 ] || fail "VERSION PROGRAM MODULE OUT.deb are needed"
for tool in dpkg-deb dpkg-query objdump; do
    command -v "$tool" >/dev/null || fail "$tool is missing: packages are made on Debian"
done
version=$1 program=$2 module=$3 out=$(realpath -m -- "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The package that the library of this name comes from.
package_of() { # package_of SONAME
    local path real
    path=$(ldd "$program" "$module" | awk -v so="$1" '$1 == so { print $3; exit }')
    [ -n "$path" ] || fail "$1, which the program needs, is not installed"
    for real in "$path" "$(realpath "$path")" "/usr$(realpath "$path")" "${path#/usr}"; do
        dpkg-query -S "$real" 2>/dev/null | sed 's/:.*//' && return
    done
    fail "no package has $path"
}

glibc=$(objdump -T "$program" "$module" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -n 1)
depends="libc6 (>= $glibc)"
for so in $(objdump -p "$program" "$module" | awk '$1 == "NEEDED" { print $2 }' | sort -u); do
    package=$(package_of "$so" | head -n 1)
    [ "$package" = libc6 ] || printf '%s\n' "$package"
done | sort -u >"$work/packages"
while IFS= read -r package; do depends="$depends, $package"; done <"$work/packages"

root=$work/root
doc=$root/usr/share/doc/impactlab
bash scripts/put.sh install "$program" "$module" "$root/usr" "$version" >/dev/null
rm "$root/usr/share/impactlab/installed" "$doc/LICENSE" # dpkg keeps a list, and has the licence
gzip -9n "$root/usr/share/man/man1/impactlab.1" "$doc/CHANGELOG.md"
mv "$doc/CHANGELOG.md.gz" "$doc/changelog.gz"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: the authors of impactlab
License: GPL-3.0-or-later
 The full text is in /usr/share/common-licenses/GPL-3.
END
mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: impactlab
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: impactlab <impactlab@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends, gnuplot-nox | gnuplot, fonts-dejavu-core
Section: science
Priority: optional
Description: referee for time-stepping schemes of contact with inelastic impacts
 Runs schemes by Maury, Paoli, Venel, Moreau and others on problems of bodies
 that may touch and may not overlap, whose exact solutions are known, and says
 how far each is from the truth, at which order it converges, and whether it
 keeps what its paper proves.
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
mkdir -p "$(dirname "$out")"
dpkg-deb --root-owner-group --build "$root" "$out.new" >/dev/null
mv "$out.new" "$out"
echo "$out: depends on $depends"

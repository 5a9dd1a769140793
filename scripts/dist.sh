#!/usr/bin/env bash
# dist.sh - a tarball of what git tracks, or, where there is no git as in an unpacked tarball, of what
# its FILES names, and the revision. The same files of the same revision give the same bytes.
#
#   scripts/dist.sh VERSION OUT.tar.gz
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -eq 2 ] || { echo "dist.sh: VERSION and OUT.tar.gz are needed" >&2; exit 2; }
version=$1 out=$(realpath -m -- "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What stands in the index and is there: a file that was removed and not committed yet is none.
if git ls-files --error-unmatch Makefile >/dev/null 2>&1; then
    git ls-files
elif [ -r FILES ]; then
    cat FILES
else
    echo "dist.sh: neither git nor FILES says what belongs to the program" >&2
    exit 2
fi | grep -vx FILES | while IFS= read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done |
    LC_ALL=C sort >"$work/list"
mkdir -p "$(dirname "$out")" "$work/impactlab-$version"
tar cf - -T "$work/list" | tar xf - -C "$work/impactlab-$version"
cp "$work/list" "$work/impactlab-$version/FILES"
# Which revision these files are, for the provenance of records: git is not there to be asked.
revision=$(git rev-parse --short=12 HEAD 2>/dev/null || cat REVISION 2>/dev/null || true)
[ -z "$revision" ] || printf '%s\n' "$revision" >"$work/impactlab-$version/REVISION"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=u=rwX,go=rX -C "$work" \
    -cf - "impactlab-$version" | gzip -9n >"$out.new"
mv "$out.new" "$out"
echo "$out: $(wc -l <"$work/list") files"

#!/usr/bin/env bash
# note.sh NAME - what a test of campaigns (kills, stored runs, slurm) printed, handed on, and its outcome as a line
# of results/reference/campaign.txt, which scripts/hardness.sh shows.
set -uo pipefail
cd "$(dirname "$(realpath "$0")")/../.." || exit 2
name=${1:?a name} file=results/reference/campaign.txt
case $name in
kills) wanted='^[0-9]+ kills in|kills of [0-9]+ writes|[0-9]+ checks, ' ;;
"stored runs") wanted='^  (storing one|a status|a list with a condition|the index is made anew):|[0-9]+ checks, ' ;;
slurm) wanted='^node n2 was killed|[0-9]+ checks, ' ;;
*) echo "note.sh: '$name'; allowed: kills, 'stored runs', slurm" >&2; exit 2 ;;
esac
exec 3>&1
said=$(tee /dev/fd/3)
line=$(grep -E "$wanted" <<<"$said" | sed -E 's/^.*\.\.\. //; s/^ +//; s/, [0-9.]+ s by the clock; at most ([0-9]+)/ (at most \1)/; s/; at most ([0-9]+)/ (at most \1)/; s/ passed$//; s/^[a-z]+\.sh: //' | paste -sd ';' | sed 's/;/; /g')
[ -n "$line" ] || { echo "note.sh: nothing to note" >&2; exit 1; }
{ grep -v "^$name: " "$file" 2>/dev/null; echo "$name: $line"; } | sort >"$file.new" && mv "$file.new" "$file"

#!/usr/bin/env bash
# submit.sh - a sweep as a Slurm job array: a task a shard, and a job that gathers when all have ended.
#
#   scripts/slurm/submit.sh [-n SHARDS] [-r RESULTS] [-s OPTION]... SCRIPT.lua [-- ARG...]
#
#   -n SHARDS   tasks of the array, each with every SHARDS-th case (default 100)
#   -r RESULTS  the results folder, which all nodes see (default results)
#   -s OPTION   handed on to sbatch, for both jobs: -s --time=2:00:00 -s --mem=4G -s --partition=long
#   IMPACTLAB   the program (default: build/impactlab of this checkout, else the one on the path)
#
# Prints the numbers of both jobs. A task that a dying node takes with it is queued again by Slurm and goes
# on: what was stored stays, claims of the dead expire, long cases go on from the state that they left.
# The job that gathers runs the script as a whole, and with it every case that is still missing; its
# tables and figures are those of a run on one machine. It ends with the script's own status.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
    echo "submit.sh: $*" >&2
    exit 2
}

shards=100 results=results options=()
while getopts :n:r:s: option; do
    case $option in
    n) shards=$OPTARG ;;
    r) results=$OPTARG ;;
    s) options+=("$OPTARG") ;;
    *) fail "-$OPTARG is unknown, or lacks its value; allowed: scripts/slurm/submit.sh [-n SHARDS] [-r RESULTS] [-s OPTION]... SCRIPT.lua [-- ARG...]" ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || fail "a script is needed"
script=$1
shift
[ "${1:-}" != -- ] || shift

[[ $shards =~ ^[1-9][0-9]*$ ]] || fail "-n is '$shards'; allowed: an integer from 1"
[ -r "$script" ] || fail "cannot read the script '$script'"
command -v sbatch >/dev/null || fail "there is no sbatch; install Slurm's clients, or run shards by hand (--shard, scripts/README.md)"
program=${IMPACTLAB:-$here/../../build/impactlab}
[ -x "$program" ] || [ -n "${IMPACTLAB:-}" ] || program=$(command -v impactlab || echo "$program")
[ -x "$program" ] || fail "no program at '$program'; run make, or name it in IMPACTLAB"

mkdir -p "$results/slurm"
results=$(realpath -- "$results")
export IL_PROGRAM IL_SCRIPT IL_RESULTS=$results
IL_PROGRAM=$(realpath -- "$program")
IL_SCRIPT=$(realpath -- "$script")

array=$(sbatch --parsable --export=ALL --requeue --open-mode=append --job-name="${script##*/}" \
    --array="1-$shards" --output="$results/slurm/%A_%a.txt" "${options[@]}" "$here/shard.sh" "$@")
gather=$(sbatch --parsable --export=ALL --requeue --open-mode=append --job-name="${script##*/}-gather" \
    --dependency="afterany:$array" --output="$results/slurm/%j-gather.txt" "${options[@]}" "$here/gather.sh" "$@") || {
    scancel "$array"
    fail "the job that gathers was refused, and the array $array is cancelled"
}
echo "array $array, gather $gather: $results/slurm/$gather-gather.txt"

#!/usr/bin/env bash
# gather.sh - after the array that submit.sh makes: the script as a whole, which finds its cases stored, runs
# what is missing, draws its tables and figures; and the page of the results.
set -uo pipefail
"$IL_PROGRAM" sweep "$IL_SCRIPT" --results "$IL_RESULTS" -j "${SLURM_CPUS_PER_TASK:-1}" --resume -- "$@"
status=$?
"$IL_PROGRAM" report --results "$IL_RESULTS" || [ "$status" -ne 0 ] || status=$?
exit "$status"

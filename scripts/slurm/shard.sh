#!/usr/bin/env bash
# shard.sh - one task of the array that submit.sh makes: its share of the cases.
#
# A case that fails (status 1) and tables that wait for other shards (status 3) are nothing that running
# again would mend: the job that gathers says what became of them. An end by a signal is the node's.
set -uo pipefail
"$IL_PROGRAM" sweep "$IL_SCRIPT" --results "$IL_RESULTS" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    -j "${SLURM_CPUS_PER_TASK:-1}" --quiet -- "$@"
status=$?
case $status in
0 | 1 | 3) exit 0 ;;
*) exit "$status" ;;
esac

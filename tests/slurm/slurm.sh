#!/usr/bin/env bash
# slurm.sh - a sweep as a job array on a real cluster of one machine: 200 cases, three nodes, one of which dies
# in the middle. The tables are those of a local run. IMPACTLAB names the program.
#
# The cluster is this script's own: a munged with a key of its own, a slurmctld and three slurmd on
# loopback, all in a folder that goes at the end.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"
PATH=$PATH:/usr/sbin:/sbin

for tool in munged slurmctld slurmd sbatch scontrol squeue; do
    command -v "$tool" >/dev/null || { echo "slurm.sh: no $tool; make test-slurm installs it" >&2; exit 2; }
done

NODES=3 SHARDS=40
port=$((20000 + RANDOM % 20000))
cluster=$work/cluster
export SLURM_CONF=$cluster/slurm.conf
daemons=()

stop_cluster() {
    [ "${#daemons[@]}" -eq 0 ] || kill -KILL "${daemons[@]}" 2>/dev/null
    for k in $(seq "$NODES"); do kill_below "n$k"; done
    rm -rf "$work"
}
trap stop_cluster EXIT
trap 'exit 1' INT TERM HUP

# Processes of a node's tasks, one a line.
tasks_of() { # NODE
    local file
    for file in $(grep -lzxF "SLURMD_NODENAME=$1" /proc/[0-9]*/environ); do
        ! grep -qzxF "SLURM_CONF=$SLURM_CONF" "$file" || echo "${file//[!0-9]/}"
    done
} 2>/dev/null

# The step daemons of a node and what they run. The daemons, parents of the tasks, first: one that sees its task
# end tells the controller that it failed, and what failed is not queued again.
kill_below() { # NODE
    local p parent tasks
    tasks=$(tasks_of "$1")
    for p in $tasks; do
        parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$p/status")
        ! grep -q '^slurmstepd' "/proc/$parent/comm" || kill -KILL "$parent"
    done
    for p in $tasks; do kill -KILL "$p"; done
} 2>/dev/null

# Stop the sweep of a node's task, which then is in the middle of it until the node dies: a task that was
# running when the queue was asked may have ended since. False where the node has none.
hold_below() { # NODE
    local p
    for p in $(tasks_of "$1"); do
        if grep -qzx -e --shard "/proc/$p/cmdline" && kill -STOP "$p" && grep -q '^State:.T' "/proc/$p/status"; then
            return 0
        fi
    done
    return 1
} 2>/dev/null

start_cluster() {
    mkdir -p "$cluster/state"
    dd if=/dev/urandom of="$cluster/munge.key" bs=1024 count=1 status=none
    chmod 400 "$cluster/munge.key"
    chmod 755 "$work" "$cluster"
    munged --foreground --force --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munged.pid" --seed-file="$cluster/munged.seed" >"$cluster/munged.out" 2>&1 &
    daemons+=($!)
    cat >"$SLURM_CONF" <<END
ClusterName=impactlab
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmdLogFile=$cluster/slurmd.%n.log
SlurmdSpoolDir=$cluster/spool.%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=1,sched_min_interval=0
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
KillWait=2
MaxArraySize=1001
$(for k in $(seq "$NODES"); do echo "NodeName=n$k NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + k)) CPUs=1 State=UNKNOWN"; done)
PartitionName=all Nodes=n[1-$NODES] Default=YES MaxTime=INFINITE State=UP
END
    slurmctld -D -i -f "$SLURM_CONF" >"$cluster/slurmctld.out" 2>&1 &
    daemons+=($!)
    for k in $(seq "$NODES"); do
        mkdir -p "$cluster/spool.n$k"
        slurmd -D -N "n$k" -f "$SLURM_CONF" >"$cluster/slurmd.n$k.out" 2>&1 &
        daemons+=($!)
        eval "node$k=$!"
    done
    for _ in $(seq 60); do
        [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = "$NODES" ] && return 0
        sleep 0.5
    done
    return 1
}

cat >"$work/many.lua" <<'END'
local lab = require "impactlab"
local list = {}
for k = 1, 100 do list[k] = 3000 + 37 * k end
local r = lab.sweep{name = "many", problem = {"sticky", N = 20, seed = 3}, schemes = {"maury", "paoli"},
                    steps = list}:run()
r:table{"errors"}
local rows = {}
for k, one in ipairs(r:records()) do
  rows[k] = {one.scheme, one.steps, one.status, one.final.q[1], one.contacts.impulse_total}
end
lab.table{name = "numbers", heads = {"scheme", "steps", "status", "q", "impulse"}, rows = rows}
END

"$program" sweep "$work/many.lua" --results "$work/local" -j 2 >"$work/said" 2>&1
holds "a local run ends well" test "$?" -eq 0

if ! start_cluster; then
    tail -n 5 "$cluster"/*.log "$cluster"/*.out >&2
    echo "slurm.sh: the cluster does not come up" >&2
    exit 1
fi
r=$work/results
IMPACTLAB=$program bash scripts/slurm/submit.sh -n "$SHARDS" -r "$r" "$work/many.lua" >"$work/said" 2>&1
holds "the sweep is submitted" test "$?" -eq 0
cat "$work/said"
gather=$(sed -nE 's/.*gather ([0-9]+):.*/\1/p' "$work/said")

stored() { find "$r/cases" -name '*.json' 2>/dev/null | wc -l; }
for _ in $(seq 1200); do # until the node that is to die has a task
    [ "$(stored)" -ge 60 ] && hold_below n2 && break
    sleep 0.1
done
holds "the node that dies has a task" test -n "$(squeue -h -w n2 -t RUNNING -o %i 2>/dev/null)"
at=$(stored)
# A node dies, and what it ran with it.
kill -KILL "$node2"
kill_below n2
echo "node n2 was killed when $at of 200 cases were stored"
holds "it died in the middle" test "$at" -ge 60 -a "$at" -lt 200

for _ in $(seq 900); do
    state=$(scontrol show job "$gather" 2>/dev/null | sed -nE 's/.*JobState=([A-Z_]+).*/\1/p')
    case $state in COMPLETED | FAILED | CANCELLED | TIMEOUT | NODE_FAIL) break ;; esac
    sleep 0.2
done
holds "the gathering job ends well" test "$state" = COMPLETED
holds "tasks of the dead node were queued again" grep -qE "requeu|Requeue" "$cluster/slurmctld.log"
holds "all cases are stored" test "$(stored)" -eq 200
for table in "$work"/local/tables/*.csv; do
    holds "${table##*/} is that of the local run" cmp -s "$table" "$r/tables/${table##*/}"
done
holds "two tables were compared" test "$(find "$work/local/tables" -name '*.csv' | wc -l)" -eq 2
holds "there is a page" test -s "$r/report/index.html"
holds "no claim is left" test -z "$(find "$r/claims" -type f)"
sed -n 's/^/  /p' "$r/slurm/$gather-gather.txt" | head -n 5

conclude

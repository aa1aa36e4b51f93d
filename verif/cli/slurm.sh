#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# slurm.sh - a Slurm cluster of two nodes on this machine, in a temporary folder, on its own ports.
# Source it after cli.sh, which defines $dir; slurm_up, slurm_kill_node N, slurm_down. Needs no
# privileges.
slurm_dir=$dir/cluster

slurm_missing() { # the missing commands
    local c
    PATH=$PATH:/usr/sbin:/sbin
    for c in slurmctld slurmd munged sbatch squeue scancel sinfo; do
        command -v $c >/dev/null || printf '%s ' $c
    done
}

slurm_up() { # slurm_up CPUS: number per node
    local host user n port=$((20000 + $$ % 20000))
    PATH=$PATH:/usr/sbin:/sbin
    host=$(hostname -s)
    user=$(id -un)
    mkdir -p "$slurm_dir/munge" "$slurm_dir/state"
    chmod 755 "$dir" "$slurm_dir"
    chmod 700 "$slurm_dir/munge"
    head -c 1024 /dev/urandom >"$slurm_dir/munge/key"
    chmod 600 "$slurm_dir/munge/key"
    cat >"$slurm_dir/slurm.conf" <<EOF
ClusterName=byway
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
AuthInfo=socket=$slurm_dir/munge/sock,cred_expire=5
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$slurm_dir/state
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmctldLogFile=$slurm_dir/slurmctld.log
SlurmdSpoolDir=$slurm_dir/spool.%n
SlurmdPidFile=$slurm_dir/slurmd.%n.pid
SlurmdTimeout=5
ReturnToService=2
JobRequeue=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=$1
PartitionName=all Nodes=n1,n2 Default=YES State=UP
EOF
    export SLURM_CONF=$slurm_dir/slurm.conf
    munged --force --key-file="$slurm_dir/munge/key" --socket="$slurm_dir/munge/sock" \
        --pid-file="$slurm_dir/munge/pid" --log-file="$slurm_dir/munge/log" \
        --seed-file="$slurm_dir/munge/seed" >"$slurm_dir/start" 2>&1 &&
        slurmctld -c -f "$SLURM_CONF" >>"$slurm_dir/start" 2>&1 || return 1
    for n in n1 n2; do
        slurmd -N $n -f "$SLURM_CONF" -L "$slurm_dir/slurmd.$n.log" >>"$slurm_dir/start" 2>&1 || return 1
    done
    for _ in $(seq 100); do
        [ "$(sinfo -h -N -o '%N %t' 2>/dev/null | grep -c ' idle$')" = 2 ] && return 0
        sleep 0.1
    done
    return 1
}

# Process ids of a node: its slurmd, the job steps it has started, and their process groups.
slurm_node_processes() {
    local step group
    pgrep -r D,R,S -f "^slurmd -N $1 -f $SLURM_CONF" # no zombies
    for step in $(grep -lsa "^slurmstepd" /proc/[0-9]*/comm | cut -d/ -f3); do
        # a step daemon has its node's spool folder open or as its working directory
        ls -l "/proc/$step/cwd" "/proc/$step/fd" 2>/dev/null | grep -q "$slurm_dir/.*$1" || continue
        echo "$step"
        for group in $(pgrep -P "$step"); do
            pgrep -g "$group"
        done
    done
}

# As in a power failure: kills the daemon, its step daemons and the jobs' processes at once.
slurm_kill_node() {
    # shellcheck disable=SC2046 # a list
    kill -9 $(slurm_node_processes "$1") 2>/dev/null
}

slurm_down() {
    local f n
    for n in n1 n2; do
        slurm_kill_node $n
    done
    for f in "$slurm_dir/slurmctld.pid" "$slurm_dir/munge/pid"; do
        [ -s "$f" ] && kill "$(cat "$f")" 2>/dev/null
    done
    for _ in $(seq 50); do
        [ -e "$slurm_dir/slurmctld.pid" ] || break
        sleep 0.1
    done
}

#!/usr/bin/env bash
# The scripts of examples/cluster under a Slurm of this computer alone: slurm.sh TOOL EXAMPLES [MPIRUN], those for MPI
# where the tool has it. Ends with 77 where there is no Slurm.
set -euo pipefail
tool="$(realpath "$1")"
examples="$(realpath "$2")"
scripts="$examples/cluster"
mpirun="${3:-}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
PATH="$PATH:/usr/sbin:/sbin"
for program in slurmctld slurmd sbatch srun scancel sinfo; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: $program is not here (Debian: slurmctld, slurmd, slurm-client)" && exit 77
  fi
done

folder="$(mktemp -d)"
daemons=()
stop() {
  scancel --user "$(id -un)" >/dev/null 2>&1 || true
  sleep 1
  for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap stop EXIT
cd "$folder"

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
fail() { echo "$*" >&2 && tail -n 5 slurm*.log job-*.out 2>/dev/null; exit 1; }
quietly() { if ! "$@" >log 2>&1; then cat log && fail "$*"; fi; }

# More cores than there are: the scripts ask for what a cluster has.
mkdir state spool bin
cat >slurm.conf <<END
ClusterName=here
SlurmctldHost=localhost
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
MpiDefault=pmix
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=localhost NodeHostname=$(hostname) NodeAddr=127.0.0.1 CPUs=64 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES State=UP
END
export SLURM_CONF="$folder/slurm.conf"
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D -N localhost >/dev/null 2>&1 &
daemons+=($!)
for _ in $(seq 100); do
  [[ "$(sinfo --noheader --format %T 2>/dev/null)" == idle ]] && break
  sleep 0.2
done
[[ "$(sinfo --noheader --format %T 2>/dev/null)" == idle ]] || fail "Slurm does not start here"

ln -s "$tool" bin/greybox
export PATH="$folder/bin:$PATH"
cp "$examples"/toy.{toml,csv} .
sed -i 's/^epochs.*/epochs = 30/' toy.toml
# submit ARGUMENTS...: the job's number
submit() { sbatch --parsable --output job-%j.out "$@"; }
# wait_for JOB...: until none is queued any more
wait_for() {
  local jobs
  jobs="$(IFS=,; echo "$*")"
  for _ in $(seq 600); do
    [[ -z "$(squeue --noheader --jobs "$jobs" 2>/dev/null)" ]] && return
    sleep 0.3
  done
  fail "jobs $jobs do not end"
}
networks() { cat "$1"/seeds/*/weights.npz | sha256sum; }

# A job array, and the merge that waits for it.
quietly greybox compare toy.toml --trials 20 --lambda 1e-3,1e-2,1e-1 --threads 2 -o whole
array="$(submit "$scripts/job-array.sh" toy.toml runs/compared)"
merge="$(submit --dependency=afterok:"$array" "$scripts/merge.sh" runs/compared)"
wait_for "$array" "$merge"
cmp whole/comparison.csv runs/compared/comparison.csv || fail "the table of the job array differs"

# One node, told to end by Slurm, and submitted again.
quietly greybox train toy.toml --epochs 4000 -o run --threads 2
quietly greybox train toy.toml --epochs 4000 -o other --threads 2
quietly greybox landscape other --vary a=0:2:3 --seeds 40 --threads 2
job="$(submit "$scripts/one-node.sh" run)"
for _ in $(seq 200); do
  compgen -G "run/seeds/*/checkpoint.npz" >/dev/null && break
  sleep 0.1
done
scancel --signal=TERM --batch "$job"
wait_for "$job"
if [[ ! -e run/landscape ]]; then
  grep -q "the same command continues" "job-$job.out" || fail "one-node.sh does not say that it was interrupted"
fi
wait_for "$(submit "$scripts/one-node.sh" run)"
[[ "$(networks run)" == "$(networks other)" ]] || fail "other networks after the interruption"

[[ -n "$mpirun" ]] || exit 0
if [[ ! "$("$mpirun" --version 2>&1)" =~ Open(RTE|\ MPI) ]]; then
  echo "mpi.sh and mpi-training.sh were not tried: srun starts ranks of Open MPI here" && exit 0
fi
rm -r run/seeds run/landscape
wait_for "$(submit --nodes=1 --ntasks-per-node=3 "$scripts/mpi.sh" run)"
[[ "$(networks run)" == "$(networks other)" ]] || fail "other networks on ranks of srun"
quietly greybox train toy.toml -o alone --threads 1
wait_for "$(submit --nodes=1 --ntasks-per-node=3 "$scripts/mpi-training.sh" toy.toml runs/trained)"
cmp alone/weights.npz runs/trained/weights.npz || fail "other weights on ranks of srun"

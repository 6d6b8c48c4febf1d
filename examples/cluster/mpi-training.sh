#!/usr/bin/env bash
# One training whose batches are shared by the ranks of several computers. Needs a greybox that was built with MPI.
# Submit with: sbatch mpi-training.sh MODEL [RUN]; the same again continues it.
#SBATCH --job-name=greybox-train
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
set -euo pipefail
model="${1:?usage: sbatch mpi-training.sh MODEL [RUN]}"
# Two minutes before the end Slurm says so; the training then leaves a checkpoint.
exec srun --kill-on-bad-exit=1 --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" \
  greybox train "$model" -o "${2:-runs/trained}" --resume --threads "${SLURM_CPUS_PER_TASK:-0}"

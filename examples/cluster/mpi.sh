#!/usr/bin/env bash
# One job on several computers, whose ranks share the trainings. Needs a greybox that was built with MPI.
#SBATCH --job-name=greybox-mpi
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
set -euo pipefail
run="${1:?usage: sbatch mpi.sh RUN}"
# When a rank dies, all end; what is finished is in the run, and the same job continues.
exec srun --kill-on-bad-exit=1 --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" \
  greybox landscape "$run" --seeds 40 --threads "${SLURM_CPUS_PER_TASK:-0}"

#!/usr/bin/env bash
# Python on the ranks of several computers. Needs a greybox and an mpi4py that were built with the MPI of the cluster.
# Submit with: sbatch mpi-python.sh fit.py MODEL DATA RUN; the same again continues it.
#SBATCH --job-name=greybox-python
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
set -euo pipefail
script="${1:?usage: sbatch mpi-python.sh SCRIPT [ARGUMENTS]}"
# Through mpi4py's own module an exception in one rank ends them all.
exec srun --kill-on-bad-exit=1 --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" python -m mpi4py "$script" "${@:2}"

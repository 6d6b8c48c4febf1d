#!/usr/bin/env bash
# One computer, all its cores: forty networks side by side. Submit with: sbatch one-node.sh RUN
#SBATCH --job-name=greybox-seeds
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
set -euo pipefail
run="${1:?usage: sbatch one-node.sh RUN}"
# Two minutes before the end Slurm says so; the trainings then leave checkpoints, and the same job continues them.
greybox landscape "$run" --seeds 40 --threads "${SLURM_CPUS_PER_TASK:-0}" &
trap 'kill -TERM "$!"' TERM
wait "$!" || wait "$!"

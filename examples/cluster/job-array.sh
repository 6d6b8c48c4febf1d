#!/usr/bin/env bash
# Eight jobs that know nothing of each other, each with its part of the trials. Submit both steps with:
#   sbatch --dependency=afterok:"$(sbatch --parsable job-array.sh MODEL)" merge.sh runs/compared
# A job that failed or ran out of time is simply submitted again: what it had finished is kept.
#SBATCH --job-name=greybox-trials
#SBATCH --array=1-8
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
set -euo pipefail
model="${1:?usage: sbatch job-array.sh MODEL [FOLDER]}"
# Without --shard, greybox takes it from SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT.
exec greybox compare "$model" --lambda 1e-3,1e-2,1e-1 --trials 20 -o "${2:-runs/compared}" \
  --threads "${SLURM_CPUS_PER_TASK:-0}"

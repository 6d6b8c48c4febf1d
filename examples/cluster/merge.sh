#!/usr/bin/env bash
# Joins what job-array.sh has computed: table, picture, and an error that names the shards that are missing.
#SBATCH --job-name=greybox-merge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
set -euo pipefail
exec greybox merge "${1:?usage: sbatch merge.sh FOLDER}" --threads "${SLURM_CPUS_PER_TASK:-0}"

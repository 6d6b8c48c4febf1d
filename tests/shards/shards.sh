#!/usr/bin/env bash
# Job arrays from outside: shards.sh TOOL EXAMPLES. The scripts of examples/cluster run as Slurm would run them, with its
# variables; merged, their numbers must be those of one call, and mistakes must be told.
set -euo pipefail
tool="$(realpath "$1")"
examples="$(realpath "$2")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$examples"/toy.{toml,csv} .
mkdir bin && ln -s "$tool" bin/greybox
export PATH="$folder/bin:$PATH"

fail() { echo "$*" >&2 && exit 1; }
quietly() { if ! "$@" >log 2>&1; then cat log && exit 1; fi; }
# refused TEXT COMMAND...: ends with 2 and says so.
refused() {
  local status=0
  "${@:2}" >log 2>&1 || status=$?
  ((status == 2)) || { cat log && fail "ended with $status: ${*:2}"; }
  tr '\n' ' ' <log | tr -s ' ' | grep -qF -- "$1" || { cat log && fail "does not say \"$1\""; }
}

sed -i 's/^epochs.*/epochs = 3/' toy.toml
quietly greybox compare toy.toml --trials 20 --lambda 1e-3,1e-2,1e-1 --threads 2 -o whole

# The array of the example, in reverse order, one job twice; numbers from 1, as in the script, by Slurm's variables.
export SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 SLURM_CPUS_PER_TASK=2
for id in 8 7 6 5 4 3 2 2; do
  SLURM_ARRAY_TASK_ID=$id quietly "$examples/cluster/job-array.sh" toy.toml runs/compared
  grep -q "shard $id/8, as SLURM_ARRAY_TASK_ID" log || fail "does not say where the shard comes from"
done
unset SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN
refused "1 of 8 shards is not finished: 1" greybox merge runs/compared
quietly greybox compare toy.toml --lambda 1e-3,1e-2,1e-1 --trials 20 -o runs/compared --threads 2 --shard 1/8
(cd / && quietly "$folder/bin/greybox" merge "$folder/runs/compared")
for file in comparison.csv; do
  cmp "whole/$file" "runs/compared/$file" || fail "$file of the shards differs"
done
quietly "$examples/cluster/merge.sh" runs/compared # once more

# Networks of a landscape, and trials of a reproduction.
quietly greybox train toy.toml -o run --threads 1
quietly greybox landscape run --vary a=0:2:5 --vary c=-1:1:5 --seeds 4 --retrain 2 --threads 2
mv run/landscape landscape
rm -r run/seeds run/retrained
for i in 1 2 3; do
  quietly greybox landscape run --vary a=0:2:5 --vary c=-1:1:5 --seeds 4 --retrain 2 --shard $i/3
done
quietly greybox merge run
cmp landscape/landscape.npz run/landscape/landscape.npz || fail "the landscape of the shards differs"
quietly greybox reproduce toy --quick --epochs 2 --trials 2 --threads 2 -o reproduced
for i in 1 2; do quietly greybox reproduce toy --quick --epochs 2 --trials 2 -o parts --shard $i/2; done
quietly greybox merge parts
cmp reproduced/table.csv parts/table.csv || fail "the reproduction of the shards differs"

refused "there is no shard 5 of 4" greybox compare toy.toml -o x --shard 5/4
refused "there are 0 shards" greybox compare toy.toml -o x --shard 0/0
refused "counted from 1" greybox compare toy.toml -o x --shard 0/4
refused "does not say which shard of how many" greybox compare toy.toml -o x --shard 3
refused "this is not the number of a shard" greybox compare toy.toml -o x --shard a/4
refused "there are none" greybox landscape run --shard 1/4
refused "has no comparison" greybox reproduce predator-prey --simulated --quick -o prey --shard 1/4
refused "several models are compared as theories" greybox compare toy.toml toy.toml --shard 1/4
refused "there are no shards here" greybox merge landscape
SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 \
  refused "which of the 3 jobs that is cannot be told" greybox compare toy.toml -o x

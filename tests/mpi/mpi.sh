#!/usr/bin/env bash
# Commands under mpirun: mpi.sh TOOL EXAMPLES MPIRUN. Numbers must be those of one process, errors must come once, and what
# is finished must be kept whatever happens to a rank.
set -euo pipefail
tool="$(realpath "$1")"
examples="$(realpath "$2")"
mpirun="$3"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$examples"/toy.{toml,csv} .

launch=("$mpirun" -n)
options=()
if "$mpirun" --version 2>&1 | grep -q "Open MPI"; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  options=(--oversubscribe --bind-to none --mca odls_base_sigkill_timeout 20)
fi
# on RANKS ARGUMENTS...
on() { "${launch[@]}" "$1" "${options[@]}" "$tool" "${@:2}"; }
fail() { echo "$*" >&2 && exit 1; }
quietly() { if ! "$@" >log 2>&1; then cat log && exit 1; fi; }
networks() { cat run/seeds/*/weights.npz | sha256sum; }
rows() { sort "$1/trials.csv" | sha256sum; }

quietly "$tool" train toy.toml --epochs 20 --threads 1 -o run
quietly "$tool" landscape run --vary a=0:2:5 --vary c=-1:1:5 --seeds 6 --threads 1
expected="$(networks)"
landscape="$(sha256sum <run/landscape/landscape.npz)"
quietly "$tool" compare toy.toml --trials 2 --lambda 1e-2 --epochs 3 --threads 1 -o alone
quietly "$tool" sample run --regularizer normD --beta 10 --method nuts --chains 3 --draws 20 --warmup 20 --threads 1 -o draws-1
quietly "$tool" estimate run --regularizer normD --method lbfgs --starts 5 --threads 1 --json
estimate="$(grep -o '"theta":{[^}]*}' log)"
for ranks in 1 2 3 5; do
  rm -rf run/seeds run/landscape
  quietly on "$ranks" landscape run --vary a=0:2:5 --vary c=-1:1:5 --seeds 6
  [[ "$(networks)" == "$expected" ]] || fail "other networks on $ranks ranks"
  [[ "$(sha256sum <run/landscape/landscape.npz)" == "$landscape" ]] || fail "another landscape on $ranks ranks"
  quietly on "$ranks" compare toy.toml --trials 2 --lambda 1e-2 --epochs 3 -o "compared-$ranks"
  [[ "$(rows "compared-$ranks")" == "$(rows alone)" ]] || fail "other trials on $ranks ranks"
  quietly on "$ranks" sample run --regularizer normD --beta 10 --method nuts --chains 3 --draws 20 --warmup 20 \
    -o "draws-$ranks"
  cmp "draws-$ranks/draws.npz" draws-1/draws.npz 2>/dev/null || cmp "draws-$ranks"/*.npz draws-1/*.npz ||
    fail "other draws on $ranks ranks"
  quietly on "$ranks" estimate run --regularizer normD --method lbfgs --starts 5 --json
  [[ "$(grep -o '"theta":{[^}]*}' log)" == "$estimate" ]] || fail "another estimate on $ranks ranks"
done

# A mistake is told once, by one rank.
status=0
on 3 compare missing.toml >out 2>err || status=$?
((status == 2)) || fail "a missing model ended with $status"
[[ "$(grep -c 'missing.toml' err)" == 1 ]] || { cat err && fail "the mistake was not told once"; }

# What a rank that dies leaves undone, the same command does.
sed 's/^epochs.*/epochs = 4000/' toy.toml >long.toml
quietly "$tool" train long.toml --epochs 4000 --threads 1 -o long
quietly "$tool" landscape long --vary a=0:2:3 --seeds 5 --threads 1
whole="$(cat long/seeds/*/weights.npz | sha256sum)"
rm -rf long/seeds long/landscape
on 3 landscape long --vary a=0:2:3 --seeds 5 >out 2>err &
launcher=$!
for _ in $(seq 200); do
  compgen -G "long/seeds/*/checkpoint.npz" >/dev/null && break
  sleep 0.05
done
victim="$(pgrep -P "$(pgrep -P "$launcher" | head -1)" 2>/dev/null | tail -1 || true)"
[[ -n "$victim" ]] || victim="$(pgrep -P "$launcher" | tail -1)"
kill -KILL "$victim"
status=0
wait "$launcher" || status=$?
((status != 0)) || fail "a rank was killed, and nobody noticed"
quietly on 2 landscape long --vary a=0:2:3 --seeds 5
[[ "$(cat long/seeds/*/weights.npz | sha256sum)" == "$whole" ]] || fail "other networks after the death of a rank"

# So it is after SIGTERM, which leaves checkpoints.
rm -rf long/seeds long/landscape
on 3 landscape long --vary a=0:2:3 --seeds 5 >out 2>err &
launcher=$!
for _ in $(seq 200); do
  compgen -G "long/seeds/*/checkpoint.npz" >/dev/null && break
  sleep 0.05
done
kill -TERM "$launcher"
wait "$launcher" || true
quietly "$tool" landscape long --vary a=0:2:3 --seeds 5 --threads 2
[[ "$(cat long/seeds/*/weights.npz | sha256sum)" == "$whole" ]] || fail "other networks after an interruption"

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

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch=("$mpirun" -n)
options=()
if [[ "$("$mpirun" --version 2>&1)" =~ Open(RTE|\ MPI) ]]; then
  options=(--oversubscribe --bind-to none --mca odls_base_sigkill_timeout 6)
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
for ranks in 2 5; do
  rm -rf run/seeds run/landscape
  quietly on "$ranks" landscape run --vary a=0:2:5 --vary c=-1:1:5 --seeds 6
  [[ "$(networks)" == "$expected" ]] || fail "other networks on $ranks ranks"
  [[ "$(sha256sum <run/landscape/landscape.npz)" == "$landscape" ]] || fail "another landscape on $ranks ranks"
done
quietly on 3 compare toy.toml --trials 2 --lambda 1e-2 --epochs 3 -o compared
[[ "$(rows compared)" == "$(rows alone)" ]] || fail "other trials on ranks"
quietly on 3 sample run --regularizer normD --beta 10 --method nuts --chains 3 --draws 20 --warmup 20 -o draws
cmp draws/draws.npz draws-1/draws.npz 2>/dev/null || cmp draws/*.npz draws-1/*.npz || fail "other draws on ranks"
quietly on 3 estimate run --regularizer normD --method lbfgs --starts 5 --json
[[ "$(grep -o '"theta":{[^}]*}' log)" == "$estimate" ]] || fail "another estimate on ranks"
quietly on 2 landscape run --vary a=0:2:5 --retrain 3
mv run/retrained retrained-2
quietly "$tool" landscape run --vary a=0:2:5 --retrain 3 --threads 1
[[ "$(cat run/retrained/*/weights.npz | sha256sum)" == "$(cat retrained-2/*/weights.npz | sha256sum)" ]] ||
  fail "other trainings at fixed parameters on ranks"
quietly "$tool" reproduce toy --quick --epochs 2 --trials 2 --threads 1 -o reproduced
quietly on 2 reproduce toy --quick --epochs 2 --trials 2 -o reproduced-2
cmp reproduced/table.csv reproduced-2/table.csv || fail "another reproduction on ranks"

# A mistake is told once, by one rank.
status=0
on 3 compare missing.toml >out 2>err || status=$?
((status == 2)) || fail "a missing model ended with $status"
[[ "$(grep -c 'missing.toml' err)" == 1 ]] || { cat err && fail "the mistake was not told once"; }

# One training on several ranks: blocks that are independent, and blocks that need each other's statistics.
cp "$examples"/{pendulum,reaction-diffusion}.toml .
quietly "$tool" data pendulum --simulated -o pendulum.csv
quietly "$tool" data reaction-diffusion --size 20 -o reaction-diffusion.npz
declare -A batches=([few]=100 [reaction-diffusion]=8)
# Few windows: four blocks in a batch, and two steps.
sed 's/stride = 1 /stride = 16 /' pendulum.toml >few.toml
declare -A ranks_of=([few]="1 2 3 5" [reaction-diffusion]="2 3 5")
for model in "${!batches[@]}"; do
  options_of_model=("$model.toml" --epochs 1 --batch "${batches[$model]}")
  quietly "$tool" train "${options_of_model[@]}" --threads 1 -o "$model"
  for ranks in ${ranks_of[$model]}; do
    quietly on "$ranks" train "${options_of_model[@]}" -o "$model-$ranks"
    cmp "$model/weights.npz" "$model-$ranks/weights.npz" || fail "other weights of $model on $ranks ranks"
  done
done

# The first rank alone reads the data: where the others are, there are none.
mkdir elsewhere
cp few.toml elsewhere
cat >read-once.sh <<END
#!/usr/bin/env bash
[[ "\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}" != 0 ]] && cd elsewhere
exec "$tool" train few.toml --epochs 1 --batch 100 -o "$folder/read-once"
END
chmod +x read-once.sh
quietly "${launch[@]}" 3 "${options[@]}" ./read-once.sh
cmp few/weights.npz read-once/weights.npz || fail "other weights where the first rank alone reads"

# A mistake of one rank alone ends all, and is told once.
cat >one-fails.sh <<END
#!/usr/bin/env bash
[[ "\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}" == 1 ]] && exec "$tool" train missing.toml -o missing
exec "$tool" train pendulum.toml --batch 100 --epochs 500 -o begun
END
chmod +x one-fails.sh
status=0
"${launch[@]}" 3 "${options[@]}" ./one-fails.sh >out 2>err || status=$?
((status != 0)) || fail "a rank failed, and nobody noticed"
[[ "$(grep -c 'missing.toml' err)" == 1 ]] || { cat err && fail "the mistake of a rank was not told once"; }
grep -q "rank 1 of 3" err || { cat err && fail "it is not said which rank failed"; }

# The processes below one that run the tool, the last first.
ranks_below() {
  local child
  for child in $(pgrep --parent "$1"); do
    ranks_below "$child"
    [[ "$(readlink "/proc/$child/exe")" == "$tool" ]] && echo "$child"
  done | sort --numeric-sort --reverse
}
# begin_on RANKS FILE ARGUMENTS...: in the background, until the file is there; `launcher` is then the process of mpirun.
begin_on() {
  "${launch[@]}" "$1" "${options[@]}" "$tool" "${@:3}" >out 2>err &
  launcher=$!
  for _ in $(seq 400); do
    compgen -G "$2" >/dev/null && mapfile -t ranks < <(ranks_below "$launcher") && return
    sleep 0.05
  done
  cat out err && fail "nothing begins: ${*:3}"
}
# ended WHY: the launcher's end, which must not be a success (but MPICH's may call it one when it was told to end), and that of
# its ranks soon after.
ended() {
  local status=0
  wait "$launcher" || status=$?
  ((status != 0)) || [[ "$1" == "mpirun got"* && ${#options[@]} == 0 ]] || { cat out err && fail "$*, and nobody noticed"; }
  for _ in $(seq 200); do
    kill -0 "${ranks[@]}" 2>/dev/null || return 0
    sleep 0.05
  done
  fail "$*, and some ranks do not end"
}

# A training that ends before its time has a checkpoint, from which one process goes on.
long=(pendulum.toml --batch 100 --epochs 12)
quietly "$tool" train "${long[@]}" --threads 1 -o whole
for signal in TERM INT; do
  begin_on 4 "ended-$signal/checkpoint.npz" train "${long[@]}" -o "ended-$signal"
  kill "-$signal" "$launcher"
  ended "mpirun got SIG$signal"
  [[ -e "ended-$signal/checkpoint.npz" ]] || fail "no checkpoint after SIG$signal"
done
quietly "$tool" train "${long[@]}" --resume --threads 2 -o ended-TERM
cmp whole/weights.npz ended-TERM/weights.npz || fail "other weights after SIGTERM"
begin_on 3 "killed/checkpoint.npz" train "${long[@]}" -o killed
kill -KILL "${ranks[0]}"
ended "a rank was killed"
quietly on 2 train "${long[@]}" --resume -o killed
cmp whole/weights.npz killed/weights.npz || fail "other weights after the death of a rank"

# What a rank that dies leaves undone of trainings side by side, the same command does; likewise after SIGTERM.
quietly "$tool" train toy.toml --epochs 16000 --threads 1 -o long
quietly "$tool" landscape long --vary a=0:2:3 --seeds 5 --threads 1
whole="$(cat long/seeds/*/weights.npz | sha256sum)"
for ending in KILL TERM; do
  rm -rf long/seeds long/landscape
  begin_on 3 "long/seeds/*/checkpoint.npz" landscape long --vary a=0:2:3 --seeds 5
  if [[ "$ending" == KILL ]]; then kill -KILL "${ranks[0]}"; else kill -TERM "$launcher"; fi
  if [[ "$ending" == KILL ]]; then ended "a rank was killed"; else ended "mpirun got SIGTERM"; fi
  quietly on 2 landscape long --vary a=0:2:3 --seeds 5
  [[ "$(cat long/seeds/*/weights.npz | sha256sum)" == "$whole" ]] || fail "other networks after SIG$ending"
done

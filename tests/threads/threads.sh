#!/usr/bin/env bash
# Commands on four threads: threads.sh TOOL EXAMPLES. In a build with the thread sanitizer they must be free of races, in
# every build their numbers must be those of one thread.
set -euo pipefail
tool="$(realpath "$1")"
examples="$(realpath "$2")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$examples"/{toy,oscillator}.{toml,csv} "$examples/reaction-diffusion.toml" .
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
sed -i -E "s/^(height|width) .*/\1 = 8/" reaction-diffusion.toml
"$tool" data reaction-diffusion --size 8 --grid 8 --threads 4 -o reaction-diffusion.npz >/dev/null

# quietly COMMAND...: shows what it said only when it fails.
quietly() {
  if ! "$@" >log 2>&1; then cat log && exit 1; fi
}

# weights RUN: checksum of the trained weights.
weights() { sha256sum <"$1/weights.npz"; }

for model in toy oscillator reaction-diffusion; do
  for threads in 1 4; do
    quietly "$tool" train "$model.toml" --epochs 2 --threads "$threads" -o "$model-$threads"
  done
  if [[ "$(weights "$model-1")" != "$(weights "$model-4")" ]]; then
    echo "$model: other weights on four threads than on one" >&2
    exit 1
  fi
done
quietly "$tool" landscape toy-4 --vary a=0:2:5 --vary c=-1:1:5 --seeds 2 --threads 4
quietly "$tool" landscape oscillator-4 --vary stiffness=3:5:5 --threads 4
quietly "$tool" compare toy.toml --trials 1 --lambda 1e-2 --epochs 2 --threads 4 -o compared

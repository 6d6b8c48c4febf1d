#!/usr/bin/env bash
# Fuzzes everything that reads files or options: scripts/fuzz.sh [SECONDS] [BUILD_DIRECTORY]
# Each target runs for so many seconds, as many at a time as there are cores. Finds stay in BUILD_DIRECTORY/fuzz-*/; the
# corpus grows there from run to run, from the seeds in fuzz/seeds and the examples.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-60}"
build="${2:-build/sanitized}"
targets=(equation model csv npz json trials options)

if [[ ! -f "$build/build.ninja" ]]; then cmake --preset fuzz -B "$build" -DGREYBOX_BUILD_PAGE=OFF >/dev/null; fi
cmake --build "$build" --target "${targets[@]/#/fuzz_}"

for target in "${targets[@]}"; do
  mkdir -p "$build/fuzz-$target/corpus"
  if [[ -d "fuzz/seeds/$target" ]]; then cp fuzz/seeds/"$target"/* "$build/fuzz-$target/corpus/"; fi
done
# Each example is a model, each quoted text in them an equation.
cp examples/*.toml "$build/fuzz-model/corpus/"
number=0
grep --only-matching --no-filename '"[^"]*"' examples/*.toml | tr --delete '"' | sort --unique |
  while IFS= read -r equation; do
    number=$((number + 1))
    printf '%s' "$equation" >"$build/fuzz-equation/corpus/seed-$number"
  done

# fuzz TARGET: leaves "failed" beside the log when it finds a mistake.
fuzz() {
  local dictionary="$PWD/fuzz/dictionaries/$1.dict"
  cd "$build/fuzz-$1" && rm -f failed
  "../fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -dict="$dictionary" \
    -verbosity=0 -print_final_stats=1 corpus >log 2>&1 || touch failed
}
export -f fuzz
export build seconds
printf '%s\n' "${targets[@]}" | xargs --max-procs="$(nproc)" --replace bash -c 'fuzz {}'

status=0
for target in "${targets[@]}"; do
  folder="$build/fuzz-$target"
  executions="$(sed --quiet 's/^stat::number_of_executed_units: *//p' "$folder/log")"
  echo "fuzz_$target: ${executions:-0} executions in $seconds s"
  if [[ -e "$folder/failed" ]]; then
    status=1
    tail --lines=60 "$folder/log"
    echo "fuzzing $target found a mistake: see the log above and the crash-* files in $folder" >&2
  fi
done
exit "$status"

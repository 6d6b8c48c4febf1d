#!/usr/bin/env bash
# Fuzzes the equation parser and the model reader side by side: scripts/fuzz.sh [SECONDS] [BUILD_DIRECTORY]
# Finds stay in BUILD_DIRECTORY/fuzz-*/; the corpus grows there from run to run.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-60}"
build="${2:-build/fuzz}"

if [[ ! -f "$build/build.ninja" ]]; then cmake --preset fuzz -B "$build" >/dev/null; fi
cmake --build "$build" --target fuzz_equation fuzz_model

# The examples are the seeds: each file a model, each quoted text in them an equation.
for target in equation model; do mkdir -p "$build/fuzz-$target/corpus"; done
cp examples/*.toml "$build/fuzz-model/corpus/"
number=0
grep --only-matching --no-filename '"[^"]*"' examples/*.toml | tr --delete '"' | sort --unique |
  while IFS= read -r equation; do
    number=$((number + 1))
    printf '%s' "$equation" >"$build/fuzz-equation/corpus/seed-$number"
  done

fuzz() {
  (cd "$build/fuzz-$1" && "../fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -verbosity=0 -print_final_stats=1 corpus >log 2>&1)
}
fuzz equation & equation_job=$!
fuzz model & model_job=$!
status=0
wait "$equation_job" || status=1
wait "$model_job" || status=1

for target in equation model; do
  log="$build/fuzz-$target/log"
  executions="$(sed --quiet 's/^stat::number_of_executed_units: *//p' "$log")"
  echo "fuzz_$target: ${executions:-0} executions in $seconds s"
done
if ((status != 0)); then
  tail --lines=60 "$build"/fuzz-*/log
  echo "fuzzing found a mistake: see the logs above and the crash-* files beside them" >&2
fi
exit "$status"

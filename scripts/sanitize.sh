#!/usr/bin/env bash
# Under sanitizers: scripts/sanitize.sh [address|thread] [--build|--slow]
# address: the tests of the layers below analysis with the address and undefined-behaviour sanitizers. thread: train, landscape
# and compare on four threads with the thread sanitizer. With neither, both. --build only builds; --slow also runs the tests of
# analysis, and those that learn for long.
set -euo pipefail
cd "$(dirname "$0")/.."
export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"
export build=build/sanitized
export LSAN_OPTIONS="suppressions=$PWD/cmake/leak-suppressions.txt:print_suppressions=0"
layers=(core language nn ode data model train report)
kinds=()
mode=""
for argument in "$@"; do
  case "$argument" in
    address | thread) kinds+=("$argument") ;;
    --build | --slow) mode="$argument" ;;
    *) echo "usage: scripts/sanitize.sh [address|thread] [--build|--slow]" >&2 && exit 2 ;;
  esac
done
# What an analysis calls is in the layers below it; its own tests take long.
if [[ "$mode" == --slow ]]; then layers+=(analysis); fi
if ((${#kinds[@]} == 0)); then kinds=(address thread); fi

# Never: tests of speed.
left_out='*Quickly*'
# What learns, drags or takes differences for long is tested without sanitizers.
if [[ "$mode" != --slow ]]; then
  left_out+=':*Story*:Reproduce*:VerdictOf.*:Verdicts.*:BruteForce.*:Kill.*:Check.Every*:*Gradient*:ScaledTraining.*:Explored.*:LineExamples.*:NewModel.OfEachTemplate:Control.Trades*'
fi
export left_out

# The build serves the fuzzers too.
build_address() {
  cmake --preset fuzz -B "$build" -DGREYBOX_BUILD_PAGE=OFF >/dev/null
  cmake --build "$build" --target "${layers[@]/%/_test}"
}

# test_layer LAYER: in one process, because each start of one takes a second.
test_layer() {
  local log="$build/$1_test.log" n_passed=0 n_failed=0
  "$build/$1_test" --gtest_filter="-$left_out" >"$log" 2>&1 || n_failed=1
  if [[ "$(cat "$log")" =~ PASSED\ +\]\ ([0-9]+) ]]; then n_passed="${BASH_REMATCH[1]}"; fi
  if [[ "$(cat "$log")" =~ FAILED\ +\]\ ([0-9]+)\ test ]]; then n_failed="${BASH_REMATCH[1]}"; fi
  if ((n_failed > 0)); then tail --lines 80 "$log"; fi
  echo "$1: $n_passed passed, $n_failed failed"
  ((n_failed == 0))
}
export -f test_layer

run_address() {
  printf '%s\n' "${layers[@]}" |
    xargs --max-procs="$(nproc)" --replace bash -c 'test_layer {}'
}

build_thread() {
  cmake --preset tsan -DGREYBOX_BUILD_TESTS=OFF -DGREYBOX_BUILD_PAGE=OFF >/dev/null
  cmake --build --preset tsan --target greybox_tool
}

run_thread() {
  tests/threads/threads.sh build/tsan/greybox examples
}

for kind in "${kinds[@]}"; do
  "build_$kind"
  if [[ "$mode" != --build ]]; then "run_$kind"; fi
done

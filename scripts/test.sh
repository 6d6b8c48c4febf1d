#!/usr/bin/env bash
# Everything that must hold before a change goes in. A stage runs even if one before it failed, unless it needs it; the
# last line is "N passed, N failed", where every test counts and so does every stage that is not a set of tests.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"
sanitized=build/sanitized
sanitized_layers=(core language ode data)
n_passed=0
n_failed=0

# stage NAME COMMAND...: runs the command and says how it went and how long it took.
stage() {
  local name="$1" start=$SECONDS outcome=ok
  echo "== $name"
  "${@:2}" || outcome=FAILED
  echo "== $name: $outcome, $((SECONDS - start)) s"
  [[ "$outcome" == ok ]]
}

# check NAME COMMAND...: a stage that counts as one test.
check() {
  if stage "$@"; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)) && return 1; fi
}

finish() {
  echo
  echo "$n_passed passed, $n_failed failed"
  ((n_failed == 0))
  exit
}

# run_tests BUILD [PATTERN]: counts every test; ctest's failure without a failed test counts as one.
run_tests() {
  local log="$1/ctest.log" status n_total=0 n_wrong=0
  ctest --test-dir "$1" --output-on-failure --no-tests=error --timeout 300 -j "$(nproc)" \
    --tests-regex "${2:-.}" >"$log" 2>&1
  status=$?
  if [[ "$(cat "$log")" =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    n_wrong="${BASH_REMATCH[1]}" n_total="${BASH_REMATCH[2]}"
  fi
  if ((status != 0)); then grep --invert-match ' Passed ' "$log"; fi
  echo "$((n_total - n_wrong)) of $n_total tests passed"
  n_passed=$((n_passed + n_total - n_wrong))
  n_failed=$((n_failed + (status != 0 && n_wrong == 0 ? 1 : n_wrong)))
  return "$status"
}

# With the benchmarks, whose counts of instructions are among the tests.
build_release() {
  cmake --preset release -DGREYBOX_BUILD_TESTS=ON -DGREYBOX_BUILD_BENCH=ON >/dev/null && cmake --build --preset release
}

build_clang() {
  cmake --preset clang >/dev/null && cmake --build --preset clang
}

# One build with clang serves the sanitizers, the fuzzers and clang-tidy. Only layers that compile quickly are in it:
# instrumented kernels would take minutes (`cmake --preset asan` has everything).
build_sanitized() {
  cmake --preset fuzz -B "$sanitized" -DGREYBOX_SANITIZE=ON -DGREYBOX_BUILD_TESTS=ON >/dev/null &&
    cmake --build "$sanitized" --target "${sanitized_layers[@]/%/_test}"
}

check "dependencies" scripts/install-dependencies.sh --tests || finish
check "layers" scripts/check-layers.sh --self-test
check "format" scripts/check-format.sh
check "build" build_release || finish
stage "tests" run_tests build/release
check "build with clang" build_clang
if check "build with sanitizers" build_sanitized; then
  stage "tests with sanitizers" run_tests "$sanitized" "^($(IFS='|' && echo "${sanitized_layers[*]}"))[.]"
  check "fuzzing" scripts/fuzz.sh 30 "$sanitized"
  check "clang-tidy" scripts/check-tidy.sh "$sanitized"
fi
finish

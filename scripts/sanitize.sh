#!/usr/bin/env bash
# All layers under sanitizers, which scripts/test.sh has no time for: scripts/sanitize.sh [address|thread]
# With neither, both: the tests of every layer with the address and undefined-behaviour sanitizers, and train, landscape and
# compare on four threads with the thread sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"

if [[ "${1:-address}" == address ]]; then
  cmake --preset asan -DGREYBOX_BUILD_PAGE=OFF >/dev/null
  cmake --build --preset asan
  # Without tests that learn for long, and those that preload libraries of their own.
  filter='-*Story*:Reproduce*:VerdictOf.*:Verdicts.*:BruteForce.*:FailingDisk.*:FilesReadOnce.*:Kill.*:*Quickly*'
  for layer in core language nn ode data model train report analysis apps; do
    "build/asan/${layer}_test" --gtest_brief=1 --gtest_filter="$filter"
  done
fi
if [[ "${1:-thread}" == thread ]]; then
  cmake --preset tsan -DGREYBOX_BUILD_TESTS=OFF -DGREYBOX_BUILD_PAGE=OFF >/dev/null
  cmake --build --preset tsan --target greybox_tool
  tests/threads/threads.sh build/tsan/greybox examples
fi

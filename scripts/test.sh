#!/usr/bin/env bash
# Everything that must hold before a change goes in. A stage runs even if one before it failed, unless it needs it; the
# last line is "N passed, N failed", where every test counts and so does every stage that is not a set of tests.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"
# What was compiled in one clone serves another.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
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
  cmake --preset release -DGREYBOX_BUILD_TESTS=ON -DGREYBOX_BUILD_BENCH=ON -DGREYBOX_BUILD_PYTHON=OFF >/dev/null && cmake --build --preset release
}

# build_with_mpi NAME [PYTHON]: one object differs from the release build, and the compiler cache has the others. With the
# extension for a Python.
build_with_mpi() {
  local options=(-DGREYBOX_BUILD_PYTHON=OFF) targets=(greybox_tool)
  if [[ -n "${2:-}" ]]; then
    options=(-DGREYBOX_BUILD_PYTHON=ON -DPython_EXECUTABLE="$2" -Dnanobind_DIR="$("$2" -m nanobind --cmake_dir)")
    targets+=(greybox_python)
  fi
  cmake --preset release -B "build/$1" -DGREYBOX_WITH_MPI=ON -DMPI_C_COMPILER="mpicc.$1" -DMPIEXEC_EXECUTABLE="$(command -v "mpirun.$1")" \
    -DGREYBOX_BUILD_TESTS=ON -DGREYBOX_BUILD_BENCH=OFF "${options[@]}" >/dev/null && cmake --build "build/$1" --target "${targets[@]}"
}

# clang compiles everything for the sanitizers, but vector kernels: those are compiled here, without optimisation in half the
# time, linked, and tried where that is quick.
build_clang() {
  local kernels
  mapfile -t kernels < <(grep --recursive --files-with-matches hwy/foreach_target src |
    sed --regexp-extended 's|^src/([a-z]+)/(.*)|src/CMakeFiles/greybox_\1.dir/\1/\2.o|')
  cmake --preset clang -DGREYBOX_BUILD_TESTS=ON -DGREYBOX_BUILD_PAGE=OFF -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" >/dev/null &&
    cmake --build --preset clang --target "${kernels[@]}" language_test nn_test ode_test &&
    build/clang/language_test --gtest_brief=1 && build/clang/nn_test --gtest_brief=1 --gtest_filter="Gemm*:*Activation*:*Winograd*"
}

# Counts every test of every layer.
run_sanitized_tests() {
  local log=build/sanitized.log status n_right n_wrong
  scripts/sanitize.sh address >"$log" 2>&1
  status=$?
  if ((status != 0)); then cat "$log"; else tail --lines 10 "$log"; fi
  read -r n_right n_wrong < <(sed --quiet --regexp-extended 's/^[a-z]+: ([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log" |
    awk '{ right += $1; wrong += $2 } END { print right + 0, wrong + 0 }')
  n_passed=$((n_passed + n_right))
  n_failed=$((n_failed + (status != 0 && n_wrong == 0 ? 1 : n_wrong)))
  return "$status"
}

# clang-tidy wants the command of every file.
check_tidy() {
  cmake --preset clang -B build/tidy -DCMAKE_UNITY_BUILD=OFF -DGREYBOX_BUILD_PAGE=OFF -DGREYBOX_FUZZ=ON >/dev/null &&
    scripts/check-tidy.sh build/tidy
}

# What the checks of the Python package run in: the newest Python with the newest packages, and the system's Python with
# its PyTorch (whose wheels on PyPI take gigabytes) and older packages.
make_python_environment() {
  python="$(scripts/python-environment.sh build/python-environment -r tests/python/requirements.txt)" &&
    older_python="$(PYTHON=/usr/bin/python3 SYSTEM_PACKAGES=yes scripts/python-environment.sh \
      build/python-environment-older -r tests/python/requirements-older.txt)" &&
    "$older_python" -c "import torch"
}

# install_python_package PYTHON: in the release build's folder, whose objects are there already. CXX is named because the
# system's Python would bring a compiler by another name, for which everything would be compiled again.
install_python_package() {
  CXX="${CXX:-c++}" "$1" -m pip install --quiet --no-build-isolation --no-deps --force-reinstall . \
    --config-settings build-dir=build/release --config-settings cmake.define.GREYBOX_BUILD_TESTS=ON
}

check_python_style() {
  "$python" -m ruff check python tests/python tests/mpi scripts && "$python" -m ruff format --check --quiet python tests/python tests/mpi scripts &&
    "$python" -m mypy python/greybox scripts tests/python/typed_use.py
}

# run_python_tests PYTHON FILE...: counts every test, as run_tests does.
run_python_tests() {
  local log=build/pytest.log status n_right=0 n_wrong=0
  "$1" -m pytest --quiet --numprocesses "$(nproc)" --dist loadfile "${@:2}" >"$log" 2>&1
  status=$?
  if [[ "$(cat "$log")" =~ ([0-9]+)\ passed ]]; then n_right="${BASH_REMATCH[1]}"; fi
  if [[ "$(cat "$log")" =~ ([0-9]+)\ failed ]]; then n_wrong="${BASH_REMATCH[1]}"; fi
  if ((status != 0)); then cat "$log"; else tail --lines 3 "$log"; fi
  n_passed=$((n_passed + n_right))
  n_failed=$((n_failed + (status != 0 && n_wrong == 0 ? 1 : n_wrong)))
  return "$status"
}

# A source distribution has everything that a build reads.
check_source_distribution() {
  rm -rf build/sdist && "$python" -m build --sdist --no-isolation --outdir build/sdist >build/sdist.log 2>&1 &&
    diff <(git ls-files CMakeLists.txt pyproject.toml LICENSE README.md apps cmake examples include python src web | sort) \
      <(tar --list --file build/sdist/greybox_modelling-*.tar.gz | sed 's|^[^/]*/||' | grep --extended-regexp \
        '^(CMakeLists.txt|pyproject.toml|LICENSE|README.md|(apps|cmake|examples|include|python|src|web)/)' | sort)
}

check "dependencies" scripts/install-dependencies.sh --tests || finish
check "layers" scripts/check-layers.sh --self-test
check "format" scripts/check-format.sh
check "build" build_release || finish
stage "tests" run_tests build/release
if check "Python environment" make_python_environment; then
  check "Python style and types" check_python_style
  if check "Python package" install_python_package "$python"; then
    stage "Python tests" run_python_tests "$python" tests/python
    check "notebooks and documentation" scripts/build-docs.sh
  fi
  if check "Python package, older" install_python_package "$older_python"; then
    stage "Python tests, older" run_python_tests "$older_python" tests/python/test_{torch,arviz,data,results}.py
  fi
  check "source distribution" check_source_distribution
fi
if check "build with Open MPI" build_with_mpi openmpi "${python:-}"; then
  stage "tests with Open MPI" run_tests build/openmpi '^(mpi|mpi.hosts|mpi.python|slurm)$'
fi
if check "build with MPICH" build_with_mpi mpich; then stage "tests with MPICH" run_tests build/mpich '^mpi$'; fi
check "kernels with clang" build_clang
if check "build with sanitizers" scripts/sanitize.sh address --build; then
  stage "tests with sanitizers" run_sanitized_tests
  check "fuzzing" scripts/fuzz.sh 8 build/sanitized
fi
check "clang-tidy" check_tidy
finish

#!/usr/bin/env bash
# Builds the package for several Pythons from one source distribution, as a person would who has no wheel, and tries each in
# a fresh environment with numpy alone. From 3.12 on one wheel (stable ABI) serves all; objects are compiled once for all.
#   usage: scripts/python-versions.sh [VERSION...]     by default 3.10 3.11 3.12 3.13
set -euo pipefail
cd "$(dirname "$0")/.."

versions=("$@")
if ((${#versions[@]} == 0)); then versions=(3.10 3.11 3.12 3.13); fi
output="$PWD/build/python-versions"
source="$output/source"
options=(--config-settings build-dir="$source/build/release")
# With the flags of the release build, whose objects a compiler cache then has.
if [[ -f build/release/CMakeCache.txt ]]; then options+=(--config-settings cmake.define.GREYBOX_BUILD_TESTS=ON); fi

# interpreter VERSION: on the path, or in pyenv.
interpreter() {
  local candidate
  for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1."*/bin/python3; do
    if "$candidate" -c "import sys, venv; assert '%d.%d' % sys.version_info[:2] == '$1'" 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "there is no Python $1" >&2
  return 1
}

rm -rf "$output/wheels" "$source"
mkdir -p "$output/wheels" "$source"
tools="$(PYTHON="$(interpreter "${versions[0]}")" scripts/python-environment.sh "$output/tools" build)"
"$tools" -m build --sdist --outdir "$output/wheels" . >"$output/sdist.log" 2>&1 || { tail "$output/sdist.log" && exit 1; }
tar --extract --strip-components 1 --directory "$source" --file "$output"/wheels/greybox_modelling-*.tar.gz

for version in "${versions[@]}"; do
  environment="$output/$version"
  "$(interpreter "$version")" -m venv --clear "$environment"
  pip=("$environment/bin/python" -m pip --disable-pip-version-check --quiet)
  if ! "${pip[@]}" download --no-deps --no-index --only-binary :all: --find-links "$output/wheels" \
    --dest "$output/found" greybox-modelling >/dev/null 2>&1; then
    CXX="${CXX:-c++}" "${pip[@]}" wheel --no-deps --wheel-dir "$output/wheels" "${options[@]}" "$source"
  fi
  "${pip[@]}" install numpy
  "${pip[@]}" install --no-deps --no-index --find-links "$output/wheels" --only-binary :all: greybox-modelling
  (cd "$output" && "$environment/bin/python" -W ignore "$source/tests/python/smoke.py")
done

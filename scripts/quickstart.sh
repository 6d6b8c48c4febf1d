#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds, and looks at the toy model.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-dependencies.sh
cmake --preset release -DGREYBOX_BUILD_TESTS=OFF >/dev/null
cmake --build --preset release
build/release/greybox check examples/toy.toml

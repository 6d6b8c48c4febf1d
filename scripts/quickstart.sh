#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds, and runs the toy example.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-dependencies.sh
cmake --preset release -DGREYBOX_BUILD_TESTS=OFF >/dev/null
cmake --build --preset release
if [[ ! -e runs/demo ]]; then build/release/greybox demo -o runs/demo; fi

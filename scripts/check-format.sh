#!/usr/bin/env bash
# Fails when a source file is not formatted as .clang-format says; with --fix formats it.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(--dry-run --Werror)
if [[ "${1:-}" == --fix ]]; then mode=(-i); fi
find include src apps tests bench fuzz python -name '*.hpp' -print0 -o -name '*.cpp' -print0 |
  xargs --null --no-run-if-empty clang-format "${mode[@]}"

#!/usr/bin/env bash
# clang-tidy over our sources: scripts/check-tidy.sh BUILD_DIRECTORY [--all], where the build is configured for clang.
# Without --all only over what has changed since the default branch, or, on it, since the commit before; a changed
# header stands for the source of the same name.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:?usage: $0 BUILD_DIRECTORY [--all]}"

base="$(git merge-base HEAD origin/HEAD 2>/dev/null || true)"
if [[ -z "$base" || "$base" == "$(git rev-parse HEAD 2>/dev/null)" ]]; then
  base="$(git rev-parse --quiet --verify HEAD~1 || true)"
fi

if [[ "${2:-}" == --all || -z "$base" ]]; then
  mapfile -t sources < <(find src apps fuzz -name '*.cpp' | sort)
else
  mapfile -t sources < <({
    git diff --name-only --diff-filter=d "$base" -- src apps fuzz
    git ls-files --others --exclude-standard -- src apps fuzz
  } | sed 's/\.hpp$/.cpp/' | grep '\.cpp$' | sort --unique | while IFS= read -r file; do
    if [[ -f "$file" ]]; then echo "$file"; fi
  done)
fi
echo "${#sources[@]} files"
((${#sources[@]} > 0)) || exit 0

# clang-tidy says much on the way; only its findings matter.
log="$build/tidy.log"
if printf '%s\0' "${sources[@]}" |
  xargs --null --max-args=1 --max-procs="$(nproc)" clang-tidy --quiet -p "$build" >"$log" 2>&1; then
  exit 0
fi
grep --extended-regexp --after-context=3 'error:|warning:' "$log" || cat "$log"
exit 1

#!/usr/bin/env bash
# Makes a virtual environment in FOLDER and installs PACKAGES there (names, or -r FILE), unless that was done; prints the
# path of its Python. PYTHON names another interpreter than python3.
#   usage: scripts/python-environment.sh FOLDER PACKAGES...
set -euo pipefail

if (($# < 1)); then
  sed -n '2,4s/^# *//p' "$0" >&2
  exit 2
fi
folder="$1"
shift
python="${PYTHON:-python3}"
# Changes when the interpreter, the list or a file in it does.
wanted="$("$python" --version) $* $(for word in "$@"; do if [[ -f "$word" ]]; then cat "$word"; fi; done)"

if [[ "$(cat "$folder/.installed" 2>/dev/null)" != "$wanted" ]]; then
  "$python" -m venv --clear "$folder" >&2
  if (($# > 0)); then "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >&2; fi
  printf '%s' "$wanted" >"$folder/.installed"
fi
echo "$(cd "$folder" && pwd)/bin/python"

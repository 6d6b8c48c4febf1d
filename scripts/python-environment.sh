#!/usr/bin/env bash
# Makes a virtual environment in FOLDER and installs PACKAGES there (names, or -r FILE), unless that was done; prints the
# path of its Python. PYTHON names the interpreter, by default the newest from 3.10 to 3.13 on the path or in pyenv; with
# SYSTEM_PACKAGES=yes those that the system has installed for it are seen too.
#   usage: scripts/python-environment.sh FOLDER PACKAGES...
set -euo pipefail

if (($# < 1)); then
  sed -n '2,5s/^# *//p' "$0" >&2
  exit 2
fi
folder="$1"
shift

newest_python() {
  local candidate minor
  for minor in 13 12 11 10; do
    for candidate in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor."*/bin/python3; do
      if "$candidate" -c 'import venv' 2>/dev/null; then
        echo "$candidate"
        return
      fi
    done
  done
  echo python3
}

python="${PYTHON:-$(newest_python)}"
options=()
if [[ "${SYSTEM_PACKAGES:-no}" == yes ]]; then options+=(--system-site-packages); fi
# Changes when the interpreter, the list or a file in it does.
wanted="$("$python" --version) ${options[*]} $* $(for word in "$@"; do if [[ -f "$word" ]]; then cat "$word"; fi; done)"

if [[ "$(cat "$folder/.installed" 2>/dev/null)" != "$wanted" ]]; then
  "$python" -m venv --clear "${options[@]}" "$folder" >&2
  if (($# > 0)); then "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >&2; fi
  printf '%s' "$wanted" >"$folder/.installed"
fi
echo "$(cd "$folder" && pwd)/bin/python"

#!/usr/bin/env bash
# Builds the documentation site into build/site: makes an environment, installs the package there unless it is, runs the
# notebooks unless they were, gathers the pages.
set -euo pipefail
cd "$(dirname "$0")/.."

python="$(scripts/python-environment.sh build/python-environment -r tests/python/requirements.txt)"
"$python" -c "import greybox" 2>/dev/null || "$python" -m pip install --quiet .
to_run=()
for notebook in examples/notebooks/*.ipynb; do
  if [[ ! "build/notebooks/$(basename "$notebook")" -nt "$notebook" ]]; then to_run+=("$(basename "$notebook" .ipynb)"); fi
done
if ((${#to_run[@]} > 0)); then
  printf '%s\n' "${to_run[@]}" | xargs --max-procs "$(nproc)" --max-args 1 "$python" scripts/run_notebooks.py build/notebooks
fi
"$python" scripts/gather_docs.py build/notebooks build/site-source
NO_MKDOCS_2_WARNING=1 "$python" -m mkdocs build --quiet --clean
echo "build/site/index.html; its search needs a server: python3 -m http.server --directory build/site"

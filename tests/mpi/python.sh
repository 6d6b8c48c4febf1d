#!/usr/bin/env bash
# Communicators of mpi4py: python.sh PYTHON EXTENSION PACKAGE EXAMPLES MPIRUN. Ends with 77 where mpi4py is not there.
set -euo pipefail
python="$1"
extension="$(realpath "$2")"
package="$(realpath "$3")"
examples="$(realpath "$4")"
mpirun="$5"
here="$(realpath "$(dirname "$0")")"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$python" -c 'import importlib.util as u; raise SystemExit(not (u.find_spec("mpi4py") and u.find_spec("numpy")))' ||
  { echo "skipped: $python has no mpi4py" && exit 77; }
options=()
export MPI4PY_MPIABI=mpich
if [[ "$("$mpirun" --version 2>&1)" =~ Open(RTE|\ MPI) ]]; then
  options=(--oversubscribe --bind-to none)
  MPI4PY_MPIABI=openmpi
fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir greybox
ln -s "$package"/* "$extension" greybox/
cp "$examples"/toy.{toml,csv} .
PYTHONPATH="$folder" "$mpirun" -n 3 "${options[@]}" "$python" -m mpi4py "$here/shared.py"
PYTHONPATH="$folder" "$mpirun" -n 2 "${options[@]}" "$python" -m mpi4py "$examples/cluster/fit.py" toy.toml toy.csv run 3 >log
[[ -e run/weights.npz && -s log ]] || { cat log && exit 1; }
PYTHONPATH="$folder" "$python" "$here/refused.py"

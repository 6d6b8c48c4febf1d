#!/usr/bin/env bash
# Installs what greybox is built from (Debian and its relatives); with --tests also what the checks need.
set -euo pipefail

packages=(
  g++ cmake ninja-build
  libhwy-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev librandom123-dev libssl-dev
  libcurl4-openssl-dev libeigen3-dev libnlopt-dev libnlopt-cxx-dev libcairo2-dev libcpp-httplib-dev pkg-config fonts-dejavu-core
  python3-dev python3-venv # of the Python package
  libzip-dev zipcmp zipmerge ziptool # libzip's CMake package refuses to work without its three tools
)
test_packages=(libgtest-dev ccache clang libclang-rt-dev clang-format clang-tidy python3-numpy python3-torch chromium valgrind
  libbenchmark-dev libopenmpi-dev openmpi-bin libmpich-dev mpich slurmctld slurmd slurm-client)

# Node.js often comes from elsewhere, with an npm that Debian's package would clash with.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then packages+=(nodejs npm); fi

case "${1:-}" in
  "") ;;
  --tests) packages+=("${test_packages[@]}") ;;
  *) echo "usage: $0 [--tests]" >&2; exit 2 ;;
esac

is_installed() { [[ "$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]; }

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
echo "installing ${missing[*]}" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends \
  "${missing[@]}" </dev/null >/dev/null

#!/usr/bin/env bash
# What greybox is built from, in the containers and machines of cibuildwheel: AlmaLinux 9 (manylinux_2_34) and macOS.
set -euo pipefail

random123_version=1.14.0

if [[ "$(uname)" == Darwin ]]; then
  brew install cmake ninja pkg-config highway fmt cli11 nlohmann-json tomlplusplus openssl@3 curl eigen nlopt cairo libzip cpp-httplib
  prefix="$(brew --prefix)"
else
  dnf install --assumeyes epel-release dnf-plugins-core
  dnf config-manager --set-enabled crb
  dnf module enable --assumeyes nodejs:20 # the default is older than web/ needs
  dnf install --assumeyes highway-devel fmt-devel cli11-devel json-devel tomlplusplus-devel openssl-devel libcurl-devel \
    eigen3-devel NLopt-devel cairo-devel libzip-devel libzip-tools pkgconf nodejs npm dejavu-sans-fonts
  dnf install --assumeyes cpp-httplib-devel || echo "without the explorer" >&2
  prefix=/usr/local
fi

# Headers alone.
curl --fail --silent --location \
  "https://github.com/DEShawResearch/random123/archive/refs/tags/v$random123_version.tar.gz" |
  tar --extract --gzip --directory "$prefix/include" --strip-components 2 "random123-$random123_version/include/Random123"

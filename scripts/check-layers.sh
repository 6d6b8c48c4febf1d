#!/usr/bin/env bash
# Fails when an #include goes against the order of the layers. With --self-test, checks itself on wrong trees first.
set -euo pipefail

# Layer → the layers it may include besides itself; what a layer may include, those above it may include too.
declare -A below=(
  [core]=""
  [language]="core"
  [nn]="core"
  [ode]="core"
  [data]="core"
  [model]="language nn ode data"
  [train]="model"
  [report]="core data"
  [analysis]="model train report"
)

# Folders of the analysis, lowest first: a folder may include those before it, and itself.
analysis_order=(theta structure run matching landscape verdict estimate posterior simulate explain augment compare page explore reproduce)

# Prints the layers that layer $1 may include, itself among them.
allowed_for() {
  local layer
  echo "$1"
  for layer in ${below[$1]}; do allowed_for "$layer"; done
}

# Prints "file:line:included path" for every quoted or bracketed include of ours in the folders given.
includes_of() {
  grep --recursive --line-number --include='*.hpp' --include='*.cpp' --extended-regexp \
    '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+[">]' "$@" |
    sed --regexp-extended 's/^([^:]+:[0-9]+):[^"<]*["<]([^">]+)[">].*/\1:\2/'
}

report() {
  echo "$1: error: $2 must not include \"$3\"" >&2
  n_wrong=$((n_wrong + 1))
}

# Public headers may use only each other: they are all that is installed.
check_public_headers() {
  local file line path
  while IFS=: read -r file line path; do
    if [[ -e "src/$path" ]]; then report "$file:$line" "a public header" "$path"; fi
  done < <(includes_of include)
}

check_layer() {
  local layer="$1" allowed file line path
  if [[ -z "${below[$layer]+known}" ]]; then
    echo "src/$layer: error: not a layer that check-layers.sh knows" >&2
    n_wrong=$((n_wrong + 1))
    return
  fi
  allowed=" $(allowed_for "$layer" | tr '\n' ' ')"
  while IFS=: read -r file line path; do
    if [[ "$path" == *../* ]] || [[ -e "src/$path" && "$allowed" != *" ${path%%/*} "* ]]; then
      report "$file:$line" "layer $layer" "$path"
    fi
  done < <(includes_of "src/$layer")
}

# The place of a folder in the order of the analysis; 99 for one that is not in it.
place_in_analysis() {
  local i
  for i in "${!analysis_order[@]}"; do
    if [[ "${analysis_order[$i]}" == "$1" ]]; then echo "$i" && return; fi
  done
  echo 99
}

check_analysis() {
  local file line path folder
  while IFS=: read -r file line path; do
    if [[ "$path" != analysis/* ]]; then continue; fi
    folder="$(cut --delimiter=/ --fields=3 <<<"$file")"
    if (($(place_in_analysis "$(cut --delimiter=/ --fields=2 <<<"$path")") > $(place_in_analysis "$folder"))); then
      report "$file:$line" "folder analysis/$folder" "$path"
    fi
  done < <(includes_of src/analysis)
}

# check_user FOLDER NAME: the tool and the Python extension see the library as any user does.
check_user() {
  local file line path
  while IFS=: read -r file line path; do
    if [[ -e "src/$path" || "$path" == *../* ]]; then report "$file:$line" "$2" "$path"; fi
  done < <(includes_of "$1")
}

# Checks the tree in the current folder.
check_tree() {
  local folder
  n_wrong=0
  if [[ -d include ]]; then check_public_headers; fi
  for folder in src/*/; do check_layer "$(basename "$folder")"; done
  if [[ -d src/analysis ]]; then check_analysis; fi
  if [[ -d apps ]]; then check_user apps "a command"; fi
  if [[ -d python/extension ]]; then check_user python/extension "the Python extension"; fi
  ((n_wrong == 0))
}

# expect OUTCOME FILE INCLUDED: a tree in which FILE includes INCLUDED is right or wrong.
expect() {
  local outcome=right
  rm -rf tree && mkdir -p tree/src/{core,language,model,report} tree/{apps,include/greybox}
  touch tree/src/core/error.hpp tree/src/language/graph.hpp tree/src/model/spec.hpp tree/include/greybox/error.hpp
  mkdir -p "tree/$(dirname "$2")"
  echo "#include $3" >>"tree/$2"
  (cd tree && check_tree) 2>/dev/null || outcome=wrong
  if [[ "$outcome" != "$1" ]]; then
    echo "check-layers.sh: self-test: $2 including $3 should be $1" >&2
    exit 1
  fi
}

self_test() {
  local folder
  folder="$(mktemp --directory)"
  # shellcheck disable=SC2064 # the folder as it is now
  trap "rm -rf '$folder'" EXIT
  cd "$folder"
  expect right src/language/graph.cpp '"core/error.hpp"'
  expect right src/model/model.cpp '"core/error.hpp"'
  expect right src/core/error.cpp '"greybox/error.hpp"'
  expect right src/core/error.cpp '<vector>'
  expect right apps/check.cpp '"greybox/error.hpp"'
  expect wrong src/core/error.cpp '"language/graph.hpp"'
  expect wrong src/core/error.cpp '<language/graph.hpp>'
  expect wrong src/language/graph.hpp '"model/spec.hpp"'
  expect wrong src/report/html.cpp '"model/spec.hpp"'
  expect wrong src/core/error.cpp '"../language/graph.hpp"'
  expect wrong src/drawer/drawer.cpp '<vector>'
  expect right src/analysis/verdict/verdict.cpp '"analysis/run/networks.hpp"'
  expect wrong src/analysis/run/networks.cpp '"analysis/verdict/verdict.hpp"'
  expect wrong apps/check.cpp '"core/error.hpp"'
  expect wrong apps/check.cpp '"../src/core/error.hpp"'
  expect wrong python/extension/run.cpp '"core/error.hpp"'
  expect wrong include/greybox/model.hpp '"model/spec.hpp"'
}

if [[ "${1:-}" == --self-test ]]; then (self_test); fi
cd "$(dirname "$0")/.."
check_tree

#!/usr/bin/env bash
# Both commands of the README in a fresh clone of what is committed, with a package store of its own: what a new machine would see.
set -euo pipefail
repository=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

git clone --quiet "$repository" "$folder/ostler"
cd "$folder/ostler"
# Nothing of the workspace that started this may help.
export PATH=${PATH//"$repository/node_modules/.bin:"/}
export npm_config_store_dir="$folder/store"

npx -y pnpm@12.18.0 start
npx -y pnpm@12.18.0 test
[ -z "$(git status --porcelain)" ] || { echo 'The commands left files behind:'; git status --short; exit 1; }

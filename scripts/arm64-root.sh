#!/bin/bash
# Makes what `cmake --preset aarch64` needs: installs the packages of `install-packages.sh --cross`, and lays out the
# project's libraries of 64-bit ARM in a folder, which it prints. The folder is kept in the user's cache folder, where the
# preset finds it (cmake/aarch64.cmake). Nothing in it is ever run to make it.
# usage: scripts/arm64-root.sh
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-packages.sh --cross >&2
. scripts/kept-roots.sh

mapfile -t packages < <(scripts/install-packages.sh --names | grep -E -- '-dev$')

arm64_root() {
  echo "making a root of arm64" >&2
  make_root --variant=extract --architectures=arm64 --include="${packages[*]}" "$1"
  # A compiler outside would follow absolute links to this machine's files.
  local link target
  find "$1" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    target=$1$(readlink "$link")
    if [[ -e $target ]]; then ln -sfnr "$target" "$link"; fi
  done
}
kept_root arm64 "${packages[*]} $(cat scripts/arm64-root.sh)" arm64_root
ln -sfn "$kept" "$cache/arm64"
echo "$cache/arm64"

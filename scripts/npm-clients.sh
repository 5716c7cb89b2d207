#!/bin/bash
# Prints the folder with the programs that tests/bindings/clients runs on our addon, and the versions of Node.js to run them
# on: first `npm ci --ignore-scripts` installs them there as package-lock.json says (1.3 GB). The folder is
# $WEBNN_CLIENTS, or one in the user's cache.
#   scripts/npm-clients.sh [--if-there]     with --if-there nothing is installed: the status is 1 when it is not there
set -euo pipefail
source=$(cd "$(dirname "$0")/../tests/bindings/clients" && pwd)
folder=${WEBNN_CLIENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/webnn-clients}

if ! cmp -s "$source/package-lock.json" "$folder/installed"; then
  if [[ ${1:-} == --if-there ]]; then exit 1; fi
  mkdir -p "$folder"
  cp "$source"/{package.json,package-lock.json} "$folder"
  # No scripts: some would fetch libraries for other processors and systems.
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund >&2)
  cp "$source/package-lock.json" "$folder/installed"
fi
echo "$folder"

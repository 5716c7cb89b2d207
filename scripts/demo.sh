#!/bin/bash
# Installs packages, builds the tool and lets it read a handwritten 7.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-packages.sh
cmake --preset release >/dev/null
cmake --build --preset release --target webnn-cli

build/release/bin/webnn-cli run models/digits/digits.json --input image=@models/digits/digits.input.image.npy \
  --labels models/digits/labels.txt --top 3

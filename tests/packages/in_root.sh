#!/bin/bash
# Runs the checks of program.sh by chroot in a root folder, which gets the files of the repository that they need; as
# root.
# usage: tests/packages/in_root.sh ROOT PROGRAM [NAME=VALUE...]     the path of the program in the root; its environment
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$(realpath "$1")
program=$2

mkdir -p "$root/checkout"
cp --parents -r CMakeLists.txt models/digits models/onnx tests/packages tests/fuzz/seeds/picture "$root/checkout"
# In namespaces of their own, what is mounted is gone at the end, and so is what was left running.
# bash expands the text.
# shellcheck disable=SC2016
unshare --mount --propagation private --pid --fork --kill-child bash -euc '
  mkdir -p "$0/proc" "$0/dev/shm" "$0/tmp"
  mount -t proc proc "$0/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
  chroot "$0" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp "${@:2}" bash /checkout/tests/packages/program.sh "$1"' \
  "$root" "$program" "${@:3}"

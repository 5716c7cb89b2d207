#!/bin/bash
# Installs packages, configures, builds and runs every test. The last line is `N passed, N failed`.
# usage: scripts/test.sh [PRESET [arguments of webnn-tests]]; the preset is release unless given. In place of a preset
# `threads` runs what hands work from thread to thread under the thread sanitizer, and `memory` what reads files of
# strangers, compiles and runs them under the address and undefined-behaviour sanitizers, but for kernels; both in the
# release build's folder. The preset aarch64 is run by QEMU.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
preset=${1:-release} target=webnn-tests
shift || true
case $preset in
  threads) preset=release target=webnn-thread-tests ;;
  memory) preset=release target=webnn-memory-tests ;;
esac

# Conformance vectors and real models; tests that need them say that they are skipped without.
if [[ -z ${WEBNN_CORPUS:-} && -d ../shared ]]; then
  WEBNN_CORPUS=$(cd ../shared && pwd)
  export WEBNN_CORPUS
fi

give_up() {
  echo "$1 failed"
  echo "0 passed, 1 failed"
  exit 1
}
scripts/install-packages.sh || give_up "installing packages"
if [[ $preset == aarch64 ]]; then
  root=$(scripts/arm64-root.sh) || give_up "making a root of arm64"
  export WEBNN_EMULATOR="qemu-aarch64-static -L $root" WEBNN_ROOT_KIND=user
fi
cmake --preset "$preset" >/dev/null || give_up "configuring"
cmake --build --preset "$preset" --target "$target" || give_up "building"

program=build/$preset/bin/$target
if (($# == 0)); then exec scripts/run-tests.sh "$program"; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
${WEBNN_EMULATOR:-} "$program" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if ! grep -qE '^[0-9]+ passed, [0-9]+ failed$' "$log"; then
  give_up "the test program stopped with status $status before its end; it"
fi
exit "$status"

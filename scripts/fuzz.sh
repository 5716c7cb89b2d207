#!/bin/bash
# Fuzzes the readers: scripts/fuzz.sh [SECONDS] builds the targets with the preset `fuzz` (clang) and runs each for that
# time (default 300). Fails on the first finding, whose input stays in build/fuzz/findings. What the runs learn is kept
# in build/fuzz/learned. See tests/fuzz/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-300}

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

# run KIND PATTERN...: the seeds are the corpus and the test files with these names.
run() {
  local kind=$1 pattern
  shift
  local findings=build/fuzz/findings/$kind learned=build/fuzz/learned/$kind seeds=build/fuzz/seeds/$kind
  rm -rf "$seeds"
  mkdir -p "$findings" "$learned" "$seeds"
  for pattern in "$@"; do
    find tests/frontend -name "$pattern" -size -64k | while read -r file; do cp "$file" "$seeds/${file//\//-}"; done
  done
  echo "fuzz_$kind: $seconds s"
  local log=build/fuzz/$kind.log
  if ! "build/fuzz/bin/fuzz_$kind" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$findings/" "$learned" "tests/fuzz/corpus/$kind" "$seeds" >"$log" 2>&1; then
    tail -40 "$log"
    echo "fuzz_$kind: a finding; the input is in $findings" >&2
    return 1
  fi
  grep number_of_executed_units "$log"
}

run json '*.json'
run text '*.webnn'
run binary '*.wnnb'
run tensors '*.npy' '*.safetensors'

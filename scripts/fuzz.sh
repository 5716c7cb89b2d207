#!/bin/bash
# Fuzzes the readers: scripts/fuzz.sh [SECONDS [KINDS]] builds the targets with the preset `fuzz` (clang) and runs each
# for that time (default 300), or those named ("binary program"). Fails on the first finding, whose input stays in
# build/fuzz/findings. What the runs learn is kept in build/fuzz/learned. See tests/fuzz/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-300}
read -ra kinds <<<"${2:-$(cd tests/fuzz/corpus && echo *)}"

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${kinds[@]/#/fuzz_}"

# seeds KIND: the test files whose names end as the target says.
seeds() {
  local kind=$1 suffix
  rm -rf "build/fuzz/seeds/$kind"
  mkdir -p "build/fuzz/seeds/$kind"
  for suffix in $("build/fuzz/bin/fuzz_$kind" --suffixes); do
    find tests/frontend -name "*$suffix" -size -64k | while read -r file; do
      cp "$file" "build/fuzz/seeds/$kind/${file//\//-}"
    done
  done
}

# Programs of the tests' graphs, for several processors: the tool that writes them is built without sanitizers.
program_seeds() {
  local file target
  cmake --preset release >/dev/null
  cmake --build --preset release --target webnn-cli
  rm -rf build/fuzz/seeds/program
  mkdir -p build/fuzz/seeds/program
  for file in tests/frontend/good-*.json tests/fuzz/corpus/json/*.json; do
    for target in baseline avx2 native; do
      build/release/bin/webnn-cli compile "$file" --target $target \
        -o "build/fuzz/seeds/program/$(basename "$file" .json)-$target.wnnc" 2>/dev/null || true  # no graph
    done
  done
}

# run KIND: from its seeds and its corpus.
run() {
  local kind=$1
  local findings=build/fuzz/findings/$kind learned=build/fuzz/learned/$kind seeds=build/fuzz/seeds/$kind
  mkdir -p "$findings" "$learned"
  echo "fuzz_$kind: $seconds s"
  local log=build/fuzz/$kind.log max_len=8192
  [[ $kind != program ]] || max_len=32768  # with its weights; a seed is cut off there
  if ! "build/fuzz/bin/fuzz_$kind" -max_total_time="$seconds" -max_len=$max_len -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$findings/" "$learned" "tests/fuzz/corpus/$kind" "$seeds" >"$log" 2>&1; then
    tail -40 "$log"
    echo "fuzz_$kind: a finding; the input is in $findings" >&2
    return 1
  fi
  grep number_of_executed_units "$log"
}

for kind in "${kinds[@]}"; do seeds "$kind"; done
[[ " ${kinds[*]} " != *" program "* ]] || program_seeds
for kind in "${kinds[@]}"; do run "$kind"; done

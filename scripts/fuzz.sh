#!/bin/bash
# Fuzzes: scripts/fuzz.sh [SECONDS [TARGETS]] builds the targets with the preset `fuzz` (clang) and runs each for that
# time (default 300), or those named ("binary program"). scripts/fuzz.sh --hours N runs all in turns, five minutes each,
# until N hours are over, and adds executions and coverage to tests/fuzz/RECORD.md; --hours N TARGETS those named.
# `--seeds FOLDER` only writes the archives of seeds that OSS-Fuzz expects (TARGET_seed_corpus.zip). Fails on the first
# finding, whose input stays in build/fuzz/findings. What the runs learn is kept in build/fuzz/learned. See
# tests/fuzz/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly record=tests/fuzz/RECORD.md
export LSAN_OPTIONS=suppressions=$PWD/tests/fuzz/leaks.txt:print_suppressions=0
read -ra readers <<<"$(cd tests/fuzz/corpus && echo *)"
whole=(kernel gpu_kernel compile program_run sequence picture vectors tuning baseline shader_cache changing)

hours='' seconds=300 archives=''
case ${1:-} in
  --hours) hours=${2:?how many hours} ;;
  --seeds) archives=${2:?which folder} ;;
  *) seconds=${1:-300} ;;
esac
kinds=("${readers[@]}" "${whole[@]}")
named=${2:-}
[[ -z $hours ]] || named=${3:-}
[[ -n $archives || -z $named ]] || read -ra kinds <<<"$named"

# Linux first divides processors among sessions, then among the processes of each: beside the work of others `nice` alone does
# nothing for a script with a session of its own (setsid, a terminal). So the session takes the lowest priority.
[[ -z $hours || ! -w /proc/self/autogroup ]] || echo 19 2>/dev/null >/proc/self/autogroup || true

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${kinds[@]/#/fuzz_}"

# seeds KIND: the test files whose names end as the target says, and what other folders hold of its kind.
seeds() {
  local kind=$1 suffix
  rm -rf "build/fuzz/seeds/$kind"
  mkdir -p "build/fuzz/seeds/$kind"
  for suffix in $("build/fuzz/bin/fuzz_$kind" --suffixes); do
    find tests/frontend -name "*$suffix" -size -64k | while read -r file; do
      cp "$file" "build/fuzz/seeds/$kind/${file//\//-}"
    done
  done
  case $kind in
    compile) cp tests/fuzz/corpus/{text,json}/* tests/frontend/good-*.json "build/fuzz/seeds/$kind" ;;
    onnx) cp models/onnx/*.onnx "build/fuzz/seeds/$kind" ;;
    vectors) find tests/operators -name '*.json' -size -16k -exec cp {} "build/fuzz/seeds/$kind" \; ;;
  esac
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
  local findings=build/fuzz/findings/$kind learned=build/fuzz/learned/$kind log=build/fuzz/$kind.log
  local folders=("$learned" "build/fuzz/seeds/$kind") max_len=8192 dictionary=tests/fuzz/dictionaries/$kind.dict
  local folder executions edges options=() most_seconds=10  # of the clock
  mkdir -p "$findings" "$learned"
  for folder in "tests/fuzz"/{corpus,seeds}/"$kind"; do
    [[ ! -d $folder ]] || folders+=("$folder")
  done
  [[ ! -f $dictionary ]] || options+=(-dict="$dictionary")
  case $kind in
    program) max_len=32768 ;;  # with its weights; a seed is cut off there
    gpu_kernel) max_len=128 most_seconds=60 ;;  # mostly for the driver's compiler, which waits for other work
    kernel | program_run | changing) max_len=128 ;;  # choices
    sequence) max_len=1024 ;;
  esac
  # At the lowest priority an input may wait for other work. What takes more than 10 seconds is kept among the findings.
  [[ -z $hours ]] || most_seconds=60
  # Leaks are looked for at the end: after each input that leaves more memory than it found (tables that are made once) the
  # search takes longer than most inputs. Frequencies of features take a fifth. Without both, `compile` is three times as fast.
  options+=(-detect_leaks=0 -entropic=0)
  echo "fuzz_$kind: $seconds s"
  if ! "build/fuzz/bin/fuzz_$kind" -max_total_time="$seconds" -max_len=$max_len -timeout=$most_seconds -rss_limit_mb=4096 \
    -print_final_stats=1 -artifact_prefix="$findings/" "${options[@]}" "${folders[@]}" >"$log" 2>&1; then
    tail -40 "$log"
    echo "fuzz_$kind: a finding; the input is in $findings" >&2
    return 1
  fi
  executions=$(sed -n 's/.*number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
  echo "  $executions executions, $edges edges"
  # Under a lock, since several of these scripts may run side by side, each with targets of its own.
  [[ -z $hours ]] || flock build/fuzz/record.lock \
    scripts/fuzz-record.sh "$record" "$kind" "$executions" "$seconds" "${edges:-0}"
}

for kind in "${kinds[@]}"; do seeds "$kind"; done
[[ " ${kinds[*]} " != *" program "* ]] || program_seeds
if [[ -n $archives ]]; then
  mkdir -p "$archives"
  for kind in "${kinds[@]}"; do
    files=("build/fuzz/seeds/$kind"/* "tests/fuzz"/{corpus,seeds}/"$kind"/*)
    existing=()
    for file in "${files[@]}"; do [[ ! -f $file ]] || existing+=("$file"); done
    ((${#existing[@]} == 0)) || zip -q -j "$archives/fuzz_${kind}_seed_corpus.zip" "${existing[@]}"
    [[ ! -f tests/fuzz/dictionaries/$kind.dict ]] || cp "tests/fuzz/dictionaries/$kind.dict" "$archives/fuzz_$kind.dict"
  done
  exit 0
fi
if [[ -z $hours ]]; then
  for kind in "${kinds[@]}"; do run "$kind"; done
  exit 0
fi
end=$((SECONDS + $(awk -v hours="$hours" 'BEGIN { printf "%d", hours * 3600 }')))
while ((SECONDS < end)); do
  for kind in "${kinds[@]}"; do
    ((SECONDS < end)) || break
    run "$kind"
  done
done

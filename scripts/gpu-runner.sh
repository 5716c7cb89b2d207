#!/bin/bash
# Checks and measures the GPU of a machine with nothing but what scripts/gpu-bundle.sh has packed: in the archive this is
# `run`. Results are JSON files in a folder, one for each command; log.txt there holds the rest.
# usage: ./run [--device gpu:N] [--output FOLDER] [--limit SECONDS] COMMAND...
#   devices      the loader, the drivers and their devices
#   conformance  vectors, cases of our own and real models, without the validation layers
#   validation   the same with them and with synchronisation validation, and the tests of the GPU
#   compare      networks on the CPU and on the GPU
#   benchmark    ceilings, calls with every kernel that takes them, networks, dispatches, transfers
#   tune         measures kernels for networks; the tuning files
#   torch        the same calls and networks in PyTorch (python3 must have it)
#   all          all of these
# --limit ends each command after so many seconds (540); what it has measured until then is kept. The exit code is 1
# when a command failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
device=gpu output=$PWD/gpu-results limit=540 commands=()
readonly known=(devices conformance validation compare benchmark tune torch)

usage() {
  sed -n '/^# usage:/,/^set /{/^set /d;s/^# //p}' "$0" >&2
  exit 2
}
while (($# > 0)); do
  case $1 in
    --device | --output | --limit)
      (($# > 1)) || usage
      printf -v "${1#--}" '%s' "$2"
      shift
      ;;
    all) commands+=("${known[@]}") ;;
    *)
      [[ " ${known[*]} " == *" $1 "* ]] || usage
      commands+=("$1")
      ;;
  esac
  shift
done
((${#commands[@]} > 0)) && [[ $limit =~ ^[0-9]+$ ]] || usage
mkdir -p "$output" || exit 6
output=$(cd "$output" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export WEBNN_BUILD_DIR=$here WEBNN_SOURCE_DIR=$here/source WEBNN_CLI_NO_CACHE=true MESA_SHADER_CACHE_DIR=$work/shaders
[[ ! -d $here/corpus ]] || export WEBNN_CORPUS=$here/corpus

# Libraries that a driver may need, too, are this machine's own where it has them.
libraries=$here/lib:$work/lib
mkdir "$work/lib"
known_libraries=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)
for library in "$here"/lib/fallback/*; do
  place=$(awk -v name="${library##*/}" '$1 == name { print $NF; exit }' <<<"$known_libraries")
  [[ -n $place && -e $place ]] || ln -s "$library" "$work/lib"
done
# ours COMMAND...: a program of the archive; nothing else sees its libraries.
ours() { LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }
export VK_LAYER_PATH=$here/layers

version=$(ours "$here/bin/webnn-cli" version 2>"$work/why") || {
  echo "run: webnn-cli does not start here: $(cat "$work/why")" >&2
  exit 5
}

# The driver's description may lie where no loader looks.
hardware() { ours "$here/bin/webnn-cli" devices | grep -qE '^gpu:[0-9].*\((discrete|integrated|virtual|other)\)'; }
if ! hardware; then
  found=$(find / \( -path /proc -o -path /sys -o -path "$here" \) -prune -o -path '*/vulkan/icd.d/*.json' -print 2>/dev/null | paste -sd: -)
  [[ -z $found ]] || export VK_DRIVER_FILES=$found VK_ICD_FILENAMES=$found
fi

# json_string FILE: its end as a JSON string.
json_string() {
  tail -c 4000 "$1" | tr -d '\000-\010\013-\037\177-\377' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' | awk '
    { printf "%s%s", (NR > 1 ? "\\n" : "\""), $0 } END { printf "%s\"", (NR ? "" : "\"") }'
}

# part NAME COMMAND...: runs it until the limit; its standard output is the part's result, if that is JSON.
part() {
  local name=$1 begin=$SECONDS status=0 left=$((deadline - SECONDS)) result=null
  shift
  if ((left < 5)); then
    parts+=("{\"part\": \"$name\", \"status\": null, \"why\": \"no time was left\"}")
    return
  fi
  echo "== $command: $name" | tee -a "$output/log.txt" >&2
  ours timeout --kill-after=5 "$left" "$@" >"$work/out" 2>"$work/err" || status=$?
  cat "$work/err" >>"$output/log.txt"
  if [[ $(head -c 1 "$work/out") == "{" ]] && ((status < 124)); then
    result=$(cat "$work/out")
  else
    cat "$work/out" >>"$work/err"
    cat "$work/out" >>"$output/log.txt"
  fi
  ((status == 0)) || failed=1
  parts+=("{\"part\": \"$name\", \"status\": $status, \"seconds\": $((SECONDS - begin)),
  \"said\": $(json_string "$work/err"), \"result\": $result}")
  write_result
}

write_result() {
  {
    printf '{"schema": "webnn-gpu/1", "command": "%s", "version": "%s",\n"devices": %s,\n"parts": [' \
      "$command" "${version%%$'\n'*}" "$devices"
    local i
    for ((i = 0; i < ${#parts[@]}; ++i)); do printf '%s\n%s' "$( ((i > 0)) && echo ,)" "${parts[i]}"; done
    printf ']}\n'
  } >"$output/$command.json"
}

cli() { part "$1" "$here/bin/webnn-cli" "${@:2}"; }
jobs=$(nproc)

models() { find "$here/source/models/digits" "$here/corpus/models" "$here/models" -mindepth 1 -maxdepth 2 -name '*.json' ! -name '*.manifest.json' 2>/dev/null | sort; }
# generate NAME...: networks that are too large for the archive.
generate() {
  local name only=()
  for name in "$@"; do [[ -f $work/models/$name.json ]] || only+=(--only "$name"); done
  ((${#only[@]} == 0)) || ours "$here/bin/generate-models" --out "$work/models" "${only[@]}" >/dev/null
}

# vectors OPTION...: all that has expected results.
vectors() {
  local suite
  for suite in "$here/corpus/wpt" "$here/source/tests/operators" "$here/source/models/digits" "$here"/corpus/models/*/; do
    [[ ! -d $suite || $suite == */onnx/ ]] || cli "test ${suite#"$here"/}" test "$suite" --device "$device" --jobs "$jobs" --output-format json "$@"
  done
}

run_devices() {
  cli devices devices --output-format json
  cli version version --output-format json
}
run_conformance() { vectors; }
run_validation() {
  export VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
  vectors --gpu-validation
  part "tests of the GPU" "$here/source/scripts/run-tests.sh" "$here/bin/webnn-tests" \
    -tc='vulkan*,kernel rows: every kernel of the GPU*,random graphs: the GPU,onnx backend tests: each passes on a GPU*'
  unset VK_LAYER_ENABLES
}
run_compare() {
  local model tolerance networks=(mobilenet_v2 resnet50 minilm_l6 lstm gru squeezenet1.1_half feed_forward_int4 mobilenet_v2_int8)
  generate "${networks[@]}"
  while read -r model; do
    # A byte that is rounded the other way where it lies halfway changes all bytes behind it.
    tolerance=()
    [[ $model != *int8.json ]] || tolerance=(--tol cos=0.99)
    cli "compare ${model##*/}" compare "$model" --devices "cpu,$device" --fill random --output-format json "${tolerance[@]}"
  done < <(models; printf "$work/models/%s.json\n" "${networks[@]}")
}
run_benchmark() {
  local batch half name networks=()
  for batch in 1 32; do
    for half in "" --half; do
      ours "$here/bin/generate-models" --out "$work/batch$batch$half" --batch "$batch" ${half:+"$half"} \
        --only resnet50 --only mobilenet_v2 >/dev/null
      for name in resnet50 mobilenet_v2; do networks+=("$work/batch$batch$half/$name.json"); done
    done
  done
  generate bert_base minilm_l6 feed_forward_int4 mobilenet_v2_int8
  for name in bert_base minilm_l6 feed_forward_int4 mobilenet_v2_int8; do networks+=("$work/models/$name.json"); done
  part "networks, dispatches" "$here/bin/benchmark-gpu" --device "$device" --output "$output/networks.jsonl" \
    --only dispatches --networks "${networks[@]}"
  # Kernels that are made for CPUs or for what the others do not take would need most of the time.
  part "calls" "$here/bin/benchmark-gpu" --device "$device" --output "$output/benchmark.jsonl" --seconds 0.05 \
    --without "$(printf 'vulkan.%s,' matmul gemm conv2d reduction argReduction cumulativeSum attention softmax \
      layerNormalization transpose).tiled_large_lanes,attention.split"
}
run_tune() {
  local name networks=(mobilenet_v2 resnet50 minilm_l6 bert_base)
  generate "${networks[@]}"
  for name in "${networks[@]}"; do
    cli "tune $name" compile "$work/models/$name.json" --device "$device" --tune fast --tuning "$work/$name.tuning" \
      -o "$work/$name.wnnc"
    [[ ! -f $work/$name.tuning ]] || parts[-1]="${parts[-1]%null\}}$(cat "$work/$name.tuning")}"
    write_result
  done
}
run_torch() {
  local ceilings=()
  [[ ! -f $output/benchmark.jsonl ]] || ceilings=(--ceilings "$output/benchmark.jsonl")
  ours "$here/bin/benchmark-gpu" --list >"$work/calls.jsonl"
  part "torch_reference.py" env -u LD_LIBRARY_PATH python3 "$here/source/benchmarks/torch_reference.py" \
    "$work/calls.jsonl" --seconds 0.05 --output "$output/torch.jsonl" "${ceilings[@]}"
}

failed=0
: >"$output/log.txt"
devices=null
devices=$(ours "$here/bin/webnn-cli" devices --output-format json 2>>"$output/log.txt") || devices=null
for command in "${commands[@]}"; do
  parts=() deadline=$((SECONDS + limit))
  "run_$command"
  write_result
done
exit "$failed"

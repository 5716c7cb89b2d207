#!/bin/bash
# Compares the programs that two builds of webnn-cli make of the same graphs: models in every way to compile that the
# table below has, and COUNT random graphs, each in some of the ways. Programs are the same when their files have the
# same bytes; builds of different versions or formats are compared by all that `inspect` shows. What one build refuses
# the other must refuse with the same message. Differences are printed as they are found and their files are kept; the
# last line is `N passed, N failed`.
# usage: scripts/compare-programs.sh OLD_CLI NEW_CLI [COUNT [SEED]]
set -uo pipefail
if (($# < 2)); then
  sed -n 's/^# usage/usage/p' "$0" >&2
  exit 2
fi
old=$(realpath "$1") new=$(realpath "$2") count=${3:-3000} seed=${4:-0}
tests=$(realpath "${WEBNN_TESTS:-$(dirname "$new")/webnn-tests}")
if [[ ! -x $tests ]]; then
  echo "no $tests; WEBNN_TESTS=PROGRAM names the program that writes random graphs" >&2
  exit 2
fi
cd "$(dirname "$0")/.." || exit 1
corpus=$(realpath -m "${WEBNN_CORPUS:-../shared}")

readonly ways=(
  '-O 2' '-O 0' '-O 1' '-O 3'
  '--isa baseline' '--isa avx2' '--isa avx512' '--isa amx' '--isa baseline -O 0' '--isa avx2 -O 3'
  '--target x86-64-v2' '--target x86-64-v3' '--target x86-64-v4' '--target amx' '--target amx -O 1'
  '--kernels reference' '--kernels onednn' '--kernels xnnpack' '--kernels simd'
  '--kernels onednn --isa avx2' '--kernels xnnpack --isa baseline' '--kernels simd --target x86-64-v3'
  '--device gpu' '--device gpu -O 0' '--device gpu --fallback op' '--device gpu --fallback op -O 3'
  '--device gpu --fallback op --isa baseline'
)
readonly ways_per_graph=4    # of a random graph; its seed says which
readonly portion=50          # random graphs of a process
readonly time_limit=300      # seconds for one compilation
readonly most_differences=20 # that are printed and kept
readonly most_lines=16       # of a difference that are printed

# A way that this machine cannot go, say a GPU where none is, tells nothing.
usable=()
for way in "${ways[@]}"; do
  # shellcheck disable=SC2086  # a way is several words
  if message=$("$old" compile models/digits/digits.json $way --no-cache -o - 2>&1 >/dev/null); then
    usable+=("$way")
  else
    echo "left out: $way: ${message%%$'\n'*}"
  fi
done
mapfile -t models < <(find "$PWD/models" "$corpus/models" "$PWD/build/models" -type f \
  '(' -name '*.onnx' -o -name '*.webnn' -o -name '*.wnnb' -o -name '*.json' ! -name '*.manifest.json' ')' 2>/dev/null | sort)

work=$(mktemp -d)
kept=$(mktemp -d -t compare-programs.XXXXXX)
trap 'rm -rf "$work"; rmdir "$kept" 2>/dev/null' EXIT
"$old" compile models/digits/digits.json --no-cache -o - >"$work/old.wnnc" || exit 1
by_bytes=no
if [[ $("$old" --version) == "$("$new" --version)" ]] && "$new" inspect "$work/old.wnnc" >/dev/null 2>&1; then
  by_bytes=yes
else
  echo "the builds have different versions or formats: programs are compared by what \`inspect\` shows"
fi

# What `inspect` says of a program, without what tells builds apart.
shown() {
  { "$1" inspect "$2" && "$1" inspect "$2" --output-format json; } 2>&1 |
    sed -E '1d; /^made by /d; /^  "(toolVersion|bytes)":/d'
}
# Says what differs and keeps the first ones: the files of the current folder, and the graph if nobody else has it.
keep() {
  local graph=$1 way=$2 n
  for ((n = 1; n <= most_differences; ++n)); do
    mkdir "$kept/$n" 2>/dev/null || continue
    cp -- * "$kept/$n" 2>/dev/null  # without folders
    if [[ $graph == "$work"/* ]]; then
      cp "$graph" "$kept/$n"
      graph=$kept/$n/${graph##*/}
    fi
    {
      echo "differs: compile $graph $way  (programs in $kept/$n)"
      head -n "$most_lines" differences | cut -c 1-200 | sed 's/^/    /'
    } | tee "$kept/$n/summary"
    return
  done
  echo "differs: compile ${graph##*/} $way"
}
# Prints the verdict, and before it what differs.
compare() {
  local graph=$1 way=$2 old_status new_status
  # shellcheck disable=SC2086
  timeout "$time_limit" "$old" compile "$graph" $way --no-cache -o - >old.wnnc 2>old.err
  old_status=$?
  # shellcheck disable=SC2086
  timeout "$time_limit" "$new" compile "$graph" $way --no-cache -o - >new.wnnc 2>new.err
  new_status=$?
  if ((old_status != new_status)); then
    echo "exit status $old_status, then $new_status" >differences
    diff -U 1 --label old --label new old.err new.err >>differences
  elif ((old_status != 0)); then
    if diff -U 1 --label old --label new old.err new.err >differences && ((old_status < 64)); then
      echo refused
      return
    fi
    [[ -s differences ]] || echo "both end with status $old_status" >differences
  elif cmp -s old.wnnc new.wnnc; then
    echo same
    return
  else
    shown "$old" old.wnnc >old.txt
    shown "$new" new.wnnc >new.txt
    if diff -U 1 --label old --label new old.txt new.txt >differences; then
      if [[ $by_bytes == no ]]; then
        echo same
        return
      fi
      echo "inspect shows the same, but the bytes differ: attributes, or layouts between steps" >differences
    fi
  fi
  keep "$graph" "$way"
  echo different
}
# Prints the tuning file in which every call takes the last of its candidates, which is rarely the default. Measuring
# costs seconds, but what it prefers is chance.
other_choices() {
  "$old" compile "$1" --no-cache --tune fast --tuning measured.json --output tuned.wnnc >/dev/null 2>&1 || return
  awk -F '"' '
    /^   "use": \{/ { skipping = 1 }
    !skipping && !/^   \]$/ { print }
    skipping && /^   \}/ { skipping = 0 }
    $2 == "kernel" { kernel = $4 }
    $2 == "layout" { layout = $4 == "channels_last" ? "channelsLast" : "rowMajor" }
    /^   \]$/ { printf "   ],\n   \"use\": {\"%s\": \"%s\"}\n", layout, kernel }' measured.json
}
# Compares the programs of `model PATH`, or of random graphs: `COUNT SEED`.
run_portion() {
  local count=${1%% *} first=${1#* } folder usable s i
  mapfile -t usable <<<"$usable_ways"
  folder=$(mktemp -d -p "$work") && cd "$folder" || return
  if [[ $count == model ]]; then
    for way in "${usable[@]}"; do compare "$first" "$way"; done
    other_choices "$first" >tuning.json
    compare "$first" '--tuning tuning.json'
  else
    "$tests" --random-graphs "$count" --seed "$first" --write-graphs "$folder/graphs" || return
    for ((s = first; s < first + count; ++s)); do
      for ((i = 0; i < ways_per_graph; ++i)); do
        compare "$folder/graphs/$s.wnnb" "${usable[(s * ways_per_graph + i) % ${#usable[@]}]}"
      done
    done
  fi
  rm -rf "$folder"
}

usable_ways=$(printf '%s\n' "${usable[@]}")
export -f shown keep compare other_choices run_portion
export old new tests work kept by_bytes usable_ways ways_per_graph time_limit most_differences most_lines

readonly model_ways=$((${#usable[@]} + 1))
echo "${#models[@]} models in $model_ways ways, $count random graphs in $ways_per_graph ways each, seeds from $seed"
{
  printf 'model %s\n' "${models[@]}"
  for ((first = 0; first < count; first += portion)); do
    echo $((count - first < portion ? count - first : portion)) $((seed + first))
  done
} | xargs -P "$(nproc)" -d '\n' -n 1 bash -c 'run_portion "$@"' _ |
  awk -v expected=$((${#models[@]} * model_ways + count * ways_per_graph)) -v kept="$kept" '
    $0 == "same" || $0 == "refused" || $0 == "different" { ++verdicts[$0]; next }
    { print; fflush() }
    END {
      passed = verdicts["same"] + verdicts["refused"]
      failed = expected - passed
      missing = failed - verdicts["different"]
      if (missing > 0) print missing " programs were not compared"
      if (verdicts["different"] > 0) print verdicts["different"] " programs differ; the files of the first ones are in " kept
      print verdicts["same"] + 0 " programs are the same, " verdicts["refused"] + 0 " graphs are refused by both"
      print passed + 0 " passed, " failed + 0 " failed"
      exit failed > 0
    }'

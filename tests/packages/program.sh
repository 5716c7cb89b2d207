#!/bin/bash
# Uses an installed webnn-cli as its first user does: reads the handwritten 7, with the kernels of each library that it
# was linked with, from each kind of file, in the sandbox, and pictures. Needs bash, grep and coreutils alone.
# usage: tests/packages/program.sh PROGRAM      the path of the program; prints `N passed, N failed`
# Functions are called by `check`.
# shellcheck disable=SC2317
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
cli=$1
. tests/packages/check.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME=$scratch/cache

# reads_7 MODEL OPTION...
reads_7() {
  "$cli" run "$1" --input image=@models/digits/digits.input.image.npy --labels models/digits/labels.txt --top 1 \
    "${@:2}" | grep -E '^ *0\.9999 +7 +seven$'
}
# mean_is NUMBER PICTURE
mean_is() {
  cat >"$scratch/mean.json" <<'END'
{"format": "webnn-graph-json", "version": 2, "consts": {}, "outputs": {"y": "y"},
 "inputs": {"x": {"dataType": "float32", "shape": [1, 3, 4, 4]}},
 "nodes": [{"id": "y", "op": "reduceMean", "inputs": ["x"], "options": {}}]}
END
  "$cli" run "$scratch/mean.json" --image "x=@tests/fuzz/seeds/picture/$2,size:4x4" | grep "mean $1[^0-9]"
}
is_version() {
  [[ $("$cli" --version) == "webnn-cli $(sed -n 's/^project(webnn VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"* ]]
}
runs_compiled() {
  "$cli" compile models/digits/digits.json -o "$scratch/digits.wnnc" && reads_7 "$scratch/digits.wnnc"
}

check "its version" is_version
check "a 7" reads_7 models/digits/digits.json
check "a 7 from ONNX" reads_7 models/onnx/digits.onnx
check "a 7 from a program" runs_compiled
check "a 7 in the sandbox" reads_7 models/digits/digits.json --sandbox
for provider in onednn xnnpack simd reference; do
  check "the expected probabilities by $provider" "$cli" test models/digits --kernels $provider
done
check "a PNG" mean_is 6.5 rgb.png
check "a JPEG" mean_is 130.104 rgb.jpg
finish

#!/bin/bash
# Unpacks the npm packages in FOLDER as npm does, in an empty folder, and runs a program there: without a compiler, without
# a network, and with no library of ours from the system.
#   tests/bindings/installed.sh FOLDER
set -euo pipefail
packages=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in "$packages"/webnn-*.tgz; do
  if tar xzOf "$package" package/package.json | grep ependencies >&2; then exit 1; fi  # npm asks a registry for them
  name=$(tar xzOf "$package" package/package.json | sed -n 's/^  "name": "\(.*\)",$/\1/p')
  mkdir -p "node_modules/$name"
  tar xzf "$package" --directory "node_modules/$name" --strip-components=1
done
cat >program.mjs <<'END'
import {ml, MLGraphBuilder} from "webnn";
import "webnn/global";
import fs from "node:fs";
const context = await navigator.ml.createContext(), builder = new MLGraphBuilder(context);
const pair = {dataType: "float32", shape: [2]};
const graph = await builder.build({y: builder.relu(builder.constant(pair, new Float32Array([-1, 2])))});
const y = await context.createTensor({...pair, readable: true});
context.dispatch(graph, {}, {y});
const ours = [...new Set(fs.readFileSync("/proc/self/maps", "utf8").match(/\/\S*(webnn\.node|libdnnl|libXNNPACK|libgomp)\S*/g))];
console.log(ml === navigator.ml, ...new Float32Array(await context.readTensor(y)),
            ours.length >= 3 && ours.every((library) => library.includes("node_modules")));
END
result=$(env -u WEBNN_ADDON node program.mjs)
[[ $result == "true 0 2 true" ]] || { echo "$result" >&2 && exit 1; }

# The examples of the package work where it lies.
answer=$(env -u WEBNN_ADDON node node_modules/webnn/examples/classify_image.mjs)
[[ $answer =~ ^"a 7, with a probability of "(0\.9[0-9]+|1\.0+)$ ]] || { echo "$answer" >&2 && exit 1; }

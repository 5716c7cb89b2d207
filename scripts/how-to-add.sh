#!/bin/bash
# Checks README's "How to add": adds an elementwise operator, another operator, a command, a graph format, a kernel, a GPU
# kernel, a device and an instruction set to a copy of the sources, each on its own commit. Compares how many files that
# creates and changes with the README's numbers, builds the copy, runs all of its tests with the operators, and uses all
# eight. The copy is of HEAD.
# usage: scripts/how-to-add.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
if [[ -z ${WEBNN_CORPUS:-} && -d $root/../shared ]]; then
  WEBNN_CORPUS=$(cd "$root/../shared" && pwd)
  export WEBNN_CORPUS
fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone --quiet "$root" "$copy/webnn"
cd "$copy/webnn"
git config user.name example
git config user.email example@localhost

failed=0
passed=0
verdict() {  # verdict NAME STATUS
  if [[ $2 == 0 ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1"
    return 1
  fi
}

# Commits what was added and compares it with the row of README's table that begins with this name: `| NAME | N + N |`.
# The first number counts new files, the second changed ones.
count_files() {
  git add -A
  local added changed wanted
  added=$(git diff --cached --name-only --diff-filter=A | wc -l)
  changed=$(git diff --cached --name-only --diff-filter=M | wc -l)
  wanted=$(grep -E "^\| $1 \|" README.md | head -n 1 | cut -d'|' -f3 | tr -d ' ')
  git commit --quiet -m "Add $1"
  echo "$1: $added + $changed files, README: $wanted"
  [[ $wanted == "$added+$changed" ]]
  verdict "the number of files of $1" $?
}

# take_edited FILE PATTERN: replaces the file by its edited copy, which must differ.
take_edited() {
  cmp -s "$1" "$copy/edited" && { echo "$1 has no line like $2"; exit 1; }
  cp "$copy/edited" "$1"
}

# change FILE SED-EXPRESSION
change() {
  sed "$2" "$1" >"$copy/edited"
  take_edited "$1" "$2"
}

# insert_before FILE PATTERN LINES: before the first line that matches.
insert_before() {
  line=$3 awk -v pattern="$2" '!done && $0 ~ pattern { print ENVIRON["line"]; done = 1 } { print }' "$1" >"$copy/edited"
  take_edited "$1" "$2"
}

insert_before schema/operators/elementwise.def '^UNARY[(]abs,' \
  'UNARY(example, "example", unary_op(FLOAT), ulp(1), none, exact, none, wide, "", x + 41.0)'
insert_before runtime/cpu/reference/unary.cpp '^ *[{]"abs"_op, [[][]][(]double' \
  '    {"example"_op, [](double x, Coefficients) { return x + 41; }},'
cat >tests/operators/example.json <<'END'
{"tests":[
{"name":"example: adds 41","tolerance":{"metricType":"ULP","value":0},"graph":{"inputs":{"input":{"data":[1,-41],"descriptor":{"shape":[2],"dataType":"float32"}}},"operators":[{"name":"example","arguments":[{"input":"input"}],"outputs":"output"}],"expectedOutputs":{"output":{"data":[42,0],"descriptor":{"shape":[2],"dataType":"float32"}}}}}
]}
END
set +e
count_files "an elementwise operator"

insert_before schema/operators/operator_table.hpp '^ *"identity", "reshape"' '    "mirror",'
insert_before schema/operators/operator_table.cpp '^ *op[(]"identity"' \
  "    op(\"mirror\", movement, infer_same, {in(\"input\", ANY, 'T', 1)}, {out('T')}),"
insert_before runtime/cpu/reference/movement.cpp '^constexpr CpuKernel movement_list' \
  'Kernel prepare_mirror(const KernelSpec& spec, Constants) {
  const OperandDescriptor& result = spec.outputs[0];
  Strides source = row_major_strides(result.shape);
  const unsigned last = result.shape.rank() - 1;
  source[last] = -1;
  return prepare_gathering_copy(result.type, result.shape, source, result.shape[last] - 1);
}
'
insert_before runtime/cpu/reference/movement.cpp '^ *[{][.]row = [{][.]name = "concat"' \
  '    {.row = {.name = "mirror", .op = "mirror"}, .prepare = prepare_mirror},'
insert_before runtime/vulkan/kernels/movement.cpp '^constexpr GpuKernel movement_list' \
  'Dispatches dispatch_mirror(const KernelSpec& spec) {
  const Shape& shape = spec.outputs[0].shape;
  Walk walk = walk_over(shape, row_major_strides(shape));
  walk.source[shape.rank() - 1] = -1;
  walk.source_start = shape[shape.rank() - 1] - 1;
  return dispatch(spec, walk);
}
'
insert_before runtime/vulkan/kernels/movement.cpp '^ *[{][.]row = [{][.]name = "concat"' \
  '    {.row = {.name = "mirror", .op = "mirror"}, .dispatches = dispatch_mirror},'
cat >tests/operators/mirror.json <<'END'
{"tests":[
{"name":"mirror: the last axis","tolerance":{"metricType":"ULP","value":0},"graph":{"inputs":{"input":{"data":[1,2,3,4,5,6],"descriptor":{"shape":[2,3],"dataType":"int8"}}},"operators":[{"name":"mirror","arguments":[{"input":"input"}],"outputs":"output"}],"expectedOutputs":{"output":{"data":[3,2,1,6,5,4],"descriptor":{"shape":[2,3],"dataType":"int8"}}}}}
]}
END
count_files "another operator"

build() {  # build TARGET
  cmake --preset release >/dev/null && cmake --build --preset release --target "$1" >"$copy/build.log" 2>&1
  verdict "the copy builds" $? && return
  tail -n 30 "$copy/build.log"
  return 1
}

# Nothing else is new when all tests run.
cli=build/release/bin/webnn-cli
if build webnn-tests; then
  build/release/bin/webnn-tests --bless -tc='operator methods*' >/dev/null
  wanted=" M api/operator_methods.cpp"$'\n'" M api/operator_methods.hpp"
  addon=$PWD/build/release/node/webnn.node
  if [[ -f $addon ]]; then  # where Node's headers are installed
    WEBNN_ADDON=$addon node bindings/node/types.mjs bindings/node/lib
    wanted+=$'\n'" M bindings/node/lib/index.d.ts"
  fi
  python=/usr/bin/python3
  if PYTHONPATH=build/release/python $python bindings/python/stubs/write.py >"$copy/stubs" 2>/dev/null; then
    cp "$copy/stubs" bindings/python/webnn/__init__.pyi
    wanted+=$'\n'" M bindings/python/webnn/__init__.pyi"
  fi
  git status --porcelain >"$copy/generated"
  [[ $(<"$copy/generated") == "$wanted" ]]
  verdict "the generated files are the methods of the interface and their types" $? || cat "$copy/generated"
  git commit --quiet --all -m "Write generated files"
fi
if build webnn-tests; then
  scripts/run-tests.sh build/release/bin/webnn-tests >"$copy/tested"
  verdict "the copy passes all tests with the operators" $? || cat "$copy/tested"
  devices=cpu
  $cli devices | grep -q '^gpu' && devices+=" gpu"
  for device in $devices; do
    for operator in example mirror; do
      WEBNN_CLI_NO_CACHE=1 $cli test tests/operators/$operator.json --device "$device" >"$copy/tested" 2>&1
      verdict "the operator $operator passes its case on the $device" $? || cat "$copy/tested"
    done
  done
fi

cat >cli/commands/example.cpp <<'END'
// `webnn-cli example`: says what it is.
#include "cli/command.hpp"

namespace webnn::cli {

Action declare_example(OptionList&) {
  return [](Console& console) {
    console.out << "this is the example\n";
    return schema::ExitCode::success;
  };
}

}  // namespace webnn::cli
END
echo 'COMMAND(example, "say what it is", "webnn-cli example")' >>cli/commands.def
count_files "a command"

cat >compiler/frontend/example_format.cpp <<'END'
// The example format: a line that says so, then the text form.
#include "compiler/frontend/format.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/text/text_reader.hpp"
#include "compiler/frontend/text/text_writer.hpp"

namespace webnn::compiler {
namespace {

constexpr std::string_view example_line = "example\n";
constexpr WeightsPlace example_weights[] = {WeightsPlace::in_graph};

bool begins_as_example(std::string_view content) { return content.starts_with(example_line); }

std::optional<Graph> read_example(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) {
  return read_text_graph(text_of(file).substr(example_line.size()), options, diagnostics);
}

WrittenGraph write_example(const Graph& graph, const WriteOptions& options) {
  const WeightsKeys keys = weights_keys(graph, WeightsStyle::inline_bytes);
  std::string text = write_text_graph(graph, keys, options.rename, options.filled).text;
  return {{whole_file(options.file, std::string(example_line) + std::move(text))}, {}};
}

}  // namespace

constinit const Format example_format{.name = "example",
                                      .suffix = ".example",
                                      .begins = begins_as_example,
                                      .read = read_example,
                                      .write = write_example,
                                      .weights = example_weights};

}  // namespace webnn::compiler
END
insert_before compiler/frontend/formats.def '^FORMAT\(program\)' 'FORMAT(example)'
count_files "a graph format"

cat >runtime/cpu/simd/elementwise/example_kernel.cpp <<'END'
// relu, one element after another.
#include <cstddef>

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime::simd {

Kernel prepare_example_kernel(const KernelSpec& spec, Constants) {
  const std::size_t count = element_count(spec.outputs[0].shape);
  return {[=](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const float*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<float*>(arguments.outputs[0]);
    for (std::size_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  }};
}

constexpr CpuKernel example_kernel_list[] = {
    {.row = {.name = "example", .op = "relu", .types = {DataType::float32}, .in_place = 0b01, .factor = 0.5},
     .prepare = prepare_example_kernel},
};
extern constexpr CpuKernels example_kernel_kernels(example_kernel_list);

}  // namespace webnn::runtime::simd
END
insert_before runtime/cpu/simd/kernels.def '^KERNELS' 'KERNELS(example_kernel)'
count_files "a kernel"

cat >runtime/vulkan/kernels/example_kernel.cpp <<'END'
// relu, one invocation for each element.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {

Dispatches dispatch_example(const KernelSpec& spec) {
  const std::size_t count = element_count(spec.outputs[0].shape);
  return DispatchMaker(shaders::example(), {}).input(spec, 0).output(spec).word(count).over(count);
}

constexpr GpuKernel example_kernel_list[] = {
    {.row = {.name = "example", .op = "relu", .types = {DataType::float32}, .in_place = 0b01, .factor = 0.5},
     .dispatches = dispatch_example},
};
extern constexpr GpuKernels example_kernel_kernels(example_kernel_list);

}  // namespace webnn::runtime::vulkan
END
cat >runtime/vulkan/shaders/elementwise/example.comp <<'END'
// relu of float32.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common/extensions.glsl"

struct Table {
  uint64_t x, y;
  uint count;
};
#include "common/elements.glsl"

void main() {
  const uint i = invocation_index();
  if (i >= table.count) return;
  const float x = load_real(table.x, FLOAT32, i);
  store_real(table.y, FLOAT32, i, x < 0.0 ? 0.0 : x);
}
END
insert_before runtime/vulkan/kernels/kernels.def '^KERNELS' 'KERNELS(example_kernel)'
insert_before runtime/vulkan/shaders.def '^SHADER' 'SHADER(example, elementwise/example,)'
count_files "a GPU kernel"

mkdir runtime/example
cat >runtime/example/CMakeLists.txt <<'END'
webnn_library(webnn_example FOLDER runtime LINK webnn_runtime PRIVATE_LINK webnn_cpu)
END
cat >runtime/example/example_device.hpp <<'END'
// A device that computes one element after another.
#pragma once

#include <memory>
#include <vector>

#include "runtime/device.hpp"

namespace webnn::runtime {

std::vector<const KernelRow*> example_kernel_rows();
std::unique_ptr<Device> open_example_device();

}  // namespace webnn::runtime
END
cat >runtime/example/example_device.cpp <<'END'
#include "runtime/example/example_device.hpp"

#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"

namespace webnn::runtime {
namespace {

/// The reference kernels.
const CpuKernelList& example_kernels() {
  static const CpuKernelList kernels = [] {
    CpuKernelList list;
    for (ListedCpuKernel kernel : cpu_kernels()) {
      if (kernel.row.provider() != "reference") continue;
      kernel.row.device = DeviceKind::example;
      list.add({"example", kernel.row.name.substr(kernel.row.name.find('.') + 1)}, std::move(kernel));
    }
    return list;
  }();
  return kernels;
}

class ExampleDevice final : public CpuDevice {
 public:
  ExampleDevice() : CpuDevice(Feature::none) { set_target({DeviceKind::example, Feature::none}); }

  bool can_run(KernelId id, const KernelSpec&) const override { return example_kernels().find(id) != nullptr; }
  Kernel make_kernel(KernelId id, const KernelSpec& spec,
                     std::span<const std::span<const std::byte>> constants) override {
    check_kernel(*this, id, spec);
    return example_kernels().find(id)->prepare(spec, constants);
  }
};

}  // namespace

std::vector<const KernelRow*> example_kernel_rows() {
  std::vector<const KernelRow*> rows;
  for (const ListedCpuKernel& kernel : example_kernels()) rows.push_back(&kernel.row);
  return rows;
}

std::unique_ptr<Device> open_example_device() { return std::make_unique<ExampleDevice>(); }

}  // namespace webnn::runtime
END
change runtime/CMakeLists.txt 's/^set[(]devices cpu[)]/set(devices cpu example)/'
change schema/kernels/target.hpp 's/ vulkan };/ vulkan, example };/'
change schema/kernels/target.hpp '/^ *[{]"vulkan", "gpu", "GPU"/a\    {"example", "example", "example", false},'
insert_before api/device_table.cpp '^#include "runtime/vulkan/gpu.hpp"' '#include "runtime/example/example_device.hpp"'
insert_before api/device_table.cpp '^constexpr DeviceRow rows' \
  'std::unique_ptr<runtime::Device> open_example(const DeviceName&, const ContextOptions&) {
  return runtime::open_example_device();
}
'
insert_before api/device_table.cpp '^ *[{]DeviceKind::vulkan' \
  '    {DeviceKind::example, runtime::example_kernel_rows, open_example},'
count_files "a device"

processor=$(uname -m)
if [[ $processor == x86_64 ]]; then
  insert_before runtime/cpu/simd/isa.hpp '^ *ISA[(]avx512, AVX3' '  ISA(example, SSE4, Feature::none, 16, 3, __VA_ARGS__) \'
  count_files "an instruction set"
fi

export WEBNN_CLI_NO_CACHE=1
if build webnn-cli; then
  $cli example | grep -q "this is the example" && $cli --help | grep -q "say what it is" &&
    $cli completion bash | grep -qw example
  verdict "the command runs, and help and completions list it" $?

  mkdir "$copy/graphs"
  cat >"$copy/graphs/graph.json" <<'END'
{
  "format": "webnn-graph-json", "version": 2, "name": "example",
  "inputs": {"x": {"dataType": "float32", "shape": [3]}},
  "consts": {},
  "nodes": [{"id": "y", "op": "relu", "inputs": ["x"], "options": {}, "outputs": ["y"]}],
  "outputs": {"y": "y"}
}
END
  $cli convert "$copy/graphs/graph.json" -o "$copy/graphs/graph.example" 2>/dev/null &&
    $cli validate "$copy/graphs" 2>/dev/null | grep -q "graph.example: valid" &&
    $cli run "$copy/graphs/graph.example" --input 'x=[-1,0,7]' --values | grep -qw 7
  verdict "the format is written, found by its suffix, and read" $?
  $cli compile "$copy/graphs/graph.example" --stats 2>&1 | grep -q simd.example
  verdict "the kernel is chosen" $?
  if [[ $processor == x86_64 ]]; then
    $cli ops softmax | grep -q simd.softmax.example &&
      $cli test tests/operators/softmax.json --filter '*float32*' --kernels simd --isa baseline >"$copy/tested" 2>&1
    verdict "softmax has a row for the instruction set and passes its cases on it" $? || cat "$copy/tested"
  fi
  $cli test tests/operators --device example >"$copy/tested" 2>&1
  verdict "the device passes all cases of operators" $? || cat "$copy/tested"
  $cli compile "$copy/graphs/graph.example" --device example -o "$copy/graphs/graph.wnnc" 2>/dev/null &&
    $cli run "$copy/graphs/graph.wnnc" --input 'x=[-1,0,7]' --values 2>/dev/null | grep -qw 7
  verdict "a program for the device runs there" $?
  if $cli devices | grep -q '^gpu'; then
    $cli compile "$copy/graphs/graph.example" --device gpu --stats 2>&1 | grep -q vulkan.example &&
      $cli run "$copy/graphs/graph.example" --device gpu --input 'x=[-1,0,7]' --values | grep -qw 7
    verdict "the GPU kernel is chosen and runs" $?
  fi
fi
echo "$passed passed, $failed failed"
exit $((failed > 0))

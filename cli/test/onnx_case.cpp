#include "cli/test/onnx_case.hpp"

#include <algorithm>

#include "api/runner/model.hpp"
#include "cli/test/constant_operands.hpp"
#include "cli/test/run_case.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "compiler/onnx/import/dimension_names.hpp"
#include "compiler/onnx/reader/onnx_model_reader.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::NamedTensor;
using compiler::OnnxModel;
using compiler::OnnxTensor;
namespace fs = std::filesystem;

/// The suite's own.
constexpr Tolerance onnx_tolerance{0, 1e-7, 1e-3};

/// KIND_0.pb, KIND_1.pb, ... up to the first that is not there.
std::vector<OnnxTensor> read_data_set(const fs::path& suite, const fs::path& folder, const std::string& kind,
                                      const CaseOptions& options) {
  std::vector<OnnxTensor> tensors;
  const bool rounds = load_options(options.limits).double_as_float32;
  for (std::size_t i = 0;; ++i) {
    const fs::path file = folder / (kind + "_" + std::to_string(i) + ".pb");
    if (std::error_code error; !fs::exists(file, error) && !error) return tensors;
    compiler::OnnxTensorReader reader(folder, rounds);
    const Bytes bytes = compiler::map_file(compiler::FileName::found(suite, file), options.limits.max_tensor_bytes);
    tensors.push_back(reader.read(compiler::WireMessage(bytes)));
  }
}

/// The tensor as WebNN has it. Throws Error for one that WebNN has not.
NamedTensor named_tensor(const std::string& name, const OnnxTensor& tensor) {
  const auto type = compiler::data_type_of(tensor.type);
  if (!tensor.problem.empty() || !type)
    throw Error(ExitCode::unsupported,
                "WebNN has no tensor like " + in_quotes(name) + ": " +
                    (tensor.problem.empty() ? compiler::name_of_type(tensor.type) : tensor.problem));
  NamedTensor result{name, {{*type, {}}, tensor.data}};
  for (const std::int64_t size : tensor.dims) {
    if (size < 1 || size > max_dimension || result.tensor.descriptor.shape.rank() == max_rank)
      throw Error(ExitCode::unsupported, "WebNN has no tensor with the shape of " + in_quotes(name));
    result.tensor.descriptor.shape.push_back(std::uint32_t(size));
  }
  return result;
}

/// `suite`: the folder that the user named; the others are in it.
CaseOutcome run_onnx_case(const fs::path& suite, const fs::path& test, const fs::path& data,
                          const CaseOptions& options) {
  const AccountScope account(options.compile.max_memory);
  api::Source source = open_source(compiler::FileName::found(suite, test / "model.onnx"), options.limits);
  compiler::LoadOptions loading = load_options(options.limits);
  loading.max_work = options.compile.max_work;
  compiler::OnnxTensorReader reader(source.base_directory, loading.double_as_float32);
  const OnnxModel onnx = compiler::read_onnx_model(source.content, reader);
  const std::vector<OnnxTensor> given = read_data_set(suite, data, "input", options);
  const std::vector<OnnxTensor> expected = read_data_set(suite, data, "output", options);
  if (expected.empty() || expected.size() > onnx.outputs.size()) return failed("its data are not those of its outputs");
  if (given.size() > onnx.inputs.size()) return failed("it has more data than inputs");

  const std::vector<std::string> constants = constant_operands(onnx);
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& name = onnx.inputs[i].name;
    const bool is_empty = std::ranges::find(given[i].dims, 0) != given[i].dims.end();
    if (is_empty || std::ranges::find(constants, name) != constants.end())
      loading.constant_inputs.push_back({name, {}, [tensor = given[i]](const OperandDescriptor& descriptor) {
                                           const bool fits = compiler::data_type_of(tensor.type) == descriptor.type;
                                           return fits ? tensor.data : Bytes();
                                         }});
    for (const auto& [dimension, size] : compiler::open_dimensions(onnx.inputs[i], given[i].dims))
      if (std::ranges::find(dimensions, dimension, &std::pair<std::string, std::uint32_t>::first) == dimensions.end())
        dimensions.emplace_back(dimension, size);
  }
  loading.dimensions = std::move(dimensions);
  api::Model model(std::move(source), std::move(loading));
  Diagnostics diagnostics;
  if (!model.read(diagnostics)) return failed("refused: " + render(diagnostics));
  const compiler::Graph graph = model.take_graph();
  std::vector<NamedTensor> inputs, outputs;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (const auto id = graph.find_value(onnx.inputs[i].name); id.valid() && !graph.is_constant(id))
      inputs.push_back(named_tensor(onnx.inputs[i].name, given[i]));
  for (std::size_t i = 0; i < expected.size(); ++i) outputs.push_back(named_tensor(onnx.outputs[i].name, expected[i]));
  return run_graph(graph, inputs, outputs, onnx_tolerance, options);
}

}  // namespace

void add_onnx_cases(std::vector<TestCase>& cases, const fs::path& folder, const CaseOptions& options) {
  std::vector<fs::path> sets;
  std::error_code error;  // a link that leads nowhere is no test
  const auto add_sets_of = [&](const fs::path& test) {
    for (const fs::directory_entry& entry : fs::directory_iterator(test))
      if (entry.is_directory(error) && entry.path().filename().string().starts_with("test_data_set_"))
        sets.push_back(entry.path());
  };
  if (!fs::is_directory(folder))
    throw Error(ExitCode::usage, in_quotes(folder.string()) + " is no folder of ONNX tests");
  if (fs::exists(folder / "model.onnx", error)) add_sets_of(folder);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_directory(error) && fs::exists(entry.path() / "model.onnx", error)) add_sets_of(entry.path());
  if (sets.empty())
    throw Error(ExitCode::invalid_input, in_quotes(folder.string()) + " holds no ONNX tests",
                "such a test is a folder with model.onnx and test_data_set_0");
  std::ranges::sort(sets);
  for (const fs::path& data : sets) {
    const fs::path test = data.parent_path();
    std::string name = test.filename().string();
    if (!data.string().ends_with("_0")) name += " " + data.filename().string();
    cases.push_back({test.parent_path().filename().string(), std::move(name), guarded([folder, test, data, options] {
                       try {
                         return run_onnx_case(folder, test, data, options);
                       } catch (const compiler::WireDamage& damage) {
                         return failed("a file cannot be read: " + damage.message);
                       }
                     })});
  }
}

}  // namespace webnn::cli

#include "cli/programs/open_model.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/inputs/input_spec.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/similar_files.hpp"
#include "compiler/formats/all_formats.hpp"
#include "schema/error.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view allow_double = "double-as-float32";

/// NAME=SPEC.
compiler::ConstantInput constant_input(const std::string& argument) {
  const std::size_t at = argument.find('=');
  if (at == std::string::npos || at == 0)
    throw Error(ExitCode::usage, "--constant-input " + in_quotes(argument) + " is not NAME=SPEC");
  compiler::ConstantInput result{argument.substr(0, at), argument.substr(at + 1), {}};
  result.read = [name = result.name, spec = result.text](const OperandDescriptor& descriptor) {
    return read_input(spec, {name, descriptor}).data;
  };
  return result;
}

}  // namespace

void add_format_option(OptionList& list, LimitOptions& limits) {
  std::vector<std::string_view> words;
  for (const compiler::Format* format : compiler::read_formats(compiler::all_formats())) words.push_back(format->name);
  list.add("--format", limits.format, "what the file is: " + alternatives(words) + "; else found by content")
      .one_of({words.begin(), words.end()});
}

void add_limit_options(OptionList& list, LimitOptions& limits) {
  list.add("--max-model-size", limits.max_model_bytes, "largest graph file, without its weights")
      .size()
      .shows_default("1 GiB");
  list.add("--max-nodes", limits.max_nodes, "most operators of a graph").shows_default();
  list.add("--max-tensor-bytes", limits.max_tensor_bytes, "largest single tensor").size().shows_default("2 GiB");
  list.add(
      "--base-dir", limits.base_directory,
      "folder of the weights, when it is not the graph file's; what comes from standard input needs it for weights");
  list.add("--constant-input", limits.constant_inputs,
           "NAME=SPEC: an input that decides shapes, axes or sizes in an ONNX model becomes a constant")
      .repeatable();
  list.add("--allow", limits.allowed, "double-as-float32: numbers of an ONNX model are rounded")
      .repeatable()
      .one_of({std::string(allow_double)});
  list.add("--weights-file", limits.weights_file, "the weights, when they do not lie beside the graph file");
}

compiler::LoadOptions load_options(const LimitOptions& limits) {
  compiler::LoadOptions options;
  options.formats = compiler::all_formats();
  if (!limits.format.empty()) options.format = compiler::format_named(options.formats, limits.format);
  options.base_directory = limits.base_directory;
  options.weights_file = limits.weights_file;
  options.max_file_bytes = limits.max_model_bytes;
  options.max_tensor_bytes = limits.max_tensor_bytes;
  options.max_nodes = limits.max_nodes;
  options.dimensions = dimension_sizes(limits.dimensions);
  options.shares_dimensions = limits.shares_dimensions;
  for (const std::string& argument : limits.constant_inputs) {
    compiler::ConstantInput constant = constant_input(argument);
    if (std::ranges::find(options.constant_inputs, constant.name, &compiler::ConstantInput::name) !=
        options.constant_inputs.end())
      throw Error(ExitCode::usage, "--constant-input gives " + in_quotes(constant.name) + " twice");
    options.constant_inputs.push_back(std::move(constant));
  }
  options.double_as_float32 = std::ranges::find(limits.allowed, allow_double) != limits.allowed.end();
  return options;
}

api::Source open_source(const compiler::FileName& file, const LimitOptions& limits) {
  try {
    const compiler::LoadOptions options = load_options(limits);
    if (file.path == "-" && file.folder.empty()) return api::open_standard_input(options);
    return with_similar_file(file.path, [&] { return api::open_source(file, options); });
  } catch (const Error& error) {
    if (error.code() != ExitCode::resource) throw;
    throw Error(error.code(), error.what(), "--max-model-size raises the limit");
  }
}

api::Model open_model(const fs::path& file, const LimitOptions& limits, Console& console) {
  return open_model(open_source(file, limits), limits, console);
}

api::Model open_model(api::Source source, const LimitOptions& limits, Console& console) {
  return {std::move(source), load_options(limits), [&console](const Diagnostics& diagnostics, const SourceText& lines) {
            report_diagnostics(console, diagnostics, lines);
          }};
}

}  // namespace webnn::cli

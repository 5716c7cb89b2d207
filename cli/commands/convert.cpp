// `webnn-cli convert IN -o OUT`: a graph file in another form, with its weights beside it.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "cli/command.hpp"
#include "cli/json/json.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/model_file.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/kept_weights.hpp"
#include "compiler/frontend/text/text_writer.hpp"
#include "compiler/frontend/weights.hpp"
#include "compiler/frontend/weights_writer.hpp"
#include "compiler/onnx/onnx_export.hpp"
#include "compiler/onnx/onnx_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;
using compiler::Graph;
using compiler::WeightsForm;
using compiler::WeightsKeys;

struct ConvertOptions {
  std::string input, output;
  std::string to;       // empty: as the output's name ends
  std::string weights;  // empty: as is usual for the form
  std::vector<std::string> dimensions;
  bool rename = false, force = false;
  LimitOptions limits;
};

/// A file of the result and how its bytes are made.
struct FilePart {
  fs::path path;
  std::function<void(const compiler::ByteSink&)> write;
};

FilePart whole(fs::path path, std::string content) {
  return {std::move(path), [content = std::move(content)](const compiler::ByteSink& sink) { sink(content); }};
}

/// The path without the ending of a graph file, with `ending` instead.
fs::path beside(const fs::path& output, std::string_view ending) {
  return output.parent_path() / (output.stem().string() + std::string(ending));
}

/// What can be written.
struct Form {
  std::string_view name, ending;
  std::vector<std::string_view> weights;  // how its weights may be written, the usual way first
  bool is_binary = false;
};
const std::vector<Form>& forms() {
  static const std::vector<Form> table = {{"json", ".json", {"manifest", "inline", "safetensors", "keep"}},
                                          {"text", ".webnn", {"manifest", "inline", "safetensors", "keep"}},
                                          {"binary", ".wnnb", {"inline"}, true},
                                          {"onnx", ".onnx", {"inline", "external"}, true}};
  return table;
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + std::string(words[i]);
  return text;
}

const Form& output_form(const ConvertOptions& options) {
  const std::string ending = fs::path(options.output).extension().string();
  std::vector<std::string_view> names, endings;
  for (const Form& form : forms()) {
    if (options.to.empty() ? form.ending == ending : form.name == options.to) return form;
    names.push_back(form.name);
    endings.push_back(form.ending);
  }
  throw Error(ExitCode::usage, "the name " + in_quotes(options.output) + " does not say which form to write",
              "let it end with " + listed(endings) + ", or give --to " + listed(names));
}

/// How the weights are written.
std::string weights_form(const ConvertOptions& options, const Form& form) {
  const bool inline_goes = std::ranges::find(form.weights, "inline") != form.weights.end();
  if (options.weights.empty())
    return is_standard_output(options.output) && inline_goes ? "inline" : std::string(form.weights[0]);
  if (std::ranges::find(form.weights, options.weights) != form.weights.end()) return options.weights;
  throw Error(ExitCode::usage, "--weights " + options.weights + " does not go with the form " + std::string(form.name),
              "use " + listed(form.weights));
}

WeightsKeys keys_of(const ConvertOptions& options, const ModelFile& model, const Graph& graph) {
  if (options.weights == "keep")
    return compiler::kept_weights(model.text(), load_options(model, options.limits), graph);
  return compiler::weights_keys(graph,
                                options.weights == "inline" ? WeightsForm::inline_bytes : WeightsForm::by_reference);
}

/// The files that hold the graph's constants.
std::vector<FilePart> weights_parts(const ConvertOptions& options, const Graph& graph,
                                    const compiler::FilledConstants& filled) {
  const bool manifest = options.weights == "manifest", safetensors = options.weights == "safetensors";
  if (!(manifest || safetensors) || compiler::stored_constants(graph, filled).empty()) return {};
  const fs::path file = beside(options.output, manifest ? ".weights" : ".safetensors");
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string stem = fs::path(options.output).stem().string();
  if (const std::string other = compiler::taken_instead(folder, stem, file.filename().string()); !other.empty())
    throw Error(
        ExitCode::usage,
        in_quotes((folder / other).string()) + " would be read instead of the weights of " + in_quotes(options.output),
        "write into another folder, or use --weights inline");
  if (safetensors)
    return {{file, [&](const compiler::ByteSink& sink) { compiler::write_safetensors(graph, sink, filled); }}};
  return {{file, [&](const compiler::ByteSink& sink) { compiler::write_weights(graph, sink, filled); }},
          whole(beside(options.output, ".manifest.json"), compiler::write_weights_manifest(graph, filled))};
}

std::string names_json(const compiler::TextForm& form) {
  Json names = Json::object();
  for (const auto& [from, to] : form.renamed) names[to] = from;
  const Json json{{"schema", "webnn-cli/names/1"}, {"names", std::move(names)}};
  return json.dump() + "\n";
}

/// Writes all files under temporary names first, so that a full disk leaves nothing; the graph, which refers to the
/// others, appears last.
void write_parts(const std::vector<FilePart>& parts, Console& console) {
  std::vector<std::unique_ptr<OutputFile>> files;
  std::vector<std::uint64_t> sizes;
  for (const FilePart& part : parts) {
    files.push_back(std::make_unique<OutputFile>(part.path));
    sizes.push_back(0);
    part.write([&](std::string_view piece) {
      files.back()->append(piece);
      sizes.back() += piece.size();
    });
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    files[i]->commit();
    inform(console, "wrote " + parts[i].path.string() + ", " + std::to_string(sizes[i]) + " bytes");
  }
}

/// Standard output takes one file.
void print_part(const std::vector<FilePart>& parts, const Form& form, Console& console) {
  if (parts.size() != 1)
    throw Error(ExitCode::usage,
                "standard output takes one file, but this graph would be " + std::to_string(parts.size()) +
                    " with its weights and names",
                "use --weights inline, or name a file with -o");
  if (form.is_binary) check_takes_bytes(console, "a graph of the form " + std::string(form.name));
  parts[0].write([&](std::string_view piece) { console.out << piece; });
}

/// Gives named dimensions the sizes of --dim.
void bind_dimensions(Graph& graph, const std::vector<std::string>& dimensions) {
  if (dimensions.empty()) return;
  for (const Graph::BindError& error : graph.bind_dimensions(dimension_sizes(dimensions)))
    throw Error(
        error.node.valid() ? ExitCode::invalid_input : ExitCode::usage,
        (error.node.valid() ? "node " + in_quotes(graph.node(error.node).label) + ": " : std::string()) + error.message,
        error.hint);
}

std::vector<FilePart> graph_file_parts(const ConvertOptions& options, const Form& form, const Graph& graph,
                                       const WeightsKeys& keys, const compiler::FilledConstants& filled) {
  if (form.name == "binary")
    return {{options.output, [&graph](const compiler::ByteSink& sink) {
               compiler::write_binary_graph(graph,
                                            [&](std::span<const std::byte> piece) { sink(schema::text_of(piece)); });
             }}};
  std::vector<FilePart> parts = weights_parts(options, graph, filled);
  if (form.name == "json") {
    parts.push_back(whole(options.output, compiler::write_json_graph(graph, keys, filled)));
    return parts;
  }
  compiler::TextForm text = compiler::write_text_graph(graph, keys, options.rename, filled);
  if (options.rename && !text.renamed.empty())
    parts.push_back(whole(beside(options.output, ".names.json"), names_json(text)));
  parts.push_back(whole(options.output, std::move(text.text)));
  return parts;
}

std::vector<FilePart> onnx_parts(const ConvertOptions& options, const compiler::OnnxModel& onnx) {
  if (options.weights == "inline")
    return {{options.output, [&](const compiler::ByteSink& sink) { compiler::write_onnx(onnx, {}, sink); }}};
  const fs::path data = fs::path(options.output).string() + ".data";
  return {{data, [&](const compiler::ByteSink& sink) { compiler::write_onnx_data(onnx, sink); }},
          {options.output, [&onnx, name = data.filename().string()](const compiler::ByteSink& sink) {
             compiler::write_onnx(onnx, name, sink);
           }}};
}

ExitCode convert(ConvertOptions options, Console& console) {
  const Form& form = output_form(options);
  options.weights = weights_form(options, form);
  const ModelFile model = read_model_file(options.input, options.limits);
  Graph graph = open_model(model, options.limits, console);
  Diagnostics diagnostics;
  if (!compiler::check_constants(graph, model.name, diagnostics)) {
    report_diagnostics(console, diagnostics, {});
    return exit_code_of(diagnostics);
  }
  bind_dimensions(graph, options.dimensions);

  WeightsKeys keys;
  compiler::FilledConstants filled;
  compiler::OnnxModel onnx;
  std::vector<FilePart> parts;
  if (form.name == "onnx") {
    onnx = compiler::export_onnx(graph);
    parts = onnx_parts(options, onnx);
  } else {
    keys = keys_of(options, model, graph);
    filled = compiler::filled_constants(model.text(), load_options(model, options.limits), graph);
    parts = graph_file_parts(options, form, graph, keys, filled);
  }
  if (is_standard_output(options.output)) {
    print_part(parts, form, console);
    return ExitCode::success;
  }
  for (const FilePart& part : parts) check_free(part.path, options.force);
  write_parts(parts, console);

  const bool refers = std::any_of(keys.begin(), keys.end(), [](const std::string& key) { return !key.empty(); });
  const auto place = [](const fs::path& file) { return fs::absolute(beside(file, "")).lexically_normal(); };
  if (options.weights == "keep" && refers && (options.input == "-" || place(options.input) != place(options.output)))
    remark(console, Severity::note,
           "the weights stay where they are; " + options.output + " needs them beside it, named after it");
  return ExitCode::success;
}

}  // namespace

Action declare_convert(OptionList& list) {
  auto options = std::make_shared<ConvertOptions>();
  list.add("model", options->input, "a graph file; - reads standard input").required();
  list.add("-o,--output", options->output, "the graph file to write; weights go beside it; -: standard output")
      .required();
  list.add("--to", options->to,
           "json, text, binary or onnx; else as the output's name ends, .json, .webnn, .wnnb or .onnx")
      .one_of({"json", "text", "binary", "onnx"});
  list.add("--weights", options->weights,
           "manifest (usual): STEM.weights and STEM.manifest.json; safetensors: STEM.safetensors; inline (usual "
           "for binary and onnx): in the graph file; keep: refer to the same keys and write none; external, for onnx: "
           "OUTPUT.data")
      .one_of({"manifest", "inline", "safetensors", "keep", "external"});
  add_dimension_option(list, options->dimensions);
  list.flag("--rename", options->rename,
            "text: names that it cannot write become v0, v1, ...; STEM.names.json tells which");
  list.flag("--force", options->force, "overwrite files");
  add_format_option(list, options->limits);
  add_limit_options(list, options->limits);
  return [options](Console& console) { return convert(*options, console); };
}

}  // namespace webnn::cli

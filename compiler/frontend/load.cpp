#include "compiler/frontend/load.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "compiler/frontend/mapped_file.hpp"
#include "compiler/frontend/weights.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// So much of a file tells its format.
constexpr std::size_t start_bytes = 64;

/// "A, B, or C": how the formats that are read are known.
std::string known_formats(Formats formats) {
  std::vector<std::string_view> phrases;
  for (const Format* format : read_formats(formats))
    if (!format->known_by.empty()) phrases.push_back(format->known_by);
  std::string text;
  for (std::size_t i = 0; i < phrases.size(); ++i)
    text += (i == 0 ? "" : i + 1 < phrases.size() ? ", " : ", or ") + std::string(phrases[i]);
  return text;
}

/// Throws Error (usage) when a weights file is named that this format would not read.
void check_weights_file(const Format& format, const LoadOptions& options) {
  if (options.weights_file.empty() || format.takes_weights_file || format.holds != Holds::graph) return;
  const std::string name = in_quotes(options.file_name);
  if (format.weights_files)
    throw Error(ExitCode::usage, "a weights file is given, but " + name + " names the files of its weights itself",
                "`--base-dir` is their folder, when they do not lie beside it");
  throw Error(ExitCode::usage, "a weights file is given, but " + name + " has its weights in itself");
}

void report_no_graph(std::string_view content, const LoadOptions& options, Diagnostics& diagnostics) {
  const bool blank = content.find_first_not_of(" \t\r\n") == content.npos;
  const bool utf16 = content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff");
  const bool binary = std::ranges::any_of(content.substr(0, start_bytes), [](char c) { return c >= 0 && c < '\t'; });
  const std::uint32_t line = binary ? 0 : 1;  // what is no text has no lines to show
  auto& hints = diagnostics
                    .error(Code::bad_format, {options.file_name, line, line, {}},
                           blank ? "the file is empty" : "this is no graph file")
                    .hints;
  hints.push_back(utf16 ? "the file is UTF-16; save it as UTF-8" : "graph files are " + known_formats(options.formats));
  if (binary && !utf16 && !format_named(options.formats, "onnx"))
    hints.push_back("`webnn-cli convert model.onnx -o model.wnnb` makes one of an ONNX model");
}

bool begins_with_constants(Formats formats, std::string_view content) {
  const Format* format = format_to_read(formats, content);
  return format && format->holds_constants;
}

}  // namespace

const Format* chosen_format(std::string_view content, const LoadOptions& options) {
  return options.format ? options.format : format_to_read(options.formats, content);
}

std::optional<Graph> load_graph(const std::filesystem::path& file, LoadOptions options, Diagnostics& diagnostics) {
  if (options.file_name.empty()) options.file_name = file.string();
  if (options.base_directory.empty()) options.base_directory = file.has_parent_path() ? file.parent_path() : ".";
  return read_graph(open_graph_file(file, options.max_file_bytes, options.formats), options, diagnostics);
}

Bytes open_graph_file(const FileName& file, std::uint64_t max_bytes, Formats formats) {
  if (begins_with_constants(formats, read_start(file, start_bytes)))
    return map_file(file, std::numeric_limits<std::uint64_t>::max());
  // What has no end and is no graph, such as /dev/zero, is not read any further.
  const auto begins = [&](std::string_view start) { return format_to_read(formats, start) != nullptr; };
  auto content = std::make_shared<const std::string>(read_whole_file(file, max_bytes, begins));
  return Bytes(content, std::as_bytes(std::span(*content)));
}

std::optional<Graph> read_graph(const Bytes& content, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::string_view text = text_of(content);
  if (content.size() > options.max_file_bytes && !begins_with_constants(options.formats, text))
    throw Error(ExitCode::resource,
                "the graph file is longer than the limit of " + std::to_string(options.max_file_bytes) + " bytes");
  std::optional<Graph> graph;
  if (const Format* format = chosen_format(text, options); format && format->read) {
    check_weights_file(*format, options);
    graph = format->read(content, options, diagnostics);
  } else {
    report_no_graph(text, options, diagnostics);
  }
  if (diagnostics.has_errors()) graph.reset();
  return graph;
}

std::optional<Graph> read_graph(std::string_view content, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(content));
  if (!begins_with_constants(options.formats, content)) return read_graph(Bytes(nullptr, bytes), options, diagnostics);
  return read_graph(Bytes(std::vector<std::byte>(bytes.begin(), bytes.end())), options, diagnostics);
}

std::string weights_stem(const LoadOptions& options) {
  return options.weights_stem.empty() ? std::filesystem::path(options.file_name).stem().string() : options.weights_stem;
}

std::vector<std::filesystem::path> weights_found_by_name(const Bytes&, const LoadOptions& options) {
  return possible_weights_files(options.base_directory, weights_stem(options), options.weights_file);
}

}  // namespace webnn::compiler

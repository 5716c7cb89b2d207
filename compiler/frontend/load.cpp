#include "compiler/frontend/load.hpp"

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/json/json_reader.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "compiler/frontend/text/text_reader.hpp"
#include "schema/error.hpp"
#include "schema/file/container.hpp"

namespace webnn::compiler {
namespace {

/// Finds the member "format" of the outermost object and stops there.
class FormatFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string format;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& value) override {
    if (depth_ != 1 || !at_format_) return true;
    format = value;
    return false;
  }
  bool key(string_t& value) override {
    at_format_ = depth_ == 1 && value == "format";
    return true;
  }
  bool start_object(std::size_t) override { return ++depth_ < largest_depth; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(std::size_t) override { return ++depth_ < largest_depth; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  static constexpr int largest_depth = 64;
  int depth_ = 0;
  bool at_format_ = false;
};

enum class Form { json, text, binary, program, other };

/// What the first characters say; blanks, a byte order mark and comments of the text form are passed over.
Form form_of(std::string_view content) {
  if (has_form(content, graph_form)) return Form::binary;
  if (has_form(content, program_form)) return Form::program;
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  for (;;) {
    const auto first = content.find_first_not_of(" \t\r\n");
    if (first == content.npos) return Form::other;
    content.remove_prefix(first);
    if (content.starts_with('{') || content.starts_with('[')) return Form::json;
    if (content.starts_with("webnn_graph")) return Form::text;
    if (!content.starts_with('#')) return Form::other;
    content.remove_prefix(std::min(content.find('\n'), content.size()));
  }
}

Form form_of(FileKind kind) {
  switch (kind) {
    case FileKind::graph_json:
    case FileKind::weights_manifest:
      return Form::json;
    case FileKind::graph_text:
      return Form::text;
    case FileKind::graph_binary:
      return Form::binary;
    case FileKind::program:
      return Form::program;
    case FileKind::unknown:
      break;
  }
  return Form::other;
}

void report_program(const std::string& file, Diagnostics& diagnostics) {
  diagnostics.error(Code::program_as_graph, {file, 0, 0, {}}, "this is a program, which is compiled already")
      .hints.emplace_back("`run` executes it, `inspect` shows what it holds");
}

void report_no_graph(std::string_view content, const std::string& file, Diagnostics& diagnostics) {
  const bool blank = content.find_first_not_of(" \t\r\n") == content.npos;
  const bool utf16 = content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff");
  diagnostics.error(Code::bad_format, {file, 1, 1, {}}, blank ? "the file is empty" : "this is no graph file")
      .hints.push_back(utf16
                           ? "the file is UTF-16; save it as UTF-8"
                           : "graph files are webnn-graph-json, which begins with '{', .webnn text, which begins with "
                             "'webnn_graph', or binary (.wnnb)");
}

std::optional<Graph> read(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::string_view content = text_of(file);
  switch (options.kind ? form_of(*options.kind) : form_of(content)) {
    case Form::json:
      return read_json_graph(content, options, diagnostics);
    case Form::text:
      return read_text_graph(content, options, diagnostics);
    case Form::binary:
      return read_binary_graph(file, options, diagnostics);
    case Form::program:
      report_program(options.file_name, diagnostics);
      return std::nullopt;
    case Form::other:
      report_no_graph(content, options.file_name, diagnostics);
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

FileKind detect(std::string_view content) {
  switch (form_of(content)) {
    case Form::text:
      return FileKind::graph_text;
    case Form::binary:
      return FileKind::graph_binary;
    case Form::program:
      return FileKind::program;
    case Form::other:
      return FileKind::unknown;
    case Form::json:
      break;
  }
  FormatFinder finder;
  nlohmann::json::sax_parse(content.begin(), content.end(), &finder, nlohmann::json::input_format_t::json);
  if (finder.format == "webnn-graph-json") return FileKind::graph_json;
  if (finder.format == "wg-weights-manifest") return FileKind::weights_manifest;
  return FileKind::unknown;
}

std::optional<Graph> load_graph(const std::filesystem::path& file, LoadOptions options, Diagnostics& diagnostics) {
  if (options.file_name.empty()) options.file_name = file.string();
  if (options.base_directory.empty()) options.base_directory = file.has_parent_path() ? file.parent_path() : ".";
  return read_graph(open_graph_file(file, options.max_file_bytes), options, diagnostics);
}

Bytes open_graph_file(const std::filesystem::path& file, std::uint64_t max_bytes) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) {
    char magic[4] = {};
    std::ifstream(file, std::ios::binary).read(magic, sizeof magic);
    if (has_form({magic, sizeof magic}, graph_form)) return map_file(file, std::numeric_limits<std::uint64_t>::max());
  }
  auto content = std::make_shared<const std::string>(read_whole_file(file, max_bytes));
  return Bytes(content, std::as_bytes(std::span(*content)));
}

std::optional<Graph> read_graph(const Bytes& content, const LoadOptions& options, Diagnostics& diagnostics) {
  if (content.size() > options.max_file_bytes && form_of(text_of(content)) != Form::binary)
    throw Error(ExitCode::resource,
                "the graph file is longer than the limit of " + std::to_string(options.max_file_bytes) + " bytes");
  std::optional<Graph> graph = read(content, options, diagnostics);
  if (diagnostics.has_errors()) graph.reset();
  return graph;
}

std::optional<Graph> read_graph(std::string_view content, const LoadOptions& options, Diagnostics& diagnostics) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(content));
  if (!has_form(content, graph_form)) return read_graph(Bytes(nullptr, bytes), options, diagnostics);
  return read_graph(Bytes(std::vector<std::byte>(bytes.begin(), bytes.end())), options, diagnostics);
}

}  // namespace webnn::compiler

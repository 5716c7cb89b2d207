// The formats webnn-graph-json and manifest of weights, which differ only in their member "format".
#include <nlohmann/json.hpp>

#include "compiler/frontend/format.hpp"
#include "compiler/frontend/json/json_document.hpp"
#include "compiler/frontend/json/json_reader.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/load.hpp"

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

std::string format_member(std::string_view content) {
  FormatFinder finder;
  nlohmann::json::sax_parse(content.begin(), content.end(), &finder, nlohmann::json::input_format_t::json);
  return finder.format;
}

bool begins_as_json(std::string_view content) {
  content = text_start(content);
  return content.starts_with('{') || content.starts_with('[');
}

std::optional<Graph> read_json_file(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) {
  return read_json_graph(text_of(file), options, diagnostics);
}

std::optional<JsonDocument> json_tree(std::string_view content, const LoadOptions& options, Diagnostics& diagnostics) {
  return JsonDocument::parse(content, options.file_name, {.max_depth = options.max_depth}, diagnostics);
}

WrittenGraph write_json_files(const Graph& graph, const WriteOptions& options) {
  WrittenGraph written{weights_beside(graph, options), {}};
  written.files.push_back(whole_file(options.file, write_json_graph(graph, options.keys, options.filled)));
  return written;
}

}  // namespace

constinit const Format json_format{.name = "json",
                                   .suffix = ".json",
                                   .known_by = "webnn-graph-json, which begins with '{'",
                                   .begins = begins_as_json,
                                   .mark = format_member,
                                   .marked = "webnn-graph-json",
                                   .read = read_json_file,
                                   .tree = json_tree,
                                   .takes_weights_file = true,
                                   .weights_files = weights_found_by_name,
                                   .write = write_json_files,
                                   .weights = places_beside,
                                   .keeps_source = true};

constinit const Format manifest_format{.name = "manifest",
                                       .holds = Holds::weights_manifest,
                                       .begins = begins_as_json,
                                       .mark = format_member,
                                       .marked = "wg-weights-manifest"};

}  // namespace webnn::compiler

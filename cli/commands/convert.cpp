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
#include "cli/programs/open_model.hpp"
#include "compiler/formats/all_formats.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/kept_weights.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;
using compiler::Format;
using compiler::Graph;
using compiler::WeightsPlace;
using compiler::WeightsStyle;
using compiler::WrittenFile;

struct ConvertOptions {
  std::string input, output;
  std::string to;       // empty: as the output's name ends
  std::string weights;  // empty: as is usual for the format
  bool rename = false, page = false, force = false;
  LimitOptions limits;
};

std::vector<const Format*> convert_targets() { return compiler::written_formats(compiler::all_formats()); }

std::vector<std::string_view> format_names(const std::vector<const Format*>& formats) {
  std::vector<std::string_view> names;
  for (const Format* format : formats) names.push_back(format->name);
  return names;
}

std::vector<std::string_view> format_suffixes(const std::vector<const Format*>& formats) {
  std::vector<std::string_view> suffixes;
  for (const Format* format : formats) suffixes.push_back(format->suffix);
  return suffixes;
}

/// The words of --weights.
struct WeightsWord {
  WeightsPlace place;
  std::string_view word, meaning;
};
constexpr WeightsWord weights_words[] = {
    {WeightsPlace::manifest, "manifest", "STEM.weights and STEM.manifest.json"},
    {WeightsPlace::safetensors, "safetensors", "STEM.safetensors"},
    {WeightsPlace::in_graph, "inline", "in the graph file"},
    {WeightsPlace::kept, "keep", "refer to the same keys and write none"},
    {WeightsPlace::external, "external", ""},  // formats say what they write
};

std::string_view place_word(WeightsPlace place) {
  return std::ranges::find(weights_words, place, &WeightsWord::place)->word;
}

std::vector<std::string_view> place_words(std::span<const WeightsPlace> places) {
  std::vector<std::string_view> words;
  for (const WeightsPlace place : places) words.push_back(place_word(place));
  return words;
}

bool can_put_weights(const Format& format, WeightsPlace place) {
  return std::ranges::find(format.weights, place) != format.weights.end();
}

const Format& output_format(const ConvertOptions& options) {
  const std::string ending = fs::path(options.output).extension().string();
  const std::vector<const Format*> formats = convert_targets();
  for (const Format* format : formats)
    if (options.to.empty() ? format->suffix == ending : format->name == options.to) return *format;
  throw Error(ExitCode::usage, "the name " + in_quotes(options.output) + " does not say which form to write",
              "let it end with " + alternatives(format_suffixes(formats)) + ", or give --to " +
                  alternatives(format_names(formats)));
}

/// The formats that have a page which runs their graph.
std::vector<const Format*> formats_with_pages() {
  std::vector<const Format*> formats = convert_targets();
  std::erase_if(formats, [](const Format* format) { return !format->page; });
  return formats;
}

void check_page(const ConvertOptions& options, const Format& format) {
  if (!options.page || format.page) return;
  throw Error(ExitCode::usage, "--html does not go with the form " + std::string(format.name),
              "it goes with " + alternatives(format_names(formats_with_pages())));
}

/// Where the weights are put.
WeightsPlace weights_place(const ConvertOptions& options, const Format& format) {
  if (options.weights.empty())
    return is_standard_output(options.output) && can_put_weights(format, WeightsPlace::in_graph)
               ? WeightsPlace::in_graph
               : format.weights.front();
  for (const WeightsPlace place : format.weights)
    if (place_word(place) == options.weights) return place;
  throw Error(ExitCode::usage,
              "--weights " + options.weights + " does not go with the form " + std::string(format.name),
              "use " + alternatives(place_words(format.weights)));
}

compiler::WriteOptions write_options(const ConvertOptions& options, const Format& format, WeightsPlace place,
                                     const api::Source& source, const Graph& graph) {
  compiler::WriteOptions writing;
  writing.file = options.output;
  writing.weights = place;
  writing.rename = options.rename;
  if (!format.keeps_source) return writing;
  const compiler::LoadOptions reading = api::load_options(source, load_options(options.limits));
  const WeightsStyle form = place == WeightsPlace::in_graph ? WeightsStyle::inline_bytes : WeightsStyle::by_reference;
  writing.keys = place == WeightsPlace::kept ? compiler::kept_weights(source.text(), reading, graph)
                                             : compiler::weights_keys(graph, form);
  writing.filled = compiler::filled_constants(source.text(), reading, graph);
  return writing;
}

std::string names_json(const compiler::WrittenGraph& written) {
  Json names = Json::object();
  for (const auto& [from, to] : written.renamed) names[to] = from;
  const Json json{{"schema", "webnn-cli/names/1"}, {"names", std::move(names)}};
  return json.dump() + "\n";
}

/// Writes all files under temporary names first, so that a full disk leaves nothing; the graph, which refers to the
/// others, appears last.
void write_parts(const std::vector<WrittenFile>& parts, Console& console) {
  std::vector<std::unique_ptr<OutputFile>> files;
  std::vector<std::uint64_t> sizes;
  for (const WrittenFile& part : parts) {
    files.push_back(std::make_unique<OutputFile>(part.path));
    sizes.push_back(0);
    part.write([&](std::string_view piece) {
      files.back()->append(piece);
      sizes.back() += piece.size();
    });
  }
  for (const auto& file : files) file->finish();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    files[i]->commit();
    inform(console, "wrote " + parts[i].path.string() + ", " + std::to_string(sizes[i]) + " bytes");
  }
}

/// Standard output takes one file.
void print_part(const std::vector<WrittenFile>& parts, const Format& format, Console& console) {
  if (parts.size() != 1)
    throw Error(ExitCode::usage,
                "standard output takes one file, but this graph would be " + std::to_string(parts.size()) +
                    " with its weights and names",
                "use --weights inline, or name a file with -o");
  if (format.is_binary) check_takes_bytes(console, "a graph of the form " + std::string(format.name));
  parts[0].write([&](std::string_view piece) { console.out << piece; });
}

/// The files to write: the graph after those that it refers to, such as the map of what was renamed; then its page.
std::vector<WrittenFile> written_parts(const Format& format, const Graph& graph, const compiler::WriteOptions& options,
                                       bool with_page) {
  compiler::WrittenGraph written = format.write(graph, options);
  if (options.rename && !written.renamed.empty())
    written.files.insert(written.files.end() - 1,
                         compiler::whole_file(compiler::path_beside(options.file, names_ending), names_json(written)));
  if (with_page) written.files.push_back(format.page(graph, options));
  return std::move(written.files);
}

ExitCode convert(const ConvertOptions& options, Console& console) {
  const Format& format = output_format(options);
  check_page(options, format);
  const WeightsPlace place = weights_place(options, format);
  api::Model model = open_model(options.input, options.limits, console);
  Graph graph = model.take_graph();
  Diagnostics diagnostics;
  if (!compiler::check_constants(graph, model.name(), diagnostics)) {
    report_diagnostics(console, diagnostics, {});
    return exit_code_of(diagnostics);
  }

  const compiler::WriteOptions writing = write_options(options, format, place, model.source(), graph);
  const std::vector<WrittenFile> parts = written_parts(format, graph, writing, options.page);
  if (is_standard_output(options.output)) {
    print_part(parts, format, console);
    return ExitCode::success;
  }
  for (const WrittenFile& part : parts) check_free(part.path, options.force);
  write_parts(parts, console);

  const bool refers = std::ranges::any_of(writing.keys, [](const std::string& key) { return !key.empty(); });
  const auto folder_and_stem = [](const fs::path& file) {
    return fs::absolute(compiler::path_beside(file, "")).lexically_normal();
  };
  if (place == WeightsPlace::kept && refers &&
      (options.input == "-" || folder_and_stem(options.input) != folder_and_stem(options.output)))
    remark(console, Severity::note,
           "the weights stay where they are; " + options.output + " needs them beside it, named after it");
  return ExitCode::success;
}

/// The names of the formats that are so: "binary and onnx".
std::string format_names_where(const std::vector<const Format*>& formats,
                               const std::function<bool(const Format&)>& is_so) {
  std::string text;
  for (const Format* format : formats)
    if (is_so(*format)) text += (text.empty() ? "" : " and ") + std::string(format->name);
  return text;
}

/// What a place is; of the external one what each format writes: "OUTPUT.data (onnx) or STEM.bin (javascript)".
std::string weights_meaning(const WeightsWord& row, const std::vector<const Format*>& formats) {
  if (row.place != WeightsPlace::external) return std::string(row.meaning);
  std::string text;
  for (const Format* format : formats)
    if (can_put_weights(*format, row.place))
      text +=
          (text.empty() ? "" : " or ") + std::string(format->external_file) + " (" + std::string(format->name) + ")";
  return text;
}

/// What --weights does, place by place. The first format's usual place is simply the usual one.
std::string weights_help(const std::vector<const Format*>& formats) {
  std::string text;
  for (const WeightsWord& row : weights_words) {
    const auto usual = [&](const Format& format) { return format.weights.front() == row.place; };
    const auto possible = [&](const Format& format) { return can_put_weights(format, row.place); };
    text += (text.empty() ? "" : "; ") + std::string(row.word);
    if (usual(*formats.front()))
      text += " (usual)";
    else if (const std::string names = format_names_where(formats, usual); !names.empty())
      text += " (usual for " + names + ")";
    else if (std::ranges::count_if(formats, [&](const Format* format) { return possible(*format); }) == 1)
      text += ", for " + format_names_where(formats, possible);
    text += ": " + weights_meaning(row, formats);
  }
  return text;
}

/// The words of --weights, in the order in which the formats have them.
std::vector<std::string> weights_choices(const std::vector<const Format*>& formats) {
  std::vector<std::string> words;
  for (const Format* format : formats)
    for (const std::string_view word : place_words(format->weights))
      if (std::ranges::find(words, word) == words.end()) words.emplace_back(word);
  return words;
}

}  // namespace

Action declare_convert(OptionList& list) {
  auto options = std::make_shared<ConvertOptions>();
  const std::vector<const Format*> formats = convert_targets();
  const std::vector<std::string_view> names = format_names(formats);
  list.add("model", options->input, "a graph file; - reads standard input").required();
  list.add("-o,--output", options->output, "the graph file to write; weights go beside it; -: standard output")
      .required();
  list.add("--to", options->to,
           alternatives(names) + "; else as the output's name ends, " + alternatives(format_suffixes(formats)))
      .one_of({names.begin(), names.end()});
  list.add("--weights", options->weights, weights_help(formats)).one_of(weights_choices(formats));
  add_dimension_option(list, options->limits.dimensions);
  list.flag("--rename", options->rename,
            format_names_where(formats, [](const Format& format) { return format.renames; }) +
                ": names that it cannot write become v0, v1, ...; STEM.names.json tells which");
  list.flag("--html", options->page,
            alternatives(format_names(formats_with_pages())) + ": also write STEM.html, a page that runs the graph");
  list.flag("--force", options->force, "overwrite files");
  add_format_option(list, options->limits);
  add_limit_options(list, options->limits);
  return [options](Console& console) { return convert(*options, console); };
}

}  // namespace webnn::cli

#include "cli/compare/saved_run.hpp"

#include <algorithm>

#include "cli/json/json.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/summary.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

constexpr std::uint64_t max_index_bytes = std::uint64_t{1} << 24;

void write_tensors(const std::vector<NamedResult>& tensors, const fs::path& folder) {
  for (const NamedResult& result : tensors)
    write_tensor_file(folder / (file_name_of(result.name) + ".npy"), result.tensor);
}

Json list_of(const std::vector<NamedResult>& tensors) {
  Json list = Json::array();
  for (const NamedResult& result : tensors) list.push_back(descriptor_json(result.name, result.tensor.descriptor));
  return list;
}

/// The text of a member; nullopt if there is none.
std::optional<std::string> text_of(const Json& object, std::string_view member) {
  const Json* const found = object.find(member);
  return found && found->text() ? std::optional(*found->text()) : std::nullopt;
}

/// The names of the outputs listed in run.json; nullopt if the folder has no run.json.
std::optional<std::vector<std::string>> listed_outputs(const fs::path& folder, std::string& description) {
  const fs::path file = folder / "run.json";
  if (!fs::exists(file)) return std::nullopt;
  const auto index = Json::parse(compiler::read_whole_file(compiler::FileName::found(folder, file), max_index_bytes));
  const Json* const outputs = index ? index->find("outputs") : nullptr;
  if (!outputs || !outputs->items() || text_of(*index, "schema") != "webnn-cli/saved-run/1")
    throw Error(ExitCode::invalid_input, in_quotes(file.string()) + " does not describe a saved run",
                "`webnn-cli compare MODEL --save-run DIR` writes one");
  if (const auto run = text_of(*index, "run")) description = *run + ", saved";
  std::vector<std::string> names;
  for (const Json& output : *outputs->items())
    if (auto name = text_of(output, "name")) names.push_back(std::move(*name));
  return names;
}

std::vector<std::string> names_of_files(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".npy") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

void check_free_for_run(const fs::path& folder, bool force) {
  if (force) return;
  check_free(folder / "run.json", false);
  for (const fs::path& place : {folder, folder / "inputs"})
    if (fs::is_directory(place))
      for (const std::string& name : names_of_files(place)) check_free(place / (name + ".npy"), false);
}

void save_run(const RunResults& run, const fs::path& folder) {
  write_tensors(run.outputs, folder);
  write_tensors(run.inputs, folder / "inputs");
  const Json index{{"schema", "webnn-cli/saved-run/1"},
                   {"run", run.description},
                   {"inputs", list_of(run.inputs)},
                   {"outputs", list_of(run.outputs)}};
  write_whole_file(folder / "run.json", index.dump() + "\n");
}

RunResults read_results(const fs::path& folder, const std::string& stem, const std::vector<std::string>& names,
                        std::uint64_t max_tensor_bytes) {
  if (!fs::is_directory(folder)) throw Error(ExitCode::io, in_quotes(folder.string()) + " is no folder");
  RunResults results{folder.string(), {}, {}};
  const auto listed = listed_outputs(folder, results.description);
  std::vector<std::string> wanted = names;
  const bool by_files = wanted.empty() && !listed;
  if (wanted.empty()) wanted = listed ? *listed : names_of_files(folder);
  for (const std::string& name : wanted) {
    std::optional<compiler::FileName> file;
    if (by_files) file = compiler::FileName::found(folder, folder / (name + ".npy"));
    if (!file) file = find_tensor_file(folder, "", name);
    if (!file) file = find_tensor_file(folder, stem + ".expected.", name);
    if (file) results.outputs.push_back({name, compiler::read_npy(*file, max_tensor_bytes)});
  }
  if (results.outputs.empty())
    throw Error(ExitCode::invalid_input, in_quotes(folder.string()) + " holds no results to compare with",
                "they are files NAME.npy, or STEM.expected.NAME.npy, with NAME an output's name");
  return results;
}

std::string saved_inputs(const fs::path& folder) {
  return fs::exists(folder / "run.json") && fs::is_directory(folder / "inputs") ? "inputs/" : std::string();
}

}  // namespace webnn::cli

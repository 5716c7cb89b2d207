#include "cli/output/output_files.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "cli/output/percent_encoding.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using schema::Error;
using schema::ExitCode;
using schema::in_quotes;

namespace fs = std::filesystem;

std::string file_name_of(std::string_view tensor_name) {
  const bool has_first_dot = tensor_name.starts_with('.');
  if (has_first_dot) tensor_name.remove_prefix(1);
  return (has_first_dot ? "%2E" : "") + percent_encoded(tensor_name, "_-.");
}

namespace {

/// The names that a tensor's file may have, without its ending.
std::vector<std::string> names_of_file(std::string_view tensor_name) {
  std::vector<std::string> names{file_name_of(tensor_name), percent_encoded(tensor_name, "_-")};
  if (tensor_name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos) names.emplace_back(tensor_name);
  return names;
}

}  // namespace

std::optional<compiler::FileName> find_tensor_file(const fs::path& folder, const std::string& before,
                                                   std::string_view tensor_name) {
  for (const std::string& name : names_of_file(tensor_name)) {
    std::error_code error;
    if (fs::path file = folder / (before + name + ".npy"); fs::exists(file, error))
      return compiler::FileName::found(folder, std::move(file));
  }
  return std::nullopt;
}

std::vector<std::string> other_tensor_files(const fs::path& folder, std::span<const std::string> tensor_names) {
  std::set<std::string> known;
  for (const std::string& tensor : tensor_names)
    for (const std::string& name : names_of_file(tensor)) known.insert(name);
  std::vector<std::string> others;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().stem().string();
    const bool is_of_case = name.find(".input.") != std::string::npos || name.find(".expected.") != std::string::npos;
    if (entry.path().extension() == ".npy" && !is_of_case && !known.contains(name))
      others.push_back(entry.path().filename().string());
  }
  std::ranges::sort(others);
  return others;
}

void check_writable_folder(const fs::path& folder) { const OutputFile probe(folder / "probe"); }

void check_free(const fs::path& file, bool force) {
  if (!file.empty() && !force && fs::exists(file))
    throw Error(ExitCode::usage, in_quotes(file.string()) + " exists", "--force overwrites it");
}

void refuse_standard_output(std::string_view option, std::string_view file) {
  if (is_standard_output(file))
    throw Error(ExitCode::usage, std::string(option) + " needs the name of a file; standard output is for the report");
}

void check_takes_bytes(const Console& console, std::string_view what) {
  if (console.out_is_terminal)
    throw Error(ExitCode::usage, std::string(what) + " is no text for a terminal",
                "let standard output be a file or a pipe, or name a file with -o");
}

void write_output(Console& console, const std::string& file, std::string_view content) {
  if (file.empty() || is_standard_output(file))
    console.out << content;
  else
    write_whole_file(file, content);
}

void write_whole_file(const fs::path& file, std::string_view content) {
  OutputFile output(file);
  output.append(content);
  output.commit();
}

void write_tensor_file(const fs::path& file, const compiler::Tensor& tensor) {
  OutputFile output(file);
  compiler::write_npy(tensor.descriptor, tensor.data.view(), [&](std::string_view piece) { output.append(piece); });
  output.commit();
}

}  // namespace webnn::cli

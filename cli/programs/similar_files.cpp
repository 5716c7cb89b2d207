#include "cli/programs/similar_files.hpp"

#include <algorithm>
#include <vector>

#include "schema/diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 4096;

}  // namespace

std::string similar_file_hint(const fs::path& file) {
  std::error_code error;
  if (fs::exists(file, error)) return {};
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && names.size() < most_files;
       at.increment(error))
    if (at->path().filename() != file.filename()) names.push_back(at->path().filename().string());  // a dangling link
  std::ranges::sort(names);
  const std::string_view near = schema::nearest(file.filename().string(), {names.begin(), names.end()});
  if (near.empty()) return {};
  const fs::path proposal = file.has_parent_path() ? file.parent_path() / near : fs::path(near);
  return "did you mean " + schema::in_quotes(proposal.string()) + "?";
}

}  // namespace webnn::cli

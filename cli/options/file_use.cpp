#include "cli/options/file_use.hpp"

namespace webnn::cli {

std::vector<std::string> files_in_spec(std::string_view spec) {
  std::vector<std::string> files;
  const std::size_t at = spec.find('@');
  if (at == std::string_view::npos) return files;
  for (std::size_t end = at; end != std::string_view::npos;) {
    end = spec.find_first_of("#,", end + 1);
    files.emplace_back(spec.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
  }
  return files;
}

}  // namespace webnn::cli

#include "tests/harness/paths.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace webnn::tests {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const char* variable, const char* usual) {
  const char* const folder = std::getenv(variable);
  return folder && *folder ? folder : usual;
}

}  // namespace

fs::path source_dir() { return folder_of("WEBNN_SOURCE_DIR", WEBNN_BUILT_FROM); }
fs::path build_dir() { return folder_of("WEBNN_BUILD_DIR", WEBNN_BUILT_IN); }

std::optional<fs::path> corpus() {
  const char* folder = std::getenv("WEBNN_CORPUS");
  if (!folder || !fs::is_directory(folder)) return std::nullopt;
  return fs::path(folder);
}

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "webnn-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a scratch folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace webnn::tests

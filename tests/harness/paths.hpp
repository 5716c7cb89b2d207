// Where test data lies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tests/harness/skip.hpp"

namespace webnn::tests {

/// The repository's root; WEBNN_SOURCE_DIR in the environment names another folder with its tests and models.
std::filesystem::path source_dir();
/// Where it was built; WEBNN_BUILD_DIR names another folder with its programs in `bin`.
std::filesystem::path build_dir();

/// The folder of conformance vectors and real models that is not part of a checkout: the environment's WEBNN_CORPUS.
/// Tests that need it use WEBNN_REQUIRE_CORPUS, which skips them when it is absent.
std::optional<std::filesystem::path> corpus();

/// Why a test that needs it is skipped.
inline constexpr std::string_view no_corpus = "WEBNN_CORPUS names no folder of vectors";

/// A fresh, empty folder below the system's temporary one; removed when the object dies.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

}  // namespace webnn::tests

/// Binds `name` to the corpus folder, or skips the test case.
#define WEBNN_REQUIRE_CORPUS(name)                                           \
  const auto name##_found = ::webnn::tests::corpus();                        \
  if (!name##_found) return ::webnn::tests::skip(::webnn::tests::no_corpus); \
  const std::filesystem::path& name = *name##_found

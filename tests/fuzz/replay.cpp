// Everything that fuzzing starts from or has found, read again in the normal tests.
#include <doctest/doctest.h>
#include <set>

#include "tests/fuzz/entry.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

namespace fs = std::filesystem;

struct Replayed {
  std::string (*entry)(std::string_view content);
  fs::path corpus;                   // below tests/fuzz/corpus
  std::set<std::string> extensions;  // of the files in tests/frontend that are seeds too
};

const Replayed replayed[] = {{fuzz_json, "json", {".json"}},
                             {fuzz_text, "text", {".webnn"}},
                             {fuzz_binary, "binary", {".wnnb"}},
                             {fuzz_tensors, "tensors", {".npy", ".safetensors"}}};

}  // namespace

TEST_CASE("fuzz: the corpus and the broken test files keep the readers' promises") {
  for (const Replayed& row : replayed) {
    std::size_t count = 0;
    const auto replay = [&](const fs::path& file) {
      CAPTURE(file.string());
      CHECK(row.entry(read_file(file)) == "");
      ++count;
    };
    for (const auto& file : fs::directory_iterator(source_dir() / "tests/fuzz/corpus" / row.corpus))
      replay(file.path());
    for (const auto& file : fs::recursive_directory_iterator(source_dir() / "tests/frontend"))
      if (file.is_regular_file() && row.extensions.contains(file.path().extension().string())) replay(file.path());
    CHECK(count > 10);
  }
}

}  // namespace webnn::tests

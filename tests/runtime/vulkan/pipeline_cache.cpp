// Compiled shaders on disk: what is kept comes back, and what is damaged or another's is not looked at.
#include "runtime/vulkan/pipeline_cache.hpp"

#include <doctest/doctest.h>
#include <fstream>

#include "api/kernels.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::pipeline_cache_test {
namespace {

namespace fs = std::filesystem;
using namespace runtime::vulkan;

std::vector<fs::path> shader_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == runtime::shader_file_extension) files.push_back(entry.path());
  return files;
}

/// abs(-1.5) on a GPU with this folder.
void compute_with(const fs::path& folder) {
  runtime::GpuOptions options;
  options.cache_folder = folder;
  const auto device = runtime::open_gpu(std::move(options));
  const OptionalTensors inputs{scalar(DataType::float32, -1.5)};
  const auto results = run_on_device(*device, *api::find_kernel("vulkan.unary"), operator_spec("abs", inputs), inputs);
  CHECK(numbers(results.at(0)) == Numbers{1.5});
}

TEST_CASE("vulkan pipeline cache: a file gives its data for its own key, undamaged, and nothing else") {
  const std::vector<std::byte> data{std::byte{1}, std::byte{2}, std::byte{3}};
  const std::vector<std::byte> content = framed_pipelines("a GPU", data);
  const auto found = unframed_pipelines("a GPU", content);
  REQUIRE(found);
  CHECK(std::vector(found->begin(), found->end()) == data);
  CHECK(unframed_pipelines("a GPU", framed_pipelines("a GPU", {}))->empty());
  CHECK_FALSE(unframed_pipelines("a CPU", content));
  CHECK_FALSE(unframed_pipelines("a GPU of another version", content));
  for (std::size_t i = 0; i < content.size(); ++i) {
    std::vector<std::byte> damaged = content;
    damaged[i] ^= std::byte{4};
    CHECK_FALSE(unframed_pipelines("a GPU", damaged));
    CHECK_FALSE(unframed_pipelines("a GPU", std::span(content).first(i)));
  }
}

TEST_CASE("vulkan pipeline cache: a device keeps what it compiled, and a damaged file stops nothing") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "shaders";
  compute_with(folder);
  const std::vector<fs::path> files = shader_files(folder);
  REQUIRE(files.size() == 1);
  const auto size = fs::file_size(files[0]);
  compute_with(folder);
  CHECK(shader_files(folder) == files);
  std::ofstream(files[0], std::ios::binary) << "no shaders";
  compute_with(folder);
  CHECK(fs::file_size(files[0]) == size);  // it was made again
  compute_with("/proc/no folder");
}

TEST_CASE("vulkan pipeline cache: commands keep shaders in the user's folder, and with --no-cache they do not") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  const fs::path model = scratch.path() / "abs.webnn";
  std::ofstream(model) << "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = abs(x); } outputs { y; } }\n";
  // (What drivers forget to free is not ours.)
  const std::string run =
      "ASAN_OPTIONS=detect_leaks=0 WEBNN_CLI_NO_CACHE=false XDG_CACHE_HOME=" + shell_word(scratch.path()) + " " +
      program_words("webnn-cli") + " run " + shell_word(model) + " --fill zeros --device gpu";
  CHECK(run_shell(run + " --no-cache").status == 0);
  CHECK_FALSE(fs::exists(scratch.path() / "webnn-cli"));
  const ShellResult kept = run_shell(run);
  CHECK_MESSAGE(kept.status == 0, kept.output);
  CHECK(shader_files(scratch.path() / "webnn-cli").size() == 1);
}

}  // namespace
}  // namespace webnn::tests::pipeline_cache_test

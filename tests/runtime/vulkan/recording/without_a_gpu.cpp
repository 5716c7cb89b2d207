// What a network asks of a driver, counted on a GPU that is none: RADV's compiler behind vulkan_double, which runs nothing.
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "api/kernels.hpp"
#include "api/runner/read_program.hpp"
#include "models/generate/architectures.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "schema/file/program_file.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/runtime/vulkan/recording/longest_chain.hpp"

namespace webnn::tests::null_device_test {
namespace {

namespace fs = std::filesystem;
using namespace schema;
using runtime::vulkan::gpu_kernels;

/// The description of Mesa's driver for AMD; empty where it is not installed.
fs::path radv() {
  for (const char* processor : {"x86_64", "aarch64"})
    if (const fs::path file = std::string("/usr/share/vulkan/icd.d/radeon_icd.") + processor + ".json";
        fs::exists(file))
      return file;
  return {};
}

struct Counts {
  long pipelines, allocations, submissions, dispatches, barriers;
};

/// A program of webnn-cli on the GPU that is none; what it asked of the driver. Leaks are not looked for: without a GPU
/// the driver keeps its command buffers when their pool is destroyed.
Counts counts_of(const std::string& arguments, const fs::path& folder) {
  const fs::path report = folder / "report.json";
  const ShellResult result =
      run_shell("LSAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=" + shell_word(build_dir() / "vulkan_double") +
                " VULKAN_DOUBLE=null VULKAN_DOUBLE_REPORT=" + shell_word(report) + " RADV_FORCE_FAMILY=navi21" +
                " VK_ICD_FILENAMES=" + shell_word(radv()) + " VK_DRIVER_FILES=" + shell_word(radv()) + " " +
                program_words("webnn-cli") + " " + arguments + " --device gpu");
  CAPTURE(result.output);
  REQUIRE(result.status == 0);
  const auto json = nlohmann::json::parse(read_file(report));
  return {json["pipelines"], json["allocations"], json["submissions"], json["dispatches"], json["barriers"]};
}

/// The network's graph file.
fs::path write_network(std::string_view name, const fs::path& folder) {
  const auto& architecture = *std::ranges::find(models::architectures(), name, &models::Architecture::name);
  models::GraphWriter writer(folder, std::string(name), architecture.half);
  architecture.write(writer);
  writer.finish();
  return folder / (std::string(name) + ".json");
}

/// The dispatches of the longest chain that need each other's results; those of a step do.
long longest_chain_of_dispatches(const fs::path& file) {
  Diagnostics diagnostics;
  const auto bytes = api::map_program_file(file);
  const auto program = read_program(*bytes, file.string(), api::kernel_table(), nullptr, diagnostics);
  REQUIRE(program);
  return long(longest_chain(*program, [&](const Step& step) {
    auto dispatches = gpu_kernels().find(step.kernel)->dispatches(spec_of(*program, step), program->target);
    dispatches.unroll();
    return dispatches.dispatches.size();
  }));
}

}  // namespace

TEST_CASE("vulkan null device: resnet50 is loaded and run with few allocations, submissions and barriers") {
  if (is_cross_build()) return skip("the driver is one for another machine");
  if (!fs::exists(build_dir() / "vulkan_double")) return skip("this build has no GPU device");
  if (radv().empty()) return skip("RADV is not installed");
  const ScratchFolder folder;
  const auto run = [&](const fs::path& graph) {
    return counts_of("run " + shell_word(graph) + " --fill zeros --no-cache --output-format json", folder.path());
  };
  const fs::path graph = write_network("resnet50", folder.path()), program = folder.path() / "resnet50.wnnc";
  const Counts counts = run(graph);
  MESSAGE(counts.pipelines, " pipelines, ", counts.allocations, " allocations, ", counts.submissions, " submissions, ",
          counts.dispatches, " dispatches, ", counts.barriers, " barriers");
  CHECK(counts.allocations <= 12);
  CHECK(counts.submissions <= 3);
  CHECK(counts.dispatches > 50);

  counts_of("compile " + shell_word(graph) + " -o " + shell_word(program), folder.path());
  const long chain = longest_chain_of_dispatches(program);
  CHECK(chain < counts.dispatches);  // shortcuts run beside their blocks
  const Counts single = run(write_network("elementwise_4", folder.path()));
  REQUIRE(single.dispatches == 1);
  // Each dispatch of the chain waits for the one before, and none for memory that others use.
  CHECK(counts.barriers - single.barriers == chain - 1);
}

}  // namespace webnn::tests::null_device_test

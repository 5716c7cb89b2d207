// What a network asks of a driver, counted on a GPU that is none: RADV's compiler behind vulkan_double, which runs nothing.
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "models/generate/architectures.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::null_device_test {
namespace {

namespace fs = std::filesystem;

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

/// Loads a network and runs it once. Leaks are not looked for: without a GPU the driver keeps its command buffers when
/// their pool is destroyed.
Counts counts_of(const models::Architecture& architecture, const fs::path& folder) {
  const std::string name(architecture.name);
  models::GraphWriter writer(folder, name, architecture.half);
  architecture.write(writer);
  writer.finish();
  const fs::path report = folder / "report.json";
  const ShellResult result =
      run_shell("LSAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=" + shell_word(build_dir() / "vulkan_double") +
                " VULKAN_DOUBLE=null VULKAN_DOUBLE_REPORT=" + shell_word(report) + " RADV_FORCE_FAMILY=navi21" +
                " VK_ICD_FILENAMES=" + shell_word(radv()) + " VK_DRIVER_FILES=" + shell_word(radv()) + " " +
                program_words("webnn-cli") + " run " + shell_word(folder / (name + ".json")) +
                " --device gpu --fill zeros --no-cache --output-format json");
  CAPTURE(result.output);
  REQUIRE(result.status == 0);
  const auto json = nlohmann::json::parse(read_file(report));
  return {json["pipelines"], json["allocations"], json["submissions"], json["dispatches"], json["barriers"]};
}

}  // namespace

TEST_CASE("vulkan null device: resnet50 is loaded and run with few allocations, submissions and barriers") {
  if (is_cross_build()) return skip("the driver is one for another machine");
  if (!fs::exists(build_dir() / "vulkan_double")) return skip("this build has no GPU device");
  if (radv().empty()) return skip("RADV is not installed");
  const ScratchFolder folder;
  const auto* const resnet50 =
      std::ranges::find(models::architectures(), "resnet50", &models::Architecture::name).base();
  const Counts counts = counts_of(*resnet50, folder.path());
  MESSAGE(counts.pipelines, " pipelines, ", counts.allocations, " allocations, ", counts.submissions, " submissions, ",
          counts.dispatches, " dispatches, ", counts.barriers, " barriers");
  CHECK(counts.allocations <= 12);
  CHECK(counts.submissions <= 3);
  CHECK(counts.dispatches > 50);
  CHECK(counts.barriers <= counts.dispatches);  // its shortcuts run beside its blocks
}

}  // namespace webnn::tests::null_device_test

// Programs for one GPU on another one: what the choice of kernels depended on stands in the file and in the key of the
// user's cache.
#include <doctest/doctest.h>
#include <fstream>

#include "api/kernels.hpp"
#include "api/runner/program_cache.hpp"
#include "api/runner/read_program.hpp"
#include "runtime/vulkan/profile/features.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "schema/file/program_file.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::programs_test {
namespace {

namespace fs = std::filesystem;
using runtime::vulkan::Profile;
using runtime::vulkan::program_features;

fs::path digits() { return source_dir() / "models" / "digits" / "digits.json"; }
std::string image() { return "image=@" + (source_dir() / "models" / "digits" / "digits.input.image.npy").string(); }

/// The program of the file as if another GPU had compiled it, which has `more`.
void claim(const fs::path& file, Feature more) {
  Diagnostics diagnostics;
  std::optional<Program> program;
  {
    const auto bytes = api::map_program_file(file);
    program = read_program(*bytes, file.string(), api::kernel_table(), nullptr, diagnostics);
  }
  REQUIRE(program);
  program->target.features = program->target.features | more;
  std::string content;
  write_program(*program, [&](std::span<const std::byte> piece) {
    content.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  const fs::path changed = file.string() + ".changed";
  std::ofstream(changed, std::ios::binary) << content;
  fs::rename(changed, file);
}

}  // namespace

TEST_CASE("vulkan programs: what a choice of kernels depends on are features of the target") {
  Profile profile;
  CHECK(program_features(profile) == (Feature::shared_memory | Feature::long_loops));
  profile.is_cpu = true;
  profile.most_turns = 1000;
  CHECK(program_features(profile) == Feature::none);
  const auto device = open_test_gpu();
  if (!device) return;
  const auto& gpu = dynamic_cast<const runtime::vulkan::VulkanDevice&>(*device);
  CHECK(device->target().features == program_features(gpu.queue().profile()));
}

TEST_CASE("vulkan programs: GPUs that differ have other keys in the cache") {
  const auto device = open_test_gpu();
  if (!device) return;
  const Bytes graph(std::vector<std::byte>{std::byte{'{'}, std::byte{'}'}});
  std::array<std::byte, schema::HashKey::bytes> random{};
  random.fill(std::byte{0x5a});
  const schema::HashKey secret(random);
  const auto key_of = [&](const runtime::Device& of) { return api::cache_key(graph, {}, {}, of, "", secret)->hash; };
  const auto less = open_test_gpu_with_fallback();
  REQUIRE(less);
  CHECK(includes(device->target().features, Feature::memory_8bit));
  CHECK_FALSE(includes(less->target().features, Feature::memory_8bit));
  CHECK(key_of(*device) != key_of(*less));
}

TEST_CASE("vulkan programs: one whose needs are not met is refused by name, and compiled again when that is allowed") {
  const auto device = open_test_gpu();
  if (!device || includes(device->target().features, Feature::matrix_units)) return;
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "digits.wnnc";
  REQUIRE(webnn_cli({"compile", digits().string(), "--device", "gpu", "--embed-graph", "-o", file.string()}).code == 0);
  CHECK(webnn_cli({"inspect", file.string(), "--compat"}).code == 0);
  const std::vector<std::string> run{"run", file.string(), "--device", "gpu", "--input", image(), "--top", "1"};
  const CommandResult here = webnn_cli(run);
  CHECK(here.code == 0);

  claim(file, Feature::matrix_units);
  const CommandResult refused = webnn_cli(run);
  CHECK(refused.code == int(ExitCode::program));
  CHECK(contains(refused.err, "the program needs"));
  CHECK(contains(refused.err, "matrix_units"));
  const CommandResult compatibility = webnn_cli({"inspect", file.string(), "--compat"});
  CHECK(compatibility.code == int(ExitCode::program));
  CHECK(contains(compatibility.out, "matrix_units"));
  std::vector<std::string> again = run;
  again.emplace_back("--recompile-if-needed");
  const CommandResult recompiled = webnn_cli(again);
  CHECK(recompiled.code == 0);
  CHECK(recompiled.out == here.out);
}

TEST_CASE("vulkan programs: a kernel that this GPU cannot run is refused when the file is read") {
  const auto device = open_test_gpu();
  const auto less = open_test_gpu_with_fallback();
  if (!device || !less) return;
  const ScratchFolder scratch;
  const fs::path graph = scratch.path() / "bytes.webnn", file = scratch.path() / "bytes.wnnc";
  std::ofstream(graph) << "webnn_graph \"bytes\" v2 { inputs { x: u8[4]; } nodes { y = add(x, x); } outputs { y; } }";
  REQUIRE(webnn_cli({"compile", graph.string(), "--device", "gpu", "-o", file.string()}).code == 0);
  Diagnostics diagnostics;
  const auto bytes = api::map_program_file(file);
  CHECK(api::read_program_for(*device, *bytes, "bytes", diagnostics));
  CHECK_FALSE(api::read_program_for(*less, *bytes, "bytes", diagnostics));
  REQUIRE_FALSE(diagnostics.all().empty());
  CHECK(diagnostics.all().front().code == Code::program_target);
  CHECK(contains(diagnostics.all().front().message, "memory_8bit"));
}

}  // namespace webnn::tests::programs_test

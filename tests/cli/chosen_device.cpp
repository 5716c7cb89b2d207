// Which device a command runs on, and what is said about it: GPUs that are software, `auto`, programs for a GPU.
#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "api/devices.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::chosen_device_test {
namespace {

using nlohmann::json;

const std::string digits = (source_dir() / "models/digits/digits.json").string();

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// The best GPU that can be used; null, and the test case is skipped, without one.
const runtime::GpuInfo* any_gpu(const api::DeviceList& list) {
  const runtime::GpuInfo* found = nullptr;
  for (const std::string_view kind : {"cpu", "other", "virtual", "integrated", "discrete"})
    for (const runtime::GpuInfo& gpu : list.gpus)
      if (gpu.kind == kind && gpu.missing.empty()) found = &gpu;
  if (!found) skip("no Vulkan device can be used");
  return found;
}

TEST_CASE("cli device: a GPU that is software is named in one warning, whichever command uses it") {
  const api::DeviceList list = api::list_devices();
  const auto software = std::ranges::find(list.gpus, "cpu", &runtime::GpuInfo::kind);
  if (software == list.gpus.end() || !software->missing.empty()) return skip("no Vulkan device is software");
  const ScratchFolder scratch;
  const std::string device = "gpu:" + std::to_string(software->number);
  const std::string warning = "warning: " + device + " (" + software->name + ") is no GPU but software";
  const std::string program = (scratch.path() / "p.wnnc").string();
  const std::vector<std::vector<std::string>> commands{
      {"run", digits, "--fill", "ones", "-d", device},
      {"compile", digits, "-o", program, "-d", device},
      {"bench", digits, "--time", "1ms", "--warm-up", "1ms", "--runs", "2", "--streams", "1,2", "-d", device},
      {"compare", digits, "--devices", "cpu," + device, "--fill", "ones"}};
  for (const auto& arguments : commands) {
    CAPTURE(arguments[0]);
    const CommandResult result = webnn_cli(arguments);
    CHECK(count_of(result.err, warning) == 1);
    CHECK_FALSE(contains(result.out, warning));
  }
  CHECK_FALSE(contains(webnn_cli({"run", digits, "--fill", "ones"}).err, "is no GPU"));
  const json messages =
      json::parse(webnn_cli({"run", digits, "--fill", "ones", "-d", device, "--output-format", "json"}).err);
  REQUIRE(messages.at("remarks").size() == 1);
  CHECK(messages["remarks"][0].at("severity") == "warning");
  CHECK(contains(messages["remarks"][0].at("message"), software->name));
}

TEST_CASE("cli device: auto takes a GPU that is one, and else the CPU") {
  runtime::GpuInfo software, small, large, old;
  software.number = 0, software.name = "llvmpipe", software.kind = "cpu";
  small.number = 1, small.name = "Iris", small.kind = "integrated";
  large.number = 2, large.name = "H200", large.kind = "discrete";
  old.number = 3, old.name = "ancient", old.kind = "discrete", old.missing = {"Vulkan 1.2"};
  const auto choice = [](std::vector<runtime::GpuInfo> gpus, std::string why = {}) {
    return api::choose_device({"avx2", std::move(gpus), std::move(why)});
  };
  CHECK(choice({software, small, large, old}).device == "gpu:2");
  CHECK(choice({software, small, large, old}).why == "H200");
  CHECK(choice({software, small}).device == "gpu:1");
  CHECK(choice({software}).device == "cpu");
  CHECK(contains(choice({software}).why, "llvmpipe, is software"));
  CHECK(choice({old}).device == "cpu");
  CHECK(contains(choice({old}).why, "ancient lacks"));
  CHECK(choice({}, "there is no Vulkan loader").why == "there is no Vulkan loader");
}

TEST_CASE("cli device: auto says what it chose, and computes as that device does") {
  const api::DeviceChoice choice = api::choose_device(api::list_devices());
  const CommandResult chosen = webnn_cli({"run", digits, "--fill", "ones", "-d", "auto"});
  CHECK(chosen.code == 0);
  CHECK(contains(chosen.err, "note: --device auto chose " + choice.device + ": "));
  CHECK(chosen.out == webnn_cli({"run", digits, "--fill", "ones", "-d", choice.device}).out);
  CHECK(api::open_device({.device = "auto"})->name() == api::open_device({.device = choice.device})->name());
  const CommandResult bench = webnn_cli({"bench", digits, "--time", "1ms", "--warm-up", "1ms", "--runs", "2", "-d",
                                         "auto", "--streams", "1,2", "--threads", "1"});
  CHECK(bench.code == 0);
  CHECK(count_of(bench.err, "note: --device auto chose " + choice.device + ": ") == 1);
  const CommandResult compiled =
      webnn_cli({"compile", digits, "--emit", "ir", "-o", "-", "--stop-after", "canonicalize", "-d", "auto"});
  CHECK(compiled.code == 0);
  CHECK(compiled.out.starts_with("// after canonicalize\n"));
  CHECK(contains(compiled.err, "note: --device auto chose "));
  CHECK(webnn_cli({"run", digits, "--fill", "ones", "-d", "auto:0"}).code == 2);
  CHECK(contains(webnn_cli({"run", digits, "--fill", "ones", "-d", "atuo"}).err, "did you mean 'auto'?"));
}

TEST_CASE("cli device: a program for a GPU runs there when nothing is said, and says so") {
  const api::DeviceList list = api::list_devices();
  if (!any_gpu(list)) return;
  const ScratchFolder scratch;
  const std::string program = (scratch.path() / "g.wnnc").string(), own = (scratch.path() / "c.wnnc").string();
  REQUIRE(webnn_cli({"compile", digits, "-o", program, "-d", "gpu"}).code == 0);
  REQUIRE(webnn_cli({"compile", digits, "-o", own}).code == 0);
  const CommandResult run = webnn_cli({"run", program, "--fill", "ones"});
  CHECK(run.code == 0);
  CHECK(count_of(run.err, "note: '" + program + "' is a program for the GPU, so it runs with --device gpu\n") == 1);
  CHECK(run.out == webnn_cli({"run", digits, "--fill", "ones", "-d", "gpu"}).out);
  CHECK(webnn_cli({"run", own, "--fill", "ones"}).err.empty());
  CHECK(contains(webnn_cli({"run", own, "--fill", "ones", "-d", "auto"}).err, "is a program for the CPU"));
  const CommandResult bench = webnn_cli({"bench", program, "--time", "1ms", "--warm-up", "1ms", "--runs", "2"});
  CHECK(bench.code == 0);
  CHECK(contains(bench.out, "(gpu:"));
  CHECK(webnn_cli({"profile", program, "--fill", "ones", "--time", "1ms"}).code == 0);
  CHECK(contains(webnn_cli({"compare", program, digits, "--fill", "ones"}).out, "g.wnnc on gpu"));

  const CommandResult refused = webnn_cli({"run", program, "--fill", "ones", "-d", "cpu"});
  CHECK(refused.code == 8);
  CHECK(contains(refused.err, "WNN0909"));
  CHECK(contains(refused.err, "hint: run it with --device gpu"));
  CHECK(contains(webnn_cli({"run", own, "--fill", "ones", "-d", "gpu"}).err, "hint: run it with --device cpu"));
}

TEST_CASE("cli device: inspect --compat asks the device that is named") {
  const ScratchFolder scratch;
  const std::string program = (scratch.path() / "c.wnnc").string();
  REQUIRE(webnn_cli({"compile", digits, "-o", program}).code == 0);
  CHECK(webnn_cli({"inspect", program, "--compat", "--device", "cpu"}).out == program + ": runs here\n");
  CHECK(webnn_cli({"inspect", program, "--compat", "--device", "cqu"}).code == 2);
  const CommandResult absent = webnn_cli({"inspect", program, "--compat", "--device", "gpu:4095"});
  CHECK(absent.code == 8);
  CHECK(contains(absent.out, ": does not run here: "));
  const api::DeviceList list = api::list_devices();
  if (!any_gpu(list)) return;
  const CommandResult other = webnn_cli({"inspect", program, "--compat", "--device", "gpu"});
  CHECK(other.code == 8);
  CHECK(contains(other.out, ": does not run here: WNN0909: the program is for device 'cpu'"));
  const std::string gpu = (scratch.path() / "g.wnnc").string();
  REQUIRE(webnn_cli({"compile", digits, "-o", gpu, "-d", "gpu"}).code == 0);
  const json here = json::parse(webnn_cli({"inspect", gpu, "--compat", "--output-format", "json"}).out);
  CHECK(here.at("runsHere") == true);
  CHECK(here.at("device") == "gpu");
  CHECK(webnn_cli({"inspect", gpu, "--compat", "-d", "cpu"}).code == 8);
}

}  // namespace
}  // namespace webnn::tests::chosen_device_test

#include "api/devices.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// "did you mean 'x'?", or all known words.
std::string choice(std::string_view word, const std::vector<std::string_view>& known) {
  if (const std::string_view near = nearest(word, known); !near.empty()) return "did you mean " + in_quotes(near) + "?";
  std::string text = "known:";
  for (const std::string_view name : known) text += " " + std::string(name);
  return text;
}

}  // namespace

std::vector<std::string_view> cpu_providers() {
  std::vector<std::string_view> names;
  for (const KernelRow& kernel : kernel_table())
    if (kernel.device == DeviceKind::cpu && std::ranges::find(names, kernel.provider()) == names.end())
      names.push_back(kernel.provider());
  return names;
}

DeviceName parse_device_name(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  DeviceName name{std::string(text.substr(0, colon)), {}, {}};
  if (name.kind != "cpu" && name.kind != "gpu" && name.kind != "auto")
    throw Error(ExitCode::usage, "there is no device " + in_quotes(text), choice(name.kind, {"cpu", "gpu", "auto"}));
  if (colon == text.size()) return name;
  const std::string_view detail = text.substr(colon + 1);
  if (name.kind == "auto")
    throw Error(ExitCode::usage, "there is no device " + in_quotes(text), "auto chooses alone: --device auto");
  if (name.kind == "gpu") {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(detail.data(), detail.data() + detail.size(), number);
    if (error != std::errc{} || end != detail.data() + detail.size())
      throw Error(ExitCode::usage, "there is no device " + in_quotes(text), "a GPU is named by its number: gpu:0");
    name.number = number;
    return name;
  }
  name.provider = detail;
  const std::vector<std::string_view> known = cpu_providers();
  if (std::ranges::find(known, name.provider) == known.end())
    throw Error(ExitCode::usage, "no kernels come from " + in_quotes(name.provider), choice(name.provider, known));
  return name;
}

std::unique_ptr<runtime::Device> open_device(const ContextOptions& options) {
  DeviceName name = parse_device_name(options.device);
  if (name.kind == "auto") name = parse_device_name(choose_device(list_devices()).device);
  const auto features = runtime::parse_isa(options.isa);
  if (!features)
    throw Error(ExitCode::usage, "--isa " + in_quotes(options.isa) + " is no instruction set",
                choice(options.isa, runtime::isa_names()));
  if (name.kind == "cpu") return std::make_unique<runtime::CpuDevice>(*features);
#ifdef WEBNN_VULKAN
  runtime::GpuOptions gpu{.number = name.number, .validation = options.gpuValidation};
  gpu.cache_folder = options.gpuCacheFolder;
  if (options.cpuFallback) gpu.fallback = std::make_unique<runtime::CpuDevice>(*features);
  return runtime::open_gpu(std::move(gpu));
#else
  throw Error(ExitCode::device, "this build has no GPU device", "use --device cpu");
#endif
}

DeviceList list_devices() {
  DeviceList list;
  list.cpu = text_of(runtime::detect_cpu_features());
#ifdef WEBNN_VULKAN
  try {
    list.gpus = runtime::list_gpus();
    if (list.gpus.empty()) list.why_no_gpu = "there is no GPU with a Vulkan driver on this machine";
  } catch (const Error& error) {
    list.why_no_gpu = error.what();
  }
#else
  list.why_no_gpu = "this build has no GPU device";
#endif
  return list;
}

DeviceChoice choose_device(const DeviceList& devices) {
  if (devices.gpus.empty()) return {"cpu", devices.why_no_gpu};
#ifdef WEBNN_VULKAN
  if (const runtime::GpuInfo* best = runtime::best_gpu(devices.gpus))
    return best->kind == "cpu" ? DeviceChoice{"cpu", "the only GPU, " + best->name + ", is software"}
                               : DeviceChoice{"gpu:" + std::to_string(best->number), best->name};
#endif
  return {"cpu", "the GPU " + devices.gpus[0].name + " lacks what programs need"};
}

bool is_software_gpu([[maybe_unused]] const runtime::Device& device) {
#ifdef WEBNN_VULKAN
  return runtime::is_software_gpu(device);
#else
  return false;
#endif
}

CompileTarget open_target(const DeviceName&, std::string_view name) {
  const auto features = runtime::parse_cpu_target(name);
  if (!features)
    throw Error(ExitCode::usage, "--target " + in_quotes(name) + " is no processor",
                choice(name, runtime::cpu_target_names()));
  return {{DeviceKind::cpu, *features}, std::make_unique<runtime::CpuDevice>(*features)};
}

}  // namespace webnn::api

#include "api/devices.hpp"

#include <algorithm>
#include <vector>

#include "api/device_table.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// Null for "auto" and unknown words.
const DeviceRow* find_device(std::string_view word) {
  const auto found = std::ranges::find(device_table(), word, &DeviceRow::word);
  return found == device_table().end() ? nullptr : &*found;
}

}  // namespace

DeviceName parse_device_name(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  DeviceName name{std::string(text.substr(0, colon)), {}, {}};
  const DeviceRow* const row = find_device(name.kind);
  if (!row && name.kind != "auto") {
    std::vector<std::string_view> known;
    for (const DeviceRow& device : device_table()) known.push_back(device.word());
    known.push_back("auto");
    throw Error(ExitCode::usage, "there is no device " + in_quotes(text), nearest_or_all(name.kind, known));
  }
  if (colon == text.size()) return name;
  if (!row) throw Error(ExitCode::usage, "there is no device " + in_quotes(text), "`auto` chooses alone");
  if (!row->read_detail)
    throw Error(ExitCode::usage, "there is no device " + in_quotes(text), "there is one " + in_quotes(name.kind));
  row->read_detail(text.substr(colon + 1), name);
  return name;
}

std::unique_ptr<runtime::Device> open_device(const ContextOptions& options) {
  const auto open = [&](const DeviceName& name) { return find_device(name.kind)->open(name, options); };
  const DeviceName name = parse_device_name(options.device);
  if (name.kind != "auto") return open(name);
  const std::string chosen = choose_device(list_devices()).device;
  try {
    return open(parse_device_name(chosen));
  } catch (const Error& error) {  // a GPU that is listed may still be lost, full, or another user's
    const bool is_of_gpu = error.code() == ExitCode::device || error.code() == ExitCode::resource;
    if (chosen == "cpu" || !is_of_gpu) throw;
    return open(parse_device_name("cpu"));
  }
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

CompileTarget open_target(std::string_view name) {
  const auto features = runtime::parse_cpu_target(name);
  if (!features)
    throw Error(ExitCode::usage, "--target " + in_quotes(name) + " is no processor",
                nearest_or_all(name, runtime::cpu_target_names()));
  return {{DeviceKind::cpu, *features}, std::make_unique<runtime::CpuDevice>(*features)};
}

}  // namespace webnn::api

#include "cli/programs/chosen_device.hpp"

#include <algorithm>

#include "api/devices.hpp"
#include "cli/output/messages.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/file/program_file.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

/// Whether there is a GPU that programs can run on.
bool has_gpu() {
  return std::ranges::any_of(api::list_devices().gpus, [](const runtime::GpuInfo& gpu) { return gpu.missing.empty(); });
}

}  // namespace

void settle_device(CompileOptions& options, Console& console, const api::Source* source) {
  const bool is_free = options.device.empty(), is_auto = options.device == "auto";
  if (!is_free && !is_auto) return;
  if (const auto target =
          source && source->holds(compiler::Holds::program) ? target_of_program(source->content) : std::nullopt) {
    const DeviceKindRow& device = row(target->device);
    const std::string what = in_quotes(source->name) + " is a program for the " + std::string(device.title);
    // On the CPU a program for the GPU is refused with what can be done about it.
    const bool is_there = target->device != DeviceKind::vulkan || has_gpu();
    options.device = is_there ? device.word : "cpu";
    if (!is_there)
      remark(console, Severity::note, what + ", and this machine has none that can be used");
    else if (is_auto || target->device != DeviceKind::cpu)
      remark(console, Severity::note, what + ", so it runs with --device " + options.device);
    return;
  }
  if (is_free) {
    options.device = "cpu";
    return;
  }
  const api::DeviceChoice choice = api::choose_device(api::list_devices());
  options.device = choice.device;
  remark(console, Severity::note, "--device auto chose " + choice.device + ": " + choice.why);
}

void remark_device(Console& console, const runtime::Device& device, unsigned threads) {
  if (api::is_software_gpu(device))
    remark(console, Severity::warning,
           std::string(device.name()) + " is no GPU but software that runs on the CPU; --device cpu is faster");
  if (!console.is_verbose) return;
  std::string text = "device " + std::string(device.name());
  if (device.host_memory()) {
    const runtime::ThreadLimit usual = runtime::thread_limit();
    text += ", " + counted(threads != 0 ? threads : usual.threads, "thread");
    if (threads == 0) text += " (" + usual.reason + ")";
  }
  detail(console, text);
}

}  // namespace webnn::cli

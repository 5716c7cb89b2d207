// `webnn-cli devices`: the devices that graphs can run on.
#include "api/devices.hpp"

#include <memory>

#include "cli/command.hpp"
#include "cli/json/json.hpp"
#include "cli/output/messages.hpp"
#include "cli/this_cpu.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

void print_text(std::ostream& out, const api::DeviceList& devices) {
  const ThisCpu cpu = this_cpu();
  out << "cpu      " << escaped(text_of(cpu)) << "\n"
      << "         has " << devices.cpu << "\n"
      << "         " << threads_text(cpu.threads) << "\n";
  for (const runtime::GpuInfo& gpu : devices.gpus) {
    out << "gpu:" << gpu.number << "    " << escaped(gpu.name) << " (" << gpu.kind << "), " << (gpu.memory_bytes >> 20)
        << " MiB\n"
        << "         Vulkan " << gpu.version << ", driver " << escaped(gpu.driver) << "\n";
    if (!gpu.uuid.empty()) out << "         is gpu:" << gpu.uuid << "\n";
    if (gpu.compute_units != 0) out << "         has " << gpu.compute_units << " compute units\n";
    if (gpu.free_bytes != 0) out << "         has " << (gpu.free_bytes >> 20) << " MiB free\n";
    if (gpu.kind == "cpu") out << "         is software that runs on the CPU\n";
    if (!gpu.features.empty()) out << "         has " << joined(gpu.features) << "\n";
    if (!gpu.missing.empty()) out << "         cannot be used: it lacks " << joined(gpu.missing) << "\n";
  }
  if (!devices.why_no_gpu.empty()) out << "no gpu   " << devices.why_no_gpu << "\n";
}

void print_json(std::ostream& out, const api::DeviceList& devices) {
  Json gpus = Json::array();
  for (const runtime::GpuInfo& gpu : devices.gpus)
    gpus.push_back({{"device", "gpu:" + std::to_string(gpu.number)},
                    {"name", gpu.name},
                    {"kind", gpu.kind},
                    {"driver", gpu.driver},
                    {"vulkan", gpu.version},
                    {"uuid", gpu.uuid},
                    {"memoryBytes", gpu.memory_bytes},
                    {"freeBytes", gpu.free_bytes},
                    {"computeUnits", gpu.compute_units},
                    {"features", gpu.features},
                    {"missing", gpu.missing}});
  const ThisCpu cpu = this_cpu();
  Json document{{"schema", "webnn-cli/devices/1"},
                {"cpu",
                 {{"name", cpu.name},
                  {"cores", cpu.cores},
                  {"processors", cpu.processors},
                  {"memoryBytes", cpu.memory_bytes},
                  {"features", devices.cpu},
                  {"threads", cpu.threads.threads},
                  {"threadsReason", cpu.threads.reason}}},
                {"gpus", std::move(gpus)}};
  if (!devices.why_no_gpu.empty()) document["whyNoGpu"] = devices.why_no_gpu;
  out << document.dump() << "\n";
}

}  // namespace

Action declare_devices(OptionList& list) {
  auto format = std::make_shared<std::string>("text");
  list.add("--output-format", *format, "text or json").one_of({"text", "json"});
  return [format](Console& console) {
    const api::DeviceList devices = api::list_devices();
    *format == "json" ? print_json(console.out, devices) : print_text(console.out, devices);
    return ExitCode::success;
  };
}

}  // namespace webnn::cli

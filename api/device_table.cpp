#include "api/device_table.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "api/kernels.hpp"
#include "api/pack_constant.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/vulkan/gpu.hpp"
#include "runtime/vulkan/pack.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

namespace {

// ---- the CPU

/// The features that --isa allows.
Feature allowed_features(const ContextOptions& options) {
  if (const auto features = runtime::parse_isa(options.isa)) return *features;
  throw Error(ExitCode::usage, in_quotes(options.isa) + " is no instruction set",
              nearest_or_all(options.isa, runtime::isa_names()));
}

std::vector<const KernelRow*> rows_of_cpu() {
  std::vector<const KernelRow*> rows;
  for (const runtime::ListedCpuKernel& kernel : runtime::cpu_kernels()) rows.push_back(&kernel.row);
  return rows;
}

std::unique_ptr<runtime::Device> open_cpu(const DeviceName&, const ContextOptions& options) {
  return std::make_unique<runtime::CpuDevice>(allowed_features(options));
}

void read_provider(std::string_view detail, DeviceName& name) {
  const std::vector<std::string_view> known = cpu_providers();
  if (std::ranges::find(known, detail) == known.end())
    throw Error(ExitCode::usage, "no kernels come from " + in_quotes(detail), nearest_or_all(detail, known));
  name.provider = detail;
}

// ---- GPUs, by Vulkan

#ifdef WEBNN_VULKAN
std::unique_ptr<runtime::Device> open_gpu(const DeviceName& name, const ContextOptions& options) {
  const Feature of_fallback = allowed_features(options);
  runtime::GpuOptions gpu{.number = name.number, .uuid = name.uuid, .validation = options.gpuValidation};
  gpu.cache_folder = options.gpuCacheFolder;
  if (const char* folder = std::getenv("WEBNN_SHADER_DIR")) gpu.shader_folder = folder;
  if (options.cpuFallback) gpu.fallback = std::make_unique<runtime::CpuDevice>(of_fallback);
  return runtime::open_gpu(std::move(gpu));
}
constexpr auto rows_of_gpu = runtime::gpu_kernel_rows;
constexpr auto pack_for_gpu = runtime::pack_gpu_constant;
#else
std::unique_ptr<runtime::Device> open_gpu(const DeviceName&, const ContextOptions&) {
  throw Error(ExitCode::device, "this build has no GPU device", "use the device `cpu`");
}
std::vector<const KernelRow*> rows_of_gpu() { return {}; }
std::optional<PackedConstant> pack_for_gpu(KernelId, const KernelSpec&, std::size_t, std::span<const std::byte>) {
  return std::nullopt;
}
#endif

void read_gpu(std::string_view detail, DeviceName& name) {
  constexpr std::size_t uuid_digits = 32;
  std::string digits;
  for (const char c : detail)
    if (c != '-') digits += c >= 'A' && c <= 'F' ? char(c - 'A' + 'a') : c;
  if (digits.size() == uuid_digits && digits.find_first_not_of("0123456789abcdef") == std::string::npos) {
    name.uuid = digits;
    return;
  }
  unsigned number = 0;
  const auto [end, error] = std::from_chars(detail.data(), detail.data() + detail.size(), number);
  if (error != std::errc{} || end != detail.data() + detail.size())
    throw Error(ExitCode::usage, "there is no device " + in_quotes(name.kind + ":" + std::string(detail)),
                "a GPU is named by its number or its UUID: gpu:0; `webnn-cli devices` lists both");
  name.number = number;
}

constexpr DeviceRow rows[] = {
    {DeviceKind::cpu, rows_of_cpu, open_cpu, read_provider, runtime::pack_constant},
    {DeviceKind::vulkan, rows_of_gpu, open_gpu, read_gpu, pack_for_gpu},
};

}  // namespace

std::span<const DeviceRow> device_table() { return rows; }

std::optional<PackedConstant> pack_constant(KernelId kernel, const KernelSpec& spec, std::size_t operand,
                                            std::span<const std::byte> bytes) {
  for (const DeviceRow& device : device_table())
    if (device.kind == row(kernel).device)
      return device.pack ? device.pack(kernel, spec, operand, bytes) : std::nullopt;
  return std::nullopt;
}

}  // namespace webnn::api

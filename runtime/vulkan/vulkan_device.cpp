#include "runtime/vulkan/vulkan_device.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "runtime/vulkan/pack.hpp"
#include "runtime/vulkan/profile/features.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

VulkanDevice::VulkanDevice(std::unique_ptr<Instance> instance, VkPhysicalDevice physical, const GpuInfo& info,
                           GpuOptions options)
    : Device({"gpu:" + std::to_string(info.number) + " (" + info.name + ")", {}, false, info.name}),
      fallback_(std::move(options.fallback)),
      queue_(std::move(instance), physical, options.without),
      memory_(queue_, options.staging),
      pipelines_(queue_, options.cache_folder, options.shader_folder),
      choices_(choices_for(queue_.profile().architecture)) {
  if (options.flops_at_once != 0) queue_.profile().flops_at_once = options.flops_at_once;
  if (options.least_groups) queue_.profile().max_group_lanes = 128, queue_.profile().shared_bytes = 16 << 10;
  if (options.inexact_division) queue_.profile().divides_exactly = false;
  constexpr std::chrono::seconds usual_limit{60};  // software may take any time
  queue_.limit_waits(options.wait_limit.value_or(queue_.profile().is_cpu ? std::chrono::seconds{0} : usual_limit));
  const Feature features = program_features(queue_.profile());
  set_target(
      {DeviceKind::vulkan, fallback_ ? features | Feature::cpu_fallback : features, queue_.profile().compute_units});
}

VulkanDevice::~VulkanDevice() { memory_.settle(); }

void VulkanDevice::upload(const Buffer& to, std::span<const std::byte> from) { memory_.upload(to, from); }

ExportableBuffer VulkanDevice::allocate_exportable(std::size_t bytes) {
  if (!queue_.profile().exports_memory) return Device::allocate_exportable(bytes);
  return memory_.allocate_exportable(bytes);
}

void VulkanDevice::download(std::span<std::byte> to, const Buffer& from) {
  memory_.download(to, from);
  queue_.instance().check_validation();
}

bool VulkanDevice::can_run(KernelId id, const KernelSpec& spec) const {
  if (falls_back(row(id), target())) return fallback_->can_run(id, spec);
  const GpuKernel* const kernel = gpu_kernels().find(id);
  if (!kernel) return false;
  if (spec.outputs.empty()) return true;
  Dispatches list = kernel->dispatches(spec, target());
  list.unroll(1);
  const Profile& profile = queue_.profile();
  return std::ranges::all_of(list.dispatches, [&](const Dispatch& dispatch) {
    return vulkan::can_run(profile, dispatch.shader.words) &&
           dispatch.lanes_of(profile.subgroup_size) <= profile.max_group_lanes &&
           dispatch.shared_bytes <= profile.shared_bytes &&
           (profile.most_turns == 0 || dispatch.turns <= profile.most_turns);
  });
}

namespace {

/// Shaders trust that packed operands have the kernel's own form. Throws Error (program).
void check_packed(const GpuKernel& kernel, const KernelSpec& spec, Constants constants) {
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    if (spec.input_layout(i) != Layout::private_form) continue;
    const GpuPacking* const packing = kernel.packing;
    if (!packing || spec.input_form(i) != packing->form || constants[i].size() != packing->bytes(spec))
      throw Error(ExitCode::program,
                  "the constant in the form " + in_quotes(spec.input_form(i)) + " is not what " +
                      std::string(kernel.row.name) + " reads",
                  "compile the graph again");
  }
}

}  // namespace

Kernel VulkanDevice::make_kernel(KernelId id, const KernelSpec& spec,
                                 std::span<const std::span<const std::byte>> constants) {
  check_kernel(*this, id, spec);
  if (falls_back(row(id), target())) {
    const auto host =
        std::make_shared<HostKernel>(memory_, fallback_->make_kernel(id, spec, constants), spec, constants);
    return {[this, host](const KernelArguments&) { recording_->add(*host); }, 0};
  }
  const GpuKernel& kernel = *gpu_kernels().find(id);
  check_packed(kernel, spec, constants);
  return make_kernel(kernel.dispatches(spec, target()), spec);
}

Kernel VulkanDevice::make_kernel(Dispatches list, const KernelSpec& spec) {
  const auto ready = std::make_shared<ReadyKernel>();
  list.unroll();
  std::uint64_t recorded_bytes = 0;
  for (const Dispatch& dispatch : list.dispatches) recorded_bytes += RecordedSequence::bytes_of(dispatch);
  ready->recording = MemoryCharge(recorded_bytes);
  ready->sizes = CallSizes(spec, list.scratch_bytes);
  ready->cost = cost_of(spec);
  for (const Dispatch& dispatch : list.dispatches) ready->pipelines.push_back(pipelines_.find(dispatch));
  ready->dispatches = std::move(list.dispatches);
  const auto record = [this, ready](const KernelArguments& arguments) { recording_->add(*ready, arguments); };
  return {record, std::size_t(list.scratch_bytes)};
}

std::unique_ptr<Sequence> VulkanDevice::prepare(std::span<const Invocation> invocations,
                                                [[maybe_unused]] const Bands& bands) {
  assert(bands.chains.empty());  // none of its rows computes lines
  return std::make_unique<RecordedSequence>(queue_, memory_, pipelines_, recording_, invocations);
}

void VulkanDevice::wait() {
  memory_.flush();
  queue_.wait();
  memory_.trim_staging();
  queue_.instance().check_validation();
}

}  // namespace webnn::runtime::vulkan

namespace webnn::runtime {

using vulkan::Instance;

std::vector<GpuInfo> list_gpus() {
  const Instance instance(false);
  std::vector<GpuInfo> list;
  for (const VkPhysicalDevice device : instance.devices())
    list.push_back(vulkan::info_of(instance.functions(), device, unsigned(list.size())));
  return list;
}

const GpuInfo* best_gpu(std::span<const GpuInfo> gpus) {
  for (const std::string_view kind : {"discrete", "integrated", "virtual", "other", "cpu"}) {
    const GpuInfo* best = nullptr;
    for (const GpuInfo& info : gpus)
      if (info.kind == kind && info.missing.empty() && (!best || info.memory_bytes > best->memory_bytes)) best = &info;
    if (best) return best;
  }
  return nullptr;
}

std::optional<PackedConstant> pack_gpu_constant(KernelId id, const KernelSpec& spec, std::size_t,
                                                std::span<const std::byte> bytes) {
  const vulkan::GpuKernel* const kernel = vulkan::gpu_kernels().find(id);
  if (!kernel || !kernel->packing) return std::nullopt;
  AlignedBytes packed(kernel->packing->bytes(spec));
  kernel->packing->pack(spec, bytes, packed.view());
  return PackedConstant{std::string(kernel->packing->form), std::move(packed).take()};
}

std::vector<const KernelRow*> gpu_kernel_rows() {
  std::vector<const KernelRow*> rows;
  for (const vulkan::GpuKernel& kernel : vulkan::gpu_kernels()) rows.push_back(&kernel.row);
  return rows;
}

bool is_software_gpu(const Device& device) {
  const auto* const gpu = dynamic_cast<const vulkan::VulkanDevice*>(&device);
  return gpu && gpu->queue().profile().is_cpu;
}

std::unique_ptr<Device> open_gpu(GpuOptions options) {
  auto instance = std::make_unique<Instance>(options.validation);
  std::vector<GpuInfo> list;
  for (const VkPhysicalDevice device : instance->devices())
    list.push_back(vulkan::info_of(instance->functions(), device, unsigned(list.size())));
  if (list.empty())
    throw schema::Error(ExitCode::device, "there is no GPU with a Vulkan driver on this machine",
                        "use the device `cpu`");
  const GpuInfo* chosen = nullptr;
  if (!options.uuid.empty()) {
    const auto named = std::ranges::find(list, options.uuid, &GpuInfo::uuid);
    if (named == list.end())
      throw schema::Error(ExitCode::device, "there is no gpu:" + options.uuid,
                          "`webnn-cli devices` lists what there is");
    chosen = &*named;
  } else if (options.number) {
    if (*options.number >= list.size())
      throw schema::Error(ExitCode::device, "there is no gpu:" + std::to_string(*options.number),
                          "`webnn-cli devices` lists what there is");
    chosen = &list[*options.number];
  } else {
    chosen = best_gpu(list);
    if (!chosen) chosen = &list[0];
  }
  if (!chosen->missing.empty())
    throw schema::Error(ExitCode::device,
                        "gpu:" + std::to_string(chosen->number) + " (" + chosen->name + ") lacks " + chosen->missing[0],
                        "update its driver, or use another device; `webnn-cli devices` lists what there is");
  const VkPhysicalDevice physical = instance->devices()[chosen->number];
  return std::make_unique<vulkan::VulkanDevice>(std::move(instance), physical, *chosen, std::move(options));
}

}  // namespace webnn::runtime

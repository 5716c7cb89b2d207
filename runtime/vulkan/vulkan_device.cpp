#include "runtime/vulkan/vulkan_device.hpp"

#include <algorithm>
#include <utility>

#include "schema/error.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

VulkanDevice::VulkanDevice(std::unique_ptr<Instance> instance, VkPhysicalDevice physical, const GpuInfo& info,
                           GpuOptions options)
    : name_("gpu:" + std::to_string(info.number) + " (" + info.name + ")"),
      fallback_(std::move(options.fallback)),
      queue_(std::move(instance), physical, options.without),
      memory_(queue_, options.staging),
      pipelines_(queue_, options.cache_folder) {
  target_ = {DeviceKind::vulkan, program_features(queue_.profile())};
  if (fallback_) target_.features = target_.features | Feature::cpu_fallback;
}

VulkanDevice::~VulkanDevice() { queue_.settle(); }

Buffer VulkanDevice::import(std::span<const std::byte> bytes, std::size_t) {
  Buffer copy = allocate(bytes.size());
  memory_.upload(copy, bytes);
  return copy;
}

void VulkanDevice::upload(const Buffer& to, std::span<const std::byte> from) { memory_.upload(to, from); }

void VulkanDevice::download(std::span<std::byte> to, const Buffer& from) {
  memory_.download(to, from);
  queue_.instance().check_validation();
}

bool VulkanDevice::has_kernel(KernelId id) const {
  if (falls_back(row(id), target_)) return fallback_->has_kernel(id);
  return find_vulkan_kernel(row(id).name) != nullptr;
}

bool VulkanDevice::can_run(KernelId id, const KernelSpec& spec) const {
  if (falls_back(row(id), target_) || spec.outputs.empty()) return true;
  const Dispatches list = find_vulkan_kernel(row(id).name)->dispatches(spec);
  return std::ranges::all_of(list.dispatches, [&](const Dispatch& dispatch) {
    return vulkan::can_run(queue_.profile(), dispatch.shader.words) &&
           (queue_.profile().most_turns == 0 || dispatch.turns <= queue_.profile().most_turns);
  });
}

bool VulkanDevice::favours(KernelId id) const {
  const DispatchRow* const kernel = find_vulkan_kernel(row(id).name);
  return !(kernel && kernel->needs_shared_memory && queue_.profile().is_cpu);
}

Kernel VulkanDevice::make_kernel(KernelId id, const KernelSpec& spec,
                                 std::span<const std::span<const std::byte>> constants) {
  check_kernel(*this, id, spec);
  if (falls_back(row(id), target_)) {
    const auto host =
        std::make_shared<HostKernel>(memory_, fallback_->make_kernel(id, spec, constants), spec, constants);
    return {[this, host](const KernelArguments&) { recording_->add(*host); }, 0};
  }
  return make_kernel(find_vulkan_kernel(row(id).name)->dispatches(spec), spec);
}

Kernel VulkanDevice::make_kernel(Dispatches list, const KernelSpec& spec) {
  const auto ready = std::make_shared<ReadyKernel>();
  ready->sizes = CallSizes(spec, list.scratch_bytes);
  for (const Dispatch& dispatch : list.dispatches) ready->pipelines.push_back(pipelines_.find(dispatch));
  ready->dispatches = std::move(list.dispatches);
  const auto record = [this, ready](const KernelArguments& arguments) { recording_->add(*ready, arguments); };
  return {record, std::size_t(list.scratch_bytes)};
}

std::unique_ptr<Sequence> VulkanDevice::prepare(std::span<const Invocation> invocations) {
  return std::make_unique<RecordedSequence>(queue_, pipelines_, recording_, invocations);
}

void VulkanDevice::wait() {
  queue_.wait();
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
  for (const std::string_view kind : {"discrete", "integrated", "virtual", "other", "cpu"})
    for (const GpuInfo& info : gpus)
      if (info.kind == kind && info.missing.empty()) return &info;
  return nullptr;
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
    throw schema::Error(ExitCode::device, "there is no GPU with a Vulkan driver on this machine", "use --device cpu");
  const GpuInfo* chosen = nullptr;
  if (options.number) {
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

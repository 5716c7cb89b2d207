#include "runtime/vulkan/queue.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/vulkan/profile/features.hpp"
#include "schema/error.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

Queue::Queue(std::unique_ptr<Instance> instance, VkPhysicalDevice physical, std::span<const std::string_view> without)
    : instance_(std::move(instance)),
      vk_(instance_->functions()),
      physical_(physical),
      profile_(profile_of(vk_, physical, without)) {
  const float priority = 1;
  std::vector<VkDeviceQueueCreateInfo> queues;
  const auto add_queue = [&](std::uint32_t family) {
    VkDeviceQueueCreateInfo& queue = queues.emplace_back();
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
  };
  add_queue(profile_.queue_family);
  if (profile_.copy_family) add_queue(*profile_.copy_family);
  Features features(profile_);
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features.all;
  info.queueCreateInfoCount = std::uint32_t(queues.size());
  info.pQueueCreateInfos = queues.data();
  info.enabledExtensionCount = std::uint32_t(profile_.extensions.size());
  info.ppEnabledExtensionNames = profile_.extensions.data();
  check(vk_.CreateDevice(physical, &info, nullptr, &device_), "open the device");
  vk_.load_device(device_);
  constexpr VkPipelineStageFlags copying = VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkPipelineStageFlags computing = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | copying;
  try {
    kernels_ = std::make_unique<Lane>(vk_, device_, profile_.queue_family, computing);
    if (profile_.copy_family) copies_ = std::make_unique<Lane>(vk_, device_, *profile_.copy_family, copying);
  } catch (...) {
    kernels_.reset();
    vk_.DestroyDevice(device_, nullptr);
    throw;
  }
}

Queue::~Queue() {
  vk_.DeviceWaitIdle(device_);
  copies_.reset();
  kernels_.reset();
  vk_.DestroyDevice(device_, nullptr);
}

Lane::Lane(const Functions& vk, VkDevice device, std::uint32_t family, VkPipelineStageFlags stages)
    : vk_(&vk), device_(device), family_(family), stages_(stages) {
  vk.GetDeviceQueue(device, family, 0, &queue_);
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore{};
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  semaphore.pNext = &type;
  check(vk.CreateSemaphore(device, &semaphore, nullptr, &reached_), "create a semaphore");
}

Lane::~Lane() { vk_->DestroySemaphore(device_, reached_, nullptr); }

Commands::Commands(Queue& queue, Lane& lane) : queue_(&queue), lane_(&lane) {
  const Functions& vk = queue.vk();
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = lane.family();
  check(vk.CreateCommandPool(queue.device(), &pool, nullptr, &pool_), "create a command pool");
  VkCommandBufferAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = pool_;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  const VkResult result = vk.AllocateCommandBuffers(queue.device(), &allocation, &buffer_);
  if (result != VK_SUCCESS) vk.DestroyCommandPool(queue.device(), pool_, nullptr);  // the destructor will not run
  check(result, "record commands");
}

Commands::~Commands() {
  if (pool_) queue_->vk().DestroyCommandPool(queue_->device(), pool_, nullptr);  // frees the buffer too
}

Commands Queue::begin_commands(Lane& lane, VkCommandBufferUsageFlags flags) {
  Commands commands(*this, lane);
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = flags;
  check(vk_.BeginCommandBuffer(commands.get(), &begin), "record commands");
  return commands;
}

void Queue::end_commands(const Commands& commands) { check(vk_.EndCommandBuffer(commands.get()), "record commands"); }

std::uint64_t Queue::submit(const Commands& commands, std::uint64_t after) {
  Lane& lane = commands.lane();
  const bool computes = &lane == kernels_.get();
  const Lane* const other = computes ? copies_.get() : kernels_.get();  // null: there is only one
  if (computes) after = other ? other->submitted() : 0;
  const std::lock_guard lock(lane.mutex_);
  const std::uint64_t number = lane.submitted_.load() + 1;
  VkTimelineSemaphoreSubmitInfo timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &number;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &timeline;
  info.commandBufferCount = 1;
  const VkCommandBuffer buffer = commands.get();
  info.pCommandBuffers = &buffer;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &lane.reached_;
  if (after > lane.behind_) {
    timeline.waitSemaphoreValueCount = 1;
    timeline.pWaitSemaphoreValues = &after;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &other->reached_;
    info.pWaitDstStageMask = &lane.stages_;
  }
  check_lost(vk_.QueueSubmit(lane.queue_, 1, &info, VK_NULL_HANDLE), "start work");
  lane.behind_ = std::max(lane.behind_, after);
  lane.submitted_ = number;
  return number;
}

void Queue::wait() {
  wait(*kernels_, kernels_->submitted());
  if (copies_) wait(*copies_, copies_->submitted());
}

void Queue::wait(Lane& lane, std::uint64_t number) {
  if (lane.has_reached(number)) return;
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &lane.reached_;
  info.pValues = &number;
  ++waits_;
  if (is_lost_) throw Error(ExitCode::device, "the GPU was lost");
  const std::uint64_t limit = wait_limit_.count() > 0 ? std::uint64_t(wait_limit_.count()) : ~std::uint64_t{0};
  std::uint64_t before = known();
  for (;;) {
    const VkResult result = vk_.WaitSemaphores(device_, &info, limit);
    check_lost(result, "finish its work");
    if (result == VK_SUCCESS) break;
    const std::uint64_t reached = look();  // the other lane may be what this one waits for
    if (reached <= before)
      lose("the GPU has ended no work for " + std::to_string(limit / 1'000'000'000) + " s",
           "a kernel may be too long for it; its driver's messages may say more");
    before = reached;
  }
  look();
}

/// Finds out how far the lanes have come; returns the sum of their numbers.
std::uint64_t Queue::look() {
  for (Lane* const lane : {kernels_.get(), copies_.get()}) {
    if (!lane) continue;
    std::uint64_t reached = 0;
    check_lost(vk_.GetSemaphoreCounterValue(device_, lane->reached_, &reached), "finish its work");
    std::uint64_t known = lane->known_.load();
    while (known < reached && !lane->known_.compare_exchange_weak(known, reached)) {
    }
  }
  return known();
}

std::uint64_t Queue::known() const { return kernels_->known_ + (copies_ ? copies_->known_.load() : 0); }

void Queue::check_lost(VkResult result, std::string_view what) {
  if (result != VK_ERROR_DEVICE_LOST) return check(result, what);
  lose("the GPU was lost while trying to " + std::string(what),
       "its driver's messages may say why; a new context may work");
}

void Queue::lose(const std::string& reason, const std::string& hint) {
  if (!is_lost_.exchange(true) && when_lost_) when_lost_(reason);
  throw Error(ExitCode::device, reason, hint);
}

template <typename Wait>
void Queue::settle_by(Wait wait) noexcept {
  try {
    wait();
  } catch (const Error&) {  // a lost device does nothing any more, but one that is late may
    vk_.DeviceWaitIdle(device_);
  }
}

void Queue::settle(std::uint64_t number) noexcept {
  settle_by([&] { wait(*kernels_, number); });
}
void Queue::settle() noexcept {
  settle_by([&] { wait(); });
}

namespace {

/// What commands at these stages do to memory.
VkAccessFlags writes_of(VkPipelineStageFlags stages) {
  const bool computes = (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0;
  return VK_ACCESS_TRANSFER_WRITE_BIT | (computes ? VK_ACCESS_SHADER_WRITE_BIT : 0);
}
VkAccessFlags reads_of(VkPipelineStageFlags stages) {
  const bool computes = (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0;
  return VK_ACCESS_TRANSFER_READ_BIT | (computes ? VK_ACCESS_SHADER_READ_BIT : 0);
}

void barrier(const Functions& vk, const Commands& commands, VkPipelineStageFlags stages, VkAccessFlags writes,
             VkPipelineStageFlags later_stages, VkAccessFlags later_accesses) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = writes;
  barrier.dstAccessMask = later_accesses;
  vk.CmdPipelineBarrier(commands.get(), stages, later_stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

void full_barrier(const Functions& vk, const Commands& commands) {
  const VkPipelineStageFlags stages = commands.lane().stages();
  barrier(vk, commands, stages, writes_of(stages), stages, writes_of(stages) | reads_of(stages));
}

void dispatch_barrier(const Functions& vk, const Commands& commands) {
  constexpr VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  constexpr VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT;
  barrier(vk, commands, stage, writes, stage, writes | VK_ACCESS_SHADER_READ_BIT);
}

void barrier_to_host(const Functions& vk, const Commands& commands) {
  const VkPipelineStageFlags stages = commands.lane().stages();
  barrier(vk, commands, stages, writes_of(stages), VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

}  // namespace webnn::runtime::vulkan

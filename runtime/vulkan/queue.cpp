#include "runtime/vulkan/queue.hpp"

#include <utility>

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
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = profile_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  Features features(profile_);
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features.all;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = std::uint32_t(profile_.extensions.size());
  info.ppEnabledExtensionNames = profile_.extensions.data();
  check(vk_.CreateDevice(physical, &info, nullptr, &device_), "open the device");
  vk_.load_device(device_);
  vk_.GetDeviceQueue(device_, profile_.queue_family, 0, &queue_);

  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore{};
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  semaphore.pNext = &type;
  try {
    check(vk_.CreateSemaphore(device_, &semaphore, nullptr, &reached_), "create a semaphore");
  } catch (...) {
    vk_.DestroyDevice(device_, nullptr);
    throw;
  }
}

Queue::~Queue() {
  vk_.DeviceWaitIdle(device_);
  vk_.DestroySemaphore(device_, reached_, nullptr);
  vk_.DestroyDevice(device_, nullptr);
}

Commands::Commands(Queue& queue) : queue_(&queue) {
  const Functions& vk = queue.vk();
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = queue.profile().queue_family;
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

Commands Queue::begin_commands(VkCommandBufferUsageFlags flags) {
  Commands commands(*this);
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = flags;
  check(vk_.BeginCommandBuffer(commands.get(), &begin), "record commands");
  return commands;
}

void Queue::end_commands(const Commands& commands) { check(vk_.EndCommandBuffer(commands.get()), "record commands"); }

std::uint64_t Queue::submit(const Commands& commands) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = submitted_.load() + 1;
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
  info.pSignalSemaphores = &reached_;
  check_lost(vk_.QueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "start work");
  submitted_ = number;
  return number;
}

void Queue::wait(std::uint64_t number) {
  if (known_.load() >= number) return;
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &reached_;
  info.pValues = &number;
  ++waits_;
  if (is_lost_) throw Error(ExitCode::device, "the GPU was lost");
  const std::uint64_t limit = wait_limit_.count() > 0 ? std::uint64_t(wait_limit_.count()) : ~std::uint64_t{0};
  std::uint64_t before = known_.load();
  for (;;) {
    const VkResult result = vk_.WaitSemaphores(device_, &info, limit);
    check_lost(result, "finish its work");
    if (result == VK_SUCCESS) break;
    std::uint64_t reached = 0;
    check_lost(vk_.GetSemaphoreCounterValue(device_, reached_, &reached), "finish its work");
    if (reached <= before)
      lose("the GPU has ended no work for " + std::to_string(limit / 1'000'000'000) + " s",
           "a kernel may be too long for it; its driver's messages may say more");
    before = reached;
  }
  std::uint64_t known = known_.load();
  while (known < number && !known_.compare_exchange_weak(known, number)) {
  }
}

void Queue::check_lost(VkResult result, std::string_view what) {
  if (result != VK_ERROR_DEVICE_LOST) return check(result, what);
  lose("the GPU was lost while trying to " + std::string(what),
       "its driver's messages may say why; a new context may work");
}

void Queue::lose(const std::string& reason, const std::string& hint) {
  if (!is_lost_.exchange(true) && when_lost_) when_lost_(reason);
  throw Error(ExitCode::device, reason, hint);
}

void Queue::settle(std::uint64_t number) noexcept {
  try {
    wait(number);
  } catch (const Error&) {  // a lost device does nothing any more, but one that is late may
    vk_.DeviceWaitIdle(device_);
  }
}

namespace {

constexpr VkPipelineStageFlags own_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags own_writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;

void barrier(const Functions& vk, VkCommandBuffer commands, VkPipelineStageFlags later_stages,
             VkAccessFlags later_accesses) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = own_writes;
  barrier.dstAccessMask = later_accesses;
  vk.CmdPipelineBarrier(commands, own_stages, later_stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

void full_barrier(const Functions& vk, VkCommandBuffer commands) {
  barrier(vk, commands, own_stages, own_writes | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

void barrier_to_host(const Functions& vk, VkCommandBuffer commands) {
  barrier(vk, commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

}  // namespace webnn::runtime::vulkan

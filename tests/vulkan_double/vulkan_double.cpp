// A libvulkan.so.1 that stands before the real one, for tests and rankings: it counts what a program asks of the driver,
// and pretends to have what this machine has not. It is found by LD_LIBRARY_PATH.
//
//   VULKAN_DOUBLE=null            nothing runs: memory is the host's, commands are not recorded, and what is submitted has
//                                 ended at once. What the driver's compiler does is real, so RADV needs no GPU
//                                 (RADV_FORCE_FAMILY=navi21). The memory is that of a discrete GPU.
//   VULKAN_DOUBLE=transfer-queue  everything runs; there is a second family of queues, for copies alone. Its work runs on
//                                 the first queue, in the order of the submissions. With "late-copies" in the same
//                                 variable, copies start only when something waits for them, with "late-kernels"
//                                 everything else does. Commands that such a queue has not end the program.
//   VULKAN_DOUBLE_REPORT=FILE     at the end, what was counted, as a JSON object.
//   VULKAN_DOUBLE_LOG=1           each pipeline and each dispatch on standard error, when it is made or recorded.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <list>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "tests/vulkan_double/late_work.hpp"

namespace {

// ---- what is counted

struct Counts {
  std::atomic<unsigned long> pipelines = 0, allocations = 0, submissions = 0, dispatches = 0, barriers = 0, copies = 0,
                             transfer_submissions = 0;
  std::atomic<unsigned long long> bytes = 0;
};

/// Everything that lasts as long as the process.
struct State {
  Counts counts;
  bool is_null = false, has_transfer_queue = false, logs = false, late_copies = false, late_kernels = false;
  const char* report = nullptr;
  PFN_vkGetInstanceProcAddr instance_functions = nullptr;
  PFN_vkGetDeviceProcAddr device_functions = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  std::uint32_t first_family = 0, families = 0;
  std::mutex submitting;  // both queues are one of the driver, and only one thread at a time may use that
  LateWork late;
  std::mutex mutex;                // of what follows
  std::list<VkQueue> copy_queues;  // the driver's queues behind ours, whose handles are the places in this list
  std::set<VkCommandPool> copy_pools;
  std::set<VkCommandBuffer> copy_commands;
  std::atomic<VkDeviceSize> last_buffer_size = 0;
  std::atomic<VkDeviceAddress> next_address = VkDeviceAddress{1} << 32;
};
State& state() {
  static State one;
  return one;
}

void report() {
  const State& all = state();
  if (!all.report) return;
  std::FILE* const file = std::fopen(all.report, "w");
  if (!file) return;
  std::fprintf(file,
               "{\"pipelines\": %lu, \"allocations\": %lu, \"bytes\": %llu, \"submissions\": %lu, "
               "\"transferSubmissions\": %lu, \"dispatches\": %lu, \"barriers\": %lu, \"copies\": %lu}\n",
               all.counts.pipelines.load(), all.counts.allocations.load(), all.counts.bytes.load(),
               all.counts.submissions.load(), all.counts.transfer_submissions.load(), all.counts.dispatches.load(),
               all.counts.barriers.load(), all.counts.copies.load());
  std::fclose(file);
}

template <typename Function>
Function real_of_instance(const char* name) {
  return reinterpret_cast<Function>(state().instance_functions(state().instance, name));
}
template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(state().device_functions(state().device, name));
}
#define REAL(name) real<PFN_##name>(#name)
#define REAL_OF_INSTANCE(name) real_of_instance<PFN_##name>(#name)

// ---- functions that count, and go on to the driver unless nothing runs

VkResult create_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                          const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                          VkPipeline* pipelines) {
  state().counts.pipelines += count;
  const VkResult result = REAL(vkCreateComputePipelines)(device, cache, count, infos, callbacks, pipelines);
  if (state().logs)
    for (std::uint32_t i = 0; i < count; ++i)
      std::fprintf(stderr, "PIPELINE %p\n", static_cast<void*>(pipelines[i]));  // its driver's statistics come before
  return result;
}

VkResult allocate_memory(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                         VkDeviceMemory* memory) {
  ++state().counts.allocations;
  state().counts.bytes += info->allocationSize;
  if (!state().is_null) return REAL(vkAllocateMemory)(device, info, callbacks, memory);
  *memory = static_cast<VkDeviceMemory>(std::malloc(info->allocationSize + 4096));
  return *memory ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/// The driver's queue behind one of ours; null if it is none of ours.
VkQueue queue_behind(VkQueue queue) {
  const std::lock_guard lock(state().mutex);
  for (VkQueue& behind : state().copy_queues)
    if (queue == reinterpret_cast<VkQueue>(&behind)) return behind;
  return VK_NULL_HANDLE;
}

VkResult submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  ++state().counts.submissions;
  const VkQueue behind = queue_behind(queue);
  const bool copies = behind != VK_NULL_HANDLE;
  if (copies) {
    ++state().counts.transfer_submissions;
    queue = behind;
  }
  if (state().is_null) return VK_SUCCESS;
  const std::lock_guard lock(state().submitting);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = 0; j < infos[i].waitSemaphoreCount; ++j)
      state().late.start(infos[i].pWaitSemaphores[j],
                         static_cast<const VkTimelineSemaphoreSubmitInfo*>(infos[i].pNext)->pWaitSemaphoreValues[j],
                         REAL(vkQueueSubmit));
  if (!(copies ? state().late_copies : state().late_kernels)) return REAL(vkQueueSubmit)(queue, count, infos, fence);
  for (std::uint32_t i = 0; i < count; ++i) state().late.keep(queue, infos[i]);
  return VK_SUCCESS;
}

VkResult wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t limit) {
  {
    const std::lock_guard lock(state().submitting);
    for (std::uint32_t i = 0; i < info->semaphoreCount; ++i)
      state().late.start(info->pSemaphores[i], info->pValues[i], REAL(vkQueueSubmit));
  }
  return REAL(vkWaitSemaphores)(device, info, limit);
}

VkResult device_wait_idle(VkDevice device) {
  const std::lock_guard lock(state().submitting);
  state().late.start_all(REAL(vkQueueSubmit));
  return REAL(vkDeviceWaitIdle)(device);
}

/// Ends the program if the commands are for a queue that only copies.
void refuse_copy_queue(VkCommandBuffer commands, const char* what) {
  const std::lock_guard lock(state().mutex);
  if (!state().copy_commands.contains(commands)) return;
  std::fprintf(stderr, "vulkan_double: %s on a queue that only copies\n", what);
  std::abort();
}

void dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  ++state().counts.dispatches;
  refuse_copy_queue(commands, "a dispatch");
  if (state().logs) std::fprintf(stderr, "DISPATCH %llu\n", std::uint64_t{x} * y * z + 0ull);
  if (!state().is_null) REAL(vkCmdDispatch)(commands, x, y, z);
}

void bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline) {
  if (state().logs) std::fprintf(stderr, "BIND %p\n", static_cast<void*>(pipeline));
  if (!state().is_null) REAL(vkCmdBindPipeline)(commands, point, pipeline);
}

void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags flags,
             std::uint32_t memory_count, const VkMemoryBarrier* memory, std::uint32_t buffer_count,
             const VkBufferMemoryBarrier* buffers, std::uint32_t image_count, const VkImageMemoryBarrier* images) {
  if (to != VK_PIPELINE_STAGE_HOST_BIT) ++state().counts.barriers;
  if (((from | to) & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0) refuse_copy_queue(commands, "a barrier of shaders");
  if (!state().is_null) REAL(vkCmdPipelineBarrier)
  (commands, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images);
}

void copy_buffer(VkCommandBuffer commands, VkBuffer from, VkBuffer to, std::uint32_t count,
                 const VkBufferCopy* regions) {
  ++state().counts.copies;
  if (!state().is_null) REAL(vkCmdCopyBuffer)(commands, from, to, count, regions);
}

// ---- a device that runs nothing

VkResult create_buffer(VkDevice device, const VkBufferCreateInfo* info, const VkAllocationCallbacks* callbacks,
                       VkBuffer* buffer) {
  state().last_buffer_size = info->size;
  return REAL(vkCreateBuffer)(device, info, callbacks, buffer);
}
void buffer_requirements(VkDevice, VkBuffer, VkMemoryRequirements* needs) {
  *needs = {state().last_buffer_size, 256, 0b111};
}
VkDeviceAddress buffer_address(VkDevice, const VkBufferDeviceAddressInfo*) {
  return state().next_address.fetch_add(VkDeviceAddress{1} << 32);
}
VkResult map_memory(VkDevice, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize, VkMemoryMapFlags,
                    void** place) {
  *place = reinterpret_cast<char*>(memory) + offset;
  return VK_SUCCESS;
}
void free_memory(VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) { std::free(memory); }
VkResult create_semaphore(VkDevice, const VkSemaphoreCreateInfo*, const VkAllocationCallbacks*,
                          VkSemaphore* semaphore) {
  *semaphore = reinterpret_cast<VkSemaphore>(std::uintptr_t{0x1234});
  return VK_SUCCESS;
}
VkResult semaphore_counter(VkDevice, VkSemaphore, std::uint64_t* value) {
  *value = state().counts.submissions;
  return VK_SUCCESS;
}
void memory_properties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* memory) {
  *memory = {};
  memory->memoryHeapCount = 2;
  memory->memoryHeaps[0] = {std::uint64_t{8} << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  memory->memoryHeaps[1] = {std::uint64_t{8} << 30, 0};
  constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  memory->memoryTypeCount = 3;
  memory->memoryTypes[0] = {local, 0};
  memory->memoryTypes[1] = {seen | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
  memory->memoryTypes[2] = {local | seen, 0};
}
/// Stand for functions of any parameters, which the caller removes from the stack.
VkResult succeed() { return VK_SUCCESS; }
void nothing() {}

// ---- a queue for copies

void queue_families(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* families) {
  const auto ask = REAL_OF_INSTANCE(vkGetPhysicalDeviceQueueFamilyProperties);
  std::uint32_t real_count = 0;
  ask(device, &real_count, nullptr);
  state().families = real_count;
  if (!families) {
    *count = real_count + 1;
    return;
  }
  std::vector<VkQueueFamilyProperties> all(real_count);
  ask(device, &real_count, all.data());
  all.push_back(all.front());
  all.back().queueFlags = VK_QUEUE_TRANSFER_BIT;
  all.back().queueCount = 1;
  if (*count > all.size()) *count = std::uint32_t(all.size());
  for (std::uint32_t i = 0; i < *count; ++i) families[i] = all[i];
}

VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                       const VkAllocationCallbacks* callbacks, VkDevice* device) {
  VkDeviceCreateInfo changed = *info;
  if (state().has_transfer_queue) changed.queueCreateInfoCount = 1;  // ours comes last
  state().first_family = info->pQueueCreateInfos[0].queueFamilyIndex;
  return REAL_OF_INSTANCE(vkCreateDevice)(physical, &changed, callbacks, device);
}
void device_queue(VkDevice device, std::uint32_t family, std::uint32_t index, VkQueue* queue) {
  if (family < state().families || !state().has_transfer_queue)
    return REAL(vkGetDeviceQueue)(device, family, index, queue);
  VkQueue behind = VK_NULL_HANDLE;
  REAL(vkGetDeviceQueue)(device, state().first_family, 0, &behind);
  const std::lock_guard lock(state().mutex);
  *queue = reinterpret_cast<VkQueue>(&state().copy_queues.emplace_back(behind));
}
VkResult create_pool(VkDevice device, const VkCommandPoolCreateInfo* info, const VkAllocationCallbacks* callbacks,
                     VkCommandPool* pool) {
  VkCommandPoolCreateInfo changed = *info;
  const bool copies = changed.queueFamilyIndex >= state().families;
  if (copies) changed.queueFamilyIndex = state().first_family;
  const VkResult result = REAL(vkCreateCommandPool)(device, &changed, callbacks, pool);
  const std::lock_guard lock(state().mutex);
  copies ? void(state().copy_pools.insert(*pool)) : void(state().copy_pools.erase(*pool));
  return result;
}
VkResult allocate_commands(VkDevice device, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* commands) {
  const VkResult result = REAL(vkAllocateCommandBuffers)(device, info, commands);
  const std::lock_guard lock(state().mutex);
  for (std::uint32_t i = 0; i < info->commandBufferCount; ++i)
    if (state().copy_pools.contains(info->commandPool))
      state().copy_commands.insert(commands[i]);
    else
      state().copy_commands.erase(commands[i]);
  return result;
}
VkResult create_shared_buffer(VkDevice device, const VkBufferCreateInfo* info, const VkAllocationCallbacks* callbacks,
                              VkBuffer* buffer) {
  VkBufferCreateInfo changed = *info;
  changed.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  changed.queueFamilyIndexCount = 0;
  if (state().is_null) return create_buffer(device, &changed, callbacks, buffer);
  return REAL(vkCreateBuffer)(device, &changed, callbacks, buffer);
}

// ---- which function stands for which

struct Replacement {
  std::string_view name;
  PFN_vkVoidFunction function;
};
template <typename Function>
PFN_vkVoidFunction as_void(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(reinterpret_cast<void*>(function));
}

PFN_vkVoidFunction find(std::string_view name, const std::vector<Replacement>& list) {
  for (const Replacement& one : list)
    if (one.name == name) return one.function;
  return nullptr;
}

PFN_vkVoidFunction replaced(std::string_view name) {
  static const std::vector<Replacement> always{{"vkCreateComputePipelines", as_void(create_pipelines)},
                                               {"vkAllocateMemory", as_void(allocate_memory)},
                                               {"vkQueueSubmit", as_void(submit)},
                                               {"vkCmdDispatch", as_void(dispatch)},
                                               {"vkCmdBindPipeline", as_void(bind_pipeline)},
                                               {"vkCmdPipelineBarrier", as_void(barrier)},
                                               {"vkCmdCopyBuffer", as_void(copy_buffer)}};
  static const std::vector<Replacement> without_a_gpu{{"vkCreateBuffer", as_void(create_shared_buffer)},
                                                      {"vkGetBufferMemoryRequirements", as_void(buffer_requirements)},
                                                      {"vkGetBufferDeviceAddress", as_void(buffer_address)},
                                                      {"vkMapMemory", as_void(map_memory)},
                                                      {"vkFreeMemory", as_void(free_memory)},
                                                      {"vkBindBufferMemory", as_void(succeed)},
                                                      {"vkCreateSemaphore", as_void(create_semaphore)},
                                                      {"vkDestroySemaphore", as_void(nothing)},
                                                      {"vkWaitSemaphores", as_void(succeed)},
                                                      {"vkGetSemaphoreCounterValue", as_void(semaphore_counter)},
                                                      {"vkDeviceWaitIdle", as_void(succeed)},
                                                      {"vkDestroyCommandPool", as_void(nothing)},
                                                      {"vkBeginCommandBuffer", as_void(succeed)},
                                                      {"vkEndCommandBuffer", as_void(succeed)},
                                                      {"vkCmdPushConstants", as_void(nothing)},
                                                      {"vkCmdFillBuffer", as_void(nothing)}};
  static const std::vector<Replacement> with_copies{{"vkGetDeviceQueue", as_void(device_queue)},
                                                    {"vkCreateCommandPool", as_void(create_pool)},
                                                    {"vkAllocateCommandBuffers", as_void(allocate_commands)},
                                                    {"vkWaitSemaphores", as_void(wait_semaphores)},
                                                    {"vkDeviceWaitIdle", as_void(device_wait_idle)},
                                                    {"vkCreateBuffer", as_void(create_shared_buffer)}};
  if (const auto function = find(name, always)) return function;
  if (state().is_null)
    if (const auto function = find(name, without_a_gpu)) return function;
  return state().has_transfer_queue ? find(name, with_copies) : nullptr;
}

PFN_vkVoidFunction device_function(VkDevice device, const char* name) {
  state().device = device;
  const PFN_vkVoidFunction real = state().device_functions(device, name);
  const PFN_vkVoidFunction ours = real ? replaced(name) : nullptr;
  return ours ? ours : real;
}

void open() {
  State& all = state();
  constexpr const char* loader = VULKAN_DOUBLE_LOADER;
  void* const library = dlopen(loader, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "vulkan_double: there is no %s\n", loader);
    std::abort();
  }
  all.instance_functions = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  const auto words = [](const char* name) { return std::string_view(std::getenv(name) ? std::getenv(name) : ""); };
  all.is_null = words("VULKAN_DOUBLE").find("null") != std::string_view::npos;
  all.has_transfer_queue = words("VULKAN_DOUBLE").find("transfer-queue") != std::string_view::npos;
  all.late_copies = words("VULKAN_DOUBLE").find("late-copies") != std::string_view::npos;
  all.late_kernels = words("VULKAN_DOUBLE").find("late-kernels") != std::string_view::npos;
  all.logs = !words("VULKAN_DOUBLE_LOG").empty();
  all.report = std::getenv("VULKAN_DOUBLE_REPORT");
  std::atexit(report);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  static std::once_flag once;
  std::call_once(once, open);
  State& all = state();
  if (instance) all.instance = instance;
  const PFN_vkVoidFunction real = all.instance_functions(instance, name);
  const std::string_view asked(name);
  if (asked == "vkGetDeviceProcAddr") {
    all.device_functions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
    return as_void(device_function);
  }
  if (asked == "vkGetPhysicalDeviceMemoryProperties" && all.is_null) return as_void(memory_properties);
  if (!all.has_transfer_queue) return real;
  if (asked == "vkGetPhysicalDeviceQueueFamilyProperties") return as_void(queue_families);
  if (asked == "vkCreateDevice") return as_void(create_device);
  return real;
}

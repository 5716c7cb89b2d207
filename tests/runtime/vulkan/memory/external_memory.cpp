// Memory that one user of a GPU's driver exports and another one imports.
#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/kernels.hpp"
#include "runtime/context.hpp"
#include "runtime/tensors/shared_memory.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/skip.hpp"
#include "tests/runtime/hand_made.hpp"

namespace webnn::tests::external_memory_test {
namespace {

using namespace runtime::vulkan;

/// Memory that a program with Vulkan of its own has and exports, seen by the host.
class Exported {
 public:
  Exported(const Queue& queue, std::size_t bytes) : queue_(&queue) {
    const Functions& vk = queue.vk();
    VkExternalMemoryBufferCreateInfo external{};
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
    external.handleTypes = kind;
    VkBufferCreateInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.pNext = &external;
    buffer.size = bytes;
    buffer.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    check(vk.CreateBuffer(queue.device(), &buffer, nullptr, &buffer_), "create a buffer");
    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(queue.device(), buffer_, &needs);
    VkExportMemoryAllocateInfo exported{};
    exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
    exported.handleTypes = kind;
    VkMemoryAllocateInfo memory{};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    memory.pNext = &exported;
    memory.allocationSize = needs.size;
    check(vk.AllocateMemory(queue.device(), &memory, nullptr, &memory_), "allocate");
    check(vk.BindBufferMemory(queue.device(), buffer_, memory_, 0), "bind");
    void* place = nullptr;
    check(vk.MapMemory(queue.device(), memory_, 0, VK_WHOLE_SIZE, 0, &place), "map");
    mapped = static_cast<std::byte*>(place);
    VkMemoryGetFdInfoKHR question{};
    question.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
    question.memory = memory_;
    question.handleType = kind;
    int number = -1;
    check(vk.GetMemoryFdKHR(queue.device(), &question, &number), "export");
    file_descriptor = schema::Descriptor(number);
  }
  Exported(const Exported&) = delete;
  ~Exported() {
    queue_->vk().DestroyBuffer(queue_->device(), buffer_, nullptr);
    queue_->vk().FreeMemory(queue_->device(), memory_, nullptr);
  }

  static constexpr auto kind = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  std::byte* mapped = nullptr;
  schema::Descriptor file_descriptor;

 private:
  const Queue* queue_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

bool imports(const runtime::Device& device) {
  const auto& kinds = dynamic_cast<const VulkanDevice&>(device).queue().profile().importable;
  return std::ranges::find(kinds, Exported::kind) != kinds.end();
}

}  // namespace

TEST_CASE("vulkan external memory: what another user of the driver exports is used in place") {
  const auto theirs = open_test_gpu();
  if (!theirs) return;
  const Queue& queue = dynamic_cast<VulkanDevice&>(*theirs).queue();
  if (!imports(*theirs) || !queue.profile().is_cpu)  // on others the host need not see the memory
    return skip("this device does not import memory that the host sees");
  const Exported exported(queue, 3 * 4096);
  for (const bool staging : {false, true}) {
    CAPTURE(staging);
    const auto ours = open_test_gpu(staging);
    for (const std::uint64_t offset : {0, 4096}) {
      CAPTURE(offset);
      const runtime::Buffer buffer = ours->share(runtime::ExportedMemory{exported.file_descriptor.get(), offset, 5000});
      REQUIRE(buffer.size() == 5000);
      std::vector<std::byte> bytes(5000, std::byte{7}), back(5000);
      ours->upload(buffer, bytes);
      CHECK(std::equal(bytes.begin(), bytes.end(), exported.mapped + offset));
      exported.mapped[offset + 4999] = std::byte{9};
      ours->download(back, buffer);
      CHECK(back.back() == std::byte{9});
    }
    const int file = exported.file_descriptor.get();
    CHECK(ours->share(runtime::ExportedMemory(file, 3, 100)).size() == 0);  // no place for a buffer
    CHECK(ours->share(runtime::ExportedMemory(file, 4096, 3 * 4096)).size() == 0);
  }
  CHECK(fcntl(exported.file_descriptor.get(), F_GETFD) >= 0);  // it stays the caller's
}

TEST_CASE("vulkan external memory: a graph computes on memory of another user of the driver") {
  auto ours = open_test_gpu();
  const auto theirs = open_test_gpu();
  if (!ours) return;
  if (!imports(*ours)) return skip("this device does not import memory by file descriptor");
  const Exported x(dynamic_cast<VulkanDevice&>(*theirs).queue(), 4096);
  if (!runtime::may_be_device_memory(x.file_descriptor.get()))
    return skip("what this device's driver exports cannot be told from a file");
  const std::vector<float> values{1, 2, 3, 4};
  std::ranges::copy(bytes_of(values), x.mapped);
  runtime::Context context(std::move(ours), 1);
  const auto graph = context.load(small_gpu_program());
  const runtime::TensorDescriptor descriptor{{DataType::float32, Shape{4}}, true, true};
  const auto input = context.import_tensor(descriptor, x.file_descriptor.get());
  const auto output = context.create_tensor(descriptor);
  context.dispatch(graph, {{{"x", input}}}, {{{"y", output}}});
  CHECK(floats_of(context.read(output).get()) == std::vector<float>{0, 6, 6, 20});
  context.write(input, bytes_of({5, 5, 5, 5}));
  context.wait();
  CHECK(floats_of({x.mapped, 16}) == std::vector<float>{5, 5, 5, 5});
}

/// Contexts of two devices, one of which imports what the other one exports.
struct Contexts {
  std::unique_ptr<runtime::Context> ours, theirs;
};
/// None where there are none, and the test case is skipped.
std::optional<Contexts> open_contexts(bool staging) {
  auto ours = open_test_gpu(staging), theirs = open_test_gpu(staging);
  if (!ours) return std::nullopt;
  if (!imports(*ours) || !dynamic_cast<const VulkanDevice&>(*ours).queue().profile().exports_memory) {
    skip("this device does not import memory that it exports");
    return std::nullopt;
  }
  return Contexts{std::make_unique<runtime::Context>(std::move(ours), 1),
                  std::make_unique<runtime::Context>(std::move(theirs), 1)};
}
constexpr auto descriptor_of_four(bool on_device) {
  return runtime::TensorDescriptor{{DataType::float32, Shape{4}}, true, true, false, on_device};
}
runtime::DeviceMemory memory_of(const runtime::TensorExport& exported) {
  return {exported.file_descriptor(), 0, exported.device_allocation().value()};
}

TEST_CASE("vulkan external memory: a tensor in exported device memory is a tensor of another context") {
  for (const bool staging : {false, true}) {
    CAPTURE(staging);
    const auto both = open_contexts(staging);
    if (!both) return;
    runtime::Context &ours = *both->ours, &theirs = *both->theirs;
    const auto lent = ours.create_tensor(descriptor_of_four(true));
    const auto result = theirs.create_tensor(descriptor_of_four(false));
    const auto graph = theirs.load(small_gpu_program());
    {
      runtime::TensorExport exported = ours.export_tensor(lent).get();
      CHECK(exported.memory().empty());
      const auto taken = theirs.import_tensor(descriptor_of_four(false), memory_of(exported));
      CHECK(floats_of(theirs.read(taken).get()) == std::vector<float>(4));  // zeros that nobody has written yet
      theirs.write(taken, bytes_of({1, 2, 3, 4}));
      theirs.dispatch(graph, {{{"x", taken}}}, {{{"y", result}}});
      theirs.dispatch(graph, {{{"x", result}}}, {{{"y", taken}}});
      theirs.wait();
    }
    CHECK(floats_of(theirs.read(result).get()) == std::vector<float>{0, 6, 6, 20});
    CHECK(floats_of(ours.read(lent).get()) == std::vector<float>{0, 42, 30, 420});
    ours.write(lent, bytes_of({9, 8, 7, 6}));
    const runtime::TensorExport again = ours.export_tensor(lent).get();
    const auto taken = theirs.import_tensor(descriptor_of_four(false), memory_of(again));
    CHECK(floats_of(theirs.read(taken).get()) == std::vector<float>{9, 8, 7, 6});
  }
}

TEST_CASE("vulkan external memory: exported memory is imported as its exporter tells, or not at all") {
  const auto both = open_contexts(false);
  if (!both) return;
  const auto lent = both->ours->create_tensor(descriptor_of_four(true));
  const runtime::TensorExport exported = both->ours->export_tensor(lent).get();
  const auto import = [&](auto change) {
    runtime::DeviceMemory memory = memory_of(exported);
    change(memory);
    both->theirs->import_tensor(descriptor_of_four(false), memory);
  };
  CHECK_NOTHROW(import([](auto&) {}));
  CHECK_THROWS_WITH_AS(import([](auto& memory) { memory.allocation.memory_type = 99; }),
                       doctest::Contains("types of memory, not 99"), Error);
  CHECK_THROWS_WITH_AS(import([](auto& memory) { memory.allocation.bytes = 15; }),
                       doctest::Contains("the tensor needs 16 bytes from offset 0 on, the memory has 15"), Error);
  CHECK_THROWS_AS(import([](auto& memory) { memory.offset = ~std::uint64_t{0}; }), Error);
  CHECK_THROWS_AS(import([](auto& memory) { memory.file_descriptor = 9999; }), Error);
  auto descriptor = descriptor_of_four(true);
  CHECK_THROWS_WITH_AS(both->theirs->import_tensor(descriptor, memory_of(exported)),
                       doctest::Contains("imported memory cannot be exported"), Error);
  descriptor.exportable = true;
  CHECK_THROWS_WITH_AS(both->ours->create_tensor(descriptor), doctest::Contains("not from both"), Error);
}

TEST_CASE("vulkan external memory: a process that may open no more files hears so when it imports memory") {
  const auto both = open_contexts(false);
  if (!both) return;
  const auto lent = both->ours->create_tensor(descriptor_of_four(true));
  const runtime::TensorExport exported = both->ours->export_tensor(lent).get();
  rlimit usual{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &usual) == 0);
  const rlimit none{0, usual.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  std::optional<ExitCode> code;
  try {
    both->theirs->import_tensor(descriptor_of_four(false), memory_of(exported));
  } catch (const Error& error) {
    REQUIRE(setrlimit(RLIMIT_NOFILE, &usual) == 0);  // a sanitizer needs a pipe to look at the error
    code = error.code();
  }
  CHECK(code == ExitCode::io);
  CHECK_NOTHROW(both->theirs->import_tensor(descriptor_of_four(false), memory_of(exported)));
}

TEST_CASE("vulkan external memory: what is no memory of a device is refused as on the CPU") {
  auto device = open_test_gpu();
  if (!device) return;
  runtime::Context context(std::move(device), 1);
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  const runtime::TensorDescriptor descriptor{{DataType::float32, Shape{4}}, true, true};
  CHECK_THROWS_AS(context.import_tensor(descriptor, pipe_ends[0]), Error);
  CHECK_THROWS_AS(context.import_tensor(descriptor, 9999), Error);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

}  // namespace webnn::tests::external_memory_test

// Tensors in memory that others see: imported pointers and file descriptors, exported tensors.
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <numeric>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include "tests/api/webnn_support.hpp"
#include "tests/harness/machine/child.hpp"

namespace sharing_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

/// A memfd with these elements after `offset` bytes, closed at the end.
class MemoryFile {
 public:
  explicit MemoryFile(const std::vector<float>& elements, std::size_t offset = 0)
      : descriptor_(memfd_create("test", MFD_CLOEXEC)), offset_(offset) {
    REQUIRE(descriptor_ >= 0);
    REQUIRE(pwrite(descriptor_, elements.data(), elements.size() * sizeof(float), off_t(offset)) ==
            ssize_t(elements.size() * sizeof(float)));
  }
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }
  std::vector<float> elements(std::size_t count) const {
    std::vector<float> elements(count);
    CHECK(pread(descriptor_, elements.data(), count * sizeof(float), off_t(offset_)) == ssize_t(count * sizeof(float)));
    return elements;
  }
  /// The same file, open for reading only.
  int open_for_reading() const {
    return open(("/proc/self/fd/" + std::to_string(descriptor_)).c_str(), O_RDONLY | O_CLOEXEC);
  }

 private:
  int descriptor_;
  std::size_t offset_;
};

constexpr auto not_ready = std::future_status::timeout;

template <class Result>
bool waits(std::future<Result>& future) {
  return future.wait_for(std::chrono::milliseconds(20)) == not_ready;
}

}  // namespace

TEST_CASE("sharing: a graph reads and writes the caller's own memory") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {4});
  alignas(float) std::vector<float> x{1, 2, 3, 4}, y(4);
  std::atomic<int> released = 0;
  const TensorDescriptor descriptor{float32, {4}, true, true};
  {
    const Tensor in = context.importTensor(descriptor, std::as_writable_bytes(std::span(x)), [&] { ++released; });
    const Tensor out = context.importTensor(descriptor, std::as_writable_bytes(std::span(y)), [&] { ++released; });
    context.compute(increment, {{"x", in}}, {{"y", out}});
    CHECK(y == std::vector<float>{2, 3, 4, 5});
    x = {10, 20, 30, 40};  // nothing is pending: the caller may
    context.compute(increment, {{"x", in}}, {{"y", out}});
    CHECK(y == std::vector<float>{11, 21, 31, 41});
    context.writeTensor(in, bytes_of<float>({5, 6, 7, 8}));
    CHECK(elements_of(context.readTensor(in).get()) == std::vector<float>{5, 6, 7, 8});
    CHECK(x == std::vector<float>{5, 6, 7, 8});
    CHECK(released == 0);
  }
  context.wait();
  CHECK(released == 2);
}

TEST_CASE("sharing: imported memory is checked") {
  Context context(test_options());
  std::vector<float> memory(5);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
  const auto error = [&](const TensorDescriptor& descriptor, std::span<std::byte> span) {
    return usage_error_of([&] { context.importTensor(descriptor, span); });
  };
  CHECK(error({float32, {4}}, bytes) == "the tensor float32[4] takes 16 bytes of memory, not 20");
  CHECK(error({float32, {4}}, bytes.subspan(1, 16)) == "the memory of a float32[4] tensor is not aligned to 4 bytes");
  CHECK(error({float32, {5}, false, false, true}, bytes) == "imported memory cannot be exported");
  CHECK(!error({float32, {0}}, bytes).empty());
}

TEST_CASE("sharing: tensors in a memory file") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {3});
  const MemoryFile from({1, 2, 3}, 4096 + 8), to({0, 0, 0});
  const Tensor x = context.importTensor({float32, {3}, true, true}, from.descriptor(), 4096 + 8);
  Tensor y = context.importTensor({float32, {3}, true, true}, to.descriptor());
  context.compute(increment, {{"x", x}}, {{"y", y}});
  CHECK(to.elements(3) == std::vector<float>{2, 3, 4});
  context.writeTensor(y, bytes_of<float>({7, 8, 9}));
  context.wait();
  CHECK(to.elements(3) == std::vector<float>{7, 8, 9});
}

TEST_CASE("sharing: what cannot be imported from a file") {
  Context context(test_options());
  const MemoryFile file({1, 2, 3});
  const auto error = [&](const TensorDescriptor& descriptor, int descriptor_number, std::uint64_t offset = 0) {
    return usage_error_of([&] { context.importTensor(descriptor, descriptor_number, offset); });
  };
  CHECK(error({float32, {4}}, file.descriptor()) == "the tensor needs 16 bytes from offset 0 on, the file has 12");
  CHECK(error({float32, {3}}, file.descriptor(), 4) == "the tensor needs 12 bytes from offset 4 on, the file has 12");
  CHECK(error({float32, {1}}, file.descriptor(), ~std::uint64_t{0}) ==
        "the tensor needs 4 bytes from offset 18446744073709551615 on, the file has 12");
  CHECK(error({float32, {2}}, file.descriptor(), 2) == "the memory of a float32[2] tensor is not aligned to 4 bytes");
  CHECK(error({float32, {1}}, -1).starts_with("file descriptor -1 cannot be imported"));
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  CHECK(error({float32, {1}}, pipe_ends[0]).ends_with("is not a file"));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_CASE("sharing: a file that is open for reading only is never written") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {2});
  const MemoryFile file({1, 2});
  const int descriptor = file.open_for_reading();
  REQUIRE(descriptor >= 0);
  const Tensor y = tensor_of(context, float32, {2});
  const Tensor x = context.importTensor({float32, {2}, true, false}, descriptor);
  CHECK(usage_error_of([&] {
          context.importTensor({float32, {2}, true, true}, descriptor);
        }) == "a writable tensor cannot be imported from a file that is not writable");
  close(descriptor);
  context.compute(increment, {{"x", x}}, {{"y", y}});
  CHECK(elements_of(context.readTensor(y).get()) == std::vector<float>{2, 3});
  CHECK(usage_error_of([&] {
          context.dispatch(increment, {{"x", y}}, {{"y", x}});
        }) == "the tensor for output 'y' is imported from a file that is not writable");
}

TEST_CASE("sharing: an exported tensor is another process's until it is given back") {
  Context context(test_options(1));
  const Graph increment = increment_graph(context, {2});
  const Tensor shared = context.createTensor({float32, {2}, true, true, true});
  const Tensor y = tensor_of(context, float32, {2}), other = tensor_of(context, float32, {2});
  context.writeTensor(shared, bytes_of<float>({1, 2}));
  ExportedTensor exported = context.exportTensor(shared).get();
  CHECK(elements_of(exported.memory()) == std::vector<float>{1, 2});

  context.dispatch(increment, {{"x", shared}}, {{"y", y}});
  auto result = context.readTensor(y);
  auto same = context.readTensor(shared);
  auto independent = context.readTensor(other);
  CHECK(elements_of(independent.get()) == std::vector<float>{0, 0});  // what has nothing to do with it goes on
  CHECK(waits(result));
  CHECK(waits(same));

  REQUIRE(in_child([&] {  // it maps the memory and doubles it
    auto* elements =
        static_cast<float*>(mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, exported.fileDescriptor(), 0));
    if (elements == MAP_FAILED) return false;
    for (int i = 0; i < 2; ++i) elements[i] *= 2;
    return true;
  }));
  exported.close();
  CHECK(elements_of(same.get()) == std::vector<float>{2, 4});
  CHECK(elements_of(result.get()) == std::vector<float>{3, 5});
  exported.close();
  CHECK(usage_error_of([&] { exported.memory(); }) == "the exported tensor is closed");
}

TEST_CASE("sharing: what waits for an exported tensor keeps its order") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1});
  const Tensor shared = context.createTensor({float32, {1}, true, true, true}), y = tensor_of(context, float32, {1});
  {
    ExportedTensor exported = context.exportTensor(shared).get();
    context.dispatch(increment, {{"x", shared}}, {{"y", y}});  // y = 5 + 1
    context.writeTensor(shared, bytes_of<float>({100}));
    context.dispatch(increment, {{"x", y}}, {{"y", shared}});  // shared = 7
    auto again = context.exportTensor(shared);
    auto last = context.readTensor(shared);
    CHECK(waits(again));
    const float five = 5;
    std::memcpy(exported.memory().data(), &five, sizeof five);
    std::thread([&] { exported.close(); }).join();  // from any thread
    ExportedTensor second = again.get();
    CHECK(elements_of(second.memory())[0] == 7);
    CHECK(waits(last));
    second.close();
    CHECK(elements_of(last.get())[0] == 7);
  }
  CHECK(elements_of(context.readTensor(y).get())[0] == 6);
}

TEST_CASE("sharing: only exportable tensors are exported, and not while they fail") {
  Context context(test_options());
  const Tensor plain = tensor_of(context, float32, {1});
  CHECK(usage_error_of([&] { context.exportTensor(plain); }) == "the tensor is not exportable");
  Tensor shared = context.createTensor({float32, {1}, true, true, true});
  ExportedTensor exported = context.exportTensor(shared).get();
  auto pending = context.exportTensor(shared);
  shared.destroy();
  const float one = 1;
  std::memcpy(exported.memory().data(), &one, sizeof one);  // still there for its holder
  exported.close();
  CHECK(usage_error_of([&] { pending.get(); }) == "the tensor was destroyed before its content was taken");
}

TEST_CASE("sharing: a device without memory that others import says so") {
  Context context({.device = "cpu"});
  CHECK_THROWS_WITH_AS(context.createTensor({.shape = {1}, .exportableOnDevice = true}),
                       doctest::Contains("has no memory that others can import"), Error);
  CHECK(usage_error_of([&] {
          context.importTensor({.shape = {1}}, DeviceMemory{0, 0, 64, 0});
        }).ends_with("does not import this memory of a device"));
  const Tensor shared = context.createTensor({.shape = {1}, .exportable = true});
  CHECK(usage_error_of([&] { context.exportTensor(shared).get().deviceMemory(); }) ==
        "the exported tensor is in memory of the host");
}

TEST_CASE("sharing: an export that nobody takes is given back") {
  Context context(test_options());
  const Tensor shared = context.createTensor({float32, {1}, true, true, true});
  (void)context.exportTensor(shared);
  CHECK(elements_of(context.readTensor(shared).get())[0] == 0);
}

TEST_CASE("sharing: what waits for an exported tensor fails when the context is destroyed") {
  std::future<std::vector<std::byte>> result;
  Context context(test_options());
  const Tensor shared = context.createTensor({float32, {1}, true, true, true});
  ExportedTensor exported = context.exportTensor(shared).get();
  result = context.readTensor(shared);
  context.destroy();
  CHECK(usage_error_of([&] { result.get(); }) == "the context is destroyed");
  exported.close();
}

}  // namespace sharing_test

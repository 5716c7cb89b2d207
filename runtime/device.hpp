// A device: memory, and something that runs kernels on it. The CPU is one; runtime/<device>/ implements each.
//
// The rest of the runtime treats addresses as opaque: only a device and its kernels dereference them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/line_chain.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/file/descriptor.hpp"
#include "schema/kernels/target.hpp"

namespace webnn::runtime {

/// Device memory. It is owned, or, when `release` is null, borrowed from somebody else (import). Move-only.
class Buffer {
 public:
  using Release = void (*)(std::byte* address, void* handle) noexcept;

  Buffer() = default;
  Buffer(std::byte* address, std::size_t bytes, Release release, void* handle = nullptr)
      : address_(address), bytes_(bytes), release_(release), handle_(handle) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Buffer() {
    if (release_) release_(address_, handle_);
  }

  /// As kernels of the device see it.
  std::byte* address() const { return address_; }
  std::size_t size() const { return bytes_; }
  /// The device's own handle of the memory; null where the address suffices.
  void* handle() const { return handle_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    std::swap(release_, other.release_);
    std::swap(handle_, other.handle_);
  }

  std::byte* address_ = nullptr;
  std::size_t bytes_ = 0;
  Release release_ = nullptr;
  void* handle_ = nullptr;
};

/// One call of a prepared kernel, with resolved addresses.
struct Invocation {
  const Kernel* kernel = nullptr;
  KernelArguments arguments;
};

/// Which invocations run in bands, and memory for each of these chains in turn.
struct Bands {
  std::vector<LineChain> chains;  // in order
  ScratchMemory memory;
};

/// When a step ran on the device: nanoseconds of std::chrono::steady_clock.
struct StepTime {
  std::uint64_t begin = 0, end = 0;
};
inline std::uint64_t steady_nanoseconds() {
  return std::uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// Invocations prepared to run as a whole, any number of times; see Device::prepare.
class Sequence {
 public:
  virtual ~Sequence() = default;

  /// Runs the kernels in order, or starts them, with the addresses that their arguments hold during this call. Work
  /// that it starts happens before everything requested from the device later, and has ended after Device::wait.
  virtual void submit() = 0;
  /// Runs the kernels, waits, and records when each ran: `times` has an entry for each, or a single one for all of them
  /// together, which may overlap then as in `submit`. Allocates nothing on the CPU.
  virtual void run_timed(std::span<StepTime> times) = 0;
};

struct DeviceInfo {
  std::string name;            // for messages: "cpu (avx2 avx512)"
  Target target;               // what programs for this device may use
  bool host_memory = false;    // buffer addresses are valid in this process: code other than kernels may use them
  std::string processor = {};  // as its vendor names it, for the same one elsewhere; empty: the system's
};

/// The fastest kernel for a class of calls (compiler/ir/call_text.hpp), as measured or ranked for such devices.
struct KernelChoice {
  std::string_view call_class, kernel;
};

/// An allocation of a driver, as whoever imports it from its exporter has to describe it.
struct DeviceAllocation {
  std::uint64_t bytes = 0;
  std::uint32_t memory_type = 0;  // number among those of the device
  bool operator==(const DeviceAllocation&) const = default;
};

/// Exported device memory. Its file descriptor still belongs to the caller.
struct ExportedMemory {
  int file_descriptor = -1;
  std::uint64_t offset = 0;
  std::size_t bytes = 0;                            // from there on
  std::optional<DeviceAllocation> allocation = {};  // none: the descriptor tells, or it is guessed
};

/// A buffer in an allocation of its own, which begins with it and which others can import.
struct ExportableBuffer {
  Buffer buffer;
  schema::Descriptor file_descriptor;
  DeviceAllocation allocation;
};

class Device {
 public:
  virtual ~Device() = default;

  std::string_view name() const { return info_.name; }
  std::string_view processor() const { return info_.processor; }
  const Target& target() const { return info_.target; }
  /// What is known of devices of its architecture; programs for it prefer these kernels to those that costs name.
  virtual std::span<const KernelChoice> choices() const { return {}; }
  bool host_memory() const { return info_.host_memory; }
  /// False: arithmetic may take and give zeros for float32 numbers that are nearer to 0 than any normal one.
  virtual bool keeps_subnormals() const { return true; }

  /// At least `bytes` bytes, aligned to `arena_alignment` and followed by `buffer_padding` readable bytes, because
  /// vector kernels may read (never write) past the end of the arena. They must not read past the end of a graph input,
  /// which may be memory imported from a caller. The content is undefined. Throws Error (resource).
  virtual Buffer allocate(std::size_t bytes) = 0;
  /// A buffer on memory that is also visible to others, in place; the memory must outlive the buffer. Empty where the
  /// device cannot reach it, or is faster with a copy.
  virtual Buffer share(std::span<std::byte> memory) = 0;
  virtual Buffer share(const ExportedMemory&) { return {}; }
  /// As `allocate`, for memory that others import. Throws Error (unsupported) where the device has no such memory.
  virtual ExportableBuffer allocate_exportable(std::size_t bytes);
  /// A buffer with the content of `bytes`, which must outlive it: the memory itself where kernels can read it in place
  /// at this alignment, a copy elsewhere, which counts in the account of the calling thread for good.
  Buffer import(std::span<const std::byte> bytes, std::size_t alignment);
  virtual void upload(const Buffer& to, std::span<const std::byte> from) = 0;
  virtual void download(std::span<std::byte> to, const Buffer& from) = 0;
  /// A download of the first `bytes` bytes follows, with nothing between but such requests and other downloads. What can
  /// be done for all of them together may begin.
  virtual void expect_download(const Buffer&, [[maybe_unused]] std::size_t bytes) {}
  /// A download that was expected does not follow after all.
  virtual void forget_download(const Buffer&, [[maybe_unused]] std::size_t bytes) {}
  virtual void clear(const Buffer& buffer) = 0;

  /// Whether the device has the row's kernel and everything that it needs for a call which the row takes: GPUs differ
  /// more than a target tells.
  virtual bool can_run(KernelId id, const KernelSpec& spec) const = 0;
  /// Prepares the kernel of a row. `constants` are as for PrepareFunction. Throws Error (unsupported) when the device
  /// has no such kernel or it does not take the spec.
  virtual Kernel make_kernel(KernelId id, const KernelSpec& spec,
                             std::span<const std::span<const std::byte>> constants) = 0;
  /// Prepares invocations of its kernels to run as a sequence. The invocations must stay in place, and so must their
  /// address tables, whose entries may change between runs. Multi-threaded kernels use the caller's Team. There are bands
  /// only for kernels with `run_lines`; these must run so.
  virtual std::unique_ptr<Sequence> prepare(std::span<const Invocation> invocations, const Bands& bands) = 0;
  /// Returns when all submitted work has ended. Throws Error (device) when it cannot end.
  virtual void wait() = 0;
  /// `call` is called once, by the thread that finds out that the device is lost: nothing works on it any more.
  virtual void when_lost(std::function<void(const std::string& reason)>) {}

 protected:
  explicit Device(DeviceInfo info) : info_(std::move(info)) {}
  void set_target(const Target& target) { info_.target = target; }

 private:
  DeviceInfo info_;
};

/// The check that every `make_kernel` begins with: throws Error (unsupported) when the device has no such kernel, or
/// the row does not take the spec on the device's target.
void check_kernel(const Device& device, KernelId id, const KernelSpec& spec);

inline constexpr std::size_t buffer_padding = 64;

}  // namespace webnn::runtime

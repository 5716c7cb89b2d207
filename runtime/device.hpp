// A device: memory, and something that runs kernels on it. The CPU is one; runtime/<device>/ implements each.
//
// The rest of the runtime treats addresses as opaque: only a device and its kernels follow them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/kernel.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/kernels/target.hpp"

namespace webnn::runtime {

/// Memory of a device, owned; or a borrowed view on somebody's (import), when `release` is null. Move-only.
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
  /// What the device knows it by; null where the address says everything.
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

/// When a step ran on the device: nanoseconds of std::chrono::steady_clock.
struct StepTime {
  std::uint64_t begin = 0, end = 0;
};
inline std::uint64_t steady_nanoseconds() {
  return std::uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// Invocations made ready to run as a whole, as often as wanted; see Device::prepare.
class Sequence {
 public:
  virtual ~Sequence() = default;

  /// Runs the kernels in their order, or starts them, on the addresses that their arguments hold during this call. What
  /// it started happens before everything that the device is asked for later, and has ended after Device::wait.
  virtual void submit() = 0;
  /// The same with a wait, and writes down when each ran: `times` has an entry for each. On the CPU it allocates
  /// nothing.
  virtual void run_timed(std::span<StepTime> times) = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  /// For people: "cpu (avx2 avx512)".
  virtual std::string_view name() const = 0;
  /// What programs for this device may use.
  virtual const Target& target() const = 0;
  /// Whether addresses of its buffers are the process's own, so that others than its kernels may follow them.
  virtual bool host_memory() const = 0;

  /// At least `bytes` bytes, aligned to `arena_alignment` and followed by `buffer_padding` readable bytes, because
  /// vector kernels may read past the end of the arena (never write). They must not read past the end of a graph's
  /// input, which may be memory that a caller imported. The content is undefined. Throws Error (resource).
  virtual Buffer allocate(std::size_t bytes) = 0;
  /// A buffer with the content of `bytes`, which outlives it: the memory itself where kernels can read it in place at
  /// this alignment, a copy elsewhere.
  virtual Buffer import(std::span<const std::byte> bytes, std::size_t alignment) = 0;
  /// A buffer on memory that others see too, in place, for as long as it outlives the buffer; an empty buffer where the
  /// device does not reach it, or is quicker with a copy.
  virtual Buffer share(std::span<std::byte> memory) = 0;
  /// A buffer on memory of a device that somebody exported, in place: `bytes` bytes (the first argument is its file
  /// descriptor, which stays the caller's, the second where they begin); an empty buffer where the device does not take
  /// it.
  virtual Buffer import_memory(int, std::uint64_t, std::size_t) { return {}; }
  virtual void upload(const Buffer& to, std::span<const std::byte> from) = 0;
  virtual void download(std::span<std::byte> to, const Buffer& from) = 0;
  virtual void clear(const Buffer& buffer) = 0;

  /// Whether this build has the kernel behind a row of the kernel table.
  virtual bool has_kernel(KernelId id) const = 0;
  /// Whether the device has all that the kernel of the row needs for a call which the row takes: GPUs differ more than
  /// a target says.
  virtual bool can_run(KernelId, const KernelSpec&) const { return true; }
  /// Whether the compiler should choose the row for calls that it takes: some pay on other devices only.
  virtual bool favours(KernelId) const { return true; }
  /// Brings a constant operand into the form that the kernel wants; see PackFunction.
  virtual std::optional<PackedConstant> pack(KernelId id, const KernelSpec& spec, std::size_t operand,
                                             std::span<const std::byte> bytes) const = 0;
  /// Prepares the kernel of a row of the kernel table. `constants` as for PrepareFunction. Throws Error (unsupported)
  /// when this build has no such kernel or the spec is not one that it takes.
  virtual Kernel make_kernel(KernelId id, const KernelSpec& spec,
                             std::span<const std::span<const std::byte>> constants) = 0;
  /// Makes invocations of its kernels ready to run. They stay in place, and so do their tables of addresses, whose
  /// entries may change between two runs. Kernels that use several threads take those of the caller's Team.
  virtual std::unique_ptr<Sequence> prepare(std::span<const Invocation> invocations) = 0;
  /// Returns when everything submitted has ended. Throws Error (device) when it cannot end.
  virtual void wait() = 0;
};

/// What every `make_kernel` refuses: throws Error (unsupported) when the device has no such kernel, or the row does not
/// take the spec on its target.
void check_kernel(const Device& device, KernelId id, const KernelSpec& spec);

inline constexpr std::size_t buffer_padding = 64;

}  // namespace webnn::runtime

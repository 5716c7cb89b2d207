#include "runtime/cpu/cpu_device.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::runtime {
namespace {

DeviceInfo info_of(Feature features) { return {"cpu (" + text_of(features) + ")", {DeviceKind::cpu, features}, true}; }

void release(std::byte* address, void*) noexcept { std::free(address); }

class CpuSequence final : public Sequence {
 public:
  CpuSequence(std::span<const Invocation> invocations, const Bands& bands) : invocations_(invocations), bands_(bands) {
    std::size_t most_operands = 0;
    for (const Invocation& invocation : invocations)
      most_operands = std::max(most_operands, invocation.arguments.inputs.size());
    inputs_.resize(bands.chains.empty() ? 0 : most_operands);
  }

  void submit() override {
    run([](std::size_t) {});
  }

  /// A kernel begins when the one before it ends. Steps that run in bands are given one after another, each with the sum
  /// of its bands' times.
  void run_timed(std::span<StepTime> times) override {
    assert(times.size() == invocations_.size());
    std::ranges::fill(times, StepTime{});
    const std::uint64_t start = steady_nanoseconds();
    std::uint64_t before = start;
    run([&](std::size_t step) {
      const std::uint64_t after = steady_nanoseconds();
      times[step].end += after - before;
      before = after;
    });
    std::uint64_t at = start;
    for (StepTime& time : times) {
      time = {at, at + time.end};
      at = time.end;
    }
  }

 private:
  /// Calls has_run(step) after each call of a step's kernel.
  template <typename HasRun>
  void run(HasRun has_run) {
    auto chain = bands_.chains.begin();
    for (std::size_t i = 0; i < invocations_.size();) {
      if (chain == bands_.chains.end() || i < chain->first()) {
        invocations_[i].kernel->run(invocations_[i].arguments);
        has_run(i++);
        continue;
      }
      chain->run(bands_.memory,
                 [&](std::size_t step, std::size_t begin, std::size_t end, std::byte* input, std::byte* output) {
                   run_lines(invocations_[step], begin, end, input, output);
                   has_run(step);
                 });
      i += chain++->steps();
    }
  }

  /// With other addresses for the first operand and the output, if given.
  void run_lines(const Invocation& invocation, std::size_t begin, std::size_t end, std::byte* input,
                 std::byte* output) {
    KernelArguments arguments = invocation.arguments;
    std::ranges::copy(arguments.inputs, inputs_.begin());
    if (input != nullptr) inputs_[0] = input;
    arguments.inputs = std::span(inputs_).first(arguments.inputs.size());
    if (output != nullptr) arguments.outputs = std::span(&output, 1);
    invocation.kernel->run_lines(arguments, begin, end);
  }

  std::span<const Invocation> invocations_;
  Bands bands_;
  std::vector<const std::byte*> inputs_;  // of a kernel that computes lines
};

}  // namespace

CpuDevice::CpuDevice(Feature allowed)
    : Device(info_of(limit_cpu_kernels(detect_cpu_features() & allowed))),
      physical_memory_(std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGE_SIZE))) {}

Buffer CpuDevice::allocate(std::size_t bytes) {
  std::byte* address = nullptr;
  if (bytes <= physical_memory_)  // Linux would promise more memory and kill the process when it is touched
    address = allocate_aligned(bytes + buffer_padding);
  if (!address)
    throw Error(
        ExitCode::resource,
        "cannot allocate " + std::to_string(bytes) + " bytes, the machine has " + std::to_string(physical_memory_),
        "use smaller dimensions or a machine with more memory");
  std::memset(address + bytes, 0, buffer_padding);
  return {address, bytes, release};
}

void CpuDevice::upload(const Buffer& to, std::span<const std::byte> from) {
  assert(from.size() <= to.size());
  if (!from.empty()) std::memcpy(to.address(), from.data(), from.size());
}

void CpuDevice::download(std::span<std::byte> to, const Buffer& from) {
  assert(to.size() <= from.size());
  if (!to.empty()) std::memcpy(to.data(), from.address(), to.size());
}

void CpuDevice::clear(const Buffer& buffer) {
  if (buffer.size() != 0) std::memset(buffer.address(), 0, buffer.size());
}

bool CpuDevice::can_run(KernelId id, const KernelSpec&) const { return cpu_kernels().find(id) != nullptr; }

Kernel CpuDevice::make_kernel(KernelId id, const KernelSpec& spec,
                              std::span<const std::span<const std::byte>> constants) {
  check_kernel(*this, id, spec);
  return cpu_kernels().find(id)->prepare(spec, constants);
}

std::unique_ptr<Sequence> CpuDevice::prepare(std::span<const Invocation> invocations, const Bands& bands) {
  return std::make_unique<CpuSequence>(invocations, bands);
}

}  // namespace webnn::runtime

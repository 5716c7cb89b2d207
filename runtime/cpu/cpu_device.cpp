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

/// What one thread of a chain needs.
struct alignas(64) Place {
  LineChain::Progress progress;
  std::vector<const std::byte*> inputs;                         // of a kernel that computes lines
  std::uint64_t before = 0;                                     // when the kernel began
  std::uint64_t nanoseconds[schema::most_steps_in_bands] = {};  // of each step
};

/// For a run that nobody times.
struct NoTimes {
  void step_ended(std::size_t) {}
  void begins(Place&) {}
  void lines_ended(Place&, std::size_t) {}
  void chain_ended(const LineChain&) {}
};

/// Sums up the time of each step.
class Times {
 public:
  Times(std::span<StepTime> times, std::span<Place> places) : times_(times), places_(places) {
    std::ranges::fill(times, StepTime{});
  }

  void step_ended(std::size_t step) { times_[step].end = lap(before_); }
  void begins(Place& place) { lap(place.before); }
  void lines_ended(Place& place, std::size_t link) { place.nanoseconds[link] += lap(place.before); }
  /// Each step gets its share of the chain's time: what its places spent with it.
  void chain_ended(const LineChain& chain) {
    double sums[schema::most_steps_in_bands] = {}, sum = 0;
    for (Place& place : places_)
      for (std::size_t i = 0; i < chain.steps(); ++i) {
        sums[i] += double(place.nanoseconds[i]), sum += double(place.nanoseconds[i]);
        place.nanoseconds[i] = 0;
      }
    const auto all = double(lap(before_));
    for (std::size_t i = 0; i < chain.steps(); ++i)
      times_[chain.first() + i].end = std::uint64_t(all * sums[i] / std::max(sum, 1.0));
  }

  /// Steps one after another.
  void place_steps() {
    std::uint64_t at = start_;
    for (StepTime& time : times_) {
      time = {at, at + time.end};
      at = time.end;
    }
  }

 private:
  /// Nanoseconds since `before`, which becomes now.
  static std::uint64_t lap(std::uint64_t& before) {
    const std::uint64_t now = steady_nanoseconds();
    return now - std::exchange(before, now);
  }

  std::span<StepTime> times_;
  std::span<Place> places_;
  std::uint64_t start_ = steady_nanoseconds(), before_ = start_;
};

class CpuSequence final : public Sequence {
 public:
  CpuSequence(std::span<const Invocation> invocations, const Bands& bands) : invocations_(invocations), bands_(bands) {
    std::size_t most_operands = 0;
    for (const Invocation& invocation : invocations)
      most_operands = std::max(most_operands, invocation.arguments.inputs.size());
    unsigned places = 0;
    for (const LineChain& chain : bands.chains) places = std::max(places, chain.places());
    places_.resize(places);
    for (Place& place : places_) place.inputs.resize(most_operands);
  }

  void submit() override {
    NoTimes none;
    run(none);
  }

  /// A kernel begins when the one before it ends. Steps that run in bands are given one after another, each with its share
  /// of the time of all.
  void run_timed(std::span<StepTime> times) override {
    if (times.size() == 1 && invocations_.size() != 1) {
      times[0].begin = steady_nanoseconds();
      submit();
      times[0].end = steady_nanoseconds();
      return;
    }
    assert(times.size() == invocations_.size());
    Times sums(times, places_);
    run(sums);
    sums.place_steps();
  }

 private:
  template <typename Watch>
  void run(Watch& watch) {
    auto chain = bands_.chains.begin();
    for (std::size_t i = 0; i < invocations_.size();) {
      if (chain == bands_.chains.end() || i < chain->first()) {
        invocations_[i].kernel->run(invocations_[i].arguments);
        watch.step_ended(i++);
        continue;
      }
      run_chain(*chain, watch);
      i += chain++->steps();
    }
  }

  template <typename Watch>
  void run_chain(const LineChain& chain, Watch& watch) {
    for (Place& place : places_) place.progress = {};
    parallel_pieces(chain.places(), chain.bands(), [&](std::size_t first, std::size_t last, unsigned number) {
      Place& place = places_[number];
      watch.begins(place);
      chain.run(first, last, bands_.memory, number, place.progress,
                [&](std::size_t link, std::size_t begin, std::size_t end, std::byte* input, std::byte* output,
                    std::byte* scratch) {
                  KernelArguments arguments = invocations_[chain.first() + link].arguments;
                  arguments.scratch = scratch;
                  run_lines(*invocations_[chain.first() + link].kernel, arguments, begin, end, input, output, place);
                  watch.lines_ended(place, link);
                });
    });
    watch.chain_ended(chain);
  }

  /// With other addresses for the first operand and the output, if given.
  static void run_lines(const Kernel& kernel, KernelArguments arguments, std::size_t begin, std::size_t end,
                        std::byte* input, std::byte* output, Place& place) {
    std::ranges::copy(arguments.inputs, place.inputs.begin());
    if (input != nullptr) place.inputs[0] = input;
    arguments.inputs = std::span(place.inputs).first(arguments.inputs.size());
    if (output != nullptr) arguments.outputs = std::span(&output, 1);
    kernel.run_lines(arguments, begin, end);
  }

  std::span<const Invocation> invocations_;
  Bands bands_;
  std::vector<Place> places_;
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

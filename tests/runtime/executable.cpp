// Executables: programs made by hand, run on the CPU.
#include "runtime/executable.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>

#include "schema/error.hpp"
#include "tests/harness/machine/allocation_counter.hpp"
#include "tests/harness/skip.hpp"
#include "tests/runtime/hand_made.hpp"

namespace executable_test {

using namespace webnn;
using namespace webnn::runtime;
using namespace webnn::tests;

namespace {

/// Runs with one input and one output of float32.
std::vector<float> run(Executable& executable, const std::vector<float>& x) {
  std::vector<float> y(x.size(), -99.0f);
  const std::array from{reinterpret_cast<const std::byte*>(x.data())};
  const std::array to{reinterpret_cast<std::byte*>(y.data())};
  executable.run(from, to);
  return y;
}

ExitCode failure_of(Program program, Device& device) {
  try {
    Executable executable(std::move(program), device, 1);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::success;
}

}  // namespace

TEST_CASE("executable: runs its steps in order, through arena, constants and the caller's memory") {
  CpuDevice device;
  Executable executable(small_program(), device, 1);
  CHECK(run(executable, {2, 3, -4, 5}) == std::vector<float>{2, 12, 0, 30});
  CHECK(run(executable, {0, -1, 1, -7}) == std::vector<float>{0, 0, 0, 0});
  CHECK(executable.arena_bytes() >= 64);
}

TEST_CASE("executable: a step may read an output that an earlier step wrote") {
  ProgramMaker maker(2);
  const std::uint32_t doubled = [&] {
    const std::uint32_t x = maker.input("x");
    return maker.binary("add", x, x);
  }();
  maker.output("doubled", doubled);
  maker.output("negated", maker.unary("neg", doubled));
  CpuDevice device;
  Executable executable(std::move(maker.program), device, 1);

  const std::vector<float> x{1, 2};
  std::vector<float> doubles(2), negatives(2);
  const std::array from{reinterpret_cast<const std::byte*>(x.data())};
  const std::array to{reinterpret_cast<std::byte*>(doubles.data()), reinterpret_cast<std::byte*>(negatives.data())};
  executable.run(from, to);
  CHECK(doubles == std::vector<float>{2, 4});
  CHECK(negatives == std::vector<float>{-2, -4});
}

TEST_CASE("executable: constants at any address are read correctly") {
  for (std::size_t misalignment : {0, 1, 2, 3, 4, 8}) {
    ProgramMaker maker(3);
    const std::uint32_t c = maker.constant({1, 2, 3}, misalignment);
    maker.output("y", maker.binary("add", maker.input("x"), c));
    CpuDevice device;
    Executable executable(std::move(maker.program), device, 1);
    CHECK(run(executable, {10, 20, 30}) == std::vector<float>{11, 22, 33});
  }
}

TEST_CASE("executable: any number of threads gives the same bits") {
  std::vector<float> x(100'003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i % 1000) / 7 - 50;
  CpuDevice device;
  Executable serial(small_program(std::uint32_t(x.size())), device, 1);
  Executable parallel(small_program(std::uint32_t(x.size())), device, 3);
  CHECK(run(serial, x) == run(parallel, x));
}

TEST_CASE("executable: the memory limit counts constants, arena, tensors and the kernels' scratch") {
  /// Its kernels say that they need scratch.
  class Scratchy : public ScriptedDevice {
   public:
    Kernel make_kernel(KernelId id, const KernelSpec& spec,
                       std::span<const std::span<const std::byte>> constants) override {
      Kernel kernel = ScriptedDevice::make_kernel(id, spec, constants);
      kernel.scratch_bytes = next_scratch_;
      next_scratch_ /= 10;  // runs share the largest
      return kernel;
    }

   private:
    std::size_t next_scratch_ = 1000;
  };
  const auto message = [](std::uint64_t limit) -> std::string {
    Scratchy device;
    try {
      const Executable executable(small_program(), device, 1, {.memory = limit});
      CHECK(executable.scratch_bytes() >= 1000);
      return {};
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::resource);
      CHECK(device.allocations == 0);
      return error.what();
    }
  };
  const std::uint64_t without_scratch = small_program().arena_bytes + 3 * 4 * sizeof(float);  // input, output, bias
  const std::uint64_t needed = without_scratch + 1000;
  CHECK(message(0).empty());
  CHECK(message(needed).empty());
  CHECK(message(needed - 1) ==
        "the graph needs " + std::to_string(needed) + " bytes of memory, the limit is " + std::to_string(needed - 1));
  // What cannot fit even without scratch is told before kernels are prepared.
  CHECK(message(without_scratch - 1).starts_with("the graph needs " + std::to_string(without_scratch) + " bytes"));
}

TEST_CASE(
    "executable: what threads have for themselves is at the same addresses for all kernels, apart from the rest") {
  /// Its kernels keep the scratch memory that they get.
  class Watching : public ScriptedDevice {
   public:
    Kernel make_kernel(KernelId id, const KernelSpec& spec,
                       std::span<const std::span<const std::byte>> constants) override {
      const Kernel inner = ScriptedDevice::make_kernel(id, spec, constants);
      ScratchLayout layout;
      layout.add(1000 * (seen.size() + 1));
      const PlaceScratch places = layout.add_places(2, 100 * (5 - seen.size()));
      const std::size_t index = seen.size();
      seen.push_back({});
      return kernel_of(
          [=, this](const KernelArguments& arguments) {
            inner.run(arguments);
            seen[index] = {arguments.scratch.memory, places.of(arguments.scratch, 0), places.of(arguments.scratch, 1)};
          },
          layout);
    }
    struct Seen {
      std::byte *shared = nullptr, *places[2] = {};
    };
    std::vector<Seen> seen;
  };
  Watching device;
  Executable executable(small_program(), device, 2);
  run(executable, {1, 2, 3, 4});
  REQUIRE(device.seen.size() > 1);
  for (const Watching::Seen& step : device.seen) {
    CHECK(step.places[0] == device.seen[0].places[0]);
    CHECK(step.places[1] == device.seen[0].places[1]);
    CHECK(step.places[0] >= step.shared + 1000 * device.seen.size());
  }
  CHECK(device.seen[0].places[1] >= device.seen[0].places[0] + 500);
  // A kernel alone has them in its own memory.
  ScratchLayout layout;
  layout.add(1);
  const PlaceScratch places = layout.add_places(3, 65);
  alignas(64) std::byte memory[64 + 3 * 128];
  CHECK(layout.bytes() == sizeof memory);
  CHECK(places.of(memory, 2) == memory + 64 + 2 * 128);
}

TEST_CASE("executable: a place takes no more scratch memory than the largest kernel that has it") {
  /// Its kernels have one large place, or many small ones.
  class Mixed : public ScriptedDevice {
   public:
    Kernel make_kernel(KernelId id, const KernelSpec& spec,
                       std::span<const std::span<const std::byte>> constants) override {
      const Kernel inner = ScriptedDevice::make_kernel(id, spec, constants);
      ScratchLayout layout;
      const bool is_large = kernels++ % 2 == 0;
      const PlaceScratch places = layout.add_places(is_large ? 1 : 64, is_large ? 1 << 20 : 64);
      return kernel_of(
          [=, this](const KernelArguments& arguments) {
            inner.run(arguments);
            for (unsigned place = 0; place < places.count; ++place)
              std::memset(places.of(arguments.scratch, place), 1, places.bytes);
          },
          layout);
    }
    std::size_t kernels = 0;
  };
  Mixed device;
  Executable executable(small_program(), device, 2);
  run(executable, {1, 2, 3, 4});
  CHECK(device.kernels > 1);
  CHECK(executable.scratch_bytes() < (2 << 20));
}

TEST_CASE("executable: run allocates nothing") {
  if (!allocations_are_counted()) return skip("a sanitizer has its own operator new");
  for (unsigned threads : {1u, 2u}) {
    CpuDevice device;
    constexpr std::uint32_t size = 100'000;
    Executable executable(small_program(size), device, threads);
    std::vector<float> x(size, 1.0f), y(size);
    const std::array from{reinterpret_cast<const std::byte*>(x.data())};
    const std::array to{reinterpret_cast<std::byte*>(y.data())};
    executable.run(from, to);  // helpers of the pool start with the first loop that needs them
    const AllocationCounter counter;
    for (int i = 0; i < 10; ++i) executable.run(from, to);
    CHECK(counter.everywhere() == 0);
  }
}

TEST_CASE("executable: the allocation counter counts") {
  if (!allocations_are_counted()) return skip("a sanitizer has its own operator new");
  const AllocationCounter counter;
  const std::vector<float> memory(1000);
  CHECK(memory.size() == 1000);
  CHECK(counter.here() == 1);
  CHECK(counter.everywhere() >= 1);
}

TEST_CASE("executable: a timed run gives the same result and a time for each step") {
  CpuDevice device;
  Executable executable(small_program(), device, 1);
  const std::vector<float> x{2, 3, -4, 5};
  std::vector<float> y(4);
  const std::array from{reinterpret_cast<const std::byte*>(x.data())};
  const std::array to{reinterpret_cast<std::byte*>(y.data())};
  std::vector<StepTime> times(3);
  executable.run_timed(from, to, times);
  CHECK(y == std::vector<float>{2, 12, 0, 30});
  CHECK(times.front().begin < times.back().end);
  for (const StepTime& time : times) CHECK(time.begin <= time.end);
  y.assign(4, 0);
  StepTime all;
  executable.run_timed(from, to, {&all, 1});
  CHECK(y == std::vector<float>{2, 12, 0, 30});
  CHECK(all.begin < all.end);
}

TEST_CASE("executable: programs for another device or a better machine are refused") {
  CpuDevice baseline(Feature::none);
  Program program = small_program();
  program.target.features = Feature::avx512;
  CHECK(failure_of(program, baseline) == ExitCode::unsupported);
  program = small_program();
  program.target.device = DeviceKind::vulkan;
  CHECK(failure_of(program, baseline) == ExitCode::unsupported);
  CHECK(failure_of(small_program(), baseline) == ExitCode::success);
}

TEST_CASE("executable: a program that does not hold together is refused before anything is prepared") {
  CpuDevice device;
  Program program = small_program();
  program.steps[1].inputs[0] = 1000;  // no such value
  CHECK(failure_of(program, device) == ExitCode::program);
  program = small_program();
  std::swap(program.steps[0], program.steps[1]);  // reads before it is written
  CHECK(failure_of(program, device) == ExitCode::program);
  program = small_program();
  program.values[0].slot.bytes = 8;
  CHECK(failure_of(program, device) == ExitCode::program);
}

TEST_CASE("executable: memory that cannot be had is an error, not a crash") {
  CpuDevice device;
  Program program = small_program();
  program.arena_bytes = std::uint64_t{1} << 62;
  CHECK(failure_of(std::move(program), device) == ExitCode::resource);
}

}  // namespace executable_test

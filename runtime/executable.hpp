// An executable: a program made ready on a device, with kernels prepared, memory allocated and addresses resolved.
// Running it allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/program.hpp"

namespace webnn::runtime {

/// What a graph may take; 0: no limit.
struct Limits {
  std::uint64_t memory = 0;  // bytes of constants, arena, scratch, what kernels prepare, and a tensor for each binding
  std::uint64_t work = 0;    // of a run: arithmetic operations plus bytes read and written, as `cost_of` counts them
};

class Executable {
 public:
  /// Prepares `program` for runs with `threads` threads. The device must outlive the executable. Throws Error:
  /// `unsupported` when the program needs a device, features or kernels that are not available; `resource` when memory
  /// runs out, or when a limit would be exceeded, which is detected before the memory is allocated and before anything
  /// runs; `io` when the file of a constant was cut short meanwhile; `program` when steps and values do not fit
  /// together.
  Executable(Program program, Device& device, unsigned threads, const Limits& limits = {});

  const Program& program() const { return program_; }
  unsigned threads() const { return threads_; }
  std::size_t arena_bytes() const { return arena_.size(); }
  std::size_t scratch_bytes() const { return scratch_.size(); }

  /// Writes the arena and scratch memory once, so that no later run waits for the system to provide pages.
  void touch_memory();

  /// Runs once. `inputs` and `outputs` follow the program's bindings: device memory of the descriptor's size, aligned
  /// to an element at least; outputs overlap nothing else. The address of an unused input may be null. Inputs are not
  /// written. Runs must follow one another on one thread, because they share the arena. Work that the device has only
  /// started ends with its `wait`. Throws Error (io) when the file of a constant has been cut short.
  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);
  /// The same, and records when each step ran (Sequence::run_timed); `times` has an entry for each.
  void run_timed(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs,
                 std::span<StepTime> times);

 private:
  /// An entry of an address table that gets the address of a caller's tensor.
  struct Patch {
    std::uint32_t entry;  // of input_addresses_ or output_addresses_
    std::uint32_t binding;
  };

  void check_target() const;
  void check_program() const;
  std::uint64_t planned_bytes() const;
  void check_work(std::uint64_t limit) const;
  void check_files() const;
  void import_constants();
  void prepare_kernels();
  std::size_t lay_out_shared_scratch();
  void lay_out_places(std::span<const LineChain> chains);
  std::size_t wanted_scratch() const;
  void allocate_scratch();
  ScratchMemory scratch_of(std::size_t offset) const;
  void build_tables();
  void bind(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);

  std::shared_ptr<MemoryAccount> account_;
  Program program_;
  Device* device_;
  unsigned threads_;
  std::vector<Buffer> constants_;
  std::vector<Kernel> kernels_;               // by step
  std::vector<std::size_t> scratch_offsets_;  // by step
  std::size_t shared_scratch_ = 0;            // bytes of all steps
  std::vector<std::size_t> bytes_of_places_;
  std::vector<std::byte*> places_;  // their scratch memory
  Buffer arena_, scratch_;

  // What kernels see. Entries of the caller's tensors are patched before each run; all others are final.
  std::vector<const std::byte*> input_addresses_;
  std::vector<std::byte*> output_addresses_;
  std::vector<Patch> patched_inputs_, patched_input_outputs_, patched_outputs_;
  std::vector<Invocation> invocations_;  // by step
  std::unique_ptr<Sequence> sequence_;   // last member: it ends before what it uses
};

}  // namespace webnn::runtime

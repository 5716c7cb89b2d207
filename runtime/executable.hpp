// An executable: a program made ready on a device, with kernels prepared, memory allocated and addresses resolved.
// Running it allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device.hpp"
#include "schema/program.hpp"

namespace webnn::runtime {

class Executable {
 public:
  /// Prepares `program` for runs with `threads` threads. The device must outlive the executable. Throws Error:
  /// `unsupported` when the program needs a device, features or kernels that are not available; `resource` when memory
  /// runs out, or when constants, arena, scratch and one tensor for each binding need more than `max_memory` bytes (0:
  /// no limit), which is detected before they are allocated; `program` when steps and values do not fit together.
  Executable(Program program, Device& device, unsigned threads, std::uint64_t max_memory = 0);

  const Program& program() const { return program_; }
  unsigned threads() const { return threads_; }
  std::size_t arena_bytes() const { return arena_.size(); }
  std::size_t scratch_bytes() const { return scratch_.size(); }

  /// Writes the arena and scratch memory once, so that no later run waits for the system to provide pages.
  void touch_memory();

  /// Runs once. `inputs` and `outputs` follow the program's bindings: device memory of the descriptor's size, aligned
  /// to an element at least; outputs overlap nothing else. The address of an unused input may be null. Inputs are not
  /// written. Runs must follow one another on one thread, because they share the arena. Work that the device has only
  /// started ends with its `wait`.
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
  void check_memory(std::size_t scratch_bytes, std::uint64_t max_memory) const;
  void check_constants() const;
  void import_constants();
  void prepare_kernels();
  std::size_t place_scratch();
  void build_tables();
  void bind(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs);

  Program program_;
  Device* device_;
  unsigned threads_;
  std::vector<Buffer> constants_;
  std::vector<Kernel> kernels_;               // by step
  std::vector<std::size_t> scratch_offsets_;  // by step
  Buffer arena_, scratch_;

  // What kernels see. Entries of the caller's tensors are patched before each run; all others are final.
  std::vector<const std::byte*> input_addresses_;
  std::vector<std::byte*> output_addresses_;
  std::vector<Patch> patched_inputs_, patched_input_outputs_, patched_outputs_;
  std::vector<Invocation> invocations_;  // by step
  std::unique_ptr<Sequence> sequence_;   // last member: it ends before what it uses
};

}  // namespace webnn::runtime

// A kernel: the code of one step of a program, prepared once and run many times.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "schema/program.hpp"

namespace webnn::runtime {

using namespace webnn::schema;

/// The addresses of one run. `inputs` follow KernelSpec::inputs (null for an absent operand).
struct KernelArguments {
  std::span<const std::byte* const> inputs;
  std::span<std::byte* const> outputs;
  std::byte* scratch = nullptr;  // at least Kernel::scratch_bytes, aligned to 64 bytes
};

/// A prepared kernel. `run` does not write to inputs. Kernels of libraries may allocate and throw Error; our own do
/// neither.
struct Kernel {
  std::function<void(const KernelArguments&)> run;
  std::size_t scratch_bytes = 0;
  /// Lines [begin, end) of the output, with the lines of the first operand that they see; empty: it computes no lines
  /// alone (KernelRow::by_lines).
  std::function<void(const KernelArguments&, std::size_t begin, std::size_t end)> run_lines = {};
};
/// A kernel that computes any of the `lines` lines of its output alone.
template <typename RunLines>
Kernel kernel_of_lines(RunLines run_lines, std::size_t lines, std::size_t scratch_bytes) {
  return {[=](const KernelArguments& arguments) { run_lines(arguments, 0, lines); }, scratch_bytes, run_lines};
}

/// Lays out a kernel's scratch memory while it is prepared, in pieces aligned to 64 bytes.
class ScratchLayout {
 public:
  /// Adds a piece and returns its offset in bytes.
  std::size_t add(std::size_t bytes) {
    const std::size_t offset = bytes_;
    bytes_ += (bytes + 63) / 64 * 64;
    return offset;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// The bytes of constant operands, following KernelSpec::inputs; empty: not a constant.
using Constants = std::span<const std::span<const std::byte>>;

/// Prepares a kernel: reads attributes and shapes, packs constant operands. `constants` stay valid as long as the
/// kernel.
using PrepareFunction = std::function<Kernel(const KernelSpec& spec, Constants constants)>;

/// Packs constant operand `operand`, given row-major, into the form that `prepare` wants; nullopt: it stays as it is.
/// `spec` has its final layouts, except for the operands that are packed.
using PackFunction = std::function<std::optional<PackedConstant>(const KernelSpec& spec, std::size_t operand,
                                                                 std::span<const std::byte> bytes)>;

}  // namespace webnn::runtime

// A kernel: the code of one step of a program, prepared once and run many times.
#pragma once

#include <cassert>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "schema/program.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime {

using namespace webnn::schema;

/// Memory for the scratch data of one run, aligned to 64 bytes: Kernel::scratch_bytes, or with `places` what comes before
/// the part that the kernel's places have for themselves (PlaceScratch).
struct ScratchMemory {
  std::byte* memory = nullptr;
  std::byte* const* places = nullptr;  // the memory of each place; null: it is behind the rest

  ScratchMemory(std::byte* all = nullptr) : memory(all) {}
  operator std::byte*() const { return memory; }
};

/// The addresses of one run. `inputs` follow KernelSpec::inputs (null for an absent operand).
struct KernelArguments {
  std::span<const std::byte* const> inputs;
  std::span<std::byte* const> outputs;
  ScratchMemory scratch = {};
};

/// The part of a kernel's scratch memory that each place of its loops has for itself (parallel_places): the last part. All
/// kernels of an executable have it at the same addresses, so a thread finds there what it wrote itself before, in its own
/// cache. Memory that another core wrote last has to be fetched from that core before it can be written: with half of the
/// tiles each, two threads took longer for a Winograd convolution than one.
struct PlaceScratch {
  unsigned count = 0;     // places
  std::size_t bytes = 0;  // of each, a multiple of 64
  std::size_t at = 0;     // where they begin in the kernel's scratch memory

  std::byte* of(const ScratchMemory& scratch, unsigned place) const {
    return scratch.places != nullptr ? scratch.places[place] : scratch.memory + at + place * bytes;
  }
};

/// A prepared kernel. `run` does not write to inputs. Kernels of libraries may allocate and throw Error; our own do
/// neither.
struct Kernel {
  std::function<void(const KernelArguments&)> run;
  std::size_t scratch_bytes = 0;
  /// Lines [begin, end) of the output, with the lines of the first operand that they see; empty: it computes no lines
  /// alone (KernelRow::by_lines).
  std::function<void(const KernelArguments&, std::size_t begin, std::size_t end)> run_lines = {};
  PlaceScratch places = {};  // counted in scratch_bytes

  /// Of the scratch memory, what places do not have for themselves.
  std::size_t shared_bytes() const { return places.count == 0 ? scratch_bytes : places.at; }
};

/// Lays out a kernel's scratch memory while it is prepared, in pieces aligned to 64 bytes.
class ScratchLayout {
 public:
  /// Adds a piece and returns its offset in bytes.
  std::size_t add(std::size_t bytes) {
    assert(places_.count == 0);
    const std::size_t offset = bytes_;
    bytes_ += schema::round_up(bytes, 64);
    return offset;
  }
  /// Adds memory for so many places of a loop, of `bytes` each. Nothing may be added behind it.
  PlaceScratch add_places(unsigned count, std::size_t bytes) {
    const std::size_t of_place = schema::round_up(bytes, 64);
    const std::size_t at = add(count * of_place);
    return places_ = {count, of_place, at};
  }
  std::size_t bytes() const { return bytes_; }
  const PlaceScratch& places() const { return places_; }

 private:
  std::size_t bytes_ = 0;
  PlaceScratch places_;
};

/// A kernel whose scratch memory is laid out.
inline Kernel kernel_of(std::function<void(const KernelArguments&)> run, const ScratchLayout& scratch) {
  return {std::move(run), scratch.bytes(), {}, scratch.places()};
}
/// A kernel that computes any of the `lines` lines of its output alone.
template <typename RunLines>
Kernel kernel_of_lines(RunLines run_lines, std::size_t lines, const ScratchLayout& scratch = {}) {
  return {[=](const KernelArguments& arguments) { run_lines(arguments, 0, lines); }, scratch.bytes(), run_lines,
          scratch.places()};
}

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

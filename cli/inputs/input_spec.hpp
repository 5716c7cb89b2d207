// The SPEC of `--input NAME=SPEC`: where the data of an input comes from.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/runner/slot.hpp"
#include "compiler/frontend/npy.hpp"
#include "compiler/frontend/weights.hpp"

namespace webnn::cli {

struct InputArgument {
  const api::Slot* input;
  std::string_view spec;
};

/// Splits "NAME=SPEC". Names may contain '=' themselves, so the names of the graph's inputs decide. Throws Error
/// (usage) with a did-you-mean when no input has the name.
InputArgument split_input_argument(std::string_view argument, std::span<const api::Slot> inputs);

/// For a message: the first names in quotes, and how many more there are.
std::string first_of(std::span<const std::string> names);

/// The data that `spec` describes:
///   @x.npy                         a NumPy file
///   @w.safetensors#tensor          one tensor of a safetensors file
///   [1, 2, 3]                      elements in row-major order; nested brackets are allowed
///   zeros, ones, iota, random(..)  see generators.hpp
///   2x2:float32=SPEC               the same with explicit type and shape; SPEC may be @raw.bin (little-endian)
/// The result has the input's descriptor; files have 4-bit types as 8-bit ones. Throws Error: usage for a malformed spec,
/// or a different type or shape; invalid_input for an element that 4 bits cannot hold; io for a file that cannot be read;
/// resource for a tensor in a file of more than `max_bytes`.
compiler::Tensor read_input(std::string_view spec, const api::Slot& input,
                            std::uint64_t max_bytes = schema::max_tensor_bytes);

/// The same for a .npy file alone, whatever its name.
compiler::Tensor read_array_input(const compiler::FileName& file, const api::Slot& input, std::uint64_t max_bytes);
/// The same for the tensor `key` of a safetensors file, which is opened once for all inputs that are in it.
compiler::WeightsSource open_safetensors(const compiler::FileName& file);
compiler::Tensor read_safetensors_input(const compiler::WeightsSource& source, std::string_view key,
                                        const api::Slot& input, std::uint64_t max_bytes);

}  // namespace webnn::cli

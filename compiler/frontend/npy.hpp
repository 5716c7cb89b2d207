// NumPy .npy files (format 1.0 to 3.0): one tensor per file. No pickles, no structured types.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/frontend/file_name.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct Tensor {
  OperandDescriptor descriptor;
  Bytes data;  // row-major, little endian
};

/// Reads a C-ordered or Fortran-ordered array, little endian (big endian is converted). `name` is for messages. Throws
/// Error: invalid_input on anything else (a header over 64 KiB, an object type, a size that does not match); resource
/// for an array of more than `max_bytes`, before allocating memory for it.
Tensor parse_npy(Bytes content, const std::string& name, std::uint64_t max_bytes = max_tensor_bytes);
Tensor read_npy(const FileName& file, std::uint64_t max_bytes = max_tensor_bytes);
/// The bytes of a .npy file, in pieces; 4-bit types are widened to 8 bits.
void write_npy(const OperandDescriptor& descriptor, std::span<const std::byte> data,
               const std::function<void(std::string_view piece)>& append);
/// The same, as one string.
std::string npy_bytes(const OperandDescriptor& descriptor, std::span<const std::byte> data);
/// Takes the widening back: packs a tensor of 8-bit integers where `wanted` has its shape and is the 4-bit type; gives any
/// other back as it is. `name` is for messages. Throws Error (invalid_input) for an element that 4 bits cannot hold.
Tensor narrowed(Tensor tensor, const OperandDescriptor& wanted, const std::string& name);

}  // namespace webnn::compiler

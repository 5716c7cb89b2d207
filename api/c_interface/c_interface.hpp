// Shared by the files of the C interface: the objects behind its handles, and the boundary that no exception crosses.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "api/refuse.hpp"
#include "api/webnn.h"
#include "api/webnn.hpp"
#include "schema/elements/types.hpp"

struct webnn_status {
  webnn_code code;
  std::string message, hint;
};
struct webnn_context {
  webnn::Context value;
};
struct webnn_tensor {
  webnn::Tensor value;
};
struct webnn_graph {
  webnn::Graph value;
};
struct webnn_bindings {
  webnn::Bindings value;
};
struct webnn_encoder {
  webnn::CommandEncoder value;
};
struct webnn_command_buffer {
  webnn::CommandBuffer value;
};
struct webnn_exported_tensor {
  webnn::ExportedTensor value;
};
struct webnn_operand {
  webnn::Operand value;
};
struct webnn_builder {
  webnn::GraphBuilder value;
  std::deque<webnn_operand> operands{};  // all that were given to the caller
};

namespace webnn::c_interface {

/// A status for the exception that is being handled; a constant one when there is no memory for it.
webnn_status* status_of_current_exception() noexcept;

/// Calls `function` and converts an exception to a status.
template <class Function>
webnn_status* guarded(Function function) noexcept {
  try {
    function();
    return nullptr;
  } catch (...) {
    return status_of_current_exception();
  }
}

/// Dereferences an argument. Throws Error (usage) when it is null.
template <class T>
T& required(T* argument, const char* name) {
  if (!argument) refuse(std::string(name) + " is null");
  return *argument;
}

/// A list argument. Throws Error (usage) when it is null but not empty.
template <class T>
std::span<T> list(T* items, std::size_t count, const char* name) {
  if (!items && count != 0) refuse(std::string(name) + " is null");
  return {items, count};
}

inline const char* required_text(const char* argument, const char* name) { return &required(argument, name); }

/// Makes an object and passes it to the caller. Throws Error (usage) when there is no place for it, before making it.
template <class Handle, class Make>
void give_new(Handle** taker, const char* name, Make make) {
  Handle*& place = required(taker, name);
  place = new Handle{make()};
}

/// The size of a structure, as given by the caller. Throws Error (usage) when no version has it: a multiple of the
/// alignment cuts no member, so that half a pointer is neither read nor written.
template <class T>
std::size_t structure_size(const T& given, const char* name) {
  constexpr std::size_t largest = 4096;
  if (given.struct_size < sizeof(std::size_t) || given.struct_size > largest || given.struct_size % alignof(T) != 0)
    refuse(std::string(name) + " has struct_size " + std::to_string(given.struct_size),
           "set it to the size of the structure");
  return given.struct_size;
}

/// A copy of the caller's structure, with zeros for members that it does not have. Null gives all zeros. Throws Error
/// (usage) when the size is wrong, or when a member that this version does not know is not zero.
template <class T>
T structure(const T* given, const char* name) {
  T result{};
  if (!given) return result;
  const std::size_t size = structure_size(*given, name);
  const auto* bytes = reinterpret_cast<const char*>(given);
  std::memcpy(&result, bytes, std::min(sizeof(T), size));
  for (std::size_t i = sizeof(T); i < size; ++i)
    if (bytes[i] != 0)
      refuse(std::string(name) + " sets what this version of the library does not know",
             "the program needs a newer library");
  return result;
}

/// Writes as much of a structure as the caller has room for. Throws Error (usage) when the size is wrong.
template <class T>
void give_structure(T value, T* taker, const char* name) {
  value.struct_size = structure_size(required(taker, name), name);
  std::memcpy(taker, &value, std::min(value.struct_size, sizeof(T)));
}

/// Throws Error (usage) for a number that is not a data type.
DataType data_type_of(webnn_data_type type);
webnn_data_type code_of(DataType type);

/// A descriptor for the caller, which points to `shape` and `name`.
inline webnn_descriptor descriptor_of(DataType type, const Dimensions& shape, const char* name = nullptr) {
  return {sizeof(webnn_descriptor), code_of(type), std::uint32_t(shape.size()), shape.data(), name};
}

/// Type and shape from a descriptor or from tensor options.
template <class T>
std::pair<DataType, Dimensions> type_and_shape(const T* given, const char* name) {
  const T descriptor = structure(&required(given, name), name);
  if (descriptor.rank > schema::max_rank)  // before anything of the shape is read
    refuse(std::string(name) + " has rank " + std::to_string(descriptor.rank) + ", but a tensor has at most " +
           std::to_string(schema::max_rank) + " dimensions");
  const std::span<const std::uint32_t> shape = list(descriptor.shape, descriptor.rank, "shape");
  return {data_type_of(descriptor.data_type), Dimensions(shape.begin(), shape.end())};
}

inline std::span<const std::byte> bytes_of(const void* data, std::size_t bytes) {
  return list(static_cast<const std::byte*>(data), bytes, "data");
}

}  // namespace webnn::c_interface

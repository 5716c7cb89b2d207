// Between Python's values and the library's: data types, arrays, shapes, files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <span>
#include <string>

#include "api/webnn.hpp"
#include "bindings/tools/order.hpp"

namespace webnn::python {

namespace py = pybind11;

/// Frees a handle without the interpreter's lock: the last one of a context waits for its thread.
template <typename T>
struct Unlocked {
  void operator()(T* handle) const {
    const py::gil_scoped_release unlocked;
    delete handle;
  }
};
template <typename T>
using Holder = std::unique_ptr<T, Unlocked<T>>;

/// A class of Python's. An object of it that no constructor has given a value, as `__new__` alone makes it, is refused
/// wherever it is used: pybind11 would take memory for the value that nobody has written to.
template <typename T, typename... Options>
py::class_<T, Options...> make_class(py::module_& module, const char* name, const char* description) {
  py::class_<T, Options...> made(module, name, description);
  py::detail::get_type_info(typeid(T), true)->operator_new = [](std::size_t) -> void* {
    throw py::type_error("the object has no value, because no constructor was called");
  };
  return made;
}

/// From its specification's name or a NumPy type. Throws Error (usage).
DataType data_type_of(const py::handle& value);
/// Sizes, each of 32 bits. Raises TypeError; `what` begins its message.
Dimensions shape_of(const py::handle& value, const std::string& what);
py::tuple shape_tuple(const Dimensions& shape);
/// "(1, 10)" and "float32[1, 10]".
std::string shape_text(const Dimensions& shape);
std::string descriptor_text(DataType type, const Dimensions& shape);

/// The type of arrays for it; elements of 4 bits are packed two in a byte, in an array of bytes with one axis.
py::dtype numpy_type(DataType type);
/// A tensor's bytes.
std::size_t byte_count(DataType type, const Dimensions& shape);
py::array new_array(DataType type, const Dimensions& shape);

/// An array of this type and shape, row-major and aligned: the caller's own where it is one, or what DLPack gives of it
/// without a copy. Raises TypeError for another type, Error (usage) for another shape; `what` begins the message.
py::array array_of(const py::handle& value, DataType type, const Dimensions& shape, const std::string& what);
/// The memory of such an array. Writing to it is the caller's responsibility.
std::span<std::byte> bytes_of(const py::array& array);

/// From the arguments of Python's functions on model files.
bindings::Order order_of(const py::handle& file, const py::handle& weights, const py::handle& dimensions);
/// Throws Error (usage) for a number of threads that cannot be.
ContextOptions context_options_of(const std::string& device, std::int64_t threads);

}  // namespace webnn::python

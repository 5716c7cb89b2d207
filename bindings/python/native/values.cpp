#include "bindings/python/native/values.hpp"

#include <iterator>
#include <limits>

#include "api/refuse.hpp"
#include "schema/elements/types.hpp"

namespace webnn::python {
namespace {

/// How NumPy describes elements: the kind of number and its bytes.
struct ElementKind {
  char kind;
  int bytes;
  const char* name;
};
constexpr ElementKind element_kinds[] = {
    {'f', 4, "float32"}, {'f', 2, "float16"}, {'i', 4, "int32"}, {'u', 4, "uint32"}, {'i', 8, "int64"},
    {'u', 8, "uint64"},  {'i', 1, "int8"},    {'u', 1, "uint8"}, {'u', 1, "uint8"},  {'u', 1, "uint8"}};
static_assert(std::size(element_kinds) == schema::data_type_count);

const ElementKind& kind_of(DataType type) { return element_kinds[int(type)]; }

bool is_packed(DataType type) { return schema::bits_of(type) < 8; }

bool has_type(const py::array& array, const ElementKind& kind) {
  const py::dtype type = array.dtype();
  const char order = type.byteorder();
  return type.kind() == kind.kind && array.itemsize() == kind.bytes && (order == '=' || order == '|');
}

bool has_shape(const py::array& array, const Dimensions& shape) {
  if (std::size_t(array.ndim()) != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (array.shape(py::ssize_t(axis)) != py::ssize_t(shape[axis])) return false;
  return true;
}

std::string text_of(const py::handle& value) { return py::str(value).cast<std::string>(); }

std::string path_of(const py::handle& value) {
  return py::module_::import("os").attr("fsdecode")(value).cast<std::string>();
}

}  // namespace

DataType data_type_of(const py::handle& value) {
  const std::string name = py::isinstance<py::str>(value)
                               ? text_of(value)
                               : text_of(py::dtype::from_args(py::reinterpret_borrow<py::object>(value)));
  if (const auto type = schema::parse_data_type(name)) return *type;
  refuse("there is no data type '" + name + "' in WebNN");
}

Dimensions shape_of(const py::handle& value, const std::string& what) {
  try {
    return value.cast<Dimensions>();
  } catch (const py::cast_error&) {
    throw py::type_error(what + " is not a sequence of sizes: " + text_of(py::repr(value)));
  }
}

py::tuple shape_tuple(const Dimensions& shape) {
  py::tuple tuple(shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) tuple[axis] = py::int_(shape[axis]);
  return tuple;
}

std::string shape_text(const Dimensions& shape) { return text_of(py::repr(shape_tuple(shape))); }

std::string descriptor_text(DataType type, const Dimensions& shape) {
  return std::string(schema::name_of(type)) + text_of(py::repr(py::list(shape_tuple(shape))));
}

py::dtype numpy_type(DataType type) { return py::dtype(kind_of(type).name); }

std::size_t byte_count(DataType type, const Dimensions& shape) {
  return schema::byte_length({type, schema::Shape(shape)});
}

py::array new_array(DataType type, const Dimensions& shape) {
  if (is_packed(type)) return py::array(numpy_type(type), std::vector{py::ssize_t(byte_count(type, shape))});
  return py::array(numpy_type(type), std::vector<py::ssize_t>(shape.begin(), shape.end()));
}

py::array array_of(const py::handle& value, DataType type, const Dimensions& shape, const std::string& what) {
  constexpr int wanted = py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  py::array array = py::isinstance<py::array>(value)
                        ? py::reinterpret_borrow<py::array>(value)
                        : py::module_::import("webnn._arrays").attr("to_array")(value, what).cast<py::array>();
  const ElementKind& kind = kind_of(type);
  if (!has_type(array, kind))
    throw py::type_error(what + " has elements of " + text_of(array.dtype()) + ", not " + kind.name +
                         (is_packed(type) ? " (two of 4 bits in each)" : "") + "; astype('" + kind.name +
                         "') converts them");
  if (is_packed(type) ? std::size_t(array.size()) != byte_count(type, shape) : !has_shape(array, shape))
    refuse(what + " has the shape " + text_of(py::repr(array.attr("shape"))) + ", not " +
           (is_packed(type) ? "one of " + std::to_string(byte_count(type, shape)) + " bytes" : shape_text(shape)));
  if ((array.flags() & wanted) != wanted)
    array = py::module_::import("numpy").attr("require")(array, py::none(), "CA").cast<py::array>();
  return array;
}

std::span<std::byte> bytes_of(const py::array& array) {
  // NumPy's own flag says whether it may be written to.
  return {static_cast<std::byte*>(const_cast<void*>(array.data())), std::size_t(array.nbytes())};
}

bindings::Order order_of(const py::handle& file, const py::handle& weights, const py::handle& dimensions) {
  bindings::Order order{path_of(file), weights.is_none() ? std::string() : path_of(weights), {}};
  if (dimensions.is_none()) return order;
  for (const auto& [name, size] : py::dict(py::reinterpret_borrow<py::object>(dimensions))) {
    try {
      order.dimensions.emplace_back(name.cast<std::string>(), size.cast<std::uint32_t>());
    } catch (const py::cast_error&) {
      throw py::type_error("dimensions: " + text_of(name) + " is not a name with a size");
    }
  }
  return order;
}

ContextOptions context_options_of(const std::string& device, std::int64_t threads) {
  if (threads < 0 || threads > std::numeric_limits<unsigned>::max())
    refuse("threads is " + std::to_string(threads), "0 is as many as the process may use");
  ContextOptions options;
  options.device = device;
  options.threads = unsigned(threads);
  return options;
}

}  // namespace webnn::python

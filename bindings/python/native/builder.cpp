// Builders of graphs. Operators are numbers of rows of the operator table; webnn/_builder.py makes methods of them.
#include <optional>

#include "api/internals.hpp"
#include "api/refuse.hpp"
#include "bindings/python/native/context.hpp"
#include "bindings/python/native/parts.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::python {
namespace {

using schema::AttributeKind;
using schema::AttributeValue;

/// A builder belongs to the thread that builds as soon as that has begun.
struct Builder {
  explicit Builder(const Context& context) : value(context) {}
  GraphBuilder& open() {
    if (builds) refuse("the builder has built its graph", "use a new builder");
    return value;
  }
  GraphBuilder value;
  bool builds = false;
};

/// An integer of any kind, NumPy's too; nothing else has an index.
std::optional<py::int_> integer_in(const py::handle& value) {
  if (!PyIndex_Check(value.ptr())) return std::nullopt;
  PyObject* number = PyNumber_Index(value.ptr());
  if (!number) throw py::error_already_set();
  return py::reinterpret_steal<py::int_>(number);
}

/// An integer beyond 64 bits is the double next to it.
Number number_of(const py::handle& value) {
  const std::optional<py::int_> integer = integer_in(value);
  if (!integer) return Number(value.cast<double>());
  const auto fits = [&](auto convert) {
    const auto result = convert(integer->ptr());
    const bool overflows = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    return overflows ? std::nullopt : std::optional(Number(result));
  };
  if (const auto number = fits([](PyObject* it) { return std::int64_t(PyLong_AsLongLong(it)); })) return *number;
  if (const auto number = fits([](PyObject* it) { return std::uint64_t(PyLong_AsUnsignedLongLong(it)); }))
    return *number;
  return Number(py::float_(*integer).cast<double>());
}

AttributeValue attribute_value(const py::handle& value, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::boolean:
      return value.cast<bool>();
    case AttributeKind::u32:
    case AttributeKind::i32:
      return value.cast<std::int64_t>();
    case AttributeKind::real:
      return value.cast<double>();
    case AttributeKind::number:
      return number_of(value);
    case AttributeKind::u32_list:
      return value.cast<schema::IntegerList>();
    case AttributeKind::u32_or_list:
      if (integer_in(value)) return value.cast<std::int64_t>();
      return value.cast<schema::IntegerList>();
    case AttributeKind::real_list:
      return value.cast<schema::RealList>();
    case AttributeKind::text:
      return value.cast<std::string>();
    case AttributeKind::text_list:
      return value.cast<schema::TextList>();
    case AttributeKind::data_type:
      return data_type_of(value);
  }
  throw Error(schema::ExitCode::internal, "an attribute of no kind");
}

schema::Attributes attributes_of(const schema::Operator& op, const py::list& given) {
  schema::Attributes attributes(op.attributes.size());
  if (given.size() > attributes.size()) throw py::type_error("more attributes than the operator has");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].is_none()) continue;
    const schema::AttributeRow& row = op.attributes[i];
    try {
      attributes[i] = attribute_value(given[i], row.kind);
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(op.name) + ": " + std::string(row.name) + " cannot be " +
                           py::repr(given[i]).cast<std::string>());
    }
  }
  return attributes;
}

/// Operands and attributes are in the order of the operator's row; None is one that is not given.
std::vector<Operand> call_operator(Builder& builder, std::uint16_t index, const py::list& operands,
                                   const py::list& attributes, const std::string& label) {
  if (index >= schema::operator_table().size()) throw py::type_error("not an operator");
  const schema::Operator& op = schema::operator_table()[index];
  std::vector<Operand> values;
  for (const py::handle operand : operands) {
    if (operand.is_none()) {
      values.emplace_back();
    } else if (py::isinstance<Operand>(operand)) {
      values.push_back(operand.cast<Operand>());
    } else {
      throw py::type_error(std::string(op.name) + ": not an operand: " + py::repr(operand).cast<std::string>());
    }
  }
  return api::Internals::call(builder.open(), schema::OperatorId{index}, values, attributes_of(op, attributes), label);
}

Operand constant_of_array(Builder& builder, const py::object& type, const py::object& shape, const py::object& data) {
  const DataType data_type = data_type_of(type);
  const Dimensions sizes = shape_of(shape, "shape");
  const py::array array = array_of(data, data_type, sizes, "the constant");
  return builder.open().constant(data_type, sizes, bytes_of(array));
}

Operand constant_of_number(Builder& builder, const py::object& type, const py::object& number) {
  try {
    return builder.open().constant(data_type_of(type), number_of(number));
  } catch (const py::cast_error&) {
    throw py::type_error("the constant is not a number: " + py::repr(number).cast<std::string>());
  }
}

Holder<Graph> build(Builder& builder, const std::map<std::string, Operand>& outputs) {
  GraphBuilder& open = builder.open();
  builder.builds = true;
  const py::gil_scoped_release unlocked;
  return Holder<Graph>(new Graph(open.build(outputs)));
}

}  // namespace

void add_builder(py::module_& module) {
  using py::arg;
  make_class<Operand>(module, "Operand", "MLOperand: a value of a graph that is being built.")
      .def_property_readonly("dataType", [](const Operand& it) { return std::string(schema::name_of(it.dataType())); })
      .def_property_readonly("shape", [](const Operand& it) { return shape_tuple(it.shape()); })
      .def("__repr__",
           [](const Operand& it) { return "<Operand " + descriptor_text(it.dataType(), it.shape()) + ">"; });
  make_class<Builder>(module, "Builder", "What GraphBuilder is made of.")
      .def(py::init<const Context&>(), arg("context"))
      .def(
          "input",
          [](Builder& it, const std::string& name, const py::object& type, const py::object& shape) {
            return it.open().input(name, data_type_of(type), shape_of(shape, "shape"));
          },
          arg("name"), arg("dataType"), arg("shape"))
      .def("constantArray", constant_of_array)
      .def("constantNumber", constant_of_number)
      .def("constantTensor", [](Builder& it, const HeldTensor& held) { return it.open().constant(held.tensor); })
      .def("call", call_operator)
      .def("build", build, arg("outputs"));
}

}  // namespace webnn::python

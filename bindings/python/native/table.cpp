// What the Python knows of operators and of a device: the operator table and opSupportLimits().
#include <iterator>

#include "bindings/python/native/parts.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::python {
namespace {

using schema::Arity;
using schema::AttributeKind;

// The words of the Python, by number.
constexpr const char* arity_words[] = {"one", "optional", "many"};
static_assert(int(Arity::many) + 1 == std::size(arity_words));
constexpr const char* kind_words[] = {"boolean",     "u32",       "i32",  "real",      "number",   "u32_list",
                                      "u32_or_list", "real_list", "text", "text_list", "data_type"};
static_assert(int(AttributeKind::data_type) + 1 == std::size(kind_words));

template <class Places>
py::list places_of(const Places& places) {
  py::list list;
  for (const auto& place : places) {
    py::dict row;
    row["name"] = std::string(place.name);
    row["arity"] = arity_words[int(place.arity)];
    list.append(row);
  }
  return list;
}

py::list operators() {
  py::list rows;
  for (const schema::Operator& op : schema::operator_table()) {
    py::list attributes;
    for (const schema::AttributeRow& attribute : op.attributes) {
      py::dict row;
      row["name"] = std::string(attribute.name);
      row["kind"] = kind_words[int(attribute.kind)];
      row["required"] = attribute.required();
      row["words"] = std::vector<std::string>(attribute.words.begin(), attribute.words.end());
      attributes.append(row);
    }
    py::dict row;
    row["name"] = std::string(op.name);
    row["operands"] = places_of(op.operands);
    row["outputs"] = places_of(op.outputs);
    row["attributes"] = attributes;
    rows.append(row);
  }
  return rows;
}

py::dict dict_of(const TensorLimits& limits) {
  py::list types;
  for (const DataType type : limits.dataTypes) types.append(std::string(schema::name_of(type)));
  py::dict range, dict;
  range["min"] = limits.rankRange.min;
  range["max"] = limits.rankRange.max;
  dict["dataTypes"] = types;
  dict["rankRange"] = range;
  return dict;
}

py::dict op_support_limits(const Context& context) {
  const OpSupportLimits limits = context.opSupportLimits();
  py::dict dict;
  dict["preferredInputLayout"] = limits.preferredInputLayout;
  dict["maxTensorByteLength"] = limits.maxTensorByteLength;
  dict["input"] = dict_of(limits.input);
  dict["constant"] = dict_of(limits.constant);
  dict["output"] = dict_of(limits.output);
  for (const auto& [name, places] : limits.operators) {
    py::dict op;
    for (const auto& [place, there] : places) op[py::str(place)] = dict_of(there);
    dict[py::str(name)] = op;
  }
  return dict;
}

}  // namespace

void add_table(py::module_& module) {
  module.def("operators", operators, "The rows of the operator table, in its order.");
  module.def("opSupportLimits", op_support_limits, py::arg("context"));
}

}  // namespace webnn::python

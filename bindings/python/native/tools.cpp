// Model files without a context: compiling them to programs, what is in them, how long they take. Dictionaries come out;
// webnn/_tools.py documents them.
#include "bindings/tools/tools.hpp"

#include "bindings/python/native/parts.hpp"

namespace webnn::python {
namespace {

py::list list_of(const std::vector<bindings::Described>& described) {
  py::list list;
  for (const bindings::Described& one : described) {
    py::list shape;
    for (std::size_t axis = 0; axis < one.descriptor.shape.rank(); ++axis) {
      const auto name = one.names.find(axis);
      if (name != one.names.end())
        shape.append(name->second);
      else
        shape.append(one.descriptor.shape[axis]);
    }
    py::dict row;
    row["name"] = one.name;
    row["dataType"] = std::string(schema::name_of(one.descriptor.type));
    row["shape"] = shape;
    list.append(row);
  }
  return list;
}

/// The work, without the interpreter's lock.
template <class Work>
auto unlocked(Work work) {
  const py::gil_scoped_release released;
  return work();
}

py::dict compile(const py::object& file, const py::object& output, const py::object& weights,
                 const py::object& dimensions, const std::string& device, std::int64_t threads) {
  const bindings::Order order = order_of(file, weights, dimensions), target = order_of(output, py::none(), py::none());
  const bindings::Compiled compiled =
      unlocked([&] { return bindings::compile_file(order, context_options_of(device, threads), target.file); });
  py::dict result;
  result["bytes"] = compiled.bytes;
  result["steps"] = compiled.steps;
  result["warnings"] = compiled.warnings;
  return result;
}

py::dict inspect(const py::object& file, const py::object& weights, const py::object& dimensions) {
  const bindings::Order order = order_of(file, weights, dimensions);
  const bindings::Inspected inspected = unlocked([&] { return bindings::inspect_file(order); });
  py::dict constants, result;
  constants["count"] = inspected.constants;
  constants["bytes"] = inspected.constant_bytes;
  result["inputs"] = list_of(inspected.inputs);
  result["outputs"] = list_of(inspected.outputs);
  result["operators"] = inspected.operators;
  result["constants"] = constants;
  result["warnings"] = inspected.warnings;
  return result;
}

py::dict profile(const py::object& file, const py::object& weights, const py::object& dimensions,
                 const std::string& device, std::int64_t threads, std::uint32_t runs) {
  const bindings::Order order = order_of(file, weights, dimensions);
  const bindings::Profiled profiled =
      unlocked([&] { return bindings::profile_file(order, context_options_of(device, threads), runs); });
  py::list steps;
  for (const bindings::Profiled::Step& step : profiled.steps) {
    py::dict row;
    row["operator"] = step.op;
    row["kernel"] = step.kernel;
    row["label"] = step.label;
    row["milliseconds"] = step.milliseconds;
    steps.append(row);
  }
  py::dict result;
  result["milliseconds"] = profiled.milliseconds;
  result["steps"] = steps;
  return result;
}

std::vector<double> bench(const py::object& file, const py::object& weights, const py::object& dimensions,
                          const std::string& device, std::int64_t threads, std::uint32_t runs, std::uint32_t warmup) {
  const bindings::Order order = order_of(file, weights, dimensions);
  return unlocked([&] { return bindings::bench_file(order, context_options_of(device, threads), runs, warmup); });
}

}  // namespace

void add_tools(py::module_& module) {
  module.def("compile", compile);
  module.def("inspect", inspect);
  module.def("profile", profile);
  module.def("bench", bench);
}

}  // namespace webnn::python

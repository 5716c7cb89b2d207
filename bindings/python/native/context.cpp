// Contexts, tensors and graphs, with the specification's names. What waits does so without the interpreter's lock.
#include "bindings/python/native/context.hpp"

#include <chrono>

#include "api/internals.hpp"
#include "api/refuse.hpp"
#include "bindings/python/native/parts.hpp"

namespace webnn::python {
namespace {

using Unlock = py::call_guard<py::gil_scoped_release>;

std::string name_of_type(DataType type) { return std::string(schema::name_of(type)); }

using TensorHolder = std::unique_ptr<HeldTensor>;

TensorHolder create_tensor(Context& context, const py::object& type, const py::object& shape, bool readable,
                           bool writable) {
  const TensorDescriptor descriptor{
      .dataType = data_type_of(type), .shape = shape_of(shape, "shape"), .readable = readable, .writable = writable};
  const py::gil_scoped_release unlocked;
  return std::make_unique<HeldTensor>(context.createTensor(descriptor));
}

TensorHolder create_constant_tensor(Context& context, const py::object& type, const py::object& shape,
                                    const py::object& data) {
  const DataType data_type = data_type_of(type);
  const Dimensions sizes = shape_of(shape, "shape");
  const py::array array = array_of(data, data_type, sizes, "data");
  const py::gil_scoped_release unlocked;
  return std::make_unique<HeldTensor>(context.createConstantTensor(data_type, sizes, bytes_of(array)));
}

TensorHolder import_tensor(Context& context, const py::object& data, bool readable, bool writable) {
  constexpr int row_major = py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_;
  py::array array = py::module_::import("webnn._arrays").attr("to_array")(data, "data").cast<py::array>();
  const DataType type = data_type_of(array.dtype());
  Dimensions shape;
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis) shape.push_back(std::uint32_t(array.shape(axis)));
  if (!(array.flags() & row_major)) refuse("data is not row-major", "numpy.ascontiguousarray copies it");
  if (!array.writeable()) refuse("data is read-only, but a graph may write to a tensor");
  auto promise = std::make_shared<std::promise<void>>();
  std::future<void> released = promise->get_future();
  const TensorDescriptor descriptor{.dataType = type, .shape = shape, .readable = readable, .writable = writable};
  auto held = std::make_unique<HeldTensor>(
      context.importTensor(descriptor, bytes_of(array), [promise] { promise->set_value(); }));
  held->memory = array;
  held->released = std::move(released);
  return held;
}

void write_tensor(Context& context, const HeldTensor& held, const py::object& data) {
  const Tensor& tensor = held.tensor;
  const py::array array = array_of(data, tensor.dataType(), tensor.shape(), "data");
  const py::gil_scoped_release unlocked;
  context.writeTensor(tensor, bytes_of(array));
}

py::array read_tensor(Context& context, const HeldTensor& held, const py::object& out) {
  const Tensor& tensor = held.tensor;
  py::array array;
  if (out.is_none()) {
    array = new_array(tensor.dataType(), tensor.shape());
  } else {
    array = array_of(out, tensor.dataType(), tensor.shape(), "out");
    if (!array.is(out)) refuse("out is not a row-major NumPy array");
    if (!array.writeable()) refuse("out is read-only");
  }
  const py::gil_scoped_release unlocked;
  context.readTensor(tensor, bytes_of(array)).get();
  return array;
}

NamedTensors named_tensors(const py::dict& tensors, const char* what) {
  NamedTensors named;
  for (const auto& [name, tensor] : tensors) {
    if (!py::isinstance<py::str>(name) || !py::isinstance<HeldTensor>(tensor))
      throw py::type_error(std::string(what) + " are not tensors by name");
    named.emplace(name.cast<std::string>(), tensor.cast<const HeldTensor&>().tensor);
  }
  return named;
}

void dispatch(Context& context, const Graph& graph, const py::dict& inputs, const py::dict& outputs) {
  const NamedTensors from = named_tensors(inputs, "inputs"), to = named_tensors(outputs, "outputs");
  const py::gil_scoped_release unlocked;
  context.dispatch(graph, from, to);
}

py::object lost_message(const Context& context) {
  const std::shared_future<ContextLostInfo> lost = context.lost();
  if (lost.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return py::none();
  return py::str(lost.get().message);
}

std::string description_of(const NamedDescriptor& descriptor) {
  return descriptor.name + ": " + descriptor_text(descriptor.dataType, descriptor.shape);
}

void add_descriptor(py::module_& module) {
  make_class<NamedDescriptor>(module, "Descriptor", "An input or output of a graph.")
      .def_readonly("name", &NamedDescriptor::name)
      .def_property_readonly(
          "dataType", [](const NamedDescriptor& it) { return name_of_type(it.dataType); },
          "As the specification names it: 'float32', ...")
      .def_property_readonly(
          "dtype", [](const NamedDescriptor& it) { return numpy_type(it.dataType); },
          "NumPy's type; elements of 4 bits are packed two in a byte, the first in its low half.")
      .def_property_readonly(
          "shape", [](const NamedDescriptor& it) { return shape_tuple(it.shape); }, "Sizes, outermost first.")
      .def("__repr__", description_of);
}

void add_tensor(py::module_& module) {
  make_class<HeldTensor>(module, "Tensor", "MLTensor: typed memory of a context.")
      .def_property_readonly("dataType", [](const HeldTensor& it) { return name_of_type(it.tensor.dataType()); })
      .def_property_readonly("shape", [](const HeldTensor& it) { return shape_tuple(it.tensor.shape()); })
      .def_property_readonly("readable", [](const HeldTensor& it) { return it.tensor.readable(); })
      .def_property_readonly("writable", [](const HeldTensor& it) { return it.tensor.writable(); })
      .def_property_readonly("constant", [](const HeldTensor& it) { return it.tensor.constant(); })
      .def(
          "destroy", [](HeldTensor& it) { it.tensor.destroy(); }, Unlock(),
          "Frees the memory, at once or when earlier work with it is done. Calling it again does nothing.");
}

void add_graph(py::module_& module) {
  make_class<Graph, Holder<Graph>>(module, "Graph", "MLGraph: a compiled graph of a context.")
      .def_property_readonly("inputs", &Graph::inputs, "Descriptors of the inputs.")
      .def_property_readonly("outputs", &Graph::outputs, "Descriptors of the outputs.")
      .def("destroy", &Graph::destroy, Unlock(), "Frees the graph, at once or when its dispatches are done.");
}

}  // namespace

HeldTensor::~HeldTensor() {
  const py::gil_scoped_release unlocked;
  if (released.valid()) {
    tensor.destroy();
    released.wait();
  }
  const Tensor last = std::move(tensor);
}

bool is_cpu(const Context& context) {
  return api::Internals::device(context).target().device == schema::DeviceKind::cpu;
}

void add_context(py::module_& module) {
  using py::arg;
  add_descriptor(module);
  add_tensor(module);
  add_graph(module);
  make_class<Context, Holder<Context>>(
      module, "Context",
      "MLContext: a device, and the timeline on which its work happens in the order of the requests.")
      .def(py::init(
               [](const std::string& device, std::int64_t threads, std::uint64_t max_memory, std::uint64_t max_work) {
                 ContextOptions options = context_options_of(device, threads);
                 options.maxMemory = max_memory;
                 options.maxWork = max_work;
                 const py::gil_scoped_release unlocked;
                 return Holder<Context>(new Context(options));
               }),
           arg("device") = "cpu", arg("threads") = 0, py::kw_only(), arg("max_memory") = 0, arg("max_work") = 0,
           "device: as `webnn-cli --device` names it: 'cpu', 'gpu', 'auto'. threads: 0 is as many as the process may "
           "use. max_memory: the most bytes for a graph while it is compiled and while it runs. max_work: the most "
           "operations plus bytes read and written of a run, known before anything runs. 0: no limit.")
      .def_property_readonly(
          "accelerated", [](const Context& it) { return !is_cpu(it); },
          "Whether its device is another one than the CPU.")
      .def_property_readonly("lost", lost_message, "Why the context was lost or destroyed; None while it is not.")
      .def("createTensor", create_tensor, arg("dataType"), arg("shape"), py::kw_only(), arg("readable") = false,
           arg("writable") = false, "A tensor of zeros.")
      .def("createConstantTensor", create_constant_tensor, arg("dataType"), arg("shape"), arg("data"),
           "A tensor for GraphBuilder.constant; the data is copied.")
      .def("importTensor", import_tensor, arg("data"), py::kw_only(), arg("readable") = true, arg("writable") = true,
           "A tensor in the memory of a row-major array that can be written to, or of anything with DLPack. Touch the "
           "array only while no work on the tensor is pending. The tensor keeps the array.")
      .def("writeTensor", write_tensor, arg("tensor"), arg("data"),
           "Copies an array of the tensor's type and shape into it.")
      .def("readTensor", read_tensor, arg("tensor"), arg("out") = py::none(),
           "Waits for all earlier work on the tensor. Returns its elements as a new array, or in `out`.")
      .def("dispatch", dispatch, arg("graph"), arg("inputs"), arg("outputs"),
           "Requests a run of the graph on tensors by name. Later failures make the reads of the outputs fail.")
      .def("wait", &Context::wait, Unlock(), "Waits for all earlier requests.")
      .def("destroy", &Context::destroy, Unlock(), "Destroys all tensors and graphs; pending work fails.");
}

}  // namespace webnn::python

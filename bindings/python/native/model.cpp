// Models: a graph that takes and gives arrays. On the CPU its inputs and outputs are computed in the arrays' own memory.
#include <algorithm>
#include <mutex>
#include <optional>

#include "api/pending_reads.hpp"
#include "bindings/python/native/context.hpp"
#include "bindings/python/native/parts.hpp"

namespace webnn::python {
namespace {

/// Arrays of one call, in the order of the graph's inputs or outputs.
using Arrays = std::vector<py::array>;

/// Recent calls of a model that computes in the arrays' own memory. Callers tend to bring the same input array again,
/// and NumPy gives a result the memory of one that is gone: then nothing is checked and bound again. The tensors in here
/// outlive their arrays, but are touched by nothing but a call with arrays in the same places.
class RecentCalls {
 public:
  using Places = std::vector<const std::byte*>;

  std::optional<Bindings> find(const Places& places) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(calls_, places, &Call::places);
    if (found == calls_.end()) return std::nullopt;
    std::rotate(calls_.begin(), found, found + 1);
    return calls_.front().bindings;
  }
  void add(Places places, Bindings bindings) {
    const std::lock_guard lock(mutex_);
    if (calls_.size() == most) calls_.pop_back();
    calls_.insert(calls_.begin(), {std::move(places), std::move(bindings)});
  }

 private:
  static constexpr std::size_t most = 8;  // a few threads, each with a result or two in use
  struct Call {
    Places places;  // of all inputs and outputs
    Bindings bindings;
  };
  std::mutex mutex_;
  std::vector<Call> calls_;  // the latest first
};

/// What a device with memory of its own computes in; one call at a time.
struct OwnTensors {
  std::mutex busy;
  NamedTensors inputs, outputs;
};

class Model {
 public:
  Model(const Context& context, bindings::Loaded loaded)
      : context_(context), graph_(std::move(*loaded.graph)), warnings_(std::move(loaded.warnings)) {
    if (is_cpu(context_)) {
      recent_ = std::make_unique<RecentCalls>();
      return;
    }
    own_ = std::make_unique<OwnTensors>();
    for (const NamedDescriptor& input : graph_.inputs())
      own_->inputs.emplace(input.name, context_.createTensor({input.dataType, input.shape, false, true}));
    for (const NamedDescriptor& output : graph_.outputs())
      own_->outputs.emplace(output.name, context_.createTensor({output.dataType, output.shape, true, false}));
  }

  const Context& context() const { return context_; }
  const Graph& graph() const { return graph_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// What a call in Python has: arrays as keywords, or one dictionary of them.
  py::dict call(const py::args& given, const py::kwargs& named) {
    if (given.empty()) return call(named);
    if (given.size() != 1 || !named.empty() || !py::isinstance<py::dict>(given[0]))
      throw py::type_error("inputs are given by name, as keywords or in one dictionary; the names are " + names());
    return call(py::dict(given[0]));
  }

  py::dict call(const py::dict& given) {
    const Arrays inputs = take_inputs(given);
    Arrays outputs;
    py::dict results;
    for (const NamedDescriptor& output : graph_.outputs()) {
      outputs.push_back(new_array(output.dataType, output.shape));
      results[py::str(output.name)] = outputs.back();
    }
    const py::gil_scoped_release unlocked;
    if (recent_)
      compute_in_place(inputs, outputs);
    else
      compute_in_own(inputs, outputs);
    return results;
  }

 private:
  Arrays take_inputs(const py::dict& given) const {
    const std::vector<NamedDescriptor>& wanted = graph_.inputs();
    Arrays inputs;
    for (const NamedDescriptor& input : wanted) {
      const py::object value = given.attr("get")(input.name);
      if (value.is_none())
        throw py::type_error("the input '" + input.name + "' is missing; it is " +
                             descriptor_text(input.dataType, input.shape));
      inputs.push_back(array_of(value, input.dataType, input.shape, "the input '" + input.name + "'"));
    }
    if (given.size() != wanted.size()) refuse_others(given);
    return inputs;
  }

  std::string names() const {
    std::string text;
    for (const NamedDescriptor& input : graph_.inputs()) text += (text.empty() ? "'" : ", '") + input.name + "'";
    return text;
  }

  [[noreturn]] void refuse_others(const py::dict& given) const {
    const std::string known = names();
    for (const auto& [name, value] : given) {
      const std::string text = py::str(name).cast<std::string>();
      if (known.find("'" + text + "'") == std::string::npos)
        throw py::type_error("the model has no input '" + text + "'; its inputs are " + known);
    }
    throw py::type_error("an input is given twice");
  }

  Tensor import(const NamedDescriptor& descriptor, const py::array& array) {
    return context_.importTensor({descriptor.dataType, descriptor.shape, true, true}, bytes_of(array));
  }

  void compute_in_place(const Arrays& inputs, const Arrays& outputs) {
    RecentCalls::Places places;
    for (const Arrays* arrays : {&inputs, &outputs})
      for (const py::array& array : *arrays) places.push_back(bytes_of(array).data());
    std::optional<Bindings> bindings = recent_->find(places);
    if (!bindings) {
      NamedTensors from, to;
      for (std::size_t i = 0; i < inputs.size(); ++i)
        from.emplace(graph_.inputs()[i].name, import(graph_.inputs()[i], inputs[i]));
      for (std::size_t i = 0; i < outputs.size(); ++i)
        to.emplace(graph_.outputs()[i].name, import(graph_.outputs()[i], outputs[i]));
      bindings = context_.bind(graph_, from, to);
      recent_->add(std::move(places), *bindings);
    }
    context_.compute(*bindings);
  }

  void compute_in_own(const Arrays& inputs, const Arrays& outputs) {
    const std::lock_guard one(own_->busy);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      context_.writeTensor(own_->inputs.at(graph_.inputs()[i].name), bytes_of(inputs[i]));
    context_.dispatch(graph_, own_->inputs, own_->outputs);
    api::PendingReads reads;  // the arrays outlive them
    for (std::size_t i = 0; i < outputs.size(); ++i)
      reads.add(context_.readTensor(own_->outputs.at(graph_.outputs()[i].name), bytes_of(outputs[i])));
    reads.finish();
  }

  Context context_;
  Graph graph_;
  std::vector<std::string> warnings_;
  std::unique_ptr<RecentCalls> recent_;  // one of the two
  std::unique_ptr<OwnTensors> own_;
};

Holder<Model> load(const Context& context, const py::object& file, const py::object& weights,
                   const py::object& dimensions) {
  const bindings::Order order = order_of(file, weights, dimensions);
  const py::gil_scoped_release unlocked;
  return Holder<Model>(new Model(context, bindings::load(context, order)));
}

}  // namespace

void add_model(py::module_& module) {
  using py::arg;
  make_class<Model, Holder<Model>>(module, "Model", "A compiled graph that takes and gives arrays.")
      .def(py::init(&load), arg("context"), arg("file"), arg("weights") = py::none(), arg("dimensions") = py::none())
      .def_property_readonly(
          "inputs", [](const Model& it) { return it.graph().inputs(); }, "Descriptors of the inputs.")
      .def_property_readonly(
          "outputs", [](const Model& it) { return it.graph().outputs(); }, "Descriptors of the outputs.")
      .def_property_readonly(
          "context", [](const Model& it) { return Holder<Context>(new Context(it.context())); }, "Where it runs.")
      .def_property_readonly(
          "graph", [](const Model& it) { return Holder<Graph>(new Graph(it.graph())); }, "For Context.dispatch.")
      .def_property_readonly(
          "warnings", [](const Model& it) { return it.warnings(); }, "What reading the file noted, with places.")
      .def(
          "__call__", py::overload_cast<const py::args&, const py::kwargs&>(&Model::call),
          "Runs the model: arrays by the names of its inputs, arrays by the names of its outputs. The inputs are\n"
          "keywords, or a dictionary, for names that are no identifiers. An array has the input's type and shape (see\n"
          "`inputs`); a row-major one is used where it lies, another layout is copied. Anything with DLPack on the "
          "CPU\n"
          "is taken, too. Raises TypeError for a missing or unknown input or a wrong type, UsageError for a wrong\n"
          "shape, Error when the run fails.");
}

}  // namespace webnn::python

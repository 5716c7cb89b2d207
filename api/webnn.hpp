// The C++ form of the W3C Web Neural Network API (https://www.w3.org/TR/webnn/): the specification's names without the
// ML prefix, futures in the place of promises, exceptions of type webnn::Error in the place of DOM exceptions.
//
//   webnn::Context context;
//   webnn::GraphBuilder builder(context);
//   const auto x = builder.input("x", webnn::DataType::float32, {2, 2});
//   const auto y = builder.relu(builder.add(x, builder.constant(webnn::DataType::float32, 1)));
//   const webnn::Graph graph = builder.build({{"y", y}});
//
//   const auto in = context.createTensor({.dataType = webnn::DataType::float32, .shape = {2, 2}, .writable = true});
//   const auto out = context.createTensor({.dataType = webnn::DataType::float32, .shape = {2, 2}, .readable = true});
//   context.writeTensor(in, bytes);
//   context.dispatch(graph, {{"x", in}}, {{"y", out}});
//   std::vector<std::byte> result = context.readTensor(out).get();
//
// Contexts, graphs and tensors are handles: copies mean the same thing, and what the last handle to a graph or tensor
// leaves behind is freed. Calls may come from any thread, except that a builder belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/operand.hpp"
#include "api/operator_methods.hpp"
#include "schema/error.hpp"

namespace webnn {

using schema::Error;

class Context;

namespace api {
struct Internals;  // what this project's own code does with the classes below beyond what stands here
}

/// MLTensorDescriptor.
struct TensorDescriptor {
  DataType dataType = DataType::float32;
  Dimensions shape{};
  bool readable = false;
  bool writable = false;
};

/// MLTensor: typed memory of a context.
class WEBNN_API Tensor {
 public:
  DataType dataType() const;
  const Dimensions& shape() const;
  bool readable() const;
  bool writable() const;
  bool constant() const;
  /// Frees the memory once what was asked for before is done; pending reads fail. A second time does nothing.
  void destroy();

 private:
  friend class Context;
  friend class GraphBuilder;
  struct State;
  explicit Tensor(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A named input or output of a graph.
struct NamedDescriptor {
  std::string name;
  DataType dataType = DataType::float32;
  Dimensions shape{};
};

/// MLGraph: a compiled graph of a context.
class WEBNN_API Graph {
 public:
  /// In the order of the graph file or of the builder's calls; outputs of a builder's graph are ordered by name.
  const std::vector<NamedDescriptor>& inputs() const;
  const std::vector<NamedDescriptor>& outputs() const;
  /// Frees the graph once its dispatches are done. A second time does nothing.
  void destroy();

 private:
  friend struct api::Internals;
  friend class Context;
  friend class GraphBuilder;
  struct State;
  explicit Graph(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

using NamedOperands = std::map<std::string, Operand>;
using NamedTensors = std::map<std::string, Tensor>;

struct ContextOptions {
  std::string device = "cpu";   // or "cpu:PROVIDER" to prefer one provider's kernels
  std::string isa = "native";   // the most that kernels may use: baseline, avx2, avx512, amx, native
  unsigned threads = 0;         // 0: as many as the process may run at once
  std::uint64_t maxMemory = 0;  // bytes that a graph's weights, intermediates, inputs and outputs may take; 0: no limit
};

/// MLContext: a device, and the timeline on which everything that is asked of it happens, in the order asked for.
class WEBNN_API Context {
 public:
  /// Throws Error: usage for words that are not known, device when the device is not there.
  explicit Context(const ContextOptions& options = {});

  /// A tensor of zeros. Throws Error: usage for a descriptor that cannot exist, resource when memory runs out.
  Tensor createTensor(const TensorDescriptor& descriptor);
  /// A tensor for GraphBuilder::constant, with exactly its bytes, row-major.
  Tensor createConstantTensor(DataType dataType, const Dimensions& shape, std::span<const std::byte> data);
  /// `data` is copied before the call returns.
  void writeTensor(const Tensor& tensor, std::span<const std::byte> data);
  std::future<std::vector<std::byte>> readTensor(const Tensor& tensor);
  /// Reads into `data`, which lives until the future is ready.
  std::future<void> readTensor(const Tensor& tensor, std::span<std::byte> data);
  /// Throws Error (usage) for bindings that are not exactly the graph's. What fails later fails the reads of the
  /// outputs.
  void dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);

 private:
  friend struct api::Internals;
  friend class GraphBuilder;
  friend class Tensor;
  friend class Graph;
  struct State;
  std::shared_ptr<State> state_;
};

/// MLGraphBuilder: describes a graph operator by operator (the 95 methods are in OperatorMethods) and compiles it.
/// Every call is checked at once; a wrong one throws Error (usage) and adds nothing.
class WEBNN_API GraphBuilder : public OperatorMethods {
 public:
  explicit GraphBuilder(const Context& context);
  ~GraphBuilder() override;

  /// `name` is not empty and not that of another input.
  Operand input(const std::string& name, DataType dataType, const Dimensions& shape);
  /// Exactly the tensor's bytes, row-major, copied.
  Operand constant(DataType dataType, const Dimensions& shape, std::span<const std::byte> data);
  /// A scalar; the number is cast to the type as the specification says.
  Operand constant(DataType dataType, Number value);
  /// A tensor of createConstantTensor; it may be destroyed once the graph is built.
  Operand constant(const Tensor& tensor);

  /// Compiles the graph of these outputs, which are results of operators. A builder builds once. Throws Error: usage
  /// for wrong outputs, unsupported when the device lacks a kernel.
  Graph build(const NamedOperands& outputs);

 private:
  friend struct api::Internals;

  std::vector<Operand> call(schema::OperatorId op, const std::vector<Operand>& operands, schema::Attributes attributes,
                            const std::string& label) override;

  Operand operand(std::uint32_t value) const;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace webnn

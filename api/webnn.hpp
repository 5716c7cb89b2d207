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
// A graph is run in one of four ways: dispatch and an awaited read, as above; `compute`, which waits; `bind` and then
// dispatch of the bindings, which checks nothing again; and a CommandBuffer, recorded once and submitted as one piece.
//
// Contexts, graphs, tensors, bindings and command buffers are handles: copies mean the same thing, what the last handle
// to one leaves behind is freed, and a handle that was moved from is empty: every use of it throws Error (usage). Calls
// may come from any thread, except that a builder and an encoder belong to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/context_options.hpp"
#include "api/operand.hpp"
#include "api/operator_methods.hpp"
#include "api/support_limits.hpp"
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
  bool exportable = false;  // for exportTensor: its memory has a file descriptor
};

/// MLTensor: typed memory of a context.
class WEBNN_API Tensor {
 public:
  DataType dataType() const;
  const Dimensions& shape() const;
  bool readable() const;
  bool writable() const;
  bool constant() const;
  /// Frees the memory, at once or when the work with it that was asked for before is done; pending reads fail. A second
  /// time does nothing.
  void destroy();

 private:
  friend class CommandEncoder;
  friend class Context;
  friend class ExportedTensor;
  friend class GraphBuilder;
  struct State;
  State& state() const;
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
  /// Frees the graph, at once or when its dispatches are done. A second time does nothing.
  void destroy();

 private:
  friend struct api::Internals;
  friend class Context;
  friend class CommandEncoder;
  friend class GraphBuilder;
  struct State;
  State& state() const;
  explicit Graph(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

using NamedOperands = std::map<std::string, Operand>;
using NamedTensors = std::map<std::string, Tensor>;

/// A graph with the tensors of a dispatch, checked: the cheap way to the same dispatch again and again.
class WEBNN_API Bindings {
 private:
  friend class Context;
  struct State;
  State& state() const;
  explicit Bindings(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A tensor in somebody else's hands, until `close` or the end of this object gives it back: work on the tensor that
/// was asked for after the export waits until then. Move-only.
class WEBNN_API ExportedTensor {
 public:
  ExportedTensor(ExportedTensor&&) noexcept;
  ExportedTensor& operator=(ExportedTensor&&) noexcept;
  ~ExportedTensor();

  /// Shared memory that begins with the tensor's elements, row-major. Others map it, or get it through a socket. It is
  /// this object's: who needs it longer duplicates it.
  int fileDescriptor() const;
  /// The same memory as this process sees it.
  std::span<std::byte> memory() const;
  /// A second time does nothing; the functions above then throw Error (usage).
  void close();

 private:
  friend class Context;
  struct State;
  explicit ExportedTensor(std::unique_ptr<State> state);
  State& state() const;
  std::unique_ptr<State> state_;
};

/// Dispatches recorded once, to be submitted as often as wanted (Context::submit).
class WEBNN_API CommandBuffer {
 private:
  friend class Context;
  friend class CommandEncoder;
  struct State;
  State& state() const;
  explicit CommandBuffer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Records a CommandBuffer. Every call is checked at once; a wrong one throws Error (usage) and records nothing.
class WEBNN_API CommandEncoder {
 public:
  /// Once for each graph, before it is dispatched: gets its memory ready.
  void initializeGraph(const Graph& graph);
  void dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  /// Ends the recording; an encoder finishes once.
  CommandBuffer finish();

 private:
  friend class Context;
  explicit CommandEncoder(std::shared_ptr<CommandBuffer::State> state) : state_(std::move(state)) {}
  CommandBuffer::State& state() const;
  std::shared_ptr<CommandBuffer::State> state_;
};

/// MLContextLostInfo.
struct ContextLostInfo {
  std::string message;
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

  // ---- tensors in memory that others see

  /// A tensor in the caller's memory: exactly its bytes, row-major, aligned to an element; kernels never touch what
  /// lies behind. Its content is what lies there; as an output it is computed right there. The memory lives until
  /// `released` is called, once, on any thread: after the tensor is destroyed and the work with it is done. The caller
  /// touches it only while no work on the tensor is pending.
  Tensor importTensor(const TensorDescriptor& descriptor, std::span<std::byte> memory,
                      std::function<void()> released = nullptr);
  /// A tensor in a file's or memfd's memory from byte `offset` on, shared with everyone who maps it. The descriptor may
  /// be closed afterwards; the file must not become shorter. If it is open for reading only, the tensor is no output.
  Tensor importTensor(const TensorDescriptor& descriptor, int fileDescriptor, std::uint64_t offset = 0);
  /// Lends an exportable tensor once the work on it that was asked for before is done.
  std::future<ExportedTensor> exportTensor(const Tensor& tensor);

  // ---- write and read

  /// `data` is copied before the call returns.
  void writeTensor(const Tensor& tensor, std::span<const std::byte> data);
  std::future<std::vector<std::byte>> readTensor(const Tensor& tensor);
  /// Reads into `data`, which lives until the future is ready.
  std::future<void> readTensor(const Tensor& tensor, std::span<std::byte> data);
  /// Calls `callback` with a future that is ready, on the context's own thread or on one that is inside of `compute`:
  /// it may ask for more, but must not throw and not wait for the context.
  void readTensor(const Tensor& tensor, std::function<void(std::future<std::vector<std::byte>>)> callback);
  void readTensor(const Tensor& tensor, std::span<std::byte> data, std::function<void(std::future<void>)> callback);

  // ---- run

  /// Throws Error (usage) for bindings that are not exactly the graph's. What fails later fails the reads of the
  /// outputs.
  void dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  /// The same in two steps.
  Bindings bind(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  void dispatch(const Bindings& bindings);
  /// Dispatches, waits for the end and throws the error of the run.
  void compute(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  void compute(const Bindings& bindings);
  CommandEncoder createCommandEncoder();
  /// Appends the recorded dispatches in one piece; nothing is checked or allocated again.
  void submit(const CommandBuffer& commandBuffer);
  /// Waits for everything asked for so far.
  void wait();

  // ---- the context

  OpSupportLimits opSupportLimits() const;
  /// Destroys all tensors and graphs; what is pending fails, and everything asked for later throws Error (usage). A
  /// second time does nothing.
  void destroy();
  /// Ready when the context is destroyed.
  std::shared_future<ContextLostInfo> lost() const;

 private:
  friend struct api::Internals;
  friend class Bindings;
  friend class CommandBuffer;
  friend class CommandEncoder;
  friend class ExportedTensor;
  friend class Graph;
  friend class GraphBuilder;
  friend class Tensor;
  struct State;
  State& state() const;
  std::shared_ptr<State> state_;
};

struct BuildOptions {
  /// Inputs and outputs may keep the order of elements that the kernels prefer while tensors go from graph to graph;
  /// who reads them gets row-major all the same.
  bool keepLayouts = true;
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
  Graph build(const NamedOperands& outputs, const BuildOptions& options = {});

 private:
  friend struct api::Internals;

  std::vector<Operand> call(schema::OperatorId op, const std::vector<Operand>& operands, schema::Attributes attributes,
                            const std::string& label) override;

  Operand operand(std::uint32_t value) const;

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace webnn

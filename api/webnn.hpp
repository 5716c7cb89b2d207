// The W3C Web Neural Network API (https://www.w3.org/TR/webnn/) in C++. It has the specification's names without the ML
// prefix, futures instead of promises, and exceptions of type webnn::Error instead of DOM exceptions.
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
// A graph can be run in four ways: `dispatch` and then waiting for a read, as above; `compute`, which waits; `bind` and
// then dispatch of the bindings, which are not checked again; and a CommandBuffer, which is recorded once and submitted
// as a whole.
//
// Contexts, graphs, tensors, bindings and command buffers are handles: copies refer to the same object, which is freed
// with its last handle. A handle that was moved from is empty, and using it throws Error (usage). Functions may be
// called from any thread, except that a builder and an encoder belong to one thread at a time.
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
struct Internals;  // access of this project's own code to the classes below
}

/// MLTensorDescriptor.
struct TensorDescriptor {
  DataType dataType = DataType::float32;
  Dimensions shape{};
  bool readable = false;
  bool writable = false;
  bool exportable = false;          // for exportTensor: its memory has a file descriptor
  bool exportableOnDevice = false;  // the same for memory of the GPU instead of the host's: DeviceMemory
};

/// Memory of a GPU that belongs to somebody else: a context's, or a program's with the same driver. What a driver
/// exports tells nothing of itself, so that its exporter has to.
struct DeviceMemory {
  int fileDescriptor = -1;       // VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT; it stays the caller's
  std::uint64_t offset = 0;      // of the tensor
  std::uint64_t bytes = 0;       // VkMemoryAllocateInfo::allocationSize of the exporter
  std::uint32_t memoryType = 0;  // its memoryTypeIndex
};

/// MLTensor: typed memory of a context.
class WEBNN_API Tensor {
 public:
  DataType dataType() const;
  const Dimensions& shape() const;
  bool readable() const;
  bool writable() const;
  bool constant() const;
  /// Frees the memory, at once or when earlier work with it is done; pending reads fail. Calling it again does nothing.
  /// When the last handle ends without it, pending reads are still answered.
  void destroy();

 private:
  friend struct api::Internals;
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
  /// In the order of the graph file or of the builder's calls; the outputs of a builder's graph are sorted by name.
  const std::vector<NamedDescriptor>& inputs() const;
  const std::vector<NamedDescriptor>& outputs() const;
  /// Frees the graph, at once or when its dispatches are done. Calling it again does nothing.
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

/// A graph with the checked tensors of a dispatch: makes repeating the same dispatch cheap.
class WEBNN_API Bindings {
 private:
  friend class Context;
  struct State;
  State& state() const;
  explicit Bindings(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A tensor lent to somebody outside, until `close` or the destructor gives it back. Work on the tensor that is
/// requested after the export waits until then. Move-only.
class WEBNN_API ExportedTensor {
 public:
  ExportedTensor(ExportedTensor&&) noexcept;
  ExportedTensor& operator=(ExportedTensor&&) noexcept;
  ~ExportedTensor();

  /// Memory that begins with the tensor's elements, row-major. Others can map it, or receive it through a socket. It is
  /// closed with this object: duplicate it to keep it longer.
  int fileDescriptor() const;
  /// The same memory as mapped into this process; empty if it is the GPU's.
  std::span<std::byte> memory() const;
  /// The same memory of the GPU, as importTensor and Vulkan take it. Throws Error (usage) if it is the host's.
  DeviceMemory deviceMemory() const;
  /// Calling it again does nothing; the functions above then throw Error (usage).
  void close();

 private:
  friend class Context;
  struct State;
  explicit ExportedTensor(std::unique_ptr<State> state);
  State& state() const;
  std::unique_ptr<State> state_;
};

/// Dispatches recorded once, which can be submitted any number of times (Context::submit).
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
  /// Call it once for each graph before dispatching it: prepares the graph's memory.
  void initializeGraph(const Graph& graph);
  void dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  /// Ends the recording; an encoder finishes only once.
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

/// MLContext: a device, and the timeline on which all operations happen in the order in which they were requested.
class WEBNN_API Context {
 public:
  /// Throws Error: usage for unknown words, device when the device is not available.
  explicit Context(const ContextOptions& options = {});

  /// A tensor of zeros. Throws Error: usage for an impossible descriptor, resource when memory runs out.
  Tensor createTensor(const TensorDescriptor& descriptor);
  /// A tensor for GraphBuilder::constant; `data` has exactly its bytes, row-major.
  Tensor createConstantTensor(DataType dataType, const Dimensions& shape, std::span<const std::byte> data);

  // ---- tensors in shared memory

  /// A tensor in the caller's memory, which has exactly its bytes, row-major, aligned to an element; kernels never
  /// touch the memory behind it. Its content is what the memory holds, and as an output it is computed in place. The
  /// memory must stay valid until `released` is called, once, on any thread: after the tensor is destroyed and the work
  /// with it is done. The caller accesses the memory only while no work on the tensor is pending.
  Tensor importTensor(const TensorDescriptor& descriptor, std::span<std::byte> memory,
                      std::function<void()> released = nullptr);
  /// A tensor in the memory of a file or memfd, at byte `offset`, shared with everyone who maps it. The descriptor may
  /// be closed afterwards; the file must not shrink. If it is open for reading only, the tensor cannot be an output.
  Tensor importTensor(const TensorDescriptor& descriptor, int fileDescriptor, std::uint64_t offset = 0);
  /// A tensor in memory of the GPU that others export, by the same driver and device, used in place.
  Tensor importTensor(const TensorDescriptor& descriptor, const DeviceMemory& memory);
  /// Lends an exportable tensor after all earlier work on it.
  std::future<ExportedTensor> exportTensor(const Tensor& tensor);

  // ---- write and read

  /// `data` is copied before the call returns.
  void writeTensor(const Tensor& tensor, std::span<const std::byte> data);
  std::future<std::vector<std::byte>> readTensor(const Tensor& tensor);
  /// Reads into `data`, which must stay valid until the future is ready.
  std::future<void> readTensor(const Tensor& tensor, std::span<std::byte> data);
  /// Calls `callback` with a future that is ready, on the context's own thread or on a thread inside `compute`. The
  /// callback may request more work, but must not throw or wait for the context.
  void readTensor(const Tensor& tensor, std::function<void(std::future<std::vector<std::byte>>)> callback);
  void readTensor(const Tensor& tensor, std::span<std::byte> data, std::function<void(std::future<void>)> callback);

  // ---- run

  /// Throws Error (usage) for bindings that do not match the graph exactly. Later failures make the reads of the
  /// outputs fail.
  void dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  /// The same in two calls.
  Bindings bind(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  void dispatch(const Bindings& bindings);
  /// Dispatches, waits for the end and throws the error of the run.
  void compute(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs);
  void compute(const Bindings& bindings);
  CommandEncoder createCommandEncoder();
  /// Appends the recorded dispatches as a whole; nothing is checked or allocated again.
  void submit(const CommandBuffer& commandBuffer);
  /// Waits for all earlier requests.
  void wait();

  // ---- the context

  OpSupportLimits opSupportLimits() const;
  /// Destroys all tensors and graphs; pending work fails, and every later request throws Error (usage). Calling it
  /// again does nothing.
  void destroy();
  /// Ready when the context has been destroyed, or when its device turns out to be lost: it failed, or ended no work for a
  /// minute. Then every later request but destroy() throws Error (usage).
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
  /// Allows inputs and outputs to keep the layout that the kernels prefer while tensors pass from graph to graph; reads
  /// are row-major in any case.
  bool keepLayouts = true;
};

/// MLGraphBuilder: describes a graph operator by operator (the 95 methods are in OperatorMethods) and compiles it.
/// Every call is checked at once; a wrong one throws Error (usage) and adds nothing.
class WEBNN_API GraphBuilder : public OperatorMethods {
 public:
  explicit GraphBuilder(const Context& context);
  ~GraphBuilder() override;

  /// `name` must not be empty and must differ from those of other inputs.
  Operand input(const std::string& name, DataType dataType, const Dimensions& shape);
  /// `data` has exactly the tensor's bytes, row-major; it is copied.
  Operand constant(DataType dataType, const Dimensions& shape, std::span<const std::byte> data);
  /// A scalar; the number is cast to the type as the specification says.
  Operand constant(DataType dataType, Number value);
  /// A tensor from createConstantTensor; it may be destroyed once the graph is built.
  Operand constant(const Tensor& tensor);

  /// Compiles the graph for these outputs, which must be results of operators. A builder builds only once. Throws
  /// Error: usage for wrong outputs, unsupported when the device lacks a kernel.
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

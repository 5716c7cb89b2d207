// A context (MLContext): tensors and executables of one device, and the timeline on which everything with them happens.
//
// `write`, `dispatch`, `read` and `destroy` check their arguments, append to the timeline and return; operations happen
// in the order they were asked for. All functions may be called from any thread. A wrong argument throws Error (usage)
// at once and changes nothing. What fails later on the timeline reaches whoever waits: an output of a failed dispatch
// fails to be read, and to be an input, with the dispatch's error until it is written again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/bindings.hpp"
#include "runtime/recording.hpp"
#include "runtime/tensors/buffer_pool.hpp"
#include "runtime/tensors/tensor.hpp"
#include "runtime/tensors/tensor_export.hpp"
#include "runtime/timeline.hpp"

namespace webnn::runtime {

class Context {
 public:
  /// Kernels run with `threads` threads (at least 1), those of the timeline.
  Context(std::unique_ptr<Device> device, unsigned threads);
  /// Finishes what is on the timeline, but for what waits for exported tensors: that fails. All ids die.
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Device& device() const { return *device_; }
  unsigned threads() const { return threads_; }
  /// Whether the caller is running the timeline's tasks (a callback), and must not wait for this context, nor end it.
  bool is_timeline() const { return timeline_.is_this_thread(); }

  // ---- tensors

  /// A tensor of zeros. Throws Error: `usage` for a descriptor that cannot exist, `resource` when memory runs out.
  TensorId create_tensor(const TensorDescriptor& descriptor);
  /// A tensor in the caller's memory: exactly its bytes, row-major, aligned to an element. The content is what lies
  /// there. The memory lives until `released` is called, once, on any thread: after the tensor is destroyed and the
  /// work with it has ended. The caller touches it only when no work on the tensor is pending.
  TensorId import_tensor(const TensorDescriptor& descriptor, std::span<std::byte> memory,
                         std::function<void()> released = nullptr);
  /// A tensor in a file's or memfd's memory, shared with everyone who maps it; the descriptor may be closed afterwards.
  /// Of a file that is open for reading only, the tensor is never written. A GPU takes memory of devices, too: a
  /// dma-buf, or what others of the same driver exported, with as many bytes as a buffer takes that ends with the
  /// tensor.
  TensorId import_tensor(const TensorDescriptor& descriptor, int file_descriptor, std::uint64_t offset = 0);

  /// Called by who runs the timeline's tasks, with a future that is ready, which the caller then does not get. It must
  /// not throw, nor wait for this context.
  template <class Result>
  using Callback = std::function<void(std::future<Result>)>;

  /// Lends an exportable tensor once the work asked for before is done.
  std::future<TensorExport> export_tensor(TensorId tensor, Callback<TensorExport> then = nullptr);

  TensorDescriptor descriptor(TensorId tensor) const;
  /// Copies `data` (exactly the tensor's bytes, row-major) before it returns.
  void write(TensorId tensor, std::span<const std::byte> data);
  /// The tensor's bytes at this point of the timeline, row-major. The future throws Error (usage) when the tensor is
  /// destroyed before.
  std::future<std::vector<std::byte>> read(TensorId tensor, Callback<std::vector<std::byte>> then = nullptr);
  /// The same into `to`, which lives until the future is ready.
  std::future<void> read(TensorId tensor, std::span<std::byte> to, Callback<void> then = nullptr);
  /// Frees the tensor at once, or when pending dispatches with it are done; pending reads of it fail. A second time
  /// does nothing.
  void destroy(TensorId tensor);

  // ---- executables

  /// Prepares a program on the timeline's thread and waits for it. Throws what Executable's constructor throws, which
  /// also says what `max_memory` limits.
  ExecutableId load(Program program, std::uint64_t max_memory = 0);
  /// Valid until the executable is destroyed.
  const Executable& executable(ExecutableId executable) const;
  /// Touches the memory of the executable, so that its first run finds it in place.
  void initialize(ExecutableId executable);
  void destroy(ExecutableId executable);

  /// Runs an executable with these tensors ("dispatch()" of the specification): `inputs` and `outputs` name every input
  /// that the graph uses and every output, each exactly once, with tensors of this context, of equal type and shape,
  /// and no tensor twice. An input that the graph declares and does not use may be there too. Inputs are not changed.
  /// What was dispatched before is not checked again.
  void dispatch(ExecutableId executable, std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);
  /// The same in two parts: the checks, and the run.
  std::shared_ptr<Bindings> bind(ExecutableId executable, std::span<const NamedTensor> inputs,
                                 std::span<const NamedTensor> outputs);
  void dispatch(std::shared_ptr<Bindings> bindings);
  /// Appends all dispatches of a recording, which is not changed any more.
  void submit(std::shared_ptr<Recording> recording);
  /// Dispatches, waits, and throws the error of the run.
  void compute(ExecutableId executable, std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);
  void compute(const std::shared_ptr<Bindings>& bindings);
  /// The same, and says when each step of the program ran; `times` has an entry for each. Allocates nothing.
  void compute_timed(const std::shared_ptr<Bindings>& bindings, std::span<StepTime> times);
  /// Waits for everything appended so far.
  void wait();

  // ---- the context

  /// Destroys all tensors and executables; what is pending fails. From now on every function that asks for something
  /// throws Error (usage). False when that had happened before.
  bool destroy();
  /// Throws Error (usage) when the context is destroyed.
  void check_open() const;

 private:
  friend class TensorExport;  // holds a tensor on the timeline and lets it go

  void check_can_wait() const;
  const std::shared_ptr<TensorState>& find(TensorId tensor) const;
  const std::shared_ptr<ExecutableState>& find(ExecutableId executable) const;
  TensorId add(std::shared_ptr<TensorState> tensor);
  template <class Map>
  void destroy(Map& resources, std::uint64_t number);
  void append_dispatch(std::shared_ptr<Bindings> bindings);
  std::shared_ptr<Bindings> find_or_bind(const DispatchWords& words);
  void run_and_wait(const std::shared_ptr<Bindings>& bindings, std::span<StepTime> times);
  const std::shared_ptr<TensorState>& find_readable(TensorId tensor) const;
  template <class Result = std::vector<std::byte>, class Act>
  std::future<Result> append_request(const std::shared_ptr<TensorState>& tensor, Act act, Callback<Result> then);

  std::unique_ptr<Device> device_;
  unsigned threads_;
  BufferPool pool_;
  // Guards what follows; held while appending, so that a resource's operations reach the timeline in one order and none
  // after its destruction.
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<TensorState>> tensors_;
  std::unordered_map<std::uint64_t, std::shared_ptr<ExecutableState>> executables_;
  BindingsCache cache_;
  std::uint64_t next_number_ = 1;
  std::atomic<bool> is_lost_ = false;  // read by tasks, too
  Timeline timeline_;                  // last: its thread ends before what its tasks use
};

}  // namespace webnn::runtime

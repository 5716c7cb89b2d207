// A context (MLContext): the tensors and executables of one device, and the timeline on which all operations on them
// happen.
//
// `write`, `dispatch`, `read` and `destroy` check their arguments, append to the timeline and return. Operations happen
// in the order in which they were requested. All functions may be called from any thread. A wrong argument throws Error
// (usage) at once and changes nothing. A failure on the timeline reaches whoever waits: when a dispatch fails, reading
// one of its outputs or using it as an input fails with the same error until it is written again.
//
// A context belongs to the process that made it: a child of fork has none of its threads, so there it refuses all work.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/bindings.hpp"
#include "runtime/recording.hpp"
#include "runtime/tensors/buffer_pool.hpp"
#include "runtime/tensors/host_copies.hpp"
#include "runtime/tensors/tensor.hpp"
#include "runtime/tensors/tensor_export.hpp"
#include "runtime/timeline.hpp"

namespace webnn::runtime {

class Context {
 public:
  /// Kernels run with `threads` threads (at least 1) on the timeline.
  Context(std::unique_ptr<Device> device, unsigned threads);
  /// Finishes the work on the timeline, except that work waiting for exported tensors fails. All ids become invalid.
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Device& device() const { return *device_; }
  unsigned threads() const { return threads_; }
  /// Whether the calling thread is running the timeline's tasks (in a callback): it must not wait for this context or
  /// destroy it.
  bool is_timeline() const { return timeline_.is_this_thread(); }

  // ---- tensors

  /// A tensor of zeros. Throws Error: `usage` for a descriptor that cannot exist, `resource` when memory runs out.
  TensorId create_tensor(const TensorDescriptor& descriptor);
  /// A tensor in the caller's memory, which has exactly its bytes, row-major, aligned to an element. Its initial
  /// content is what the memory holds. The memory must stay valid until `released` is called, once, on any thread:
  /// after the tensor is destroyed and the work with it has ended. The caller accesses it only while no work on the
  /// tensor is pending.
  TensorId import_tensor(const TensorDescriptor& descriptor, std::span<std::byte> memory,
                         std::function<void()> released = nullptr);
  /// A tensor in the memory of a file or memfd, shared with everyone who maps it; the caller may close the descriptor
  /// afterwards. If the file is open for reading only, the tensor cannot be an output. A GPU also takes device memory:
  /// a dma-buf, or memory exported by others with the same driver. It must have as many bytes as a buffer that ends
  /// with the tensor.
  TensorId import_tensor(const TensorDescriptor& descriptor, int file_descriptor, std::uint64_t offset = 0);

  /// A tensor in memory that a tensor of another context of the same device, or another user of its driver, exports.
  TensorId import_tensor(const TensorDescriptor& descriptor, const DeviceMemory& memory);

  /// Called by the thread that runs the timeline's tasks, with a future that is ready; the caller then gets no future
  /// itself. It must not throw, nor wait for this context.
  template <class Result>
  using Callback = std::function<void(std::future<Result>)>;

  /// Lends an exportable tensor, after all earlier work.
  std::future<TensorExport> export_tensor(TensorId tensor, Callback<TensorExport> then = nullptr);

  TensorDescriptor descriptor(TensorId tensor) const;
  /// Copies `data` (exactly the tensor's bytes, row-major) before returning.
  void write(TensorId tensor, std::span<const std::byte> data);
  /// Gives the tensor's bytes, row-major, at this point of the timeline. The future throws Error (usage) when the
  /// tensor is destroyed first, but not when it is forgotten.
  std::future<std::vector<std::byte>> read(TensorId tensor, Callback<std::vector<std::byte>> then = nullptr);
  /// The same, into `to`, which must stay valid until the future is ready.
  std::future<void> read(TensorId tensor, std::span<std::byte> to, Callback<void> then = nullptr);
  /// Frees the tensor, at once or when the pending dispatches with it are done; pending reads of it fail. Calling it
  /// again does nothing.
  void destroy(TensorId tensor);
  /// The same for a tensor that nobody can name any more: pending reads of it are still answered.
  void forget(TensorId tensor);

  // ---- executables

  /// Prepares a program on the timeline's thread and waits for it. See Executable's constructor for errors.
  ExecutableId load(Program program, const Limits& limits = {});
  /// Valid until the executable is destroyed.
  const Executable& executable(ExecutableId executable) const;
  /// Touches the executable's memory, so that its first run need not wait for pages.
  void initialize(ExecutableId executable);
  void destroy(ExecutableId executable);

  /// Runs an executable with these tensors ("dispatch()" of the specification). `inputs` and `outputs` name every input
  /// that the graph uses and every output exactly once, with tensors of this context that have the same type and shape;
  /// no tensor occurs twice. Inputs that the graph declares but does not use may be given too. Inputs are not changed.
  /// A repeated dispatch is not checked again.
  void dispatch(ExecutableId executable, std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);
  /// The same in two parts: the checks, then the run.
  std::shared_ptr<Bindings> bind(ExecutableId executable, std::span<const NamedTensor> inputs,
                                 std::span<const NamedTensor> outputs);
  void dispatch(std::shared_ptr<Bindings> bindings);
  /// Appends all dispatches of a recording, which must not change any more.
  void submit(std::shared_ptr<Recording> recording);
  /// Dispatches, waits, and throws the error of the run.
  void compute(ExecutableId executable, std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);
  void compute(const std::shared_ptr<Bindings>& bindings);
  /// The same, and records when each step of the program ran; `times` has an entry for each. Allocates nothing.
  void compute_timed(const std::shared_ptr<Bindings>& bindings, std::span<StepTime> times);
  /// Waits for everything appended so far.
  void wait();

  // ---- the context

  /// Destroys all tensors and executables; pending work fails. From now on every request throws Error (usage). False
  /// when the context was destroyed before.
  bool destroy();
  /// `call` is called once, on any thread, when the device turns out to be lost. From then on every request but
  /// `destroy` throws Error (usage), and pending work fails.
  void when_lost(std::function<void(const std::string& reason)> call);
  /// Throws Error (usage) when the context has been destroyed or its device is lost.
  void check_open() const;
  /// Whether this process is a child that was forked after the context was made. Then every request throws Error
  /// (usage), the end of a tensor or a graph does nothing, and the context must not end: it is left as it is.
  bool is_from_before_fork() const;

 private:
  friend class TensorExport;  // holds a tensor on the timeline and releases it again

  void check_process() const;
  void check_can_wait() const;
  /// Locks the mutex. Throws Error (usage) in a child of fork.
  std::unique_lock<std::mutex> guard() const;
  /// `name`: of the input or output that it is for, if any.
  const std::shared_ptr<TensorState>& find(TensorId tensor, std::string_view name = {}) const;
  const std::shared_ptr<ExecutableState>& find(ExecutableId executable) const;
  TensorId add(std::shared_ptr<TensorState> tensor);
  template <class Map>
  void end(Map& resources, std::uint64_t number, void (Resource::*how)());
  void append_dispatch(std::shared_ptr<Bindings> bindings);
  std::shared_ptr<Bindings> find_or_bind(const DispatchWords& words);
  void run_and_wait(const std::shared_ptr<Bindings>& bindings, std::span<StepTime> times);
  const std::shared_ptr<TensorState>& find_readable(TensorId tensor) const;
  template <class Result = std::vector<std::byte>, class Act>
  std::future<Result> append_request(const std::shared_ptr<TensorState>& tensor, Act act, Callback<Result> then);

  std::unique_ptr<Device> device_;
  unsigned threads_;
  unsigned born_;  // fork_count() then
  BufferPool pool_;
  HostCopies host_copies_;
  // Guards the members below. It is held while appending, so that a resource's operations reach the timeline in order,
  // and none after its destruction.
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<TensorState>> tensors_;
  std::unordered_map<std::uint64_t, std::shared_ptr<ExecutableState>> executables_;
  BindingsCache cache_;
  std::uint64_t next_number_ = 1;
  std::atomic<bool> is_destroyed_ = false, has_lost_device_ = false;  // also read by tasks
  Timeline timeline_;  // last member: its thread ends before what its tasks use
};

}  // namespace webnn::runtime

// A context (MLContext): tensors and executables of one device, and the timeline on which everything with them happens.
//
// `write`, `dispatch`, `read` and `destroy` check their arguments, append to the timeline and return; operations happen
// in the order they were asked for. All functions may be called from any thread. A wrong argument throws Error (usage)
// at once and changes nothing. What fails later on the timeline reaches whoever waits: an output of a failed dispatch
// fails to be read, and to be an input, with the dispatch's error until it is written again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/buffer_pool.hpp"
#include "runtime/executable.hpp"
#include "runtime/tensor.hpp"
#include "runtime/timeline.hpp"

namespace webnn::runtime {

class Context {
 public:
  /// Kernels run with `threads` threads (at least 1), those of the timeline.
  Context(std::unique_ptr<Device> device, unsigned threads);
  /// Finishes what is on the timeline; all ids die.
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Device& device() const { return *device_; }
  unsigned threads() const { return threads_; }

  // ---- tensors

  /// A tensor of zeros. Throws Error: `usage` for a descriptor that cannot exist, `resource` when memory runs out.
  TensorId create_tensor(const TensorDescriptor& descriptor);
  TensorDescriptor descriptor(TensorId tensor) const;
  /// Copies `data` (exactly the tensor's bytes, row-major) before it returns.
  void write(TensorId tensor, std::span<const std::byte> data);
  /// The tensor's bytes at this point of the timeline. The future throws Error (usage) when the tensor is destroyed
  /// before.
  std::future<std::vector<std::byte>> read(TensorId tensor);
  /// The same into `to`, which lives until the future is ready.
  std::future<void> read(TensorId tensor, std::span<std::byte> to);
  /// Frees the tensor once pending dispatches with it are done; pending reads of it fail. A second time does nothing.
  void destroy(TensorId tensor);

  // ---- executables

  /// Prepares a program on the timeline's thread and waits for it. Throws what Executable's constructor throws.
  ExecutableId load(Program program);
  /// Valid until the executable is destroyed.
  const Executable& executable(ExecutableId executable) const;
  void destroy(ExecutableId executable);

  /// Runs an executable with these tensors ("dispatch()" of the specification): `inputs` and `outputs` name every input
  /// that the graph uses and every output, each exactly once, with tensors of this context, of equal type and shape,
  /// and no tensor twice. An input that the graph declares and does not use may be there too. Inputs are not changed.
  void dispatch(ExecutableId executable, std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);
  /// Dispatches, waits, and throws the error of the run.
  void compute(ExecutableId executable, std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);
  /// The same, step by step; returns nanoseconds by step of the program.
  std::vector<std::uint64_t> compute_timed(ExecutableId executable, std::span<const NamedTensor> inputs,
                                           std::span<const NamedTensor> outputs);
  /// Waits for everything appended so far.
  void wait();

 private:
  struct TensorState;
  struct ExecutableState;
  struct Dispatch;
  enum class Direction { input, output };

  TensorState& find(TensorId tensor) const;
  ExecutableState& find(ExecutableId executable) const;
  std::vector<TensorState*> resolve(const ExecutableState& executable, Direction direction,
                                    std::span<const NamedTensor> named) const;
  Dispatch prepare(ExecutableId executable, std::span<const NamedTensor> inputs,
                   std::span<const NamedTensor> outputs) const;
  std::future<void> enqueue(ExecutableId executable, std::span<const NamedTensor> inputs,
                            std::span<const NamedTensor> outputs, std::vector<std::uint64_t>* nanoseconds);
  template <class Function>
  auto append_read(TensorId tensor, std::size_t bytes, Function copy);

  std::unique_ptr<Device> device_;
  unsigned threads_;
  BufferPool pool_;
  // Guards the maps; held while appending, so that the timeline sees a tensor's operations before its destruction.
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<TensorState>> tensors_;
  std::unordered_map<std::uint64_t, std::unique_ptr<ExecutableState>> executables_;
  std::uint64_t next_number_ = 1;
  Timeline timeline_;  // last: its thread ends before what its tasks use
};

}  // namespace webnn::runtime

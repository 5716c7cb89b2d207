// The states behind the handles of webnn.hpp.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/devices.hpp"
#include "api/refuse.hpp"
#include "api/webnn.hpp"
#include "runtime/context.hpp"

namespace webnn {

struct Context::State {
  explicit State(const ContextOptions& options);
  /// May be called from a task of the timeline, which must not destroy its own context; another thread then does it.
  static void end(State* state);
  static void destroy(State* state);
  /// Makes `lost` ready; later reasons are dropped.
  void report_lost(const std::string& reason);

  api::DeviceName device;
  std::atomic<bool> is_lost = false;
  std::promise<ContextLostInfo> lose;
  std::shared_future<ContextLostInfo> lost;
  runtime::Context context;
  runtime::Limits limits;
};

/// What the caller of importTensor wants to be told, once. The runtime tells it; in a child of fork, where the runtime has
/// no threads and does nothing, the tensor does.
class Release {
 public:
  explicit Release(std::function<void()> released) : released_(std::move(released)) {}
  void tell() {
    if (is_called_.exchange(true)) return;
    if (const std::function<void()> call = std::exchange(released_, nullptr)) call();
  }

 private:
  std::function<void()> released_;
  std::atomic<bool> is_called_ = false;
};

struct Tensor::State {
  State(std::shared_ptr<Context::State> owner, const TensorDescriptor& words)
      : context(std::move(owner)), descriptor(words) {}
  ~State() {
    if (!constant) end(last_handle_fails_reads);
  }
  /// Ends it on the device, if this process has the context's threads. Its pending reads fail or are still answered.
  void end(bool fails_reads);

  /// Wraps an id of the context.
  static Tensor wrap(const std::shared_ptr<Context::State>& context, const TensorDescriptor& words,
                     runtime::TensorId id);
  /// The id of a tensor that is written, read or bound; the runtime checks everything else. Throws Error (usage) for an
  /// empty tensor and for a constant one.
  static runtime::TensorId id_of(const Tensor& tensor);

  std::shared_ptr<Context::State> context;
  TensorDescriptor descriptor;
  runtime::TensorId id;              // if not constant
  bool constant = false;             // it is in `data` and has no tensor on the device
  schema::Bytes data;                // if constant
  std::shared_ptr<Release> release;  // if it was imported with memory of the caller
  std::atomic<bool> destroyed = false;
  bool last_handle_fails_reads = false;
};

struct Graph::State {
  ~State() { context->context.destroy(id); }

  std::shared_ptr<Context::State> context;
  runtime::ExecutableId id;
  std::vector<NamedDescriptor> inputs, outputs;
};

/// The tensors of a dispatch as the runtime takes them; does not allocate for the usual number of them.
class NamedList {
 public:
  NamedList(const NamedTensors& tensors, runtime::TensorId (*id_of)(const Tensor&)) {
    list_.reserve(tensors.size());
    for (const auto& [name, tensor] : tensors) list_.push_back({name, id_of(tensor)});
  }
  operator std::span<const runtime::NamedTensor>() const { return list_; }  // implicit on purpose: used as such a span

 private:
  std::array<std::byte, 16 * sizeof(runtime::NamedTensor)> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<runtime::NamedTensor> list_{&memory_};
};

/// Throws Error (usage) when such a tensor is not possible.
schema::OperandDescriptor checked(DataType data_type, const Dimensions& shape);
/// Throws Error (usage) when `data` does not have exactly the descriptor's size.
schema::Bytes checked_copy(const schema::OperandDescriptor& descriptor, std::span<const std::byte> data);

}  // namespace webnn

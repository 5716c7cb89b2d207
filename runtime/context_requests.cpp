// Content of tensors that a caller waits for: reads and exports, as tasks of the context's timeline.
#include <exception>
#include <utility>

#include "runtime/context.hpp"
#include "runtime/refuse.hpp"

namespace webnn::runtime {
namespace {

/// `act(tensor)`, whose result or error the caller waits for; a task of the timeline.
template <class Result, class Act>
struct Request {
  const Context* context;
  std::shared_ptr<TensorState> tensor;
  Act act;
  std::promise<Result> promise;
  Context::Callback<Result> then;

  void begin() noexcept requires requires(Act act, TensorState& tensor) { act.begin(tensor); }
  { act.begin(*tensor); }
  void operator()() {
    try {
      const bool is_gone = tensor->destroyed();  // asked first, because a context destroys its tensors after itself
      context->check_open();
      if (is_gone) refuse("the tensor was destroyed before its content was taken");
      tensor->check_content();
      if constexpr (std::is_void_v<Result>) {
        act(tensor);
        promise.set_value();
      } else {
        promise.set_value(act(tensor));
      }
    } catch (...) {
      if constexpr (requires { act.refuse(*tensor); }) act.refuse(*tensor);
      promise.set_exception(std::current_exception());
    }
    if (then) then(promise.get_future());
  }
};

// Reads that follow each other are one transfer. One that has begun may still be refused.
struct JoinedRead {
  void begin(const TensorState& tensor) const noexcept { tensor.expect_download(); }
  void refuse(const TensorState& tensor) const noexcept { tensor.forget_download(); }
};
struct Read : JoinedRead {
  std::vector<std::byte> operator()(const std::shared_ptr<TensorState>& tensor) const { return tensor->download(); }
};
struct ReadInto : JoinedRead {
  std::span<std::byte> to;
  explicit ReadInto(std::span<std::byte> place) : to(place) {}
  void operator()(const std::shared_ptr<TensorState>& tensor) const { tensor->download(to); }
};

}  // namespace

/// The caller holds the mutex.
template <class Result, class Act>
std::future<Result> Context::append_request(const std::shared_ptr<TensorState>& tensor, Act act,
                                            Callback<Result> then) {
  std::promise<Result> promise;
  std::future<Result> result = then ? std::future<Result>() : promise.get_future();
  timeline_.append(tensor->alone(), Request<Result, Act>{this, tensor, act, std::move(promise), std::move(then)});
  return result;
}

/// The caller holds the mutex.
const std::shared_ptr<TensorState>& Context::find_readable(TensorId id) const {
  const std::shared_ptr<TensorState>& tensor = find(id);
  if (!tensor->descriptor().readable) refuse("the tensor is not readable", "create it with readable set");
  return tensor;
}

std::future<std::vector<std::byte>> Context::read(TensorId id, Callback<std::vector<std::byte>> then) {
  const std::unique_lock lock = guard();
  const std::shared_ptr<TensorState>& tensor = find_readable(id);
  return append_request(tensor, Read(), std::move(then));
}

std::future<void> Context::read(TensorId id, std::span<std::byte> to, Callback<void> then) {
  const std::unique_lock lock = guard();
  const std::shared_ptr<TensorState>& tensor = find_readable(id);
  if (to.size() != tensor->bytes())
    refuse("the tensor " + tensor->descriptor().operand.text() + " holds " + std::to_string(tensor->bytes()) +
           " bytes, not " + std::to_string(to.size()));
  return append_request<void>(tensor, ReadInto(to), std::move(then));
}

std::future<TensorExport> Context::export_tensor(TensorId id, Callback<TensorExport> then) {
  const std::unique_lock lock = guard();
  const std::shared_ptr<TensorState>& tensor = find(id);
  if (!tensor->descriptor().can_be_exported()) refuse("the tensor is not exportable", "create it with exportable set");
  return append_request<TensorExport>(
      tensor, [this](const auto& taken) { return TensorExport(*this, taken); }, std::move(then));
}

}  // namespace webnn::runtime

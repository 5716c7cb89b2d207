// Contexts, tensors and graphs. The JavaScript above checks arguments as the specification says; an error from here is
// one of the device, or of the call that the library alone can see.
#include <chrono>
#include <cstring>

#include "api/internals.hpp"
#include "api/webnn.hpp"
#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/work.hpp"
#include "schema/elements/types.hpp"

namespace webnn::node {
namespace {

napi_value hold_tensor(napi_env env, Tensor tensor) {
  const std::size_t bytes = schema::byte_length({tensor.dataType(), schema::Shape(tensor.shape())});
  return make_holder(env, std::move(tensor), bytes);
}

/// createContext(device, threads, maxMemory, maxWork): a promise.
napi_value create_context(const Call& call) {
  ContextOptions options;
  options.device = text(call.env, call[0]);
  options.threads = word(call.env, call[1]);
  options.maxMemory = std::uint64_t(integer(call.env, call[2]));
  options.maxWork = std::uint64_t(integer(call.env, call[3]));
  auto context = std::make_shared<std::unique_ptr<Context>>();
  return start_work(
      call.env, "webnn createContext", [=] { *context = std::make_unique<Context>(options); },
      [=](napi_env env) { return make_holder(env, Context(**context)); });
}

/// isAccelerated(context): whether its device is another one than the CPU.
napi_value is_accelerated(const Call& call) {
  const Context& context = held<Context>(call.env, call[0]);
  return make_boolean(call.env, api::Internals::device(context).target().device != schema::DeviceKind::cpu);
}

napi_value destroy_context(const Call& call) {
  held<Context>(call.env, call[0]).destroy();
  return undefined(call.env);
}

/// lostMessage(context): undefined while it is not lost.
napi_value lost_message(const Call& call) {
  const std::shared_future<ContextLostInfo> lost = held<Context>(call.env, call[0]).lost();
  if (lost.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return undefined(call.env);
  return make_text(call.env, lost.get().message);
}

/// createTensor(context, type, shape, readable, writable)
napi_value create_tensor(const Call& call) {
  const TensorDescriptor descriptor{.dataType = data_type(call.env, call[1]),
                                    .shape = words(call.env, call[2]),
                                    .readable = boolean(call.env, call[3]),
                                    .writable = boolean(call.env, call[4])};
  return hold_tensor(call.env, held<Context>(call.env, call[0]).createTensor(descriptor));
}

/// createConstantTensor(context, type, shape, bytes)
napi_value create_constant_tensor(const Call& call) {
  return hold_tensor(call.env, held<Context>(call.env, call[0])
                                   .createConstantTensor(data_type(call.env, call[1]), words(call.env, call[2]),
                                                         bytes(call.env, call[3])));
}

napi_value destroy_tensor(const Call& call) {
  held<Tensor>(call.env, call[0]).destroy();
  return undefined(call.env);
}

/// writeTensor(context, tensor, bytes)
napi_value write_tensor(const Call& call) {
  held<Context>(call.env, call[0]).writeTensor(held<Tensor>(call.env, call[1]), bytes(call.env, call[2]));
  return undefined(call.env);
}

using Bytes = std::vector<std::byte>;

/// Large ones keep the memory that they were read into.
napi_value make_buffer(napi_env env, Bytes read) {
  constexpr std::size_t large = 1 << 16;
  napi_value buffer = nullptr;
  if (read.size() >= large) {
    auto owner = std::make_unique<Bytes>(std::move(read));
    const napi_finalize finalize = [](napi_env, void*, void* hint) { delete static_cast<Bytes*>(hint); };
    if (napi_create_external_arraybuffer(env, owner->data(), owner->size(), finalize, owner.get(), &buffer) ==
        napi_ok) {
      static_cast<void>(owner.release());
      return buffer;
    }
    read = std::move(*owner);  // not every host allows that
  }
  void* data = nullptr;
  check(env, napi_create_arraybuffer(env, read.size(), &data, &buffer));
  if (!read.empty()) std::memcpy(data, read.data(), read.size());
  return buffer;
}

/// Copies into a Uint8Array that may have become too small since the call.
napi_value copy_into(napi_env env, napi_ref view, const Bytes& read) {
  napi_value value = nullptr;
  check(env, napi_get_reference_value(env, view, &value));
  napi_delete_reference(env, view);
  const std::span<std::byte> target = bytes(env, value);
  if (target.size() != read.size())
    throw Error(schema::ExitCode::usage, "the buffer no longer has the size of the tensor");
  if (!read.empty()) std::memcpy(target.data(), read.data(), read.size());
  return undefined(env);
}

/// readTensor(context, tensor, bytes or undefined): a promise.
napi_value read_tensor(const Call& call) {
  Context& context = held<Context>(call.env, call[0]);
  const Tensor& tensor = held<Tensor>(call.env, call[1]);
  napi_ref view = nullptr;
  if (!is_absent(call.env, call[2])) {
    static_cast<void>(bytes(call.env, call[2]));
    check(call.env, napi_create_reference(call.env, call[2], 1, &view));
  }
  const Settlement settlement(call.env);
  const auto end = [settlement, view](std::future<Bytes> future) {
    const auto read = std::make_shared<std::future<Bytes>>(std::move(future));
    settlement.end([read, view](napi_env env) {
      return view ? copy_into(env, view, read->get()) : make_buffer(env, read->get());
    });
  };
  try {
    context.readTensor(tensor, end);
  } catch (...) {  // the promise has it
    std::promise<Bytes> failed;
    failed.set_exception(std::current_exception());
    end(failed.get_future());
  }
  return settlement.promise();
}

NamedTensors named_tensors(napi_env env, napi_value names, napi_value tensors) {
  const std::vector<napi_value> keys = items(env, names), values = items(env, tensors);
  if (keys.size() != values.size()) throw Error(schema::ExitCode::usage, "as many names as tensors are needed");
  NamedTensors result;
  for (std::size_t i = 0; i < keys.size(); ++i) result.emplace(text(env, keys[i]), held<Tensor>(env, values[i]));
  return result;
}

/// dispatch(context, graph, inputNames, inputTensors, outputNames, outputTensors)
napi_value dispatch(const Call& call) {
  held<Context>(call.env, call[0])
      .dispatch(held<Graph>(call.env, call[1]), named_tensors(call.env, call[2], call[3]),
                named_tensors(call.env, call[4], call[5]));
  return undefined(call.env);
}

napi_value descriptors(napi_env env, const std::vector<NamedDescriptor>& list) {
  std::vector<napi_value> result;
  for (const NamedDescriptor& item : list)
    result.push_back(ObjectMaker(env)
                         .set("name", make_text(env, item.name))
                         .set("dataType", make_text(env, name_of(item.dataType)))
                         .set("shape", make_words(env, item.shape))
                         .value());
  return make_array(env, result);
}

napi_value graph_inputs(const Call& call) { return descriptors(call.env, held<Graph>(call.env, call[0]).inputs()); }
napi_value graph_outputs(const Call& call) { return descriptors(call.env, held<Graph>(call.env, call[0]).outputs()); }

napi_value destroy_graph(const Call& call) {
  held<Graph>(call.env, call[0]).destroy();
  return undefined(call.env);
}

constexpr NamedFunction context_list[] = {
    {"createContext", guarded<create_context>},   {"isAccelerated", guarded<is_accelerated>},
    {"destroyContext", guarded<destroy_context>}, {"lostMessage", guarded<lost_message>},
    {"createTensor", guarded<create_tensor>},     {"createConstantTensor", guarded<create_constant_tensor>},
    {"destroyTensor", guarded<destroy_tensor>},   {"writeTensor", guarded<write_tensor>},
    {"readTensor", guarded<read_tensor>},         {"dispatch", guarded<dispatch>},
    {"graphInputs", guarded<graph_inputs>},       {"graphOutputs", guarded<graph_outputs>},
    {"destroyGraph", guarded<destroy_graph>},
};

}  // namespace

std::span<const NamedFunction> context_functions() { return context_list; }

}  // namespace webnn::node

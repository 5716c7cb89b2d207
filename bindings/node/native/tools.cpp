// Model files without a context of JavaScript's: compiling them to programs, what is in them, how long their steps take.
#include "bindings/tools/tools.hpp"

#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/order.hpp"
#include "bindings/node/native/work.hpp"

namespace webnn::node {
namespace {

using bindings::Compiled;
using bindings::Described;
using bindings::Inspected;
using bindings::Profiled;

ContextOptions context_options_of(const Call& call, std::size_t first) {
  ContextOptions options;
  options.device = text(call.env, call[first]);
  options.threads = word(call.env, call[first + 1]);
  return options;
}

napi_value make_described(napi_env env, const std::vector<Described>& list) {
  std::vector<napi_value> values;
  for (const Described& one : list) {
    std::vector<napi_value> sizes;
    for (std::size_t axis = 0; axis < one.descriptor.shape.rank(); ++axis) {
      const auto name = one.names.find(axis);
      sizes.push_back(name != one.names.end() ? make_text(env, name->second)
                                              : make_number(env, double(one.descriptor.shape[axis])));
    }
    values.push_back(ObjectMaker(env)
                         .set("name", make_text(env, one.name))
                         .set("dataType", make_text(env, name_of(one.descriptor.type)))
                         .set("shape", make_array(env, sizes))
                         .value());
  }
  return make_array(env, values);
}

// ---- compile

/// compile(file, weightsFile, names, sizes, device, threads, output): a promise of {bytes, steps, warnings}.
napi_value compile(const Call& call) {
  const Order order = order_of(call, 0);
  const ContextOptions options = context_options_of(call, 4);
  const std::string output = text(call.env, call[6]);
  auto compiled = std::make_shared<Compiled>();
  return start_work(
      call.env, "webnn compile", [=] { *compiled = bindings::compile_file(order, options, output); },
      [=](napi_env env) {
        return ObjectMaker(env)
            .set("bytes", make_number(env, double(compiled->bytes)))
            .set("steps", make_number(env, double(compiled->steps)))
            .set("warnings", make_texts(env, compiled->warnings))
            .value();
      });
}

// ---- inspect

/// inspect(file, weightsFile, names, sizes): a promise of {inputs, outputs, operators, constants, warnings}.
napi_value inspect(const Call& call) {
  const Order order = order_of(call, 0);
  auto inspected = std::make_shared<Inspected>();
  return start_work(
      call.env, "webnn inspect", [=] { *inspected = bindings::inspect_file(order); },
      [=](napi_env env) {
        ObjectMaker operators(env);
        for (const auto& [name, count] : inspected->operators)
          operators.set(name.c_str(), make_number(env, double(count)));
        const napi_value constants = ObjectMaker(env)
                                         .set("count", make_number(env, double(inspected->constants)))
                                         .set("bytes", make_number(env, double(inspected->constant_bytes)))
                                         .value();
        return ObjectMaker(env)
            .set("inputs", make_described(env, inspected->inputs))
            .set("outputs", make_described(env, inspected->outputs))
            .set("operators", operators.value())
            .set("constants", constants)
            .set("warnings", make_texts(env, inspected->warnings))
            .value();
      });
}

// ---- profile

/// profile(file, weightsFile, names, sizes, device, threads, runs): a promise of {milliseconds, steps}.
napi_value profile(const Call& call) {
  const Order order = order_of(call, 0);
  const ContextOptions options = context_options_of(call, 4);
  const std::uint32_t runs = word(call.env, call[6]);
  auto profiled = std::make_shared<Profiled>();
  return start_work(
      call.env, "webnn profile", [=] { *profiled = bindings::profile_file(order, options, runs); },
      [=](napi_env env) {
        std::vector<napi_value> steps;
        for (const Profiled::Step& step : profiled->steps)
          steps.push_back(ObjectMaker(env)
                              .set("operator", make_text(env, step.op))
                              .set("kernel", make_text(env, step.kernel))
                              .set("label", make_text(env, step.label))
                              .set("milliseconds", make_number(env, step.milliseconds))
                              .value());
        return ObjectMaker(env)
            .set("milliseconds", make_number(env, profiled->milliseconds))
            .set("steps", make_array(env, steps))
            .value();
      });
}

constexpr NamedFunction tools_list[] = {
    {"compile", guarded<compile>},
    {"inspect", guarded<inspect>},
    {"profile", guarded<profile>},
};

}  // namespace

std::span<const NamedFunction> tools_functions() { return tools_list; }

}  // namespace webnn::node

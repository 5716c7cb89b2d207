// Graphs from files: those of every format that the command line reads, and programs.
#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/order.hpp"
#include "bindings/node/native/work.hpp"

namespace webnn::node {
namespace {

/// loadGraph(context, file, weightsFile, names, sizes): a promise of {graph, warnings}. Names and sizes are those of the
/// graph's dimensions.
napi_value load_graph(const Call& call) {
  const Context context = held<Context>(call.env, call[0]);
  const Order order = order_of(call, 1);
  auto loaded = std::make_shared<bindings::Loaded>();
  return start_work(
      call.env, "webnn loadGraph", [=] { *loaded = bindings::load(context, order); },
      [=](napi_env env) {
        return ObjectMaker(env)
            .set("graph", make_holder(env, std::move(*loaded->graph)))
            .set("warnings", make_texts(env, loaded->warnings))
            .value();
      });
}

constexpr NamedFunction load_list[] = {{"loadGraph", guarded<load_graph>}};

}  // namespace

std::span<const NamedFunction> load_functions() { return load_list; }

}  // namespace webnn::node

// Graphs from files: those of every format that the command line reads, and programs.
#include "api/load.hpp"

#include <algorithm>
#include <optional>

#include "api/internals.hpp"
#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/work.hpp"
#include "compiler/formats/all_formats.hpp"

namespace webnn::node {
namespace {

struct Loaded {
  std::optional<Graph> graph;
  std::vector<std::string> warnings;
};

struct Order {
  std::string file, weights_file;
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;
};

Loaded load(const Context& context, const Order& order) {
  compiler::LoadOptions reading;
  reading.formats = compiler::all_formats();
  reading.weights_file = order.weights_file;
  compiler::Options compiling;
  compiling.dimensions.assign(order.dimensions.begin(), order.dimensions.end());
  api::Source source = api::open_source(order.file, reading);
  Loaded loaded;
  if (source.holds(compiler::Holds::program))
    loaded.graph = loadProgram(context, order.file);
  else
    loaded.graph = api::Internals::load(context, std::move(source), reading, std::move(compiling),
                                        [&](const std::string& warning) { loaded.warnings.push_back(warning); });
  return loaded;
}

/// loadGraph(context, file, weightsFile, names, sizes): a promise of {graph, warnings}. Names and sizes are those of the
/// graph's dimensions.
napi_value load_graph(const Call& call) {
  const Context context = held<Context>(call.env, call[0]);
  Order order{text(call.env, call[1]), text(call.env, call[2]), {}};
  const std::vector<napi_value> names = items(call.env, call[3]);
  const std::vector<std::uint32_t> sizes = words(call.env, call[4]);
  for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i)
    order.dimensions.emplace_back(text(call.env, names[i]), sizes[i]);
  auto loaded = std::make_shared<Loaded>();
  return start_work(
      call.env, "webnn loadGraph", [=] { *loaded = load(context, order); },
      [=](napi_env env) {
        std::vector<napi_value> warnings;
        for (const std::string& warning : loaded->warnings) warnings.push_back(make_text(env, warning));
        return ObjectMaker(env)
            .set("graph", make_holder(env, std::move(*loaded->graph)))
            .set("warnings", make_array(env, warnings))
            .value();
      });
}

constexpr NamedFunction load_list[] = {{"loadGraph", guarded<load_graph>}};

}  // namespace

std::span<const NamedFunction> load_functions() { return load_list; }

}  // namespace webnn::node

#include "bindings/tools/order.hpp"

#include "api/internals.hpp"
#include "api/load.hpp"
#include "compiler/formats/all_formats.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::bindings {

compiler::LoadOptions reading_options(const Order& order) {
  compiler::LoadOptions reading;
  reading.formats = compiler::all_formats();
  reading.weights_file = order.weights_file;
  return reading;
}

api::Model open_model(const Order& order) {
  const compiler::LoadOptions reading = reading_options(order);
  return api::Model(api::open_source(order.file, reading), reading);
}

std::vector<std::string> warnings_of(const schema::Diagnostics& diagnostics, const api::Model& model) {
  std::vector<std::string> warnings;
  std::string errors;
  for (const schema::Diagnostic& diagnostic : diagnostics.all()) {
    std::string text = render(diagnostic, diagnostic.location.file == model.name() ? model.source().text() : "");
    if (diagnostic.severity == schema::Severity::error)
      errors += text;
    else
      warnings.push_back(std::move(text));
  }
  if (!errors.empty()) throw schema::Error(exit_code_of(diagnostics), errors);
  return warnings;
}

Loaded load(const Context& context, const Order& order) {
  const compiler::LoadOptions reading = reading_options(order);
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

}  // namespace webnn::bindings

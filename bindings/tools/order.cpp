#include "bindings/tools/order.hpp"

#include "api/internals.hpp"
#include "api/load.hpp"
#include "compiler/formats/all_formats.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::bindings {
namespace {

compiler::LoadOptions reading_options(const Order& order) {
  compiler::LoadOptions reading;
  reading.formats = compiler::all_formats();
  reading.weights_file = order.weights_file;
  reading.dimensions = order.dimensions;
  return reading;
}

/// Opens the file. Throws Error as api::open_source does; usage for a program with what is for graphs.
api::Source open_source(const Order& order, const compiler::LoadOptions& reading) {
  api::Source source = api::open_source(order.file, reading);
  if (source.holds(compiler::Holds::program) && !(order.dimensions.empty() && order.weights_file.empty()))
    throw schema::Error(schema::ExitCode::usage, "dimensions or a weights file are given, but " +
                                                     schema::in_quotes(order.file) +
                                                     " is a program, which has its sizes and weights");
  return source;
}

}  // namespace

api::Model open_model(const Order& order) {
  const compiler::LoadOptions reading = reading_options(order);
  return api::Model(open_source(order, reading), reading);
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
  api::Source source = open_source(order, reading);
  Loaded loaded;
  if (source.holds(compiler::Holds::program))
    loaded.graph = loadProgram(context, order.file);
  else
    loaded.graph = api::Internals::load(context, std::move(source), reading, {},
                                        [&](const std::string& warning) { loaded.warnings.push_back(warning); });
  return loaded;
}

}  // namespace webnn::bindings

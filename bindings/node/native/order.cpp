#include "bindings/node/native/order.hpp"

#include <algorithm>

#include "compiler/formats/all_formats.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::node {

Order order_of(const Call& call, std::size_t first) {
  Order order{text(call.env, call[first]), text(call.env, call[first + 1]), {}};
  const std::vector<napi_value> names = items(call.env, call[first + 2]);
  const std::vector<std::uint32_t> sizes = words(call.env, call[first + 3]);
  for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i)
    order.dimensions.emplace_back(text(call.env, names[i]), sizes[i]);
  return order;
}

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

}  // namespace webnn::node

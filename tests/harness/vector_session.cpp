#include "tests/harness/vector_session.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace webnn::tests {

using namespace webnn::schema;

std::vector<std::vector<std::byte>> through_session(api::Session& session, const compiler::ConformanceVector& vector,
                                                    const compiler::Options& options) {
  using Data = std::vector<std::vector<std::byte>>;
  Diagnostics diagnostics;
  if (!session.compile(vector.graph, options, diagnostics)) throw std::runtime_error(diagnostics.all().front().message);
  Data inputs;
  for (const Binding& binding : session.inputs()) {
    const auto found = std::ranges::find(vector.inputs, binding.name, &compiler::NamedTensor::name);
    if (found == vector.inputs.end()) throw std::runtime_error("no data for input " + binding.name);
    const auto data = found->tensor.data.view();
    inputs.emplace_back(data.begin(), data.end());
  }
  const Data before = inputs;
  const Data outputs = session.run(std::vector<std::span<const std::byte>>(inputs.begin(), inputs.end()));
  if (inputs != before) throw std::runtime_error("an input was changed");
  return outputs;
}

}  // namespace webnn::tests

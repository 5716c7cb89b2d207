#include "tests/harness/random/random_call.hpp"

#include <stdexcept>
#include <string>

#include "tests/harness/random/call_generator.hpp"

namespace webnn::tests {

RandomCall random_call(OperatorId op, DataType type, std::mt19937& engine) {
  for (int attempt = 0; attempt < 1000; ++attempt)
    if (auto call = CallGenerator(op, type, engine).run()) return std::move(*call);
  throw std::runtime_error("chance makes no correct call of " + std::string(row(op).name));
}

}  // namespace webnn::tests
